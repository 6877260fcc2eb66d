import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river } from './fixtures.test-support';
import { GameActions } from './game-actions';
import { setUpRoot } from './rendered-root.test-support';

let root: HTMLElement;
setUpRoot((element) => (root = element));
afterEach(() => vi.unstubAllGlobals());

const played = { game: gameDto(0), look: river, tree: lineNodes(), node: 0, position: position({ targets: [move('a1', 'a2', 'W')] }) };

test('a double click on "Resign" brings the question and does not answer it', async () => {
  const { server, client } = await openWithFakeServer(played);
  await act(() => render(<GameActions client={client} state={client.state} />, root));
  const button = () => [...root.querySelectorAll('button')].at(-1) as HTMLButtonElement;
  const click = (detail: number) => act(() => void button().dispatchEvent(new MouseEvent('click', { bubbles: true, detail })));
  const hasResigned = () => server.requests.some((request) => request.do === 'resign');
  await click(1);
  await click(2);
  await flushPromises();
  expect([button().textContent, hasResigned()]).toEqual(['Really resign?', false]);
  await click(1);
  await flushPromises();
  expect(hasResigned()).toBe(true);
});

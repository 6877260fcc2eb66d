import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river } from './fixtures.test-support';
import { GameStatus } from './game-status';
import { setUpRoot } from './rendered-root.test-support';
import { isGameOver } from './ui-state';

let root: HTMLElement;
setUpRoot((element) => (root = element));
afterEach(() => vi.unstubAllGlobals());

const resigned = { game: gameDto(0, { level: 7, resigned: 0 }), look: river, tree: lineNodes(), node: 0, position: position({ targets: [move('a1', 'a2', 'W')] }) };

/** Opens the page with a game in which the user has resigned. */
async function openResigned() {
  const { server, client } = await openWithFakeServer(resigned);
  const show = () => act(() => render(<GameStatus client={client} state={client.state} hasRuling={false} onExplainEnd={() => {}} />, root));
  const status = () => root.querySelector('.status')?.textContent;
  return { server, client, show, status };
}

test('a game that was resigned can be analysed', async () => {
  const { server, client, show, status } = await openResigned();
  await show();
  expect([isGameOver(client.state), client.mayMove(), status()]).toEqual([true, false, 'Red resigns: Black wins']);
  void client.setUserSide(null);
  await flushPromises();
  await server.respond('seat', { ...resigned, game: gameDto(null, { resigned: 0 }) });
  await show();
  expect([isGameOver(client.state), client.mayMove(), status()]).toEqual([false, true, 'Red to move']);
});

test('the next game is played against the same engine at the level of the last game', async () => {
  const { server, client, show } = await openResigned();
  client.update({ game: gameDto(0, { resigned: 0, level: 7, engine: 'Boat' }) });
  await show();
  root.querySelector<HTMLElement>('.play-again')?.click();
  await flushPromises();
  expect(server.lastRequest('new')).toMatchObject({ game: 'river', person: 0, level: 7, engine: 'Boat' });
});

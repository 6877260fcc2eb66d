import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { openWithFakeServer } from './fake-server.test-support';
import { opened, riverGames } from './fixtures.test-support';
import { NewGameDialog, type NewGameOptions } from './new-game-dialog';
import { setUpRoot } from './rendered-root.test-support';
import type { StartsDto } from './wire/types';

let root: HTMLElement;
setUpRoot((element) => (root = element));
afterEach(() => vi.unstubAllGlobals());

const starts: StartsDto = {
  handicaps: [{ title: 'White gives a stone', title_zh: '白方让一子', fen: 'handicap', waive: ['island'] }],
  numbered: { title: 'Numbered', title_zh: '编号局面', count: 960 },
  fen: null,
};

test('a handicap, a start with a number and a random side are played', async () => {
  HTMLDialogElement.prototype.showModal = () => {};
  const { server, client } = await openWithFakeServer(opened);
  const started: NewGameOptions[] = [];
  const initial = { game: 'river', userSide: 0 as const, twoPeople: false, level: 3, replySeconds: 1, timeControl: undefined };
  const onStart = (options: NewGameOptions) => void started.push(options);
  const dialog = <NewGameDialog client={client} games={riverGames} language="en" {...{ initial, onStart }} onClose={() => {}} />;
  await act(() => render(dialog, root));
  const { id } = server.requests.filter((request) => request.do === 'starts').at(-1) ?? { id: 0 };
  await act(() => server.sendToPage({ id, starts }));
  const submit = () => act(() => void root.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true })));
  const change = (selector: string, value: string) =>
    act(() => {
      const field = root.querySelector<HTMLSelectElement | HTMLInputElement>(selector);
      if (field) field.value = value;
      field?.dispatchEvent(new Event('change', { bubbles: true }));
    });
  await change('select[name=start]', '0');
  await submit();
  expect(started.pop()).toMatchObject({ fen: 'handicap', waive: ['island'], userSide: 0 });
  await change('select[name=start]', 'numbered');
  await change('input[name=number]', '518');
  await act(() => [...root.querySelectorAll('label')].find((one) => one.textContent?.includes('at random'))?.querySelector('input')?.click());
  await submit();
  expect(server.lastRequest('starts')).toMatchObject({ number: 518 });
  await act(() => server.respond('starts', { starts: { ...starts, fen: 'start 518' } }));
  expect(started.map(({ fen }) => fen)).toEqual(['start 518']);
  expect([0, 1]).toContain(started[0]?.userSide);
});

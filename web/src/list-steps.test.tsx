import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, openWithFakeServer } from './fake-server.test-support';
import { gameDto, libraryRow, opened } from './fixtures.test-support';
import type { GameClient } from './game-client';
import { ListSteps, openListedGame } from './list-steps';
import type { LibraryQuery } from './wire/types';
import { setUpRoot } from './rendered-root.test-support';

let root: HTMLElement;
let server: FakeServer;
let client: GameClient;
setUpRoot((element) => (root = element));
beforeEach(async () => {
  ({ server, client } = await openWithFakeServer(opened));
});
afterEach(() => vi.unstubAllGlobals());

const query: LibraryQuery = { search: 'anna', sort: 'players', descending: false };
const show = () => act(() => render(<ListSteps client={client} state={client.state} />, root));
const labels = () => [...root.querySelectorAll('button')].map((button) => button.getAttribute('aria-disabled'));
const game = (id: string) => ({ ...opened, game: gameDto(null, { id }) });

test('the next game of the list is opened, by the button and by the key, as long as there is one', async () => {
  void openListedGame(client, { ...libraryRow('b'), collection: 'c' }, query, 1, 3);
  expect(server.lastRequest('open')).toMatchObject({ game: 'b', first: true });
  await act(() => server.respond('open', game('b')));
  await show();
  expect(root.textContent).toBe('2 of 3');
  root.querySelectorAll('button')[1]?.click();
  expect(server.lastRequest('library')).toMatchObject({ action: 'list', query, offset: 2, limit: 1 });
  await act(() => server.respond('library', { library: { list: { total: 3, version: '1', rows: [libraryRow('c')] } } }));
  expect(server.lastRequest('open')).toMatchObject({ game: 'c', first: false });
  await act(() => server.respond('open', game('c')));
  await show();
  expect([root.textContent, labels()[1]]).toEqual(['3 of 3', 'true']);
  const { length } = server.requests;
  const press = (key: string) => act(() => void window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true })));
  await press('PageDown');
  expect(server.requests.length).toBe(length);
  await press('PageUp');
  expect(server.lastRequest('library')).toMatchObject({ offset: 1, limit: 1 });
});

test('a game that was found by a position is opened there, and another game has no list', async () => {
  void openListedGame(client, libraryRow('b'), { ...query, position: 'fen' }, 0, 1);
  expect(server.lastRequest('open')).toMatchObject({ game: 'b', position: 'fen' });
  await act(() => server.respond('open', game('b')));
  void client.openGame('z');
  await act(() => server.respond('open', game('z')));
  await show();
  expect(root.textContent).toBe('');
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { watchDialogEntries } from './dialog-entries';
import { type FakeServer, flushPromises, startWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, position, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';

// River is an invented game for tests.
let server: FakeServer;
let board: AlfilBoard;
let client: GameClient;

const newGame = { game: gameDto(0), look: river, tree: lineNodes(), node: 0, position: position({}) };
const afterOneMove = { tree: lineNodes('a1a2'), node: 1, position: position({ side: 0, fen: 'one' }) };

/** Goes to an entry of the browser history. */
async function navigate(hash: string): Promise<void> {
  history.replaceState(null, '', hash);
  window.dispatchEvent(new Event('hashchange'));
  await flushPromises();
}

async function openPage(response: object): Promise<void> {
  client = new GameClient();
  client.attach(board, () => {});
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  await server.respond('new', response);
}

/** Loads the page again. */
async function reload(): Promise<GameClient> {
  const reloaded = new GameClient();
  reloaded.attach(board, () => {});
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  return reloaded;
}

/** Goes back to a saved game, and forward to the entry of the new game `def`. */
async function leaveAndReturn(): Promise<void> {
  const { state } = history;
  await navigate('#game/abc/1');
  await server.respond('open', { ...newGame, ...afterOneMove });
  history.replaceState(state, '', '#game/def/0');
  window.dispatchEvent(new Event('hashchange'));
  await flushPromises();
}

beforeEach(() => {
  server = startWithFakeServer();
  board = document.createElement('alfil-board') as AlfilBoard;
  document.body.append(board);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  board.remove();
});

test('another game gets a new history entry, and a game without moves is started again from its entry', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  expect(location.hash).toBe('#game/abc/1');
  const entries = history.length;
  void client.startGame('river', 1, 5);
  await flushPromises();
  await server.respond('new', { ...newGame, game: gameDto(null, { id: 'def', level: 5 }) });
  expect([location.hash, history.length]).toEqual(['#game/def/0', entries + 1]);
  await leaveAndReturn();
  expect(server.lastRequest('new')).toMatchObject({ game: 'river', person: null, level: 5 });
  await server.respond('new', { ...newGame, game: gameDto(null, { id: 'fed', level: 5 }) });
  expect([location.hash, history.length]).toEqual(['#game/fed/0', entries + 1]);
  await reload();
  expect(server.lastRequest('new')).toMatchObject({ game: 'river', person: null, level: 5 });
});

test('a new game of two people is one again when its entry is followed and when the page is loaded again', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  const twoPeople = (id: string) => ({ ...newGame, game: gameDto(null, { id, two_people: true }) });
  void client.startGame('river', null, 3, { two_people: true });
  await flushPromises();
  await server.respond('new', twoPeople('def'));
  await leaveAndReturn();
  const { length } = server.requests;
  expect(server.lastRequest('new')).toMatchObject({ person: null, two_people: true });
  await server.respond('new', twoPeople('fed'));
  await reload();
  expect(server.requests.length).toBeGreaterThan(length);
  expect(server.lastRequest('new')).toMatchObject({ person: null, two_people: true });
});

test('a new game against an external engine is one again when its entry is followed and when the page is loaded again', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  void client.startGame('river', 0, 3, { engine: 'Boat' });
  await flushPromises();
  await server.respond('new', { ...newGame, game: gameDto(0, { id: 'def', engine: 'Boat' }) });
  await leaveAndReturn();
  expect(server.lastRequest('new')).toMatchObject({ person: 0, engine: 'Boat' });
  await server.respond('new', { ...newGame, game: gameDto(0, { id: 'fed', engine: 'Boat' }) });
  await reload();
  expect(server.lastRequest('new')).toMatchObject({ person: 0, engine: 'Boat' });
});

test('the address of an open game that is deleted in a dialog is replaced when the dialog is closed', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  const stopWatching = watchDialogEntries();
  const entries = history.length;
  history.replaceState({ dialogs: 1 }, '', '#game/abc/1');
  void client.savedGames.delete('abc');
  await flushPromises();
  const renamed = gameDto(0, { id: 'new' });
  await server.respond('forget', { kept: [], game: renamed });
  expect([location.hash, history.state]).toEqual(['#game/abc/1', { dialogs: 1 }]);
  await server.sendToPage({ event: 'changed', id: 0, ...newGame, ...afterOneMove, game: renamed });
  // Closing the dialog leads to the entry below it.
  history.replaceState(null, '', '#game/abc/1');
  window.dispatchEvent(new Event('popstate'));
  expect([location.hash, history.length]).toEqual(['#game/new/1', entries]);
  stopWatching();
});

test('a new game that an empty address does not begin is named in the address', async () => {
  await openPage({ ...newGame, game: gameDto(0) });
  expect(location.hash).toBe('');
  void client.startGame('river', null, 3, { two_people: true });
  await flushPromises();
  await server.respond('new', { ...newGame, game: gameDto(null, { id: 'def', two_people: true }) });
  expect([location.hash, history.state]).toMatchObject(['#game/def/0', { person: null, two_people: true }]);
});

test('a game without moves that has tags is named in the address as a saved one', async () => {
  await openPage({ ...newGame, game: gameDto(0, { id: 'tagged', tags: [['Event', 'Cup']] }) });
  expect([location.hash, history.state]).toEqual(['#game/tagged/0', null]);
});

test('an address of a missing game or position is replaced by that of the open game', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  for (const hash of ['#game/abc/99', '#game/gone/1']) {
    await navigate(hash);
    if (server.requests.at(-1)?.do === 'open') await server.respond('open', { error: 'gone', cause: 'gone' });
    expect(location.hash).toBe('#game/abc/1');
  }
});

const firstGame = { ...newGame, ...afterOneMove, game: gameDto(0, { id: 'one' }) };
const secondGame = { ...newGame, ...afterOneMove, game: gameDto(null, { id: 'two' }) };
const computerToMove = { ...firstGame, position: position({ side: 1, fen: 'one' }) };

test('leaving a game during a search does not change the entry of the next game', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  const entries = history.length;
  await navigate('#game/one/1');
  await server.respond('open', computerToMove);
  await navigate('#game/two/1');
  // The reply comes before the server opens the game.
  await server.reply({ ...firstGame, game: undefined, look: undefined });
  expect(location.hash).toBe('#game/two/1');
  await server.respond('open', secondGame);
  expect([location.hash, history.length, client.state.game?.id]).toEqual(['#game/two/1', entries, 'two']);
});

test('after two history steps in quick succession only the second game continues, and the late first response does not change the address', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  localStorage.setItem('alfil.dialect.river', 'names');
  const entries = history.length;
  await navigate('#game/one/1');
  const { id } = server.lastRequest('open');
  await navigate('#game/two/1');
  // Nor does an event change the address meanwhile.
  await server.sendToPage({ event: 'changed', id: 0, ...newGame, ...afterOneMove });
  await server.sendToPage({ id, ...computerToMove });
  expect([location.hash, history.length, server.lastRequest('open').game, client.mayMove()]).toEqual(['#game/two/1', entries, 'two', false]);
  await server.respond('open', secondGame);
  await server.respond('dialect', { ...secondGame, game: gameDto(null, { id: 'two', dialect: 'names' }) });
  expect([location.hash, history.length, client.state.game?.id, client.mayMove()]).toEqual(['#game/two/1', entries, 'two', true]);
});

test('if the game of the second of two quick history steps does not exist, the first game is shown and the computer continues there', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  const entries = history.length;
  await navigate('#game/one/1');
  const { id } = server.lastRequest('open');
  await navigate('#game/gone/1');
  await server.sendToPage({ id, ...computerToMove });
  await server.respond('open', { error: 'gone', cause: 'gone' });
  expect([location.hash, history.length, client.state.game?.id]).toEqual(['#game/one/1', entries, 'one']);
  expect(client.state.turn.replying).toBe(true);
});

test('going forward and back before the response opens the former game again', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  await navigate('#game/two/1');
  const { id } = server.lastRequest('open');
  await navigate('#game/abc/1');
  await server.sendToPage({ id, ...secondGame });
  expect(server.lastRequest('open').game).toBe('abc');
  await server.respond('open', { ...newGame, ...afterOneMove });
  expect([location.hash, client.state.game?.id]).toEqual(['#game/abc/1', 'abc']);
});

test('a history step without a connection is followed after the reconnection', async () => {
  await openPage({ ...newGame, ...afterOneMove });
  const entries = history.length;
  vi.useFakeTimers();
  await server.close();
  await navigate('#game/other/1');
  expect(location.hash).toBe('#game/other/1');
  vi.advanceTimersByTime(200);
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  await server.respond('open', { ...newGame, ...afterOneMove });
  expect(server.lastRequest('open')).toMatchObject({ game: 'other', node: 1 });
  await server.respond('open', { ...newGame, ...afterOneMove, game: gameDto(0, { id: 'other' }) });
  expect([location.hash, history.length, client.state.game?.id]).toEqual(['#game/other/1', entries, 'other']);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import './board/element';
import type { AlfilBoard } from './board/element';
import { against, line, position, river } from './examples.test-data';
import { Game } from './game';
import { FakeServer, settled } from './server.test-data';

let server: FakeServer;
let board: AlfilBoard;
let game: Game;

const sides: [string, string] = ['Red', 'Black'];
const games = [{ game: 'river', title: 'River', title_zh: '河', sides, sides_zh: sides }];
const begun = { game: against(0), look: river, tree: line(), node: 0, position: position({}) };
const played = { tree: line('a1a2'), node: 1, position: position({ side: 0, fen: 'one' }) };

/** The browser comes to an entry of its history. */
async function travel(hash: string): Promise<void> {
  history.replaceState(null, '', hash);
  window.dispatchEvent(new Event('hashchange'));
  await settled();
}

async function open(answer: object): Promise<void> {
  game = new Game();
  game.attach(board, () => {});
  await server.open();
  await server.answer('games', { games, kept: [] });
  await server.answer('new', answer);
}

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '#');
  server = new FakeServer();
  board = document.createElement('alfil-board') as AlfilBoard;
  document.body.append(board);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  board.remove();
});

test('another game is another entry of the history, and one in which nothing was played is begun anew when one comes to it', async () => {
  await open({ ...begun, ...played });
  expect(location.hash).toBe('#game/abc/1');
  const entries = history.length;
  void game.start('river', 1, 5);
  await settled();
  await server.answer('new', { ...begun, game: against(null, { id: 'def', level: 5 }) });
  expect([location.hash, history.length]).toEqual(['#game/def/0', entries + 1]);
  const { state } = history;
  await travel('#game/abc/1');
  await server.answer('open', { ...begun, ...played });
  history.replaceState(state, '', '#game/def/0');
  window.dispatchEvent(new Event('hashchange'));
  await settled();
  expect(server.last('new')).toMatchObject({ game: 'river', person: null, level: 5 });
  await server.answer('new', { ...begun, game: against(null, { id: 'fed', level: 5 }) });
  expect([location.hash, history.length]).toEqual(['#game/fed/0', entries + 1]);
  const again = new Game();
  again.attach(board, () => {});
  await server.open();
  await server.answer('games', { games, kept: [] });
  expect(server.last('new')).toMatchObject({ game: 'river', person: null, level: 5 });
});

test('an address that leads nowhere says again what is shown', async () => {
  await open({ ...begun, ...played });
  for (const hash of ['#game/abc/99', '#game/gone/1']) {
    await travel(hash);
    if (server.asked.at(-1)?.do === 'open') await server.answer('open', { error: 'gone', cause: 'gone' });
    expect(location.hash).toBe('#game/abc/1');
  }
});

const one = { ...begun, ...played, game: against(0, { id: 'one' }) };
const two = { ...begun, ...played, game: against(null, { id: 'two' }) };
const theirs = { ...one, position: position({ side: 1, fen: 'one' }) };

test('who leaves a game while the computer thinks in it leaves the entry of the next one alone', async () => {
  await open({ ...begun, ...played });
  const entries = history.length;
  await travel('#game/one/1');
  await server.answer('open', theirs);
  const { id } = server.last('think');
  await travel('#game/two/1');
  // The server ends the question before it opens the game.
  await server.say({ id });
  expect(location.hash).toBe('#game/two/1');
  await server.answer('open', two);
  expect([location.hash, history.length, game.shown.game?.id]).toEqual(['#game/two/1', entries, 'two']);
});

test('of two steps through the history only the last one is gone on from, and the first comes too late for the address', async () => {
  await open({ ...begun, ...played });
  localStorage.setItem('alfil.dialect.river', 'words');
  const entries = history.length;
  await travel('#game/one/1');
  const { id } = server.last('open');
  await travel('#game/two/1');
  // Whatever else is told on the way changes the address as little.
  await server.say({ event: 'changed', id: 0, ...begun, ...played });
  await server.say({ id, ...theirs });
  expect([location.hash, history.length, server.last('open').game, game.mayMove()]).toEqual(['#game/two/1', entries, 'two', false]);
  await server.answer('open', two);
  await server.answer('dialect', { ...two, game: against(null, { id: 'two', dialect: 'words' }) });
  expect([location.hash, history.length, game.shown.game?.id, game.mayMove()]).toEqual(['#game/two/1', entries, 'two', true]);
});

test('if the second of two steps leads nowhere one stands in the first, and the computer goes on there', async () => {
  await open({ ...begun, ...played });
  const entries = history.length;
  await travel('#game/one/1');
  const { id } = server.last('open');
  await travel('#game/gone/1');
  await server.say({ id, ...theirs });
  await server.answer('open', { error: 'gone', cause: 'gone' });
  expect([location.hash, history.length, game.shown.game?.id]).toEqual(['#game/one/1', entries, 'one']);
  server.last('think');
});

test('there and back again before the answer opens the game that is still shown', async () => {
  await open({ ...begun, ...played });
  await travel('#game/two/1');
  const { id } = server.last('open');
  await travel('#game/abc/1');
  await server.say({ id, ...two });
  expect(server.last('open').game).toBe('abc');
  await server.answer('open', { ...begun, ...played });
  expect([location.hash, game.shown.game?.id]).toEqual(['#game/abc/1', 'abc']);
});

test('a step through the history without a connection is taken when it is back', async () => {
  await open({ ...begun, ...played });
  const entries = history.length;
  vi.useFakeTimers();
  await server.close();
  await travel('#game/other/1');
  expect(location.hash).toBe('#game/other/1');
  vi.advanceTimersByTime(200);
  await server.open();
  await server.answer('games', { games, kept: [] });
  await server.answer('open', { ...begun, ...played });
  expect(server.last('open')).toMatchObject({ game: 'other', node: 1 });
  await server.answer('open', { ...begun, ...played, game: against(0, { id: 'other' }) });
  expect([location.hash, history.length, game.shown.game?.id]).toEqual(['#game/other/1', entries, 'other']);
});

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
  history.replaceState(null, '', '#game/abc/1');
  window.dispatchEvent(new Event('hashchange'));
  await settled();
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
    history.replaceState(null, '', hash);
    window.dispatchEvent(new Event('hashchange'));
    await settled();
    if (server.asked.at(-1)?.do === 'open') await server.answer('open', { error: 'gone', cause: 'gone' });
    expect(location.hash).toBe('#game/abc/1');
  }
});

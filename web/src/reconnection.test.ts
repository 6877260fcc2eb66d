import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, flushPromises, startWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import type { GameDto } from './wire/types';

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers();
  server = startWithFakeServer();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const target = move('a1', 'a2', 'W');
const opened = (game: GameDto, node = 0) => ({
  game,
  look: river,
  tree: lineNodes('a1a2', 'a4a3'),
  node,
  position: position({ fen: String(node), targets: [target] }),
});

/** Opens the page with a game, and connects it again after the connection was lost. */
async function reconnect(game: GameDto): Promise<GameClient> {
  const client = new GameClient();
  client.attach(null, () => {});
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  await server.respond('new', opened(game, 2));
  await server.close();
  await vi.advanceTimersByTimeAsync(10_000);
  await server.open();
  return client;
}

/** Responds to the request `games`, which has others after it that are refused. */
async function respondToGames(): Promise<void> {
  const sent = server.requests;
  const index = sent.map((request) => request.do).lastIndexOf('games');
  await server.sendToPage({ id: sent[index]?.id ?? 0, games: riverGames, kept: [] });
  for (const { id } of sent.slice(index + 1, -1)) await server.sendToPage({ id, error: 'there is no open game' });
}

test('the game that replaces an unsaved one of two people after a reconnection is one of two people', async () => {
  await reconnect(gameDto(null, { two_people: true }));
  await server.respond('games', { games: riverGames, kept: [] });
  await server.respond('open', { error: 'there is no saved game "abc"', cause: 'gone' });
  expect(server.lastRequest('new')).toMatchObject({ game: 'river', person: null, two_people: true });
});

test.each([
  ['its own', 'old', 'old'],
  ['the preferred one, if it has none', null, 'new'],
])('the game that replaces an unsaved one after a reconnection has a ruleset: %s', async (_which, ruleset, expected) => {
  localStorage.setItem('alfil.book.river', 'new');
  await reconnect(gameDto(0, { ruleset }));
  await server.respond('games', { games: riverGames, kept: [] });
  await server.respond('open', { error: 'there is no saved game "abc"', cause: 'gone' });
  expect(server.lastRequest('new')).toMatchObject({ game: 'river', ruleset: expected });
});

test('the preferred ruleset is that of the first game, too', async () => {
  localStorage.setItem('alfil.book.river', 'new');
  const client = new GameClient();
  client.attach(null, () => {});
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  expect(server.lastRequest('new')).toMatchObject({ game: 'river', ruleset: 'new' });
});

test.each(['a step', 'a hint', 'a move'])('%s during the reconnection does not prevent that the game is opened again', async (action) => {
  const client = await reconnect(gameDto(null));
  if (action === 'a step') void client.step('previous');
  else if (action === 'a hint') void client.requestHint();
  else void client.playMove(target);
  await flushPromises();
  await respondToGames();
  expect(server.lastRequest('open')).toMatchObject({ game: 'abc' });
  await server.respond('open', opened(gameDto(null), 2));
  expect([client.state.node, client.state.searchesHint]).toEqual([2, false]);
  // The move, which was refused before, is played now.
  server.lastRequest(action === 'a move' ? 'play' : 'analyse');
});

test('a step while the game is opened again is shown, and the game is taken over', async () => {
  const client = await reconnect(gameDto(null));
  await server.respond('games', { games: riverGames, kept: [] });
  const open = server.lastRequest('open');
  void client.step('previous');
  await flushPromises();
  await server.sendToPage({ id: open.id, ...opened(gameDto(null, { tags: [['Event', 'Cup']] }), 2), reloads: 0 });
  await server.respond('go', { node: 1, position: position({ fen: '1' }) });
  expect([client.state.node, client.state.game?.tags.length]).toEqual([1, 1]);
});

test('a game that the user requests during the reconnection takes the place of the former one', async () => {
  const client = await reconnect(gameDto(null));
  void client.openGame('def');
  await flushPromises();
  const open = server.lastRequest('open');
  await respondToGames();
  expect(server.lastRequest('open')).toEqual(open);
  await server.sendToPage({ id: open.id, ...opened(gameDto(null, { id: 'def' })) });
  expect(client.state.game?.id).toBe('def');
});

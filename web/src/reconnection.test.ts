import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, startWithFakeServer } from './fake-server.test-data';
import { gameDto, lineNodes, position, river } from './fixtures.test-data';
import { GameClient } from './game-client';

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers();
  server = startWithFakeServer();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the game that replaces an unsaved one of two people after a reconnection is one of two people', async () => {
  const client = new GameClient();
  client.attach(null, () => {});
  await server.open();
  const games = [{ game: 'river', title: 'River', title_zh: '河', sides: ['Red', 'Black'], sides_zh: ['红', '黑'], length_unit: 'full_moves' }] as never;
  await server.respond('games', { games, kept: [] });
  const game = gameDto(null, { two_people: true });
  await server.respond('new', { game, look: river, tree: lineNodes(), node: 0, position: position({}) });
  await server.close();
  await vi.advanceTimersByTimeAsync(10_000);
  await server.open();
  await server.respond('games', { games, kept: [] });
  await server.respond('open', { error: 'there is no saved game "abc"', cause: 'gone' });
  expect(server.lastRequest('new')).toMatchObject({ game: 'river', person: null, two_people: true });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, position, river } from './fixtures.test-support';
import type { GameClient } from './game-client';
import { loadPreference, savePreference } from './preferences';

const opened = (game: ReturnType<typeof gameDto>) => ({ game, look: river, tree: lineNodes('a2a3'), node: 1, position: position({}) });
let server: FakeServer;
let client: GameClient;

beforeEach(async () => {
  ({ server, client } = await openWithFakeServer(opened(gameDto(0))));
});

afterEach(() => vi.unstubAllGlobals());

test('the external engine that the page has kept for a game is given to it once', async () => {
  savePreference('opponent', 'one:Boat: fast\ntwo:Ship');
  void client.openGame('one');
  await flushPromises();
  await server.respond('open', opened(gameDto(0, { id: 'one' })));
  expect(server.lastRequest('seat')).toMatchObject({ person: 0, level: 3, engine: 'Boat: fast' });
  await server.respond('seat', opened(gameDto(0, { id: 'one', engine: 'Boat: fast' })));
  expect([client.state.game?.engine, loadPreference('opponent', '')]).toEqual(['Boat: fast', 'two:Ship']);
});

test('the game that was watched last is watched again, and paused', async () => {
  savePreference('watched', 'one 4 7');
  void client.openGame('one');
  await flushPromises();
  await server.respond('open', opened(gameDto(null, { id: 'one' })));
  expect(server.lastRequest('seat')).toMatchObject({ person: null, levels: [4, 7] });
  await server.respond('seat', opened(gameDto(null, { id: 'one', levels: [4, 7] })));
  expect(server.lastRequest('pause').paused).toBe(true);
  await server.respond('pause', opened(gameDto(null, { id: 'one', levels: [4, 7], paused: true })));
  expect([client.state.game?.paused, client.state.engineOn, loadPreference('watched', '')]).toEqual([true, false, '']);
});

import { afterEach, expect, test, vi } from 'vitest';
import { flushPromises, startWithFakeServer } from './fake-server.test-data';
import { gameDto, lineNodes, position, river } from './fixtures.test-data';
import { GameClient } from './game-client';
import type { GameName } from './protocol';

afterEach(() => vi.unstubAllGlobals());

const games = [{ game: 'river', title: 'River', title_zh: '河', sides: ['Red', 'Black'], sides_zh: ['红', '黑'], length_unit: 'full_moves' } as GameName];

test('an engine that was switched off stays off in the games that are opened', async () => {
  const server = startWithFakeServer();
  const client = new GameClient();
  client.attach(null, () => {});
  await server.open();
  await server.respond('games', { games, kept: [] });
  const opened = { game: gameDto(null), look: river, tree: lineNodes('a1a2'), node: 0, position: position({}) };
  await server.respond('new', opened);
  expect(client.state.engineOn).toBe(true);
  for (const isOn of [false, true]) {
    client.setEngine(isOn);
    void client.openGame('b');
    await flushPromises();
    await server.respond('open', opened);
    expect(client.state.engineOn).toBe(isOn);
  }
});

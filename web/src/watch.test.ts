import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, flushPromises, openWithFakeServer } from './fake-server.test-data';
import { gameDto, lineNodes, move, position, river } from './fixtures.test-data';
import type { GameClient } from './game-client';

const opened = { game: gameDto(null), look: river, tree: lineNodes('a2a3'), node: 1, position: position({ targets: [move('a1', 'a2', 'W')] }) };
let server: FakeServer;
let client: GameClient;

const searches = () => server.requests.filter((request) => request.do === 'think');

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  ({ server, client } = await openWithFakeServer(opened));
  client.update({ watched: { levels: [1, 2], paused: false } });
  void client.continueAtLineEnd();
  await flushPromises();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a watched game that is paused between two moves stops at once, and goes on later', async () => {
  await client.watch.setPaused(true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(searches()).toEqual([]);
  void client.watch.setPaused(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(server.lastRequest('think')).toMatchObject({ level: 1 });
});

test('a watched game is paused by an error, so that the user can let it go on', async () => {
  await vi.advanceTimersByTimeAsync(2000);
  await server.sendToPage({ id: searches()[0]?.id ?? 0, error: 'the disk is full' });
  expect([client.state.watched?.paused, client.state.error]).toEqual([true, 'The disk is full']);
  void client.watch.setPaused(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(searches().length).toBe(2);
});

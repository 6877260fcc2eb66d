import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river } from './fixtures.test-support';
import type { GameClient } from './game-client';

const opened = { game: gameDto(null, { levels: [1, 2] }), look: river, tree: lineNodes('a2a3'), node: 1, position: position({ targets: [move('a1', 'a2', 'W')] }) };
const reply = { step: { text: 'a1a2', script: [], sound: 'move' as const }, tree: lineNodes('a2a3', 'a1a2'), node: 2, position: position({ side: 1, fen: 'two' }) };
let server: FakeServer;
let client: GameClient;

const count = (name: string) => server.requests.filter((request) => request.do === name).length;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  ({ server, client } = await openWithFakeServer(opened));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the computer moves after the pause that the user has chosen', async () => {
  client.watch.setDelay(1500);
  await vi.advanceTimersByTimeAsync(499);
  expect([count('continue'), client.mayMove(), client.state.engineOn]).toEqual([0, false, false]);
  await vi.advanceTimersByTimeAsync(1);
  await server.respond('continue', {});
  await server.sendToPage({ event: 'turn', next: 'computer', replying: true });
  await vi.advanceTimersByTimeAsync(5000);
  await server.reply(reply);
  expect(client.state.node).toBe(2);
  await vi.advanceTimersByTimeAsync(1499);
  expect(count('continue')).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(count('continue')).toBe(2);
});

test('a game that is paused between two moves stops, and goes on later', async () => {
  void client.watch.setPaused(true);
  await flushPromises();
  await server.respond('pause', { ...opened, game: gameDto(null, { levels: [1, 2], paused: true }) });
  await vi.advanceTimersByTimeAsync(2000);
  expect([count('continue'), client.mayMove()]).toEqual([0, true]);
  void client.watch.setPaused(false);
  await flushPromises();
  expect(server.lastRequest('pause').paused).toBe(false);
  await server.respond('pause', opened);
  await vi.advanceTimersByTimeAsync(2000);
  expect(count('continue')).toBe(1);
});

test('a game that goes on from an earlier position is shown at its end', async () => {
  await server.sendToPage({ event: 'changed', id: 0, ...opened, game: gameDto(null, { levels: [1, 2], paused: true }), node: 0 });
  void client.watch.setPaused(false);
  await flushPromises();
  await server.respond('pause', { ...opened, node: 0, turn: { next: 'wait', reason: 'earlier_position' } });
  expect(server.lastRequest('go').node).toBe(1);
});

test('a game that another window plays waits for it', async () => {
  await server.sendToPage({ event: 'turn', next: 'computer', elsewhere: true });
  await vi.advanceTimersByTimeAsync(2000);
  expect(count('continue')).toBe(0);
  await server.sendToPage({ event: 'turn', next: 'computer' });
  await vi.advanceTimersByTimeAsync(500);
  expect(count('continue')).toBe(1);
});

test('a game goes on if the server refuses a new one', async () => {
  void client.watch.start('river', [4, 7]);
  await flushPromises();
  expect(server.lastRequest('new')).toMatchObject({ person: null, levels: [4, 7] });
  await server.respond('new', { error: 'the disk is full' });
  expect(client.state.game?.levels).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(500);
  expect(count('continue')).toBe(1);
});

test('a game is paused by an error, so that the user can let it go on', async () => {
  await server.reply({ error: 'the disk is full', game: gameDto(null, { levels: [1, 2], paused: true }) });
  await server.sendToPage({ event: 'turn', next: 'wait', reason: 'paused' });
  expect([client.state.game?.paused, client.state.error]).toEqual([true, 'The disk is full']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(count('continue')).toBe(0);
});

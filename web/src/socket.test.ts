import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeServer } from './fake-server.test-support';
import type { ServerEvent } from './wire/types';
import { Socket } from './socket';
import { ConnectionLost } from './transport';

let server: FakeServer;
let connected: boolean[];
let events: ServerEvent[];
let errors: string[];
let socket: Socket;

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  [connected, events, errors] = [[], [], []];
  socket = new Socket('ws://test', {
    onConnectionChange: (isConnected) => connected.push(isConnected),
    onEvent: (event) => events.push(event),
    onError: ({ message }) => errors.push(message),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('responses are matched to their requests in any order', async () => {
  await server.open();
  const [one, two] = [socket.request({ do: 'games' }), socket.request({ do: 'new', game: 'river' })];
  const [first, second] = server.requests;
  await server.sendToPage({ id: second?.id ?? 0, error: 'no such game' });
  await server.sendToPage({ id: first?.id ?? 0, games: [] });
  await expect(one).resolves.toMatchObject({ games: [] });
  await expect(two).rejects.toThrow('no such game');
});

test('an error that belongs to no request is reported', async () => {
  await server.open();
  await server.sendToPage({ id: 0 });
  await server.sendToPage({ id: 0, error: 'the disk is full', error_zh: '磁盘已满' });
  expect(errors).toEqual(['the disk is full']);
});

test('a response without a request is ignored, and an event is reported', async () => {
  await server.open();
  await server.sendToPage({ id: 99 });
  await server.sendToPage({ event: 'waiting', of: 3 });
  expect(events).toHaveLength(1);
});

test('without a connection a request fails and is not sent', async () => {
  await expect(socket.request({ do: 'games' })).rejects.toThrow(ConnectionLost);
  expect(server.requests).toEqual([]);
});

test('a lost connection rejects the pending requests and is opened again', async () => {
  await server.open();
  const pending = socket.request({ do: 'games' });
  await server.close();
  await expect(pending).rejects.toThrow(ConnectionLost);
  expect(connected).toEqual([true, false]);
  expect(server.connectionAttempts).toBe(1);
  vi.advanceTimersByTime(200);
  expect(server.connectionAttempts).toBe(2);
  await server.open();
  expect(connected).toEqual([true, false, true]);
});

test('the attempts to reconnect continue with growing delays', async () => {
  for (let i = 0; i < 8; i++) {
    await server.close();
    vi.advanceTimersByTime(4000);
  }
  expect(server.connectionAttempts).toBe(9);
});

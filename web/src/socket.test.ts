import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeServer } from './server.test-data';
import { ConnectionLost, Socket } from './socket';
import type { ServerEvent } from './protocol';

let server: FakeServer;
let connected: boolean[];
let thoughts: ServerEvent[];
let socket: Socket;

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  [connected, thoughts] = [[], []];
  socket = new Socket('ws://test', {
    onConnectionChange: (yes) => connected.push(yes),
    onEvent: (event) => thoughts.push(event),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('answers find their questions, in whatever order they come', async () => {
  await server.open();
  const [one, two] = [socket.request({ do: 'games' }), socket.request({ do: 'new', game: 'river' })];
  const [first, second] = server.asked;
  await server.say({ id: second?.id ?? 0, error: 'no such game' });
  await server.say({ id: first?.id ?? 0, games: [] });
  await expect(one).resolves.toMatchObject({ games: [] });
  await expect(two).rejects.toThrow('no such game');
});

test('an answer nobody waits for, and an event, do no harm', async () => {
  await server.open();
  await server.say({ id: 99 });
  await server.say({ event: 'waiting', of: 3 });
  expect(thoughts).toHaveLength(1);
});

test('without a connection nothing can be asked', async () => {
  await expect(socket.request({ do: 'games' })).rejects.toThrow(ConnectionLost);
  expect(server.asked).toEqual([]);
});

test('what was asked when the connection went is told so, and the connection is tried again', async () => {
  await server.open();
  const asked = socket.request({ do: 'games' });
  await server.close();
  await expect(asked).rejects.toThrow(ConnectionLost);
  expect(connected).toEqual([true, false]);
  expect(server.tries).toBe(1);
  vi.advanceTimersByTime(200);
  expect(server.tries).toBe(2);
  await server.open();
  expect(connected).toEqual([true, false, true]);
});

test('it waits longer and longer, but goes on', async () => {
  for (let i = 0; i < 8; i++) {
    await server.close();
    vi.advanceTimersByTime(4000);
  }
  expect(server.tries).toBe(9);
});

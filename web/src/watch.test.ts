import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeServer, flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';

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

test('a watched game is still one after the page was loaded again, until the user leaves it', async () => {
  void client.watch.start('river', [4, 7]);
  await flushPromises();
  await server.respond('new', { ...opened, game: gameDto(null, { id: 'watched' }) });
  expect(client.state.watched).toEqual({ levels: [4, 7], paused: false });
  const reload = async () => {
    server = new FakeServer();
    client = new GameClient();
    client.attach(null, () => {});
    await server.open();
    await server.respond('games', { games: riverGames, kept: [] });
    await server.respond('open', { ...opened, game: gameDto(null, { id: 'watched' }) });
  };
  await reload();
  expect([client.state.watched, client.state.engineOn]).toEqual([{ levels: [4, 7], paused: true }, false]);
  void client.watch.setPaused(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(server.lastRequest('think').level).toBe(4);
  void client.setUserSide(null);
  await flushPromises();
  // `seat` says who plays which side.
  await server.respond('seat', { ...opened, game: gameDto(null, { id: 'watched' }) });
  await reload();
  expect([client.state.watched, client.state.engineOn]).toEqual([undefined, true]);
});

test('a watched game goes on if the server refuses a new one', async () => {
  void client.watch.start('river', [4, 7]);
  await flushPromises();
  await server.sendToPage({ id: server.lastRequest('new').id ?? 0, error: 'the disk is full' });
  expect(client.state.watched).toEqual({ levels: [1, 2], paused: false });
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

import { afterEach, expect, test, vi } from 'vitest';
import { flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river } from './fixtures.test-support';
import type { ServerResponse, TargetDto } from './wire/types';

afterEach(() => vi.unstubAllGlobals());

const first = move('a1', 'a2', 'W');
const second = move('a4', 'a3', 'w');
const opened = { game: gameDto(null), look: river, tree: lineNodes(), node: 0, position: position({ targets: [first] }) };
const played = { tree: lineNodes('a1a2'), node: 1, position: position({ fen: 'one', side: 1, targets: [second] }) };

test.each<[string, Omit<ServerResponse, 'id'>, number, TargetDto]>([
  ['is played', played, 1, second],
  ['is refused', { error: 'the disk is full' }, 0, first],
])('a move that another action has overtaken %s, and another move can be made', async (_what, response, node, next) => {
  const { server, client } = await openWithFakeServer(opened);
  void client.playMove(first);
  await flushPromises();
  const { id } = server.lastRequest('play');
  expect(client.mayMove()).toBe(false);
  void client.requestHint();
  await flushPromises();
  await server.sendToPage({ id, ...response });
  await server.respond('hint', {});
  expect([client.state.node, client.mayMove()]).toEqual([node, true]);
  void client.playMove(next);
  await flushPromises();
  expect(server.lastRequest('play')).toMatchObject({ text: next.text });
});

test('the user moves while a hint is searched, and the hint is dropped', async () => {
  const { server, client } = await openWithFakeServer(opened);
  void client.requestHint();
  await flushPromises();
  expect([client.state.searchesHint, client.mayMove()]).toEqual([true, true]);
  const { id } = server.lastRequest('hint');
  void client.playMove(first);
  await flushPromises();
  expect(client.state.searchesHint).toBe(false);
  await server.sendToPage({ id });
  await server.respond('play', played);
  expect([client.state.node, client.state.hint, client.state.searchesHint]).toEqual([1, undefined, false]);
});

test('an action during a forced pass ends it', async () => {
  const pass = { from: null, to: null, text: 'pass', script: [], choice: null };
  const { server, client } = await openWithFakeServer({ ...opened, game: gameDto(0), position: position({ targets: [pass] }) });
  expect([client.state.turn.next, client.mayMove()]).toEqual(['pass', false]);
  void client.setUserSide(null);
  await flushPromises();
  await server.respond('seat', { ...opened, game: gameDto(null) });
  expect([client.state.turn.next, client.mayMove()]).toEqual(['wait', true]);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, flushPromises, openWithFakeServer } from './fake-server.test-support';
import { computerToMove, lineNodes, opened, userToMove } from './fixtures.test-support';
import type { GameClient } from './game-client';
import type { ServerEvent } from './wire/types';

const answered = { ...opened, tree: lineNodes('a1a2', 'a4a3'), node: 2, position: userToMove };
const changed: ServerEvent = { event: 'changed', id: 0, ...opened };

let server: FakeServer;
let client: GameClient;

const replyCount = () => server.requests.filter((request) => request.do === 'think').length;

beforeEach(async () => {
  ({ server, client } = await openWithFakeServer(opened));
  expect(replyCount()).toBe(1);
});

afterEach(() => vi.unstubAllGlobals());

/** Answers the search for a reply, and sends the game that another window has changed, in one order or the other. */
async function interrupt(response: object, order: string, event = changed): Promise<void> {
  const { id } = server.lastRequest('think');
  if (order === 'after') await server.sendToPage(event);
  await server.sendToPage({ id, ...response });
  if (order === 'before') await server.sendToPage(event);
}

test.each(['before', 'after'])('a search that ends %s the game of another window arrives is started again', async (order) => {
  await interrupt({}, order);
  expect([replyCount(), client.state.searching]).toEqual([2, 'reply']);
  await server.respond('think', answered);
  expect([client.state.node, replyCount(), client.mayMove()]).toEqual([2, 2, true]);
});

test('several changes by another window during a search start it again once', async () => {
  const { id } = server.lastRequest('think');
  for (let i = 0; i < 2; i++) await server.sendToPage(changed);
  await server.sendToPage({ id });
  await server.sendToPage(changed);
  expect(replyCount()).toBe(2);
});

test.each(['before', 'after'])('a search that fails %s the game arrives is not started again by itself', async (order) => {
  await interrupt({ error: 'the disk is full' }, order);
  expect([replyCount(), client.state.error, client.isReplyMissing()]).toEqual([1, 'The disk is full', true]);
});

test.each(['before', 'after'])('no reply is requested if the other window has played it (%s)', async (order) => {
  await interrupt({}, order, { event: 'changed', id: 0, ...answered });
  expect([replyCount(), client.state.searching, client.mayMove()]).toEqual([1, false, true]);
});

test('the game of another window alone does not start a search in this one', async () => {
  await server.respond('think', answered);
  await server.sendToPage(changed);
  expect(replyCount()).toBe(1);
});

test('a change that has stopped the search starts it again', async () => {
  const { id } = server.lastRequest('think');
  void client.edits.promote(1);
  await flushPromises();
  await server.sendToPage({ id });
  await server.respond('promote', { nodes: lineNodes('a1a2').slice(1), node: 1, position: computerToMove });
  expect([replyCount(), client.state.searching]).toEqual([2, 'reply']);
});

test('after a deletion nothing is played by itself, so that it can be undone', async () => {
  await server.respond('think', answered);
  void client.edits.deleteMoves(2);
  await flushPromises();
  await server.respond('prune', { removed: [2], nodes: lineNodes('a1a2').slice(1), node: 1, position: computerToMove });
  expect([replyCount(), client.state.searching, client.state.notice?.kind]).toEqual([1, false, 'movesDeleted']);
});

test('a reply that was played before the server knew of the change is shown', async () => {
  await interrupt(answered, 'after');
  expect([client.state.node, client.state.searching, client.mayMove()]).toEqual([2, false, true]);
});

test('scores that another window has saved are shown, and the search goes on', async () => {
  const score = { value: 33, mate: null };
  const nodes = lineNodes('a1a2').slice(1).map((node) => ({ ...node, score }));
  await server.sendToPage({ event: 'changed', id: 0, nodes, review: null });
  expect([client.state.tree.node(1)?.score, replyCount(), client.state.searching]).toEqual([score, 1, 'reply']);
  await server.respond('think', answered);
  expect(client.state.node).toBe(2);
});

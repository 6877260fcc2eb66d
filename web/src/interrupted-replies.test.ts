import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, flushPromises, openWithFakeServer } from './fake-server.test-support';
import { computerToMove, lineNodes, opened, userToMove } from './fixtures.test-support';
import type { GameClient } from './game-client';
import { isReplyMissing, searchedMove } from './ui-state';
import type { ServerEvent } from './wire/types';

const answered = { ...opened, tree: lineNodes('a1a2', 'a4a3'), node: 2, position: userToMove };
const changed: ServerEvent = { event: 'changed', id: 0, ...opened };

let server: FakeServer;
let client: GameClient;

beforeEach(async () => {
  ({ server, client } = await openWithFakeServer(opened));
  expect(searchedMove(client.state)).toBe('reply');
});

afterEach(() => vi.unstubAllGlobals());

test('the reply that another window searches is awaited', async () => {
  await server.sendToPage({ ...changed, turn: { next: 'computer', elsewhere: true } });
  expect([searchedMove(client.state), client.mayMove(), isReplyMissing(client.state)]).toEqual([undefined, false, false]);
  // That window is gone.
  await server.sendToPage({ event: 'turn', next: 'computer', replying: true });
  await server.reply(answered);
  expect([client.state.node, client.mayMove()]).toEqual([2, true]);
});

test('a search that fails after another window has changed the game shows the error', async () => {
  await server.sendToPage(changed);
  await server.reply({ error: 'the disk is full' });
  await server.sendToPage({ event: 'turn', next: 'wait', reason: 'reply_failed' });
  expect([client.state.error, isReplyMissing(client.state)]).toEqual(['The disk is full', true]);
});

test('after a game that cannot be opened the reply is shown whose search begins again', async () => {
  void client.importGame('no game');
  await flushPromises();
  await server.respond('import', { error: 'this is no game' });
  await server.sendToPage({ event: 'turn', next: 'computer', replying: true });
  await server.reply(answered);
  expect([client.state.node, client.mayMove()]).toEqual([2, true]);
});

test('the reply of another window ends the search', async () => {
  await server.sendToPage({ event: 'changed', id: 0, ...answered });
  expect([client.state.node, searchedMove(client.state), client.mayMove()]).toEqual([2, undefined, true]);
});

test('after a deletion nothing is played by itself, so that it can be undone', async () => {
  await server.reply(answered);
  void client.edits.deleteMoves(2);
  await flushPromises();
  const turn = { next: 'wait', reason: 'reply_stopped' } as const;
  await server.respond('prune', { removed: [2], nodes: lineNodes('a1a2').slice(1), node: 1, position: computerToMove, turn });
  expect([isReplyMissing(client.state), client.state.notice?.kind]).toEqual([true, 'movesDeleted']);
});

test('a reply that comes before the response to an action of the user leaves its position to the response', async () => {
  void client.edits.promote(1);
  await flushPromises();
  await server.reply(answered);
  expect([client.state.node, client.state.turn.next]).toEqual([1, 'person']);
  await server.respond('promote', { ...answered, game: undefined, look: undefined });
  expect([client.state.node, client.mayMove()]).toEqual([2, true]);
});

test('scores that another window has saved are shown, and the search goes on', async () => {
  const score = { value: 33, mate: null };
  const nodes = lineNodes('a1a2').slice(1).map((node) => ({ ...node, score }));
  await server.sendToPage({ event: 'changed', id: 0, nodes, review: null });
  expect([client.state.tree.node(1)?.score, searchedMove(client.state)]).toEqual([score, 'reply']);
  await server.reply(answered);
  expect(client.state.node).toBe(2);
});

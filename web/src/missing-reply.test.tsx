import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, flushPromises, openWithFakeServer } from './fake-server.test-support';
import { computerToMove, lineNodes, opened, userToMove } from './fixtures.test-support';
import type { GameClient } from './game-client';
import { GameStatus } from './game-status';
import { setUpRoot } from './rendered-root.test-support';
import { isReplyMissing } from './ui-state';

const replied = { tree: lineNodes('a1a2', 'a4a3'), node: 2, position: userToMove };

let root: HTMLElement;
let server: FakeServer;
let client: GameClient;
setUpRoot((element) => (root = element));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  ({ server, client } = await openWithFakeServer(opened));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Shows the status for a time; returns the button that lets the computer move. */
async function buttonAfter(ms: number): Promise<HTMLElement | undefined> {
  await act(() => render(<GameStatus client={client} state={client.state} hasRuling={false} onExplainEnd={() => {}} />, root));
  await act(() => void vi.advanceTimersByTime(ms));
  return [...root.querySelectorAll('button')].find((one) => one.textContent === 'Let the computer move');
}

test('after a reply that has failed, the computer can move although the error is gone', async () => {
  expect(await buttonAfter(1000)).toBeUndefined();
  await server.reply({ error: 'the disk is full' });
  await server.sendToPage({ event: 'turn', next: 'wait', reason: 'reply_failed' });
  void client.edits.setComment(1, 'good');
  await flushPromises();
  await server.respond('comment', { nodes: [] });
  expect([client.state.error, await buttonAfter(0)]).toEqual([undefined, undefined]);
  (await buttonAfter(1000))?.click();
  await flushPromises();
  await server.respond('continue', {});
  await server.sendToPage({ event: 'turn', next: 'computer', replying: true });
  expect(await buttonAfter(1000)).toBeUndefined();
});

test("the computer can move after its last move was deleted, but not at an earlier position or on the user's turn", async () => {
  await server.reply(replied);
  expect(isReplyMissing(client.state)).toBe(false);
  void client.goTo(1);
  await flushPromises();
  await server.respond('go', { node: 1, position: computerToMove, turn: { next: 'wait', reason: 'earlier_position' } });
  expect(isReplyMissing(client.state)).toBe(false);
  void client.edits.deleteMoves(2);
  await flushPromises();
  await server.respond('prune', { removed: [2], nodes: lineNodes('a1a2').slice(1), node: 1, position: computerToMove, turn: { next: 'wait', reason: 'reply_stopped' } });
  expect(isReplyMissing(client.state)).toBe(true);
  await server.close();
  expect(isReplyMissing(client.state)).toBe(false);
});

import { afterEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { flushPromises, startWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import type { ReviewDto } from './wire/types';
import type { UiState } from './ui-state';
import { isReplyMissing, searchedMove } from './ui-state';

afterEach(() => vi.unstubAllGlobals());

/** Opens the page with an analysis of a game. */
async function openAnalysis(moves: string[]) {
  const server = startWithFakeServer();
  const board = document.createElement('alfil-board') as AlfilBoard;
  const client = new GameClient();
  const shown: { state: UiState } = { state: client.state };
  client.attach(board, (state) => (shown.state = state));
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  const start = position({ targets: [move('a1', 'a2', 'W')] });
  await server.respond('new', { game: gameDto(null), look: river, tree: lineNodes(...moves), node: 0, position: start });
  return { server, board, client, shown };
}

test('steps that follow each other before the server responds are all shown, and start from the last one', async () => {
  const { server, client, shown } = await openAnalysis(['a1a2', 'a4a3', 'a2b2', 'a3a4']);
  const before = server.requests.length;
  for (const direction of ['next', 'next', 'next'] as const) void client.step(direction);
  await flushPromises();
  const steps = server.requests.slice(before).filter((request) => request.do === 'go');
  expect(steps.map((request) => request.node)).toEqual([1, 2, 3]);
  const nodes: number[] = [];
  for (const { id, node } of steps) {
    const there = position({ fen: String(node), pieces: { a1: 'W' }, targets: [move('a1', 'a2', 'W')] });
    await server.sendToPage({ id, node: node as number, position: there });
    nodes.push(shown.state.node);
  }
  expect(nodes).toEqual([1, 2, 3]);
  // Only the last position is analysed.
  expect(server.requests.slice(before).filter((request) => request.do === 'analyse')).toHaveLength(1);
  void client.step('previous');
  await flushPromises();
  expect(server.lastRequest('go').node).toBe(2);
});

test('a review goes on while other positions are shown, and ends with a move', async () => {
  const { server, client, shown } = await openAnalysis(['a1a2', 'a4a3']);
  const there = { position: position({ fen: 'x', targets: [move('a1', 'a2', 'W')] }) };
  const engineOn = shown.state.engineOn;
  void client.reviews.start();
  await flushPromises();
  const review = server.lastRequest('review');
  void client.step('next');
  await flushPromises();
  await server.respond('go', { node: 1, ...there });
  expect([shown.state.node, shown.state.reviewedPositions]).toEqual([1, 0]);
  expect(server.lastRequest('go').node).toBe(1);
  const summary = { moves: [], sides: [], turning_points: [], complete: true } as unknown as ReviewDto;
  await server.sendToPage({ id: review.id, nodes: lineNodes('a1a2', 'a4a3'), node: 1, review: summary });
  expect([shown.state.reviewedPositions, shown.state.engineOn, shown.state.review]).toEqual([undefined, engineOn, summary]);
  // The server answers a review that another request has ended.
  void client.reviews.start();
  await flushPromises();
  const ended = server.lastRequest('review');
  void client.playMove(move('a1', 'a2', 'W'));
  await flushPromises();
  await server.sendToPage({ id: ended.id });
  expect([shown.state.reviewedPositions, shown.state.engineOn]).toEqual([undefined, engineOn]);
});

test('a score that comes after a review was stopped is kept, and the review stays ended', async () => {
  const { server, client, shown } = await openAnalysis(['a1a2']);
  void client.reviews.start();
  await flushPromises();
  const review = server.lastRequest('review');
  void client.reviews.stop();
  await flushPromises();
  const score = { value: 40, mate: null };
  await server.sendToPage({ event: 'reviewed', of: review.id, node: 1, score, best: null });
  expect([shown.state.reviewedPositions, shown.state.tree.node(1)?.review]).toEqual([undefined, score]);
});

test('another number of lines does not end a review', async () => {
  const { server, client, shown } = await openAnalysis(['a1a2']);
  void client.reviews.start();
  await flushPromises();
  client.runEngine(shown.state.engineOn, 2);
  await flushPromises();
  server.lastRequest('review');
  expect([shown.state.lineCount, shown.state.reviewedPositions]).toEqual([2, 0]);
});

test('an error is not removed by the response to an earlier request', async () => {
  const { server, client, shown } = await openAnalysis(['a1a2']);
  void client.step('next');
  await flushPromises();
  const { id } = server.lastRequest('go');
  client.showError('a damaged link');
  await server.sendToPage({ id, node: 1, position: position({ fen: 'x', targets: [] }) });
  expect(shown.state.error).toBe('a damaged link');
  void client.step('previous');
  await flushPromises();
  await server.respond('go', { node: 0, position: position({ targets: [] }) });
  expect(shown.state.error).toBeUndefined();
});

test('a move after which the opponent can end the game by a repetition has a warning of its own', async () => {
  const { server, board } = await openAnalysis([]);
  const ending = { winner: 0 as const, cause: 'mate', words: 'Black has no move', words_zh: '黑方无子可动' };
  const userMove = move('a1', 'a2', 'W');
  const warning = { text: userMove.text, label: 'a1-a2', by_reply: true, ending };
  const warned = { ...position({ targets: [userMove] }), warnings: [warning] };
  await server.sendToPage({ event: 'changed', id: 0, game: gameDto(null), look: river, tree: lineNodes(), node: 0, position: warned });
  expect(board.targets[0]?.note).toMatch(/^If a1-a2 is played now, the opponent can end the game by repeating/);
});

test('an error that belongs to no request stays until the user closes it', async () => {
  const { server, client, shown } = await openAnalysis(['a1a2']);
  await server.sendToPage({ id: 0, error: 'the disk is full', error_zh: '磁盘已满' });
  void client.step('next');
  await flushPromises();
  await server.respond('go', { node: 1, position: position({ fen: '1' }) });
  expect([shown.state.node, shown.state.standaloneError]).toEqual([1, 'The disk is full']);
  client.clearError();
  expect(shown.state.standaloneError).toBeUndefined();
});

test('after another window has ended a review, the engine analyses again', async () => {
  const { server, client, shown } = await openAnalysis(['a1a2']);
  client.setEngine(true);
  await flushPromises();
  void client.reviews.start();
  await flushPromises();
  const review = server.lastRequest('review');
  expect(shown.state.engineOn).toBe(false);
  const before = server.requests.length;
  const there = position({ fen: 'x', targets: [move('a1', 'a2', 'W')] });
  await server.sendToPage({ event: 'changed', id: 0, game: gameDto(null), look: river, tree: lineNodes('a1a2'), node: 0, position: there });
  await server.sendToPage({ id: review.id });
  expect([shown.state.engineOn, shown.state.reviewedPositions]).toEqual([true, undefined]);
  expect(server.requests.slice(before).map((request) => request.do)).toEqual(['analyse']);
});

test.each(['at once', 'with the saved game'])('a reply that fails %s can be requested again', async (way) => {
  const { server, client, shown } = await openAnalysis([]);
  const there = position({ side: 1, targets: [move('a4', 'a3', 'b')] });
  const game = { event: 'changed' as const, id: 0, game: gameDto(0), look: river, tree: lineNodes('a1a2'), node: 1, position: there };
  await server.sendToPage(game);
  expect(searchedMove(shown.state)).toBe('reply');
  // A reply that cannot be saved is taken back before.
  if (way !== 'at once') await server.sendToPage(game);
  await server.reply({ error: 'the disk is full' });
  await server.sendToPage({ event: 'turn', next: 'wait', reason: 'reply_failed' });
  expect([searchedMove(shown.state), shown.state.error, isReplyMissing(shown.state)]).toEqual([undefined, 'The disk is full', true]);
  void client.continuePlay();
  await flushPromises();
  await server.respond('continue', {});
  await server.sendToPage({ event: 'turn', next: 'computer', replying: true });
  expect([searchedMove(shown.state), shown.state.error]).toEqual(['reply', undefined]);
});

test("the node of the computer's last move from the opening book is known until another game starts", async () => {
  const { server, client, shown } = await openAnalysis([]);
  const reply = { script: [], text: 'a4a3', sound: 'move' as const };
  for (const from_book of [true, undefined]) {
    void client.startGame('river', 1, 3);
    await flushPromises();
    expect(shown.state.bookNode).toBeUndefined();
    await server.respond('new', { game: gameDto(1), look: river, tree: lineNodes(), node: 0, position: position({}) });
    const there = position({ side: 1, fen: 'one', targets: [move('a1', 'a2', 'W')] });
    await server.reply({ step: reply, tree: lineNodes('a4a3'), node: 1, position: there, from_book });
    expect(shown.state.node).toBe(1);
    expect(shown.state.bookNode).toBe(from_book && 1);
  }
});

test('the first move can be taken back if it is the user\'s, whichever side begins', async () => {
  for (const [person, expected] of [[1, true], [0, false]] as const) {
    const { server, client } = await openAnalysis([]);
    void client.setUserSide(person);
    await flushPromises();
    // The second side has moved first, and the other one is to move.
    await server.respond('seat', { game: gameDto(person), tree: lineNodes('a1a2'), node: 1, position: position({ side: 0 }) });
    expect([person, client.canTakeBack()]).toEqual([person, expected]);
  }
});

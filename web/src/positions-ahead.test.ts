import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { flushPromises, startWithFakeServer } from './fake-server.test-support';
import { gameDto, lift, lineNodes, move, position, put, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import type { GameDto, MoveResultDto, TreePositionDto } from './wire/types';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const SQUARES = ['a1', 'a2', 'a3', 'b3', 'b2', 'b1', 'c1', 'c2', 'c3'];
const there = (node: number) => position({ fen: `after ${node}`, pieces: { [SQUARES[node] ?? '']: 'W' }, targets: [move('a1', 'c4', 'W')] });
const step = (from = '', to = ''): MoveResultDto => ({ text: from + to, script: [lift(from, 'W'), put(to, 'W')], sound: 'move' });

/** Returns the position of a node as the server sends it ahead. */
function ahead(node: number): TreePositionDto {
  const [from, to] = [SQUARES[node - 1], SQUARES[node]];
  return { node, position: there(node), step: node > 0 ? step(from, to) : null, back: node > 0 ? step(to, from) : null };
}

/** Opens an analysis of a game of eight moves, at its start. */
async function openGame(game: GameDto = gameDto(null)) {
  const server = startWithFakeServer();
  const board = document.createElement('alfil-board') as AlfilBoard;
  const client = new GameClient();
  // It does not listen to the address: other than browsers, Happy DOM reports a change when the page itself sets it.
  client.attach(board, () => {})();
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  const tree = lineNodes(...SQUARES.slice(1).map((to, i) => `${SQUARES[i]}${to}`));
  await server.respond('new', { game, look: river, tree, node: 0, position: there(0) });
  const requests = (name: string) => server.requests.filter((request) => request.do === name);
  /** Lets the page request the positions around the present one, and sends them. */
  const sendAhead = async () => {
    await vi.advanceTimersByTimeAsync(100);
    const { id, nodes } = server.lastRequest('positions');
    await server.sendToPage({ id, positions: (nodes as number[]).map(ahead) });
    return nodes as number[];
  };
  return { server, board, client, requests, sendAhead };
}

const pieces = (board: AlfilBoard) => Object.keys(board.pieces);

test('a step is shown from what the server has sent ahead, and confirmed by it', async () => {
  const { server, board, client, requests, sendAhead } = await openGame();
  expect(await sendAhead()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const played = vi.spyOn(board, 'play');
  void client.step('next');
  expect([client.state.node, pieces(board), location.hash]).toEqual([1, ['a2'], '#game/abc/0']);
  expect(client.state.position?.fen).toBe('after 1');
  await flushPromises();
  await server.sendToPage({ id: requests('go').at(-1)?.id ?? 0, node: 1, position: there(1), steps: [step('a1', 'a2')] });
  // The move is not played again.
  expect([played.mock.calls.length, pieces(board), location.hash]).toEqual([1, ['a2'], '#game/abc/1']);
  void client.step('previous');
  expect([client.state.node, pieces(board), played.mock.calls.length]).toEqual([0, ['a1'], 2]);
  // Everything around is known: no more is requested.
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests('positions')).toHaveLength(1);
});

test('responses to steps that the page has passed do not take the board back', async () => {
  const { server, board, client, requests, sendAhead } = await openGame();
  await sendAhead();
  for (let i = 0; i < 5; i++) void client.step('next');
  expect([client.state.node, pieces(board)]).toEqual([5, ['b1']]);
  await flushPromises();
  const steps = requests('go');
  expect(steps.map(({ node }) => node)).toEqual([1, 2, 3, 4, 5]);
  for (const { id, node } of steps) {
    await server.sendToPage({ id, node: node as number, position: there(node as number), steps: [] });
    expect([client.state.node, pieces(board)]).toEqual([5, ['b1']]);
  }
  expect(location.hash).toBe('#game/abc/5');
  // Only the first and the last position are analysed.
  expect(requests('analyse')).toHaveLength(2);
});

test('what the server shows differently replaces what the page has shown', async () => {
  const { server, board, client, requests, sendAhead } = await openGame();
  await sendAhead();
  void client.step('next');
  await flushPromises();
  const { id } = requests('go').at(-1) ?? { id: 0 };
  await server.sendToPage({ id, node: 1, position: position({ fen: 'another', pieces: { c3: 'w' } }), steps: [] });
  expect([client.state.position?.fen, pieces(board)]).toEqual(['another', ['c3']]);
});

test('a refused step goes back to the position where the server is', async () => {
  const { server, board, client, requests, sendAhead } = await openGame();
  await sendAhead();
  for (let i = 0; i < 3; i++) void client.step('next');
  await flushPromises();
  const [first, second, third] = requests('go').map(({ id }) => id);
  await server.sendToPage({ id: first ?? 0, node: 1, position: there(1), steps: [] });
  for (const id of [second, third]) await server.sendToPage({ id: id ?? 0, error: 'this game has no move 2' });
  expect([client.state.node, pieces(board), client.state.error]).toEqual([1, ['a2'], expect.stringContaining('no move')]);
});

test('a move is not played if the server is not where it belongs', async () => {
  const { server, board, client, requests, sendAhead } = await openGame();
  await sendAhead();
  void client.step('next');
  void client.playMove(move('a2', 'b4', 'W'));
  await flushPromises();
  expect(pieces(board)).toEqual(['b4']);
  await server.sendToPage({ id: requests('go').at(-1)?.id ?? 0, error: 'this game has no move 1' });
  expect([client.state.node, pieces(board), requests('play')]).toEqual([0, ['a1'], []]);
  // After a confirmed step it is played.
  void client.step('next');
  void client.playMove(move('a2', 'b4', 'W'));
  await flushPromises();
  await server.sendToPage({ id: requests('go').at(-1)?.id ?? 0, node: 1, position: there(1), steps: [] });
  expect(requests('play')).toHaveLength(1);
});

test.each([
  ['moves are removed', { removed: [2, 3, 4, 5, 6, 7, 8] }],
  ['the rules change', { game: gameDto(null) }],
  ['the moves are replaced', { tree: lineNodes('a1a2') }],
  ['another game is opened', { game: gameDto(null, { id: 'def' }), tree: lineNodes('a1a2'), node: 0, position: there(0) }],
])('positions are forgotten when %s', async (_, changes) => {
  const { server, board, client, requests, sendAhead } = await openGame();
  await sendAhead();
  await server.sendToPage({ event: 'changed', id: 0, ...changes });
  void client.step('next');
  // The new position is not known: the former one stays until the server answers.
  expect([client.state.node, pieces(board)]).toEqual([0, ['a1']]);
  await flushPromises();
  await server.sendToPage({ id: requests('go').at(-1)?.id ?? 0, node: 1, position: position({ fen: 'new', pieces: { c2: 'W' } }), steps: [] });
  expect([client.state.node, pieces(board)]).toEqual([1, ['c2']]);
});

test('positions are kept when a comment changes', async () => {
  const { server, board, client, sendAhead } = await openGame();
  await sendAhead();
  const [first] = lineNodes('a1a2').slice(1);
  await server.sendToPage({ event: 'changed', id: 0, nodes: first ? [{ ...first, comment: 'good', children: [2] }] : [], removed: [] } as never);
  void client.step('next');
  expect([client.state.node, pieces(board)]).toEqual([1, ['a2']]);
});

test('the clock of a played game goes on, and an error of the positions is not said', async () => {
  const { server, client, requests } = await openGame(gameDto(0));
  const clock = { base: 1000, increment: 0, left: [900, 800] as [number, number], running: null, flagged: null, drawn: false };
  await server.sendToPage({ event: 'changed', id: 0, game: gameDto(0), tree: lineNodes('a1a2', 'a2a3'), node: 2, position: { ...there(2), clock } });
  // Nothing is requested before the first step.
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests('positions')).toEqual([]);
  void client.step('previous');
  await vi.advanceTimersByTimeAsync(100);
  await server.sendToPage({ id: server.lastRequest('positions').id, error: 'this game has no move 1' });
  await server.sendToPage({ id: requests('go').at(-1)?.id ?? 0, node: 1, position: { ...there(1), clock }, steps: [] });
  expect([client.state.error, client.state.node]).toEqual([undefined, 1]);
  void client.step('previous');
  await vi.advanceTimersByTimeAsync(100);
  await server.sendToPage({ id: server.lastRequest('positions').id, positions: [ahead(2)] });
  await server.sendToPage({ id: requests('go').at(-1)?.id ?? 0, node: 0, position: { ...there(0), clock }, steps: [] });
  void client.goTo(2);
  expect([client.state.node, client.state.position?.clock]).toEqual([2, clock]);
});

test.each(['another game', 'a change by another window', 'another position'])('a move is dropped by %s before the server is there', async (way) => {
  const { server, client, requests, sendAhead } = await openGame();
  await sendAhead();
  void client.step('next');
  void client.playMove(move('a2', 'b4', 'W'));
  const [step] = requests('go');
  await flushPromises();
  if (way === 'another game') void client.startGame('river', null, 3);
  else if (way === 'another position') void client.goTo(0);
  else await server.sendToPage({ event: 'changed', id: 0, game: gameDto(null), look: river, tree: lineNodes('a1a2'), node: 1, position: there(1) });
  await server.sendToPage({ id: step?.id ?? 0, node: 1, position: there(1), steps: [] });
  expect(requests('play')).toEqual([]);
});

test('no move is made while the board shows another position than the one that was requested', async () => {
  const { client, requests } = await openGame();
  void client.step('next');
  await flushPromises();
  expect(client.mayMove()).toBe(false);
  void client.playMove(move('a1', 'c4', 'W'));
  await flushPromises();
  expect([requests('go').length, requests('play')]).toEqual([1, []]);
});

test('the response to an edit does not take the board back while the page is ahead', async () => {
  const { server, board, client, requests, sendAhead } = await openGame();
  await sendAhead();
  void client.edits.setComment(0, 'good');
  void client.step('next');
  await flushPromises();
  const { id } = requests('comment').at(-1) ?? { id: 0 };
  await server.sendToPage({ id, nodes: [], node: 0, position: there(0), edits: { undo: null, redo: null } });
  expect([client.state.node, pieces(board)]).toEqual([1, ['a2']]);
  await server.sendToPage({ id: requests('go').at(-1)?.id ?? 0, node: 1, position: there(1), steps: [] });
  expect([client.state.node, pieces(board)]).toEqual([1, ['a2']]);
});

test('positions that arrive with a replaced game are not kept', async () => {
  const { server, client } = await openGame();
  await vi.advanceTimersByTimeAsync(100);
  const { id, nodes } = server.lastRequest('positions');
  const changed = { event: 'changed' as const, id: 0, game: gameDto(null), look: river, tree: lineNodes('a1c4'), node: 0, position: there(0) };
  // Both are sent before the page goes on, as the worker sends them.
  void server.sendToPage({ id, positions: (nodes as number[]).map(ahead) });
  void server.sendToPage(changed);
  await flushPromises();
  void client.step('next');
  expect(client.state.node).toBe(0);
});

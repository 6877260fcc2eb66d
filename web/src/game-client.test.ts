import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { type FakeServer, flushPromises, startWithFakeServer } from './fake-server.test-support';
import { discs, gameDto, lift, lineNodes, move, placement, position, put, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import type { GameEndDto, MoveResultDto, ScoreDto } from './wire/types';
import { type UiState, currentTimeControl, searchedMove } from './ui-state';

// River, pond and discs are invented games for tests.
let server: FakeServer;
let board: AlfilBoard;
let client: GameClient;
let state: UiState;

const userMove = move('a1', 'a2', 'W');
const startPosition = position({ pieces: { a1: 'W', a4: 'w' }, targets: [userMove], words: 'Red to move' });
const positionAfterMove = position({ side: 1, fen: 'one', pieces: { a2: 'W', a4: 'w' }, last: ['a1', 'a2'] });
const nextMove = move('a2', 'a3', 'W');
const positionAfterReply = position({ fen: 'two', pieces: { a2: 'W', b4: 'w' }, last: ['a4', 'b4'], targets: [nextMove] });
const moveResult = (text: string, script: MoveResultDto['script']): MoveResultDto => ({ text, script, sound: 'move' });
const userResult = moveResult('a1a2', userMove.script);
const replyResult = moveResult('a4b4', move('a4', 'b4', 'w').script);
const newGame = { game: gameDto(0), look: river, tree: lineNodes(), node: 0, position: startPosition };
const userMoved = { step: userResult, tree: lineNodes('a1a2'), node: 1, position: positionAfterMove };
const computerReplied = { step: replyResult, tree: lineNodes('a1a2', 'a4b4'), node: 2, position: positionAfterReply };
const ending: GameEndDto = { winner: 0, cause: 'mate', words: 'Black has no move', words_zh: '黑方无子可动' };
const sampleScore: ScoreDto = { value: 40, mate: null };

function analysisLine(node: number, rank: number, ...moves: string[]) {
  const event = 'thought' as const;
  return { event, of: 1, node, rank, depth: 7, score: sampleScore, nodes: 1000, seconds: 1, line: moves, labels: moves };
}

async function openPage(response: object = newGame): Promise<void> {
  client = new GameClient();
  client.attach(board, (changed) => (state = changed));
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  await server.respond('new', response);
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = startWithFakeServer();
  board = document.createElement('alfil-board') as AlfilBoard;
  document.body.append(board);
  await openPage();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  board.remove();
});

/** Plays a move of the user and the computer's reply. */
async function playRound(): Promise<void> {
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', userMoved);
  await server.reply(computerReplied);
}

/** Switches to analysis. */
async function startAnalysis(): Promise<void> {
  void client.setUserSide(null);
  await flushPromises();
  await server.respond('seat', { ...newGame, game: gameDto(null) });
}

test('the page starts the first game of the list, and the user plays the first side', () => {
  expect(server.requests.map((request) => request.do)).toEqual(['pace', 'games', 'new']);
  expect(server.requests[2]).toMatchObject({ game: 'river', person: 0, level: 3 });
  expect(client.userSide).toBe(0);
  expect(board.pieces).toEqual(startPosition.pieces);
  expect(board.targets).toEqual([userMove]);
});

test('a move is shown before the server responds, and no other move can be played meanwhile', async () => {
  void client.playMove(userMove);
  expect(board.pieces).toEqual({ a2: 'W', a4: 'w' });
  expect(board.targets).toEqual([]);
  void client.playMove(userMove);
  await flushPromises();
  expect(server.requests.filter((request) => request.do === 'play')).toHaveLength(1);
});

test('no move can be played while another game is loading, until the server refuses it', async () => {
  void client.startGame('river', 1, 3);
  expect(board.targets).toEqual([]);
  await flushPromises();
  await server.respond('new', { error: 'no such game' });
  expect(board.targets).toEqual([userMove]);
});

test('the response to a move does not replace the piece elements', async () => {
  void client.playMove(userMove);
  const elements = [...(board.shadowRoot?.querySelectorAll('.piece') ?? [])];
  await flushPromises();
  await server.respond('play', userMoved);
  expect([...(board.shadowRoot?.querySelectorAll('.piece') ?? [])]).toEqual(elements);
});

test('flipping the board keeps an unconfirmed move', async () => {
  void client.playMove(userMove);
  client.display.flipBoard();
  expect(board.orientation).toBe('second');
  expect(board.pieces).toEqual({ a2: 'W', a4: 'w' });
});

test('the time for replies is sent, the reply is awaited, and its script is played', async () => {
  expect(server.requests[0]).toMatchObject({ do: 'pace', reply_ms: 1000 });
  client.display.setReplySeconds(3);
  expect(server.lastRequest('pace')).toMatchObject({ reply_ms: 3000 });
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', userMoved);
  expect(searchedMove(state)).toBe('reply');
  expect(board.targets).toEqual([]);
  await server.sendToPage({ event: 'waiting', of: 0 });
  expect(state.searchQueued).toBe(true);
  await server.reply(computerReplied);
  expect([searchedMove(state), state.searchQueued]).toEqual([undefined, false]);
  expect(board.pieces).toEqual(positionAfterReply.pieces);
  expect(board.last).toEqual(['a4', 'b4']);
  expect(board.targets).toEqual(positionAfterReply.targets);
});

test('a refused move is taken back and the reason is shown', async () => {
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', { error: 'a1a2 is not legal here' });
  expect(board.pieces).toEqual(startPosition.pieces);
  expect(board.targets).toEqual([userMove]);
  expect(state.error).toBe('A1a2 is not legal here');
});

test('no reply is requested when the game is over', async () => {
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', { ...userMoved, position: { ...positionAfterMove, ending } });
  expect(server.requests.at(-1)?.do).toBe('play');
  expect(state.position?.ending?.words).toBe('Black has no move');
});

test('if the user plays the second side, the board is flipped and the computer moves first', async () => {
  void client.startGame('river', 1, 7);
  await flushPromises();
  await server.respond('new', { ...newGame, game: gameDto(1, { level: 7 }) });
  expect(board.orientation).toBe('second');
  expect(searchedMove(state)).toBe('reply');
  expect(board.targets).toEqual([]);
});

test('a forced pass is shown and played after a delay', async () => {
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', userMoved);
  const pass = { from: null, to: null, text: 'pass', script: [], choice: null };
  await server.reply({ ...computerReplied, position: { ...positionAfterReply, targets: [pass] } });
  expect(state.turn.next).toBe('pass');
  expect(client.mayMove()).toBe(false);
  vi.advanceTimersByTime(2000);
  await flushPromises();
  const passed = { step: moveResult('pass', []), tree: lineNodes('a1a2', 'a4b4', 'pass'), node: 3, position: { ...positionAfterMove, fen: 'three' } };
  await server.respond('continue', passed);
  expect([state.node, searchedMove(state)]).toEqual([3, 'reply']);
});

test('taking back removes the reply and the move', async () => {
  await playRound();
  expect(client.canTakeBack()).toBe(true);
  void client.takeBack();
  await flushPromises();
  expect(server.lastRequest('undo')).toMatchObject({ plies: 2 });
  const steps = [moveResult('a4b4', [lift('b4', 'w'), put('a4', 'w')]), moveResult('a1a2', [lift('a2', 'W'), put('a1', 'W')])];
  await server.respond('undo', { steps, tree: lineNodes(), node: 0, position: startPosition });
  expect(board.pieces).toEqual(startPosition.pieces);
  expect(client.canTakeBack()).toBe(false);
});

test('taking back during a search removes one move, and the late reply is ignored', async () => {
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', userMoved);
  void client.takeBack();
  await flushPromises();
  expect(server.lastRequest('undo')).toMatchObject({ plies: 1 });
  const steps = [moveResult('a1a2', [lift('a2', 'W'), put('a1', 'W')])];
  const { id } = server.lastRequest('undo');
  await server.reply({ ...computerReplied, turn: { next: 'person' } });
  expect(state.node).toBe(1);
  await server.sendToPage({ id, steps, tree: lineNodes(), node: 0, position: startPosition });
  expect(board.pieces).toEqual(startPosition.pieces);
  expect(searchedMove(state)).toBeUndefined();
});

test('a lost connection is shown, and the saved game continues at the same position', async () => {
  await playRound();
  await server.close();
  expect(state.connected).toBe(false);
  vi.advanceTimersByTime(200);
  await server.open();
  await server.respond('games', { games: riverGames, kept: [{ id: 'abc', game: 'river', plies: 2, changed: 0, players: ['', ''], result: '', event: '' }] });
  expect(server.lastRequest('open')).toMatchObject({ game: 'abc', node: 2 });
  await server.respond('open', { ...computerReplied, step: undefined, game: gameDto(0), look: river });
  expect(state.connected).toBe(true);
  expect(board.pieces).toEqual(positionAfterReply.pieces);
});

test('an unconfirmed move is sent again after a lost connection', async () => {
  void client.playMove(userMove);
  await flushPromises();
  await server.close();
  expect(board.pieces).toEqual({ a2: 'W', a4: 'w' });
  vi.advanceTimersByTime(200);
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  // A game that was never saved cannot be opened, so it is started again.
  await server.respond('open', { error: 'no such game', cause: 'gone' });
  await server.respond('new', newGame);
  expect(server.lastRequest('play')).toMatchObject({ text: 'a1a2' });
  await server.respond('play', userMoved);
  expect([state.node, searchedMove(state)]).toEqual([1, 'reply']);
});

test('a reload opens the game of the address, or else the last game', async () => {
  const savedGames = ['abc', 'def'].map((id) => ({ id, game: 'river', plies: 2, changed: 0, players: ['', ''] as [string, string], result: '', event: '' }));
  await playRound();
  expect(location.hash).toBe('#game/abc/2');
  for (const [hash, id, node] of [['#game/def/1', 'def', 1], ['', 'abc', undefined]] as const) {
    history.replaceState(null, '', hash || '#');
    const secondClient = new GameClient();
    secondClient.attach(board, () => {});
    await server.open();
    await server.respond('games', { games: riverGames, kept: savedGames });
    expect(server.lastRequest('open')).toMatchObject({ game: id, ...(node !== undefined && { node }) });
  }
});

test('stepping through the moves plays their scripts', async () => {
  await playRound();
  void client.goTo(1);
  await flushPromises();
  await server.respond('go', { steps: [moveResult('a4b4', [lift('b4', 'w'), put('a4', 'w')])], node: 1, position: positionAfterMove });
  expect(board.pieces).toEqual(positionAfterMove.pieces);
  expect(server.requests.at(-1)?.do).toBe('go');
  expect(location.hash).toBe('#game/abc/1');
});

test('an analysis shows its lines as arrows, and the game tree stores the score', async () => {
  await startAnalysis();
  const request = server.lastRequest('analyse');
  expect(request).toMatchObject({ lines: 3 });
  await server.sendToPage(analysisLine(0, 1, 'a1a2', 'a4b4'));
  await server.sendToPage(analysisLine(7, 1, 'of another position'));
  expect(state.analysisLines).toHaveLength(1);
  expect(board.over.arrows).toEqual([{ from: 'a1', to: 'a2', rank: 1 }]);
  expect(state.tree.node(0)?.score).toEqual(sampleScore);
  // At a greater depth the same move has another rank.
  await server.sendToPage(analysisLine(0, 2, 'a1a3'));
  // The lines of a new depth are shown when all are known, the best first.
  await server.sendToPage({ ...analysisLine(0, 1, 'a1a3'), depth: 8 });
  expect(state.analysisLines.map(({ depth, line: [first] }) => [depth, first])).toEqual([[7, 'a1a2'], [7, 'a1a3']]);
  await server.sendToPage({ ...analysisLine(0, 2, 'a1a2'), depth: 8, score: { value: 55, mate: null } });
  expect(state.analysisLines.map(({ rank, line: [first] }) => [rank, first])).toEqual([[1, 'a1a2'], [2, 'a1a3']]);
  await server.sendToPage({ id: request.id });
  expect(state.analysing).toBe(false);
  client.searchLonger();
  expect(server.lastRequest('analyse').seconds).toBeGreaterThan(60);
});

test('in an analysis the user moves both sides and can play an engine line', async () => {
  await startAnalysis();
  expect(client.mayMove()).toBe(true);
  void client.playLine(['a1a2', 'a4b4']);
  await flushPromises();
  await server.respond('walk', { ...computerReplied, step: undefined });
  expect(state.node).toBe(2);
  server.lastRequest('analyse');
});

test('in a disc game every legal move shows its value for the first side, and the best one for the side to move stands out', async () => {
  const targets = [placement('a1', [put('a1', 'O')]), placement('b1', [put('b1', 'O')])];
  void client.startGame('discs', null, 3);
  await flushPromises();
  await server.respond('new', { ...newGame, look: discs, game: gameDto(null), position: position({ side: 1, targets }) });
  await server.sendToPage({ ...analysisLine(0, 1, 'a1'), score: { value: -400, mate: null } });
  await server.sendToPage({ ...analysisLine(0, 2, 'b1'), score: { value: 250, mate: null } });
  expect(board.over.values).toEqual({ a1: { words: '−4', best: true }, b1: { words: '+2.5', best: false } });
  expect(board.over.arrows).toEqual([]);
});

test('a hint is shown as an arrow until the next move', async () => {
  void client.requestHint();
  await flushPromises();
  await server.respond('hint', { hint: 'a1a2' });
  expect(board.over.arrows).toEqual([{ from: 'a1', to: 'a2', rank: 1 }]);
  await playRound();
  expect(board.over.arrows).toEqual([]);
});

test('resigning ends the game', async () => {
  void client.resign();
  await flushPromises();
  await server.respond('resign', { ...newGame, game: gameDto(0, { resigned: 0 }) });
  expect(client.mayMove()).toBe(false);
  expect(board.targets).toEqual([]);
});

test('a review adds the scores one by one', async () => {
  await playRound();
  void client.reviews.start();
  await flushPromises();
  const { id } = server.lastRequest('review');
  await server.sendToPage({ event: 'reviewed', of: id, node: 1, score: sampleScore, best: 'a4b4' });
  expect(state.reviewedPositions).toBe(1);
  expect(state.tree.node(1)).toMatchObject({ score: sampleScore, review: sampleScore });
  await server.respond('review', { nodes: lineNodes('a1a2', 'a4b4'), node: 2 });
  expect(state.reviewedPositions).toBeUndefined();
});

test('the X-ray view requests tactical marks while it is on', async () => {
  client.setXray(true);
  await flushPromises();
  await server.respond('tactical_marks', { tactical_marks: [{ kind: 'blocked', side: 0, squares: ['a1', 'a2'] }] });
  expect(board.over.tacticalMarks).toHaveLength(1);
  client.setXray(false);
  expect(board.over.tacticalMarks).toEqual([]);
});

test('a move from another window is shown', async () => {
  await server.sendToPage({ event: 'changed', id: 0, ...computerReplied, game: gameDto(0) });
  expect(board.pieces).toEqual(positionAfterReply.pieces);
  expect(state.node).toBe(2);
});

test('a new game uses the dialect that was chosen last', async () => {
  void client.setDialect('names');
  await flushPromises();
  await server.respond('dialect', { ...newGame, game: gameDto(0, { dialect: 'names' }) });
  void client.startGame('river', 0, 3);
  await flushPromises();
  await server.respond('new', newGame);
  expect(server.lastRequest('dialect')).toMatchObject({ name: 'names' });
  await server.respond('dialect', { ...newGame, game: gameDto(0, { dialect: 'names' }) });
  expect(state.game?.dialect).toBe('names');
});

test('the language of the page is also that of the board', () => {
  client.display.setLanguage('zh');
  expect(board.words.empty).toBe('空');
  expect(new GameClient().state.language).toBe('zh');
});

test('the level, the reply time and the mute setting are saved', async () => {
  client.display.setMuted(true);
  client.display.setReplySeconds(10);
  void client.startGame('river', 0, 9);
  await flushPromises();
  expect(new GameClient().state).toMatchObject({ muted: true, replySeconds: 10, level: 9 });
});

test('a game that is not in the list is opened by its address; after a refusal the page starts a new game and shows the reason', async () => {
  history.replaceState(null, '', '#game/old/7');
  const secondClient = new GameClient();
  secondClient.attach(board, (changed) => (state = changed));
  await server.open();
  await server.respond('games', { games: riverGames, kept: [], more: true });
  expect(server.lastRequest('open')).toMatchObject({ game: 'old', node: 7 });
  await server.respond('open', { error: 'there is no game "old" here', cause: 'gone' });
  await server.respond('new', newGame);
  expect(state.error).toContain('No game is saved here');
});

test('the list of saved games is loaded in parts without duplicates', async () => {
  const savedGames = (...ids: string[]) => ids.map((id) => ({ id, game: 'river', plies: 2, changed: 0, players: ['', ''] as [string, string], result: '', event: '' }));
  void client.savedGames.load();
  await flushPromises();
  await server.respond('games', { games: riverGames, kept: savedGames('a', 'b'), more: true });
  expect(state.hasMoreSavedGames).toBe(true);
  void client.savedGames.load(state.savedGames);
  await flushPromises();
  expect(server.lastRequest('games')).toMatchObject({ skip: 2 });
  await server.respond('games', { games: riverGames, kept: savedGames('b', 'c'), more: false });
  expect(state.savedGames.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(state.hasMoreSavedGames).toBe(false);
  void client.savedGames.delete('b');
  await flushPromises();
  expect(server.lastRequest('forget')).toMatchObject({ game: 'b' });
  await server.respond('forget', { games: riverGames, kept: savedGames('a', 'c') });
  expect(state.savedGames.map(({ id }) => id)).toEqual(['a', 'c']);
});

test('when the open game is deleted, the address gets the id of the new game', async () => {
  await playRound();
  expect(location.hash).toBe('#game/abc/2');
  void client.savedGames.delete('abc');
  await flushPromises();
  await server.respond('forget', { kept: [], game: gameDto(0, { id: 'new' }) });
  expect(location.hash).toBe('#game/new/2');
});

test('a cause that the server sends as a code is shown in the language of the page', async () => {
  client.display.setLanguage('zh');
  for (const [cause, words] of [['over', '对局已结束'], ['changed', '另一窗口'], ['gone', '没有保存']] as const) {
    void client.edits.setComment(1, 'x');
    await flushPromises();
    await server.respond('comment', { error: 'in English', cause });
    expect(state.error).toContain(words);
  }
});

test('a changed game is analysed again', async () => {
  await startAnalysis();
  const { id } = server.lastRequest('analyse');
  await server.sendToPage({ id });
  await server.sendToPage({ event: 'changed', id: 0, ...computerReplied, game: gameDto(null) });
  expect(server.lastRequest('analyse').id).not.toBe(id);
});

test('with a clock replies have no fixed time, and running out of time ends the game', async () => {
  const clock = { base: 300_000, increment: 3000, left: [300_000, 300_000] as [number, number], running: 1 as const, flagged: null, drawn: false };
  client.display.setReplySeconds(0);
  expect(server.lastRequest('pace').reply_ms).toBeUndefined();
  void client.startGame('river', 0, 3, { clock: { base: 300_000, increment: 3000 } });
  await flushPromises();
  expect(server.lastRequest('new')).toMatchObject({ clock: { base: 300_000, increment: 3000 } });
  await server.respond('new', { ...newGame, position: { ...startPosition, clock: { ...clock, running: null } } });
  // A game with a clock is saved before the first move.
  expect(location.hash).toBe('#game/abc/0');
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', { ...userMoved, position: { ...positionAfterMove, clock } });
  await server.reply({ ...computerReplied, position: { ...positionAfterReply, clock: { ...clock, running: 0 } } });
  expect(client.mayMove()).toBe(true);
  const flagged = { ...clock, left: [0, 300_000] as [number, number], running: null, flagged: 0 as const };
  await server.sendToPage({ event: 'changed', id: 0, ...computerReplied, game: gameDto(0), position: { ...positionAfterReply, clock: flagged } });
  expect([client.mayMove(), client.canTakeBack(), board.targets.length]).toEqual([false, false, 0]);
  expect(currentTimeControl(state)).toEqual({ base: 300_000, increment: 3000 });
  // In analysis the clock has no effect.
  await server.sendToPage({ event: 'changed', id: 0, ...computerReplied, game: gameDto(null), position: { ...positionAfterReply, clock: flagged } });
  expect(client.mayMove()).toBe(true);
});

test('a user who views another position during a search gets the reply and stays at that position', async () => {
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', userMoved);
  void client.goTo(0);
  await flushPromises();
  await server.respond('go', { node: 0, position: startPosition, turn: { next: 'person', replying: true } });
  expect([state.node, searchedMove(state), client.mayMove()]).toEqual([0, 'reply', false]);
  await server.reply({ tree: computerReplied.tree, node: 0, position: startPosition });
  expect([state.node, searchedMove(state), state.tree.moveCount]).toEqual([0, undefined, 2]);
  // Taking back at an earlier position would delete the later moves.
  expect([client.mayMove(), client.canTakeBack()]).toEqual([true, false]);
  void client.goTo(2);
  await flushPromises();
  await server.respond('go', { node: 2, position: positionAfterReply });
  expect([client.mayMove(), client.canTakeBack()]).toEqual([true, true]);
});

test('the language changes the notation, unless the user has chosen one', async () => {
  const chinese = { dialect_zh: 'names' };
  await server.sendToPage({ event: 'changed', id: 0, ...newGame, game: gameDto(0, chinese) });
  client.display.setLanguage('zh');
  await flushPromises();
  expect(server.lastRequest('dialect').name).toBe('names');
  await server.respond('dialect', { ...newGame, game: gameDto(0, { ...chinese, dialect: 'names' }) });
  client.display.setLanguage('en');
  await flushPromises();
  expect(server.lastRequest('dialect').name).toBe('squares');
  await server.respond('dialect', { ...newGame, game: gameDto(0, chinese) });
  void client.setDialect('squares');
  await flushPromises();
  await server.respond('dialect', { ...newGame, game: gameDto(0, chinese) });
  const requestCount = server.requests.length;
  client.display.setLanguage('zh');
  await flushPromises();
  expect(server.requests).toHaveLength(requestCount);
});

test('a text of another game is reported and can be opened as that game', async () => {
  void client.importGame('e4 e5');
  await flushPromises();
  await server.respond('import', { error: 'in English', cause: 'other', other: 'pond' });
  expect([state.error, state.otherGameText]).toEqual(['This looks like pond; the open game is River.', { game: 'pond', text: 'e4 e5', bytes: false }]);
  void client.importGame('e4 e5', false, 'pond');
  await flushPromises();
  expect(server.lastRequest('import')).toMatchObject({ text: 'e4 e5', game: 'pond' });
  await server.respond('import', { ...newGame, game: gameDto(null, { id: 'other' }) });
  expect([state.error, state.otherGameText, state.game?.id]).toEqual([undefined, undefined, 'other']);
});

test('a move that ends the game by a rule is shown with a warning', async () => {
  const warning = { text: userMove.text, label: 'a1-a2', by_reply: false, ending };
  await server.sendToPage({ event: 'changed', id: 0, ...newGame, position: { ...startPosition, warnings: [warning] } });
  expect(board.targets[0]?.note).toBe('If a1-a2 is played now, the game ends. Black has no move');
  board.shadowRoot?.querySelector<HTMLElement>('[data-square="a1"]')?.click();
  const cell = board.shadowRoot?.querySelector('[data-square="a2"]');
  expect(cell?.getAttribute('aria-label')).toBe('a2 empty, can move here. If a1-a2 is played now, the game ends. Black has no move');
  expect(board.shadowRoot?.querySelectorAll('.dot.warned')).toHaveLength(1);
});

test('the game continues under another ruleset, which is also used for the next game', async () => {
  const rulesets = ['old', 'new'].map((name) => ({ name, title: name, title_zh: '规则' }));
  await server.sendToPage({ event: 'changed', id: 0, ...newGame, game: gameDto(0, { rulesets, ruleset: 'old' }) });
  void client.setRuleset('new');
  await flushPromises();
  expect(server.lastRequest('ruleset').name).toBe('new');
  await server.respond('ruleset', { ...newGame, game: gameDto(0, { rulesets, ruleset: 'new' }) });
  void client.startGame('river', 0, 3);
  await flushPromises();
  expect(server.lastRequest('new')).toMatchObject({ ruleset: 'new' });
});

test('the engine that is switched off leaves the search for a reply alone', async () => {
  void client.playMove(userMove);
  await flushPromises();
  await server.respond('play', userMoved);
  const { length } = server.requests;
  client.setEngine(true);
  client.setEngine(false);
  await flushPromises();
  expect([server.requests.length, searchedMove(state)]).toEqual([length, 'reply']);
});

test('an error is shown in the language of the page', async () => {
  client.display.setLanguage('zh');
  void client.importGame('b9 b9');
  await flushPromises();
  expect(server.lastRequest('import').chinese).toBe(true);
  await server.respond('import', { error: 'move 1: no', error_zh: '第 1 着：不行' });
  expect(state.error).toBe('第 1 着：不行');
  void client.importGame('b9 b9');
  await flushPromises();
  await server.respond('import', { error: 'no text' });
  expect(state.error).toBe('未能完成：no text');
  void client.importGame('pond');
  await flushPromises();
  await server.respond('import', { error: 'no such pond', error_zh: '没有此塘', waivable: true });
  expect(state.error).toBe('没有此塘。可在“摆棋”中允许。');
  client.display.setLanguage('en');
  expect(state.error).toBeUndefined();
});

test('an engine failure is shown until the next search or another action', async () => {
  void client.requestHint();
  await flushPromises();
  await server.sendToPage({ event: 'failed', of: 1 });
  await server.respond('hint', { hint: 'a1a2' });
  expect([state.engineFailed, state.hint?.text]).toEqual([true, 'a1a2']);
  void client.requestHint();
  await flushPromises();
  expect(state.engineFailed).toBe(false);
  await server.respond('hint', { error: 'none', cause: 'failed' });
  expect(state.error).toContain('internal error');
  client.clearError();
  expect([state.error, state.engineFailed]).toEqual([undefined, false]);
});

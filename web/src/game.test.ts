import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import './board/element';
import type { AlfilBoard } from './board/element';
import { lift, move, position, put, river } from './examples.test-data';
import { Game, type Shown } from './game';
import { FakeServer, settled } from './server.test-data';
import type { Position, Step } from './wire';

let server: FakeServer;
let board: AlfilBoard;
let game: Game;
let shown: Shown;

const games = [{ game: 'river', title: 'River', sides: ['Red', 'Black'] as [string, string] }];
const ours = move('a1', 'a2', 'W');
const start = position({ men: { a1: 'W', a4: 'w' }, targets: [ours], words: 'Red to move' });
const after = position({ side: 1, men: { a2: 'W', a4: 'w' }, last: ['a1', 'a2'], record: ['a1a2'] });
const answered = position({
  men: { a2: 'W', b4: 'w' },
  last: ['a4', 'b4'],
  record: ['a1a2', 'a4b4'],
  targets: [move('a2', 'a3', 'W')],
});
const step = (text: string, script: Step['script']): Step => ({ text, script, sound: 'move' });
const ourStep = step('a1a2', ours.script);
const theirStep = step('a4b4', move('a4', 'b4', 'w').script);

beforeEach(async () => {
  vi.useFakeTimers();
  localStorage.clear();
  server = new FakeServer();
  board = document.createElement('alfil-board') as AlfilBoard;
  document.body.append(board);
  game = new Game();
  game.attach(board, (now) => (shown = now));
  await server.open();
  await server.answer('games', { games });
  await server.answer('new', { look: river, position: start });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  board.remove();
});

/** The person moves and the computer answers. */
async function round(): Promise<void> {
  void game.play(ours);
  await settled();
  await server.answer('play', { step: ourStep, position: after });
  await server.answer('think', { step: theirStep, position: answered });
}

test('the first game of the list is set up, the first side is the person', () => {
  expect(server.asked.map((asked) => asked.do)).toEqual(['games', 'new']);
  expect(server.asked[1]).toMatchObject({ game: 'river', moves: [] });
  expect(shown.person).toBe(0);
  expect(shown.level).toBe(3);
  expect(board.men).toEqual(start.men);
  expect(board.targets).toEqual([ours]);
});

test('a move is shown before the server answers, and nothing else can be played meanwhile', async () => {
  void game.play(ours);
  expect(board.men).toEqual({ a2: 'W', a4: 'w' });
  expect(board.targets).toEqual([]);
  void game.play(ours);
  await settled();
  expect(server.asked.filter((asked) => asked.do === 'play')).toHaveLength(1);
});

test('the picture that slides is not drawn anew when the answer comes', async () => {
  void game.play(ours);
  const pictures = [...(board.shadowRoot?.querySelectorAll('.man') ?? [])];
  await settled();
  await server.answer('play', { step: ourStep, position: after });
  expect([...(board.shadowRoot?.querySelectorAll('.man') ?? [])]).toEqual(pictures);
});

test('turning the board while a move is on its way keeps the move', async () => {
  void game.play(ours);
  game.flip();
  expect(board.orientation).toBe('second');
  expect(board.men).toEqual({ a2: 'W', a4: 'w' });
});

test('the computer is asked for its reply at the level chosen, and its script is played', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', { step: ourStep, position: after });
  expect(server.last('think')).toMatchObject({ level: 3 });
  expect(shown.thinking).toBe(true);
  expect(board.targets).toEqual([]);
  await server.answer('think', { step: theirStep, position: answered });
  expect(shown.thinking).toBe(false);
  expect(board.men).toEqual(answered.men);
  expect(board.last).toEqual(['a4', 'b4']);
  expect(board.targets).toEqual(answered.targets);
});

test('a refused move goes back and the reason is shown', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', { error: 'a1a2 is not legal here' });
  expect(board.men).toEqual(start.men);
  expect(board.targets).toEqual([ours]);
  expect(shown.trouble).toBe('a1a2 is not legal here');
});

test('no reply is asked for when the game is over', async () => {
  const ending: Position['ending'] = { winner: 0, cause: 'mate', words: 'Black has no move' };
  void game.play(ours);
  await settled();
  await server.answer('play', { step: { ...ourStep, sound: 'end' }, position: { ...after, ending } });
  expect(server.asked.at(-1)?.do).toBe('play');
  expect(shown.position?.ending?.words).toBe('Black has no move');
});

test('as the second side the board is turned and the computer begins', async () => {
  void game.start('river', 1, 7);
  await settled();
  await server.answer('new', { look: river, position: start });
  expect(board.orientation).toBe('second');
  expect(server.last('think')).toMatchObject({ level: 7 });
  expect(board.targets).toEqual([]);
});

test('taking back undoes the reply and the move', async () => {
  await round();
  expect(game.canTakeBack()).toBe(true);
  void game.takeBack();
  await settled();
  expect(server.last('undo')).toMatchObject({ plies: 2 });
  const steps = [step('a4b4', [lift('b4', 'w'), put('a4', 'w')]), step('a1a2', [lift('a2', 'W'), put('a1', 'W')])];
  await server.answer('undo', { steps, position: start });
  expect(board.men).toEqual(start.men);
  expect(game.canTakeBack()).toBe(false);
});

test('taking back while the computer thinks undoes one move, and its late answer is not heard', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', { step: ourStep, position: after });
  const thinking = server.last('think').id;
  void game.takeBack();
  await settled();
  expect(server.last('undo')).toMatchObject({ plies: 1 });
  await server.answer('undo', { steps: [step('a1a2', [lift('a2', 'W'), put('a1', 'W')])], position: start });
  await server.say({ id: thinking, step: theirStep, position: answered });
  expect(board.men).toEqual(start.men);
  expect(shown.thinking).toBe(false);
});

test('a lost connection is shown, and the game goes on where it was', async () => {
  await round();
  await server.close();
  expect(shown.connected).toBe(false);
  vi.advanceTimersByTime(200);
  await server.open();
  await server.answer('games', { games });
  expect(server.last('new')).toMatchObject({ game: 'river', moves: ['a1a2', 'a4b4'] });
  await server.answer('new', { look: river, position: answered });
  expect(shown.connected).toBe(true);
  expect(board.men).toEqual(answered.men);
});

test('a move on its way when the connection goes is not lost', async () => {
  void game.play(ours);
  await settled();
  await server.close();
  expect(board.men).toEqual({ a2: 'W', a4: 'w' });
  vi.advanceTimersByTime(200);
  await server.open();
  await server.answer('games', { games });
  expect(server.last('new')).toMatchObject({ moves: ['a1a2'] });
  await server.answer('new', { look: river, position: after });
  server.last('think');
});

test('level and silence are remembered', async () => {
  game.mute(true);
  void game.start('river', 0, 9);
  await settled();
  const again = new Game();
  expect(again.shown).toMatchObject({ muted: true, level: 9 });
});

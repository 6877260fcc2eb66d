import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import './board/element';
import type { AlfilBoard } from './board/element';
import { against, discs, lift, line, move, placed, position, put, river } from './examples.test-data';
import { Game, type Shown } from './game';
import { pace } from './shown';
import { FakeServer, settled } from './server.test-data';
import type { GameEndDto, ScoreDto, MoveResultDto } from './protocol';

let server: FakeServer;
let board: AlfilBoard;
let game: Game;
let shown: Shown;

const games = [
  { game: 'river', title: 'River', title_zh: '河', sides: ['Red', 'Black'] as [string, string], sides_zh: ['红', '黑'] as [string, string] },
];
const ours = move('a1', 'a2', 'W');
const start = position({ men: { a1: 'W', a4: 'w' }, targets: [ours], words: 'Red to move' });
const after = position({ side: 1, fen: 'one', men: { a2: 'W', a4: 'w' }, last: ['a1', 'a2'] });
const answered = position({ fen: 'two', men: { a2: 'W', b4: 'w' }, last: ['a4', 'b4'], targets: [move('a2', 'a3', 'W')] });
const step = (text: string, script: MoveResultDto['script']): MoveResultDto => ({ text, script, sound: 'move' });
const ourStep = step('a1a2', ours.script);
const theirStep = step('a4b4', move('a4', 'b4', 'w').script);
const begun = { game: against(0), look: river, tree: line(), node: 0, position: start };
const played = { step: ourStep, tree: line('a1a2'), node: 1, position: after };
const replied = { step: theirStep, tree: line('a1a2', 'a4b4'), node: 2, position: answered };
const ending: GameEndDto = { winner: 0, cause: 'mate', words: 'Black has no move', words_zh: '黑方无子可动' };
const level: ScoreDto = { value: 40, mate: null };

function thought(node: number, rank: number, ...moves: string[]) {
  const event = 'thought' as const;
  return { event, of: 1, node, rank, depth: 7, score: level, nodes: 1000, seconds: 1, line: moves, labels: moves };
}

async function open(answer: object = begun): Promise<void> {
  game = new Game();
  game.attach(board, (now) => (shown = now));
  await server.open();
  await server.answer('games', { games, kept: [] });
  await server.answer('new', answer);
}

beforeEach(async () => {
  vi.useFakeTimers();
  localStorage.clear();
  history.replaceState(null, '', '#');
  server = new FakeServer();
  board = document.createElement('alfil-board') as AlfilBoard;
  document.body.append(board);
  await open();
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
  await server.answer('play', played);
  await server.answer('think', replied);
}

/** Into analysis. */
async function analyse(): Promise<void> {
  void game.seat(null);
  await settled();
  await server.answer('seat', { ...begun, game: against(null) });
}

test('the first game of the list is set up, the first side is the person', () => {
  expect(server.asked.map((asked) => asked.do)).toEqual(['games', 'new']);
  expect(server.asked[1]).toMatchObject({ game: 'river', person: 0, level: 3 });
  expect(game.person).toBe(0);
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

test('on the board of a game that is left nothing is played, unless the next one is refused', async () => {
  void game.start('river', 1, 3);
  expect(board.targets).toEqual([]);
  await settled();
  await server.answer('new', { error: 'no such game' });
  expect(board.targets).toEqual([ours]);
});

test('the picture that slides is not drawn anew when the answer comes', async () => {
  void game.play(ours);
  const pictures = [...(board.shadowRoot?.querySelectorAll('.man') ?? [])];
  await settled();
  await server.answer('play', played);
  expect([...(board.shadowRoot?.querySelectorAll('.man') ?? [])]).toEqual(pictures);
});

test('turning the board while a move is on its way keeps the move', async () => {
  void game.play(ours);
  game.flip();
  expect(board.orientation).toBe('second');
  expect(board.men).toEqual({ a2: 'W', a4: 'w' });
});

test('the computer is asked for its reply at the level and time chosen, and its script is played', async () => {
  game.patience(3);
  void game.play(ours);
  await settled();
  await server.answer('play', played);
  expect(server.last('think')).toMatchObject({ level: 3, time: 3000 });
  expect(shown.thinking).toBe(true);
  expect(board.targets).toEqual([]);
  await server.say({ event: 'waiting', of: server.last('think').id });
  expect(shown.queued).toBe(true);
  await server.answer('think', replied);
  expect(shown).toMatchObject({ thinking: false, queued: false });
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
  expect(shown.trouble).toBe('A1a2 is not legal here');
});

test('no reply is asked for when the game is over', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', { ...played, position: { ...after, ending } });
  expect(server.asked.at(-1)?.do).toBe('play');
  expect(shown.position?.ending?.words).toBe('Black has no move');
});

test('as the second side the board is turned and the computer begins', async () => {
  void game.start('river', 1, 7);
  await settled();
  await server.answer('new', { ...begun, game: against(1, { level: 7 }) });
  expect(board.orientation).toBe('second');
  expect(server.last('think')).toMatchObject({ level: 7 });
  expect(board.targets).toEqual([]);
});

test('a forced pass is shown, and played by itself after a beat', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', played);
  const pass = { from: null, to: null, text: 'pass', script: [], choice: null };
  await server.answer('think', { ...replied, position: { ...answered, targets: [pass] } });
  expect(shown.passing).toBe(true);
  expect(game.mayMove()).toBe(false);
  vi.advanceTimersByTime(2000);
  await settled();
  expect(server.last('play')).toMatchObject({ text: 'pass' });
});

test('taking back undoes the reply and the move', async () => {
  await round();
  expect(game.canTakeBack()).toBe(true);
  void game.takeBack();
  await settled();
  expect(server.last('undo')).toMatchObject({ plies: 2 });
  const steps = [step('a4b4', [lift('b4', 'w'), put('a4', 'w')]), step('a1a2', [lift('a2', 'W'), put('a1', 'W')])];
  await server.answer('undo', { steps, tree: line(), node: 0, position: start });
  expect(board.men).toEqual(start.men);
  expect(game.canTakeBack()).toBe(false);
});

test('taking back while the computer thinks undoes one move, and its late answer is not heard', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', played);
  const thinking = server.last('think').id;
  void game.takeBack();
  await settled();
  expect(server.last('undo')).toMatchObject({ plies: 1 });
  const steps = [step('a1a2', [lift('a2', 'W'), put('a1', 'W')])];
  await server.answer('undo', { steps, tree: line(), node: 0, position: start });
  await server.say({ id: thinking, ...replied });
  expect(board.men).toEqual(start.men);
  expect(shown.thinking).toBe(false);
});

test('a lost connection is shown, and the kept game goes on where it was', async () => {
  await round();
  await server.close();
  expect(shown.connected).toBe(false);
  vi.advanceTimersByTime(200);
  await server.open();
  await server.answer('games', { games, kept: [{ id: 'abc', game: 'river', plies: 2, changed: 0 }] });
  expect(server.last('open')).toMatchObject({ game: 'abc', node: 2 });
  await server.answer('open', { ...replied, step: undefined, game: against(0), look: river });
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
  await server.answer('games', { games, kept: [] });
  // A game that was never kept cannot be opened: it begins again.
  await server.answer('open', { error: 'no such game', cause: 'gone' });
  await server.answer('new', begun);
  expect(server.last('play')).toMatchObject({ text: 'a1a2' });
  await server.answer('play', played);
  server.last('think');
});

test('a reload finds the game by its address, and else the last one', async () => {
  const kept = ['abc', 'def'].map((id) => ({ id, game: 'river', plies: 2, changed: 0 }));
  await round();
  expect(location.hash).toBe('#game/abc/2');
  for (const [hash, id, node] of [['#game/def/1', 'def', 1], ['', 'abc', undefined]] as const) {
    history.replaceState(null, '', hash || '#');
    const again = new Game();
    again.attach(board, () => {});
    await server.open();
    await server.answer('games', { games, kept });
    expect(server.last('open')).toMatchObject({ game: id, ...(node !== undefined && { node }) });
  }
});

test('stepping through the moves plays their scripts', async () => {
  await round();
  void game.go(1);
  await settled();
  await server.answer('go', { steps: [step('a4b4', [lift('b4', 'w'), put('a4', 'w')])], node: 1, position: after });
  expect(board.men).toEqual(after.men);
  expect(server.asked.at(-1)?.do).toBe('go');
  expect(location.hash).toBe('#game/abc/1');
});

test('an analysis shows its lines as arrows, and the value stays with the move', async () => {
  await analyse();
  const asked = server.last('analyse');
  expect(asked).toMatchObject({ lines: 3 });
  await server.say(thought(0, 1, 'a1a2', 'a4b4'));
  await server.say(thought(7, 1, 'of another position'));
  expect(shown.thoughts).toHaveLength(1);
  expect(board.over.arrows).toEqual([{ from: 'a1', to: 'a2', rank: 1 }]);
  expect(shown.tree.at(0)?.score).toEqual(level);
  expect(game.balance()).toBeGreaterThan(0.5);
  // Deeper, the same move has another rank: its older line goes.
  await server.say(thought(0, 2, 'a1a3'));
  // A deeper look is shown when it is whole, the best line first.
  await server.say({ ...thought(0, 1, 'a1a3'), depth: 8 });
  expect(shown.thoughts.map(({ depth, line: [first] }) => [depth, first])).toEqual([[7, 'a1a2'], [7, 'a1a3']]);
  await server.say({ ...thought(0, 2, 'a1a2'), depth: 8, score: { value: 55, mate: null } });
  expect(shown.thoughts.map(({ rank, line: [first] }) => [rank, first])).toEqual([[1, 'a1a2'], [2, 'a1a3']]);
  await server.say({ id: asked.id });
  expect(shown.analysing).toBe(false);
  game.deeper();
  expect(server.last('analyse').seconds).toBeGreaterThan(60);
});

test('in an analysis both sides are moved by hand, and a line is walked', async () => {
  await analyse();
  expect(game.mayMove()).toBe(true);
  void game.walk(['a1a2', 'a4b4']);
  await settled();
  await server.answer('walk', { ...replied, step: undefined });
  expect(shown.node).toBe(2);
  server.last('analyse');
});

test('where men are put down every square shows its value to the side to move, the best marked', async () => {
  const targets = [placed('a1', [put('a1', 'O')]), placed('b1', [put('b1', 'O')])];
  void game.start('discs', null, 3);
  await settled();
  await server.answer('new', { ...begun, look: discs, game: against(null), position: position({ side: 1, targets }) });
  await server.say({ ...thought(0, 1, 'a1'), score: { value: -400, mate: null } });
  await server.say({ ...thought(0, 2, 'b1'), score: { value: 250, mate: null } });
  expect(board.over.values).toEqual({ a1: { words: '+4', best: true }, b1: { words: '−2.5', best: false } });
  expect(board.over.arrows).toEqual([]);
});

test('a hint is an arrow until the next move', async () => {
  void game.hint();
  await settled();
  await server.answer('hint', { hint: 'a1a2' });
  expect(board.over.arrows).toEqual([{ from: 'a1', to: 'a2', rank: 1 }]);
  await round();
  expect(board.over.arrows).toEqual([]);
});

test('giving up ends the game', async () => {
  void game.resign();
  await settled();
  await server.answer('resign', { ...begun, game: against(0, { resigned: 0 }) });
  expect(game.mayMove()).toBe(false);
  expect(board.targets).toEqual([]);
});

test('a review fills the values as they come', async () => {
  await round();
  void game.review();
  await settled();
  const { id } = server.last('review');
  await server.say({ event: 'reviewed', of: id, node: 1, score: level, best: 'a4b4' });
  expect(shown.reviewed).toBe(1);
  expect(shown.tree.at(1)).toMatchObject({ score: level, best: 'a4b4' });
  await server.answer('review', { tree: line('a1a2', 'a4b4'), node: 2 });
  expect(shown.reviewed).toBeUndefined();
});

test('what is easily overlooked is asked for at every position while it is wanted', async () => {
  game.xray(true);
  await settled();
  await server.answer('sights', { sights: [{ kind: 'blocked', side: 0, squares: ['a1', 'a2'] }] });
  expect(board.over.sights).toHaveLength(1);
  game.xray(false);
  expect(board.over.sights).toEqual([]);
});

test('what another window played is shown here', async () => {
  await server.say({ event: 'changed', id: 0, ...replied, game: against(0) });
  expect(board.men).toEqual(answered.men);
  expect(shown.node).toBe(2);
});

test('a new game speaks the dialect last chosen', async () => {
  void game.dialect('words');
  await settled();
  await server.answer('dialect', { ...begun, game: against(0, { dialect: 'words' }) });
  void game.start('river', 0, 3);
  await settled();
  await server.answer('new', begun);
  expect(server.last('dialect')).toMatchObject({ name: 'words' });
  await server.answer('dialect', { ...begun, game: against(0, { dialect: 'words' }) });
  expect(shown.game?.dialect).toBe('words');
});

test('the language changes what the board says', () => {
  game.speak('zh');
  expect(board.words.empty).toBe('空');
  expect(new Game().shown.language).toBe('zh');
});

test('level, time, pieces and silence are remembered', async () => {
  game.mute(true);
  game.pictures(true);
  game.patience(10);
  void game.start('river', 0, 9);
  await settled();
  expect(new Game().shown).toMatchObject({ muted: true, pictures: true, seconds: 10, level: 9 });
});

test('a game beyond the list is opened by its address, and only a refusal begins a new one, which is said', async () => {
  history.replaceState(null, '', '#game/old/7');
  const again = new Game();
  again.attach(board, (now) => (shown = now));
  await server.open();
  await server.answer('games', { games, kept: [], more: true });
  expect(server.last('open')).toMatchObject({ game: 'old', node: 7 });
  await server.answer('open', { error: 'there is no game "old" here', cause: 'gone' });
  await server.answer('new', begun);
  expect(shown.trouble).toContain('No game is saved here');
});

test('the list of games goes on after those that are shown, and none is shown twice', async () => {
  const kept = (...ids: string[]) => ids.map((id) => ({ id, game: 'river', plies: 2, changed: 0 }));
  void game.list();
  await settled();
  await server.answer('games', { games, kept: kept('a', 'b'), more: true });
  expect(shown.more).toBe(true);
  void game.list(shown.kept);
  await settled();
  expect(server.last('games')).toMatchObject({ skip: 2 });
  await server.answer('games', { games, kept: kept('b', 'c'), more: false });
  expect(shown.kept.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(shown.more).toBe(false);
  void game.discard('b');
  await settled();
  expect(server.last('forget')).toMatchObject({ game: 'b' });
  await server.answer('forget', { games, kept: kept('a', 'c') });
  expect(shown.kept.map(({ id }) => id)).toEqual(['a', 'c']);
});

test('when the game on the board is thrown away the address follows its new id', async () => {
  await round();
  expect(location.hash).toBe('#game/abc/2');
  void game.discard('abc');
  await settled();
  await server.answer('forget', { kept: [], game: against(0, { id: 'new' }) });
  expect(location.hash).toBe('#game/new/2');
});

test('what the page can say itself it says in its own language', async () => {
  game.speak('zh');
  for (const [cause, words] of [['over', '对局已结束'], ['changed', '另一窗口'], ['gone', '没有保存']] as const) {
    void game.comment(1, 'x');
    await settled();
    await server.answer('comment', { error: 'in English', cause });
    expect(shown.trouble).toContain(words);
  }
});

test('what is changed while the engine looks into it is looked into anew', async () => {
  await analyse();
  const { id } = server.last('analyse');
  await server.say({ id });
  await server.say({ event: 'changed', id: 0, ...replied, game: against(null) });
  expect(server.last('analyse').id).not.toBe(id);
});

test('a game by the clock: the computer takes its own time, and whose flag falls has lost', async () => {
  const clock = { base: 300_000, increment: 3000, left: [300_000, 300_000] as [number, number], running: 1 as const, flagged: null, drawn: false };
  game.patience(0);
  void game.start('river', 0, 3, { clock: { base: 300_000, increment: 3000 } });
  await settled();
  expect(server.last('new')).toMatchObject({ clock: { base: 300_000, increment: 3000 } });
  await server.answer('new', { ...begun, position: { ...start, clock: { ...clock, running: null } } });
  // Before the first move there is something to come back to: the clock.
  expect(location.hash).toBe('#game/abc/0');
  void game.play(ours);
  await settled();
  await server.answer('play', { ...played, position: { ...after, clock } });
  expect(server.last('think').time).toBeUndefined();
  await server.answer('think', { ...replied, position: { ...answered, clock: { ...clock, running: 0 } } });
  expect(game.mayMove()).toBe(true);
  const fallen = { ...clock, left: [0, 300_000] as [number, number], running: null, flagged: 0 as const };
  await server.say({ event: 'changed', id: 0, ...replied, game: against(0), position: { ...answered, clock: fallen } });
  expect([game.mayMove(), game.canTakeBack(), board.targets.length]).toEqual([false, false, 0]);
  expect(pace(shown)).toEqual({ base: 300_000, increment: 3000 });
  // In analysis nobody's time counts.
  await server.say({ event: 'changed', id: 0, ...replied, game: against(null), position: { ...answered, clock: fallen } });
  expect(game.mayMove()).toBe(true);
});

test('who looks at something else while the computer thinks is replied to all the same, and goes on looking', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', played);
  const { id } = server.last('think');
  void game.go(0);
  await settled();
  await server.answer('go', { node: 0, position: start });
  expect([shown.node, shown.thinking, game.mayMove()]).toEqual([0, true, false]);
  await server.say({ id, tree: replied.tree, node: 0, position: start });
  expect([shown.node, shown.thinking, shown.tree.size]).toEqual([0, false, 2]);
  expect(server.asked.filter((asked) => asked.do === 'think')).toHaveLength(1);
  // What follows is not thrown away by a button that takes back the last move.
  expect([game.mayMove(), game.canTakeBack()]).toEqual([true, false]);
  void game.go(2);
  await settled();
  await server.answer('go', { node: 2, position: answered });
  expect([game.mayMove(), game.canTakeBack()]).toEqual([true, true]);
});

test('a computer that was not asked is asked when one comes to the end of the game', async () => {
  await round();
  void game.go(1);
  await settled();
  await server.answer('go', { node: 1, position: after });
  await server.say({ event: 'changed', id: 0, ...played });
  void game.go(0);
  await settled();
  await server.answer('go', { node: 0, position: start });
  expect(server.asked.filter((asked) => asked.do === 'think')).toHaveLength(1);
  void game.go(1);
  await settled();
  await server.answer('go', { node: 1, position: after });
  await server.answer('think', replied);
  expect(shown.node).toBe(2);
});

test('the notation goes with the language, unless somebody has chosen one', async () => {
  const chinese = { dialect_zh: 'words' };
  await server.say({ event: 'changed', id: 0, ...begun, game: against(0, chinese) });
  game.speak('zh');
  await settled();
  expect(server.last('dialect').name).toBe('words');
  await server.answer('dialect', { ...begun, game: against(0, { ...chinese, dialect: 'words' }) });
  game.speak('en');
  await settled();
  expect(server.last('dialect').name).toBe('squares');
  await server.answer('dialect', { ...begun, game: against(0, chinese) });
  void game.dialect('squares');
  await settled();
  await server.answer('dialect', { ...begun, game: against(0, chinese) });
  const asked = server.asked.length;
  game.speak('zh');
  await settled();
  expect(server.asked).toHaveLength(asked);
});

test('what belongs to another game is named, with the way there', async () => {
  void game.paste('e4 e5');
  await settled();
  await server.answer('import', { error: 'in English', cause: 'other', other: 'pond' });
  expect([shown.trouble, shown.stray]).toEqual(['This looks like pond; the open game is River.', { game: 'pond', text: 'e4 e5', bytes: false }]);
  void game.paste('e4 e5', false, 'pond');
  await settled();
  expect(server.last('import')).toMatchObject({ text: 'e4 e5', game: 'pond' });
  await server.answer('import', { ...begun, game: against(null, { id: 'other' }) });
  expect([shown.trouble, shown.stray, shown.game?.id]).toEqual([undefined, undefined, 'other']);
});

test('a move that would end the game says so before it is played', async () => {
  const warning = { text: ours.text, label: 'a1-a2', ending };
  await server.say({ event: 'changed', id: 0, ...begun, position: { ...start, warnings: [warning] } });
  expect(board.targets[0]?.note).toBe('If a1-a2 is played now, the game ends. Black has no move');
  board.shadowRoot?.querySelector<HTMLElement>('[data-square="a1"]')?.click();
  const cell = board.shadowRoot?.querySelector('[data-square="a2"]');
  expect(cell?.getAttribute('aria-label')).toBe('a2 empty, can move here. If a1-a2 is played now, the game ends. Black has no move');
  expect(board.shadowRoot?.querySelectorAll('.dot.warned')).toHaveLength(1);
});

test('by another rule book one plays on, and the next game of the kind does too', async () => {
  const books = ['old', 'new'].map((name) => ({ name, title: name, title_zh: '规则' }));
  await server.say({ event: 'changed', id: 0, ...begun, game: against(0, { books, book: 'old' }) });
  void game.book('new');
  await settled();
  expect(server.last('book').name).toBe('new');
  await server.answer('book', { ...begun, game: against(0, { books, book: 'new' }) });
  void game.start('river', 0, 3);
  await settled();
  expect(server.last('new')).toMatchObject({ book: 'new' });
});

test('a review that comes in between takes no reply away, nor does the engine when it is switched off', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', played);
  game.engine(true);
  game.engine(false);
  server.last('think');
  void game.review();
  await settled();
  await server.answer('review', { tree: line('a1a2'), node: 1 });
  expect(server.last('think')).toMatchObject({ level: 3 });
});

test('a text that is refused takes no reply away', async () => {
  void game.play(ours);
  await settled();
  await server.answer('play', played);
  const { id } = server.last('think');
  void game.paste('nonsense');
  await settled();
  // Whoever thinks is stopped before the text is read.
  await server.say({ id });
  await server.answer('import', { error: 'no move' });
  expect(server.last('think').id).not.toBe(id);
  expect(shown.trouble).toBe('No move');
});

test('what the server refuses is said in the language of the page', async () => {
  game.speak('zh');
  void game.paste('b9 b9');
  await settled();
  expect(server.last('import').chinese).toBe(true);
  await server.answer('import', { error: 'move 1: no', error_zh: '第 1 着：不行' });
  expect(shown.trouble).toBe('第 1 着：不行');
  void game.paste('b9 b9');
  await settled();
  await server.answer('import', { error: 'no words' });
  expect(shown.trouble).toBe('未能完成：no words');
  void game.paste('pond');
  await settled();
  await server.answer('import', { error: 'no such pond', error_zh: '没有此塘', waivable: true });
  expect(shown.trouble).toBe('没有此塘。可在“摆棋”中允许。');
  game.speak('en');
  expect(shown.trouble).toBeUndefined();
});

test('an engine that breaks off is told of, until it is asked again or something else is done', async () => {
  void game.hint();
  await settled();
  await server.say({ event: 'failed', of: 1 });
  await server.answer('hint', { hint: 'a1a2' });
  expect([shown.broken, shown.hint?.text]).toEqual([true, 'a1a2']);
  void game.hint();
  await settled();
  expect(shown.broken).toBe(false);
  await server.answer('hint', { error: 'none', cause: 'failed' });
  expect(shown.trouble).toContain('internal error');
  game.calm();
  expect([shown.trouble, shown.broken]).toEqual([undefined, false]);
});

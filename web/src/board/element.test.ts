import { beforeEach, describe, expect, it } from 'vitest';
import type { Change, Look, Target } from '../wire';
import { AlfilBoard } from './element';
import { Geometry } from './geometry';

const look: Look = {
  game: 'test',
  title: 'Test',
  files: 3,
  ranks: 4,
  layout: 'points',
  file_names: ['a', 'b', 'c'],
  rank_names: ['0', '1', '2', '3'],
  lines: [[0, 0, 2, 0]],
  marks: [[0, 1]],
  sides: ['Red', 'Black'],
  men: {
    K: { side: 0, name: 'Red king', outline: 'M0 0L1 1' },
    k: { side: 1, name: 'Black king', outline: '' },
  },
  legend: [],
};

function target(from: string | null, to: string | null, script: Change[] = [], choice: string | null = null): Target {
  return { from, to, text: `${from}${to}${choice ?? ''}`, script, choice };
}

let board: AlfilBoard;
let drops: string[][];
let picks: string[];

const cell = (square: string) => board.shadowRoot?.querySelector<HTMLElement>(`[data-square=${square}]`) as HTMLElement;
const shown = () => board.shadowRoot?.querySelectorAll('.man:not(.gone)').length;
const key = (name: string) =>
  board.shadowRoot?.querySelector('.grid')?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
/** A press and a release on the same square, as mouse and finger make them. */
const tap = (square: string) => {
  for (const type of ['pointerdown', 'pointerup']) {
    cell(square).dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientX: 1, clientY: 1 }));
  }
};

beforeEach(() => {
  document.body.replaceChildren();
  board = new AlfilBoard();
  document.body.append(board);
  board.look = look;
  board.men = { b0: 'K', b3: 'k' };
  board.targets = [target('b0', 'b1'), target('b0', 'b3')];
  drops = [];
  picks = [];
  board.addEventListener('drop', (event) =>
    drops.push((event as unknown as CustomEvent<{ targets: Target[] }>).detail.targets.map(({ text }) => text)),
  );
  board.addEventListener('pick', (event) => picks.push((event as CustomEvent<{ square: string }>).detail.square));
});

describe('geometry', () => {
  it('puts the first player below, and above when turned', () => {
    expect(new Geometry(look, 'first').centre({ file: 0, rank: 0 })).toEqual([50, 350]);
    expect(new Geometry(look, 'second').centre({ file: 0, rank: 0 })).toEqual([250, 50]);
  });

  it('names and finds every square, and steps as seen', () => {
    for (const side of ['first', 'second'] as const) {
      const geometry = new Geometry(look, side);
      const places = geometry.rows().flat();
      expect(places).toHaveLength(12);
      for (const place of places) expect(geometry.place(geometry.name(place))).toEqual(place);
      const corner = places[0] as { file: number; rank: number };
      expect(geometry.step(corner, -1, 0)).toBeUndefined();
      expect(geometry.step(corner, 0, -1)).toBeUndefined();
      expect(geometry.step(corner, 1, 1)).toEqual(places[4]);
    }
  });
});

describe('picking up and setting down', () => {
  it('takes two taps', () => {
    tap('b0');
    expect(picks).toEqual(['b0']);
    expect(cell('b1').getAttribute('aria-label')).toBe('b1 empty, can go here');
    tap('b1');
    expect(drops).toEqual([['b0b1']]);
  });

  it('lets go of a man that is tapped again, or when an empty square is tapped', () => {
    tap('b0');
    tap('b0');
    tap('b1');
    tap('b0');
    tap('c2');
    tap('b1');
    expect(drops).toEqual([]);
  });

  it('never picks what has no target', () => {
    tap('b3');
    expect(picks).toEqual([]);
  });

  it('offers a choice where two targets share their squares', () => {
    board.targets = [target('b0', 'b1', [], 'Q'), target('b0', 'b1', [], 'R')];
    tap('b0');
    tap('b1');
    expect(drops).toEqual([['b0b1Q', 'b0b1R']]);
  });

  it('sets down a new man at once', () => {
    board.targets = [target(null, 'c2')];
    tap('c2');
    expect(drops).toEqual([['nullc2']]);
  });

  it('drags: a long pull picks, and a release elsewhere sets down', () => {
    board.shadowRoot!.elementFromPoint = () => cell('b1');
    const send = (type: string, x: number) =>
      cell('b0').dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientX: x, clientY: 0 }));
    send('pointerdown', 0);
    send('pointermove', 2);
    expect(picks).toEqual([]);
    send('pointermove', 30);
    expect(picks).toEqual(['b0']);
    send('pointerup', 30);
    expect(drops).toEqual([['b0b1']]);
  });
});

describe('the keyboard', () => {
  it('moves, picks, sets down and lets go', () => {
    key('Enter');
    expect(picks).toEqual(['b0']);
    key('Escape');
    key('ArrowUp');
    key('Enter');
    expect(drops).toEqual([]);
    key('ArrowDown');
    key(' ');
    key('ArrowUp');
    key('Enter');
    expect(drops).toEqual([['b0b1']]);
  });

  it('jumps to files and stops at edges', () => {
    key('c');
    key('ArrowRight');
    expect(cell('c0').tabIndex).toBe(0);
    expect(cell('b0').tabIndex).toBe(-1);
  });
});

describe('scripts', () => {
  it('slides a man and takes away what was captured', () => {
    board.play([
      { do: 'lift', square: 'b3', piece: 'k' },
      { do: 'lift', square: 'b0', piece: 'K' },
      { do: 'put', square: 'b3', piece: 'K' },
    ]);
    expect(board.men).toEqual({ b3: 'K' });
    expect(shown()).toBe(1);
    expect(cell('b3').getAttribute('aria-label')).toBe('b3 Red king');
  });

  it('puts new men and turns others', () => {
    board.play([
      { do: 'put', square: 'a1', piece: 'K' },
      { do: 'turn', square: 'b3', piece: 'K' },
    ]);
    expect(board.men).toEqual({ b0: 'K', b3: 'K', a1: 'K' });
    expect(shown()).toBe(3);
  });

  it('comes to the same as setting the men', () => {
    board.men = { a0: 'K', b3: 'k' };
    expect(shown()).toBe(2);
    board.men = {};
    expect(shown()).toBe(0);
  });
});

describe('what it says', () => {
  it('is a grid with a row for each rank and one square in the tab order', () => {
    const root = board.shadowRoot!;
    expect(root.querySelector('[role=grid]')?.getAttribute('aria-label')).toBe('Test board');
    expect(root.querySelectorAll('[role=row]')).toHaveLength(4);
    expect(root.querySelectorAll('[role=gridcell]')).toHaveLength(12);
    expect(root.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    expect(cell('b3').getAttribute('aria-label')).toBe('b3 Black king');
  });

  it('forgets the men of another game', () => {
    board.look = { ...look, files: 2, file_names: ['a', 'b'] };
    expect(shown()).toBe(0);
    expect(board.targets).toEqual([]);
  });
});

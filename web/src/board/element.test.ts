import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkers, discs, lift, move, placed, put, river, turn } from '../examples.test-data';
import './element';
import type { AlfilBoard } from './element';
import { MARGIN, UNIT } from './geometry';
import type { BoardAppearance, BoardTarget } from './types';

let board: AlfilBoard;
let dropped: BoardTarget[][];
let picked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  board = document.createElement('alfil-board') as AlfilBoard;
  document.body.append(board);
  [dropped, picked] = [[], []];
  board.addEventListener('drop', (event: Event) => dropped.push((event as CustomEvent).detail.targets));
  board.addEventListener('pick', (event: Event) => picked.push((event as CustomEvent).detail.square));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  board.remove();
});

function all(selector: string): Element[] {
  return [...(board.shadowRoot?.querySelectorAll(selector) ?? [])];
}

function cell(square: string): HTMLElement {
  const found = board.shadowRoot?.querySelector<HTMLElement>(`[data-square="${square}"]`);
  if (!found) throw new Error(`no square ${square}`);
  return found;
}

/** Where the men are on the picture: the colour of each by the middle of its square. */
function seen(): Record<string, string> {
  const men = all('.man:not(.gone)').map((man) => {
    const [, x, y] = /translate\((-?[\d.]+)px, (-?[\d.]+)px\)/.exec((man as SVGGElement).style.transform) ?? [];
    return [`${x},${y}`, man.querySelector('.face')?.getAttribute('class')?.split(' ').at(-1) ?? ''];
  });
  return Object.fromEntries(men);
}

/** Sets the board so that one unit of the picture is one pixel. */
function set(look: BoardAppearance, men: Record<string, string>, targets: BoardTarget[]): void {
  board.look = look;
  board.men = men;
  board.targets = targets;
  const picture = all('svg')[0] as SVGSVGElement;
  const [width, height] = [look.files * UNIT + 2 * MARGIN, look.ranks * UNIT + 2 * MARGIN];
  picture.getBoundingClientRect = () => ({ left: 0, top: 0, width, height }) as DOMRect;
}

/** The middle of a square, in pixels. */
function middle(square: string): { clientX: number; clientY: number } {
  const look = board.look as BoardAppearance;
  const file = look.file_names.indexOf(square.slice(0, 1));
  const row = look.ranks - 1 - look.rank_names.indexOf(square.slice(1));
  return { clientX: MARGIN + (file + 0.5) * UNIT, clientY: MARGIN + (row + 0.5) * UNIT };
}

function point(kind: string, on: string, at = on): void {
  const init = { bubbles: true, composed: true, button: 0, pointerId: 1, ...middle(at) };
  cell(on).dispatchEvent(new PointerEvent(kind, init));
}

function click(square: string): void {
  point('pointerdown', square);
  point('pointerup', square);
}

function drag(from: string, to: string): void {
  point('pointerdown', from);
  point('pointermove', from, to);
  point('pointerup', from, to);
}

function press(key: string): void {
  const focused = board.shadowRoot?.activeElement ?? cell('b1');
  focused.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
}

const men = { a1: 'W', b1: 'S', a3: 'w' };
const targets = [move('a1', 'a2', 'W'), move('a1', 'a3', 'W', 'w'), move('b1', 'b2', 'S')];

describe('drawing', () => {
  test('each man stands on its square in the colour of its side', () => {
    set(river, men, targets);
    expect(seen()).toEqual({ '50,350': 'red', '150,350': 'red', '50,150': 'black' });
    expect(all('.outline').map((path) => path.getAttribute('d')).sort()).toEqual(['M0 0H100Z', 'M0 0H200Z', 'M0 0H300Z']);
    expect(all('.disc')).toHaveLength(3);
  });

  test('a snapshot is a picture of its own, with what lies over the men', () => {
    set(river, men, targets);
    board.over = { arrows: [{ from: 'a1', to: 'a2', rank: 1 }] };
    const picture = new DOMParser().parseFromString(board.snapshot(), 'image/svg+xml');
    const places = [...picture.querySelectorAll('.man')].map((man) => man.getAttribute('transform'));
    expect(places.sort()).toEqual(['translate(150, 350)', 'translate(50, 150)', 'translate(50, 350)']);
    expect(picture.querySelectorAll('.arrow')).toHaveLength(1);
    expect(picture.querySelector('style')?.textContent).toContain('svg { display: block');
    expect(all('.man')).toHaveLength(3);
  });

  test('men and coordinates turn with the board', () => {
    set(river, men, targets);
    const place = (words: string) => all('.names text').find((text) => text.textContent === words)?.getAttribute('x');
    expect(place('a')).toBe('50');
    board.orientation = 'second';
    expect(place('a')).toBe('250');
    expect(seen()).toEqual({ '250,50': 'red', '150,50': 'red', '250,250': 'black' });
  });

  test('a checkered board has two colours and men without discs', () => {
    set(checkers, { a1: 'W' }, []);
    expect(all('.cell')).toHaveLength(4);
    expect(all('.cell.dark')).toHaveLength(2);
    expect(all('.disc')).toHaveLength(0);
    expect(all('.outline')).toHaveLength(1);
  });

  test('a board of cells has plain discs', () => {
    set(discs, { b2: 'X', c2: 'O' }, []);
    expect(all('.cell')).toHaveLength(12);
    expect(all('.disc')).toHaveLength(2);
    expect(all('.outline')).toHaveLength(0);
    expect(Object.values(seen()).sort()).toEqual(['black', 'white']);
  });

  test('another board is empty until it is told what stands on it', () => {
    set(river, men, targets);
    board.look = checkers;
    expect(board.men).toEqual({});
    expect(all('.man')).toHaveLength(0);
    expect(all('.movable')).toHaveLength(0);
  });

  test('men may be told before the look', () => {
    board.men = men;
    board.look = river;
    expect(Object.keys(seen())).toHaveLength(3);
  });

  test('sides that are no colours are light and dark', () => {
    set({ ...discs, sides: ['Noughts', 'Crosses'] }, { b2: 'X', c2: 'O' }, []);
    expect(Object.values(seen()).sort()).toEqual(['black', 'white']);
  });

  test('a man on no square of this board is not drawn', () => {
    set(river, { a1: 'W', z9: 'W' }, []);
    expect(all('.man')).toHaveLength(1);
  });

  test('last move and check are marked', () => {
    set(river, men, targets);
    board.last = ['a1', 'a2'];
    board.check = 'a3';
    expect(all('.last')).toHaveLength(2);
    expect(all('.check')[0]?.getAttribute('cy')).toBe('150');
    board.check = null;
    expect(all('.check')).toHaveLength(0);
  });

  test('corner marks stay on the board', () => {
    set(river, {}, []);
    // Four at b3; at a2, on the edge, only the two on the inside.
    expect(all('.mark')).toHaveLength(6);
  });
});

describe('clicks', () => {
  test('a man is taken up, shows where it can go, and is set down', () => {
    set(river, men, targets);
    click('a1');
    expect(picked).toEqual(['a1']);
    expect(all('.dot')).toHaveLength(1);
    expect(all('.prey')).toHaveLength(1);
    click('a2');
    expect(dropped).toEqual([[targets[0]]]);
    expect(all('.dot')).toHaveLength(0);
  });

  test('another man, the same man, an empty square', () => {
    set(river, men, targets);
    click('a1');
    click('b1');
    expect(picked).toEqual(['a1', 'b1']);
    click('b1');
    expect(all('.picked')).toHaveLength(0);
    click('b1');
    click('c4');
    expect(all('.picked')).toHaveLength(0);
    expect(dropped).toEqual([]);
  });

  test('what has no target cannot be taken up', () => {
    set(river, men, targets);
    click('a3');
    click('c1');
    expect(picked).toEqual([]);
  });

  test('a target on a man of ones own is set down on, not taken up', () => {
    const castle = { ...move('a1', 'b1', 'W'), script: [] };
    set(river, men, [...targets, castle]);
    click('a1');
    click('b1');
    expect(dropped).toEqual([[castle]]);
    expect(picked).toEqual(['a1']);
  });

  test('a new man is put down with one click', () => {
    const target = placed('b3', [put('b3', 'X'), turn('b2', 'X')]);
    set(discs, { b2: 'O' }, [target]);
    expect(all('.dot')).toHaveLength(1);
    click('b3');
    expect(dropped).toEqual([[target]]);
  });

  test('several moves between the same squares are told together', () => {
    const choices = ['W', 'S'].map((choice) => ({ ...move('a1', 'a2', 'W'), text: `a1a2${choice}`, choice }));
    set(river, men, choices);
    click('a1');
    click('a2');
    expect(dropped).toEqual([choices]);
    expect(all('.dot')).toHaveLength(0);
  });

  test('the right button does nothing', () => {
    set(river, men, targets);
    cell('a1').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true, button: 2 }));
    expect(picked).toEqual([]);
  });

  test('a screen reader may click without a pointer', () => {
    set(river, men, targets);
    cell('a1').click();
    cell('a2').click();
    expect(dropped).toEqual([[targets[0]]]);
  });
});

describe('drags', () => {
  test('a man follows the pointer and is set down where it may', () => {
    set(river, men, targets);
    point('pointerdown', 'a1');
    point('pointermove', 'a1', 'b2');
    expect(all('.dragged')).toHaveLength(1);
    expect(all('.over')).toHaveLength(0);
    point('pointermove', 'a1', 'a3');
    expect(all('.over')).toHaveLength(1);
    point('pointerup', 'a1', 'a3');
    expect(dropped).toEqual([[targets[1]]]);
    expect(all('.dragged, .over')).toHaveLength(0);
  });

  test('where it may not go, it goes back and is let go', () => {
    set(river, men, targets);
    drag('a1', 'c4');
    expect(dropped).toEqual([]);
    expect(all('.picked')).toHaveLength(0);
    expect(seen()['50,350']).toBe('red');
  });

  test('set down on its own square it stays taken up', () => {
    set(river, men, targets);
    point('pointerdown', 'a1');
    point('pointermove', 'a1', 'a2');
    point('pointerup', 'a1', 'a1');
    expect(all('.picked')).toHaveLength(1);
  });

  test('off the board it goes back', () => {
    set(river, men, targets);
    point('pointerdown', 'a1');
    point('pointermove', 'a1', 'a2');
    cell('a1').dispatchEvent(new PointerEvent('pointerup', { bubbles: true, composed: true, clientX: -50, clientY: -50 }));
    expect(dropped).toEqual([]);
    expect(seen()['50,350']).toBe('red');
  });

  test('a cancelled pointer puts it back', () => {
    set(river, men, targets);
    point('pointerdown', 'a1');
    point('pointermove', 'a1', 'a2');
    point('pointercancel', 'a1');
    expect(seen()['50,350']).toBe('red');
    expect(all('.dragged')).toHaveLength(0);
  });

  test('a finger on an empty point scrolls the page, on a man it does not', () => {
    set(river, men, targets);
    expect(cell('a1').classList.contains('movable')).toBe(true);
    expect(cell('c3').classList.contains('movable')).toBe(false);
    expect(all('style')[0]?.textContent).toContain('.square.movable { touch-action: none; }');
  });
});

describe('keys', () => {
  test('arrows move the focus, Enter takes up and sets down', () => {
    set(river, men, targets);
    cell('b1').focus();
    press('ArrowLeft');
    expect(board.shadowRoot?.activeElement).toBe(cell('a1'));
    press('Enter');
    press('ArrowUp');
    press(' ');
    expect(dropped).toEqual([[targets[0]]]);
  });

  test('keys act where the focus is, however it came there', () => {
    set(river, men, targets);
    cell('a1').focus();
    expect(all('[tabindex="0"]')).toEqual([cell('a1')]);
    press('Enter');
    expect(picked).toEqual(['a1']);
  });

  test('Escape lets go', () => {
    set(river, men, targets);
    cell('b1').focus();
    press('Enter');
    expect(picked).toEqual(['b1']);
    press('Escape');
    expect(all('.picked')).toHaveLength(0);
  });

  test('arrows go where they point on a turned board, and not off it', () => {
    set(river, men, targets);
    board.orientation = 'second';
    cell('b1').focus();
    press('ArrowRight');
    expect(board.shadowRoot?.activeElement).toBe(cell('a1'));
    press('ArrowUp');
    expect(board.shadowRoot?.activeElement).toBe(cell('a1'));
    press('ArrowDown');
    expect(board.shadowRoot?.activeElement).toBe(cell('a2'));
  });

  test('letters go to files; other keys are left alone', () => {
    set(river, men, targets);
    cell('b1').focus();
    press('c');
    expect(board.shadowRoot?.activeElement).toBe(cell('c1'));
    const event = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true });
    cell('c1').dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
  });
});

describe('scripts', () => {
  test('a man slides: the same picture is at the other square', () => {
    set(river, men, targets);
    const before = all('.man').find((man) => (man as SVGGElement).style.transform.includes('50px, 350px'));
    board.play(move('a1', 'a2', 'W').script);
    expect((before as SVGGElement).style.transform).toBe('translate(50px, 250px)');
    expect(board.men).toEqual({ a2: 'W', b1: 'S', a3: 'w' });
  });

  test('what is taken fades and goes', () => {
    set(river, men, targets);
    board.play(move('a1', 'a3', 'W', 'w').script);
    expect(all('.gone')).toHaveLength(1);
    expect(board.men).toEqual({ a3: 'W', b1: 'S' });
    vi.runAllTimers();
    expect(all('.man')).toHaveLength(2);
  });

  test('a man that becomes another is replaced', () => {
    set(river, { a1: 'W' }, []);
    board.play([lift('a1', 'W'), put('a2', 'S')]);
    vi.runAllTimers();
    expect(all('.outline').map((path) => path.getAttribute('d'))).toEqual(['M0 0H200Z']);
  });

  test('two men move at once', () => {
    set(river, men, []);
    board.play([lift('a1', 'W'), lift('b1', 'S'), put('c1', 'W'), put('a1', 'S')]);
    expect(board.men).toEqual({ c1: 'W', a1: 'S', a3: 'w' });
    expect(all('.man')).toHaveLength(3);
  });

  test('discs turn one after another, but the board knows at once', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    set(discs, { a1: 'O', b1: 'O' }, []);
    board.play([put('c1', 'X'), turn('b1', 'X'), turn('a1', 'X')]);
    expect(board.men).toEqual({ a1: 'X', b1: 'X', c1: 'X' });
    vi.advanceTimersByTime(1);
    const whites = () => Object.values(seen()).filter((colour) => colour === 'white').length;
    expect(whites()).toBe(1);
    vi.runAllTimers();
    expect(whites()).toBe(0);
    expect(all('.man')).toHaveLength(3);
  });

  test('a disc turns edge on, changes its face, and turns on', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    const turns: Animation[] = [];
    vi.spyOn(SVGElement.prototype, 'animate').mockImplementation(() => {
      turns.push({} as Animation);
      return turns.at(-1) as Animation;
    });
    set(discs, { a1: 'O' }, []);
    board.play([turn('a1', 'X')]);
    vi.runAllTimers();
    expect(Object.values(seen())).toEqual(['white']);
    turns[0]?.onfinish?.call(turns[0], {} as AnimationPlaybackEvent);
    expect(Object.values(seen())).toEqual(['black']);
    expect(turns).toHaveLength(2);
  });

  test('a board set anew while discs still turn shows what it was told', () => {
    set(discs, { a1: 'O', b1: 'O' }, []);
    board.play([put('c1', 'X'), turn('b1', 'X'), turn('a1', 'X')]);
    board.men = { a1: 'O' };
    vi.runAllTimers();
    expect(Object.values(seen())).toEqual(['white']);
  });

  test('the men that a script leaves are what the next position says: nothing is drawn twice', () => {
    set(river, men, targets);
    const { script } = move('a1', 'a3', 'W', 'w');
    board.play(script);
    const pictures = all('.man:not(.gone)');
    board.men = { a3: 'W', b1: 'S' };
    expect(all('.man:not(.gone)')).toEqual(pictures);
  });
});

describe('for those who do not see it', () => {
  test('a grid of rows and cells, each with its square and what stands there', () => {
    set(river, men, targets);
    expect(all('[role=grid]')[0]?.getAttribute('aria-label')).toBe('River board');
    expect(all('[role=row]')).toHaveLength(4);
    expect(all('[role=gridcell]')).toHaveLength(12);
    expect(cell('a1').getAttribute('aria-label')).toBe('a1 Red wader');
    expect(cell('c4').getAttribute('aria-label')).toBe('c4 empty');
  });

  test('what is taken up and where it can go is said', () => {
    set(river, men, targets);
    click('a1');
    expect(cell('a1').getAttribute('aria-label')).toBe('a1 Red wader, selected');
    expect(cell('a1').getAttribute('aria-selected')).toBe('true');
    expect(cell('a3').getAttribute('aria-label')).toBe('a3 Black wader, can move here');
  });

  test('Tab reaches the board once', () => {
    set(river, men, targets);
    expect(all('[tabindex="0"]')).toHaveLength(1);
    cell('b1').focus();
    press('ArrowUp');
    expect(all('[tabindex="0"]')).toEqual([cell('b2')]);
  });
});

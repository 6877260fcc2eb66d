import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkers, discs, lift, move, placement, put, river, turn } from '../../src/fixtures.test-support';
import './index.js';
import type { AlfilBoard } from './element.js';
import { MARGIN, UNIT } from './geometry.js';
import type { BoardAppearance, BoardTarget } from './types.js';

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

/** Returns the colours of the pieces by the centre of their squares in the drawing. */
function pieceColours(): Record<string, string> {
  const colours = all('.piece:not(.captured)').map((piece) => {
    const [, x, y] = /translate\((-?[\d.]+)px, (-?[\d.]+)px\)/.exec((piece as SVGGElement).style.transform) ?? [];
    return [`${x},${y}`, piece.querySelector('.piece-body')?.getAttribute('class')?.split(' ').at(-1) ?? ''];
  });
  return Object.fromEntries(colours);
}

/** Sets up the board so that one unit of the drawing is one pixel. */
function setUp(appearance: BoardAppearance, pieces: Record<string, string>, targets: BoardTarget[]): void {
  board.look = appearance;
  board.pieces = pieces;
  board.targets = targets;
  const drawing = all('svg')[0] as SVGSVGElement;
  const [width, height] = [appearance.files * UNIT + 2 * MARGIN, appearance.ranks * UNIT + 2 * MARGIN];
  drawing.getBoundingClientRect = () => ({ left: 0, top: 0, width, height }) as DOMRect;
}

/** Returns the centre of a square in pixels. */
function centre(square: string): { clientX: number; clientY: number } {
  const appearance = board.look as BoardAppearance;
  const file = appearance.file_names.indexOf(square.slice(0, 1));
  const row = appearance.ranks - 1 - appearance.rank_names.indexOf(square.slice(1));
  return { clientX: MARGIN + (file + 0.5) * UNIT, clientY: MARGIN + (row + 0.5) * UNIT };
}

/** Returns the animations of the board, which end when the test calls `onfinish`. */
function recordAnimations(): Animation[] {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const animations: Animation[] = [];
  vi.spyOn(SVGElement.prototype, 'animate').mockImplementation(() => {
    animations.push({} as Animation);
    return animations.at(-1) as Animation;
  });
  return animations;
}

function point(kind: string, on: string, at = on, pointerId = 1): void {
  const init = { bubbles: true, composed: true, button: 0, pointerId, ...centre(at) };
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

const pieces = { a1: 'W', b1: 'S', a3: 'w' };
const targets = [move('a1', 'a2', 'W'), move('a1', 'a3', 'W', 'w'), move('b1', 'b2', 'S')];

test('the words across the middle turn with the board', () => {
  const words = () =>
    all('.legend text')
      .sort((a, b) => Number(a.getAttribute('x')) - Number(b.getAttribute('x')))
      .map((word) => word.textContent);
  setUp({ ...river, legend: ['left', 'right'], legend_outlines: undefined }, {}, []);
  expect(words()).toEqual(['left', 'right']);
  board.orientation = 'second';
  expect(words()).toEqual(['right', 'left']);
});

describe('drawing', () => {
  test('each piece stands on its square in the colour of its side', () => {
    setUp(river, pieces, targets);
    expect(pieceColours()).toEqual({ '50,350': 'red', '150,350': 'red', '50,150': 'black' });
    expect(all('.outline').map((path) => path.getAttribute('d')).sort()).toEqual(['M0 0H100Z', 'M0 0H200Z', 'M0 0H300Z']);
    expect(all('.disc')).toHaveLength(3);
  });

  test('a snapshot is a complete SVG document, with the overlays', () => {
    setUp(river, pieces, targets);
    board.over = { arrows: [{ from: 'a1', to: 'a2', rank: 1 }] };
    const snapshot = new DOMParser().parseFromString(board.snapshot(), 'image/svg+xml');
    const places = [...snapshot.querySelectorAll('.piece')].map((piece) => piece.getAttribute('transform'));
    expect(places.sort()).toEqual(['translate(150, 350)', 'translate(50, 150)', 'translate(50, 350)']);
    expect(snapshot.querySelectorAll('.arrow')).toHaveLength(1);
    expect(snapshot.querySelector('style')?.textContent).toContain('svg { display: block');
    expect(all('.piece')).toHaveLength(3);
  });

  test('pieces and coordinates follow the orientation of the board', () => {
    setUp(river, pieces, targets);
    const coordinateX = (name: string) => all('.coordinates text').find((text) => text.textContent === name)?.getAttribute('x');
    expect(coordinateX('a')).toBe('50');
    board.orientation = 'second';
    expect(coordinateX('a')).toBe('250');
    expect(pieceColours()).toEqual({ '250,50': 'red', '150,50': 'red', '250,250': 'black' });
  });

  test('a checkered board has cells of two colours and pieces without discs', () => {
    setUp(checkers, { a1: 'W' }, []);
    expect(all('.cell')).toHaveLength(4);
    expect(all('.cell.dark')).toHaveLength(2);
    expect(all('.disc')).toHaveLength(0);
    expect(all('.outline')).toHaveLength(1);
  });

  test('a board with cells of one colour has plain discs', () => {
    setUp(discs, { b2: 'X', c2: 'O' }, []);
    expect(all('.cell')).toHaveLength(12);
    expect(all('.disc')).toHaveLength(2);
    expect(all('.outline')).toHaveLength(0);
    expect(Object.values(pieceColours()).sort()).toEqual(['black', 'white']);
  });

  test('another board is empty until its pieces are set', () => {
    setUp(river, pieces, targets);
    board.look = checkers;
    expect(board.pieces).toEqual({});
    expect(all('.piece')).toHaveLength(0);
    expect(all('.movable')).toHaveLength(0);
  });

  test('the pieces may be set before the appearance', () => {
    board.pieces = pieces;
    board.look = river;
    expect(Object.keys(pieceColours())).toHaveLength(3);
  });

  test('sides whose names are no colours are light and dark', () => {
    setUp({ ...discs, sides: ['Noughts', 'Crosses'] }, { b2: 'X', c2: 'O' }, []);
    expect(Object.values(pieceColours()).sort()).toEqual(['black', 'white']);
  });

  test('a piece on a square that the board does not have is not drawn', () => {
    setUp(river, { a1: 'W', z9: 'W' }, []);
    expect(all('.piece')).toHaveLength(1);
  });

  test('the last move and the check are highlighted', () => {
    setUp(river, pieces, targets);
    board.last = ['a1', 'a2'];
    board.check = 'a3';
    expect(all('.last')).toHaveLength(2);
    expect(all('.check')[0]?.getAttribute('cy')).toBe('150');
    board.check = null;
    expect(all('.check')).toHaveLength(0);
  });

  test('corner marks do not reach over the edge of the board', () => {
    setUp(river, {}, []);
    // Four at b3; two at a2, which is on the edge.
    expect(all('.mark')).toHaveLength(6);
  });
});

describe('clicks', () => {
  test('a click selects a piece and shows its targets, a second click moves it', () => {
    setUp(river, pieces, targets);
    click('a1');
    expect(picked).toEqual(['a1']);
    expect(all('.dot')).toHaveLength(1);
    expect(all('.capture')).toHaveLength(1);
    click('a2');
    expect(dropped).toEqual([[targets[0]]]);
    expect(all('.dot')).toHaveLength(0);
  });

  test('a click on another piece, on the same piece or on an empty square changes the selection', () => {
    setUp(river, pieces, targets);
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

  test('a piece without targets cannot be selected', () => {
    setUp(river, pieces, targets);
    click('a3');
    click('c1');
    expect(picked).toEqual([]);
  });

  test('a click on an own piece that is a target makes the move', () => {
    const castle = { ...move('a1', 'b1', 'W'), script: [] };
    setUp(river, pieces, [...targets, castle]);
    click('a1');
    click('b1');
    expect(dropped).toEqual([[castle]]);
    expect(picked).toEqual(['a1']);
  });

  test('one click places a new piece', () => {
    const target = placement('b3', [put('b3', 'X'), turn('b2', 'X')]);
    setUp(discs, { b2: 'O' }, [target]);
    expect(all('.dot')).toHaveLength(1);
    click('b3');
    expect(dropped).toEqual([[target]]);
  });

  test('several moves between the same squares come in one event', () => {
    const choices = ['W', 'S'].map((choice) => ({ ...move('a1', 'a2', 'W'), text: `a1a2${choice}`, choice }));
    setUp(river, pieces, choices);
    click('a1');
    click('a2');
    expect(dropped).toEqual([choices]);
    expect(all('.dot')).toHaveLength(0);
  });

  describe('the picker', () => {
    const script = (piece: string) => [lift('a1', 'W'), put('a2', piece)];
    const choices = ['S', 'W'].map((choice) => ({ ...move('a1', 'a2', 'W'), text: `a1a2${choice}`, script: script(choice), choice }));
    const buttons = () => all('.picker button') as HTMLButtonElement[];
    const menu = () => all('.picker')[0] as HTMLElement;

    beforeEach(() => {
      setUp(river, pieces, choices);
      board.picker = true;
    });

    function open(): void {
      click('a1');
      click('a2');
      expect(buttons()).toHaveLength(2);
    }

    test('lets the user choose between several moves to a square', () => {
      open();
      expect(dropped).toEqual([]);
      // The pieces come in the order of the look, and the piece that moves stays where it is.
      const names = Object.entries(river.pieces).filter(([letter]) => 'SW'.includes(letter));
      expect(buttons().map((button) => button.getAttribute('aria-label'))).toEqual(names.map(([, { name }]) => name));
      expect(menu().getAttribute('aria-label')).toBe('Choose the piece');
      expect(board.pieces).toEqual(pieces);
      const [[first] = []] = names;
      buttons()[0]?.click();
      expect(dropped).toEqual([choices.filter(({ choice }) => choice === first)]);
      expect([menu().hidden, all('.picked').length]).toEqual([true, 0]);
    });

    test('is not shown for a move that has no other to its square', () => {
      board.targets = choices.slice(1);
      click('a1');
      click('a2');
      expect([dropped, menu().hidden]).toEqual([[choices.slice(1)], true]);
    });

    test('is cancelled by Escape, by a click on the board, and by other moves, without a move', () => {
      for (const cancel of [
        () => buttons()[1]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })),
        () => click('b3'),
        () => (board.targets = choices),
        () => (board.orientation = board.orientation === 'first' ? 'second' : 'first'),
        () => (board.picker = false),
      ]) {
        // Without targets no piece stays selected.
        board.targets = [];
        board.picker = true;
        setUp(river, pieces, choices);
        open();
        cancel();
        expect([menu().hidden, buttons().length, dropped], String(cancel)).toEqual([true, 0, []]);
      }
    });

    test('goes with the arrow keys from piece to piece, and begins at the square', () => {
      open();
      expect(board.shadowRoot?.activeElement).toBe(buttons()[0]);
      const goesUp = menu().style.flexDirection === 'column-reverse';
      const press = (key: string) => board.shadowRoot?.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      press(goesUp ? 'ArrowUp' : 'ArrowDown');
      expect(board.shadowRoot?.activeElement).toBe(buttons()[1]);
      press('ArrowRight');
      press('ArrowRight');
      expect(board.shadowRoot?.activeElement).toBe(buttons()[1]);
      const geometry = [menu().style.left, menu().style.width];
      expect(geometry).toEqual([`${(100 * MARGIN) / (river.files * UNIT + 2 * MARGIN)}%`, `${(100 * UNIT) / (river.files * UNIT + 2 * MARGIN)}%`]);
    });
  });

  test('the right mouse button does nothing', () => {
    setUp(river, pieces, targets);
    cell('a1').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true, button: 2 }));
    expect(picked).toEqual([]);
  });

  test('a click without pointer events, as screen readers send it, works', () => {
    setUp(river, pieces, targets);
    cell('a1').click();
    cell('a2').click();
    expect(dropped).toEqual([[targets[0]]]);
  });
});

describe('drags', () => {
  test('a piece follows the pointer and can be dropped on a target', () => {
    setUp(river, pieces, targets);
    point('pointerdown', 'a1');
    point('pointermove', 'a1', 'b2');
    expect(all('.dragged')).toHaveLength(1);
    expect(all('.drop-target')).toHaveLength(0);
    point('pointermove', 'a1', 'a3');
    expect(all('.drop-target')).toHaveLength(1);
    point('pointerup', 'a1', 'a3');
    expect(dropped).toEqual([[targets[1]]]);
    expect(all('.dragged, .drop-target')).toHaveLength(0);
  });

  test('a piece that is dropped elsewhere returns and is deselected', () => {
    setUp(river, pieces, targets);
    drag('a1', 'c4');
    expect(dropped).toEqual([]);
    expect(all('.picked')).toHaveLength(0);
    expect(pieceColours()['50,350']).toBe('red');
  });

  test('a piece that is dropped on its own square stays selected', () => {
    setUp(river, pieces, targets);
    point('pointerdown', 'a1');
    point('pointermove', 'a1', 'a2');
    point('pointerup', 'a1', 'a1');
    expect(all('.picked')).toHaveLength(1);
  });

  test('a piece that is dropped off the board returns', () => {
    setUp(river, pieces, targets);
    point('pointerdown', 'a1');
    point('pointermove', 'a1', 'a2');
    cell('a1').dispatchEvent(new PointerEvent('pointerup', { bubbles: true, composed: true, pointerId: 1, clientX: -50, clientY: -50 }));
    expect(dropped).toEqual([]);
    expect(pieceColours()['50,350']).toBe('red');
  });

  test('a cancelled pointer returns the piece, and so does a mouse whose button was released outside', () => {
    setUp(river, pieces, targets);
    for (const [type, pointerType] of [['pointercancel', 'touch'], ['pointermove', 'mouse']] as const) {
      point('pointerdown', 'a1');
      point('pointermove', 'a1', 'a2');
      cell('a1').dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType, pointerId: 1 }));
      expect(pieceColours()['50,350']).toBe('red');
      expect(all('.dragged')).toHaveLength(0);
    }
  });

  test('a second finger ends a drag and moves nothing, and the first finger does not drag the piece of the second', () => {
    setUp(river, pieces, targets);
    point('pointerdown', 'a1');
    point('pointermove', 'a1', 'b2');
    point('pointerdown', 'a2', 'a2', 2);
    point('pointerup', 'a2', 'a2', 2);
    point('pointerup', 'a1', 'a3');
    expect([dropped, all('.dragged').length, pieceColours()['50,350']]).toEqual([[], 0, 'red']);
    point('pointerdown', 'a1');
    point('pointerdown', 'b1', 'b1', 2);
    point('pointermove', 'a1', 'c3');
    expect([picked, all('.dragged').length, pieceColours()['150,350']]).toEqual([['a1', 'b1'], 0, 'red']);
  });

  test('touching an empty square scrolls the page, touching a movable piece does not', () => {
    setUp(river, pieces, targets);
    expect(cell('a1').classList.contains('movable')).toBe(true);
    expect(cell('c3').classList.contains('movable')).toBe(false);
    const rules = [...(board.shadowRoot?.adoptedStyleSheets[0]?.cssRules ?? [])].map((rule) => rule.cssText);
    expect(rules).toContain('.square.movable { touch-action: none; }');
  });
});

describe('keyboard', () => {
  test('the arrow keys move the focus, Enter selects and moves a piece', () => {
    setUp(river, pieces, targets);
    cell('b1').focus();
    press('ArrowLeft');
    expect(board.shadowRoot?.activeElement).toBe(cell('a1'));
    press('Enter');
    press('ArrowUp');
    press(' ');
    expect(dropped).toEqual([[targets[0]]]);
  });

  test('keys act on the focused square, however it got the focus', () => {
    setUp(river, pieces, targets);
    cell('a1').focus();
    expect(all('[tabindex="0"]')).toEqual([cell('a1')]);
    press('Enter');
    expect(picked).toEqual(['a1']);
  });

  test('the focus of the board is that of the square that had it last', () => {
    setUp(river, pieces, targets);
    board.focus();
    expect(board.shadowRoot?.activeElement).toBe(cell('b1'));
    press('ArrowRight');
    cell('c1').blur();
    board.focus();
    expect(board.shadowRoot?.activeElement).toBe(cell('c1'));
    // Neither a flip nor the board of another game takes it away, and none gets it without it.
    board.orientation = 'second';
    expect(board.shadowRoot?.activeElement).toBe(cell('c1'));
    board.look = { ...river };
    expect(board.shadowRoot?.activeElement).toBe(cell('b1'));
    cell('b1').blur();
    board.look = { ...river };
    expect(board.shadowRoot?.activeElement).toBeNull();
  });

  test('Escape clears the selection', () => {
    setUp(river, pieces, targets);
    cell('b1').focus();
    press('Enter');
    expect(picked).toEqual(['b1']);
    press('Escape');
    expect(all('.picked')).toHaveLength(0);
  });

  test('the arrow keys follow the screen on a flipped board and stay on the board', () => {
    setUp(river, pieces, targets);
    board.orientation = 'second';
    cell('b1').focus();
    press('ArrowRight');
    expect(board.shadowRoot?.activeElement).toBe(cell('a1'));
    press('ArrowUp');
    expect(board.shadowRoot?.activeElement).toBe(cell('a1'));
    press('ArrowDown');
    expect(board.shadowRoot?.activeElement).toBe(cell('a2'));
  });

  test('letters go to files, and other keys keep their default action', () => {
    setUp(river, pieces, targets);
    cell('b1').focus();
    press('c');
    expect(board.shadowRoot?.activeElement).toBe(cell('c1'));
    const event = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true });
    cell('c1').dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
  });
});

describe('scripts', () => {
  test('a moved piece keeps its element, which slides to the other square', () => {
    setUp(river, pieces, targets);
    const before = all('.piece').find((piece) => (piece as SVGGElement).style.transform.includes('50px, 350px'));
    board.play(move('a1', 'a2', 'W').script);
    expect((before as SVGGElement).style.transform).toBe('translate(50px, 250px)');
    expect(board.pieces).toEqual({ a2: 'W', b1: 'S', a3: 'w' });
  });

  test('a captured piece fades and is removed', () => {
    setUp(river, pieces, targets);
    board.play(move('a1', 'a3', 'W', 'w').script);
    expect(all('.captured')).toHaveLength(1);
    expect(board.pieces).toEqual({ a3: 'W', b1: 'S' });
    vi.runAllTimers();
    expect(all('.piece')).toHaveLength(2);
  });

  test('a promoted piece is replaced', () => {
    setUp(river, { a1: 'W' }, []);
    board.play([lift('a1', 'W'), put('a2', 'S')]);
    vi.runAllTimers();
    expect(all('.outline').map((path) => path.getAttribute('d'))).toEqual(['M0 0H200Z']);
  });

  test('two pieces can move at once', () => {
    setUp(river, pieces, []);
    board.play([lift('a1', 'W'), lift('b1', 'S'), put('c1', 'W'), put('a1', 'S')]);
    expect(board.pieces).toEqual({ c1: 'W', a1: 'S', a3: 'w' });
    expect(all('.piece')).toHaveLength(3);
  });

  test('discs flip one after another, but the position changes at once', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    setUp(discs, { a1: 'O', b1: 'O' }, []);
    board.play([put('c1', 'X'), turn('b1', 'X'), turn('a1', 'X')]);
    expect(board.pieces).toEqual({ a1: 'X', b1: 'X', c1: 'X' });
    vi.advanceTimersByTime(1);
    const whites = () => Object.values(pieceColours()).filter((colour) => colour === 'white').length;
    expect(whites()).toBe(1);
    vi.runAllTimers();
    expect(whites()).toBe(0);
    expect(all('.piece')).toHaveLength(3);
  });

  test('a flip narrows the disc, replaces its body, and widens it', () => {
    const animations = recordAnimations();
    setUp(discs, { a1: 'O' }, []);
    board.play([turn('a1', 'X')]);
    vi.runAllTimers();
    expect(Object.values(pieceColours())).toEqual(['white']);
    animations[0]?.onfinish?.call(animations[0], {} as AnimationPlaybackEvent);
    expect(Object.values(pieceColours())).toEqual(['black']);
    expect(animations).toHaveLength(2);
  });

  test('a disc that is flipped again during its flip has the colour of the last one', () => {
    const animations = recordAnimations();
    setUp(discs, { a1: 'O' }, []);
    for (const letter of ['X', 'O']) {
      board.play([turn('a1', letter)]);
      vi.runAllTimers();
    }
    for (const flip of animations.slice(0, 2)) flip.onfinish?.call(flip, {} as AnimationPlaybackEvent);
    expect(Object.values(pieceColours())).toEqual(['white']);
  });

  test('a position that is set during flips replaces their result', () => {
    setUp(discs, { a1: 'O', b1: 'O' }, []);
    board.play([put('c1', 'X'), turn('b1', 'X'), turn('a1', 'X')]);
    board.pieces = { a1: 'O' };
    vi.runAllTimers();
    expect(Object.values(pieceColours())).toEqual(['white']);
  });

  test('a position that equals the result of a script does not replace the piece elements', () => {
    setUp(river, pieces, targets);
    const { script } = move('a1', 'a3', 'W', 'w');
    board.play(script);
    const elements = all('.piece:not(.captured)');
    board.pieces = { a3: 'W', b1: 'S' };
    expect(all('.piece:not(.captured)')).toEqual(elements);
  });
});

describe('screen readers', () => {
  test('the board is a grid of rows and cells, each labelled with its square and its piece', () => {
    setUp(river, pieces, targets);
    expect(all('[role=grid]')[0]?.getAttribute('aria-label')).toBe('River board');
    expect(all('[role=row]')).toHaveLength(4);
    expect(all('[role=gridcell]')).toHaveLength(12);
    expect(cell('a1').getAttribute('aria-label')).toBe('a1 Red wader');
    expect(cell('c4').getAttribute('aria-label')).toBe('c4 empty');
  });

  test('the selected piece and its targets are labelled', () => {
    setUp(river, pieces, targets);
    click('a1');
    expect(cell('a1').getAttribute('aria-label')).toBe('a1 Red wader, selected');
    expect(cell('a1').getAttribute('aria-selected')).toBe('true');
    expect(cell('a3').getAttribute('aria-label')).toBe('a3 Black wader, can move here');
  });

  test('Tab reaches the board once', () => {
    setUp(river, pieces, targets);
    expect(all('[tabindex="0"]')).toHaveLength(1);
    cell('b1').focus();
    press('ArrowUp');
    expect(all('[tabindex="0"]')).toEqual([cell('b2')]);
  });
});

describe('edges', () => {
  test('the names of both edges take the place of files and ranks, on the side of their player', () => {
    const edge_names: [string[], string[]] = [['3', '2', '1'], ['A', 'B', 'C']];
    setUp({ ...river, edge_names }, pieces, targets);
    const labels = () =>
      all('.coordinates text').map((label) => [label.textContent, Number(label.getAttribute('x')), Number(label.getAttribute('y')) > 0]);
    expect(labels()).toEqual([['3', 50, true], ['2', 150, true], ['1', 250, true], ['A', 50, false], ['B', 150, false], ['C', 250, false]]);
    board.orientation = 'second';
    expect(labels()).toEqual([['3', 250, false], ['2', 150, false], ['1', 50, false], ['A', 250, true], ['B', 150, true], ['C', 50, true]]);
    expect(cell('a1').getAttribute('aria-label')).toBe('a1 Red wader');
  });
});

describe('values of pages without types', () => {
  test('null and undefined stand for nothing', () => {
    setUp(river, pieces, targets);
    for (const property of ['pieces', 'targets', 'last', 'check', 'over', 'words']) {
      for (const nothing of [null, undefined]) Reflect.set(board, property, nothing);
    }
    expect([board.pieces, board.targets, board.last, board.check, board.over]).toEqual([{}, [], [], null, {}]);
    expect(all('.piece')).toHaveLength(0);
    expect(cell('a1').getAttribute('aria-label')).toBe('a1 empty');
  });

  test('squares and letters that the board does not have are named on the console', () => {
    const warnings: string[] = [];
    vi.spyOn(console, 'warn').mockImplementation((text) => warnings.push(text));
    setUp(river, pieces, targets);
    expect(warnings).toEqual([]);
    board.pieces = { a1: 'W', z9: 'S', b1: '?' };
    board.targets = [move('a1', 'q5', 'W')];
    board.last = ['a1', 'a9'];
    board.check = 'h8';
    board.over = {
      arrows: [{ from: 'y1', to: 'a1', rank: 0 }, { from: 'a1', to: 'y2', rank: 1 }],
      values: { y3: { words: '1', best: true } },
      tacticalMarks: [{ kind: 'stable', side: 0, squares: ['y4'] }],
      issues: ['y5'],
    };
    const start = '<alfil-board>: ';
    expect(all('.arrow')).toHaveLength(0);
    expect(warnings).toEqual([
      `${start}pieces has squares that its look does not have: z9`,
      `${start}pieces has letters that its look does not have: ?`,
      `${start}targets has squares that its look does not have: q5`,
      `${start}last has squares that its look does not have: a9`,
      `${start}check has squares that its look does not have: h8`,
      `${start}over has squares that its look does not have: y1, y2, y3, y5, y4`,
    ]);
  });
});

test('the piece under the pointer or the focus is named and shows its moves before it is selected', () => {
  const wader = move('a1', 'a2', 'W');
  setUp(river, { a1: 'W' }, [wader]);
  const hover = (square: string) => {
    cell(square).dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse', ...centre(square) }));
  };
  expect(cell('a1').title).toBe('Red wader');
  hover('a1');
  expect(all('.dot')).toHaveLength(0);
  board.showsMoves = true;
  hover('a1');
  expect(all('.preview .dot')).toHaveLength(1);
  expect(picked).toEqual([]);
  hover('b2');
  expect(all('.dot')).toHaveLength(0);
  cell('a1').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  expect(all('.preview .dot')).toHaveLength(1);
  cell('a1').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  expect(all('.dot')).toHaveLength(0);
  hover('a1');
  board.showsMoves = false;
  expect(all('.dot')).toHaveLength(0);
});

describe('refused moves', () => {
  const refused: BoardTarget = { ...move('a1', 'a3', 'W', 'w'), script: [], refused: 'six checks are the limit' };
  const onlyRefused: BoardTarget = { ...move('b1', 'b2', 'S'), script: [], refused: 'six checks are the limit' };
  const refusals: BoardTarget[] = [];

  beforeEach(() => {
    refusals.length = 0;
    board.addEventListener('refuse', ({ detail }) => refusals.push(detail.target));
    setUp(river, pieces, [move('a1', 'a2', 'W'), refused, onlyRefused]);
  });

  test('have a mark of their own, a title, and words for screen readers', () => {
    click('a1');
    expect([all('.dot').length, all('.capture').length, all('path.refused').length]).toEqual([1, 0, 1]);
    expect(cell('a3').title).toBe('six checks are the limit');
    expect(cell('a3').getAttribute('aria-label')).toBe('a3 Black wader, may not move here. six checks are the limit');
    expect(cell('a3').classList.contains('open')).toBe(false);
    expect(cell('a2').getAttribute('aria-label')).toBe('a2 empty, can move here');
  });

  test('are not made by a click, a drag or a key, and the piece stays selected', () => {
    click('a1');
    click('a3');
    drag('a1', 'a3');
    expect(refusals).toEqual([refused, refused]);
    cell('a3').focus();
    press('Enter');
    expect([refusals.length, dropped.length]).toEqual([3, 0]);
    expect(cell('a1').getAttribute('aria-selected')).toBe('true');
    expect(board.pieces).toEqual(pieces);
    click('a2');
    expect(dropped).toEqual([[move('a1', 'a2', 'W')]]);
  });

  test('can be seen of a piece that has no other move', () => {
    click('b1');
    expect(picked).toEqual(['b1']);
    click('b2');
    expect([refusals, dropped.length]).toEqual([[onlyRefused], 0]);
  });

  test('do not hide a legal move to the same square', () => {
    board.targets = [refused, move('a1', 'a3', 'W', 'w')];
    click('a1');
    expect(cell('a3').getAttribute('aria-label')).toBe('a3 Black wader, can move here');
    click('a3');
    expect([refusals.length, dropped.length]).toEqual([0, 1]);
  });
});

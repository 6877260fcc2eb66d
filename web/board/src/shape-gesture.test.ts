import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { river } from '../../src/fixtures.test-support';
import './element.js';
import type { AlfilBoard } from './element.js';
import { MARGIN, UNIT } from './geometry.js';
import type { DrawnShape } from './types.js';

let board: AlfilBoard;
let drawn: DrawnShape[];

beforeEach(() => {
  vi.useFakeTimers();
  board = document.createElement('alfil-board') as AlfilBoard;
  document.body.append(board);
  board.look = river;
  board.pieces = { a1: 'W' };
  board.targets = [{ from: 'a1', to: 'a2', text: 'a1a2', script: [], choice: null }];
  const [width, height] = [river.files * UNIT + 2 * MARGIN, river.ranks * UNIT + 2 * MARGIN];
  const svg = board.shadowRoot?.querySelector('svg') as SVGSVGElement;
  svg.getBoundingClientRect = () => ({ left: 0, top: 0, width, height }) as DOMRect;
  drawn = [];
  board.addEventListener('draw', (event) => drawn.push(event.detail));
});

afterEach(() => {
  vi.useRealTimers();
  board.remove();
});

function point(type: string, at: string, init: PointerEventInit = {}): void {
  const [x, y] = [river.file_names.indexOf(at.slice(0, 1)), river.ranks - 1 - river.rank_names.indexOf(at.slice(1))];
  const place = { clientX: MARGIN + (x + 0.5) * UNIT, clientY: MARGIN + (y + 0.5) * UNIT };
  const cell = board.shadowRoot?.querySelector('[data-square="a1"]');
  cell?.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true, pointerId: 1, isPrimary: true, ...place, ...init }));
}

const SECOND_FINGER = { pointerType: 'touch', pointerId: 2, isPrimary: false };
const shapes = () => [...(board.shadowRoot?.querySelectorAll('.shape') ?? [])].map((shape) => shape.getAttribute('class'));

test('the right button draws an arrow, and a circle where it is released at once; keys give the colour', () => {
  point('pointerdown', 'a1', { button: 2 });
  expect(shapes()).toEqual(['shape green circle']);
  point('pointermove', 'b3', { button: -1, buttons: 2 });
  expect(shapes()).toEqual(['shape green']);
  point('pointerup', 'b3', { button: 2, shiftKey: true });
  point('pointerdown', 'c1', { button: 2, altKey: true });
  point('pointerup', 'c1', { button: 2, altKey: true });
  expect(drawn).toEqual([
    { from: 'a1', to: 'b3', colour: 'red' },
    { from: null, to: 'c1', colour: 'blue' },
  ]);
  // The page decides which shapes stay.
  expect(shapes()).toEqual([]);
});

test('a finger that rests on a square draws; one that moves at once or is lifted does not', () => {
  point('pointerdown', 'b2', { pointerType: 'touch' });
  vi.advanceTimersByTime(500);
  point('pointermove', 'c3', { pointerType: 'touch' });
  point('pointerup', 'c3', { pointerType: 'touch' });
  expect(drawn).toEqual([{ from: 'b2', to: 'c3', colour: 'green' }]);
  point('pointerdown', 'b2', { pointerType: 'touch' });
  point('pointermove', 'c3', { pointerType: 'touch' });
  vi.advanceTimersByTime(500);
  point('pointerup', 'c3', { pointerType: 'touch' });
  point('pointerdown', 'b2', { pointerType: 'touch' });
  point('pointerup', 'b2', { pointerType: 'touch' });
  vi.advanceTimersByTime(500);
  expect(drawn).toHaveLength(1);
});

test('two fingers that zoom do not draw, although the first one is lifted before the timer', () => {
  point('pointerdown', 'b2', { pointerType: 'touch' });
  point('pointerdown', 'c3', SECOND_FINGER);
  point('pointercancel', 'b2', { pointerType: 'touch' });
  point('pointercancel', 'c3', SECOND_FINGER);
  vi.advanceTimersByTime(500);
  expect(shapes()).toEqual([]);
});

test('a finger that rests while another one drags does not draw, and cannot change what is drawn', () => {
  point('pointerdown', 'a1', { pointerType: 'touch' });
  point('pointermove', 'b2', { pointerType: 'touch' });
  point('pointerdown', 'c3', SECOND_FINGER);
  vi.advanceTimersByTime(500);
  point('pointerup', 'c3', SECOND_FINGER);
  point('pointerup', 'b2', { pointerType: 'touch' });
  expect(drawn).toEqual([]);
  point('pointerdown', 'b2', { pointerType: 'touch' });
  vi.advanceTimersByTime(500);
  point('pointermove', 'c3', SECOND_FINGER);
  point('pointerup', 'c3', SECOND_FINGER);
  expect(shapes()).toEqual(['shape green circle']);
  point('pointerup', 'b2', { pointerType: 'touch' });
  expect(drawn).toEqual([{ from: null, to: 'b2', colour: 'green' }]);
});

test('another button cancels what is being drawn, and a piece does not move while one draws', () => {
  let drops = 0;
  board.addEventListener('drop', () => drops++);
  point('pointerdown', 'a1', { pointerType: 'mouse', button: 2, buttons: 2 });
  // A mouse reports the press of a second button so.
  point('pointermove', 'a1', { pointerType: 'mouse', button: 0, buttons: 3 });
  expect(shapes()).toEqual([]);
  point('pointerup', 'a2', { pointerType: 'mouse', button: 2 });
  expect(drawn).toEqual([]);
  point('pointerdown', 'a1', { pointerType: 'touch', button: 0 });
  vi.advanceTimersByTime(500);
  point('pointermove', 'a2', { pointerType: 'touch' });
  point('pointerup', 'a2', { pointerType: 'touch', button: 0 });
  expect([drops, drawn.length]).toEqual([0, 1]);
  // The piece on which the finger rested is not selected: the next tap does not move it.
  expect(board.shadowRoot?.querySelectorAll('[aria-selected=true]')).toHaveLength(0);
});

test('shapes are data of the board', () => {
  board.over = { shapes: [{ from: 'a1', to: 'a3', colour: 'yellow' }, { from: null, to: 'b2', colour: 'red' }] };
  expect(shapes()).toEqual(['shape yellow', 'shape red circle']);
});

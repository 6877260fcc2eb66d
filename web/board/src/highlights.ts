import { type Geometry, UNIT } from './geometry.js';
import { svg } from './svg.js';
import type { BoardTarget } from './types.js';

/** The squares that are marked below the pieces. */
export interface Highlights {
  /** The squares of the last move. */
  last: string[];
  /** The square of the king in check. */
  check: string | null;
  /** The square of the selected piece. */
  picked: string | null;
  /** The target under the dragged piece. */
  hovered: string | null;
  /** The squares of the move that is made after the opponent's reply. */
  premove: string[];
}

type Shape = (x: number, y: number) => SVGElement;

const tile = (name: string): Shape => (x, y) =>
  svg('rect', { class: name, x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, rx: 12 });
const circle = (name: string, r: number): Shape => (cx, cy) => svg('circle', { class: name, cx, cy, r });

/** Corner brackets around a point. Tiles would cover the lines of the board and merge with each other. */
const corners = (name: string): Shape => (x, y) => {
  const [outer, length] = [45, 14];
  const d = [-1, 1].flatMap((sx) =>
    [-1, 1].map((sy) => {
      const [cx, cy] = [x + sx * outer, y + sy * outer];
      return `M${cx - sx * length} ${cy}H${cx}V${cy - sy * length}`;
    }),
  );
  return svg('path', { class: name, d: d.join('') });
};

/** Draws the last move, the check, the selected piece, the target under a dragged piece and the premove. */
export function drawHighlights(geometry: Geometry, { last, check, picked, hovered, premove }: Highlights): SVGElement[] {
  const onPoints = geometry.appearance.layout === 'points';
  const drawn: SVGElement[] = [];
  const draw = (square: string | null, shape: Shape) => {
    const place = square === null ? undefined : geometry.place(square);
    if (place) drawn.push(shape(...geometry.centre(place)));
  };
  for (const square of last) draw(square, onPoints ? corners('last corners') : tile('last'));
  for (const square of premove) draw(square, onPoints ? circle('premove-ring', 49) : tile('premove'));
  draw(check, circle('check', 52));
  draw(picked, onPoints ? circle('picked', 49) : tile('picked-cell'));
  draw(hovered, tile('drop-target'));
  return drawn;
}

/** Draws the squares to which the selected piece can move: rings around pieces that it captures, else dots. */
export function drawTargets(geometry: Geometry, targets: BoardTarget[], pieces: Record<string, string>): SVGElement[] {
  const drawn: SVGElement[] = [];
  for (const [square, note] of new Map(targets.map(({ to, note }) => [to, note]))) {
    const place = square ? geometry.place(square) : undefined;
    const warned = note ? ' warned' : '';
    if (!square || !place) continue;
    const shape = square in pieces ? circle(`capture${warned}`, 48) : circle(`dot${warned}`, 13);
    drawn.push(shape(...geometry.centre(place)));
  }
  return drawn;
}

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

/** A ring with a bar across it around a point. */
const barred = (r: number): Shape => (x, y) => {
  const [bar, ring] = [r * Math.SQRT1_2, `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`];
  return svg('path', { class: 'refused', d: `${ring}M${x - bar} ${y - bar}l${2 * bar} ${2 * bar}` });
};

/**
 * Draws the squares to which the selected piece can move: rings around pieces that it captures, else dots; and barred
 * rings where the rules refuse its move.
 */
export function drawTargets(geometry: Geometry, targets: BoardTarget[], pieces: Record<string, string>): SVGElement[] {
  const drawn: SVGElement[] = [];
  for (const [square, { note, refused }] of new Map(targets.map((target) => [target.to, target]))) {
    const place = square ? geometry.place(square) : undefined;
    const warned = note ? ' warned' : '';
    if (!square || !place) continue;
    const captures = square in pieces;
    const legal = captures ? circle(`capture${warned}`, 48) : circle(`dot${warned}`, 13);
    const shape = refused === undefined ? legal : barred(captures ? 48 : 20);
    drawn.push(shape(...geometry.centre(place)));
  }
  return drawn;
}

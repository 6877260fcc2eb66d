import { type Geometry, UNIT } from './geometry.js';
import { svg } from './svg.js';
import type { Arrow, DrawnShape, Overlays, SquareValue, TacticalMark } from './types.js';

/** Returns the attacks on pieces that are not defended. */
export function undefendedAttacks(marks: TacticalMark[]): TacticalMark[] {
  const defended = new Set(marks.filter(({ kind }) => kind === 'guard').map(({ squares }) => squares[1]));
  return marks.filter(({ kind, squares }) => kind === 'attack' && !defended.has(squares[1]));
}

type Point = [x: number, y: number];

/** Draws what lies over the pieces. `picked` is the square of the selected piece. */
export function drawOverlays(geometry: Geometry, overlays: Overlays, picked: string | null): SVGGElement {
  const drawing = new OverlayDrawing(geometry);
  drawing.addMarks(overlays.tacticalMarks ?? [], picked);
  drawing.addArrows(overlays.arrows ?? []);
  drawing.addShapes(overlays.shapes ?? []);
  drawing.addValues(overlays.values ?? {});
  drawing.addIssues(overlays.issues ?? []);
  return drawing.group;
}

class OverlayDrawing {
  readonly group = svg('g', { class: 'overlay' });

  constructor(private readonly geometry: Geometry) {}

  private centre(square: string | undefined): Point | undefined {
    const place = square === undefined ? undefined : this.geometry.place(square);
    return place && this.geometry.centre(place);
  }

  addArrows(arrows: Arrow[]): void {
    // The best arrow is drawn last, on top of the others.
    for (const { from, to, rank } of [...arrows].sort((a, b) => b.rank - a.rank)) {
      const [start, end] = [this.centre(from ?? undefined), this.centre(to)];
      if (!end || isUnknown(from, start)) continue;
      const name = `arrow rank${Math.min(rank, 5)}`;
      if (start) this.group.append(svg('path', { class: name, d: arrowPath(start, end, Math.max(5, 11 - 1.5 * rank)) }));
      else this.group.append(svg('circle', { class: `${name} ring`, cx: end[0], cy: end[1], r: 47 - 2 * rank }));
    }
  }

  /** Adds what a person has drawn, on top of the arrows of the engine. */
  addShapes(shapes: DrawnShape[]): void {
    for (const { from, to, colour } of shapes) {
      const [start, end] = [this.centre(from ?? undefined), this.centre(to)];
      const name = `shape ${colour}`;
      if (!end || isUnknown(from, start)) continue;
      if (start) this.group.append(svg('path', { class: name, d: arrowPath(start, end, 9) }));
      else this.group.append(svg('circle', { class: `${name} circle`, cx: end[0], cy: end[1], r: 46 }));
    }
  }

  addValues(values: Record<string, SquareValue>): void {
    for (const [square, { words, best }] of Object.entries(values)) {
      const centre = this.centre(square);
      if (!centre) continue;
      const text = svg('text', { class: `value ${best ? 'best' : ''}`, x: centre[0], y: centre[1] });
      text.textContent = words;
      this.group.append(text);
    }
  }

  addIssues(squares: string[]): void {
    for (const square of squares) {
      const centre = this.centre(square);
      if (centre) this.addCircle('issue', centre, 47);
    }
  }

  /** Attackers and defenders are drawn for the selected piece; of other attacks only those on undefended pieces. */
  addMarks(marks: TacticalMark[], picked: string | null): void {
    const undefended = new Set(undefendedAttacks(marks));
    for (const mark of marks) {
      const { kind, side, squares } = mark;
      const points = squares.map((square) => this.centre(square)).filter((point) => point !== undefined);
      const [first, second] = points;
      if (!first || points.length < squares.length) continue;
      const concernsPicked = picked !== null && squares.includes(picked);
      if (kind === 'blocked' && second) this.addCross(first, second, side);
      else if (kind === 'screen' && (picked === null || concernsPicked)) this.addChain('screen', points);
      else if (kind === 'pin') this.addChain('pin', points);
      else if (second && !concernsPicked && undefended.has(mark)) this.addCircle('hanging', second, 46);
      else if ((kind === 'attack' || kind === 'guard') && second && concernsPicked) {
        this.group.append(svg('path', { class: `arrow ${kind}`, d: arrowPath(first, second, 7) }));
      } else if (kind === 'stable') this.addCircle('stable', first, 14);
      else if (kind === 'free') this.addLegalMoveDot(first, side);
    }
  }

  private addCircle(name: string, [cx, cy]: Point, r: number): void {
    this.group.append(svg('circle', { class: name, cx, cy, r }));
  }

  private addCross([x0, y0]: Point, [x1, y1]: Point, side: number): void {
    // The cross lies between the piece and the piece that blocks it, so that both stay visible.
    const [x, y] = [x0 + (x1 - x0) * 0.56, y0 + (y1 - y0) * 0.56];
    this.group.append(svg('path', { class: `cross side${side}`, d: `M${x - 11} ${y - 11}l22 22m0 -22l-22 22` }));
  }

  private addChain(name: string, points: Point[]): void {
    const d = `M${points.map((point) => point.join(' ')).join('L')}`;
    this.group.append(svg('path', { class: `chain ${name}`, d }));
    for (const point of points.slice(1, -1)) this.addCircle(`link ${name}`, point, 12);
  }

  private addLegalMoveDot([x, y]: Point, side: number): void {
    const dx = side === 0 ? -24 : 24;
    this.group.append(svg('circle', { class: `free side${side}`, cx: x + dx, cy: y + 30, r: 9 }));
  }
}

/** Returns whether a square is named that the board does not have. */
function isUnknown(square: string | null | undefined, centre: Point | undefined): boolean {
  return typeof square === 'string' && !centre;
}

/** Returns the outline of a slim arrow from the edge of the first piece to just before the second centre. */
function arrowPath([x0, y0]: Point, [x1, y1]: Point, half: number): string {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const tip = length - UNIT * 0.08;
  const head = Math.min(half * 3.6, length * 0.4);
  const at = (along: number, across: number) =>
    `${round(x0 + ux * along - uy * across)} ${round(y0 + uy * along + ux * across)}`;
  const start = Math.min(UNIT * 0.36, length * 0.3);
  const neck = tip - head;
  const points: [number, number][] = [
    [start, half * 0.55],
    [neck, half * 0.55],
    [neck - head * 0.12, half * 1.9],
    [tip, 0],
    [neck - head * 0.12, -half * 1.9],
    [neck, -half * 0.55],
    [start, -half * 0.55],
  ];
  return `M${points.map((point) => at(...point)).join('L')}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

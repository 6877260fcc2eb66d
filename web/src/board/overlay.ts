import { type Geometry, UNIT } from './geometry';
import { svg } from './svg';
import type { Arrow, SquareValue, TacticalMark } from './types';

/** The attacks on men whom nobody protects. */
export function hanging(sights: TacticalMark[]): TacticalMark[] {
  const guarded = new Set(sights.filter(({ kind }) => kind === 'guard').map(({ squares }) => squares[1]));
  return sights.filter(({ kind, squares }) => kind === 'attack' && !guarded.has(squares[1]));
}

type Point = [number, number];

/** Draws what lies over the board: everything is data, nothing is worked out here. */
export class Overlay {
  readonly group = svg('g', { class: 'overlay' });

  constructor(private readonly geometry: Geometry) {}

  private at(square: string | undefined): Point | undefined {
    const place = square === undefined ? undefined : this.geometry.place(square);
    return place && this.geometry.centre(place);
  }

  arrows(arrows: Arrow[]): void {
    // The best lies on top.
    for (const { from, to, rank } of [...arrows].sort((a, b) => b.rank - a.rank)) {
      const [start, end] = [this.at(from ?? undefined), this.at(to)];
      if (!end) continue;
      const name = `arrow rank${Math.min(rank, 5)}`;
      if (start) this.group.append(svg('path', { class: name, d: arrowPath(start, end, Math.max(8, 19 - 3 * rank)) }));
      else this.group.append(svg('circle', { class: `${name} ring`, cx: end[0], cy: end[1], r: 47 - 3 * rank }));
    }
  }

  values(values: Record<string, SquareValue>): void {
    for (const [square, { words, best }] of Object.entries(values)) {
      const at = this.at(square);
      if (!at) continue;
      const text = svg('text', { class: `value ${best ? 'best' : ''}`, x: at[0], y: at[1] });
      text.textContent = words;
      this.group.append(text);
    }
  }

  faults(squares: string[]): void {
    for (const square of squares) {
      const at = this.at(square);
      if (at) this.group.append(svg('circle', { class: 'fault', cx: at[0], cy: at[1], r: 47 }));
    }
  }

  /** What there is to see; who attacks and protects is shown of the man that is picked, and of the others only who hangs. */
  sights(sights: TacticalMark[], picked: string | null): void {
    const hangs = new Set(hanging(sights));
    for (const sight of sights) {
      const { kind, side, squares } = sight;
      const points = squares.map((square) => this.at(square)).filter((point) => point !== undefined);
      const [first, second] = points;
      if (!first || points.length < squares.length) continue;
      const touched = picked !== null && squares.includes(picked);
      if (kind === 'blocked' && second) this.cross(first, second, side);
      else if (kind === 'screen' && (picked === null || touched)) this.chain('screen', points);
      else if (kind === 'pin') this.chain('pin', points);
      else if (second && !touched && hangs.has(sight)) this.ring('hanging', second);
      else if ((kind === 'attack' || kind === 'guard') && second && touched) {
        this.group.append(svg('path', { class: `arrow ${kind}`, d: arrowPath(first, second, 7) }));
      } else if (kind === 'stable') this.ring('stable', first);
      else if (kind === 'free') this.free(first, side);
    }
  }

  private cross([x0, y0]: Point, [x1, y1]: Point, side: number): void {
    // Near the border between the man and what blocks it, so that both stay readable.
    const [x, y] = [x0 + (x1 - x0) * 0.56, y0 + (y1 - y0) * 0.56];
    this.group.append(svg('path', { class: `cross side${side}`, d: `M${x - 11} ${y - 11}l22 22m0 -22l-22 22` }));
  }

  private chain(name: string, points: Point[]): void {
    this.group.append(svg('path', { class: `chain ${name}`, d: `M${points.map((point) => point.join(' ')).join('L')}` }));
    for (const [cx, cy] of points.slice(1, -1)) this.group.append(svg('circle', { class: `link ${name}`, cx, cy, r: 12 }));
  }

  private ring(name: string, [cx, cy]: Point): void {
    this.group.append(svg('circle', { class: name, cx, cy, r: name === 'stable' ? 14 : 46 }));
  }

  private free([x, y]: Point, side: number): void {
    const dx = side === 0 ? -24 : 24;
    this.group.append(svg('circle', { class: `free side${side}`, cx: x + dx, cy: y + 30, r: 9 }));
  }
}

/** The outline of an arrow from near one centre to the other. */
function arrowPath([x0, y0]: Point, [x1, y1]: Point, half: number): string {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = Math.min(half * 3, length * 0.45);
  const at = (along: number, across: number) =>
    `${round(x0 + ux * along - uy * across)} ${round(y0 + uy * along + ux * across)}`;
  const start = Math.min(UNIT * 0.25, length * 0.3);
  const neck = length - head;
  const points: [number, number][] = [
    [start, half * 0.7],
    [neck, half * 0.7],
    [neck, half * 1.9],
    [length, 0],
    [neck, -half * 1.9],
    [neck, -half * 0.7],
    [start, -half * 0.7],
  ];
  return `M${points.map((point) => at(...point)).join('L')}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

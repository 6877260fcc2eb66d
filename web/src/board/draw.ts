import type { Look } from '../wire';
import { Geometry, MARGIN, UNIT } from './geometry';

const SVG = 'http://www.w3.org/2000/svg';

/** An SVG element with attributes. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Record<string, string | number> = {},
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** The board without its men: cells, lines, marks, coordinates. */
export function drawBoard(geometry: Geometry): SVGGElement {
  const { look, width, height } = geometry;
  const board = svg('g', { class: 'board' });
  board.append(
    svg('rect', {
      class: 'wood',
      x: -MARGIN,
      y: -MARGIN,
      width: width + 2 * MARGIN,
      height: height + 2 * MARGIN,
      rx: 14,
    }),
  );
  if (look.layout !== 'points') board.append(drawCells(geometry));
  board.append(drawLines(geometry), drawLegend(geometry), drawNames(geometry));
  return board;
}

function drawCells(geometry: Geometry): SVGGElement {
  const cells = svg('g', { class: geometry.look.layout });
  for (const place of geometry.rows().flat()) {
    const [x, y] = geometry.centre(place);
    const dark = geometry.look.layout === 'checkered' && (place.file + place.rank) % 2 === 0;
    const attributes = { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT };
    cells.append(svg('rect', { class: dark ? 'cell dark' : 'cell', ...attributes }));
  }
  return cells;
}

function drawLines(geometry: Geometry): SVGGElement {
  const lines = svg('g', { class: 'lines' });
  const at = (file: number, rank: number) => geometry.centre({ file, rank });
  for (const [x0, y0, x1, y1] of geometry.look.lines) {
    lines.append(svg('path', { d: `M${at(x0, y0)}L${at(x1, y1)}` }));
  }
  for (const [file, rank] of geometry.look.marks) {
    const [x, y] = at(file, rank);
    for (const [dx, dy] of [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ] as const) {
      const outside = x + dx * UNIT < 0 || x + dx * UNIT > geometry.width;
      const [cx, cy] = [x + 9 * dx, y + 9 * dy];
      if (!outside) lines.append(svg('path', { class: 'mark', d: `M${cx + 15 * dx} ${cy}H${cx}V${cy + 15 * dy}` }));
    }
  }
  return lines;
}

function drawLegend({ look, width, height }: Geometry): SVGGElement {
  const legend = svg('g', { class: 'legend', 'aria-hidden': 'true' });
  look.legend.forEach((words, i) => {
    const text = svg('text', { x: (width * (2 * i + 1)) / (2 * look.legend.length), y: height / 2 });
    text.textContent = words;
    legend.append(text);
  });
  return legend;
}

function drawNames(geometry: Geometry): SVGGElement {
  const { look, height } = geometry;
  const names = svg('g', { class: 'names', 'aria-hidden': 'true' });
  const name = (x: number, y: number, words: string) => {
    const text = svg('text', { x, y });
    text.textContent = words;
    names.append(text);
  };
  look.file_names.forEach((words, file) => name(geometry.centre({ file, rank: 0 })[0], height + MARGIN / 2, words));
  look.rank_names.forEach((words, rank) => name(-MARGIN / 2, geometry.centre({ file: 0, rank })[1], words));
  return names;
}

/** A man: a disc with its outline, or the outline alone on a checkered board. */
export function drawMan(look: Look, letter: string): SVGGElement {
  const man = look.men[letter];
  const group = svg('g', { class: `man side${man?.side ?? 0} ${look.layout}` });
  if (look.layout !== 'checkered') {
    group.append(svg('circle', { class: 'shade', cy: 3, r: 45 }), svg('circle', { class: 'disc', r: 44 }));
  }
  if (look.layout === 'points') group.append(svg('circle', { class: 'ring', r: 37 }));
  if (man?.outline) group.append(svg('path', { class: 'outline', d: man.outline, transform: 'scale(0.1)' }));
  return group;
}

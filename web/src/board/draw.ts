import { Geometry, MARGIN, UNIT } from './geometry';
import { svg } from './svg';
import type { BoardAppearance } from './types';

/** The board without its men: cells, lines, marks, coordinates. */
export function drawBoard(geometry: Geometry): SVGGElement {
  const { look, width, height } = geometry;
  const board = svg('g', { class: `board ${look.layout}` });
  board.append(
    svg('rect', {
      class: 'wood',
      x: -MARGIN,
      y: -MARGIN,
      width: width + 2 * MARGIN,
      height: height + 2 * MARGIN,
      rx: 16,
    }),
  );
  const inner = look.layout === 'points' ? { x: 40, y: 40, width: width - 80, height: height - 80 } : { x: 0, y: 0, width, height };
  if (look.layout !== 'points') board.append(drawCells(geometry));
  board.append(svg('rect', { class: 'border', ...inner }));
  board.append(drawLines(geometry), drawLegend(geometry), drawNames(geometry));
  return board;
}

function drawCells(geometry: Geometry): SVGGElement {
  const cells = svg('g');
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
    const [x, y] = [(width * (2 * i + 1)) / (2 * look.legend.length), height / 2];
    const outline = look.legend_outlines?.[i];
    if (outline) {
      legend.append(svg('path', { d: outline, transform: `translate(${x} ${y}) scale(0.1)` }));
      return;
    }
    const text = svg('text', { x, y });
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

/** The sides whose men have a colour of their own. */
const COLOURS = ['red', 'black', 'white'];

/** Shades of the discs, lit from above; their colours come from the style. */
export function drawShades(): SVGDefsElement {
  const shades = svg('defs');
  for (const colour of COLOURS) {
    const shade = svg('radialGradient', { id: `face-${colour}`, cx: 0.42, cy: 0.32, r: 0.75 });
    shade.append(svg('stop', { offset: 0, class: `lit ${colour}` }), svg('stop', { offset: 1, class: `dim ${colour}` }));
    shades.append(shade);
  }
  return shades;
}

/** A man, to be moved about; what is seen of it is its face, which can be turned. */
export function drawMan(look: BoardAppearance, letter: string, pictures = false): SVGGElement {
  const man = svg('g', { class: 'man' });
  if (look.layout !== 'checkered' || pictures) man.append(svg('ellipse', { class: 'shade', cx: 1, cy: 5, rx: 45, ry: 44 }));
  man.append(drawFace(look, letter, pictures));
  return man;
}

/**
 * A disc with its outline, or the outline alone on a checkered board. It is coloured by the name of its side, if that is a
 * colour. The second look has pictures on the discs; where the usual men are pictures already, it puts them on discs; where
 * they are plain discs, it leaves their gloss out.
 */
export function drawFace(look: BoardAppearance, letter: string, pictures = false): SVGGElement {
  const man = look.men[letter];
  const side = man?.side ?? 0;
  const name = look.sides[side].toLowerCase();
  const colour = COLOURS.includes(name) ? name : ['white', 'black'][side];
  const onDisc = look.layout !== 'checkered' || pictures;
  const dress = pictures ? (look.layout === 'cells' ? 'flat' : 'points') : look.layout;
  const face = svg('g', { class: `face ${dress} ${colour}` });
  if (onDisc) face.append(svg('circle', { class: 'disc', r: 44 }));
  if (dress === 'points') face.append(svg('circle', { class: 'ring', r: 38 }));
  const picture = pictures ? man?.picture : undefined;
  // A picture fills the square; on a disc it must be smaller than a character is.
  const scale = onDisc && (picture || look.layout === 'checkered') ? 0.068 : 0.1;
  const d = picture || man?.outline;
  if (d) face.append(svg('path', { class: 'outline', d, transform: `scale(${scale})` }));
  return face;
}

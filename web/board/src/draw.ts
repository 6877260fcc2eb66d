import { type Geometry, MARGIN, UNIT } from './geometry.js';
import { svg } from './svg.js';
import type { BoardAppearance } from './types.js';

/** Draws the board without pieces: cells, lines, corner marks, legend and coordinates. */
export function drawBoard(geometry: Geometry): SVGGElement {
  const { appearance, width, height } = geometry;
  const onPoints = appearance.layout === 'points';
  const board = svg('g', { class: `board ${appearance.layout}` });
  board.append(
    svg('rect', {
      class: 'background',
      x: -MARGIN,
      y: -MARGIN,
      width: width + 2 * MARGIN,
      height: height + 2 * MARGIN,
      rx: 16,
    }),
  );
  // On intersections the border runs just outside the outer lines, which are half a square inside the drawing.
  const inset = onPoints ? 40 : 0;
  const border = { x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset };
  if (!onPoints) board.append(drawCells(geometry));
  board.append(svg('rect', { class: 'border', ...border }));
  board.append(drawLines(geometry), drawLegend(geometry), drawCoordinates(geometry));
  return board;
}

function drawCells(geometry: Geometry): SVGGElement {
  const cells = svg('g');
  for (const place of geometry.rows().flat()) {
    const [x, y] = geometry.centre(place);
    const dark = geometry.appearance.layout === 'checkered' && (place.file + place.rank) % 2 === 0;
    const attributes = { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT };
    cells.append(svg('rect', { class: dark ? 'cell dark' : 'cell', ...attributes }));
  }
  return cells;
}

function drawLines(geometry: Geometry): SVGGElement {
  const lines = svg('g', { class: 'lines' });
  const centre = (file: number, rank: number) => geometry.centre({ file, rank });
  for (const [x0, y0, x1, y1] of geometry.appearance.lines) {
    lines.append(svg('path', { d: `M${centre(x0, y0)}L${centre(x1, y1)}` }));
  }
  for (const [file, rank] of geometry.appearance.marks) {
    const [x, y] = centre(file, rank);
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

/** Draws the words across the middle. They turn with the board, and stay upright. */
function drawLegend({ appearance, width, height, orientation }: Geometry): SVGGElement {
  const legend = svg('g', { class: 'legend', 'aria-hidden': 'true' });
  appearance.legend.forEach((word, i) => {
    const place = orientation === 'first' ? i : appearance.legend.length - 1 - i;
    const [x, y] = [(width * (2 * place + 1)) / (2 * appearance.legend.length), height / 2];
    const outline = appearance.legend_outlines?.[i];
    if (outline) {
      legend.append(svg('path', { d: outline, transform: `translate(${x} ${y}) scale(0.1)` }));
      return;
    }
    const text = svg('text', { x, y });
    text.textContent = word;
    legend.append(text);
  });
  return legend;
}

function drawCoordinates(geometry: Geometry): SVGGElement {
  const { appearance, height } = geometry;
  const coordinates = svg('g', { class: 'coordinates', 'aria-hidden': 'true' });
  const add = (x: number, y: number, name: string) => {
    const text = svg('text', { x, y });
    text.textContent = name;
    coordinates.append(text);
  };
  if (appearance.edge_names) {
    appearance.edge_names.forEach((names, side) => {
      const isBelow = (side === 0) === (geometry.orientation === 'first');
      const y = isBelow ? height + MARGIN / 2 : -MARGIN / 2;
      names.forEach((name, file) => add(geometry.centre({ file, rank: 0 })[0], y, name));
    });
    return coordinates;
  }
  appearance.file_names.forEach((name, file) => add(geometry.centre({ file, rank: 0 })[0], height + MARGIN / 2, name));
  appearance.rank_names.forEach((name, rank) => add(-MARGIN / 2, geometry.centre({ file: 0, rank })[1], name));
  return coordinates;
}

/** Names of sides that are also colours of pieces. */
const COLOURS = ['red', 'black', 'white'];

/** Draws the gradients of the discs. Their colours are set by the style. */
export function drawGradients(): SVGDefsElement {
  const definitions = svg('defs');
  for (const colour of COLOURS) {
    const gradient = svg('radialGradient', { id: `disc-${colour}`, cx: 0.42, cy: 0.32, r: 0.75 });
    gradient.append(
      svg('stop', { offset: 0, class: `lit ${colour}` }),
      svg('stop', { offset: 1, class: `dim ${colour}` }),
    );
    definitions.append(gradient);
  }
  return definitions;
}

/** Draws a piece: a group that can be moved, with a shadow and a body that can be replaced when a disc flips. */
export function drawPiece(appearance: BoardAppearance, letter: string, pictures = false): SVGGElement {
  const piece = svg('g', { class: 'piece' });
  const hasDisc = appearance.layout !== 'checkered' || pictures;
  if (hasDisc) piece.append(svg('ellipse', { class: 'shadow', cx: 1, cy: 5, rx: 45, ry: 44 }));
  piece.append(drawPieceBody(appearance, letter, pictures));
  return piece;
}

/**
 * Draws the body of a piece: a disc with the outline of the piece, or, on a checkered board, the outline alone. The
 * name of the side gives the colour, if it is one.
 *
 * With `pictures`, the alternative drawing: the pictures of the pieces on discs, the outlines on discs where they are
 * pictures already, or discs without gradient where there are neither.
 */
export function drawPieceBody(appearance: BoardAppearance, letter: string, pictures = false): SVGGElement {
  const { layout, pieces, sides } = appearance;
  const piece = pieces[letter];
  const side = piece?.side ?? 0;
  const sideName = sides[side].toLowerCase();
  const colour = COLOURS.includes(sideName) ? sideName : ['white', 'black'][side];
  const hasDisc = layout !== 'checkered' || pictures;
  const style = pictures ? (layout === 'cells' ? 'flat' : 'points') : layout;
  const body = svg('g', { class: `piece-body ${style} ${colour}` });
  if (hasDisc) body.append(svg('circle', { class: 'disc', r: 44 }));
  if (style === 'points') body.append(svg('circle', { class: 'ring', r: 38 }));
  const picture = pictures ? piece?.picture : undefined;
  // A picture fills a whole square, a character does not, so on a disc a picture is scaled down.
  const scale = hasDisc && (picture || layout === 'checkered') ? 0.078 : 0.1;
  const d = picture || piece?.outline;
  if (d) body.append(svg('path', { class: 'outline', d, transform: `scale(${scale})` }));
  return body;
}

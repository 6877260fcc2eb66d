import { boardAppearance } from './board-data';
import { drawBoard, drawGradients, drawPiece } from '../board/src/draw';
import { Geometry, UNIT } from '../board/src/geometry';
import { piecesFromFen } from '../board/src/position';
import { svgDocument } from '../board/src/snapshot';
import { svg } from '../board/src/svg';
import type { BoardAppearance } from '../board/src/types';
import { loadPictures } from './preferences';
import type { AppearanceDto } from './wire/types';

/** The drawings of a game, made once: copying them is much faster than drawing a board for each row. */
interface Sprites {
  appearance: BoardAppearance;
  geometry: Geometry;
  board: HTMLCanvasElement;
  pieces: Map<string, HTMLCanvasElement>;
  /** The width of a square in pixels of the device. */
  square: number;
}

/** Small pictures of positions, drawn as the board element draws them. */
export class Thumbnails {
  private readonly sprites = new Map<string, Sprites>();

  /** `height` is that of a picture in pixels of the page. */
  constructor(private readonly height: number) {}

  /** Draws the boards and the pieces of all games. */
  async load(appearances: Record<string, AppearanceDto>): Promise<void> {
    await Promise.all(Object.entries(appearances).map(async ([game, dto]) => this.sprites.set(game, await this.draw(dto))));
  }

  private async draw(dto: AppearanceDto): Promise<Sprites> {
    const appearance = { ...boardAppearance(dto, 'en'), edge_names: undefined };
    const geometry = new Geometry(appearance, 'first');
    const square = Math.ceil((this.height * Math.min(devicePixelRatio, 3)) / appearance.ranks);
    const boardDrawing = svg('svg', { viewBox: `0 0 ${geometry.width} ${geometry.height}` });
    boardDrawing.append(drawGradients(), drawBoard(geometry));
    const pictures = loadPictures(dto);
    const pieces = Object.keys(appearance.pieces).map(async (letter) => {
      const drawing = svg('svg', { viewBox: `${-UNIT / 2} ${-UNIT / 2} ${UNIT} ${UNIT}` });
      drawing.append(drawGradients(), drawPiece(appearance, letter, pictures));
      return [letter, await rasterized(drawing, square, square)] as const;
    });
    const board = await rasterized(boardDrawing, square * appearance.files, square * appearance.ranks);
    return { appearance, geometry, board, pieces: new Map(await Promise.all(pieces)), square };
  }

  /** Returns the width of the pictures of a game in pixels of the page. */
  width(game: string): number {
    const appearance = this.sprites.get(game)?.appearance;
    return appearance ? (this.height * appearance.files) / appearance.ranks : this.height;
  }

  /** Draws a position, or an empty board if there is none. */
  drawPosition(canvas: HTMLCanvasElement, game: string, placement: string): void {
    const sprites = this.sprites.get(game);
    const context = canvas.getContext('2d');
    if (!sprites || !context) return;
    const { board, pieces, square, geometry, appearance } = sprites;
    if (canvas.width !== board.width || canvas.height !== board.height) {
      [canvas.width, canvas.height] = [board.width, board.height];
    }
    context.drawImage(board, 0, 0);
    for (const [name, letter] of Object.entries(placement ? piecesFromFen(appearance, placement) : {})) {
      const place = geometry.place(name);
      const piece = pieces.get(letter);
      if (!place || !piece) continue;
      const [x, y] = geometry.centre(place);
      context.drawImage(piece, (x / UNIT - 0.5) * square, (y / UNIT - 0.5) * square);
    }
  }
}

/** Returns a drawing as an image of a size in pixels. */
async function rasterized(drawing: SVGSVGElement, width: number, height: number): Promise<HTMLCanvasElement> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgDocument(drawing))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
  return canvas;
}

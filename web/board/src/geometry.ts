import type { BoardAppearance, Orientation } from './types.js';

/** The width of a square, in units of the drawing. */
export const UNIT = 100;
/** The width of the margin for the coordinates, in units. */
export const MARGIN = 36;

/** The columns to the right and the rows down that an arrow key goes. */
export const ARROW_STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The file and the rank of a square, both counted from 0 at the first player's left corner. */
export interface Place {
  file: number;
  rank: number;
}

/** The squares of a board: their names, and where they are drawn. */
export class Geometry {
  private readonly places = new Map<string, Place>();

  constructor(
    readonly appearance: BoardAppearance,
    readonly orientation: Orientation,
  ) {
    appearance.rank_names.forEach((rankName, rank) =>
      appearance.file_names.forEach((fileName, file) => this.places.set(fileName + rankName, { file, rank })),
    );
  }

  get width(): number {
    return this.appearance.files * UNIT;
  }

  get height(): number {
    return this.appearance.ranks * UNIT;
  }

  /** Returns the file and the rank of a square, given its name. */
  place(square: string): Place | undefined {
    return this.places.get(square);
  }

  name({ file, rank }: Place): string {
    return (this.appearance.file_names[file] ?? '') + (this.appearance.rank_names[rank] ?? '');
  }

  /** Returns the centre of a square in the drawing. The y axis points down. */
  centre({ file, rank }: Place): [x: number, y: number] {
    const { files, ranks } = this.appearance;
    const [column, row] = this.orientation === 'first' ? [file, ranks - 1 - rank] : [files - 1 - file, rank];
    return [(column + 0.5) * UNIT, (row + 0.5) * UNIT];
  }

  /** Returns the square at a point of the drawing, or undefined outside the board. */
  at(x: number, y: number): Place | undefined {
    const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
    return this.rows()[row]?.[column];
  }

  /** Returns the rows of squares as they are drawn, from the top left. */
  rows(): Place[][] {
    const { files, ranks } = this.appearance;
    const first = this.orientation === 'first';
    return Array.from({ length: ranks }, (_, row) =>
      Array.from({ length: files }, (_, column) => ({
        file: first ? column : files - 1 - column,
        rank: first ? ranks - 1 - row : row,
      })),
    );
  }

  /** Returns the square that many columns to the right and rows down in the drawing, or undefined outside the board. */
  step(from: Place, columns: number, rows: number): Place | undefined {
    const { files, ranks } = this.appearance;
    const sign = this.orientation === 'first' ? 1 : -1;
    const to = { file: from.file + sign * columns, rank: from.rank - sign * rows };
    return to.file >= 0 && to.file < files && to.rank >= 0 && to.rank < ranks ? to : undefined;
  }
}

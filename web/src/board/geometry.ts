import type { BoardAppearance, Orientation } from './types';

/** Units of the picture for one square. */
export const UNIT = 100;
/** Room around the squares for coordinates, in units. */
export const MARGIN = 36;

/** File and rank, both from 0 at the first player's left corner. */
export interface Place {
  file: number;
  rank: number;
}

/** The squares of a board, where they are seen, and what they are called. */
export class Geometry {
  private readonly places = new Map<string, Place>();

  constructor(
    readonly look: BoardAppearance,
    readonly orientation: Orientation,
  ) {
    look.rank_names.forEach((rankName, rank) =>
      look.file_names.forEach((fileName, file) => this.places.set(fileName + rankName, { file, rank })),
    );
  }

  get width(): number {
    return this.look.files * UNIT;
  }

  get height(): number {
    return this.look.ranks * UNIT;
  }

  place(square: string): Place | undefined {
    return this.places.get(square);
  }

  name({ file, rank }: Place): string {
    return (this.look.file_names[file] ?? '') + (this.look.rank_names[rank] ?? '');
  }

  /** The centre of a place on the picture, y down. */
  centre({ file, rank }: Place): [number, number] {
    const { files, ranks } = this.look;
    const [column, row] = this.orientation === 'first' ? [file, ranks - 1 - rank] : [files - 1 - file, rank];
    return [(column + 0.5) * UNIT, (row + 0.5) * UNIT];
  }

  /** The place under a point of the picture, if it is on the board. */
  at(x: number, y: number): Place | undefined {
    const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
    return this.rows()[row]?.[column];
  }

  /** The squares in reading order: top row first, as seen. */
  rows(): Place[][] {
    const { files, ranks } = this.look;
    const first = this.orientation === 'first';
    return Array.from({ length: ranks }, (_, row) =>
      Array.from({ length: files }, (_, column) => ({
        file: first ? column : files - 1 - column,
        rank: first ? ranks - 1 - row : row,
      })),
    );
  }

  /** The place that many columns and rows further as seen, if it is on the board. */
  step(from: Place, columns: number, rows: number): Place | undefined {
    const sign = this.orientation === 'first' ? 1 : -1;
    const to = { file: from.file + sign * columns, rank: from.rank - sign * rows };
    const onBoard = to.file >= 0 && to.file < this.look.files && to.rank >= 0 && to.rank < this.look.ranks;
    return onBoard ? to : undefined;
  }
}

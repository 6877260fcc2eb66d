import { currentAppearance, type EarlierAppearance } from './earlier-names.js';
import type { BoardAppearance, BoardTarget } from './types.js';

/** Letters of other programs, by the letters of a look in the order of their codes. */
const OTHER_LETTERS: Record<string, Record<string, string>> = {
  ABCKNPRabcknpr: { E: 'B', e: 'b', H: 'N', h: 'n' },
  OX: { x: 'X', '*': 'X', B: 'X', b: 'X', p: 'X', o: 'O', W: 'O', w: 'O', P: 'O' },
};

/**
 * Returns the pieces of a position, for the property `pieces`.
 *
 * `text` is a FEN, of which only the placement is read, or a board text: one character a square by rows from the
 * corner `a1`, with `-` or `.` for an empty square, and perhaps the side to move at the end.
 *
 * @throws Error if the text does not fill the board of the look exactly or has a letter that is no piece of it.
 */
export function piecesFromFen(given: BoardAppearance | EarlierAppearance, text: string): Record<string, string> {
  const look = currentAppearance(given);
  const placement = text.trim().split(/[\s[]/)[0] ?? '';
  const isFen = placement.includes('/');
  // A FEN begins with the highest rank, a board text with the lowest. Othello numbers its ranks from the top.
  const isNumberedFromTop = Number(look.rank_names[0]) > Number(look.rank_names.at(-1));
  const ranks = isFen === isNumberedFromTop ? look.rank_names : [...look.rank_names].reverse();
  const rows = isFen ? fenRows(look, placement) : boardRows(look, text.replaceAll(/\s/g, ''));
  const other = OTHER_LETTERS[Object.keys(look.pieces).sort().join('')] ?? {};
  const pieces: Record<string, string> = {};
  rows.forEach((row, i) =>
    row.forEach((character, file) => {
      if (character === undefined) return;
      const square = `${look.file_names[file]}${ranks[i]}`;
      const letter = look.pieces[character] ? character : other[character];
      if (letter === undefined) throw error(look, text, `${JSON.stringify(character)} on ${square} is no piece`);
      pieces[square] = letter;
    }),
  );
  return pieces;
}

/** @deprecated The name of earlier versions for `piecesFromFen`. */
export const menFromFen = piecesFromFen;

/**
 * Returns a move for the property `targets`: the piece on `from` goes to `to` and captures what stands there. `pieces`
 * are the pieces before the move. Moves that change more squares, such as castling, need a script of their own.
 *
 * @throws Error if there is no piece on `from`.
 */
export function moveTarget(pieces: Record<string, string>, from: string, to: string): BoardTarget {
  const piece = pieces[from];
  if (piece === undefined) throw new Error(`alfil-board: no piece on ${from}, so there is no move from ${from} to ${to}`);
  const captured = pieces[to];
  const capture = captured === undefined ? [] : [{ do: 'lift' as const, square: to, piece: captured }];
  const script = [{ do: 'lift' as const, square: from, piece }, ...capture, { do: 'put' as const, square: to, piece }];
  return { from, to, text: from + to, script, choice: null };
}

type Row = (string | undefined)[];

function fenRows(look: BoardAppearance, placement: string): Row[] {
  const rows = placement.split('/');
  if (rows.length !== look.ranks) throw error(look, placement, `${look.ranks} rows were expected, not ${rows.length}`);
  // Only a board with more than nine files has numbers of two digits.
  const items = look.files > 9 ? /\d+|./gu : /./gu;
  return rows.map((text, i) => {
    const row = (text.match(items) ?? []).flatMap((item): Row => (/^\d/.test(item) ? Array(Number(item)).fill(undefined) : [item]));
    if (row.length !== look.files) {
      throw error(look, placement, `row ${i + 1}, ${JSON.stringify(text)}, has ${row.length} squares instead of ${look.files}`);
    }
    return row;
  });
}

function boardRows(look: BoardAppearance, text: string): Row[] {
  const squares = look.files * look.ranks;
  if (text.length !== squares && text.length !== squares + 1) {
    throw error(look, text, `a FEN, or a text of ${squares} squares was expected, not ${text.length} characters`);
  }
  const row = (_: unknown, rank: number): Row =>
    [...text.slice(rank * look.files, (rank + 1) * look.files)].map((character) => (/[-.]/.test(character) ? undefined : character));
  return Array.from({ length: look.ranks }, row);
}

function error(look: BoardAppearance, text: string, what: string): Error {
  return new Error(`alfil-board: ${JSON.stringify(text)} is no position of ${look.title}: ${what}`);
}

import type { BoardMessages } from './types.js';

/** What a cell of the grid says and allows. */
export interface CellState {
  square: string;
  /** The name of its piece; empty if there is none. */
  name: string;
  /** Whether the selected piece can move to the cell. */
  open: boolean;
  /** Whether the rules refuse the move of the selected piece to the cell. */
  refused: boolean;
  /** What is to be said about that move. */
  note: string | undefined;
  /** Whether the piece of the cell is selected. */
  picked: boolean;
  /** Whether the piece of the cell can be selected. */
  movable: boolean;
  /** Whether Tab reaches the cell. */
  hasTab: boolean;
  words: BoardMessages;
}

/**
 * Updates a cell of the grid. Most cells stay as they are, and writing to the document takes longer than comparing.
 */
export function updateCell(cell: HTMLElement, state: CellState): void {
  const { square, name, open, refused, note, picked, movable, hasTab, words } = state;
  const text = picked ? words.picked : open ? words.open : refused ? words.refused : undefined;
  const condition = text ? `, ${text}` : '';
  set(cell, 'class', `square${movable ? ' movable' : ''}${open ? ' open' : ''}${refused ? ' refused' : ''}`);
  set(cell, 'aria-label', `${square} ${name || words.empty}${condition}${note ? `. ${note}` : ''}`);
  set(cell, 'title', note ?? name);
  set(cell, 'aria-selected', String(picked));
  set(cell, 'tabindex', hasTab ? '0' : '-1');
}

function set(cell: HTMLElement, name: string, value: string): void {
  if (cell.getAttribute(name) !== value) cell.setAttribute(name, value);
}

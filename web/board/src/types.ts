/** The data types of `<alfil-board>`. The element knows no server: a page converts what it has to these types. */

/** 0 for the first player, 1 for the second. */
export type Side = 0 | 1;

/** The player who sits at the bottom of the board. */
export type Orientation = 'first' | 'second';

/** One change of the board during a move. */
export interface BoardChange {
  do: 'put' | 'lift' | 'turn';
  square: string;
  /** The letter of the piece after the change, or of the lifted piece. */
  piece: string;
}

/** A move that the user may make. */
export interface BoardTarget {
  /** The square of the piece that moves; null if a new piece is placed. */
  from: string | null;
  /** The square where the piece arrives; null for a pass. */
  to: string | null;
  text: string;
  /** The changes of the board that the move makes. */
  script: BoardChange[];
  /** The letter that distinguishes several moves between the same squares, such as promotions. */
  choice: string | null;
  /** A warning about the move, shown and read out before it is made. */
  note?: string;
  /** Why the rules refuse the move in this game now: it is drawn as refused, and choosing it makes no move. */
  refused?: string;
}

/** The name and the drawing of one kind of piece. */
export interface PieceAppearance {
  side: Side;
  name: string;
  /** SVG path data in thousandths of a square, centred at 0; empty for a plain disc. */
  outline: string;
  /** SVG path data of the alternative drawing. */
  picture?: string;
}

/** The board and the pieces of a game, as they are drawn. */
export interface BoardAppearance {
  title: string;
  files: number;
  ranks: number;
  /** Pieces on intersections, on cells of two colours, or on cells of one colour. */
  layout: 'points' | 'checkered' | 'cells';
  /** The names of the files, from the first player's left. */
  file_names: string[];
  /** The names of the ranks, from the first player's side. */
  rank_names: string[];
  /**
   * The names that are written at the edges of both players, from the first player's left, where each player counts the
   * files from their own right. They take the place of the names of files and ranks, which still name the squares.
   */
  edge_names?: [string[], string[]];
  /** Lines on the board: x and y of both ends, in squares. */
  lines: [number, number, number, number][];
  /** Intersections with corner marks. */
  marks: [number, number][];
  /** The names of the sides. `Red`, `Black` and `White` are also the colours of their pieces. */
  sides: [string, string];
  /** The kinds of pieces by letter. */
  pieces: Record<string, PieceAppearance>;
  /** Text across the middle of the board. */
  legend: string[];
  /** The same text as SVG path data. */
  legend_outlines?: string[];
}

/** An arrow on the board; without `from`, a ring around `to`. A lower rank is drawn broader and darker. */
export interface Arrow {
  from: string | null;
  to: string;
  rank: number;
}

/** The colour of a drawn arrow or circle. */
export type ShapeColour = 'green' | 'red' | 'blue' | 'yellow';

/** An arrow that a person has drawn; without `from`, a circle around `to`. */
export interface DrawnShape {
  from: string | null;
  to: string;
  colour: ShapeColour;
}

/** A short text on a square. The best values have a colour of their own. */
export interface SquareValue {
  words: string;
  best: boolean;
}

/**
 * A tactical relation between squares: a blocked move, a screen, an attack, a defence, a pin; a stable disc or a legal
 * move.
 */
export interface TacticalMark {
  kind: 'blocked' | 'screen' | 'attack' | 'guard' | 'pin' | 'stable' | 'free';
  side: Side;
  squares: string[];
}

/** Everything that is drawn over the pieces. */
export interface Overlays {
  arrows?: Arrow[];
  /** Arrows and circles that a person has drawn. */
  shapes?: DrawnShape[];
  /** The squares of a move that will be made after the opponent's reply. */
  premove?: string[];
  values?: Record<string, SquareValue>;
  tacticalMarks?: TacticalMark[];
  /** Squares that a setup issue concerns. */
  issues?: string[];
}

/** The texts of the element for screen readers. */
export interface BoardMessages {
  /** The name of the board; `{0}` stands for the title of the game. */
  board: string;
  empty: string;
  picked: string;
  open: string;
  /** What is said of a square to which the rules refuse the move. */
  refused?: string;
  /** The title of the menu in which the user chooses between several moves to a square. */
  choose?: string;
}

/** The detail of the event `pick`: a piece was selected. */
export interface PickDetail {
  square: string;
}

/**
 * The detail of the event `drop`: a move was made. With several targets, which come without `picker` alone, the page
 * lets the user choose one.
 */
export interface DropDetail {
  targets: [BoardTarget, ...BoardTarget[]];
}

/** The detail of the event `refuse`: a move was chosen that the rules refuse. */
export interface RefuseDetail {
  target: BoardTarget;
}

/** The detail of the event `place` while a position is set up: a piece was dragged, or a square was clicked. */
export interface PlaceDetail {
  /** The square of the dragged piece; null if a square was clicked. */
  from: string | null;
  /** The square of the click, or where the piece was dropped; null off the board. */
  to: string | null;
}

/** The events of the element by name. `drop` is not that of files, which `<alfil-board>` does not take. */
export interface AlfilBoardEventMap extends Omit<HTMLElementEventMap, 'drop'> {
  pick: CustomEvent<PickDetail>;
  drop: CustomEvent<DropDetail>;
  refuse: CustomEvent<RefuseDetail>;
  place: CustomEvent<PlaceDetail>;
  /** An arrow or a circle was drawn with the right button, or after a long press. */
  draw: CustomEvent<DrawnShape>;
}

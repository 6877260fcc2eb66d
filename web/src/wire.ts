/** The JSON messages between the page and the server, see apps/server/src/wire.rs. Field names and values are a contract. */

export interface Change {
  do: 'put' | 'lift' | 'turn';
  square: string;
  piece: string;
}

export interface Target {
  from: string | null;
  to: string | null;
  text: string;
  script: Change[];
  choice: string | null;
}

export interface Step {
  text: string;
  script: Change[];
  sound: 'move' | 'capture' | 'check' | 'end';
}

export type Side = 0 | 1;

export interface Ending {
  winner: Side | null;
  cause: string;
  words: string;
  words_zh: string;
}

/** A legal move that would end the game by its laws, without a win for who plays it. */
export interface Warning {
  text: string;
  label: string;
  ending: Ending;
}

export interface Position {
  fen: string;
  side: Side;
  men: Record<string, string>;
  last: string[];
  check: string | null;
  words: string;
  ending: Ending | null;
  targets: Target[];
  warnings: Warning[];
  tally: [number, number];
  occurrences: number;
  clock: Clock | null;
}

/** How a clock begins and goes on, in milliseconds. */
export interface Pace {
  base: number;
  increment: number;
}

/** What each side had left when it was sent, in milliseconds; whose time runs, and whose is over. */
export interface Clock extends Pace {
  left: [number, number];
  running: Side | null;
  flagged: Side | null;
  /** Whether the other side could not win any more when it was over. */
  drawn: boolean;
}

export interface Look {
  game: string;
  title: string;
  title_zh?: string;
  files: number;
  ranks: number;
  layout: 'points' | 'checkered' | 'cells';
  file_names: string[];
  rank_names: string[];
  lines: [number, number, number, number][];
  marks: [number, number][];
  sides: [string, string];
  sides_zh?: [string, string];
  men: Record<string, { side: Side; name: string; name_zh?: string; outline: string; picture?: string }>;
  legend: string[];
  legend_outlines?: string[];
  /** Whether the board shows the value of every legal move on its square, as Othello programs do, instead of arrows. */
  shows_move_values?: boolean;
  /** Whether the number of pieces of each side is shown beside its name, because it decides the game. */
  shows_piece_counts?: boolean;
}

/** A tactical mark of the X-ray view. */
export interface Sight {
  kind: 'blocked' | 'screen' | 'attack' | 'guard' | 'pin' | 'stable' | 'free';
  side: Side;
  squares: string[];
}

export interface GameName {
  game: string;
  title: string;
  title_zh: string;
  sides: [string, string];
  sides_zh: [string, string];
}

export interface KeptGame {
  id: string;
  game: string;
  plies: number;
  /** Seconds since 1970. */
  changed: number;
}

/** A rule book. */
export interface Book {
  name: string;
  title: string;
  title_zh: string;
}

export interface GameShape {
  id: string;
  game: string;
  /** The side of the person; null in analysis. */
  person: Side | null;
  level: number;
  resigned: Side | null;
  dialects: string[];
  /** The same move in each of them. */
  samples: string[];
  dialect: string;
  /** The one that readers of English expect. */
  dialect_en: string;
  /** The one that readers of Chinese expect. */
  dialect_zh: string | null;
  /** What each of them is called. */
  dialects_en: string[];
  dialects_zh: string[];
  books: Book[];
  book: string | null;
  start: string;
  /** Who began, and the number of the first move. */
  first: Side;
  number: number;
}

/** Hundredths, positive if the first side stands better; `mate` in plies. */
export interface Score {
  value: number;
  mate: number | null;
}

export interface Node {
  node: number;
  parent: number;
  text: string;
  label: string;
  comment?: string;
  score?: Score;
  best?: string;
  /** The same as the chosen dialect writes it. */
  best_label?: string;
  children?: number[];
}

export interface Setup {
  fen: string;
  grievances: { name: string; words: string; words_zh: string; squares: string[]; waivable: boolean }[];
  men: Record<string, string> | null;
  side: Side | null;
}

/** A judge's ruling on a game. */
export interface Ruling {
  book: string;
  /** Without a verdict the game goes on. */
  decided: boolean;
  winner: Side | null;
  plies: { ply: number; nature: 'check' | 'kill' | 'chase' | 'exchange' | 'offer' | 'follow' | 'block' | 'idle'; victims: string[] }[];
  explanation: string[];
  instead: string[];
  /** Where sources dispute it: what each reading comes to, and why. */
  readings: { winner: Side | null; words: string }[];
}

export interface Answer {
  id: number;
  error?: string;
  error_zh?: string;
  /** The same in a word, where the page can say it by itself. */
  cause?: 'over' | 'changed' | 'gone' | 'other' | 'empty' | 'failed';
  /** The kind of game that would understand what was pasted. */
  other?: string;
  /** Whether what was pasted is a position that can be let pass where it is set up. */
  waivable?: boolean;
  games?: GameName[];
  kept?: KeptGame[];
  more?: boolean;
  game?: GameShape;
  look?: Look;
  tree?: Node[];
  node?: number;
  step?: Step;
  steps?: Step[];
  position?: Position;
  hint?: string;
  sights?: Sight[];
  setup?: Setup;
  ruling?: Ruling;
  text?: string;
}

export interface Thought {
  event: 'thought';
  of: number;
  node: number;
  rank: number;
  depth: number;
  score: Score;
  nodes: number;
  seconds: number;
  line: string[];
  labels: string[];
}

export interface Waiting {
  event: 'waiting';
  of: number;
}

/** The engine broke off; an answer follows all the same. */
export interface Failed {
  event: 'failed';
  of: number;
}

export interface Reviewed {
  event: 'reviewed';
  of: number;
  node: number;
  score: Score;
  best: string | null;
}

export type Changed = { event: 'changed' } & Answer;

export type Event = Thought | Waiting | Failed | Reviewed | Changed;

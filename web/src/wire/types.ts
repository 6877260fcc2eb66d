// Generated from crates/page/src/wire by `cargo xtask wire`: do not edit.

/** The appearance of a board: see [`alfil_session::Appearance`]. */
export type AppearanceDto = {
  /** The name of the game on the command line. */
  game: string;
  /** The title in English. */
  title: string;
  /** The title in Chinese. */
  title_zh: string;
  /** The number of files. */
  files: number;
  /** The number of ranks. */
  ranks: number;
  /** The layout. */
  layout: BoardLayout;
  /** The names of the files. */
  file_names: Array<string>;
  /** The names of the ranks. */
  rank_names: Array<string>;
  /** The names of the files at the edges of both players, by the dialect. */
  edge_names_by_dialect: { [key in string]: [Array<string>, Array<string>] };
  /** The lines of the board, as x and y of both ends. */
  lines: Array<[number, number, number, number]>;
  /** The points with a mark. */
  marks: Array<[number, number]>;
  /** The names of the sides in English. */
  sides: [string, string];
  /** The pieces by letter, in their usual order. */
  pieces: { [key in string]: PieceAppearanceDto };
  /** The words in the middle of the board. */
  legend: Array<string>;
  /** The words as SVG paths in thousandths of a square; empty if all fonts have their letters. */
  legend_outlines: Array<string>;
  /** Whether the page shows the value of every legal move on its square instead of arrows. */
  shows_move_values: boolean;
  /** Whether the page shows the number of pieces beside the name of each side. */
  shows_piece_counts: boolean;
  /** The names of the sides in Chinese. */
  sides_zh: [string, string];
};

/** A change of the board. */
export type BoardChangeDto = {
  /** The kind of change. */
  do: BoardChangeKind;
  /** The square. */
  square: string;
  /** The letter of the piece: after the change, or before it was lifted. */
  piece: string;
};

/** The kind of a change of the board. */
export type BoardChangeKind = 'put' | 'lift' | 'turn';

/** Where the pieces stand, and how squares are drawn: see [`Layout`]. */
export type BoardLayout = 'points' | 'checkered' | 'cells';

/** A request from the page. */
export type ClientRequest =
  | {
    do: 'games';
    /** The number of saved games to skip. */
    skip?: number;
  }
  | { do: 'new' } & NewGame
  | {
    do: 'open';
    /** The id of the game. */
    game: string;
    /** The id of the tree node to go to; by default the end of the main line. */
    node?: number | null;
    /** The text of a position to go to, if the game has it. */
    position?: string | null;
    /** Whether to go to the first move otherwise. */
    first?: boolean;
  }
  | {
    do: 'restore';
    /** The id of the game. */
    game: string;
  }
  | {
    do: 'forget';
    /** The id of the game. */
    game: string;
  }
  | {
    do: 'play';
    /** The move in the default dialect, or in `dialect`. */
    text: string;
    /** The dialect of the move. */
    dialect?: string | null;
  }
  | {
    do: 'walk';
    /** The moves to play, in order, in the default dialect. */
    moves: Array<string>;
  }
  | {
    do: 'go';
    /** The id of the tree node to go to. */
    node: number;
  }
  | {
    do: 'undo';
    /** The number of plies. */
    plies: number;
  }
  | {
    do: 'prune';
    /** The id of the tree node. */
    node: number;
  }
  | {
    do: 'comment';
    /** The id of the tree node. */
    node: number;
    /** The comment; empty to remove it. */
    text: string;
    /** Whether it is still being typed: with the last change of the same comment it is then one edit. */
    continues?: boolean;
  }
  | {
    do: 'seat';
    /** The person's side; null in analysis. */
    person?: Side | null;
    /** Whether two people play at one screen. */
    two_people?: boolean;
    /** The levels of both sides, if the computer plays against itself. */
    levels?: [number, number] | null;
    /** The skill level of the computer against the person. */
    level: number;
    /** The external engine that plays against the person; by default the built-in one. */
    engine?: string | null;
  }
  | {
    do: 'tags';
    /** The names and values, in their order. */
    tags: Array<[string, string]>;
  }
  | { do: 'undo_change' }
  | { do: 'redo_change' }
  | { do: 'resign' }
  | {
    do: 'pace';
    /** The time in milliseconds; by default a short one. */
    reply_ms?: number | null;
  }
  | {
    do: 'pause';
    /** Whether the moves wait. */
    paused: boolean;
  }
  | { do: 'continue' }
  | {
    do: 'hint';
    /** The maximal time in milliseconds. */
    time?: number | null;
  }
  | {
    do: 'analyse';
    /** The number of lines. */
    lines: number;
    /** The maximal time in seconds. */
    seconds?: number | null;
    /** Whether the search runs until it is stopped. */
    infinite?: boolean;
    /** Whether to search what the opponent would play if the side to move passed. */
    threat?: boolean;
    /** The number of threads, from now on. */
    threads?: number | null;
    /** The size of the transposition table in MiB, from now on. */
    hash?: number | null;
    /** The name of the external engine that analyses; by default the built-in one. */
    engine?: string | null;
  }
  | {
    do: 'review';
    /** Whether each position is searched with more nodes. */
    deep?: boolean;
  }
  | {
    do: 'try';
    /** The id of the tree node of the position. */
    node: number;
    /** The move in the default dialect. */
    text: string;
  }
  | { do: 'summary' }
  | {
    do: 'marks';
    /** The id of the tree node. */
    node: number;
    /** The numbers of the marks (NAGs), as in PGN. */
    nags: Array<number>;
  }
  | {
    do: 'promote';
    /** The id of the tree node. */
    node: number;
  }
  | { do: 'nags' }
  | {
    do: 'diagrams';
    /** The ids of the tree nodes. */
    nodes: Array<number>;
  }
  | {
    do: 'positions';
    /** The ids of the tree nodes. */
    nodes: Array<number>;
  }
  | { do: 'stop' }
  | {
    do: 'ruleset';
    /** The name of the ruleset. */
    name: string;
  }
  | {
    do: 'dialect';
    /** The name of the dialect. */
    name: string;
  }
  | {
    do: 'engines';
    /** The name of the game. */
    game: string;
  }
  | { do: 'premoves' }
  | {
    do: 'starts';
    /** The name of the game. */
    game: string;
    /** The number of a start position whose text is needed. */
    number?: number | null;
  }
  | {
    do: 'lessons';
    /** The name of the game. */
    game: string;
  }
  | {
    do: 'quiz';
    /** The name of the game. */
    game: string;
    /** The dialect of the moves; by default that of the language. */
    dialect?: string | null;
    /** Whether the rulings are in Chinese. */
    chinese?: boolean;
  }
  | { do: 'tactical_marks' }
  | {
    do: 'rule';
    /** The ruleset; by default that of the game. */
    ruleset?: string | null;
    /** The occurrence at which a repetition is judged; by default that of the ruleset. */
    occurrences?: number | null;
    /** Whether the explanation is in Chinese. */
    chinese?: boolean;
  }
  | {
    do: 'rule_all';
    /** The occurrence at which a repetition is judged; by default that of each ruleset. */
    occurrences?: number | null;
    /** Whether the reasons are in Chinese. */
    chinese?: boolean;
  }
  | {
    do: 'arrange';
    /** The piece letters by square. */
    pieces: { [key in string]: string };
    /** The side to move. */
    side: Side;
    /**
     * The position text of these pieces with the other side to move, whose castling rights are kept; without it
     * all that are possible are given.
     */
    before?: string | null;
  }
  | {
    do: 'examine';
    /** The text. */
    fen: string;
    /** Whether errors are in Chinese. */
    chinese?: boolean;
  }
  | {
    do: 'import';
    /** The pasted text. */
    text: string;
    /** Whether each character of the text is a byte of a file that is not UTF-8. */
    bytes?: boolean;
    /** The game of a position or a list of moves; by default that of the open game. */
    game?: string | null;
    /** Whether errors of a record file are in Chinese. */
    chinese?: boolean;
    /** The name of the collection of several games. */
    name?: string;
  }
  | {
    do: 'export';
    /** The id of a tree node: only the line to it is returned; by default the whole game. */
    node?: number | null;
    /** Whether the marks and the scores of the review are written, too. */
    review?: boolean;
  }
  | { do: 'library' } & LibraryRequest;

/** The clock at the moment of the message. */
export type ClockDto = {
  /** The remaining time of each side, in milliseconds. */
  left: [number, number];
  /** The side whose clock runs: 0 or 1. */
  running: Side | null;
  /** The side whose flag has fallen, 0 or 1: it has lost, unless `drawn` is set. */
  flagged: Side | null;
  /** Whether the flag fall was a draw, because the opponent could not win. */
  drawn: boolean;
  /** The time of each side for the game. */
  base: number;
  /** The increment per move. */
  increment: number;
};

/** The collections, and the numbers of games. */
export type CollectionList = {
  /** The number of all games. */
  all: number;
  /** The number of games outside of all collections. */
  single: number;
  /** The number of deleted games that can be restored. */
  deleted: number;
  /** The collections, the newest first. */
  rows: Array<CollectionRow>;
};

/** The name of an imported collection. */
export type CollectionName = {
  /** The name. */
  name: string;
  /** Whether it has a number because another collection has the name of the file. */
  is_renamed: boolean;
  /** The name of another collection with the same games. */
  same_games: string | null;
};

/** A collection in a list. */
export type CollectionRow = {
  /** The id of the collection. */
  id: string;
  /** The name. */
  name: string;
  /** The number of its games. */
  games: number;
};

/** A position to be drawn. */
export type DiagramDto = {
  /** The id of the tree node. */
  node: number;
  /** The side to move: 0 or 1. */
  side: Side;
  /** The piece letters by square. */
  pieces: { [key in string]: string };
  /** The squares of the last move. */
  last: Array<string>;
  /** The square of the king in check. */
  check: string | null;
};

/** An edit of a game. */
export type EditDto = {
  /** The kind: `moves`, `take_back`, `deletion`, `comment`, `marks`, `promotion`, `tags` or `resignation`. */
  kind: EditKind;
  /** The number of moves that it added or removed. */
  moves: number;
};

/**
 * The kind of an edit. `marks` are the annotation marks of a move; a `promotion` puts a variation before the
 * others.
 */
export type EditKind = 'moves' | 'take_back' | 'deletion' | 'comment' | 'marks' | 'promotion' | 'tags' | 'resignation';

/** The edits that would be undone and redone next. */
export type EditsDto = {
  /** The edit to undo. */
  undo: EditDto | null;
  /** The edit to redo. */
  redo: EditDto | null;
};

/** The explanation of a way in which a game ends. */
export type EndLessonDto = {
  /** The cause in one word, as in `GameEndDto::cause`. */
  cause: string;
  /** The explanation in English. */
  text: string;
  /** The explanation in Chinese. */
  text_zh: string;
};

/** The code of an error whose text the page supplies in its own language. */
export type ErrorCode = 'over' | 'changed' | 'gone' | 'other' | 'empty' | 'failed' | 'no_edit' | 'not_saved';

/** What a ruleset is known from. */
export type Evidence = 'text' | 'diagrams' | 'measured';

/** The open game. */
export type GameDto = {
  /** The id of the game. */
  id: string;
  /** The name of the game. */
  game: string;
  /** The person's side; null in analysis. */
  person: Side | null;
  /** Whether two people play at one screen. */
  two_people?: boolean;
  /** The skill level of the computer. */
  level: number;
  /** The levels of both sides, if the computer plays against itself. */
  levels?: [number, number];
  /** The external engine that plays against the person, or played last. */
  engine?: string;
  /** Whether the computer's moves wait until a person lets the game go on. */
  paused?: boolean;
  /** The side that resigned. */
  resigned: Side | null;
  /** The dialects, the default first. */
  dialects: Array<string>;
  /** The names of the dialects in English. */
  dialects_en: Array<string>;
  /** The names of the dialects in Chinese. */
  dialects_zh: Array<string>;
  /** The same move in each dialect. */
  samples: Array<string>;
  /** The rulesets; empty if there is only one. */
  rulesets: Array<RulesetDto>;
  /** The chosen ruleset. */
  ruleset: string | null;
  /** The chosen dialect. */
  dialect: string;
  /** The default dialect for readers of English. */
  dialect_en: string;
  /** The default dialect for readers of Chinese, if there is one. */
  dialect_zh: string | null;
  /** The tags: names and values, in their order. */
  tags: Array<[string, string]>;
  /**
   * The final score of a game that is won by counting pieces, such as 40 to 24 discs; absent in other games, and if
   * the main line does not end the game.
   */
  score?: [number, number];
  /** The start position as text. */
  start: string;
  /** The side that moves first: 0 or 1. */
  first: Side;
  /** The number of the first move. */
  number: number;
};

/** The end of a game. */
export type GameEndDto = {
  /** The side that won, 0 or 1; null for a draw. */
  winner: Side | null;
  /** The cause in one word. */
  cause: string;
  /** The message in English. */
  words: string;
  /** The message in Chinese. */
  words_zh: string;
};

/** The names of a game. */
export type GameName = {
  /** The name on the command line. */
  game: string;
  /** The title in English. */
  title: string;
  /** The title in Chinese. */
  title_zh: string;
  /** The names of the sides in English. */
  sides: [string, string];
  /** The names of the sides in Chinese. */
  sides_zh: [string, string];
  /** The unit in which players count the length of a game: `full_moves` or `plies`. */
  length_unit: LengthUnit;
};

/** A phase of a game. */
export type GamePhase = 'opening' | 'middlegame' | 'ending';

/** A start position that gives one side an advantage. */
export type HandicapDto = {
  /** Which side gives what, in English. */
  title: string;
  /** The same in Chinese. */
  title_zh: string;
  /** The text of the position. */
  fen: string;
  /** The names of its issues, which have to be waived. */
  waive: Array<string>;
};

/** The state of an import. */
export type ImportProgress = {
  /** The number of bytes that were read. */
  bytes: number;
  /** The number of games that are in the library. */
  games: number;
  /** The number of these games that end before a move that cannot be read. */
  cut: number;
  /** The number of games of which nothing can be read. */
  bad: number;
  /** The number of games with a remark; each missing game has one. */
  remarked: number;
  /** The first remarks. */
  remarks: Array<ImportRemark>;
  /** Whether the import is complete. */
  done: boolean;
  /** The id of the collection, when the import is complete. A single game is in none. */
  collection: string | null;
  /** The name of the collection, when the import is complete. */
  collection_name: CollectionName | null;
  /** The id of the first game, when the import is complete. */
  first: string | null;
};

/** What an import says about a game that it could not take over as it is. */
export type ImportRemark = {
  /** Which game, what is wrong, and what was done with it, in the language of the page. */
  text: string;
  /** The place in the file; empty if the whole file is concerned. */
  place: string;
};

/** An issue of a position. */
export type IssueDto = {
  /** The name of the issue for waivers. */
  name: string;
  /** The message in English. */
  words: string;
  /** The message in Chinese. */
  words_zh: string;
  /** The squares of the issue. */
  squares: Array<string>;
  /** Whether the issue can be waived. */
  waivable: boolean;
};

/** The mark of a move that loses. */
export type Judgement = 'inaccuracy' | 'mistake' | 'blunder';

/** The unit in which players count the length of a game. */
export type LengthUnit = 'full_moves' | 'plies';

/** A step of the introduction to a game: an example with the moves of a piece. */
export type LessonDto = {
  /** The title in English. */
  title: string;
  /** The title in Chinese. */
  title_zh: string;
  /** The explanation in English. */
  text: string;
  /** The explanation in Chinese. */
  text_zh: string;
  /** The letters of the pieces by square. */
  pieces: { [key in string]: string };
  /** The square of the piece whose moves are shown; null if new pieces are placed, or nothing moves. */
  square: string | null;
  /** The moves that are shown. */
  targets: Array<TargetDto>;
};

/** A part of a list of games. */
export type LibraryPart = {
  /** The number of all games of the query. */
  total: number;
  /** A text that changes with every change of the library: parts with the same text belong together. */
  version: string;
  /** The games. */
  rows: Array<LibraryRow>;
};

/** Which games of the library are listed, and in which order. */
export type LibraryQuery = {
  /** The id of a collection. */
  collection?: string | null;
  /** Whether only games outside of all collections are listed. */
  single?: boolean;
  /** Whether the deleted games are listed instead of the others, of all collections. */
  deleted?: boolean;
  /** The name of the game. */
  game?: string | null;
  /** The result, as in PGN. */
  result?: string | null;
  /** Words that the names of the players, the event or the opening contain, or begin with. */
  search: string;
  /** Where the words are searched; by default everywhere. */
  field?: SearchField | null;
  /** The text of a position of `game` that occurs in the games. */
  position?: string | null;
  /** The order. */
  sort: LibrarySort;
  /** Whether the order is reversed. */
  descending: boolean;
};

/** A request of the library: `{"do":"library","action":"list",...}`. */
export type LibraryRequest =
  | {
    action: 'list';
    /** Which games, and their order. */
    query?: LibraryQuery;
    /** The number of games to skip. */
    offset?: number;
    /** The maximal number of games. */
    limit: number;
  }
  | {
    action: 'ids';
    /** Which games, and their order. */
    query?: LibraryQuery;
  }
  | { action: 'collections' }
  | {
    action: 'rename_collection';
    /** The id of the collection. */
    collection: string;
    /** The new name. */
    name: string;
  }
  | {
    action: 'delete_collection';
    /** The id of the collection. */
    collection: string;
  }
  | {
    action: 'restore_collection';
    /** The id of the collection. */
    collection: string;
  }
  | {
    action: 'delete_games';
    /** The ids of the games. */
    games: Array<string>;
  }
  | {
    action: 'restore_games';
    /** The ids of the games. */
    games: Array<string>;
  }
  | {
    action: 'remove_games';
    /** The ids of the games. */
    games: Array<string>;
  }
  | {
    action: 'export';
    /** The ids of the games. */
    games: Array<string>;
  }
  | {
    action: 'tags';
    /** The id of the game. */
    game: string;
  }
  | {
    action: 'set_tags';
    /** The id of the game. */
    game: string;
    /** The names and values, in their order. */
    tags: Array<[string, string]>;
  }
  | { action: 'looks' }
  | {
    action: 'import_begin';
    /** The name of the collection: that of the file. */
    name: string;
    /** The game of a file that does not say which one it contains. */
    game?: string | null;
    /** Whether remarks about moves that cannot be read are in Chinese. */
    chinese?: boolean;
    /** The files of the names that the games give as numbers, with a character for each byte. */
    names?: Array<string>;
  }
  | {
    action: 'import_chunk';
    /** A character for each byte. */
    data: string;
  }
  | { action: 'import_end' }
  | { action: 'import_cancel' };

/** The response to a [`LibraryRequest`]; unused fields are omitted. */
export type LibraryResponse = {
  /** A part of the list of games. */
  list?: LibraryPart;
  /** The ids of games. */
  ids?: Array<string>;
  /** The collections. */
  collections?: CollectionList;
  /** The ids of the collections that came back. */
  restored?: Array<string>;
  /** Exported games. */
  text?: string;
  /** The name of the game of which `tags` are. */
  game?: string;
  /** The tags of a game. */
  tags?: Array<[string, string]>;
  /** The appearances of the games by name. */
  looks?: { [key in string]: AppearanceDto };
  /** The state of an import. */
  import?: ImportProgress;
};

/** A game in a list. */
export type LibraryRow = {
  /** The id of the game. */
  id: string;
  /** The name of the game. */
  game: string;
  /** The id of the collection; null for a game outside of all. */
  collection: string | null;
  /** The names of the players, that of the side with the first move before the other; empty if unknown. */
  players: [string, string];
  /** The ratings of the players; empty if unknown. */
  ratings: [string, string];
  /** The side that a person plays against the computer; null in analysis and imported games. */
  person: Side | null;
  /** Whether two people play at one screen. */
  two_people?: boolean;
  /** The skill level of the computer. */
  level: number;
  /** The result, as in PGN; empty if unknown. */
  result: string;
  /**
   * The final score of a game that is won by counting pieces, such as 40 to 24 discs; absent in other games, and if
   * the main line does not end the game.
   */
  score?: [number, number];
  /** The date, from the year on; empty if unknown. */
  date: string;
  /** The event; empty if unknown. */
  event: string;
  /** The code of the opening in the Encyclopaedia of Chess Openings, or of the tag `ECO`. */
  eco: string;
  /** The name of the opening in English. */
  opening: string;
  /** The name of the opening in Chinese. */
  opening_zh: string;
  /** The number of moves of the main line, those of both sides; passes are not counted. */
  plies: number;
  /** The time of the last change, in seconds since 1970. */
  changed: number;
  /** The pieces at the end of the main line, as in a position text; empty if the game is damaged. */
  placement: string;
  /** Whether the saved game is damaged: the other fields are empty, but for the name of the game. */
  damaged?: boolean;
};

/** The order of a list of games. */
export type LibrarySort = 'changed' | 'date' | 'players' | 'event' | 'opening' | 'length' | 'result';

/** The reason why a move lost. */
export type LossReasonDto =
  | {
    kind: 'allows_mate';
    /** The number of moves. */
    moves: number;
  }
  | {
    kind: 'misses_mate';
    /** The number of moves. */
    moves: number;
  }
  | {
    kind: 'solved';
    /** The score before the move from the view of its side, in pieces. */
    before: number;
    /** The score after the move. */
    after: number;
  }
  | {
    kind: 'rule';
    /** The verdict in English. */
    message: string;
    /** The verdict in Chinese. */
    message_zh: string;
  }
  | {
    kind: 'hanging';
    /** The reply in the chosen dialect. */
    reply: string;
  };

/** The captured pieces of a position, and who is ahead in material. */
export type MaterialDto = {
  /** The letters of each side's captured pieces, the most valuable first. */
  captured: [Array<string>, Array<string>];
  /** The value of the first side's pieces less that of the second side's, in hundredths of the least valuable piece. */
  difference: number;
};

/** The class of a move in a repetition. */
export type MoveClass = 'check' | 'kill' | 'chase' | 'exchange' | 'offer' | 'follow' | 'block' | 'idle';

/** A move that was played or taken back. */
export type MoveResultDto = {
  /** The move in the default dialect. */
  text: string;
  /** The changes of the board, for the animation. */
  script: Array<BoardChangeDto>;
  /** The sound: `move`, `capture`, `check` or `end`. */
  sound: Sound;
};

/** An annotation mark that can be entered. */
export type NagDto = {
  /** The number, as in PGN. */
  number: number;
  /** The sign. */
  sign: string;
  /** Whether it judges the move, and not the position. */
  of_move: boolean;
  /** The meaning in English. */
  words: string;
  /** The meaning in Chinese. */
  words_zh: string;
};

/** The options of a new game. */
export type NewGame = {
  /** The name of the game. */
  game: string;
  /** The start position; by default that of the game. */
  fen?: string | null;
  /** The names of the issues to waive. */
  waive?: Array<string>;
  /** The moves to play first. */
  moves?: Array<string>;
  /** The person's side; null in analysis. */
  person?: Side | null;
  /** Whether two people play at one screen. */
  two_people?: boolean;
  /** The skill level of the computer; by default a low one. */
  level?: number | null;
  /** The levels of both sides, if the computer plays against itself. */
  levels?: [number, number] | null;
  /** The external engine that plays against the person; by default the built-in one. */
  engine?: string | null;
  /** The time control of a timed game. */
  clock?: TimeControlDto | null;
  /** The ruleset; by default the first one of the game. */
  ruleset?: string | null;
};

/** A node of the tree of moves. */
export type NodeDto = {
  /** The number of the node, which does not change. */
  node: number;
  /** The number of the parent; the root is its own parent. */
  parent: number;
  /** The move in the default dialect. */
  text: string;
  /** The comment on the move. */
  comment?: string;
  /** The NAGs of the move, as in PGN: 1 is `!`, 2 is `?`. */
  nags?: Array<number>;
  /** The clock times in the notation of PGN: `[%clk 0:03:00]`. */
  clocks?: string;
  /** The score of the position. */
  score?: ScoreDto;
  /** The score that the review of the game has found. */
  review?: ScoreDto;
  /** The children, the main line first. */
  children?: Array<number>;
  /** The move in the chosen dialect, with the signs of its NAGs. */
  label: string;
};

/** Start positions that are chosen by a number. */
export type NumberedStartsDto = {
  /** Their name in English. */
  title: string;
  /** Their name in Chinese. */
  title_zh: string;
  /** Their number: they are numbered from 0 on. */
  count: number;
};

/** A named opening. */
export type OpeningDto = {
  /** The code of the Encyclopaedia of Chess Openings; empty in other games. */
  eco: string;
  /** The name in English. */
  name: string;
  /** The name in Chinese; the English one if there is none. */
  name_zh: string;
};

/** The picture and the names of a piece. */
export type PieceAppearanceDto = {
  /** The side: 0 or 1. */
  side: Side;
  /** The name in English. */
  name: string;
  /** The name in Chinese. */
  name_zh: string;
  /** The SVG path in thousandths of a square. */
  outline: string;
  /** The SVG path of a pictogram; empty if there is none. */
  picture: string;
};

/** A position. */
export type PositionDto = {
  /** The position text. */
  fen: string;
  /** The side to move: 0 or 1. */
  side: Side;
  /** The piece letters by square. */
  pieces: { [key in string]: string };
  /** The squares of the last move. */
  last: Array<string>;
  /** The square of the king in check. */
  check: string | null;
  /** The state of the game in a sentence. */
  words: string;
  /** The end of the game, if it is over. */
  ending: GameEndDto | null;
  /** The legal moves but those that the ruleset refuses; empty if the game is over. */
  targets: Array<TargetDto>;
  /** The legal moves that the ruleset refuses in this game now. */
  refused?: Array<RefusedMoveDto>;
  /** The legal moves after which the game ends by a rule without a win, at once or by the opponent's reply. */
  warnings: Array<RuleWarningDto>;
  /** The number of pieces of each side. */
  tally: [number, number];
  /** The number of occurrences of the position. */
  occurrences: number;
  /** The last named opening that the game has reached. */
  opening: OpeningDto | null;
  /** The clock of a timed game. */
  clock: ClockDto | null;
  /** The captured pieces, in games whose pieces have values. */
  material?: MaterialDto;
};

/** A repetition of which the reader says who must change. */
export type QuizLoopDto = {
  /** The letters of the pieces by square, where the repetition begins. */
  pieces: { [key in string]: string };
  /** The moves that lead back to this position. */
  moves: Array<QuizMoveDto>;
  /** The ruling after the third occurrence of the position. */
  ruling: RulingSummaryDto;
  /** The reason for the verdict in English. */
  text: string;
  /** The reason for the verdict in Chinese. */
  text_zh: string;
};

/** A move of a repetition of the quiz. */
export type QuizMoveDto = {
  /** The move in the requested dialect. */
  label: string;
  /** The move with its changes of the board. */
  step: MoveResultDto;
  /** What the move is under the ruleset: `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`. */
  nature: MoveClass;
};

/** An interpretation of a disputed repetition. */
export type ReadingDto = {
  /** The side that won, 0 or 1; null for a draw. */
  winner: Side | null;
  /** The reason. */
  words: string;
};

/** A legal move that the ruleset refuses in this game now. */
export type RefusedMoveDto = {
  /** The square of the piece; null for a new disc or a pass. */
  from: string | null;
  /** The target square; null for a pass. */
  to: string | null;
  /** The move in the default dialect. */
  text: string;
  /** The move in the chosen dialect. */
  label: string;
  /** The reason in English. */
  reason: string;
  /** The reason in Chinese. */
  reason_zh: string;
};

/** A message from the page. */
export type RequestHeader = {
  /** The id that the response repeats. */
  id: number;
  /** The number of [`Response::reloads`] that the page has received last. */
  reloads?: number;
};

/** The review of a game. */
export type ReviewDto = {
  /** The reviewed moves of the main line. */
  moves: Array<ReviewedMoveDto>;
  /** The review of both sides. */
  sides: [SideReviewDto, SideReviewDto];
  /** The version of the formula of the accuracies. */
  accuracy_version: number;
  /** The ids of the mistakes and blunders that lost most, at most three, the largest loss first. */
  turning_points: Array<number>;
  /** The part that is solved exactly. */
  solved?: SolvedPartDto;
  /** The number of nodes with which each position was searched at least. */
  nodes: number;
  /** Whether every position of the main line was reviewed. */
  complete: boolean;
  /** The number of nodes of a deeper review. */
  deep_nodes: number;
};

/** The mark of a move in a review. */
export type ReviewMark = 'inaccuracy' | 'mistake' | 'blunder' | 'only_move';

/** A reviewed move. */
export type ReviewedMoveDto = {
  /** The id of the tree node. */
  node: number;
  /** The side that played it: 0 or 1. */
  side: Side;
  /** The expected score that it lost, in permille. */
  loss: number;
  /** The mark: `inaccuracy`, `mistake`, `blunder` or `only_move`. */
  mark: ReviewMark | null;
  /** The expected score of the first side after the move, in permille. */
  expected: number;
  /** The phase of the game: `opening`, `middlegame` or `ending`. */
  phase: GamePhase;
  /** The best move instead, in the default dialect; null if the move was the best one. */
  best: string | null;
  /** The best move instead, in the chosen dialect. */
  best_label: string | null;
  /** Why a turning point lost, if that is proved. */
  reason?: LossReasonDto;
};

/** A move after which the game ends by a rule without a win for the side that plays it. */
export type RuleWarningDto = {
  /** The move in the default dialect. */
  text: string;
  /** The move in the chosen dialect. */
  label: string;
  /** Whether the opponent can end the game by his reply; otherwise the move itself ends it. */
  by_reply: boolean;
  /** The end of the game. */
  ending: GameEndDto;
};

/** A move of the repetition. */
export type RuledPlyDto = {
  /** The number of the ply, from 1. */
  ply: number;
  /** The class: `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`. */
  nature: MoveClass;
  /** The squares of the pieces that the move newly attacks with profit. */
  victims: Array<string>;
};

/** A ruleset. */
export type RulesetDto = {
  /** The name on the command line. */
  name: string;
  /** The title in English. */
  title: string;
  /** The title in Chinese. */
  title_zh: string;
};

/** A ruling: see [`alfil_session::Ruling`]. */
export type RulingDto = {
  /** The name of the ruleset. */
  ruleset: string;
  /** Whether the game is over by the ruling. */
  decided: boolean;
  /** The side that won, 0 or 1; null for a draw. */
  winner: Side | null;
  /** The moves of the repetition. */
  plies: Array<RuledPlyDto>;
  /** The verdict and its reasons, a sentence each. */
  explanation: Array<string>;
  /** The moves that the offender could play instead. */
  instead: Array<string>;
  /** The interpretations of a disputed repetition, that of the ruleset first. */
  readings: Array<ReadingDto>;
};

/** What one of several rulesets says about a repetition. */
export type RulingSummaryDto = {
  /** The name of the ruleset. */
  ruleset: string;
  /** The title of the ruleset in English. */
  title: string;
  /** The title of the ruleset in Chinese. */
  title_zh: string;
  /** The verdict and its cause in one line. */
  verdict: string;
  /** Whether the game is over by the ruling. */
  decided: boolean;
  /** The side that must play another move, 0 or 1; null if neither must. */
  must_change: Side | null;
  /** The articles that the verdict rests on, where the text of the ruleset is known. */
  articles: Array<string>;
  /** What the ruleset is known from: `text`, `diagrams` or `measured`. */
  evidence: Evidence;
  /** The reason for the verdict. */
  reason: string;
  /** The disputed readings on which the verdict turns, a sentence each. */
  disputed: Array<string>;
};

/** A saved game in a list. */
export type SavedGame = {
  /** The id of the game. */
  id: string;
  /** The name of the game. */
  game: string;
  /** The number of moves of the main line, those of both sides; passes are not counted. */
  plies: number;
  /** The time of the last change, in seconds since 1970. */
  changed: number;
  /** The names of the players, that of the side with the first move before the other; empty if unknown. */
  players: [string, string];
  /** The result, as in PGN; empty if unknown. */
  result: string;
  /**
   * The final score of a game that is won by counting pieces, such as 40 to 24 discs; absent in other games, and if
   * the main line does not end the game.
   */
  score?: [number, number];
  /** The event; empty if unknown. */
  event: string;
  /** Whether the saved game is damaged: the other fields are empty, but for the name of the game. */
  damaged?: boolean;
};

/** The score of a position, from the first side's view. */
export type ScoreDto = {
  /** The score in centipawns (hundredths of a disc in Othello). */
  value: number;
  /** The plies to a forced end: positive if the first side wins. */
  mate: number | null;
  /** Whether it is the solved score of the end of the game. */
  exact?: boolean;
};

/** Where words are searched. */
export type SearchField = 'player' | 'event' | 'opening';

/** Search info. */
export type SearchInfoDto = {
  /** The id of the request. */
  of: number;
  /** The id of the tree node that is searched. */
  node: number;
  /** The rank of the line, from 1 (MultiPV). */
  rank: number;
  /** The depth in plies. */
  depth: number;
  /** The score of the line. */
  score: ScoreDto;
  /** The number of nodes searched. */
  nodes: number;
  /** The time since the start of the search, in seconds. */
  seconds: number;
  /** The principal variation in the default dialect. */
  line: Array<string>;
  /** The principal variation in the chosen dialect. */
  labels: Array<string>;
  /**
   * How sure the score is as that of the end of the game, as a percentage: 100 is exact, less is the score of a
   * selective search. Absent from a search that does not reach the end of the game.
   */
  confidence?: number;
  /** Whether the first move of the line is in the opening book. */
  book?: boolean;
  /** If the line is what the opponent would play after a pass of the side to move: the squares of its first move. */
  threat_squares?: Array<string>;
};

/** A message that is not a response. */
export type ServerEvent =
  | {
    event: 'waiting';
    /** The id of the request. */
    of: number;
  }
  | { event: 'thought' } & SearchInfoDto
  | {
    event: 'failed';
    /** The id of the request. */
    of: number;
  }
  | {
    event: 'reviewed';
    /** The id of the request. */
    of: number;
    /** The id of the tree node. */
    node: number;
    /** The score of the position. */
    score: ScoreDto;
    /** The best move in the default dialect. */
    best: string | null;
  }
  | { event: 'changed' } & ServerResponse
  | { event: 'replied' } & ServerResponse
  | { event: 'turn' } & TurnDto
  | { event: 'storage' } & StorageDto;

/** The response to a [`RequestMessage`]; unused fields are omitted. */
export type ServerResponse = {
  /** The id of the request. */
  id: number;
  /** The error message. */
  error?: string;
  /** The error message in Chinese. */
  error_zh?: string;
  /** The code of an error that the page words itself. */
  cause?: ErrorCode;
  /** The game that a pasted text belongs to. */
  other?: string;
  /** Whether a pasted text is a position whose issues can be waived in the setup. */
  waivable?: boolean;
  /** Whether the computer's move comes from the opening book. */
  from_book?: boolean;
  /** All games. */
  games?: Array<GameName>;
  /** The external engines that can play the game. */
  engines?: Array<string>;
  /** Saved games. */
  kept?: Array<SavedGame>;
  /** Whether more saved games follow. */
  more?: boolean;
  /** The open game. */
  game?: GameDto;
  /** The appearance of the board. */
  look?: AppearanceDto;
  /** How often the open game was replaced by that of another window; beside `tree`. */
  reloads?: number;
  /** All moves of the game, variations included. */
  tree?: Array<NodeDto>;
  /** The moves that have changed since they were sent, instead of all moves. */
  nodes?: Array<NodeDto>;
  /** The ids of the removed moves. */
  removed?: Array<number>;
  /** The edits that can be undone and redone. */
  edits?: EditsDto;
  /** The edit that was undone or redone. */
  edit?: EditDto;
  /** The id of the current tree node. */
  node?: number;
  /** The move that was played. */
  step?: MoveResultDto;
  /** The moves on the way to the position, unless there are many. */
  steps?: Array<MoveResultDto>;
  /** The current position. */
  position?: PositionDto;
  /** Whose turn it is; in every response with a position. */
  turn?: TurnDto;
  /** The moves that the person may enter before the computer's reply. */
  premoves?: Array<TargetDto>;
  /** The introduction to a game. */
  lessons?: Array<LessonDto>;
  /** The start positions of a game besides the usual one. */
  starts?: StartsDto;
  /** The explanations of the ends of a game. */
  ends?: Array<EndLessonDto>;
  /** The repetitions of which the reader says who must change. */
  quiz?: Array<QuizLoopDto>;
  /** A good move. */
  hint?: string;
  /** The tactical marks. */
  tactical_marks?: Array<TacticalMarkDto>;
  /** The ruling. */
  ruling?: RulingDto;
  /** The rulings under every ruleset. */
  rulings?: Array<RulingSummaryDto>;
  /** The position of a setup. */
  setup?: SetupDto;
  /** The exported text. */
  text?: string;
  /** The collection that an import of several games has made. */
  imported?: ImportProgress;
  /** What a request of the library returns. */
  library?: LibraryResponse;
  /** The review of the game; null if it was not reviewed. */
  review?: ReviewDto | null;
  /** The judgement on a tried move. */
  trial?: TrialDto;
  /** The annotation marks that can be entered. */
  nags?: Array<NagDto>;
  /** Positions to be drawn. */
  diagrams?: Array<DiagramDto>;
  /** Positions of the game with their moves. */
  positions?: Array<TreePositionDto>;
};

/** A position of the setup. */
export type SetupDto =
  | {
    /** The position text. */
    fen: string;
    /** The issues of the position. */
    issues: Array<IssueDto>;
    /** The piece letters by square, if the request has a text. */
    pieces: { [key in string]: string } | null;
    /** The side to move, if the request has a text. */
    side: Side | null;
  };

/** A side: 0 for the first, 1 for the second. */
export type Side = 0 | 1;

/** The review of a side. */
export type SideReviewDto = {
  /** The accuracy in percent; null without reviewed moves. */
  accuracy: number | null;
  /** The number of inaccuracies. */
  inaccuracy: number;
  /** The number of mistakes. */
  mistake: number;
  /** The number of blunders. */
  blunder: number;
  /** The number of only moves. */
  only_move: number;
};

/** The part of a game that is solved exactly, up to its end. */
export type SolvedPartDto = {
  /** The id of the first tree node of it. */
  node: number;
  /** The number of empty squares there. */
  empties: number;
};

/** The sound of a move. */
export type Sound = 'move' | 'capture' | 'check' | 'end';

/** The start positions of a game besides the usual one. */
export type StartsDto = {
  /** The usual handicaps, the smallest first. */
  handicaps: Array<HandicapDto>;
  /** Those that have numbers; null if there are none. */
  numbered: NumberedStartsDto | null;
  /** The text of the position with the requested number. */
  fen: string | null;
};

/** The state of the saved games. */
export type StorageDto = {
  /** Whether changes of the open game are in memory alone. */
  unsaved: boolean;
  /** What has happened, and what to do; absent when everything is saved. */
  text?: string;
  /** The same in Chinese. */
  text_zh?: string;
};

/** A tactical mark: see [`alfil_session::TacticalMark`]. */
export type TacticalMarkDto = {
  /** The kind of mark. */
  kind: TacticalMarkKind;
  /** The side: 0 or 1. */
  side: Side;
  /** The squares of the mark. */
  squares: Array<string>;
};

/**
 * The kind of a tactical mark. A `guard` is a piece that protects another one, `free` a square to which a side
 * can move.
 */
export type TacticalMarkKind = 'blocked' | 'screen' | 'attack' | 'guard' | 'pin' | 'stable' | 'free';

/** A target of a legal move. */
export type TargetDto = {
  /** The square of the piece; null for a new disc or a pass. */
  from: string | null;
  /** The target square; null for a pass. */
  to: string | null;
  /** The move in the default dialect. */
  text: string;
  /** The changes of the board, for the animation. */
  script: Array<BoardChangeDto>;
  /** The promotion letter that distinguishes moves with the same squares. */
  choice: string | null;
};

/** A time control, in milliseconds. */
export type TimeControlDto = {
  /** The time of each side for the game. */
  base: number;
  /** The increment per move. */
  increment: number;
};

/** A position of the game that the page can show before it goes there. */
export type TreePositionDto = {
  /** The number of the node. */
  node: number;
  /** The position, without the clock. */
  position: PositionDto;
  /** The move that leads to the position; null at the start. */
  step: MoveResultDto | null;
  /** How that move is taken back. */
  back: MoveResultDto | null;
};

/** The judgement on a tried move. */
export type TrialDto = {
  /** The id of the tree node in whose position the move was tried. */
  node: number;
  /** The move in the default dialect. */
  text: string;
  /** The move in the chosen dialect. */
  label: string;
  /** The expected score that the move loses, in permille. */
  loss: number;
  /** The mark: `inaccuracy`, `mistake` or `blunder`; null for a good move. */
  mark: Judgement | null;
  /** Whether it is the best move of the review. */
  best: boolean;
  /** The score of the position after the move. */
  score: ScoreDto;
};

/** What happens next at the shown position. */
export type TurnAction = 'person' | 'computer' | 'pass' | 'wait';

/** Whose turn it is. */
export type TurnDto = {
  /** What happens next at the shown position. */
  next: TurnAction;
  /** Why no move is expected. */
  reason?: WaitReason;
  /** Whether this session searches the computer's reply, perhaps to another position than the shown one. */
  replying?: boolean;
  /** Whether another window searches the computer's reply. */
  elsewhere?: boolean;
};

/** The reason why no move is expected. */
export type WaitReason = 'game_over' | 'resigned' | 'flag_fell' | 'analysis' | 'paused' | 'earlier_position' | 'reply_failed' | 'reply_stopped';

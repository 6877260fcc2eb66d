import type { BoardChangeDto, GameDto, GameName, AppearanceDto, LibraryRow, NodeDto, PositionDto, TargetDto, TurnDto } from './wire/types';

/** Small boards of invented games, one of each layout. */
/** The names and drawings that pieces need not have. */
const unnamed = { name_zh: '', picture: '' };

export const river: AppearanceDto = {
  game: 'river',
  title: 'River',
  title_zh: '',
  files: 3,
  ranks: 4,
  layout: 'points',
  file_names: ['a', 'b', 'c'],
  rank_names: ['1', '2', '3', '4'],
  edge_names_by_dialect: {},
  lines: [[0, 0, 2, 0]],
  marks: [
    [0, 1],
    [1, 2],
  ],
  sides: ['Red', 'Black'],
  sides_zh: ['红方', '黑方'],
  pieces: {
    W: { side: 0, name: 'Red wader', outline: 'M0 0H100Z', ...unnamed },
    S: { side: 0, name: 'Red swimmer', outline: 'M0 0H200Z', ...unnamed },
    w: { side: 1, name: 'Black wader', outline: 'M0 0H300Z', ...unnamed },
  },
  legend: ['over', 'there'],
  legend_outlines: [],
  shows_move_values: false,
  shows_piece_counts: false,
};

export const checkers: AppearanceDto = {
  ...river,
  game: 'checkers',
  title: 'Checkers',
  files: 2,
  ranks: 2,
  layout: 'checkered',
  file_names: ['a', 'b'],
  rank_names: ['1', '2'],
  edge_names_by_dialect: {},
  lines: [],
  marks: [],
  sides: ['White', 'Black'],
  legend: [],
};

export const discs: AppearanceDto = {
  ...river,
  game: 'discs',
  title: 'Discs',
  layout: 'cells',
  lines: [],
  marks: [],
  sides: ['Black', 'White'],
  pieces: { X: { side: 0, name: 'black disc', outline: '', ...unnamed }, O: { side: 1, name: 'white disc', outline: '', ...unnamed } },
  legend: [],
  shows_move_values: true,
  shows_piece_counts: true,
};

/** The names of the games of a server that has River alone. */
export const riverGames: GameName[] = [
  { game: 'river', title: 'River', title_zh: '河', sides: ['Red', 'Black'], sides_zh: ['红', '黑'], length_unit: 'full_moves' },
];

export const lift = (square: string, piece: string): BoardChangeDto => ({ do: 'lift', square, piece });
export const put = (square: string, piece: string): BoardChangeDto => ({ do: 'put', square, piece });
export const turn = (square: string, piece: string): BoardChangeDto => ({ do: 'turn', square, piece });

/** Returns a move of a piece, perhaps with a capture. */
export function move(from: string, to: string, piece: string, captured?: string): TargetDto {
  const script = [lift(from, piece), ...(captured ? [lift(to, captured)] : []), put(to, piece)];
  return { from, to, text: from + to, script, choice: null };
}

/** Returns a move that places a disc. */
export function placement(to: string, script: BoardChangeDto[]): TargetDto {
  return { from: null, to, text: to, script, choice: null };
}

export function position(changes: Partial<PositionDto>): PositionDto {
  return {
    fen: '',
    side: 0,
    pieces: {},
    last: [],
    check: null,
    words: '',
    ending: null,
    targets: [],
    warnings: [],
    tally: [0, 0],
    occurrences: 1,
    opening: null,
    clock: null,
    ...changes,
  };
}

/** Returns a game of the user against the computer, or an analysis. */
export function gameDto(person: 0 | 1 | null, changes: Partial<GameDto> = {}): GameDto {
  const dialects = ['squares', 'names'];
  return {
    id: 'abc',
    game: 'river',
    person,
    level: 3,
    resigned: null,
    dialects,
    dialects_en: dialects,
    dialects_zh: ['格', '字'],
    samples: ['a1a2', 'a'],
    dialect: 'squares',
    dialect_en: 'squares',
    dialect_zh: null,
    rulesets: [],
    ruleset: null,
    tags: [],
    start: 'startpos',
    first: 0,
    number: 1,
    ...changes,
  };
}

/** Returns whose turn it is by the players, at the end of a line. */
export function turnOf({ person, two_people, levels, paused, resigned }: GameDto, { side, ending, targets, clock }: PositionDto): TurnDto {
  if (ending) return { next: 'wait', reason: 'game_over' };
  if (resigned !== null && (person !== null || two_people)) return { next: 'wait', reason: 'resigned' };
  if (clock && clock.flagged !== null && (person !== null || two_people)) return { next: 'wait', reason: 'flag_fell' };
  if (person !== null && side !== person) return { next: 'computer', replying: true };
  if (levels) return paused ? { next: 'wait', reason: 'paused' } : { next: 'computer' };
  if (targets.length === 1 && targets[0]?.to === null) return { next: 'pass' };
  return person === null && !two_people ? { next: 'wait', reason: 'analysis' } : { next: 'person' };
}

/** Returns the nodes of a game without variations. */
export function lineNodes(...moves: string[]): NodeDto[] {
  const start: NodeDto = { node: 0, parent: 0, text: '', label: '', children: moves.length > 0 ? [1] : [] };
  const nodes = moves.map((text, i) => ({
    node: i + 1,
    parent: i,
    text,
    label: `${text}!`,
    children: i + 1 < moves.length ? [i + 2] : [],
  }));
  return [start, ...nodes];
}

/** A game of the user in which the computer has to move, and the position after its reply. */
export const computerToMove = position({ fen: 'one', side: 1, targets: [move('a4', 'a3', 'w')] });
export const userToMove = position({ fen: 'two', targets: [move('a2', 'a3', 'W')] });
export const opened = { game: gameDto(0), look: river, tree: lineNodes('a1a2'), node: 1, position: computerToMove };

/** A row of a library. */
export const libraryRow = (id: string): LibraryRow => ({
  id,
  game: 'chess',
  collection: null,
  players: ['A', 'B'],
  ratings: ['', ''],
  person: null,
  level: 3,
  result: '',
  date: '',
  event: '',
  eco: '',
  opening: '',
  opening_zh: '',
  plies: 3,
  changed: 0,
  placement: '',
});

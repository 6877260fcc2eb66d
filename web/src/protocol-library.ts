/** The messages of the library; the server has them in `crates/page/src/wire/library.rs`. */

import type { AppearanceDto } from './protocol';

/** Where the words of a search are searched. */
export type SearchField = 'player' | 'event' | 'opening';
/** The order of a list of games. */
export type LibrarySort = 'changed' | 'date' | 'players' | 'event' | 'opening' | 'length' | 'result';

/** Which games of the library are listed, and in which order. */
export interface LibraryQuery {
  /** The id of a collection. */
  collection?: string;
  /** Whether only games outside of all collections are listed. */
  single?: boolean;
  /** Whether the deleted games are listed instead of the others. */
  deleted?: boolean;
  game?: string;
  result?: string;
  search: string;
  field?: SearchField;
  /** A position of `game` that occurs in the games. */
  position?: string;
  sort: LibrarySort;
  descending: boolean;
}

/** A game in a list. */
export interface LibraryRow {
  id: string;
  game: string;
  collection: string | null;
  players: [string, string];
  /** The side that a person plays against the computer; null in analysis and imported games. */
  person: number | null;
  /** Whether two people play at one screen. */
  two_people?: boolean;
  level: number;
  result: string;
  /** The final score of a game that is won by counting pieces. */
  score?: [number, number];
  date: string;
  event: string;
  eco: string;
  opening: string;
  opening_zh: string;
  /** The moves of both sides on the main line; passes are not counted. */
  plies: number;
  /** The time of the last change, in seconds since 1970. */
  changed: number;
  /** The pieces of the last position. */
  placement: string;
}

/** A part of a list of games. Parts with the same version belong together. */
export interface LibraryPart {
  total: number;
  version: string;
  rows: LibraryRow[];
}

/** A collection and the number of its games. */
export type CollectionRow = { id: string; name: string; games: number };

/** The collections, and the numbers of all games, of those outside of all collections, and of the deleted ones. */
export interface CollectionList {
  all: number;
  single: number;
  deleted: number;
  rows: CollectionRow[];
}

/** What an import says about a game that it could not take over as it is, and its place in the file, if known. */
export type ImportRemark = { text: string; place: string };

/** The name of an imported collection. */
export interface CollectionName {
  name: string;
  /** Whether it has a number because another collection has the name of the file. */
  is_renamed: boolean;
  /** The name of another collection with the same games. */
  same_games: string | null;
}

/** The state of an import. */
export interface ImportProgress {
  bytes: number;
  games: number;
  /** The number of games that end before a move that cannot be read. */
  cut: number;
  /** The number of games of which nothing can be read. */
  bad: number;
  /** The number of games about which there is a remark. */
  remarked: number;
  /** The first remarks. */
  remarks: ImportRemark[];
  done: boolean;
  collection: string | null;
  /** The name of the collection, when the import is complete. */
  collection_name: CollectionName | null;
  first: string | null;
}

/** The response to a request of the library. */
export interface LibraryResponse {
  list?: LibraryPart;
  ids?: string[];
  collections?: CollectionList;
  /** The ids of the collections that came back with restored games. */
  restored?: string[];
  text?: string;
  /** The name of the game of which `tags` are. */
  game?: string;
  tags?: [string, string][];
  looks?: Record<string, AppearanceDto>;
  import?: ImportProgress;
}

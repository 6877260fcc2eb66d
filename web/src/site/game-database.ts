// The games in IndexedDB: a row a game, its moves in blocks, the hash keys of its positions, and the collections. The
// types are in `crates/page/src/memory_store/rows.rs`; this code only passes their values on.

/** The row of a game, as far as this code has to know it. */
export interface SavedRow {
  id: string;
  revision: number;
  /** The time of the deletion, in seconds since 1970; absent in a game that is not deleted. */
  deleted?: number;
  /** The last edits, which can be undone. */
  edits?: unknown;
}

/** Some moves of a game, or all of them as a text. */
export type Block = unknown[] | string;

/** The row of a collection, as far as this code has to know it. */
export interface SavedCollection {
  id: string;
}

/** The hash keys of the positions of a game, as far as this code has to know them. */
export interface SavedPositionKeys {
  id: string;
}

export interface ChangedGame {
  row: SavedRow;
  /** The changed blocks by their numbers. */
  blocks: Record<string, Block>;
  positions?: SavedPositionKeys;
}

/** What the module has changed. */
export interface StoreChanges {
  games: ChangedGame[];
  collections: SavedCollection[];
  /** The ids of games and collections that are removed for ever. */
  removed: string[];
  removed_collections: string[];
}

/** A game with all its moves. */
export interface WholeGame {
  row: SavedRow;
  blocks: Block[];
  positions?: SavedPositionKeys;
}

const NAME = 'alfil';
const VERSION = 2;
const GAMES = 'games';
const BLOCKS = 'blocks';
const COLLECTIONS = 'collections';
const POSITIONS = 'positions';
const STORES = [GAMES, BLOCKS, COLLECTIONS, POSITIONS];

/** Returns whether nothing has changed. */
export function isEmpty({ games, collections, removed, removed_collections }: StoreChanges): boolean {
  return [games, collections, removed, removed_collections].every((part) => part.length === 0);
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function blocksOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id, 0], [id, Infinity]);
}

/** What may be done while a transaction is open. Only these functions may be awaited meanwhile. */
export class GameAccess {
  constructor(private readonly transaction: IDBTransaction) {}

  private all<T>(store: string): Promise<T[]> {
    return result(this.transaction.objectStore(store).getAll() as IDBRequest<T[]>);
  }

  private get<T>(store: string, id: string): Promise<T | undefined> {
    return result(this.transaction.objectStore(store).get(id) as IDBRequest<T | undefined>);
  }

  row(id: string): Promise<SavedRow | undefined> {
    return this.get(GAMES, id);
  }

  rows(): Promise<SavedRow[]> {
    return this.all(GAMES);
  }

  collection(id: string): Promise<SavedCollection | undefined> {
    return this.get(COLLECTIONS, id);
  }

  collections(): Promise<SavedCollection[]> {
    return this.all(COLLECTIONS);
  }

  positionsOf(id: string): Promise<SavedPositionKeys | undefined> {
    return this.get(POSITIONS, id);
  }

  positions(): Promise<SavedPositionKeys[]> {
    return this.all(POSITIONS);
  }

  async blocks(id: string): Promise<Block[]> {
    const all = await result(this.transaction.objectStore(BLOCKS).getAll(blocksOf(id)));
    const blocks: Block[] = [];
    for (const { number, nodes } of all as { number: number; nodes: Block }[]) blocks[number] = nodes;
    // A block that is missing has no moves.
    return Array.from(blocks, (block) => block ?? []);
  }

  put({ row, blocks, positions }: ChangedGame): void {
    this.transaction.objectStore(GAMES).put(row);
    const store = this.transaction.objectStore(BLOCKS);
    for (const [number, nodes] of Object.entries(blocks)) {
      store.put({ game: row.id, number: Number(number), nodes });
    }
    if (positions) this.transaction.objectStore(POSITIONS).put(positions);
  }

  putCollection(collection: SavedCollection): void {
    this.transaction.objectStore(COLLECTIONS).put(collection);
  }

  remove(id: string): void {
    this.transaction.objectStore(GAMES).delete(id);
    this.transaction.objectStore(BLOCKS).delete(blocksOf(id));
    this.transaction.objectStore(POSITIONS).delete(id);
  }

  /** Writes what the module has changed. */
  apply({ games, collections, removed, removed_collections }: StoreChanges): void {
    for (const game of games) this.put(game);
    for (const collection of collections) this.putCollection(collection);
    for (const id of removed) this.remove(id);
    for (const id of removed_collections) this.transaction.objectStore(COLLECTIONS).delete(id);
  }
}

/** The database of games, which all windows of the page share. */
export class GameDatabase {
  private constructor(private readonly database: IDBDatabase) {
    // Another window may bring the database to a newer version.
    database.onversionchange = () => database.close();
  }

  static async open(): Promise<GameDatabase> {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = ({ oldVersion }) => {
      const database = request.result;
      if (oldVersion < 1) {
        database.createObjectStore(GAMES, { keyPath: 'id' });
        database.createObjectStore(BLOCKS, { keyPath: ['game', 'number'] });
      }
      database.createObjectStore(COLLECTIONS, { keyPath: 'id' });
      database.createObjectStore(POSITIONS, { keyPath: 'id' });
    };
    return new GameDatabase(await result(request));
  }

  /** Reads games. */
  read<T>(work: (access: GameAccess) => Promise<T>): Promise<T> {
    return work(new GameAccess(this.database.transaction(STORES)));
  }

  /**
   * Reads and writes games as a whole, or not at all. No other window writes meanwhile, because the browser lets one
   * such transaction after the other begin. The result comes when everything is on the disk.
   */
  async change<T>(work: (access: GameAccess) => Promise<T>): Promise<T> {
    const transaction = this.database.transaction(STORES, 'readwrite', { durability: 'strict' });
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException('The change was aborted', 'AbortError'));
    });
    // A failure of the work is the one that is reported.
    done.catch(() => {});
    let value: T;
    try {
      value = await work(new GameAccess(transaction));
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It has ended already.
      }
      throw error;
    }
    await done;
    return value;
  }
}

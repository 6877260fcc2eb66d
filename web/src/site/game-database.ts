// The games in IndexedDB: a row a game, and its moves in blocks. The types of rows and blocks are in
// `crates/page/src/memory_store.rs`; here they are only moved.

/** The row of a game, as far as this code has to know it. */
export interface SavedRow {
  id: string;
  revision: number;
  deleted?: number;
}

export type Block = unknown[];

export interface ChangedGame {
  row: SavedRow;
  /** The changed blocks by their numbers. */
  blocks: Record<string, Block>;
}

/** A game with all its moves. */
export interface WholeGame {
  row: SavedRow;
  blocks: Block[];
}

const NAME = 'alfil';
const VERSION = 1;
const GAMES = 'games';
const BLOCKS = 'blocks';
/** The time for which a deleted game is kept, in seconds. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

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

  row(id: string): Promise<SavedRow | undefined> {
    return result(this.transaction.objectStore(GAMES).get(id) as IDBRequest<SavedRow | undefined>);
  }

  rows(): Promise<SavedRow[]> {
    return result(this.transaction.objectStore(GAMES).getAll() as IDBRequest<SavedRow[]>);
  }

  async blocks(id: string): Promise<Block[]> {
    const all = await result(this.transaction.objectStore(BLOCKS).getAll(blocksOf(id)));
    const blocks: Block[] = [];
    for (const { number, nodes } of all as { number: number; nodes: Block }[]) blocks[number] = nodes;
    // A block that is missing has no moves.
    return Array.from(blocks, (block) => block ?? []);
  }

  put({ row, blocks }: ChangedGame): void {
    this.transaction.objectStore(GAMES).put(row);
    const store = this.transaction.objectStore(BLOCKS);
    for (const [number, nodes] of Object.entries(blocks)) {
      store.put({ game: row.id, number: Number(number), nodes });
    }
  }

  remove(id: string): void {
    this.transaction.objectStore(GAMES).delete(id);
    this.transaction.objectStore(BLOCKS).delete(blocksOf(id));
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
    request.onupgradeneeded = () => {
      request.result.createObjectStore(GAMES, { keyPath: 'id' });
      request.result.createObjectStore(BLOCKS, { keyPath: ['game', 'number'] });
    };
    return new GameDatabase(await result(request));
  }

  /** Reads games. */
  read<T>(work: (access: GameAccess) => Promise<T>): Promise<T> {
    return work(new GameAccess(this.database.transaction([GAMES, BLOCKS])));
  }

  /**
   * Reads and writes games as a whole, or not at all. No other window writes meanwhile, because the browser lets one
   * such transaction after the other begin. The result comes when everything is on the disk.
   */
  async change<T>(work: (access: GameAccess) => Promise<T>): Promise<T> {
    const transaction = this.database.transaction([GAMES, BLOCKS], 'readwrite', { durability: 'strict' });
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

  /** Removes the games that were deleted long ago, and returns the rows of the others. `now` is in seconds. */
  start(now: number): Promise<SavedRow[]> {
    return this.change(async (access) => {
      const rows = await access.rows();
      const isOld = ({ deleted }: SavedRow) => deleted !== undefined && deleted < now - KEPT_SECONDS;
      for (const { id } of rows.filter(isOld)) access.remove(id);
      return rows.filter((row) => !isOld(row));
    });
  }
}

// The worker of a page without a server: it answers the requests of the page by the module, and keeps the games in the
// database of the browser. A message is posted when the changes that it reports are on the disk.

import { Instance } from '../../../apps/wasm/js/instance';
import { MODULE } from './assets';
import { type DamagedPart, backupOf, damageWords, readBackup } from './backup';
import {
  type Block,
  type GameAccess,
  GameDatabase,
  type SavedCollection,
  type SavedRow,
  type StoreChanges,
  type WholeGame,
  isEmpty,
} from './game-database';
import { ReplyLease } from './reply-lease';
import { type SearchOrder, Searches } from './searches';
import type { FromPageWorker, FromSearchWorker, ToPageWorker, Words } from './worker-messages';

/** What the module has to say after a call; see `apps/wasm/src/page.rs`. */
interface Output {
  messages: (FromPageWorker & { kind: 'messages' })['messages'];
  changes: StoreChanges;
  search: 'stop' | { start: SearchOrder } | null;
  /** The id and the revision of the open game. */
  open: [string, number] | null;
  /** The milliseconds until a flag falls, or the next attempt to take a lease. */
  flag: number | null;
  /** The game on whose replies the module needs the lease among all windows. */
  lease?: string | null;
}

interface NeededGame {
  id: string;
  revision: number;
  needsMoves: boolean;
}

/** What a request needs of the database. */
interface Needs {
  games: NeededGame[];
  /** The rows of all games. */
  rows: boolean;
  /** The collections, and what `page.stale` names. */
  library: boolean;
}

/** What a list of games needs of the database. */
interface StaleGames {
  /** The ids of games whose moves are needed. */
  moves: string[];
  /** Whether the positions of all games are needed. */
  positions: boolean;
}

/** A message to the other windows: which games and collections have changed. */
interface ChangeMessage {
  games: string[];
  collections: string[];
}

/** Takes changes that are not those of a request. */
type Write = (changes: StoreChanges) => void;

const NO_CHANGES: StoreChanges = { games: [], collections: [], removed: [], removed_collections: [] };

const encoder = new TextEncoder();

function post(message: FromPageWorker): void {
  postMessage(message);
}

/** Another window has changed the game after a change of it was made here, and before this one was written. */
class ChangedElsewhere extends Error {}

/** Returns why changes are not on the disk, in words. */
function wordsOf(error: unknown): Words {
  if (error instanceof ChangedElsewhere) {
    return {
      message: 'the game was changed in another window; the board now shows the current position',
      message_zh: '另一窗口已更改本局：现在显示最新局面',
    };
  }
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') {
    return {
      message:
        'the browser has no more space for games, and this change is not saved: save all games as a file, delete some of them for ever, or free space on the disk',
      message_zh: '浏览器的存储空间已满，此次改动未能保存：请将全部对局存为文件，永久删除部分对局，或腾出磁盘空间',
    };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return {
    message: `the browser cannot save games here, and this change is not saved: ${reason}`,
    message_zh: `浏览器无法在此保存对局，此次改动未能保存：${reason}`,
  };
}

/** Answers the page. */
class PageWorker {
  private readonly instance = new Instance(new URL(MODULE, self.location.href));
  private database?: GameDatabase;
  /** Why there is no database. */
  private databaseError: unknown;
  private searches?: Searches;
  private open: Output['open'] = null;
  private flagTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the module has the rows of all games. They are read when a list needs them. */
  private hasRows = false;
  private hasReportedDamage = false;
  private queue: Promise<void> = Promise.resolve();
  /** Reports to the other windows which games have changed. */
  private readonly channel = new BroadcastChannel('alfil-games');
  private readonly lease = new ReplyLease((game) => this.enqueue(() => this.run(() => this.call('lease', game))));

  async start(module?: WebAssembly.Module): Promise<void> {
    const read = async () => {
      const opened = await GameDatabase.open();
      const rows = await opened.read((access) => access.collections());
      this.database = opened;
      return rows;
    };
    // Without a database the page works, and says that it cannot save.
    const collections = read().catch((error: unknown) => {
      this.databaseError = error;
      return [];
    });
    await this.instance.init(module);
    this.put([], await collections);
    this.searches = new Searches(this.instance.module, (message) => this.enqueue(() => this.onSearch(message)));
    this.channel.onmessage = ({ data }: MessageEvent<ChangeMessage>) => this.enqueue(() => this.onOtherWindow(data));
    post({ kind: 'ready', module: this.instance.module });
  }

  /** Does one thing after the other, so that none sees a game that another one is changing. */
  enqueue(work: () => Promise<void>): void {
    this.queue = this.queue.then(work).catch((error: unknown) => {
      post({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    });
  }

  private call<T>(name: string, bytes?: Uint8Array | string, number?: number): T {
    const file = typeof bytes === 'string' ? encoder.encode(bytes) : bytes;
    return this.instance.call(`page.${name}`, { number }, file ?? new Uint8Array()) as T;
  }

  /** Gives games and collections of the database to the module. */
  private put(games: { row: SavedRow; blocks?: Block[] }[], collections: SavedCollection[] = []): void {
    if (games.length + collections.length === 0) return;
    const damaged = this.call<number>('put', JSON.stringify({ games, collections }));
    if (damaged > 0 && !this.hasReportedDamage) this.reportDamage(damaged);
  }

  /** Reports games and collections of the database that the module cannot read. They stay as they are. */
  private reportDamage(count: number): void {
    this.hasReportedDamage = true;
    const error = `games and collections that are damaged in this browser and left out: ${count}`;
    const error_zh = `此浏览器中已损坏而略过的对局与棋谱集：${count}`;
    post({ kind: 'messages', messages: [{ id: 0, error, error_zh }], saved: false });
  }

  /** Brings a game of the module to what the database has, if that is something else. */
  private async refresh(access: GameAccess, { id, revision, needsMoves }: NeededGame): Promise<void> {
    const row = await access.row(id);
    if (!row) this.call('remove', id);
    else if (needsMoves || row.revision !== revision || row.deleted !== undefined) {
      const blocks = needsMoves || id === this.open?.[0] ? await access.blocks(id) : undefined;
      this.put([{ row, blocks }]);
    }
  }

  /**
   * Brings the module to what the database has, as far as a request needs it. `write` takes what is found out
   * meanwhile.
   */
  private async prepare(
    access: GameAccess,
    request: Uint8Array,
    { games, rows, library }: Needs,
    write: Write,
  ): Promise<void> {
    if (rows && !this.hasRows) {
      this.put((await access.rows()).map((row) => ({ row })));
      this.hasRows = true;
      write(this.call<StoreChanges>('purge'));
    }
    if (library) this.put([], await access.collections());
    for (const game of games) await this.refresh(access, game);
    if (library) await this.refreshStale(access, request, write);
  }

  /** Finds openings, last positions and positions of the games that have changed, before a list shows them. */
  private async refreshStale(
    access: GameAccess,
    request: Uint8Array,
    write: Write,
  ): Promise<void> {
    let hasPositions = false;
    for (;;) {
      const stale = this.call<StaleGames>('stale', request, hasPositions ? 1 : 0);
      if (stale.positions) {
        this.call('positions', JSON.stringify(await access.positions()));
        hasPositions = true;
        continue;
      }
      if (stale.moves.length === 0) return;
      for (const id of stale.moves) await this.refresh(access, { id, revision: 0, needsMoves: true });
      write(this.call<StoreChanges>('refresh', JSON.stringify(stale.moves)));
    }
  }

  /** Runs a call of the module, writes its changes, and posts its messages when they are on the disk. */
  private async run(work: () => Output, requestId = 0, prepare?: (access: GameAccess, write: Write) => Promise<void>): Promise<void> {
    let outputs: Output[] = [];
    let changes: StoreChanges | undefined;
    const call = () => {
      const output = work();
      outputs = [output];
      changes = isEmpty(output.changes) ? undefined : output.changes;
    };
    const callIn = async (access: GameAccess, write: Write) => {
      if (this.open && this.open[1] > 0) {
        await this.refresh(access, { id: this.open[0], revision: this.open[1], needsMoves: false });
      }
      await prepare?.(access, write);
      const opened = this.open;
      call();
      // The request may have left the open game as it was before another window has changed it.
      if (opened) outputs.push(this.call<Output>('changed', opened[0]));
      if (changes) access.apply(changes);
    };
    let hasFound = false;
    const attempt = async (writesFound: boolean): Promise<void> => {
      if (!this.database) {
        call();
        if (changes) throw this.databaseError;
        return;
      }
      const write = (access: GameAccess) => (found: StoreChanges) => {
        hasFound ||= !isEmpty(found);
        if (writesFound) access.apply(found);
      };
      await this.database.change((access) => callIn(access, write(access)));
    };
    try {
      // What was found for a list may fit on no disk: the list is answered from memory.
      await attempt(true).catch((error: unknown) => {
        if (changes || !hasFound) throw error;
        return outputs.length > 0 ? undefined : attempt(false);
      });
    } catch (error) {
      if (!changes) throw error;
      outputs = [await this.onLost(outputs, changes, error, requestId)];
      changes = undefined;
    }
    this.finish(outputs, changes);
  }

  /** Writes the changes of a call that was made before the transaction, unless another window was faster. */
  private async write(output: Output): Promise<void> {
    const { changes } = output;
    const [id, revision] = this.open ?? ['', 0];
    try {
      if (!this.database) throw this.databaseError;
      await this.database.change(async (access) => {
        const row = await access.row(id);
        if ((row?.revision ?? 0) !== revision || row?.deleted !== undefined) throw new ChangedElsewhere();
        access.apply(changes);
      });
    } catch (error) {
      this.finish([await this.onLost([output], changes, error)]);
      return;
    }
    this.finish([output], changes);
  }

  /**
   * Takes back changes that are not on the disk, and returns what the module says to that. It replaces `outputs`, which
   * have said that the changes are saved: the requests that they have answered get the error.
   */
  private async onLost(outputs: Output[], changes: StoreChanges, error: unknown, requestId = 0): Promise<Output> {
    await this.restore(changes);
    const answered = outputs.flatMap(({ messages }) => messages.flatMap((one) => ('event' in one ? [] : [one.id])));
    const [first = 0, ...others] = new Set([requestId, ...answered].filter((id) => id > 0));
    const lost = this.call<Output>('lost', JSON.stringify(wordsOf(error)), first);
    const answer = lost.messages.at(-1);
    if (answer) lost.messages.push(...others.map((id) => ({ ...answer, id })));
    // The module takes the search for stopped if `outputs` say so.
    if (outputs.some(({ search }) => search)) this.searches?.stop();
    // What an import that cannot go on has saved before is removed; else later, when all rows are read.
    await this.database?.change(async (access) => access.apply(lost.changes)).catch(() => {});
    return lost;
  }

  /** Gives the module what the database has of games and collections whose changes were not written. */
  private async restore({ games, collections, removed, removed_collections }: StoreChanges): Promise<void> {
    const ids = [...games.map(({ row }) => row.id), ...removed];
    await this.load(ids, [...collections.map(({ id }) => id), ...removed_collections], () => true);
  }

  /** Gives the module what the database has of games and collections. */
  private async load(games: string[], collections: string[], needsMoves: (id: string) => boolean): Promise<void> {
    const read = async (access: GameAccess) => {
      for (const id of games) {
        const row = await access.row(id);
        if (row) this.put([{ row, blocks: needsMoves(id) ? await access.blocks(id) : undefined }]);
        else this.call('remove', id);
      }
      for (const id of collections) {
        const collection = await access.collection(id);
        if (collection) this.put([], [collection]);
        else this.call('removeCollection', id);
      }
    };
    if (this.database) return this.database.read(read);
    games.forEach((id) => this.call('remove', id));
    collections.forEach((id) => this.call('removeCollection', id));
  }

  private finish(outputs: Output[], changes?: StoreChanges): void {
    const messages = outputs.flatMap((output) => output.messages);
    if (messages.length > 0) post({ kind: 'messages', messages, saved: changes !== undefined });
    if (changes) this.reportChanges(changes);
    for (const { search } of outputs) {
      if (search === 'stop') this.searches?.stop();
      else if (search) void this.searches?.start(search.start);
    }
    const last = outputs[outputs.length - 1];
    if (!last) return;
    this.open = last.open;
    this.lease.want(last.lease ?? null);
    clearTimeout(this.flagTimer);
    if (last.flag !== null) {
      this.flagTimer = setTimeout(() => this.enqueue(() => this.run(() => this.call('flag'))), last.flag);
    }
  }

  /** Reports to the other windows what has changed. */
  private reportChanges({ games, collections, removed, removed_collections }: StoreChanges): void {
    this.channel.postMessage({
      games: [...games.map(({ row }) => row.id), ...removed],
      collections: [...collections.map(({ id }) => id), ...removed_collections],
    } satisfies ChangeMessage);
  }

  onRequest(id: number, text: string): Promise<void> {
    const bytes = encoder.encode(text);
    const needs = this.call<Needs>('needs', bytes);
    return this.run(() => this.call('text', bytes), id, (access, write) => this.prepare(access, bytes, needs, write));
  }

  /** Brings the module to the new game that the page shows already. */
  async onBegin(requests: string[], game: string): Promise<void> {
    for (const request of requests) this.call('text', request);
    const output = this.call<Output>('nameNewGame', game);
    this.finish([{ ...output, messages: [] }]);
  }

  private async onSearch(message: FromSearchWorker): Promise<void> {
    const { kind, number } = message;
    const content = { ...(kind === 'info' && { info: message.info }), ...(kind === 'end' && { end: message.end }) };
    const text = JSON.stringify(kind === 'lost' ? { lost: message.reason } : content);
    const work = () => this.call<Output>('search', text, number);
    if (kind !== 'info') return this.run(work);
    // An info message changes a game only if a flag has fallen; else it needs no transaction.
    const output = work();
    if (isEmpty(output.changes)) this.finish([output]);
    else await this.write(output);
  }

  /** Another window has changed games. */
  private async onOtherWindow({ games, collections }: ChangeMessage): Promise<void> {
    const openId = this.open?.[0];
    await this.load(games, collections, (id) => id === openId);
    if (openId && games.includes(openId)) this.finish([this.call<Output>('changed', openId)]);
  }

  /** Answers with all games as one file. */
  async onSave(id: number): Promise<void> {
    const text = await this.database?.read(backupOf);
    post(text === undefined ? { kind: 'done', id, error: wordsOf(this.databaseError) } : { kind: 'done', id, text });
  }

  /**
   * Returns a game of a file as it is added: undefined if the game here has all of it. Where each has something that
   * the other has not, the game of the file gets another id, the same each time.
   */
  private async gameToAdd(access: GameAccess, game: WholeGame): Promise<WholeGame | undefined> {
    const contains = (whole: WholeGame, part: WholeGame) => this.call<boolean>('contains', JSON.stringify([whole, part]));
    for (let number = 1; ; number++) {
      const id = number === 1 ? game.row.id : `${game.row.id.slice(0, 28)}x${number}`;
      const positions = game.positions && { ...game.positions, id };
      const added = { ...game, row: { ...game.row, id }, positions };
      const row = await access.row(id);
      if (!row || row.deleted !== undefined) return added;
      const known = { row, blocks: await access.blocks(id) };
      if (contains(known, game)) return undefined;
      const revision = Math.max(row.revision + 1, game.row.revision);
      if (contains(game, known)) return { ...added, row: { ...added.row, revision } };
    }
  }

  /** Adds the games of a file. */
  async onLoad(id: number, text: string): Promise<void> {
    const file = readBackup(text);
    if ('message' in file) {
      post({ kind: 'done', id, error: file });
      return;
    }
    const damaged = this.call<DamagedPart | null>('check', JSON.stringify(file));
    if (damaged) {
      post({ kind: 'done', id, error: damageWords(damaged) });
      return;
    }
    const changes: StoreChanges = { ...NO_CHANGES, games: [], collections: [] };
    try {
      if (!this.database) throw this.databaseError;
      await this.database.change(async (access) => {
        for (const collection of file.collections) {
          const known = (await access.collection(collection.id)) as { deleted?: number } | undefined;
          if (!known || known.deleted !== undefined) changes.collections.push(collection);
        }
        access.apply(changes);
        for (const game of file.games) {
          const added = await this.gameToAdd(access, game);
          if (!added) continue;
          const { row, blocks, positions } = added;
          access.remove(row.id);
          const written = { row, blocks: Object.fromEntries(blocks.entries()), positions };
          // The next game of the file may have the id that this one has got.
          access.apply({ ...NO_CHANGES, games: [written] });
          changes.games.push(written);
        }
      });
    } catch (error) {
      post({ kind: 'done', id, error: wordsOf(error) });
      return;
    }
    this.reportChanges(changes);
    const games = [...new Set(changes.games.map(({ row }) => row.id))];
    await this.onOtherWindow({ games, collections: changes.collections.map((each) => each.id) });
    post({ kind: 'done', id, count: games.length });
  }
}

const worker = new PageWorker();

self.onmessage = ({ data }: MessageEvent<ToPageWorker>) => {
  worker.enqueue(() => {
    if (data.kind === 'start') return worker.start(data.module);
    if (data.kind === 'begin') return worker.onBegin(data.requests, data.game);
    if (data.kind === 'request') return worker.onRequest(data.id, data.text);
    return data.kind === 'save' ? worker.onSave(data.id) : worker.onLoad(data.id, data.text);
  });
};

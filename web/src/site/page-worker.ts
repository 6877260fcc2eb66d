// The worker of a page without a server: it answers the requests of the page by the module, and keeps the games in the
// database of the browser. A message is posted when the changes that it reports are on the disk.

import { Instance } from '../../../apps/wasm/js/instance';
import { MODULE } from './assets';
import { backupOf, readBackup } from './backup';
import { type ChangedGame, type GameAccess, GameDatabase, type SavedRow } from './game-database';
import { type SearchOrder, Searches } from './searches';
import type { FromPageWorker, FromSearchWorker, ToPageWorker, Words } from './worker-messages';

/** What the module has to say after a call; see `apps/wasm/src/page.rs`. */
interface Output {
  messages: (FromPageWorker & { kind: 'messages' })['messages'];
  changes: ChangedGame[];
  search: 'stop' | { start: SearchOrder } | null;
  /** The id and the revision of the open game. */
  open: [string, number] | null;
  /** The milliseconds until a flag falls. */
  flag: number | null;
}

interface NeededGame {
  id: string;
  revision: number;
  needsMoves: boolean;
}

const encoder = new TextEncoder();

function post(message: FromPageWorker): void {
  postMessage(message);
}

/** Returns why changes are not on the disk, in words. */
function wordsOf(error: unknown): Words {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') {
    return {
      message:
        'the browser has no more space for games, and this change is not saved: save all games as a file, delete some, or free space on the disk',
      message_zh: '浏览器的存储空间已满，此次改动未能保存：请将全部对局存为文件，删除部分对局，或腾出磁盘空间',
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
  private queue: Promise<void> = Promise.resolve();
  /** Reports to the other windows which games have changed. */
  private readonly channel = new BroadcastChannel('alfil-games');

  async start(module?: WebAssembly.Module): Promise<void> {
    const database = GameDatabase.open().then(
      async (opened) => {
        const rows = await opened.start(Date.now() / 1000);
        this.database = opened;
        return rows;
      },
      (error: unknown) => {
        this.databaseError = error;
        return [];
      },
    );
    await this.instance.init(module);
    this.put((await database).map((row) => ({ row })));
    this.searches = new Searches(this.instance.module, (message) => this.enqueue(() => this.onSearch(message)));
    this.channel.onmessage = ({ data }: MessageEvent<string[]>) => this.enqueue(() => this.onOtherWindow(data));
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

  /** Gives games of the database to the module. */
  private put(games: { row: SavedRow; blocks?: unknown[] }[]): void {
    if (games.length > 0) this.call('put', JSON.stringify(games));
  }

  /** Brings a game of the module to what the database has, if that is something else. */
  private async refresh(access: GameAccess, { id, revision, needsMoves }: NeededGame): Promise<void> {
    const row = await access.row(id);
    if (!row) this.call('remove', id);
    else if (needsMoves || row.revision !== revision || row.deleted !== undefined) {
      this.put([{ row, blocks: await access.blocks(id) }]);
    }
  }

  /** Runs a call of the module, writes its changes, and posts its messages when they are on the disk. */
  private async run(work: () => Output, requestId = 0, needed?: NeededGame | null): Promise<void> {
    let outputs: Output[] = [];
    let changes: ChangedGame[] = [];
    const call = () => {
      outputs = [work()];
      changes = outputs[0]?.changes ?? [];
    };
    try {
      if (!this.database) {
        call();
        if (changes.length > 0) throw this.databaseError;
      } else {
        await this.database.change(async (access) => {
          if (this.open && this.open[1] > 0) {
            await this.refresh(access, { id: this.open[0], revision: this.open[1], needsMoves: false });
          }
          if (needed) await this.refresh(access, needed);
          const opened = this.open;
          call();
          // The request may have left the open game as it was before another window has changed it.
          if (opened) outputs.push(this.call<Output>('changed', opened[0]));
          for (const change of changes) access.put(change);
        });
      }
    } catch (error) {
      if (changes.length === 0) throw error;
      await this.restore(changes);
      outputs = [this.call<Output>('lost', JSON.stringify(wordsOf(error)), requestId)];
      changes = [];
    }
    this.finish(outputs, changes);
  }

  /** Gives the module what the database has of games whose changes were not written. */
  private async restore(changes: ChangedGame[]): Promise<void> {
    for (const { row } of changes) {
      const saved = await this.database?.read(async (access) => {
        const savedRow = await access.row(row.id);
        return savedRow && { row: savedRow, blocks: await access.blocks(row.id) };
      });
      if (saved) this.put([saved]);
      else this.call('remove', row.id);
    }
  }

  private finish(outputs: Output[], changes: ChangedGame[]): void {
    const messages = outputs.flatMap((output) => output.messages);
    if (messages.length > 0) post({ kind: 'messages', messages, saved: changes.length > 0 });
    if (changes.length > 0) this.channel.postMessage(changes.map(({ row }) => row.id));
    for (const { search } of outputs) {
      if (search === 'stop') this.searches?.stop();
      else if (search) void this.searches?.start(search.start);
    }
    const last = outputs[outputs.length - 1];
    if (!last) return;
    this.open = last.open;
    clearTimeout(this.flagTimer);
    if (last.flag !== null) {
      this.flagTimer = setTimeout(() => this.enqueue(() => this.run(() => this.call('flag'))), last.flag);
    }
  }

  onRequest(id: number, text: string): Promise<void> {
    const bytes = encoder.encode(text);
    return this.run(() => this.call('text', bytes), id, this.call<NeededGame | null>('needs', bytes));
  }

  private async onSearch(message: FromSearchWorker): Promise<void> {
    const { kind, number } = message;
    const content = { ...(kind === 'info' && { info: message.info }), ...(kind === 'end' && { end: message.end }) };
    const text = JSON.stringify(kind === 'lost' ? { lost: message.reason } : content);
    const work = () => this.call<Output>('search', text, number);
    if (kind !== 'info') return this.run(work);
    // Info changes a game only if a flag has fallen; else it needs no transaction.
    const output = work();
    if (output.changes.length > 0) return this.run(() => output);
    this.finish([output], []);
  }

  /** Another window has changed games. */
  private async onOtherWindow(ids: string[]): Promise<void> {
    for (const id of ids) {
      const isOpen = this.open?.[0] === id;
      const game = await this.database?.read(async (access) => {
        const row = await access.row(id);
        return row && { row, blocks: isOpen ? await access.blocks(id) : undefined };
      });
      if (game) this.put([game]);
      else this.call('remove', id);
      if (isOpen) this.finish([this.call<Output>('changed', id)], []);
    }
  }

  /** Answers with all games as one file. */
  async onSave(id: number): Promise<void> {
    const text = await this.database?.read(backupOf);
    post(text === undefined ? { kind: 'done', id, error: wordsOf(this.databaseError) } : { kind: 'done', id, text });
  }

  /** Adds the games of a file. */
  async onLoad(id: number, text: string): Promise<void> {
    const games = readBackup(text);
    if ('message' in games) {
      post({ kind: 'done', id, error: games });
      return;
    }
    try {
      await this.database?.change(async (access) => {
        for (const { row, blocks } of games) {
          const known = await access.row(row.id);
          // A game that has gone on here since stays as it is.
          if (known && known.deleted === undefined && known.revision >= row.revision) continue;
          access.remove(row.id);
          access.put({ row, blocks: Object.fromEntries(blocks.entries()) });
        }
      });
    } catch (error) {
      post({ kind: 'done', id, error: wordsOf(error) });
      return;
    }
    const ids = games.map(({ row }) => row.id);
    this.channel.postMessage(ids);
    await this.onOtherWindow(ids);
    post({ kind: 'done', id, count: games.length });
  }
}

const worker = new PageWorker();

self.onmessage = ({ data }: MessageEvent<ToPageWorker>) => {
  worker.enqueue(() => {
    if (data.kind === 'start') return worker.start(data.module);
    if (data.kind === 'request') return worker.onRequest(data.id, data.text);
    return data.kind === 'save' ? worker.onSave(data.id) : worker.onLoad(data.id, data.text);
  });
};

import type { GameClient } from './game-client';
import { type LibraryMessageKey, libraryMessage } from './library-messages';
import { textOfBytes } from './link';
import type { CollectionList, ImportProgress, LibraryPart, LibraryQuery, LibraryRequest, LibraryResponse, LibraryRow } from './wire/types';
import type { GameFiles } from './file-field';
import { collectionName } from './text-import';

/** The number of games that are requested at once. */
export const PART_SIZE = 100;
/** The size of the chunks in which a file is sent, in bytes. */
const CHUNK_BYTES = 256 << 10;
/** The number of games that are exported at once. */
const EXPORT_SIZE = 200;
/** The number of games that a request changes: a message has up to 8 MiB. */
const CHANGE_SIZE = 100_000;

/** The requests that change games by their ids. */
type ChangeOfGames = 'delete_games' | 'restore_games' | 'remove_games';

/** The end of the last import: the server has one at a time. */
let lastImport: Promise<unknown> = Promise.resolve();

/** The requests of the library. */
export class LibraryClient {
  constructor(private readonly client: GameClient) {}

  private async request(request: LibraryRequest): Promise<LibraryResponse | undefined> {
    const response = await this.client.request({ do: 'library', ...request });
    // The open game gets another id if it is deleted.
    if (response) this.client.renameGame(response);
    return response?.library;
  }

  async list(query: LibraryQuery, offset: number, limit = PART_SIZE): Promise<LibraryPart | undefined> {
    return (await this.request({ action: 'list', query, offset, limit }))?.list;
  }

  async ids(query: LibraryQuery): Promise<string[]> {
    return (await this.request({ action: 'ids', query }))?.ids ?? [];
  }

  async collections(): Promise<CollectionList | undefined> {
    return (await this.request({ action: 'collections' }))?.collections;
  }

  /** Returns the appearances of all games. */
  async looks(): Promise<LibraryResponse['looks']> {
    return (await this.request({ action: 'looks' }))?.looks;
  }

  /** Returns the name of the game and its tags. */
  async tags(game: string): Promise<LibraryResponse | undefined> {
    return this.request({ action: 'tags', game });
  }

  /** Replaces the tags of a game that was imported just now, without a notice. */
  async nameGame(game: string, tags: [string, string][]): Promise<void> {
    await this.request({ action: 'set_tags', game, tags });
  }

  /** Renames a collection, which can be undone. */
  async renameCollection(collection: string, former: string, name: string): Promise<boolean> {
    const rename = async (newName: string) => Boolean(await this.request({ action: 'rename_collection', collection, name: newName }));
    if (!(await rename(name))) return false;
    this.client.edits.add({
      undo: () => rename(former),
      redo: () => rename(name),
      done: { kind: 'collectionRenamed', name },
      undone: { kind: 'detailsRestored' },
      ids: [collection],
    });
    return true;
  }

  /** Deletes a collection, which can be undone. */
  async deleteCollection(collection: string, name: string): Promise<boolean> {
    const remove = async () => Boolean(await this.request({ action: 'delete_collection', collection }));
    if (!(await remove())) return false;
    this.client.edits.add({
      undo: async () => Boolean(await this.request({ action: 'restore_collection', collection })),
      redo: remove,
      done: { kind: 'collectionDeleted', name },
      undone: { kind: 'collectionRestored', name },
      ids: [collection],
    });
    return true;
  }

  /** Deletes games, which can be undone. */
  async deleteGames(games: string[]): Promise<boolean> {
    const count = await this.changeGames('delete_games', games);
    if (count === 0) return false;
    const deleted = games.slice(0, count);
    const changeAll = async (action: ChangeOfGames) => (await this.changeGames(action, deleted)) === count;
    this.client.edits.add({
      undo: () => changeAll('restore_games'),
      redo: () => changeAll('delete_games'),
      done: { kind: 'gamesDeleted', count },
      undone: { kind: 'gamesRestored', count },
      ids: deleted,
    });
    return count === games.length;
  }

  /**
   * Restores games from the list of deleted ones, which can be undone. A collection with which they were deleted comes
   * back with them only, so that its deletion cannot be undone any more.
   */
  async restoreGames(games: string[]): Promise<boolean> {
    const collections: string[] = [];
    const count = await this.changeGames('restore_games', games, ({ restored = [] }) => collections.push(...restored));
    if (count === 0) return false;
    const restored = games.slice(0, count);
    this.client.edits.forgetChangesOf(collections);
    this.client.edits.add({
      undo: async () => {
        for (const collection of collections) await this.request({ action: 'delete_collection', collection });
        return (await this.changeGames('delete_games', restored)) === count;
      },
      redo: async () => (await this.changeGames('restore_games', restored)) === count,
      done: { kind: 'deletedGamesRestored', count },
      undone: { kind: 'gamesDeletedAgain', count },
      ids: restored,
    });
    return true;
  }

  /** Removes deleted games for ever. Returns whether any was removed. */
  async removeGames(games: string[]): Promise<boolean> {
    const count = await this.changeGames('remove_games', games);
    this.client.edits.forgetChangesOf(games.slice(0, count));
    return count > 0;
  }

  /** Changes games in batches. Returns the number of games changed before a batch failed. */
  private async changeGames(
    action: ChangeOfGames,
    games: string[],
    onBatch: (response: LibraryResponse) => void = () => {},
  ): Promise<number> {
    for (let start = 0; start < games.length; start += CHANGE_SIZE) {
      const batch = games.slice(start, start + CHANGE_SIZE);
      const response = await this.request({ action, games: batch });
      if (!response) return start;
      onBatch(response);
    }
    return games.length;
  }

  /** Replaces the tags of a game, which can be undone: those of the open game as its other edits. */
  async setTags(game: string, tags: [string, string][]): Promise<boolean> {
    if (game === this.client.state.game?.id) {
      const isSaved = await this.client.edits.setTags(tags);
      // The list is loaded again with every notice.
      if (isSaved) this.client.update({ notice: { kind: 'detailsChanged' } });
      return isSaved;
    }
    const set = async (values: [string, string][]) => (await this.request({ action: 'set_tags', game, tags: values }))?.tags;
    const former = await set(tags);
    if (!former) return false;
    this.client.edits.add({
      undo: async () => Boolean(await set(former)),
      redo: async () => Boolean(await set(tags)),
      done: { kind: 'detailsChanged' },
      undone: { kind: 'detailsRestored' },
      ids: [game],
    });
    return true;
  }

  /** Returns games as PGN; `onProgress` gets the number of games that are done. */
  async export(games: string[], onProgress: (done: number) => void): Promise<Blob | undefined> {
    const parts: string[] = [];
    for (let start = 0; start < games.length; start += EXPORT_SIZE) {
      onProgress(start);
      const response = await this.request({ action: 'export', games: games.slice(start, start + EXPORT_SIZE) });
      if (response?.text === undefined) return this.showLostMessage('exportInterrupted');
      parts.push(response.text);
    }
    return new Blob(parts, { type: 'application/x-chess-pgn' });
  }

  /**
   * Imports a file as a collection, after the end of a former import, which may have been cancelled. `onProgress` gets
   * what is done so far. Returns undefined if it is cancelled or refused.
   */
  import(
    file: GameFiles,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<ImportProgress | undefined> {
    const done = lastImport.then(() => this.sendFile(file, onProgress, signal));
    const { client } = this;
    client.clearError();
    client.importMessage = libraryMessage(client.state.language, 'importRuns');
    const end = done.catch(() => undefined).then(() => {
      if (lastImport !== end) return;
      if (client.state.standaloneError === client.importMessage) client.update({ standaloneError: undefined });
      client.importMessage = undefined;
    });
    lastImport = end;
    return done;
  }

  /** Says that the connection was lost meanwhile, if so. */
  private showLostMessage(key: LibraryMessageKey): undefined {
    const { connected, language } = this.client.state;
    // It is no error of a request: the next one will not remove it.
    if (!connected) this.client.update({ standaloneError: libraryMessage(language, key) });
  }

  private async sendFile(
    { games: file, names }: GameFiles,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<ImportProgress | undefined> {
    const { state } = this.client;
    const { game, language } = state;
    const lists = await this.client.orShowError(Promise.all(names.map(async (list) => textOfBytes(new Uint8Array(await list.arrayBuffer())))));
    if (!lists) return undefined;
    const begin = { action: 'import_begin', name: collectionName(file.name), game: game?.game, chinese: language === 'zh', names: lists } as const;
    if (!(await this.request(begin))) return this.showLostMessage('importInterrupted');
    const cancel = async () => void (await this.request({ action: 'import_cancel' }));
    for (let start = 0; start < file.size; start += CHUNK_BYTES) {
      if (signal.aborted) return void (await cancel());
      const reading = file.slice(start, start + CHUNK_BYTES).arrayBuffer().catch(async (error: unknown) => {
        // The response to the cancellation would remove the error.
        await cancel();
        throw error;
      });
      const bytes = await this.client.orShowError(reading);
      if (!bytes) return undefined;
      const progress = (await this.request({ action: 'import_chunk', data: textOfBytes(new Uint8Array(bytes)) }))?.import;
      if (!progress) return this.showLostMessage('importInterrupted');
      onProgress(progress);
    }
    while (!signal.aborted) {
      const progress = (await this.request({ action: 'import_end' }))?.import;
      if (!progress) return this.showLostMessage('importInterrupted');
      if (progress.done) return progress;
      onProgress(progress);
    }
    return void (await cancel());
  }
}

/** The parts of a list that were loaded. Parts of a former version of the library are dropped. */
export class LoadedParts {
  total = 0;
  private version = '';
  private readonly parts = new Map<number, LibraryRow[]>();

  /** Takes over the part that begins at a game. */
  add(offset: number, { total, version, rows }: LibraryPart): void {
    if (version !== this.version) this.parts.clear();
    this.version = version;
    this.total = total;
    this.parts.set(offset / PART_SIZE, rows);
  }

  /** Returns a game by its place in the list, if it was loaded. */
  row(index: number): LibraryRow | undefined {
    return this.parts.get(Math.floor(index / PART_SIZE))?.[index % PART_SIZE];
  }

  /** Returns the beginning of the first part that is not loaded, of those with the games from `start` to `end`. */
  missing(start: number, end: number): number | undefined {
    for (let part = Math.floor(start / PART_SIZE); part * PART_SIZE < end; part++) {
      if (!this.parts.has(part)) return part * PART_SIZE;
    }
    return undefined;
  }
}

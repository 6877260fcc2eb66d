import { beforeEach, expect, test } from 'vitest';
import { flushPromises } from './fake-server.test-support';
import { gameDto, libraryRow } from './fixtures.test-support';
import { GameClient } from './game-client';
import { LibraryClient, LoadedParts } from './library-client';
import { playersText } from './library-list';
import { libraryMessage } from './library-messages';
import { textOfBytes } from './link';
import type { LibraryResponse, ServerResponse } from './wire/types';
import { collectionName, importFile } from './text-import';
import { ConnectionLost, RequestError, type TransportListener } from './transport';

/** The requests with their fields, whichever these are. */
let requests: Record<string, unknown>[];
let answers: Record<string, LibraryResponse[]>;
/** The number of the request that is refused, from 1; 0 for none. */
let refused: number;
let client: GameClient;
let library: LibraryClient;

beforeEach(() => {
  requests = [];
  answers = {};
  refused = 0;
  client = new GameClient((_listener: TransportListener) => ({
    request: (request) => {
      requests.push(request);
      if (requests.length === refused) return Promise.reject(new RequestError('no', {}));
      const response: ServerResponse = { id: 1, library: answers[request.do === 'library' ? request.action : '']?.shift() ?? {} };
      return Promise.resolve(response);
    },
  }));
  client.attach(null, () => {});
  library = new LibraryClient(client);
});

const nothing = { remarked: 0, remarks: [], collection: null, collection_name: null, first: null };
const progress = { bytes: 0, games: 0, cut: 0, bad: 0, done: false, ...nothing };
test('a file is sent in parts until the server is done', async () => {
  answers = {
    import_chunk: [{ import: { ...progress, bytes: 1, games: 1 } }, { import: { ...progress, bytes: 2, games: 2 } }],
    import_end: [{ import: { ...progress, games: 3 } }, { import: { ...progress, games: 4, done: true, collection: 'c' } }],
  };
  const file = new File([new Uint8Array((256 << 10) + 5).fill(0xe9)], 'My games.pgn');
  const seen: number[] = [];
  const done = await library.import({ games: file, names: [] }, ({ games }) => seen.push(games), new AbortController().signal);
  expect([done?.collection, seen]).toEqual(['c', [1, 2, 3]]);
  expect(requests.map(({ action }) => action)).toEqual(['import_begin', 'import_chunk', 'import_chunk', 'import_end', 'import_end']);
  expect(requests[0]).toMatchObject({ name: 'My games' });
  expect(requests.slice(1, 3).map(({ data }) => String(data).length)).toEqual([256 << 10, 5]);
  expect(String(requests[2]?.data)).toBe('é'.repeat(5));
});

test('a cancelled import sends no more of the file', async () => {
  answers = { import_chunk: [{ import: progress }] };
  const controller = new AbortController();
  const file = new File([new Uint8Array(600 << 10)], 'x');
  expect(await library.import({ games: file, names: [] }, () => controller.abort(), controller.signal)).toBeUndefined();
  expect(requests.map(({ action }) => action)).toEqual(['import_begin', 'import_chunk', 'import_cancel']);
});

test('an import begins after the end of a cancelled one', async () => {
  answers = { import_chunk: [{ import: progress }], import_end: [{ import: { ...progress, done: true } }] };
  const controller = new AbortController();
  const file = new File(['1. e4'], 'a.pgn');
  const cancelled = library.import({ games: file, names: [] }, () => {}, controller.signal);
  controller.abort();
  const next = new LibraryClient(client).import({ games: file, names: [] }, () => {}, new AbortController().signal);
  expect([await cancelled, (await next)?.done]).toEqual([undefined, true]);
  expect(requests.map(({ action }) => action)).toEqual(['import_begin', 'import_cancel', 'import_begin', 'import_chunk', 'import_end']);
});

test('a file that cannot be read ends its import with an error', async () => {
  const file = new File(['1. e4'], 'a.pgn');
  const arrayBuffer = () => Promise.reject(new Error('it was moved'));
  Object.assign(file, { arrayBuffer, slice: () => ({ arrayBuffer }) });
  expect(await library.import({ games: file, names: [] }, () => {}, new AbortController().signal)).toBeUndefined();
  expect(requests.map(({ action }) => action)).toEqual(['import_begin', 'import_cancel']);
  expect(client.state.error).toBe('The file cannot be read: it was moved');
  // A small file is read at once.
  client.update({ language: 'zh', error: undefined });
  expect([await importFile(client, [file]), client.state.error]).toEqual([false, '无法读取文件：it was moved']);
});

test('the details of the open game are edited as its other details, and undone once', async () => {
  client.update({ game: gameDto(null, { id: 'open' }) });
  expect(await library.setTags('open', [['White', 'new']])).toBe(true);
  expect(requests.map(({ do: name, tags }) => [name, tags])).toEqual([['tags', [['White', 'new']]]]);
  expect([client.state.notice?.kind, client.edits.canUndo()]).toEqual(['detailsChanged', false]);
});

test('what is deleted or changed in the library can be undone and redone', async () => {
  await library.deleteGames(['a', 'b']);
  expect(client.state.notice).toEqual({ kind: 'gamesDeleted', count: 2 });
  answers = { set_tags: [{ tags: [['White', 'old']] }, { tags: [['White', 'new']] }] };
  await library.setTags('c', [['White', 'new']]);
  await client.edits.undo();
  expect(requests.at(-1)).toMatchObject({ action: 'set_tags', game: 'c', tags: [['White', 'old']] });
  await client.edits.undo();
  expect(requests.at(-1)).toMatchObject({ action: 'restore_games', games: ['a', 'b'] });
  await client.edits.redo();
  expect(requests.at(-1)).toMatchObject({ action: 'delete_games', games: ['a', 'b'] });
  await library.deleteCollection('id', 'name');
  await client.edits.undo();
  expect(client.state.notice).toEqual({ kind: 'collectionRestored', name: 'name' });
});

test('the deletion of games that are removed for ever is forgotten, so that earlier changes can be undone', async () => {
  answers = { set_tags: [{ tags: [['White', 'old']] }, { tags: [['White', 'new']] }] };
  await library.setTags('c', [['White', 'new']]);
  await library.deleteGames(['a', 'b']);
  await library.removeGames(['b']);
  expect(requests.at(-1)).toMatchObject({ action: 'remove_games', games: ['b'] });
  await client.edits.undo();
  expect(requests.at(-1)).toMatchObject({ action: 'set_tags', game: 'c', tags: [['White', 'old']] });
});

test('games that are restored with a part of their collection are deleted again with it', async () => {
  await library.deleteCollection('club', 'Club');
  answers = { restore_games: [{ restored: ['club'] }] };
  await library.restoreGames(['a']);
  expect(client.state.notice).toEqual({ kind: 'deletedGamesRestored', count: 1 });
  await client.edits.undo();
  // Redoing restores them, and undoing would undo an earlier change.
  expect(client.state.notice).toEqual({ kind: 'gamesDeletedAgain', count: 1 });
  const sent = requests.slice(-2).map(({ action, collection, games }) => [action, collection ?? games]);
  expect(sent).toEqual([['delete_collection', 'club'], ['delete_games', ['a']]]);
  // The former deletion of the whole collection is forgotten.
  expect(client.edits.canUndo()).toBe(false);
});

test('many games are deleted and restored in parts, and those that were deleted before a refusal can be restored', async () => {
  const games = Array.from({ length: 250_000 }, (_, i) => `${i}`);
  const sent = () => requests.splice(0).map(({ action, games: part }) => [action, (part as string[]).length]);
  await library.deleteGames(games);
  const sizes = [100_000, 100_000, 50_000];
  expect(sent()).toEqual(sizes.map((size) => ['delete_games', size]));
  await client.edits.undo();
  expect(sent()).toEqual(sizes.map((size) => ['restore_games', size]));
  refused = 2;
  expect(await library.deleteGames(games)).toBe(false);
  expect(sent()).toEqual(sizes.slice(0, 2).map((size) => ['delete_games', size]));
  expect(client.state.notice).toEqual({ kind: 'gamesDeleted', count: 100_000 });
  await client.edits.undo();
  expect(sent()).toEqual([['restore_games', 100_000]]);
});

test('parts of a former version of the library are dropped', () => {
  const parts = new LoadedParts();
  parts.add(0, { total: 250, version: '1', rows: [libraryRow('a')] });
  parts.add(100, { total: 250, version: '1', rows: [libraryRow('b')] });
  expect([parts.row(100)?.id, parts.missing(90, 120), parts.missing(90, 220)]).toEqual(['b', undefined, 200]);
  parts.add(200, { total: 249, version: '2', rows: [libraryRow('c')] });
  expect([parts.total, parts.row(0), parts.row(200)?.id, parts.missing(190, 220)]).toEqual([249, undefined, 'c', 100]);
});

test('bytes, names of collections and players are written as texts', () => {
  expect(textOfBytes(new Uint8Array([0, 128, 255]))).toBe('\u0000\u0080ÿ');
  expect(['a.b.pgn', '.pgn', 'games'].map(collectionName)).toEqual(['a.b', '.pgn', 'games']);
  const message = (key: Parameters<typeof libraryMessage>[1], ...values: (string | number)[]) => libraryMessage('en', key, ...values);
  expect(playersText({ ...libraryRow('a'), players: ['A', ''] }, message, 'en')).toBe('A – ?');
  expect(playersText({ ...libraryRow('a'), players: ['', ''], person: 1 }, message, 'en')).toBe('Computer, level 3 – You');
  expect(playersText({ ...libraryRow('a'), players: ['', ''] }, message, 'en')).toBe('Analysis');
  expect(playersText({ ...libraryRow('a'), players: ['', ''], two_people: true }, message, 'en')).toBe('Two people');
  expect(playersText({ ...libraryRow('a'), players: ['A', ''], two_people: true }, message, 'en')).toBe('A – ?');
});

test('an import that the connection interrupts is reported', async () => {
  const refuse = () => Promise.reject(new ConnectionLost());
  client = new GameClient(() => ({ request: refuse }));
  client.attach(null, () => {});
  client.update({ connected: false });
  const imported = new LibraryClient(client).import({ games: new File(['1. e4 *'], 'a.pgn'), names: [] }, () => {}, new AbortController().signal);
  expect(client.importMessage).toMatch(/being imported/);
  expect([await imported, client.state.error, client.state.standaloneError]).toEqual([undefined, undefined, expect.stringMatching(/^The connection was lost/)]);
  await flushPromises();
  expect(client.importMessage).toBeUndefined();
});

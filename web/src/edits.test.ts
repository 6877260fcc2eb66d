import { afterEach, beforeEach, expect, test } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { flushPromises } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import { handleKey } from './keyboard';
import type { EditsDto, NodeDto, ServerEvent, ServerResponse } from './wire/types';
import { ConnectionLost, type SentRequest, type Transport, type TransportListener } from './transport';
import type { UiState } from './ui-state';

/** A transport without a socket, as a worker would be one: the test answers the requests. */
class FakeTransport implements Transport {
  readonly requests: SentRequest[] = [];
  private readonly answers: ((response: Omit<ServerResponse, 'id'>) => void)[] = [];
  private readonly failures: ((error: Error) => void)[] = [];

  constructor(readonly listener: TransportListener) {}

  request(request: SentRequest): Promise<ServerResponse> {
    this.requests.push(request);
    return new Promise((resolve, reject) => {
      this.answers.push((response) => resolve({ id: 0, ...response }));
      this.failures.push(reject);
    });
  }

  /** The text of the last request, if that changes a comment. */
  get lastComment(): string | undefined {
    const request = this.requests.at(-1);
    return request?.do === 'comment' ? request.text : undefined;
  }

  /** Lets the connection fail before the last request of this name is answered. */
  reject(name: string): void {
    this.failures[this.lastRequest(name)]?.(new ConnectionLost());
  }

  /** Answers the last request, and checks its name. */
  async respond(name: string, response: Omit<ServerResponse, 'id'>): Promise<void> {
    expect(this.requests.at(-1)?.do).toBe(name);
    await this.respondTo(name, response);
  }

  /** Answers the last request of this name, which may have others after it. */
  async respondTo(name: string, response: Omit<ServerResponse, 'id'>): Promise<void> {
    this.answers[this.lastRequest(name)]?.(response);
    await flushPromises();
  }

  private lastRequest(name: string): number {
    return this.requests.map((request) => request.do as string).lastIndexOf(name);
  }
}

const deletion: EditsDto = { undo: { kind: 'deletion', moves: 2 }, redo: null };
let transport: FakeTransport;
let client: GameClient;
let state: UiState;
let board: AlfilBoard;

beforeEach(async () => {
  localStorage.clear();
  history.replaceState(null, '', '#');
  board = document.createElement('alfil-board') as AlfilBoard;
  client = new GameClient((listener) => (transport = new FakeTransport(listener)));
  client.attach(board, (changed) => (state = changed));
  transport.listener.onConnectionChange(true);
  await flushPromises();
  await transport.respond('games', { games: riverGames, kept: [] });
  const tree = lineNodes('a1a2', 'a4a3', 'a2b2');
  const there = position({ fen: 'end', targets: [move('a1', 'a2', 'W')] });
  await transport.respond('new', { game: gameDto(null), look: river, tree, node: 3, position: there });
  client.setEngine(false);
  await flushPromises();
});

afterEach(() => board.remove());

/** Starts an action and returns when its request was sent. */
async function start(action: () => Promise<unknown>): Promise<void> {
  void action();
  await flushPromises();
}

test('taking back in analysis steps back and deletes nothing', async () => {
  await start(() => client.takeBack());
  expect(transport.requests.at(-1)).toMatchObject({ do: 'go', node: 2 });
  await transport.respond('go', { node: 2, position: position({ fen: 'two' }) });
  expect([state.node, state.tree.moveCount, client.canTakeBack()]).toEqual([2, 3, true]);
});

test('changed moves are taken over, and the others stay the same objects', async () => {
  const before = [1, 2].map((node) => state.tree.node(node));
  await start(() => client.edits.setComment(1, 'good'));
  const commented = { ...lineNodes('a1a2')[1], children: [2], comment: 'good' } as NonNullable<typeof before[0]>;
  await transport.respond('comment', { nodes: [commented], edits: deletion });
  expect(state.tree.node(1)?.comment).toBe('good');
  expect([state.tree.node(2) === before[1], state.tree.node(1) === before[0]]).toEqual([true, false]);
});

test('an edit says which state of the game it changes', async () => {
  const states: unknown[] = [];
  for (const reloads of [0, 1]) {
    transport.listener.onEvent({ event: 'changed', id: 0, game: gameDto(null), tree: lineNodes('a1a2'), node: 1, reloads } as ServerEvent);
    await flushPromises();
    await start(() => client.edits.setComment(1, 'good'));
    states.push(transport.requests.at(-1)?.reloads);
    await transport.respond('comment', { nodes: [], edits: deletion });
  }
  expect(states).toEqual([0, 1]);
});

test('the nodes of a response are taken over although the user has gone on', async () => {
  const played = lineNodes('a1a2', 'a4a3', 'a2b2', 'a3a2').slice(3);
  void client.playMove(move('a1', 'a2', 'W'));
  await flushPromises();
  expect(transport.requests.at(-1)?.do).toBe('play');
  await start(() => client.step('previous'));
  await transport.respondTo('play', { nodes: played, node: 4, position: position({ fen: 'new' }), edits: deletion });
  expect([state.tree.moveCount, state.node, state.edits]).toEqual([4, 3, deletion]);
  await transport.respond('go', { node: 2, position: position({ fen: 'two' }) });
  expect([state.tree.moveCount, state.node]).toEqual([4, 2]);
});

test('details that are saved during a search leave its search alone', async () => {
  const tree = lineNodes('a1a2');
  await start(() => client.openGame('other', 1));
  await transport.respond('open', { game: gameDto(0, { id: 'other' }), look: river, tree, node: 1, position: position({ fen: 'one', side: 1 }), turn: { next: 'computer', replying: true } });
  expect(state.turn.replying).toBe(true);
  await start(() => client.edits.setTags([['Event', 'Cup']]));
  await transport.respond('tags', { game: gameDto(0, { id: 'other' }), edits: deletion });
  expect(state.turn.replying).toBe(true);
  const nodes = lineNodes('a1a2', 'a4a3').slice(1);
  await start(async () => transport.listener.onEvent({ event: 'replied', id: 0, nodes, node: 2, position: position({ fen: 'two', side: 0 }), turn: { next: 'person' } }));
  expect([state.turn.next, state.node, state.tree.moveCount]).toEqual(['person', 2, 2]);
});

test('when another game is opened, changes of the library are not undone any more', async () => {
  await start(() => client.savedGames.delete('old'));
  await transport.respond('forget', { kept: [] });
  expect(client.edits.canUndo()).toBe(true);
  await start(() => client.openGame('other', 0));
  await transport.respond('open', { game: gameDto(null, { id: 'other' }), look: river, tree: lineNodes('a1a2'), node: 0, position: position({ fen: 'other' }) });
  expect(client.edits.canUndo()).toBe(false);
});

test('a game that is not restored is not said to be', async () => {
  await start(() => client.savedGames.delete('old'));
  await transport.respond('forget', { kept: [] });
  await start(() => client.edits.undo());
  transport.reject('restore');
  await flushPromises();
  expect([state.notice?.kind, client.edits.canUndo()]).toEqual(['gameDeleted', true]);
});

test('a deletion says how many moves go, and is undone', async () => {
  await start(() => client.edits.deleteMoves(2));
  const root = lineNodes('a1a2')[1];
  const after = position({ fen: 'one' });
  await transport.respond('prune', { nodes: root ? [root] : [], removed: [2, 3], node: 1, position: after, edits: deletion });
  expect([state.notice, state.tree.moveCount]).toEqual([{ kind: 'movesDeleted', count: 2 }, 1]);
  await start(() => client.edits.undo());
  const nodes = lineNodes('a1a2', 'a4a3', 'a2b2').slice(1);
  const edits: EditsDto = { undo: null, redo: deletion.undo };
  const edit = { kind: 'deletion', moves: 2 } as const;
  await transport.respond('undo_change', { nodes, node: 3, position: position({ fen: 'end' }), edits, edit });
  expect([state.notice, state.tree.moveCount, state.node]).toEqual([{ kind: 'undo', edit }, 3, 3]);
  expect([client.edits.canUndo(), client.edits.canRedo()]).toEqual([false, true]);
});

test('a deleted game and an edit are undone in the order in which they were made', async () => {
  await start(() => client.edits.setComment(1, 'good'));
  await transport.respond('comment', { nodes: [], edits: deletion });
  await start(() => client.savedGames.delete('old'));
  await transport.respond('forget', { kept: [] });
  expect(state.notice).toEqual({ kind: 'gameDeleted' });
  await start(() => client.edits.undo());
  expect(transport.requests.at(-1)).toMatchObject({ do: 'restore', game: 'old' });
  await transport.respond('restore', { kept: [{ id: 'old', game: 'river', plies: 2, changed: 0, players: ['', ''], result: '', event: '' }] });
  expect([state.notice?.kind, state.savedGames.length]).toEqual(['gameRestored', 1]);
  await start(() => client.edits.undo());
  await transport.respond('undo_change', { nodes: [], edits: { undo: null, redo: deletion.undo } });
  await start(() => client.edits.redo());
  await transport.respond('redo_change', { nodes: [], edits: deletion });
  await start(() => client.edits.redo());
  await transport.respond('forget', { kept: [] });
  expect(state.savedGames).toEqual([]);
});

test('Ctrl-Z and Ctrl-Shift-Z undo and redo outside of text fields', async () => {
  await start(() => client.edits.setComment(1, 'good'));
  await transport.respond('comment', { nodes: [], edits: { undo: deletion.undo, redo: deletion.undo } });
  const press = async (key: string, shiftKey: boolean, target: HTMLElement) => {
    const event = new KeyboardEvent('keydown', { key, shiftKey, ctrlKey: true, cancelable: true });
    Object.defineProperty(event, 'target', { value: target });
    handleKey(event, client);
    await flushPromises();
    return event.defaultPrevented;
  };
  const before = transport.requests.length;
  const field = document.createElement('input');
  expect(await press('z', false, field)).toBe(false);
  expect(transport.requests.length).toBe(before);
  expect(await press('z', false, document.body)).toBe(true);
  await transport.respond('undo_change', { nodes: [], edits: { undo: null, redo: deletion.undo } });
  expect(await press('Z', true, document.body)).toBe(true);
  await transport.respond('redo_change', { nodes: [], edits: deletion });
  expect(await press('a', false, document.body)).toBe(false);
});

test('a drawn arrow is shown at once, saved with the comment, and removed when it is drawn again', async () => {
  const comment = () => transport.lastComment;
  const arrow = { from: 'a1', to: 'a3', colour: 'green' } as const;
  void client.edits.toggleShape(arrow);
  expect(board.over.shapes).toEqual([arrow]);
  expect([transport.requests.at(-1)?.do, comment()]).toEqual(['comment', '[%cal Ga1a3]']);
  void client.edits.toggleShape({ from: null, to: 'b2', colour: 'red' });
  expect(comment()).toBe('[%csl Rb2] [%cal Ga1a3]');
  void client.edits.toggleShape(arrow);
  expect(comment()).toBe('[%csl Rb2]');
  // The text of the comment and the shapes are edited apart from each other.
  void client.edits.setComment(client.state.node, 'A plan');
  expect(comment()).toBe('[%csl Rb2] A plan');
});

test('the analysis pauses while the tab is hidden, and goes on afterwards', async () => {
  let hidden = false;
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  const hide = async (value: boolean) => {
    hidden = value;
    document.dispatchEvent(new Event('visibilitychange'));
    await flushPromises();
  };
  client.setEngine(true);
  await flushPromises();
  expect(transport.requests.at(-1)?.do).toBe('analyse');
  await hide(true);
  expect(transport.requests.at(-1)?.do).toBe('stop');
  await transport.respondTo('analyse', {});
  const before = transport.requests.length;
  await hide(false);
  expect(transport.requests.slice(before).map((request) => request.do)).toEqual(['analyse']);
  // An analysis that was not running does not start by itself.
  client.setEngine(false);
  await transport.respondTo('analyse', {});
  const off = transport.requests.length;
  await hide(true);
  await hide(false);
  expect(transport.requests).toHaveLength(off);
  Reflect.deleteProperty(document, 'hidden');
});

test('a shape that is drawn while a comment is saved keeps the comment', async () => {
  await start(() => client.edits.setComment(3, 'typed'));
  await start(() => client.edits.toggleShape({ from: null, to: 'a2', colour: 'green' }));
  expect(transport.lastComment).toBe('typed');
  const commented = { ...state.tree.node(3), comment: 'typed' } as NodeDto;
  await transport.respond('comment', { nodes: [commented], edits: deletion });
  expect(transport.lastComment).toBe('[%csl Ga2] typed');
});

test('what is known about the position stays when the details are saved', async () => {
  const marks = [{ kind: 'fork', side: 0, squares: [] }] as unknown as UiState['tacticalMarks'];
  client.update({ tacticalMarks: marks });
  await start(() => client.edits.setTags([['Event', 'Cup']]));
  await transport.respond('tags', { game: gameDto(null), tree: lineNodes('a1a2', 'a4a3', 'a2b2'), node: 3, position: position({ fen: 'end' }), edits: deletion });
  expect(state.tacticalMarks).toBe(marks);
});

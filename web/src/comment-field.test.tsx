import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServer, startWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import { MovesPanel } from './moves-panel';
import type { NodeDto } from './wire/types';
import { setUpRoot } from './rendered-root.test-support';

const there = (node: number) => position({ fen: String(node), targets: [move('a1', 'a2', 'W')] });
const opened = { game: gameDto(null), look: river, tree: lineNodes('a1a2', 'a4a3'), node: 1, position: there(1) };

let root: HTMLElement;
let server: FakeServer;
let client: GameClient;
setUpRoot((element) => (root = element));

beforeEach(async () => {
  server = startWithFakeServer();
  client = new GameClient();
  const show = () => render(<MovesPanel client={client} state={client.state} onEditDetails={() => {}} onLessons={() => {}} />, root);
  client.attach(null, show);
  await act(() => server.open());
  await act(() => server.respond('games', { games: riverGames, kept: [] }));
  await act(() => server.respond('new', opened));
});

afterEach(() => {
  client.attach(null, () => {})();
  vi.unstubAllGlobals();
});

const field = () => root.querySelector<HTMLTextAreaElement>('.comment') as HTMLTextAreaElement;
const comments = () => server.requests.filter((request) => request.do === 'comment').map(({ node, text }) => [node, text]);

const type = (text: string) =>
  act(() => {
    field().value = text;
    field().dispatchEvent(new Event('input', { bubbles: true }));
  });

/** Another window has changed the game. */
const change = (changes: object) => act(() => server.sendToPage({ event: 'changed', id: 0, ...opened, ...changes }));

test('a comment that is being typed is saved when the board shows another position', async () => {
  await type('A plan');
  await act(() => void client.goTo(2));
  await act(() => server.respond('go', { node: 2, position: there(2) }));
  expect([client.state.node, field().value, comments()]).toEqual([2, '', [[1, 'A plan']]]);
});

test('a comment of several lines keeps them; Enter saves it, but not with Shift or in an input method', async () => {
  const press = async (init: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });
    await act(() => void field().dispatchEvent(event));
    return event.defaultPrevented;
  };
  await type('A plan\nand another');
  expect([await press({ shiftKey: true }), await press({ isComposing: true }), comments()]).toEqual([false, false, []]);
  expect([await press(), comments()]).toEqual([true, [[1, 'A plan\nand another']]]);
  const tree = opened.tree.map((node): NodeDto => (node.node === 1 ? { ...node, comment: 'A plan\nand another' } : node));
  await act(() => server.respond('comment', { tree }));
  // A field that loses the focus reports the change of its text, which is saved already.
  await act(() => void field().dispatchEvent(new Event('change', { bubbles: true })));
  expect([field().value, comments().length]).toEqual(['A plan\nand another', 1]);
});

test('a comment that is being saved is not sent again', async () => {
  await type('A plan');
  await act(() => void field().dispatchEvent(new Event('change', { bubbles: true })));
  const { id } = server.lastRequest('comment');
  await change({ node: 2, position: there(2) });
  expect(comments()).toEqual([[1, 'A plan']]);
  await server.sendToPage({ id });
});

test.each<[string, object]>([
  ['another game', { game: gameDto(null, { id: 'other' }) }],
  ['a game without the move', { tree: lineNodes() }],
  ['another move', { tree: lineNodes('a1b1', 'a4a3') }],
])('a comment that is being typed is not written to %s', async (_what, changes) => {
  await type('A plan');
  await change({ ...changes, node: 0, position: there(0) });
  expect([client.state.node, comments()]).toEqual([0, []]);
});

test.each(['before', 'when'])('a comment that another window has written %s the position changes is not overwritten', async (order) => {
  const tree = opened.tree.map((node): NodeDto => (node.node === 1 ? { ...node, comment: 'theirs' } : node));
  await type('mine');
  if (order === 'before') await change({ tree });
  await change({ tree, node: 2, position: there(2) });
  expect(comments()).toEqual([]);
});

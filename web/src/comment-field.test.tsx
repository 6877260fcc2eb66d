import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SAVE_DELAY_MS } from './comment-drafts';
// The field is a part of the page that is loaded later.
import './comment-field';
import { type FakeServer, flushPromises, startWithFakeServer } from './fake-server.test-support';
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

/** Opens the page with the game, as after a reload. */
async function openPage(response: object = opened): Promise<void> {
  // A page that is loaded again sends nothing.
  if (client as GameClient | undefined) client.hasOpenGame = false;
  render(null, root);
  client = new GameClient();
  const show = () => render(<MovesPanel client={client} state={client.state} onEditDetails={() => {}} onLessons={() => {}} />, root);
  client.attach(null, show);
  await act(() => server.open());
  await act(() => server.respond('games', { games: riverGames, kept: [] }));
  await act(() => server.sendToPage({ id: server.requests.at(-1)?.id ?? 0, ...response }));
  await act(flushPromises);
  await act(flushPromises);
}

beforeEach(async () => {
  vi.useFakeTimers();
  sessionStorage.clear();
  server = startWithFakeServer();
  await openPage();
});

afterEach(() => {
  client.attach(null, () => {})();
  vi.useRealTimers();
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

/** Lets the time pass after which a comment is saved. */
const pause = () => act(async () => void (await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS)));

/** The tree with a comment on the first move. */
const commented = (comment: string) => opened.tree.map((node): NodeDto => (node.node === 1 ? { ...node, comment } : node));

/** The server has saved the last comment. */
const confirm = () => {
  const { id, text } = server.requests.filter((request) => request.do === 'comment').at(-1) ?? { id: 0, text: '' };
  return act(() => server.sendToPage({ id, nodes: commented(String(text)).slice(1, 2) }));
};

const question = () => root.querySelector('[role=alert]');

test('a comment is saved while it is typed, and a pause in it does not make another edit', async () => {
  await type('A');
  expect(comments()).toEqual([]);
  await pause();
  expect(server.lastRequest('comment')).not.toHaveProperty('continues');
  await confirm();
  // The blank at the end is not saved, and stays in the field.
  await type('A plan ');
  await pause();
  expect(server.lastRequest('comment')).toMatchObject({ text: 'A plan', continues: true });
  await confirm();
  expect([field().value, comments().length]).toEqual(['A plan ', 2]);
  // What is typed after the field was left is another edit.
  await act(() => void field().dispatchEvent(new Event('blur')));
  await type('A plan again');
  await pause();
  expect(server.lastRequest('comment')).not.toHaveProperty('continues');
});

test('a comment that is being typed is saved when the board shows another position', async () => {
  await type('A plan');
  await act(() => void client.goTo(2));
  await act(() => server.respond('go', { node: 2, position: there(2) }));
  expect([client.state.node, field().value, comments()]).toEqual([2, '', [[1, 'A plan']]]);
});

test('a comment that is being typed is saved before another game is opened', async () => {
  await type('A plan');
  await act(() => void client.openGame('other'));
  const last = server.requests.slice(-2).map((request) => request.do);
  expect([last, comments()]).toEqual([['comment', 'open'], [[1, 'A plan']]]);
});

test('a comment survives a reload before it is saved', async () => {
  await type('A plan');
  await openPage();
  expect([field().value, comments()]).toEqual(['A plan', []]);
  await pause();
  expect(comments()).toEqual([[1, 'A plan']]);
});

test('a comment survives a server that is gone, and is sent when it is there again', async () => {
  await act(() => server.close());
  await type('A plan');
  await pause();
  expect([field().value, comments()]).toEqual(['A plan', []]);
  await openPage({ ...opened, node: 2, position: there(2) });
  expect([client.state.node, comments()]).toEqual([2, [[1, 'A plan']]]);
  await confirm();
  await openPage();
  expect(comments().length).toBe(1);
});

test('what another window has written to the comment meanwhile is kept beside it after a reload', async () => {
  await type('mine');
  await openPage({ ...opened, tree: commented('theirs'), node: 2, position: there(2) });
  expect(comments()).toEqual([[1, 'theirs mine']]);
});

test('a text that the server refuses is not sent again and again, and stays in the field', async () => {
  await type('A plan');
  await pause();
  await act(() => server.respond('comment', { error: 'no' }));
  await change({});
  await pause();
  expect([comments().length, field().value]).toEqual([1, 'A plan']);
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
  await confirm();
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
  await type('mine');
  if (order === 'before') await change({ tree: commented('theirs') });
  await change({ tree: commented('theirs'), node: 2, position: there(2) });
  expect(comments()).toEqual([[1, 'theirs mine']]);
});

for (const [choice, expected] of [['Keep both', 'theirs mine'], ['Keep mine', 'mine'], ['Keep the other', undefined]] as const) {
  test(`of a comment that another window has changed meanwhile the user chooses what stays: ${choice}`, async () => {
    await type('mine');
    expect(question()).toBeNull();
    await change({ tree: commented('theirs') });
    await act(() => void field().dispatchEvent(new Event('change', { bubbles: true })));
    await pause();
    expect([comments(), question()?.textContent]).toEqual([[], expect.stringContaining('theirs')]);
    await act(async () => [...root.querySelectorAll('button')].find((one) => one.textContent === choice)?.click());
    expect(comments()).toEqual(expected === undefined ? [] : [[1, expected]]);
    if (expected !== undefined) await confirm();
    expect([field().value, question()]).toEqual([expected ?? 'theirs', null]);
  });
}

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import './board/element';
import { against, line, position, river } from './examples.test-data';
import { Game } from './game';
import { Graph } from './graph';
import { Page } from './page';
import { FakeServer } from './server.test-data';
import { Share } from './share';
import { fresh } from './shown';
import { Tree } from './tree';

let root: HTMLElement;

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '#');
  root = document.body.appendChild(document.createElement('div'));
});

afterEach(async () => {
  await act(() => render(null, root));
  root.remove();
  vi.unstubAllGlobals();
});

const named = (words: string) => [...root.querySelectorAll('button')].filter((one) => one.textContent === words);

test('the way to the judge is there when he has spoken, not before, and not when he is not heard', async () => {
  const server = new FakeServer();
  const sides: [string, string] = ['Red', 'Black'];
  const books = [{ name: 'old', title: 'Old', title_zh: '旧' }];
  const ended = position({ ending: { winner: 0, cause: 'mate', words: 'Black has no move', words_zh: '黑方无子可动' } });
  const shape = { look: river, game: against(0, { books, book: 'old' }) };
  const ruling = { book: 'old', explanation: ['Mate.'], instead: [], readings: [], plies: [] };
  const at = (node: number) => ({ ...shape, tree: line('a1a2', 'a4b4', 'a2a3'), node, position: { ...ended, fen: `${node}` } });
  const changed = (node: number) => act(() => server.say({ event: 'changed', id: 0, ...at(node) }));
  const why = () => named('Why? Show the ruling').length;
  await act(() => render(<Page />, root));
  await act(() => server.open());
  await act(() => server.answer('games', { games: [{ game: 'river', title: 'River', title_zh: '河', sides, sides_zh: sides }], kept: [] }));
  await act(() => server.answer('new', at(1)));
  expect(why()).toBe(0);
  await act(() => server.answer('rule', { error: 'not now' }));
  expect(why()).toBe(0);
  await changed(2);
  await act(() => server.answer('rule', { ruling: ruling as never }));
  expect(why()).toBe(1);
  named('Why? Show the ruling')[0]?.click();
  expect(document.activeElement).toBe(root.querySelector('.judge .reasons'));
  // What he said of another position is no answer here.
  await changed(3);
  await act(() => server.answer('rule', { error: 'not now' }));
  expect([why(), root.querySelector('.judge')]).toEqual([0, null]);
});

test('copied is said only of what was', async () => {
  new FakeServer();
  const copied = vi.fn(() => false);
  vi.stubGlobal('navigator', { language: 'en', clipboard: undefined });
  document.execCommand = copied;
  await act(() => render(<Share game={new Game()} shown={{ ...fresh(), position: position({ fen: 'a position' }) }} onClose={() => {}} />, root));
  const click = () => act(async () => void (named('Copy')[0] ?? named('Copied')[0])?.click());
  await click();
  expect([copied.mock.calls.length, named('Copied').length]).toEqual([1, 0]);
  copied.mockReturnValue(true);
  await click();
  expect([copied.mock.calls.length, named('Copied').length]).toEqual([2, 1]);
  // What is not copied afterwards takes the word back.
  copied.mockReturnValue(false);
  await act(async () => void named('Copied')[0]?.click());
  expect(named('Copied').length).toBe(0);
});

test('the graph says what each move is worth, and the start by a word of its own', async () => {
  const score = { value: 40, mate: null };
  const shown = { ...fresh(), look: river, game: against(null), tree: new Tree(line('a1a2')).valued(0, { score }).valued(1, { score }) };
  await act(() => render(<Graph game={new Game()} shown={shown} />, root));
  const titles = () => [...root.querySelectorAll('title')].map((one) => one.textContent);
  expect(titles()).toEqual(['Start: +0.40', '1. a1a2!: +0.40']);
  await act(() => render(<Graph game={new Game()} shown={{ ...shown, tree: new Tree(line('a1a2')) }} />, root));
  expect(titles()).toEqual(['', '1. a1a2!']);
});

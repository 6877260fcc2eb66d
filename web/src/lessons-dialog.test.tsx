import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { move, position, river } from './fixtures.test-support';
import { GameClient } from './game-client';
import { LanguageContext } from './language';
import { LessonsDialog } from './lessons-dialog';
import type { LessonDto } from './wire/types';
import { type UiState, initialState } from './ui-state';

afterEach(() => vi.useRealTimers());

test('a move that a former lesson has shown does not reset the board of the next lesson', async () => {
  vi.useFakeTimers();
  HTMLDialogElement.prototype.showModal ??= () => {};
  const [first, second] = [move('a1', 'a2', 'W'), move('b1', 'b2', 'S')];
  const lesson = (title: string, square: string, target: typeof first, pieces: LessonDto['pieces']) =>
    ({ title, title_zh: title, text: '', text_zh: '', square, pieces, targets: [target] }) as LessonDto;
  const lessons = [lesson('Wader', 'a1', first, { a1: 'W' }), lesson('Swimmer', 'b1', second, { b1: 'S' })];
  const client = new GameClient(() => ({ request: () => Promise.resolve({ id: 1, lessons, ends: [] }) }));
  client.attach(null, () => {});
  const state: UiState = { ...initialState(), appearance: river, position: position({}) };
  const root = document.body.appendChild(document.createElement('div'));
  await act(async () => render(<LessonsDialog client={client} state={state} onKeys={() => {}} onQuiz={() => {}} onClose={() => {}} />, root));
  // The effects of the lessons that have arrived run after the next frame.
  await vi.advanceTimersByTimeAsync(200);
  const board = root.querySelector('alfil-board') as AlfilBoard;
  const drop = (target: typeof first) =>
    act(() => void board.dispatchEvent(new CustomEvent('drop', { detail: { targets: [target] } })));
  await drop(first);
  expect(board.pieces).toEqual({ a2: 'W' });
  await vi.advanceTimersByTimeAsync(500);
  const step = [...root.querySelectorAll<HTMLElement>('.steps button')][1];
  await act(() => step?.click());
  expect(board.pieces).toEqual({ b1: 'S' });
  await drop(second);
  await vi.advanceTimersByTimeAsync(500);
  // The timer of the former lesson would have ended by now.
  expect(board.pieces).toEqual({ b2: 'S' });
  await vi.advanceTimersByTimeAsync(500);
  expect(board.pieces).toEqual({ b1: 'S' });
  await act(() => render(null, root));
  root.remove();
});

test('the dialog leads to the book in the language of the page', async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  const client = new GameClient(() => ({ request: () => Promise.resolve({ id: 1, lessons: [], ends: [] }) }));
  client.attach(null, () => {});
  const state: UiState = { ...initialState(), appearance: river, position: position({}) };
  const root = document.body.appendChild(document.createElement('div'));
  for (const [language, address] of [['en', 'book/'], ['zh', 'book/zh/']] as const) {
    const dialog = <LessonsDialog client={client} state={state} onKeys={() => {}} onQuiz={() => {}} onClose={() => {}} />;
    await act(async () => render(<LanguageContext.Provider value={language}>{dialog}</LanguageContext.Provider>, root));
    expect(root.querySelector('a')?.getAttribute('href')).toBe(address);
  }
  await act(() => render(null, root));
  root.remove();
});

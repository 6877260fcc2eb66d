import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { flushPromises } from './fake-server.test-support';
import { lift, put, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import { LanguageContext } from './language';
import type { Language } from './messages';
import { QuizDialog } from './quiz-dialog';
import { setUpRoot } from './rendered-root.test-support';
import type { ClientRequest, QuizLoopDto, Side } from './wire/types';
import { type UiState, initialState } from './ui-state';

let root: HTMLElement;
setUpRoot((element) => (root = element));

beforeEach(() => {
  HTMLDialogElement.prototype.showModal ??= () => {};
});

afterEach(() => vi.useRealTimers());

function loop(mustChange: Side | null, start: string): QuizLoopDto {
  const step = (from: string, to: string) => ({ text: from + to, script: [lift(from, 'W'), put(to, 'W')], sound: 'move' as const });
  return {
    pieces: { [start]: 'W' },
    moves: [
      { label: 'there', step: step(start, 'c1'), nature: 'chase' },
      { label: 'back', step: step('c1', start), nature: 'idle' },
    ],
    ruling: {
      ruleset: 'old',
      title: 'Old rules',
      title_zh: '旧规则',
      verdict: '',
      decided: true,
      must_change: mustChange,
      articles: ['25.3'],
      evidence: 'text',
      reason: 'The reason.',
      disputed: [],
    },
    text: 'The lesson.',
    text_zh: '说明。',
  };
}

const quiz = [loop(0, 'a1'), loop(1, 'b1'), loop(null, 'a2')];

async function show(language: Language = 'en'): Promise<ClientRequest[]> {
  const requests: ClientRequest[] = [];
  const client = new GameClient(() => ({
    request: (request: ClientRequest) => {
      requests.push(request);
      return Promise.resolve({ id: 1, quiz, look: river });
    },
  }));
  client.attach(null, () => {});
  const state: UiState = { ...initialState(), language, games: riverGames };
  const dialog = <QuizDialog client={client} state={state} game="river" onClose={() => {}} />;
  await act(() => render(<LanguageContext.Provider value={language}>{dialog}</LanguageContext.Provider>, root));
  await act(flushPromises);
  return requests;
}

const button = (label: string) => [...root.querySelectorAll('button')].find((one) => one.textContent === label);
const press = (label: string) =>
  act(async () => {
    const found = button(label);
    if (!found) throw new Error(`no button ${label}`);
    found.click();
  });
const text = () => root.querySelector('dialog')?.textContent ?? '';

test('after each answer the article and the reason are shown, and at the end the score', async () => {
  const requests = await show();
  expect(requests.filter(({ do: name }) => name === 'quiz')).toEqual([
    expect.objectContaining({ do: 'quiz', game: 'river', chinese: false }),
  ]);
  expect(text()).toContain('Repetition 1 of 3');
  expect(text()).toContain('Old rules. These moves repeat: there back.');
  expect(text()).not.toContain('The reason.');
  expect(button('Next')).toBe(undefined);
  await press('Red');
  for (const part of ['Right. Red must change.', 'The lesson.', 'The reason.', 'Article: 25.3', 'there chase']) {
    expect(text()).toContain(part);
  }
  // An answer is not changed.
  expect((button('Neither') as HTMLButtonElement).disabled).toBe(true);
  await press('Next');
  expect(document.activeElement?.textContent).toBe('Repetition 2 of 3');
  expect((root.querySelector('alfil-board') as AlfilBoard).pieces).toEqual({ b1: 'W' });
  await press('Neither');
  expect(text()).toContain('Not so. Black must change.');
  await press('Next');
  await press('Neither');
  expect(text()).toContain('Right. Neither has to change: a draw.');
  await press('To the score');
  expect(text()).toContain('You answered 2 of 3 correctly.');
  expect(text()).toContain('To look at again: 2');
  await press('Begin again');
  expect(text()).toContain('Repetition 1 of 3');
  expect(text()).not.toContain('The reason.');
});

test('the moves are shown twice, and the board is as before', async () => {
  await show();
  vi.useFakeTimers();
  const board = root.querySelector('alfil-board') as AlfilBoard;
  const seen: string[] = [];
  await press('Show the moves');
  for (let i = 0; i < 5; i++) {
    seen.push(Object.keys(board.pieces).join());
    await act(async () => void (await vi.advanceTimersByTimeAsync(900)));
  }
  expect(seen).toEqual(['c1', 'a1', 'c1', 'a1', 'a1']);
  expect(button('Show the moves')).toBeDefined();
  expect([board.pieces, board.last]).toEqual([{ a1: 'W' }, []]);
});

test('the quiz is in Chinese, too, and leads to the chapter in that language', async () => {
  await show('zh');
  await press('黑方');
  for (const part of ['第 1 题，共 3 题', '旧规则', '不对。 红方应变着。', '说明。', '条文: 25.3']) expect(text()).toContain(part);
  expect(root.querySelector('a')?.getAttribute('href')).toBe('book/zh/play/repetitions.html');
});

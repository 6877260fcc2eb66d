import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { EnginePanel } from './engine-panel';
import { GameClient } from './game-client';
import { position, river } from './fixtures.test-support';
import type { SearchInfoDto } from './wire/types';
import type { Backup } from './transport';
import { type UiState, initialState } from './ui-state';

test.each([
  ['on a server', undefined, ['input', 'input', 'select', 'select']],
  ['in the browser', {} as Backup, ['input', 'input']],
])('%s the engine has the options that change its searches', async (_where, backup, expected) => {
  const root = document.body.appendChild(document.createElement('div'));
  const client = new GameClient(() => ({ backup, request: () => Promise.resolve({ id: 1, engines: [] }) }));
  client.attach(null, () => {});
  const state: UiState = { ...initialState(), appearance: river, position: position({}), engineOn: true };
  await act(() => render(<EnginePanel client={client} state={state} />, root));
  const fields = [...root.querySelectorAll('.engine-options .check :is(input, select)')];
  expect(fields.map((field) => field.localName)).toEqual(expected);
  await act(() => render(null, root));
  root.remove();
});

test('a forced mate, exact and selective scores and an ended position are said in words', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  const client = new GameClient(() => ({ request: () => Promise.resolve({ id: 1, engines: [] }) }));
  const line = { event: 'thought', of: 1, node: 0, depth: 9, nodes: 1, seconds: 1, line: ['a1a2'], labels: ['a1a2'] } as const;
  const lines = [
    { ...line, rank: 1, score: { value: 100_000, mate: 5 } },
    { ...line, rank: 2, score: { value: 200, mate: null, exact: true }, confidence: 100 },
    { ...line, rank: 3, score: { value: 150, mate: null }, confidence: 99 },
    { ...line, rank: 4, score: { value: 100, mate: null }, book: true },
  ].map((one): SearchInfoDto => ({ ...one, line: [...one.line], labels: [...one.labels] }));
  const state: UiState = { ...initialState(), appearance: river, position: position({}), engineOn: true, analysisLines: lines, lineCount: 4 };
  await act(() => render(<EnginePanel client={client} state={state} />, root));
  expect([...root.querySelectorAll('.lines .score')].map((score) => score.textContent)).toEqual(['#3forced mate', '+2exact', '+1.5099 %', '+1.00book']);
  // A selective result is never called exact, and its tooltip says that it is not.
  const titles = [...root.querySelectorAll<HTMLElement>('.lines .confidence')].map((word) => word.title);
  expect(titles[1]).toMatch(/^Exact/);
  expect(titles[2]).toMatch(/not exact.* 99 %/);
  // A longer search finds nothing more where all is exact.
  const longer = () => [...root.querySelectorAll('.engine-foot > button')].map((button) => button.textContent);
  expect(longer()).toEqual(['Search longer']);
  const exact = lines.filter(({ confidence }) => confidence === 100);
  await act(() => render(<EnginePanel client={client} state={{ ...state, analysisLines: exact }} />, root));
  expect(longer()).toEqual([]);
  const ending = { winner: null, cause: 'repetition', words: 'Drawn', words_zh: '和棋' };
  const ended: UiState = { ...state, analysisLines: [], position: position({ ending }) };
  await act(() => render(<EnginePanel client={client} state={ended} />, root));
  expect(root.querySelector('.help')?.textContent).toContain('The game is over in this position');
  await act(() => render(null, root));
  root.remove();
});

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { AuthorityTable } from './authority-table';
import { flushPromises } from './fake-server.test-support';
import { position, river } from './fixtures.test-support';
import { GameClient } from './game-client';
import { setUpRoot } from './rendered-root.test-support';
import type { ClientRequest, RulingSummaryDto } from './wire/types';
import { type UiState, initialState } from './ui-state';

let root: HTMLElement;
setUpRoot((element) => (root = element));

const ruling = (ruleset: string, changes: Partial<RulingSummaryDto> = {}): RulingSummaryDto => ({
  ruleset,
  title: `${ruleset} rules`,
  title_zh: `${ruleset}规则`,
  verdict: 'The game continues',
  decided: false,
  must_change: null,
  articles: [],
  evidence: 'measured',
  reason: 'It is too early.',
  disputed: [],
  ...changes,
});

test('each ruleset has a row with verdict, side, articles, evidence and disputes, in the language of the page', async () => {
  const requests: ClientRequest[] = [];
  const lost = ruling('old', {
    verdict: 'Black loses',
    decided: true,
    must_change: 1,
    articles: ['24.13', '25.3'],
    evidence: 'text',
    reason: 'Every move chases.',
    disputed: ['disputed: a draw (some say)'],
  });
  const drawn = ruling('middle', { verdict: 'A draw', decided: true });
  const client = new GameClient(() => ({
    request: (request: ClientRequest) => {
      requests.push(request);
      return Promise.resolve({ id: 1, rulings: [lost, drawn, ruling('new')] });
    },
  }));
  client.attach(null, () => {});
  const state: UiState = { ...initialState(), language: 'en', appearance: river, position: position({}), node: 4 };
  const show = async (changes: Partial<UiState> = {}) => {
    await act(() => render(<AuthorityTable client={client} state={{ ...state, ...changes }} node={4} occurrences={2} />, root));
    await act(flushPromises);
  };
  const rows = () => [...root.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent));
  const sent = () => requests.filter((request) => request.do === 'rule_all');
  await show();
  expect(rows()).toEqual([
    ['Rules', 'Verdict', 'Must change', 'Article', 'Known from'],
    ['old rules', 'Black loses', 'Black', '24.13, 25.3', 'text'],
    ['Every move chases.disputed: a draw (some say)'],
    ['middle rules', 'A draw', 'neither', '–', 'measurements'],
    ['It is too early.'],
    ['new rules', 'The game continues', '–', '–', 'measurements'],
    ['It is too early.'],
  ]);
  expect(sent()).toEqual([expect.objectContaining({ occurrences: 2, chinese: false })]);
  // While the user steps through the repetition, the table stays as it is.
  await show({ node: 2 });
  expect([rows().length, sent().length]).toEqual([7, 1]);
  await show({ language: 'zh' });
  expect(rows()[1]).toEqual(['old规则', 'Black loses', '黑方', '24.13, 25.3', '条文']);
  expect(sent()[1]).toEqual(expect.objectContaining({ occurrences: 2, chinese: true }));
});

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { EnginePanel } from './engine-panel';
import { GameClient } from './game-client';
import { position, river } from './fixtures.test-data';
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

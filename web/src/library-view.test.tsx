import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { libraryRow } from './fixtures.test-support';
import { GameClient } from './game-client';
import { LibraryView } from './library-view';
import type { ServerResponse } from './wire/types';
import { settleEffects, setUpRoot } from './rendered-root.test-support';
import { initialState } from './ui-state';

let root: HTMLElement;
setUpRoot((element) => (root = element));

const press = async (label: string) => {
  await settleEffects();
  [...root.querySelectorAll('button')].find((one) => one.textContent === label)?.click();
  await settleEffects();
};

test('all games are selected, unless another list is shown by then', async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  const list = { total: 2, version: '1', rows: [libraryRow('a'), libraryRow('b')] };
  let answer: (response: ServerResponse) => void = () => {};
  const client = new GameClient(() => ({
    request: (request) => {
      const action = request.do === 'library' && request.action;
      if (action === 'list') return Promise.resolve({ id: 1, library: { list } });
      return new Promise((resolve) => {
        if (action === 'ids') answer = resolve;
      });
    },
  }));
  client.attach(null, () => {});
  const answerIds = async () => {
    answer({ id: 2, library: { ids: ['a', 'b'] } });
    await settleEffects();
  };
  const count = () => root.querySelector('.count')?.textContent;
  await act(() => render(<LibraryView client={client} state={initialState()} onClose={() => {}} />, root));
  await press('Select all');
  await answerIds();
  expect(count()).toBe('2 selected');
  await press('Clear the selection');
  await press('Select all');
  const search = root.querySelector<HTMLInputElement>('input[type=search]');
  if (search) search.value = 'anna';
  search?.dispatchEvent(new Event('input', { bubbles: true }));
  await settleEffects();
  await answerIds();
  expect(count()).toBe('2 games');
});

test('search, order and place are kept when a game is opened from the library', async () => {
  const rows = [libraryRow('a'), libraryRow('b')];
  const queries: unknown[] = [];
  const client = new GameClient(() => ({
    request: (request) => {
      if (request.do === 'library' && request.action === 'list') queries.push(request.query);
      const library = request.do === 'library' ? { list: { total: 2, version: '1', rows } } : undefined;
      return Promise.resolve({ id: 1, library });
    },
  }));
  client.attach(null, () => {});
  const show = () => act(() => render(<LibraryView client={client} state={initialState()} onClose={() => {}} />, root));
  await show();
  await press('Result');
  const search = root.querySelector<HTMLInputElement>('input[type=search]');
  if (search) search.value = 'anna';
  await act(() => void search?.dispatchEvent(new Event('input', { bubbles: true })));
  await settleEffects();
  await act(() => render(null, root));
  queries.length = 0;
  await show();
  await settleEffects();
  expect(queries[0]).toMatchObject({ search: 'anna', sort: 'result', descending: false });
  expect(root.querySelector<HTMLInputElement>('input[type=search]')?.value).toBe('anna');
});

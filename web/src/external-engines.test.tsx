import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test } from 'vitest';
import { gameDto } from './fixtures.test-support';
import { GameClient } from './game-client';
import { NewGameDialog, type NewGameOptions } from './new-game-dialog';
import type { GameName } from './wire/types';

beforeEach(() => localStorage.clear());

/** Returns a client in a window of its own, which has opened a game. */
function windowWith(id: string): GameClient {
  const engines: Record<string, string[]> = { river: ['Boat'], pond: [] };
  const client = new GameClient(() => ({
    request: (request) => Promise.resolve({ id: 1, engines: request.do === 'engines' ? engines[request.game] : undefined }),
  }));
  client.attach(null, () => {});
  client.update({ game: gameDto(0, { id }) });
  return client;
}

test('an engine that was chosen for one game is not chosen for another', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  const sides: [string, string] = ['Red', 'Black'];
  const games = ['river', 'pond'].map((game): GameName => ({ game, title: game, title_zh: game, sides, sides_zh: sides, length_unit: 'full_moves' as const }));
  const initial: NewGameOptions = {
    game: 'river', userSide: 0, twoPeople: false, opponent: 'Boat', level: 3, replySeconds: 1, timeControl: undefined,
  };
  const started: NewGameOptions[] = [];
  const onStart = (options: NewGameOptions) => void started.push(options);
  HTMLDialogElement.prototype.showModal = () => {};
  const client = windowWith('one');
  await act(() => render(<NewGameDialog {...{ client, games, initial, onStart }} language="en" onClose={() => {}} />, root));
  const submit = () => act(() => void root.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true })));
  await submit();
  await act(() => root.querySelector<HTMLInputElement>('input[value=pond]')?.click());
  await submit();
  expect(started.map(({ game, opponent }) => [game, opponent])).toEqual([['river', 'Boat'], ['pond', undefined]]);
  root.remove();
});

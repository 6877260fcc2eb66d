import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { BoardView } from './board-view';
import { EvalBar } from './eval-bar';
import { gameDto, position, river } from './fixtures.test-support';
import { GameClient } from './game-client';
import { PlayerBar } from './player-bar';
import { type UiState, initialState } from './ui-state';

const twoPeople = { game: gameDto(null, { two_people: true }), turnsBoard: true };
const black = { position: position({ side: 1 }) };

test.each<[string, Partial<UiState>, 0 | 1]>([
  ['the user of the first side', { game: gameDto(0) }, 0],
  ['the user of the second side', { game: gameDto(1) }, 1],
  ['the first side in an analysis', { game: gameDto(null), ...black, turnsBoard: true }, 0],
  ['the other side of a flipped board', { game: gameDto(1), flipped: true }, 0],
  ['the first side of two people', { ...twoPeople, ...black, turnsBoard: false }, 0],
  ['the first side to move of two people with a turning board', twoPeople, 0],
  ['the second side to move of two people with a turning board', { ...twoPeople, ...black }, 1],
  ['the other side of a flipped turning board', { ...twoPeople, ...black, flipped: true }, 0],
])('at the bottom of the board and of the bars is %s', async (_who, changes, expected) => {
  const state: UiState = { ...initialState(), appearance: river, position: position({}), ...changes };
  const client = new GameClient();
  client.state = state;
  const root = document.body.appendChild(document.createElement('div'));
  const bars = (
    <>
      <PlayerBar client={client} state={state} top />
      <EvalBar state={state} />
      <PlayerBar client={client} state={state} />
    </>
  );
  await act(() => render(bars, root));
  const element = document.createElement('alfil-board') as AlfilBoard;
  new BoardView(element).update(state, { mayMove: true, showsPosition: true });
  const names = [...root.querySelectorAll('.player b')].map((name) => name.textContent);
  expect(element.orientation).toBe(expected === 0 ? 'first' : 'second');
  expect(names).toEqual(expected === 0 ? ['Black', 'Red'] : ['Red', 'Black']);
  expect(root.querySelector('.eval-bar')?.classList.contains('flipped')).toBe(expected === 1);
  await act(() => render(null, root));
  root.remove();
});

test('another language keeps the pieces of a move that is not confirmed yet', () => {
  const state: UiState = { ...initialState(), appearance: river, position: position({}), language: 'en' };
  const element = document.createElement('alfil-board') as AlfilBoard;
  const view = new BoardView(element);
  view.update(state, { mayMove: true, showsPosition: true });
  element.pieces = { a2: 'W' };
  view.update({ ...state, language: 'zh' }, { mayMove: true, showsPosition: false });
  expect(element.pieces).toEqual({ a2: 'W' });
});

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import type { AlfilBoard } from '../board/src/element';
import { boardTargets } from './board-data';
import { startWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river, riverGames } from './fixtures.test-support';
import { Page } from './page';
import { setUpRoot } from './rendered-root.test-support';
import type { RefusedMoveDto } from './wire/types';

let root: HTMLElement;
setUpRoot((element) => (root = element));

afterEach(() => vi.unstubAllGlobals());

const refused: RefusedMoveDto = {
  from: 'a1',
  to: 'a3',
  text: 'a1a3',
  label: 'W+2',
  reason: 'six checks are the limit',
  reason_zh: '将军以六着为限',
};

test('a refused move is listed with its reason, and choosing it says why and sends nothing', async () => {
  const server = startWithFakeServer();
  const at = (node: number, moves?: RefusedMoveDto[]) => ({
    look: river,
    game: gameDto(0),
    tree: lineNodes('a1a2', 'a4b4'),
    node,
    position: position({ fen: `${node}`, pieces: { a1: 'W' }, targets: [move('a1', 'a2', 'W')], refused: moves }),
  });
  await act(() => render(<Page />, root));
  await act(() => server.open());
  await act(() => server.respond('games', { games: riverGames, kept: [] }));
  await act(() => server.respond('new', at(2, [refused])));
  const said = () => [...root.querySelectorAll('.refused-moves')].map((region) => region.textContent);
  const sentence = 'Not allowed now: W+2. The ruleset refuses it: six checks are the limit.';
  expect(said()).toEqual([sentence, '']);
  const board = root.querySelector('alfil-board') as AlfilBoard;
  expect(board.targets.map(({ to, refused: reason }) => [to, reason])).toEqual([['a2', undefined], ['a3', sentence]]);
  const sent = server.requests.length;
  const target = board.targets[1];
  await act(() => void board.dispatchEvent(new CustomEvent('refuse', { detail: { target } })));
  expect(said()).toEqual(['', sentence]);
  expect(root.querySelector('.refused-moves.tried')?.getAttribute('role')).toBe('alert');
  expect(server.requests.length).toBe(sent);
  // Another position refuses nothing.
  await act(() => server.sendToPage({ event: 'changed', id: 0, ...at(0) }));
  expect(said()).toEqual(['', '']);
});

test('the reason is in the language of the page', () => {
  const [, target] = boardTargets(position({ targets: [move('a1', 'a2', 'W')], refused: [refused] }), 'zh');
  expect(target?.refused).toBe('现在不可走 W+2，规则不允许：将军以六着为限。');
});

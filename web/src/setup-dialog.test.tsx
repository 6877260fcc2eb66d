import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import '../board/src/element';
import { position, river } from './fixtures.test-support';
import { GameClient } from './game-client';
import type { ClientRequest, ServerResponse } from './protocol';
import { setUpRoot, settleEffects } from './rendered-root.test-support';
import { SetupDialog } from './setup-dialog';
import { type UiState, initialState } from './ui-state';

let root: HTMLElement;
setUpRoot((made) => (root = made));

test('a change of the side alone keeps the castling rights, and a change of the pieces gives all of them', async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  const arrangements: ClientRequest[] = [];
  const request = (sent: ClientRequest): Promise<ServerResponse> => {
    if (sent.do === 'arrange') arrangements.push(sent);
    const fen = sent.do === 'arrange' ? `arranged ${arrangements.length}` : String(sent.fen);
    return Promise.resolve({ id: 1, setup: { fen, issues: [], pieces: null, side: null } } as ServerResponse);
  };
  const client = new GameClient(() => ({ request }));
  client.attach(null, () => {});
  const state: UiState = { ...initialState(), appearance: river, position: position({ pieces: { a1: 'W' }, fen: 'W w K' }) };
  await act(async () => render(<SetupDialog client={client} state={state} onClose={() => {}} />, root));
  const settle = () => act(async () => void (await settleEffects()));
  await settle();
  const click = async (element?: HTMLElement) => {
    await act(() => element?.click());
    await settle();
  };
  const sides = [...root.querySelectorAll<HTMLElement>('input[name=mover]')];
  await click(sides[1]);
  await click(sides[0]);
  await click([...root.querySelectorAll<HTMLElement>('.setup-controls button')].at(-1));
  await click(sides[1]);
  expect(arrangements.map(({ pieces, side, before }) => [pieces, side, before])).toEqual([
    [{ a1: 'W' }, 1, 'W w K'],
    [{ a1: 'W' }, 0, 'arranged 1'],
    [{}, 0, null],
    [{}, 1, 'arranged 3'],
  ]);
});

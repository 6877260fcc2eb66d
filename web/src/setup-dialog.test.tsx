import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import '../board/src/element';
import { position, river } from './fixtures.test-support';
import { GameClient } from './game-client';
import type { ClientRequest, ServerResponse } from './wire/types';
import { setUpRoot, settleEffects } from './rendered-root.test-support';
import { SetupDialog } from './setup-dialog';
import { type UiState, initialState } from './ui-state';

let root: HTMLElement;
setUpRoot((made) => (root = made));

const click = (element?: HTMLElement) => act(() => element?.click());
const settle = () => act(async () => void (await settleEffects()));

/**
 * Renders the dialog at the position `W w K`. Returns its controls and the sent arrangements, which `reply` answers
 * with the texts `arranged 1` and so on, now or later.
 */
async function openDialog(reply: (send: () => void) => void) {
  HTMLDialogElement.prototype.showModal ??= () => {};
  const arrangements: Extract<ClientRequest, { do: 'arrange' }>[] = [];
  const request = (sent: ClientRequest): Promise<ServerResponse> => {
    const response = (fen: string) => ({ id: 1, setup: { fen, issues: [], pieces: null, side: null } }) as ServerResponse;
    if (sent.do !== 'arrange') return Promise.resolve(response(sent.do === 'examine' ? sent.fen : ''));
    const text = `arranged ${arrangements.push(sent)}`;
    return new Promise((resolve) => reply(() => resolve(response(text))));
  };
  const client = new GameClient(() => ({ request }));
  client.attach(null, () => {});
  const state: UiState = { ...initialState(), appearance: river, position: position({ pieces: { a1: 'W' }, fen: 'W w K' }) };
  await act(async () => render(<SetupDialog client={client} state={state} onClose={() => {}} />, root));
  await settle();
  const sides = [...root.querySelectorAll<HTMLElement>('input[name=mover]')];
  const clear = [...root.querySelectorAll<HTMLElement>('.setup-controls button')].at(-1);
  return { sides, clear, sent: () => arrangements.map(({ pieces, side, before }) => [pieces, side, before]) };
}

test('a change of the side alone keeps the castling rights, and a change of the pieces gives all of them', async () => {
  const { sides, clear, sent } = await openDialog((send) => send());
  for (const control of [sides[1], sides[0], clear, sides[1]]) {
    await click(control);
    await settle();
  }
  expect(sent()).toEqual([
    [{ a1: 'W' }, 1, 'W w K'],
    [{ a1: 'W' }, 0, 'arranged 1'],
    [{}, 0, null],
    [{}, 1, 'arranged 3'],
  ]);
});

test('castling rights of former pieces are not kept, though no reply has come for the present ones', async () => {
  const { sides, clear, sent } = await openDialog(() => {});
  for (const control of [clear, sides[1]]) {
    await click(control);
    await settle();
  }
  expect(sent()).toEqual([
    [{}, 0, null],
    [{}, 1, null],
  ]);
});

test('a piece that was selected just now is placed by the next key, before the next frame', async () => {
  const { sent } = await openDialog(() => {});
  const palette = [...root.querySelectorAll<HTMLElement>('.palette [role=radio]')];
  // Outside of `act` nothing but the rendering itself, which takes microtasks, comes before the next event.
  palette[0]?.click();
  await Promise.resolve();
  await Promise.resolve();
  root.querySelector('alfil-board')?.dispatchEvent(new CustomEvent('place', { detail: { from: null, to: 'b2' } }));
  await settle();
  expect(sent()).toEqual([[{ a1: 'W', b2: Object.keys(river.pieces)[0] }, 0, null]]);
});

test('no game starts from the former pieces while the text of the present ones is not there', async () => {
  const replies: (() => void)[] = [];
  const { clear } = await openDialog((send) => replies.push(send));
  const play = () => [...root.querySelectorAll<HTMLButtonElement>('button')].find((button) => button.textContent === 'Play from here');
  expect(play()?.disabled).toBe(false);
  await click(clear);
  await settle();
  expect(play()?.disabled).toBe(true);
  replies.forEach((send) => send());
  await settle();
  expect(play()?.disabled).toBe(false);
});

import { beforeEach, expect, test } from 'vitest';
import type { GameClient } from './game-client';
import { handleKey, wheelHandler } from './keyboard';

let calls: unknown[];
let client: GameClient;

beforeEach(() => {
  calls = [];
  document.body.innerHTML = '<alfil-board></alfil-board><input><button></button><details><summary></summary></details><dialog></dialog><ul class="reasons"></ul><p></p>';
  const record = (name: string) => (...values: unknown[]) => void calls.push([name, ...values]);
  client = {
    state: { xray: false, engineOn: true },
    display: { flipBoard: record('flip') },
    setXray: record('xray'),
    setEngine: record('engine'),
    playBestMove: record('best'),
    step: record('step'),
  } as unknown as GameClient;
  const onKeyDown = (event: KeyboardEvent) => handleKey(event, client, record('help'));
  document.body.onkeydown = onKeyDown;
});

/** Presses a key on an element; returns whether the page has used it. */
function press(key: string, selector: string, options: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  document.querySelector(selector)?.dispatchEvent(event);
  return event.defaultPrevented;
}

test('the keys of other chess pages act', () => {
  // Caps Lock may be on.
  for (const key of ['f', 'X', 'l', ' ', '?', 'ArrowLeft', 'End', 'ArrowUp']) expect(press(key, 'p'), key).toBe(true);
  expect(calls).toEqual([
    ['flip'],
    ['xray', true],
    ['engine', false],
    ['best'],
    ['help'],
    ['step', 'previous'],
    ['step', 'last'],
    ['step', 'above'],
  ]);
  expect(press('q', 'p')).toBe(false);
});

test('fields, dialogs, the reasons of a ruling and the board that was reached by Tab keep their keys; Space presses a button and opens a summary', () => {
  for (const selector of ['input', 'dialog']) for (const key of ['f', '?', 'ArrowDown', ' ']) press(key, selector);
  for (const key of ['ArrowDown', 'End', ' ']) press(key, '.reasons');
  for (const key of ['f', 'ArrowLeft', ' ']) press(key, 'alfil-board');
  for (const selector of ['button', 'summary']) press(' ', selector);
  press('f', 'p', { altKey: true });
  press('f', 'p', { ctrlKey: true });
  expect(calls).toEqual([]);
  press('f', 'button');
  press('?', 'alfil-board');
  press('f', '.reasons');
  expect(calls).toEqual([['flip'], ['help'], ['flip']]);
});

test('the wheel steps through the game; small turns add up, and Ctrl zooms', () => {
  const onWheel = wheelHandler(client);
  const turn = (deltaY: number, init: object = {}) => onWheel(Object.assign(new WheelEvent('wheel', { deltaY }), init));
  turn(100);
  for (let i = 0; i < 5; i++) turn(-9);
  turn(3, { deltaMode: 1 });
  turn(100, { ctrlKey: true });
  expect(calls).toEqual([
    ['step', 'next'],
    ['step', 'previous'],
    ['step', 'next'],
  ]);
});

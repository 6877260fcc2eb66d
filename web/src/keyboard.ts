import type { GameClient } from './game-client';
import type { Direction } from './move-tree';

const DIRECTIONS: Record<string, Direction> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  ArrowUp: 'above',
  ArrowDown: 'below',
  Home: 'first',
  End: 'last',
};

/** The keys of other chess pages, and what they do here. */
const ACTIONS: Record<string, (client: GameClient) => void> = {
  f: (client) => client.display.flipBoard(),
  x: (client) => client.setXray(!client.state.xray),
  l: (client) => client.setEngine(!client.state.engineOn),
  ' ': (client) => void client.playBestMove(),
};
/** How far the wheel turns for a step, in pixels. A touchpad sends many small turns. */
const WHEEL_STEP_PIXELS = 40;

/**
 * Handles the keys of the page: those that undo and redo, those that go to other positions, and those of actions.
 * `onHelp` shows the list of the keys.
 */
export function handleKey(event: KeyboardEvent, client: GameClient, onHelp: () => void = () => {}): void {
  if (event.ctrlKey || event.metaKey) handleUndoKey(event, client);
  else if (!event.altKey) handlePlainKey(event, client, onHelp);
}

/** Returns a handler that steps through the game as the wheel turns: down to the next position, up to the previous. */
export function wheelHandler(client: GameClient): (event: WheelEvent) => void {
  let turned = 0;
  return (event) => {
    // With Ctrl the browser changes the size of the page.
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : Math.sign(event.deltaY) * WHEEL_STEP_PIXELS;
    turned = Math.sign(turned) === Math.sign(pixels) ? turned + pixels : pixels;
    if (Math.abs(turned) < WHEEL_STEP_PIXELS) return;
    void client.step(turned > 0 ? 'next' : 'previous');
    turned = 0;
  };
}

/**
 * Ctrl-Z undoes, Ctrl-Shift-Z and Ctrl-Y redo. A text field undoes its own changes, and a dialog that hides the game
 * has nothing to undo.
 */
function handleUndoKey(event: KeyboardEvent, client: GameClient): void {
  const key = event.key.toLowerCase();
  const usesKeys = (event.target as HTMLElement).closest?.('input:not([type]), input[type=search], textarea, dialog:not(.share, .library)') ?? null;
  if (usesKeys || event.altKey || (key !== 'z' && key !== 'y')) return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) void client.edits.redo();
  else void client.edits.undo();
}

/** The keys for positions, actions and help, unless the element that has the focus uses keys, as the board does. */
function handlePlainKey(event: KeyboardEvent, client: GameClient, onHelp: () => void): void {
  const target = event.target as HTMLElement;
  const direction = DIRECTIONS[event.key];
  const action = event.key === '?' ? () => onHelp() : ACTIONS[event.key.toLowerCase()];
  // Enter and Space press a button, and open a summary. The reasons of a ruling scroll.
  const scrolls = [' ', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(event.key);
  const users = `input, select, textarea, dialog${scrolls ? ', .reasons' : ''}${event.key === ' ' ? ', button, summary, a' : ''}`;
  if (target.closest?.(`${event.key === '?' ? '' : 'alfil-board, '}${users}`) || (!direction && !action)) return;
  event.preventDefault();
  if (direction) void client.step(direction);
  else action?.(client);
}

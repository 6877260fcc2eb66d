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

/** Handles the keys of the page: those that undo and redo, and those that go to other positions. */
export function handleKey(event: KeyboardEvent, client: GameClient): void {
  if (event.ctrlKey || event.metaKey) handleUndoKey(event, client);
  else handleNavigationKey(event, client);
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

/** The arrow keys, Home and End go to other positions, unless the focused element uses these keys. */
function handleNavigationKey(event: KeyboardEvent, client: GameClient): void {
  const target = event.target as HTMLElement;
  const usesKeys = target.closest?.('alfil-board, input, select, textarea, dialog') ?? null;
  const direction = DIRECTIONS[event.key];
  if (usesKeys || event.altKey || !direction) return;
  event.preventDefault();
  void client.step(direction);
}

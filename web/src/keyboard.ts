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

/** Handles the arrow keys, Home and End: they go to other positions, unless the focused element uses these keys. */
export function handleNavigationKey(event: KeyboardEvent, client: GameClient): void {
  const target = event.target as HTMLElement;
  const usesKeys = target.closest?.('alfil-board, input, select, textarea, dialog') ?? null;
  const direction = DIRECTIONS[event.key];
  if (usesKeys || event.ctrlKey || event.metaKey || event.altKey || !direction) return;
  event.preventDefault();
  void client.step(direction);
}

import type { GameClient } from './game-client';

/** Handles the arrow keys, Home and End: they go to other positions, unless the focused element uses these keys. */
export function handleNavigationKey(event: KeyboardEvent, client: GameClient): void {
  const target = event.target as HTMLElement;
  const usesKeys = target.closest?.('alfil-board, input, select, textarea, dialog') ?? null;
  if (usesKeys || event.ctrlKey || event.metaKey || event.altKey) return;
  const { tree, node } = client.state;
  const line = tree.lineThrough(node);
  const index = line.findIndex((one) => one.node === node);
  const siblings = node === 0 ? [] : tree.children(tree.node(node)?.parent ?? 0);
  const siblingIndex = siblings.indexOf(node);
  const destinations: { [key: string]: number | undefined } = {
    ArrowLeft: line[index - 1]?.node,
    ArrowRight: line[index + 1]?.node,
    ArrowUp: siblings[siblingIndex - 1],
    ArrowDown: siblings[siblingIndex + 1],
    Home: line[0]?.node,
    End: line.at(-1)?.node,
  };
  if (!(event.key in destinations)) return;
  event.preventDefault();
  void client.goTo(destinations[event.key]);
}

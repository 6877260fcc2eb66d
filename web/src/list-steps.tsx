import { useEffect } from 'preact/hooks';
import type { GameClient } from './game-client';
import { Next, Previous } from './icons';
import { LibraryClient } from './library-client';
import { useLibraryMessage } from './library-messages';
import { pressable } from './pressable';
import type { LibraryQuery, LibraryRow } from './wire/types';
import type { UiState } from './ui-state';

/**
 * Opens a game of a list: one that a search for a position has found at this position, one of a file at its first move,
 * and one that was played here at its end.
 */
export async function openListedGame(client: GameClient, row: LibraryRow, query: LibraryQuery, index: number, total: number): Promise<boolean> {
  const { position } = query;
  const isOpened = await client.openGame(row.id, undefined, position ? { position } : { first: row.collection !== null });
  if (isOpened) client.update({ listedGame: { id: row.id, query, index, total } });
  return isOpened;
}

/** The buttons and keys that open the previous and the next game of the list from which the open game was opened. */
export function ListSteps({ client, state }: { client: GameClient; state: UiState }) {
  const message = useLibraryMessage();
  const { listedGame } = state;
  const isListed = listedGame !== undefined && listedGame.id === state.game?.id;
  const step = async (by: -1 | 1) => {
    const { listedGame: listed } = client.state;
    const index = (listed?.index ?? 0) + by;
    if (!listed || index < 0 || index >= listed.total) return;
    const part = await new LibraryClient(client).list(listed.query, index, 1);
    const row = part?.rows[0];
    if (part && row) await openListedGame(client, row, listed.query, index, part.total);
  };
  useEffect(() => {
    if (!isListed) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const by = { PageUp: -1, PageDown: 1 }[event.key] as -1 | 1 | undefined;
      const isUsed = (event.target as HTMLElement).closest?.('input, select, textarea, dialog, .reasons') ?? null;
      if (by === undefined || isUsed || event.ctrlKey || event.altKey || event.shiftKey || event.metaKey) return;
      event.preventDefault();
      void step(by);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isListed]);
  if (!isListed) return null;
  const { index, total } = listedGame;
  return (
    <small class="list-steps">
      <button
        class="plain icon"
        aria-label={message('previousGame')}
        title={`${message('previousGame')} (PageUp)`}
        {...pressable(index > 0, () => void step(-1))}
      >
        <Previous />
      </button>
      {message('placeInList', index + 1, total)}
      <button
        class="plain icon"
        aria-label={message('nextGame')}
        title={`${message('nextGame')} (PageDown)`}
        {...pressable(index + 1 < total, () => void step(1))}
      >
        <Next />
      </button>
    </small>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { LibraryClient } from './library-client';
import { useLibraryMessage } from './library-messages';

interface Props {
  library: LibraryClient;
  selected: ReadonlySet<string>;
  /** Called when the games have left the list. */
  onDone(): void;
}

/** The buttons that restore deleted games or remove them for ever. The latter is confirmed, as it cannot be undone. */
export function DeletedGameActions({ library, selected, onDone }: Props) {
  const message = useLibraryMessage();
  const [confirming, setConfirming] = useState(false);
  useEffect(() => setConfirming(false), [selected]);
  const games = [...selected];
  const restore = async () => {
    if (await library.restoreGames(games)) onDone();
  };
  const remove = async (event: MouseEvent) => {
    // The second click of a double click is no answer.
    if (event.detail > 1) return;
    if (!confirming) return setConfirming(true);
    if (await library.removeGames(games)) onDone();
  };
  return (
    <>
      <span role="status">{confirming && message('confirmRemoval')}</span>
      <button class="small" onClick={() => void restore()}>{message('restoreGames')}</button>
      <button class="small" onClick={(event) => void remove(event)}>{message(confirming ? 'removeNow' : 'removeGames')}</button>
    </>
  );
}

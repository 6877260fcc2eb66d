import type { GameClient } from './game-client';
import { useMessage } from './language';
import { capitalized, gameTitleByName } from './names';
import type { UiState } from './ui-state';

interface Props {
  client: GameClient;
  state: UiState;
  /**
   * Called when the text was opened as another game. Only dialogs set it; there the banner also reports a lost
   * connection.
   */
  onOpened?(): void;
}

/** Says that changes are not saved, or that the file of the saved games is another one. */
export function StorageBanner({ client, state: { storage, language } }: Pick<Props, 'client' | 'state'>) {
  const message = useMessage();
  if (!storage) return null;
  const text = (language === 'zh' ? storage.text_zh : undefined) ?? capitalized(storage.text ?? '');
  return (
    <div class="error-banner" role="alert">
      {storage.unsaved ? message('notSaved', text) : text}
      {!storage.unsaved && (
        <button type="button" class="small" onClick={() => client.update({ storage: undefined })}>
          {message('hide')}
        </button>
      )}
    </div>
  );
}

/** Shows why the last request failed. A button opens the text of another game. */
export function ErrorBanner({ client, state, onOpened }: Props) {
  const message = useMessage();
  const { otherGameText, games, language } = state;
  const { standaloneError } = state;
  const engineError = state.engineFailed ? message('errorEngineFailed') : undefined;
  // A dialog covers what the page says of the saved games.
  const notSaved = onOpened && state.storage?.unsaved ? message('errorNotSaved') : undefined;
  const failure = state.error ?? standaloneError ?? engineError ?? notSaved;
  const text = state.connected ? failure : onOpened && message(client.lostMessage);
  const openOtherGame = async () => {
    if (!otherGameText) return;
    const { text, bytes, game } = otherGameText;
    if (await client.importGame(text, bytes, game)) onOpened?.();
  };
  if (!text) return null;
  return (
    <div class="error-banner" role="alert">
      {text}
      {text === standaloneError && (
        <button type="button" class="small" onClick={() => client.clearError()}>
          {message('hide')}
        </button>
      )}
      {otherGameText && (
        <button type="button" class="small" onClick={() => void openOtherGame()}>
          {message('openAs', gameTitleByName(games, otherGameText.game, language))}
        </button>
      )}
    </div>
  );
}

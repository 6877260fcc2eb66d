import type { GameClient } from './game-client';
import { useMessage } from './language';
import { gameTitleByName } from './names';
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

/** Shows why the last request failed. A button opens the text of another game. */
export function ErrorBanner({ client, state, onOpened }: Props) {
  const message = useMessage();
  const { otherGameText, games, language } = state;
  const { standaloneError } = state;
  const failure = state.error ?? standaloneError ?? (state.engineFailed ? message('errorEngineFailed') : undefined);
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

import type { Game, Shown } from './game';
import { useMessage } from './language';
import { gameTitleByName } from './names';

interface Props {
  game: Game;
  shown: Shown;
  /** Called when the text was opened as another game. Only dialogs have it: there the banner also reports a lost connection. */
  onOpened?(): void;
}

/** Shows why the last request failed. If the imported text belongs to another game, a button opens it as that game. */
export function ErrorBanner({ game, shown, onOpened }: Props) {
  const message = useMessage();
  const { stray, games, language } = shown;
  const failure = shown.trouble ?? (shown.broken ? message('errorEngineFailed') : undefined);
  const text = shown.connected ? failure : onOpened && message('connectionLost');
  const open = async () => {
    if (stray && (await game.paste(stray.text, stray.bytes, stray.game))) onOpened?.();
  };
  if (!text) return null;
  return (
    <div class="trouble" role="alert">
      {text}
      {stray && (
        <button class="small" onClick={() => void open()}>
          {message('openAs', gameTitleByName(games, stray.game, language))}
        </button>
      )}
    </div>
  );
}

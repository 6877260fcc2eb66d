import type { Game, Shown } from './game';
import { title } from './names';
import { useWords } from './speech';

/** Why something was not done; for what belongs to another kind of game, the way there. */
export function Trouble({ game, shown, onOpened }: { game: Game; shown: Shown; onOpened?(): void }) {
  const say = useWords();
  const { stray, games, language } = shown;
  const trouble = shown.connected ? (shown.trouble ?? (shown.broken ? say('isFailed') : undefined)) : onOpened && say('lost');
  const open = async () => {
    if (stray && (await game.paste(stray.text, stray.bytes, stray.game))) onOpened?.();
  };
  if (!trouble) return null;
  return (
    <div class="trouble" role="alert">
      {trouble}
      {stray && (
        <button class="small" onClick={() => void open()}>
          {say('openAs', title(games, stray.game, language))}
        </button>
      )}
    </div>
  );
}

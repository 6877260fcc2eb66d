import { begun, title } from './names';
import type { Shown } from './shown';
import type { Refused } from './socket';
import { type Word, say } from './words';
import type { ServerResponse } from './protocol';

/** Refusals that the page can say in its own language. */
const REFUSALS: Record<NonNullable<ServerResponse['cause']>, Word> = {
  over: 'isOver',
  changed: 'isChanged',
  gone: 'isGone',
  other: 'isOther',
  empty: 'isEmpty',
  failed: 'isFailed',
};

/** What the page says of a refusal; for what belongs to another kind of game, the way there. */
export function refused(
  { message, told: { cause, error_zh: chinese, other, waivable } }: Refused,
  deed: { [name: string]: unknown },
  { games, language, game }: Shown,
): Pick<Shown, 'trouble' | 'stray'> {
  const names = other ? [other, game?.game ?? ''].map((kind) => title(games, kind, language)) : [];
  const stray = other ? { game: other, text: String(deed.text ?? deed.fen), bytes: deed.bytes === true } : undefined;
  if (cause) return { trouble: say(language, REFUSALS[cause], ...names), stray };
  const words = language === 'en' ? begun(message) : (chinese ?? say(language, 'isRefused', message));
  return { trouble: waivable ? say(language, 'isWaivable', words, say(language, 'setUp')) : words, stray };
}

import { type MessageKey, message } from './messages';
import { capitalized, gameTitleByName } from './names';
import type { ClientRequest, ServerResponse } from './protocol';
import type { Shown } from './shown';
import type { RequestError } from './socket';

/** The messages of the page for the causes that the server sends as codes. */
const CAUSE_MESSAGES: Record<NonNullable<ServerResponse['cause']>, MessageKey> = {
  over: 'errorGameOver',
  changed: 'errorGameChanged',
  gone: 'errorGameNotFound',
  other: 'errorOtherGame',
  empty: 'errorNoMoves',
  failed: 'errorEngineFailed',
};

/**
 * Returns the message for a refused request, in the language of the page. If the imported text belongs to another game, that
 * game and the text are returned as well, so that the page can offer to open it.
 */
export function describeError(
  error: RequestError,
  request: ClientRequest,
  { games, language, game }: Shown,
): Pick<Shown, 'trouble' | 'stray'> {
  const { cause, error_zh: chinese, other, waivable } = error.details;
  const names = other ? [other, game?.game ?? ''].map((name) => gameTitleByName(games, name, language)) : [];
  const stray = other
    ? { game: other, text: String(request.text ?? request.fen), bytes: request.bytes === true }
    : undefined;
  if (cause) return { trouble: message(language, CAUSE_MESSAGES[cause], ...names), stray };
  const english = language === 'en';
  const text = english ? capitalized(error.message) : (chinese ?? message(language, 'errorRequestFailed', error.message));
  return { trouble: waivable ? message(language, 'errorWaivable', text, message(language, 'setUp')) : text, stray };
}

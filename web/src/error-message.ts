import { type MessageKey, message } from './messages';
import { capitalized, gameTitleByName } from './names';
import type { ClientRequest, ServerResponse } from './protocol';
import { RequestError } from './transport';
import type { OtherGameText, UiState } from './ui-state';

/** The messages of the page for the causes that the server sends as codes. */
const CAUSE_MESSAGES: Record<NonNullable<ServerResponse['cause']>, MessageKey> = {
  over: 'errorGameOver',
  changed: 'errorGameChanged',
  gone: 'errorGameNotFound',
  other: 'errorOtherGame',
  empty: 'errorNoMoves',
  failed: 'errorEngineFailed',
  no_edit: 'errorNoEdit',
};

/**
 * Returns the message for a refused request, in the language of the page. If the text of the request belongs to another
 * game, that game and the text are returned as well, so that the page can offer to open it.
 */
export function describeError(
  reason: Error,
  request: ClientRequest,
  { games, language, game }: UiState,
): { error: string; otherGameText: OtherGameText | undefined } {
  const { message: english } = reason;
  const details: RequestError['details'] = reason instanceof RequestError ? reason.details : {};
  const { cause, error_zh: chinese, other, waivable } = details;
  if (cause) {
    const names = other ? [other, game?.game ?? ''].map((name) => gameTitleByName(games, name, language)) : [];
    const text = String(request.text ?? request.fen);
    const otherGameText = other ? { game: other, text, bytes: request.bytes === true } : undefined;
    return { error: message(language, CAUSE_MESSAGES[cause], ...names), otherGameText };
  }
  const translated = chinese ?? message(language, 'errorRequestFailed', english);
  const error = language === 'en' ? capitalized(english) : translated;
  const hint = waivable ? message(language, 'errorWaivable', error, message(language, 'setUp')) : error;
  return { error: hint, otherGameText: undefined };
}

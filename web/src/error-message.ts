import { type MessageKey, message } from './messages';
import { capitalized, gameTitleByName } from './names';
import type { ClientRequest, ServerResponse } from './wire/types';
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
  not_saved: 'errorNotSaved',
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
    const otherGameText = other === undefined ? undefined : { game: other, ...textOf(request) };
    return { error: message(language, CAUSE_MESSAGES[cause], ...names), otherGameText };
  }
  const translated = chinese ?? message(language, 'errorRequestFailed', english);
  const error = language === 'en' ? capitalized(english) : translated;
  const hint = waivable ? message(language, 'errorWaivable', error, message(language, 'setUp')) : error;
  return { error: hint, otherGameText: undefined };
}

/** Returns the text that a request imports or examines, the only ones that are refused because of their game. */
function textOf(request: ClientRequest): Pick<OtherGameText, 'text' | 'bytes'> {
  if (request.do === 'import') return { text: request.text, bytes: request.bytes === true };
  return { text: request.do === 'examine' ? request.fen : '', bytes: false };
}

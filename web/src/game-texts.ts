import { type Language, message } from './messages';
import { pageLocale } from './names';
import type { GameDto, GameName } from './wire/types';

/** Returns the value of a tag of a game; empty if it is unknown. */
export function tagValue(game: Pick<GameDto, 'tags'> | undefined, name: string): string {
  const value = game?.tags.find(([known]) => known === name)?.[1] ?? '';
  return value === '?' || value.startsWith('????') ? '' : value;
}

/** Returns the name of a player as it is shown; `#12` is the player with this number in a base without names. */
export function playerText(name: string, language: Language): string {
  return numbered(name, (number) => message(language, 'playerNumber', number));
}

/** Returns the name of an event as it is shown; `#5` is the tournament with this number in a base without names. */
export function eventNameText(name: string, language: Language): string {
  return numbered(name, (number) => message(language, 'eventNumber', number));
}

function numbered(name: string, text: (number: string) => string): string {
  const number = /^#(\d+)$/.exec(name)?.[1];
  return number === undefined ? name : text(number);
}

/** Returns the value of a tag, or else the number in that of a base without names; empty if neither is known. */
function nameOrNumber(game: Pick<GameDto, 'tags'> | undefined, tag: string): string {
  const number = tagValue(game, `${tag}Id`);
  return tagValue(game, tag) || (/^\d+$/.test(number) ? `#${number}` : '');
}

/** Returns the recorded name of a player as it is shown, given the English name of the side; empty if it is unknown. */
export function recordedPlayer(game: Pick<GameDto, 'tags'> | undefined, side: string, language: Language): string {
  return playerText(nameOrNumber(game, side), language);
}

/** Returns a result as it is shown: the final score of a game that is won by counting pieces, or that of PGN. */
export function resultText(result: string, score?: [number, number]): string {
  if (score) return score.join('–');
  return result === '1/2-1/2' ? '½–½' : result.replace('-', '–');
}

/** Returns the recorded result of a game as it is shown; empty if it is unknown. */
export function recordedResult(game: Pick<GameDto, 'tags' | 'score'> | undefined): string {
  const result = tagValue(game, 'Result');
  return result === '' || result === '*' ? '' : resultText(result, game?.score);
}

/** Returns the result, the event and the date of a recorded game in a line; empty if none is known. */
export function eventText(game: GameDto | undefined, language: Language): string {
  const event = eventNameText(nameOrNumber(game, 'Event'), language);
  const parts = [recordedResult(game), event, gameDate(tagValue(game, 'Date'), language)];
  return parts.filter((part) => part).join(' · ');
}

/**
 * Formats the date of a record, such as `1997.05.11` or, with unknown parts, `1997.??.??`. A time after it is left out.
 * A text that is no date stays as it is. English dates are those of the browser, if it is English.
 */
export function gameDate(text: string, language: Language, browserLocale?: string): string {
  const [, year, month = '', day = ''] = /^(\d{4})(?:[.\-/](\d\d?|\?\??))?(?:[.\-/](\d\d?|\?\??))?(?:[ _T].*)?[.\-/]?$/.exec(text.trim()) ?? [];
  if (year === undefined) return text;
  const [monthNumber, dayNumber] = [Number(month) || 0, Number(day) || 0];
  const date = new Date(Date.UTC(2000, Math.max(0, monthNumber - 1), dayNumber || 1));
  date.setUTCFullYear(Number(year));
  if (monthNumber > 12 || (monthNumber > 0 && date.getUTCMonth() !== monthNumber - 1)) return text;
  const format = (options: Intl.DateTimeFormatOptions) =>
    date.toLocaleDateString(pageLocale(language, browserLocale), { ...options, timeZone: 'UTC' });
  if (monthNumber === 0) return language === 'zh' ? `${year}年` : year;
  return dayNumber === 0 ? format({ year: 'numeric', month: 'long' }) : format({ dateStyle: 'medium' });
}

/** Returns the length of a game in the unit of its players. `plies` are the moves of both sides without passes. */
export function gameLength(games: readonly GameName[], game: string, plies: number, language: Language): string {
  const countsPlies = games.find((known) => known.game === game)?.length_unit === 'plies';
  const moves = countsPlies ? plies : Math.ceil(plies / 2);
  if (moves === 1) return message(language, countsPlies ? 'onePly' : 'oneFullMove');
  return message(language, countsPlies ? 'plyCount' : 'fullMoveCount', moves);
}

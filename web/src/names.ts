import { loadPreference } from './preferences';
import { type Language, message } from './messages';
import type { AppearanceDto, GameDto, GameEndDto, GameName, OpeningDto, RefusedMoveDto, RuleWarningDto } from './wire/types';

/** Returns the title of a game or a ruleset in a language. */
export function gameTitle({ title, title_zh }: Pick<AppearanceDto, 'title' | 'title_zh'>, language: Language): string {
  return (language === 'zh' && title_zh) || title;
}

/** Returns the title of a game in a language, given its name in the protocol. */
export function gameTitleByName(games: GameName[], name: string, language: Language): string {
  const found = games.find(({ game }) => game === name);
  return found ? gameTitle(found, language) : name;
}

/** Returns the names of the sides in a language. */
export function sideNames(
  { sides, sides_zh }: { sides: [string, string]; sides_zh?: [string, string] },
  language: Language,
): [string, string] {
  return language === 'zh' && sides_zh ? sides_zh : sides;
}

/** Returns the code and the name of an opening in a language. */
export function openingText({ eco, name, name_zh }: OpeningDto, language: Language): string {
  const text = language === 'zh' ? name_zh : name;
  return eco ? `${eco} ${text}` : text;
}

/** Returns the verdict on a finished game in a language. */
export function verdictText(end: GameEndDto, language: Language): string {
  return (language === 'zh' && end.words_zh) || end.words;
}

/** Returns the warning about moves after which the game ends, given their texts. */
export function warningText({ by_reply, ending }: RuleWarningDto, moves: string, language: Language): string {
  return message(language, by_reply ? 'replyEndsGame' : 'endsGame', moves, verdictText(ending, language));
}

/** Returns why the ruleset refuses moves, given their texts. */
export function refusalText({ reason, reason_zh }: RefusedMoveDto, moves: string, language: Language): string {
  return message(language, 'refusedMoves', moves, language === 'zh' ? reason_zh : reason);
}

/** Returns the description of a setup issue in a language. */
export function issueText(issue: { words: string; words_zh: string }, language: Language): string {
  return language === 'zh' ? issue.words_zh : capitalized(issue.words);
}

/** Returns a sentence with a capital first letter. */
export function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Returns the dialect that the user chose last for this game, or the default dialect of the language. */
export function preferredDialect(
  { game, dialects, dialect_en, dialect_zh, dialect }: GameDto,
  language: Language,
): string {
  const defaultDialect = (language === 'zh' ? dialect_zh : null) ?? dialect_en;
  const name = loadPreference(`dialect.${game}`, defaultDialect);
  return dialects.includes(name) ? name : dialect;
}

/** Returns the locale of dates and numbers: an English page uses the English locale of the browser if it has one. */
export function pageLocale(language: Language, browserLocale = navigator.language): string {
  if (language === 'zh') return 'zh-CN';
  return browserLocale.toLowerCase().startsWith('en') ? browserLocale : 'en-GB';
}

/**
 * Formats a time, given in seconds since 1970, in the language of the page. The month is written as a word, because the
 * order of day and month depends on the locale.
 */
export function formatDate(seconds: number, language: Language, browserLocale?: string): string {
  const locale = pageLocale(language, browserLocale);
  return new Date(1000 * seconds).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

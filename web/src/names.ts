import { kept } from './memory';
import type { Language } from './words';
import type { RulesetDto, GameEndDto, GameName, GameDto, AppearanceDto } from './protocol';

/** Returns the title of the open game in a language. */
export function gameTitle(look: AppearanceDto, language: Language): string {
  return (language === 'zh' && look.title_zh) || look.title;
}

/** The names of the sides in a language. The look's own names stay as they are: they are colours, too. */
export function sides(look: { sides: [string, string]; sides_zh?: [string, string] }, language: Language): [string, string] {
  return language === 'zh' && look.sides_zh ? look.sides_zh : look.sides;
}

/** A verdict in a language. */
export function verdict(ending: GameEndDto, language: Language): string {
  return (language === 'zh' && ending.words_zh) || ending.words;
}

/** What is wrong with a position in a language. */
export function complaint(one: { words: string; words_zh: string }, language: Language): string {
  return language === 'zh' ? one.words_zh : begun(one.words);
}

/** A sentence with a capital at its beginning. */
export function begun(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The dialect last chosen for this kind of game, or what readers of the language expect. */
export function dialectFor({ game, dialects, dialect_en, dialect_zh, dialect }: GameDto, language: Language): string {
  const usual = (language === 'zh' ? dialect_zh : null) ?? dialect_en;
  const name = kept(`dialect.${game}`, usual);
  return dialects.includes(name) ? name : dialect;
}

/** What people call a rule book. */
export function bookTitle(book: RulesetDto, language: Language): string {
  return language === 'zh' ? book.title_zh : book.title;
}

/** When something was, as readers of a language write it; those of English as their browser has it, with the month in letters. */
export function moment(seconds: number, language: Language, own = navigator.language): string {
  const locale = language === 'zh' ? 'zh-CN' : own.toLowerCase().startsWith('en') ? own : 'en-GB';
  return new Date(1000 * seconds).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The name of a kind of game in a language. */
export function title(games: GameName[], game: string, language: Language): string {
  const found = games.find((one) => one.game === game);
  return (language === 'zh' ? found?.title_zh : found?.title) ?? game;
}

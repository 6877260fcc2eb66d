import type { Language } from './words';
import type { Ending, GameName, Look } from './wire';

/** The look of a game with its names in a language. */
export function spoken(look: Look, language: Language): Look {
  if (language === 'en') return look;
  const men = Object.entries(look.men).map(([letter, man]) => [letter, { ...man, name: man.name_zh || man.name }] as const);
  return { ...look, title: look.title_zh || look.title, men: Object.fromEntries(men) };
}

/** The names of the sides in a language. The look's own names stay as they are: they are colours, too. */
export function sides(look: { sides: [string, string]; sides_zh?: [string, string] }, language: Language): [string, string] {
  return language === 'zh' && look.sides_zh ? look.sides_zh : look.sides;
}

/** A verdict in a language. */
export function verdict(ending: Ending, language: Language): string {
  return (language === 'zh' && ending.words_zh) || ending.words;
}

/** The name of a kind of game in a language. */
export function title(games: GameName[], game: string, language: Language): string {
  const found = games.find((one) => one.game === game);
  return (language === 'zh' ? found?.title_zh : found?.title) ?? game;
}

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Language, type Word, say } from './words';

/** The language of the page, for whatever stands on it. */
export const Speech = createContext<Language>('en');

/** How to say something in it. */
export function useWords(): (word: Word, ...parts: (string | number)[]) => string {
  const language = useContext(Speech);
  return (word, ...parts) => say(language, word, ...parts);
}

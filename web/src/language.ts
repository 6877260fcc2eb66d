import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Language, type MessageKey, message } from './messages';

/** The language of the page, for its components. */
export const LanguageContext = createContext<Language>('en');

/** Returns a function that formats messages in the language of the page. */
export function useMessage(): (key: MessageKey, ...values: (string | number)[]) => string {
  const language = useContext(LanguageContext);
  return (key, ...values) => message(language, key, ...values);
}

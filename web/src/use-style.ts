import { useLayoutEffect } from 'preact/hooks';
import { adoptStyle } from '../board/src/adopted-style';

/** Adds the style of a part that is loaded later, as long as it is shown. */
export function useStyle(text: string): void {
  useLayoutEffect(() => {
    const sheet = adoptStyle(document, text);
    return () => void (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet));
  }, [text]);
}

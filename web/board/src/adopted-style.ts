/** Adds a style to a document or a shadow root; a Content-Security-Policy without inline styles allows it. */
export function adoptStyle(root: DocumentOrShadowRoot, text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  return sheet;
}

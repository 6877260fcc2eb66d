/**
 * Splits a text into the words of the search: runs of letters and digits, and each Chinese character. VitePress copies
 * the text of this function into the page, so it uses nothing from outside.
 */
export function segment(text: string): string[] {
  return text.match(/[\u3400-\u9fff]|[\p{L}\p{N}_]+?(?=[\u3400-\u9fff]|[^\p{L}\p{N}_]|$)/gu) ?? [];
}

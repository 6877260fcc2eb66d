// The main line of a game in PGN, as far as a player on a page needs it. The rules are in WebAssembly: here the text is
// only divided into moves.

/** A game as text. */
export interface GameText {
  tags: Record<string, string>;
  /** The moves of the main line, in any notation. */
  moves: string[];
}

/** A tag, a comment, a variation's bracket, an annotation, a result, a number, or a move. */
const TOKEN = /\[(\w+)\s+"((?:\\.|[^"\\])*)"\]|\{[^}]*\}?|;[^\n]*|[()]|\$\d+|[^\s(){};]+/g;

/** Reads the first game of a text. */
export function readGame(text: string): GameText {
  const tags: Record<string, string> = {};
  const moves: string[] = [];
  let depth = 0;
  for (const [token, name, value] of text.matchAll(TOKEN)) {
    if (name !== undefined && value !== undefined) {
      // A tag after moves is that of the next game.
      if (moves.length > 0) break;
      tags[name] ??= value.replace(/\\(.)/g, '$1');
    } else if (token === '(') depth++;
    else if (token === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && !/^[{;$]/.test(token)) {
      if (/^(?:1-0|0-1|1\/2-1\/2|\*)$/.test(token)) break;
      // "12.", "12...", "12. ...", and "12.e4" in one word; "33.4" is a move of xiangqi.
      const move = token.replace(/^\d*\.+(?!\d$)/, '').replace(/[!?]+$/, '');
      if (move && !/^\d+\.*$/.test(move)) moves.push(move);
    }
  }
  return { tags, moves };
}

/** Returns the value of a tag, an empty text if it is unknown. */
export function knownTag(tags: GameText['tags'], name: string): string {
  const value = tags[name] ?? '';
  return value === '?' ? '' : value;
}

/**
 * Returns the players by the tags of their sides, an empty text for one that is not named. Xiangqi in PGN may name the
 * first side White.
 */
export function playerNames(tags: GameText['tags'], sides: readonly string[]): string[] {
  const other = sides.includes('White') ? [] : ['White'];
  return sides.map((side, index) => knownTag(tags, side) || knownTag(tags, other[index] ?? ''));
}

/**
 * Returns the number that stands before a move, by the plies of a whole game before it: a move of the first side has
 * one, and so has the first move that is shown.
 */
export function numberBefore(ply: number, isFirst: boolean): string {
  const number = Math.floor(ply / 2) + 1;
  if (ply % 2 === 0) return `${number}. `;
  return isFirst ? `${number}... ` : '';
}

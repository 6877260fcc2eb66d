// Links that hold a game or a position: `#pgn=...&ply=12`, `#game=xiangqi&fen=...`, `#game=xiangqi&moves=h2e2.h9g7`.
// They come from anywhere, so that nothing in them is trusted: the text goes to the reader of pasted games.

/** What a link opens: a text as it would be pasted. */
export interface GameLink {
  /** The game of a text that does not name it. */
  game?: string;
  text: string;
  /** The ply of the main line to show; by default the last one. */
  ply?: number;
}

/** The largest text that a compressed link may become, in bytes. A short link could hold gigabytes of blanks. */
const MAX_BYTES = 1 << 20;
/** The number of codes that a call of `String.fromCharCode` takes. */
const MAX_CODES = 8192;
/** A link that is longer is cut off by messengers and mail programs. */
export const MAX_LINK_LENGTH = 2000;

/** Returns whether an address is meant to hold a game. */
export function isLink(hash: string): boolean {
  return /^#(?:[a-z]+=[^&]*&)*(?:fen|pgn|moves)=/.test(hash);
}

/** Reads an address. Returns undefined if it holds a game that cannot be read. */
export async function readLink(hash: string): Promise<GameLink | undefined> {
  const values = new URLSearchParams(hash.slice(1));
  const game = values.get('game')?.match(/^[a-z]{1,20}$/)?.[0];
  const plyText = values.get('ply') ?? '';
  const ply = /^\d{1,5}$/.test(plyText) ? Number(plyText) : undefined;
  const pgn = values.get('pgn');
  if (pgn !== null) {
    // A text is compressed unless it has characters that compressed ones have not, or is a transcript of Othello.
    const text = /^[\w-]+$/.test(pgn) && !/^(?:[a-h][1-8])+$/i.test(pgn) ? await decompress(pgn) : pgn;
    return text?.trim() ? { game, text, ply } : undefined;
  }
  const fen = values.get('fen')?.trim();
  const moveTexts = values.get('moves') ?? '';
  // Moves of xiangqi have points: C2.5.
  const moves = moveTexts.split(/[,\s]/.test(moveTexts) ? /[,\s]+/ : /\.+/).filter(Boolean);
  if (moves.length === 0) return fen ? { game, text: fen, ply } : undefined;
  return { game, text: `${fen ? `fen ${fen}` : 'startpos'} moves ${moves.join(' ')}`, ply };
}

/** Returns the address of a game at a ply. */
export async function gameLink(game: string, pgn: string, ply: number): Promise<string> {
  const text = (await compress(pgn)) ?? encodeURIComponent(pgn);
  return `#game=${game}&pgn=${text}&ply=${ply}`;
}

/** Returns the address of a position. */
export function positionLink(game: string, fen: string): string {
  // Slashes may stay as they are, blanks become plus signs.
  return `#game=${game}&fen=${encodeURIComponent(fen).replace(/%2F/g, '/').replace(/%20/g, '+')}`;
}

/** Returns a text with a character for each byte. */
export function textOfBytes(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += MAX_CODES) {
    text += String.fromCharCode(...bytes.subarray(start, start + MAX_CODES));
  }
  return text;
}

/** Compresses a text to letters, digits, `-` and `_`. Returns undefined if the browser cannot. */
async function compress(text: string): Promise<string | undefined> {
  if (typeof CompressionStream === 'undefined') return undefined;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(textOfBytes(bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Reverses `compress`. Returns undefined if the text is damaged or would become too large. */
async function decompress(compressed: string): Promise<string | undefined> {
  if (typeof DecompressionStream === 'undefined') return undefined;
  try {
    const binary = atob(compressed.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > MAX_BYTES) {
        await reader.cancel();
        return undefined;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return undefined;
  }
}

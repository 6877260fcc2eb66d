import type { Game } from './game';
import { MAX_TEXT_BYTES } from './socket';
import { message } from './messages';

/** What a file says; if that is not UTF-8, a character for each byte, and true: whoever reads it knows the old codes. */
export async function written(file: File): Promise<[string, boolean]> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return [new TextDecoder('utf-8', { fatal: true }).decode(bytes), false];
  } catch {
    return [Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''), true];
  }
}

/** Opens what somebody pasted or dropped, unless it is more than the server takes. */
export async function receive(game: Game, text: string, bytes: boolean): Promise<boolean> {
  if (new Blob([JSON.stringify(text)]).size <= MAX_TEXT_BYTES) return game.paste(text, bytes);
  game.complain(message(game.shown.language, 'textTooLarge'));
  return false;
}

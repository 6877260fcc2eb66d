import type { GameClient } from './game-client';
import { message } from './messages';
import { MAX_TEXT_BYTES } from './transport';

/**
 * Reads a file as text. If it is not UTF-8, each character of the text stands for a byte, and the second value is true:
 * the server knows the older encodings, GB18030 and Big5.
 */
export async function readTextFile(file: File): Promise<[text: string, bytes: boolean]> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return [new TextDecoder('utf-8', { fatal: true }).decode(bytes), false];
  } catch {
    return [Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''), true];
  }
}

/**
 * Opens a pasted or dropped text; `bytes` is the second value of `readTextFile`. Returns false, and shows an error, if
 * it cannot be opened.
 */
export async function importText(client: GameClient, text: string, bytes: boolean): Promise<boolean> {
  if (new Blob([JSON.stringify(text)]).size <= MAX_TEXT_BYTES) return client.importGame(text, bytes);
  client.showError(message(client.state.language, 'textTooLarge'));
  return false;
}

import type { GameClient } from './game-client';
import { textOfBytes } from './link';
import { MAX_TEXT_BYTES } from './transport';

/** Larger files are imported by the library, which shows how far it is. */
const MAX_SMALL_FILE_BYTES = 512 << 10;

/** Returns the name of the collection of a file: the name of the file without its extension. */
export function collectionName(fileName: string): string {
  return fileName.replace(/\.\w{1,5}$/, '') || fileName;
}

/**
 * Reads a file as text. If it is not UTF-8, each character of the text stands for a byte, and the second value is true:
 * the server knows the older encodings, GB18030 and Big5.
 */
export async function readTextFile(file: File): Promise<[text: string, bytes: boolean]> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return [new TextDecoder('utf-8', { fatal: true }).decode(bytes), false];
  } catch {
    return [textOfBytes(bytes), true];
  }
}

/**
 * Opens a pasted or dropped text. Several games become a collection. Returns false, and shows an error, if it cannot be
 * opened.
 */
export async function importText(client: GameClient, text: string, name = ''): Promise<boolean> {
  const isSmall = new Blob([JSON.stringify(text)]).size <= MAX_TEXT_BYTES;
  if (isSmall) return client.importGame(text, false, undefined, name);
  client.update({ libraryRequest: { file: new File([text], name || 'PGN') } });
  return true;
}

/**
 * Opens a file. Several games become a collection with its name. Returns false, and shows an error, if it cannot be
 * opened.
 */
export async function importFile(client: GameClient, file: File): Promise<boolean> {
  if (file.size <= MAX_SMALL_FILE_BYTES) {
    const read = await client.orShowError(readTextFile(file));
    return read !== undefined && client.importGame(...read, undefined, collectionName(file.name));
  }
  client.update({ libraryRequest: { file } });
  return true;
}

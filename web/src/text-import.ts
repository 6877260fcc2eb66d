import { gameFiles } from './file-field';
import type { GameClient } from './game-client';
import { textOfBytes } from './link';
import { message } from './messages';
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
  client.update({ libraryRequest: { file: { games: new File([text], name || 'PGN'), names: [] } } });
  return true;
}

/**
 * Opens a file, with files of names beside it. Several games become a collection with its name. Returns false, and
 * shows an error, if it cannot be opened.
 */
export async function importFile(client: GameClient, chosen: readonly File[]): Promise<boolean> {
  const file = gameFiles(chosen);
  if (!file) {
    client.update({ standaloneError: message(client.state.language, 'errorOneFile') });
    return false;
  }
  const { games, names } = file;
  if (games.size <= MAX_SMALL_FILE_BYTES && names.length === 0) {
    const read = await client.orShowError(readTextFile(games));
    return read !== undefined && client.importGame(...read, undefined, collectionName(games.name));
  }
  client.update({ libraryRequest: { file } });
  return true;
}

// All games as one file: JSON with the rows and blocks of the database.

import type { GameAccess, WholeGame } from './game-database';
import type { Words } from './worker-messages';

const FORMAT = 'alfil-games';
const VERSION = 1;

/** Returns all games that are not deleted as the text of a file, a game a line. */
export async function backupOf(access: GameAccess): Promise<string> {
  const lines: string[] = [];
  for (const row of await access.rows()) {
    if (row.deleted !== undefined) continue;
    lines.push(JSON.stringify({ row, blocks: await access.blocks(row.id) } satisfies WholeGame));
  }
  return `{"format":"${FORMAT}","version":${VERSION},"games":[\n${lines.join(',\n')}\n]}\n`;
}

function isGame(game: unknown): game is WholeGame {
  const { row, blocks } = (game ?? {}) as Partial<WholeGame>;
  return (
    typeof row?.id === 'string' &&
    /^[0-9a-z]{1,32}$/.test(row.id) &&
    Number.isSafeInteger(row.revision) &&
    Array.isArray(blocks) &&
    blocks.every(Array.isArray)
  );
}

/** Returns the games of a file, or what is wrong with it. */
export function readBackup(text: string): WholeGame[] | Words {
  let file: { format?: unknown; version?: unknown; games?: unknown } | null;
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    file = null;
  }
  if (file?.format !== FORMAT || !Array.isArray(file.games)) {
    return {
      message: 'this is no file of all games: choose one that was saved here by "Save all games"',
      message_zh: '这不是全部对局的文件：请选择由“保存全部对局”存下的文件',
    };
  }
  if (file.version !== VERSION) {
    return {
      message: `this file was saved by a newer version of Alfil (${String(file.version)}): update this page first`,
      message_zh: `此文件由较新版本的 Alfil 保存（${String(file.version)}）：请先更新本页`,
    };
  }
  const damaged = file.games.findIndex((game) => !isGame(game));
  if (damaged >= 0) {
    return {
      message: `game ${damaged + 1} of this file is damaged; nothing was read`,
      message_zh: `此文件的第 ${damaged + 1} 局已损坏，未读取任何对局`,
    };
  }
  return file.games as WholeGame[];
}

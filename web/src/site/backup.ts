// All games as one file: JSON with the rows and blocks of the database.

import type { GameAccess, SavedCollection, SavedRow, WholeGame } from './game-database';
import type { Words } from './worker-messages';

const FORMAT = 'alfil-games';
const VERSION = 2;
/** A file without collections. */
const FIRST_VERSION = 1;
const ID = /^[0-9a-z]{1,32}$/;

/** What a file contains. */
export interface BackupFile {
  games: WholeGame[];
  collections: SavedCollection[];
}

type Deletable = { deleted?: number };
type Collected = SavedRow & { collection?: string };

/** Returns a game without its edit history, which contains comments and moves that were deleted. */
function withoutEdits(game: WholeGame): WholeGame {
  const { edits: _, ...row } = game.row;
  return { ...game, row };
}

/** Returns all games and collections that are not deleted as the text of a file, a game a line. */
export async function backupOf(access: GameAccess): Promise<string> {
  const all = (await access.collections()) as (SavedCollection & Deletable & { is_complete?: boolean })[];
  const collections = all.filter(({ deleted, is_complete }) => deleted === undefined && is_complete);
  const hidden = new Set(all.filter((each) => !collections.includes(each)).map(({ id }) => id));
  const lines: string[] = [];
  for (const row of (await access.rows()) as Collected[]) {
    if (row.deleted !== undefined || (row.collection !== undefined && hidden.has(row.collection))) continue;
    const game: WholeGame = { row, blocks: await access.blocks(row.id), positions: await access.positionsOf(row.id) };
    lines.push(JSON.stringify(withoutEdits(game)));
  }
  const head = `"format":"${FORMAT}","version":${VERSION},"collections":${JSON.stringify(collections)}`;
  return `{${head},"games":[\n${lines.join(',\n')}\n]}\n`;
}

/** A part of a file that cannot be read, by its index. */
export type DamagedPart = { game: number } | { collection: number };

/** Returns which part of a file is damaged, in words. */
export function damageWords(part: DamagedPart): Words {
  if ('collection' in part) {
    return {
      message: 'the list of collections of this file is damaged; nothing was read',
      message_zh: '此文件的棋谱集列表已损坏，未读取任何对局',
    };
  }
  return {
    message: `game ${part.game + 1} of this file is damaged; nothing was read`,
    message_zh: `此文件的第 ${part.game + 1} 局已损坏，未读取任何对局`,
  };
}

function isGame(game: unknown): game is WholeGame {
  const { row, blocks } = (game ?? {}) as Partial<WholeGame>;
  return (
    typeof row?.id === 'string' &&
    ID.test(row.id) &&
    Number.isSafeInteger(row.revision) &&
    Array.isArray(blocks) &&
    blocks.every((block) => Array.isArray(block) || typeof block === 'string')
  );
}

function isCollection(collection: unknown): collection is SavedCollection {
  const { id, name } = (collection ?? {}) as { id?: unknown; name?: unknown };
  return typeof id === 'string' && ID.test(id) && typeof name === 'string';
}

/** Returns the games of a file, or what is wrong with it. */
export function readBackup(text: string): BackupFile | Words {
  let file: { format?: unknown; version?: unknown; games?: unknown; collections?: unknown } | null;
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
  if (file.version !== VERSION && file.version !== FIRST_VERSION) {
    return {
      message: `this file was saved by a newer version of Alfil (${String(file.version)}): update this page first`,
      message_zh: `此文件由较新版本的 Alfil 保存（${String(file.version)}）：请先更新本页`,
    };
  }
  const damaged = file.games.findIndex((game) => !isGame(game));
  if (damaged >= 0) return damageWords({ game: damaged });
  const { collections = [] } = file;
  if (!Array.isArray(collections) || !collections.every(isCollection)) return damageWords({ collection: 0 });
  return { games: (file.games as WholeGame[]).map(withoutEdits), collections };
}

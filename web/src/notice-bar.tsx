import { useEffect } from 'preact/hooks';
import type { GameClient } from './game-client';
import { useMessage } from './language';
import type { MessageKey } from './messages';
import type { EditDto } from './wire/types';
import type { Notice, UiState } from './ui-state';

/** How long a notice is shown, in milliseconds. What it offers stays possible by keyboard and buttons. */
const NOTICE_MS = 12_000;

/** The names of the kinds of edits. */
const EDIT_NAMES: Record<EditDto['kind'], MessageKey> = {
  moves: 'editMoves',
  take_back: 'editTakeBack',
  deletion: 'editDeletion',
  comment: 'editComment',
  marks: 'editMarks',
  promotion: 'editPromotion',
  tags: 'editTags',
  resignation: 'editResignation',
};

/** The kinds of notices that say what was undone: they offer to redo it. */
const UNDONE = new Set<Notice['kind']>(['undo', 'gameRestored', 'gamesRestored', 'gamesDeletedAgain', 'collectionRestored', 'detailsRestored']);

/** Says what was changed last, and offers to undo or redo it. */
export function NoticeBar({ client, state: { notice } }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  useEffect(() => {
    const timer = setTimeout(() => client.clearNotice(), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [client, notice]);
  const action = notice && UNDONE.has(notice.kind) ? 'redo' : 'undo';
  // The region stays in the document, so that screen readers announce its changes.
  return (
    <div class="notice" role="status">
      {notice && (
        <>
          <span>{noticeText(notice, message)}</span>
          <button class="small" onClick={() => void client.edits[action]()}>
            {message(action)}
          </button>
        </>
      )}
    </div>
  );
}

function noticeText(notice: Notice, message: ReturnType<typeof useMessage>): string {
  switch (notice.kind) {
    case 'movesDeleted':
      return notice.count === 1 ? message('moveDeleted') : message('movesDeleted', notice.count);
    case 'gameDeleted':
    case 'gameRestored':
    case 'detailsChanged':
    case 'detailsRestored':
      return message(notice.kind);
    case 'gamesDeleted':
    case 'gamesDeletedAgain':
      return notice.count === 1 ? message('gameDeleted') : message('gamesDeleted', notice.count);
    case 'gamesRestored':
    case 'deletedGamesRestored':
      return notice.count === 1 ? message('gameRestored') : message('gamesRestored', notice.count);
    case 'collectionDeleted':
    case 'collectionRestored':
    case 'collectionRenamed':
      return message(notice.kind, notice.name);
    default: {
      const { kind, moves } = notice.edit;
      const name = kind === 'moves' && moves === 1 ? message('editMove') : message(EDIT_NAMES[kind], moves);
      return message(notice.kind === 'undo' ? 'undone' : 'redone', name);
    }
  }
}

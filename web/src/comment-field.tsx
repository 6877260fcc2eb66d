import { useRef, useState } from 'preact/hooks';
import { useMessage } from './language';

interface Props {
  label: string;
  /** The saved comment. */
  comment: string;
  /** Saves a comment. Returns whether it was saved. */
  onChange(text: string): Promise<boolean>;
}

/**
 * The field of a comment. What is typed stays until it is saved, whatever the server reports meanwhile. If another
 * window has changed the comment since typing began, the user chooses what becomes of both texts.
 */
export function CommentField({ label, comment, onChange }: Props) {
  const message = useMessage();
  const [draft, setDraft] = useState<string>();
  /** The saved comment when typing began. */
  const before = useRef(comment);
  const hasConflict = draft !== undefined && comment !== before.current && comment !== draft;
  const save = async (text: string) => {
    before.current = comment;
    setDraft(text);
    if (!(await onChange(text))) return;
    // What was typed while the text was saved stays.
    before.current = text;
    setDraft((now) => (now === text ? undefined : now));
  };
  const type = (text: string) => {
    if (draft === undefined) before.current = comment;
    setDraft(text);
  };
  return (
    <>
      <input
        class="comment"
        aria-label={label}
        placeholder={label}
        value={draft ?? comment}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={(event) => !hasConflict && void save(event.currentTarget.value)}
      />
      {hasConflict && (
        <div class="comment-conflict" role="alert">
          <p class="help">{message('otherWindowWrote', comment)}</p>
          <div class="toolbar">
            <button class="small" onClick={() => void save([comment, draft].filter(Boolean).join(' '))}>
              {message('keepBoth')}
            </button>
            <button class="small" onClick={() => void save(draft)}>
              {message('keepMine')}
            </button>
            <button class="small" onClick={() => setDraft(undefined)}>
              {message('keepOther')}
            </button>
          </div>
        </div>
      )}
    </>
  );
}

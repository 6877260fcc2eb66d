import { useEffect, useRef, useState } from 'preact/hooks';
import { useMessage } from './language';

interface Props {
  label: string;
  /** The saved comment. */
  comment: string;
  /** Saves a comment. Returns whether it was saved. */
  onChange(text: string): Promise<boolean>;
  /** Receives what was typed and not saved when the field disappears, if there is no conflict. */
  onLeave?(text: string): void;
}

/**
 * The field of a comment. What is typed stays until it is saved, whatever the server reports meanwhile. If another
 * window has changed the comment since typing began, the user chooses what becomes of both texts.
 */
export function CommentField({ label, comment, onChange, onLeave }: Props) {
  const message = useMessage();
  const [draft, setDraft] = useState<string>();
  /** The saved comment when typing began. */
  const before = useRef(comment);
  /** The text that is being saved. */
  const sent = useRef<string>();
  const hasConflict = draft !== undefined && comment !== before.current && comment !== draft;
  const save = async (text: string) => {
    before.current = comment;
    setDraft(text);
    sent.current = text;
    const isSaved = await onChange(text);
    if (sent.current === text) sent.current = undefined;
    if (!isSaved) return;
    // What was typed while the text was saved stays.
    before.current = text;
    setDraft((now) => (now === text ? undefined : now));
  };
  const type = (text: string) => {
    if (draft === undefined) before.current = comment;
    setDraft(text);
  };
  const leave = useRef<() => void>();
  leave.current = () => {
    const isUnsaved = draft !== undefined && draft !== comment && draft !== sent.current;
    if (isUnsaved && !hasConflict) onLeave?.(draft);
  };
  useEffect(() => () => leave.current?.(), []);
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

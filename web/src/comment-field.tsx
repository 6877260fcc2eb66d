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
 * The field of a comment. What is typed stays until it is saved, whatever the server reports meanwhile. Enter saves it,
 * and with Shift it begins a line. If another window has changed the comment since typing began, the user chooses what
 * becomes of both texts.
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
  /** Saves what is in the field, unless that is saved already or another window has changed the comment. */
  const saveField = (text: string) => {
    if (sent.current === undefined && text === comment) setDraft(undefined);
    else if (!hasConflict && text !== sent.current) void save(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method also ends the composition of a word by Enter: in Safari it is then a key with the code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    saveField((event.currentTarget as HTMLTextAreaElement).value);
  };
  const leave = useRef<() => void>();
  leave.current = () => {
    const isUnsaved = draft !== undefined && draft !== comment && draft !== sent.current;
    if (isUnsaved && !hasConflict) onLeave?.(draft);
  };
  useEffect(() => () => leave.current?.(), []);
  return (
    <>
      <textarea
        class="comment"
        rows={1}
        enterkeyhint="done"
        aria-label={label}
        placeholder={label}
        value={draft ?? comment}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onChange={(event) => saveField(event.currentTarget.value)}
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

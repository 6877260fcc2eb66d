import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CommentDrafts, commentText, joinTexts, pathText } from './comment-drafts';
import type { GameClient } from './game-client';
import { useMessage } from './language';
import { useLaterMessage } from './later-messages';
import type { UiState } from './ui-state';

interface Props {
  client: GameClient;
  state: UiState;
  label: string;
}

/** The field of the comment on the current move, which is saved while it is typed. */
export function CommentField({ client, state, label }: Props) {
  const drafts = useMemo(() => CommentDrafts.of(client), [client]);
  const { game, node, tree, connected } = state;
  useLayoutEffect(() => {
    drafts.shown = { game: game?.id ?? '', path: pathText(client, node) };
    return () => {
      drafts.shown = undefined;
      drafts.leave();
    };
  }, [game?.id, node]);
  // What could not be sent before: the connection is there again, or the game is open now.
  useEffect(() => drafts.send(), [game?.id, node, tree, connected]);
  return <NodeField key={`${game?.id} ${node}`} {...{ client, state, label, drafts }} />;
}

/**
 * The field of a move. Enter saves the comment at once, and with Shift it begins a line. If another window has changed
 * the comment since typing began, the user chooses what becomes of both texts.
 */
function NodeField({ client, state, label, drafts }: Props & { drafts: CommentDrafts }) {
  const message = useMessage();
  const laterText = useLaterMessage();
  const { game, node, tree } = state;
  const place = useRef([game?.id ?? '', pathText(client, node)] as const).current;
  /** What was typed, as long as the field has the focus: the saved text has no blank at its end. */
  const [typed, setTyped] = useState<string>();
  const [, redraw] = useState(0);
  const comment = commentText(tree.node(node));
  const draft = drafts.find(...place);
  const hasConflict = draft !== undefined && ![draft.base, draft.text.trim(), draft.sent].includes(comment);
  const shown = draft?.text ?? (typed?.trim() === comment ? typed : (tree.node(node)?.comment ?? ''));
  const decide = (text: string | undefined) => {
    if (!draft) return;
    if (text === undefined) drafts.drop(draft);
    else drafts.decide(draft, comment, text);
    setTyped(undefined);
    redraw((count) => count + 1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method also ends the composition of a word by Enter: in Safari it is then a key with the code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    drafts.leave();
  };
  return (
    <>
      <textarea
        class="comment"
        rows={1}
        enterkeyhint="done"
        aria-label={label}
        placeholder={label}
        value={shown}
        onInput={({ currentTarget: { value } }) => {
          drafts.type(...place, comment, value);
          setTyped(value);
        }}
        onKeyDown={onKeyDown}
        onChange={() => drafts.leave()}
        onBlur={() => {
          drafts.leave();
          setTyped(undefined);
        }}
      />
      {hasConflict && (
        <div class="comment-conflict" role="alert">
          <p class="help">{message('otherWindowWrote', comment)}</p>
          <div class="toolbar">
            <button class="small" onClick={() => decide(joinTexts(comment, draft.text))}>
              {laterText('keepBoth')}
            </button>
            <button class="small" onClick={() => decide(draft.text)}>
              {laterText('keepMine')}
            </button>
            <button class="small" onClick={() => decide(undefined)}>
              {laterText('keepOther')}
            </button>
          </div>
        </div>
      )}
    </>
  );
}

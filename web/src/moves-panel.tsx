import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { Delete, First, Last, Next, Previous } from './icons';
import { LanguageContext, useMessage } from './language';
import { type MoveTree, type NumberingOrigin, moveNumber, moveRows } from './move-tree';
import { openingText } from './names';
import type { NodeDto } from './protocol';
import type { UiState } from './ui-state';

/** The buttons that step through the moves. */
const STEPS = [
  ['first', 'goToStart', First],
  ['previous', 'previousMove', Previous],
  ['next', 'nextMove', Next],
  ['last', 'goToEnd', Last],
] as const;

/** The move list with its variations, the buttons that step through the moves, and the comment on the current move. */
export function MovesPanel({ client, state }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  const language = useContext(LanguageContext);
  const list = useRef<HTMLOListElement>(null);
  const { tree, node, position } = state;
  const origin = state.game ?? { first: 0, number: 1 };
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const current = box.querySelector<HTMLElement>('.current');
    // Keeps the current move visible. Only the list scrolls, and it scrolls again when other panels change its height.
    const observer = new ResizeObserver(() => {
      box.scrollTop = current ? current.offsetTop - box.clientHeight / 2 : 0;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [node, tree]);
  const neighbours = tree.neighbours(node);
  const rows = moveRows(tree, origin);
  const placesPieces = position?.targets.some((target) => !target.from) ?? false;
  const commentLabel = message(node === 0 ? 'gameComment' : 'moveComment');
  return (
    <>
      {position?.opening && <p class="opening">{openingText(position.opening, language)}</p>}
      <ol class="move-list" ref={list} aria-label={message('moves')} tabIndex={0}>
        {tree.node(0)?.comment && <li class="help game-comment">{tree.node(0)?.comment}</li>}
        {rows.length === 0 && (
          <li class="help">
            {message(placesPieces ? 'placePieceHelp' : 'movePieceHelp')}
            <span class="keyboard-help">{message('keyboardHelp')}</span>
          </li>
        )}
        {rows.map(({ number, moves, variations }) => (
          <li key={moves[0]?.node ?? moves[1]?.node}>
            <span class="number">{number}.</span>
            {moves.map((move, i) =>
              move ? (
                <MoveButton key={i} move={move} client={client} current={node} />
              ) : (
                <span class="missing-move" key={i}>…</span>
              ),
            )}
            {variations.length > 0 && (
              <div class="variations">{variations.map((first) => variation(first, tree, origin, client, node))}</div>
            )}
          </li>
        ))}
      </ol>
      <div class="navigation">
        {STEPS.map(([direction, label, Icon]) => (
          <button
            key={direction}
            class="plain icon"
            title={message(label)}
            aria-label={message(label)}
            disabled={neighbours[direction] === undefined || neighbours[direction] === node}
            onClick={() => void client.step(direction)}
          >
            <Icon />
          </button>
        ))}
        <button
          class="plain icon"
          title={message('deleteMoves')}
          aria-label={message('deleteMoves')}
          disabled={node === 0}
          onClick={() => void client.deleteMoves(node)}
        >
          <Delete />
        </button>
      </div>
      {tree.moveCount > 0 && (
        <CommentField
          key={`${state.game?.id} ${node}`}
          label={commentLabel}
          comment={tree.node(node)?.comment ?? ''}
          onChange={(text) => client.setComment(node, text)}
        />
      )}
    </>
  );
}

interface CommentFieldProps {
  label: string;
  comment: string;
  /** Returns whether the comment was saved. */
  onChange(text: string): Promise<boolean>;
}

/** The field of a comment. What is typed stays until it is sent, whatever the server reports meanwhile. */
function CommentField({ label, comment, onChange }: CommentFieldProps) {
  const [draft, setDraft] = useState<string>();
  const send = async (text: string) => {
    if (await onChange(text)) setDraft(undefined);
  };
  return (
    <input
      class="comment"
      aria-label={label}
      placeholder={label}
      value={draft ?? comment}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onChange={(event) => void send(event.currentTarget.value)}
    />
  );
}

/** A move of the list with its comment. A click goes to the position after it. */
function MoveButton({ move, client, current }: { move: NodeDto; client: GameClient; current: number }) {
  return (
    <button
      class={`move ${move.node === current ? 'current' : ''}`}
      data-node={move.node}
      aria-current={move.node === current ? 'step' : undefined}
      title={move.comment}
      onClick={() => void client.goTo(move.node)}
    >
      {move.label}
      {move.comment && <i class="comment-text">{move.comment}</i>}
    </button>
  );
}

/** Renders a variation, and within it its own variations. */
function variation(first: number, tree: MoveTree, origin: NumberingOrigin, client: GameClient, current: number) {
  const parts: ComponentChildren[] = [];
  let node: number | undefined = first;
  let ply = tree.pathTo(first).length - 2;
  /** Whether the next move of the second side needs a number: at the beginning and after a nested variation. */
  let needsNumber = true;
  while (node !== undefined) {
    const move = tree.node(node);
    if (!move) break;
    const { number, second } = moveNumber(ply, origin);
    if (!second || needsNumber) parts.push(<span class="number">{`${number}${second ? '…' : '.'}`}</span>);
    needsNumber = false;
    parts.push(<MoveButton move={move} client={client} current={current} />);
    const others = node === first ? [] : tree.children(move.parent).slice(1);
    for (const other of others) {
      parts.push(variation(other, tree, origin, client, current));
      needsNumber = true;
    }
    node = tree.children(node)[0];
    ply++;
  }
  return (
    <div class="variation" key={first}>
      {parts}
    </div>
  );
}

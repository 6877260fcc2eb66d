import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { eventText } from './game-texts';
import { Delete, First, Last, More, Next, Previous, Redo, Undo } from './icons';
import { LanguageContext, useMessage } from './language';
import { CommentField, LineMenu, ListSteps } from './lazy-parts';
import { MoveListRow } from './move-list-row';
import { moveRows } from './move-tree';
import { openingText } from './names';
import { pressable } from './pressable';
import type { UiState } from './ui-state';

/** The buttons that step through the moves. */
const STEPS = [
  ['first', 'goToStart', First],
  ['previous', 'previousMove', Previous],
  ['next', 'nextMove', Next],
  ['last', 'goToEnd', Last],
] as const;

interface MovesPanelProps {
  client: GameClient;
  state: UiState;
  /** Opens the dialog with the tags of the game. */
  onEditDetails(): void;
  /** Opens the introduction to the game. */
  onLessons(): void;
}

/** The move list with its variations, the buttons that step through the moves, and the comment on the current move. */
export function MovesPanel({ client, state, onEditDetails, onLessons }: MovesPanelProps) {
  const message = useMessage();
  const language = useContext(LanguageContext);
  const list = useRef<HTMLOListElement>(null);
  const { tree, node, position } = state;
  const event = eventText(state.game, language);
  const origin = state.game ?? { first: 0, number: 1 };
  const [menuOpen, setMenuOpen] = useState(false);
  const marks = useMemo(
    () => new Map(state.review?.moves.flatMap(({ node: id, mark }) => (mark ? [[id, mark] as const] : []))),
    [state.review],
  );
  /** Makes the current move visible. Only the list scrolls. */
  const showCurrent = () => {
    const box = list.current;
    const current = box?.querySelector<HTMLElement>('.current');
    if (box) box.scrollTop = current ? current.offsetTop - box.clientHeight / 2 : 0;
  };
  // A promoted variation changes the place of the move. Evaluations do not, and the list stays where it was scrolled.
  const place = tree.pathTo(node).map(({ node: id, parent }) => tree.children(parent).indexOf(id)).join();
  useEffect(showCurrent, [node, tree.moveCount, place]);
  useEffect(() => {
    // Other panels change the height of the list.
    const observer = new ResizeObserver(showCurrent);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  const neighbours = tree.neighbours(node);
  const rows = moveRows(tree, origin);
  const placesPieces = position?.targets.some((target) => !target.from) ?? false;
  const laterMoves = tree.nodesFrom(node).length - 1;
  const deleteLabel = laterMoves > 0 ? message('deleteMoves', laterMoves) : message('deleteMove');
  const opening = position?.opening && openingText(position.opening, language);
  const commentLabel = message(node === 0 ? 'gameComment' : 'moveComment');
  return (
    <>
      {(tree.moveCount > 0 || event) && (
        <p class="event">
          <span>{event}</span>
          {state.listedGame && <ListSteps client={client} state={state} />}
          <button class="link" onClick={onEditDetails}>
            {message(event ? 'editDetails' : 'addDetails')}
          </button>
        </p>
      )}
      {opening && (
        <p class="opening" title={opening}>
          {opening}
        </p>
      )}
      <ol class="move-list" ref={list} aria-label={message('moves')} tabIndex={0}>
        {tree.node(0)?.comment && <li class="help game-comment">{tree.node(0)?.comment}</li>}
        {rows.length === 0 && (
          <li class="help">
            {message(placesPieces ? 'placePieceHelp' : 'movePieceHelp')}
            <span class="keyboard-help">{message('keyboardHelp')}</span>{' '}
            <button class="link" onClick={onLessons}>
              {message('lessons')}
            </button>
          </li>
        )}
        {rows.map((row) => (
          <MoveListRow key={row.moves[0]?.node ?? row.moves[1]?.node} {...{ row, tree, origin, client, marks, current: node }} />
        ))}
      </ol>
      <div class="navigation">
        {STEPS.map(([direction, label, Icon]) => (
          <button
            key={direction}
            class="plain icon"
            title={message(label)}
            aria-label={message(label)}
            {...pressable(![undefined, node].includes(neighbours[direction]), () => void client.step(direction))}
          >
            <Icon />
          </button>
        ))}
        {(['undo', 'redo'] as const).map((direction) => (
          <button
            key={direction}
            class="plain icon"
            title={`${message(direction)} (Ctrl-${direction === 'undo' ? '' : 'Shift-'}Z)`}
            aria-label={message(direction)}
            {...pressable(direction === 'undo' ? client.edits.canUndo() : client.edits.canRedo(), () => void client.edits[direction]())}
          >
            {direction === 'undo' ? <Undo /> : <Redo />}
          </button>
        ))}
        <button
          class="plain icon"
          title={deleteLabel}
          aria-label={deleteLabel}
          {...pressable(node !== 0, () => void client.edits.deleteMoves(node))}
        >
          <Delete />
        </button>
        <button
          class="plain icon"
          title={message('lineMenu')}
          aria-label={message('lineMenu')}
          aria-expanded={menuOpen}
          {...pressable(tree.moveCount > 0, () => setMenuOpen(!menuOpen))}
        >
          <More />
        </button>
      </div>
      {menuOpen && <LineMenu client={client} state={state} onClose={() => setMenuOpen(false)} />}
      {tree.moveCount > 0 && (
        <CommentField client={client} state={state} label={commentLabel} />
      )}
    </>
  );
}

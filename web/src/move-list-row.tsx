import { Component, type ComponentChildren } from 'preact';
import type { GameClient } from './game-client';
import { MARK_SIGNS } from './marks';
import { type MoveRow, type MoveTree, type NumberingOrigin, moveNumber } from './move-tree';
import { clockSeconds, formatSeconds } from './clocks';
import type { NodeDto, ReviewMark } from './wire/types';
import { formatScore } from './score';

interface RowProps {
  row: MoveRow;
  tree: MoveTree;
  origin: NumberingOrigin;
  client: GameClient;
  /** The node of the current position, in this row or another. */
  current: number;
  /** The marks of the review by the nodes of their moves. */
  marks: ReadonlyMap<number, ReviewMark>;
}

/** What a move of the list needs besides the move. */
type ListProps = Pick<RowProps, 'client' | 'current' | 'marks'>;

/** The marks that correspond to the annotation marks of a person, by their numbers. */
const MARKS_OF_NAGS: Record<number, string> = { 1: 'good', 2: 'mistake', 3: 'good', 4: 'blunder', 5: 'interesting', 6: 'inaccuracy', 7: 'only_move' };

/**
 * A row of the move list with the variations from its last move. It is rendered again only if one of its moves has
 * changed, because a game may have thousands of moves, and the engine reports many times a second.
 */
export class MoveListRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const [before, after] = [rowNodes(this.props), rowNodes(next)];
    const currentIn = (nodes: (NodeDto | undefined)[], { current }: RowProps) =>
      nodes.some((move) => move?.node === current) ? current : undefined;
    return (
      before.length !== after.length ||
      before.some((move, i) => move !== after[i]) ||
      this.props.row.number !== next.row.number ||
      currentIn(before, this.props) !== currentIn(after, next) ||
      after.some((move) => move && this.props.marks.get(move.node) !== next.marks.get(move.node))
    );
  }

  override render({ row: { number, moves, variations }, tree, origin, client, current, marks }: RowProps) {
    const list = { client, current, marks };
    // Only the last move of a row has a comment.
    const comment = moves.at(-1)?.comment;
    return (
      <li>
        <span class="number">{number}.</span>
        {moves.map((move, i) =>
          move ? (
            <MoveButton key={i} move={move} {...list} />
          ) : (
            <span class="missing-move" key={i}>…</span>
          ),
        )}
        {comment && <p class="comment-text">{comment}</p>}
        {variations.length > 0 && (
          <div class="variations">{variations.map((first) => variation(first, tree, origin, list))}</div>
        )}
      </li>
    );
  }
}

/** Returns all moves of a row: those of the main line, and those of its variations. */
function rowNodes({ row, tree }: RowProps): (NodeDto | undefined)[] {
  return [...row.moves, ...row.variations.flatMap((first) => tree.nodesFrom(first))];
}

/** A move of the list. A click goes to the position after it. */
function MoveButton({ move, client, current, marks }: { move: NodeDto } & ListProps) {
  const ownMark = move.nags?.find((nag) => nag in MARKS_OF_NAGS);
  const mark = ownMark === undefined ? marks.get(move.node) : undefined;
  const colour = ownMark === undefined ? mark : MARKS_OF_NAGS[ownMark];
  const score = move.review ?? move.score;
  const clock = clockSeconds(move.clocks, 'clk') ?? clockSeconds(move.clocks, 'emt');
  const facts = [score && formatScore(score), clock !== undefined && formatSeconds(clock)].filter((fact) => fact);
  return (
    <button
      class={`move ${move.node === current ? 'current' : ''} ${colour ?? ''}`}
      data-facts={facts.length > 0 ? facts.join(' · ') : undefined}
      data-fact={facts[0]}
      data-node={move.node}
      aria-current={move.node === current ? 'step' : undefined}
      title={facts.join(' · ') || undefined}
      onClick={() => void client.goTo(move.node)}
    >
      {move.label}
      {mark && <span class="review-mark">{MARK_SIGNS[mark]}</span>}
    </button>
  );
}

/** Renders a variation, and within it its own variations. */
function variation(first: number, tree: MoveTree, origin: NumberingOrigin, list: ListProps) {
  const parts: ComponentChildren[] = [];
  let node: number | undefined = first;
  let ply = tree.pathTo(first).length - 2;
  /** Whether the next move of the second side needs a number: first, and after a nested variation or a comment. */
  let needsNumber = true;
  while (node !== undefined) {
    const move = tree.node(node);
    if (!move) break;
    const { number, second } = moveNumber(ply, origin);
    if (!second || needsNumber) parts.push(<span class="number">{`${number}${second ? '…' : '.'}`}</span>);
    needsNumber = Boolean(move.comment);
    parts.push(<MoveButton move={move} {...list} />);
    if (move.comment) parts.push(<span class="comment-text">{move.comment}</span>);
    const others = node === first ? [] : tree.children(move.parent).slice(1);
    for (const other of others) {
      parts.push(variation(other, tree, origin, list));
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

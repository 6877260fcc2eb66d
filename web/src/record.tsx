import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Game, Shown } from './game';
import { End, First, Next, Previous, Remove } from './icons';
import { useMessage } from './language';
import { type Origin, type Tree, numbered, pairs } from './tree';
import type { NodeDto } from './protocol';

/** The moves in pairs, variations in smaller letters below the move that they are instead of. */
export function Record({ game, shown }: { game: Game; shown: Shown }) {
  const message = useMessage();
  const list = useRef<HTMLOListElement>(null);
  const { tree, node, position } = shown;
  const origin = shown.game ?? { first: 0, number: 1 };
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const here = box.querySelector<HTMLElement>('.current');
    // Only the list scrolls, never the page; and again when other panels leave it less room.
    const sized = new ResizeObserver(() => (box.scrollTop = here ? here.offsetTop - box.clientHeight / 2 : 0));
    sized.observe(box);
    return () => sized.disconnect();
  }, [node, tree]);
  const line = tree.line(node);
  const at = line.findIndex((one) => one.node === node);
  const rows = pairs(tree, origin);
  return (
    <>
      <ol class="record" ref={list} aria-label={message('moves')} tabIndex={0}>
        {tree.at(0)?.comment && <li class="help opening">{tree.at(0)?.comment}</li>}
        {rows.length === 0 && (
          <li class="help">
            {message(position?.targets.some((target) => !target.from) ? 'placePieceHelp' : 'movePieceHelp')}
            <span class="keys">{message('keyboardHelp')}</span>
          </li>
        )}
        {rows.map(({ number, moves, asides }) => (
          <li key={moves[0]?.node ?? moves[1]?.node}>
            <span class="number">{number}.</span>
            {moves.map((move, i) =>
              move ? <Move key={i} move={move} game={game} here={node} /> : <span class="gap" key={i}>…</span>,
            )}
            {asides.length > 0 && <div class="asides">{asides.map((aside) => variation(aside, tree, origin, game, node))}</div>}
          </li>
        ))}
      </ol>
      <div class="steps">
        <Step word={message('goToStart')} to={line[0]?.node} game={game} here={node} picture={<First />} />
        <Step word={message('previousMove')} to={line[at - 1]?.node} game={game} here={node} picture={<Previous />} />
        <Step word={message('nextMove')} to={line[at + 1]?.node} game={game} here={node} picture={<Next />} />
        <Step word={message('goToEnd')} to={line.at(-1)?.node} game={game} here={node} picture={<End />} />
        <button
          class="plain icon"
          title={message('deleteMoves')}
          aria-label={message('deleteMoves')}
          disabled={node === 0}
          onClick={() => void game.prune(node)}
        >
          <Remove />
        </button>
      </div>
      {tree.size > 0 && (
        <input
          class="comment"
          key={node}
          aria-label={message(node === 0 ? 'gameComment' : 'moveComment')}
          placeholder={message(node === 0 ? 'gameComment' : 'moveComment')}
          value={tree.at(node)?.comment ?? ''}
          onChange={(event) => void game.comment(node, event.currentTarget.value)}
        />
      )}
    </>
  );
}

interface StepProps {
  word: string;
  to: number | undefined;
  game: Game;
  here: number;
  picture: ComponentChildren;
}

function Step({ word, to, game, here, picture }: StepProps) {
  const off = to === undefined || to === here;
  return (
    <button class="plain icon" title={word} aria-label={word} disabled={off} onClick={() => void game.go(to)}>
      {picture}
    </button>
  );
}

function Move({ move, game, here }: { move: NodeDto; game: Game; here: number }) {
  return (
    <button
      class={`move ${move.node === here ? 'current' : ''}`}
      data-node={move.node}
      aria-current={move.node === here ? 'step' : undefined}
      title={move.comment}
      onClick={() => void game.go(move.node)}
    >
      {move.label}
      {move.comment && <i class="said">{move.comment}</i>}
    </button>
  );
}

/** A variation with its own variations, in words and brackets. */
function variation(first: number, tree: Tree, origin: Origin, game: Game, here: number) {
  const parts: ComponentChildren[] = [];
  let node: number | undefined = first;
  let ply = tree.road(first).length - 2;
  let said = false;
  while (node !== undefined) {
    const move = tree.at(node);
    if (!move) break;
    const { number, second } = numbered(ply, origin);
    if (!second) parts.push(<span class="number">{number}.</span>);
    else if (!said) parts.push(<span class="number">{number}…</span>);
    said = true;
    parts.push(<Move move={move} game={game} here={here} />);
    const others = node === first ? [] : tree.children(move.parent).slice(1);
    for (const other of others) {
      parts.push(variation(other, tree, origin, game, here));
      said = false;
    }
    node = tree.children(node)[0];
    ply++;
  }
  return (
    <div class="aside" key={first}>
      {parts}
    </div>
  );
}

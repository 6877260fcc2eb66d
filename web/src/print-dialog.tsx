import { type ComponentChildren, render } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { AlfilBoard } from '../board/src/element';
import { customStartFen } from './address';
import { boardAppearance } from './board-data';
import type { GameClient } from './game-client';
import { eventText, recordedPlayer, resultText } from './game-texts';
import { LanguageContext, useMessage } from './language';
import { MARK_SIGNS } from './marks';
import { type Language, message } from './messages';
import { useModalDialog } from './modal-dialog';
import { type MoveTree, type NumberingOrigin, moveNumber } from './move-tree';
import { gameTitle, openingText, sideNames } from './names';
import printStyle from './print.css?inline';
import type { DiagramDto, NodeDto } from './wire/types';
import { laterMessage, useLaterMessage } from './later-messages';
import { moveWithNumber, summarySentences, turningPoints, turningSentence } from './review-summary';
import { scoredPoints, stepPath } from './score-graph';
import type { UiState } from './ui-state';
import { useStyle } from './use-style';

/** The distances between diagrams that can be chosen, in moves as the players of the game count them. */
const DISTANCES = [5, 10, 20];
/** A longer game gets its first diagrams only. */
const MAX_DIAGRAMS = 100;
/** The board in black on white. */
const BLACK_ON_WHITE = `<style>.background,.cells .background,.checkered .background,.cells .cell,.checkered .cell{fill:#fff}
.checkered .cell.dark{fill:#c4c4c4}.lines path,.border,.cells .border,.checkered .border,.cells .cell{stroke:#000}
.coordinates text,.cells .coordinates text,.checkered .coordinates text,.legend path{fill:#000;opacity:1}
.last{fill:#777;opacity:.45}.check{fill:#000;opacity:.3}.shadow{display:none}
.lit.red,.dim.red,.lit.white,.dim.white{stop-color:#fff}.lit.black,.dim.black{stop-color:#222}
.red .disc,.white .disc,.red .ring{stroke:#000;opacity:1}.red .outline{fill:#000}</style>`;

interface Props {
  client: GameClient;
  state: UiState;
  onClose(): void;
}

/** The dialog that prepares the printed page of the game. The page is in the document while the dialog is open. */
export function PrintDialog({ client, state, onClose }: Props) {
  const language = useContext(LanguageContext);
  const message = useMessage();
  const laterText = useLaterMessage();
  const dialog = useModalDialog(onClose);
  const [diagrams, setDiagrams] = useState('marked');
  const [withGraph, setWithGraph] = useState(true);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const root = document.createElement('div');
    root.className = 'print-root';
    let isOpen = true;
    setReady(false);
    const drawn = drawDiagrams(client, state, diagramNodes(state, diagrams));
    void Promise.all([drawn, client.request({ do: 'export' })]).then(([pictures, exported]) => {
      if (!isOpen) return;
      document.body.append(root);
      // The PGN has the result of a game that was played here, too.
      const result = /^\[Result "(.+)"\]$/m.exec(exported?.text ?? '')?.[1] ?? '*';
      render(<Sheet {...{ state, language, pictures, withGraph, result }} />, root);
      setReady(true);
    });
    return () => {
      isOpen = false;
      render(null, root);
      root.remove();
    };
  }, [diagrams, withGraph, language]);
  return (
    <dialog ref={dialog} class="print-dialog" onClose={onClose} aria-label={laterText('printTitle')}>
      <h2>{laterText('printTitle')}</h2>
      <label class="field">
        {laterText('printDiagrams')}
        <select value={diagrams} onChange={({ currentTarget }) => setDiagrams(currentTarget.value)}>
          <option value="marked">{laterText('diagramsMarked')}</option>
          {DISTANCES.map((moves) => (
            <option key={moves} value={String(moves)}>
              {laterText('diagramsEvery', moves)}
            </option>
          ))}
          <option value="none">{laterText('diagramsNone')}</option>
        </select>
      </label>
      <label class="allow-issues">
        <input type="checkbox" checked={withGraph} onChange={({ currentTarget }) => setWithGraph(currentTarget.checked)} />
        {laterText('printGraph')}
      </label>
      <div class="actions">
        <button onClick={onClose}>{message('cancel')}</button>
        <button class="primary" disabled={!isReady} onClick={() => window.print()}>
          {message('print')}
        </button>
      </div>
    </dialog>
  );
}

/** Returns the mark of a move: that of a person, else that of the review. */
function markOf(move: NodeDto, { review }: UiState): string {
  if (move.nags?.some((nag) => nag < 10)) return '';
  const mark = review?.moves.find(({ node }) => node === move.node)?.mark;
  return mark ? MARK_SIGNS[mark] : '';
}

/** Returns the nodes whose positions are drawn: a start that was set up, and after marked moves or every few moves. */
function diagramNodes(state: UiState, choice: string): number[] {
  const { tree, review } = state;
  const line = tree.lineThrough(0).slice(1);
  if (choice === 'none') return [];
  const isMarked = (move: NodeDto) => {
    const mark = review?.moves.find(({ node }) => node === move.node)?.mark;
    return mark === 'mistake' || mark === 'blunder' || Boolean(move.nags?.length);
  };
  const countsPlies = state.games.find(({ game }) => game === state.game?.game)?.length_unit === 'plies';
  const distance = (countsPlies ? 1 : 2) * Number(choice);
  const isChosen = (move: NodeDto, i: number) => (choice === 'marked' ? isMarked(move) : (i + 1) % distance === 0);
  const start = customStartFen(state.game) ? [0] : [];
  return [...start, ...line.filter(isChosen).map(({ node }) => node)].slice(0, MAX_DIAGRAMS);
}

/** Returns the pictures of positions by their nodes, as addresses of SVG data. */
async function drawDiagrams(client: GameClient, state: UiState, nodes: number[]): Promise<Map<number, string>> {
  const { appearance, language, game, pictures } = state;
  const found = nodes.length > 0 ? await client.request({ do: 'diagrams', nodes }) : undefined;
  const drawn = new Map<number, string>();
  if (!appearance) return drawn;
  const board = document.createElement('alfil-board') as AlfilBoard;
  board.look = boardAppearance(appearance, language, game?.dialect);
  board.pictures = pictures;
  for (const { node, pieces, last, check } of (found?.diagrams ?? []) as DiagramDto[]) {
    [board.pieces, board.last, board.check] = [pieces, last, check];
    const svg = board.snapshot().replace('</style>', `</style>${BLACK_ON_WHITE}`);
    drawn.set(node, `data:image/svg+xml,${encodeURIComponent(svg)}`);
  }
  return drawn;
}

interface SheetProps {
  state: UiState;
  language: Language;
  pictures: Map<number, string>;
  withGraph: boolean;
  /** The result as in PGN. */
  result: string;
}

/** The printed page: names, result, moves with marks and comments, diagrams, the graph and the review in words. */
function Sheet({ state, language, pictures, withGraph, result }: SheetProps) {
  const { game, appearance, tree, review, position } = state;
  useStyle(printStyle);
  if (!appearance) return null;
  const origin = game ?? { first: 0, number: 1 };
  const names = sideNames(appearance, language);
  const words = review && { review, tree, origin, names, language };
  const recorded = appearance.sides.map((side) => recordedPlayer(game, side, language));
  const players = recorded.map((name, i) => `${names[i]}: ${name || '…'}`);
  const hasPlayers = recorded.some((name) => name);
  const start = tree.node(0);
  const startPicture = pictures.get(0);
  return (
    <article class="print-sheet" lang={language}>
      <h1>{hasPlayers ? players.join(' – ') : gameTitle(appearance, language)}</h1>
      <p class="print-event">
        {[gameTitle(appearance, language), eventText(game, language), position?.opening && openingText(position.opening, language)]
          .filter((part) => part)
          .join(' · ')}
      </p>
      {start?.comment && <p class="print-comment">{start.comment}</p>}
      {startPicture && <Diagram picture={startPicture} caption={message(language, 'startPosition')} />}
      <div class="print-moves">
        <Moves isMainLine tree={tree} first={tree.children(0)[0]} {...{ origin, state, language, pictures }} />{' '}
        <b>{result !== '*' && resultText(result, game?.score)}</b>
      </div>
      {withGraph && <PrintedGraph state={state} />}
      {words && (
        <p class="print-review">
          {[...summarySentences(words), ...turningPoints(words).map((node) => turningSentence(words, node))].join(language === 'zh' ? '' : ' ')}
        </p>
      )}
    </article>
  );
}

interface MovesProps {
  tree: MoveTree;
  /** The first move of the line. */
  first: number | undefined;
  isMainLine?: boolean;
  origin: NumberingOrigin;
  state: UiState;
  language: Language;
  pictures: Map<number, string>;
}

/** The moves of a line with their comments, diagrams and variations. */
function Moves({ tree, first, isMainLine = false, origin, state, language, pictures }: MovesProps) {
  const parts: ComponentChildren[] = [];
  let needsNumber = true;
  let ply = first === undefined ? 0 : tree.pathTo(first).length - 2;
  for (let node = first; node !== undefined; node = tree.children(node)[0], ply++) {
    const move = tree.node(node);
    if (!move) break;
    const { number, second } = moveNumber(ply, origin);
    const prefix = second ? (needsNumber ? `${number}… ` : '') : `${number}. `;
    parts.push(
      <span class="print-move">
        {prefix}
        {move.label}
        {markOf(move, state)}
      </span>,
      ' ',
    );
    needsNumber = false;
    const picture = pictures.get(node);
    const others = node === first && !isMainLine ? [] : tree.children(move.parent).slice(1);
    if (move.comment) parts.push(<span class="print-comment">{move.comment}</span>, ' ');
    if (picture) {
      const caption = laterMessage(language, 'after', moveWithNumber(tree, node, origin));
      parts.push(<Diagram picture={picture} caption={caption} />);
    }
    for (const other of others) {
      parts.push(
        <span class="print-variation">
          (<Moves tree={tree} first={other} {...{ origin, state, language, pictures }} />)
        </span>,
        ' ',
      );
    }
    needsNumber = Boolean(move.comment || picture || others.length > 0);
  }
  return <>{parts}</>;
}

/** The picture of a position with a caption. */
function Diagram({ picture, caption }: { picture: string; caption: string }) {
  return (
    <figure>
      <img src={picture} alt={caption} />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

/** The graph of the evaluations. */
function PrintedGraph({ state: { tree } }: { state: UiState }) {
  const line = tree.lineThrough(0);
  const points = scoredPoints(line);
  if (points.length < 2) return null;
  const { curve, area } = stepPath(points, 320 / Math.max(1, line.length - 1));
  return (
    <svg class="print-graph" viewBox="0 0 320 110" preserveAspectRatio="none">
      <path d={area} fill="#ccc" />
      <path d={curve} fill="none" stroke="#000" vector-effect="non-scaling-stroke" />
      <path d="M0 55H320" stroke="#000" stroke-width="0.5" vector-effect="non-scaling-stroke" />
    </svg>
  );
}

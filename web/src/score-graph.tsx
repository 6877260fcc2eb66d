import { usedSeconds, formatSeconds } from './clocks';
import type { GameClient } from './game-client';
import { useMessage } from './language';
import { ReviewPanel } from './lazy-parts';
import { numberedLabel } from './move-tree';
import { sideNames } from './names';
import { pressable } from './pressable';
import type { NodeDto } from './wire/types';
import { firstSideFraction, formatScore } from './score';
import type { UiState } from './ui-state';

const WIDTH = 320;
const HEIGHT = 110;
/** The greatest height of the bars of the time that was used. */
const TIME_HEIGHT = 22;

/** A position of the graph with a score. */
interface Point {
  index: number;
  y: number;
}

/** Returns the positions of a line that have a score: that of the review, or another one that is known. */
export function scoredPoints(line: NodeDto[]): Point[] {
  return line.flatMap(({ score, review }, index) => {
    const shown = review ?? score;
    return shown ? [{ index, y: HEIGHT * (1 - firstSideFraction(shown)) }] : [];
  });
}

/**
 * Returns the path of the scores: a step for each position. There is no line between positions of which one was not
 * evaluated.
 */
export function stepPath(points: Point[], step: number): { curve: string; area: string } {
  const [curve, area]: [string[], string[]] = [[], []];
  points.forEach(({ index, y }, i) => {
    const [from, to] = [Math.max(0, (index - 0.5) * step), Math.min(WIDTH, (index + 0.5) * step)].map((x) => x.toFixed(1));
    const follows = points[i - 1]?.index === index - 1;
    curve.push(`${follows ? `V${y.toFixed(1)}` : `M${from} ${y.toFixed(1)}`}H${to}`);
    area.push(`M${from} ${HEIGHT / 2}V${y.toFixed(1)}H${to}V${HEIGHT / 2}Z`);
  });
  return { curve: curve.join(''), area: area.join('') };
}

/** The scores of the game as steps with the phases of the game, and its review. A click goes to a position. */
export function ScoreGraph({ client, state }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  const { tree, node, reviewedPositions, review } = state;
  const line = tree.lineThrough(node);
  const goToClick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * (line.length - 1));
    void client.goTo(line[index]?.node);
  };
  return (
    <section class="graph panel" aria-label={message('graph')}>
      <Graph state={state} line={line} onClick={goToClick} />
      {review || reviewedPositions !== undefined ? (
        <ReviewPanel client={client} state={state} />
      ) : (
        <div class="toolbar">
          <button class="small" {...pressable(tree.moveCount > 0, () => void client.reviews.start())}>
            {message('review')}
          </button>
        </div>
      )}
    </section>
  );
}

interface GraphProps {
  state: UiState;
  line: NodeDto[];
  onClick(event: MouseEvent): void;
}

/** The drawing of the graph: for screen readers an image, as the buttons and the arrow keys go to the positions. */
function Graph({ state, line, onClick }: GraphProps) {
  const message = useMessage();
  const { node, appearance, language, review, game } = state;
  const step = line.length > 1 ? WIDTH / (line.length - 1) : WIDTH;
  const points = scoredPoints(line);
  const { curve, area } = stepPath(points, step);
  const names = appearance ? sideNames(appearance, language) : ['', ''];
  const used = usedSeconds(line);
  const longest = Math.max(1, ...used.map((seconds) => seconds ?? 0));
  const reviewed = new Map(review?.moves.map((move) => [move.node, move]));
  const found = line.map(({ node: id }) => reviewed.get(id));
  const phaseStarts = found.flatMap((move, i) => {
    const before = found[i - 1]?.phase;
    return move && before && move.phase !== before ? [i] : [];
  });
  /** Returns the tooltip of a position: the move that led to it, and its score and its time if they are known. */
  const tooltip = (index: number) => {
    const score = line[index]?.review ?? line[index]?.score;
    if (index === 0) return score && message('startScore', formatScore(score));
    const label = numberedLabel(line, index, game ?? { first: 0, number: 1 });
    const text = score ? message('moveScore', label, formatScore(score)) : label;
    const seconds = used[index];
    return seconds === undefined ? text : message('timeUsed', text, formatSeconds(seconds));
  };
  return (
    <svg
      viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={message('graphHelp', names[0] ?? '')}
      onClick={onClick}
    >
      <rect class="lower-half" x="0" y={HEIGHT / 2} width={WIDTH} height={HEIGHT / 2} />
      {used.map((seconds, i) => {
        const height = (TIME_HEIGHT * (seconds ?? 0)) / longest;
        return height > 0 && <rect class="time-used" x={(i - 0.4) * step} y={HEIGHT - height} width={0.8 * step} height={height} />;
      })}
      {points.length > 1 && <path class="area" d={area} />}
      {points.length > 0 && <path class="curve" d={curve} />}
      {phaseStarts.map((i) => (
        <path key={i} class="phase-start" d={`M${(i - 0.5) * step} -4V${HEIGHT + 4}`} />
      ))}
      <path class="current-position" d={`M${line.findIndex((one) => one.node === node) * step} 0V${HEIGHT}`} />
      {points.map(({ index, y }) => {
        const mark = found[index]?.mark;
        return (mark === 'mistake' || mark === 'blunder') && <path key={index} class={`loss ${mark}`} d={`M${index * step} ${y}h0.01`} />;
      })}
      {line.map(({ node: id }, i) => (
        <rect key={id} class="position" x={(i - 0.5) * step} y="-4" width={step} height={HEIGHT + 8}>
          <title>{tooltip(i)}</title>
        </rect>
      ))}
    </svg>
  );
}

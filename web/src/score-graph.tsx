import type { GameClient } from './game-client';
import { useMessage } from './language';
import { moveNumber } from './move-tree';
import { sideNames } from './names';
import { firstSideFraction, formatScore, largestLosses } from './score';
import type { UiState } from './ui-state';

const WIDTH = 320;
const HEIGHT = 110;

/**
 * The scores of the game as a curve, the button for a review, and the moves that lost most. A click goes to a position.
 */
export function ScoreGraph({ client, state }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  const { tree, node, appearance, reviewedPositions, language } = state;
  const line = tree.lineThrough(node);
  const x = (index: number) => (line.length > 1 ? (WIDTH * index) / (line.length - 1) : 0);
  const y = (fraction: number) => HEIGHT * (1 - fraction);
  const points = line.flatMap(({ node: id, score }, i) => {
    return score ? [{ id, x: x(i), y: y(firstSideFraction(score)) }] : [];
  });
  const curve = points.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join('L');
  const current = line.findIndex((one) => one.node === node);
  const origin = state.game ?? { first: 0, number: 1 };
  const reviewing = reviewedPositions !== undefined;
  const losses = reviewing ? [] : largestLosses(line, origin.first);
  const reviewed = tree.moveCount > 0 && points.length === line.length && !reviewing;
  const names = appearance ? sideNames(appearance, language) : ['', ''];
  /** Returns the label of a move with its number, as in the move list. */
  const numberedLabel = (index: number) => {
    const { number, second } = moveNumber(index - 1, origin);
    return `${number}${second ? '…' : '.'} ${line[index]?.label}`;
  };
  /** Returns the tooltip of a position: the move that led to it, and its score if it is known. */
  const tooltip = (index: number) => {
    const score = line[index]?.score;
    if (index === 0) return score && message('startScore', formatScore(score));
    return score ? message('moveScore', numberedLabel(index), formatScore(score)) : numberedLabel(index);
  };
  const goToClick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * (line.length - 1));
    void client.goTo(line[index]?.node);
  };
  return (
    <section class="graph panel" aria-label={message('graph')}>
      {/* The graph is an image for screen readers: the buttons and the arrow keys go to the same positions. */}
      <svg
        viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={message('graphHelp', names[0] ?? '')}
        onClick={goToClick}
      >
        <rect class="lower-half" x="0" y={HEIGHT / 2} width={WIDTH} height={HEIGHT / 2} />
        {points.length > 1 && (
          <path class="area" d={`M${points[0]?.x} ${HEIGHT / 2}L${curve}L${points.at(-1)?.x} ${HEIGHT / 2}Z`} />
        )}
        {points.length > 0 && <path class="curve" d={`M${curve}`} />}
        <path class="current-position" d={`M${x(current)} 0V${HEIGHT}`} />
        {losses.map((loss) => {
          const point = points.find(({ id }) => id === loss.node);
          return point && <circle key={loss.node} class="loss" cx={point.x} cy={point.y} r="3.5" />;
        })}
        {line.map(({ node: id }, i) => {
          const width = WIDTH / Math.max(1, line.length - 1);
          return (
            <rect key={id} class="position" x={x(i) - width / 2} y="-4" width={width} height={HEIGHT + 8}>
              <title>{tooltip(i)}</title>
            </rect>
          );
        })}
      </svg>
      <div class="toolbar">
        {reviewing ? (
          <>
            <span class="search-info" role="status">
              {message('reviewing', reviewedPositions, tree.lineThrough(0).length)}
            </span>
            <button class="small" onClick={() => void client.stopReview()}>
              {message('stop')}
            </button>
          </>
        ) : (
          <button class="small" disabled={tree.moveCount === 0} onClick={() => void client.startReview()}>
            {message('review')}
          </button>
        )}
      </div>
      {losses.length > 0 && (
        <ol class="losses" aria-label={message('largestLosses')} tabIndex={0}>
          {losses.map(({ node: id, loss, betterMove }) => {
            const index = line.findIndex((one) => one.node === id);
            const side = moveNumber(index - 1, origin).second ? 1 : 0;
            const lost = formatScore({ value: loss, mate: null }).slice(1);
            return (
              <li key={id}>
                <button class="move" onClick={() => void client.goTo(tree.node(id)?.parent)}>
                  <span class={`dot ${appearance?.sides[side].toLowerCase() ?? ''}`} title={names[side]} />
                  {message('moveLoss', numberedLabel(index), lost, betterMove)}
                </button>
              </li>
            );
          })}
        </ol>
      )}
      {losses.length === 0 && reviewed && <p class="help">{message('noLargeLosses')}</p>}
    </section>
  );
}

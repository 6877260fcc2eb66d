import { useMessage } from './language';
import { firstSideFraction, formatScore } from './score';
import type { UiState } from './ui-state';

/** The evaluation bar beside the board. The part of the first side is at its own end of the board. */
export function EvalBar({ state }: { state: UiState }) {
  const message = useMessage();
  const { appearance, game, tree, node, flipped } = state;
  const score = tree.node(node)?.score;
  const [first, second] = (appearance?.sides ?? ['', '']).map((side) => side.toLowerCase());
  const firstOnTop = (game?.person === 1) !== flipped;
  const label = score ? message('evaluation', formatScore(score)) : '';
  const height = 100 * (score ? firstSideFraction(score) : 0.5);
  return (
    <div
      class={`eval-bar ${second} ${firstOnTop ? 'flipped' : ''}`}
      role="img"
      aria-label={label}
      title={label}
      hidden={!score}
    >
      <div class={`first ${first}`} style={{ height: `${height}%` }} />
    </div>
  );
}

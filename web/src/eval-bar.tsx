import { useMessage } from './language';
import { firstSideFraction, formatScore, formatShortScore } from './score';
import { type UiState, bottomSide } from './ui-state';

/**
 * The evaluation bar beside the board, with the score as a number. The part of the first side is at its own end of the
 * board.
 */
export function EvalBar({ state }: { state: UiState }) {
  const message = useMessage();
  const { appearance, tree, node } = state;
  const score = tree.node(node)?.score;
  const [first, second] = (appearance?.sides ?? ['', '']).map((side) => side.toLowerCase());
  const firstOnTop = bottomSide(state) === 1;
  const label = score ? message('evaluation', formatScore(score)) : '';
  const fraction = score ? firstSideFraction(score) : 0.5;
  const ahead = fraction < 0.5 ? second : first;
  const classes = ['eval-bar', second, firstOnTop && 'flipped', fraction < 0.5 && 'second-ahead'];
  return (
    <div
      class={[...classes, ahead === 'white' && 'on-white'].filter(Boolean).join(' ')}
      role="img"
      aria-label={label}
      title={label}
      hidden={!score}
      style={{ '--fraction': String(fraction) }}
    >
      <div class={`first ${first}`} />
      <span class="number">{score && formatShortScore(score)}</span>
    </div>
  );
}

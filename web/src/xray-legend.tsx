import { undefendedAttacks } from '../board/src/overlay';
import { useMessage } from './language';
import type { UiState } from './ui-state';

/** The kinds of tactical marks in the legend: the kind, the CSS class of its symbol and its message. */
const ENTRIES = [
  ['blocked', 'blocked', 'markBlocked'],
  ['screen', 'screen', 'markScreen'],
  ['pin', 'pin', 'markPin'],
  ['attack', 'hanging', 'markHanging'],
  ['stable', 'stable', 'markStable'],
  ['free', 'free', 'markFree'],
] as const;

/** The legend of the X-ray view. It explains the kinds of marks that are on the board. */
export function XrayLegend({ state }: { state: UiState }) {
  const message = useMessage();
  if (!state.xray) return null;
  const marks = state.tacticalMarks;
  // An attack on a defended piece is drawn only while the piece is selected.
  const drawn = [...marks.filter(({ kind }) => kind !== 'attack'), ...undefendedAttacks(marks)];
  const kinds = new Set(drawn.map(({ kind }) => kind));
  return (
    <ul class="xray-legend">
      {ENTRIES.filter(([kind]) => kinds.has(kind)).map(([, symbol, key]) => (
        <li key={symbol}>
          <span class={`mark ${symbol}`} aria-hidden="true" />
          {message(key)}
        </li>
      ))}
      {kinds.has('guard') && <li>{message('markSelect')}</li>}
    </ul>
  );
}

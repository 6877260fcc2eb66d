import { hanging } from './board/overlay';
import { useMessage } from './language';
import type { Shown } from './shown';
import type { TacticalMarkDto } from './protocol';

/** What is drawn for which sights: those that hang are attacked, and whoever is picked shows the rest. */
const MARKS = [
  ['blocked', 'blocked', 'markBlocked'],
  ['screen', 'screen', 'markScreen'],
  ['pin', 'pin', 'markPin'],
  ['attack', 'hanging', 'markHanging'],
  ['stable', 'stable', 'markStable'],
  ['free', 'free', 'markFree'],
] as const;

/** What the marks of the x-ray mean, as far as there are any. */
export function Legend({ shown }: { shown: Shown }) {
  const message = useMessage();
  if (!shown.xray) return null;
  // Of attacks only those are drawn that nobody answers.
  const drawn = [...shown.sights.filter(({ kind }) => kind !== 'attack'), ...hanging(shown.sights)];
  const kinds = new Set<TacticalMarkDto['kind']>(drawn.map(({ kind }) => kind));
  return (
    <ul class="legend">
      {MARKS.filter(([kind]) => kinds.has(kind)).map(([, mark, word]) => (
        <li key={mark}>
          <span class={`mark ${mark}`} aria-hidden="true" />
          {message(word)}
        </li>
      ))}
      {kinds.has('guard') && <li>{message('markSelect')}</li>}
    </ul>
  );
}

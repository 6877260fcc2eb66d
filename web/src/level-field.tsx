import { useMessage } from './language';
import type { MessageKey } from './messages';

/** The highest level. The others search to a fixed depth, whatever the time. */
export const MAX_LEVEL = 10;

/** The field of a skill level, with what it means in words. */
export function LevelField({ label, level, onLevel }: { label?: string; level: number; onLevel(level: number): void }) {
  const message = useMessage();
  return (
    <label class="level">
      <span>
        {label && `${label}: `}
        {message('level', level)} <small>{message(`level${level}` as MessageKey)}</small>
      </span>
      <input
        type="range"
        min={1}
        max={MAX_LEVEL}
        value={level}
        onInput={(event) => onLevel(Number(event.currentTarget.value))}
      />
    </label>
  );
}

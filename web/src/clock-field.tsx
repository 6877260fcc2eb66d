import { useState } from 'preact/hooks';
import { useMessage } from './language';
import type { TimeControlDto } from './wire/types';

/** The usual time controls: minutes for each side, and the increment in seconds. */
const TIME_CONTROLS = [
  [1, 0],
  [3, 2],
  [5, 3],
  [10, 5],
  [15, 10],
  [30, 20],
] as const;
const CUSTOM = TIME_CONTROLS.length;
const MAX_MINUTES = 600;
const MAX_INCREMENT_SECONDS = 600;

interface Props {
  clock: TimeControlDto | undefined;
  onClock(clock: TimeControlDto | undefined): void;
}

/** Returns a time control in whole milliseconds, as the server takes it. */
const timeControl = (minutes: number, increment: number) => ({ base: Math.round(60_000 * minutes), increment: Math.round(1000 * increment) });

/** The field of a time control: none, a usual one, or minutes and seconds of one's own. */
export function ClockField({ clock, onClock }: Props) {
  const message = useMessage();
  const usual = TIME_CONTROLS.findIndex(([minutes, increment]) => {
    return clock?.base === 60_000 * minutes && clock.increment === 1000 * increment;
  });
  const [isCustom, setCustom] = useState(clock !== undefined && usual < 0);
  const [minutes, increment] = [(clock?.base ?? 0) / 60_000, (clock?.increment ?? 0) / 1000];
  const choose = (index: number) => {
    setCustom(index === CUSTOM);
    const [chosenMinutes, chosenIncrement] = TIME_CONTROLS[index] ?? [10, 0];
    onClock(index < 0 ? undefined : timeControl(chosenMinutes, chosenIncrement));
  };
  const number = (event: Event, min: number, max: number) => {
    const value = Number((event.currentTarget as HTMLInputElement).value);
    return Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : min;
  };
  return (
    <>
      <label class="inline-field">
        {message('clock')}
        <select
          name="clock"
          value={isCustom ? CUSTOM : clock ? usual : -1}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          <option value={-1}>{message('noClock')}</option>
          {TIME_CONTROLS.map(([base, added], i) => (
            <option key={i} value={i}>
              {message('timeControl', base, added)}
            </option>
          ))}
          <option value={CUSTOM}>{message('customClock')}</option>
        </select>
      </label>
      {isCustom && (
        <div class="row custom-clock">
          <label>
            {message('minutesEach')}
            <input
              type="number"
              min={0.5}
              max={MAX_MINUTES}
              step="any"
              value={minutes}
              onChange={(event) => onClock(timeControl(number(event, 0.1, MAX_MINUTES), increment))}
            />
          </label>
          <label>
            {message('incrementSeconds')}
            <input
              type="number"
              min={0}
              max={MAX_INCREMENT_SECONDS}
              value={increment}
              onChange={(event) => onClock(timeControl(minutes, number(event, 0, MAX_INCREMENT_SECONDS)))}
            />
          </label>
        </div>
      )}
    </>
  );
}

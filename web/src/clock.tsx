import { useEffect, useRef, useState } from 'preact/hooks';
import { useMessage } from './language';
import type { Side } from './wire/types';
import type { UiState } from './ui-state';

/** The interval at which a running clock is redrawn, in milliseconds. */
const REDRAW_INTERVAL_MS = 200;
/** Below this time the clock shows tenths of a second and is highlighted. */
const LOW_TIME_MS = 10_000;

/**
 * Formats a time in milliseconds: with hours only if there are any, with tenths of a second only if the time is low.
 */
export function formatClock(timeMs: number): string {
  const tenths = Math.max(0, Math.floor(timeMs / 100));
  const seconds = Math.floor(tenths / 10);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const fraction = timeMs < LOW_TIME_MS ? `.${tenths % 10}` : '';
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours > 0 ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds % 60)}${fraction}`;
}

/** The clock of a side. It counts down from the time that the server sent last, while a clock runs. */
export function Clock({ state, side, name }: { state: UiState; side: Side; name: string }) {
  const message = useMessage();
  const { position, positionReceivedAt, connected, turn, game } = state;
  const clock = position?.clock;
  // The computer's clock runs on the server only while a reply is searched. Without a connection the clock stops there.
  const isPerson = clock?.running === game?.person || Boolean(game?.two_people);
  const runs = clock?.running != null && connected && (isPerson || turn.replying || turn.elsewhere);
  const running = runs && clock?.running === side;
  const [, setRedraws] = useState(0);
  /** For how long a clock has run since the position was received: until `at`, and whether one runs since then. */
  const used = useRef({ receivedAt: -1, at: 0, timeMs: 0, runs });
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setRedraws((count) => count + 1), REDRAW_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [running]);
  if (!clock) return null;
  const isNew = used.current.receivedAt !== positionReceivedAt;
  const former = isNew ? { at: positionReceivedAt, timeMs: 0, runs } : used.current;
  const now = performance.now();
  const usedMs = former.timeMs + (former.runs ? now - former.at : 0);
  used.current = { receivedAt: positionReceivedAt, at: now, timeMs: usedMs, runs };
  const leftMs = Math.max(0, clock.left[side] - (clock.running === side ? usedMs : 0));
  const low = leftMs < LOW_TIME_MS;
  const text = formatClock(leftMs);
  return (
    <span
      class={`clock ${running ? 'running' : ''} ${low ? 'low-time' : ''}`}
      role="timer"
      aria-label={message('timeLeft', name, text)}
    >
      {text}
    </span>
  );
}

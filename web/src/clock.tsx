import { useEffect, useRef, useState } from 'preact/hooks';
import type { Shown } from './shown';
import { useMessage } from './language';
import type { Side } from './protocol';

/** How often a running clock is drawn anew, in milliseconds. */
const BEAT = 200;
/** From here on tenths of a second are shown, and the clock warns. */
const SHORT = 10_000;

/** A time as a clock shows it: hours only where there are any, tenths only at the end. */
export function clockface(left: number): string {
  const tenths = Math.max(0, Math.floor(left / 100));
  const seconds = Math.floor(tenths / 10);
  const two = (part: number) => String(part).padStart(2, '0');
  const end = left < SHORT ? `.${tenths % 10}` : '';
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}${end}`;
}

/** A side's time: the server keeps it, the page counts down from what it heard last. */
export function Clock({ shown, side, name }: { shown: Shown; side: Side; name: string }) {
  const message = useMessage();
  const { position, heard, connected, thinking, game } = shown;
  const clock = position?.clock;
  // The computer's stands while it is not asked.
  const running = clock?.running === side && connected && (side === game?.person || thinking);
  const [, draw] = useState(0);
  const last = useRef(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => draw((drawn) => drawn + 1), BEAT);
    return () => clearInterval(timer);
  }, [running]);
  if (!clock) return null;
  // Without a connection it stands, here as on the server.
  if (connected) last.current = Math.max(0, clock.left[side] - (running ? performance.now() - heard : 0));
  const face = clockface(last.current);
  return (
    <span class={`clock ${running ? 'running' : ''} ${last.current < SHORT ? 'short' : ''}`} role="timer" aria-label={message('timeLeft', name, face)}>
      {face}
    </span>
  );
}

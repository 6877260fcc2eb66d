import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Clock, formatClock } from './clock';
import { gameDto, position } from './fixtures.test-support';
import { initialState } from './ui-state';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a clock shows hours only if there are any, and tenths only if the time is low', () => {
  const times = [0, 949, 9_999, 10_000, 65_000, 600_000, 3_600_000, 5_025_000].map(formatClock);
  expect(times).toEqual(['0:00.0', '0:00.9', '0:09.9', '0:10', '1:05', '10:00', '1:00:00', '1:23:45']);
});

test("the computer's clock stands while no reply is searched, as after one that has failed", async () => {
  const clock = { base: 300_000, increment: 0, left: [65_000, 200_000] as [number, number], running: 1 as const, flagged: null, drawn: false };
  const shown = { ...initialState(), game: gameDto(0), position: position({ side: 1, clock }), positionReceivedAt: performance.now() };
  const root = document.createElement('div');
  const times: (string | null)[] = [];
  for (const replying of [true, false, true, false]) {
    await act(() => render(<Clock state={{ ...shown, turn: { next: 'computer', replying } }} side={1} name="Black" />, root));
    times.push(root.textContent);
    await act(() => void vi.advanceTimersByTime(20_000));
  }
  expect(times).toEqual(['3:20', '3:00', '3:00', '2:40']);
});

test('only the clock of the side to move runs; without a connection both stop', async () => {
  const clock = { base: 300_000, increment: 0, left: [65_000, 200_000] as [number, number], running: 0 as const, flagged: null, drawn: false };
  const shown = { ...initialState(), game: gameDto(0), position: position({ clock }), positionReceivedAt: performance.now() };
  const root = document.createElement('div');
  const draw = (connected: boolean) =>
    act(() =>
      render(
        <>
          <Clock state={{ ...shown, connected }} side={0} name="Red" />
          <Clock state={{ ...shown, connected }} side={1} name="Black" />
        </>,
        root,
      ),
    );
  const times = () => [...root.querySelectorAll('[role=timer]')].map((clock) => clock.textContent);
  await draw(true);
  expect(times()).toEqual(['1:05', '3:20']);
  await act(() => void vi.advanceTimersByTime(60_000));
  expect(times()).toEqual(['0:05.0', '3:20']);
  expect(root.querySelector('.low-time')?.getAttribute('aria-label')).toBe('Time left for Red: 0:05.0');
  await draw(false);
  vi.advanceTimersByTime(60_000);
  await draw(false);
  expect(times()).toEqual(['0:05.0', '3:20']);
});

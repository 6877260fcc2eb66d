import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Clock, clockface } from './clock';
import { against, position } from './examples.test-data';
import { fresh } from './shown';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('hours only where there are any, tenths only at the end', () => {
  const faces = [0, 949, 9_999, 10_000, 65_000, 600_000, 3_600_000, 5_025_000].map(clockface);
  expect(faces).toEqual(['0:00.0', '0:00.9', '0:09.9', '0:10', '1:05', '10:00', '1:00:00', '1:23:45']);
});

test('the side to move counts down from what the server said, the other stands; without a connection both do', async () => {
  const clock = { base: 300_000, increment: 0, left: [65_000, 200_000] as [number, number], running: 0 as const, flagged: null, drawn: false };
  const shown = { ...fresh(), game: against(0), position: position({ clock }), heard: performance.now() };
  const root = document.createElement('div');
  const draw = (connected: boolean) =>
    act(() =>
      render(
        <>
          <Clock shown={{ ...shown, connected }} side={0} name="Red" />
          <Clock shown={{ ...shown, connected }} side={1} name="Black" />
        </>,
        root,
      ),
    );
  const faces = () => [...root.querySelectorAll('[role=timer]')].map((clock) => clock.textContent);
  await draw(true);
  expect(faces()).toEqual(['1:05', '3:20']);
  await act(() => void vi.advanceTimersByTime(60_000));
  expect(faces()).toEqual(['0:05.0', '3:20']);
  expect(root.querySelector('.short')?.getAttribute('aria-label')).toBe('Time left for Red: 0:05.0');
  await draw(false);
  vi.advanceTimersByTime(60_000);
  await draw(false);
  expect(faces()).toEqual(['0:05.0', '3:20']);
});

import { expect, test, vi } from 'vitest';
import { playSound } from './sound';

test('a suspended audio context is resumed', () => {
  const resume = vi.fn();
  const oscillator = { frequency: {}, connect: () => ({ connect: () => {} }), start: vi.fn(), stop: () => {} };
  const gain = { gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} } };
  const context = { state: 'suspended', currentTime: 0, resume, createOscillator: () => oscillator, createGain: () => gain };
  vi.stubGlobal('AudioContext', function () {
    return context;
  });
  playSound('move');
  expect(resume).toHaveBeenCalledTimes(1);
  context.state = 'running';
  playSound('check');
  expect([resume.mock.calls.length, oscillator.start.mock.calls.length]).toEqual([1, 3]);
  vi.unstubAllGlobals();
});

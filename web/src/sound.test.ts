import { expect, test, vi } from 'vitest';
import { play } from './sound';

test('sounds wake up after a first one that the browser did not allow', () => {
  const resume = vi.fn();
  const wave = { frequency: {}, connect: () => ({ connect: () => {} }), start: vi.fn(), stop: () => {} };
  const gain = { gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} } };
  const context = { state: 'suspended', currentTime: 0, resume, createOscillator: () => wave, createGain: () => gain };
  vi.stubGlobal('AudioContext', function () {
    return context;
  });
  play('move');
  expect(resume).toHaveBeenCalledTimes(1);
  context.state = 'running';
  play('check');
  expect([resume.mock.calls.length, wave.start.mock.calls.length]).toEqual([1, 3]);
  vi.unstubAllGlobals();
});

import type { MoveResultDto } from './protocol';

/** Notes of each sound: frequency in Hz, start and length in seconds, loudness. */
const NOTES: Record<MoveResultDto['sound'], [number, number, number, number][]> = {
  move: [[190, 0, 0.07, 0.5]],
  capture: [
    [150, 0, 0.09, 0.7],
    [320, 0.015, 0.05, 0.3],
  ],
  check: [
    [520, 0, 0.1, 0.35],
    [690, 0.09, 0.14, 0.35],
  ],
  end: [
    [440, 0, 0.18, 0.35],
    [350, 0.16, 0.2, 0.35],
    [262, 0.34, 0.4, 0.35],
  ],
};

let context: AudioContext | undefined;

/** Plays a short sound made on the spot. A browser that allows none, before the first click, stays silent. */
export function play(sound: MoveResultDto['sound']): void {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // One that was made before the first click wakes up only when it is asked to.
  if (context.state === 'suspended') void context.resume();
  const { destination, currentTime } = context;
  for (const [frequency, start, length, loudness] of NOTES[sound]) {
    const wave = context.createOscillator();
    const gain = context.createGain();
    wave.type = sound === 'move' || sound === 'capture' ? 'triangle' : 'sine';
    wave.frequency.value = frequency;
    gain.gain.setValueAtTime(loudness, currentTime + start);
    gain.gain.exponentialRampToValueAtTime(0.001, currentTime + start + length);
    wave.connect(gain).connect(destination);
    wave.start(currentTime + start);
    wave.stop(currentTime + start + length);
  }
}

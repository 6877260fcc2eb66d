import type { MoveResultDto } from './wire/types';

/** The tones of each sound: frequency in Hz, start and duration in seconds, gain. */
const TONES: Record<MoveResultDto['sound'], [number, number, number, number][]> = {
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

/** Synthesizes a short sound. Browsers play no sound before the first click on the page. */
export function playSound(sound: MoveResultDto['sound']): void {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // A context that was created before the first click stays suspended until it is resumed.
  if (context.state === 'suspended') void context.resume();
  const { destination, currentTime } = context;
  for (const [frequency, start, duration, volume] of TONES[sound]) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = sound === 'move' || sound === 'capture' ? 'triangle' : 'sine';
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(volume, currentTime + start);
    gain.gain.exponentialRampToValueAtTime(0.001, currentTime + start + duration);
    oscillator.connect(gain).connect(destination);
    oscillator.start(currentTime + start);
    oscillator.stop(currentTime + start + duration);
  }
}

/**
 * Plays a sound after the next frame is drawn, because the first sound takes long to prepare. A hidden tab draws no
 * frames: there it is played at once.
 */
export function playSoundAfterFrame(sound: MoveResultDto['sound']): void {
  if (document.hidden) playSound(sound);
  else requestAnimationFrame(() => setTimeout(() => playSound(sound)));
}

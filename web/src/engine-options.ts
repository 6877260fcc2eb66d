import { loadPreference, savePreference } from './preferences';

/** How the engine analyses. What is undefined is left to the server. */
export interface EngineOptions {
  threads?: number;
  /** The size of the transposition table, in MiB. */
  hash?: number;
  /** Whether an analysis goes on until it is stopped. */
  infinite?: boolean;
}

/** The sizes of the table that can be chosen, in MiB. */
export const HASH_SIZES = [32, 128, 512, 1024, 2048] as const;

/** Returns the numbers of threads that can be chosen, up to the processors of this machine. Most servers run on it. */
export function threadCounts(processors = navigator.hardwareConcurrency || 1): number[] {
  const powers = Array.from({ length: 10 }, (_, i) => 2 ** i).filter((count) => count < processors);
  return [...powers, processors];
}

/** Loads the options that the user has chosen. */
export function loadEngineOptions(): EngineOptions {
  const number = (name: string) => Number(loadPreference(`engine.${name}`, '')) || undefined;
  const threads = number('threads');
  return {
    // The settings may come from another machine.
    threads: threads !== undefined && threadCounts().includes(threads) ? threads : undefined,
    hash: number('hash'),
    infinite: loadPreference('engine.infinite', 'no') === 'yes' || undefined,
  };
}

/** Saves the options for the next visit. */
export function saveEngineOptions({ threads, hash, infinite }: EngineOptions): void {
  savePreference('engine.threads', String(threads ?? ''));
  savePreference('engine.hash', String(hash ?? ''));
  savePreference('engine.infinite', infinite ? 'yes' : 'no');
}

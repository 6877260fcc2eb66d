import { afterAll } from 'vitest';

// Node's timers outlive the document of a test file: those that are left at its end are cleared.
const timers = new Set<ReturnType<typeof setTimeout>>();
const { setTimeout: startTimer } = globalThis;
globalThis.setTimeout = Object.assign((...parameters: Parameters<typeof startTimer>) => {
  const timer = startTimer(...parameters);
  timers.add(timer);
  return timer;
}, startTimer);
afterAll(() => timers.forEach((timer) => clearTimeout(timer)));

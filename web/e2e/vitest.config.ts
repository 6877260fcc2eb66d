import { defineConfig } from 'vitest/config';

// One browser and one server for all tests, one test after another: games take a while.
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    include: [process.env.ALFIL_PICTURES ? 'pictures.ts' : '**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    reporters: ['verbose'],
  },
});

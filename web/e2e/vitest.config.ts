import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { root: 'e2e', environment: 'node', include: ['*.test.ts'], testTimeout: 240_000, hookTimeout: 30_000, fileParallelism: false },
});

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The files run one after another, because several browsers and servers at once would slow down the engine. `cargo
// xtask test` compiles beside them, so that conditions have more time than usual to become true.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: [process.env.ALFIL_SHEETS ? 'sheets.ts' : process.env.ALFIL_SCREENSHOTS ? 'readme-screenshots.ts' : '**/*.test.ts'],
    fileParallelism: false,
    testTimeout: process.env.ALFIL_SHEETS ? 3_600_000 : 600_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ['verbose'],
  },
});

import { defineConfig } from 'vitest/config';

// Names without hashes: the server embeds the files and answers them with no-cache.
export default defineConfig({
  build: {
    outDir: 'dist',
    rollupOptions: {
      input: { index: 'index.html', board: 'src/board/element.ts' },
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
    modulePreload: { polyfill: false },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'] },
});

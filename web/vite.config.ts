import { defineConfig } from 'vitest/config';
import { inlineStyle } from './inline-style';

// The file names have no hashes, because the server sends an ETag with each embedded file.
export default defineConfig({
  plugins: [inlineStyle()],
  build: {
    outDir: 'dist',
    rollupOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' } },
    modulePreload: { polyfill: false },
  },
  test: { environment: 'happy-dom', setupFiles: 'src/test-setup.ts', include: ['{src,board/src}/**/*.test.{ts,tsx}'] },
});

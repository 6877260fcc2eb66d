import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The style stands in the page itself, so that the first paint waits for no second answer. */
const inlined: Plugin = {
  name: 'inlined',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    const style = bundle['index.css'];
    if (page?.type !== 'asset' || style?.type !== 'asset') throw new Error('the page or its style was not built');
    const link = /<link rel="stylesheet"[^>]*>/;
    if (!link.test(String(page.source))) throw new Error('the page does not name its style');
    page.source = String(page.source).replace(link, () => `<style>${String(style.source).trim()}</style>`);
    delete bundle['index.css'];
  },
};

// Names without hashes: the server embeds the files and answers them with a tag by which a browser knows them again.
export default defineConfig({
  plugins: [inlined],
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

import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Moves the style into index.html, so that the first paint needs no second request. */
const inlineStyle: Plugin = {
  name: 'inline-style',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    const style = bundle['index.css'];
    if (page?.type !== 'asset' || style?.type !== 'asset') throw new Error('the build has no index.html or no index.css');
    const link = /<link rel="stylesheet"[^>]*>/;
    if (!link.test(String(page.source))) throw new Error('index.html has no link to the style');
    page.source = String(page.source).replace(link, () => `<style>${String(style.source).trim()}</style>`);
    delete bundle['index.css'];
  },
};

// The file names have no hashes, because the server sends an ETag with each embedded file.
export default defineConfig({
  plugins: [inlineStyle],
  build: {
    outDir: 'dist',
    rollupOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' } },
    modulePreload: { polyfill: false },
  },
  test: { environment: 'happy-dom', include: ['{src,board/src}/**/*.test.{ts,tsx}'] },
});

import type { Plugin } from 'vite';
import { type ViteUserConfig as UserConfig, defineConfig } from 'vitest/config';

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
const page: UserConfig = {
  plugins: [inlineStyle],
  build: {
    outDir: 'dist',
    rollupOptions: { output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' } },
    modulePreload: { polyfill: false },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'] },
};

// The board element is built as one script, because browsers load no modules into a page that is opened as a file.
const board: UserConfig = {
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    lib: { entry: 'src/board/element.ts', formats: ['iife'], name: 'alfil', fileName: () => 'board.js' },
  },
};

export default defineConfig(({ mode }) => (mode === 'board' ? board : page));

import type { Plugin } from 'vite';
import { type ViteUserConfig as UserConfig, defineConfig } from 'vitest/config';

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
const page: UserConfig = {
  plugins: [inlined],
  build: {
    outDir: 'dist',
    rollupOptions: { output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' } },
    modulePreload: { polyfill: false },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'] },
};

// One file without modules: browsers load no module from a page that is opened as a file.
const board: UserConfig = {
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    lib: { entry: 'src/board/element.ts', formats: ['iife'], name: 'alfil', fileName: () => 'board.js' },
  },
};

export default defineConfig(({ mode }) => (mode === 'board' ? board : page));

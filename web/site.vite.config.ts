// The build of the page without a server, by `cargo xtask site`: names with hashes, relative addresses, a worker.
import { type Plugin, defineConfig } from 'vite';
import { firstResponses } from './first-responses';
import { inlineStyle } from './inline-style';
import { FIRST_RESPONSES } from './src/site/first-visit';

/** The transport of this build, and what makes the page installable. */
const HEAD = `
    <meta name="alfil-transport" content="worker" />
    <link rel="manifest" href="./manifest.webmanifest" />
    <link rel="apple-touch-icon" href="./icon-192.png" />
    <meta name="theme-color" content="#f3efe6" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#1f1d1a" media="(prefers-color-scheme: dark)" />`;

const sitePage: Plugin = {
  name: 'site-page',
  transformIndexHtml: {
    order: 'pre',
    async handler(html) {
      const responses = await firstResponses(new URL('site-files/page.wasm', import.meta.url));
      const data = JSON.stringify(responses).replaceAll('<', '\\u003c');
      const script = `  <script type="application/json" id="${FIRST_RESPONSES}">${data}</script>\n  </body>`;
      const page = html
        .replace('/src/main.tsx', '/src/site/main.ts')
        .replace('<title>', `${HEAD}\n    <title>`)
        .replace('</body>', () => script);
      const areAllReplaced = ['/src/site/main.ts', HEAD, script].every((part) => page.includes(part));
      if (!areAllReplaced) throw new Error('index.html lacks a text that is replaced');
      return page;
    },
  },
};

const names = {
  entryFileNames: 'assets/[name]-[hash].js',
  chunkFileNames: 'assets/[name]-[hash].js',
  assetFileNames: 'assets/[name]-[hash][extname]',
};

export default defineConfig({
  base: './',
  publicDir: 'site-public',
  plugins: [sitePage, inlineStyle({ 'script-src': ["'wasm-unsafe-eval'"] })],
  build: { rollupOptions: { output: names }, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  worker: { format: 'es', rollupOptions: { output: names } },
});

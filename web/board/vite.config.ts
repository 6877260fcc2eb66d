import { copyFileSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const folder = new URL('.', import.meta.url);
const path = (name: string) => new URL(name, folder);

/** Adds the looks as modules and as scripts, the declarations that have no source, and the licences. */
const otherFiles: Plugin = {
  name: 'other-files',
  generateBundle({ format }) {
    // Rollup calls this for each of the two formats.
    if (format !== 'es') return;
    const add = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
    for (const file of readdirSync(path('looks'))) {
      const game = file.replace('.json', '');
      const look = JSON.stringify(JSON.parse(readFileSync(path(`looks/${file}`), 'utf8')));
      add(`looks/${game}.js`, `export default ${look};\n`);
      add(`look-${game}.js`, `var alfil = globalThis.alfil || {};\n(alfil.looks ||= {}).${game} = ${look};\n`);
    }
    for (const file of readdirSync(path('src')).filter((name) => name.endsWith('.d.ts'))) {
      add(`types/${file}`, readFileSync(path(`src/${file}`), 'utf8'));
    }
    for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(path(`../../${licence}`), path(licence));
  },
};

// The element is built as a module, and as a script, because browsers load no modules into a page opened as a file.
export default defineConfig({
  root: fileURLToPath(folder),
  plugins: [otherFiles],
  build: {
    lib: {
      entry: 'src/index.ts',
      formats: ['es', 'iife'],
      name: 'alfil',
      fileName: (format) => (format === 'es' ? 'index.js' : 'board.js'),
    },
    rollupOptions: { output: { extend: true } },
  },
  test: {
    include: [process.env.ALFIL_README_IMAGES ? 'test/readme-images.ts' : 'test/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['verbose'],
  },
});

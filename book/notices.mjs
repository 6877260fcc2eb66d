// Writes the licences of the packages whose code is in the built book. Usage: node notices.mjs FOLDER

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages that VitePress puts into the pages; the search needs the last four. */
const PACKAGES = ['vitepress', 'vue', '@vueuse/core', '@vueuse/integrations', 'focus-trap', 'tabbable', 'minisearch', 'mark.js'];

/** The styles of the search, whose package has no file with its licence: it stands in the styles themselves. */
const SEARCH_STYLES = '@docsearch/css';

const texts = PACKAGES.map((name) => {
  const folder = join('node_modules', name);
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (!licence) throw new Error(`${name} has no file with its licence`);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`;
});
const { version, license } = JSON.parse(readFileSync(join('node_modules', SEARCH_STYLES, 'package.json'), 'utf8'));
const [mit] = readFileSync('../LICENSE-MIT', 'utf8').match(/Permission is hereby granted[^]*/);
texts.push(`${SEARCH_STYLES} ${version}\n\n${license} License\n\nCopyright (c) Algolia, Inc. and contributors\n\n${mit.trim()}\n`);
writeFileSync(join(process.argv[2], 'licenses.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));

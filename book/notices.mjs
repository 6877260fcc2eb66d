// Writes the licences of the packages whose code is in the built book. Usage: node notices.mjs FOLDER

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages that VitePress puts into the pages; the search needs the last four. */
const PACKAGES = ['vitepress', 'vue', '@vueuse/core', '@vueuse/integrations', 'focus-trap', 'tabbable', 'minisearch', 'mark.js'];

const texts = PACKAGES.map((name) => {
  const folder = join('node_modules', name);
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (!licence) throw new Error(`${name} has no file with its licence`);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`;
});
writeFileSync(join(process.argv[2], 'licenses.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));

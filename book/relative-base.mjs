// Makes the addresses of the built book relative, so that it works under any address: VitePress writes them from the
// root of the host. Usage: node relative-base.mjs FOLDER

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const BASE = '/book/';
/** The variable of a page that has the address of the book on its host. */
const VARIABLE = 'globalThis.bookBase';

const folder = process.argv[2];
if (!folder) throw new Error('usage: node relative-base.mjs FOLDER');

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
for (const file of files) {
  const text = /\.(html|js|css)$/.test(file) ? readFileSync(file, 'utf8') : '';
  if (!text.includes(BASE)) continue;
  let changed;
  if (file.endsWith('.html')) {
    const root = relative(dirname(file), folder).split(sep).join('/') || '.';
    // The page of a wrong address is shown in any folder, from the root.
    changed = text
      .replaceAll(`\\"${BASE}\\"`, `\\""+${VARIABLE}+"\\"`)
      .replaceAll(`"${BASE}`, `"${root}/`)
      .replace('<head>', `<head><script>${VARIABLE}=new URL("${root}/",location.href).pathname</script>`);
  } else if (file.includes('@localSearchIndex')) {
    // The index of the search is one text, in any quotes.
    const quote = /["'`]/.exec(text)?.[0];
    const base = quote === '`' ? `\${${VARIABLE}}` : `${quote}+${VARIABLE}+${quote}`;
    const mark = quote === '"' ? '\\"' : '"';
    changed = text.replaceAll(`${mark}${BASE}`, () => mark + base);
    if (changed === text) throw new Error(`${file} has no addresses of pages`);
  } else if (file.endsWith('.js')) {
    // The base is the beginning of a text, or the whole of it.
    const literal = new RegExp(`(["'\`])${BASE}((?:(?!\\1).)*)\\1`, 'g');
    changed = text.replaceAll(literal, (_, quote, rest) => `(${VARIABLE}+${quote}${rest}${quote})`);
  } else {
    throw new Error(`${file} has an address from the root`);
  }
  if (changed.includes(`"${BASE}`) || changed.includes(`'${BASE}`)) throw new Error(`${file} keeps an address from the root`);
  writeFileSync(file, changed);
}

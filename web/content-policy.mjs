// The Content-Security-Policy of built pages, which the server sends as a header, too. Scripts and styles that stand in
// the HTML are allowed by their hashes. Usage: node content-policy.mjs book FOLDER, for each HTML file of the book.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

/** @type {Record<string, string[]>} */
const DIRECTIVES = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** @param {string} text */
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Returns the hashes of the elements of a kind whose text stands in the HTML. Data (JSON) needs none.
 * @param {string} html
 * @param {string} tag
 */
function hashesOf(html, tag) {
  const elements = html.matchAll(new RegExp(`<${tag}\\b([^>]*)>([^]*?)</${tag}>`, 'g'));
  const inline = [...elements].filter(([, attributes = '']) => !/\ssrc=|application\/json/.test(attributes));
  return [...new Set(inline.map(([, , text = '']) => hashOf(text)))];
}

/**
 * Returns HTML with its policy, before everything else in its head. `more` are the further sources of directives.
 * @param {string} html
 * @param {Record<string, string[]>} more
 */
export function withContentPolicy(html, more = {}) {
  const found = { 'script-src': hashesOf(html, 'script'), 'style-src': hashesOf(html, 'style') };
  /** @type {Record<string, string[]>} */
  const sources = structuredClone(DIRECTIVES);
  for (const [name, added] of [...Object.entries(found), ...Object.entries(more)]) {
    sources[name] = [...(sources[name] ?? []), ...added];
  }
  const policy = Object.entries(sources).map(([name, values]) => `${name} ${values.join(' ')}`);
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`;
  // Browsers look for the encoding in the first 1024 bytes.
  const [encoding] = /<meta charset="utf-8"[^>]*>/i.exec(html) ?? [];
  if (!encoding || !html.includes('<head>')) throw new Error('the HTML has no head with its encoding');
  return html.replace(encoding, '').replace('<head>', () => `<head>\n    ${encoding}\n    ${meta}`);
}

/** How VitePress makes a function of its text, which stands in the data of the page behind a mark. */
const REVIVAL = 'new Function(`return ${r.slice(7)}`)()';
const REVIVED = /\\"_vp-fn_(.*?)\\"/g;

/**
 * Writes the one function in the data of a page, which divides texts into words for the search, into its script: the
 * policy forbids to make functions of texts.
 * @param {string} html
 */
function withFunction(html) {
  const [found, ...others] = html.matchAll(REVIVED);
  if (!found?.[1] || others.length > 0 || !html.includes(REVIVAL)) throw new Error('a page of the book has not one function');
  // The data are JSON in a text of the script.
  const source = JSON.parse(`"${JSON.parse(`"${found[1]}"`)}"`);
  return html.replace(REVIVAL, () => `(${source})`);
}

/**
 * Writes the policy into each page of the book. VitePress changes the colour scheme with a style of its own, and code
 * is coloured by style attributes.
 * @param {string} folder
 */
function writeBookPolicies(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const scripts = paths.filter((path) => path.endsWith('.js')).map((path) => readFileSync(path, 'utf8'));
  const styles = scripts.flatMap((script) => /"(\*,\*::before,\*::after\{[^"]*)"/.exec(script)?.[1] ?? []);
  if (styles.length !== 1) throw new Error('the scripts of the book have not one style of the change of colours');
  const more = { 'style-src': styles.map(hashOf), 'style-src-attr': ["'unsafe-inline'"] };
  for (const path of paths.filter((path) => path.endsWith('.html'))) {
    writeFileSync(path, withContentPolicy(withFunction(readFileSync(path, 'utf8')), more));
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [, , kind, folder] = argv;
  if (kind !== 'book' || !folder) throw new Error('usage: node content-policy.mjs book FOLDER');
  writeBookPolicies(folder);
}

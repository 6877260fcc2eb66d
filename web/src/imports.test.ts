import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = `${process.cwd()}/src`;

/** Returns the modules that a file imports or exports from. */
function imports(path: string): string[] {
  const source = readFileSync(`${folder}/${path}`, 'utf8');
  return [...source.matchAll(/(?:from|import) '([^']+)'/g)].map((found) => found[1] ?? '');
}

test('the board element imports nothing from outside its folder', () => {
  const files = readdirSync(`${folder}/board`).filter((name) => !name.includes('.test.'));
  expect(files).toContain('element.ts');
  for (const name of files) {
    expect(imports(`board/${name}`).filter((module) => !/^\.\/[\w-]+$/.test(module)), name).toEqual([]);
  }
});

test('the types of the protocol import nothing', () => {
  expect(imports('protocol.ts')).toEqual([]);
});

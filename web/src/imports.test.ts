import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Returns the modules that a file of `web/` imports or exports from. */
function imports(path: string): string[] {
  const source = readFileSync(`${process.cwd()}/${path}`, 'utf8');
  return [...source.matchAll(/(?:from|import) '([^']+)'/g)].map((found) => found[1] ?? '');
}

test('the board element imports nothing from outside its folder', () => {
  // The declarations for a framework name the framework; they have no code.
  const files = readdirSync('board/src').filter((name) => !/\.(test|d)\./.test(name));
  expect(files).toContain('element.ts');
  for (const name of files) {
    // With the extension, declarations are found by every resolution of modules.
    expect(imports(`board/src/${name}`).filter((module) => !/^\.\/[\w-]+\.js$/.test(module)), name).toEqual([]);
  }
});

test('the types of the messages import nothing but each other', () => {
  expect(imports('src/wire/types.ts')).toEqual([]);
  expect(imports('src/wire/requests.ts')).toEqual(['./types']);
});

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

test('no module of the client leads back to itself', () => {
  const modules = new Map(
    readdirSync('src')
      .filter((name) => /\.ts$/.test(name) && !/\.test/.test(name))
      .map((name) => [name.replace('.ts', ''), imports(`src/${name}`).map((module) => module.replace('./', ''))]),
  );
  expect(modules.get('game-client')).toContain('edits');
  const finished = new Set<string>();
  const visit = (name: string, path: string[]): void => {
    expect(path, `${name} is imported by what it imports`).not.toContain(name);
    if (finished.has(name)) return;
    for (const module of modules.get(name) ?? []) if (modules.has(module)) visit(module, [...path, name]);
    finished.add(name);
  };
  for (const name of modules.keys()) visit(name, []);
});

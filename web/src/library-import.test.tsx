import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import type { LibraryClient } from './library-client';
import { ImportPanel } from './library-import';
import { LanguageContext } from './language';
import type { Language } from './messages';
import type { ImportProgress } from './wire/types';

test('an import says how far it is, also while the games of a file that was read are saved', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  let report: (progress: ImportProgress) => void = () => {};
  const library = {
    import: (_file: File, onProgress: (progress: ImportProgress) => void) => {
      report = onProgress;
      return new Promise(() => {});
    },
  } as unknown as LibraryClient;
  const file = { games: new File(['12345678'], 'games.xqf'), names: [] };
  await act(() =>
    render(<ImportPanel library={library} file={file} report={undefined} onDone={() => {}} onClose={() => {}} />, root),
  );
  const shown = async (bytes: number, games: number) => {
    await act(() => report({ bytes, games, cut: 0, bad: 0, remarks: [], done: false } as unknown as ImportProgress));
    return [root.querySelector('span')?.textContent, root.querySelector('progress')?.hasAttribute('value')];
  };
  expect(await shown(4, 0)).toEqual(['Importing games.xqf: 0 games, 50 %', true]);
  expect(await shown(8, 500)).toEqual(['Importing games.xqf: the whole file has been read, 500 games are saved so far', false]);
  await act(() => render(null, root));
  root.remove();
});

test('a report says what was done with which game, with the place in small print, and that a file is there already', async () => {
  const remarks = [
    { text: 'Game 3 (Anna – Bert): no. The game is kept up to this point.', place: 'line 5, byte 120' },
    { text: 'Game 4: no. The game is not imported.', place: '' },
  ];
  const collection_name = { name: 'club (2)', is_renamed: true, same_games: 'club' as string | null };
  const report: ImportProgress = {
    bytes: 9, games: 5, cut: 1, bad: 1, remarked: 7, remarks, done: true, collection: 'c', collection_name, first: 'a',
  };
  const root = document.body.appendChild(document.createElement('div'));
  const shown = async (language: Language, changes: Partial<ImportProgress> = {}) => {
    await act(() =>
      render(
        <LanguageContext.Provider value={language}>
          <ImportPanel library={{} as LibraryClient} file={undefined} report={{ ...report, ...changes }} onDone={() => {}} onClose={() => {}} />
        </LanguageContext.Provider>,
        root,
      ),
    );
    return root.querySelector('[role=status]')?.textContent;
  };
  expect(await shown('en')).toBe(
    '5 games imported. One of them ends before a move that cannot be read. One game could not be read. ' +
      'The same games are already in “club”. The new collection is called “club (2)”; delete it if you do not need it.',
  );
  expect([...root.querySelectorAll('li')].map((item) => item.textContent?.trim())).toEqual([
    'Game 3 (Anna – Bert): no. The game is kept up to this point. (line 5, byte 120)',
    'Game 4: no. The game is not imported.',
    'and 5 more',
  ]);
  expect(root.querySelector('li small')?.textContent).toBe('(line 5, byte 120)');
  expect(root.querySelector('summary')?.textContent).toBe('Remarks on games: 7');
  expect(await shown('zh', { cut: 0, bad: 0 })).toBe('已导入 5 局。 “club”中已有同样的对局。新棋谱集名为“club (2)”，如不需要可以删除。');
  expect(await shown('en', { cut: 0, bad: 0, collection_name: { ...collection_name, same_games: null } })).toBe(
    '5 games imported. There is already a collection with the name of the file. The new one is called “club (2)”.',
  );
  expect(await shown('en', { games: 1, cut: 0, bad: 0, collection_name: null })).toBe('One game imported.');
  await act(() => render(null, root));
  root.remove();
});

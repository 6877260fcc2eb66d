import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import type { LibraryClient } from './library-client';
import { ImportPanel } from './library-import';
import type { ImportProgress } from './protocol';

test('an import says how far it is, also while the games of a file that was read are saved', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  let report: (progress: ImportProgress) => void = () => {};
  const library = {
    import: (_file: File, onProgress: (progress: ImportProgress) => void) => {
      report = onProgress;
      return new Promise(() => {});
    },
  } as unknown as LibraryClient;
  const file = new File(['12345678'], 'games.xqf');
  await act(() =>
    render(<ImportPanel library={library} file={file} report={undefined} onDone={() => {}} onClose={() => {}} />, root),
  );
  const shown = async (bytes: number, games: number) => {
    await act(() => report({ bytes, games, cut: 0, bad: 0, errors: [], done: false } as unknown as ImportProgress));
    return [root.querySelector('span')?.textContent, root.querySelector('progress')?.hasAttribute('value')];
  };
  expect(await shown(4, 0)).toEqual(['Importing games.xqf: 0 games, 50 %', true]);
  expect(await shown(8, 500)).toEqual(['Importing games.xqf: the file is read, 500 games are saved', false]);
  await act(() => render(null, root));
  root.remove();
});

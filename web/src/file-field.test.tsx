import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { BackupButtons } from './backup-buttons';
import { GameClient } from './game-client';
import { LibraryView } from './library-view';
import { ShareDialog } from './share-dialog';
import { initialState } from './ui-state';

const none = () => {};

test.each(['the backup', 'the library', 'the share dialog'])('the field of %s is empty after a file was chosen, so that it can be chosen again', async (place) => {
  HTMLDialogElement.prototype.showModal ??= none;
  const backup = { save: async () => new Blob(), load: vi.fn(async () => 1) };
  const client = new GameClient(() => ({ backup, request: () => new Promise(none) }));
  client.attach(null, none);
  const importGame = vi.spyOn(client, 'importGame').mockResolvedValue(false);
  const state = initialState();
  const root = document.body.appendChild(document.createElement('div'));
  const shown = {
    'the backup': <BackupButtons client={client} />,
    'the library': <LibraryView client={client} state={state} onClose={none} />,
    'the share dialog': <ShareDialog client={client} state={state} onOpenLibrary={none} onClose={none} />,
  }[place];
  await act(() => render(shown ?? null, root));
  const field = root.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  let value = 'C:\\fakepath\\games.pgn';
  Object.defineProperty(field, 'files', { get: () => [new File(['1. e4'], 'games.pgn')] });
  Object.defineProperty(field, 'value', { get: () => value, set: (text: string) => (value = text) });
  await act(async () => {
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect(value).toBe('');
  if (place === 'the backup') expect(backup.load).toHaveBeenCalledOnce();
  if (place === 'the share dialog') expect(importGame).toHaveBeenCalledOnce();
  if (place === 'the library') expect(root.querySelector('.library-import')?.textContent).toContain('games.pgn');
  await act(() => render(null, root));
  root.remove();
});

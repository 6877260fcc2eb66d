import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { flushPromises } from './fake-server.test-support';
import type { GameClient } from './game-client';
import { lazyComponent } from './lazy-component';
import { setUpRoot } from './rendered-root.test-support';

let root: HTMLElement;
setUpRoot((element) => (root = element));

test('a dialog that cannot be loaded is closed before its error is shown', async () => {
  const calls: string[] = [];
  const client = { state: { language: 'en' }, showError: (text: string) => calls.push(text) } as unknown as GameClient;
  const Dialog = lazyComponent<{ client: GameClient; onClose(): void }>(() => Promise.reject(new Error('no network')));
  await act(() => render(<Dialog client={client} onClose={() => void calls.push('closed')} />, root));
  await flushPromises();
  expect(calls).toEqual(['closed', 'A part of the page could not be loaded: no network']);
});

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { ErrorBanner, StorageBanner } from './error-banner';
import { type FakeServer, flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, opened, position } from './fixtures.test-support';
import type { GameClient } from './game-client';
import { LanguageContext } from './language';
import { setUpRoot } from './rendered-root.test-support';

let root: HTMLElement;
let server: FakeServer;
let client: GameClient;
setUpRoot((element) => (root = element));

const target = move('a1', 'a2', 'W');

beforeEach(async () => {
  vi.useFakeTimers();
  ({ server, client } = await openWithFakeServer({ ...opened, game: gameDto(null), position: position({ targets: [target] }) }));
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

async function bannerText(language: 'en' | 'zh' = 'en'): Promise<string> {
  const state = { ...client.state, language };
  await act(() => render(<LanguageContext.Provider value={language}><StorageBanner client={client} state={state} /></LanguageContext.Provider>, root));
  return root.textContent;
}

test('a move that is not saved stays on the board, and the page says so until it is saved', async () => {
  void client.playMove(target);
  await flushPromises();
  await server.respond('play', { error: 'the change is not saved: the disk is full', cause: 'not_saved' });
  await server.sendToPage({ event: 'changed', id: 0, game: gameDto(null), tree: lineNodes('a1a2'), node: 1, position: position({ fen: '1' }) });
  await server.sendToPage({ event: 'storage', unsaved: true, text: 'the disk is full', text_zh: '磁盘已满' });
  expect([client.state.node, client.state.tree.moveCount, client.state.error]).toEqual([1, 1, undefined]);
  expect(await bannerText()).toMatch(/^Not saved: The disk is full\. .*Do not end the program/);
  expect(await bannerText('zh')).toMatch(/^尚未保存：磁盘已满。/);
  // A request that is carried out does not take the message away.
  void client.goTo(0);
  await flushPromises();
  await server.respond('go', { node: 0, position: position({}) });
  expect(await bannerText()).toContain('Not saved');
  // A dialog covers the message, and has a shorter one.
  await act(() => render(<ErrorBanner client={client} state={client.state} onOpened={() => {}} />, root));
  expect(root.textContent).toBe('This change is not saved yet.');
  await server.sendToPage({ event: 'storage', unsaved: false });
  expect(await bannerText()).toBe('');
});

test('what has become of the file of games is shown until the user hides it', async () => {
  await server.sendToPage({ event: 'storage', unsaved: false, text: 'the file was replaced' });
  expect(await bannerText()).toBe('The file was replacedHide this message');
  root.querySelector('button')?.click();
  expect(await bannerText()).toBe('');
});

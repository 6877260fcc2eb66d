import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, moveCount, onServer, openText, startGame, useTestEnvironment, waitForTurn } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

const field = (page: Page) => page.getByLabel('Comment on this move');
const moves = (page: Page) => page.locator('.move-list').textContent();

/** Goes to the move with a number. */
async function goTo(page: Page, node: number): Promise<void> {
  await page.locator(`.move-list [data-node="${node}"]`).click();
  await expect.poll(() => page.locator('.move-list .current').getAttribute('data-node')).toBe(String(node));
}

/** What a server sends that says which positions the page knows. */
interface Message {
  tree?: unknown;
  game?: unknown;
  removed?: number[];
  positions?: { node: number }[];
}

/** What a server sends to a page. It can be held back for a while. */
class Traffic {
  private known = new Set<number>();
  private held?: (() => void)[];

  /** Listens to the connection of a page that is not loaded yet. */
  async listen(page: Page): Promise<void> {
    await page.routeWebSocket('**/ws', (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        const send = () => {
          this.note(JSON.parse(String(message)) as Message);
          socket.send(message);
        };
        if (this.held) this.held.push(send);
        else send();
      });
    });
  }

  private note({ tree, game, removed, positions = [] }: Message): void {
    if (tree || game || removed?.length) this.known.clear();
    for (const { node } of positions) this.known.add(node);
  }

  /** Whether positions have been sent before the page needs them, and not been replaced since. */
  hasSentAhead(nodes: number[]): boolean {
    return nodes.every((node) => this.known.has(node));
  }

  hold(): void {
    this.held = [];
  }

  release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const send of held) send();
  }
}

/** Opens a game of four moves in two windows, without their engines. */
async function openInTwoWindows(traffic?: Traffic): Promise<[Page, Page]> {
  const first = await openPage(DESKTOP, async (page) => traffic?.listen(page));
  await startGame(first, 'Chess', 0, 1);
  await openText(first, '1. e4 e5 2. Nf3 Nc6');
  const address = await first.evaluate(() => location.hash);
  const second = await openPage(DESKTOP);
  await second.evaluate((hash) => void (location.hash = hash), address);
  for (const page of [first, second]) {
    await expect.poll(() => moveCount(page)).toBe(4);
    await page.locator('.engine .switch').click();
    await goTo(page, 1);
  }
  return [first, second];
}

describe.skipIf(!available || !onServer)('two windows with one game', () => {
  test('moves and comments of both are kept and shown in both', async () => {
    const [first, second] = await openInTwoWindows();
    const play = (page: Page, from: string, to: string) =>
      page.locator(`.play .square[data-square="${from}"]`).click().then(() => page.locator(`.play .square.open[data-square="${to}"]`).click());
    // Both play at once, from the position after the first move.
    await Promise.all([play(first, 'c7', 'c5'), play(second, 'e7', 'e6')]);
    for (const page of [first, second]) {
      await expect.poll(() => moveCount(page)).toBe(6);
      expect(await moves(page)).toContain('c5');
      expect(await moves(page)).toContain('e6');
    }
    await Promise.all([goTo(first, 2), goTo(second, 3)]);
    await Promise.all([[first, 'of the first'] as const, [second, 'of the second'] as const].map(async ([page, text]) => {
      await field(page).fill(text);
      await field(page).blur();
    }));
    for (const page of [first, second]) {
      await expect.poll(() => moves(page)).toContain('of the first');
      await expect.poll(() => moves(page)).toContain('of the second');
    }
    await closePage(first);
    await closePage(second);
  });

  test('of two comments on one move neither is overwritten without a word', async () => {
    const traffic = new Traffic();
    const [first, second] = await openInTwoWindows(traffic);
    // The first window does not know yet what the second one writes.
    traffic.hold();
    await field(second).fill('theirs');
    await expect.poll(() => moves(second)).toContain('theirs');
    await field(first).pressSequentially('mine');
    traffic.release();
    const question = first.getByRole('alert').filter({ hasText: 'theirs' });
    await question.waitFor();
    await field(first).press('Enter');
    expect(await field(first).inputValue()).toBe('mine');
    await first.getByRole('button', { name: 'Keep both' }).click();
    for (const page of [first, second]) await expect.poll(() => moves(page)).toContain('theirs mine');
    await question.waitFor({ state: 'detached' });
    await closePage(first);
    await closePage(second);
  });

  test('steps that are shown before the server confirms them agree with what the other window has changed', async () => {
    const traffic = new Traffic();
    const [first, second] = await openInTwoWindows(traffic);
    const pieces = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(document.querySelector('alfil-board')?.pieces ?? {}).sort()));
    // The positions after the first move have been sent ahead. The page does not know yet that the moves are removed.
    await expect.poll(() => traffic.hasSentAhead([1, 2, 3, 4])).toBe(true);
    const before = await pieces(first);
    traffic.hold();
    await second.getByRole('button', { name: /^Delete/ }).click();
    await expect.poll(() => moveCount(second)).toBe(0);
    await first.evaluate(() => {
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowRight']) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }
    });
    await expect.poll(() => first.locator('.move-list .current').getAttribute('data-node')).toBe('4');
    expect(await pieces(first)).not.toBe(before);
    traffic.release();
    for (const page of [first, second]) await expect.poll(() => moveCount(page)).toBe(0);
    await expect.poll(() => first.evaluate(() => location.hash)).toMatch(/\/0$/);
    await expect.poll(() => pieces(first)).toBe(await pieces(second));
    // Undone in the second window, the moves are shown in the first one as they were.
    await second.keyboard.press('Control+z');
    await expect.poll(() => moveCount(first)).toBe(4);
    await first.keyboard.press('Home');
    for (let step = 0; step < 4; step++) await first.keyboard.press('ArrowRight');
    await expect.poll(() => first.evaluate(() => location.hash)).toMatch(/\/4$/);
    await goTo(second, 4);
    await expect.poll(() => pieces(first)).toBe(await pieces(second));
    await closePage(first);
    await closePage(second);
  });

  test('what a window has changed can be undone after another one has searched and chosen a notation', async () => {
    const [first, second] = await openInTwoWindows();
    await field(first).fill('a comment');
    await field(first).blur();
    await expect.poll(() => moves(second)).toContain('a comment');
    await second.locator('.engine .switch').click();
    await second.locator('.lines li').first().waitFor();
    await second.locator('.engine .switch').click();
    await second.getByRole('button', { name: 'Settings', exact: true }).click();
    await second.getByLabel('Notation').selectOption('uci');
    await second.keyboard.press('Escape');
    await expect.poll(() => moves(first)).toContain('g1f3');
    await first.locator('.navigation').getByRole('button', { name: 'Undo' }).click();
    for (const page of [first, second]) await expect.poll(() => moves(page)).not.toContain('a comment');
    await closePage(first);
    await closePage(second);
  });
});

describe.skipIf(!available)('two windows with one game against the computer', () => {
  const play = async (page: Page, from: string, to: string) => {
    await page.locator(`.play .square[data-square="${from}"]`).click();
    await page.locator(`.play .square.open[data-square="${to}"]`).click();
  };

  test('one searches each reply, and the other one takes over when it is closed', async () => {
    const first = await openPage(DESKTOP);
    // The moves are in no opening book, so that each reply takes its time.
    await startGame(first, 'Chess', 0, 10, '3');
    // A game without moves is not saved.
    await play(first, 'h2', 'h4');
    await expect.poll(() => moveCount(first)).toBe(2);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await waitForTurn(second);
    await play(second, 'a2', 'a4');
    for (const page of [first, second]) await expect.poll(() => moveCount(page)).toBe(4);
    await waitForTurn(first);
    // The reply to the first window comes although a text that is no game was pasted meanwhile.
    await play(first, 'h4', 'h5');
    await first.locator('.thinking').waitFor();
    await first.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'good morning');
      document.querySelector('alfil-board')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    });
    await first.locator('.error-banner').waitFor();
    for (const page of [first, second]) await expect.poll(() => moveCount(page)).toBe(6);
    await waitForTurn(first);
    await waitForTurn(second);
    await play(second, 'a4', 'a5');
    await second.locator('.thinking').waitFor();
    await expect.poll(() => moveCount(first)).toBe(7);
    await second.close();
    await expect.poll(() => moveCount(first)).toBe(8);
    expect(await waitForTurn(first)).toBe('move');
    await closePage(first);
  });
});

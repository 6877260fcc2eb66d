import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, openText, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

const field = (page: Page) => page.getByLabel('Comment on this move');
const moves = (page: Page) => page.locator('.move-list').textContent();

async function openGame(page: Page): Promise<void> {
  await startGame(page, 'Chess', 0, 1);
  await openText(page, '1. e4 e5 2. Nf3 Nc6');
  await field(page).waitFor();
}

describe.skipIf(!available)('a comment that is typed', () => {
  test('is saved without Enter and is one change', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    await field(page).pressSequentially('A plan');
    await expect.poll(() => moves(page)).toContain('A plan');
    await field(page).pressSequentially(' of Black');
    await expect.poll(() => moves(page)).toContain('A plan of Black');
    await page.locator('.navigation').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => moves(page)).not.toContain('A plan');
    await closePage(page);
  });

  test('survives a reload, and another game that is opened meanwhile', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    await field(page).pressSequentially('before the reload');
    await page.reload();
    await expect.poll(() => moves(page)).toContain('before the reload');
    await field(page).fill('before another game');
    await openText(page, '1. d4 d5');
    await expect.poll(() => moves(page)).toContain('d5');
    await page.goBack();
    await expect.poll(() => moves(page)).toContain('before another game');
    await closePage(page);
  });
});

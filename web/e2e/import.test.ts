import { describe, expect, test } from 'vitest';
import { DESKTOP, moveCount, openText, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

describe.skipIf(!available)('pasted text that cannot be read', () => {
  for (const [text, message] of [
    ['good morning, how do you do?', 'The text contains neither a position nor a move. Paste a position'],
    ['https://lichess.org/abcdefgh', 'This is the address of a web page, which is not read'],
    ['8/8/8/8/8/8/8/8 w - - 0 1', 'Invalid position'],
    ['1. Ke5', 'Move 1. Ke5: '],
  ]) {
    test(`the page says what is wrong with ${text}`, async () => {
      const page = await openPage(DESKTOP);
      await startGame(page, 'Chess', 0, 1);
      await page.getByRole('button', { name: 'Open or share' }).click();
      const dialog = page.locator('dialog.share');
      await dialog.getByLabel(/^Paste/).fill(text ?? '');
      await dialog.getByRole('button', { name: 'Open', exact: true }).click();
      await expect.poll(() => dialog.locator('.error-banner').textContent()).toContain(message);
      await closePage(page);
    });
  }

  test('the moves before a bad move are kept, and the page says where the game stops', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openText(page, '1. e4 e5 2. Bc4 Nc6 3. Qxf7 Kxf7');
    await expect.poll(() => moveCount(page)).toBe(4);
    const remark = page.locator('.game-comment');
    expect(await remark.textContent()).toContain('the moves from here on cannot be read: move 3. Qxf7: ');
    await closePage(page);
  });
});

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityViolations, appearances } from './accessibility';
import { DESKTOP, PHONE, moveCount, onServer, openTab, openText, useTestEnvironment } from './test-environment';

// Every view of the page is checked with axe, in both languages and themes, on a desktop and on a phone.

const { available, openPage, closePage } = useTestEnvironment();

/** Two games, in the second of which a move cannot be read, so that the import has something to report. */
const FILE = '[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[White "Cid"]\n\n1. d4 d5 2. Ke5 Nc6 *\n';
const RECORD = '[White "Ann"]\n[Black "Bob"]\n\n1. f3 {Not good.} e5 (1... d5 2. d4) 2. g4 Qh4# 0-1';

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** The views in the order in which they are shown, each from the one before it. */
const VIEWS: [name: string, show: (page: Page) => Promise<void>][] = [
  ['board', async () => {}],
  ['new game', async (page) => {
    await page.locator('header .header-button >> nth=0').click();
    await page.locator('dialog').waitFor();
  }],
  ['new game with a clock', async (page) => {
    await page.locator('dialog select[name=clock]').selectOption({ index: 1 });
  }],
  ['set-up', async (page) => {
    await closeDialog(page);
    await page.locator('header .header-button >> nth=1').click();
    await page.locator('dialog.setup .valid').waitFor();
  }],
  ['set-up with issues', async (page) => {
    await page.locator('dialog.setup .setup-controls .actions button').nth(1).click();
    await page.locator('dialog.setup .issues li:not(.valid)').first().waitFor();
  }],
  ['share', async (page) => {
    await closeDialog(page);
    await page.locator('header .header-button >> nth=2').click();
    await page.locator('dialog.share textarea').first().waitFor();
  }],
  ['share with an error', async (page) => {
    await page.locator('dialog.share textarea').first().fill('no game at all');
    await page.locator('dialog.share button.primary').first().click();
    await page.locator('dialog.share [role=alert]').first().waitFor();
  }],
  ['settings', async (page) => {
    await closeDialog(page);
    await page.locator('header .wide-only, .tabs button').filter({ visible: true }).last().click();
    await page.locator('dialog').waitFor();
  }],
  ['introduction', async (page) => {
    await closeDialog(page);
    await page.locator('.move-list .link').click();
    await page.locator('dialog.lessons').waitFor();
  }],
  ['keys', async (page) => {
    await page.locator('dialog.lessons .actions button').first().click();
    await page.locator('dialog.keys').waitFor();
  }],
  ['X-ray', async (page) => {
    await closeDialog(page);
    await page.locator('.game-actions button').nth(3).click();
    await page.locator('.xray-legend').waitFor();
  }],
  ['report of an import', async (page) => {
    await openText(page, FILE);
    await page.locator('.library-import').waitFor();
    await page.locator('.library-import summary').click();
    await page.locator('.library-row .row-players').first().waitFor();
  }],
  ['library with a selection', async (page) => {
    await page.locator('.row-check').first().click();
    await page.locator('.library-row[aria-selected=true]').waitFor();
  }],
  ['details in the library', async (page) => {
    await page.locator('.library-bar button').nth(1).click();
    await page.locator('dialog.details').waitFor();
  }],
  ['renaming a collection', async (page) => {
    await page.locator('dialog.details .actions button').first().click();
    await page.locator('dialog.details').waitFor({ state: 'detached' });
    // A narrow screen has no place for it.
    const rename = page.locator('.library-collections .small').first();
    if (await rename.isVisible()) await rename.click();
  }],
  ['analysis', async (page) => {
    await closeDialog(page);
    await openText(page, RECORD);
    await expect.poll(() => moveCount(page)).toBe(6);
    await page.keyboard.press('Home');
    await openTab(page, 1);
    await page.locator('.lines li').first().waitFor();
  }],
  ['engine options', async (page) => {
    await page.locator('.engine-options summary').click();
    await page.locator('.engine-options[open]').waitFor();
  }],
  ['moves with a comment', async (page) => {
    await openTab(page, 0);
    await page.keyboard.press('ArrowRight');
    await page.locator('textarea.comment').waitFor();
  }],
  ['menu of a move', async (page) => {
    await page.locator('.moves button[aria-expanded]').click();
    await page.locator('.line-menu .signs button').first().waitFor();
  }],
  ['print', async (page) => {
    await page.locator('.line-menu .toolbar button').nth(2).click();
    await page.locator('dialog.print-dialog button.primary:enabled').waitFor();
  }],
  ['details of the game', async (page) => {
    await closeDialog(page);
    await page.locator('.line-menu').press('Escape');
    await page.locator('.event .link').click();
    await page.locator('dialog').waitFor();
  }],
  ['review', async (page) => {
    await closeDialog(page);
    await openTab(page, 2);
    await page.locator('.graph .toolbar button').first().click();
    await page.locator('.review-words').waitFor({ timeout: 120_000 });
  }],
  ['retry of a mistake', async (page) => {
    await page.locator('.graph button.primary').click();
    await page.locator('.retry-task').waitFor();
  }],
  ['end of the game', async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await page.locator('.status.ended').waitFor();
  }],
];

describe.skipIf(!available || !onServer)('accessibility', () => {
  for (const { name: appearance, options } of appearances([['desktop', DESKTOP], ['phone', PHONE]])) {
    test(`axe finds no violation in any view; ${appearance}`, { timeout: 300_000 }, async () => {
      const page = await openPage(options);
      const found: Record<string, string[]> = {};
      for (const [name, show] of VIEWS) {
        await show(page);
        const violations = await accessibilityViolations(page);
        if (violations.length > 0) found[name] = violations;
      }
      expect(found).toEqual({});
      await closePage(page);
    });
  }
});

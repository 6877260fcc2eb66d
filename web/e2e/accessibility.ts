import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { isLong } from './test-environment';

const LOCALES = ['en-GB', 'zh-CN'] as const;
const COLOR_SCHEMES = ['light', 'dark'] as const;

/** What a view looks like to a user. */
interface Appearance {
  readonly name: string;
  readonly locale: (typeof LOCALES)[number];
  readonly options: BrowserContextOptions;
}

/**
 * Returns the appearances in which views of some sizes are checked. Each size occurs with each language and each colour
 * scheme, and each language with each colour scheme; with `cargo xtask test --long` every combination does.
 */
export function appearances(sizes: readonly (readonly [name: string, options: BrowserContextOptions])[]): Appearance[] {
  return sizes.flatMap(([size, options], sizeIndex) =>
    LOCALES.flatMap((locale, localeIndex) =>
      COLOR_SCHEMES.filter((_, index) => isLong || (sizeIndex + localeIndex + index) % 2 === 0).map(
        (colorScheme) => ({
          name: `${size}, ${locale}, ${colorScheme}`,
          locale,
          options: { ...options, locale, colorScheme },
        }),
      ),
    ),
  );
}

/** Waits until what was changed is drawn, and nothing fades or moves any more: axe measures the colours. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
    const animations = roots.flatMap((root) => root.getAnimations());
    const ending = animations.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Returns the violations of accessibility rules that axe finds on the page. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await waitForAnimations(page);
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}

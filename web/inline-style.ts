import type { Plugin } from 'vite';
import { withContentPolicy } from './content-policy.mjs';

/** The name of the file of the style, which is not written. */
let styleName = '';

/**
 * Moves the style into index.html, so that the first paint needs no second request, and writes the policy of the page.
 * `more` are further sources of the policy.
 */
export const inlineStyle = (more?: Record<string, string[]>): Plugin => ({
  name: 'inline-style',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    const styles = Object.values(bundle).filter(({ fileName }) => fileName.endsWith('.css'));
    const [style] = styles;
    if (page?.type !== 'asset' || style?.type !== 'asset' || styles.length > 1) {
      throw new Error('the build has no index.html or not one style');
    }
    const link = /<link rel="stylesheet"[^>]*>/;
    if (!link.test(String(page.source))) throw new Error('index.html has no link to the style');
    const inline = String(page.source).replace(link, () => `<style>${String(style.source).trim()}</style>`);
    page.source = withContentPolicy(inline, more);
    delete bundle[style.fileName];
    styleName = style.fileName;
  },
  writeBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      const isWaiting = file.type === 'chunk' && file.code.includes(`${styleName}"`);
      if (isWaiting) throw new Error(`${file.fileName} waits for ${styleName}, which is in index.html`);
    }
  },
});

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach } from 'vitest';

/** Makes an element before each test for it to render into, and removes it with what is rendered after the test. */
export function setUpRoot(onRoot: (root: HTMLElement) => void): void {
  let root: HTMLElement;

  beforeEach(() => {
    root = document.body.appendChild(document.createElement('div'));
    onRoot(root);
  });

  afterEach(async () => {
    await act(() => render(null, root));
    root.remove();
  });
}

/** Waits 100 ms, in which the effects of what is rendered run. */
export const settleEffects = () => new Promise((resolve) => setTimeout(resolve, 100));

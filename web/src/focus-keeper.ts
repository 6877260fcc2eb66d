// When the focused element is removed or disabled, as the button of a closed dialog, browsers move the focus to the
// body. A user of the keyboard would have to start again from there.

const FOCUSABLE = 'button, input, select, textarea, a[href], summary, alfil-board, [tabindex]';
/** The number of elements to which the focus can return: Tab may have passed all of a dialog. */
const MAX_HISTORY = 500;

/** An element that had the focus, and the elements around it with its place among what can be focused there. */
interface Focused {
  element: HTMLElement;
  around: { container: HTMLElement; index: number }[];
}

function isUsable(element: HTMLElement): boolean {
  return element.isConnected && element.matches(':not(:disabled)') && element.checkVisibility();
}

function focusable(container: HTMLElement): HTMLElement[] {
  return [...container.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => isUsable(one) && one.tabIndex >= 0);
}

/** Returns the element that takes the focus from a lost one, given those that had it before, the latest first. */
export function successor(lost: Focused, former: HTMLElement[]): HTMLElement | undefined {
  const modal = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
  const isReachable = (element: HTMLElement) => isUsable(element) && (!modal || modal.contains(element));
  // After a dialog or a menu, the focus returns to where it was opened.
  const closed = lost.around.some(({ container }) => !container.isConnected && container.matches('dialog, [role=dialog], .line-menu'));
  if (!closed) {
    for (const { container, index } of lost.around) {
      if (!container.isConnected) continue;
      const places = focusable(container).filter(isReachable);
      const next = places[Math.min(index, places.length - 1)];
      if (next) return next;
    }
  }
  return former.find(isReachable) ?? (modal ? focusable(modal)[0] : undefined);
}

/** Returns where an element is, from the innermost part of the page around it to the outermost. */
function describe(element: HTMLElement): Focused {
  const around: Focused['around'] = [];
  for (let container = element.parentElement; container && container !== document.body; container = container.parentElement) {
    around.push({ container, index: focusable(container).indexOf(element) });
  }
  return { element, around };
}

/** Keeps the focus of the keyboard on the page. Returns a function that ends it. */
export function keepFocus(): () => void {
  let current: Focused | undefined;
  const history: HTMLElement[] = [];
  let byKeyboard = false;
  let waiting = false;
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    current = describe(target);
    const index = history.indexOf(target);
    if (index >= 0) history.splice(index, 1);
    history.unshift(target);
    history.length = Math.min(history.length, MAX_HISTORY);
  };
  const onKey = () => void (byKeyboard = true);
  const onPointer = () => void (byKeyboard = false);
  const restore = () => {
    waiting = false;
    if (!byKeyboard || !current || isUsable(current.element)) return;
    const { element } = current;
    // A disabled element keeps the focus until the next frame.
    if (document.activeElement !== document.body && document.activeElement !== element) return;
    successor(current, history.filter((one) => one !== element))?.focus();
  };
  const observer = new MutationObserver(() => {
    if (waiting || !current || isUsable(current.element)) return;
    if (!byKeyboard) {
      // After a click nothing needs the focus, and the keys of the page shall not press a button.
      current = undefined;
      return;
    }
    waiting = true;
    // What replaces the element may take the focus by itself.
    setTimeout(restore);
  });
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'open'] });
  document.addEventListener('focusin', onFocus);
  document.addEventListener('keydown', onKey, true);
  document.addEventListener('pointerdown', onPointer, true);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('keydown', onKey, true);
    document.removeEventListener('pointerdown', onPointer, true);
  };
}

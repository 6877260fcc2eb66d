// When the focused element is removed or disabled, as the button of a closed dialog, browsers move the focus to the
// body. A user of the keyboard would have to start again from there.

const FOCUSABLE = 'button, input, select, textarea, a[href], summary, [tabindex]';
/** What returns the focus to where it was opened. */
const POPUP = 'dialog, [role=dialog], .line-menu';
/** The number of elements to which the focus can return: Tab may have passed all of a dialog. */
const MAX_HISTORY = 500;

/** Where a removed element was. */
interface Place {
  /** The innermost part of the page around it that is still there. */
  container: HTMLElement;
  /** The number of elements before it in the container that can have the focus. */
  index: number;
  /** Whether it was in a dialog or a menu that is closed. */
  closed: boolean;
}

function isUsable(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}

/** Returns what can have the focus in a part of the page, or in a part that has been removed. */
function focusable(container: ParentNode): HTMLElement[] {
  return [...container.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.tabIndex >= 0 && !one.matches(':disabled'));
}

/** Returns the number of elements that are before a node: all, if there is no node. */
function countBefore(node: Node | null, elements: HTMLElement[]): number {
  return elements.filter((one) => !node || node.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING).length;
}

/** Returns the last change that removed a node. */
function removalOf(node: Node, changes: MutationRecord[]): MutationRecord | undefined {
  return [...changes].reverse().find(({ removedNodes }) => [...removedNodes].includes(node as ChildNode));
}

/** Returns where a removed element was, given the changes of the page since then. */
function placeOf(element: HTMLElement, changes: MutationRecord[]): Place | undefined {
  let part = element;
  let index = 0;
  let closed = false;
  // A removed part may have been in another one that was removed, too.
  for (let depth = 0; depth < changes.length; depth++) {
    const root = part.getRootNode();
    const removal = removalOf(root, changes);
    if (!(removal?.target instanceof HTMLElement)) return undefined;
    closed ||= part.closest(POPUP) !== null;
    index += countBefore(part, focusable(root as HTMLElement));
    let { previousSibling: previous } = removal;
    for (let i = 0; previous && previous.parentNode !== removal.target && i < changes.length; i++) {
      previous = removalOf(previous, changes)?.previousSibling ?? null;
    }
    part = removal.target;
    index += countBefore(previous ? previous.nextSibling : part.firstChild, focusable(part).filter(isUsable));
    if (part.isConnected) return { container: part, index, closed };
  }
  return undefined;
}

/** Returns what is now at the place of a removed element, or next to it. */
function neighbour({ container, index }: Place, isReachable: (element: HTMLElement) => boolean): HTMLElement | undefined {
  for (let part: HTMLElement | null = container, at = index; part && part !== document.body; part = part.parentElement) {
    const elements = focusable(part).filter(isReachable);
    const next = elements[Math.min(at, elements.length - 1)];
    if (next) return next;
    const { parentElement } = part;
    if (parentElement) at += countBefore(part, focusable(parentElement).filter(isReachable));
  }
  return undefined;
}

/**
 * Returns the element that takes the focus from one that was removed or hidden, given the changes of the page since
 * then, and the elements that had the focus before, the latest first.
 */
function successor(lost: HTMLElement, changes: MutationRecord[], former: HTMLElement[]): HTMLElement | undefined {
  const modal = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
  const isReachable = (element: HTMLElement) => isUsable(element) && (!modal || modal.contains(element));
  const place = lost.isConnected ? undefined : placeOf(lost, changes);
  const next = place && !place.closed ? neighbour(place, isReachable) : undefined;
  return next ?? former.find(isReachable) ?? (modal ? focusable(modal).find(isReachable) : undefined);
}

/** Whether the last input came from the keyboard. */
let byKeyboard = false;

/** Returns whether the user uses the keyboard: then the focus goes to what is used next. */
export function usesKeyboard(): boolean {
  return byKeyboard;
}

/** Keeps the focus of the keyboard on the page. Returns a function that ends it. */
export function keepFocus(): () => void {
  let current: HTMLElement | undefined;
  let history: HTMLElement[] = [];
  /** What has changed since the focus was lost. */
  let changes: MutationRecord[] | undefined;
  /** Whether the focused element is disabled: the focus comes back to it, and goes to no other action. */
  let disabled = false;
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    current = target;
    disabled = false;
    // A removed element is not kept with everything in it.
    history = [target, ...history.filter((one) => one.isConnected && one !== target)].slice(0, MAX_HISTORY);
  };
  const onKey = () => void (byKeyboard = true);
  const onPointer = () => void (byKeyboard = false);
  const restore = () => {
    const since = changes ?? [];
    changes = undefined;
    if (!byKeyboard || !current || isUsable(current) || (current.isConnected && disabled)) return;
    // An element that is hidden keeps the focus until the next frame.
    if (document.activeElement !== document.body && document.activeElement !== current) return;
    successor(current, since, history.filter((one) => one !== current))?.focus();
  };
  const observer = new MutationObserver((records) => {
    changes?.push(...records);
    if (changes || !current) return;
    if (isUsable(current)) {
      if (disabled && document.activeElement === document.body) current.focus();
      disabled = false;
    } else if (!byKeyboard) {
      // After a click nothing needs the focus, and the keys of the page shall not press a button.
      current = undefined;
    } else if (current.isConnected && current.matches(':disabled')) {
      disabled = true;
    } else {
      disabled = false;
      changes = records;
      // What replaces the element may take the focus by itself.
      setTimeout(restore);
    }
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

// The browser's Back closes an open dialog and leaves the game as it is: each open dialog has an entry of the browser
// history above that of the game. The entry has the same address, so that going back from it opens nothing.

/** What closes the open dialogs, the outermost first. */
const closers: (() => void)[] = [];
/** Whether the page goes back from the entries of closed dialogs, which takes the browser a moment. */
let isReturning = false;
/** What is written to the address when no dialog is open any more. */
let delayedWrite: (() => void) | undefined;

/** Returns the number of dialogs for which the current entry of the browser history stands. */
function entryDepth(): number {
  return (history.state as { dialogs?: number } | null)?.dialogs ?? 0;
}

/** Returns whether the current entry of the browser history stands for a dialog, open or closed. */
export function isDialogEntry(): boolean {
  return entryDepth() > 0;
}

/** Adds the entries that open dialogs lack, or leaves those of closed ones. */
function settle(): void {
  const surplus = entryDepth() - closers.length;
  if (isReturning) return;
  if (surplus > 0) {
    isReturning = true;
    history.go(-surplus);
  }
  for (let depth = entryDepth(); depth < closers.length; depth++) {
    history.pushState({ ...history.state, dialogs: depth + 1 }, '');
  }
}

/** Notes that a dialog was opened, and how to close it. Returns a function that notes that it was closed. */
export function addDialogEntry(close: () => void): () => void {
  closers.push(close);
  // One dialog may replace another: then nothing is added or left.
  setTimeout(settle);
  return () => {
    closers.splice(closers.indexOf(close), 1);
    setTimeout(settle);
  };
}

/**
 * Writes to the address, at once or when no dialog is open any more. Only the last of several writes is carried out
 * then.
 */
export function writeBelowDialogs(write: () => void): void {
  if (isReturning || entryDepth() > 0) delayedWrite = write;
  else write();
}

function onPopState(): void {
  const depth = entryDepth();
  // The browser's Back: innermost dialogs are closed first.
  if (!isReturning) for (const close of closers.slice(depth).reverse()) close();
  isReturning = false;
  if (depth === 0) {
    const write = delayedWrite;
    delayedWrite = undefined;
    write?.();
  }
  setTimeout(settle);
}

/** Lets the browser's Back close dialogs. Returns a function that ends it. */
export function watchDialogEntries(): () => void {
  // After a reload no dialog is open.
  if (entryDepth() > 0) history.replaceState({ ...history.state, dialogs: undefined }, '');
  window.addEventListener('popstate', onPopState);
  return () => window.removeEventListener('popstate', onPopState);
}

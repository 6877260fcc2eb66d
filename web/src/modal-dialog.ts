import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { addDialogEntry } from './dialog-entries';

/** Opens a dialog over the page while the component is shown. The browser's Back closes it. Returns its element. */
export function useModalDialog(onClose: () => void): RefObject<HTMLDialogElement> {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return addDialogEntry(() => close.current());
  }, []);
  return dialog;
}

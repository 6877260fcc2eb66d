import { useEffect } from 'preact/hooks';
/**
 * Calls a function with every text that is pasted into the page or dropped on it, and with the files that are dropped
 * on it. The function may not use state.
 */
export function useTextDrop(onDropped: (content: string | File[]) => void): void {
  useEffect(() => {
    const carries = (event: DragEvent, type: string) => event.dataTransfer?.types.includes(type) ?? false;
    // An input field handles pasted and dropped text itself. The target may be the document, which has no `closest`.
    const isInField = ({ target }: Event) => ((target as HTMLElement).closest?.('input, textarea') ?? null) !== null;
    const onDragOver = (event: DragEvent) => {
      // By default the browser opens a dropped file instead of the page, even if it is dropped on a field.
      if (carries(event, 'Files') || (carries(event, 'text/plain') && !isInField(event))) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      if (files.length === 0 && (!text || isInField(event))) return;
      event.preventDefault();
      onDropped(files.length > 0 ? files : text);
    };
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() && !isInField(event)) onDropped(text);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('drop', onDrop);
    window.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('drop', onDrop);
      window.removeEventListener('paste', onPaste);
    };
  }, []);
}

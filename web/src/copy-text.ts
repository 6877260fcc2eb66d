/**
 * Copies a text to the clipboard; returns whether that was possible. A page that came over HTTP without encryption may
 * not use `navigator.clipboard`: then the text is selected in a field and copied by `document.execCommand`. A dialog
 * gives a field of its own with the text, because nothing outside of it can be selected.
 */
export async function copyText(text: string, shown?: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  const written = navigator.clipboard?.writeText(text);
  if (await written?.then(() => true, () => false)) return true;
  const field = shown ?? document.body.appendChild(document.createElement('textarea'));
  field.value = text;
  field.select();
  const copied = document.execCommand('copy');
  if (!shown) field.remove();
  return copied;
}

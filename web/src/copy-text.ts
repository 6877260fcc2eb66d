/**
 * Copies a text to the clipboard; returns whether that was possible. A page that came over HTTP without encryption may
 * not use `navigator.clipboard`: then the text is put in a field, selected and copied by `document.execCommand`.
 */
export async function copyText(text: string): Promise<boolean> {
  const written = navigator.clipboard?.writeText(text);
  if (await written?.then(() => true, () => false)) return true;
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

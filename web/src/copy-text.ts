/**
 * Copies a text; returns whether that was possible. Over a connection without encryption a page has no clipboard: then
 * the text is selected in a field and copied by the older command.
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

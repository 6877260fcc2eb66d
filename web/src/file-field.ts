/** Returns the chosen file, and empties its field: otherwise the browser would not report that it is chosen again. */
export function takeFile(field: HTMLInputElement): File | undefined {
  const file = field.files?.[0];
  field.value = '';
  return file;
}

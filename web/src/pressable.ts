/** The attributes of a button that is not always available. */
interface Pressable {
  'aria-disabled'?: true;
  onClick?: (event: MouseEvent) => void;
}

/**
 * Returns the attributes of a button that is not always available. While it is not, it looks disabled and does nothing,
 * but it keeps the focus: a disabled button loses it, and the next Enter would press something else.
 */
export function pressable(available: boolean, onClick: (event: MouseEvent) => void): Pressable {
  return available ? { onClick } : { 'aria-disabled': true };
}

/** What the browser keeps for us; a browser that keeps nothing loses nothing but convenience. */
export function kept(name: string, usual: string): string {
  try {
    return localStorage.getItem(`alfil.${name}`) ?? usual;
  } catch {
    return usual;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`alfil.${name}`, value);
  } catch {
    // Private windows refuse; the page works all the same.
  }
}

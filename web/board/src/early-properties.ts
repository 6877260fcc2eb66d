/** The properties that a page can set before the script of the element is loaded. */
const PROPERTIES = [
  'look', 'orientation', 'pieces', 'men', 'targets', 'last', 'check', 'over', 'editing', 'pictures', 'words', 'showsMoves',
];

/** Sets the properties that were set before the element was defined, which hide the setters of the class. */
export function takeEarlyProperties(element: HTMLElement): void {
  for (const name of PROPERTIES) {
    const early = Object.getOwnPropertyDescriptor(element, name);
    if (!early) continue;
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, early.value);
  }
}

import { STYLE } from './style.js';
import { svg } from './svg.js';

/** Returns a drawing of the element as an SVG document that needs no other file. */
export function svgDocument(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const style = svg('style');
  style.textContent = STYLE.replace(':host', 'svg');
  copy.prepend(style);
  // The page may have given the board other colours.
  const colours = getComputedStyle(drawing);
  for (const [name] of STYLE.matchAll(/--[a-z-]+(?=:)/g)) {
    const value = colours.getPropertyValue(name);
    if (value) copy.style.setProperty(name, value);
  }
  const [, , width, height] = (copy.getAttribute('viewBox') ?? '').split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width ?? '');
  copy.setAttribute('height', height ?? '');
  // Not every image viewer supports transforms in the style.
  for (const piece of copy.querySelectorAll<SVGGElement>('.piece')) {
    piece.setAttribute('transform', piece.style.transform.replaceAll('px', ''));
    piece.removeAttribute('style');
  }
  return new XMLSerializer().serializeToString(copy);
}

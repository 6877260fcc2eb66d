/** The duration of each half of the flip of a disc, in milliseconds. */
const HALF_FLIP_MS = 90;

/**
 * Replaces the body of a disc by its other side, which `draw` draws, turning the disc if the user wants animations.
 */
export function flipBody(oldBody: SVGGElement, draw: () => SVGGElement): void {
  const animated = typeof oldBody.animate === 'function' && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!animated) {
    oldBody.replaceWith(draw());
    return;
  }
  const wide = { transform: 'scaleX(1)' };
  const narrow = { transform: 'scaleX(0.04)' };
  oldBody.animate([wide, narrow], { duration: HALF_FLIP_MS, easing: 'ease-in' }).onfinish = () => {
    // The disc may have been flipped again meanwhile, so its side is drawn as it is now.
    const newBody = draw();
    oldBody.replaceWith(newBody);
    newBody.animate([narrow, wide], { duration: HALF_FLIP_MS, easing: 'ease-out' });
  };
}

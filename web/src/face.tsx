import { useEffect, useRef } from 'preact/hooks';
import { drawFace } from './board/draw';
import type { BoardAppearance } from './board/types';

/** A man as the board draws it. */
export function Face({ look, letter, pictures }: { look: BoardAppearance; letter: string; pictures: boolean }) {
  const picture = useRef<SVGSVGElement>(null);
  useEffect(() => picture.current?.replaceChildren(drawFace(look, letter, pictures)), [look, letter, pictures]);
  return <svg class="man-picture" viewBox="-50 -50 100 100" aria-hidden="true" ref={picture} />;
}

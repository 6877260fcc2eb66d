import { useEffect, useRef } from 'preact/hooks';
import { drawPieceBody } from '../board/src/draw';
import type { BoardAppearance } from '../board/src/types';

interface Props {
  appearance: BoardAppearance;
  letter: string;
  pictures: boolean;
}

/** A piece as the board draws it. */
export function PieceIcon({ appearance, letter, pictures }: Props) {
  const icon = useRef<SVGSVGElement>(null);
  useEffect(
    () => icon.current?.replaceChildren(drawPieceBody(appearance, letter, pictures)),
    [appearance, letter, pictures],
  );
  return <svg class="piece-icon" viewBox="-50 -50 100 100" aria-hidden="true" ref={icon} />;
}

/** A pointer that is pressed on a square. */
export interface Drag {
  square: string;
  pointerId: number;
  x: number;
  y: number;
  moved: boolean;
  /** Whether the piece on the square was selected before. */
  wasPicked: boolean;
}

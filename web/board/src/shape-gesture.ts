import type { DrawnShape, ShapeColour } from './types.js';

/** How long a finger rests on a square before it draws, in milliseconds. */
const LONG_PRESS_MS = 450;
/** A finger that moves farther before that scrolls or drags. In pixels. */
const MAX_REST_PIXELS = 10;
const RIGHT_BUTTON = 2;
/** The bits of the pressed buttons while the right one alone is pressed. */
const RIGHT_BUTTONS = 2;

/** What the gesture needs of the board, and what it reports. */
export interface ShapeGestureHost {
  squareAt(event: PointerEvent): string | undefined;
  /** Drawing begins. */
  onStart(): void;
  /** The unfinished shape has changed. */
  onChange(): void;
  onDraw(shape: DrawnShape): void;
}

/** Returns the colour for the keys that are pressed: Shift or Ctrl red, Alt blue, both yellow, none green. */
export function shapeColour({ shiftKey, ctrlKey, altKey }: Pick<PointerEvent, 'shiftKey' | 'ctrlKey' | 'altKey'>): ShapeColour {
  const red = shiftKey || ctrlKey;
  if (red && altKey) return 'yellow';
  return red ? 'red' : altKey ? 'blue' : 'green';
}

/**
 * Drawing of arrows and circles: with the right button, or after a long press of a finger. A shape that ends where it
 * began is a circle, one that ends off the board is dropped.
 */
export class ShapeGesture {
  /** The unfinished shape. */
  shape?: DrawnShape;
  private start?: string;
  /** The pointer that rests or draws. Others neither change nor end the shape by moving or leaving. */
  private pointerId?: number;
  private rest?: { timer: ReturnType<typeof setTimeout>; x: number; y: number };

  constructor(private readonly host: ShapeGestureHost) {}

  listen(element: HTMLElement): void {
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('pointerdown', (event) => this.onDown(event, element));
    element.addEventListener('pointermove', (event) => this.onMove(event));
    element.addEventListener('pointerup', (event) => this.onUp(event));
    element.addEventListener('pointercancel', (event) => event.pointerId === this.pointerId && this.cancel());
    // A finger that draws does not scroll the page.
    element.addEventListener('touchmove', (event) => this.shape && event.preventDefault(), { passive: false });
  }

  private onDown(event: PointerEvent, element: HTMLElement): void {
    // A second finger ends the rest of the first one.
    this.endRest();
    const square = this.host.squareAt(event);
    if (!square) return;
    if (event.button === RIGHT_BUTTON) this.begin(event, square, element);
    // A second pointer cancels what is being drawn.
    else if (this.shape) this.cancel();
    else if (event.pointerType === 'touch' && event.isPrimary) {
      this.pointerId = event.pointerId;
      const timer = setTimeout(() => this.begin(event, square, element), LONG_PRESS_MS);
      this.rest = { timer, x: event.clientX, y: event.clientY };
    }
  }

  private begin(event: PointerEvent, square: string, element: HTMLElement): void {
    this.endRest();
    this.start = square;
    this.pointerId = event.pointerId;
    this.host.onStart();
    try {
      element.setPointerCapture?.(event.pointerId);
    } catch {
      // The finger was lifted meanwhile.
    }
    this.setShape({ from: null, to: square, colour: shapeColour(event) });
  }

  private onMove(event: PointerEvent): void {
    if (event.pointerId !== this.pointerId) return;
    const { rest } = this;
    if (rest && Math.hypot(event.clientX - rest.x, event.clientY - rest.y) > MAX_REST_PIXELS) this.endRest();
    if (!this.shape || this.start === undefined) return;
    // The buttons that a mouse presses after the first one are no events of their own.
    if (event.pointerType === 'mouse' && event.buttons !== RIGHT_BUTTONS) return this.cancel();
    const square = this.host.squareAt(event) ?? this.start;
    const from = square === this.start ? null : this.start;
    if (square !== this.shape.to) this.setShape({ from, to: square, colour: this.shape.colour });
  }

  private onUp(event: PointerEvent): void {
    if (event.pointerId !== this.pointerId) return;
    this.endRest();
    const { shape } = this;
    this.cancel();
    if (shape && this.host.squareAt(event)) this.host.onDraw({ ...shape, colour: shapeColour(event) });
  }

  private cancel(): void {
    this.endRest();
    this.start = undefined;
    if (this.shape) this.setShape(undefined);
  }

  private endRest(): void {
    clearTimeout(this.rest?.timer);
    this.rest = undefined;
  }

  private setShape(shape: DrawnShape | undefined): void {
    this.shape = shape;
    this.host.onChange();
  }
}

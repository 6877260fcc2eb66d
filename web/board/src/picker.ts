import { drawPieceBody } from './draw.js';
import { type Geometry, MARGIN, UNIT } from './geometry.js';
import { svg } from './svg.js';
import type { BoardTarget } from './types.js';

/** A menu over the board in which the user chooses one of several moves to a square: the piece of a promotion. */
export class Picker {
  static readonly style = `
.picker { position: absolute; display: flex; z-index: 1; } .picker[hidden] { display: none; }
.picker button { display: block; width: 100%; aspect-ratio: 1; margin: 0; padding: 0; border: 0; border-radius: 50%; cursor: pointer;
  background: #f3ead8; box-shadow: inset 0 0 0 2px var(--ink), 0 2px 8px rgb(0 0 0 / .45); outline: none; }
.picker button:hover { background: #fffaf0; } .picker button:focus { box-shadow: 0 0 0 2px #fff, 0 0 0 5px var(--focus); z-index: 1; }
`;
  readonly element: HTMLDivElement = document.createElement('div');
  private targets: BoardTarget[] = [];

  /** `onChoose` receives the chosen move, or null if the user cancels. */
  constructor(private readonly onChoose: (target: BoardTarget | null) => void) {
    this.element.className = 'picker';
    this.element.setAttribute('role', 'menu');
    this.element.hidden = true;
    this.element.addEventListener('click', (event) => {
      const button = (event.target as Element).closest('button');
      const target = this.targets[[...this.element.children].indexOf(button ?? this.element)];
      if (target) this.onChoose(target);
    });
    this.element.addEventListener('keydown', (event) => this.onKeyDown(event));
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Opens the menu at the square of the moves. The pieces come in the order of the look: a queen before a rook. */
  open(geometry: Geometry, targets: BoardTarget[], title: string, pictures: boolean): void {
    const { appearance } = geometry;
    const place = geometry.place(targets[0]?.to ?? '');
    if (!place) return;
    const letters = Object.keys(appearance.pieces);
    const order = (target: BoardTarget) => letters.indexOf(arrival(target));
    this.targets = [...targets].sort((a, b) => order(a) - order(b));
    this.element.replaceChildren(
      ...this.targets.map((target) => {
        const letter = arrival(target);
        const button = document.createElement('button');
        button.type = 'button';
        button.setAttribute('role', 'menuitem');
        button.setAttribute('aria-label', appearance.pieces[letter]?.name ?? target.text);
        button.title = appearance.pieces[letter]?.name ?? target.text;
        const drawing = svg('svg', { viewBox: `${-UNIT / 2} ${-UNIT / 2} ${UNIT} ${UNIT}`, 'aria-hidden': 'true' });
        drawing.append(drawPieceBody(appearance, letter, pictures));
        button.append(drawing);
        return button;
      }),
    );
    this.element.setAttribute('aria-label', title);
    this.place(geometry, geometry.centre(place));
    this.element.hidden = false;
    this.button(0)?.focus({ preventScroll: true });
  }

  /** The menu begins on the square and goes into the board, as far as there are squares. */
  private place(geometry: Geometry, [x, y]: [number, number]): void {
    const [width, height] = [geometry.width + 2 * MARGIN, geometry.height + 2 * MARGIN];
    const goesUp = y > geometry.height / 2;
    const edge = (goesUp ? geometry.height - y : y) - UNIT / 2 + MARGIN;
    const { style } = this.element;
    style.left = `${(100 * (x - UNIT / 2 + MARGIN)) / width}%`;
    style.width = `${(100 * UNIT) / width}%`;
    style.top = goesUp ? '' : `${(100 * edge) / height}%`;
    style.bottom = goesUp ? `${(100 * edge) / height}%` : '';
    style.flexDirection = goesUp ? 'column-reverse' : 'column';
  }

  /** Closes the menu without a choice. */
  close(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
    this.targets = [];
  }

  private button(index: number): HTMLButtonElement | undefined {
    const buttons = [...this.element.querySelectorAll('button')];
    return buttons.at(index % buttons.length);
  }

  private onKeyDown(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step !== undefined) {
      const focused = (event.target as Element).closest('button');
      const sign = this.element.style.flexDirection === 'column-reverse' ? -1 : 1;
      this.button([...this.element.children].indexOf(focused ?? this.element) + sign * step)?.focus();
    } else if (event.key === 'Escape') {
      this.onChoose(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Returns the letter of the piece that arrives. */
function arrival({ to, script, choice }: BoardTarget): string {
  return script.find((change) => change.do === 'put' && change.square === to)?.piece ?? choice ?? '';
}

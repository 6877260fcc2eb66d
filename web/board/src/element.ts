import { adoptStyle } from './adopted-style.js';
import { updateCell } from './cells.js';
import { drawBoard, drawGradients, drawPiece, drawPieceBody } from './draw.js';
import { currentAppearance, currentOverlays, type EarlierAppearance, type EarlierOverlays } from './earlier-names.js';
import { ARROW_STEPS, Geometry, MARGIN, type Place, UNIT } from './geometry.js';
import { drawHighlights, drawTargets } from './highlights.js';
import { drawOverlays } from './overlay.js';
import type { Picker } from './picker.js';
import { ShapeGesture } from './shape-gesture.js';
import { svgDocument } from './snapshot.js';
import { STYLE } from './style.js';
import { svg } from './svg.js';
import type {
  AlfilBoardEventMap,
  BoardAppearance,
  BoardChange,
  BoardMessages,
  BoardTarget,
  Orientation,
  Overlays,
} from './types.js';

/** A pointer that moves less far clicks, it does not drag. In pixels. */
const MIN_DRAG_PIXELS = 5;
/** The duration of each half of the flip of a disc, in milliseconds. */
const HALF_FLIP_MS = 90;
/** The delay between the flips of two discs of a move, and the limit for all delays of a move together. */
const FLIP_DELAY_MS = 60;
const MAX_FLIP_DELAYS_MS = 400;
/** The duration of the fade of a captured piece. */
const CAPTURE_FADE_MS = 130;

/** The properties that a page can set before the script of the element is loaded. */
const EARLY_PROPERTIES = [
  'look', 'orientation', 'pieces', 'men', 'targets', 'last', 'check', 'over', 'editing', 'pictures', 'picker', 'words', 'showsMoves',
];

const ENGLISH: BoardMessages = {
  board: '{0} board',
  empty: 'empty',
  picked: 'selected',
  open: 'can move here',
  refused: 'may not move here',
  choose: 'Choose the piece',
};

const isAllowed = ({ refused }: BoardTarget) => refused === undefined;

// A server that renders pages has no elements. The module can be imported there; the class cannot be used.
const BaseElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** A pointer that is pressed on a square. */
interface Drag {
  square: string;
  pointerId: number;
  x: number;
  y: number;
  moved: boolean;
  /** Whether the piece on the square was selected before. */
  wasPicked: boolean;
}

type Listener<K extends keyof AlfilBoardEventMap> = (this: AlfilBoard, event: AlfilBoardEventMap[K]) => unknown;

/**
 * `<alfil-board>`: a board that draws the data it is given. It knows no rule and no game, see
 * docs/libraries/the-board-element.md of Alfil.
 *
 * Properties: `look`, `pieces`, `targets`, `orientation`, `last`, `check`, `over`, `editing`, `pictures`, `picker`,
 * `words`, `showsMoves`.
 * Methods: `play(script)`, `snapshot()`. Events: `pick` with `{square}` when a piece is selected; `drop` with
 * `{targets}` when it is dropped on a target, with several targets if there is a choice, such as a promotion, and no
 * `picker`; `refuse` with `{target}` when it is dropped on a target that the rules refuse; `place` with `{from, to}`
 * while `editing`; `draw` with `{from, to, colour}` when the user has drawn an arrow or a circle.
 */
export class AlfilBoard extends BaseElement {
  /** The menu of `picker`. The package sets it; a page that has a choice of its own need not load it. */
  static Picker?: typeof Picker;

  private geometry?: Geometry;
  private look_?: BoardAppearance;
  private orientation_: Orientation = 'first';
  private pieces_: Record<string, string> = {};
  private targets_: BoardTarget[] = [];
  private last_: string[] = [];
  private check_: string | null = null;
  private over_: Overlays = {};
  private pictures_ = false;
  private words_ = ENGLISH;
  private editing_ = false;
  /** The square of the selected piece. */
  private picked: string | null = null;
  /** The square that has the keyboard focus when the board has it. */
  private cursor: Place = { file: 0, rank: 0 };
  /** The target under the dragged piece. */
  private hovered: string | null = null;
  private drag?: Drag;
  /** Whether the moves of a piece are shown while the pointer or the focus is on it. */
  private showsMoves_ = false;
  /** The square of the piece whose moves are shown so. */
  private shownSquare: string | null = null;
  /** The arrow or circle that the user is drawing. */
  private readonly gesture = new ShapeGesture({
    squareAt: (event) => this.squareAt(event),
    // The press of a finger that then draws has selected the piece under it.
    onStart: () => this.endDrag(this.drag?.wasPicked === false && this.drag.square === this.picked),
    onChange: () => this.updateOverlays(),
    onDraw: (shape) => this.emit('draw', shape),
  });

  /** Whether the element lets the user choose between several moves to a square. */
  private hasPicker = false;
  private chooser?: Picker;
  /** Whether the menu was opened by the keyboard, to which the board then returns. */
  private choosesByKeyboard = false;

  private readonly pieceElements = new Map<string, SVGGElement>();
  private readonly cells = new Map<string, HTMLElement>();
  private readonly drawing = svg('svg', { 'aria-hidden': 'true' });
  private readonly highlightLayer = svg('g');
  private readonly pieceLayer = svg('g');
  private readonly targetLayer = svg('g');
  private readonly overlayLayer = svg('g');
  private readonly grid = document.createElement('div');

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    adoptStyle(root, STYLE);
    this.grid.className = 'grid';
    this.grid.setAttribute('role', 'grid');
    root.append(this.drawing, this.grid);
    this.grid.addEventListener('pointerdown', (event) => this.onPointerDown(event));
    this.grid.addEventListener('mousedown', (event) => {
      // A click leaves the arrow keys to the page: the board takes them when it is reached by the keyboard.
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    this.grid.addEventListener('pointermove', (event) => this.onPointerMove(event));
    for (const type of ['pointerleave', 'focusout']) this.grid.addEventListener(type, () => this.showMovesOf(null));
    this.grid.addEventListener('pointerup', (event) => this.onPointerUp(event));
    this.grid.addEventListener('pointercancel', (event) => event.pointerId === this.drag?.pointerId && this.endDrag());
    this.gesture.listen(this.grid);
    this.grid.addEventListener('keydown', (event) => this.onKeyDown(event));
    this.grid.addEventListener('focusin', (event) => {
      // A screen reader moves the focus without a key event.
      const place = this.geometry?.place((event.target as HTMLElement).dataset.square ?? '');
      if (place) this.cursor = place;
      this.updateCells();
      this.showMovesOf(place ? (this.geometry?.name(place) ?? null) : null);
    });
    this.grid.addEventListener('click', (event) => {
      // A click without pointer events comes from a screen reader.
      const square = (event.target as HTMLElement).dataset.square;
      if (event.detail === 0 && square) this.activate(square);
    });
    this.takeEarlyProperties();
  }

  /** Sets the properties that were set before the element was defined, which hide the setters of the class. */
  private takeEarlyProperties(): void {
    for (const name of EARLY_PROPERTIES) {
      const early = Object.getOwnPropertyDescriptor(this, name);
      if (!early) continue;
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, early.value);
    }
  }

  /** The board and the pieces as they are drawn. */
  get look(): BoardAppearance | undefined {
    return this.look_;
  }
  set look(value: BoardAppearance | EarlierAppearance | undefined) {
    const look = value && currentAppearance(value);
    if (look === this.look_) return;
    // Another board has other squares, so the position of the former game is removed.
    if (this.look_) [this.pieces_, this.targets_, this.last_, this.check_] = [{}, [], [], null];
    this.look_ = look;
    this.cursor = { file: look ? Math.floor(look.files / 2) : 0, rank: 0 };
    this.rebuild();
    this.warnOfPieces();
  }

  get orientation(): Orientation {
    return this.orientation_;
  }
  set orientation(orientation: Orientation) {
    if (orientation === this.orientation_) return;
    this.orientation_ = orientation;
    this.rebuild();
  }

  /** The ratio of width to height, with the coordinates. */
  get shape(): number {
    const { width, height } = this.geometry ?? { width: UNIT, height: UNIT };
    return (width + 2 * MARGIN) / (height + 2 * MARGIN);
  }

  /** The letters of the pieces by square. */
  get pieces(): Record<string, string> {
    return this.pieces_;
  }
  set pieces(value: Record<string, string> | null | undefined) {
    const pieces = value ?? {};
    for (const square of [...this.pieceElements.keys()]) {
      if (pieces[square] !== this.pieces_[square]) this.removePiece(square);
    }
    this.pieces_ = { ...pieces };
    for (const square of Object.keys(pieces)) if (!this.pieceElements.has(square)) this.addPiece(square);
    this.warnOfPieces();
    this.updateCells();
  }

  /** @deprecated The name of earlier versions for `pieces`. */
  get men(): Record<string, string> {
    return this.pieces;
  }
  set men(value: Record<string, string> | null | undefined) {
    this.pieces = value;
  }

  /** The moves that the user may make. */
  get targets(): BoardTarget[] {
    return this.targets_;
  }
  set targets(value: BoardTarget[] | null | undefined) {
    const targets = value ?? [];
    this.targets_ = targets;
    this.chooser?.close();
    this.warnOfSquares('targets', targets.flatMap(({ from, to }) => [from, to]));
    if (this.picked && !targets.some((target) => target.from === this.picked)) this.picked = null;
    this.updateCells();
    this.updateHighlights();
  }

  /** The squares of the last move. */
  get last(): string[] {
    return this.last_;
  }
  set last(last: string[] | null | undefined) {
    this.last_ = last ?? [];
    this.warnOfSquares('last', this.last_);
    this.updateHighlights();
  }

  /** The square of the king in check. */
  get check(): string | null {
    return this.check_;
  }
  set check(check: string | null | undefined) {
    this.check_ = check ?? null;
    this.warnOfSquares('check', [this.check_]);
    this.updateHighlights();
  }

  /** What is drawn over the pieces. */
  get over(): Overlays {
    return this.over_;
  }
  set over(over: EarlierOverlays | null | undefined) {
    const former = (this.over_.premove ?? []).join();
    this.over_ = currentOverlays(over ?? {});
    const { arrows = [], shapes = [], values = {}, tacticalMarks = [], issues = [], premove = [] } = this.over_;
    const lines = [...arrows, ...shapes];
    const squares = [lines.map(({ from }) => from), lines.map(({ to }) => to), Object.keys(values), issues, premove];
    this.warnOfSquares('over', [...squares, ...tacticalMarks.map((mark) => mark.squares)].flat());
    if ((this.over_.premove ?? []).join() !== former) this.updateHighlights();
    this.updateOverlays();
  }

  /** Whether the pieces have their alternative drawing. */
  get pictures(): boolean {
    return this.pictures_;
  }
  set pictures(pictures: boolean) {
    if (pictures === this.pictures_) return;
    this.pictures_ = pictures;
    this.rebuild();
  }

  /**
   * Whether the element lets the user choose which of several moves to a square is meant, such as a promotion. The
   * event `drop` then always has one target.
   */
  get picker(): boolean {
    return this.hasPicker;
  }
  set picker(picker: boolean) {
    this.hasPicker = picker;
    if (picker) this.addChooser();
    else this.chooser?.close();
  }

  /** Whether the moves of a piece are shown while the pointer or the focus is on it, before it is selected. */
  get showsMoves(): boolean {
    return this.showsMoves_;
  }
  set showsMoves(value: boolean) {
    this.showsMoves_ = value;
    if (!value) this.showMovesOf(null);
  }

  /** Whether a position is set up: every piece can be dragged anywhere, also off the board. */
  get editing(): boolean {
    return this.editing_;
  }
  set editing(editing: boolean) {
    this.editing_ = editing;
    this.updateCells();
  }

  /** The texts for screen readers. */
  get words(): BoardMessages {
    return this.words_;
  }
  set words(words: BoardMessages | null | undefined) {
    this.words_ = words ?? ENGLISH;
    this.updateCells();
  }

  /** Says on the console which squares the board does not have: nothing is drawn there. */
  private warnOfSquares(property: string, squares: readonly (string | null)[]): void {
    if (this.look_) warn(property, 'squares', squares.filter((square) => square && !this.geometry?.place(square)));
  }

  private warnOfPieces(): void {
    this.warnOfSquares('pieces', Object.keys(this.pieces_));
    const letters = Object.values(this.pieces_);
    if (this.look_) warn('pieces', 'letters', letters.filter((letter) => !Object.hasOwn(this.look_?.pieces ?? {}, letter)));
  }

  /**
   * Plays the changes of a move. A piece that is lifted and put down again slides, a piece that is only lifted fades,
   * and discs flip one after another. The board has the new position at once; the animations do not block input.
   */
  play(script: BoardChange[]): void {
    if (this.drag?.moved) this.endDrag();
    const lifted = new Map<string, SVGGElement[]>();
    const flips = script.filter((change) => change.do === 'turn').length;
    const flipDelay = Math.min(FLIP_DELAY_MS, MAX_FLIP_DELAYS_MS / flips);
    let startedFlips = 0;
    for (const { do: action, square, piece } of script) {
      if (action === 'lift') {
        const element = this.pieceElements.get(square);
        this.pieceElements.delete(square);
        delete this.pieces_[square];
        if (element) lifted.set(piece, [...(lifted.get(piece) ?? []), element]);
      } else if (action === 'put') {
        this.pieces_[square] = piece;
        const element = lifted.get(piece)?.pop();
        if (element) this.movePiece(element, square);
        else this.addPiece(square);
      } else {
        this.pieces_[square] = piece;
        setTimeout(() => this.flipPiece(square), flipDelay * startedFlips++);
      }
    }
    for (const element of [...lifted.values()].flat()) {
      element.classList.add('captured');
      setTimeout(() => element.remove(), CAPTURE_FADE_MS);
    }
    this.setPicked(null);
  }

  /** Returns the board with everything on it as an SVG document that needs no other file. */
  snapshot(): string {
    return svgDocument(this.drawing);
  }

  /** Flips the disc on a square to its present colour. */
  private flipPiece(square: string): void {
    const [look, letter] = [this.look_, this.pieces_[square]];
    const oldBody = this.pieceElements.get(square)?.querySelector<SVGGElement>('.piece-body');
    if (!look || !oldBody || letter === undefined) return;
    flipBody(oldBody, () => drawPieceBody(look, this.pieces_[square] ?? letter, this.pictures_));
  }

  private addPiece(square: string): void {
    const letter = this.pieces_[square];
    if (!this.look_ || letter === undefined || !this.geometry?.place(square)) return;
    const element = drawPiece(this.look_, letter, this.pictures_);
    this.pieceLayer.append(element);
    this.movePiece(element, square);
  }

  private removePiece(square: string): void {
    this.pieceElements.get(square)?.remove();
    this.pieceElements.delete(square);
  }

  private movePiece(element: SVGGElement, square: string): void {
    const place = this.geometry?.place(square);
    if (!this.geometry || !place) return;
    const [x, y] = this.geometry.centre(place);
    element.style.transform = `translate(${x}px, ${y}px)`;
    this.pieceElements.set(square, element);
    // The moved piece slides over the others.
    if (this.pieceLayer.lastChild !== element) this.pieceLayer.append(element);
  }

  /** Draws the whole board again. It keeps the keyboard focus. */
  private rebuild(): void {
    const look = this.look_;
    const hasFocus = Boolean(this.shadowRoot?.activeElement);
    this.drawing.replaceChildren();
    this.grid.replaceChildren();
    this.pieceElements.clear();
    this.cells.clear();
    this.pieceLayer.replaceChildren();
    this.picked = null;
    this.hovered = null;
    this.chooser?.close();
    if (!look) return;
    const geometry = new Geometry(look, this.orientation_);
    this.geometry = geometry;
    const [width, height] = [geometry.width + 2 * MARGIN, geometry.height + 2 * MARGIN];
    this.drawing.setAttribute('viewBox', `${-MARGIN} ${-MARGIN} ${width} ${height}`);
    const layers = [this.highlightLayer, this.pieceLayer, this.targetLayer, this.overlayLayer];
    this.drawing.append(drawGradients(), drawBoard(geometry), ...layers);
    const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
    this.grid.style.inset = `${percent(MARGIN, height)} ${percent(MARGIN, width)}`;
    this.grid.style.gridTemplate = `repeat(${look.ranks}, 1fr) / repeat(${look.files}, 1fr)`;
    for (const places of geometry.rows()) {
      const row = document.createElement('div');
      row.className = 'row';
      row.setAttribute('role', 'row');
      for (const place of places) {
        const cell = document.createElement('div');
        cell.setAttribute('role', 'gridcell');
        cell.dataset.square = geometry.name(place);
        row.append(cell);
        this.cells.set(geometry.name(place), cell);
      }
      this.grid.append(row);
    }
    for (const square of Object.keys(this.pieces_)) this.addPiece(square);
    this.updateCells();
    this.updateHighlights();
    this.updateOverlays();
    if (hasFocus) this.focus();
  }

  /** Updates the cells of the grid: their labels for screen readers, their classes, and which of them Tab reaches. */
  private updateCells(): void {
    const cursor = this.geometry?.name(this.cursor);
    this.grid.setAttribute('aria-label', this.words_.board.replace('{0}', this.look_?.title ?? ''));
    /** The targets by their squares: undefined for a target without a note. */
    const notes = new Map<string | null, string | undefined>();
    const refusals = new Map<string | null, string>();
    for (const { from, to, note, refused } of this.targets_) {
      if (from !== this.picked) continue;
      if (refused === undefined) notes.set(to, notes.get(to) ?? note);
      else refusals.set(to, refused);
    }
    for (const [square, cell] of this.cells) {
      const letter = this.pieces_[square];
      const name = letter === undefined ? '' : (this.look_?.pieces[letter]?.name ?? letter);
      const [open, picked, movable] = [notes.has(square), square === this.picked, this.canPick(square)];
      const hasTab = square === cursor;
      const refused = !open && refusals.has(square);
      const note = refused ? refusals.get(square) : notes.get(square);
      updateCell(cell, { square, name, open, refused, picked, movable, hasTab, note, words: this.words_ });
    }
  }

  private showMovesOf(square: string | null): void {
    const shown = this.showsMoves_ && square !== null && square in this.pieces_ ? square : null;
    if (shown === this.shownSquare) return;
    this.shownSquare = shown;
    this.updateHighlights();
  }

  /** Returns the moves to a square, also refused ones, by the selected piece, or by a new piece if none is selected. */
  private targetsAt(square: string): BoardTarget[] {
    return this.targets_.filter(({ from, to }) => to === square && from === this.picked);
  }

  /** Draws the last move, the check, the selected piece and its targets. */
  private updateHighlights(): void {
    const { geometry } = this;
    if (!geometry) return;
    const { last_: last, check_: check, picked, hovered } = this;
    const premove = this.over_.premove ?? [];
    this.highlightLayer.replaceChildren(...drawHighlights(geometry, { last, check, picked, hovered, premove }));
    // The tactical marks depend on the selected piece.
    if (this.over_.tacticalMarks?.length) this.updateOverlays();
    // Without a selected piece, the moves of the piece under the pointer or the focus are shown.
    const from = this.picked ?? this.shownSquare;
    const targets = this.targets_.filter((target) => target.from === from);
    this.targetLayer.classList.toggle('preview', this.picked === null && from !== null);
    this.targetLayer.replaceChildren(...drawTargets(geometry, targets, this.pieces_));
  }

  private updateOverlays(): void {
    this.overlayLayer.replaceChildren();
    const shape = this.gesture.shape;
    const shapes = [...(this.over_.shapes ?? []), ...(shape ? [shape] : [])];
    if (this.geometry) this.overlayLayer.append(drawOverlays(this.geometry, { ...this.over_, shapes }, this.picked));
  }

  /** Handles a click or Enter on a square: makes a move to it, selects its piece, or clears the selection. */
  private activate(square: string): void {
    if (this.editing) {
      this.emit('place', { from: null, to: square });
      return;
    }
    const targets = this.targetsAt(square);
    const [target, ...others] = targets.filter(isAllowed);
    const [refusal] = targets;
    if (!target && refusal) {
      // The piece stays selected for another move.
      this.emit('refuse', { target: refusal });
      return;
    }
    const chooser = this.hasPicker ? this.addChooser() : undefined;
    if (target && others.length > 0 && chooser && this.geometry) {
      // The piece stays selected, and on its square, until the user has chosen.
      const title = this.words_.choose ?? ENGLISH.choose ?? '';
      this.choosesByKeyboard = Boolean(this.shadowRoot?.activeElement);
      chooser.open(this.geometry, [target, ...others], title, this.pictures_);
      return;
    }
    if (target) {
      this.picked = null;
      this.emit('drop', { targets: [target, ...others] });
    } else if (square !== this.picked && this.canPick(square)) {
      this.pick(square);
      return;
    }
    this.setPicked(null);
  }

  /** Returns the menu, which is made when it is first needed: an element may be older than the rest of the package. */
  private addChooser(): Picker | undefined {
    if (!this.chooser && AlfilBoard.Picker && this.shadowRoot) {
      this.chooser = new AlfilBoard.Picker((target) => {
        this.setPicked(null);
        if (this.choosesByKeyboard) this.focus();
        if (target) this.emit('drop', { targets: [target] });
      });
      adoptStyle(this.shadowRoot, AlfilBoard.Picker.style);
      this.shadowRoot.append(this.chooser.element);
    }
    return this.chooser;
  }

  private emit<K extends 'pick' | 'drop' | 'refuse' | 'place' | 'draw'>(type: K, detail: AlfilBoardEventMap[K]['detail']): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  private pick(square: string): void {
    this.setPicked(square);
    this.emit('pick', { square });
  }

  private setPicked(square: string | null): void {
    this.picked = square;
    this.chooser?.close();
    this.updateCells();
    this.updateHighlights();
  }

  private canPick(square: string): boolean {
    if (this.editing) return square in this.pieces_;
    return this.targets_.some((target) => target.from === square);
  }

  private onPointerDown(event: PointerEvent): void {
    const square = (event.target as HTMLElement).dataset.square;
    if (!square || event.button !== 0 || this.gesture.shape) return;
    // A click beside the menu cancels the choice, and does nothing else.
    if (this.chooser?.isOpen) return this.setPicked(null);
    // A second finger ends a drag, as it ends a drawing.
    if (this.drag?.moved && this.drag.pointerId !== event.pointerId) return this.endDrag();
    const place = this.geometry?.place(square);
    if (place) this.cursor = place;
    const wasPicked = square === this.picked;
    this.drag = { square, pointerId: event.pointerId, x: event.clientX, y: event.clientY, moved: false, wasPicked };
    // A piece is selected when the pointer goes down. A square that is also a target waits until the pointer goes up.
    const canPick = this.targetsAt(square).length === 0 && this.canPick(square) && !wasPicked;
    if (canPick && !this.editing) this.pick(square);
  }

  private onPointerMove(event: PointerEvent): void {
    // The button of a mouse may have been released outside of the squares.
    if (event.pointerType === 'mouse' && event.buttons === 0 && event.pointerId === this.drag?.pointerId) this.endDrag();
    if (event.pointerType === 'mouse' && !this.drag) this.showMovesOf(this.squareAt(event) ?? null);
    const drag = this.gesture.shape || this.drag?.pointerId !== event.pointerId ? undefined : this.drag;
    const element = drag && this.pieceElements.get(drag.square);
    if (!drag || !element || !this.canPick(drag.square)) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < MIN_DRAG_PIXELS) return;
    if (!drag.moved) {
      drag.moved = true;
      this.grid.setPointerCapture?.(event.pointerId);
      if (this.picked !== drag.square && !this.editing) this.pick(drag.square);
      element.classList.add('dragged');
      this.pieceLayer.append(element);
    }
    const [x, y] = this.pointIn(event);
    element.style.transform = `translate(${x}px, ${y}px) scale(1.1)`;
    const square = this.squareAt(event);
    const hovered = square !== undefined && this.targetsAt(square).some(isAllowed) ? square : null;
    if (hovered !== this.hovered) {
      this.hovered = hovered;
      this.updateHighlights();
    }
  }

  private onPointerUp(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag || drag.pointerId !== event.pointerId) return;
    const square = this.squareAt(event);
    this.endDrag();
    if (this.editing && drag.moved) {
      this.emit('place', { from: drag.square, to: square ?? null });
    } else if (!drag.moved) {
      // The first click selects the piece, which was done when the pointer went down; a second click deselects it.
      if (drag.wasPicked || drag.square !== this.picked) this.activate(drag.square);
    } else if (square !== drag.square) {
      if (square !== undefined && this.targetsAt(square).length > 0) this.activate(square);
      else this.setPicked(null);
    }
  }

  private endDrag(deselects = false): void {
    const drag = this.drag;
    this.drag = undefined;
    if (deselects) this.setPicked(null);
    const element = drag?.moved ? this.pieceElements.get(drag.square) : undefined;
    element?.classList.remove('dragged');
    if (drag && element) this.movePiece(element, drag.square);
    if (this.hovered === null) return;
    this.hovered = null;
    this.updateHighlights();
  }

  /** Returns the position of a pointer in units of the drawing. */
  private pointIn(event: PointerEvent): [x: number, y: number] {
    const box = this.drawing.getBoundingClientRect();
    const scale = ((this.geometry?.width ?? 0) + 2 * MARGIN) / box.width;
    return [(event.clientX - box.left) * scale - MARGIN, (event.clientY - box.top) * scale - MARGIN];
  }

  /** Returns the name of the square under a pointer. */
  private squareAt(event: PointerEvent): string | undefined {
    const place = this.geometry?.at(...this.pointIn(event));
    return place && this.geometry?.name(place);
  }

  private onKeyDown(event: KeyboardEvent): void {
    const geometry = this.geometry;
    if (!geometry || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROW_STEPS[event.key];
    const file = geometry.appearance.file_names.indexOf(event.key.toLowerCase());
    if (step || file >= 0) {
      this.cursor = step ? (geometry.step(this.cursor, ...step) ?? this.cursor) : { file, rank: this.cursor.rank };
      this.updateCells();
      this.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.activate(geometry.name(this.cursor));
    } else if (event.key === 'Escape') {
      this.setPicked(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Moves the keyboard focus to the square that had it last, at first to the middle of the first rank. */
  override focus(options?: FocusOptions): void {
    const name = this.geometry?.name(this.cursor);
    if (name) this.cells.get(name)?.focus(options);
  }
}

/**
 * Replaces the body of a disc by its other side, which `draw` draws, turning the disc if the user wants animations.
 */
function flipBody(oldBody: SVGGElement, draw: () => SVGGElement): void {
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

function warn(property: string, what: string, unknown: readonly (string | null)[]): void {
  if (unknown.length > 0) console.warn(`<alfil-board>: ${property} has ${what} that its look does not have: ${unknown.join(', ')}`);
}

// The listeners of the class have the types of its events.
export interface AlfilBoard {
  addEventListener<K extends keyof AlfilBoardEventMap>(type: K, listener: Listener<K>, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof AlfilBoardEventMap>(type: K, listener: Listener<K>, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'alfil-board': AlfilBoard;
  }
}

const registry = globalThis.customElements;
if (registry && !registry.get('alfil-board')) registry.define('alfil-board', AlfilBoard);

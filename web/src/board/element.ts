import { drawBoard, drawFace, drawMan, drawShades } from './draw';
import { Geometry, MARGIN, type Place, UNIT } from './geometry';
import { Overlay } from './overlay';
import { STYLE } from './style';
import { svg } from './svg';
import type { BoardAppearance, BoardChange, BoardMessages, BoardTarget, Orientation, Overlays } from './types';

/** How far a pointer must go before it drags, in pixels. */
const DRAG = 5;
/** How long a disc takes to turn half way, and how long all of a move's discs may take to begin, in milliseconds. */
const HALF_TURN = 90;
const ALL_TURNS = 400;
/** How long a man that is taken takes to fade. */
const FADE = 130;

const ENGLISH: BoardMessages = { board: '{0} board', empty: 'empty', picked: 'selected', open: 'can move here' };

/**
 * `<alfil-board>`: a board that draws what it is told. It knows no rule and no game: see docs/the-board-element.md.
 *
 * Properties: `look`, `men`, `targets`, `orientation`, `last`, `check`, `over`, `editing`, `pictures`, `words`. Methods:
 * `play(script)`, `snapshot()`. Events: `pick` with `{square}` when a man is taken up, `drop` with `{targets}` when it is set down where a
 * target allows: more than one target means that a choice is to be made; `place` with `{from, to}` while `editing`.
 */
export class AlfilBoard extends HTMLElement {
  private geometry?: Geometry;
  private look_?: BoardAppearance;
  private orientation_: Orientation = 'first';
  private men_: Record<string, string> = {};
  private targets_: BoardTarget[] = [];
  private last_: string[] = [];
  private check_: string | null = null;
  private picked: string | null = null;
  private cursor: Place = { file: 0, rank: 0 };
  private hovered: string | null = null;
  private over_: Overlays = {};
  private pictures_ = false;
  private words_ = ENGLISH;
  /** Whether men are set up by hand: every square can be taken up and set down on, and beyond the border. */
  editing = false;
  private drag?: { square: string; x: number; y: number; moved: boolean; again: boolean };

  private readonly shown = new Map<string, SVGGElement>();
  private readonly cells = new Map<string, HTMLElement>();
  private readonly picture = svg('svg', { 'aria-hidden': 'true' });
  private readonly marks = svg('g');
  private readonly crowd = svg('g');
  private readonly hints = svg('g');
  private readonly above = svg('g');
  private readonly grid = document.createElement('div');

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    const style = document.createElement('style');
    style.textContent = STYLE;
    this.grid.className = 'grid';
    this.grid.setAttribute('role', 'grid');
    root.append(style, this.picture, this.grid);
    this.grid.addEventListener('pointerdown', (event) => this.press(event));
    this.grid.addEventListener('pointermove', (event) => this.pull(event));
    this.grid.addEventListener('pointerup', (event) => this.release(event));
    this.grid.addEventListener('pointercancel', () => this.endDrag());
    this.grid.addEventListener('keydown', (event) => this.key(event));
    this.grid.addEventListener('focusin', (event) => {
      // Screen readers move the focus without a key that we see.
      const place = this.geometry?.place((event.target as HTMLElement).dataset.square ?? '');
      if (place) this.cursor = place;
      this.describe();
    });
    this.grid.addEventListener('click', (event) => {
      // A click without a pointer comes from a screen reader.
      const square = (event.target as HTMLElement).dataset.square;
      if (event.detail === 0 && square) this.touch(square);
    });
  }

  get look(): BoardAppearance | undefined {
    return this.look_;
  }
  set look(look: BoardAppearance | undefined) {
    // Another board has other squares: nothing of the old game stands on it.
    if (this.look_) {
      [this.men_, this.targets_, this.last_, this.check_] = [{}, [], [], null];
    }
    this.look_ = look;
    this.cursor = { file: look ? Math.floor(look.files / 2) : 0, rank: 0 };
    this.rebuild();
  }

  get orientation(): Orientation {
    return this.orientation_;
  }
  set orientation(orientation: Orientation) {
    if (orientation === this.orientation_) return;
    this.orientation_ = orientation;
    this.rebuild();
  }

  /** Width by height, coordinates included. */
  get shape(): number {
    const { width, height } = this.geometry ?? { width: UNIT, height: UNIT };
    return (width + 2 * MARGIN) / (height + 2 * MARGIN);
  }

  /** Squares and the letters of what stands there. */
  get men(): Record<string, string> {
    return this.men_;
  }
  set men(men: Record<string, string>) {
    for (const square of [...this.shown.keys()]) {
      if (men[square] !== this.men_[square]) this.discard(square);
    }
    this.men_ = { ...men };
    for (const square of Object.keys(men)) if (!this.shown.has(square)) this.add(square);
    this.describe();
  }

  get targets(): BoardTarget[] {
    return this.targets_;
  }
  set targets(targets: BoardTarget[]) {
    this.targets_ = targets;
    if (this.picked && !targets.some((target) => target.from === this.picked)) this.picked = null;
    this.describe();
    this.mark();
  }

  get last(): string[] {
    return this.last_;
  }
  set last(last: string[]) {
    this.last_ = last;
    this.mark();
  }

  get check(): string | null {
    return this.check_;
  }
  set check(check: string | null) {
    this.check_ = check;
    this.mark();
  }

  /** What lies over the board. */
  get over(): Overlays {
    return this.over_;
  }
  set over(over: Overlays) {
    this.over_ = over;
    this.cover();
  }

  /** Whether men show their second picture. */
  get pictures(): boolean {
    return this.pictures_;
  }
  set pictures(pictures: boolean) {
    if (pictures === this.pictures_) return;
    this.pictures_ = pictures;
    this.rebuild();
  }

  /** What is said of squares. */
  get words(): BoardMessages {
    return this.words_;
  }
  set words(words: BoardMessages) {
    this.words_ = words;
    this.describe();
  }

  /**
   * Plays a script of changes. A man lifted and put down again slides; one that is lifted for good fades; what is turned
   * turns, one after another. Resolves at once: the pictures follow by themselves and never block a click.
   */
  play(script: BoardChange[]): void {
    const held = new Map<string, SVGGElement[]>();
    const pause = Math.min(60, ALL_TURNS / script.filter((change) => change.do === 'turn').length);
    let turned = 0;
    for (const change of script) {
      if (change.do === 'lift') {
        const man = this.shown.get(change.square);
        this.shown.delete(change.square);
        delete this.men_[change.square];
        if (man) held.set(change.piece, [...(held.get(change.piece) ?? []), man]);
      } else if (change.do === 'put') {
        this.men_[change.square] = change.piece;
        const man = held.get(change.piece)?.pop();
        if (man) this.settle(man, change.square);
        else this.add(change.square);
      } else {
        this.men_[change.square] = change.piece;
        const square = change.square;
        setTimeout(() => this.turn(square), pause * turned++);
      }
    }
    for (const man of [...held.values()].flat()) {
      man.classList.add('gone');
      setTimeout(() => man.remove(), FADE);
    }
    this.picked = null;
    this.describe();
    this.mark();
  }

  /** What is seen, with all that lies over it, as a picture of its own: the text of an SVG with its style inside. */
  snapshot(): string {
    const copy = this.picture.cloneNode(true) as SVGSVGElement;
    const style = svg('style');
    style.textContent = STYLE.replace(':host', 'svg');
    copy.prepend(style);
    const [, , width, height] = (copy.getAttribute('viewBox') ?? '').split(' ');
    for (const [name, value] of Object.entries({ xmlns: 'http://www.w3.org/2000/svg', width, height })) copy.setAttribute(name, value ?? '');
    // Not every program that shows pictures moves things by their style.
    for (const man of copy.querySelectorAll<SVGGElement>('.man')) {
      man.setAttribute('transform', man.style.transform.replaceAll('px', ''));
      man.removeAttribute('style');
    }
    return new XMLSerializer().serializeToString(copy);
  }

  /** Turns what stands on a square to the face it now has. */
  private turn(square: string): void {
    const man = this.shown.get(square);
    const letter = this.men_[square];
    const old = man?.querySelector<SVGGElement>('.face');
    if (!this.look_ || !old || letter === undefined) return;
    const face = drawFace(this.look_, letter, this.pictures_);
    const still = typeof old.animate !== 'function' || matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still) {
      old.replaceWith(face);
      return;
    }
    const narrow = { transform: 'scaleX(0.04)' };
    old.animate([{ transform: 'scaleX(1)' }, narrow], { duration: HALF_TURN, easing: 'ease-in' }).onfinish = () => {
      old.replaceWith(face);
      face.animate([narrow, { transform: 'scaleX(1)' }], { duration: HALF_TURN, easing: 'ease-out' });
    };
  }

  private add(square: string): void {
    const letter = this.men_[square];
    if (!this.look_ || letter === undefined || !this.geometry?.place(square)) return;
    const man = drawMan(this.look_, letter, this.pictures_);
    this.crowd.append(man);
    this.settle(man, square);
  }

  private discard(square: string): void {
    this.shown.get(square)?.remove();
    this.shown.delete(square);
  }

  private settle(man: SVGGElement, square: string): void {
    const place = this.geometry?.place(square);
    if (!this.geometry || !place) return;
    const [x, y] = this.geometry.centre(place);
    man.style.transform = `translate(${x}px, ${y}px)`;
    this.shown.set(square, man);
    // The man that moved passes over the others.
    if (this.crowd.lastChild !== man) this.crowd.append(man);
  }

  private rebuild(): void {
    const look = this.look_;
    this.picture.replaceChildren();
    this.grid.replaceChildren();
    this.shown.clear();
    this.cells.clear();
    this.crowd.replaceChildren();
    this.picked = null;
    this.hovered = null;
    if (!look) return;
    const geometry = new Geometry(look, this.orientation_);
    this.geometry = geometry;
    const [width, height] = [geometry.width + 2 * MARGIN, geometry.height + 2 * MARGIN];
    this.picture.setAttribute('viewBox', `${-MARGIN} ${-MARGIN} ${width} ${height}`);
    this.picture.append(drawShades(), drawBoard(geometry), this.marks, this.crowd, this.hints, this.above);
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
    for (const square of Object.keys(this.men_)) this.add(square);
    this.describe();
    this.mark();
    this.cover();
  }

  /** What each square says to those who do not see it, and which can be reached by Tab. */
  private describe(): void {
    const cursor = this.geometry?.name(this.cursor);
    this.grid.setAttribute('aria-label', this.words_.board.replace('{0}', this.look_?.title ?? ''));
    for (const [square, cell] of this.cells) {
      const letter = this.men_[square];
      const man = letter === undefined ? this.words_.empty : (this.look_?.men[letter]?.name ?? letter);
      const movable = this.movable(square);
      const open = this.openTargets(square).length > 0;
      const note = this.openTargets(square).find((target) => target.note)?.note;
      const state = square === this.picked ? `, ${this.words_.picked}` : open ? `, ${this.words_.open}` : '';
      cell.className = `square${movable ? ' movable' : ''}${open ? ' open' : ''}`;
      cell.setAttribute('aria-label', `${square} ${man}${state}${note ? `. ${note}` : ''}`);
      cell.title = note ?? '';
      cell.setAttribute('aria-selected', String(square === this.picked));
      cell.tabIndex = square === cursor ? 0 : -1;
    }
  }

  /** The targets that a touch of this square would choose. */
  private openTargets(square: string): BoardTarget[] {
    return this.targets_.filter((target) => target.to === square && target.from === this.picked);
  }

  private mark(): void {
    const { geometry, look_: look } = this;
    if (!geometry || !look) return;
    this.marks.replaceChildren();
    this.hints.replaceChildren();
    const at = (square: string, draw: (x: number, y: number) => SVGElement, on: SVGGElement) => {
      const place = geometry.place(square);
      if (place) on.append(draw(...geometry.centre(place)));
    };
    const tile = (name: string) => (x: number, y: number) =>
      svg('rect', { class: name, x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, rx: 12 });
    const circle = (name: string, r: number) => (cx: number, cy: number) => svg('circle', { class: name, cx, cy, r });
    for (const square of this.last_) at(square, tile('last'), this.marks);
    if (this.check_) at(this.check_, circle('check', 52), this.marks);
    if (this.picked) at(this.picked, look.layout === 'points' ? circle('picked', 49) : tile('taken-up'), this.marks);
    if (this.hovered) at(this.hovered, tile('over'), this.marks);
    const open = new Map(this.targets_.filter((target) => target.from === this.picked).map((target) => [target.to, target.note]));
    if (this.over_.sights?.length) this.cover();
    for (const [square, note] of open) {
      const kind = note ? ' warned' : '';
      if (square) at(square, square in this.men_ ? circle(`prey${kind}`, 48) : circle(`dot${kind}`, 13), this.hints);
    }
  }

  /** Draws what lies over the men. */
  private cover(): void {
    this.above.replaceChildren();
    if (!this.geometry) return;
    const { arrows, values, sights, faults } = this.over_;
    const overlay = new Overlay(this.geometry);
    overlay.sights(sights ?? [], this.picked);
    overlay.arrows(arrows ?? []);
    overlay.values(values ?? {});
    overlay.faults(faults ?? []);
    this.above.append(overlay.group);
  }

  /** A square was clicked, tapped or entered: pick up, set down, or let go. */
  private touch(square: string): void {
    if (this.editing) {
      this.dispatchEvent(new CustomEvent('place', { detail: { from: null, to: square } }));
      return;
    }
    const open = this.openTargets(square);
    if (open.length > 0) {
      this.picked = null;
      this.dispatchEvent(new CustomEvent('drop', { detail: { targets: open } }));
    } else if (square !== this.picked && this.movable(square)) {
      this.pick(square);
      return;
    } else {
      this.picked = null;
    }
    this.describe();
    this.mark();
  }

  private pick(square: string): void {
    this.picked = square;
    this.dispatchEvent(new CustomEvent('pick', { detail: { square } }));
    this.describe();
    this.mark();
  }

  private movable(square: string): boolean {
    if (this.editing) return square in this.men_;
    return this.targets_.some((target) => target.from === square);
  }

  private press(event: PointerEvent): void {
    const square = (event.target as HTMLElement).dataset.square;
    if (!square || event.button !== 0) return;
    const place = this.geometry?.place(square);
    if (place) this.cursor = place;
    this.drag = { square, x: event.clientX, y: event.clientY, moved: false, again: square === this.picked };
    // A man is taken up at once; where it may be set down instead, the release decides.
    const takes = this.openTargets(square).length === 0 && this.movable(square) && square !== this.picked;
    if (takes && !this.editing) this.pick(square);
  }

  private pull(event: PointerEvent): void {
    const drag = this.drag;
    const man = drag && this.shown.get(drag.square);
    if (!drag || !man || !this.movable(drag.square)) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
    if (!drag.moved) {
      drag.moved = true;
      this.grid.setPointerCapture?.(event.pointerId);
      if (this.picked !== drag.square && !this.editing) this.pick(drag.square);
      man.classList.add('dragged');
      this.crowd.append(man);
    }
    const [x, y] = this.spot(event);
    man.style.transform = `translate(${x}px, ${y}px) scale(1.1)`;
    const under = this.under(event);
    const over = under !== undefined && this.openTargets(under).length > 0 ? under : null;
    if (over !== this.hovered) {
      this.hovered = over;
      this.mark();
    }
  }

  private release(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    const under = this.under(event);
    this.endDrag();
    if (this.editing && drag.moved) {
      this.dispatchEvent(new CustomEvent('place', { detail: { from: drag.square, to: under ?? null } }));
    } else if (!drag.moved) {
      // A man just taken up stays up; a second click on it sets it down.
      if (drag.again || drag.square !== this.picked) this.touch(drag.square);
    } else if (under !== drag.square) {
      if (under !== undefined && this.openTargets(under).length > 0) this.touch(under);
      else this.letGo();
    }
  }

  private endDrag(): void {
    const drag = this.drag;
    this.drag = undefined;
    const man = drag?.moved ? this.shown.get(drag.square) : undefined;
    man?.classList.remove('dragged');
    if (drag && man) this.settle(man, drag.square);
    if (this.hovered !== null) {
      this.hovered = null;
      this.mark();
    }
  }

  /** Where a pointer is on the picture. */
  private spot(event: PointerEvent): [number, number] {
    const box = this.picture.getBoundingClientRect();
    const scale = ((this.geometry?.width ?? 0) + 2 * MARGIN) / box.width;
    return [(event.clientX - box.left) * scale - MARGIN, (event.clientY - box.top) * scale - MARGIN];
  }

  private under(event: PointerEvent): string | undefined {
    const place = this.geometry?.at(...this.spot(event));
    return place && this.geometry?.name(place);
  }

  private letGo(): void {
    this.picked = null;
    this.describe();
    this.mark();
  }

  private key(event: KeyboardEvent): void {
    const geometry = this.geometry;
    if (!geometry || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    const file = geometry.look.file_names.indexOf(event.key.toLowerCase());
    if (step) {
      this.focusOn(geometry.step(this.cursor, ...step) ?? this.cursor);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.touch(geometry.name(this.cursor));
    } else if (event.key === 'Escape') {
      this.letGo();
    } else if (file >= 0) {
      this.focusOn({ file, rank: this.cursor.rank });
    } else {
      return;
    }
    event.preventDefault();
  }

  private focusOn(place: Place): void {
    this.cursor = place;
    this.describe();
    const name = this.geometry?.name(place);
    if (name) this.cells.get(name)?.focus();
  }
}

if (!customElements.get('alfil-board')) customElements.define('alfil-board', AlfilBoard);

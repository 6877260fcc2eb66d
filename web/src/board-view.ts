import { boardAppearance, boardMessages, boardTargets, overlaySources, overlays, premoveTargets } from './board-data';
import type { AlfilBoard } from '../board/src/element';
import type { BoardChange, BoardTarget } from '../board/src/types';
import type { Language } from './messages';
import type { AppearanceDto } from './wire/types';
import { type UiState, bottomSide } from './ui-state';

/** Shows the state of the page on the board element. */
export class BoardView {
  private shownAppearance?: { appearance: AppearanceDto; language: Language; dialect?: string };
  /** What pieces and targets, and overlays, were last drawn from: if it is the same, they are not drawn again. */
  private shownPosition: unknown[] = [];
  private shownOverlays: unknown[] = [];

  constructor(private readonly element: AlfilBoard) {}

  /** Plays the animation of a move. */
  play(script: BoardChange[]): void {
    this.shownPosition = [];
    this.element.play(script);
  }

  /** Shows a move of the user that the server has not confirmed yet. */
  showUnconfirmedMove({ script, from, to }: BoardTarget): void {
    this.shownPosition = [];
    this.shownOverlays = [];
    this.element.play(script);
    this.element.targets = [];
    this.element.check = null;
    this.element.last = [from, to].filter((square) => square !== null);
    this.element.over = {};
  }

  /**
   * Shows the appearance of the game and the orientation, and, with `showsPosition`, the pieces of the position.
   * Without it the pieces stay as they are, because an unconfirmed move makes them newer than the position.
   */
  update(state: UiState, { mayMove, showsPosition }: { mayMove: boolean; showsPosition: boolean }): void {
    const { appearance, position, language, pictures } = state;
    if (!appearance || !position) return;
    const dialect = state.game?.dialect;
    const { shownAppearance: shown } = this;
    if (shown?.appearance !== appearance || shown.language !== language || shown.dialect !== dialect) {
      // Setting the appearance clears the board, so it is set only if it differs.
      this.shownAppearance = { appearance, language, dialect };
      this.shownPosition = [];
      const { pieces, last } = this.element;
      this.element.look = boardAppearance(appearance, language, dialect);
      // The names of the same board may change while a move is unconfirmed.
      if (!showsPosition && shown?.appearance === appearance) Object.assign(this.element, { pieces, last });
      this.element.words = boardMessages(language);
    }
    this.element.orientation = bottomSide(state) === 0 ? 'first' : 'second';
    this.element.pictures = pictures;
    this.element.showsMoves = state.showsMoves;
    if (!showsPosition) return;
    // The engine reports many times a second: what has not changed is not shown again.
    const positionInputs = [appearance, position, language, mayMove, state.premoveTargets, state.turn, state.game];
    if (!isSame(positionInputs, this.shownPosition)) {
      this.shownPosition = positionInputs;
      this.element.pieces = position.pieces;
      this.element.targets = mayMove ? boardTargets(position, language) : premoveTargets(state);
      this.element.last = position.last;
      this.element.check = position.check;
    }
    const overlayInputs = overlaySources(state);
    if (!isSame(overlayInputs, this.shownOverlays)) {
      this.shownOverlays = overlayInputs;
      this.element.over = overlays(state);
    }
  }

  /** Gives the focus to the square of the keyboard's cursor. */
  focus(): void {
    this.element.focus();
  }

  /** Returns the board with everything on it as an SVG document. */
  snapshot(): string {
    return this.element.snapshot();
  }
}

function isSame(a: unknown[], b: unknown[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

// `<alfil-player game="xiangqi" pgn="...">`: a game with its moves on any page. It is the board element and the rules
// of the game in WebAssembly, which is loaded when the element is in the page.

import { Instance } from '../../../apps/wasm/js/instance';
import { adoptStyle } from '../../board/src/adopted-style';
import type { AlfilBoard } from '../../board/src/element';
import { piecesFromFen } from '../../board/src/position';
import '../../board/src/element';
import type { BoardAppearance } from '../../board/src/types';
import { knownTag, numberBefore, playerNames, readGame } from './game-text';
import { STYLE } from './style';

/** A game of this element: its module and the appearance of its board. */
interface GameEntry {
  instance: Instance;
  look(): Promise<{ default: unknown }>;
}

const entry = (name: string, look: GameEntry['look']): GameEntry => ({
  // The modules lie beside the script.
  instance: new Instance(new URL(/* @vite-ignore */ `./${name}.wasm`, import.meta.url)),
  look,
});

const GAMES: Record<string, GameEntry | undefined> = {
  xiangqi: entry('xiangqi', () => import('../../board/looks/xiangqi.json')),
  chess: entry('chess', () => import('../../board/looks/chess.json')),
  othello: entry('othello', () => import('../../board/looks/othello.json')),
};

/** A position of a game, with the move that led to it. */
interface GamePosition {
  fen: string;
  text: string;
  squares: string[];
}

const TEXTS = {
  en: { first: 'First position', previous: 'Previous move', next: 'Next move', last: 'Last position', moves: 'Moves', stop: 'The game stops here: ', noGame: 'alfil-player: the attribute game must be xiangqi, chess or othello' },
  zh: { first: '起始局面', previous: '上一着', next: '下一着', last: '最后局面', moves: '着法', stop: '对局到此为止：', noGame: 'alfil-player：属性 game 须为 xiangqi、chess 或 othello' },
};

/**
 * A game with its moves. Attributes: `game`; `pgn`, the game as text (by default the content of the element); `fen`, a
 * position without moves; `ply`, the ply to show first; `side="second"` to turn the board; `lang`.
 */
export class AlfilPlayer extends HTMLElement {
  static readonly observedAttributes = ['game', 'pgn', 'fen', 'side', 'ply'];
  /** The positions of the game, the start first. */
  private positions: GamePosition[] = [];
  /** The plies of a whole game before the start. */
  private firstPly = 0;
  /** The index of the position that is shown. */
  private ply = 0;
  /** The number of the last load: an earlier one that ends later shows nothing. */
  private lastLoad = 0;
  private readonly board = document.createElement('alfil-board') as AlfilBoard;
  private readonly list = document.createElement('ol');
  private readonly heading = document.createElement('p');
  private readonly problem = document.createElement('p');
  private readonly buttons = document.createElement('div');

  constructor() {
    super();
    this.heading.className = 'title';
    this.problem.className = 'problem';
    this.buttons.className = 'buttons';
    const root = this.attachShadow({ mode: 'open' });
    adoptStyle(root, STYLE);
    root.append(this.heading, this.board, this.buttons, this.list, this.problem);
    this.addEventListener('keydown', (event) => this.onKey(event));
    // The board removes the focus on a click; the arrow keys are for the game.
    this.board.addEventListener('mousedown', () => this.focus({ preventScroll: true }));
  }

  connectedCallback(): void {
    // Not in the constructor: `document.createElement` refuses an element that has attributes already.
    if (!this.hasAttribute('tabindex')) this.tabIndex = 0;
    void this.load();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.load();
  }

  private get texts(): (typeof TEXTS)['en'] {
    const language = (this.closest('[lang]')?.getAttribute('lang') ?? navigator.language).toLowerCase();
    return TEXTS[language.startsWith('zh') ? 'zh' : 'en'];
  }

  private async load(): Promise<void> {
    const load = ++this.lastLoad;
    const game = GAMES[this.getAttribute('game') ?? ''];
    if (!game) {
      this.clear();
      this.showProblem(this.texts.noGame);
      return;
    }
    try {
      const [look] = await Promise.all([game.look(), game.instance.init()]);
      // The attributes may have changed meanwhile.
      if (load === this.lastLoad) this.open(game, look.default as BoardAppearance);
    } catch (error) {
      if (load !== this.lastLoad) return;
      this.clear();
      this.showProblem(error instanceof Error ? error.message : String(error));
    }
  }

  /** Removes the game that is shown. */
  private clear(): void {
    this.positions = [];
    this.heading.textContent = '';
    this.board.pieces = {};
    this.board.last = [];
    this.renderControls();
  }

  private open({ instance }: GameEntry, look: BoardAppearance): void {
    const { tags, moves } = readGame(this.getAttribute('pgn') ?? this.textContent ?? '');
    const fen = this.getAttribute('fen') ?? tags.FEN;
    const read = instance.call('player.read', { game: this.getAttribute('game'), fen, moves });
    const { plies, first_ply, error } = read as { plies: GamePosition[]; first_ply: number; error: string | null };
    this.positions = plies;
    this.firstPly = first_ply;
    this.showProblem(error === null ? '' : this.texts.stop + error);
    const names = playerNames(tags, look.sides);
    this.heading.textContent = names.some(Boolean) ? names.map((name) => name || '?').join(' – ') : knownTag(tags, 'Event');
    this.board.look = look;
    this.board.orientation = this.getAttribute('side') === 'second' ? 'second' : 'first';
    this.renderControls();
    const ply = this.getAttribute('ply');
    this.go(ply === null ? 0 : Number(ply) || 0, look);
  }

  private showProblem(text: string): void {
    this.problem.textContent = text;
  }

  private renderControls(): void {
    const { texts } = this;
    const button = (label: string, sign: string, step: () => number) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.textContent = sign;
      element.ariaLabel = label;
      element.title = label;
      element.onclick = () => this.go(step());
      return element;
    };
    this.buttons.replaceChildren(
      button(texts.first, '|◀', () => 0),
      button(texts.previous, '◀', () => this.ply - 1),
      button(texts.next, '▶', () => this.ply + 1),
      button(texts.last, '▶|', () => this.positions.length - 1),
    );
    this.buttons.hidden = this.positions.length <= 1;
    this.list.ariaLabel = texts.moves;
    this.list.replaceChildren(
      ...this.positions.slice(1).map(({ text }, index) => {
        const item = document.createElement('li');
        const move = button(text, text, () => index + 1);
        item.append(numberBefore(this.firstPly + index, index === 0), move);
        return item;
      }),
    );
  }

  /** Shows the position after a number of plies. */
  go(ply: number, look = this.board.look): void {
    this.ply = Math.min(Math.max(ply, 0), this.positions.length - 1);
    const position = this.positions[this.ply];
    if (!look || !position) return;
    this.board.pieces = piecesFromFen(look, position.fen);
    this.board.last = position.squares;
    this.list.querySelectorAll('button').forEach((move, index) => {
      const isCurrent = index + 1 === this.ply;
      move.ariaCurrent = isCurrent ? 'step' : null;
      if (isCurrent) {
        // The page itself must not scroll.
        const { list } = this;
        list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    });
    const [first, previous, next, last] = this.buttons.querySelectorAll('button');
    if (first && previous) first.disabled = previous.disabled = this.ply === 0;
    if (next && last) next.disabled = last.disabled = this.ply === this.positions.length - 1;
    // A disabled button receives no keys.
    if (this.shadowRoot?.activeElement?.matches(':disabled')) this.focus({ preventScroll: true });
  }

  private onKey(event: KeyboardEvent): void {
    // The board has used a key that moves the focus between its squares.
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const steps: Record<string, number | undefined> = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: Infinity };
    const ply = steps[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    this.go(ply);
  }
}

customElements.define('alfil-player', AlfilPlayer);

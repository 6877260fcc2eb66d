import type { AlfilBoard } from './board/element';
import type { Orientation } from './board/geometry';
import { keep, kept } from './memory';
import { Lost, Socket } from './socket';
import * as sound from './sound';
import type { Answer, GameName, Look, Position, Step, Target } from './wire';

/** Everything the page shows. */
export interface Shown {
  games: GameName[];
  look?: Look;
  position?: Position;
  /** The side the person plays. */
  person: 0 | 1;
  level: number;
  thinking: boolean;
  flipped: boolean;
  muted: boolean;
  connected: boolean;
  /** Why the last thing asked for was not done. */
  trouble?: string;
}

const FIRST_LEVEL = 3;

/** A game between a person and the computer, as the page plays it: it asks the server and shows what comes back. */
export class Game {
  shown: Shown = {
    games: [],
    person: 0,
    level: Number(kept('level', String(FIRST_LEVEL))),
    thinking: false,
    flipped: false,
    muted: kept('muted', 'no') === 'yes',
    connected: true,
  };
  private board: AlfilBoard | null = null;
  private show: (shown: Shown) => void = () => {};
  private socket?: Socket;
  /** The position text the game started from, if not the game's own start. */
  private fen?: string;
  /** Counts games and take-backs, so that an answer to an older question is known as such. */
  private turn = 0;
  /** The person's move that the board shows already and the server has not answered yet. */
  private ahead?: Target;

  /** Begins to show itself; returns how to stop. */
  attach(board: AlfilBoard | null, show: (shown: Shown) => void): () => void {
    this.board = board;
    this.show = show;
    const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
    this.socket ??= new Socket(url, {
      thought: () => {},
      connected: (yes) => {
        this.change({ connected: yes, thinking: false });
        if (yes) void this.resume();
      },
    });
    return () => {
      this.show = () => {};
    };
  }

  /** Starts a game. */
  async start(game: string, person: 0 | 1, level: number): Promise<void> {
    this.turn++;
    this.ahead = undefined;
    keep('level', String(level));
    this.fen = undefined;
    const answer = await this.ask({ do: 'new', game });
    if (!answer) return;
    this.change({ person, level, flipped: false, thinking: false });
    this.set(answer);
    await this.reply();
  }

  /** Plays a move for the person: the board shows it at once, the server has the last word. */
  async play(target: Target): Promise<void> {
    if (this.shown.position?.side !== this.shown.person || this.shown.thinking || this.ahead) return;
    const turn = this.turn;
    this.ahead = target;
    this.board?.play(target.script);
    if (this.board) {
      this.board.targets = [];
      this.board.check = null;
      this.board.last = [target.from, target.to].filter((square) => square !== null);
    }
    const answer = await this.ask({ do: 'play', text: target.text });
    // Without a connection the move waits: it is played as soon as there is one again.
    if (turn !== this.turn || (!answer && !this.shown.connected)) return;
    this.ahead = undefined;
    if (!answer) {
      this.arrange();
      return;
    }
    this.hear(answer.step);
    this.set(answer);
    await this.reply();
  }

  /** Whether there is a move of the person's to take back. */
  canTakeBack(): boolean {
    return !this.ahead && (this.shown.position?.record.length ?? 0) > (this.shown.person === 0 ? 0 : 1);
  }

  /** Takes back the person's last move, and the computer's answer to it if it came. */
  async takeBack(): Promise<void> {
    this.turn++;
    const { position, person } = this.shown;
    if (!position || !this.canTakeBack()) return;
    const plies = position.side === person ? 2 : 1;
    const answer = await this.ask({ do: 'undo', plies });
    if (!answer) return;
    for (const step of answer.steps ?? []) this.board?.play(step.script);
    this.change({ thinking: false });
    this.set(answer);
    await this.reply();
  }

  flip(): void {
    this.change({ flipped: !this.shown.flipped });
  }

  mute(muted: boolean): void {
    keep('muted', muted ? 'yes' : 'no');
    this.change({ muted });
  }

  /** The computer moves, if it is its turn. */
  private async reply(): Promise<void> {
    const { position, person, level } = this.shown;
    if (!position || position.ending || position.side === person) return;
    const turn = this.turn;
    this.change({ thinking: true });
    const answer = await this.ask({ do: 'think', level });
    if (turn !== this.turn) return;
    this.change({ thinking: false });
    if (!answer) return;
    if (answer.step) this.board?.play(answer.step.script);
    this.hear(answer.step);
    this.set(answer);
    // A person who has to pass, passes: there is nothing to choose. What follows may be the computer's turn again.
    await this.reply();
  }

  /** The connection is there: begin, or go on where it was lost. */
  private async resume(): Promise<void> {
    const turn = ++this.turn;
    const games = (await this.ask({ do: 'games' }))?.games ?? [];
    const game = this.shown.look?.game ?? games[0]?.game;
    if (!game || turn !== this.turn) return;
    // A move that was on its way when the connection went is played again.
    const moves = [...(this.shown.position?.record ?? []), ...(this.ahead ? [this.ahead.text] : [])];
    const answer = await this.ask({ do: 'new', game, fen: this.fen, moves });
    if (!answer || turn !== this.turn) return;
    this.ahead = undefined;
    this.change({ games });
    this.set(answer);
    await this.reply();
  }

  private async ask(deed: { [name: string]: unknown }): Promise<Answer | undefined> {
    try {
      const answer = await this.socket?.ask(deed);
      if (this.shown.trouble !== undefined) this.change({ trouble: undefined });
      return answer;
    } catch (error) {
      // A lost connection says so by itself and resumes.
      if (!(error instanceof Lost)) this.change({ trouble: (error as Error).message });
      return undefined;
    }
  }

  private hear(step: Step | undefined): void {
    if (step && !this.shown.muted) sound.play(step.sound);
  }

  private set(answer: Answer): void {
    this.change({ ...(answer.look && { look: answer.look }), ...(answer.position && { position: answer.position }) });
  }

  private change(part: Partial<Shown>): void {
    this.shown = { ...this.shown, ...part };
    this.arrange();
    this.show(this.shown);
  }

  /** The board as the last position has it. */
  private arrange(): void {
    const { look, position, person, thinking } = this.shown;
    if (!this.board || !look || !position) return;
    if (this.board.look !== look) this.board.look = look;
    if (this.ahead) {
      // What the board shows is newer than the last position.
      this.board.orientation = this.orientation();
      return;
    }
    this.board.orientation = this.orientation();
    this.board.men = position.men;
    this.board.targets = position.side === person && !thinking ? position.targets : [];
    this.board.last = position.last;
    this.board.check = position.check;
  }

  private orientation(): Orientation {
    const { person, flipped } = this.shown;
    return (person === 0) !== flipped ? 'first' : 'second';
  }
}

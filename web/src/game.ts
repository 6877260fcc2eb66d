import { addressed, anew, readdress, standing } from './address';
import { boardAppearance, boardMessages, boardTargets, overlays, ranked } from './board-data';
import type { AlfilBoard } from './board/element';
import type { BoardTarget, Orientation } from './board/types';
import { showsMoveValues } from './features';
import { savePreference, loadPreference } from './preferences';
import { preferredDialect } from './names';
import { describeError } from './error-message';
import { share } from './score';
import { type Shown, flagged, fresh, over, pace } from './shown';
import { SEARCH_REQUESTS, ConnectionLost, type RequestError, Socket } from './socket';
import * as sound from './sound';
import { Tree } from './tree';
import type { Language } from './messages';
import type { ClientRequest, ServerResponse, ServerEvent, SavedGame, AppearanceDto, TimeControlDto, Side, MoveResultDto, TargetDto, AnalysisLineEvent } from './protocol';

export type { Shown };

/** A person should see that he has to pass before he does, in milliseconds. */
const BEAT = 900;
/** How long "go deeper" goes on, in seconds. */
const DEEPER = 300;
/** Where every square shows its value, so many lines are asked for. */
const EVERY_MOVE = 64;

/** A game between a person and the computer, or an analysis: it asks the server and shows what comes back. */
export class Game {
  shown: Shown = fresh();
  private board: AlfilBoard | null = null;
  private show: (shown: Shown) => void = () => {};
  private socket?: Socket;
  /** Counts everything that makes an older answer worthless. */
  private turn = 0;
  /** Whether the computer thinks about its reply: it does so wherever one looks meanwhile. */
  private replies = false;
  /** So many games are asked for and not there yet: the page is on its way to the last of them. */
  private entering = 0;
  /** The person's move that the board shows already and the server has not answered yet. */
  private ahead?: BoardTarget;
  /** The lines that the engine found at the depth it is at. */
  private coming: AnalysisLineEvent[] = [];
  private spoke?: { look: AppearanceDto; language: Language };

  /** Begins to show itself; returns how to stop. */
  attach(board: AlfilBoard | null, show: (shown: Shown) => void): () => void {
    this.board = board;
    this.show = show;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket ??= new Socket(`${scheme}://${location.host}/ws`, {
      onEvent: (event) => this.hearEvent(event),
      onConnectionChange: (yes) => {
        this.change({ connected: yes, thinking: false, queued: false, analysing: false, reviewed: undefined });
        if (yes) void this.resume();
      },
    });
    const travel = () => void this.travel();
    window.addEventListener('hashchange', travel);
    return () => {
      this.show = () => {};
      window.removeEventListener('hashchange', travel);
    };
  }

  /** The person's side; nobody's in analysis. */
  get person(): Side | null {
    return this.shown.game?.person ?? null;
  }

  /** Starts a game. */
  async start(game: string, person: Side | null, level: number, from: { fen?: string; waive?: string[]; clock?: TimeControlDto } = {}): Promise<boolean> {
    savePreference('level', String(level));
    const book = loadPreference(`book.${game}`, '') || undefined;
    return this.enter({ do: 'new', game, person, level, book, ...from }, level);
  }

  /** Opens a kept game, or what somebody pasted. */
  async open(id: string, node?: number): Promise<boolean> {
    return this.enter({ do: 'open', game: id, node });
  }
  async paste(text: string, bytes = false, kind?: string): Promise<boolean> {
    return this.enter({ do: 'import', text, bytes, game: kind, chinese: this.shown.language === 'zh' });
  }
  private async enter(deed: ClientRequest, level = this.shown.level): Promise<boolean> {
    this.entering++;
    this.forget();
    const opened = await this.ask(deed);
    // Where the next game is asked for already, nothing more is asked about this one.
    const answer = this.entering > 1 ? opened : await this.liked(opened);
    this.entering--;
    if (answer) {
      this.change({ level, flipped: false, engine: answer.game?.person === null });
      this.set(answer);
    } else this.change({});
    // If it was refused, the game that is left goes on: whoever was thinking in it was stopped.
    if (this.entering === 0) void this.rest();
    return Boolean(answer);
  }

  /** A game that is opened speaks the dialect that is liked. */
  private async liked(answer: ServerResponse | undefined): Promise<ServerResponse | undefined> {
    const name = answer?.game && preferredDialect(answer.game, this.shown.language);
    if (name === answer?.game?.dialect) return answer;
    return (await this.ask({ do: 'dialect', name })) ?? answer;
  }

  /** Plays a move: the board shows it at once, the server has the last word. */
  async play(target: BoardTarget): Promise<void> {
    if (!this.mayMove() || this.ahead) return;
    const turn = this.next();
    this.ahead = target;
    this.board?.play(target.script);
    if (this.board) {
      this.board.targets = [];
      this.board.check = null;
      this.board.last = [target.from, target.to].filter((square) => square !== null);
      this.board.over = {};
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
    await this.goOn();
  }

  /** Plays the beginning of an engine's line. */
  async walk(moves: string[]): Promise<void> {
    await this.move({ do: 'walk', moves });
  }

  /** Stands elsewhere in the game. */
  async go(node: number | undefined): Promise<void> {
    if (node === undefined || node === this.shown.node || !this.shown.tree.at(node)) return;
    const { replies } = this;
    const turn = replies ? this.turn : this.next();
    this.ahead = undefined;
    // A hint or an analysis of the position that is left stops.
    if (!replies) this.change({ passing: false, thinking: false, queued: false });
    const answer = await this.ask({ do: 'go', node });
    if (!answer || turn !== this.turn) return;
    for (const step of answer.steps ?? []) this.board?.play(step.script);
    const [step] = answer.steps ?? [];
    if (answer.steps?.length === 1) this.hear(step);
    this.set(answer);
    void (replies ? this.look() : this.rest());
  }

  /** Everything older is worthless from now on. */
  private next(): number {
    this.replies = false;
    return ++this.turn;
  }

  async prune(node: number): Promise<void> {
    await this.move({ do: 'prune', node });
  }

  async comment(node: number, text: string): Promise<void> {
    const answer = await this.ask({ do: 'comment', node, text });
    if (answer) this.set(answer);
  }

  private async move(deed: ClientRequest, plays = false): Promise<void> {
    const turn = this.next();
    if (plays) this.change({ thinking: false, queued: false });
    const answer = await this.ask(deed);
    if (!answer || turn !== this.turn) return;
    this.set(answer);
    if (plays) await this.rest();
    else void this.look();
  }

  /** Whether the person may move now. */
  mayMove(): boolean {
    const { position, thinking, game, passing } = this.shown;
    // On the board of a game that is left nothing is played any more.
    if (!position || thinking || passing || !game || this.entering > 0 || over(this.shown)) return false;
    return game.person === null || position.side === game.person;
  }

  /** Whether there is a move of the person's to take back. */
  canTakeBack(): boolean {
    const { tree, node } = this.shown;
    // Who looks back in a game that is played would throw away what follows.
    const back = this.person !== null && tree.children(node).length > 0;
    return !this.ahead && !back && flagged(this.shown) === null && tree.road(node).length - 1 > (this.person === 1 ? 1 : 0);
  }

  /** Takes back the person's last move, and the computer's answer to it if it came. */
  async takeBack(): Promise<void> {
    const { position } = this.shown;
    if (!position || !this.canTakeBack()) return;
    this.next();
    const plies = position.side === this.person ? 2 : 1;
    const answer = await this.ask({ do: 'undo', plies });
    if (!answer) return;
    for (const step of answer.steps ?? []) this.board?.play(step.script);
    this.change({ thinking: false, queued: false, passing: false });
    if (this.shown.game) this.change({ game: { ...this.shown.game, resigned: null } });
    this.set(answer);
    // A forced pass would only be played again.
    if (this.forced() && this.canTakeBack()) return this.takeBack();
    await this.goOn();
  }

  /** The pass that is the only move, if it is. */
  private forced(): TargetDto | undefined {
    const [only, ...others] = this.shown.position?.targets ?? [];
    return only?.to === null && others.length === 0 ? only : undefined;
  }

  /** A good move, shown on the board. */
  async hint(): Promise<void> {
    const turn = this.next();
    this.change({ thinking: true });
    const answer = await this.ask({ do: 'hint', time: this.time() });
    if (turn !== this.turn) return;
    this.change({ thinking: false, queued: false });
    const hint = this.shown.position?.targets.find((target) => target.text === answer?.hint);
    this.change({ hint });
    void this.look();
  }

  async resign(): Promise<void> {
    this.next();
    const answer = await this.ask({ do: 'resign' });
    if (!answer) return;
    this.change({ thinking: false, queued: false });
    this.set(answer);
    this.hear({ text: '', script: [], sound: 'end' });
  }

  /** Plays on against the computer as the side to move, or analyses. */
  async seat(person: Side | null): Promise<void> {
    this.next();
    const answer = await this.ask({ do: 'seat', person, level: this.shown.game?.level || this.shown.level });
    if (!answer) return;
    this.change({ thinking: false, queued: false, engine: person === null });
    this.set(answer);
    await this.goOn();
  }

  /** Plays on by another rule book, which is remembered for this kind of game. */
  async book(name: string): Promise<void> {
    savePreference(`book.${this.shown.game?.game}`, name);
    await this.move({ do: 'book', name }, true);
  }

  async dialect(name: string): Promise<void> {
    savePreference(`dialect.${this.shown.game?.game}`, name);
    await this.write(name);
  }
  private async write(name: string): Promise<void> {
    const answer = await this.ask({ do: 'dialect', name });
    if (answer) this.set(answer);
    void this.look();
  }

  engine(on: boolean, lines = this.shown.lines): void {
    savePreference('lines', String(lines));
    this.change({ engine: on, lines, thoughts: [] });
    if (on) void this.look();
    // A reply of the computer is thought about all the same.
    else if (!this.shown.thinking) void this.ask({ do: 'stop' });
  }

  deeper(): void {
    void this.analyse(DEEPER);
  }

  async review(): Promise<void> {
    const turn = this.next();
    const { engine } = this.shown;
    this.change({ reviewed: 0, engine: false, thoughts: [], thinking: false, queued: false });
    const answer = await this.ask({ do: 'review' });
    if (turn !== this.turn) return;
    this.change({ reviewed: undefined, engine });
    if (answer?.tree) this.set(answer);
    await this.rest();
  }

  async stopReview(): Promise<void> {
    this.next();
    this.change({ reviewed: undefined });
    await this.ask({ do: 'stop' });
    await this.rest();
  }

  xray(on: boolean): void {
    this.change({ xray: on, sights: [] });
    if (on) void this.see();
  }

  /** Goes to a move of a repetition and shows what it attacks. */
  async accuse(node: number | undefined, victims: string[]): Promise<void> {
    await this.go(node);
    const from = this.shown.position?.last.at(-1) ?? null;
    if (node === this.shown.node) this.change({ attacks: victims.map((to) => ({ from, to, rank: 1 })) });
  }

  /** What the board shows, as the text of a picture. */
  picture(): string | undefined {
    return this.board?.snapshot();
  }

  /** What the page asks for besides: texts, positions set up. Nothing changes by it. */
  async inquire(deed: ClientRequest): Promise<ServerResponse | undefined> {
    return this.ask(deed);
  }

  /** The games that are kept, asked for anew, or those after the ones that are shown. */
  async list(after: SavedGame[] = []): Promise<void> {
    const answer = await this.ask({ do: 'games', skip: after.length });
    // A game that was played on meanwhile has moved in the list.
    const fresh = answer?.kept?.filter(({ id }) => !after.some((one) => one.id === id)) ?? [];
    if (answer) this.change({ kept: [...after, ...fresh], more: answer.more ?? false });
  }

  /** Throws a game away. If it is the one on the board, that goes on as a new one. */
  async discard(id: string): Promise<void> {
    const answer = await this.ask({ do: 'forget', game: id });
    if (!answer) return;
    this.change({ kept: this.shown.kept.filter((one) => one.id !== id) });
    if (location.hash.startsWith(`#game/${id}/`)) history.replaceState(null, '', '#');
    if (answer.game) this.set({ id: answer.id, game: answer.game });
  }

  flip(): void {
    this.change({ flipped: !this.shown.flipped });
  }

  mute(muted: boolean): void {
    savePreference('muted', muted ? 'yes' : 'no');
    this.change({ muted });
  }

  pictures(pictures: boolean): void {
    savePreference('pictures', pictures ? 'yes' : 'no');
    this.change({ pictures });
  }

  speak(language: Language): void {
    savePreference('language', language);
    // What was said is said again when it is asked again.
    this.change({ language, trouble: undefined, stray: undefined });
    const { game } = this.shown;
    const name = game && preferredDialect(game, language);
    if (name && name !== game.dialect) void this.write(name);
  }

  patience(seconds: number): void {
    savePreference('seconds', String(seconds));
    this.change({ seconds });
  }

  /** The time chosen for a reply in milliseconds; none if its clock alone decides. */
  private time(): number | undefined {
    return this.shown.seconds > 0 ? Math.round(1000 * this.shown.seconds) : undefined;
  }

  /** What was wrong before is no comment on what is done next. */
  calm(): void {
    if (this.shown.trouble !== undefined || this.shown.broken) this.change({ trouble: undefined, stray: undefined, broken: false });
  }

  complain(trouble: string): void {
    this.change({ trouble, stray: undefined });
  }

  /** Nothing that is under way concerns the next game. */
  private forget(): void {
    this.next();
    this.ahead = undefined;
    this.change({ thinking: false, queued: false, passing: false, hint: undefined, thoughts: [], reviewed: undefined });
  }

  /** Whatever comes next after a move: the computer's reply, a forced pass, an analysis. */
  private async goOn(): Promise<void> {
    const { position, game } = this.shown;
    if (!position || !game || over(this.shown)) return void this.look();
    if (game.person !== null && position.side !== game.person) return this.reply();
    const pass = this.forced();
    if (pass) return this.pass(pass);
    void this.look();
  }

  /** Where one has only come to look, nothing is played unless the game stands there. */
  private async rest(): Promise<void> {
    const { tree, node } = this.shown;
    if (tree.children(node).length === 0) await this.goOn();
    else void this.look();
  }

  /** There is nothing to choose: the pass is shown, and after a beat it is played. */
  private async pass(target: TargetDto): Promise<void> {
    const turn = this.next();
    this.change({ passing: true });
    await new Promise((done) => setTimeout(done, BEAT));
    if (turn !== this.turn) return;
    this.change({ passing: false });
    await this.play(target);
  }

  /** The computer moves. */
  private async reply(): Promise<void> {
    const turn = this.next();
    this.replies = true;
    this.change({ thinking: true });
    const answer = await this.ask({ do: 'think', level: this.shown.game?.level, time: this.time() });
    if (turn !== this.turn) return;
    this.replies = false;
    this.change({ thinking: false, queued: false });
    if (!answer?.position) return;
    if (answer.step) this.board?.play(answer.step.script);
    this.hear(answer.step ?? { text: '', script: [], sound: 'move' });
    this.set(answer);
    // Who looks elsewhere meanwhile goes on doing so.
    await (answer.step ? this.goOn() : this.rest());
  }

  /** What is to be seen of a new position: lines, sights. */
  private async look(): Promise<void> {
    if (this.shown.xray) await this.see();
    if (this.shown.engine) await this.analyse();
  }

  private async see(): Promise<void> {
    const node = this.shown.node;
    const answer = await this.ask({ do: 'sights' });
    if (answer && node === this.shown.node && this.shown.xray) this.change({ sights: answer.sights ?? [] });
  }

  private async analyse(seconds?: number): Promise<void> {
    const { position, look, lines, connected, thinking } = this.shown;
    if (!connected || thinking || !position || position.ending || position.targets.length === 0) return;
    const turn = this.turn;
    this.change({ analysing: true });
    const most = look && showsMoveValues(look) ? EVERY_MOVE : lines;
    await this.ask({ do: 'analyse', lines: most, seconds });
    if (turn === this.turn) this.change({ analysing: false, queued: false });
  }

  private hearEvent(event: ServerEvent): void {
    if (event.event === 'waiting') {
      this.change({ queued: true });
    } else if (event.event === 'failed') {
      this.change({ broken: true });
    } else if (event.event === 'changed') {
      this.next();
      this.ahead = undefined;
      const before = flagged(this.shown);
      this.change({ thinking: false, queued: false, passing: false, analysing: false, reviewed: undefined });
      this.set(event);
      if (before === null && flagged(this.shown) !== null) this.hear({ text: '', script: [], sound: 'end' });
      void this.look();
    } else if (event.event === 'reviewed') {
      const tree = this.shown.tree.valued(event.node, { score: event.score, best: event.best ?? undefined });
      this.change({ tree, queued: false, reviewed: (this.shown.reviewed ?? 0) + 1 });
    } else if (event.node === this.shown.node && this.shown.engine && !this.shown.thinking) {
      // The lines of a deeper look are shown when all are there: values of two depths say nothing beside each other.
      const shown = this.shown.thoughts;
      const others = shown.length > 0 ? this.coming.filter(({ depth, rank }) => depth === event.depth && rank !== event.rank) : [];
      this.coming = [...others, event];
      const thoughts = this.coming.length >= shown.length ? ranked(this.coming, this.shown.position?.side ?? 0) : shown;
      const best = event.rank === 1 ? { score: event.score, best: event.line[0] } : undefined;
      const tree = best ? this.shown.tree.valued(event.node, best) : this.shown.tree;
      this.change({ thoughts, tree, queued: false });
    }
  }

  /** The address names a game: go there, if we are not there. */
  private async travel(): Promise<void> {
    const [id, node] = addressed();
    // Without a connection the entry stays as it is: `resume` goes there.
    if (!id || !this.shown.connected) return;
    const { hash } = location;
    const begun = anew();
    if (begun) await this.start(begun.game, begun.person, begun.level);
    else if (this.entering > 0 || id !== this.shown.game?.id) await this.open(id, node);
    else if (node !== undefined) await this.go(node);
    // Of a game or a move that is not there nothing is shown: the address says again what is, unless it leads elsewhere by now.
    if (this.shown.connected && this.entering === 0 && location.hash === hash) readdress(this.shown, true);
  }

  /** The connection is there: begin, or go on where it was lost. */
  private async resume(): Promise<void> {
    const turn = this.next();
    const list = await this.ask({ do: 'games' });
    const games = list?.games ?? [];
    if (games.length === 0 || turn !== this.turn) return;
    this.change({ games, kept: list?.kept ?? [], more: list?.more ?? false });
    const [id, node] = addressed();
    const { game } = this.shown;
    const begun = anew();
    const known = game?.id ?? (begun ? '' : (id ?? loadPreference('game', '')));
    let answer = known ? await this.ask({ do: 'open', game: known, node: game ? this.shown.node : id ? node : undefined }) : undefined;
    if (turn !== this.turn || !this.shown.connected) return;
    // Who came by an address hears why another game stands here.
    const trouble = id && !game ? this.shown.trouble : undefined;
    if (!answer) {
      const { person, level } = game ?? begun ?? { person: 0, level: this.shown.level };
      const name = (game ?? begun ?? games[0])?.game;
      answer = await this.ask({ do: 'new', game: name, person, level: level || this.shown.level, fen: standing(game), clock: pace(this.shown) });
      if (trouble) this.complain(trouble);
    }
    answer = await this.liked(answer);
    if (!answer || turn !== this.turn) return;
    if (!game) this.change({ engine: answer.game?.person === null });
    const waiting = this.ahead;
    this.ahead = undefined;
    // Who travelled while there was no connection goes there from the game that was left.
    const travelled = game && id && id !== game.id;
    this.set(answer, !travelled);
    if (travelled) return this.travel();
    // A move that was on its way when the connection went is played again, unless it arrived.
    const target = waiting && this.shown.position?.targets.find((one) => one.text === waiting.text);
    if (target && this.mayMove()) await this.play(target);
    else await this.rest();
  }

  private async ask(deed: ClientRequest): Promise<ServerResponse | undefined> {
    try {
      // Whoever asks the engine anew wants to know about this time.
      if (SEARCH_REQUESTS.has(String(deed.do)) && this.shown.broken) this.change({ broken: false });
      const answer = await this.socket?.request(deed);
      if (this.shown.trouble !== undefined && !SEARCH_REQUESTS.has(String(deed.do))) this.change({ trouble: undefined, stray: undefined });
      return answer;
    } catch (error) {
      // A lost connection says so by itself and resumes.
      if (!(error instanceof ConnectionLost)) this.change(describeError(error as RequestError, deed, this.shown));
      return undefined;
    }
  }

  private hear(step: MoveResultDto | undefined): void {
    if (step && !this.shown.muted) sound.play(step.sound);
  }

  private set(answer: ServerResponse, addresses = this.entering === 0): void {
    const { look, position, game, node } = answer;
    const moved = position && (node !== this.shown.node || position.fen !== this.shown.position?.fen || game);
    this.change({
      ...(look && look.game !== this.shown.look?.game && { look }),
      ...(position && { position, heard: performance.now() }),
      ...(game && { game }),
      ...(answer.tree && { tree: new Tree(answer.tree) }),
      ...(node !== undefined && { node }),
      ...(moved && { thoughts: [], hint: undefined, sights: [], attacks: [] }),
    });
    // On the way to another game the address is that of the other game.
    if (addresses) readdress(this.shown);
  }

  private change(part: Partial<Shown>): void {
    this.shown = { ...this.shown, ...part };
    this.arrange();
    this.show(this.shown);
  }

  /** The board as the last position has it. */
  private arrange(): void {
    const { look, position, language, pictures } = this.shown;
    if (!this.board || !look || !position) return;
    if (this.spoke?.look !== look || this.spoke.language !== language) {
      this.spoke = { look, language };
      this.board.look = boardAppearance(look, language);
      this.board.words = boardMessages(language);
    }
    this.board.orientation = this.orientation();
    this.board.pictures = pictures;
    // What the board shows is newer than the last position.
    if (this.ahead) return;
    this.board.men = position.men;
    this.board.targets = this.mayMove() ? boardTargets(position, language) : [];
    this.board.last = position.last;
    this.board.check = position.check;
    this.board.over = overlays(this.shown);
  }

  private orientation(): Orientation {
    return ((this.person ?? 0) === 0) !== this.shown.flipped ? 'first' : 'second';
  }

  /** How much of the bar belongs to the first side; nothing where nobody has looked. */
  balance(): number | undefined {
    const score = this.shown.tree.at(this.shown.node)?.score;
    return score && share(score);
  }
}

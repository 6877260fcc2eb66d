import { customStartFen, newGameState, parseAddress, updateAddress } from './address';
import { AnalysingClient } from './analysing-client';
import { BoardView } from './board-view';
import type { AlfilBoard } from '../board/src/element';
import type { BoardTarget } from '../board/src/types';
import { NO_SEARCH } from './client-core';
import { isDialogEntry } from './dialog-entries';
import { DisplaySettings } from './display-settings';
import { Edits } from './edits';
import { describeError } from './error-message';
import { takeFormerPlayers } from './former-players';
import { isLink, readLink } from './link';
import { message } from './messages';
import { preferredDialect } from './names';
import { loadPictures, loadPreference, preferredRuleset, savePreference } from './preferences';
import type { ClientRequest, GameDto, ServerEvent, ServerResponse, Side, TurnDto } from './wire/types';
import { ExternalEngines } from './external-engines';
import { Premoves } from './premoves';
import { Reviews } from './reviews';
import { SavedGames } from './saved-games';
import { Watch } from './watch';
import { type OpenTransport, RequestError } from './transport';
import { openTransport } from './transport-choice';
import {
  type StartOptions,
  NO_TURN,
  type UiState,
  currentTimeControl,
  isPlayed,
  isWatched,
  replyTimeMs,
  timeForfeitSide,
} from './ui-state';

/** How long a forced pass is shown before it is played, in milliseconds. */
const PASS_DELAY_MS = 900;

/** The client of one game: it sends the user's actions to the server and keeps the state of the page. */
export class GameClient extends AnalysingClient {
  readonly edits = new Edits(this);
  readonly savedGames = new SavedGames(this, this.edits);
  readonly display = new DisplaySettings(this);
  readonly externalEngines = new ExternalEngines(this);
  readonly premoves = new Premoves(this);
  readonly watch = new Watch(this);
  readonly reviews = new Reviews(this);
  /** The generation in which the search for the computer's reply was begun, or seen. */
  private replyGeneration?: number;
  /** Lets the next move come that the page shows a moment later. */
  private moveTimer?: ReturnType<typeof setTimeout>;

  /** `open` opens the transport. */
  constructor(private readonly open: OpenTransport = openTransport) {
    super();
  }

  /** Connects to the server and to the board element. Returns a function that stops the updates. */
  attach(element: AlfilBoard | null, onStateChange: (state: UiState) => void): () => void {
    this.view = element && new BoardView(element);
    this.onStateChange = onStateChange;
    this.transport ??= this.open({
      onEvent: (event) => this.onEvent(event),
      onError: (error) => this.update({ standaloneError: describeError(error, { do: 'games' }, this.state).error }),
      onConnectionChange: (connected) => {
        this.hasOpenGame = false;
        this.onTurn(NO_TURN);
        this.update({ ...NO_SEARCH, connected, analysing: false, reviewedPositions: undefined });
        if (connected) void this.onConnected();
      },
    });
    const { lastBoard } = this.transport;
    if (lastBoard && !this.state.position) {
      const pictures = loadPictures(lastBoard.appearance);
      this.view?.update({ ...this.state, ...lastBoard, pictures }, { mayMove: false, showsPosition: true });
    }
    // The browser's Forward to the entry of a closed dialog has a former address.
    const onHashChange = () => void (isDialogEntry() || this.followAddress());
    const onVisibilityChange = () => this.onVisibilityChange();
    window.addEventListener('hashchange', onHashChange);
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      this.onStateChange = () => {};
      window.removeEventListener('hashchange', onHashChange);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    };
  }

  async startGame(game: string, person: Side | null, level: number, options: StartOptions = {}): Promise<boolean> {
    const { keepsLevel, ...start } = options;
    if (!keepsLevel) savePreference('level', String(level));
    const shownLevel = keepsLevel ? this.state.level : level;
    return this.loadGame({ do: 'new', game, person, level, ruleset: preferredRuleset(game), ...start }, shownLevel);
  }

  /** Opens a saved game. */
  async openGame(id: string, node?: number, place: { position?: string; first?: boolean } = {}): Promise<boolean> {
    return this.loadGame({ do: 'open', game: id, node, ...place });
  }

  /**
   * Opens a position, a list of moves or a game record. `bytes` is true for a text of which each character is a byte.
   * Several games become a collection called `name`.
   */
  async importGame(text: string, bytes = false, game?: string, name = ''): Promise<boolean> {
    return this.loadGame({ do: 'import', text, bytes, game, name, chinese: this.state.language === 'zh' });
  }

  private async loadGame(request: ClientRequest, level = this.state.level): Promise<boolean> {
    this.edits.drafts?.send(true);
    this.gamesLoading++;
    this.resetPending();
    const opened = await this.request(request);
    // If another game was requested meanwhile, this one needs no dialect.
    const response = this.gamesLoading > 1 ? opened : await this.withPreferredDialect(await this.withFormerPlayers(opened));
    this.gamesLoading--;
    if (response) {
      this.edits.onGameOpened();
      this.update({ level, flipped: false, engineOn: this.runsEngineIn(response.game) });
      this.applyResponse(response);
      if (opened?.imported) this.update({ libraryRequest: { imported: opened.imported } });
    } else {
      this.update({});
    }
    if (this.gamesLoading === 0) this.settle();
    return Boolean(response);
  }

  /** Takes over the new id of the open game, which was deleted: the browser's Back leads no more to the deleted one. */
  renameGame({ id, game }: ServerResponse): void {
    if (!game) return;
    this.applyResponse({ id, game }, false);
    if (this.gamesLoading === 0) updateAddress(this.state, true);
  }

  /** Gives an opened game the players that the page has kept for it. A game that is watched is paused. */
  private async withFormerPlayers(response: ServerResponse | undefined): Promise<ServerResponse | undefined> {
    const former = response?.game && takeFormerPlayers(response.game);
    if (!response?.game || !former) return response;
    const { person, two_people, level } = response.game;
    const seated = await this.request({ do: 'seat', person, two_people, level, ...former });
    const paused = seated && former.levels && (await this.request({ do: 'pause', paused: true }));
    return paused ?? seated ?? response;
  }

  /** Switches an opened game to the dialect that the user prefers. */
  private async withPreferredDialect(response: ServerResponse | undefined): Promise<ServerResponse | undefined> {
    const name = response?.game && preferredDialect(response.game, this.state.language);
    if (name === undefined || name === response?.game?.dialect) return response;
    return (await this.request({ do: 'dialect', name })) ?? response;
  }

  /** Plays a move of the user. The board shows it at once and takes it back if the server refuses it. */
  async playMove(target: BoardTarget): Promise<void> {
    if (!this.mayMove()) return;
    if (this.state.retry) return this.reviews.tryMove(target);
    const { destination } = this;
    const generation = this.invalidatePending();
    this.unconfirmedMove = target;
    this.view?.showUnconfirmedMove(target);
    // The move ends the search for a hint.
    if (this.state.searchesHint) this.update(NO_SEARCH);
    if (destination) {
      const isThere = await destination.response;
      // Another action has overtaken the move, such as another game or position, or a change by another window.
      if (generation !== this.generation) return this.dropMove(target);
      if (!isThere && this.state.connected) {
        // The server is not where the move belongs.
        this.unconfirmedMove = undefined;
        return this.showAgain(destination.before);
      }
    }
    const response = await this.request({ do: 'play', text: target.text });
    if (!response) return this.dropMove(target);
    // An action that shows another position has dropped the move.
    if (this.unconfirmedMove !== target) return;
    this.unconfirmedMove = undefined;
    this.playMoveSound(response.step);
    this.applyResponse(response);
    if (generation === this.generation) this.settle();
  }

  /** Takes a refused move off the board. If the connection is lost, it stays and is sent again after that. */
  private dropMove(target: BoardTarget): void {
    if (this.unconfirmedMove !== target || !this.hasOpenGame) return;
    this.unconfirmedMove = undefined;
    this.update({});
  }

  /** Plays the best move that the engine has found, in an analysis. */
  async playBestMove(): Promise<void> {
    const { engineOn, analysisLines, position } = this.state;
    const best = engineOn && !isPlayed(this.state.game) ? analysisLines[0]?.line[0] : undefined;
    const target = position?.targets.find(({ text }) => text === best);
    if (target) await this.playMove(target);
  }

  /** Plays the first moves of an engine line. */
  async playLine(moves: string[]): Promise<void> {
    await this.changeGame({ do: 'walk', moves });
  }

  protected override onRequestDone(request: ClientRequest, response?: ServerResponse): void {
    this.edits.onResponse(request, response);
  }

  /** Sends a change of the open game. Returns whether the server has carried it out. */
  async changeGame(request: ClientRequest): Promise<boolean> {
    const generation = this.invalidatePending();
    // The change stops a search or a review on the server, whose response would be stale.
    this.update({ ...NO_SEARCH, reviewedPositions: undefined });
    const response = await this.request(request);
    if (!response || generation !== this.generation) return Boolean(response);
    this.applyResponse(response);
    this.settle();
    return true;
  }

  /** Undoes or redoes an edit of the open game, and shows the position of the edit. */
  async applyEdit(direction: 'undo' | 'redo'): Promise<ServerResponse | undefined> {
    const generation = this.invalidatePending();
    this.unconfirmedMove = undefined;
    this.update(NO_SEARCH);
    const response = await this.request({ do: `${direction}_change` });
    if (!response || generation !== this.generation) return response;
    for (const step of response.steps ?? []) this.view?.play(step.script);
    this.applyResponse(response);
    this.settle();
    return response;
  }

  /** Returns whether a move of the user can be taken back. */
  canTakeBack(): boolean {
    const { tree, node, position } = this.state;
    // In analysis it steps back and deletes nothing.
    if (!isPlayed(this.state.game)) return node !== 0 && !this.unconfirmedMove;
    // At an earlier position of a game against the computer, taking back would delete the later moves.
    const hasLaterMoves = tree.children(node).length > 0;
    if (!position || this.unconfirmedMove || hasLaterMoves || timeForfeitSide(this.state) !== null) return false;
    // The computer's first move is not taken back: it would move again. The second side may begin in a set-up position.
    const plies = tree.pathTo(node).length - 1;
    return plies > Number(this.userSide !== null && (position.side + plies) % 2 !== this.userSide);
  }

  /** Takes back the user's last move, and the computer's reply if it was played. In analysis, steps back. */
  async takeBack(): Promise<void> {
    const { position } = this.state;
    if (!position || !this.canTakeBack()) return;
    if (!isPlayed(this.state.game)) return this.step('previous');
    this.invalidatePending();
    const response = await this.request({ do: 'undo', plies: position.side === this.userSide ? 2 : 1 });
    if (!response) return;
    for (const step of response.steps ?? []) this.view?.play(step.script);
    this.update(NO_SEARCH);
    if (this.state.game) this.update({ game: { ...this.state.game, resigned: null } });
    this.applyResponse(response);
    // A forced pass would be played again at once, so the move before it is taken back, too.
    if (this.state.turn.next === 'pass' && this.canTakeBack()) return this.takeBack();
    this.settle();
  }

  /** Searches a move that the engine recommends, and shows it on the board. */
  async requestHint(): Promise<void> {
    const generation = this.invalidatePending();
    this.update({ searchesHint: true });
    const response = await this.request({ do: 'hint', time: replyTimeMs(this.state) });
    if (generation !== this.generation) return;
    this.update(NO_SEARCH);
    this.update({ hint: this.state.position?.targets.find((target) => target.text === response?.hint) });
    this.settle();
  }

  async resign(): Promise<void> {
    this.invalidatePending();
    const response = await this.request({ do: 'resign' });
    if (!response) return;
    this.update(NO_SEARCH);
    this.applyResponse(response);
    this.playMoveSound({ text: '', script: [], sound: 'end' });
  }

  /** Continues the game with the user on one side against the computer, with two people, or as an analysis. */
  async setUserSide(person: Side | null, twoPeople = false): Promise<void> {
    this.invalidatePending();
    const { level, engine } = this.state.game ?? {};
    const response = await this.request({ do: 'seat', person, two_people: twoPeople, level: level || this.state.level, engine });
    if (!response) return;
    this.update({ ...NO_SEARCH, ...this.withoutRetry(), engineOn: person === null && !twoPeople });
    this.applyResponse(response);
    this.settle();
  }

  /** Continues the game under another ruleset, which becomes the default for this kind of game. */
  async setRuleset(name: string): Promise<void> {
    savePreference(`book.${this.state.game?.game}`, name);
    await this.changeGame({ do: 'ruleset', name });
  }

  /** Sends the server the time that the computer searches its replies. */
  sendPace(): void {
    void this.requestQuietly({ do: 'pace', reply_ms: replyTimeMs(this.state) });
  }

  /** Writes moves in another dialect, which becomes the default for this kind of game. */
  async setDialect(name: string): Promise<void> {
    savePreference(`dialect.${this.state.game?.game}`, name);
    await this.sendDialect(name);
  }

  /** Writes the moves of the open game in another dialect. */
  async sendDialect(name: string): Promise<void> {
    const response = await this.request({ do: 'dialect', name });
    const { retry, explanationArrows, engineOn } = this.state;
    if (response) this.applyResponse(response);
    // The mistakes are the same moves, so their retrying goes on.
    if (retry) this.update({ retry, explanationArrows, engineOn });
    void this.refreshAnalysis();
  }

  override clearError(): void {
    super.clearError();
    if (this.state.standaloneError !== undefined) this.update({ standaloneError: undefined });
  }

  /** Drops what belongs to the former game, before another one is loaded. Its review stays in case of a refusal. */
  private resetPending(): void {
    this.invalidatePending();
    this.unconfirmedMove = undefined;
    const empty = { hint: undefined, analysisLines: [], reviewedPositions: undefined, ...this.withoutRetry() };
    this.update({ ...NO_SEARCH, ...empty, bookNode: undefined });
  }

  /** Requests what is shown about the position, unless a move is about to come. */
  settle(): void {
    const { next, replying } = this.state.turn;
    if (!replying && next !== 'computer' && next !== 'pass') void this.refreshAnalysis();
  }

  protected override runsEngineIn(game: GameDto | undefined): boolean {
    return !isWatched(game) && super.runsEngineIn(game);
  }

  protected override onTurn(turn: TurnDto): void {
    clearTimeout(this.moveTimer);
    if (turn.replying) this.replyGeneration = this.generation;
    super.onTurn(turn);
    const delay = this.delayBefore(turn);
    if (delay !== undefined) this.moveTimer = setTimeout(() => void this.letMoveCome(), delay);
  }

  /** Returns how long the position is shown before a move comes that waits for the page. */
  private delayBefore({ next, replying, elsewhere }: TurnDto): number | undefined {
    if (next === 'pass') return PASS_DELAY_MS;
    return next === 'computer' && !replying && !elsewhere ? this.watch.delay : undefined;
  }

  private async letMoveCome(): Promise<void> {
    const { generation } = this;
    const { turn, game } = this.state;
    // Against the user the computer moves by itself.
    if (turn.next === 'computer' && !isWatched(game)) return;
    const response = await this.requestQuietly({ do: 'continue' });
    if (!response) return;
    this.mergeChanges(response);
    if (response.step && generation === this.generation) await this.showMove(response);
  }

  override applyResponse(response: ServerResponse, updatesAddress?: boolean): void {
    super.applyResponse(response, updatesAddress);
    if (response.turn?.replying && this.userSide !== null) this.premoves.loadSoon();
  }

  /** Shows a move that was not the user's, and plays the move that the user has entered meanwhile. */
  private async showMove(response: ServerResponse): Promise<void> {
    const { step } = response;
    if (step) this.view?.play(step.script);
    this.playMoveSound(step ?? { text: '', script: [], sound: 'move' });
    this.applyResponse(response);
    this.update({ bookNode: response.from_book && step ? this.state.node : undefined });
    const premove = this.premoves.take();
    if (step && premove && this.mayMove()) await this.playMove(premove);
    else this.settle();
  }

  /** Shows the computer's reply, or why there is none. */
  private async onReplied(response: ServerResponse): Promise<void> {
    // The response to an action of the user follows, with its position.
    const isStale = this.replyGeneration !== this.generation;
    this.mergeChanges(response);
    if (response.error !== undefined) {
      const { error, game } = response;
      this.update({ ...describeError(new RequestError(error, response), { do: 'continue' }, this.state), ...(game && { game }) });
      return this.settle();
    }
    if (!isStale) await this.showMove(response);
  }

  /** Lets the computer search its missing reply. */
  async continuePlay(): Promise<void> {
    this.clearError();
    await this.request({ do: 'continue' });
  }

  private onEvent(event: ServerEvent): void {
    if (event.event === 'waiting') {
      this.update({ searchQueued: true });
    } else if (event.event === 'failed') {
      this.update({ engineFailed: true });
    } else if (event.event === 'turn') {
      this.onTurn(event);
    } else if (event.event === 'storage') {
      this.update({ storage: event.text === undefined ? undefined : event });
    } else if (event.event === 'replied') {
      void this.onReplied(event);
    } else if (event.event === 'changed') {
      if (event.nodes) this.mergeFindings(event);
      else this.onGameChanged(event);
    } else if (event.event === 'reviewed') {
      const { score } = event;
      const tree = this.state.tree.withScore(event.node, { score, review: score });
      // The last scores of a review that was stopped may come after its end.
      const { reviewedPositions: count } = this.state;
      this.update({ tree, searchQueued: false, reviewedPositions: count === undefined ? undefined : count + 1 });
    } else {
      this.onAnalysisLine(event);
    }
  }

  private onGameChanged(response: ServerResponse): void {
    this.invalidatePending();
    this.unconfirmedMove = undefined;
    const forfeitBefore = timeForfeitSide(this.state);
    this.update({ ...NO_SEARCH, analysing: false });
    this.reviews.end();
    this.mergeChanges(response);
    this.applyResponse(response);
    if (forfeitBefore === null && timeForfeitSide(this.state) !== null) {
      this.playMoveSound({ text: '', script: [], sound: 'end' });
    }
    this.settle();
  }

  /** Opens the game and the position of the address, after the user navigated in the browser history. */
  private async followAddress(): Promise<void> {
    if (isLink(location.hash) && this.state.connected) {
      if (!(await this.openLink())) updateAddress(this.state, true);
      return;
    }
    const [id, node] = parseAddress();
    // Without a connection the address stays as it is, and `onConnected` follows it.
    if (!id || !this.state.connected) return;
    const { hash } = location;
    const start = newGameState();
    if (start) await this.startGame(start.game, start.person, start.level, { two_people: start.two_people, levels: start.levels, engine: start.opponent, keepsLevel: true });
    else if (this.gamesLoading > 0 || id !== this.state.game?.id) await this.openGame(id, node);
    else if (node !== undefined) await this.goTo(node);
    // If the address names no game or move that exists, it is set back to what is shown, unless it has changed again.
    const settled = this.state.connected && this.gamesLoading === 0 && location.hash === hash;
    if (settled) updateAddress(this.state, true);
  }

  /** Opens the game that the address holds. Returns false, and shows an error, if it cannot be opened. */
  private async openLink(): Promise<boolean> {
    const link = await readLink(location.hash);
    // The game gets an address of its own, so that the link is not opened again with the next loading of the page.
    history.replaceState(null, '', '#');
    if (!link) {
      this.showError(message(this.state.language, 'errorLink'));
      return false;
    }
    const { text, ply } = link;
    const names = this.state.games.map(({ game }) => game);
    const game = names.find((name) => name === link.game) ?? this.state.game?.game ?? names[0];
    let opened = await this.importGame(text, false, game);
    const other = this.state.otherGameText?.game;
    // A text without the name of its game may be of any game.
    if (!opened && other && !link.game) opened = await this.importGame(text, false, other);
    const node = ply === undefined ? undefined : this.state.tree.lineThrough(0)[ply]?.node;
    if (opened && node !== undefined) await this.goTo(node);
    return opened;
  }

  /** Opens the first game, or opens the current game again after the connection was lost. */
  private async onConnected(): Promise<void> {
    this.invalidatePending();
    // The server says it again, if it is still so.
    this.update({ storage: undefined });
    this.sendPace();
    const list = await this.request({ do: 'games' });
    const games = list?.games ?? [];
    if (games.length === 0) return;
    this.update({ games, savedGames: list?.kept ?? [], hasMoreSavedGames: list?.more ?? false });
    // A game that the user has requested meanwhile takes the place of the former one.
    if (this.gamesLoading > 0) return;
    // Anything else that the user has done meanwhile is refused, because the server has no open game.
    this.update(NO_SEARCH);
    let generation = this.invalidatePending();
    const { unconfirmedMove } = this;
    const hasLink = isLink(location.hash);
    if (hasLink && (await this.openLink())) return;
    if (hasLink) generation = this.invalidatePending();
    const linkError = hasLink ? this.state.error : undefined;
    const [id, node] = parseAddress();
    const { game } = this.state;
    const start = newGameState();
    const savedId = game?.id ?? (start ? '' : (id ?? loadPreference('game', '')));
    const savedNode = game ? this.state.node : id ? node : undefined;
    let response = savedId ? await this.request({ do: 'open', game: savedId, node: savedNode }) : undefined;
    if (!this.state.connected || this.gamesLoading > 0) return;
    // What the user has done meanwhile was refused, too, if the game could not be opened.
    if (!response) generation = this.invalidatePending();
    // If the game of the address cannot be opened, the reason stays visible although a new game is started.
    const error = linkError ?? (id && !game ? this.state.error : undefined);
    if (!response) {
      const { person, two_people, level, levels } = game ?? start ?? { person: 0 as const, level: this.state.level };
      const name = (game ?? start ?? games[0])?.game ?? '';
      const options = { ruleset: game?.ruleset ?? preferredRuleset(name), fen: customStartFen(game), clock: currentTimeControl(this.state), two_people, levels, engine: game ? game.engine : start?.opponent };
      response = await this.request({ do: 'new', game: name, person, level: level || this.state.level, ...options });
    }
    response = await this.withPreferredDialect(await this.withFormerPlayers(response));
    if (error) this.showError(error);
    if (!response || this.gamesLoading > 0) return;
    // What the user has done since was sent after these requests, and its response follows.
    if (generation !== this.generation) {
      // A move of before is not played again then.
      if (this.unconfirmedMove === unconfirmedMove) this.unconfirmedMove = undefined;
      return this.applyResponse(response);
    }
    this.update({ ...NO_SEARCH, ...(!game && { engineOn: this.runsEngineIn(response.game) }) });
    const unconfirmed = this.unconfirmedMove;
    this.unconfirmedMove = undefined;
    // If the user navigated to another game while there was no connection, the address stays and is followed now.
    const hasNavigated = game && id && id !== game.id;
    this.applyResponse(response, !hasNavigated);
    if (hasNavigated) return this.followAddress();
    // An unconfirmed move is played again, unless the server had received it.
    const target = unconfirmed && this.state.position?.targets.find(({ text }) => text === unconfirmed.text);
    if (target && this.mayMove()) await this.playMove(target);
    else this.settle();
  }
}

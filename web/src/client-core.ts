import { updateAddress } from './address';
import type { BoardView } from './board-view';
import type { BoardTarget } from '../board/src/types';
import { describeError } from './error-message';
import { message } from './messages';
import { MoveTree } from './move-tree';
import { loadPictures } from './preferences';
import type { ClientRequest, MoveResultDto, ServerResponse, Side, TurnDto } from './wire/types';
import { playSoundAfterFrame } from './sound';
import { type Backup, ConnectionLost, RequestError, type Transport } from './transport';
import { NO_FINDINGS, type UiState, initialState, isGameOver, isWatched } from './ui-state';
import { REQUESTS } from './wire/requests';

/** The part of the state that says that the user has requested no search. */
export const NO_SEARCH: Pick<UiState, 'searchesHint' | 'searchQueued'> = { searchesHint: false, searchQueued: false };

/** The part of the state that says that no request has failed. */
const NO_ERROR = { error: undefined, otherGameText: undefined };

/** A position to which a request has been sent to go. */
export interface Destination {
  node: number;
  /** Whether the position is on the board already. */
  shown: boolean;
  /** The last position that the server has confirmed: it is shown again if it cannot go to this one. */
  before: Pick<UiState, 'node' | 'position'>;
  /** The response, or undefined if the server refuses to go there. */
  response: Promise<ServerResponse | undefined>;
}

/** What every part of the client needs: the state of the page, and requests with their responses. */
export class ClientCore {
  state: UiState = initialState();
  protected view: BoardView | null = null;
  protected onStateChange: (state: UiState) => void = () => {};
  protected transport?: Transport;
  /** Incremented by every action that makes the responses to earlier requests stale. */
  protected generation = 0;
  /** The position that was requested last, until the server is there. */
  protected destination?: Destination;
  /** The number of games that were requested and not received yet. Only the last one will be shown. */
  protected gamesLoading = 0;
  /** Whether the server has an open game since the connection was made: before, it refuses all moves. */
  hasOpenGame = false;
  /** The user's move that is on the board but not confirmed by the server. */
  protected unconfirmedMove?: BoardTarget;

  /** How often the shown game was replaced by that of another window, as the server counts it. */
  private reloads?: number;

  /** The move that is judged and not played, while the board shows it. */
  protected triedMove?: BoardTarget;

  /** Why no file can be opened: one is being imported. */
  importMessage?: string;

  /** The side that the user plays; null in analysis. */
  get userSide(): Side | null {
    return this.state.game?.person ?? null;
  }

  /** Returns whether the user may make a move now. */
  mayMove(): boolean {
    const { position, game, turn } = this.state;
    // The board shows another position than the one that was requested, or a move that may be refused.
    if ((this.destination && !this.destination.shown) || this.unconfirmedMove) return false;
    // While another game is loading, no move is played in the former one.
    if (!position || !game || turn.replying || turn.next === 'pass' || this.gamesLoading > 0) return false;
    const { retry, node } = this.state;
    // A tried move is not played: it does not matter who plays the sides and how the game ended.
    if (retry) return retry.node === node && (retry.stage === 'open' || retry.stage === 'wrong');
    if (isGameOver(this.state)) return false;
    if (isWatched(game) && !game.paused) return false;
    return game.person === null || position.side === game.person;
  }

  /** Makes the responses to all earlier requests stale. Returns the new generation. */
  invalidatePending(): number {
    this.destination = undefined;
    const { premove, premoveTargets } = this.state;
    if (premove || premoveTargets.length > 0) this.state = { ...this.state, premove: undefined, premoveTargets: [] };
    return ++this.generation;
  }

  /** Returns whether nothing has made the responses of a generation stale. */
  isCurrent(generation: number): boolean {
    return generation === this.generation;
  }

  /** Sends a request. Returns undefined, and shows the error, if it fails. */
  async request(request: ClientRequest): Promise<ServerResponse | undefined> {
    // A search runs in the background, so its response says nothing about the user's last action.
    const isSearch = REQUESTS[request.do].searches;
    const { error: formerError } = this.state;
    try {
      if (isSearch && this.state.engineFailed) this.update({ engineFailed: false });
      const response = await this.transport?.request({ ...request, reloads: this.reloads });
      if (response) this.mergeChanges(response);
      this.onRequestDone(request, response);
      // An error that has appeared since the request was sent is news.
      const isFormer = this.state.error !== undefined && this.state.error === formerError;
      if (isFormer && !isSearch) this.update(NO_ERROR);
      return response;
    } catch (error) {
      // A lost connection is shown by itself, and `onConnected` continues after it.
      if (error instanceof ConnectionLost) return undefined;
      // The change is shown, and the state of the saved games says that it is not saved.
      if (error instanceof RequestError && error.details.cause === 'not_saved') return undefined;
      this.update(describeError(error as Error, request, this.state));
      return undefined;
    }
  }

  /** Sends a request that belongs to no action of the user: if it fails, no error is shown. */
  async requestQuietly(request: ClientRequest): Promise<ServerResponse | undefined> {
    return this.transport?.request(request).catch(() => undefined);
  }

  /** All games as one file, where the games are kept in the browser. */
  get backup(): Backup | undefined {
    return this.transport?.backup;
  }

  /** The message while no request can be sent: a page without a server has lost no connection. */
  get lostMessage(): 'connectionLost' | 'startsAgain' {
    return this.backup ? 'startsAgain' : 'connectionLost';
  }

  /**
   * Returns the result of reading a file, or of an action of the transport. Returns undefined, and shows the error, if
   * it fails.
   */
  async orShowError<T>(action: Promise<T>): Promise<T | undefined> {
    try {
      return await action;
    } catch (error) {
      if (error instanceof RequestError) this.update(describeError(error, { do: 'games' }, this.state));
      else if (!(error instanceof ConnectionLost)) {
        this.showError(message(this.state.language, 'errorFileNotRead', (error as Error).message));
      }
      return undefined;
    }
  }

  /** Called after a request was carried out. */
  protected onRequestDone(_request: ClientRequest, _response?: ServerResponse): void {}

  /**
   * Takes over the nodes that a response has changed, even if the rest of it has become stale: the server sends them
   * only once. Whose turn it is, is always what the server has said last.
   */
  protected mergeChanges({ nodes, removed, edits, turn }: ServerResponse): void {
    if (turn) this.onTurn(turn);
    if (nodes || removed || edits) {
      const tree = nodes || removed ? this.state.tree.withChanges(nodes ?? [], removed) : this.state.tree;
      this.update({ tree, ...(edits && { edits }) });
    }
  }

  /** Takes over scores and a review that another window has saved. Searches and what is shown of them go on. */
  protected mergeFindings(response: ServerResponse): void {
    this.mergeChanges(response);
    if (response.review !== undefined) this.update({ review: response.review ?? undefined });
  }

  /** Takes over whose turn it is. */
  protected onTurn(turn: TurnDto): void {
    this.update({ turn, ...(!turn.replying && this.state.turn.replying && { searchQueued: false }) });
  }

  protected playMoveSound(result: MoveResultDto | undefined): void {
    if (result && !this.state.muted) playSoundAfterFrame(result.sound);
  }

  /**
   * Takes over what a response says about the game, after `mergeChanges`. The address is not updated while another game
   * is loading.
   */
  applyResponse(response: ServerResponse, updatesAddress = this.gamesLoading === 0): void {
    const { look: appearance, position, game, node, tree, review } = response;
    const { state } = this;
    this.reloads = response.reloads ?? this.reloads;
    this.hasOpenGame ||= game !== undefined;
    const positionChanged = position && (game || node !== state.node || position.fen !== state.position?.fen);
    this.update({
      ...(appearance && appearance.game !== state.appearance?.game && {
        appearance,
        pictures: loadPictures(appearance),
        analyser: undefined,
      }),
      ...(position && { position, positionReceivedAt: performance.now() }),
      ...(game && { game }),
      ...(tree && { tree: new MoveTree(tree) }),
      ...(node !== undefined && { node }),
      // The mistakes that are retried may be gone with the former moves.
      ...((tree || review !== undefined) && { review: review ?? undefined, ...this.withoutRetry() }),
      ...(positionChanged && NO_FINDINGS),
    });
    if (updatesAddress) updateAddress(this.state);
  }

  /** Returns the changes of the state that end the retrying: the engine is on again if it was on before. */
  protected withoutRetry(): Partial<UiState> {
    const { retry } = this.state;
    return { retry: undefined, explanationArrows: [], ...(retry?.engineOn && { engineOn: true }) };
  }

  update(changes: Partial<UiState>): void {
    this.state = { ...this.state, ...changes };
    this.updateBoard();
    this.onStateChange(this.state);
  }

  protected updateBoard(): void {
    this.view?.update(this.state, { mayMove: this.mayMove(), showsPosition: !this.unconfirmedMove && !this.triedMove });
  }

  /** Shows a move on the board that is judged and not played; undefined to show the position again. */
  showTriedMove(target: BoardTarget | undefined): void {
    if (target) this.view?.showUnconfirmedMove(target);
    this.triedMove = target;
    this.updateBoard();
  }

  /** Returns the board with everything on it as an SVG document. */
  snapshot(): string | undefined {
    return this.view?.snapshot();
  }

  /** Gives the keyboard to the board. */
  focusBoard(): void {
    this.view?.focus();
  }

  clearError(): void {
    const { error, engineFailed } = this.state;
    if (error === undefined && !engineFailed) return;
    this.update({ ...NO_ERROR, engineFailed: false });
  }

  clearNotice(): void {
    if (this.state.notice) this.update({ notice: undefined });
  }

  showError(error: string): void {
    this.update({ ...NO_ERROR, error });
  }
}

import type { BoardTarget } from '../board/src/types';
import type { StartOptions, UiState } from './ui-state';
import type { ClientRequest, ServerResponse, Side } from './wire/types';

/** What the parts of the client need of it: they know the client by this alone, so that it can be made of them. */
export interface ClientActions {
  readonly state: UiState;
  /** The side that the user plays; null in analysis. */
  readonly userSide: Side | null;
  update(changes: Partial<UiState>): void;
  /** Sends a request. Returns undefined, and shows the error, if it fails. */
  request(request: ClientRequest): Promise<ServerResponse | undefined>;
  /** Sends a request that belongs to no action of the user: if it fails, no error is shown. */
  requestQuietly(request: ClientRequest): Promise<ServerResponse | undefined>;
  applyResponse(response: ServerResponse): void;
  /** Makes the responses to all earlier requests stale. Returns the new generation. */
  invalidatePending(): number;
  isCurrent(generation: number): boolean;
  /** Requests what is shown about the position, unless a move is about to come. */
  settle(): void;
  startGame(game: string, person: Side | null, level: number, options?: StartOptions): Promise<boolean>;
  goTo(node: number | undefined): Promise<void>;
  changeGame(request: ClientRequest): Promise<boolean>;
  applyEdit(direction: 'undo' | 'redo'): Promise<ServerResponse | undefined>;
  /** Takes over the new id of the open game, which was deleted. */
  renameGame(response: ServerResponse): void;
  sendDialect(name: string): Promise<void>;
  /** Sends the server the time that the computer searches its replies. */
  sendPace(): void;
  runEngine(on: boolean, lineCount?: number): void;
  showTriedMove(target: BoardTarget | undefined): void;
  clearNotice(): void;
}

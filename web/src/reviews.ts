import type { BoardTarget } from '../board/src/types';
import type { ClientActions } from './client-actions';
import { NO_SEARCH } from './client-core';
import type { ReviewDto, ReviewMark, Side, TargetDto } from './wire/types';
import type { Retry } from './ui-state';

/** The marks of moves that can be retried. */
const RETRIED_MARKS: (ReviewMark | null)[] = ['mistake', 'blunder'];

/** The review of the open game: it is searched and judged by the server. */
export class Reviews {
  /** The review that runs. */
  private running?: { engineOn: boolean };

  constructor(private readonly client: ClientActions) {}

  /** Reviews the game. A deep review searches each position with more nodes. */
  async start(deep = false): Promise<void> {
    const { client } = this;
    this.endRetry();
    const generation = client.invalidatePending();
    const running = { engineOn: this.running?.engineOn ?? client.state.engineOn };
    this.running = running;
    client.update({ ...NO_SEARCH, reviewedPositions: 0, engineOn: false, analysisLines: [] });
    const response = await client.request({ do: 'review', deep });
    if (this.running !== running) return;
    // Another request may have ended the review early.
    this.running = undefined;
    client.update({ reviewedPositions: undefined, engineOn: running.engineOn || client.state.engineOn });
    if (!client.isCurrent(generation)) return;
    if (response?.nodes) client.applyResponse(response);
    else if (response) await this.showFound();
    client.settle();
  }

  /** Shows what a review that was ended early has found. */
  private async showFound(): Promise<void> {
    const response = await this.client.request({ do: 'summary' });
    if (response) this.client.update({ review: response.review ?? undefined });
  }

  /** Ends the review, whose response will be stale. The engine is on again if it was on before. */
  end(): void {
    const { client, running } = this;
    this.running = undefined;
    client.update({ reviewedPositions: undefined, ...(running?.engineOn && { engineOn: true }) });
  }

  /** Stops the review. What it has found so far stays. */
  async stop(): Promise<void> {
    const { client } = this;
    client.invalidatePending();
    this.end();
    await client.request({ do: 'stop' });
    await this.showFound();
    client.settle();
  }

  /** Returns the mistakes of a side, or of both, in the order of the game. */
  mistakes(side: Side | 'both'): number[] {
    const moves = this.client.state.review?.moves ?? [];
    const isRetried = (move: ReviewDto['moves'][number]) =>
      RETRIED_MARKS.includes(move.mark) && move.best && (side === 'both' || move.side === side);
    return moves.filter(isRetried).map(({ node }) => node);
  }

  /** Lets the user look for better moves than the mistakes of a side. */
  async retry(mistakes: number[]): Promise<void> {
    const { client } = this;
    const engineOn = client.state.retry?.engineOn ?? client.state.engineOn;
    client.runEngine(false);
    await this.retryAt({ mistakes, index: 0, node: 0, stage: 'open', hints: 0, engineOn });
  }

  /** Goes on with the next mistake, or ends after the last one. */
  async nextMistake(): Promise<void> {
    const { retry } = this.client.state;
    if (retry) await this.retryAt({ ...retry, index: retry.index + 1 });
  }

  private async retryAt(retry: Retry): Promise<void> {
    const { client } = this;
    const parent = client.state.tree.node(retry.mistakes[retry.index] ?? -1)?.parent;
    if (parent === undefined) return this.endRetry();
    client.update({
      retry: { ...retry, node: parent, stage: 'open', hints: 0, trial: undefined },
      explanationArrows: [],
    });
    await client.goTo(parent);
    // The position may be on the board already.
    client.update({});
  }

  /** Ends the retrying, and switches the engine on again if it was on before. */
  endRetry(): void {
    const { retry } = this.client.state;
    if (!retry) return;
    this.client.update({ retry: undefined, explanationArrows: [] });
    if (retry.engineOn) this.client.runEngine(true);
  }

  /** Lets the server judge a move instead of the mistake. The board shows it meanwhile. */
  async tryMove(target: BoardTarget): Promise<void> {
    const { client } = this;
    const { retry } = client.state;
    if (!retry) return;
    const generation = client.invalidatePending();
    client.update({ ...NO_SEARCH, retry: { ...retry, stage: 'judging' } });
    client.showTriedMove(target);
    const response = await client.request({ do: 'try', node: retry.node, text: target.text });
    client.showTriedMove(undefined);
    if (!client.isCurrent(generation) || !client.state.retry) return;
    const trial = response?.trial;
    const stage = !trial ? 'open' : trial.mark === null ? 'right' : 'wrong';
    client.update({ retry: { ...retry, stage, trial }, explanationArrows: trial ? arrowTo(target) : [] });
  }

  /** Shows the piece that has a better move, then also the square to which it goes. */
  giveHint(): void {
    const { client } = this;
    const { retry } = client.state;
    const target = this.solution();
    if (!retry || !target?.to) return;
    const hints = retry.hints > 0 || target.from === null ? 2 : 1;
    const square = hints === 1 ? target.from : target.to;
    const rings = [{ from: null, to: square ?? target.to, rank: 1 }];
    if (hints === 2 && target.from) rings.push({ from: null, to: target.from, rank: 1 });
    client.update({ retry: { ...retry, stage: 'open', hints, trial: undefined }, explanationArrows: rings });
  }

  /** Shows the best move. */
  showSolution(): void {
    const { client } = this;
    const { retry } = client.state;
    const target = this.solution();
    if (!retry || !target) return;
    client.update({ retry: { ...retry, stage: 'solved' }, explanationArrows: arrowTo(target) });
  }

  private solution(): TargetDto | undefined {
    const { retry, review, position } = this.client.state;
    const best = review?.moves.find(({ node }) => node === retry?.mistakes[retry.index])?.best;
    return position?.targets.find(({ text }) => text === best);
  }
}

function arrowTo({ from, to }: Pick<BoardTarget, 'from' | 'to'>) {
  return to ? [{ from, to, rank: 1 }] : [];
}

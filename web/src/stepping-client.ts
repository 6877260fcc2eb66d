import { ClientCore, type Destination, NO_SEARCH } from './client-core';
import type { Direction } from './move-tree';
import { PositionsAhead } from './positions-ahead';
import type { Premoves } from './premoves';
import type { ServerResponse } from './wire/types';
import type { Reviews } from './reviews';
import { NO_FINDINGS, type UiState, isPlayed } from './ui-state';

/** The part of the client that goes to other positions of the game. */
export abstract class SteppingClient extends ClientCore {
  abstract readonly premoves: Premoves;
  abstract readonly reviews: Reviews;
  private readonly ahead = new PositionsAhead(this);

  protected abstract refreshAnalysis(): Promise<void>;
  abstract settle(): void;

  /** Steps from the position to which the last step led, whether it is shown already or not. */
  async step(direction: Direction): Promise<void> {
    const { tree, node } = this.state;
    await this.goTo(tree.neighbours(this.destination?.node ?? node)[direction]);
  }

  /** Goes to another position of the game. */
  async goTo(node: number | undefined): Promise<void> {
    const { destination: former } = this;
    // A search for a reply and a review continue; a search for a hint or an analysis of the former position stops.
    const searchContinues = this.state.turn.replying || this.state.reviewedPositions !== undefined;
    if (node === undefined || node === (former?.node ?? this.state.node) || !this.state.tree.node(node)) return;
    // Steps that follow each other quickly are all shown, in their order.
    const generation = searchContinues || former ? this.generation : this.invalidatePending();
    if (this.state.retry && this.state.retry.node !== node) this.reviews.endRetry();
    const before = former?.before ?? { node: this.state.node, position: this.state.position };
    this.unconfirmedMove = undefined;
    this.premoves.cancel();
    const shown = this.showAhead(node, searchContinues ? {} : NO_SEARCH);
    const destination = { node, shown, before, response: this.request({ do: 'go', node }) };
    this.destination = destination;
    const response = await destination.response;
    const isLast = this.destination === destination;
    if (isLast) this.destination = undefined;
    if (generation !== this.generation) return;
    if (!response) return isLast ? this.showAgain(destination.before) : undefined;
    if (this.destination) this.destination.before = { node, position: response.position };
    // The page may be ahead of this response.
    if (this.destination?.shown) return;
    const steps = shown ? [] : (response.steps ?? []);
    for (const step of steps) this.view?.play(step.script);
    if (steps.length === 1) this.playMoveSound(steps[0]);
    this.applyResponse(response);
    if (isLast) this.settle();
  }

  /** Goes to a move of a repetition and draws arrows to the pieces that it chases. */
  async showAttacks(node: number | undefined, victims: string[]): Promise<void> {
    await this.goTo(node);
    const from = this.state.position?.last.at(-1) ?? null;
    if (node === this.state.node) this.update({ explanationArrows: victims.map((to) => ({ from, to, rank: 1 })) });
  }

  /** Shows a position before the server has gone there, if it is known. Returns whether it is. */
  private showAhead(node: number, changes: Partial<UiState>): boolean {
    const known = this.ahead.find(node);
    const step = known && this.ahead.stepBetween(this.state.node, node);
    if (step) this.view?.play(step.script);
    this.update(known ? { ...changes, ...this.ahead.stateAt(known) } : changes);
    if (step) this.playMoveSound(step);
    this.ahead.loadSoon();
    return known !== undefined;
  }

  /** Shows the position where the server still is, after it could not go to another one. */
  protected showAgain(before: Destination['before']): void {
    if (this.state.connected) this.update({ ...before, ...NO_FINDINGS });
  }

  protected override mergeChanges(response: ServerResponse): void {
    const { game, tree, removed } = response;
    if (game || tree || removed?.length) this.ahead.forget();
    super.mergeChanges(response);
  }

  override applyResponse(response: ServerResponse, updatesAddress?: boolean): void {
    // The page is ahead of the server: a response to another request must not show the former position again.
    const isBehind = this.destination?.shown && !response.tree;
    super.applyResponse(isBehind ? { ...response, node: undefined, position: undefined } : response, updatesAddress);
    if (response.position && !isPlayed(this.state.game)) this.ahead.loadSoon();
  }
}

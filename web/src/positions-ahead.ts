import type { ClientCore } from './client-core';
import type { MoveResultDto, TreePositionDto } from './wire/types';
import { NO_FINDINGS, type UiState } from './ui-state';

/** The number of positions in each direction that are requested before they are needed. */
const REACH = 10;
/** If fewer positions are known in a direction, more are requested. */
const MIN_REACH = 5;
/** The number of positions that are kept. */
const MAX_KNOWN = 200;
/** How long the request waits, so that the position on the board comes first, in milliseconds. */
const LOAD_DELAY_MS = 20;

/**
 * The positions around the one on the board, which the server has sent before they are needed. With them a step is
 * shown at once; the response of the server replaces what is shown.
 */
export class PositionsAhead {
  private readonly known = new Map<number, TreePositionDto>();
  private timer?: ReturnType<typeof setTimeout>;
  private loading = false;
  /** How often all positions were dropped. */
  private drops = 0;

  constructor(private readonly client: ClientCore) {}

  /** Returns the position of a node, if it is known. */
  find(node: number): TreePositionDto | undefined {
    return this.known.get(node);
  }

  /** Returns the state that shows a known position. Its clock is that of the position on the board. */
  stateAt({ node, position }: TreePositionDto): Partial<UiState> {
    const clock = this.client.state.position?.clock ?? null;
    return { ...NO_FINDINGS, node, position: clock ? { ...position, clock } : position };
  }

  /** Returns the move between two neighbours: the one that is played, or the one that is taken back. */
  stepBetween(from: number, to: number): MoveResultDto | undefined {
    const { tree } = this.client.state;
    if (tree.node(to)?.parent === from) return this.known.get(to)?.step ?? undefined;
    return tree.node(from)?.parent === to ? (this.known.get(from)?.back ?? undefined) : undefined;
  }

  /** Drops all positions: the moves, the rules or the notation have changed. */
  forget(): void {
    this.known.clear();
    this.drops++;
  }

  /** Requests the positions around the one on the board that are not known yet. */
  loadSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.load();
    }, LOAD_DELAY_MS);
  }

  private async load(): Promise<void> {
    if (this.loading || document.hidden) return;
    const nodes = this.missingNodes();
    if (nodes.length === 0) return;
    this.loading = true;
    const { drops } = this;
    const response = await this.client.requestQuietly({ do: 'positions', nodes });
    this.loading = false;
    // Positions of a game that was replaced meanwhile are left out.
    if (drops === this.drops) response?.positions?.forEach((position) => this.known.set(position.node, position));
    for (const node of this.known.keys()) {
      if (this.known.size <= MAX_KNOWN) break;
      this.known.delete(node);
    }
    // The board may show another position by now.
    if (response?.positions) this.loadSoon();
  }

  /** Returns the nodes on the line through the current one that are needed next, the nearest first. */
  private missingNodes(): number[] {
    const { tree, node } = this.client.state;
    const line = tree.lineThrough(node).map((one) => one.node);
    const index = line.indexOf(node);
    const missing: number[] = [];
    for (const nodes of [line.slice(index, index + REACH + 1), line.slice(Math.max(0, index - REACH), index).reverse()]) {
      const isMissing = (id: number) => !this.known.has(id);
      if (nodes.slice(0, MIN_REACH).some(isMissing)) missing.push(...nodes.filter(isMissing));
    }
    return missing;
  }
}

import type { ClientActions } from './client-actions';
import type { StartOptions } from './ui-state';
import { loadPreference, savePreference } from './preferences';

/** The pauses between two moves that can be chosen, in milliseconds. */
export const WATCH_DELAYS = [0, 500, 1500, 4000] as const;

/** What the user does in a game of the computer against itself. The game says who plays, and whether it is paused. */
export class Watch {
  /** The pause between two moves, in milliseconds. */
  delay = Number(loadPreference('watchDelay', '500'));

  constructor(private readonly client: ClientActions) {}

  /** Starts a game of the computer against itself. */
  async start(game: string, levels: [number, number], start: Pick<StartOptions, 'fen' | 'waive'> = {}): Promise<void> {
    await this.client.startGame(game, null, this.client.state.level, { levels, ...start });
  }

  setDelay(delay: number): void {
    savePreference('watchDelay', String(delay));
    this.delay = delay;
    this.client.update({});
  }

  /** Pauses the game after the move that is being searched, or goes on from its last position. */
  async setPaused(paused: boolean): Promise<void> {
    const { client } = this;
    const response = await client.request({ do: 'pause', paused });
    if (!response) return;
    client.applyResponse(response);
    const { tree, node, turn } = client.state;
    const last = tree.lineThrough(node).at(-1)?.node;
    if (!paused && !turn.replying && last !== node) await client.goTo(last);
    else client.settle();
  }
}

import type { GameClient } from './game-client';
import { loadPreference, savePreference } from './preferences';
import type { GameDto } from './wire/types';

/** A game of the computer against itself, which the user watches. */
export interface WatchedGame {
  /** The levels of both sides. */
  levels: [number, number];
  paused: boolean;
}

/** The pauses between two moves that can be chosen, in milliseconds. */
export const WATCH_DELAYS = [0, 500, 1500, 4000] as const;

/** The game of level against level: it goes on by itself until it is over, paused or left. */
export class Watch {
  /** The pause between two moves, in milliseconds. */
  delay = Number(loadPreference('watchDelay', '500'));

  constructor(private readonly client: GameClient) {}

  /** Starts a game of the computer against itself. */
  async start(game: string, levels: [number, number]): Promise<void> {
    const { client } = this;
    if (!(await client.startGame(game, null, client.state.level))) return;
    client.runEngine(false);
    savePreference('watched', [client.state.game?.id, ...levels].join(' '));
    client.update({ watched: { levels, paused: false } });
    await client.continueAtLineEnd();
  }

  /** Returns the paused state of the last watched game, if this is that game, such as after the page was reloaded. */
  restored(game: GameDto | undefined): WatchedGame | undefined {
    const [id, first, second] = loadPreference('watched', '').split(' ');
    return game?.id === id ? { levels: [Number(first), Number(second)], paused: true } : undefined;
  }

  /** Leaves the watched game, which becomes an analysis or a game of the user. */
  leave(): void {
    if (this.client.state.watched) savePreference('watched', '');
    this.client.update({ watched: undefined });
  }

  setDelay(delay: number): void {
    savePreference('watchDelay', String(delay));
    this.delay = delay;
    this.client.update({});
  }

  /** Pauses the game after the move that is being searched, or goes on from its last position. */
  async setPaused(paused: boolean): Promise<void> {
    const { client } = this;
    const { watched, tree, node } = client.state;
    if (!watched) return;
    client.update({ watched: { ...watched, paused } });
    if (paused || client.state.searching) return;
    const last = tree.lineThrough(node).at(-1)?.node;
    if (last !== node) await client.goTo(last);
    else await client.continueAtLineEnd();
  }

  /** Returns the level of the side to move, if the computer has to move now. */
  get levelToMove(): number | undefined {
    const { watched, position } = this.client.state;
    return watched && !watched.paused && position ? watched.levels[position.side] : undefined;
  }
}

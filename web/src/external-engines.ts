import type { GameClient } from './game-client';
import { loadPreference, savePreference } from './preferences';

/** The number of games whose opponents are kept. */
const MAX_OPPONENTS = 100;

/** Returns the ids of games with the names of the engines that play in them; the game that was started last is last. */
function savedOpponents(): [id: string, engine: string][] {
  return loadPreference('opponent', '')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([id = '', ...name]) => [id, name.join(':')]);
}

/** Returns the engine that plays against the user in a game; undefined for the built-in one. */
export function savedOpponent(game: string): string | undefined {
  return savedOpponents().find(([id]) => id === game)?.[1];
}

/** The external engines: other programs, with which the server was started. The page knows their names only. */
export class ExternalEngines {
  private readonly names = new Map<string, string[]>();

  constructor(private readonly client: GameClient) {}

  /** Returns the names of the engines that can play a game. */
  async enginesFor(game: string): Promise<string[]> {
    const known = this.names.get(game);
    if (known) return known;
    const response = await this.client.requestQuietly({ do: 'engines', game });
    if (response?.engines) this.names.set(game, response.engines);
    return response?.engines ?? [];
  }

  /** Returns the engine that plays against the user in the open game; undefined for the built-in one. */
  get opponent(): string | undefined {
    const { game } = this.client.state;
    return game && savedOpponent(game.id);
  }

  /** Lets an engine play against the user in a game, by default the open one. */
  setOpponent(name: string | undefined, game = this.client.state.game?.id): void {
    if (game) {
      // Other windows may play other games.
      const others = savedOpponents().filter(([id]) => id !== game);
      const opponents = name === undefined ? others : [...others, [game, name]].slice(-MAX_OPPONENTS);
      savePreference('opponent', opponents.map(([id, engine]) => `${id}:${engine}`).join('\n'));
    }
    this.client.update({});
  }

  /** Lets an engine analyse; undefined for the built-in one. */
  setAnalyser(analyser: string | undefined): void {
    this.client.update({ analyser, analysisLines: [] });
    if (this.client.state.engineOn) this.client.runEngine(true);
  }
}

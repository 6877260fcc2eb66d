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

/** The external engines: other programs, with which the server was started. The page knows their names only. */
export class ExternalEngines {
  private readonly names = new Map<string, string[]>();

  constructor(private readonly client: GameClient) {}

  /** Returns the names of the engines that can play a game. */
  async of(game: string): Promise<string[]> {
    const known = this.names.get(game);
    if (known) return known;
    const response = await this.client.requestQuietly({ do: 'engines', game });
    if (response?.engines) this.names.set(game, response.engines);
    return response?.engines ?? [];
  }

  /** Returns the engine that plays against the user in the open game; undefined for the built-in one. */
  get opponent(): string | undefined {
    const { game } = this.client.state;
    return game && savedOpponents().find(([id]) => id === game.id)?.[1];
  }

  /** Lets an engine play against the user in the open game. */
  setOpponent(name: string | undefined): void {
    const { game } = this.client.state;
    if (game) {
      // Other windows may play other games.
      const others = savedOpponents().filter(([id]) => id !== game.id);
      const opponents = name === undefined ? others : [...others, [game.id, name]].slice(-MAX_OPPONENTS);
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

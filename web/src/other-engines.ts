import type { GameClient } from './game-client';
import { loadPreference, savePreference } from './preferences';

/** The engines of other programs, which the server was started with. The page knows their names only. */
export class OtherEngines {
  private readonly names = new Map<string, string[]>();

  constructor(private readonly client: GameClient) {}

  /** Returns the names of the engines that can play a game. */
  async of(game: string): Promise<string[]> {
    const known = this.names.get(game);
    if (known) return known;
    const response = await this.client.request({ do: 'engines', game });
    if (response?.engines) this.names.set(game, response.engines);
    return response?.engines ?? [];
  }

  /** Returns the engine that plays against the user in the open game; undefined for the built-in one. */
  get opponent(): string | undefined {
    const [id, ...name] = loadPreference('opponent', '').split(':');
    return id !== undefined && id === this.client.state.game?.id ? name.join(':') : undefined;
  }

  /** Lets an engine play against the user in the open game. */
  setOpponent(name: string | undefined): void {
    savePreference('opponent', name === undefined ? '' : `${this.client.state.game?.id}:${name}`);
    this.client.update({});
  }

  /** Lets an engine analyse; undefined for the built-in one. */
  setAnalyser(analyser: string | undefined): void {
    this.client.update({ analyser, analysisLines: [] });
    if (this.client.state.engineOn) this.client.setEngine(true);
  }
}

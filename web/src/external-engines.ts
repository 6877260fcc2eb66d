import type { ClientActions } from './client-actions';

/** The external engines: other programs, with which the server was started. The page knows their names only. */
export class ExternalEngines {
  private readonly names = new Map<string, string[]>();

  constructor(private readonly client: ClientActions) {}

  /** Returns the names of the engines that can play a game. */
  async enginesFor(game: string): Promise<string[]> {
    const known = this.names.get(game);
    if (known) return known;
    const response = await this.client.requestQuietly({ do: 'engines', game });
    if (response?.engines) this.names.set(game, response.engines);
    return response?.engines ?? [];
  }

  /** Lets an engine analyse; undefined for the built-in one. */
  setAnalyser(analyser: string | undefined): void {
    this.client.update({ analyser, analysisLines: [] });
    if (this.client.state.engineOn) this.client.runEngine(true);
  }
}

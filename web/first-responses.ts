// The responses with which the page without a server begins, as the module gives them. The build writes them into the
// page, so that a first visit can begin before the module is loaded.

import { readFileSync } from 'node:fs';
import { Instance } from '../apps/wasm/js/instance';
import { DEFAULT_LEVEL } from './src/preferences';
import type { ClientRequest, ServerResponse } from './src/wire/types';
import type { FirstResponses } from './src/site/first-visit';

/** Requests the list of games, and the first of them with a level and a side, in the notation of each language. */
export async function firstResponses(modulePath: string | URL): Promise<FirstResponses> {
  const instance = new Instance();
  await instance.init(new WebAssembly.Module(readFileSync(modulePath)));
  const request = (body: ClientRequest): ServerResponse => {
    const text = new TextEncoder().encode(JSON.stringify({ id: 1, ...body }));
    const { messages } = instance.call('page.text', {}, text) as { messages: ServerResponse[] };
    const [response] = messages;
    if (!response || response.error !== undefined) throw new Error(`no response to ${body.do}: ${response?.error}`);
    return response;
  };
  const games = request({ do: 'games' });
  const start = request({ do: 'new', game: games.games?.[0]?.game ?? '', person: 0, level: DEFAULT_LEVEL });
  const names = [start.game?.dialect_en, start.game?.dialect_zh].filter((name) => typeof name === 'string');
  const dialects = names.map((name) => [name, differences(start, request({ do: 'dialect', name }))]);
  return { games, start, dialects: Object.fromEntries(dialects) as FirstResponses['dialects'] };
}

/** Returns the fields that differ from those of another response. */
function differences(from: ServerResponse, to: ServerResponse): Partial<ServerResponse> {
  const former = from as unknown as Record<string, unknown>;
  const entries = Object.entries(to).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name]));
  return Object.fromEntries(entries);
}

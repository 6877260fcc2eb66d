// The first visit: the page begins with the responses that were written into it, while the module is being loaded.

import { parseAddress } from '../address';
import { loadPreference } from '../preferences';
import type { ClientRequest, ServerResponse } from '../wire/types';

/** The id of the element with the responses. */
export const FIRST_RESPONSES = 'first-responses';

/** The responses to the requests with which a first visit begins. */
export interface FirstResponses {
  games: ServerResponse;
  /** A new game of the first kind. */
  start: ServerResponse;
  /** What differs in the responses to a choice of notation, by its name. */
  dialects: Record<string, Partial<ServerResponse>>;
}

/** Answers what a first visit requests before the worker is ready. */
export class FirstVisit {
  /** The requests that were answered. The worker has to carry them out, too. */
  readonly answered: ClientRequest[] = [];
  /** The id under which the page knows the game. */
  readonly id = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('');

  constructor(private readonly responses: FirstResponses) {}

  /** Returns the response; undefined if the worker has to give it. */
  respond(request: ClientRequest): ServerResponse | undefined {
    const { games, start } = this.responses;
    if (request.do === 'games' && this.answered.length === 0) return games;
    const response = this.answered.length === 0 ? this.startOf(request) : this.inDialect(request);
    if (response) this.answered.push(request);
    return response?.game && { ...start, ...response, game: { ...response.game, id: this.id } };
  }

  /** Returns the response if the request is for the game that was prepared. */
  private startOf(request: ClientRequest): ServerResponse | undefined {
    const { start } = this.responses;
    const wanted = { do: 'new', game: start.game?.game, person: start.game?.person, level: start.game?.level };
    const given = Object.entries(request).filter(([, value]) => value !== undefined);
    const same = given.every(([name, value]) => (wanted as Record<string, unknown>)[name] === value);
    return same && given.length === Object.keys(wanted).length ? start : undefined;
  }

  private inDialect(request: ClientRequest): Partial<ServerResponse> | undefined {
    const isKnown = request.do === 'dialect' && this.answered.length === 1;
    return isKnown ? this.responses.dialects[request.name] : undefined;
  }
}

/** Returns the first visit; undefined if there may be a game to open. */
export function firstVisit(): FirstVisit | undefined {
  const element = document.getElementById(FIRST_RESPONSES);
  if (!element || loadPreference('game', '') || parseAddress()[0] || location.hash.includes('=')) return undefined;
  return new FirstVisit(JSON.parse(element.textContent ?? '') as FirstResponses);
}

import type { ClientRequest, ServerEvent, ServerResponse } from './protocol';

/**
 * The way to the games: today the WebSocket of the server. Whatever answers the requests of `protocol.ts` can take its
 * place, such as a worker with the games in the browser; the page knows nothing else of it.
 */
export interface Transport {
  /**
   * Sends a request. Rejects with `RequestError` if it is refused, with `ConnectionLost` if no response can come.
   */
  request(request: ClientRequest): Promise<ServerResponse>;
}

/** Receives what comes without a request, and changes of the connection. */
export interface TransportListener {
  onEvent(event: ServerEvent): void;
  onConnectionChange(connected: boolean): void;
}

/** Opens a transport. The listener learns when requests can be sent. */
export type OpenTransport = (listener: TransportListener) => Transport;

/**
 * The largest text of a request in bytes: messages have up to 8 MiB, and a little is left for the other fields.
 */
export const MAX_TEXT_BYTES = (8 << 20) - 1024;
/**
 * Requests that start a search. They run in the background, so their responses say nothing about the user's last
 * action.
 */
export const SEARCH_REQUESTS = new Set(['think', 'hint', 'analyse', 'review', 'try']);

/** A request was refused: the message in English, and the fields from which the page makes its own message. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly details: Pick<ServerResponse, 'error_zh' | 'cause' | 'other' | 'waivable'>,
  ) {
    super(message);
  }
}

/** The connection was lost before the response came. The request may have been carried out. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection was lost');
  }
}

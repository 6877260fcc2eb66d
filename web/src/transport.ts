import type { AppearanceDto, ClientRequest, PositionDto, RequestHeader, ServerEvent, ServerResponse } from './wire/types';

/**
 * The connection between the page and its session, which has the games: the WebSocket of the server, or a worker in the
 * browser. The page knows nothing else of it.
 */
export interface Transport {
  /** All games as one file, where the games are kept in the browser. */
  readonly backup?: Backup;
  /** The board that was shown last, where it takes time until the first response: it is drawn meanwhile. */
  readonly lastBoard?: LastBoard;
  /**
   * Sends a request. Rejects with `RequestError` if it is refused, with `ConnectionLost` if no response can come.
   */
  request(request: SentRequest): Promise<ServerResponse>;
}

/** A request without its id, which the transport gives it. */
export type SentRequest = ClientRequest & Omit<RequestHeader, 'id'>;

/** A board without its game: no move can be made on it. */
export interface LastBoard {
  appearance: AppearanceDto;
  position: PositionDto;
}

/** All games as one file. */
export interface Backup {
  save(): Promise<Blob>;
  /**
   * Adds the games of a file and returns their number. Rejects with `RequestError` if it is no such file, with another
   * error if it cannot be read.
   */
  load(file: Blob): Promise<number>;
}

/** Receives what comes without a request, and changes of the connection. */
export interface TransportListener {
  onEvent(event: ServerEvent): void;
  /** An error that belongs to no request. */
  onError(error: RequestError): void;
  onConnectionChange(connected: boolean): void;
}

/** Opens a transport. The listener learns when requests can be sent. */
export type OpenTransport = (listener: TransportListener) => Transport;

/**
 * The largest text of a request in bytes: messages have up to 8 MiB, and a little is left for the other fields.
 */
export const MAX_TEXT_BYTES = (8 << 20) - 1024;

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

/** The requests that wait for their responses. */
export class PendingRequests {
  private nextId = 1;
  private readonly pending = new Map<number, { resolve(response: ServerResponse): void; reject(error: Error): void }>();

  constructor(private readonly listener: TransportListener) {}

  /** Sends a request under a new id, and returns its response. */
  add(send: (id: number) => void): Promise<ServerResponse> {
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.pending.set(id, { resolve, reject });
      send(id);
    });
  }

  /** Gives a message to the request that waits for it, or to the listener. */
  onMessage(message: ServerResponse | ServerEvent): void {
    if ('event' in message) {
      this.listener.onEvent(message);
      return;
    }
    if (message.id === 0 && message.error !== undefined) {
      this.listener.onError(new RequestError(message.error, message));
      return;
    }
    const request = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.error === undefined) request?.resolve(message);
    else request?.reject(new RequestError(message.error, message));
  }

  /** Rejects all requests, because no response can come any more. */
  rejectAll(): void {
    for (const { reject } of this.pending.values()) reject(new ConnectionLost());
    this.pending.clear();
  }
}

/** The delays before the attempts to reconnect, in milliseconds. The last one is repeated. */
const RECONNECT_DELAYS_MS = [200, 500, 1000, 2000, 4000];

/** Returns the delay before an attempt to reconnect, from 0 on. */
export function reconnectDelay(attempt: number): number | undefined {
  return RECONNECT_DELAYS_MS[Math.min(attempt, RECONNECT_DELAYS_MS.length - 1)];
}

import type { ClientRequest, ServerEvent, ServerResponse } from './protocol';

/** Receives what the server sends without a request, and changes of the connection. */
export interface SocketListener {
  onEvent(event: ServerEvent): void;
  onConnectionChange(connected: boolean): void;
}

/**
 * The largest text of a request in bytes: the server accepts messages up to 8 MiB, and a little is left for the other
 * fields.
 */
export const MAX_TEXT_BYTES = (8 << 20) - 1024;
/**
 * Requests that start a search. They run in the background, so their responses say nothing about the user's last
 * action.
 */
export const SEARCH_REQUESTS = new Set(['think', 'hint', 'analyse', 'review']);
/** The delays before the attempts to reconnect, in milliseconds. The last one is repeated. */
const RECONNECT_DELAYS_MS = [200, 500, 1000, 2000, 4000];

/** A WebSocket that matches responses to requests and reconnects when the connection is lost. */
export class Socket {
  private socket?: WebSocket;
  private nextId = 1;
  private attempts = 0;
  private readonly pending = new Map<number, { resolve(response: ServerResponse): void; reject(error: Error): void }>();

  constructor(
    private readonly url: string,
    private readonly listener: SocketListener,
  ) {
    this.connect();
  }

  /**
   * Sends a request. Rejects with `RequestError` if the server refuses it, with `ConnectionLost` if no response can
   * come.
   */
  request(request: ClientRequest): Promise<ServerResponse> {
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new ConnectionLost());
        return;
      }
      const id = this.nextId++;
      this.pending.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, ...request }));
    });
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.listener.onConnectionChange(true);
    };
    socket.onmessage = ({ data }) => this.onMessage(JSON.parse(String(data)) as ServerResponse | ServerEvent);
    socket.onclose = () => {
      for (const { reject } of this.pending.values()) reject(new ConnectionLost());
      this.pending.clear();
      this.listener.onConnectionChange(false);
      const delay = RECONNECT_DELAYS_MS[Math.min(this.attempts++, RECONNECT_DELAYS_MS.length - 1)];
      setTimeout(() => this.connect(), delay);
    };
  }

  private onMessage(message: ServerResponse | ServerEvent): void {
    if ('event' in message) {
      this.listener.onEvent(message);
      return;
    }
    const request = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.error === undefined) request?.resolve(message);
    else request?.reject(new RequestError(message.error, message));
  }
}

/** The server refused a request: the message in English, and the fields from which the page makes its own message. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly details: Pick<ServerResponse, 'error_zh' | 'cause' | 'other' | 'waivable'>,
  ) {
    super(message);
  }
}

/** The connection was lost before the response came. The server may have carried out the request. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection was lost');
  }
}

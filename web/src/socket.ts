import type { ClientRequest, ServerEvent, ServerResponse } from './protocol';
import { ConnectionLost, RequestError, type Transport, type TransportListener } from './transport';

/** The delays before the attempts to reconnect, in milliseconds. The last one is repeated. */
const RECONNECT_DELAYS_MS = [200, 500, 1000, 2000, 4000];

/** The WebSocket of the server: it matches responses to requests and reconnects when the connection is lost. */
export class Socket implements Transport {
  private socket?: WebSocket;
  private nextId = 1;
  private attempts = 0;
  private readonly pending = new Map<number, { resolve(response: ServerResponse): void; reject(error: Error): void }>();

  constructor(
    private readonly url: string,
    private readonly listener: TransportListener,
  ) {
    this.connect();
  }

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

/** Opens the WebSocket of the server that has sent the page. */
export function openSocket(listener: TransportListener): Transport {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new Socket(`${scheme}://${location.host}/ws`, listener);
}

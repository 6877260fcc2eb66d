import type { ServerEvent, ServerResponse } from './wire/types';
import { ConnectionLost, PendingRequests, type SentRequest, type Transport, type TransportListener, reconnectDelay } from './transport';

/** The WebSocket of the server: it matches responses to requests and reconnects when the connection is lost. */
export class Socket implements Transport {
  private socket?: WebSocket;
  private attempts = 0;
  private readonly pending: PendingRequests;

  constructor(
    private readonly url: string,
    private readonly listener: TransportListener,
  ) {
    this.pending = new PendingRequests(listener);
    this.connect();
  }

  request(request: SentRequest): Promise<ServerResponse> {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new ConnectionLost());
    return this.pending.add((id) => socket.send(JSON.stringify({ id, ...request })));
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.listener.onConnectionChange(true);
    };
    socket.onmessage = ({ data }) => this.pending.onMessage(JSON.parse(String(data)) as ServerResponse | ServerEvent);
    socket.onclose = () => {
      this.pending.rejectAll();
      this.listener.onConnectionChange(false);
      setTimeout(() => this.connect(), reconnectDelay(this.attempts++));
    };
  }
}

/** Opens the WebSocket of the server that has sent the page. */
export function openSocket(listener: TransportListener): Transport {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new Socket(`${scheme}://${location.host}/ws`, listener);
}

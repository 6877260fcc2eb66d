import { vi } from 'vitest';
import type { ServerResponse, ServerEvent } from './protocol';

type Asked = Record<string, unknown> & { id: number; do: string };

/** A server at the other end of a socket that the test plays. */
export class FakeServer {
  asked: Asked[] = [];
  private sockets: FakeSocket[] = [];

  constructor() {
    const accept = (socket: FakeSocket) => {
      socket.server = this;
      this.sockets.push(socket);
    };
    vi.stubGlobal(
      'WebSocket',
      class extends FakeSocket {
        constructor() {
          super();
          accept(this);
        }
      },
    );
  }

  /** How often a connection was tried. */
  get tries(): number {
    return this.sockets.length;
  }

  private get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('nobody connected');
    return socket;
  }

  async open(): Promise<void> {
    this.socket.readyState = FakeSocket.OPEN;
    this.socket.onopen?.();
    await settled();
  }

  async close(): Promise<void> {
    this.socket.readyState = 3;
    this.socket.onclose?.();
    await settled();
  }

  /** The last thing asked; it must be this. */
  last(deed: string): Asked {
    const asked = this.asked.at(-1);
    if (asked?.do !== deed) throw new Error(`asked was ${asked?.do}, not ${deed}`);
    return asked;
  }

  /** Answers the last thing asked, which must be this. */
  async answer(deed: string, answer: Omit<ServerResponse, 'id'>): Promise<void> {
    await this.say({ id: this.last(deed).id, ...answer });
  }

  async say(message: ServerResponse | ServerEvent): Promise<void> {
    this.socket.onmessage?.({ data: JSON.stringify(message) });
    await settled();
  }
}

class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  server?: FakeServer;
  onopen?: () => void;
  onclose?: () => void;
  onmessage?: (message: { data: string }) => void;

  send(text: string): void {
    this.server?.asked.push(JSON.parse(text) as Asked);
  }
}

/** All promises that can be kept now are kept. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

import type { ServerResponse, ServerEvent } from './protocol';

/** What the socket tells the page unasked. */
export interface Ear {
  event(event: ServerEvent): void;
  /** The connection is there (again), or gone. */
  connected(yes: boolean): void;
}

/** The largest text that fits in a message the server takes, in bytes. */
export const LARGEST = (8 << 20) - 1024;
/** What is asked of the engine: its answers say nothing about what somebody did meanwhile. */
export const ENGINE = new Set(['think', 'hint', 'analyse', 'review']);
/** How long to wait before each try to connect again, in milliseconds; the last is repeated. */
const PATIENCE = [200, 500, 1000, 2000, 4000];

/** A socket that asks and is answered, and comes back by itself when it is lost. */
export class Socket {
  private socket?: WebSocket;
  private next = 1;
  private tries = 0;
  private readonly waiting = new Map<number, { done(answer: ServerResponse): void; failed(error: Error): void }>();

  constructor(
    private readonly url: string,
    private readonly ear: Ear,
  ) {
    this.connect();
  }

  /** Asks; rejects with the server's sentence if it cannot be done, or if the connection is lost before the answer. */
  ask(deed: Record<string, unknown>): Promise<ServerResponse> {
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        failed(new Lost());
        return;
      }
      const id = this.next++;
      this.waiting.set(id, { done, failed });
      this.socket.send(JSON.stringify({ id, ...deed }));
    });
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.ear.connected(true);
    };
    socket.onmessage = (message) => this.hear(JSON.parse(String(message.data)) as ServerResponse | ServerEvent);
    socket.onclose = () => {
      for (const { failed } of this.waiting.values()) failed(new Lost());
      this.waiting.clear();
      this.ear.connected(false);
      const patience = PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)];
      setTimeout(() => this.connect(), patience);
    };
  }

  private hear(message: ServerResponse | ServerEvent): void {
    if ('event' in message) {
      this.ear.event(message);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error === undefined) waiting?.done(message);
    else waiting?.failed(new Refused(message.error, message));
  }
}

/** The server's sentence, in Chinese too if it has one, and what the page may say instead or besides. */
export class Refused extends Error {
  constructor(
    words: string,
    readonly told: Pick<ServerResponse, 'error_zh' | 'cause' | 'other' | 'waivable'>,
  ) {
    super(words);
  }
}

/** The connection was lost: not a refusal, the page asks again when it is back. */
export class Lost extends Error {
  constructor() {
    super('The connection was lost');
  }
}

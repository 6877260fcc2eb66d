import { vi } from 'vitest';
import { riverGames, turnOf } from './fixtures.test-support';
import { GameClient } from './game-client';
import type { GameDto, ServerResponse, ServerEvent } from './wire/types';

type SentRequest = Record<string, unknown> & { id: number; do: string };

/** A server whose messages the test sends. It replaces the WebSocket of the browser. */
export class FakeServer {
  requests: SentRequest[] = [];
  private sockets: FakeSocket[] = [];
  private game?: GameDto;

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

  /** The number of connections that the page has tried to open. */
  get connectionAttempts(): number {
    return this.sockets.length;
  }

  private get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('the page has not connected');
    return socket;
  }

  async open(): Promise<void> {
    this.socket.readyState = FakeSocket.OPEN;
    this.socket.onopen?.();
    await flushPromises();
  }

  async close(): Promise<void> {
    this.socket.readyState = 3;
    this.socket.onclose?.();
    await flushPromises();
  }

  /** Returns the last request, and checks its name. */
  lastRequest(name: string): SentRequest {
    const request = this.requests.at(-1);
    if (request?.do !== name) throw new Error(`the last request is ${request?.do}, expected ${name}`);
    return request;
  }

  /** Responds to the last request, and checks its name. */
  async respond(name: string, response: Omit<ServerResponse, 'id'>): Promise<void> {
    await this.sendToPage({ id: this.lastRequest(name).id, ...response });
  }

  /** Sends the computer's reply. */
  async reply(response: Omit<ServerResponse, 'id'>): Promise<void> {
    await this.sendToPage({ event: 'replied', id: 0, ...response });
  }

  /** Sends a message. A position without a turn gets that of the players of the game that was sent last. */
  async sendToPage(message: ServerResponse | ServerEvent): Promise<void> {
    const { game = this.game, position } = message as ServerResponse;
    this.game = game;
    const turn = game && position && turnOf(game, position);
    this.socket.onmessage?.({ data: JSON.stringify({ ...(turn && { turn }), ...message }) });
    await flushPromises();
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
    this.server?.requests.push(JSON.parse(text) as SentRequest);
  }
}

/** Waits until all promises are settled that need no timer. */
export async function flushPromises(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** Begins a test in a browser in which the page was never open; returns the server to which the page connects. */
export function startWithFakeServer(): FakeServer {
  localStorage.clear();
  history.replaceState(null, '', '#');
  return new FakeServer();
}

/** Opens a page without a board in such a browser; `first` is the response to the request for the first game. */
export async function openWithFakeServer(first: Omit<ServerResponse, 'id'>): Promise<{ server: FakeServer; client: GameClient }> {
  const server = startWithFakeServer();
  const client = new GameClient();
  client.attach(null, () => {});
  await server.open();
  await server.respond('games', { games: riverGames, kept: [] });
  await server.respond('new', first);
  return { server, client };
}

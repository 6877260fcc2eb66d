import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

// Requests without the page: through the socket of the server, or the worker of the page without one.

/** A message to a page: an answer, or an event of a search. */
export type Message = Record<string, unknown> & { id?: number; event?: string };

/** Returns the name of the worker that has the games of a page without a server. */
export function pageWorker(siteFolder: string): string | undefined {
  return readdirSync(join(siteFolder, 'assets')).find((name) => /^page-worker-.*\.js$/.test(name));
}

/** Opens a transport in a page: the socket of the server, or the worker of the page without one. */
export async function connect(page: Page, worker?: string): Promise<void> {
  await page.evaluate(async (name) => {
    type Pending = { messages: unknown[]; done(messages: unknown[]): void; until(message: Message): boolean };
    let pending: Pending | undefined;
    let nextId = 1;
    const take = (message: Message) => {
      pending?.messages.push(message);
      if (pending?.until(message)) pending.done(pending.messages);
    };
    let send: (id: number, body: object) => void;
    if (name) {
      const port = new Worker(`assets/${name}`, { type: 'module' });
      send = (id, body) => port.postMessage({ kind: 'request', id, text: JSON.stringify({ id, ...body }) });
      await new Promise<void>((ready) => {
        port.onmessage = ({ data }) => {
          if (data.kind === 'ready') ready();
          if (data.kind === 'messages') data.messages.forEach(take);
        };
        port.postMessage({ kind: 'start' });
      });
    } else {
      const socket = new WebSocket(`ws://${location.host}/ws`);
      send = (id, body) => socket.send(JSON.stringify({ id, ...body }));
      socket.onmessage = ({ data }) => take(JSON.parse(String(data)) as Message);
      await new Promise((open) => (socket.onopen = open));
    }
    /** Sends a request; returns what comes until its response, or until the search has reached a depth. */
    const request = (body: object, depth = Infinity) =>
      new Promise<unknown[]>((done) => {
        const id = nextId++;
        const reached = ({ event, depth: found }: Message) => event === 'thought' && (found as number) >= depth;
        pending = { messages: [], done, until: (message) => (message.event ? reached(message) : message.id === id) };
        send(id, body);
      });
    Object.assign(window, { request });
  }, worker);
}

/** Sends a request; returns what comes until its answer, or until its search has reached a depth. */
export function request(page: Page, body: object, depth?: number): Promise<Message[]> {
  return page.evaluate(
    ([content, until]) =>
      (window as unknown as { request(body: object, depth?: number): Promise<Message[]> }).request(content, until),
    [body, depth] as const,
  );
}

import type { ServerResponse } from '../wire/types';
import {
  type Backup,
  ConnectionLost,
  PendingRequests,
  RequestError,
  type SentRequest,
  type Transport,
  type TransportListener,
  reconnectDelay,
} from '../transport';
import { type FirstVisit, firstVisit } from './first-visit';
import { BoardSaver, loadLastBoard } from './last-board';
import type { FromPageWorker, ToPageWorker } from './worker-messages';

type Done = FromPageWorker & { kind: 'done' };

/** A worker that answers as the server does. One that fails is replaced; the games are in the database. */
export class WorkerTransport implements Transport {
  readonly lastBoard = loadLastBoard();
  private readonly boardSaver = new BoardSaver();
  readonly backup: Backup = {
    save: async () => new Blob([(await this.send((id) => ({ kind: 'save', id }))).text ?? ''], { type: 'application/json' }),
    load: async (file) => {
      const text = await file.text();
      return (await this.send((id) => ({ kind: 'load', id, text }))).count ?? 0;
    },
  };
  private worker?: Worker;
  /** The compiled module, for the worker that replaces one that has failed. */
  private module?: WebAssembly.Module;
  private isReady = false;
  /** What answers until the first worker is ready. */
  private first = firstVisit();
  /** What the first worker is sent when it is ready. */
  private early: ToPageWorker[] = [];
  private attempts = 0;
  private hasRequestedStorage = false;
  private nextId = 1;
  private readonly pending: PendingRequests;
  private readonly waiting = new Map<number, { resolve(done: Done): void; reject(error: Error): void }>();

  constructor(
    private readonly listener: TransportListener,
    private readonly newWorker: () => Worker,
  ) {
    this.pending = new PendingRequests(listener);
    this.open();
    // The page has the transport only after this.
    if (this.first) queueMicrotask(() => this.listener.onConnectionChange(true));
  }

  request(request: SentRequest): Promise<ServerResponse> {
    const response = this.first?.respond(request);
    if (response) {
      this.boardSaver.onResponse(response);
      return Promise.resolve(response);
    }
    if (!this.isReady && !this.first) return Promise.reject(new ConnectionLost());
    return this.pending.add((id) => this.post({ kind: 'request', id, text: JSON.stringify({ id, ...request }) }));
  }

  private send(message: (id: number) => ToPageWorker): Promise<Done> {
    if (!this.isReady && !this.first) return Promise.reject(new ConnectionLost());
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.waiting.set(id, { resolve, reject });
      this.post(message(id));
    });
  }

  private post(message: ToPageWorker): void {
    if (this.first) this.early.push(message);
    else this.worker?.postMessage(message);
  }

  /** Lets the worker carry out what was answered before it was ready. */
  private endFirstVisit({ answered, id }: FirstVisit): void {
    this.first = undefined;
    const requests = answered.map((request) => JSON.stringify({ id: 0, ...request }));
    if (requests.length > 0) this.post({ kind: 'begin', requests, game: id });
    for (const message of this.early.splice(0)) this.post(message);
  }

  private open(): void {
    const worker = this.newWorker();
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromPageWorker>) => this.onMessage(data);
    worker.onerror = () => this.onFailure();
    worker.postMessage({ kind: 'start', module: this.module } satisfies ToPageWorker);
  }

  private onMessage(message: FromPageWorker): void {
    if (message.kind === 'ready') {
      this.module = message.module;
      this.isReady = true;
      if (this.first) this.endFirstVisit(this.first);
      else this.listener.onConnectionChange(true);
    } else if (message.kind === 'messages') {
      if (message.saved) this.requestStorage();
      for (const each of message.messages) {
        // A worker that fails at every request is started again after longer and longer times.
        if (!('event' in each) && each.id > 0) this.attempts = 0;
        if (!('event' in each)) this.boardSaver.onResponse(each);
        this.pending.onMessage(each);
      }
    } else if (message.kind === 'done') {
      const { error } = message;
      const call = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (error) call?.reject(new RequestError(error.message, { error_zh: error.message_zh }));
      else call?.resolve(message);
    } else {
      console.warn(message.reason);
      this.onFailure();
    }
  }

  private onFailure(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
    this.first = undefined;
    this.early = [];
    this.pending.rejectAll();
    for (const { reject } of this.waiting.values()) reject(new ConnectionLost());
    this.waiting.clear();
    this.listener.onConnectionChange(false);
    setTimeout(() => this.open(), reconnectDelay(this.attempts++));
  }

  /** Requests of the browser not to remove the games when it needs space, as soon as there is one. */
  private requestStorage(): void {
    if (this.hasRequestedStorage) return;
    this.hasRequestedStorage = true;
    void navigator.storage?.persist?.().catch(() => false);
  }
}

/** Opens the worker beside the page. */
export function openWorker(listener: TransportListener): Transport {
  const newWorker = () => new Worker(new URL('./page-worker.ts', import.meta.url), { type: 'module' });
  return new WorkerTransport(listener, newWorker);
}

import { AlfilError } from './errors.js';
import { importOfNode, isNode } from './platform.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** A worker of a browser or of Node. */
interface Line {
  post(message: ToWorker): void;
  end(): void;
  /** Says whether Node must wait for the worker before it ends. */
  hold(isHeld: boolean): void;
}

async function openLine(receive: (message: FromWorker) => void, fail: (error: unknown) => void): Promise<Line> {
  if (isNode) {
    const { Worker: NodeWorker } = await importOfNode('worker_threads');
    // The name is a variable, so that bundlers for browsers do not copy the file twice.
    const name = './worker.js';
    // The options of the command line are those of the main program, and some of them are not allowed in a worker.
    const worker = new NodeWorker(new URL(name, import.meta.url), { execArgv: [] });
    worker.on('message', receive);
    worker.on('error', fail);
    return {
      post: (message) => worker.postMessage(message),
      end: () => void worker.terminate(),
      hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    };
  }
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.onmessage = (event) => receive(event.data);
  worker.onerror = (event) => fail(new Error(event.message || 'the worker cannot be loaded'));
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate(), hold: () => {} };
}

/** A call that waits for its turn or for its answer. */
interface Task {
  number: number;
  call: string;
  request: Record<string, unknown>;
  file?: Uint8Array;
  onReport?: (report: unknown) => void;
  /** Gives the answer of a search whose worker was ended. */
  onEnd?: () => unknown;
  /** The engine of the call, which lives until the answer. */
  owner?: object;
  resolve(value: any): void;
  reject(error: unknown): void;
}

/** Memory that the worker sees change, where there is such. */
function newFlag(): SharedArrayBuffer | undefined {
  const canShare = isNode || (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true;
  return canShare && typeof SharedArrayBuffer === 'function' ? new SharedArrayBuffer(4) : undefined;
}

/** The worker of an engine with the calls that wait for it: it answers one at a time. */
export class EngineWorker {
  private readonly module: WebAssembly.Module;
  private readonly settings: Record<string, unknown>;
  private readonly flag = newFlag();
  private readonly waiting: Task[] = [];
  private current: Task | undefined;
  private line: Line | undefined;
  /** The worker that is being opened, for which several calls may wait one after the other. */
  private opening: Promise<Line> | undefined;
  private engine = 0;
  private lastNumber = 0;
  private hasQuit = false;
  /** The network that the engine has, to give it to a new worker. */
  private network: Uint8Array | undefined;

  constructor(module: WebAssembly.Module, settings: Record<string, unknown>) {
    this.module = module;
    this.settings = settings;
  }

  /** Makes a call after those before it. */
  call(
    call: string,
    request: Record<string, unknown> = {},
    more: Pick<Task, 'file' | 'onReport' | 'onEnd' | 'owner'> = {},
  ): { number: number; answer: Promise<any> } {
    const number = ++this.lastNumber;
    const answer = new Promise<any>((resolve, reject) => {
      if (this.hasQuit) {
        reject(new AlfilError('disposed', 'the engine has quit'));
        return;
      }
      this.waiting.push({ number, call, request, ...more, resolve, reject });
      void this.next();
    });
    return { number, answer };
  }

  /** Starts the first call that waits. */
  private async next(): Promise<void> {
    if (this.current || this.waiting.length === 0) return;
    const task = this.waiting.shift() as Task;
    this.current = task;
    try {
      const line = await this.ready();
      // The call may have been stopped while the worker was opened.
      if (this.current !== task) return;
      line.hold(true);
      const { number, call, file } = task;
      line.post({ number, kind: 'call', call, file, request: { ...task.request, id: this.engine } });
    } catch (error) {
      this.finish(task, () => task.reject(error));
    }
  }

  /** Returns the worker, which is opened when it is first needed. */
  private async ready(): Promise<Line> {
    if (this.line) return this.line;
    this.opening ??= this.open().finally(() => (this.opening = undefined));
    const line = await this.opening;
    if (this.hasQuit) {
      line.end();
      throw new AlfilError('disposed', 'the engine has quit');
    }
    if (!this.line) {
      this.line = line;
      line.hold(false);
    }
    return this.line;
  }

  /** Answers a call that was not begun, or whose worker was ended. */
  private end(task: Task): void {
    if (!task.onEnd) {
      task.reject(new AlfilError('disposed', 'the engine has quit'));
      return;
    }
    try {
      task.resolve(task.onEnd());
    } catch (error) {
      task.reject(error);
    }
  }

  private finish(task: Task, settle: () => void): void {
    if (this.current !== task) return;
    this.current = undefined;
    this.line?.hold(false);
    settle();
    void this.next();
  }

  /** Opens a worker and makes the engine in it. */
  private async open(): Promise<Line> {
    let onStart: ((message: FromWorker) => void) | undefined;
    let onFailure: ((error: unknown) => void) | undefined;
    const started = new Promise<FromWorker>((resolve, reject) => {
      onStart = resolve;
      onFailure = reject;
    });
    const line = await openLine(
      (message) => {
        if (message.number > 0) this.receive(line, message);
        else if (message.number === 0) onStart?.(message);
        else if (message.kind === 'error') this.lose(line, new AlfilError(message.code, message.message));
      },
      (error) => {
        const reason = error instanceof Error ? error.message : String(error);
        const failure = new AlfilError('internal', `the worker of the engine has stopped: ${reason}`);
        onFailure?.(failure);
        this.lose(line, failure);
      },
    );
    const { module, flag, settings } = this;
    const request = async (message: ToWorker): Promise<unknown> => {
      line.post(message);
      const answer = await started;
      if (answer.kind === 'error') throw new AlfilError(answer.code, answer.message);
      return answer.value;
    };
    try {
      this.engine = (await request({ number: 0, kind: 'start', module, flag, request: settings })) as number;
      if (this.network) {
        // A new worker after the end of one: no call awaits its answer, because calls are answered in order.
        const call = 'engine.setNetwork';
        line.post({ number: -1, kind: 'call', call, request: { id: this.engine }, file: this.network });
      }
      return line;
    } catch (error) {
      line.end();
      throw error;
    }
  }

  private receive(line: Line, message: FromWorker): void {
    const task = this.current;
    if (!task || line !== this.line || task.number !== message.number) return;
    if (message.kind === 'report') {
      task.onReport?.(message.value);
      return;
    }
    if (message.kind === 'answer') {
      if (task.call === 'engine.setNetwork') this.network = task.file;
      this.finish(task, () => task.resolve(message.value));
      return;
    }
    const error = new AlfilError(message.code, message.message);
    // A module that has stopped is replaced by a new one.
    if (message.code === 'internal') this.lose(line, error);
    else this.finish(task, () => task.reject(error));
  }

  private lose(line: Line, error: AlfilError): void {
    if (line !== this.line) return;
    this.line = undefined;
    line.end();
    const task = this.current;
    if (task) this.finish(task, () => task.reject(error));
  }

  /** Stops a call: by the shared flag, or by the end of its worker. One that still waits is not begun. */
  stop(number: number): void {
    const index = this.waiting.findIndex((task) => task.number === number);
    if (index >= 0) {
      const [task] = this.waiting.splice(index, 1);
      if (task) this.end(task);
      return;
    }
    const task = this.current;
    if (task?.number !== number) return;
    if (this.flag) {
      Atomics.store(new Int32Array(this.flag), 0, number);
      return;
    }
    this.line?.end();
    this.line = undefined;
    this.finish(task, () => this.end(task));
  }

  /** Stops the search that runs; other calls run to their end. */
  stopCurrent(): void {
    if (this.current?.onEnd) this.stop(this.current.number);
  }

  /** Ends the worker. Searches are answered by what they have reported, other calls fail. */
  quit(): void {
    this.hasQuit = true;
    this.line?.end();
    this.line = undefined;
    const tasks = this.current ? [this.current, ...this.waiting] : [...this.waiting];
    this.current = undefined;
    this.waiting.length = 0;
    for (const task of tasks) this.end(task);
  }
}

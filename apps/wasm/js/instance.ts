import { AlfilError } from './errors.js';
import { compile, instantiate, type Source } from './platform.js';

/** The functions of the module; see `src/host.rs`. */
interface Exports {
  memory: WebAssembly.Memory;
  alfil_start(): void;
  alfil_input(length: number): number;
  alfil_file(length: number): number;
  alfil_call(): number;
  alfil_output(): number;
  alfil_output_length(): number;
}

/** The functions that a search in the module calls. */
export interface SearchHost {
  isStopped(): boolean;
  report(report: unknown): void;
}

const NO_SEARCH: SearchHost = { isStopped: () => false, report: () => {} };

/** The kinds of answers. */
const ERROR = 1;
const BYTES = 2;

/** The arguments of a call, by their names. */
export type Arguments = Record<string, unknown>;

/** Where an object is: its number among those of a module. */
export interface Place {
  readonly kind: 'board' | 'game' | 'reader' | 'engine';
  readonly id: number;
  readonly instance: Instance;
  /** The start of the module in which the number is valid. */
  readonly epoch: number;
}

/** A loaded module. */
export class Instance {
  private readonly url: URL | undefined;
  private compiled: WebAssembly.Module | undefined;
  private exports: Exports | undefined;
  private loading: Promise<void> | undefined;
  private lastPanic = '';
  private epoch = 0;
  private host = NO_SEARCH;
  private readonly encoder = new TextEncoder();
  private readonly encoded = new Uint8Array(4096);
  private readonly decoder = new TextDecoder();
  private readonly registry = new FinalizationRegistry<Place>((place) => this.free(place));

  /** `url` is where the module is read from, if `init` does not say otherwise. */
  constructor(url?: URL) {
    this.url = url;
  }

  /** The objects of the package are written as JSON without their module. */
  toJSON(): undefined {
    return undefined;
  }

  /** Loads the module, once; after an internal error, again. */
  init(source?: Source | WebAssembly.Module): Promise<void> {
    if (this.exports) return Promise.resolve();
    this.loading ??= this.load(source).finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  private async load(source: Source | WebAssembly.Module | undefined): Promise<void> {
    const place = source ?? this.url;
    if (!place) throw new AlfilError('load', 'there is no module to load');
    const compiled = this.compiled ?? (await compile(place));
    this.start(await instantiate(compiled, this.imports()));
    // Only now: a module that cannot be used must not stay.
    this.compiled = compiled;
  }

  private imports(): WebAssembly.Imports {
    return {
      alfil: {
        now: () => performance.now(),
        // The next two are for the page without a server alone.
        date: () => Date.now() / 1000,
        random: () => crypto.getRandomValues(new Uint32Array(1))[0],
        is_stopped: () => (this.host.isStopped() ? 1 : 0),
        report: (address: number, length: number) => this.host.report(JSON.parse(this.text(address, length))),
        panicked: (address: number, length: number) => {
          this.lastPanic = this.text(address, length);
        },
      },
    };
  }

  private start(instance: WebAssembly.Instance): void {
    const exports = instance.exports as unknown as Exports;
    if (!exports.alfil_start) throw new AlfilError('load', 'this WebAssembly module does not belong to Alfil');
    this.exports = exports;
    this.epoch += 1;
    this.exports.alfil_start();
  }

  /** The compiled module, for a worker. */
  get module(): WebAssembly.Module {
    if (!this.compiled) throw new AlfilError('not-ready', 'call "await init()" before anything else');
    return this.compiled;
  }

  private text(address: number, length: number): string {
    const memory = this.exports?.memory.buffer;
    return memory ? this.decoder.decode(new Uint8Array(memory, address >>> 0, length >>> 0)) : '';
  }

  /** Returns a text in UTF-8, valid until the next one: a new buffer for each would keep the garbage collector busy. */
  private encode(text: string): Uint8Array {
    // A code unit of UTF-16 has at most three bytes in UTF-8.
    if (3 * text.length > this.encoded.length) return this.encoder.encode(text);
    return this.encoded.subarray(0, this.encoder.encodeInto(text, this.encoded).written);
  }

  /** Calls the module: the answer is a value, or bytes. */
  call(name: string, args: Arguments = {}, file?: Uint8Array, host = NO_SEARCH): any {
    const { exports } = this;
    if (!exports) throw new AlfilError('not-ready', 'call "await init()" before anything else');
    let request: Uint8Array;
    try {
      request = this.encode(JSON.stringify({ ...args, call: name }));
    } catch (error) {
      throw new AlfilError('invalid-argument', `an argument cannot be written as JSON: ${error}`);
    }
    this.write((length) => exports.alfil_input(length), request);
    if (file) this.write((length) => exports.alfil_file(length), file);
    this.host = host;
    const kind = this.guard(() => exports.alfil_call());
    this.host = NO_SEARCH;
    const length = exports.alfil_output_length() >>> 0;
    const bytes = new Uint8Array(exports.memory.buffer, exports.alfil_output() >>> 0, length);
    if (kind === BYTES) return bytes.slice();
    const answer = JSON.parse(this.decoder.decode(bytes));
    if (kind === ERROR) throw new AlfilError(answer.code, answer.message);
    return answer;
  }

  private write(buffer: (length: number) => number, bytes: Uint8Array): void {
    const address = this.guard(() => buffer(bytes.length)) >>> 0;
    if (address === 0) throw new AlfilError('memory', `there is not enough memory for ${bytes.length} bytes`);
    if (this.exports) new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
  }

  /** A trap ends the module: its memory may be in any state. */
  private guard<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      this.exports = undefined;
      const reason = this.lastPanic || String(error);
      this.lastPanic = '';
      const message = `internal error: ${reason}; please report it. The module has stopped; "await init()" starts it anew`;
      throw new AlfilError('internal', message);
    }
  }

  /** Makes an object of the module for an owner, and frees it when the last reference to the owner is gone. */
  adopt(owner: object, kind: Place['kind'], id: number): Place {
    const place = { kind, id, instance: this, epoch: this.epoch };
    this.registry.register(owner, place, place);
    return place;
  }

  /** Calls a function of an object. */
  callOn(place: Place, name: string, args: Arguments = {}, file?: Uint8Array): any {
    return this.call(`${place.kind}.${name}`, { ...args, id: this.number(place) }, file);
  }

  /** Returns the number of an object of this module. */
  number(place: Place): number {
    if (place.instance !== this) {
      throw new AlfilError('invalid-argument', `the ${place.kind} belongs to another module`);
    }
    if (this.exports && place.epoch !== this.epoch) {
      throw new AlfilError('disposed', 'the module was started anew, and this object is lost');
    }
    return place.id;
  }

  /** Frees an object now. A second time does nothing. */
  dispose(place: Place): void {
    this.registry.unregister(place);
    this.free(place);
  }

  private free(place: Place): void {
    if (!this.exports || place.epoch !== this.epoch) return;
    this.call('module.dispose', { text: place.kind, id: place.id });
  }

  /** Returns the number of objects in the module. */
  liveObjects(): number {
    return this.call('module.objects');
  }
}

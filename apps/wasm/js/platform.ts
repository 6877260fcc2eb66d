// What differs between browsers and Node. The specifiers of Node's modules are variables, so that bundlers for browsers
// leave them alone.

import { AlfilError } from './errors.js';

interface NodeProcess {
  versions?: { node?: string };
}

/** Whether this is Node, where files are read from the disk and workers are threads. */
export const isNode =
  typeof (globalThis as { process?: NodeProcess }).process?.versions?.node === 'string' &&
  typeof document === 'undefined';

/** Imports a module of Node. */
export function importOfNode(name: string): Promise<any> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`);
}

/** What a file of the package may be given as: its address, its bytes, or a response with it. */
export type Source = URL | string | ArrayBuffer | ArrayBufferView | Response | Promise<Response>;

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether these are bytes, and not where to find them. */
export function isBytes(source: unknown): source is ArrayBuffer | ArrayBufferView {
  return source instanceof ArrayBuffer || ArrayBuffer.isView(source);
}

/** Returns a copy of bytes, for the time when the caller may have changed them. */
export function copyOf(bytes: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes.slice(0));
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice();
}

/** Returns the bytes of a file: a copy of bytes that are given. */
export async function load(source: Source, what: string): Promise<Uint8Array> {
  if (isBytes(source)) return copyOf(source);
  const isAddress = typeof source === 'string' || source instanceof URL;
  const place = isAddress ? String(source) : 'the response';
  try {
    if (isAddress && isNode && !/^(https?|data|blob):/.test(String(source))) {
      const { readFile } = await importOfNode('fs/promises');
      return new Uint8Array(await readFile(/^file:/.test(String(source)) ? new URL(source) : source));
    }
    const response = await (isAddress ? fetch(source) : source);
    if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new AlfilError('load', `cannot load ${what} from ${place}: ${reasonOf(error)}`);
  }
}

/** Compiles a module. */
export async function compile(source: Source | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = await load(source, 'the WebAssembly module');
  try {
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (error) {
    throw new AlfilError('load', `the WebAssembly module cannot be compiled: ${reasonOf(error)}`);
  }
}

/** Makes an instance of a module. */
export async function instantiate(module: WebAssembly.Module, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  try {
    return await WebAssembly.instantiate(module, imports);
  } catch (error) {
    throw new AlfilError('load', `the WebAssembly module cannot be started: ${reasonOf(error)}`);
  }
}

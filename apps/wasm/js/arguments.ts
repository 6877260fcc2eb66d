// Arguments of callers in JavaScript, which no type checks.

import { AlfilError } from './errors.js';

/** Returns the options of a call; none if they are not given. */
export function optionsOf<T extends object>(options: T | null | undefined): Partial<T> {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object') throw new AlfilError('invalid-argument', `wrong type: options are an object, found ${String(options)}`);
  return options;
}

/** Returns an argument that must be an object of the package. */
export function instanceOf<T>(value: unknown, type: abstract new (...values: any[]) => T, name: string): T {
  if (value instanceof type) return value;
  throw new AlfilError('invalid-argument', `wrong type: choose a ${name} of this package, found ${describe(value)}`);
}

/** Returns the items of an argument that must be iterable. */
export function itemsOf<T>(value: Iterable<T>, name: string): T[] {
  if (typeof (value as Iterable<T> | null | undefined)?.[Symbol.iterator] === 'function') return [...value];
  throw new AlfilError('invalid-argument', `wrong type: ${name} are an array or another iterable, found ${describe(value)}`);
}

function describe(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'another object' : String(value);
}

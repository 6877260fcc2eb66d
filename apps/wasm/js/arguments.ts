// Arguments of callers in JavaScript, which no type checks.

import { AlfilError } from './errors.js';

/** Returns the options of a call, which are some of these; none if they are not given. */
export function optionsOf<T extends object>(options: T | null | undefined, known: readonly (keyof T & string)[]): Partial<T> {
  const given = objectOf(options);
  const unknown = Object.keys(given).find((name) => !(known as readonly string[]).includes(name));
  if (unknown === undefined) return given;
  const choice = known.length > 0 ? `the options are ${known.join(', ')}` : 'there is none';
  throw new AlfilError('invalid-argument', `there is no option ${JSON.stringify(unknown)} here: ${choice}`);
}

/** Returns an argument that is an object with any names; an empty one if it is not given. */
export function objectOf<T extends object>(value: T | null | undefined): Partial<T> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object') throw new AlfilError('invalid-argument', `wrong type: options are an object, found ${String(value)}`);
  return value;
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

/** Returns a value as an error names it. */
export function describe(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'another object' : String(value);
}

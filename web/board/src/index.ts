export { AlfilBoard } from './element.js';
export { menFromFen, moveTarget } from './position.js';
export type * from './types.js';

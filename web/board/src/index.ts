export { AlfilBoard } from './element.js';
export { menFromFen, moveTarget, piecesFromFen } from './position.js';
/** Data with names of earlier versions of this package, which the element still takes. */
export type { EarlierAppearance, EarlierOverlays } from './earlier-names.js';
export type * from './types.js';

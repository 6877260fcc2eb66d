export { AlfilBoard } from './element.js';
export { menFromFen, moveTarget, piecesFromFen } from './position.js';
export type { EarlierAppearance, EarlierOverlays } from './earlier-names.js';
export type * from './types.js';

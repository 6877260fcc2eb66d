import { AlfilBoard } from './element.js';
import { Picker } from './picker.js';

AlfilBoard.Picker = Picker;

export { AlfilBoard };
export { menFromFen, moveTarget, piecesFromFen } from './position.js';
/** Data with names of earlier versions of this package, which the element still takes. */
export type { EarlierAppearance, EarlierOverlays } from './earlier-names.js';
export type * from './types.js';

import type { BoardAppearance } from './types.js';

/** The board and the pieces of a game, for the property `look`. */
declare const look: BoardAppearance;
export default look;

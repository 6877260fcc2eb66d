// The files beside the code, which `cargo xtask site` puts into `web/site-files` before the page is built.

import chess from '../../site-files/chess.nnue?url';
import othello from '../../site-files/othello.nnue?url';
import module from '../../site-files/page.wasm?url';
import xiangqi from '../../site-files/xiangqi.nnue?url';

/** The address of the WebAssembly module. */
export const MODULE: string = module;

/**
 * The addresses of the files of weights by game: a network, or the pattern weights of Othello. A game without one uses
 * the hand-made evaluation terms.
 */
export const NETWORKS: Record<string, string | undefined> = { chess, othello, xiangqi };

//! What each thing that an evaluation sees is for; the [numbers](super::numbers) were reasoned first, all but the patterns', and then
//! fitted to own games by `alfil tune othello`: the log is `docs/strength.md`.

use alfil_kernel::{Taper, weights};

use super::patterns::{Corner, Row};

weights! {
    /// The weights of all terms: each is worth so much in the opening and so much at the end, in hundredths of a disc, and counts for
    /// the mover and against the opponent.
    pub struct Weights {
        /// Having the last move of the game, should nobody pass.
        last: Taper,
        /// A disc.
        disc: Taper,
        /// A place to put a disc; more for a corner one can take.
        place: Taper,
        corner_place: Taper,
        /// No place to put a disc.
        pass: Taper,
        /// An empty square next to the opponent's discs, where a place may come to be.
        frontier: Taper,
        /// A disc with no empty square beside it.
        inside: Taper,
        /// A corner held.
        corner: Taper,
        /// A disc diagonally next to an empty corner; next to it along the edge.
        x_square: Taper,
        c_square: Taper,
        /// A disc on an edge that nothing can turn again.
        stable_edge: Taper,
        /// A place in a quadrant with an odd number of empty squares, where the mover has the last move.
        odd_place: Taper,
        /// What stands on each of the four edges.
        edge: Row,
        /// On the rows next to the edges.
        second: Row,
        /// On the two long diagonals.
        diagonal: Row,
        /// On the six squares of each corner, three of them on either edge.
        triangle: Corner,
    }
}

//! What each thing that an evaluation sees is for; the [numbers](super::numbers) were reasoned first, all but the patterns', and then
//! fitted to own games by `alfil tune othello`: the log is `docs/strength.md`.

use alfil_kernel::{TaperedScore, weights};

use super::patterns::{CornerWeights, RowWeights};

weights! {
    /// The weights of all terms: each is worth so much in the opening and so much at the end, in hundredths of a disc, and counts for
    /// the mover and against the opponent.
    pub struct Weights {
        /// Having the last move of the game, should nobody pass.
        last_move: TaperedScore,
        /// A disc.
        disc: TaperedScore,
        /// A place to put a disc; more for a corner one can take.
        mobility: TaperedScore,
        corner_mobility: TaperedScore,
        /// No place to put a disc.
        pass: TaperedScore,
        /// An empty square next to the opponent's discs, where a place may come to be.
        frontier: TaperedScore,
        /// A disc with no empty square beside it.
        interior: TaperedScore,
        /// A corner held.
        corner: TaperedScore,
        /// A disc diagonally next to an empty corner; next to it along the edge.
        x_square: TaperedScore,
        c_square: TaperedScore,
        /// A disc on an edge that nothing can turn again.
        stable_edge: TaperedScore,
        /// A place in a quadrant with an odd number of empty squares, where the mover has the last move.
        odd_mobility: TaperedScore,
        /// What stands on each of the four edges.
        edge: RowWeights,
        /// On the rows next to the edges.
        second_row: RowWeights,
        /// On the two long diagonals.
        diagonal: RowWeights,
        /// On the six squares of each corner, three of them on either edge.
        triangle: CornerWeights,
    }
}

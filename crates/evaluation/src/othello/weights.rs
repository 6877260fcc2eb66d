//! The weights of the evaluation terms. The values of all but the patterns were first estimated; all were then fitted
//! to games of self-play by `alfil train othello --kind terms`. The log is `docs/inside/strength.md`.

use crate::{TaperedScore, weights};

use super::patterns::{CornerWeights, RowWeights};

weights! {
    /// The weights of all terms in hundredths of a disc, in the opening and at the end. Each term counts for the mover
    /// and against the opponent.
    pub struct Weights {
        /// The last move of the game if neither side passes (parity).
        last_move: TaperedScore,
        /// A disc.
        disc: TaperedScore,
        /// A legal move; a legal move to a corner, in addition.
        mobility: TaperedScore,
        corner_mobility: TaperedScore,
        /// No legal move.
        pass: TaperedScore,
        /// An empty square next to a disc of the opponent (potential mobility).
        frontier: TaperedScore,
        /// A disc without an adjacent empty square.
        interior: TaperedScore,
        /// A disc in a corner.
        corner: TaperedScore,
        /// A disc on the X-square of an empty corner; a disc on a C-square of an empty corner.
        x_square: TaperedScore,
        c_square: TaperedScore,
        /// A stable disc on an edge.
        stable_edge: TaperedScore,
        /// A legal move in a quadrant with an odd number of empty squares.
        odd_mobility: TaperedScore,
        /// The pattern of each of the four edges.
        edge: RowWeights,
        /// The pattern of each of the four rows next to the edges.
        second_row: RowWeights,
        /// The pattern of each of the two long diagonals.
        diagonal: RowWeights,
        /// The pattern of the six squares of each corner: the corner, two on each of its edges and its X-square.
        triangle: CornerWeights,
    }
}

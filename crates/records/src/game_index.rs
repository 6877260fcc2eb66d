//! What lists of saved games and searches in them need of the moves of a game: its opening, its last position and the
//! keys of its positions.

use crate::opening_names::Opening;

/// What lists of saved games and searches in them need of the moves of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameIndex {
    /// The last named opening on the main line.
    pub opening: Option<Opening>,
    /// The number of moves of the main line, those of both sides; passes are not counted.
    pub plies: usize,
    /// The text of the position at the end of the main line.
    pub final_position: String,
    /// The hash keys of all positions, those of the variations included, in ascending order and each once.
    pub position_keys: Vec<u64>,
}

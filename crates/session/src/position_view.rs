//! A position and the end of a game as a user interface shows them.

use alfil_kernel::{Outcome, Side};

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// The number of pieces by which the winner is ahead, as the ruleset counts them; 0 in games that are not won by
    /// counting.
    pub margin: i32,
    /// The cause as one word, as JSON and the command line write it: `perpetual_check`.
    pub cause: String,
    /// The verdict as an English sentence.
    pub message: String,
    /// The verdict as a Chinese sentence.
    pub message_zh: String,
}

/// A position with everything that a user interface shows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionView {
    /// The position text, move counters included.
    pub fen: String,
    /// The side to move.
    pub side_to_move: Side,
    /// The occupied squares with the letters of their pieces.
    pub pieces: Vec<(String, char)>,
    /// The squares of the last move.
    pub last_move: Vec<String>,
    /// The square of the king that is in check.
    pub checked_king: Option<String>,
    /// The number of pieces of each side on the board, in games that are won by counting them.
    pub piece_counts: Option<[usize; 2]>,
    /// The hash key.
    pub hash_key: u64,
    /// How often the position has occurred in the game, this time included.
    pub occurrences: usize,
    /// The number of plies played.
    pub ply: usize,
    /// The number of the next move, counted in pairs of plies from the number in the text of the start position.
    pub fullmove_number: u32,
    /// The plies since the start of a whole game, as the position's own text says; see `ply` for those of this session.
    pub game_ply: usize,
    /// The verdict, if the game is over.
    pub game_end: Option<GameEnd>,
    /// The state of the game as a sentence: `Red to move, in check`.
    pub status: String,
}

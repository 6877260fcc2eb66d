//! What self-play and training need of a game beside its profile.

use alfil_chess::Chess;
use alfil_evaluation::{Tunable, nets};
use alfil_kernel::{Game, Position};
use alfil_othello::Othello;
use alfil_session::game_profile::GameProfile;
use alfil_solver::{EndgameOracle, Solver};
use alfil_xiangqi::Xiangqi;

/// The parameters of self-play. Scores are in centipawns (Othello: hundredths of a disc).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelfPlayParams {
    /// The least and the greatest number of random plies at the start.
    pub(crate) random_plies: (usize, usize),
    /// The greatest score, of either side, at which a game begins after the random plies.
    pub(crate) max_opening_score: i32,
    /// The score at which a side is taken to win, if it stays there.
    pub(crate) win_score: i32,
    /// The number of plies in a row with such a score that end a game.
    pub(crate) win_plies: usize,
    /// The score, of either side, up to which a position counts as level.
    pub(crate) draw_score: i32,
    /// The number of level plies in a row that end a game.
    pub(crate) draw_plies: usize,
    /// The ply from which on level scores can end a game.
    pub(crate) draw_from_ply: usize,
    /// The number of plies after which a game is a draw.
    pub(crate) max_plies: usize,
}

/// A game for which self-play and training exist.
pub(crate) trait TrainedGame<P: Position<Game = Self>>: GameProfile<P, Evaluator: Tunable<P>> {
    /// The parameters of self-play.
    const SELF_PLAY_PARAMS: SelfPlayParams;

    /// The size of the oracle's table, in MiB.
    const ORACLE_MIB: usize = 0;

    /// Returns the oracle whose exact values self-play uses as scores.
    fn exact_oracle() -> <Self as GameProfile<P>>::Oracle;
}

/// With at most this number of empty squares, self-play of Othello plays and scores exactly. It takes some milliseconds
/// for the first position of a game, and almost nothing for the ones after it.
const EXACT_EMPTIES: usize = 16;

impl<P: alfil_xiangqi::board::Board> TrainedGame<P> for Xiangqi {
    const SELF_PLAY_PARAMS: SelfPlayParams = SelfPlayParams {
        random_plies: (8, 9),
        max_opening_score: 350,
        win_score: 1_200,
        win_plies: 5,
        draw_score: 12,
        draw_plies: 16,
        draw_from_ply: 90,
        max_plies: 360,
    };

    fn exact_oracle() {}
}

impl<P: alfil_chess::board::Board> TrainedGame<P> for Chess {
    const SELF_PLAY_PARAMS: SelfPlayParams = SelfPlayParams {
        random_plies: (8, 9),
        max_opening_score: 350,
        win_score: 1_000,
        win_plies: 5,
        draw_score: 8,
        draw_plies: 14,
        draw_from_ply: 80,
        max_plies: 360,
    };

    fn exact_oracle() {}
}

/// Games of Othello are played to their end: they are short, and their margin counts.
impl<P: alfil_othello::board::Board> TrainedGame<P> for Othello {
    const SELF_PLAY_PARAMS: SelfPlayParams = SelfPlayParams {
        random_plies: (10, 20),
        max_opening_score: 2_000,
        win_score: i32::MAX,
        win_plies: usize::MAX,
        draw_score: -1,
        draw_plies: usize::MAX,
        draw_from_ply: usize::MAX,
        max_plies: 200,
    };

    const ORACLE_MIB: usize = 2;

    fn exact_oracle() -> EndgameOracle {
        let solver = Solver::new(<Self as TrainedGame<P>>::ORACLE_MIB).with_patterns(Some(nets::othello()));
        EndgameOracle::new(solver, EXACT_EMPTIES)
    }
}

// A header has 16 bits for a move.
const _: () = {
    use alfil_kernel::{Move, MoveBits};
    assert!(<<<Xiangqi as Game>::Move as Move>::Bits as MoveBits>::WIDTH == 16);
    assert!(<<<Chess as Game>::Move as Move>::Bits as MoveBits>::WIDTH == 16);
    assert!(<<<Othello as Game>::Move as Move>::Bits as MoveBits>::WIDTH == 16);
};

//! The rules of the end of the game.

use std::fmt;

use alfil_kernel::{GameHistory, Outcome, Position as _, RuleProbe, Rules, Verdict};

use crate::board::Board;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A pawn has reached its last rank.
    LastRank,
    /// The side to move has no pawns left.
    NoPawns,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::LastRank => "last_rank",
            Cause::NoPawns => "no_pawns",
        })
    }
}

/// The only ruleset.
#[derive(Clone, Debug, Default)]
pub struct Ruleset;

impl Rules<Board> for Ruleset {
    fn judge(&self, game: &GameHistory<Board>) -> Option<Verdict<Cause>> {
        game.position().has_no_legal_move().then(|| self.no_legal_move_verdict(game.position()))
    }

    /// No position repeats, so that the history decides nothing.
    fn probe(&self, _: &GameHistory<Board>, _: usize) -> RuleProbe {
        RuleProbe::Undecided
    }

    /// The foremost pawn of a side can always move, so that a side without legal moves has lost.
    fn no_legal_move_verdict(&self, board: &Board) -> Verdict<Cause> {
        let loser = board.side_to_move();
        let cause = if board.has_reached_last_rank(!loser) { Cause::LastRank } else { Cause::NoPawns };
        Verdict::new(Outcome::loss(loser), cause)
    }
}

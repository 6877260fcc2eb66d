//! How a game of xiangqi ends, written once over every board.

use core::fmt;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The side to move has no legal move, in check or not: it loses either way.
    NoLegalMove,
    /// One side gave check with every move of a repetition.
    PerpetualCheck,
    /// One side chased with every move of a repetition.
    PerpetualChase,
    /// Both sides offended alike in a repetition.
    Mutual,
    /// A repetition in which nobody offended.
    Repetition,
    /// One side's moves in a repetition were all prohibited, of mixed kinds.
    Prohibited,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has a man that can cross the river.
    Material,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::NoLegalMove => "no_legal_move",
            Cause::PerpetualCheck => "perpetual_check",
            Cause::PerpetualChase => "perpetual_chase",
            Cause::Mutual => "mutual",
            Cause::Repetition => "repetition",
            Cause::Prohibited => "prohibited",
            Cause::NaturalLimit => "natural_limit",
            Cause::Material => "material",
        })
    }
}

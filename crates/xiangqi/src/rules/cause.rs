//! The causes of the end of a game.

use core::fmt;

/// Why a game ended. `Display` writes a stable key.
///
/// ```
/// use alfil_xiangqi::prelude::*;
///
/// let game = Xiangqi::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w")?;
/// assert_eq!(game.verdict().unwrap().cause, Cause::Material);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The side to move has no legal move, in check or not: it loses either way.
    NoLegalMove,
    /// One side gave check with every move of a repetition.
    PerpetualCheck,
    /// One side chased the same piece with every move of a repetition.
    PerpetualChase,
    /// One side checked, threatened mate or chased with every move of a repetition (Chinese association).
    Prohibited,
    /// Both sides made forbidden moves throughout a repetition: both gave check or both chased with every move; under
    /// the rules of the Chinese association, each checked, threatened mate or chased.
    MutualOffence,
    /// A repetition without an offence.
    Repetition,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has the pieces to win.
    Material,
    /// The ruleset refuses every legal move of the side to move: it loses.
    OnlyRefusedMoves,
    /// Too many plies in all.
    GameLength,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::NoLegalMove => "no_legal_move",
            Cause::PerpetualCheck => "perpetual_check",
            Cause::PerpetualChase => "perpetual_chase",
            Cause::Prohibited => "prohibited",
            Cause::MutualOffence => "mutual",
            Cause::Repetition => "repetition",
            Cause::NaturalLimit => "natural_limit",
            Cause::Material => "material",
            Cause::OnlyRefusedMoves => "only_refused_moves",
            Cause::GameLength => "game_length",
        })
    }
}

//! The reasons why a setup cannot occur in a game.

use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt;

use crate::square::Square;

alfil_kernel::define_waivers! {
    /// A kind of [`SetupIssue`] that can be waived: all of them.
    pub enum Waiver {
        /// Central squares that are empty.
        CentreEmpty = "centre_empty",
        /// Discs that are not connected to the centre.
        Island = "island",
    }
}

/// A reason why a setup cannot occur in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupIssue {
    /// Some of the four central squares are empty. A game starts with discs on them, and no disc is ever removed.
    CentreEmpty(Vec<Square>),
    /// Discs that no chain of adjacent discs connects to the centre. A disc is always placed next to another.
    Island(Vec<Square>),
}

impl fmt::Display for SetupIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ");
        match self {
            SetupIssue::CentreEmpty(squares) => {
                let (noun, verb) = if squares.len() == 1 { ("square", "is") } else { ("squares", "are") };
                write!(f, "the central {noun} {} {verb} empty, which cannot occur in a game", names(squares))
            }
            SetupIssue::Island(squares) => {
                let (noun, verb) = if squares.len() == 1 { ("disc", "is") } else { ("discs", "are") };
                write!(f, "the {noun} on {} {verb} not connected to the centre of the board", names(squares))
            }
        }
    }
}

impl alfil_kernel::SetupIssue for SetupIssue {
    type Waiver = Waiver;

    fn waiver_or_name(&self) -> Result<Waiver, &'static str> {
        match self {
            SetupIssue::CentreEmpty(..) => Ok(Waiver::CentreEmpty),
            SetupIssue::Island(..) => Ok(Waiver::Island),
        }
    }

    fn squares(&self) -> Vec<String> {
        let (SetupIssue::CentreEmpty(squares) | SetupIssue::Island(squares)) = self;
        squares.iter().map(Square::to_string).collect()
    }
}

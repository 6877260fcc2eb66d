//! The conventions by which perft counts passes and finished games.
//!
//! Published numbers differ from depth 9 on, because programs differ in these conventions.

use core::fmt;
use core::str::FromStr;

use crate::moves::Move;

/// A convention for forced passes and finished games in perft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassConvention {
    /// A pass is one ply; a game that is finished above the horizon counts as one leaf.
    Ply,
    /// A pass takes no depth; a finished game counts as one leaf.
    Free,
    /// A pass is one ply; only move sequences of the full depth count. A game that is finished one ply above the
    /// horizon reaches it by a pass that has no reply. [`alfil_kernel::perft`] does not count such a pass: its numbers
    /// lack these games, and are equal to depth 9 from the start position.
    ///
    /// Source: the column "full-depth" of A. J. C. Bik's numbers, which at depth 11 leaves out the 228 games that end
    /// at ply 9 and includes the 356 that end at ply 10.
    Full,
}

impl PassConvention {
    /// All conventions, the default first.
    pub const ALL: [PassConvention; 3] = [PassConvention::Ply, PassConvention::Free, PassConvention::Full];

    /// Returns the name of the convention on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            PassConvention::Ply => "ply",
            PassConvention::Free => "free",
            PassConvention::Full => "full",
        }
    }

    /// Parses the convention of a test suite, given by its [`name`](PassConvention::name) or by a sentence such as
    /// "pass counts as one ply; only lines that reach full depth counted". Returns `None` for any other text.
    pub fn from_description(text: &str) -> Option<PassConvention> {
        let has = |phrase: &str| text.contains(phrase);
        match text.parse() {
            Ok(convention) => Some(convention),
            Err(_) if has("does not consume depth") => Some(PassConvention::Free),
            Err(_) if has("pass counts as one ply") && has("full depth") => Some(PassConvention::Full),
            Err(_) if has("pass counts as one ply") => Some(PassConvention::Ply),
            Err(_) => None,
        }
    }

    /// Returns the number of leaves below a finished game at a `depth` above 0.
    pub(crate) const fn leaves_if_finished(self, depth: u32) -> u64 {
        match self {
            PassConvention::Ply | PassConvention::Free => 1,
            PassConvention::Full => (depth == 1) as u64,
        }
    }

    /// Returns the depth that remains after a pass at `depth`.
    pub(crate) const fn depth_after_pass(self, depth: u32) -> u32 {
        match self {
            PassConvention::Ply | PassConvention::Full => depth - 1,
            PassConvention::Free => depth,
        }
    }

    /// Returns the depth that remains after `mv` at `depth`.
    pub(crate) const fn depth_after(self, mv: Move, depth: u32) -> u32 {
        if mv.is_pass() { self.depth_after_pass(depth) } else { depth - 1 }
    }
}

/// The error of a text that is not the name of a pass convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsePassConventionError;

impl fmt::Display for ParsePassConventionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a pass convention: ply (a pass is a ply), free (it takes no depth) or full (only full depth counts)")
    }
}

impl core::error::Error for ParsePassConventionError {}

impl FromStr for PassConvention {
    type Err = ParsePassConventionError;

    fn from_str(name: &str) -> Result<Self, ParsePassConventionError> {
        PassConvention::ALL
            .into_iter()
            .find(|convention| convention.name() == name)
            .ok_or(ParsePassConventionError)
    }
}

impl fmt::Display for PassConvention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_parse_from_names_and_descriptions() {
        for convention in PassConvention::ALL {
            assert_eq!(convention.name().parse(), Ok(convention));
            assert_eq!(PassConvention::from_description(convention.name()), Some(convention));
        }
        assert_eq!("plies".parse::<PassConvention>(), Err(ParsePassConventionError));
        assert_eq!(PassConvention::from_description("counted somehow"), None);
    }
}

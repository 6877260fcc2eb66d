//! The end of a game, written over the trait [`Board`].

use core::fmt;

use alfil_kernel::{GameHistory, Outcome, RuleProbe, Rules, Side, Verdict};

use crate::board::Board;

/// The cause of the end of a game. In each case the discs are counted.
///
/// ```
/// use alfil_othello::prelude::*;
///
/// let text = "X".repeat(64) + " X";
/// assert_eq!(Othello::from_fen(&text)?.verdict().unwrap().cause, Cause::FullBoard);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Every square has a disc on it.
    FullBoard,
    /// There are empty squares, and at least one side has no discs.
    Wipeout,
    /// There are empty squares and discs of both sides, but neither side can move.
    NoLegalMove,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::FullBoard => "full_board",
            Cause::Wipeout => "wipeout",
            Cause::NoLegalMove => "no_legal_move",
        })
    }
}

/// A ruleset. The winner is the same under each; the margin is not.
///
/// ```
/// use alfil_othello::prelude::*;
///
/// let text = "X".repeat(63) + "- X";
/// let game = Othello::from_fen(&text)?;
/// assert_eq!(game.verdict().unwrap().margin, 64);
/// assert_eq!(game.with_rules(Ruleset::PLAIN).verdict().unwrap().margin, 63);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Its name on the command line.
    pub name: &'static str,
    /// Whether the empty squares are given to the winner.
    pub empties_to_winner: bool,
}

impl Ruleset {
    /// The ruleset of the World Othello Federation, game files and solvers: empty squares go to the winner.
    pub const STANDARD: Ruleset = Ruleset { name: "standard", empties_to_winner: true };
    /// The ruleset in which the margin is the disc difference.
    pub const PLAIN: Ruleset = Ruleset { name: "plain", empties_to_winner: false };
    /// All rulesets, the default first.
    pub const ALL: [Ruleset; 2] = [Ruleset::STANDARD, Ruleset::PLAIN];

    /// Returns the score of a finished game in discs, from the view of `side`.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// let text = "X".repeat(63) + "- X";
    /// let board: Bitboard = text.parse()?;
    /// assert_eq!(Ruleset::PLAIN.score(&board, Side::Second), -63);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn score(&self, position: &impl Board, side: Side) -> i32 {
        if self.empties_to_winner { position.final_score(side) } else { position.disc_difference(side) }
    }
}

impl Default for Ruleset {
    fn default() -> Self {
        Ruleset::STANDARD
    }
}

impl<P: Board> Rules<P> for Ruleset {
    fn judge(&self, game: &GameHistory<P>) -> Option<Verdict<Cause>> {
        game.position().has_no_legal_move().then(|| self.no_legal_move_verdict(game.position()))
    }

    /// Returns `Undecided`: the number of discs grows, so no position repeats, and Othello has no move limit.
    fn probe(&self, _: &GameHistory<P>, _: usize) -> RuleProbe {
        RuleProbe::Undecided
    }

    fn no_legal_move_verdict(&self, position: &P) -> Verdict<Cause> {
        let margin = self.score(position, Side::First);
        let outcome = match margin {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        };
        let cause = if position.empty_squares().is_empty() {
            Cause::FullBoard
        } else if Side::BOTH.iter().any(|&side| position.discs(side).is_empty()) {
            Cause::Wipeout
        } else {
            Cause::NoLegalMove
        };
        Verdict { outcome, cause, margin: margin.abs() }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::{Bitboard, Mailbox, Setup};
    use alfil_kernel::{Setup as _, Waivers};

    fn verdicts<P: Board>(text: &str) -> [Option<Verdict<Cause>>; 2] {
        let game = GameHistory::<P>::new(&Setup::parse(text).unwrap(), &Waivers::All).unwrap();
        Ruleset::ALL.map(|ruleset| ruleset.judge(&game))
    }

    #[test]
    fn only_the_standard_ruleset_gives_empty_squares_to_the_winner() {
        let cases = [
            ("X".repeat(40) + &"O".repeat(24), Outcome::Win(Side::First), Cause::FullBoard, [16, 16]),
            ("X".repeat(32) + &"O".repeat(32), Outcome::Draw, Cause::FullBoard, [0, 0]),
            ("-".repeat(50) + &"O".repeat(14), Outcome::Win(Side::Second), Cause::Wipeout, [64, 14]),
            ("-".repeat(64), Outcome::Draw, Cause::Wipeout, [0, 0]),
            ("X".repeat(8) + &"-".repeat(48) + &"O".repeat(8), Outcome::Draw, Cause::NoLegalMove, [0, 0]),
        ];
        for (board, outcome, cause, margins) in cases {
            for side in ["X", "O"] {
                let text = format!("{board} {side}");
                let expected = margins.map(|margin| Some(Verdict { outcome, cause, margin }));
                assert_eq!(verdicts::<Bitboard>(&text), expected, "{text}");
                assert_eq!(verdicts::<Mailbox>(&text), expected, "{text}");
            }
        }
    }

    #[test]
    fn game_does_not_end_while_either_side_can_move() {
        assert_eq!(verdicts::<Bitboard>(&Setup::start().to_text()), [None, None]);
        // White cannot move, but Black can: White passes.
        assert_eq!(verdicts::<Bitboard>(&format!("XO{} O", "-".repeat(62))), [None, None]);
    }
}

//! How a game of Othello ends, written once over every board.

use core::fmt;

use alfil_kernel::{GameHistory, Outcome, RuleProbe, Rules, Side, Verdict};

use crate::board::Board;

/// Why a game ended. Either way the discs are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Every square has a disc on it.
    FullBoard,
    /// One side has no disc left.
    Wipeout,
    /// There are empty squares, but neither side can move.
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

/// A rule book: who wins is the same in both, the margin is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Its name on the command line.
    pub name: &'static str,
    /// Whether the winner is given the squares that stayed empty.
    pub empties_to_winner: bool,
}

impl Ruleset {
    /// Empty squares go to the winner, as the World Othello Federation counts, game files and solvers.
    pub const STANDARD: Ruleset = Ruleset { name: "standard", empties_to_winner: true };
    /// Discs less discs.
    pub const PLAIN: Ruleset = Ruleset { name: "plain", empties_to_winner: false };
    /// All of them, the default first.
    pub const ALL: [Ruleset; 2] = [Ruleset::STANDARD, Ruleset::PLAIN];

    /// A side's margin in a finished game.
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
    fn judge(&self, line: &GameHistory<P>) -> Option<Verdict<Cause>> {
        line.position().has_no_legal_move().then(|| self.no_legal_move_verdict(line.position()))
    }

    /// Nothing: the number of discs grows, so nothing repeats, and there is no limit.
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
    use super::*;
    use crate::{Bitboard, Mailbox, Setup};
    use alfil_kernel::{Setup as _, Waivers};

    fn verdicts<P: Board>(text: &str) -> [Option<Verdict<Cause>>; 2] {
        let line = GameHistory::<P>::new(&Setup::parse(text).unwrap(), &Waivers::All).unwrap();
        Ruleset::ALL.map(|laws| laws.judge(&line))
    }

    #[test]
    fn the_winner_gets_the_empty_squares_and_the_plain_count_does_not_give_them() {
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
    fn a_game_goes_on_while_either_side_can_move() {
        assert_eq!(verdicts::<Bitboard>(&Setup::start().to_text()), [None, None]);
        // White cannot move, Black can: a pass, not an ending.
        assert_eq!(verdicts::<Bitboard>(&format!("XO{} O", "-".repeat(62))), [None, None]);
    }
}

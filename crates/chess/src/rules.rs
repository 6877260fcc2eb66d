//! How a game of chess ends, written once over every board. Source: FIDE Laws of Chess (2023), articles 5, 6 and 9.

use core::fmt;

use alfil_kernel::{GameHistory, Outcome, RuleProbe, Rules, Side, Verdict};

use crate::board::Board;
use crate::geometry::DARK_SQUARES;
use crate::piece::{Piece, PieceKind};
use crate::square::SquareSet;

/// Why a game ended.
///
/// ```
/// use alfil_chess::prelude::*;
///
/// let game = Chess::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")?;
/// assert_eq!(game.verdict().unwrap().cause, Cause::Stalemate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The side to move is in check and has no legal move: it loses (article 5.1.1).
    Checkmate,
    /// The side to move is not in check and has no legal move: a draw (5.2.1).
    Stalemate,
    /// Neither side has enough material to mate by any series of legal moves: a draw (5.2.2).
    InsufficientMaterial,
    /// The position occurred for the third time and the draw is claimed (9.2).
    Threefold,
    /// The position occurred for the fifth time: a draw without a claim (9.6.1).
    Fivefold,
    /// Each side made fifty moves without a capture or a pawn move, and the draw is claimed (9.3).
    FiftyMoves,
    /// Each side made seventy-five moves without a capture or a pawn move: a draw without a claim (9.6.2).
    SeventyFiveMoves,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Checkmate => "checkmate",
            Cause::Stalemate => "stalemate",
            Cause::InsufficientMaterial => "material",
            Cause::Threefold => "threefold",
            Cause::Fivefold => "fivefold",
            Cause::FiftyMoves => "fifty_moves",
            Cause::SeventyFiveMoves => "seventy_five_moves",
        })
    }
}

/// A ruleset: it decides whether draws that a player may claim end the game.
///
/// ```
/// use alfil_chess::prelude::*;
///
/// let game = Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 100 80")?;
/// assert_eq!(game.clone().verdict().unwrap().cause, Cause::FiftyMoves);
/// assert_eq!(game.with_rules(Ruleset::UNCLAIMED).verdict(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// The name on the command line.
    pub name: &'static str,
    /// The number of occurrences of a position that is a draw.
    pub occurrence_limit: usize,
    /// The halfmove clock, in plies, that is a draw.
    pub halfmove_limit: u32,
}

impl Ruleset {
    /// The third occurrence and fifty moves end the game, as if every draw were claimed. Engines play by this ruleset.
    pub const CLAIMED: Ruleset = Ruleset { name: "claimed", occurrence_limit: 3, halfmove_limit: 100 };

    /// Only the fifth occurrence and seventy-five moves end the game, as if no draw were claimed.
    pub const UNCLAIMED: Ruleset = Ruleset { name: "unclaimed", occurrence_limit: 5, halfmove_limit: 150 };

    /// All rulesets, the default first.
    pub const ALL: [Ruleset; 2] = [Ruleset::CLAIMED, Ruleset::UNCLAIMED];

    fn repetition_verdict(&self) -> Verdict<Cause> {
        let cause = if self.occurrence_limit < 5 { Cause::Threefold } else { Cause::Fivefold };
        Verdict::new(Outcome::Draw, cause)
    }
}

impl Default for Ruleset {
    fn default() -> Self {
        Ruleset::CLAIMED
    }
}

impl<P: Board> Rules<P> for Ruleset {
    /// Judges the position. Checkmate takes precedence: a mating move wins even if it reaches the move limit (9.6.2).
    fn judge(&self, game: &GameHistory<P>) -> Option<Verdict<Cause>> {
        if game.position().has_no_legal_move() {
            return Some(self.no_legal_move_verdict(game.position()));
        }
        if is_dead_position(game.position()) {
            return Some(Verdict::new(Outcome::Draw, Cause::InsufficientMaterial));
        }
        if game.has_occurred(self.occurrence_limit) {
            return Some(self.repetition_verdict());
        }
        (game.halfmove_clock() >= self.halfmove_limit).then(|| {
            let cause = if self.halfmove_limit < 150 { Cause::FiftyMoves } else { Cause::SeventyFiveMoves };
            Verdict::new(Outcome::Draw, cause)
        })
    }

    /// Probes the rules in search. A repetition of a position below the root counts as a draw at once, because the side
    /// that repeated it can do so again; for positions before the root the limit of the ruleset applies. Checkmate
    /// precedes the limit of moves.
    fn probe(&self, game: &GameHistory<P>, root: usize) -> RuleProbe {
        if game.may_repeat() {
            let mut earlier = game.earlier_occurrences();
            let is_draw =
                earlier.next().is_some_and(|ply| ply >= root) || game.has_occurred(self.occurrence_limit);
            if is_draw {
                return RuleProbe::Decided(Outcome::Draw);
            }
        }
        let is_limit_reached = game.halfmove_clock() >= self.halfmove_limit
            && !(game.in_check() && game.position().has_no_legal_move());
        if is_limit_reached || is_dead_position(game.position()) {
            return RuleProbe::Decided(Outcome::Draw);
        }
        RuleProbe::Undecided
    }

    fn no_legal_move_verdict(&self, position: &P) -> Verdict<Cause> {
        if position.in_check() {
            Verdict::new(Outcome::loss(position.side_to_move()), Cause::Checkmate)
        } else {
            Verdict::new(Outcome::Draw, Cause::Stalemate)
        }
    }

    /// Returns whether the material of `side` allows a mate by some series of legal moves (6.9).
    fn can_win(&self, position: &P, side: Side) -> bool {
        let pieces = |side, kind| position.pieces(Piece::new(side, kind));
        let has = |side, kinds: &[PieceKind]| kinds.iter().any(|&kind| !pieces(side, kind).is_empty());
        if has(side, &[PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen]) {
            return true;
        }
        let (knights, bishops) = (pieces(side, PieceKind::Knight), pieces(side, PieceKind::Bishop));
        match knights.len() {
            // A bare king cannot mate. Bishops on one square colour need an enemy piece that can block its own king on
            // the other colour.
            0 => {
                let all = bishops | pieces(!side, PieceKind::Bishop);
                let is_one_colour = all.0 & DARK_SQUARES == 0 || all.0 & !DARK_SQUARES == 0;
                !bishops.is_empty() && (!is_one_colour || has(!side, &[PieceKind::Pawn, PieceKind::Knight]))
            }
            // A single knight needs an enemy piece that blocks its own king. A queen does not do: from each square that
            // it could block it attacks the mating knight.
            1 if bishops.is_empty() => {
                has(!side, &[PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook])
            }
            _ => true,
        }
    }
}

/// Returns whether the material allows no mate by any series of legal moves: bare kings, a single knight, or only
/// bishops on squares of one colour. Two knights can mate with the help of the opponent, and so can a bishop against a
/// knight.
pub fn is_dead_position(position: &impl Board) -> bool {
    let pieces = |kind| -> SquareSet {
        position.pieces(Piece::new(Side::First, kind)) | position.pieces(Piece::new(Side::Second, kind))
    };
    // Most positions have a pawn, so that the first test already returns.
    if [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen].into_iter().any(|kind| !pieces(kind).is_empty()) {
        return false;
    }
    let (knights, bishops) = (pieces(PieceKind::Knight), pieces(PieceKind::Bishop));
    match knights.len() {
        0 => bishops.0 & DARK_SQUARES == 0 || bishops.0 & !DARK_SQUARES == 0,
        1 => bishops.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::string::ToString as _;

    use super::*;
    use crate::{Bitboard, Mailbox, Setup};
    use alfil_kernel::{MoveList, Setup as _, Waivers};

    /// Plays the moves and returns outcome and cause; checks that the probe agrees with the judgement.
    fn play_and_judge<P: Board>(rules: Ruleset, fen: &str, moves: &str) -> Option<String> {
        let mut game = GameHistory::<P>::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
        for text in moves.split_whitespace() {
            let mut list = MoveList::new();
            game.position().generate_legal(&mut list);
            let mv = list.iter().find(|mv| mv.to_string() == text).unwrap_or_else(|| panic!("{text}"));
            game.play(*mv);
        }
        let verdict: Option<Verdict<Cause>> = rules.judge(&game);
        if let (Some(verdict), true) = (verdict, game.ply() > 0)
            && !game.position().has_no_legal_move()
        {
            assert_eq!(rules.probe(&game, 0), RuleProbe::Decided(verdict.outcome), "{fen} {moves}");
        }
        verdict.map(|verdict| format!("{:?} {}", verdict.outcome, verdict.cause))
    }

    #[track_caller]
    fn assert_verdict(rules: Ruleset, fen: &str, moves: &str, expected: Option<&str>) {
        assert_eq!(play_and_judge::<Mailbox>(rules, fen, moves).as_deref(), expected, "{fen} {moves}");
        assert_eq!(play_and_judge::<Bitboard>(rules, fen, moves).as_deref(), expected, "{fen} {moves}");
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn checkmate_and_stalemate_end_the_game() {
        assert_verdict(Ruleset::CLAIMED, START, "f2f3 e7e5 g2g4 d8h4", Some("Win(Second) checkmate"));
        assert_verdict(Ruleset::CLAIMED, "7k/5Q2/8/8/8/8/8/K7 b", "", Some("Draw stalemate"));
        assert_verdict(Ruleset::CLAIMED, START, "", None);
    }

    #[test]
    fn the_third_or_fifth_occurrence_is_a_draw() {
        let cycle = "g1f3 g8f6 f3g1 f6g8 ";
        assert_verdict(Ruleset::CLAIMED, START, cycle, None);
        assert_verdict(Ruleset::CLAIMED, START, &cycle.repeat(2), Some("Draw threefold"));
        assert_verdict(Ruleset::UNCLAIMED, START, &cycle.repeat(3), None);
        assert_verdict(Ruleset::UNCLAIMED, START, &cycle.repeat(4), Some("Draw fivefold"));
    }

    #[test]
    fn castling_and_en_passant_rights_distinguish_positions() {
        // The king returns without its castling right, so the first position differs from the later ones.
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let cycle = "e1e2 e8e7 e2e1 e7e8 ";
        assert_verdict(Ruleset::CLAIMED, fen, &cycle.repeat(2), None);
        assert_verdict(Ruleset::CLAIMED, fen, &cycle.repeat(3), Some("Draw threefold"));
        // After e2e4 the pawn on d4 can capture en passant; the repeated position lacks that right.
        let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        let cycle = "e8d8 e1d1 d8e8 d1e1 ";
        assert_verdict(Ruleset::CLAIMED, fen, &format!("e2e4 {}", cycle.repeat(2)), None);
        assert_verdict(Ruleset::CLAIMED, fen, &format!("e2e4 {}", cycle.repeat(3)), Some("Draw threefold"));
        // Here the capture would expose the king to the rook on h4, so the positions are equal from the start.
        let fen = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
        let cycle = "a4b4 e1d1 b4a4 d1e1 ";
        assert_verdict(Ruleset::CLAIMED, fen, &format!("e2e4 {}", cycle.repeat(2)), Some("Draw threefold"));
    }

    #[test]
    fn fifty_or_seventy_five_moves_are_a_draw() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";
        assert_verdict(Ruleset::CLAIMED, fen, "", None);
        assert_verdict(Ruleset::CLAIMED, fen, "e1e2", Some("Draw fifty_moves"));
        assert_verdict(Ruleset::UNCLAIMED, fen, "e1e2", None);
        assert_verdict(
            Ruleset::UNCLAIMED,
            &fen.replace("99", "149"),
            "e1e2",
            Some("Draw seventy_five_moves"),
        );
        // Castling does not reset the halfmove clock; checkmate on the last ply wins.
        assert_verdict(
            Ruleset::CLAIMED,
            "4k3/8/8/8/8/8/8/R3K3 w Q - 99 80",
            "e1a1",
            Some("Draw fifty_moves"),
        );
        assert_verdict(
            Ruleset::CLAIMED,
            "7k/8/6K1/8/8/8/8/R7 w - - 99 80",
            "a1a8",
            Some("Win(First) checkmate"),
        );
    }

    #[test]
    fn can_win_depends_on_the_material_of_both_sides() {
        for (fen, white, black) in [
            (START, true, true),
            ("4k3/8/8/8/8/8/8/4K3 w", false, false),
            ("4k3/8/8/8/8/8/P7/4K3 w", true, false),
            ("q3k3/8/8/8/8/8/8/4K3 w", false, true),
            ("q3k3/8/8/8/8/8/8/4KN2 w", false, true),
            ("r3k3/8/8/8/8/8/8/4KN2 w", true, true),
            ("4k3/p7/8/8/8/8/8/4KN2 w", true, true),
            ("q3k3/8/8/8/8/8/8/4KNN1 w", true, true),
            ("r3k3/8/8/8/8/8/8/4KB2 w", false, true),
            ("4k1n1/8/8/8/8/8/8/4KB2 w", true, true),
            ("4k3/p7/8/8/8/8/8/4KB2 w", true, true),
            ("2b1k3/8/8/8/8/8/8/4KB2 w", false, false),
            ("5bk1/8/8/8/8/8/8/4KB2 w", true, true),
            ("4k3/8/8/8/8/2B5/4B3/4K3 w", true, false),
        ] {
            let setup = Setup::parse(fen).unwrap();
            let game = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
            let can = Side::BOTH.map(|side| Ruleset::CLAIMED.can_win(game.position(), side));
            assert_eq!(can, [white, black], "{fen}");
        }
    }

    #[test]
    fn dead_positions_are_drawn() {
        for (fen, dead) in [
            ("4k3/8/8/8/8/8/8/4K3 w", true),
            ("4k3/8/8/8/8/8/8/4KN2 w", true),
            ("4k3/8/8/8/8/8/8/4KB2 w", true),
            ("2b1k3/8/8/8/8/8/8/4KB2 w", true),
            ("5bk1/8/8/8/8/8/8/4KB2 w", false),
            ("4k3/8/8/8/8/8/8/4KNN1 w", false),
            ("4k1n1/8/8/8/8/8/8/4KB2 w", false),
            ("4k3/8/8/8/8/8/P7/4K3 w", false),
            ("4k3/8/8/8/8/3B4/4B3/4KB2 w", true),
            ("4k3/8/8/8/8/2B5/4B3/4KB2 w", false),
            ("4k3/8/8/8/8/3B4/8/4KB2 w", true),
        ] {
            assert_verdict(Ruleset::CLAIMED, fen, "", dead.then_some("Draw material"));
        }
    }

    #[test]
    fn a_very_long_game_of_repetitions_is_judged_after_each_move() {
        use alfil_kernel::Position as _;
        let mut game = GameHistory::<Bitboard>::new(&Setup::chess960(518).unwrap(), &Waivers::None).unwrap();
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|text| {
            let mut list = MoveList::new();
            game.position().generate_legal(&mut list);
            let mv = *list.iter().find(|mv| mv.to_string() == text).unwrap();
            game.play(mv);
            mv
        });
        for index in 0..200_000 {
            game.play(moves[index % 4]);
            let verdict: Option<Verdict<Cause>> = Ruleset::UNCLAIMED.judge(&game);
            assert_eq!(verdict.is_some(), index >= 11, "{index}");
        }
    }
}

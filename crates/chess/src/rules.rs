//! How a game of chess ends, written once over every board. After the FIDE Laws of Chess (2023), articles 5 and 9.

use core::fmt;

use alfil_kernel::{GameHistory, Outcome, RuleProbe, Rules, Side, Verdict};

use crate::board::{Board, SquareSet};
use crate::piece::{Piece, PieceKind};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The side to move is in check and has no legal move: it loses (5.1.1).
    Checkmate,
    /// The side to move is not in check and has no legal move: a draw (5.2.1).
    Stalemate,
    /// Neither side has the men to mate by any series of legal moves: a draw (5.2.2).
    InsufficientMaterial,
    /// The position stands for the third time, and it is claimed: a draw (9.2).
    Threefold,
    /// The position stands for the fifth time: a draw, claimed or not (9.6.1).
    Fivefold,
    /// Fifty moves each without a capture or a pawn move, and it is claimed: a draw (9.3).
    FiftyMoves,
    /// Seventy-five moves each without a capture or a pawn move: a draw, claimed or not (9.6.2).
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

/// A rule book: whether draws that a player may claim are taken as claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Its name on the command line.
    pub name: &'static str,
    /// A position that stands for this time is a draw.
    pub occurrence_limit: usize,
    /// So many plies without a capture or a pawn move are a draw.
    pub halfmove_limit: u32,
}

impl Ruleset {
    /// Every claim is made: the third occurrence and fifty moves end the game, as between programs.
    pub const CLAIMED: Ruleset = Ruleset { name: "claimed", occurrence_limit: 3, halfmove_limit: 100 };

    /// Nobody claims: only the fifth occurrence and seventy-five moves end the game.
    pub const UNCLAIMED: Ruleset = Ruleset { name: "unclaimed", occurrence_limit: 5, halfmove_limit: 150 };

    /// All rule books, the default first.
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
    /// Mate and stalemate come before everything else: a mating move on the last quiet ply wins (9.6.2).
    fn judge(&self, line: &GameHistory<P>) -> Option<Verdict<Cause>> {
        if line.position().has_no_legal_move() {
            return Some(self.no_legal_move_verdict(line.position()));
        }
        if is_dead_position(line.position()) {
            return Some(Verdict::new(Outcome::Draw, Cause::InsufficientMaterial));
        }
        if line.occurrences() >= self.occurrence_limit {
            return Some(self.repetition_verdict());
        }
        (line.halfmove_clock() >= self.halfmove_limit).then(|| {
            let cause = if self.halfmove_limit < 150 { Cause::FiftyMoves } else { Cause::SeventyFiveMoves };
            Verdict::new(Outcome::Draw, cause)
        })
    }

    /// The first return to a position inside the search is taken for a draw: whoever can repeat once can repeat again.
    /// Of positions before the root the rule's number must be reached. In check the quiet plies prove nothing: it may be
    /// mate.
    fn probe(&self, line: &GameHistory<P>, root: usize) -> RuleProbe {
        if line.may_repeat() {
            let mut repeats = line.earlier_occurrences();
            let draw =
                repeats.next().is_some_and(|ply| ply >= root) || line.occurrences() >= self.occurrence_limit;
            if draw {
                return RuleProbe::Decided(Outcome::Draw);
            }
        }
        if line.halfmove_clock() >= self.halfmove_limit && !line.in_check()
            || is_dead_position(line.position())
        {
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

    /// Whether any series of legal moves could still mate the other side (6.9), as far as the men show it.
    fn can_win(&self, position: &P, side: Side) -> bool {
        let men = |side, kind| position.pieces(Piece::new(side, kind));
        let has = |side, kinds: &[PieceKind]| kinds.iter().any(|&kind| !men(side, kind).is_empty());
        if has(side, &[PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen]) {
            return true;
        }
        let (knights, bishops) = (men(side, PieceKind::Knight), men(side, PieceKind::Bishop));
        match knights.len() {
            // A lone king mates nobody; bishops of one colour need a man that stands in its own king's way on the other.
            0 => {
                let all = bishops | men(!side, PieceKind::Bishop);
                let one_colour = all.0 & DARK_SQUARES == 0 || all.0 & !DARK_SQUARES == 0;
                !bishops.is_empty() && (!one_colour || has(!side, &[PieceKind::Pawn, PieceKind::Knight]))
            }
            // A queen beside her king always finds an answer to a lone knight; any other man can be in the way.
            1 if bishops.is_empty() => {
                has(!side, &[PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook])
            }
            _ => true,
        }
    }
}

/// The dark squares: a1 is one.
const DARK_SQUARES: u64 = 0xAA55_AA55_AA55_AA55;

/// Whether neither side can be mated by any series of legal moves, as far as the men alone show it: kings only, one
/// knight, or any number of bishops that all stand on squares of one colour. (Two knights can mate a helpless king, and
/// so can a bishop against a knight.)
fn is_dead_position(position: &impl Board) -> bool {
    let men = |kind| Side::BOTH.map(|side| position.pieces(Piece::new(side, kind)));
    let both = |[white, black]: [SquareSet; 2]| white | black;
    // Most positions have a pawn: the first question settles it.
    if [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen]
        .into_iter()
        .any(|kind| !both(men(kind)).is_empty())
    {
        return false;
    }
    let (knights, bishops) = (both(men(PieceKind::Knight)), both(men(PieceKind::Bishop)));
    match knights.len() {
        0 => bishops.0 & DARK_SQUARES == 0 || bishops.0 & !DARK_SQUARES == 0,
        1 => bishops.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitboard, Mailbox, Setup};
    use alfil_kernel::{Move as _, MoveList, Setup as _, Waivers};

    fn cause<P: Board>(rules: Ruleset, fen: &str, moves: &str) -> Option<String> {
        let mut line = GameHistory::<P>::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
        for text in moves.split_whitespace() {
            let mut list = MoveList::new();
            line.position().generate_legal(&mut list);
            let mv = list.iter().find(|mv| mv.to_string() == text).unwrap_or_else(|| panic!("{text}"));
            line.play(*mv);
        }
        let verdict: Option<Verdict<Cause>> = rules.judge(&line);
        if let (Some(verdict), true) = (verdict, line.ply() > 0)
            && !line.position().has_no_legal_move()
        {
            assert_eq!(rules.probe(&line, 0), RuleProbe::Decided(verdict.outcome), "{fen} {moves}");
        }
        verdict.map(|verdict| format!("{:?} {}", verdict.outcome, verdict.cause))
    }

    #[track_caller]
    fn ends(rules: Ruleset, fen: &str, moves: &str, expected: Option<&str>) {
        assert_eq!(cause::<Mailbox>(rules, fen, moves).as_deref(), expected, "{fen} {moves}");
        assert_eq!(cause::<Bitboard>(rules, fen, moves).as_deref(), expected, "{fen} {moves}");
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn mate_and_stalemate() {
        ends(Ruleset::CLAIMED, START, "f2f3 e7e5 g2g4 d8h4", Some("Win(Second) checkmate"));
        ends(Ruleset::CLAIMED, "7k/5Q2/8/8/8/8/8/K7 b", "", Some("Draw stalemate"));
        ends(Ruleset::CLAIMED, START, "", None);
    }

    #[test]
    fn the_third_and_the_fifth_time() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
        ends(Ruleset::CLAIMED, START, there_and_back, None);
        ends(Ruleset::CLAIMED, START, &there_and_back.repeat(2), Some("Draw threefold"));
        ends(Ruleset::UNCLAIMED, START, &there_and_back.repeat(3), None);
        ends(Ruleset::UNCLAIMED, START, &there_and_back.repeat(4), Some("Draw fivefold"));
    }

    #[test]
    fn rights_and_a_capturable_pawn_make_another_position() {
        // The king comes back, the right does not: the first position is another one than the later two.
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let round = "e1e2 e8e7 e2e1 e7e8 ";
        ends(Ruleset::CLAIMED, fen, &round.repeat(2), None);
        ends(Ruleset::CLAIMED, fen, &round.repeat(3), Some("Draw threefold"));
        // After e2e4 the pawn on d4 may take once; the position that comes back is not the same.
        let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        let round = "e8d8 e1d1 d8e8 d1e1 ";
        ends(Ruleset::CLAIMED, fen, &format!("e2e4 {}", round.repeat(2)), None);
        ends(Ruleset::CLAIMED, fen, &format!("e2e4 {}", round.repeat(3)), Some("Draw threefold"));
        // Here it could take only by exposing its king to the rook on h4: the same position at once.
        let fen = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
        let round = "a4b4 e1d1 b4a4 d1e1 ";
        ends(Ruleset::CLAIMED, fen, &format!("e2e4 {}", round.repeat(2)), Some("Draw threefold"));
    }

    #[test]
    fn fifty_and_seventy_five_moves() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";
        ends(Ruleset::CLAIMED, fen, "", None);
        ends(Ruleset::CLAIMED, fen, "e1e2", Some("Draw fifty_moves"));
        ends(Ruleset::UNCLAIMED, fen, "e1e2", None);
        ends(Ruleset::UNCLAIMED, &fen.replace("99", "149"), "e1e2", Some("Draw seventy_five_moves"));
        // Castling is a quiet move; mate on the last ply wins.
        ends(Ruleset::CLAIMED, "4k3/8/8/8/8/8/8/R3K3 w Q - 99 80", "e1a1", Some("Draw fifty_moves"));
        ends(Ruleset::CLAIMED, "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", Some("Win(First) checkmate"));
    }

    #[test]
    fn who_could_still_mate() {
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
            let line = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
            let can = Side::BOTH.map(|side| Ruleset::CLAIMED.can_win(line.position(), side));
            assert_eq!(can, [white, black], "{fen}");
        }
    }

    #[test]
    fn dead_positions_by_material() {
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
            ends(Ruleset::CLAIMED, fen, "", dead.then_some("Draw material"));
        }
        assert_eq!(DARK_SQUARES & 1, 1);
        assert_eq!(crate::Move::FILLER.bits(), 1);
    }
}

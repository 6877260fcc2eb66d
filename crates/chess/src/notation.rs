//! Moves in words: coordinates in two dialects, and standard algebraic notation.
//!
//! Coordinates differ in castling only. `uci960` writes it as the king taking its rook, `e1h1`, always. `uci` writes the
//! king's two steps, `e1g1`, where king and rook stand as in usual chess, and the king taking its rook elsewhere, because
//! there `f1g1` may be a step of the king. What is legal in the other form only is refused with its name.

use core::fmt;

use alfil_kernel::{Move as _, Notation, Side};

use crate::board::Board;
use crate::geometry::castling_destinations;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind, side_name};
use crate::square::Square;

pub mod san;

/// A way of writing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `e2e4`, `e7e8q`, castling `e1g1`: what UCI engines write.
    Uci,
    /// The same with castling `e1h1`: what they write under `UCI_Chess960`.
    Uci960,
    /// `e4`, `exd5`, `Nbd2`, `e8=Q+`, `O-O`: the PGN standard's algebraic notation, read leniently; long algebraic is
    /// read too.
    San,
}

impl alfil_kernel::Dialect for Dialect {
    const ALL: &'static [Self] = &[Dialect::Uci, Dialect::Uci960, Dialect::San];

    fn name(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Uci960 => "uci960",
            Dialect::San => "san",
        }
    }

    fn expected_form(self) -> &'static str {
        match self {
            Dialect::Uci => "two squares and what a pawn becomes, such as e2e4, e7e8q, e1g1",
            Dialect::Uci960 => "two squares and what a pawn becomes, such as e2e4, e7e8q, e1h1",
            Dialect::San => "algebraic notation, such as e4, exd5, Nbd2, e8=Q, O-O",
        }
    }
}

/// Why a move may not be played. `Display` says it in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// There is no man where the move begins.
    NoPiece(Square),
    /// The man where the move begins is the other side's.
    NotSideToMove(Piece, Square),
    /// A man of this side's stands where the move ends.
    OwnPieceOnTarget(Side, Square),
    /// The man does not go from the one square to the other as things stand.
    CannotReach(Piece, Square, Square),
    /// The side is in check, and stays so.
    StaysInCheck(Side),
    /// The side would be in check.
    ExposesKing(Side),
    /// The side has no man of the kind.
    NoSuchPiece(Piece),
    /// No man of the kind goes to the square in the way that is written.
    NoPieceCanReach(Piece, Square),
    /// The side may not castle to that wing.
    NoCastlingRight(Side),
    /// Something stands between king and rook, or where they go.
    CastlingBlocked,
    /// The king is in check, so it cannot castle.
    CastlingInCheck,
    /// The king would pass over a square that is attacked, or end on one.
    CastlingAttacked,
    /// It is not said what the pawn becomes that makes this move, in coordinates.
    MissingPromotion(Move),
    /// It is not said what the pawn becomes that reaches this square, in algebraic notation.
    MissingSanPromotion(Square),
    /// Something is promoted that is no pawn on its last rank.
    UnexpectedPromotion(Square),
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalReason::NoPiece(origin) => write!(f, "no man stands on {origin}"),
            IllegalReason::NotSideToMove(piece, origin) => {
                write!(f, "the {piece} on {origin} is not {}'s to move", side_name(!piece.side()))
            }
            IllegalReason::OwnPieceOnTarget(side, target) => {
                write!(f, "{} itself has a man on {target}", side_name(side))
            }
            IllegalReason::CannotReach(piece, origin, target) => {
                write!(f, "the {piece} on {origin} cannot go to {target}")
            }
            IllegalReason::StaysInCheck(side) => write!(f, "it leaves {}'s king in check", side_name(side)),
            IllegalReason::ExposesKing(side) => write!(f, "it exposes {}'s king", side_name(side)),
            IllegalReason::NoSuchPiece(piece) => {
                write!(f, "{} has no {}", side_name(piece.side()), piece.kind().name())
            }
            IllegalReason::NoPieceCanReach(piece, target) => write!(f, "no {piece} can go to {target} so"),
            IllegalReason::NoCastlingRight(side) => {
                write!(f, "{} has no right to castle there", side_name(side))
            }
            IllegalReason::CastlingBlocked => f.write_str("something stands in the way of castling"),
            IllegalReason::CastlingInCheck => f.write_str("a king in check cannot castle"),
            IllegalReason::CastlingAttacked => {
                f.write_str("the king would castle over or to an attacked square")
            }
            IllegalReason::MissingPromotion(mv) => {
                let target = mv.target();
                write!(f, "a pawn that reaches {target} becomes something: {mv}n, {mv}b, {mv}r or {mv}q")
            }
            IllegalReason::MissingSanPromotion(target) => {
                write!(f, "a pawn that reaches {target} becomes something: {target}=N, =B, =R or =Q")
            }
            IllegalReason::UnexpectedPromotion(target) => write!(f, "nothing is promoted on {target}"),
        }
    }
}

/// A text that names no legal move of chess.
pub type NotationError = alfil_kernel::NotationError<IllegalReason>;

/// How chess is written.
#[derive(Clone, Copy, Debug)]
pub enum MoveNotation {}

impl<P: Board> Notation<P> for MoveNotation {
    type Dialect = Dialect;
    type IllegalReason = IllegalReason;

    fn format_move(position: &P, mv: Move, dialect: Dialect) -> String {
        match dialect {
            Dialect::Uci => to_uci_form(position, mv).to_string(),
            Dialect::Uci960 => mv.to_string(),
            Dialect::San => san::format_move(position, mv),
        }
    }

    /// In SAN the sign of check is a matter of the position, so it is left out.
    fn normalise(text: &str, dialect: Dialect) -> Option<String> {
        match dialect {
            Dialect::Uci | Dialect::Uci960 => parse_coordinates(text).map(|mv| mv.to_string()),
            Dialect::San => san::SanPattern::parse(text).map(|pattern| pattern.to_string()),
        }
    }

    fn rejection_reason(position: &P, text: &str, dialect: Dialect) -> Option<IllegalReason> {
        match dialect {
            Dialect::Uci | Dialect::Uci960 => parse_coordinates(text).map(|mv| illegal_reason(position, mv)),
            Dialect::San => {
                san::SanPattern::parse(text).map(|pattern| san::illegal_reason(position, &pattern))
            }
        }
    }

    /// From the text itself, without listing the other moves.
    fn matching_moves(position: &P, text: &str, dialect: Dialect) -> Vec<Move> {
        if dialect == Dialect::San {
            return san::SanPattern::parse(text)
                .map_or(Vec::new(), |pattern| pattern.matching_moves(position));
        }
        let Some(written) = parse_coordinates(text) else { return Vec::new() };
        let mv = match dialect {
            Dialect::Uci => castling_from_king_move(position, written).unwrap_or(written),
            _ => written,
        };
        let says_so = dialect == Dialect::Uci960 || to_uci_form(position, mv) == written;
        if says_so && position.is_legal(mv) { vec![mv] } else { Vec::new() }
    }
}

/// The squares that `uci` writes.
fn to_uci_form<P: Board>(position: &P, mv: Move) -> Move {
    let (king, rook) = (mv.origin(), mv.target());
    let usual = king.file() == 4 && matches!(rook.file(), 0 | 7);
    if usual && position.is_castling(mv) { Move::new(king, castling_destinations(king, rook).0) } else { mv }
}

/// The castling that these two steps of a king mean.
fn castling_from_king_move<P: Board>(position: &P, written: Move) -> Option<Move> {
    let (king, goal) = (written.origin(), written.target());
    let rook = match goal.file() {
        2 => 0,
        6 => 7,
        _ => return None,
    };
    if king.file() != 4 || goal.rank() != king.rank() || written.promotion_kind().is_some() {
        return None;
    }
    let mv = Move::new(king, Square::new(rook, king.rank()));
    position.is_castling(mv).then_some(mv)
}

/// The move that a text names in coordinates, legal or not.
fn parse_coordinates(text: &str) -> Option<Move> {
    let text = text.trim().as_bytes();
    let (squares, rest) = (text.get(..4)?, &text[4..]);
    let square = |name: &[u8]| match *name {
        [file, rank @ b'1'..=b'8'] => {
            let file = file.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 8)?;
            Some(Square::new(file.into(), (rank - b'1').into()))
        }
        _ => None,
    };
    let (origin, target) = (square(&squares[..2])?, square(&squares[2..])?);
    let promoted = match *rest {
        [] => 0,
        [letter] => PieceKind::from_letter(char::from(letter))
            .filter(|kind| PieceKind::PROMOTIONS.contains(kind))? as u16,
        _ => return None,
    };
    Move::from_bits(promoted << 12 | (origin.index() as u16) << 6 | target.index() as u16)
}

/// Why a move between two squares is not legal here.
fn illegal_reason<P: Board>(position: &P, mv: Move) -> IllegalReason {
    let (origin, target, mover) = (mv.origin(), mv.target(), position.side_to_move());
    let Some(piece) = position.piece_on(origin) else { return IllegalReason::NoPiece(origin) };
    if piece.side() != mover {
        return IllegalReason::NotSideToMove(piece, origin);
    }
    let castling = castling_from_king_move(position, mv).unwrap_or(mv);
    if position.is_castling(castling) {
        return castling_illegal_reason(position, castling);
    }
    let goal = if mover == Side::First { 7 } else { 0 };
    let promotes = piece.kind() == PieceKind::Pawn && target.rank() == goal;
    if promotes && mv.promotion_kind().is_none() {
        return IllegalReason::MissingPromotion(mv);
    }
    if mv.promotion_kind().is_some() && !promotes {
        return IllegalReason::UnexpectedPromotion(target);
    }
    if position.piece_on(target).is_some_and(|man| man.side() == mover) {
        return IllegalReason::OwnPieceOnTarget(mover, target);
    }
    let two = piece.kind() == PieceKind::King && origin.file().abs_diff(target.file()) == 2;
    if two && origin.rank() == target.rank() {
        return IllegalReason::NoCastlingRight(mover);
    }
    if !position.is_pseudo_legal(mv) {
        return IllegalReason::CannotReach(piece, origin, target);
    }
    unsafe_king_reason(position)
}

/// Why a castling that the rights allow cannot be done now.
fn castling_illegal_reason<P: Board>(position: &P, mv: Move) -> IllegalReason {
    if !position.is_pseudo_legal(mv) {
        return IllegalReason::CastlingBlocked;
    }
    if position.in_check() { IllegalReason::CastlingInCheck } else { IllegalReason::CastlingAttacked }
}

/// What is wrong with a pseudo-legal move that is not legal.
fn unsafe_king_reason<P: Board>(position: &P) -> IllegalReason {
    let mover = position.side_to_move();
    if position.in_check() { IllegalReason::StaysInCheck(mover) } else { IllegalReason::ExposesKing(mover) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitboard, Mailbox, Setup};
    use alfil_kernel::{Dialect as _, MoveList, Position, Setup as _, Waivers};

    fn board<P: Board>(fen: &str) -> P {
        P::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap()
    }

    #[track_caller]
    fn read(fen: &str, text: &str, dialect: Dialect) -> Result<String, String> {
        let (a, b) = (board::<Mailbox>(fen), board::<Bitboard>(fen));
        let found = MoveNotation::parse_move(&a, text, dialect);
        assert_eq!(found, MoveNotation::parse_move(&b, text, dialect), "{fen} {text}");
        found.map(|mv| mv.to_string()).map_err(|error| error.to_string())
    }

    const CASTLE: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn castling_is_written_by_the_king_or_by_the_rook() {
        for (fen, text, dialect, mv) in [
            (CASTLE, "e1g1", Dialect::Uci, "e1h1"),
            (CASTLE, "e1c1", Dialect::Uci, "e1a1"),
            (CASTLE, "e1h1", Dialect::Uci960, "e1h1"),
            (CASTLE, "O-O-O", Dialect::San, "e1a1"),
            ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", Dialect::Uci, "f1g1"),
            ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1g1", Dialect::Uci, "f1g1"),
            ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1h1", Dialect::Uci, "f1h1"),
            ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "O-O", Dialect::San, "f1h1"),
            ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "Kg1", Dialect::San, "f1g1"),
        ] {
            assert_eq!(read(fen, text, dialect), Ok(mv.into()), "{fen} {text}");
            let position = board::<Bitboard>(fen);
            let mv = MoveNotation::parse_move(&position, text, dialect).unwrap();
            assert_eq!(MoveNotation::format_move(&position, mv, dialect), text);
        }
    }

    #[test]
    fn refusals_say_why() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (fen, text, dialect, reason) in [
            (CASTLE, "e1h1", Dialect::Uci, "as uci960 it would be legal"),
            (CASTLE, "e1g1", Dialect::Uci960, "as uci it would be legal"),
            (start, "Nf3", Dialect::Uci, "as san it would be legal"),
            (start, "g1f3", Dialect::San, "as uci it would be legal"),
            (start, "e2e4", Dialect::San, "as uci it would be legal"),
            (start, "e2", Dialect::Uci, "is no move in uci: two squares"),
            (start, "0000", Dialect::Uci, "is no move in uci"),
            (start, "e2e2", Dialect::Uci, "is no move in uci"),
            (start, "e2e4k", Dialect::Uci, "is no move in uci"),
            (start, "e5e6", Dialect::Uci, "no man stands on e5"),
            (start, "e7e5", Dialect::Uci, "the Black pawn on e7 is not White's to move"),
            (start, "a1a2", Dialect::Uci, "White itself has a man on a2"),
            (start, "e2e5", Dialect::Uci, "the White pawn on e2 cannot go to e5"),
            (start, "e2e4q", Dialect::Uci, "nothing is promoted on e4"),
            (start, "e1g1", Dialect::Uci, "something stands in the way of castling"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", Dialect::Uci, "becomes something: a7a8n"),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", Dialect::Uci, "no right to castle"),
            ("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "e1g1", Dialect::Uci, "a king in check cannot castle"),
            ("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1", "e1g1", Dialect::Uci, "over or to an attacked square"),
            ("4k3/8/8/8/4r3/8/8/4K2R w - - 0 1", "h1h2", Dialect::Uci, "it leaves White's king in check"),
            ("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", "e2d3", Dialect::Uci, "it exposes White's king"),
            (start, "Nd4", Dialect::San, "no White knight can go to d4"),
            (start, "Xe4", Dialect::San, "is no move in san"),
            (start, "O-O", Dialect::San, "something stands in the way of castling"),
            (CASTLE, "Qd4", Dialect::San, "White has no queen"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", Dialect::San, "becomes something: a8=N"),
            ("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", "Bd3", Dialect::San, "it exposes White's king"),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rd1", Dialect::San, ""),
            ("4k3/8/8/3R4/8/8/8/3RK3 w - - 0 1", "Rd3", Dialect::San, "is ambiguous here: R1d3, R5d3"),
        ] {
            match read(fen, text, dialect) {
                Ok(_) => assert_eq!(reason, "", "{fen} {text}"),
                Err(error) => assert!(!reason.is_empty() && error.contains(reason), "{fen} {text}: {error}"),
            }
        }
    }

    #[test]
    fn every_legal_move_is_read_back_in_every_dialect() {
        use alfil_kernel::zobrist::SplitMix64;
        let mut random = SplitMix64::new(12);
        for _ in 0..150 {
            let setup = Setup::double_chess960(random.below(960), random.below(960)).unwrap();
            let mut position = Bitboard::from_setup(&setup, &Waivers::None).unwrap();
            for _ in 0..120 {
                let mut list = MoveList::new();
                position.generate_legal(&mut list);
                for &mv in &list {
                    for &dialect in Dialect::ALL {
                        let text = MoveNotation::format_move(&position, mv, dialect);
                        let read = MoveNotation::parse_move(&position, &text, dialect);
                        assert_eq!(read, Ok(mv), "{:?} {text}", position.to_setup());
                    }
                }
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                position.make(mv, &mut ());
            }
        }
    }
}

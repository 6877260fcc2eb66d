//! Move notation: two dialects of coordinate notation, and standard algebraic notation.
//!
//! The coordinate dialects differ in castling only. `uci960` always writes the king capturing its rook, `e1h1`. `uci`
//! writes the king's destination, `e1g1`, if king and rook are on their squares of the standard start position, and the
//! king capturing its rook otherwise, because `f1g1` may then be a plain king move. A text that is legal in another
//! dialect only is rejected with the name of that dialect.

use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt;

use alfil_kernel::{Move as _, Notation, Side};

use crate::board::Board;
use crate::geometry::castling_destinations;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind, side_name};
use crate::square::Square;

pub mod san;

/// A dialect: a named way of writing moves.
///
/// ```
/// use alfil_chess::prelude::*;
///
/// let game = Chess::new();
/// let mv = game.parse_move("g1f3")?;
/// assert_eq!(game.format_move(mv, Dialect::San)?, "Nf3");
/// assert_eq!(Dialect::from_name("san"), Some(Dialect::San));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Coordinates as UCI engines write them: `e2e4`, `e7e8q`, castling `e1g1`.
    Uci,
    /// Coordinates as UCI engines write them under `UCI_Chess960`: castling `e1h1`.
    Uci960,
    /// Standard algebraic notation of the PGN standard: `e4`, `exd5`, `Nbd2`, `e8=Q+`, `O-O`. Parsing is lenient and
    /// accepts long algebraic notation too.
    San,
}

impl alfil_kernel::Dialect for Dialect {
    const ALL: &'static [Self] = &[Dialect::Uci, Dialect::Uci960, Dialect::San];
    const WRITTEN: Self = Dialect::San;

    fn name(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Uci960 => "uci960",
            Dialect::San => "san",
        }
    }

    fn expected_form(self) -> &'static str {
        match self {
            Dialect::Uci => "two squares and the promotion, such as e2e4, e7e8q, e1g1",
            Dialect::Uci960 => "two squares and the promotion, such as e2e4, e7e8q, e1h1",
            Dialect::San => "algebraic notation, such as e4, exd5, Nbd2, e8=Q, O-O",
        }
    }
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// The origin is empty.
    NoPiece(Square),
    /// The piece on the origin belongs to the side not to move.
    NotSideToMove(Piece, Square),
    /// The target is occupied by an own piece.
    OwnPieceOnTarget(Side, Square),
    /// The piece cannot move from the first square to the second one.
    CannotReach(Piece, Square, Square),
    /// The move does not end the check.
    StaysInCheck(Side),
    /// The move exposes the own king.
    ExposesKing(Side),
    /// The side has no piece of this kind.
    NoSuchPiece(Piece),
    /// No piece of this kind can make the move as written.
    NoPieceCanReach(Piece, Square),
    /// The side has no castling right on that side of the king.
    NoCastlingRight(Side),
    /// A piece blocks the path of the king or the rook.
    CastlingBlocked,
    /// The king is in check, so it cannot castle.
    CastlingInCheck,
    /// A square on the path of the king is attacked.
    CastlingAttacked,
    /// The promotion is missing, in coordinate notation.
    MissingPromotion(Move),
    /// The promotion on this square is missing, in algebraic notation.
    MissingSanPromotion(Square),
    /// A promotion is given for a move that is not a pawn move to the last rank.
    UnexpectedPromotion(Square),
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalReason::NoPiece(origin) => write!(f, "there is no piece on {origin}"),
            IllegalReason::NotSideToMove(piece, origin) => {
                let side_to_move = side_name(!piece.side());
                write!(f, "it is {side_to_move}'s turn, and {origin} has a {piece}")
            }
            IllegalReason::OwnPieceOnTarget(side, target) => {
                write!(f, "{target} is occupied by a piece of {}", side_name(side))
            }
            IllegalReason::CannotReach(piece, origin, target) => {
                write!(f, "the {piece} on {origin} cannot move to {target}")
            }
            IllegalReason::StaysInCheck(side) => {
                write!(f, "the move leaves {}'s king in check", side_name(side))
            }
            IllegalReason::ExposesKing(side) => write!(f, "the move exposes {}'s king", side_name(side)),
            IllegalReason::NoSuchPiece(piece) => {
                write!(f, "{} has no {}", side_name(piece.side()), piece.kind().name())
            }
            IllegalReason::NoPieceCanReach(piece, target) => {
                write!(f, "no {piece} can move to {target} as written")
            }
            IllegalReason::NoCastlingRight(side) => {
                write!(f, "{} has no castling right on that side", side_name(side))
            }
            IllegalReason::CastlingBlocked => f.write_str("a piece blocks the castling path"),
            IllegalReason::CastlingInCheck => f.write_str("a king in check cannot castle"),
            IllegalReason::CastlingAttacked => {
                f.write_str("the king cannot castle through or into an attacked square")
            }
            IllegalReason::MissingPromotion(mv) => {
                write!(f, "the promotion is missing: {mv}n, {mv}b, {mv}r or {mv}q")
            }
            IllegalReason::MissingSanPromotion(target) => {
                write!(f, "the promotion on {target} is missing: add =N, =B, =R or =Q")
            }
            IllegalReason::UnexpectedPromotion(target) => {
                write!(f, "there is no promotion on {target}: only a pawn on its last rank promotes")
            }
        }
    }
}

/// The error for a text that does not name exactly one legal move.
pub type NotationError = alfil_kernel::NotationError<IllegalReason>;

/// The move notation of chess.
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

    fn push_move(position: &P, mv: Move, dialect: Dialect, text: &mut String) {
        match dialect {
            Dialect::San => san::push_move(position, mv, text),
            _ => text.push_str(&Self::format_move(position, mv, dialect)),
        }
    }

    fn push_check_sign(after: &P, dialect: Dialect, text: &mut String) {
        if dialect == Dialect::San {
            san::push_check_sign(after, text);
        }
    }

    /// In SAN the check sign depends on the position, so that it is omitted.
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

    /// Builds the move from the text, without generating the legal moves.
    fn matching_moves(position: &P, text: &str, dialect: Dialect) -> Vec<Move> {
        match dialect {
            Dialect::San => san::SanPattern::parse(text)
                .map_or(Vec::new(), |pattern| pattern.matching_moves(position).collect()),
            _ => Self::only_match(position, text, dialect).into_iter().collect(),
        }
    }

    fn only_match(position: &P, text: &str, dialect: Dialect) -> Option<Move> {
        if dialect == Dialect::San {
            return san::SanPattern::parse(text)?.only_match(position);
        }
        let written = parse_coordinates(text)?;
        let mv = match dialect {
            Dialect::Uci => castling_from_king_move(position, written).unwrap_or(written),
            _ => written,
        };
        let is_in_dialect = dialect == Dialect::Uci960 || to_uci_form(position, mv) == written;
        (is_in_dialect && position.is_legal(mv)).then_some(mv)
    }
}

/// Returns the move with the target that the dialect `uci` writes: castling as a move of the king by two squares where
/// king and rook are on their squares of the standard start position. It may then be no legal move.
pub fn to_uci_form<P: Board>(position: &P, mv: Move) -> Move {
    let (king, rook) = (mv.origin(), mv.target());
    let is_standard = king.file() == 4 && matches!(rook.file(), 0 | 7);
    if is_standard && position.is_castling(mv) {
        Move::new(king, castling_destinations(king, rook).0)
    } else {
        mv
    }
}

/// Returns the castling move that is written as a king move of two squares; none if the written move is another one.
/// The side to move has the castling right, but the move need not be legal.
pub fn castling_from_king_move<P: Board>(position: &P, written: Move) -> Option<Move> {
    let (king, destination) = (written.origin(), written.target());
    let rook_file = match destination.file() {
        2 => 0,
        6 => 7,
        _ => return None,
    };
    if king.file() != 4 || destination.rank() != king.rank() || written.promotion_kind().is_some() {
        return None;
    }
    let mv = Move::new(king, Square::new(rook_file, king.rank()));
    position.is_castling(mv).then_some(mv)
}

/// Parses a move in coordinate notation, legal or not.
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
    let promotion = match *rest {
        [] => 0,
        [letter] => PieceKind::from_letter(char::from(letter))
            .filter(|kind| PieceKind::PROMOTIONS.contains(kind))? as u16,
        _ => return None,
    };
    Move::from_bits(promotion << 12 | (origin.index() as u16) << 6 | target.index() as u16)
}

/// Returns why an illegal move in coordinate notation is illegal.
fn illegal_reason<P: Board>(position: &P, mv: Move) -> IllegalReason {
    let (origin, target, mover) = (mv.origin(), mv.target(), position.side_to_move());
    let Some(piece) = position.piece_on(origin) else { return IllegalReason::NoPiece(origin) };
    if piece.side() != mover {
        return IllegalReason::NotSideToMove(piece, origin);
    }
    let is_promotion = piece.kind() == PieceKind::Pawn && target.relative_rank(mover) == 7;
    if mv.promotion_kind().is_some() && !is_promotion {
        return IllegalReason::UnexpectedPromotion(target);
    }
    let castling = castling_from_king_move(position, mv).unwrap_or(mv);
    if position.is_castling(castling) {
        return castling_illegal_reason(position, castling);
    }
    let to_queen = || Move::with_promotion(origin, target, PieceKind::Queen);
    if is_promotion && mv.promotion_kind().is_none() && position.is_pseudo_legal(to_queen()) {
        return IllegalReason::MissingPromotion(mv);
    }
    if position.piece_on(target).is_some_and(|piece| piece.side() == mover) {
        return IllegalReason::OwnPieceOnTarget(mover, target);
    }
    let is_two_files = piece.kind() == PieceKind::King && origin.file().abs_diff(target.file()) == 2;
    if is_two_files && [origin, target].map(|square| square.relative_rank(mover)) == [0, 0] {
        // With a right on that side, castling is written in another way.
        let is_left = |square: Square| square.file() < origin.file();
        let mut rooks = position.castling_rooks().iter().filter(|rook| rook.rank() == origin.rank());
        if !rooks.any(|rook| is_left(rook) == is_left(target)) {
            return IllegalReason::NoCastlingRight(mover);
        }
    }
    if !position.is_pseudo_legal(mv) {
        return IllegalReason::CannotReach(piece, origin, target);
    }
    unsafe_king_reason(position)
}

/// Returns why castling is illegal although the side has the castling right.
fn castling_illegal_reason<P: Board>(position: &P, mv: Move) -> IllegalReason {
    if !position.is_pseudo_legal(mv) {
        return IllegalReason::CastlingBlocked;
    }
    if position.in_check() { IllegalReason::CastlingInCheck } else { IllegalReason::CastlingAttacked }
}

/// Returns why a pseudo-legal move is illegal.
fn unsafe_king_reason<P: Board>(position: &P) -> IllegalReason {
    let mover = position.side_to_move();
    if position.in_check() { IllegalReason::StaysInCheck(mover) } else { IllegalReason::ExposesKing(mover) }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::{Bitboard, Mailbox, Setup};
    use alfil_kernel::{Dialect as _, MoveList, Position, Setup as _, Waivers};

    fn board<P: Board>(fen: &str) -> P {
        P::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap()
    }

    /// Parses a move on both boards and returns it, or the error in a short form.
    #[track_caller]
    fn parse(fen: &str, text: &str, dialect: Dialect) -> Result<String, String> {
        let (mailbox, bitboard) = (board::<Mailbox>(fen), board::<Bitboard>(fen));
        let result = MoveNotation::parse_move(&mailbox, text, dialect);
        assert_eq!(result, MoveNotation::parse_move(&bitboard, text, dialect), "{fen} {text}");
        result.map(|mv| mv.to_string()).map_err(|error| match error {
            NotationError::Malformed { dialect, .. } => format!("malformed {dialect}"),
            NotationError::Illegal { reason, .. } => reason.to_string(),
            NotationError::OtherDialect { other, .. } => format!("legal as {other}"),
            NotationError::Ambiguous { readings, .. } => format!("ambiguous: {readings}"),
        })
    }

    const CASTLE: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn castling_is_written_by_king_destination_or_rook_square() {
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
            assert_eq!(parse(fen, text, dialect), Ok(mv.into()), "{fen} {text}");
            let position = board::<Bitboard>(fen);
            let mv = MoveNotation::parse_move(&position, text, dialect).unwrap();
            assert_eq!(MoveNotation::format_move(&position, mv, dialect), text);
        }
    }

    #[test]
    fn rejected_moves_give_the_reason() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (fen, text, dialect, reason) in [
            (CASTLE, "e1h1", Dialect::Uci, "legal as uci960"),
            (CASTLE, "e1g1", Dialect::Uci960, "legal as uci"),
            (start, "Nf3", Dialect::Uci, "legal as san"),
            (start, "g1f3", Dialect::San, "legal as uci"),
            (start, "e2e4", Dialect::San, "legal as uci"),
            (start, "e2", Dialect::Uci, "malformed uci"),
            (start, "0000", Dialect::Uci, "malformed uci"),
            (start, "e2e2", Dialect::Uci, "malformed uci"),
            (start, "e2e4k", Dialect::Uci, "malformed uci"),
            (start, "e5e6", Dialect::Uci, "there is no piece on e5"),
            (start, "e7e5", Dialect::Uci, "it is White's turn, and e7 has a Black pawn"),
            (start, "a1a2", Dialect::Uci, "a2 is occupied by a piece of White"),
            (start, "e2e5", Dialect::Uci, "the White pawn on e2 cannot move to e5"),
            (start, "e2e4q", Dialect::Uci, "there is no promotion on e4"),
            (start, "e2e8", Dialect::Uci, "the White pawn on e2 cannot move to e8"),
            (start, "e1g1", Dialect::Uci, "a piece blocks the castling path"),
            (CASTLE, "e1h1q", Dialect::Uci960, "there is no promotion on h1"),
            ("4k3/8/8/8/4K3/8/8/8 w - - 0 1", "e4g4", Dialect::Uci, "on e4 cannot move to g4"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", Dialect::Uci, "the promotion is missing: a7a8n"),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", Dialect::Uci, "White has no castling right"),
            // Chess960: castling with this rook is written e1b1.
            ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1c1", Dialect::Uci, "cannot move to c1"),
            ("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "e1g1", Dialect::Uci, "a king in check cannot castle"),
            ("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1", "e1g1", Dialect::Uci, "through or into an attacked square"),
            (
                "4k3/8/8/8/4r3/8/8/4K2R w - - 0 1",
                "h1h2",
                Dialect::Uci,
                "the move leaves White's king in check",
            ),
            ("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", "e2d3", Dialect::Uci, "the move exposes White's king"),
            (start, "Nd4", Dialect::San, "no White knight can move to d4"),
            (start, "e8", Dialect::San, "no White pawn can move to e8"),
            (start, "Xe4", Dialect::San, "malformed san"),
            (start, "O-O", Dialect::San, "a piece blocks the castling path"),
            (CASTLE, "Qd4", Dialect::San, "White has no queen"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", Dialect::San, "the promotion on a8 is missing: add =N"),
            ("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", "Bd3", Dialect::San, "the move exposes White's king"),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rd1", Dialect::San, ""),
            ("4k3/8/8/3R4/8/8/8/3RK3 w - - 0 1", "Rd3", Dialect::San, "ambiguous: R1d3, R5d3"),
        ] {
            match parse(fen, text, dialect) {
                Ok(_) => assert_eq!(reason, "", "{fen} {text}"),
                Err(error) => assert!(!reason.is_empty() && error.contains(reason), "{fen} {text}: {error}"),
            }
        }
    }

    #[test]
    fn every_legal_move_round_trips_in_every_dialect() {
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
                        let parsed = MoveNotation::parse_move(&position, &text, dialect);
                        assert_eq!(parsed, Ok(mv), "{:?} {text}", position.to_setup());
                    }
                }
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                position.make(mv, &mut ());
            }
        }
    }
}

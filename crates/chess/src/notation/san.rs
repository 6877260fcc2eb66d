//! Standard algebraic notation (SAN). Source: PGN standard, chapter 8.2.3 (S. J. Edwards, 1994).
//!
//! The exact form is written. Parsing also accepts `0-0`, `e8Q`, `e8(Q)`, a missing or superfluous `x`, `+`, `#` or
//! origin, move assessments such as `!?`, `e.p.`, and long algebraic notation, `Ng1-f3` and `e2-e4`. Two squares
//! without a sign between them, `e2e4`, are coordinate notation, which is another dialect.

use alloc::string::String;
use core::fmt;

use super::{IllegalReason, castling_illegal_reason, unsafe_king_reason};
use crate::board::Board;
use crate::geometry;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet};

/// Writes a legal move in SAN.
pub fn format_move<P: Board>(position: &P, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    push_move(position, mv, &mut text);
    let mut after = position.clone();
    after.make(mv, &mut ());
    push_check_sign(&after, &mut text);
    text
}

/// Appends a legal move in SAN without the sign for check or mate.
pub fn push_move<P: Board>(position: &P, mv: Move, text: &mut String) {
    let (origin, target) = (mv.origin(), mv.target());
    let kind = position.piece_on(origin).map_or(PieceKind::Pawn, Piece::kind);
    if position.is_castling(mv) {
        text.push_str(if target.file() > origin.file() { "O-O" } else { "O-O-O" });
    } else {
        let is_capture = position.captured_piece(mv).is_some();
        if kind != PieceKind::Pawn {
            text.push(kind.letter().to_ascii_uppercase());
            push_origin(position, mv, kind, text);
        } else if is_capture {
            text.push(file_letter(origin.file()));
        }
        if is_capture {
            text.push('x');
        }
        text.push(file_letter(target.file()));
        text.push(rank_digit(target.rank()));
        if let Some(kind) = mv.promotion_kind() {
            text.push('=');
            text.push(kind.letter().to_ascii_uppercase());
        }
    }
}

/// Appends the sign of a move that led to this position, if it gives check or mate.
pub fn push_check_sign<P: Board>(after: &P, text: &mut String) {
    if after.in_check() {
        text.push(if after.has_no_legal_move() { '#' } else { '+' });
    }
}

/// Appends the file of the origin, its rank, or both, as far as needed to distinguish the move from legal moves of
/// other pieces of the same kind to the same square.
fn push_origin<P: Board>(position: &P, mv: Move, kind: PieceKind, text: &mut String) {
    let (origin, target) = (mv.origin(), mv.target());
    let others = position.pieces(Piece::new(position.side_to_move(), kind));
    let others = others.difference(SquareSet::from_square(origin));
    if others.is_empty() || kind == PieceKind::King {
        return;
    }
    let mut rivals = (others & geometry::attacks(kind, target, position.occupied()))
        .iter()
        .filter(|&from| position.is_legal(Move::from_squares(from, target)))
        .peekable();
    if rivals.peek().is_none() {
        return;
    }
    let (mut shares_file, mut shares_rank) = (false, false);
    for rival in rivals {
        shares_file |= rival.file() == origin.file();
        shares_rank |= rival.rank() == origin.rank();
    }
    if !shares_file || shares_rank {
        text.push(file_letter(origin.file()));
    }
    if shares_file {
        text.push(rank_digit(origin.rank()));
    }
}

fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}

fn rank_digit(rank: usize) -> char {
    char::from(b'1' + rank as u8)
}

/// A move as a text in algebraic notation describes it, without a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SanPattern {
    /// Castling: `true` for kingside.
    Castling(bool),
    /// A move of a piece to a square.
    PieceMove {
        /// The kind of the piece.
        kind: PieceKind,
        /// The file of the origin, if given.
        file: Option<u8>,
        /// The rank of the origin, if given.
        rank: Option<u8>,
        /// The target.
        target: Square,
        /// The promotion, if given.
        promotion: Option<PieceKind>,
    },
}

impl SanPattern {
    /// Parses a text; returns none if it is not algebraic notation.
    #[inline]
    pub fn parse(text: &str) -> Option<SanPattern> {
        Self::parse_plain(text.as_bytes())
            .or_else(|| Self::parse_any(text))
            .or_else(|| Self::parse_any(&with_english_letters(text)?))
    }

    /// Parses the forms that most moves have: `e4`, `exd5`, `Nf3`, `Nxd5`.
    #[inline]
    fn parse_plain(text: &[u8]) -> Option<SanPattern> {
        let [start @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text else { return None };
        let target = Square::new((file - b'a').into(), (rank - b'1').into());
        let (kind, file) = match *start {
            [] => (PieceKind::Pawn, None),
            [file @ b'a'..=b'h', b'x'] => (PieceKind::Pawn, Some(file - b'a')),
            [letter] | [letter, b'x'] => (piece_kind(letter)?, None),
            _ => return None,
        };
        Some(SanPattern::PieceMove { kind, file, rank: None, target, promotion: None })
    }

    fn parse_any(text: &str) -> Option<SanPattern> {
        let is_trimmed = matches!(text.as_bytes(), [b'!'..=b'~', .., b'!'..=b'~']);
        let text = if is_trimmed { text } else { text.trim() };
        let mut text = match text.as_bytes() {
            [.., b'.'] => text.strip_suffix("e.p.").map_or(text, str::trim_end).as_bytes(),
            bytes => bytes,
        };
        while let [rest @ .., b'!' | b'?' | b'+' | b'#'] = text {
            text = rest;
        }
        match text {
            b"O-O" | b"0-0" | b"o-o" => return Some(SanPattern::Castling(true)),
            b"O-O-O" | b"0-0-0" | b"o-o-o" => return Some(SanPattern::Castling(false)),
            _ => {}
        }
        let (kind, bytes) = match text {
            [b'P', rest @ ..] => (PieceKind::Pawn, rest),
            [letter, rest @ ..] => piece_kind(*letter).map_or((PieceKind::Pawn, text), |kind| (kind, rest)),
            [] => return None,
        };
        let (promotion, bytes) = parse_promotion(bytes);
        let [origin @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = bytes else { return None };
        let target = Square::new((file - b'a').into(), (rank - b'1').into());
        let (has_separator, origin) = match origin {
            [origin @ .., b'x' | b'-' | b':'] => (true, origin),
            _ => (false, origin),
        };
        let (file, rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            // Without a piece letter and a separator this is coordinate notation.
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] if has_separator || text[0].is_ascii_uppercase() => {
                (Some(file - b'a'), Some(rank - b'1'))
            }
            _ => return None,
        };
        if promotion.is_some() && kind != PieceKind::Pawn {
            return None;
        }
        Some(SanPattern::PieceMove { kind, file, rank, target, promotion })
    }

    /// Returns the legal moves that match the pattern.
    pub fn matching_moves<P: Board>(&self, position: &P) -> impl Iterator<Item = Move> {
        let (squares, is_pseudo_legal) = self.pseudo_legal_squares(position);
        squares.iter().filter_map(move |square| self.legal_move(position, square, is_pseudo_legal))
    }

    /// Returns the legal move that matches the pattern; none if several match.
    #[inline]
    pub fn only_match<P: Board>(&self, position: &P) -> Option<Move> {
        let (squares, is_pseudo_legal) = self.pseudo_legal_squares(position);
        let mut found = None;
        for square in squares.iter() {
            let mv = self.legal_move(position, square, is_pseudo_legal);
            if mv.is_some() && found.is_some() {
                return None;
            }
            found = found.or(mv);
        }
        found
    }

    /// Returns the squares of the pieces that may move, and whether all their moves are known to be pseudo-legal.
    #[inline]
    fn pseudo_legal_squares<P: Board>(&self, position: &P) -> (SquareSet, bool) {
        let squares = self.squares(position);
        match *self {
            SanPattern::PieceMove { kind, target, .. } if kind != PieceKind::Pawn => {
                let side = position.side_to_move();
                let excluded =
                    position.occupied_by(side) | position.pieces(Piece::new(!side, PieceKind::King));
                // A piece that attacks the target can move there, unless it would capture such a piece.
                (if excluded.contains(target) { SquareSet::EMPTY } else { squares }, true)
            }
            _ => (squares, false),
        }
    }

    /// Returns the move with a square of the pattern if it is legal.
    #[inline]
    fn legal_move<P: Board>(&self, position: &P, square: Square, is_pseudo_legal: bool) -> Option<Move> {
        let mv = self.move_with(position, square);
        let is_legal = if is_pseudo_legal { position.is_king_safe_after(mv) } else { position.is_legal(mv) };
        is_legal.then_some(mv)
    }

    /// Returns the moves that match the pattern, some of which may be illegal.
    fn candidates<P: Board>(&self, position: &P) -> impl Iterator<Item = Move> {
        let squares = self.squares(position).iter();
        squares.map(|square| self.move_with(position, square))
    }

    /// Returns the move of the pattern with one of its squares: the origin, and for castling the rook.
    #[inline]
    fn move_with<P: Board>(&self, position: &P, square: Square) -> Move {
        match *self {
            SanPattern::Castling(_) => {
                Move::from_squares(position.king_square(position.side_to_move()), square)
            }
            SanPattern::PieceMove { target, promotion: None, .. } => Move::from_squares(square, target),
            SanPattern::PieceMove { target, promotion: Some(kind), .. } => {
                Move::with_promotion(square, target, kind)
            }
        }
    }

    /// Returns the squares of the pieces that the pattern allows to move, legally or not; for castling, the rooks.
    #[inline]
    fn squares<P: Board>(&self, position: &P) -> SquareSet {
        let side = position.side_to_move();
        let SanPattern::PieceMove { kind, file, rank, target, .. } = *self else {
            return self.castling_rooks(position);
        };
        let mut origins = position.pieces(Piece::new(side, kind));
        origins = origins.difference(SquareSet::from_square(target));
        // A pawn move without a file is not a capture, so the pawn is on the target file.
        let file = if kind == PieceKind::Pawn { file.or(Some(target.file() as u8)) } else { file };
        if let Some(file) = file {
            origins = origins & SquareSet::new(geometry::file_mask(file.into()));
        }
        if let Some(rank) = rank {
            origins = origins & SquareSet::new(geometry::rank_mask(rank.into()));
        }
        match kind {
            PieceKind::Pawn => origins,
            // The move of a king to its own rook is castling, which is written otherwise.
            PieceKind::King
                if position.is_castling(Move::from_squares(position.king_square(side), target)) =>
            {
                SquareSet::EMPTY
            }
            kind => origins & geometry::attacks(kind, target, position.occupied()),
        }
    }

    /// Returns the rooks with which the side to move may castle on the side of the pattern.
    fn castling_rooks<P: Board>(&self, position: &P) -> SquareSet {
        let side = position.side_to_move();
        let king = position.king_square(side);
        let is_kingside = *self == SanPattern::Castling(true);
        let is_meant =
            |rook: &Square| rook.relative_rank(side) == 0 && (rook.file() > king.file()) == is_kingside;
        let rooks = position.castling_rooks().iter().filter(is_meant);
        SquareSet::from_squares(rooks)
    }
}

/// Returns the kind of piece of a capital letter; none for pawns.
#[inline]
fn piece_kind(letter: u8) -> Option<PieceKind> {
    match letter {
        b'N' => Some(PieceKind::Knight),
        b'B' => Some(PieceKind::Bishop),
        b'R' => Some(PieceKind::Rook),
        b'Q' => Some(PieceKind::Queen),
        b'K' => Some(PieceKind::King),
        _ => None,
    }
}

/// Splits a promotion off the end of a text: `=Q`, `Q`, `(Q)` or `/Q`.
fn parse_promotion(bytes: &[u8]) -> (Option<PieceKind>, &[u8]) {
    // Most moves end with the rank of their target.
    if let [.., b'1'..=b'8'] = bytes {
        return (None, bytes);
    }
    let (letter, rest) = match bytes {
        [rest @ .., b'(', letter, b')'] | [rest @ .., b'=' | b'/', letter] => (*letter, rest),
        [rest @ .., letter] => (*letter, rest),
        [] => return (None, bytes),
    };
    let kind = PieceKind::from_letter(char::from(letter)).filter(|kind| PieceKind::PROMOTIONS.contains(kind));
    // Only upper-case letters are promotions: a lower-case `b` may be a file.
    match kind {
        Some(kind) if letter.is_ascii_uppercase() => (Some(kind), rest),
        _ => (None, bytes),
    }
}

/// Returns a text in which figurines and the letters of German and French notation are replaced by English ones; none
/// if it has none of them. The French `R` of the king stays: it is the English rook.
fn with_english_letters(text: &str) -> Option<String> {
    let english = |mark: char| match mark {
        '♔' | '♚' => Some("K"),
        '♕' | '♛' | 'D' => Some("Q"),
        '♖' | '♜' | 'T' => Some("R"),
        '♗' | '♝' | 'L' | 'F' => Some("B"),
        '♘' | '♞' | 'S' | 'C' => Some("N"),
        '♙' | '♟' => Some(""),
        _ => None,
    };
    text.contains(|mark| english(mark).is_some()).then(|| {
        let mut written = String::with_capacity(text.len());
        for mark in text.chars() {
            match english(mark) {
                Some(letter) => written.push_str(letter),
                None => written.push(mark),
            }
        }
        written
    })
}

/// Writes the exact form without signs for capture and check, because these depend on the position.
impl fmt::Display for SanPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SanPattern::PieceMove { kind, file, rank, target, promotion } = *self else {
            return f.write_str(if *self == SanPattern::Castling(true) { "O-O" } else { "O-O-O" });
        };
        if kind != PieceKind::Pawn {
            write!(f, "{}", kind.letter().to_ascii_uppercase())?;
        }
        if let Some(file) = file {
            write!(f, "{}", file_letter(file.into()))?;
        }
        if let Some(rank) = rank {
            write!(f, "{}", rank_digit(rank.into()))?;
        }
        write!(f, "{target}")?;
        promotion.map_or(Ok(()), |kind| write!(f, "={}", kind.letter().to_ascii_uppercase()))
    }
}

/// Returns why no legal move matches the pattern.
pub(super) fn illegal_reason<P: Board>(position: &P, pattern: &SanPattern) -> IllegalReason {
    let side = position.side_to_move();
    let mut candidates = pattern.candidates(position);
    let SanPattern::PieceMove { kind, target, promotion, .. } = *pattern else {
        return match candidates.next() {
            Some(mv) => castling_illegal_reason(position, mv),
            None => IllegalReason::NoCastlingRight(side),
        };
    };
    let piece = Piece::new(side, kind);
    if position.pieces(piece).is_empty() {
        return IllegalReason::NoSuchPiece(piece);
    }
    let is_last_rank = target.relative_rank(side) == 7;
    if promotion.is_some() && !is_last_rank {
        return IllegalReason::UnexpectedPromotion(target);
    }
    let lacks_promotion = kind == PieceKind::Pawn && is_last_rank && promotion.is_none();
    let is_pseudo_legal = |mv: Move| {
        let to_queen = || Move::with_promotion(mv.origin(), mv.target(), PieceKind::Queen);
        position.is_pseudo_legal(if lacks_promotion { to_queen() } else { mv })
    };
    match candidates.any(is_pseudo_legal) {
        true if lacks_promotion => IllegalReason::MissingSanPromotion(target),
        true => unsafe_king_reason(position),
        false => IllegalReason::NoPieceCanReach(piece, target),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::{Bitboard, Setup};
    use alfil_kernel::{Position, Setup as _, Waivers};

    #[test]
    fn the_plain_forms_are_parsed_as_all_others() {
        let letters = b"aehx1298NKPoO-:=+";
        let mut plain = 0;
        for length in 0..=4 {
            for number in 0..letters.len().pow(length) {
                let letter = |place| letters[number / letters.len().pow(place) % letters.len()];
                let text: String = (0..length).map(|place| char::from(letter(place))).collect();
                if let Some(pattern) = SanPattern::parse_plain(text.as_bytes()) {
                    assert_eq!(Some(pattern), SanPattern::parse_any(&text), "{text}");
                    plain += 1;
                }
            }
        }
        // Nine squares of three files and three ranks, alone, after three letters of files with x, after two of pieces.
        assert_eq!(plain, 9 * (1 + 3 + 2 + 2));
    }

    #[test]
    fn lenient_forms_are_parsed_and_the_exact_form_is_written() {
        let fen = "1r2k2r/P1p2pPp/8/2PpP3/1b1p4/2N2N2/P2PK2P/R6R w k d6 0 1";
        let position = Bitboard::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
        for (text, exact) in [
            ("a8Q", "a8=Q"),
            ("a8(Q)", "a8=Q"),
            ("a8/N", "a8=N"),
            ("a7xb8=R", "axb8=R+"),
            ("ab8R!?", "axb8=R+"),
            ("gh8=B", "gxh8=B"),
            ("ed6", "exd6"),
            ("exd6 e.p.", "exd6"),
            ("c5xd6", "cxd6"),
            ("Nxd4", "Nxd4"),
            ("Nf3-d4", "Nxd4"),
            ("Nf3xd4+", "Nxd4"),
            ("Nfd4", "Nxd4"),
            ("Pa2-a3", "a3"),
            ("a2-a4", "a4"),
            ("Raf1", "Raf1"),
            ("Rh1-f1", "Rhf1"),
            ("Ke2:d3??", "Kd3"),
            ("♘xd4", "Nxd4"),
            ("Sxd4", "Nxd4"),
            ("a8=D", "a8=Q"),
        ] {
            let pattern = SanPattern::parse(text).unwrap_or_else(|| panic!("{text}"));
            let moves = pattern.matching_moves(&position);
            let written: Vec<_> = moves.map(|mv| format_move(&position, mv)).collect();
            assert_eq!(written, [exact], "{text}");
        }
        for text in ["", "e", "Ze4", "e9", "Nf", "e2e4", "Ke4=Q", "N", "♘", "a8=K", "--", "O", "O-O-O-O"] {
            assert_eq!(SanPattern::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_origin_is_written_as_far_as_needed() {
        for (fen, mv, exact) in [
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "h1f1", "Rf1"),
            ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
            ("k7/8/8/3R4/8/8/8/3RK3 w - - 0 1", "d1d3", "R1d3"),
            ("7k/8/8/8/8/1Q3Q2/8/1K3Q2 w - - 0 1", "f3d3", "Qf3d3"),
            ("7k/8/8/8/2Q3Q1/8/8/2K3Q1 w - - 0 1", "g4d1", "Q4d1"),
            ("8/6k1/8/8/Q6Q/8/8/1K5Q w - - 0 1", "h4e4", "Qh4e4"),
            // The other knight is pinned, so its move is not legal.
            ("4r1k1/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ] {
            let position = Bitboard::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
            let mv = crate::notation::parse_coordinates(mv).unwrap();
            assert_eq!(format_move(&position, mv), exact, "{fen}");
        }
    }
}

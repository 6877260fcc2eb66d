//! Move notation: three dialects of coordinates, and the two notations that people write, Chinese and WXF.
//!
//! `h2e2` means one move where ranks run from 0 and another where they run from 1, so a dialect is always given by
//! name. Chinese and WXF name the piece and its move (`炮二平五`, `C2.5`). For two equal pieces on a file there are several
//! styles: each dialect writes one style and accepts all known ones, by comparing the text with every spelling of every
//! legal move. A spelling that fits two moves is rejected.
//!
//! ```
//! use alfil_xiangqi::kernel::{GameHistory, Notation};
//! use alfil_xiangqi::notation::{Dialect, MoveNotation};
//! use alfil_xiangqi::Bitboard;
//!
//! let start = GameHistory::<Bitboard>::from_start_position().position().clone();
//! let mv = MoveNotation::parse_move(&start, "炮２平５", Dialect::Chinese)?;
//! assert_eq!(mv.to_string(), "h2e2");
//! assert_eq!(MoveNotation::format_move(&start, mv, Dialect::Chinese), "炮二平五");
//! assert_eq!(MoveNotation::format_move(&start, mv, Dialect::Wxf), "C2.5");
//! # Ok::<(), alfil_xiangqi::notation::NotationError>(())
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use alfil_kernel::{MoveList, Notation, Side};

use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind, side_name};
use crate::square::Square;

pub mod chinese;
mod coordinates;
mod move_parts;
pub mod wxf;

use chinese::Script;
use move_parts::{MatchQuality, MoveParts, PieceQuery};
use wxf::WxfStyle;

/// A named way of writing moves.
///
/// ```
/// use alfil_xiangqi::prelude::*;
///
/// let game = Xiangqi::new();
/// let mv = game.parse_move("h2e2")?;
/// assert_eq!(game.format_move(mv, Dialect::Chinese)?, "炮二平五");
/// assert_eq!(game.format_move(mv, Dialect::Wxf)?, "C2.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `h2e2`: ranks 0 to 9, as UCCI engines and Pikafish write.
    Ucci,
    /// `h3e3`: ranks 1 to 10, as Fairy-Stockfish's plain UCI writes.
    Uci10,
    /// `H2-E2`: ranks 0 to 9, as the Internet Chinese Chess Server wrote.
    Iccs,
    /// `C2.5`: written as xqbase and ElephantEye do; the styles of the World Xiangqi Federation and of Fairy-Stockfish
    /// are accepted too ([`wxf`]).
    Wxf,
    /// `炮二平五`: written in simplified characters; both scripts and several styles are accepted ([`chinese`]).
    Chinese,
    /// `炮二平五`, `馬八進七`: as [`Dialect::Chinese`], written in traditional characters.
    ChineseTraditional,
}

impl alfil_kernel::Dialect for Dialect {
    const ALL: &'static [Self] = &[
        Dialect::Ucci,
        Dialect::Uci10,
        Dialect::Iccs,
        Dialect::Wxf,
        Dialect::Chinese,
        Dialect::ChineseTraditional,
    ];
    const WRITTEN: Self = Dialect::Wxf;

    fn name(self) -> &'static str {
        match self {
            Dialect::Ucci => "ucci",
            Dialect::Uci10 => "uci10",
            Dialect::Iccs => "iccs",
            Dialect::Wxf => "wxf",
            Dialect::Chinese => "chinese",
            Dialect::ChineseTraditional => "chinese-traditional",
        }
    }

    fn expected_form(self) -> &'static str {
        match self {
            Dialect::Ucci => "two squares, files a to i and ranks 0 to 9, such as h2e2",
            Dialect::Uci10 => "two squares, files a to i and ranks 1 to 10, such as h3e3",
            Dialect::Iccs => {
                "two squares, files A to I and ranks 0 to 9, with a hyphen between, such as H2-E2"
            }
            Dialect::Wxf => {
                "a piece, its file, a sign and a figure, such as C2.5, or R+.3 for the front one of two"
            }
            Dialect::Chinese | Dialect::ChineseTraditional => {
                "a piece, its file, a direction and a figure, such as 炮二平五, or 前车平六 for the front one of two"
            }
        }
    }
}

/// Why a move is illegal. `Display` writes an English clause. Files are numbered 1 to 9 from the right of the side that
/// moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// There is no piece on the origin.
    NoPiece(Square),
    /// The piece on the origin belongs to the other side.
    NotSideToMove(Piece, Square),
    /// A piece of the side to move is on the target.
    OwnPieceOnTarget(Side, Square),
    /// The piece cannot move from origin to target in this position.
    CannotReach(Piece, Square, Square),
    /// The side is in check, and remains so.
    StaysInCheck(Side),
    /// The move would expose the side's king.
    ExposesKing(Side),
    /// The side has no piece of this kind on this file; either may be absent from the text.
    NoSuchPiece(Side, Option<PieceKind>, Option<usize>),
    /// The side has one piece that the text can mean, and it cannot make the move.
    OnlyPieceCannotReach(Side, Option<PieceKind>, Option<usize>),
    /// None of the pieces that the text can mean can make the move.
    NoPieceCanReach(Side, Option<PieceKind>, Option<usize>),
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piece = |kind: Option<PieceKind>| kind.map_or("piece", PieceKind::name);
        let on_file = |file: Option<usize>| file.map_or(String::new(), |file| format!(" on file {file}"));
        match *self {
            IllegalReason::NoPiece(origin) => write!(f, "there is no piece on {origin}"),
            IllegalReason::NotSideToMove(piece, origin) => {
                write!(f, "it is {}'s turn, and {origin} has a {piece}", side_name(!piece.side()))
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
            IllegalReason::NoSuchPiece(side, kind, file) => {
                write!(f, "{} has no {}{}", side_name(side), piece(kind), on_file(file))
            }
            IllegalReason::OnlyPieceCannotReach(side, kind, file) => {
                write!(f, "{}'s {}{} cannot make this move", side_name(side), piece(kind), on_file(file))
            }
            IllegalReason::NoPieceCanReach(side, kind, file) => {
                write!(f, "no {} of {}'s{} can make this move", piece(kind), side_name(side), on_file(file))
            }
        }
    }
}

/// The error of a text that does not name exactly one legal move of xiangqi.
pub type NotationError = alfil_kernel::NotationError<IllegalReason>;

/// The move notation of xiangqi.
#[derive(Clone, Copy, Debug)]
pub enum MoveNotation {}

impl<P: Board> Notation<P> for MoveNotation {
    type Dialect = Dialect;
    type IllegalReason = IllegalReason;

    fn format_move(position: &P, mv: Move, dialect: Dialect) -> String {
        match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => coordinates::format_move(mv, dialect),
            Dialect::Wxf => wxf::format_move(position, mv, WxfStyle::Xqbase),
            Dialect::Chinese => chinese::format_move(position, mv, Script::Simplified),
            Dialect::ChineseTraditional => chinese::format_move(position, mv, Script::Traditional),
        }
    }

    /// Chinese and WXF texts are returned in an internal form in which characters and signs of the same meaning are
    /// equal; what remains are the styles, which depend on the position.
    fn normalise(text: &str, dialect: Dialect) -> Option<String> {
        match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => {
                coordinates::parse_move(text, dialect).map(|mv| coordinates::format_move(mv, dialect))
            }
            Dialect::Wxf => wxf::normalise(text),
            Dialect::Chinese | Dialect::ChineseTraditional => chinese::normalise(text),
        }
    }

    fn matching_moves(position: &P, text: &str, dialect: Dialect) -> Vec<Move> {
        let mut legal = MoveList::new();
        match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => {
                let mv = coordinates::parse_move(text, dialect);
                mv.into_iter().filter(|&mv| position.is_legal(mv)).collect()
            }
            Dialect::Wxf | Dialect::Chinese | Dialect::ChineseTraditional => {
                position.generate_legal(&mut legal);
                best_matches(position, &legal, text, dialect)
            }
        }
    }

    fn closest_dialect(text: &str, preferred: Dialect) -> Dialect {
        if text.is_ascii() { preferred } else { Dialect::Chinese }
    }

    fn rejection_reason(position: &P, text: &str, dialect: Dialect) -> Option<IllegalReason> {
        let query = match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => {
                return coordinates::parse_move(text, dialect).map(|mv| illegal_reason(position, mv));
            }
            Dialect::Wxf => wxf::piece_query(&wxf::normalise(text)?),
            Dialect::Chinese | Dialect::ChineseTraditional => {
                chinese::piece_query(&chinese::normalise(text)?)
            }
        };
        let mut moves = MoveList::new();
        position.generate_pseudo_legal(&mut moves);
        Some(match best_matches(position, &moves, text, dialect).first() {
            Some(&mv) => illegal_reason(position, mv),
            None => mismatch_reason(position, query),
        })
    }
}

/// Returns the moves that the text fits best: our own style before an exact spelling of another style, and that before
/// a lenient reading.
fn best_matches(position: &impl Board, moves: &[Move], text: &str, dialect: Dialect) -> Vec<Move> {
    let normal = match dialect {
        Dialect::Wxf => wxf::normalise(text),
        _ => chinese::normalise(text),
    };
    let Some(normal) = normal else { return Vec::new() };
    let quality = |parts: &MoveParts| match dialect {
        Dialect::Wxf => wxf::match_quality(parts, &normal),
        _ => chinese::match_quality(parts, &normal),
    };
    let matches: Vec<(MatchQuality, Move)> =
        moves.iter().filter_map(|&mv| Some((quality(&MoveParts::from_move(position, mv))?, mv))).collect();
    let best = matches.iter().map(|&(quality, _)| quality).min();
    matches.into_iter().filter(|&(quality, _)| Some(quality) == best).map(|(_, mv)| mv).collect()
}

/// Returns why a move between two squares is illegal.
fn illegal_reason(position: &impl Board, mv: Move) -> IllegalReason {
    let (origin, target, mover) = (mv.origin(), mv.target(), position.side_to_move());
    match position.piece_on(origin) {
        None => IllegalReason::NoPiece(origin),
        Some(piece) if piece.side() != mover => IllegalReason::NotSideToMove(piece, origin),
        Some(_) if position.piece_on(target).is_some_and(|piece| piece.side() == mover) => {
            IllegalReason::OwnPieceOnTarget(mover, target)
        }
        Some(piece) if !position.is_pseudo_legal(mv) => IllegalReason::CannotReach(piece, origin, target),
        Some(_) if position.in_check() => IllegalReason::StaysInCheck(mover),
        Some(_) => IllegalReason::ExposesKing(mover),
    }
}

/// Returns why no piece that the text can mean can make the move.
fn mismatch_reason(position: &impl Board, query: PieceQuery) -> IllegalReason {
    let (mover, PieceQuery { kind, file }) = (position.side_to_move(), query);
    match query.count_matches(position, mover) {
        0 => IllegalReason::NoSuchPiece(mover, kind, file),
        1 => IllegalReason::OnlyPieceCannotReach(mover, kind, file),
        _ => IllegalReason::NoPieceCanReach(mover, kind, file),
    }
}

#[cfg(test)]
mod tests;

//! Moves in words: three dialects of coordinates, and the two notations that people write, Chinese and WXF.
//!
//! `h2e2` means one move where ranks run from 0 and another where they run from 1, so a dialect is always named. People
//! name the man and what it does (`炮二平五`, `C2.5`), and where two men share a name there is more than one custom for
//! telling them apart: each dialect writes one and reads all that are known here, by comparing the text with every
//! spelling of every legal move. A spelling that fits two moves is refused.
//!
//! ```
//! use alfil_xiangqi::kernel::{Line, Notation};
//! use alfil_xiangqi::notation::{Dialect, Words};
//! use alfil_xiangqi::Bitboard;
//!
//! let start = Line::<Bitboard>::start_of_game().position().clone();
//! let mv = Words::read(&start, "炮２平５", Dialect::Chinese)?;
//! assert_eq!(mv.to_string(), "h2e2");
//! assert_eq!(Words::write(&start, mv, Dialect::Chinese), "炮二平五");
//! assert_eq!(Words::write(&start, mv, Dialect::Wxf), "C2.5");
//! # Ok::<(), alfil_xiangqi::notation::NotationError>(())
//! ```

use core::fmt;

use alfil_kernel::{MoveList, Notation, Side};

use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

pub mod chinese;
mod coordinates;
mod move_parts;
pub mod wxf;

use chinese::Script;
use move_parts::{MatchQuality, MoveParts, PieceQuery};
use wxf::WxfStyle;

/// A way of writing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `h2e2`: ranks 0 to 9, as UCCI engines and Pikafish write.
    Ucci,
    /// `h3e3`: ranks 1 to 10, as Fairy-Stockfish's plain UCI writes.
    Uci10,
    /// `H2-E2`: ranks 0 to 9, as the Internet Chinese Chess Server wrote.
    Iccs,
    /// `C2.5`: written as xqbase and ElephantEye do; the World Xiangqi Federation's own custom and Fairy-Stockfish's are
    /// read too ([`wxf`]).
    Wxf,
    /// `炮二平五`: written in simplified characters; both scripts and several customs are read ([`chinese`]).
    Chinese,
    /// `炮二平五`, `馬八進七`: the same written in traditional characters.
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
            Dialect::Ucci => "two points, files a to i and ranks 0 to 9, such as h2e2",
            Dialect::Uci10 => "two points, files a to i and ranks 1 to 10, such as h3e3",
            Dialect::Iccs => "two points, files A to I and ranks 0 to 9, parted by a hyphen, such as H2-E2",
            Dialect::Wxf => {
                "a man, its file, a sign and a figure, such as C2.5, or R+.3 for the front one of two"
            }
            Dialect::Chinese | Dialect::ChineseTraditional => {
                "a man, its file, a direction and a figure, such as 炮二平五, or 前车平六 for the front one of two"
            }
        }
    }
}

/// Why a move may not be played. `Display` says it in a sentence. Files are numbered as people do, 1 to 9 from the right of the
/// side that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// There is no man where the move begins.
    NoPiece(Square),
    /// The man where the move begins is the other side's.
    NotSideToMove(Piece, Square),
    /// A man of this side's stands where the move ends.
    OwnPieceOnTarget(Side, Square),
    /// The man does not go from the one point to the other as things stand.
    CannotReach(Piece, Square, Square),
    /// The side is in check, and stays so.
    StaysInCheck(Side),
    /// The side would be in check.
    ExposesKing(Side),
    /// The side has no man of the kind, if one is named, on the file, if one is named.
    NoSuchPiece(Side, Option<PieceKind>, Option<usize>),
    /// The side has one man that can be meant, and it does not go so.
    OnlyPieceCannotReach(Side, Option<PieceKind>, Option<usize>),
    /// None of the side's men that can be meant goes so.
    NoPieceCanReach(Side, Option<PieceKind>, Option<usize>),
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side| if side == Side::First { "Red" } else { "Black" };
        let man = |kind: Option<PieceKind>| kind.map_or("man", PieceKind::name);
        let place = |file: Option<usize>| file.map_or(String::new(), |file| format!(" on file {file}"));
        match *self {
            IllegalReason::NoPiece(origin) => write!(f, "no man stands on {origin}"),
            IllegalReason::NotSideToMove(piece, origin) => {
                write!(f, "the {piece} on {origin} is not {}'s to move", name(!piece.side()))
            }
            IllegalReason::OwnPieceOnTarget(side, target) => {
                write!(f, "{} itself stands on {target}", name(side))
            }
            IllegalReason::CannotReach(piece, origin, target) => {
                write!(f, "the {piece} on {origin} cannot go to {target}")
            }
            IllegalReason::StaysInCheck(side) => write!(f, "it leaves {}'s general in check", name(side)),
            IllegalReason::ExposesKing(side) => write!(f, "it exposes {}'s general", name(side)),
            IllegalReason::NoSuchPiece(side, kind, file) => {
                write!(f, "{} has no {}{}", name(side), man(kind), place(file))
            }
            IllegalReason::OnlyPieceCannotReach(side, kind, file) => {
                write!(f, "{}'s {}{} cannot go so", name(side), man(kind), place(file))
            }
            IllegalReason::NoPieceCanReach(side, kind, file) => {
                write!(f, "no {} of {}'s{} can go so", man(kind), name(side), place(file))
            }
        }
    }
}

/// A text that names no legal move of xiangqi.
pub type NotationError = alfil_kernel::NotationError<IllegalReason>;

/// How xiangqi is written.
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

    /// Chinese and WXF texts come back in a form of our own in which all characters and signs that mean the same are the
    /// same; what remains are the customs, which depend on the position.
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
                let named = coordinates::parse_move(text, dialect);
                named.into_iter().filter(|&mv| position.is_legal(mv)).collect()
            }
            Dialect::Wxf | Dialect::Chinese | Dialect::ChineseTraditional => {
                position.generate_legal(&mut legal);
                best_matches(position, &legal, text, dialect)
            }
        }
    }

    fn rejection_reason(position: &P, text: &str, dialect: Dialect) -> Option<IllegalReason> {
        let subject = match dialect {
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
            None => mismatch_reason(position, subject),
        })
    }
}

/// Those of the moves that the text fits best: what this house writes goes before what a custom writes exactly, and that
/// before what is only read.
fn best_matches(position: &impl Board, moves: &[Move], text: &str, dialect: Dialect) -> Vec<Move> {
    let normal = match dialect {
        Dialect::Wxf => wxf::normalise(text),
        _ => chinese::normalise(text),
    };
    let Some(normal) = normal else { return Vec::new() };
    let fit = |told: &MoveParts| match dialect {
        Dialect::Wxf => wxf::match_quality(told, &normal),
        _ => chinese::match_quality(told, &normal),
    };
    let fits: Vec<(MatchQuality, Move)> =
        moves.iter().filter_map(|&mv| Some((fit(&MoveParts::from_move(position, mv))?, mv))).collect();
    let best = fits.iter().map(|&(fit, _)| fit).min();
    fits.into_iter().filter(|&(fit, _)| Some(fit) == best).map(|(_, mv)| mv).collect()
}

/// Why a move between two points is not legal here.
fn illegal_reason(position: &impl Board, mv: Move) -> IllegalReason {
    let (origin, target, mover) = (mv.origin(), mv.target(), position.side_to_move());
    match position.piece_on(origin) {
        None => IllegalReason::NoPiece(origin),
        Some(piece) if piece.side() != mover => IllegalReason::NotSideToMove(piece, origin),
        Some(_) if position.piece_on(target).is_some_and(|man| man.side() == mover) => {
            IllegalReason::OwnPieceOnTarget(mover, target)
        }
        Some(piece) if !position.is_pseudo_legal(mv) => IllegalReason::CannotReach(piece, origin, target),
        Some(_) if position.in_check() => IllegalReason::StaysInCheck(mover),
        Some(_) => IllegalReason::ExposesKing(mover),
    }
}

/// Why no man that can be meant makes such a move.
fn mismatch_reason(position: &impl Board, subject: PieceQuery) -> IllegalReason {
    let (mover, PieceQuery { kind, file }) = (position.side_to_move(), subject);
    match subject.count_matches(position, mover) {
        0 => IllegalReason::NoSuchPiece(mover, kind, file),
        1 => IllegalReason::OnlyPieceCannotReach(mover, kind, file),
        _ => IllegalReason::NoPieceCanReach(mover, kind, file),
    }
}

#[cfg(test)]
mod tests;

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
use crate::piece::{Kind, Piece};
use crate::square::Square;

pub mod chinese;
mod coordinates;
mod told;
pub mod wxf;

use chinese::Script;
use told::{Fit, Subject, Told};
use wxf::Custom;

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

    fn shape(self) -> &'static str {
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
pub enum Reason {
    /// There is no man where the move begins.
    NoMan(Square),
    /// The man where the move begins is the other side's.
    NotItsTurn(Piece, Square),
    /// A man of this side's stands where the move ends.
    OwnMan(Side, Square),
    /// The man does not go from the one point to the other as things stand.
    CannotGo(Piece, Square, Square),
    /// The side is in check, and stays so.
    StaysInCheck(Side),
    /// The side would be in check.
    Exposes(Side),
    /// The side has no man of the kind, if one is named, on the file, if one is named.
    NoSuchMan(Side, Option<Kind>, Option<usize>),
    /// The side has one man that can be meant, and it does not go so.
    CannotGoSo(Side, Option<Kind>, Option<usize>),
    /// None of the side's men that can be meant goes so.
    NoneGoesSo(Side, Option<Kind>, Option<usize>),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side| if side == Side::First { "Red" } else { "Black" };
        let man = |kind: Option<Kind>| kind.map_or("man", Kind::name);
        let place = |file: Option<usize>| file.map_or(String::new(), |file| format!(" on file {file}"));
        match *self {
            Reason::NoMan(origin) => write!(f, "no man stands on {origin}"),
            Reason::NotItsTurn(piece, origin) => {
                write!(f, "the {piece} on {origin} is not {}'s to move", name(!piece.side()))
            }
            Reason::OwnMan(side, target) => write!(f, "{} itself stands on {target}", name(side)),
            Reason::CannotGo(piece, origin, target) => {
                write!(f, "the {piece} on {origin} cannot go to {target}")
            }
            Reason::StaysInCheck(side) => write!(f, "it leaves {}'s general in check", name(side)),
            Reason::Exposes(side) => write!(f, "it exposes {}'s general", name(side)),
            Reason::NoSuchMan(side, kind, file) => {
                write!(f, "{} has no {}{}", name(side), man(kind), place(file))
            }
            Reason::CannotGoSo(side, kind, file) => {
                write!(f, "{}'s {}{} cannot go so", name(side), man(kind), place(file))
            }
            Reason::NoneGoesSo(side, kind, file) => {
                write!(f, "no {} of {}'s{} can go so", man(kind), name(side), place(file))
            }
        }
    }
}

/// A text that names no legal move of xiangqi.
pub type NotationError = alfil_kernel::NotationError<Reason>;

/// How xiangqi is written.
#[derive(Clone, Copy, Debug)]
pub enum Words {}

impl<P: Board> Notation<P> for Words {
    type Dialect = Dialect;
    type Reason = Reason;

    fn write(position: &P, mv: Move, dialect: Dialect) -> String {
        match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => coordinates::write(mv, dialect),
            Dialect::Wxf => wxf::write(position, mv, Custom::Xqbase),
            Dialect::Chinese => chinese::write(position, mv, Script::Simplified),
            Dialect::ChineseTraditional => chinese::write(position, mv, Script::Traditional),
        }
    }

    /// Chinese and WXF texts come back in a form of our own in which all characters and signs that mean the same are the
    /// same; what remains are the customs, which depend on the position.
    fn normalise(text: &str, dialect: Dialect) -> Option<String> {
        match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => {
                coordinates::parse(text, dialect).map(|mv| coordinates::write(mv, dialect))
            }
            Dialect::Wxf => wxf::normalise(text),
            Dialect::Chinese | Dialect::ChineseTraditional => chinese::normalise(text),
        }
    }

    fn matches(position: &P, text: &str, dialect: Dialect) -> Vec<Move> {
        let mut legal = MoveList::new();
        match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => {
                let named = coordinates::parse(text, dialect);
                named.into_iter().filter(|&mv| position.is_legal(mv)).collect()
            }
            Dialect::Wxf | Dialect::Chinese | Dialect::ChineseTraditional => {
                position.moves(&mut legal);
                fitting(position, &legal, text, dialect)
            }
        }
    }

    fn explain(position: &P, text: &str, dialect: Dialect) -> Option<Reason> {
        let subject = match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => {
                return coordinates::parse(text, dialect).map(|mv| why_not(position, mv));
            }
            Dialect::Wxf => wxf::subject(&wxf::normalise(text)?),
            Dialect::Chinese | Dialect::ChineseTraditional => chinese::subject(&chinese::normalise(text)?),
        };
        let mut moves = MoveList::new();
        position.pseudo(&mut moves);
        Some(match fitting(position, &moves, text, dialect).first() {
            Some(&mv) => why_not(position, mv),
            None => unfit(position, subject),
        })
    }
}

/// Those of the moves that the text fits best: what this house writes goes before what a custom writes exactly, and that
/// before what is only read.
fn fitting(position: &impl Board, moves: &[Move], text: &str, dialect: Dialect) -> Vec<Move> {
    let normal = match dialect {
        Dialect::Wxf => wxf::normalise(text),
        _ => chinese::normalise(text),
    };
    let Some(normal) = normal else { return Vec::new() };
    let fit = |told: &Told| match dialect {
        Dialect::Wxf => wxf::fit(told, &normal),
        _ => chinese::fit(told, &normal),
    };
    let fits: Vec<(Fit, Move)> =
        moves.iter().filter_map(|&mv| Some((fit(&Told::of(position, mv))?, mv))).collect();
    let best = fits.iter().map(|&(fit, _)| fit).min();
    fits.into_iter().filter(|&(fit, _)| Some(fit) == best).map(|(_, mv)| mv).collect()
}

/// Why a move between two points is not legal here.
fn why_not(position: &impl Board, mv: Move) -> Reason {
    let (origin, target, mover) = (mv.origin(), mv.target(), position.side());
    match position.piece_on(origin) {
        None => Reason::NoMan(origin),
        Some(piece) if piece.side() != mover => Reason::NotItsTurn(piece, origin),
        Some(_) if position.piece_on(target).is_some_and(|man| man.side() == mover) => {
            Reason::OwnMan(mover, target)
        }
        Some(piece) if !position.is_pseudo_legal(mv) => Reason::CannotGo(piece, origin, target),
        Some(_) if position.in_check() => Reason::StaysInCheck(mover),
        Some(_) => Reason::Exposes(mover),
    }
}

/// Why no man that can be meant makes such a move.
fn unfit(position: &impl Board, subject: Subject) -> Reason {
    let (mover, Subject { kind, file }) = (position.side(), subject);
    match subject.men(position, mover) {
        0 => Reason::NoSuchMan(mover, kind, file),
        1 => Reason::CannotGoSo(mover, kind, file),
        _ => Reason::NoneGoesSo(mover, kind, file),
    }
}

#[cfg(test)]
mod tests;

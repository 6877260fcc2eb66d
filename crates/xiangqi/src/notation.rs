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
//! # Ok::<(), alfil_xiangqi::kernel::NotationError>(())
//! ```

use alfil_kernel::{Dialect as _, MoveList, Notation, Side};

use crate::board::Board;
use crate::moves::Move;

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

/// How xiangqi is written.
#[derive(Clone, Copy, Debug)]
pub enum Words {}

impl<P: Board> Notation<P> for Words {
    type Dialect = Dialect;

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

    fn explain(position: &P, text: &str, dialect: Dialect) -> String {
        let subject = match dialect {
            Dialect::Ucci | Dialect::Uci10 | Dialect::Iccs => {
                return match coordinates::parse(text, dialect) {
                    Some(mv) => why_not(position, mv),
                    None => format!("it is not {}", dialect.shape()),
                };
            }
            Dialect::Wxf => wxf::normalise(text).map(|text| wxf::subject(&text)),
            Dialect::Chinese | Dialect::ChineseTraditional => {
                chinese::normalise(text).map(|text| chinese::subject(&text))
            }
        };
        let Some(subject) = subject else { return format!("it is not {}", dialect.shape()) };
        let mut moves = MoveList::new();
        position.pseudo(&mut moves);
        match fitting(position, &moves, text, dialect).first() {
            Some(&mv) => why_not(position, mv),
            None => unfit(position, subject),
        }
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

fn name(side: Side) -> &'static str {
    if side == Side::First { "Red" } else { "Black" }
}

/// Why a move between two points is not legal here, in a sentence.
fn why_not(position: &impl Board, mv: Move) -> String {
    let (origin, target, mover) = (mv.origin(), mv.target(), position.side());
    let Some(piece) = position.piece_on(origin) else {
        return format!("no man stands on {origin}");
    };
    if piece.side() != mover {
        return format!("the {piece} on {origin} is not {}'s to move", name(mover));
    }
    if position.piece_on(target).is_some_and(|man| man.side() == mover) {
        return format!("{} itself stands on {target}", name(mover));
    }
    if !position.is_pseudo_legal(mv) {
        return format!("the {piece} on {origin} cannot go to {target}");
    }
    if position.in_check() {
        return format!("it leaves {}'s general in check", name(mover));
    }
    format!("it exposes {}'s general", name(mover))
}

/// Why no man that can be meant makes such a move, in a sentence.
fn unfit(position: &impl Board, subject: Subject) -> String {
    let mover = position.side();
    let men = subject.men(position, mover);
    let kind = subject.kind.map_or("man", crate::Kind::name);
    let place = subject.file.map_or(String::new(), |file| format!(" on file {file}"));
    match men {
        0 => format!("{} has no {kind}{place}", name(mover)),
        1 => format!("{}'s {kind}{place} cannot go so", name(mover)),
        _ => format!("no {kind} of {}'s{place} can go so", name(mover)),
    }
}

#[cfg(test)]
mod tests;

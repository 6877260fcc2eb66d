//! What is easily overlooked on a board: blocked legs, screens, pins, discs that can never turn. Plain data, so that a page
//! can draw it and knows no rule.

pub mod chess;
pub mod othello;
pub mod xiangqi;

use alfil_kernel::position::{PieceOf, SquareOf};
use alfil_kernel::{Game, Piece as _, Position, Side, Square as _};

/// One thing to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticalMark {
    /// How to draw it.
    pub kind: MarkKind,
    /// Whose it is.
    pub side: Side,
    /// The squares it joins, in the order given with the kind.
    pub squares: Vec<String>,
}

/// What there is to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A man and the square that blocks its way.
    Blocked,
    /// A man, the man it jumps over, and the man it attacks so.
    Screen,
    /// A man, and one of the other side that it attacks.
    Attack,
    /// A man, and one of its own side that it protects.
    Protection,
    /// The men between an attacker and the king that it would reach: attacker, those who must stay, king.
    Pin,
    /// A disc that nobody can turn any more.
    Stable,
    /// A square to which this side can go.
    Mobility,
}

impl MarkKind {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            MarkKind::Blocked => "blocked",
            MarkKind::Screen => "screen",
            MarkKind::Attack => "attack",
            MarkKind::Protection => "guard",
            MarkKind::Pin => "pin",
            MarkKind::Stable => "stable",
            MarkKind::Mobility => "free",
        }
    }
}

impl TacticalMark {
    /// A sight of these squares.
    pub(crate) fn new<S: ToString>(
        kind: MarkKind,
        side: Side,
        squares: impl IntoIterator<Item = S>,
    ) -> TacticalMark {
        let squares = squares.into_iter().map(|square| square.to_string()).collect();
        TacticalMark { kind, side, squares }
    }
}

/// Everyone on the board.
pub(crate) fn pieces_on_board<P: Position>(position: &P) -> Vec<(SquareOf<P>, PieceOf<P>)> {
    let squares = (0..P::Game::SQUARES).filter_map(SquareOf::<P>::from_index);
    squares.filter_map(|square| position.piece_on(square).map(|piece| (square, piece))).collect()
}

/// Attackers and protectors of every man, from the board's own answer to who reaches a square.
pub(crate) fn contact_marks<P: Position>(
    position: &P,
    attackers: impl Fn(SquareOf<P>, Side) -> Vec<SquareOf<P>>,
) -> Vec<TacticalMark> {
    let mut sights = Vec::new();
    for (square, piece) in pieces_on_board(position) {
        for by in Side::BOTH {
            let kind = if by == piece.side() { MarkKind::Protection } else { MarkKind::Attack };
            sights.extend(
                attackers(square, by).into_iter().map(|from| TacticalMark::new(kind, by, [from, square])),
            );
        }
    }
    sights
}

/// The men that keep an attacker from their own king: were one not there, that attacker would give check.
pub(crate) fn pin_marks<P: Position>(
    position: &P,
    king: impl Fn(Side) -> SquareOf<P>,
    checkers: impl Fn(&P, Side) -> Vec<SquareOf<P>>,
    without: impl Fn(SquareOf<P>) -> Option<P>,
) -> Vec<TacticalMark> {
    let mut sights = Vec::new();
    for (square, piece) in pieces_on_board(position) {
        let side = piece.side();
        if square == king(side) {
            continue;
        }
        let before = checkers(position, side);
        let Some(bare) = without(square) else { continue };
        let new = checkers(&bare, side).into_iter().filter(|from| !before.contains(from));
        sights.extend(new.map(|from| TacticalMark::new(MarkKind::Pin, !side, [from, square, king(side)])));
    }
    sights
}

//! Tactical marks: blocked legs, screens, pins, attacks and stable discs, as plain data that a user interface draws
//! without knowing the rules.

use alfil_kernel::position::{PieceOf, SetupOf, SquareOf};
use alfil_kernel::{Game, Piece as _, Position, Side, Square as _, Waivers};

/// A tactical feature of the position, to be drawn on the board.
///
/// ```
/// use alfil_session::registry;
/// use alfil_session::tactical_marks::MarkKind;
///
/// let marks = registry::open("xiangqi", None)?.tactical_marks();
/// // The elephant on c0 blocks a leg of the horse on b0.
/// assert!(marks.iter().any(|mark| mark.kind == MarkKind::Blocked && mark.squares == ["b0", "c0"]));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticalMark {
    /// The kind of feature, which decides how it is drawn.
    pub kind: MarkKind,
    /// The side that the feature belongs to.
    pub side: Side,
    /// The squares of the feature, in the order that its kind states.
    pub squares: Vec<String>,
}

/// The kind of a tactical mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A piece, and the square that blocks its move.
    Blocked,
    /// A cannon, its screen, and the piece that it attacks over the screen.
    Screen,
    /// A piece, and an enemy piece that it attacks.
    Attack,
    /// A piece, and a piece of its own side that it protects.
    Protection,
    /// An attacker, the pinned piece, and the king behind it.
    Pin,
    /// A disc that can never be flipped.
    Stable,
    /// A square to which the side can move.
    Mobility,
}

impl MarkKind {
    /// Returns the name of the kind in JSON.
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
    /// Creates a mark of these squares.
    pub(crate) fn new<S: ToString>(
        kind: MarkKind,
        side: Side,
        squares: impl IntoIterator<Item = S>,
    ) -> TacticalMark {
        let squares = squares.into_iter().map(|square| square.to_string()).collect();
        TacticalMark { kind, side, squares }
    }
}

/// Returns all pieces with their squares.
pub(crate) fn pieces_on_board<P: Position>(position: &P) -> Vec<(SquareOf<P>, PieceOf<P>)> {
    let squares = (0..P::Game::SQUARES).filter_map(SquareOf::<P>::from_index);
    squares.filter_map(|square| position.piece_on(square).map(|piece| (square, piece))).collect()
}

/// Returns the squares of the marks of a kind in a position, for the tests of the games.
#[cfg(test)]
pub(crate) fn marks_of(game: &str, text: &str, kind: MarkKind) -> Vec<String> {
    let mut session = crate::registry::open(game, None).unwrap();
    session.open(text, &alfil_kernel::Waivers::All).unwrap();
    let marks = session.tactical_marks().into_iter().filter(|mark| mark.kind == kind);
    marks.map(|mark| mark.squares.join(" ")).collect()
}

/// Returns the attacks, protections and pins of a position of a game with kings. `attackers` returns the pieces of a
/// side that reach a square, and `clear` removes the piece of a square.
pub(crate) fn contact_and_pin_marks<P: Position>(
    position: &P,
    attackers: impl Fn(&P, SquareOf<P>, Side) -> Vec<SquareOf<P>>,
    king: impl Fn(&P, Side) -> SquareOf<P>,
    clear: impl Fn(&mut SetupOf<P>, SquareOf<P>),
) -> Vec<TacticalMark> {
    let mut marks = contact_marks(position, &attackers);
    marks.extend(pin_marks(position, attackers, king, clear));
    marks
}

/// Returns the attacks and protections of all pieces; `attackers` returns the pieces of a side that reach a square.
fn contact_marks<P: Position>(
    position: &P,
    attackers: impl Fn(&P, SquareOf<P>, Side) -> Vec<SquareOf<P>>,
) -> Vec<TacticalMark> {
    let mut marks = Vec::new();
    for (square, piece) in pieces_on_board(position) {
        for by in Side::BOTH {
            let kind = if by == piece.side() { MarkKind::Protection } else { MarkKind::Attack };
            marks.extend(
                attackers(position, square, by)
                    .into_iter()
                    .map(|from| TacticalMark::new(kind, by, [from, square])),
            );
        }
    }
    marks
}

/// Returns the pins: for each piece that is not a king, the attackers that would give check if it were removed.
fn pin_marks<P: Position>(
    position: &P,
    attackers: impl Fn(&P, SquareOf<P>, Side) -> Vec<SquareOf<P>>,
    king: impl Fn(&P, Side) -> SquareOf<P>,
    clear: impl Fn(&mut SetupOf<P>, SquareOf<P>),
) -> Vec<TacticalMark> {
    let checkers = |board: &P, side: Side| attackers(board, king(board, side), !side);
    let mut marks = Vec::new();
    for (square, piece) in pieces_on_board(position) {
        let side = piece.side();
        let king_square = king(position, side);
        if square == king_square {
            continue;
        }
        let before = checkers(position, side);
        let mut setup = position.to_setup();
        clear(&mut setup, square);
        let Ok(removed) = P::from_setup(&setup, &Waivers::All) else { continue };
        let new = checkers(&removed, side).into_iter().filter(|from| !before.contains(from));
        marks.extend(new.map(|from| TacticalMark::new(MarkKind::Pin, !side, [from, square, king_square])));
    }
    marks
}

//! From where to where, in two bytes.

use core::fmt;
use core::num::NonZeroU16;

use crate::piece::PieceKind;
use crate::square::Square;

/// A move: the square it leaves, the square it goes to, and what a pawn becomes. What it takes is a matter of the
/// position.
///
/// **Castling is the king taking its own rook** (`e1h1`): the only form that means one thing in Chess960, where the
/// king may castle to the square it stands on or next to it. How that is written is a matter of [`crate::notation`].
///
/// ```
/// use alfil_chess::{Kind, Move, Square};
///
/// let mv = Move::promotion("e7".parse().unwrap(), "d8".parse().unwrap(), Kind::Queen);
/// assert_eq!(mv.to_string(), "e7d8q");
/// assert_eq!(mv.promoted(), Some(Kind::Queen));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move between these squares.
    ///
    /// # Panics
    /// If both are the same square.
    #[inline(always)]
    pub const fn new(origin: Square, target: Square) -> Move {
        assert!(origin.index() != target.index(), "a move goes somewhere");
        Self::from_squares(origin, target)
    }

    /// The move between these squares; both alike are not a move, but are no danger either.
    #[inline(always)]
    pub(crate) const fn from_squares(origin: Square, target: Square) -> Move {
        Move::from_raw_bits((origin.index() << 6 | target.index()) as u16)
    }

    #[inline(always)]
    const fn from_raw_bits(bits: u16) -> Move {
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => Move(NonZeroU16::MIN),
        }
    }

    /// The move of a pawn between these squares, where it becomes a knight, bishop, rook or queen.
    ///
    /// # Panics
    /// If both are the same square, or a pawn cannot become that.
    #[inline(always)]
    pub const fn with_promotion(origin: Square, target: Square, kind: PieceKind) -> Move {
        assert!(
            !matches!(kind, PieceKind::Pawn | PieceKind::King),
            "a pawn becomes a knight, bishop, rook or queen"
        );
        Move::from_raw_bits(Move::new(origin, target).bits() | (kind as u16) << 12)
    }

    /// Three bits for what a pawn becomes (a [`Kind`]'s number, 0 for nothing) above six for the origin and six for the
    /// target.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square it leaves.
    #[inline(always)]
    pub const fn origin(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as usize)
    }

    /// The square it goes to; in castling, where the own rook stands.
    #[inline(always)]
    pub const fn target(self) -> Square {
        Square::from_low_bits(self.0.get() as usize)
    }

    /// What the pawn becomes, if it becomes something.
    #[inline(always)]
    pub const fn promotion_kind(self) -> Option<PieceKind> {
        match self.0.get() >> 12 {
            0 => None,
            number => Some(PieceKind::PROMOTIONS[(number as usize - 1) & 3]),
        }
    }

    const fn with_squares(self, origin: Square, target: Square) -> Move {
        Move::from_raw_bits(Move::new(origin, target).bits() | self.bits() & 0x7000)
    }

    /// The same move seen in a mirror, the a-file and the h-file exchanged. Castling has no such twin.
    #[must_use]
    pub const fn mirrored(self) -> Move {
        self.with_squares(self.origin().mirrored(), self.target().mirrored())
    }

    /// The same move by the other side, from its own end of the board.
    #[must_use]
    pub const fn flipped(self) -> Move {
        self.with_squares(self.origin().flipped(), self.target().flipped())
    }
}

impl alfil_kernel::Move for Move {
    type Square = Square;
    const FILLER: Self = Move::new(Square::new(0, 0), Square::new(1, 0));

    #[inline(always)]
    fn bits(self) -> u16 {
        self.bits()
    }

    fn from_bits(bits: u16) -> Option<Self> {
        let (origin, target) = (bits >> 6 & 63, bits & 63);
        if origin == target || bits >> 12 > PieceKind::Queen as u16 {
            None
        } else {
            NonZeroU16::new(bits).map(Move)
        }
    }

    fn origin(self) -> Option<Square> {
        Some(self.origin())
    }

    fn target(self) -> Option<Square> {
        Some(self.target())
    }
}

/// Origin, target and what the pawn becomes: `e2e4`, `e7e8q`, and `e1h1` for castling.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.target())?;
        self.promotion_kind().map_or(Ok(()), |kind| write!(f, "{}", kind.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

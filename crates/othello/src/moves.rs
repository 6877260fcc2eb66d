//! Where a disc is put, or that none can be, in two bytes.

use core::fmt;
use core::num::NonZeroU16;

use crate::square::Square;

/// A move: a disc put on a square, or a pass. What it turns over is a matter of the position.
///
/// ```
/// use alfil_othello::{Move, Square};
///
/// let mv = Move::put("f5".parse().unwrap());
/// assert_eq!((mv.to_string(), mv.bits()), ("f5".into(), 38));
/// assert_eq!((Move::PASS.to_string(), Move::PASS.square()), ("pass".into(), None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The bits of a pass, one above those of `h8`.
    const PASS_BITS: u16 = Square::COUNT as u16 + 1;

    /// No disc can be put, and the other side moves again. Legal only where the other side then has a move.
    pub const PASS: Move = Move(NonZeroU16::new(Self::PASS_BITS).unwrap());

    /// A disc is put on this square.
    #[inline(always)]
    pub const fn from_square(square: Square) -> Move {
        // The number of the square plus one is never zero.
        Move(NonZeroU16::MIN.saturating_add(square.index() as u16))
    }

    /// The number of the square plus one; 65 for a pass. Never zero.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square a disc is put on; none for a pass.
    #[inline(always)]
    pub const fn square(self) -> Option<Square> {
        Square::from_index(self.0.get() as usize - 1)
    }

    /// Whether it is a pass.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.0.get() == Self::PASS_BITS
    }
}

impl alfil_kernel::Move for Move {
    type Square = Square;
    const FILLER: Self = Move::PASS;

    #[inline(always)]
    fn bits(self) -> u16 {
        self.bits()
    }

    #[inline(always)]
    fn from_bits(bits: u16) -> Option<Self> {
        NonZeroU16::new(bits).filter(|bits| bits.get() <= Self::PASS_BITS).map(Move)
    }

    fn origin(self) -> Option<Square> {
        None
    }

    fn target(self) -> Option<Square> {
        self.square()
    }
}

/// The square, or `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            Some(square) => fmt::Display::fmt(&square, f),
            None => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

//! Moves in two bytes: the square of a disc, or a pass.

use core::fmt;
use core::num::NonZeroU16;
use core::str::FromStr;

use alfil_kernel::ParseMoveError;

use crate::square::Square;

/// A move: a disc placed on a square, or a pass. The position determines which discs it flips.
///
/// ```
/// use alfil_othello::{Move, Square};
///
/// let mv = Move::from_square("f5".parse().unwrap());
/// assert_eq!((mv.to_string(), mv.bits()), ("f5".into(), 38));
/// assert_eq!((Move::PASS.to_string(), Move::PASS.square()), ("pass".into(), None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The bits of a pass, one above those of `h8`.
    const PASS_BITS: u16 = Square::COUNT as u16 + 1;

    /// The pass. It is legal only if the side to move cannot place a disc and the other side can.
    pub const PASS: Move = Move(NonZeroU16::new(Self::PASS_BITS).unwrap());

    /// Creates the move that places a disc on `square`.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Move::from_square("f5".parse()?), "f5".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn from_square(square: Square) -> Move {
        // The index plus one is never zero.
        Move(NonZeroU16::MIN.saturating_add(square.index() as u16))
    }

    /// Returns the index of the square plus one, or 65 for a pass. The result is never zero.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// let mv: Move = "a1".parse()?;
    /// assert_eq!(mv.bits(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Returns the square on which the disc is placed, or `None` for a pass.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// let mv: Move = "f5".parse()?;
    /// assert_eq!(mv.square(), Some("f5".parse()?));
    /// assert_eq!(Move::PASS.square(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn square(self) -> Option<Square> {
        Square::from_index(self.0.get() as usize - 1)
    }

    /// Returns whether the move is a pass.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert!(Move::PASS.is_pass());
    /// ```
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.0.get() == Self::PASS_BITS
    }
}

/// Reads a square or `pass`, as `Display` writes them.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        if text == "pass" {
            return Ok(Move::PASS);
        }
        let error = ParseMoveError { expected: "a column a to h and a row 1 to 8, such as f5, or pass" };
        text.parse().map(Move::from_square).map_err(|_| error)
    }
}

alfil_kernel::impl_serde_as_text!(Move, "a square or pass");

impl alfil_kernel::Move for Move {
    type Square = Square;
    type Bits = u16;
    type Array = [Move; 64];
    const FILLER: [Move; 64] = [Move::PASS; 64];

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

/// Formats the move as its square, or as `pass`.
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

//! A move in two bytes: origin and target.

use core::fmt;
use core::str::FromStr;

use alfil_kernel::ParseMoveError;

use crate::square::Square;

/// A move: origin and target square. Whether it captures depends on the position.
///
/// ```
/// use alfil_xiangqi::{Move, Square};
///
/// let mv = Move::new("h2".parse().unwrap(), "e2".parse().unwrap());
/// assert_eq!(mv.to_string(), "h2e2");
/// assert_eq!(mv.origin().file(), 7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(core::num::NonZeroU16);

impl Move {
    /// Returns the move between two squares.
    ///
    /// # Panics
    /// If both are the same square.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mv = Move::new("h2".parse()?, "e2".parse()?);
    /// assert_eq!(mv, "h2e2".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn new(origin: Square, target: Square) -> Move {
        assert!(origin.index() != target.index(), "origin and target of a move must differ");
        let bits = (origin.index() << 7 | target.index()) as u16;
        // At most one of two different squares has index 0.
        Move(core::num::NonZeroU16::new(bits).expect("two different squares"))
    }

    /// Returns the move as bits: seven for the origin above seven for the target.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mv: Move = "b0a0".parse()?;
    /// assert_eq!(mv.bits(), 1 << 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Returns the square that the piece leaves.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mv: Move = "h2e2".parse()?;
    /// assert_eq!(mv.origin().to_string(), "h2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn origin(self) -> Square {
        match Square::from_index((self.0.get() >> 7) as usize) {
            Some(square) => square,
            None => unreachable!(),
        }
    }

    /// Returns the square that the piece moves to.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mv: Move = "h2e2".parse()?;
    /// assert_eq!(mv.target().to_string(), "e2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn target(self) -> Square {
        match Square::from_index((self.0.get() & 0x7F) as usize) {
            Some(square) => square,
            None => unreachable!(),
        }
    }

    /// Returns the mirror image of this move: left and right exchanged.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mv: Move = "h2e2".parse()?;
    /// assert_eq!(mv.mirrored().to_string(), "b2e2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn mirrored(self) -> Move {
        Move::new(self.origin().mirrored(), self.target().mirrored())
    }

    /// Returns the same move by the other side, from its own end of the board.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mv: Move = "h2e2".parse()?;
    /// assert_eq!(mv.flipped().to_string(), "h7e7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn flipped(self) -> Move {
        Move::new(self.origin().flipped(), self.target().flipped())
    }
}

/// Reads two different squares, as `Display` writes them.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let squares = text.split_at_checked(2).and_then(|(origin, target)| {
            let (origin, target): (Square, Square) = (origin.parse().ok()?, target.parse().ok()?);
            (origin != target).then(|| Move::new(origin, target))
        });
        squares.ok_or(ParseMoveError { expected: "two squares, files a to i and ranks 0 to 9, such as h2e2" })
    }
}

alfil_kernel::impl_serde_as_text!(Move, "the coordinates of a move");

impl alfil_kernel::Move for Move {
    type Square = Square;
    type Bits = u16;
    type Array = [Move; 256];
    const FILLER: [Move; 256] = [Move::new(Square::new(0, 0), Square::new(1, 0)); 256];

    #[inline(always)]
    fn bits(self) -> u16 {
        self.bits()
    }

    fn from_bits(bits: u16) -> Option<Self> {
        let origin = Square::from_index((bits >> 7) as usize)?;
        let target = Square::from_index((bits & 0x7F) as usize)?;
        if origin == target { None } else { Some(Move::new(origin, target)) }
    }

    fn origin(self) -> Option<Square> {
        Some(self.origin())
    }

    fn target(self) -> Option<Square> {
        Some(self.target())
    }
}

/// Writes the move in UCCI: ranks 0 to 9, `h2e2`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.target())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

//! Moves, encoded in two bytes.

use core::fmt;
use core::num::NonZeroU16;
use core::str::FromStr;

use alfil_kernel::ParseMoveError;

use crate::piece::PieceKind;
use crate::square::Square;

/// A move: its origin, its target and the promotion kind, if any. What it captures depends on the position.
///
/// **Castling is encoded as the king capturing its own rook** (`e1h1`). No other form is unambiguous in Chess960, where
/// the king may castle to its own square or to an adjacent one. [`crate::notation`] converts the written forms.
///
/// ```
/// use alfil_chess::{Move, PieceKind};
///
/// let mv = Move::with_promotion("e7".parse().unwrap(), "d8".parse().unwrap(), PieceKind::Queen);
/// assert_eq!(mv.to_string(), "e7d8q");
/// assert_eq!(mv.promotion_kind(), Some(PieceKind::Queen));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Creates a move without promotion.
    ///
    /// # Panics
    /// If origin and target are the same square.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mv = Move::new("e2".parse()?, "e4".parse()?);
    /// assert_eq!(mv, "e2e4".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn new(origin: Square, target: Square) -> Move {
        assert!(origin.index() != target.index(), "origin and target must differ");
        Self::from_squares(origin, target)
    }

    /// Creates a move without checking that the squares differ: the caller excludes equal squares, which give no move.
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

    /// Creates a promotion to a knight, bishop, rook or queen.
    ///
    /// # Panics
    /// If origin and target are the same square, or if `kind` is a pawn or a king.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mv = Move::with_promotion("e7".parse()?, "e8".parse()?, PieceKind::Knight);
    /// assert_eq!(mv.to_string(), "e7e8n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn with_promotion(origin: Square, target: Square, kind: PieceKind) -> Move {
        assert!(
            !matches!(kind, PieceKind::Pawn | PieceKind::King),
            "a pawn promotes to a knight, bishop, rook or queen"
        );
        Move::from_raw_bits(Move::new(origin, target).bits() | (kind as u16) << 12)
    }

    /// Returns the encoding: three bits for the promotion ([`PieceKind`] as a number, 0 for none), below them six for
    /// the origin and six for the target.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mv: Move = "b1a1".parse()?;
    /// assert_eq!(mv.bits(), 1 << 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Returns the square that the piece leaves.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mv: Move = "e2e4".parse()?;
    /// assert_eq!(mv.origin().to_string(), "e2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn origin(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as usize)
    }

    /// Returns the square that the piece moves to; in castling, the square of the own rook.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mv: Move = "e2e4".parse()?;
    /// assert_eq!(mv.target().to_string(), "e4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn target(self) -> Square {
        Square::from_low_bits(self.0.get() as usize)
    }

    /// Returns the kind that a pawn promotes to; none if the move is not a promotion.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mv: Move = "e7e8q".parse()?;
    /// assert_eq!(mv.promotion_kind(), Some(PieceKind::Queen));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Returns the move with its files mirrored (a-file to h-file). A castling move has no mirror image.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mv: Move = "b1c3".parse()?;
    /// assert_eq!(mv.mirrored().to_string(), "g1f3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn mirrored(self) -> Move {
        self.with_squares(self.origin().mirrored(), self.target().mirrored())
    }

    /// Returns the move with its ranks mirrored: the same move for the other side.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// let mv: Move = "e2e4".parse()?;
    /// assert_eq!(mv.flipped().to_string(), "e7e5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn flipped(self) -> Move {
        self.with_squares(self.origin().flipped(), self.target().flipped())
    }
}

/// Reads origin, target and promotion, as `Display` writes them.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let parse = || -> Option<Move> {
            let (origin, rest) = text.split_at_checked(2)?;
            let (target, promotion) = rest.split_at_checked(2)?;
            let (origin, target): (Square, Square) = (origin.parse().ok()?, target.parse().ok()?);
            if origin == target {
                return None;
            }
            let mut letters = promotion.chars();
            match (letters.next(), letters.next()) {
                (None, _) => Some(Move::new(origin, target)),
                (Some(letter), None) => {
                    let kind = PieceKind::PROMOTIONS.into_iter().find(|kind| kind.letter() == letter)?;
                    Some(Move::with_promotion(origin, target, kind))
                }
                _ => None,
            }
        };
        parse()
            .ok_or(ParseMoveError { expected: "two squares and a promotion, if any, such as e2e4 or e7e8q" })
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

/// Writes origin, target and promotion: `e2e4`, `e7e8q`, and `e1h1` for castling.
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

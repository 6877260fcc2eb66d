//! What: seven kinds of men, two sides.

use core::fmt;

use alfil_kernel::Side;

/// A kind of man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// General (帥 將): one point along a line, within the palace.
    King = 0,
    /// Advisor (仕 士): one point along a diagonal, within the palace.
    Advisor = 1,
    /// Elephant (相 象): two points along a diagonal, not over a man, not over the river.
    Elephant = 2,
    /// Horse (馬): one point along a line, then one diagonally outward, not over a man.
    Horse = 3,
    /// Chariot (車): any distance along a line.
    Rook = 4,
    /// Cannon (炮): as a rook, but takes over exactly one man, the screen.
    Cannon = 5,
    /// Soldier (兵 卒): one point forward; after the river also sideways.
    Soldier = 6,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Soldier];

    /// How many of them a side starts with, which is the most it can ever have.
    pub const fn most(self) -> usize {
        match self {
            Kind::King => 1,
            Kind::Soldier => 5,
            _ => 2,
        }
    }

    /// The letter, in lower case.
    pub const fn letter(self) -> char {
        match self {
            Kind::King => 'k',
            Kind::Advisor => 'a',
            Kind::Elephant => 'b',
            Kind::Horse => 'n',
            Kind::Rook => 'r',
            Kind::Cannon => 'c',
            Kind::Soldier => 'p',
        }
    }

    /// The English name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::King => "general",
            Kind::Advisor => "advisor",
            Kind::Elephant => "elephant",
            Kind::Horse => "horse",
            Kind::Rook => "chariot",
            Kind::Cannon => "cannon",
            Kind::Soldier => "soldier",
        }
    }
}

/// A man: side and kind.
///
/// ```
/// use alfil_xiangqi::{Kind, Piece};
///
/// let horse = Piece::from_letter('h').unwrap();
/// assert_eq!((horse.kind(), horse.letter(), horse.hanzi()), (Kind::Horse, 'n', '馬'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The number of different pieces.
    pub const COUNT: usize = 14;

    /// The man of that side and kind.
    #[inline(always)]
    pub const fn new(side: Side, kind: Kind) -> Piece {
        Piece(side as u8 * 7 + kind as u8)
    }

    /// The piece of that number, if it is below 14: Red's kinds in order, then Black's.
    pub const fn from_index(index: usize) -> Option<Piece> {
        if index < Self::COUNT { Some(Piece(index as u8)) } else { None }
    }

    /// All pieces, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Piece> {
        (0..Self::COUNT as u8).map(Piece)
    }

    /// 0 to 13.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn side(self) -> Side {
        if self.0 < 7 { Side::First } else { Side::Second }
    }

    /// What it is.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        Kind::ALL[self.0 as usize % 7]
    }

    /// The same kind of the other side.
    #[must_use]
    pub const fn swapped(self) -> Piece {
        Piece::new(self.side().other(), self.kind())
    }

    /// Upper case for Red, lower case for Black.
    pub const fn letter(self) -> char {
        match self.side() {
            Side::First => self.kind().letter().to_ascii_uppercase(),
            Side::Second => self.kind().letter(),
        }
    }

    /// The piece of a FEN letter in either letter set: `n` or `h` for the horse, `b` or `e` for the elephant.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let kind = match letter.to_ascii_lowercase() {
            'k' => Kind::King,
            'a' => Kind::Advisor,
            'b' | 'e' => Kind::Elephant,
            'n' | 'h' => Kind::Horse,
            'r' => Kind::Rook,
            'c' => Kind::Cannon,
            'p' => Kind::Soldier,
            _ => return None,
        };
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        Some(Piece::new(side, kind))
    }

    /// The character on the man, in the traditional form that tells the sides apart.
    pub const fn hanzi(self) -> char {
        const RED: [char; 7] = ['帥', '仕', '相', '馬', '車', '炮', '兵'];
        const BLACK: [char; 7] = ['將', '士', '象', '馬', '車', '砲', '卒'];
        match self.side() {
            Side::First => RED[self.kind() as usize],
            Side::Second => BLACK[self.kind() as usize],
        }
    }
}

impl alfil_kernel::Piece for Piece {
    #[inline(always)]
    fn index(self) -> usize {
        self.index()
    }

    fn from_index(index: usize) -> Option<Self> {
        Self::from_index(index)
    }

    fn side(self) -> Side {
        self.side()
    }

    fn letter(self) -> char {
        self.letter()
    }
}

/// In words: `Red horse`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side() {
            Side::First => "Red",
            Side::Second => "Black",
        };
        write!(f, "{side} {}", self.kind().name())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

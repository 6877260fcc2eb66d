//! What: seven kinds of men, two sides.

use core::fmt;

use alfil_kernel::Side;

/// A kind of man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
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

impl PieceKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [PieceKind; 7] = [
        PieceKind::King,
        PieceKind::Advisor,
        PieceKind::Elephant,
        PieceKind::Horse,
        PieceKind::Rook,
        PieceKind::Cannon,
        PieceKind::Soldier,
    ];

    /// How many of them a side starts with, which is the most it can ever have.
    pub const fn initial_count(self) -> usize {
        match self {
            PieceKind::King => 1,
            PieceKind::Soldier => 5,
            _ => 2,
        }
    }

    /// The letter, in lower case.
    pub const fn letter(self) -> char {
        match self {
            PieceKind::King => 'k',
            PieceKind::Advisor => 'a',
            PieceKind::Elephant => 'b',
            PieceKind::Horse => 'n',
            PieceKind::Rook => 'r',
            PieceKind::Cannon => 'c',
            PieceKind::Soldier => 'p',
        }
    }

    /// The English name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::King => "general",
            PieceKind::Advisor => "advisor",
            PieceKind::Elephant => "elephant",
            PieceKind::Horse => "horse",
            PieceKind::Rook => "chariot",
            PieceKind::Cannon => "cannon",
            PieceKind::Soldier => "soldier",
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
    pub const fn new(side: Side, kind: PieceKind) -> Piece {
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
    pub const fn kind(self) -> PieceKind {
        PieceKind::ALL[self.0 as usize % 7]
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
            'k' => PieceKind::King,
            'a' => PieceKind::Advisor,
            'b' | 'e' => PieceKind::Elephant,
            'n' | 'h' => PieceKind::Horse,
            'r' => PieceKind::Rook,
            'c' => PieceKind::Cannon,
            'p' => PieceKind::Soldier,
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

//! The pieces: seven kinds, two sides.

use core::fmt;

use alfil_kernel::Side;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// King, or general (帥 將): one square along a rank or file, within the palace.
    King = 0,
    /// Advisor (仕 士): one square diagonally, within the palace.
    Advisor = 1,
    /// Elephant (相 象): two squares diagonally, not over an occupied square (its eye), not across the river.
    Elephant = 2,
    /// Horse (馬): one square along a rank or file, then one diagonally outward, not over an occupied square (its leg).
    Horse = 3,
    /// Rook, or chariot (車): any distance along a rank or file.
    Rook = 4,
    /// Cannon (炮): moves as a rook, but captures over exactly one piece, the screen.
    Cannon = 5,
    /// Soldier (兵 卒): one square forward; after the river also sideways.
    Soldier = 6,
}

impl PieceKind {
    /// All kinds in the order of their discriminants.
    pub const ALL: [PieceKind; 7] = [
        PieceKind::King,
        PieceKind::Advisor,
        PieceKind::Elephant,
        PieceKind::Horse,
        PieceKind::Rook,
        PieceKind::Cannon,
        PieceKind::Soldier,
    ];

    /// Returns how many pieces of this kind a side has at the start, which is also the most that it can ever have.
    pub const fn initial_count(self) -> usize {
        match self {
            PieceKind::King => 1,
            PieceKind::Soldier => 5,
            _ => 2,
        }
    }

    /// Returns the FEN letter in lower case.
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

    /// Returns the English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::King => "king",
            PieceKind::Advisor => "advisor",
            PieceKind::Elephant => "elephant",
            PieceKind::Horse => "horse",
            PieceKind::Rook => "rook",
            PieceKind::Cannon => "cannon",
            PieceKind::Soldier => "soldier",
        }
    }
}

/// A piece: its side and its kind.
///
/// ```
/// use alfil_xiangqi::{Piece, PieceKind};
///
/// let horse = Piece::from_letter('h').unwrap();
/// assert_eq!((horse.kind(), horse.letter(), horse.hanzi()), (PieceKind::Horse, 'n', '馬'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The number of different pieces.
    pub const COUNT: usize = 14;

    /// Returns the piece of a side and a kind.
    #[inline(always)]
    pub const fn new(side: Side, kind: PieceKind) -> Piece {
        Piece(side as u8 * 7 + kind as u8)
    }

    /// Returns the piece of an index, if it is below 14: Red's kinds in order, then Black's.
    pub const fn from_index(index: usize) -> Option<Piece> {
        if index < Self::COUNT { Some(Piece(index as u8)) } else { None }
    }

    /// Returns all pieces in the order of their indices.
    pub fn all() -> impl Iterator<Item = Piece> {
        (0..Self::COUNT as u8).map(Piece)
    }

    /// Returns the index, 0 to 13.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the side that owns this piece.
    #[inline(always)]
    pub const fn side(self) -> Side {
        if self.0 < 7 { Side::First } else { Side::Second }
    }

    /// Returns the kind of this piece.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        PieceKind::ALL[self.0 as usize % 7]
    }

    /// Returns the piece of the same kind of the other side.
    #[must_use]
    pub const fn swapped(self) -> Piece {
        Piece::new(self.side().other(), self.kind())
    }

    /// Returns the FEN letter: upper case for Red, lower case for Black.
    pub const fn letter(self) -> char {
        match self.side() {
            Side::First => self.kind().letter().to_ascii_uppercase(),
            Side::Second => self.kind().letter(),
        }
    }

    /// Returns the piece of a FEN letter in either letter set: `n` or `h` for the horse, `b` or `e` for the elephant.
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

    /// Returns the Chinese character of this piece, in the traditional form that differs between the sides.
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

/// Writes the side and the kind: `Red horse`.
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

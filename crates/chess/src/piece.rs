//! Pieces: six kinds, two sides.

use core::fmt;

use alfil_kernel::Side;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// Moves one square forward, two from its initial rank; captures diagonally forward.
    Pawn = 0,
    /// Jumps two squares along a rank or file and one across.
    Knight = 1,
    /// Slides along a diagonal.
    Bishop = 2,
    /// Slides along a rank or file.
    Rook = 3,
    /// Slides as a rook or a bishop.
    Queen = 4,
    /// Moves one square in any direction, and castles.
    King = 5,
}

impl PieceKind {
    /// All kinds in ascending order of their numbers.
    pub const ALL: [PieceKind; 6] = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
        PieceKind::King,
    ];

    /// The kinds that a pawn can promote to, in ascending order of their numbers.
    pub const PROMOTIONS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

    /// The number of pieces of this kind that a side has in the start position.
    pub const fn initial_count(self) -> usize {
        match self {
            PieceKind::Pawn => 8,
            PieceKind::Knight | PieceKind::Bishop | PieceKind::Rook => 2,
            PieceKind::Queen | PieceKind::King => 1,
        }
    }

    /// The FEN letter, in lower case.
    pub const fn letter(self) -> char {
        match self {
            PieceKind::Pawn => 'p',
            PieceKind::Knight => 'n',
            PieceKind::Bishop => 'b',
            PieceKind::Rook => 'r',
            PieceKind::Queen => 'q',
            PieceKind::King => 'k',
        }
    }

    /// Returns the kind of a FEN letter in either case.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        match letter.to_ascii_lowercase() {
            'p' => Some(PieceKind::Pawn),
            'n' => Some(PieceKind::Knight),
            'b' => Some(PieceKind::Bishop),
            'r' => Some(PieceKind::Rook),
            'q' => Some(PieceKind::Queen),
            'k' => Some(PieceKind::King),
            _ => None,
        }
    }

    /// The English name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Knight => "knight",
            PieceKind::Bishop => "bishop",
            PieceKind::Rook => "rook",
            PieceKind::Queen => "queen",
            PieceKind::King => "king",
        }
    }
}

/// A piece: a side and a kind.
///
/// ```
/// use alfil_chess::{Piece, PieceKind};
///
/// let knight = Piece::from_letter('n').unwrap();
/// assert_eq!((knight.kind(), knight.swapped().letter(), knight.figurine()), (PieceKind::Knight, 'N', '♞'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The number of different pieces.
    pub const COUNT: usize = 12;

    /// Creates the piece of a side and kind.
    #[inline(always)]
    pub const fn new(side: Side, kind: PieceKind) -> Piece {
        Piece(side as u8 * 6 + kind as u8)
    }

    /// Returns the piece with this number (White's kinds in order, then Black's); none from 12 on.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Option<Piece> {
        if index < Self::COUNT { Some(Piece(index as u8)) } else { None }
    }

    /// Iterates over all pieces in ascending order of their numbers.
    pub fn all() -> impl Iterator<Item = Piece> {
        (0..Self::COUNT as u8).map(Piece)
    }

    /// The number of the piece, 0 to 11.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The side that owns the piece.
    #[inline(always)]
    pub const fn side(self) -> Side {
        if self.0 < 6 { Side::First } else { Side::Second }
    }

    /// The kind of the piece.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        PieceKind::ALL[self.0 as usize % 6]
    }

    /// Returns the piece of the same kind and the other side.
    #[must_use]
    pub const fn swapped(self) -> Piece {
        Piece::new(self.side().other(), self.kind())
    }

    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.side() {
            Side::First => self.kind().letter().to_ascii_uppercase(),
            Side::Second => self.kind().letter(),
        }
    }

    /// Returns the piece of a FEN letter.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Piece::new(side, kind)),
            None => None,
        }
    }

    /// The Unicode figurine.
    pub const fn figurine(self) -> char {
        const FIGURINES: [char; Piece::COUNT] = ['♙', '♘', '♗', '♖', '♕', '♔', '♟', '♞', '♝', '♜', '♛', '♚'];
        FIGURINES[self.0 as usize]
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

/// Writes side and kind: `White knight`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", side_name(self.side()), self.kind().name())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The name of a side in chess.
pub(crate) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}

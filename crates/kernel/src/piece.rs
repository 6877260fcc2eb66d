//! The piece types of a game with two sides that have the same kinds of pieces, written once for all games.

/// Defines the piece kinds of a game and its pieces: a side and a kind each.
///
/// A kind is given with its FEN letter in lower case (and the other letters that are read for it), its English name and
/// its number in the start position. The kind has `ALL`, `letter`, `from_letter`, `name` and `initial_count`; the piece
/// has `new`, `from_index`, `all`, `index`, `side`, `kind`, `swapped`, `letter` and `from_letter`, and implements
/// [`Piece`](crate::Piece), `Display` and `Debug`. The pieces are numbered by kind, first those of the first side.
///
/// The examples in the documentation of kinds and pieces use a kind `King` with the letter `k`, the name `king` and the
/// number 1.
///
/// ```
/// use alfil_kernel::Side;
///
/// alfil_kernel::define_pieces! {
///     /// A kind of piece.
///     pub enum PieceKind {
///         /// Moves forward.
///         Disc ['o'] "disc" 12,
///         /// Moves in every direction.
///         King ['k' | 'd'] "king" 0,
///     }
///     /// A piece of draughts.
///     pub struct Piece { sides: ["White", "Black"] }
/// }
/// let king = Piece::new(Side::Second, PieceKind::King);
/// assert_eq!((king.index(), king.letter(), king.swapped().letter()), (3, 'k', 'K'));
/// assert_eq!((Piece::from_letter('d'), king.to_string()), (Some(king), "Black king".into()));
/// ```
#[macro_export]
macro_rules! define_pieces {
    (
        $(#[$kind_attribute:meta])*
        $kind_visibility:vis enum $kind:ident {
            $(
                $(#[$attribute:meta])*
                $variant:ident [$letter:literal $(| $other_letter:literal)*] $name:literal $initial:literal
            ),+ $(,)?
        }
        $(#[$piece_attribute:meta])*
        $visibility:vis struct $piece:ident { sides: [$first:literal, $second:literal] }
    ) => {
        $(#[$kind_attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        $kind_visibility enum $kind {
            $($(#[$attribute])* $variant),+
        }

        impl $kind {
            /// The number of kinds.
            pub const COUNT: usize = [$(stringify!($variant)),+].len();

            /// All kinds in ascending order of their numbers.
            pub const ALL: [$kind; Self::COUNT] = [$($kind::$variant),+];

            /// Returns the number of pieces of this kind that a side has in the start position.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($kind), "::King.initial_count(), 1);")]
            /// ```
            pub const fn initial_count(self) -> usize {
                match self {
                    $($kind::$variant => $initial),+
                }
            }

            /// Returns the FEN letter in lower case.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($kind), "::King.letter(), 'k');")]
            /// ```
            pub const fn letter(self) -> char {
                match self {
                    $($kind::$variant => $letter),+
                }
            }

            /// Returns the kind of a FEN letter in either case.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($kind), "::from_letter('K'), Some(", stringify!($kind), "::King));")]
            /// ```
            pub const fn from_letter(letter: char) -> Option<$kind> {
                match letter.to_ascii_lowercase() {
                    $($letter $(| $other_letter)* => Some($kind::$variant),)+
                    _ => None,
                }
            }

            /// Returns the English name in lower case.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($kind), "::King.name(), \"king\");")]
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => $name),+
                }
            }
        }

        $(#[$piece_attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $piece(u8);

        impl $piece {
            /// The number of different pieces.
            pub const COUNT: usize = 2 * $kind::COUNT;

            /// Returns the piece of a side and a kind.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("let king = ", stringify!($piece), "::new(Side::First, ", stringify!($kind), "::King);")]
            /// assert_eq!(king.letter(), 'K');
            /// ```
            #[inline(always)]
            pub const fn new(side: $crate::Side, kind: $kind) -> Self {
                $piece(side as u8 * $kind::COUNT as u8 + kind as u8)
            }

            /// Returns the piece with this number; none from [`Self::COUNT`] on.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($piece), "::from_index(", stringify!($piece), "::COUNT), None);")]
            /// ```
            #[inline(always)]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < Self::COUNT { Some($piece(index as u8)) } else { None }
            }

            /// Iterates over all pieces in ascending order of their numbers.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($piece), "::all().count(), ", stringify!($piece), "::COUNT);")]
            /// ```
            pub fn all() -> impl Iterator<Item = Self> {
                (0..Self::COUNT as u8).map($piece)
            }

            /// Returns the number of the piece: the kinds of the first side in order, then those of the second.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert!(", stringify!($piece), "::all().enumerate().all(|(index, piece)| piece.index() == index));")]
            /// ```
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the side that owns the piece.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($piece), "::new(Side::Second, ", stringify!($kind), "::King).side(), Side::Second);")]
            /// ```
            #[inline(always)]
            pub const fn side(self) -> $crate::Side {
                if (self.0 as usize) < $kind::COUNT { $crate::Side::First } else { $crate::Side::Second }
            }

            /// Returns the kind of the piece.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($piece), "::new(Side::Second, ", stringify!($kind), "::King).kind(), ", stringify!($kind), "::King);")]
            /// ```
            #[inline(always)]
            pub const fn kind(self) -> $kind {
                $kind::ALL[self.0 as usize % $kind::COUNT]
            }

            /// Returns the piece of the same kind and the other side.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("let king = ", stringify!($piece), "::new(Side::First, ", stringify!($kind), "::King);")]
            #[doc = concat!("assert_eq!(king.swapped(), ", stringify!($piece), "::new(Side::Second, ", stringify!($kind), "::King));")]
            /// ```
            #[must_use]
            pub const fn swapped(self) -> Self {
                Self::new(self.side().other(), self.kind())
            }

            /// Returns the FEN letter: upper case for the first side, lower case for the second.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($piece), "::new(Side::Second, ", stringify!($kind), "::King).letter(), 'k');")]
            /// ```
            pub const fn letter(self) -> char {
                match self.side() {
                    $crate::Side::First => self.kind().letter().to_ascii_uppercase(),
                    $crate::Side::Second => self.kind().letter(),
                }
            }

            /// Returns the piece of a FEN letter.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{", stringify!($piece), ", ", stringify!($kind), "};")]
            /// use alfil_kernel::Side;
            ///
            #[doc = concat!("assert_eq!(", stringify!($piece), "::from_letter('K'), Some(", stringify!($piece), "::new(Side::First, ", stringify!($kind), "::King)));")]
            /// ```
            pub const fn from_letter(letter: char) -> Option<Self> {
                let is_first = letter.is_ascii_uppercase();
                let side = if is_first { $crate::Side::First } else { $crate::Side::Second };
                match $kind::from_letter(letter) {
                    Some(kind) => Some(Self::new(side, kind)),
                    None => None,
                }
            }
        }

        $crate::impl_piece!($piece);

        /// Writes the side and the kind, such as `Black king`.
        impl ::core::fmt::Display for $piece {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "{} {}", [$first, $second][self.side().index()], self.kind().name())
            }
        }
    };
}

/// Implements [`Piece`](crate::Piece) and `Debug` for a piece type by its own methods of the same names.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_piece {
    ($piece:ident) => {
        impl $crate::Piece for $piece {
            #[inline(always)]
            fn index(self) -> usize {
                self.index()
            }

            fn from_index(index: usize) -> Option<Self> {
                Self::from_index(index)
            }

            fn side(self) -> $crate::Side {
                self.side()
            }

            fn letter(self) -> char {
                self.letter()
            }
        }

        impl ::core::fmt::Debug for $piece {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "{}", self.letter())
            }
        }
    };
}

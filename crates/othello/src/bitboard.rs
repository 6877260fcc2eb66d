//! The bitboard: the discs of the side to move and of its opponent, 64 bits each.
//!
//! Mobility and flips are computed by shifts of whole sets: by [`scalar`] in one word at a time, by [`simd`] in four
//! lanes at once.

use alloc::string::String;
use core::fmt::Write as _;

use alfil_kernel::{BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Othello;
use crate::board::{Board, FLIP_KEYS, PREMIXED_KEYS, SIDE_KEY, SquareSet, compute_hash_key};
use crate::moves::Move;
use crate::piece::Piece;
use crate::setup::{Setup, SetupIssue};
use crate::square::Square;

pub(crate) mod perft_recursion;
pub mod scalar;
pub mod simd;

/// An Othello board as two sets of discs.
///
/// Most of its methods are those of the traits [`Position`], for the boards of every game, and [`Board`], for those of
/// Othello.
///
/// ```
/// use alfil_othello::prelude::*;
///
/// let mut board = Bitboard::from_setup(&Setup::start(), &Waivers::None)?;
/// assert_eq!((board.count_legal(), board.perft(3)), (4, 56));
/// assert_eq!((board.mover().count_ones(), board.opponent().count_ones()), (2, 2));
///
/// // A move is made and unmade; `()` observes nothing.
/// let first: Move = "f5".parse()?;
/// let undo = board.make(first, &mut ());
/// assert_eq!((board.mover().count_ones(), board.opponent().count_ones()), (1, 4));
/// board.unmake(first, &undo, &mut ());
/// assert_eq!(board.hash_key(), board.compute_hash_key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitboard {
    mover: u64,
    opponent: u64,
    side_to_move: Side,
    hash_key: u64,
}

impl Bitboard {
    /// Creates a board from two sets of discs.
    ///
    /// # Panics
    /// If a square is in both sets.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// let board = Bitboard::new(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, Side::First);
    /// assert_eq!(board.to_setup(), Setup::start());
    /// ```
    pub fn new(mover: u64, opponent: u64, side: Side) -> Self {
        assert_eq!(mover & opponent, 0, "a disc has one side up");
        let mut board = Bitboard { mover, opponent, side_to_move: side, hash_key: 0 };
        board.hash_key = board.compute_hash_key();
        board
    }

    /// Creates the board of a setup without validating that it can occur in a game.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Bitboard::from_setup_unchecked(&Setup::start()).count_legal(), 4);
    /// ```
    pub fn from_setup_unchecked(setup: &Setup) -> Self {
        Bitboard::new(
            setup.squares_of(setup.side_to_move),
            setup.squares_of(!setup.side_to_move),
            setup.side_to_move,
        )
    }

    /// Returns the discs of the side to move, one bit each.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Othello::new().position().mover(), 1 << 28 | 1 << 35);
    /// ```
    #[inline(always)]
    pub fn mover(&self) -> u64 {
        self.mover
    }

    /// Returns the discs of the opponent of the side to move, one bit each.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Othello::new().position().opponent(), 1 << 27 | 1 << 36);
    /// ```
    #[inline(always)]
    pub fn opponent(&self) -> u64 {
        self.opponent
    }

    /// Returns the discs of `side` and those of its opponent.
    #[inline(always)]
    fn own_and_other(&self, side: Side) -> (u64, u64) {
        if side == self.side_to_move { (self.mover, self.opponent) } else { (self.opponent, self.mover) }
    }

    #[inline(always)]
    fn switch_side(&mut self) {
        core::mem::swap(&mut self.mover, &mut self.opponent);
        self.side_to_move = !self.side_to_move;
    }
}

alfil_kernel::impl_position_text!(Bitboard);

impl Position for Bitboard {
    type Game = Othello;
    /// The board before the move: a copy of four words is cheaper than computing the flips again.
    type Undo = Bitboard;
    const BOARD: &'static str = "bitboard";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<SetupIssue>> {
        alfil_kernel::Setup::validate(setup, waivers)?;
        Ok(Bitboard::from_setup_unchecked(setup))
    }

    fn to_setup(&self) -> Setup {
        Setup::from_bitboards(self.discs(Side::First).0, self.discs(Side::Second).0, self.side_to_move)
    }

    #[inline(always)]
    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    #[inline(always)]
    fn hash_key(&self) -> u64 {
        self.hash_key
    }

    fn compute_hash_key(&self) -> u64 {
        let discs = Side::BOTH
            .into_iter()
            .flat_map(|side| self.discs(side).iter().map(move |square| (square, Piece::new(side))));
        compute_hash_key(discs, self.side_to_move)
    }

    fn dump(&self) -> String {
        let mut text = String::new();
        for (name, set) in [("mover", self.mover), ("opponent", self.opponent)] {
            let _ = writeln!(text, "{name} 0x{set:016x}, bit 0 first");
            for row in set.to_le_bytes() {
                let bits = (0..8).map(|file| if row >> file & 1 != 0 { '1' } else { '.' });
                let _ = writeln!(text, "  {}", bits.collect::<String>());
            }
        }
        let _ = writeln!(text, "side {}, key {:016x}", Piece::new(self.side_to_move).letter(), self.hash_key);
        text
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        let on = |set: u64| set >> square.index() & 1 != 0;
        let own = on(self.mover).then_some(self.side_to_move);
        own.or(on(self.opponent).then_some(!self.side_to_move)).map(Piece::new)
    }

    #[inline]
    fn generate_legal(&self, list: &mut MoveList<Move>) {
        let moves = scalar::mobility(self.mover, self.opponent);
        for square in SquareSet::new(moves) {
            list.push(Move::from_square(square));
        }
        if moves == 0 && scalar::mobility(self.opponent, self.mover) != 0 {
            list.push(Move::PASS);
        }
    }

    /// Generates nothing: discs are flipped, not captured.
    fn generate_captures(&self, _: &mut MoveList<Move>) {}

    fn generate_pseudo_legal(&self, list: &mut MoveList<Move>) {
        self.generate_legal(list);
    }

    #[inline]
    fn count_legal(&self) -> usize {
        let moves = scalar::mobility(self.mover, self.opponent);
        if moves != 0 {
            return moves.count_ones() as usize;
        }
        usize::from(scalar::mobility(self.opponent, self.mover) != 0)
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        match mv.square() {
            Some(square) => !self.flips(self.side_to_move, square).is_empty(),
            None => {
                scalar::mobility(self.mover, self.opponent) == 0
                    && scalar::mobility(self.opponent, self.mover) != 0
            }
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv)
    }

    fn captured_piece(&self, _: Move) -> Option<Piece> {
        None
    }

    /// Returns `true`: every move but a pass adds a disc, and after a pass the opponent must add one.
    fn is_irreversible(&self, _: Move) -> bool {
        true
    }

    #[inline]
    fn make<W: BoardObserver<Othello>>(&mut self, mv: Move, observer: &mut W) -> Bitboard {
        let undo = *self;
        let Some(square) = mv.square() else {
            self.hash_key ^= SIDE_KEY;
            self.switch_side();
            return undo;
        };
        let disc = Piece::new(self.side_to_move);
        let flipped = scalar::flips(self.mover, self.opponent, square.index());
        self.mover |= flipped | 1 << square.index();
        self.opponent &= !self.mover;
        self.hash_key ^= PREMIXED_KEYS[self.side_to_move.index()][square.index()];
        observer.put(square, disc);
        for square in SquareSet::new(flipped) {
            self.hash_key ^= FLIP_KEYS[square.index()];
            observer.flip(square, disc);
        }
        self.switch_side();
        undo
    }

    #[inline]
    fn unmake<W: BoardObserver<Othello>>(&mut self, mv: Move, undo: &Bitboard, observer: &mut W) {
        if let Some(square) = mv.square() {
            let mut flipped = SquareSet::new(self.opponent & undo.opponent);
            while let Some(square) = flipped.last() {
                observer.flip(square, Piece::new(!undo.side_to_move));
                flipped = flipped.difference(SquareSet::from_square(square));
            }
            observer.remove(square, Piece::new(undo.side_to_move));
        }
        *self = *undo;
    }

    fn make_null(&mut self) -> Bitboard {
        self.make(Move::PASS, &mut ())
    }

    fn unmake_null(&mut self, undo: &Bitboard) {
        *self = *undo;
    }

    /// Returns `false`: Othello has no check.
    fn in_check(&self) -> bool {
        false
    }

    fn has_no_legal_move(&self) -> bool {
        scalar::mobility(self.mover, self.opponent) == 0 && scalar::mobility(self.opponent, self.mover) == 0
    }
}

impl Board for Bitboard {
    #[inline]
    fn discs(&self, side: Side) -> SquareSet {
        SquareSet::new(self.own_and_other(side).0)
    }

    #[inline]
    fn mobility(&self, side: Side) -> SquareSet {
        let (own, other) = self.own_and_other(side);
        SquareSet::new(scalar::mobility(own, other))
    }

    #[inline]
    fn flips(&self, side: Side, square: Square) -> SquareSet {
        let (own, other) = self.own_and_other(side);
        if (own | other) >> square.index() & 1 != 0 {
            return SquareSet::EMPTY;
        }
        SquareSet::new(scalar::flips(own, other, square.index()))
    }
}

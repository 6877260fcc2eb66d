//! The board that is two words: the mover's discs and the opponent's.
//!
//! All squares on which a disc may be put, and all discs that a move turns, are found by shifting whole sets: see
//! [`scalar`], and [`simd`] for the same on four lanes at once.

use core::fmt::Write as _;

use alfil_kernel::{BitSet, BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Othello;
use crate::board::{Board, FLIP_KEYS, PREMIXED_KEYS, SIDE_KEY, SquareSet, compute_hash_key};
use crate::moves::Move;
use crate::piece::Piece;
use crate::setup::{Setup, SetupIssue};
use crate::square::Square;

pub mod scalar;
pub mod simd;

/// A board as two sets of discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitboard {
    mover: u64,
    opponent: u64,
    side_to_move: Side,
    hash_key: u64,
}

impl Bitboard {
    /// The board of these sets of discs.
    ///
    /// # Panics
    /// If a square is in both sets.
    pub fn new(mover: u64, opponent: u64, side: Side) -> Self {
        assert_eq!(mover & opponent, 0, "a disc has one side up");
        let mut board = Bitboard { mover, opponent, side_to_move: side, hash_key: 0 };
        board.hash_key = board.compute_hash_key();
        board
    }

    /// The board of a setup, whether or not it could come about in a game.
    pub fn from_setup_unchecked(setup: &Setup) -> Self {
        Bitboard::new(
            setup.squares_of(setup.side_to_move),
            setup.squares_of(!setup.side_to_move),
            setup.side_to_move,
        )
    }

    /// The discs of the side to move, a bit each.
    #[inline(always)]
    pub fn mover(&self) -> u64 {
        self.mover
    }

    /// The discs of the other side, a bit each.
    #[inline(always)]
    pub fn opponent(&self) -> u64 {
        self.opponent
    }

    /// The mover's set and the opponent's, from the view of `side`.
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

/// A set bit's square.
#[inline(always)]
fn square_at(index: usize) -> Square {
    Square::from_index(index).expect("a word has 64 bits")
}

impl Position for Bitboard {
    type Game = Othello;
    /// The old board: four words are cheaper to copy than to work out.
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
            .flat_map(|side| self.discs(side).iter().map(move |at| (square_at(at), Piece::new(side))));
        compute_hash_key(discs, self.side_to_move)
    }

    fn dump(&self) -> String {
        let mut text = String::new();
        for (name, set) in [("mover", self.mover), ("opponent", self.opponent)] {
            writeln!(text, "{name} 0x{set:016x}, bit 0 first").expect("a string takes everything");
            for row in set.to_le_bytes() {
                let bits = (0..8).map(|file| if row >> file & 1 != 0 { '1' } else { '.' });
                writeln!(text, "  {}", bits.collect::<String>()).expect("as above");
            }
        }
        writeln!(text, "side {}, key {:016x}", Piece::new(self.side_to_move).letter(), self.hash_key)
            .expect("as above");
        text
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        let on = |set: u64| set >> square.index() & 1 != 0;
        let own = on(self.mover).then_some(self.side_to_move);
        own.or(on(self.opponent).then_some(!self.side_to_move)).map(Piece::new)
    }

    #[inline]
    fn generate_legal(&self, list: &mut MoveList<Move>) {
        let places = scalar::mobility(self.mover, self.opponent);
        for at in BitSet(places) {
            list.push(Move::from_square(square_at(at)));
        }
        if places == 0 && scalar::mobility(self.opponent, self.mover) != 0 {
            list.push(Move::PASS);
        }
    }

    /// Nothing: discs are turned over, never taken.
    fn generate_captures(&self, _: &mut MoveList<Move>) {}

    fn generate_pseudo_legal(&self, list: &mut MoveList<Move>) {
        self.generate_legal(list);
    }

    #[inline]
    fn count_legal(&self) -> usize {
        let places = scalar::mobility(self.mover, self.opponent);
        if places != 0 {
            return places.count_ones() as usize;
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

    /// Always: the discs grow in number, and after a pass they must.
    fn is_irreversible(&self, _: Move) -> bool {
        true
    }

    #[inline]
    fn make<W: BoardObserver<Othello>>(&mut self, mv: Move, watcher: &mut W) -> Bitboard {
        let undo = *self;
        let Some(at) = mv.square() else {
            self.hash_key ^= SIDE_KEY;
            self.switch_side();
            return undo;
        };
        let disc = Piece::new(self.side_to_move);
        let turned = scalar::flips(self.mover, self.opponent, at.index());
        self.mover |= turned | 1 << at.index();
        self.opponent &= !self.mover;
        self.hash_key ^= PREMIXED_KEYS[self.side_to_move.index()][at.index()];
        watcher.put(at, disc);
        for index in BitSet(turned) {
            self.hash_key ^= FLIP_KEYS[index];
            watcher.flip(square_at(index), disc);
        }
        self.switch_side();
        undo
    }

    #[inline]
    fn unmake<W: BoardObserver<Othello>>(&mut self, mv: Move, undo: &Bitboard, watcher: &mut W) {
        if let Some(at) = mv.square() {
            let mut turned = BitSet(self.opponent & undo.opponent);
            while let Some(index) = turned.last() {
                watcher.flip(square_at(index), Piece::new(!undo.side_to_move));
                turned = turned.difference(BitSet::from_square(index));
            }
            watcher.remove(at, Piece::new(undo.side_to_move));
        }
        *self = *undo;
    }

    fn make_null(&mut self) -> Bitboard {
        self.make(Move::PASS, &mut ())
    }

    fn unmake_null(&mut self, undo: &Bitboard) {
        *self = *undo;
    }

    /// Never: Othello knows no check.
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
        BitSet(self.own_and_other(side).0)
    }

    #[inline]
    fn mobility(&self, side: Side) -> SquareSet {
        let (own, other) = self.own_and_other(side);
        BitSet(scalar::mobility(own, other))
    }

    #[inline]
    fn flips(&self, side: Side, square: Square) -> SquareSet {
        let (own, other) = self.own_and_other(side);
        if (own | other) >> square.index() & 1 != 0 {
            return SquareSet::EMPTY;
        }
        BitSet(scalar::flips(own, other, square.index()))
    }
}
/// How many discs are turned on a line of up to eight squares by a disc put on its empty square: by the place of the
/// square, and the mover's discs; every other square of the line is the opponent's.
pub(crate) static TURNED_ON_LINE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256usize {
            let mut up = at + 1;
            while up < 8 && own >> up & 1 == 0 {
                up += 1;
            }
            let mut down = at;
            while down > 0 && own >> (down - 1) & 1 == 0 {
                down -= 1;
            }
            let above = if up < 8 { up - at - 1 } else { 0 };
            let below = if down > 0 { at - down } else { 0 };
            table[at][own] = (above + below) as u8;
            own += 1;
        }
        at += 1;
    }
    table
};

//! The bitboard: one set of squares for each side and one for each kind of piece.
//!
//! Beside the sets it stores the piece on each square, and the occupancy of each line as a word for the line tables of
//! [`geometry`](crate::geometry). Legal moves come from masks and are not tried: see `legality`. The lookup of the
//! squares that block a horse or an elephant is a type parameter, so that the folded board is this one with two lookups
//! exchanged.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt::Write as _;

use alfil_kernel::{BoardObserver, MoveList, Position, SetupError, Side};

use crate::board::{Board, PIECE_KEYS, SIDE_KEY};
use crate::geometry::{ELEPHANT_TARGETS, HORSE_TARGETS, LineOccupancy, SOLDIER_ORIGINS, king_attack_table};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::setup::{Setup, SetupIssue};
use crate::square::{Square, SquareSet, square_at};
use crate::{Xiangqi, fen};

mod generate;
mod legality;

pub(crate) use generate::count_soldier_moves;
pub(crate) use legality::KingAttackers;
pub use legality::LegalityMasks;

/// The lookup of the targets of horses and elephants.
pub trait LeaperLookup: Copy + Default + PartialEq + core::fmt::Debug + Send + Sync + 'static {
    /// The name of the board with this lookup.
    const BOARD: &'static str;
    /// Updates the lookup after a piece was put on the empty square or removed from it.
    fn toggle(&mut self, square: Square);
    /// Returns the targets of a horse, own pieces included.
    fn horse_targets(&self, lines: &LineOccupancy, square: Square) -> SquareSet;
    /// Returns the targets of an elephant, own pieces included.
    fn elephant_targets(&self, lines: &LineOccupancy, square: Square) -> SquareSet;
    /// Returns the number of legal move paths of `depth` plies, by the fastest method for this board.
    fn perft(board: &LookupBitboard<Self>, depth: u32) -> u64 {
        alfil_kernel::perft::perft(&mut board.clone(), depth)
    }
    /// Returns the state of the lookup as text, for [`Position::dump`]; empty if it has none.
    fn dump(&self) -> String;
}

/// The lookup by four neighbours: four bits cut out of the words of the lines, sixteen entries a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DenseLookup;

impl LeaperLookup for DenseLookup {
    const BOARD: &'static str = "bitboard";

    #[inline(always)]
    fn toggle(&mut self, _: Square) {}

    #[inline(always)]
    fn horse_targets(&self, lines: &LineOccupancy, square: Square) -> SquareSet {
        HORSE_TARGETS[square.index()][lines.leg_index(square)]
    }

    #[inline(always)]
    fn elephant_targets(&self, lines: &LineOccupancy, square: Square) -> SquareSet {
        ELEPHANT_TARGETS[square.index()][lines.eye_index(square)]
    }

    fn perft(board: &Bitboard, depth: u32) -> u64 {
        crate::fast_perft::perft(board, depth)
    }

    fn dump(&self) -> String {
        String::new()
    }
}

/// A position of xiangqi as sets of squares.
///
/// Its methods are those of the traits [`Position`], for the boards of every game, and [`Board`], for those of xiangqi.
///
/// ```
/// use alfil_xiangqi::prelude::*;
///
/// let mut board = Bitboard::from_setup(&Setup::start(), &Waivers::None)?;
/// assert_eq!((board.count_legal(), board.perft(2), board.in_check()), (44, 1_920, false));
///
/// // A move is made and unmade; `()` observes nothing.
/// let cannon: Move = "h2e2".parse()?;
/// assert_eq!(board.piece_on("h2".parse()?), Piece::from_letter('C'));
/// let undo = board.make(cannon, &mut ());
/// assert_eq!(board.to_string(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1");
/// board.unmake(cannon, &undo, &mut ());
/// assert_eq!(board.hash_key(), board.compute_hash_key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Bitboard = LookupBitboard<DenseLookup>;

/// A position of xiangqi as sets of squares, with a lookup of the targets of horses and elephants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookupBitboard<L: LeaperLookup> {
    sides: [SquareSet; 2],
    kinds: [SquareSet; 7],
    /// The index of the piece on each square; [`NO_PIECE`] if there is none.
    board: [u8; Square::COUNT],
    lines: LineOccupancy,
    leapers: L,
    side_to_move: Side,
    hash_key: u64,
}

/// The entry of an empty square.
const NO_PIECE: u8 = Piece::COUNT as u8;

/// What unmake needs to restore: the captured piece and the hash key. The alternative, a copy of the whole board, is
/// measured in `benches/bitboards.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    captured: Option<Piece>,
    hash_key: u64,
}

impl<L: LeaperLookup> LookupBitboard<L> {
    /// Puts the piece on the empty square, or removes it: sets and hash key only.
    #[inline(always)]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let bit = SquareSet::from_square(square);
        self.sides[piece.side().index()] = self.sides[piece.side().index()] ^ bit;
        self.kinds[piece.kind() as usize] = self.kinds[piece.kind() as usize] ^ bit;
        self.hash_key ^= PIECE_KEYS[piece.index()][square.index()];
    }

    /// Changes the square between empty and occupied.
    #[inline(always)]
    fn toggle_lines(&mut self, square: Square) {
        self.lines.toggle(square);
        self.leapers.toggle(square);
    }

    #[inline(always)]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_index(usize::from(self.board[square.index()]))
    }

    /// Returns the pieces of a side and a kind.
    #[inline(always)]
    pub(crate) fn pieces_of(&self, side: Side, kind: PieceKind) -> SquareSet {
        self.sides[side.index()] & self.kinds[kind as usize]
    }

    #[inline(always)]
    fn occupancy(&self) -> SquareSet {
        self.sides[0] | self.sides[1]
    }

    /// Returns the words of the lines.
    #[inline(always)]
    pub(crate) fn lines(&self) -> &LineOccupancy {
        &self.lines
    }

    #[inline(always)]
    fn flip_side(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.hash_key ^= SIDE_KEY;
    }
}

alfil_kernel::impl_position_text!(LookupBitboard<L>, [L: LeaperLookup]);

impl<L: LeaperLookup> Position for LookupBitboard<L> {
    type Game = Xiangqi;
    type Undo = Undo;
    const BOARD: &'static str = L::BOARD;

    fn from_setup(setup: &Setup, waivers: &alfil_kernel::Waivers) -> Result<Self, SetupError<SetupIssue>> {
        alfil_kernel::Setup::validate(setup, waivers)?;
        let mut board = LookupBitboard {
            sides: [SquareSet::EMPTY; 2],
            kinds: [SquareSet::EMPTY; 7],
            board: [NO_PIECE; Square::COUNT],
            lines: LineOccupancy::default(),
            leapers: L::default(),
            side_to_move: Side::First,
            hash_key: 0,
        };
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                board.toggle(square, piece);
                board.toggle_lines(square);
                board.board[square.index()] = piece.index() as u8;
            }
        }
        if setup.side_to_move == Side::Second {
            board.flip_side();
        }
        Ok(board)
    }

    fn to_setup(&self) -> Setup {
        let board = core::array::from_fn(|index| self.piece_at(square_at(index)));
        Setup { board, side_to_move: self.side_to_move, ..Setup::EMPTY }
    }

    #[inline(always)]
    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    #[inline(always)]
    fn hash_key(&self) -> u64 {
        self.hash_key
    }

    #[inline]
    fn expected_key_after(&self, mv: Move) -> Option<u64> {
        let (origin, target) = (mv.origin().index(), mv.target().index());
        let mover = &PIECE_KEYS[self.piece_at(mv.origin())?.index()];
        let captured = self.piece_at(mv.target()).map_or(0, |piece| PIECE_KEYS[piece.index()][target]);
        Some(self.hash_key ^ SIDE_KEY ^ mover[origin] ^ mover[target] ^ captured)
    }

    fn compute_hash_key(&self) -> u64 {
        let side = if self.side_to_move == Side::Second { SIDE_KEY } else { 0 };
        Piece::all().fold(side, |key, piece| {
            self.pieces_of(piece.side(), piece.kind())
                .iter()
                .fold(key, |key, square| key ^ PIECE_KEYS[piece.index()][square.index()])
        })
    }

    fn dump(&self) -> String {
        let mut text = format!("{}\nkey {:016x}\n", fen::format(&self.to_setup()), self.hash_key);
        let mut row = |name: &str, set: SquareSet| {
            let squares: Vec<_> = set.iter().map(|square| square.to_string()).collect();
            let _ = writeln!(text, "{name:<9}{:023x} {}", set.0, squares.join(" "));
        };
        row("red", self.sides[0]);
        row("black", self.sides[1]);
        PieceKind::ALL.iter().for_each(|&kind| row(kind.name(), self.kinds[kind as usize]));
        for rank in (0..Square::RANKS).rev() {
            let _ = writeln!(text, "rank {rank}   {:09b}", self.lines.rank(rank));
        }
        for file in 0..Square::FILES {
            let letter = char::from(b'a' + file as u8);
            let _ = writeln!(text, "file {letter}   {:010b}", self.lines.file(file));
        }
        text + &self.leapers.dump()
    }

    #[inline(always)]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.piece_at(square)
    }

    fn generate_legal(&self, list: &mut MoveList<Move>) {
        self.append_moves(self.move_targets(), &self.legality_masks(), list);
    }

    fn generate_captures(&self, list: &mut MoveList<Move>) {
        self.append_moves(self.capture_targets(), &self.legality_masks(), list);
    }

    fn generate_pseudo_legal(&self, list: &mut MoveList<Move>) {
        self.append_moves(self.move_targets(), &LegalityMasks::UNRESTRICTED, list);
    }

    fn count_legal(&self) -> usize {
        self.count_legal_with(&self.legality_masks())
    }

    fn perft(&self, depth: u32) -> u64 {
        L::perft(self, depth)
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let origin = mv.origin();
        match self.piece_at(origin) {
            Some(piece) if piece.side() == self.side_to_move => {
                let targets = self.targets(piece.kind(), origin) & self.move_targets();
                targets.contains(mv.target())
            }
            _ => false,
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.is_king_safe_after(mv)
    }

    #[inline(always)]
    fn captured_piece(&self, mv: Move) -> Option<Piece> {
        self.piece_at(mv.target())
    }

    #[inline(always)]
    fn is_irreversible(&self, mv: Move) -> bool {
        self.captured_piece(mv).is_some()
    }

    #[inline]
    fn make<W: BoardObserver<Xiangqi>>(&mut self, mv: Move, observer: &mut W) -> Undo {
        let (origin, target) = (mv.origin(), mv.target());
        let undo = Undo { captured: self.piece_at(target), hash_key: self.hash_key };
        if let Some(captured) = undo.captured {
            self.toggle(target, captured);
            observer.remove(target, captured);
        } else {
            self.toggle_lines(target);
        }
        // A move of no piece is not pseudo-legal; it leaves an invalid position, as the contract of `make` says.
        if let Some(mover) = self.piece_at(origin) {
            self.toggle(origin, mover);
            self.toggle_lines(origin);
            observer.remove(origin, mover);
            self.toggle(target, mover);
            observer.put(target, mover);
        }
        self.board[target.index()] = self.board[origin.index()];
        self.board[origin.index()] = NO_PIECE;
        self.flip_side();
        undo
    }

    #[inline]
    fn unmake<W: BoardObserver<Xiangqi>>(&mut self, mv: Move, undo: &Undo, observer: &mut W) {
        let (origin, target) = (mv.origin(), mv.target());
        if let Some(mover) = self.piece_at(target) {
            observer.remove(target, mover);
            self.toggle(target, mover);
            self.toggle(origin, mover);
            self.toggle_lines(origin);
            observer.put(origin, mover);
        }
        self.board[origin.index()] = self.board[target.index()];
        if let Some(captured) = undo.captured {
            self.board[target.index()] = captured.index() as u8;
            self.toggle(target, captured);
            observer.put(target, captured);
        } else {
            self.board[target.index()] = NO_PIECE;
            self.toggle_lines(target);
        }
        self.side_to_move = !self.side_to_move;
        self.hash_key = undo.hash_key;
    }

    fn make_null(&mut self) -> Undo {
        let undo = Undo { captured: None, hash_key: self.hash_key };
        self.flip_side();
        undo
    }

    fn unmake_null(&mut self, _: &Undo) {
        self.flip_side();
    }

    fn in_check(&self) -> bool {
        self.legality_masks().in_check
    }

    fn has_no_legal_move(&self) -> bool {
        self.has_no_legal_targets()
    }
}

impl<L: LeaperLookup> Board for LookupBitboard<L> {
    #[inline(always)]
    fn pieces(&self, piece: Piece) -> SquareSet {
        self.pieces_of(piece.side(), piece.kind())
    }

    #[inline(always)]
    fn occupied_by(&self, side: Side) -> SquareSet {
        self.sides[side.index()]
    }

    #[inline(always)]
    fn occupied(&self) -> SquareSet {
        self.occupancy()
    }

    #[inline(always)]
    fn king_square(&self, side: Side) -> Square {
        self.pieces_of(side, PieceKind::King).first().expect("every valid setup has a king for each side")
    }

    #[inline(always)]
    fn line_occupancy(&self) -> LineOccupancy {
        self.lines
    }

    /// Looks up the attackers from the square: see [`Board::attackers_to`].
    fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let pieces_of = |kind| self.pieces_of(by, kind);
        let rook_targets = self.lines.rook_targets(square);
        let mut found = (rook_targets & pieces_of(PieceKind::Rook))
            | (self.lines.cannon_targets(square) & pieces_of(PieceKind::Cannon));
        found = found | (SOLDIER_ORIGINS[by.index()][square.index()] & pieces_of(PieceKind::Soldier));
        for kind in [PieceKind::Horse, PieceKind::Elephant, PieceKind::Advisor, PieceKind::King] {
            for attacker in pieces_of(kind) {
                if self.targets(kind, attacker).contains(square) {
                    found = found | SquareSet::from_square(attacker);
                }
            }
        }
        if square == self.king_square(!by) {
            // Kings may not face each other, so each attacks the other along an empty file.
            found = found | (rook_targets & king_attack_table(square).file & pieces_of(PieceKind::King));
        }
        found
    }
}

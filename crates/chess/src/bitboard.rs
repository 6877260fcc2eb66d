//! The bitboard: sets of squares, one for each kind of piece and one for each side.
//!
//! Checkers and pinned pieces are stored with the position, so that legal moves are generated directly. To unmake a
//! move, the board before the move is copied back; a benchmark found this cheaper than an undo record
//! (`docs/inside/0x88-and-bitboards.md`).

use alloc::format;
use alloc::string::String;

use alfil_kernel::{BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Chess;
use crate::board::{Board, CASTLING_KEYS, EN_PASSANT_KEYS, GenType, PIECE_KEYS, SIDE_KEY};
use crate::geometry::{
    self, BETWEEN, BISHOP_RAYS, KING_ATTACKS, KNIGHT_ATTACKS, LINE_THROUGH, PAWN_ATTACKS, ROOK_RAYS,
    bishop_attacks, bit, castling_destinations, rook_attacks,
};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::setup::{Setup, SetupIssue, back_rank_of};
use crate::square::{Square, SquareSet};

mod generate;
mod undo_record;

use generate::CountSink;
pub use undo_record::UndoRecord;

/// The value of `en_passant` when no pawn can be captured en passant.
const NO_SQUARE: u8 = 64;

/// A position as sets of squares. Bit 0 of a set is a1, bit 63 is h8.
///
/// Its methods are those of the traits [`Position`], for the boards of every game, and [`Board`], for those of chess.
///
/// ```
/// use alfil_chess::prelude::*;
///
/// let mut board: Bitboard = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2".parse()?;
/// let queenside: Move = "e1a1".parse()?;
/// assert!(board.is_legal(queenside));
/// assert_eq!((board.count_legal(), board.perft(2)), (28, 648));
///
/// // Pieces are read as sets of squares, in any direction.
/// let rooks = board.pieces(Piece::new(Side::First, PieceKind::Rook));
/// assert_eq!(rooks.iter().map(|square| square.to_string()).collect::<Vec<_>>(), ["a1", "h1"]);
/// assert_eq!(board.attackers_to("e1".parse()?, Side::First), rooks);
/// assert_eq!(board.en_passant(), Some("d6".parse()?));
///
/// // A move is made and unmade; `()` observes nothing.
/// let undo = board.make(queenside, &mut ());
/// assert_eq!(board.to_string(), "r3k2r/8/8/3pP3/8/8/8/2KR3R b kq - 0 1");
/// board.unmake(queenside, &undo, &mut ());
/// assert_eq!(board.hash_key(), board.compute_hash_key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bitboard {
    /// The pieces of each kind, of both sides.
    kind_sets: [u64; 6],
    /// The pieces of each side, of all kinds.
    side_sets: [u64; 2],
    /// The rooks that may still castle. Any move from or to one of these squares ends the right.
    castling_rooks: u64,
    /// The enemy pieces that attack the king of the side to move.
    checkers: u64,
    /// The pieces of the side to move that alone shield its king from an enemy slider.
    pinned: u64,
    hash_key: u64,
    side_to_move: Side,
    /// The square that a pawn has just passed, if a pawn of the side to move attacks it; else [`NO_SQUARE`].
    en_passant: u8,
    /// Whether a capture on the en passant square is legal, so that the hash key contains its file.
    en_passant_in_key: bool,
}

impl Bitboard {
    #[inline(always)]
    fn by_side(&self, side: Side) -> u64 {
        self.side_sets[side.index()]
    }

    #[inline(always)]
    fn occupancy(&self) -> u64 {
        self.side_sets[0] | self.side_sets[1]
    }

    #[inline(always)]
    fn pieces_of(&self, side: Side, kind: PieceKind) -> u64 {
        self.kind_sets[kind as usize] & self.side_sets[side.index()]
    }

    /// Returns the square number of the king of `side`.
    #[inline(always)]
    fn king_index(&self, side: Side) -> usize {
        self.pieces_of(side, PieceKind::King).trailing_zeros() as usize & 63
    }

    #[inline(always)]
    fn kind_on(&self, square: Square) -> Option<PieceKind> {
        let mask = bit(square);
        PieceKind::ALL.into_iter().find(|&kind| self.kind_sets[kind as usize] & mask != 0)
    }

    /// Returns whether a piece of `by` attacks the square, given the occupancy.
    #[inline]
    fn is_attacked(&self, square: usize, by: Side, occupied: u64) -> bool {
        let queens = self.kind_sets[PieceKind::Queen as usize];
        let enemies = self.by_side(by);
        let leapers = KNIGHT_ATTACKS[square] & self.kind_sets[PieceKind::Knight as usize]
            | KING_ATTACKS[square] & self.kind_sets[PieceKind::King as usize]
            | PAWN_ATTACKS[by.other().index()][square] & self.kind_sets[PieceKind::Pawn as usize];
        leapers & enemies != 0
            || bishop_attacks(square, occupied)
                & (self.kind_sets[PieceKind::Bishop as usize] | queens)
                & enemies
                & occupied
                != 0
            || rook_attacks(square, occupied)
                & (self.kind_sets[PieceKind::Rook as usize] | queens)
                & enemies
                & occupied
                != 0
    }

    /// Computes the checkers and the pinned pieces of the side to move.
    #[inline]
    fn update_checkers_and_pins(&mut self) {
        let (side, enemy) = (self.side_to_move, self.side_to_move.other());
        let king = self.king_index(side);
        let enemies = self.by_side(enemy);
        let queens = self.kind_sets[PieceKind::Queen as usize];
        self.checkers = enemies
            & (KNIGHT_ATTACKS[king] & self.kind_sets[PieceKind::Knight as usize]
                | KING_ATTACKS[king] & self.kind_sets[PieceKind::King as usize]
                | PAWN_ATTACKS[side.index()][king] & self.kind_sets[PieceKind::Pawn as usize]);
        self.pinned = 0;
        let mut sliders = enemies
            & (BISHOP_RAYS[king] & (self.kind_sets[PieceKind::Bishop as usize] | queens)
                | ROOK_RAYS[king] & (self.kind_sets[PieceKind::Rook as usize] | queens));
        let occupied = self.occupancy();
        while sliders != 0 {
            let slider = sliders.trailing_zeros() as usize;
            let blockers = BETWEEN[king][slider] & occupied;
            if blockers == 0 {
                self.checkers |= sliders & sliders.wrapping_neg();
            } else if blockers & (blockers - 1) == 0 {
                self.pinned |= blockers & self.by_side(side);
            }
            sliders &= sliders - 1;
        }
    }

    /// Returns whether an en passant capture by the pawn on `origin` is legal. The occupancy after the capture is
    /// tested, because two pawns leave one rank at once and the pin masks do not cover this.
    fn is_safe_en_passant(&self, origin: usize, target: usize) -> bool {
        let (side, enemy) = (self.side_to_move, self.side_to_move.other());
        let king = self.king_index(side);
        let captured = 1 << (target ^ 8);
        let occupied = self.occupancy() ^ (1 << origin) ^ captured | 1 << target;
        let enemies = self.by_side(enemy) & !captured;
        let queens = self.kind_sets[PieceKind::Queen as usize];
        let leapers = KNIGHT_ATTACKS[king] & self.kind_sets[PieceKind::Knight as usize]
            | KING_ATTACKS[king] & self.kind_sets[PieceKind::King as usize]
            | PAWN_ATTACKS[side.index()][king] & self.kind_sets[PieceKind::Pawn as usize];
        let diagonal = bishop_attacks(king, occupied) & (self.kind_sets[PieceKind::Bishop as usize] | queens);
        let orthogonal = rook_attacks(king, occupied) & (self.kind_sets[PieceKind::Rook as usize] | queens);
        enemies & (leapers | diagonal | orthogonal) == 0
    }

    /// Returns whether the squares that king and rook pass are empty except for these two.
    #[inline]
    fn is_castling_path_clear(&self, king: usize, rook: usize) -> bool {
        let (king_to, rook_to) =
            castling_destinations(Square::from_low_bits(king), Square::from_low_bits(rook));
        let path =
            BETWEEN[king][king_to.index()] | BETWEEN[rook][rook_to.index()] | bit(king_to) | bit(rook_to);
        path & self.occupancy() & !(1 << king | 1 << rook) == 0
    }

    /// Returns whether the king may castle: it is not in check, passes no attacked square and is not shielded by the
    /// rook.
    #[inline]
    fn is_castling_safe(&self, king: usize, rook: usize) -> bool {
        let (king_to, _) = castling_destinations(Square::from_low_bits(king), Square::from_low_bits(rook));
        let mut path = BETWEEN[king][king_to.index()] | bit(king_to);
        let occupied = self.occupancy() ^ 1 << king;
        if self.checkers != 0 || self.pinned >> rook & 1 != 0 {
            return false;
        }
        while path != 0 {
            if self.is_attacked(path.trailing_zeros() as usize, self.side_to_move.other(), occupied) {
                return false;
            }
            path &= path - 1;
        }
        true
    }

    /// Returns the pseudo-legal targets of the piece of the side to move on `origin`, except castling.
    fn targets(&self, origin: Square, kind: PieceKind) -> u64 {
        let (side, enemy) = (self.side_to_move, self.side_to_move.other());
        let allowed = !self.by_side(side) & !self.pieces_of(enemy, PieceKind::King);
        if kind != PieceKind::Pawn {
            return geometry::attacks(kind, origin, SquareSet::new(self.occupancy())).0 & allowed;
        }
        let victims =
            self.by_side(enemy) | if self.en_passant == NO_SQUARE { 0 } else { 1 << self.en_passant };
        let captures = PAWN_ATTACKS[side.index()][origin.index()] & victims;
        let empty = !self.occupancy();
        let forward = |set: u64| if side == Side::First { set << 8 } else { set >> 8 };
        let single = forward(bit(origin)) & empty;
        let double = if origin.relative_rank(side) == 1 { forward(single) & empty } else { 0 };
        (captures | single | double) & allowed
    }

    /// Puts a piece on an empty square, or removes it from its square.
    #[inline(always)]
    fn toggle(&mut self, square: Square, piece: Piece) {
        self.kind_sets[piece.kind() as usize] ^= bit(square);
        self.side_sets[piece.side().index()] ^= bit(square);
        self.hash_key ^= PIECE_KEYS[piece.index()][square.index()];
    }

    /// Sets the en passant square if a pawn of the side to move attacks it, and adds its file to the hash key if a
    /// capture is legal. `side_to_move` must be updated before.
    fn set_en_passant(&mut self, square: Square) {
        let mut capturers = PAWN_ATTACKS[self.side_to_move.other().index()][square.index()]
            & self.pieces_of(self.side_to_move, PieceKind::Pawn);
        if capturers == 0 {
            return;
        }
        self.en_passant = square.index() as u8;
        while capturers != 0 {
            if self.is_safe_en_passant(capturers.trailing_zeros() as usize, square.index()) {
                self.en_passant_in_key = true;
                self.hash_key ^= EN_PASSANT_KEYS[square.file()];
                return;
            }
            capturers &= capturers - 1;
        }
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        self.hash_key ^= self.en_passant_key();
        self.en_passant_in_key = false;
        self.en_passant = NO_SQUARE;
    }

    /// Returns what the en passant square has added to the hash key.
    #[inline(always)]
    fn en_passant_key(&self) -> u64 {
        if self.en_passant_in_key { EN_PASSANT_KEYS[usize::from(self.en_passant & 7)] } else { 0 }
    }

    /// Ends the castling rights of these rooks.
    #[inline(always)]
    fn clear_castling_rooks(&mut self, mut lost: u64) {
        self.castling_rooks &= !lost;
        while lost != 0 {
            self.hash_key ^= CASTLING_KEYS[lost.trailing_zeros() as usize & 63];
            lost &= lost - 1;
        }
    }

    /// Moves the pieces of a pseudo-legal move and notifies the observer. Returns the square passed by a double step.
    #[inline(always)]
    fn move_pieces<W: BoardObserver<Chess>>(
        &mut self,
        mv: Move,
        piece: Piece,
        observer: &mut W,
    ) -> Option<Square> {
        let (side, origin, target) = (self.side_to_move, mv.origin(), mv.target());
        if piece.kind() == PieceKind::King && self.is_castling(mv) {
            let (king, rook) = (piece, Piece::new(side, PieceKind::Rook));
            let (king_to, rook_to) = castling_destinations(origin, target);
            for (square, piece) in [(origin, king), (target, rook), (king_to, king), (rook_to, rook)] {
                self.toggle(square, piece);
            }
            observer.remove(origin, king);
            observer.remove(target, rook);
            observer.put(king_to, king);
            observer.put(rook_to, rook);
            return None;
        }
        if let Some((square, victim)) = self.victim(mv, piece.kind()) {
            self.toggle(square, victim);
            observer.remove(square, victim);
        }
        let placed = mv.promotion_kind().map_or(piece, |kind| Piece::new(side, kind));
        self.toggle(origin, piece);
        self.toggle(target, placed);
        observer.remove(origin, piece);
        observer.put(target, placed);
        let is_double_step = piece.kind() == PieceKind::Pawn && origin.index().abs_diff(target.index()) == 16;
        is_double_step.then(|| Square::from_low_bits((origin.index() + target.index()) / 2))
    }

    /// Returns the piece that a move by a piece of this kind captures, and its square. Castling captures nothing.
    #[inline(always)]
    fn victim(&self, mv: Move, kind: PieceKind) -> Option<(Square, Piece)> {
        let target = mv.target();
        let enemy = self.side_to_move.other();
        if self.by_side(enemy) & bit(target) != 0 {
            return self.kind_on(target).map(|kind| (target, Piece::new(enemy, kind)));
        }
        let is_en_passant = kind == PieceKind::Pawn && target.index() == usize::from(self.en_passant);
        is_en_passant.then(|| (Square::from_low_bits(target.index() ^ 8), Piece::new(enemy, PieceKind::Pawn)))
    }
}

/// Notifies the observer that a move made on `before` is unmade, in reverse order.
fn notify_unmake<W: BoardObserver<Chess>>(before: &Bitboard, mv: Move, observer: &mut W) {
    let (side, origin, target) = (before.side_to_move, mv.origin(), mv.target());
    let Some(kind) = before.kind_on(origin) else { return };
    let piece = Piece::new(side, kind);
    if before.is_castling(mv) {
        let (king, rook) = (piece, Piece::new(side, PieceKind::Rook));
        let (king_to, rook_to) = castling_destinations(origin, target);
        observer.remove(rook_to, rook);
        observer.remove(king_to, king);
        observer.put(target, rook);
        observer.put(origin, king);
        return;
    }
    observer.remove(target, mv.promotion_kind().map_or(piece, |kind| Piece::new(side, kind)));
    observer.put(origin, piece);
    if let Some((square, victim)) = before.victim(mv, kind) {
        observer.put(square, victim);
    }
}

impl Board for Bitboard {
    #[inline]
    fn pieces(&self, piece: Piece) -> SquareSet {
        SquareSet::new(self.pieces_of(piece.side(), piece.kind()))
    }

    #[inline]
    fn occupied_by(&self, side: Side) -> SquareSet {
        SquareSet::new(self.by_side(side))
    }

    #[inline]
    fn king_square(&self, side: Side) -> Square {
        Square::from_low_bits(self.king_index(side))
    }

    #[inline]
    fn castling_rooks(&self) -> SquareSet {
        SquareSet::new(self.castling_rooks)
    }

    fn en_passant(&self) -> Option<Square> {
        Square::from_index(self.en_passant.into())
    }

    fn is_king_safe_after(&self, mv: Move) -> bool {
        let (origin, target) = (mv.origin().index(), mv.target().index());
        let king = self.king_index(self.side_to_move);
        if origin == king {
            if self.is_castling(mv) {
                return self.is_castling_safe(king, target);
            }
            return !self.is_attacked(target, self.side_to_move.other(), self.occupancy() ^ 1 << king);
        }
        if target == usize::from(self.en_passant)
            && self.kind_sets[PieceKind::Pawn as usize] >> origin & 1 != 0
        {
            return self.is_safe_en_passant(origin, target);
        }
        if self.checkers != 0 {
            if self.checkers & (self.checkers - 1) != 0 {
                return false;
            }
            let evasions = BETWEEN[king][self.checkers.trailing_zeros() as usize] | self.checkers;
            if evasions >> target & 1 == 0 {
                return false;
            }
        }
        self.pinned >> origin & 1 == 0 || LINE_THROUGH[king][origin] >> target & 1 != 0
    }
}

alfil_kernel::impl_position_text!(Bitboard);

impl Position for Bitboard {
    type Game = Chess;
    /// The board before the move.
    type Undo = Bitboard;
    const BOARD: &'static str = "bitboard";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<SetupIssue>> {
        alfil_kernel::Setup::validate(setup, waivers)?;
        let mut board = Bitboard {
            kind_sets: [0; 6],
            side_sets: [0; 2],
            castling_rooks: setup.castling_rooks().0,
            checkers: 0,
            pinned: 0,
            hash_key: 0,
            side_to_move: setup.side_to_move,
            en_passant: NO_SQUARE,
            en_passant_in_key: false,
        };
        for square in Square::all() {
            if let Some(piece) = setup.piece_on(square) {
                board.toggle(square, piece);
            }
        }
        if let Some(square) = setup.capturable_en_passant() {
            board.set_en_passant(square);
        }
        board.update_checkers_and_pins();
        board.hash_key = board.compute_hash_key();
        Ok(board)
    }

    fn to_setup(&self) -> Setup {
        // The text of a position names the square only if a capture there is legal.
        let en_passant = self.en_passant().filter(|_| self.en_passant_in_key);
        let mut setup = Setup { side_to_move: self.side_to_move, en_passant, ..Setup::EMPTY };
        for square in Square::all() {
            setup.board[square.index()] = self.piece_on(square);
        }
        setup.castling = [self.castling_rooks as u8, (self.castling_rooks >> 56) as u8];
        setup
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn hash_key(&self) -> u64 {
        self.hash_key
    }

    #[inline]
    fn expected_key_after(&self, mv: Move) -> Option<u64> {
        let (origin, target) = (mv.origin().index(), mv.target().index());
        let mover = &PIECE_KEYS[Piece::new(self.side_to_move, self.kind_on(mv.origin())?).index()];
        let captured = self
            .kind_on(mv.target())
            .map_or(0, |kind| PIECE_KEYS[Piece::new(self.side_to_move.other(), kind).index()][target]);
        Some(self.hash_key ^ SIDE_KEY ^ self.en_passant_key() ^ mover[origin] ^ mover[target] ^ captured)
    }

    fn compute_hash_key(&self) -> u64 {
        let mut key = if self.side_to_move == Side::First { 0 } else { SIDE_KEY };
        for piece in Piece::all() {
            key = self
                .pieces(piece)
                .iter()
                .fold(key, |key, square| key ^ PIECE_KEYS[piece.index()][square.index()]);
        }
        key = SquareSet::new(self.castling_rooks)
            .iter()
            .fold(key, |key, square| key ^ CASTLING_KEYS[square.index()]);
        if let Some(square) = self.en_passant() {
            let capturers = PAWN_ATTACKS[self.side_to_move.other().index()][square.index()]
                & self.pieces_of(self.side_to_move, PieceKind::Pawn);
            let mut capturers = SquareSet::new(capturers).iter();
            if capturers.any(|origin| self.is_safe_en_passant(origin.index(), square.index())) {
                key ^= EN_PASSANT_KEYS[square.file()];
            }
        }
        key
    }

    fn dump(&self) -> String {
        let mut text = String::new();
        let mut push_line = |name: &str, set: u64| text += &format!("{name:<11} {set:#018x}\n");
        for kind in PieceKind::ALL {
            push_line(kind.name(), self.kind_sets[kind as usize]);
        }
        push_line("white", self.side_sets[0]);
        push_line("black", self.side_sets[1]);
        push_line("rooks", self.castling_rooks);
        push_line("checkers", self.checkers);
        push_line("pinned", self.pinned);
        text
    }

    #[inline]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        let side = match bit(square) {
            mask if self.side_sets[0] & mask != 0 => Side::First,
            mask if self.side_sets[1] & mask != 0 => Side::Second,
            _ => return None,
        };
        self.kind_on(square).map(|kind| Piece::new(side, kind))
    }

    fn generate_legal(&self, list: &mut MoveList<Move>) {
        self.generate(GenType::Legal, list);
    }

    fn generate_captures(&self, list: &mut MoveList<Move>) {
        self.generate(GenType::Captures, list);
    }

    fn generate_pseudo_legal(&self, list: &mut MoveList<Move>) {
        self.generate(GenType::PseudoLegal, list);
    }

    fn count_legal(&self) -> usize {
        let mut count = CountSink(0);
        self.generate(GenType::Legal, &mut count);
        count.0
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::fast_perft::perft(self, depth)
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (origin, target) = (mv.origin(), mv.target());
        if self.by_side(self.side_to_move) & bit(origin) == 0 {
            return false;
        }
        let Some(kind) = self.kind_on(origin) else { return false };
        let is_promotion = kind == PieceKind::Pawn && target.relative_rank(self.side_to_move) == 7;
        if is_promotion != mv.promotion_kind().is_some() {
            return false;
        }
        if self.is_castling(mv) {
            return self.is_castling_path_clear(origin.index(), target.index());
        }
        self.targets(origin, kind) & bit(target) != 0
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.is_king_safe_after(mv)
    }

    #[inline]
    fn captured_piece(&self, mv: Move) -> Option<Piece> {
        let kind = if self.en_passant == NO_SQUARE { None } else { self.kind_on(mv.origin()) };
        self.victim(mv, kind.unwrap_or(PieceKind::King)).map(|(_, piece)| piece)
    }

    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        let is_pawn_move = self.kind_sets[PieceKind::Pawn as usize] & bit(mv.origin()) != 0;
        is_pawn_move || self.by_side(self.side_to_move.other()) & bit(mv.target()) != 0
    }

    #[inline]
    fn make<W: BoardObserver<Chess>>(&mut self, mv: Move, observer: &mut W) -> Bitboard {
        let before = self.clone();
        self.play_unchecked(mv, observer);
        before
    }

    #[inline]
    fn unmake<W: BoardObserver<Chess>>(&mut self, mv: Move, undo: &Bitboard, observer: &mut W) {
        notify_unmake(undo, mv, observer);
        self.clone_from(undo);
    }

    #[inline]
    fn make_without_undo(&mut self, mv: Move) {
        self.play_unchecked(mv, &mut ());
    }

    fn make_null(&mut self) -> Bitboard {
        let before = self.clone();
        self.clear_en_passant();
        self.side_to_move = self.side_to_move.other();
        self.hash_key ^= SIDE_KEY;
        self.update_checkers_and_pins();
        before
    }

    fn unmake_null(&mut self, undo: &Bitboard) {
        self.clone_from(undo);
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.checkers != 0
    }

    fn has_no_legal_move(&self) -> bool {
        !self.has_legal_move()
    }
}

impl Bitboard {
    /// Plays a pseudo-legal move without an undo record.
    #[inline]
    pub fn play_unchecked<W: BoardObserver<Chess>>(&mut self, mv: Move, observer: &mut W) {
        let Some(kind) = self.kind_on(mv.origin()) else { return };
        let lost_rooks = self.castling_rooks & self.castling_rights_mask(mv, kind);
        let passed_square = self.move_pieces(mv, Piece::new(self.side_to_move, kind), observer);
        self.clear_en_passant();
        self.clear_castling_rooks(lost_rooks);
        self.side_to_move = self.side_to_move.other();
        self.hash_key ^= SIDE_KEY;
        if let Some(square) = passed_square {
            self.set_en_passant(square);
        }
        self.update_checkers_and_pins();
    }

    /// Returns the squares whose rooks lose their castling right: origin and target of the move, which covers captured
    /// rooks, and the whole back rank if the king moves.
    #[inline(always)]
    fn castling_rights_mask(&self, mv: Move, kind: PieceKind) -> u64 {
        let back_rank =
            if kind == PieceKind::King { geometry::rank_mask(back_rank_of(self.side_to_move)) } else { 0 };
        bit(mv.origin()) | bit(mv.target()) | back_rank
    }
}

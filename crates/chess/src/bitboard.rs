//! The board that is a few sets of squares: one for each kind, one for each side.
//!
//! Which enemies give check and which own men are pinned is kept with the position, so that generation gives legal moves
//! and no others. A move is played on the board itself; what undoes it is the board as it was, which the bench found
//! cheaper than a record of the change (`docs/0x88-and-bitboards.md`).

use alfil_kernel::{BitSet, BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Chess;
use crate::board::{Board, CASTLING_KEYS, EN_PASSANT_KEYS, PIECE_KEYS, SIDE_KEY, SquareSet};
use crate::geometry::{
    self, BETWEEN, BISHOP_RAYS, KING_ATTACKS, KNIGHT_ATTACKS, LINE_THROUGH, PAWN_ATTACKS, ROOK_RAYS,
    bishop_attacks, bit, castling_destinations, rook_attacks,
};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::setup::{Setup, SetupIssue, back_rank_of};
use crate::square::Square;

mod generate;
mod undo_record;

use generate::{CountSink, GenType};
pub use undo_record::UndoRecord;

/// No square: no pawn can be taken en passant.
const NO_SQUARE: u8 = 64;

/// A position in sets of squares. Bit 0 of a set is a1, bit 63 is h8.
#[derive(Clone, Debug)]
pub struct Bitboard {
    /// By kind, both sides together.
    kind_sets: [u64; 6],
    /// By side, all kinds together.
    side_sets: [u64; 2],
    /// The rooks that may still castle: what moves from one of these squares or to it ends the right.
    castling_rooks: u64,
    /// The enemies that attack the king of the side to move.
    checkers: u64,
    /// The men of the side to move that alone stand between its king and an enemy slider.
    pinned: u64,
    hash_key: u64,
    side_to_move: Side,
    /// The square just stepped over, if a pawn attacks it; else [`NONE`].
    en_passant: u8,
    /// Whether that capture is legal, and so part of the key.
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

    /// The number of the square of a side's king.
    #[inline(always)]
    fn king_index(&self, side: Side) -> usize {
        self.pieces_of(side, PieceKind::King).trailing_zeros() as usize & 63
    }

    #[inline(always)]
    fn kind_on(&self, square: Square) -> Option<PieceKind> {
        let here = bit(square);
        PieceKind::ALL.into_iter().find(|&kind| self.kind_sets[kind as usize] & here != 0)
    }

    /// Whether a man of `by` attacks the square among these obstacles.
    #[inline]
    fn is_attacked(&self, square: usize, by: Side, occupied: u64) -> bool {
        let queens = self.kind_sets[PieceKind::Queen as usize];
        let enemies = self.by_side(by);
        let near = KNIGHT_ATTACKS[square] & self.kind_sets[PieceKind::Knight as usize]
            | KING_ATTACKS[square] & self.kind_sets[PieceKind::King as usize]
            | PAWN_ATTACKS[by.other().index()][square] & self.kind_sets[PieceKind::Pawn as usize];
        near & enemies != 0
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

    /// Finds the checkers and the pinned men of the side to move.
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
        let all = self.occupancy();
        while sliders != 0 {
            let slider = sliders.trailing_zeros() as usize;
            let blockers = BETWEEN[king][slider] & all;
            if blockers == 0 {
                self.checkers |= sliders & sliders.wrapping_neg();
            } else if blockers & (blockers - 1) == 0 {
                self.pinned |= blockers & self.by_side(side);
            }
            sliders &= sliders - 1;
        }
    }

    /// Whether the pawn on `origin` may take en passant: the board after the capture is looked at, because two men leave
    /// one rank at once and no pin shows it.
    fn is_safe_en_passant(&self, origin: usize, target: usize) -> bool {
        let (side, enemy) = (self.side_to_move, self.side_to_move.other());
        let king = self.king_index(side);
        let taken = 1 << (target ^ 8);
        let occupied = self.occupancy() ^ (1 << origin) ^ taken | 1 << target;
        let enemies = self.by_side(enemy) & !taken;
        let queens = self.kind_sets[PieceKind::Queen as usize];
        let near = KNIGHT_ATTACKS[king] & self.kind_sets[PieceKind::Knight as usize]
            | KING_ATTACKS[king] & self.kind_sets[PieceKind::King as usize]
            | PAWN_ATTACKS[side.index()][king] & self.kind_sets[PieceKind::Pawn as usize];
        let diagonals = self.kind_sets[PieceKind::Bishop as usize] | queens;
        let lines = self.kind_sets[PieceKind::Rook as usize] | queens;
        enemies & (near | bishop_attacks(king, occupied) & diagonals | rook_attacks(king, occupied) & lines)
            == 0
    }

    /// Whether king and rook have the squares they pass to themselves.
    #[inline]
    fn is_castling_path_clear(&self, king: usize, rook: usize) -> bool {
        let (king_to, rook_to) =
            castling_destinations(Square::from_low_bits(king), Square::from_low_bits(rook));
        let path =
            BETWEEN[king][king_to.index()] | BETWEEN[rook][rook_to.index()] | bit(king_to) | bit(rook_to);
        path & self.occupancy() & !(1 << king | 1 << rook) == 0
    }

    /// Whether the king may castle so: not in check, through no attacked square, and not with a rook that shields it.
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

    /// Whether a pseudo-legal move leaves the own king safe.
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
            let answer = BETWEEN[king][self.checkers.trailing_zeros() as usize] | self.checkers;
            if answer >> target & 1 == 0 {
                return false;
            }
        }
        self.pinned >> origin & 1 == 0 || LINE_THROUGH[king][origin] >> target & 1 != 0
    }

    /// What the man of the side to move on `origin` can go to, castling aside.
    fn targets(&self, origin: Square, kind: PieceKind) -> u64 {
        let (side, enemy) = (self.side_to_move, self.side_to_move.other());
        let free = !self.by_side(side) & !self.pieces_of(enemy, PieceKind::King);
        if kind != PieceKind::Pawn {
            return geometry::attacks(kind, origin, BitSet(self.occupancy())).0 & free;
        }
        let prey = self.by_side(enemy) | if self.en_passant == NO_SQUARE { 0 } else { 1 << self.en_passant };
        let takes = PAWN_ATTACKS[side.index()][origin.index()] & prey;
        let forward = if side == Side::First { 8 } else { -8 };
        let empty = !self.occupancy();
        let ahead = |set: u64| if forward > 0 { set << 8 } else { set >> 8 };
        let one = ahead(bit(origin)) & empty;
        let two = if origin.relative_rank(side) == 1 { ahead(one) & empty } else { 0 };
        (takes | one | two) & free
    }

    /// Puts a man on an empty square or lifts it from where it stands.
    #[inline(always)]
    fn toggle(&mut self, square: Square, piece: Piece) {
        self.kind_sets[piece.kind() as usize] ^= bit(square);
        self.side_sets[piece.side().index()] ^= bit(square);
        self.hash_key ^= PIECE_KEYS[piece.index()][square.index()];
    }

    /// Sets the square just stepped over, if a pawn of the side to move attacks it, and its word in the key, if one may
    /// take there. Who moves must be set before.
    fn set_en_passant(&mut self, square: Square) {
        let mut takers = PAWN_ATTACKS[self.side_to_move.other().index()][square.index()]
            & self.pieces_of(self.side_to_move, PieceKind::Pawn);
        if takers == 0 {
            return;
        }
        self.en_passant = square.index() as u8;
        while takers != 0 {
            if self.is_safe_en_passant(takers.trailing_zeros() as usize, square.index()) {
                self.en_passant_in_key = true;
                self.hash_key ^= EN_PASSANT_KEYS[square.file()];
                return;
            }
            takers &= takers - 1;
        }
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if self.en_passant_in_key {
            self.hash_key ^= EN_PASSANT_KEYS[usize::from(self.en_passant & 7)];
            self.en_passant_in_key = false;
        }
        self.en_passant = NO_SQUARE;
    }

    /// Ends the rights that go with these rooks.
    #[inline(always)]
    fn clear_castling_rooks(&mut self, mut lost: u64) {
        self.castling_rooks &= !lost;
        while lost != 0 {
            self.hash_key ^= CASTLING_KEYS[lost.trailing_zeros() as usize & 63];
            lost &= lost - 1;
        }
    }

    /// Moves the men of a pseudo-legal move and tells the watcher; gives the square that a pawn stepped over.
    #[inline(always)]
    fn move_pieces<W: BoardObserver<Chess>>(
        &mut self,
        mv: Move,
        man: Piece,
        watcher: &mut W,
    ) -> Option<Square> {
        let (side, origin, target) = (self.side_to_move, mv.origin(), mv.target());
        if man.kind() == PieceKind::King && self.is_castling(mv) {
            let rook = Piece::new(side, PieceKind::Rook);
            let (king_to, rook_to) = castling_destinations(origin, target);
            for (square, piece) in [(origin, man), (target, rook), (king_to, man), (rook_to, rook)] {
                self.toggle(square, piece);
            }
            watcher.remove(origin, man);
            watcher.remove(target, rook);
            watcher.put(king_to, man);
            watcher.put(rook_to, rook);
            return None;
        }
        if let Some((square, piece)) = self.victim(mv, man.kind()) {
            self.toggle(square, piece);
            watcher.remove(square, piece);
        }
        let becomes = mv.promotion_kind().map_or(man, |kind| Piece::new(side, kind));
        self.toggle(origin, man);
        self.toggle(target, becomes);
        watcher.remove(origin, man);
        watcher.put(target, becomes);
        let stepped = man.kind() == PieceKind::Pawn && origin.index().abs_diff(target.index()) == 16;
        stepped.then(|| Square::from_low_bits((origin.index() + target.index()) / 2))
    }

    /// What a move of that kind of man takes, and where; castling takes nothing.
    #[inline(always)]
    fn victim(&self, mv: Move, kind: PieceKind) -> Option<(Square, Piece)> {
        let target = mv.target();
        let enemy = self.side_to_move.other();
        if self.by_side(enemy) & bit(target) != 0 {
            return self.kind_on(target).map(|taken| (target, Piece::new(enemy, taken)));
        }
        let passing = kind == PieceKind::Pawn && target.index() == usize::from(self.en_passant);
        passing.then(|| (Square::from_low_bits(target.index() ^ 8), Piece::new(enemy, PieceKind::Pawn)))
    }
}

/// Tells the watcher, backwards, what a move had done to `before`.
fn notify_unmake<W: BoardObserver<Chess>>(before: &Bitboard, mv: Move, watcher: &mut W) {
    let (side, origin, target) = (before.side_to_move, mv.origin(), mv.target());
    let Some(kind) = before.kind_on(origin) else { return };
    let man = Piece::new(side, kind);
    if before.is_castling(mv) {
        let rook = Piece::new(side, PieceKind::Rook);
        let (king_to, rook_to) = castling_destinations(origin, target);
        watcher.remove(rook_to, rook);
        watcher.remove(king_to, man);
        watcher.put(target, rook);
        watcher.put(origin, man);
        return;
    }
    watcher.remove(target, mv.promotion_kind().map_or(man, |kind| Piece::new(side, kind)));
    watcher.put(origin, man);
    if let Some((square, piece)) = before.victim(mv, kind) {
        watcher.put(square, piece);
    }
}

impl Board for Bitboard {
    #[inline]
    fn pieces(&self, piece: Piece) -> SquareSet {
        BitSet(self.pieces_of(piece.side(), piece.kind()))
    }

    #[inline]
    fn occupied_by(&self, side: Side) -> SquareSet {
        BitSet(self.by_side(side))
    }

    #[inline]
    fn king_square(&self, side: Side) -> Square {
        Square::from_low_bits(self.king_index(side))
    }

    #[inline]
    fn castling_rooks(&self) -> SquareSet {
        BitSet(self.castling_rooks)
    }

    fn en_passant(&self) -> Option<Square> {
        Square::from_index(self.en_passant.into())
    }
}

impl Position for Bitboard {
    type Game = Chess;
    /// The board as it was.
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
        let mut setup =
            Setup { side_to_move: self.side_to_move, en_passant: self.en_passant(), ..Setup::EMPTY };
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

    fn compute_hash_key(&self) -> u64 {
        let mut key = if self.side_to_move == Side::First { 0 } else { SIDE_KEY };
        for piece in Piece::all() {
            key = self.pieces(piece).iter().fold(key, |key, square| key ^ PIECE_KEYS[piece.index()][square]);
        }
        key = BitSet(self.castling_rooks).iter().fold(key, |key, square| key ^ CASTLING_KEYS[square]);
        if let Some(square) = self.en_passant() {
            let takers = PAWN_ATTACKS[self.side_to_move.other().index()][square.index()]
                & self.pieces_of(self.side_to_move, PieceKind::Pawn);
            let mut takers = BitSet(takers).iter();
            if takers.any(|taker| self.is_safe_en_passant(taker, square.index())) {
                key ^= EN_PASSANT_KEYS[square.file()];
            }
        }
        key
    }

    fn dump(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, set: u64| text += &format!("{name:<11} {set:#018x}\n");
        for kind in PieceKind::ALL {
            line(kind.name(), self.kind_sets[kind as usize]);
        }
        line("white", self.side_sets[0]);
        line("black", self.side_sets[1]);
        line("rooks", self.castling_rooks);
        line("checkers", self.checkers);
        line("pinned", self.pinned);
        text
    }

    #[inline]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        let side = match bit(square) {
            here if self.side_sets[0] & here != 0 => Side::First,
            here if self.side_sets[1] & here != 0 => Side::Second,
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
        let promotes = kind == PieceKind::Pawn && target.relative_rank(self.side_to_move) == 7;
        if promotes != mv.promotion_kind().is_some() {
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
        let pawn = self.kind_sets[PieceKind::Pawn as usize] & bit(mv.origin()) != 0;
        pawn || self.by_side(self.side_to_move.other()) & bit(mv.target()) != 0
    }

    #[inline]
    fn make<W: BoardObserver<Chess>>(&mut self, mv: Move, watcher: &mut W) -> Bitboard {
        let before = self.clone();
        self.play_unchecked(mv, watcher);
        before
    }

    #[inline]
    fn unmake<W: BoardObserver<Chess>>(&mut self, mv: Move, undo: &Bitboard, watcher: &mut W) {
        notify_unmake(undo, mv, watcher);
        self.clone_from(undo);
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
        self.count_legal() == 0
    }
}

impl Bitboard {
    /// Plays a pseudo-legal move for good.
    #[inline]
    pub fn play_unchecked<W: BoardObserver<Chess>>(&mut self, mv: Move, watcher: &mut W) {
        let Some(kind) = self.kind_on(mv.origin()) else { return };
        let lost = self.castling_rooks & self.castling_rights_mask(mv, kind);
        let stepped = self.move_pieces(mv, Piece::new(self.side_to_move, kind), watcher);
        self.clear_en_passant();
        self.clear_castling_rooks(lost);
        self.side_to_move = self.side_to_move.other();
        self.hash_key ^= SIDE_KEY;
        if let Some(square) = stepped {
            self.set_en_passant(square);
        }
        self.update_checkers_and_pins();
    }

    /// The squares whose rooks lose their rights: where a man leaves and where it arrives, so that a rook that is taken
    /// counts as one that moved; and the whole back rank when it is the king that moves.
    #[inline(always)]
    fn castling_rights_mask(&self, mv: Move, kind: PieceKind) -> u64 {
        let home =
            if kind == PieceKind::King { geometry::rank_mask(back_rank_of(self.side_to_move)) } else { 0 };
        bit(mv.origin()) | bit(mv.target()) | home
    }
}

//! The board that is a few sets of squares: one for each kind, one for each side.
//!
//! Which enemies give check and which own men are pinned is kept with the position, so that generation gives legal moves
//! and no others. A move is played on the board itself; what undoes it is the board as it was, which the bench found
//! cheaper than a record of the change (`docs/0x88-and-bitboards.md`).

use alfil_kernel::{Bits, MoveList, Position, SetupError, Side, Waivers, Watcher};

use crate::Chess;
use crate::board::{Board, PASSANT_WORDS, ROOK_WORDS, SIDE_WORD, Squares, WORDS};
use crate::geometry::{
    self, BETWEEN, BISHOP_RAYS, KING, KNIGHT, LINE, PAWN, ROOK_RAYS, bishop, bit, castled, rook,
};
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::setup::{Complaint, Setup, back};
use crate::square::Square;

mod delta;
mod generate;

pub use delta::Delta;
use generate::{Count, Scope};

/// No square: no pawn can be taken en passant.
const NONE: u8 = 64;

/// A position in sets of squares. Bit 0 of a set is a1, bit 63 is h8.
#[derive(Clone, Debug)]
pub struct Bitboard {
    /// By kind, both sides together.
    kinds: [u64; 6],
    /// By side, all kinds together.
    sides: [u64; 2],
    /// The rooks that may still castle: what moves from one of these squares or to it ends the right.
    rooks: u64,
    /// The enemies that attack the king of the side to move.
    checkers: u64,
    /// The men of the side to move that alone stand between its king and an enemy slider.
    pinned: u64,
    key: u64,
    side: Side,
    /// The square just stepped over, if a pawn attacks it; else [`NONE`].
    en_passant: u8,
    /// Whether that capture is legal, and so part of the key.
    keyed: bool,
}

impl Bitboard {
    #[inline(always)]
    fn own(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    #[inline(always)]
    fn all(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    #[inline(always)]
    fn of(&self, side: Side, kind: Kind) -> u64 {
        self.kinds[kind as usize] & self.sides[side.index()]
    }

    /// The number of the square of a side's king.
    #[inline(always)]
    fn king_of(&self, side: Side) -> usize {
        self.of(side, Kind::King).trailing_zeros() as usize & 63
    }

    #[inline(always)]
    fn kind_on(&self, square: Square) -> Option<Kind> {
        let here = bit(square);
        Kind::ALL.into_iter().find(|&kind| self.kinds[kind as usize] & here != 0)
    }

    /// Whether a man of `by` attacks the square among these obstacles.
    #[inline]
    fn is_attacked(&self, square: usize, by: Side, occupied: u64) -> bool {
        let queens = self.kinds[Kind::Queen as usize];
        let enemies = self.own(by);
        let near = KNIGHT[square] & self.kinds[Kind::Knight as usize]
            | KING[square] & self.kinds[Kind::King as usize]
            | PAWN[by.other().index()][square] & self.kinds[Kind::Pawn as usize];
        near & enemies != 0
            || bishop(square, occupied) & (self.kinds[Kind::Bishop as usize] | queens) & enemies & occupied
                != 0
            || rook(square, occupied) & (self.kinds[Kind::Rook as usize] | queens) & enemies & occupied != 0
    }

    /// Finds the checkers and the pinned men of the side to move.
    #[inline]
    fn look_at_king(&mut self) {
        let (side, enemy) = (self.side, self.side.other());
        let king = self.king_of(side);
        let enemies = self.own(enemy);
        let queens = self.kinds[Kind::Queen as usize];
        self.checkers = enemies
            & (KNIGHT[king] & self.kinds[Kind::Knight as usize]
                | KING[king] & self.kinds[Kind::King as usize]
                | PAWN[side.index()][king] & self.kinds[Kind::Pawn as usize]);
        self.pinned = 0;
        let mut sliders = enemies
            & (BISHOP_RAYS[king] & (self.kinds[Kind::Bishop as usize] | queens)
                | ROOK_RAYS[king] & (self.kinds[Kind::Rook as usize] | queens));
        let all = self.all();
        while sliders != 0 {
            let slider = sliders.trailing_zeros() as usize;
            let blockers = BETWEEN[king][slider] & all;
            if blockers == 0 {
                self.checkers |= sliders & sliders.wrapping_neg();
            } else if blockers & (blockers - 1) == 0 {
                self.pinned |= blockers & self.own(side);
            }
            sliders &= sliders - 1;
        }
    }

    /// Whether the pawn on `origin` may take en passant: the board after the capture is looked at, because two men leave
    /// one rank at once and no pin shows it.
    fn is_safe_en_passant(&self, origin: usize, target: usize) -> bool {
        let (side, enemy) = (self.side, self.side.other());
        let king = self.king_of(side);
        let taken = 1 << (target ^ 8);
        let occupied = self.all() ^ (1 << origin) ^ taken | 1 << target;
        let enemies = self.own(enemy) & !taken;
        let queens = self.kinds[Kind::Queen as usize];
        let near = KNIGHT[king] & self.kinds[Kind::Knight as usize]
            | KING[king] & self.kinds[Kind::King as usize]
            | PAWN[side.index()][king] & self.kinds[Kind::Pawn as usize];
        let diagonals = self.kinds[Kind::Bishop as usize] | queens;
        let lines = self.kinds[Kind::Rook as usize] | queens;
        enemies & (near | bishop(king, occupied) & diagonals | rook(king, occupied) & lines) == 0
    }

    /// Whether king and rook have the squares they pass to themselves.
    #[inline]
    fn is_free_to_castle(&self, king: usize, rook: usize) -> bool {
        let (king_to, rook_to) = castled(Square::of_bits(king), Square::of_bits(rook));
        let path =
            BETWEEN[king][king_to.index()] | BETWEEN[rook][rook_to.index()] | bit(king_to) | bit(rook_to);
        path & self.all() & !(1 << king | 1 << rook) == 0
    }

    /// Whether the king may castle so: not in check, through no attacked square, and not with a rook that shields it.
    #[inline]
    fn is_safe_to_castle(&self, king: usize, rook: usize) -> bool {
        let (king_to, _) = castled(Square::of_bits(king), Square::of_bits(rook));
        let mut path = BETWEEN[king][king_to.index()] | bit(king_to);
        let occupied = self.all() ^ 1 << king;
        if self.checkers != 0 || self.pinned >> rook & 1 != 0 {
            return false;
        }
        while path != 0 {
            if self.is_attacked(path.trailing_zeros() as usize, self.side.other(), occupied) {
                return false;
            }
            path &= path - 1;
        }
        true
    }

    /// Whether a pseudo-legal move leaves the own king safe.
    fn is_safe(&self, mv: Move) -> bool {
        let (origin, target) = (mv.origin().index(), mv.target().index());
        let king = self.king_of(self.side);
        if origin == king {
            if self.is_castling(mv) {
                return self.is_safe_to_castle(king, target);
            }
            return !self.is_attacked(target, self.side.other(), self.all() ^ 1 << king);
        }
        if target == usize::from(self.en_passant) && self.kinds[Kind::Pawn as usize] >> origin & 1 != 0 {
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
        self.pinned >> origin & 1 == 0 || LINE[king][origin] >> target & 1 != 0
    }

    /// What the man of the side to move on `origin` can go to, castling aside.
    fn targets(&self, origin: Square, kind: Kind) -> u64 {
        let (side, enemy) = (self.side, self.side.other());
        let free = !self.own(side) & !self.of(enemy, Kind::King);
        if kind != Kind::Pawn {
            return geometry::reach(kind, origin, Bits(self.all())).0 & free;
        }
        let prey = self.own(enemy) | if self.en_passant == NONE { 0 } else { 1 << self.en_passant };
        let takes = PAWN[side.index()][origin.index()] & prey;
        let forward = if side == Side::First { 8 } else { -8 };
        let empty = !self.all();
        let ahead = |set: u64| if forward > 0 { set << 8 } else { set >> 8 };
        let one = ahead(bit(origin)) & empty;
        let two = if origin.rank_of(side) == 1 { ahead(one) & empty } else { 0 };
        (takes | one | two) & free
    }

    /// Puts a man on an empty square or lifts it from where it stands.
    #[inline(always)]
    fn toggle(&mut self, square: Square, piece: Piece) {
        self.kinds[piece.kind() as usize] ^= bit(square);
        self.sides[piece.side().index()] ^= bit(square);
        self.key ^= WORDS[piece.index()][square.index()];
    }

    /// Sets the square just stepped over, if a pawn of the side to move attacks it, and its word in the key, if one may
    /// take there. Who moves must be set before.
    fn set_en_passant(&mut self, square: Square) {
        let mut takers = PAWN[self.side.other().index()][square.index()] & self.of(self.side, Kind::Pawn);
        if takers == 0 {
            return;
        }
        self.en_passant = square.index() as u8;
        while takers != 0 {
            if self.is_safe_en_passant(takers.trailing_zeros() as usize, square.index()) {
                self.keyed = true;
                self.key ^= PASSANT_WORDS[square.file()];
                return;
            }
            takers &= takers - 1;
        }
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if self.keyed {
            self.key ^= PASSANT_WORDS[usize::from(self.en_passant & 7)];
            self.keyed = false;
        }
        self.en_passant = NONE;
    }

    /// Ends the rights that go with these rooks.
    #[inline(always)]
    fn clear_rooks(&mut self, mut lost: u64) {
        self.rooks &= !lost;
        while lost != 0 {
            self.key ^= ROOK_WORDS[lost.trailing_zeros() as usize & 63];
            lost &= lost - 1;
        }
    }

    /// Moves the men of a pseudo-legal move and tells the watcher; gives the square that a pawn stepped over.
    #[inline(always)]
    fn move_men<W: Watcher<Chess>>(&mut self, mv: Move, man: Piece, watcher: &mut W) -> Option<Square> {
        let (side, origin, target) = (self.side, mv.origin(), mv.target());
        if man.kind() == Kind::King && self.is_castling(mv) {
            let rook = Piece::new(side, Kind::Rook);
            let (king_to, rook_to) = castled(origin, target);
            for (square, piece) in [(origin, man), (target, rook), (king_to, man), (rook_to, rook)] {
                self.toggle(square, piece);
            }
            watcher.lift(origin, man);
            watcher.lift(target, rook);
            watcher.put(king_to, man);
            watcher.put(rook_to, rook);
            return None;
        }
        if let Some((square, piece)) = self.prey(mv, man.kind()) {
            self.toggle(square, piece);
            watcher.lift(square, piece);
        }
        let becomes = mv.promoted().map_or(man, |kind| Piece::new(side, kind));
        self.toggle(origin, man);
        self.toggle(target, becomes);
        watcher.lift(origin, man);
        watcher.put(target, becomes);
        let stepped = man.kind() == Kind::Pawn && origin.index().abs_diff(target.index()) == 16;
        stepped.then(|| Square::of_bits((origin.index() + target.index()) / 2))
    }

    /// What a move of that kind of man takes, and where; castling takes nothing.
    #[inline(always)]
    fn prey(&self, mv: Move, kind: Kind) -> Option<(Square, Piece)> {
        let target = mv.target();
        let enemy = self.side.other();
        if self.own(enemy) & bit(target) != 0 {
            return self.kind_on(target).map(|taken| (target, Piece::new(enemy, taken)));
        }
        let passing = kind == Kind::Pawn && target.index() == usize::from(self.en_passant);
        passing.then(|| (Square::of_bits(target.index() ^ 8), Piece::new(enemy, Kind::Pawn)))
    }
}

/// Tells the watcher, backwards, what a move had done to `before`.
fn announce_back<W: Watcher<Chess>>(before: &Bitboard, mv: Move, watcher: &mut W) {
    let (side, origin, target) = (before.side, mv.origin(), mv.target());
    let Some(kind) = before.kind_on(origin) else { return };
    let man = Piece::new(side, kind);
    if before.is_castling(mv) {
        let rook = Piece::new(side, Kind::Rook);
        let (king_to, rook_to) = castled(origin, target);
        watcher.lift(rook_to, rook);
        watcher.lift(king_to, man);
        watcher.put(target, rook);
        watcher.put(origin, man);
        return;
    }
    watcher.lift(target, mv.promoted().map_or(man, |kind| Piece::new(side, kind)));
    watcher.put(origin, man);
    if let Some((square, piece)) = before.prey(mv, kind) {
        watcher.put(square, piece);
    }
}

impl Board for Bitboard {
    #[inline]
    fn pieces(&self, piece: Piece) -> Squares {
        Bits(self.of(piece.side(), piece.kind()))
    }

    #[inline]
    fn men(&self, side: Side) -> Squares {
        Bits(self.own(side))
    }

    #[inline]
    fn king(&self, side: Side) -> Square {
        Square::of_bits(self.king_of(side))
    }

    #[inline]
    fn rooks(&self) -> Squares {
        Bits(self.rooks)
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

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<Complaint>> {
        alfil_kernel::Setup::accept(setup, waivers)?;
        let mut board = Bitboard {
            kinds: [0; 6],
            sides: [0; 2],
            rooks: setup.rooks().0,
            checkers: 0,
            pinned: 0,
            key: 0,
            side: setup.side,
            en_passant: NONE,
            keyed: false,
        };
        for square in Square::all() {
            if let Some(piece) = setup.man(square) {
                board.toggle(square, piece);
            }
        }
        if let Some(square) = setup.capturable() {
            board.set_en_passant(square);
        }
        board.look_at_king();
        board.key = board.full_key();
        Ok(board)
    }

    fn setup(&self) -> Setup {
        let mut setup = Setup { side: self.side, en_passant: self.en_passant(), ..Setup::EMPTY };
        for square in Square::all() {
            setup.men[square.index()] = self.piece_on(square);
        }
        setup.castling = [self.rooks as u8, (self.rooks >> 56) as u8];
        setup
    }

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn full_key(&self) -> u64 {
        let mut key = if self.side == Side::First { 0 } else { SIDE_WORD };
        for piece in Piece::all() {
            key = self.pieces(piece).iter().fold(key, |key, square| key ^ WORDS[piece.index()][square]);
        }
        key = Bits(self.rooks).iter().fold(key, |key, square| key ^ ROOK_WORDS[square]);
        if let Some(square) = self.en_passant() {
            let takers = PAWN[self.side.other().index()][square.index()] & self.of(self.side, Kind::Pawn);
            let mut takers = Bits(takers).iter();
            if takers.any(|taker| self.is_safe_en_passant(taker, square.index())) {
                key ^= PASSANT_WORDS[square.file()];
            }
        }
        key
    }

    fn raw(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, set: u64| text += &format!("{name:<11} {set:#018x}\n");
        for kind in Kind::ALL {
            line(kind.name(), self.kinds[kind as usize]);
        }
        line("white", self.sides[0]);
        line("black", self.sides[1]);
        line("rooks", self.rooks);
        line("checkers", self.checkers);
        line("pinned", self.pinned);
        text
    }

    #[inline]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        let side = match bit(square) {
            here if self.sides[0] & here != 0 => Side::First,
            here if self.sides[1] & here != 0 => Side::Second,
            _ => return None,
        };
        self.kind_on(square).map(|kind| Piece::new(side, kind))
    }

    fn moves(&self, list: &mut MoveList<Move>) {
        self.generate(Scope::Legal, list);
    }

    fn captures(&self, list: &mut MoveList<Move>) {
        self.generate(Scope::Captures, list);
    }

    fn pseudo(&self, list: &mut MoveList<Move>) {
        self.generate(Scope::Pseudo, list);
    }

    fn count(&self) -> usize {
        let mut count = Count(0);
        self.generate(Scope::Legal, &mut count);
        count.0
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::counter::perft(self, depth)
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (origin, target) = (mv.origin(), mv.target());
        if self.own(self.side) & bit(origin) == 0 {
            return false;
        }
        let Some(kind) = self.kind_on(origin) else { return false };
        let promotes = kind == Kind::Pawn && target.rank_of(self.side) == 7;
        if promotes != mv.promoted().is_some() {
            return false;
        }
        if self.is_castling(mv) {
            return self.is_free_to_castle(origin.index(), target.index());
        }
        self.targets(origin, kind) & bit(target) != 0
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.is_safe(mv)
    }

    #[inline]
    fn captured(&self, mv: Move) -> Option<Piece> {
        let kind = if self.en_passant == NONE { None } else { self.kind_on(mv.origin()) };
        self.prey(mv, kind.unwrap_or(Kind::King)).map(|(_, piece)| piece)
    }

    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        let pawn = self.kinds[Kind::Pawn as usize] & bit(mv.origin()) != 0;
        pawn || self.own(self.side.other()) & bit(mv.target()) != 0
    }

    #[inline]
    fn make<W: Watcher<Chess>>(&mut self, mv: Move, watcher: &mut W) -> Bitboard {
        let before = self.clone();
        self.play(mv, watcher);
        before
    }

    #[inline]
    fn unmake<W: Watcher<Chess>>(&mut self, mv: Move, undo: &Bitboard, watcher: &mut W) {
        announce_back(undo, mv, watcher);
        self.clone_from(undo);
    }

    fn make_null(&mut self) -> Bitboard {
        let before = self.clone();
        self.clear_en_passant();
        self.side = self.side.other();
        self.key ^= SIDE_WORD;
        self.look_at_king();
        before
    }

    fn unmake_null(&mut self, undo: &Bitboard) {
        self.clone_from(undo);
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.checkers != 0
    }

    fn ended(&self) -> bool {
        self.count() == 0
    }
}

impl Bitboard {
    /// Plays a pseudo-legal move for good.
    #[inline]
    pub fn play<W: Watcher<Chess>>(&mut self, mv: Move, watcher: &mut W) {
        let Some(kind) = self.kind_on(mv.origin()) else { return };
        let lost = self.rooks & self.touched(mv, kind);
        let stepped = self.move_men(mv, Piece::new(self.side, kind), watcher);
        self.clear_en_passant();
        self.clear_rooks(lost);
        self.side = self.side.other();
        self.key ^= SIDE_WORD;
        if let Some(square) = stepped {
            self.set_en_passant(square);
        }
        self.look_at_king();
    }

    /// The squares whose rooks lose their rights: where a man leaves and where it arrives, so that a rook that is taken
    /// counts as one that moved; and the whole back rank when it is the king that moves.
    #[inline(always)]
    fn touched(&self, mv: Move, kind: Kind) -> u64 {
        let home = if kind == Kind::King { geometry::rank(back(self.side)) } else { 0 };
        bit(mv.origin()) | bit(mv.target()) | home
    }
}

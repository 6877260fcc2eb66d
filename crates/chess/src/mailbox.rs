//! The board that is an array of squares, in 0x88 numbers.
//!
//! A square is `16 * rank + file`: a1 is 0, h8 is 0x77, and eight used numbers alternate with eight unused ones. So one
//! AND with 0x88 tells every step off the board, whichever edge it crosses, and the difference of two numbers tells how
//! two squares lie to each other. The board, the dummy square, the scan and the print loop are H. G. Muller's micro-Max
//! as described in the text this room goes back to; men in lists, attack by difference and make/unmake are added.

use alfil_kernel::{MoveList, Position, SetupError, Side, Waivers, Watcher};

use crate::Chess;
use crate::board::{Board, PASSANT_WORDS, ROOK_WORDS, SIDE_WORD, Squares, WORDS};
use crate::geometry::castled;
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::setup::{Complaint, Setup};
use crate::square::Square;

mod generate;
mod numbers;
mod questions;
#[cfg(test)]
mod tests;

use generate::{Count, Scope};
use numbers::{DUMMY, OFF, attacks, dense, next, number, step};

/// The low four bits of a cell: 0 for empty, kinds from 1, 8 added for Black.
const KIND: u8 = 7;
const BLACK: u8 = 8;
const MAN: u8 = 15;
const PAWN: u8 = Kind::Pawn as u8 + 1;
const KING: u8 = Kind::King as u8 + 1;

/// The letter of a cell by its low four bits; whatever stands above them is not part of the glyph.
const GLYPHS: [char; 16] = ['.', 'P', 'N', 'B', 'R', 'Q', 'K', '?', '?', 'p', 'n', 'b', 'r', 'q', 'k', '?'];

/// A position in 0x88 numbers.
///
/// A cell holds a man in its low four bits and, above them, the place of that man in its side's list; the list holds the
/// square. Each is rebuilt from the other in the tests. A man that was taken keeps its place, with the dummy square.
#[derive(Clone, Debug)]
pub struct Mailbox {
    /// One cell beyond h8 is the dummy: a store to "no square" needs no test.
    cells: [u8; DUMMY as usize + 1],
    /// Where each side's men stand, the king first.
    lists: [[u8; 16]; 2],
    /// How many places of each list were ever used.
    lengths: [u8; 2],
    /// The rooks that may still castle, for each side towards the a-file and towards the h-file.
    rooks: [[u8; 2]; 2],
    /// The square just stepped over, if a pawn of the side to move attacks it; else the dummy.
    en_passant: u8,
    /// Whether that capture is legal, and so part of the key.
    keyed: bool,
    side: Side,
    key: u64,
}

/// What a move destroys on a mailbox.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// Where something was taken; the dummy square if nothing was.
    taken_at: u8,
    taken: u8,
    /// What moved, as it was: a pawn, where one was promoted.
    mover: u8,
    castling: bool,
    rooks: [[u8; 2]; 2],
    en_passant: u8,
    keyed: bool,
    key: u64,
}

/// The piece of a cell that is not empty.
#[inline(always)]
fn piece(cell: u8) -> Piece {
    let side = if cell & BLACK == 0 { Side::First } else { Side::Second };
    Piece::new(side, Kind::ALL[usize::from((cell & KIND).saturating_sub(1)) % 6])
}

/// The low four bits of a piece's cell.
#[inline(always)]
fn code(piece: Piece) -> u8 {
    piece.kind() as u8 + 1 + BLACK * piece.side() as u8
}

/// The place of a cell's man in its list.
#[inline(always)]
fn place(cell: u8) -> usize {
    usize::from(cell >> 4)
}

#[inline(always)]
const fn forward(side: Side) -> u8 {
    match side {
        Side::First => 0x10,
        Side::Second => 0xF0,
    }
}

impl Mailbox {
    #[inline(always)]
    fn cell(&self, square: u8) -> u8 {
        // No square above the dummy is ever asked for; the mask spares the test of that.
        if square & OFF != 0 { 0 } else { self.cells[usize::from(square & 0x7F)] }
    }

    #[inline(always)]
    fn king_of(&self, side: Side) -> u8 {
        self.lists[side.index()][0]
    }

    #[inline(always)]
    fn is_own(&self, cell: u8, side: Side) -> bool {
        cell != 0 && (cell & BLACK != 0) == (side == Side::Second)
    }

    /// The squares of a side's men.
    #[inline(always)]
    fn men_of(&self, side: Side) -> impl Iterator<Item = u8> + '_ {
        let length = usize::from(self.lengths[side.index()]) & 31;
        self.lists[side.index()][..length.min(16)].iter().copied().filter(|&square| square != DUMMY)
    }

    /// Whether the man on `from` attacks `to`, where the square `hollow` counts as empty. The difference of the numbers
    /// says at once whether such a man can reach so far in that direction; only a slider then walks.
    #[inline(always)]
    fn is_attack(&self, from: u8, to: u8, hollow: u8) -> bool {
        let cell = self.cells[usize::from(from & 0x7F)];
        if attacks(from, to) >> (cell & MAN) & 1 == 0 {
            return false;
        }
        let step = step(from, to);
        // The unit step is 0 for a knight's jump: it has nothing to walk over.
        let mut at = from.wrapping_add(step);
        while step != 0 && at != to {
            if self.cells[usize::from(at & 0x7F)] != 0 && at != hollow {
                return false;
            }
            at = at.wrapping_add(step);
        }
        true
    }

    /// Whether a man of `by` attacks the square, where the square `hollow` counts as empty.
    fn is_attacked(&self, square: u8, by: Side, hollow: u8) -> bool {
        self.men_of(by).any(|from| self.is_attack(from, square, hollow))
    }

    /// Whether a capture en passant leaves the own king safe: the two pawns are taken off the board for the question.
    fn is_safe_en_passant(&self, from: u8) -> bool {
        let mut after = self.clone();
        let (to, taken) = (self.en_passant, self.en_passant ^ 0x10);
        let cell = self.cells[usize::from(taken & 0x7F)];
        after.cells[usize::from(taken)] = 0;
        after.lists[(!self.side).index()][place(cell)] = DUMMY;
        after.cells[usize::from(to)] = after.cells[usize::from(from)];
        after.cells[usize::from(from)] = 0;
        !after.is_attacked(self.king_of(self.side), !self.side, DUMMY)
    }

    /// Whether king and rook have the squares they pass to themselves.
    fn is_free_to_castle(&self, king: u8, rook: u8) -> bool {
        let (king_to, rook_to) = castled_to(king, rook);
        let from = king.min(rook).min(king_to).min(rook_to);
        let to = king.max(rook).max(king_to).max(rook_to);
        (from..=to).all(|at| at == king || at == rook || self.cells[usize::from(at & 0x7F)] == 0)
    }

    /// Whether the king may castle so: not in check, over no attacked square, and safe where it ends, the rook gone from
    /// its place.
    fn is_safe_to_castle(&self, king: u8, rook: u8) -> bool {
        let (king_to, _) = castled_to(king, rook);
        let path = king.min(king_to)..=king.max(king_to);
        let enemy = !self.side;
        let safe = |at| !self.is_attacked(at, enemy, king);
        // On its last square the king may have lost the rook for a shield; elsewhere the rook has not moved yet.
        path.into_iter().all(safe) && !self.is_attacked(king_to, enemy, rook)
    }

    /// Puts a man of a list on a square.
    #[inline(always)]
    fn put(&mut self, square: u8, cell: u8) {
        self.cells[usize::from(square)] = cell;
        self.lists[usize::from(cell >> 3 & 1)][place(cell)] = square;
    }

    /// The word of a cell on a square.
    #[inline(always)]
    fn word(cell: u8, square: u8) -> u64 {
        WORDS[piece(cell).index()][dense(square).index()]
    }

    /// Sets the square just stepped over, as the bitboard does, by asking the two squares beside the pawn.
    fn set_en_passant(&mut self, square: u8) {
        let own = code(Piece::new(self.side, Kind::Pawn));
        let pawn = square ^ 0x10;
        let takers = [pawn.wrapping_sub(1), pawn.wrapping_add(1)];
        for from in takers {
            if self.cell(from) & MAN == own {
                self.en_passant = square;
                if self.is_safe_en_passant(from) {
                    self.keyed = true;
                    self.key ^= PASSANT_WORDS[dense(square).file()];
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if self.keyed {
            self.key ^= PASSANT_WORDS[usize::from(self.en_passant & 7)];
            self.keyed = false;
        }
        self.en_passant = DUMMY;
    }

    /// Ends the right that goes with this rook, if it has one.
    #[inline(always)]
    fn lose_rook(&mut self, square: u8) {
        for rook in self.rooks.iter_mut().flatten() {
            if *rook == square {
                self.key ^= ROOK_WORDS[dense(square).index()];
                *rook = DUMMY;
            }
        }
    }

    /// Ends the rights that a move by this man destroys: the rook that moved, the rook that was taken, both when the king
    /// moves.
    #[inline(always)]
    fn lose_rights(&mut self, from: u8, to: u8, mover: u8) {
        if self.rooks == [[DUMMY; 2]; 2] {
            return;
        }
        if mover & KIND == KING {
            for rook in self.rooks[self.side.index()].into_iter().filter(|&rook| rook != DUMMY) {
                self.lose_rook(rook);
            }
        }
        self.lose_rook(from);
        self.lose_rook(to);
    }

    /// Moves king and rook.
    fn castle<W: Watcher<Chess>>(&mut self, from: u8, to: u8, watcher: &mut W) {
        let (king_to, rook_to) = castled_to(from, to);
        let (king, rook) = (self.cells[usize::from(from)], self.cells[usize::from(to)]);
        self.cells[usize::from(from)] = 0;
        self.cells[usize::from(to)] = 0;
        watcher.lift(dense(from), piece(king));
        watcher.lift(dense(to), piece(rook));
        self.put(king_to, king);
        self.put(rook_to, rook);
        watcher.put(dense(king_to), piece(king));
        watcher.put(dense(rook_to), piece(rook));
        self.key ^= Self::word(king, from) ^ Self::word(king, king_to);
        self.key ^= Self::word(rook, to) ^ Self::word(rook, rook_to);
    }

    /// What a pseudo-legal move takes, and where: an empty cell and the dummy square if nothing.
    #[inline(always)]
    fn prey(&self, from: u8, to: u8) -> (u8, u8) {
        let passing = to == self.en_passant && self.cell(from) & KIND == PAWN;
        let at = if passing { to ^ 0x10 } else { to };
        let cell = self.cell(at);
        if self.is_own(cell, !self.side) { (at, cell) } else { (DUMMY, 0) }
    }
}

/// Where king and rook stand after castling.
fn castled_to(king: u8, rook: u8) -> (u8, u8) {
    let (king_to, rook_to) = castled(dense(king), dense(rook));
    (number(king_to), number(rook_to))
}

impl Position for Mailbox {
    type Game = Chess;
    type Undo = Undo;
    const BOARD: &'static str = "mailbox";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<Complaint>> {
        alfil_kernel::Setup::accept(setup, waivers)?;
        let mut board = Mailbox {
            cells: [0; DUMMY as usize + 1],
            lists: [[DUMMY; 16]; 2],
            lengths: [0; 2],
            rooks: [[DUMMY; 2]; 2],
            en_passant: DUMMY,
            keyed: false,
            side: setup.side,
            key: 0,
        };
        let kings = Side::BOTH.into_iter().filter_map(|side| setup.king(side));
        let others =
            Square::all().filter(|&square| setup.man(square).is_some_and(|piece| piece.kind() != Kind::King));
        for square in kings.chain(others) {
            if let Some(piece) = setup.man(square) {
                let length = &mut board.lengths[piece.side().index()];
                let cell = *length << 4 | code(piece);
                *length += 1;
                board.put(number(square), cell);
            }
        }
        for index in setup.rooks() {
            let rook = Square::of_bits(index);
            let side = if rook.rank() == 0 { Side::First } else { Side::Second };
            let wing = usize::from(number(rook) > board.king_of(side));
            board.rooks[side.index()][wing] = number(rook);
        }
        if let Some(square) = setup.capturable() {
            board.set_en_passant(number(square));
        }
        board.key = board.full_key();
        Ok(board)
    }

    fn setup(&self) -> Setup {
        let mut setup = Setup { side: self.side, en_passant: self.en_passant(), ..Setup::EMPTY };
        // The scan: eight steps along a rank, then over the eight unused numbers, and from h8 round to a1.
        let mut at = 0;
        loop {
            setup.men[dense(at).index()] = self.piece_on(dense(at));
            at = next(at);
            if at == DUMMY {
                break;
            }
        }
        for side in Side::BOTH {
            let rooks = self.rooks[side.index()].into_iter().filter(|&rook| rook != DUMMY);
            setup.castling[side.index()] = rooks.fold(0, |files, rook| files | 1 << (rook & 7));
        }
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
        for at in Side::BOTH.into_iter().flat_map(|side| self.men_of(side)) {
            key ^= Self::word(self.cells[usize::from(at)], at);
        }
        for &rook in self.rooks.iter().flatten().filter(|&&rook| rook != DUMMY) {
            key ^= ROOK_WORDS[dense(rook).index()];
        }
        if self.en_passant != DUMMY {
            let own = code(Piece::new(self.side, Kind::Pawn));
            let pawn = self.en_passant ^ 0x10;
            let takers = [pawn.wrapping_sub(1), pawn.wrapping_add(1)];
            if takers.into_iter().any(|from| self.cell(from) & MAN == own && self.is_safe_en_passant(from)) {
                key ^= PASSANT_WORDS[usize::from(self.en_passant & 7)];
            }
        }
        key
    }

    /// The print loop of the text: one number on; where the bit of value 8 is set a line ends, and seven more are
    /// skipped by the way. It prints rank 1 on top. Below it the men's lists.
    fn raw(&self) -> String {
        let mut text = String::new();
        let mut at = 0_u8;
        while at < DUMMY {
            if at & 8 != 0 {
                text.push('\n');
                at += 7;
            } else {
                text.push(GLYPHS[usize::from(self.cells[usize::from(at)] & MAN)]);
            }
            at += 1;
        }
        for side in Side::BOTH {
            let men = self
                .men_of(side)
                .map(|at| format!("{}{at:02x}", GLYPHS[usize::from(self.cells[usize::from(at)] & MAN)]));
            let men = men.collect::<Vec<_>>().join(" ");
            text += &format!("{}: {men}\n", crate::piece::name(side).to_ascii_lowercase());
        }
        let named = |square: u8| if square == DUMMY { "-".to_owned() } else { format!("{square:02x}") };
        let rooks = self.rooks.iter().flatten().map(|&rook| named(rook)).collect::<Vec<_>>().join(" ");
        text + &format!("rooks: {rooks}\nen passant: {}\n", named(self.en_passant))
    }

    #[inline]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        let cell = self.cells[usize::from(number(square) & 0x7F)];
        (cell != 0).then(|| piece(cell))
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

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to) = (number(mv.origin()), number(mv.target()));
        let (man, target) = (self.cell(from), self.cell(to));
        if !self.is_own(man, self.side) {
            return false;
        }
        let pawn = man & KIND == PAWN;
        if (pawn && mv.target().rank_of(self.side) == 7) != mv.promoted().is_some() {
            return false;
        }
        if self.is_castling(mv) {
            return self.is_free_to_castle(from, to);
        }
        if self.is_own(target, self.side) || target & KIND == KING {
            return false;
        }
        if !pawn {
            return self.is_attack(from, to, DUMMY);
        }
        let ahead = from.wrapping_add(forward(self.side));
        let twice = ahead.wrapping_add(forward(self.side));
        if to == ahead {
            return target == 0;
        }
        if to == twice {
            return mv.origin().rank_of(self.side) == 1 && self.cell(ahead) == 0 && target == 0;
        }
        attacks(from, to) >> (man & MAN) & 1 != 0 && (target != 0 || to == self.en_passant)
    }

    fn is_legal(&self, mv: Move) -> bool {
        if !self.is_pseudo_legal(mv) {
            return false;
        }
        let (from, to) = (number(mv.origin()), number(mv.target()));
        if self.is_castling(mv) {
            self.is_safe_to_castle(from, to)
        } else {
            self.danger().allows(self, from, to)
        }
    }

    #[inline]
    fn captured(&self, mv: Move) -> Option<Piece> {
        let (at, cell) = self.prey(number(mv.origin()), number(mv.target()));
        (at != DUMMY).then(|| piece(cell))
    }

    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        let target = self.cell(number(mv.target()));
        self.cell(number(mv.origin())) & KIND == PAWN || self.is_own(target, !self.side)
    }

    fn make<W: Watcher<Chess>>(&mut self, mv: Move, watcher: &mut W) -> Undo {
        let (from, to) = (number(mv.origin()), number(mv.target()));
        let mover = self.cells[usize::from(from)];
        let castling = self.is_castling(mv);
        let (taken_at, taken) = self.prey(from, to);
        let undo = Undo {
            taken_at,
            taken,
            mover,
            castling,
            rooks: self.rooks,
            en_passant: self.en_passant,
            keyed: self.keyed,
            key: self.key,
        };
        if mover == 0 {
            return undo;
        }
        self.clear_en_passant();
        self.lose_rights(from, to, mover);
        if castling {
            self.castle(from, to, watcher);
        } else {
            if taken_at != DUMMY {
                self.cells[usize::from(taken_at)] = 0;
                self.lists[(!self.side).index()][place(taken)] = DUMMY;
                self.key ^= Self::word(taken, taken_at);
                watcher.lift(dense(taken_at), piece(taken));
            }
            let becomes = match mv.promoted() {
                Some(kind) => mover & !KIND | (kind as u8 + 1),
                None => mover,
            };
            self.cells[usize::from(from)] = 0;
            self.put(to, becomes);
            self.key ^= Self::word(mover, from) ^ Self::word(becomes, to);
            watcher.lift(dense(from), piece(mover));
            watcher.put(dense(to), piece(becomes));
        }
        self.side = !self.side;
        self.key ^= SIDE_WORD;
        if mover & KIND == PAWN && from.abs_diff(to) == 0x20 {
            self.set_en_passant(from.midpoint(to));
        }
        undo
    }

    fn unmake<W: Watcher<Chess>>(&mut self, mv: Move, undo: &Undo, watcher: &mut W) {
        let (from, to) = (number(mv.origin()), number(mv.target()));
        if undo.mover == 0 {
            return;
        }
        self.side = !self.side;
        if undo.castling {
            let (king_to, rook_to) = castled_to(from, to);
            let (king, rook) = (self.cells[usize::from(king_to)], self.cells[usize::from(rook_to)]);
            self.cells[usize::from(king_to)] = 0;
            self.cells[usize::from(rook_to)] = 0;
            watcher.lift(dense(rook_to), piece(rook));
            watcher.lift(dense(king_to), piece(king));
            self.put(to, rook);
            self.put(from, king);
            watcher.put(dense(to), piece(rook));
            watcher.put(dense(from), piece(king));
        } else {
            watcher.lift(dense(to), piece(self.cells[usize::from(to)]));
            self.cells[usize::from(to)] = 0;
            self.put(from, undo.mover);
            watcher.put(dense(from), piece(undo.mover));
            // Where nothing was taken this stores to the dummy square, without a test.
            self.cells[usize::from(undo.taken_at)] = undo.taken;
            if undo.taken_at != DUMMY {
                self.lists[(!self.side).index()][place(undo.taken)] = undo.taken_at;
                watcher.put(dense(undo.taken_at), piece(undo.taken));
            }
        }
        self.rooks = undo.rooks;
        self.en_passant = undo.en_passant;
        self.keyed = undo.keyed;
        self.key = undo.key;
    }

    fn make_null(&mut self) -> Undo {
        let undo = Undo {
            taken_at: DUMMY,
            taken: 0,
            mover: 0,
            castling: false,
            rooks: self.rooks,
            en_passant: self.en_passant,
            keyed: self.keyed,
            key: self.key,
        };
        self.clear_en_passant();
        self.side = !self.side;
        self.key ^= SIDE_WORD;
        undo
    }

    fn unmake_null(&mut self, undo: &Undo) {
        self.side = !self.side;
        self.en_passant = undo.en_passant;
        self.keyed = undo.keyed;
        self.key = undo.key;
    }

    fn in_check(&self) -> bool {
        self.is_attacked(self.king_of(self.side), !self.side, DUMMY)
    }

    fn ended(&self) -> bool {
        let mut any = generate::Any(false);
        self.generate(Scope::Legal, &mut any);
        !any.0
    }
}

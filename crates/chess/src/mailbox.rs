//! The board that is an array of squares, in 0x88 numbers.
//!
//! A square is `16 * rank + file`: a1 is 0, h8 is 0x77, and eight used numbers alternate with eight unused ones. So one
//! AND with 0x88 tells every step off the board, whichever edge it crosses, and the difference of two numbers tells how
//! two squares lie to each other. The board, the dummy square, the scan and the print loop are H. G. Muller's micro-Max
//! as described in the text this room goes back to; men in lists, attack by difference and make/unmake are added.

use alfil_kernel::{BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Chess;
use crate::board::{Board, CASTLING_KEYS, EN_PASSANT_KEYS, PIECE_KEYS, SIDE_KEY, SquareSet};
use crate::geometry::castling_destinations;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::setup::{Setup, SetupIssue};
use crate::square::Square;

mod board_impl;
mod generate;
#[cfg(test)]
mod tests;
mod x88;

use generate::{CountSink, GenType};
use x88::{DUMMY, OFF_BOARD_MASK, attacker_codes, from_x88, next_number, to_x88, unit_step};

/// The low four bits of a cell: 0 for empty, kinds from 1, 8 added for Black.
const KIND_MASK: u8 = 7;
const BLACK_BIT: u8 = 8;
const PIECE_MASK: u8 = 15;
const PAWN: u8 = PieceKind::Pawn as u8 + 1;
const KING: u8 = PieceKind::King as u8 + 1;

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
    piece_lists: [[u8; 16]; 2],
    /// How many places of each list were ever used.
    list_lengths: [u8; 2],
    /// The rooks that may still castle, for each side towards the a-file and towards the h-file.
    castling_rooks: [[u8; 2]; 2],
    /// The square just stepped over, if a pawn of the side to move attacks it; else the dummy.
    en_passant: u8,
    /// Whether that capture is legal, and so part of the key.
    en_passant_in_key: bool,
    side_to_move: Side,
    hash_key: u64,
}

/// What a move destroys on a mailbox.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// Where something was taken; the dummy square if nothing was.
    captured_on: u8,
    captured: u8,
    /// What moved, as it was: a pawn, where one was promoted.
    moved_cell: u8,
    is_castling: bool,
    castling_rooks: [[u8; 2]; 2],
    en_passant: u8,
    en_passant_in_key: bool,
    hash_key: u64,
}

/// The piece of a cell that is not empty.
#[inline(always)]
fn piece_of_cell(cell: u8) -> Piece {
    let side = if cell & BLACK_BIT == 0 { Side::First } else { Side::Second };
    Piece::new(side, PieceKind::ALL[usize::from((cell & KIND_MASK).saturating_sub(1)) % 6])
}

/// The low four bits of a piece's cell.
#[inline(always)]
fn cell_code(piece: Piece) -> u8 {
    piece.kind() as u8 + 1 + BLACK_BIT * piece.side() as u8
}

/// The place of a cell's man in its list.
#[inline(always)]
fn list_index(cell: u8) -> usize {
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
        if square & OFF_BOARD_MASK != 0 { 0 } else { self.cells[usize::from(square & 0x7F)] }
    }

    #[inline(always)]
    fn king_number(&self, side: Side) -> u8 {
        self.piece_lists[side.index()][0]
    }

    #[inline(always)]
    fn is_of_side(&self, cell: u8, side: Side) -> bool {
        cell != 0 && (cell & BLACK_BIT != 0) == (side == Side::Second)
    }

    /// The squares of a side's men.
    #[inline(always)]
    fn piece_numbers(&self, side: Side) -> impl Iterator<Item = u8> + '_ {
        let length = usize::from(self.list_lengths[side.index()]) & 31;
        self.piece_lists[side.index()][..length.min(16)].iter().copied().filter(|&square| square != DUMMY)
    }

    /// Whether the man on `from` attacks `to`, where the square `hollow` counts as empty. The difference of the numbers
    /// says at once whether such a man can reach so far in that direction; only a slider then walks.
    #[inline(always)]
    fn is_attacking(&self, from: u8, to: u8, hollow: u8) -> bool {
        let cell = self.cells[usize::from(from & 0x7F)];
        if attacker_codes(from, to) >> (cell & PIECE_MASK) & 1 == 0 {
            return false;
        }
        let step = unit_step(from, to);
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
        self.piece_numbers(by).any(|from| self.is_attacking(from, square, hollow))
    }

    /// Whether a capture en passant leaves the own king safe: the two pawns are taken off the board for the question.
    fn is_safe_en_passant(&self, from: u8) -> bool {
        let mut after = self.clone();
        let (to, taken) = (self.en_passant, self.en_passant ^ 0x10);
        let cell = self.cells[usize::from(taken & 0x7F)];
        after.cells[usize::from(taken)] = 0;
        after.piece_lists[(!self.side_to_move).index()][list_index(cell)] = DUMMY;
        after.cells[usize::from(to)] = after.cells[usize::from(from)];
        after.cells[usize::from(from)] = 0;
        !after.is_attacked(self.king_number(self.side_to_move), !self.side_to_move, DUMMY)
    }

    /// Whether king and rook have the squares they pass to themselves.
    fn is_castling_path_clear(&self, king: u8, rook: u8) -> bool {
        let (king_to, rook_to) = castling_destinations_x88(king, rook);
        let from = king.min(rook).min(king_to).min(rook_to);
        let to = king.max(rook).max(king_to).max(rook_to);
        (from..=to).all(|at| at == king || at == rook || self.cells[usize::from(at & 0x7F)] == 0)
    }

    /// Whether the king may castle so: not in check, over no attacked square, and safe where it ends, the rook gone from
    /// its place.
    fn is_castling_safe(&self, king: u8, rook: u8) -> bool {
        let (king_to, _) = castling_destinations_x88(king, rook);
        let path = king.min(king_to)..=king.max(king_to);
        let enemy = !self.side_to_move;
        let safe = |at| !self.is_attacked(at, enemy, king);
        // On its last square the king may have lost the rook for a shield; elsewhere the rook has not moved yet.
        path.into_iter().all(safe) && !self.is_attacked(king_to, enemy, rook)
    }

    /// Puts a man of a list on a square.
    #[inline(always)]
    fn put(&mut self, square: u8, cell: u8) {
        self.cells[usize::from(square)] = cell;
        self.piece_lists[usize::from(cell >> 3 & 1)][list_index(cell)] = square;
    }

    /// The word of a cell on a square.
    #[inline(always)]
    fn piece_key(cell: u8, square: u8) -> u64 {
        PIECE_KEYS[piece_of_cell(cell).index()][from_x88(square).index()]
    }

    /// Sets the square just stepped over, as the bitboard does, by asking the two squares beside the pawn.
    fn set_en_passant(&mut self, square: u8) {
        let own = cell_code(Piece::new(self.side_to_move, PieceKind::Pawn));
        let pawn = square ^ 0x10;
        let takers = [pawn.wrapping_sub(1), pawn.wrapping_add(1)];
        for from in takers {
            if self.cell(from) & PIECE_MASK == own {
                self.en_passant = square;
                if self.is_safe_en_passant(from) {
                    self.en_passant_in_key = true;
                    self.hash_key ^= EN_PASSANT_KEYS[from_x88(square).file()];
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if self.en_passant_in_key {
            self.hash_key ^= EN_PASSANT_KEYS[usize::from(self.en_passant & 7)];
            self.en_passant_in_key = false;
        }
        self.en_passant = DUMMY;
    }

    /// Ends the right that goes with this rook, if it has one.
    #[inline(always)]
    fn clear_castling_rook(&mut self, square: u8) {
        for rook in self.castling_rooks.iter_mut().flatten() {
            if *rook == square {
                self.hash_key ^= CASTLING_KEYS[from_x88(square).index()];
                *rook = DUMMY;
            }
        }
    }

    /// Ends the rights that a move by this man destroys: the rook that moved, the rook that was taken, both when the king
    /// moves.
    #[inline(always)]
    fn clear_castling_rights(&mut self, from: u8, to: u8, mover: u8) {
        if self.castling_rooks == [[DUMMY; 2]; 2] {
            return;
        }
        if mover & KIND_MASK == KING {
            for rook in
                self.castling_rooks[self.side_to_move.index()].into_iter().filter(|&rook| rook != DUMMY)
            {
                self.clear_castling_rook(rook);
            }
        }
        self.clear_castling_rook(from);
        self.clear_castling_rook(to);
    }

    /// Moves king and rook.
    fn castle<W: BoardObserver<Chess>>(&mut self, from: u8, to: u8, watcher: &mut W) {
        let (king_to, rook_to) = castling_destinations_x88(from, to);
        let (king, rook) = (self.cells[usize::from(from)], self.cells[usize::from(to)]);
        self.cells[usize::from(from)] = 0;
        self.cells[usize::from(to)] = 0;
        watcher.remove(from_x88(from), piece_of_cell(king));
        watcher.remove(from_x88(to), piece_of_cell(rook));
        self.put(king_to, king);
        self.put(rook_to, rook);
        watcher.put(from_x88(king_to), piece_of_cell(king));
        watcher.put(from_x88(rook_to), piece_of_cell(rook));
        self.hash_key ^= Self::piece_key(king, from) ^ Self::piece_key(king, king_to);
        self.hash_key ^= Self::piece_key(rook, to) ^ Self::piece_key(rook, rook_to);
    }

    /// What a pseudo-legal move takes, and where: an empty cell and the dummy square if nothing.
    #[inline(always)]
    fn victim(&self, from: u8, to: u8) -> (u8, u8) {
        let passing = to == self.en_passant && self.cell(from) & KIND_MASK == PAWN;
        let at = if passing { to ^ 0x10 } else { to };
        let cell = self.cell(at);
        if self.is_of_side(cell, !self.side_to_move) { (at, cell) } else { (DUMMY, 0) }
    }
}

/// Where king and rook stand after castling.
fn castling_destinations_x88(king: u8, rook: u8) -> (u8, u8) {
    let (king_to, rook_to) = castling_destinations(from_x88(king), from_x88(rook));
    (to_x88(king_to), to_x88(rook_to))
}

impl Position for Mailbox {
    type Game = Chess;
    type Undo = Undo;
    const BOARD: &'static str = "mailbox";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<SetupIssue>> {
        alfil_kernel::Setup::validate(setup, waivers)?;
        let mut board = Mailbox {
            cells: [0; DUMMY as usize + 1],
            piece_lists: [[DUMMY; 16]; 2],
            list_lengths: [0; 2],
            castling_rooks: [[DUMMY; 2]; 2],
            en_passant: DUMMY,
            en_passant_in_key: false,
            side_to_move: setup.side_to_move,
            hash_key: 0,
        };
        let kings = Side::BOTH.into_iter().filter_map(|side| setup.king_square(side));
        let others = Square::all()
            .filter(|&square| setup.piece_on(square).is_some_and(|piece| piece.kind() != PieceKind::King));
        for square in kings.chain(others) {
            if let Some(piece) = setup.piece_on(square) {
                let length = &mut board.list_lengths[piece.side().index()];
                let cell = *length << 4 | cell_code(piece);
                *length += 1;
                board.put(to_x88(square), cell);
            }
        }
        for index in setup.castling_rooks() {
            let rook = Square::from_low_bits(index);
            let side = if rook.rank() == 0 { Side::First } else { Side::Second };
            let wing = usize::from(to_x88(rook) > board.king_number(side));
            board.castling_rooks[side.index()][wing] = to_x88(rook);
        }
        if let Some(square) = setup.capturable_en_passant() {
            board.set_en_passant(to_x88(square));
        }
        board.hash_key = board.compute_hash_key();
        Ok(board)
    }

    fn to_setup(&self) -> Setup {
        let mut setup =
            Setup { side_to_move: self.side_to_move, en_passant: self.en_passant(), ..Setup::EMPTY };
        // The scan: eight steps along a rank, then over the eight unused numbers, and from h8 round to a1.
        let mut at = 0;
        loop {
            setup.board[from_x88(at).index()] = self.piece_on(from_x88(at));
            at = next_number(at);
            if at == DUMMY {
                break;
            }
        }
        for side in Side::BOTH {
            let rooks = self.castling_rooks[side.index()].into_iter().filter(|&rook| rook != DUMMY);
            setup.castling[side.index()] = rooks.fold(0, |files, rook| files | 1 << (rook & 7));
        }
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
        for at in Side::BOTH.into_iter().flat_map(|side| self.piece_numbers(side)) {
            key ^= Self::piece_key(self.cells[usize::from(at)], at);
        }
        for &rook in self.castling_rooks.iter().flatten().filter(|&&rook| rook != DUMMY) {
            key ^= CASTLING_KEYS[from_x88(rook).index()];
        }
        if self.en_passant != DUMMY {
            let own = cell_code(Piece::new(self.side_to_move, PieceKind::Pawn));
            let pawn = self.en_passant ^ 0x10;
            let takers = [pawn.wrapping_sub(1), pawn.wrapping_add(1)];
            if takers
                .into_iter()
                .any(|from| self.cell(from) & PIECE_MASK == own && self.is_safe_en_passant(from))
            {
                key ^= EN_PASSANT_KEYS[usize::from(self.en_passant & 7)];
            }
        }
        key
    }

    /// The print loop of the text: one number on; where the bit of value 8 is set a line ends, and seven more are
    /// skipped by the way. It prints rank 1 on top. Below it the men's lists.
    fn dump(&self) -> String {
        let mut text = String::new();
        let mut at = 0_u8;
        while at < DUMMY {
            if at & 8 != 0 {
                text.push('\n');
                at += 7;
            } else {
                text.push(GLYPHS[usize::from(self.cells[usize::from(at)] & PIECE_MASK)]);
            }
            at += 1;
        }
        for side in Side::BOTH {
            let men = self.piece_numbers(side).map(|at| {
                format!("{}{at:02x}", GLYPHS[usize::from(self.cells[usize::from(at)] & PIECE_MASK)])
            });
            let men = men.collect::<Vec<_>>().join(" ");
            text += &format!("{}: {men}\n", crate::piece::side_name(side).to_ascii_lowercase());
        }
        let named = |square: u8| if square == DUMMY { "-".to_owned() } else { format!("{square:02x}") };
        let rooks =
            self.castling_rooks.iter().flatten().map(|&rook| named(rook)).collect::<Vec<_>>().join(" ");
        text + &format!("rooks: {rooks}\nen passant: {}\n", named(self.en_passant))
    }

    #[inline]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        let cell = self.cells[usize::from(to_x88(square) & 0x7F)];
        (cell != 0).then(|| piece_of_cell(cell))
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

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to) = (to_x88(mv.origin()), to_x88(mv.target()));
        let (man, target) = (self.cell(from), self.cell(to));
        if !self.is_of_side(man, self.side_to_move) {
            return false;
        }
        let pawn = man & KIND_MASK == PAWN;
        if (pawn && mv.target().relative_rank(self.side_to_move) == 7) != mv.promotion_kind().is_some() {
            return false;
        }
        if self.is_castling(mv) {
            return self.is_castling_path_clear(from, to);
        }
        if self.is_of_side(target, self.side_to_move) || target & KIND_MASK == KING {
            return false;
        }
        if !pawn {
            return self.is_attacking(from, to, DUMMY);
        }
        let ahead = from.wrapping_add(forward(self.side_to_move));
        let twice = ahead.wrapping_add(forward(self.side_to_move));
        if to == ahead {
            return target == 0;
        }
        if to == twice {
            return mv.origin().relative_rank(self.side_to_move) == 1 && self.cell(ahead) == 0 && target == 0;
        }
        attacker_codes(from, to) >> (man & PIECE_MASK) & 1 != 0 && (target != 0 || to == self.en_passant)
    }

    fn is_legal(&self, mv: Move) -> bool {
        if !self.is_pseudo_legal(mv) {
            return false;
        }
        let (from, to) = (to_x88(mv.origin()), to_x88(mv.target()));
        if self.is_castling(mv) {
            self.is_castling_safe(from, to)
        } else {
            self.check_info().is_legal(self, from, to)
        }
    }

    #[inline]
    fn captured_piece(&self, mv: Move) -> Option<Piece> {
        let (at, cell) = self.victim(to_x88(mv.origin()), to_x88(mv.target()));
        (at != DUMMY).then(|| piece_of_cell(cell))
    }

    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        let target = self.cell(to_x88(mv.target()));
        self.cell(to_x88(mv.origin())) & KIND_MASK == PAWN || self.is_of_side(target, !self.side_to_move)
    }

    fn make<W: BoardObserver<Chess>>(&mut self, mv: Move, watcher: &mut W) -> Undo {
        let (from, to) = (to_x88(mv.origin()), to_x88(mv.target()));
        let mover = self.cells[usize::from(from)];
        let castling = self.is_castling(mv);
        let (taken_at, taken) = self.victim(from, to);
        let undo = Undo {
            captured_on: taken_at,
            captured: taken,
            moved_cell: mover,
            is_castling: castling,
            castling_rooks: self.castling_rooks,
            en_passant: self.en_passant,
            en_passant_in_key: self.en_passant_in_key,
            hash_key: self.hash_key,
        };
        if mover == 0 {
            return undo;
        }
        self.clear_en_passant();
        self.clear_castling_rights(from, to, mover);
        if castling {
            self.castle(from, to, watcher);
        } else {
            if taken_at != DUMMY {
                self.cells[usize::from(taken_at)] = 0;
                self.piece_lists[(!self.side_to_move).index()][list_index(taken)] = DUMMY;
                self.hash_key ^= Self::piece_key(taken, taken_at);
                watcher.remove(from_x88(taken_at), piece_of_cell(taken));
            }
            let becomes = match mv.promotion_kind() {
                Some(kind) => mover & !KIND_MASK | (kind as u8 + 1),
                None => mover,
            };
            self.cells[usize::from(from)] = 0;
            self.put(to, becomes);
            self.hash_key ^= Self::piece_key(mover, from) ^ Self::piece_key(becomes, to);
            watcher.remove(from_x88(from), piece_of_cell(mover));
            watcher.put(from_x88(to), piece_of_cell(becomes));
        }
        self.side_to_move = !self.side_to_move;
        self.hash_key ^= SIDE_KEY;
        if mover & KIND_MASK == PAWN && from.abs_diff(to) == 0x20 {
            self.set_en_passant(from.midpoint(to));
        }
        undo
    }

    fn unmake<W: BoardObserver<Chess>>(&mut self, mv: Move, undo: &Undo, watcher: &mut W) {
        let (from, to) = (to_x88(mv.origin()), to_x88(mv.target()));
        if undo.moved_cell == 0 {
            return;
        }
        self.side_to_move = !self.side_to_move;
        if undo.is_castling {
            let (king_to, rook_to) = castling_destinations_x88(from, to);
            let (king, rook) = (self.cells[usize::from(king_to)], self.cells[usize::from(rook_to)]);
            self.cells[usize::from(king_to)] = 0;
            self.cells[usize::from(rook_to)] = 0;
            watcher.remove(from_x88(rook_to), piece_of_cell(rook));
            watcher.remove(from_x88(king_to), piece_of_cell(king));
            self.put(to, rook);
            self.put(from, king);
            watcher.put(from_x88(to), piece_of_cell(rook));
            watcher.put(from_x88(from), piece_of_cell(king));
        } else {
            watcher.remove(from_x88(to), piece_of_cell(self.cells[usize::from(to)]));
            self.cells[usize::from(to)] = 0;
            self.put(from, undo.moved_cell);
            watcher.put(from_x88(from), piece_of_cell(undo.moved_cell));
            // Where nothing was taken this stores to the dummy square, without a test.
            self.cells[usize::from(undo.captured_on)] = undo.captured;
            if undo.captured_on != DUMMY {
                self.piece_lists[(!self.side_to_move).index()][list_index(undo.captured)] = undo.captured_on;
                watcher.put(from_x88(undo.captured_on), piece_of_cell(undo.captured));
            }
        }
        self.castling_rooks = undo.castling_rooks;
        self.en_passant = undo.en_passant;
        self.en_passant_in_key = undo.en_passant_in_key;
        self.hash_key = undo.hash_key;
    }

    fn make_null(&mut self) -> Undo {
        let undo = Undo {
            captured_on: DUMMY,
            captured: 0,
            moved_cell: 0,
            is_castling: false,
            castling_rooks: self.castling_rooks,
            en_passant: self.en_passant,
            en_passant_in_key: self.en_passant_in_key,
            hash_key: self.hash_key,
        };
        self.clear_en_passant();
        self.side_to_move = !self.side_to_move;
        self.hash_key ^= SIDE_KEY;
        undo
    }

    fn unmake_null(&mut self, undo: &Undo) {
        self.side_to_move = !self.side_to_move;
        self.en_passant = undo.en_passant;
        self.en_passant_in_key = undo.en_passant_in_key;
        self.hash_key = undo.hash_key;
    }

    fn in_check(&self) -> bool {
        self.is_attacked(self.king_number(self.side_to_move), !self.side_to_move, DUMMY)
    }

    fn has_no_legal_move(&self) -> bool {
        let mut any = generate::AnySink(false);
        self.generate(GenType::Legal, &mut any);
        !any.0
    }
}

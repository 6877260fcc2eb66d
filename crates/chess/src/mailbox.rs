//! The mailbox: an array of squares in 0x88 numbering.
//!
//! The number of a square is `16 * rank + file`: a1 is 0, h8 is 0x77, and eight used numbers alternate with eight
//! unused ones. A single AND with 0x88 detects every step off the board, and the difference of two numbers determines
//! the relation of the two squares. The board, the dummy square, the board scan and the print loop follow H. G.
//! Muller's micro-Max; piece lists, attacks by difference and make/unmake are additions.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use alfil_kernel::{BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Chess;
use crate::board::{Board, CASTLING_KEYS, EN_PASSANT_KEYS, GenType, PIECE_KEYS, SIDE_KEY};
use crate::geometry::castling_destinations;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::setup::{Setup, SetupIssue};
use crate::square::{Square, SquareSet};

mod generate;
#[cfg(test)]
mod tests;
mod x88;

use generate::CountSink;
use x88::{DUMMY, OFF_BOARD_MASK, attacker_codes, from_x88, next_number, to_x88, unit_step};

// The low four bits of a cell are its piece code: 0 for empty, else the kind from 1 on, plus 8 for Black.
const KIND_MASK: u8 = 7;
const BLACK_BIT: u8 = 8;
const PIECE_MASK: u8 = 15;
const PAWN: u8 = PieceKind::Pawn as u8 + 1;
const KING: u8 = PieceKind::King as u8 + 1;

/// The letter of each piece code.
const GLYPHS: [char; 16] = ['.', 'P', 'N', 'B', 'R', 'Q', 'K', '?', '?', 'p', 'n', 'b', 'r', 'q', 'k', '?'];

/// A position as an array of cells in 0x88 numbering, with a piece list for each side.
///
/// A cell holds the piece code in its low four bits and the index of the piece in the list of its side above them; the
/// list holds the square. The entry of a captured piece is the dummy square.
#[derive(Clone, Debug)]
pub struct Mailbox {
    /// The cells. The one beyond h8 is the dummy square, so that a store to "no square" needs no test.
    cells: [u8; DUMMY as usize + 1],
    /// The squares of the pieces of each side, the king first.
    piece_lists: [[u8; 16]; 2],
    /// The length of each list, captured pieces included.
    list_lengths: [u8; 2],
    /// The rooks of each side that may still castle, queenside and kingside; else the dummy square.
    castling_rooks: [[u8; 2]; 2],
    /// The square that a pawn has just passed, if a pawn of the side to move attacks it; else the dummy square.
    en_passant: u8,
    /// Whether a capture on the en passant square is legal, so that the hash key contains its file.
    en_passant_in_key: bool,
    side_to_move: Side,
    hash_key: u64,
}

/// The state of a mailbox that a move destroys.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// The square of the captured piece; the dummy square if there is none.
    captured_on: u8,
    captured: u8,
    /// The cell of the moved piece before the move: a pawn in case of a promotion.
    moved_cell: u8,
    is_castling: bool,
    castling_rooks: [[u8; 2]; 2],
    en_passant: u8,
    en_passant_in_key: bool,
    hash_key: u64,
}

/// Returns the piece of a non-empty cell.
#[inline(always)]
fn piece_of_cell(cell: u8) -> Piece {
    let side = if cell & BLACK_BIT == 0 { Side::First } else { Side::Second };
    Piece::new(side, PieceKind::ALL[usize::from((cell & KIND_MASK).saturating_sub(1)) % 6])
}

/// Returns the piece code of a piece.
#[inline(always)]
fn cell_code(piece: Piece) -> u8 {
    piece.kind() as u8 + 1 + BLACK_BIT * piece.side() as u8
}

/// Returns the index in the piece list that a cell refers to.
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
        // All arguments are at most the dummy square; the mask avoids a bounds check.
        if square & OFF_BOARD_MASK != 0 { 0 } else { self.cells[usize::from(square & 0x7F)] }
    }

    #[inline(always)]
    fn king_x88(&self, side: Side) -> u8 {
        self.piece_lists[side.index()][0]
    }

    #[inline(always)]
    fn is_of_side(&self, cell: u8, side: Side) -> bool {
        cell != 0 && (cell & BLACK_BIT != 0) == (side == Side::Second)
    }

    /// Iterates over the squares of the pieces of a side.
    #[inline(always)]
    fn pieces_x88(&self, side: Side) -> impl Iterator<Item = u8> + '_ {
        let length = usize::from(self.list_lengths[side.index()]) & 31;
        self.piece_lists[side.index()][..length.min(16)].iter().copied().filter(|&square| square != DUMMY)
    }

    /// Returns whether the piece on `from` attacks `to`, with the square `ignored` treated as empty. The difference of
    /// the numbers excludes most pieces at once; only for sliders the squares between are tested.
    #[inline(always)]
    fn is_attacking(&self, from: u8, to: u8, ignored: u8) -> bool {
        let cell = self.cells[usize::from(from & 0x7F)];
        if attacker_codes(from, to) >> (cell & PIECE_MASK) & 1 == 0 {
            return false;
        }
        let step = unit_step(from, to);
        // The unit step is 0 for a knight's jump, which has no squares between.
        let mut at = from.wrapping_add(step);
        while step != 0 && at != to {
            if self.cells[usize::from(at & 0x7F)] != 0 && at != ignored {
                return false;
            }
            at = at.wrapping_add(step);
        }
        true
    }

    /// Returns whether a piece of `by` attacks the square, with the square `ignored` treated as empty.
    fn is_attacked(&self, square: u8, by: Side, ignored: u8) -> bool {
        self.pieces_x88(by).any(|from| self.is_attacking(from, square, ignored))
    }

    /// Returns whether an en passant capture by the pawn on `from` is legal, by testing the position after it.
    fn is_safe_en_passant(&self, from: u8) -> bool {
        let mut after = self.clone();
        let (to, captured_on) = (self.en_passant, self.en_passant ^ 0x10);
        let cell = self.cells[usize::from(captured_on & 0x7F)];
        after.cells[usize::from(captured_on)] = 0;
        after.piece_lists[(!self.side_to_move).index()][list_index(cell)] = DUMMY;
        after.cells[usize::from(to)] = after.cells[usize::from(from)];
        after.cells[usize::from(from)] = 0;
        !after.is_attacked(self.king_x88(self.side_to_move), !self.side_to_move, DUMMY)
    }

    /// Returns whether the squares that king and rook pass are empty except for these two.
    fn is_castling_path_clear(&self, king: u8, rook: u8) -> bool {
        let (king_to, rook_to) = castling_destinations_x88(king, rook);
        let from = king.min(rook).min(king_to).min(rook_to);
        let to = king.max(rook).max(king_to).max(rook_to);
        (from..=to).all(|at| at == king || at == rook || self.cells[usize::from(at & 0x7F)] == 0)
    }

    /// Returns whether the king may castle: it is not in check, passes no attacked square and is safe on its
    /// destination once the rook has moved.
    fn is_castling_safe(&self, king: u8, rook: u8) -> bool {
        let (king_to, _) = castling_destinations_x88(king, rook);
        let path = king.min(king_to)..=king.max(king_to);
        let enemy = !self.side_to_move;
        let is_safe = |at| !self.is_attacked(at, enemy, king);
        // On its destination the king is no longer shielded by the rook's former square.
        path.into_iter().all(is_safe) && !self.is_attacked(king_to, enemy, rook)
    }

    /// Stores a cell on a square and the square in the piece list.
    #[inline(always)]
    fn put(&mut self, square: u8, cell: u8) {
        self.cells[usize::from(square)] = cell;
        self.piece_lists[usize::from(cell >> 3 & 1)][list_index(cell)] = square;
    }

    /// Returns the random key of a cell on a square.
    #[inline(always)]
    fn piece_key(cell: u8, square: u8) -> u64 {
        PIECE_KEYS[piece_of_cell(cell).index()][from_x88(square).index()]
    }

    /// Sets the en passant square if a pawn of the side to move attacks it, and adds its file to the hash key if a
    /// capture is legal. `side_to_move` must be updated before.
    fn set_en_passant(&mut self, square: u8) {
        let own_pawn = cell_code(Piece::new(self.side_to_move, PieceKind::Pawn));
        let pawn = square ^ 0x10;
        for from in [pawn.wrapping_sub(1), pawn.wrapping_add(1)] {
            if self.cell(from) & PIECE_MASK == own_pawn {
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

    /// Ends the castling right of the rook on this square, if it has one.
    #[inline(always)]
    fn clear_castling_rook(&mut self, square: u8) {
        for rook in self.castling_rooks.iter_mut().flatten() {
            if *rook == square {
                self.hash_key ^= CASTLING_KEYS[from_x88(square).index()];
                *rook = DUMMY;
            }
        }
    }

    /// Ends the castling rights that a move destroys: of a rook that moves, of a captured rook, and both if the king
    /// moves.
    #[inline(always)]
    fn clear_castling_rights(&mut self, from: u8, to: u8, moved_cell: u8) {
        if self.castling_rooks == [[DUMMY; 2]; 2] {
            return;
        }
        if moved_cell & KIND_MASK == KING {
            for rook in
                self.castling_rooks[self.side_to_move.index()].into_iter().filter(|&rook| rook != DUMMY)
            {
                self.clear_castling_rook(rook);
            }
        }
        self.clear_castling_rook(from);
        self.clear_castling_rook(to);
    }

    /// Moves king and rook of a castling move and notifies the observer.
    fn castle<W: BoardObserver<Chess>>(&mut self, from: u8, to: u8, observer: &mut W) {
        let (king_to, rook_to) = castling_destinations_x88(from, to);
        let (king, rook) = (self.cells[usize::from(from)], self.cells[usize::from(to)]);
        self.cells[usize::from(from)] = 0;
        self.cells[usize::from(to)] = 0;
        observer.remove(from_x88(from), piece_of_cell(king));
        observer.remove(from_x88(to), piece_of_cell(rook));
        self.put(king_to, king);
        self.put(rook_to, rook);
        observer.put(from_x88(king_to), piece_of_cell(king));
        observer.put(from_x88(rook_to), piece_of_cell(rook));
        self.hash_key ^= Self::piece_key(king, from) ^ Self::piece_key(king, king_to);
        self.hash_key ^= Self::piece_key(rook, to) ^ Self::piece_key(rook, rook_to);
    }

    /// Returns the square and cell of the piece that a pseudo-legal move captures: the dummy square and 0 if there is
    /// none.
    #[inline(always)]
    fn victim(&self, from: u8, to: u8) -> (u8, u8) {
        let is_en_passant = to == self.en_passant && self.cell(from) & KIND_MASK == PAWN;
        let at = if is_en_passant { to ^ 0x10 } else { to };
        let cell = self.cell(at);
        if self.is_of_side(cell, !self.side_to_move) { (at, cell) } else { (DUMMY, 0) }
    }
}

/// Returns the squares of king and rook after castling.
fn castling_destinations_x88(king: u8, rook: u8) -> (u8, u8) {
    let (king_to, rook_to) = castling_destinations(from_x88(king), from_x88(rook));
    (to_x88(king_to), to_x88(rook_to))
}

alfil_kernel::impl_position_text!(Mailbox);

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
        for rook in setup.castling_rooks() {
            let side = if rook.rank() == 0 { Side::First } else { Side::Second };
            let is_kingside = usize::from(to_x88(rook) > board.king_x88(side));
            board.castling_rooks[side.index()][is_kingside] = to_x88(rook);
        }
        if let Some(square) = setup.capturable_en_passant() {
            board.set_en_passant(to_x88(square));
        }
        board.hash_key = board.compute_hash_key();
        Ok(board)
    }

    fn to_setup(&self) -> Setup {
        // The text of a position names the square only if a capture there is legal.
        let en_passant = self.en_passant().filter(|_| self.en_passant_in_key);
        let mut setup = Setup { side_to_move: self.side_to_move, en_passant, ..Setup::EMPTY };
        // The board scan: along each rank, over the eight unused numbers to the next one, and after h8 to the dummy
        // square.
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
        for at in Side::BOTH.into_iter().flat_map(|side| self.pieces_x88(side)) {
            key ^= Self::piece_key(self.cells[usize::from(at)], at);
        }
        for &rook in self.castling_rooks.iter().flatten().filter(|&&rook| rook != DUMMY) {
            key ^= CASTLING_KEYS[from_x88(rook).index()];
        }
        if self.en_passant != DUMMY {
            let own_pawn = cell_code(Piece::new(self.side_to_move, PieceKind::Pawn));
            let pawn = self.en_passant ^ 0x10;
            if [pawn.wrapping_sub(1), pawn.wrapping_add(1)]
                .into_iter()
                .any(|from| self.cell(from) & PIECE_MASK == own_pawn && self.is_safe_en_passant(from))
            {
                key ^= EN_PASSANT_KEYS[usize::from(self.en_passant & 7)];
            }
        }
        key
    }

    /// Prints the board with rank 1 on top, by the print loop of micro-Max: a number with bit 3 set ends a line and
    /// skips the unused numbers. The piece lists, castling rooks and en passant square follow.
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
            let pieces = self.pieces_x88(side).map(|at| {
                format!("{}{at:02x}", GLYPHS[usize::from(self.cells[usize::from(at)] & PIECE_MASK)])
            });
            let pieces = pieces.collect::<Vec<_>>().join(" ");
            text += &format!("{}: {pieces}\n", crate::piece::side_name(side).to_ascii_lowercase());
        }
        let hex = |square: u8| if square == DUMMY { "-".to_owned() } else { format!("{square:02x}") };
        let rooks = self.castling_rooks.iter().flatten().map(|&rook| hex(rook)).collect::<Vec<_>>().join(" ");
        text + &format!("rooks: {rooks}\nen passant: {}\n", hex(self.en_passant))
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
        let (cell, target) = (self.cell(from), self.cell(to));
        if !self.is_of_side(cell, self.side_to_move) {
            return false;
        }
        let is_pawn = cell & KIND_MASK == PAWN;
        if (is_pawn && mv.target().relative_rank(self.side_to_move) == 7) != mv.promotion_kind().is_some() {
            return false;
        }
        if self.is_castling(mv) {
            return self.is_castling_path_clear(from, to);
        }
        if self.is_of_side(target, self.side_to_move) || target & KIND_MASK == KING {
            return false;
        }
        if !is_pawn {
            return self.is_attacking(from, to, DUMMY);
        }
        let single = from.wrapping_add(forward(self.side_to_move));
        let double = single.wrapping_add(forward(self.side_to_move));
        if to == single {
            return target == 0;
        }
        if to == double {
            return mv.origin().relative_rank(self.side_to_move) == 1
                && self.cell(single) == 0
                && target == 0;
        }
        attacker_codes(from, to) >> (cell & PIECE_MASK) & 1 != 0 && (target != 0 || to == self.en_passant)
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

    fn make<W: BoardObserver<Chess>>(&mut self, mv: Move, observer: &mut W) -> Undo {
        let (from, to) = (to_x88(mv.origin()), to_x88(mv.target()));
        let moved_cell = self.cells[usize::from(from)];
        let is_castling = self.is_castling(mv);
        let (captured_on, captured) = self.victim(from, to);
        let undo = Undo {
            captured_on,
            captured,
            moved_cell,
            is_castling,
            castling_rooks: self.castling_rooks,
            en_passant: self.en_passant,
            en_passant_in_key: self.en_passant_in_key,
            hash_key: self.hash_key,
        };
        if moved_cell == 0 {
            return undo;
        }
        self.clear_en_passant();
        self.clear_castling_rights(from, to, moved_cell);
        if is_castling {
            self.castle(from, to, observer);
        } else {
            if captured_on != DUMMY {
                self.cells[usize::from(captured_on)] = 0;
                self.piece_lists[(!self.side_to_move).index()][list_index(captured)] = DUMMY;
                self.hash_key ^= Self::piece_key(captured, captured_on);
                observer.remove(from_x88(captured_on), piece_of_cell(captured));
            }
            let placed_cell = match mv.promotion_kind() {
                Some(kind) => moved_cell & !KIND_MASK | (kind as u8 + 1),
                None => moved_cell,
            };
            self.cells[usize::from(from)] = 0;
            self.put(to, placed_cell);
            self.hash_key ^= Self::piece_key(moved_cell, from) ^ Self::piece_key(placed_cell, to);
            observer.remove(from_x88(from), piece_of_cell(moved_cell));
            observer.put(from_x88(to), piece_of_cell(placed_cell));
        }
        self.side_to_move = !self.side_to_move;
        self.hash_key ^= SIDE_KEY;
        if moved_cell & KIND_MASK == PAWN && from.abs_diff(to) == 0x20 {
            self.set_en_passant(from.midpoint(to));
        }
        undo
    }

    fn unmake<W: BoardObserver<Chess>>(&mut self, mv: Move, undo: &Undo, observer: &mut W) {
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
            observer.remove(from_x88(rook_to), piece_of_cell(rook));
            observer.remove(from_x88(king_to), piece_of_cell(king));
            self.put(to, rook);
            self.put(from, king);
            observer.put(from_x88(to), piece_of_cell(rook));
            observer.put(from_x88(from), piece_of_cell(king));
        } else {
            observer.remove(from_x88(to), piece_of_cell(self.cells[usize::from(to)]));
            self.cells[usize::from(to)] = 0;
            self.put(from, undo.moved_cell);
            observer.put(from_x88(from), piece_of_cell(undo.moved_cell));
            // Without a capture this stores to the dummy square, which needs no test.
            self.cells[usize::from(undo.captured_on)] = undo.captured;
            if undo.captured_on != DUMMY {
                self.piece_lists[(!self.side_to_move).index()][list_index(undo.captured)] = undo.captured_on;
                observer.put(from_x88(undo.captured_on), piece_of_cell(undo.captured));
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
        self.is_attacked(self.king_x88(self.side_to_move), !self.side_to_move, DUMMY)
    }

    fn has_no_legal_move(&self) -> bool {
        !self.has_legal_move()
    }
}

impl Board for Mailbox {
    fn pieces(&self, piece: Piece) -> SquareSet {
        let is_piece = |&at: &u8| self.cell(at) & PIECE_MASK == cell_code(piece);
        let numbers = self.pieces_x88(piece.side()).filter(is_piece);
        SquareSet::from_squares(numbers.map(from_x88))
    }

    fn occupied_by(&self, side: Side) -> SquareSet {
        SquareSet::from_squares(self.pieces_x88(side).map(from_x88))
    }

    fn king_square(&self, side: Side) -> Square {
        from_x88(self.king_x88(side))
    }

    fn castling_rooks(&self) -> SquareSet {
        let rooks = self.castling_rooks.iter().flatten().filter(|&&rook| rook != DUMMY);
        SquareSet::from_squares(rooks.map(|&rook| from_x88(rook)))
    }

    fn en_passant(&self) -> Option<Square> {
        (self.en_passant != DUMMY).then(|| from_x88(self.en_passant))
    }

    /// Tests each piece by difference, independently of the attack tables of the default implementation.
    fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let to = to_x88(square);
        let attackers = self.pieces_x88(by).filter(|&from| from != to && self.is_attacking(from, to, DUMMY));
        SquareSet::from_squares(attackers.map(from_x88))
    }

    #[inline]
    fn is_castling(&self, mv: Move) -> bool {
        let (from, to) = (to_x88(mv.origin()), to_x88(mv.target()));
        from == self.king_x88(self.side_to_move)
            && self.castling_rooks[self.side_to_move.index()].contains(&to)
    }
}

//! The reference generator by offsets, after the first form of ElephantEye and XQWLight: each piece tries its steps one
//! by one, and every target is tested for being on the board. Tests hold it equal to [`Mailbox`]'s generator, and
//! benches compare the two.

use alfil_kernel::{Position as _, Side};

use super::tables::{
    ADVISOR_STEPS, FILE_ENDS, IS_IN_PALACE, IS_ON_BOARD, KING_STEPS, RANK_ENDS, is_in_red_half,
};
use super::{
    FIRST_NUMBER, KIND_SLOTS, Mailbox, PIECES_PER_SIDE, SLOT_KINDS, Undo, cell_of_square, column,
    move_between, row,
};
use crate::board::SIDE_KEY;
use crate::moves::Move;
use crate::piece::PieceKind;

/// The two jumps over each leg, in the order of [`KING_STEPS`].
const JUMPS: [[i16; 2]; 4] = [[-0x21, -0x1F], [-0x12, 0x0E], [-0x0E, 0x12], [0x1F, 0x21]];

/// Returns the cell that a step leads to, or 0 off the board.
fn after_step(cell: u8, step: i16) -> u8 {
    let target = (i16::from(cell) + step) as u8;
    if IS_ON_BOARD[target as usize] { target } else { 0 }
}

/// Generates the pseudo-legal moves by offsets and rays: [`alfil_kernel::Position::generate_pseudo_legal`].
pub fn generate_pseudo_legal(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_piece(board, board.side_to_move, |kind, cell| {
        for_each_target::<true>(board, board.side_to_move, kind, cell, &mut |target| {
            if board.is_valid_target(target, board.side_to_move) {
                sink(move_between(cell, target));
            }
        });
    });
}

/// Generates the pseudo-legal captures by offsets and rays.
pub fn generate_captures(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_piece(board, board.side_to_move, |kind, cell| {
        generate_captures_of(board, kind, cell, &mut sink)
    });
}

/// Generates the pseudo-legal captures by rooks and cannons only, by rays: [`Mailbox::generate_line_captures`].
pub fn generate_line_captures(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_piece(board, board.side_to_move, |kind, cell| {
        if matches!(kind, PieceKind::Rook | PieceKind::Cannon) {
            generate_captures_of(board, kind, cell, &mut sink);
        }
    });
}

/// Generates the pseudo-legal moves of all pieces but rooks and cannons, by offsets:
/// [`Mailbox::generate_leaper_moves`].
pub fn generate_leaper_moves(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_piece(board, board.side_to_move, |kind, cell| {
        if !matches!(kind, PieceKind::Rook | PieceKind::Cannon) {
            for_each_leaper_target(board, board.side_to_move, kind, cell, &mut |target| {
                if board.is_valid_target(target, board.side_to_move) {
                    sink(move_between(cell, target));
                }
            });
        }
    });
}

/// Returns whether the side to move is in check, by generating all replies: does an enemy piece reach the king?
pub fn in_check(board: &Mailbox) -> bool {
    let (enemy, king_cell) = (!board.side_to_move, board.king_cell(board.side_to_move));
    let mut found = false;
    for_each_piece(board, enemy, |kind, cell| match kind {
        // A king attacks the other along the file, as a rook.
        PieceKind::King => {
            let file = cell & 15 == king_cell & 15;
            for_each_ray_target::<false>(board, PieceKind::Rook, cell, &mut |target| {
                found |= file && target == king_cell
            });
        }
        // A waived setup can put these near the other king; they never give check.
        PieceKind::Advisor | PieceKind::Elephant => {}
        _ => for_each_target::<true>(board, enemy, kind, cell, &mut |target| found |= target == king_cell),
    });
    found
}

/// The steps from the king to the leg of an attacking horse and to the two squares of the horse.
const CHECKING_HORSES: [(i16, [i16; 2]); 4] =
    [(-0x11, [-0x21, -0x12]), (-0x0F, [-0x1F, -0x0E]), (0x0F, [0x0E, 0x1F]), (0x11, [0x12, 0x21])];

/// Returns whether the side to move is in check, as XQWLight tests it: outward from the king as a rook, a cannon, a
/// horse and a soldier. [`Mailbox`] tests the few enemy pieces of its list instead.
pub fn in_check_from_king(board: &Mailbox) -> bool {
    let (enemy, king_cell) = (!board.side_to_move, board.king_cell(board.side_to_move));
    let is_enemy = |cell: u8, kind: PieceKind| {
        let (slot, count) = KIND_SLOTS[kind as usize];
        board.number_on[cell as usize].wrapping_sub(FIRST_NUMBER[enemy.index()] + slot) < count
    };
    let file = &FILE_ENDS[row(king_cell) - 3][board.file_words[column(king_cell)] as usize];
    let rank = &RANK_ENDS[column(king_cell) - 3][board.rank_words[row(king_cell)] as usize];
    let ahead = if board.side_to_move == Side::First { -0x10 } else { 0x10 };
    // A bare column or row number is a cell of the margin, which is always empty.
    [(file, king_cell & 0x0F), (rank, king_cell & 0xF0)].into_iter().any(|(ends, base)| {
        let rook = |end| is_enemy(base + end, PieceKind::Rook) || is_enemy(base + end, PieceKind::King);
        ends.rook.into_iter().any(rook)
            || ends.cannon.into_iter().any(|end| is_enemy(base + end, PieceKind::Cannon))
    }) || CHECKING_HORSES.into_iter().any(|(leg, horses)| {
        let cell = |step| (i16::from(king_cell) + step) as u8;
        board.number_on[cell(leg) as usize] == 0
            && horses.into_iter().any(|step| is_enemy(cell(step), PieceKind::Horse))
    }) || [ahead, -1, 1]
        .into_iter()
        .any(|step| is_enemy((i16::from(king_cell) + step) as u8, PieceKind::Soldier))
}

/// Makes a pseudo-legal move as ElephantEye does. If the own king is then attacked, unmakes it and returns `None`.
/// Otherwise returns the undo record and whether the move gives check, by the same test for the other side.
pub fn try_make(board: &mut Mailbox, mv: Move) -> Option<(Undo, bool)> {
    let (origin, target) = (cell_of_square(mv.origin()), cell_of_square(mv.target()));
    let undo = Undo { hash_key: board.hash_key, captured: board.move_piece(origin, target, &mut ()) };
    let is_legal = !board.is_king_attacked();
    board.side_to_move = !board.side_to_move;
    board.hash_key ^= SIDE_KEY;
    if !is_legal {
        board.unmake(mv, &undo, &mut ());
        return None;
    }
    Some((undo, board.is_king_attacked()))
}

fn for_each_piece(board: &Mailbox, side: Side, mut visit: impl FnMut(PieceKind, u8)) {
    for slot in 0..PIECES_PER_SIDE {
        let cell = board.cell_of[(FIRST_NUMBER[side.index()] + slot) as usize];
        if cell != 0 {
            visit(SLOT_KINDS[slot as usize], cell);
        }
    }
}

fn generate_captures_of(board: &Mailbox, kind: PieceKind, cell: u8, sink: &mut impl FnMut(Move)) {
    for_each_target::<false>(board, board.side_to_move, kind, cell, &mut |target| {
        if board.is_victim(target, board.side_to_move) {
            sink(move_between(cell, target));
        }
    });
}

/// Calls `sink` with every cell that a piece reaches, whatever is there; with the empty ones along lines only if
/// `QUIETS`.
pub(super) fn for_each_target<const QUIETS: bool>(
    board: &Mailbox,
    side: Side,
    kind: PieceKind,
    cell: u8,
    sink: &mut impl FnMut(u8),
) {
    if matches!(kind, PieceKind::Rook | PieceKind::Cannon) {
        for_each_ray_target::<QUIETS>(board, kind, cell, sink);
    } else {
        for_each_leaper_target(board, side, kind, cell, sink);
    }
}

fn for_each_leaper_target(board: &Mailbox, side: Side, kind: PieceKind, cell: u8, sink: &mut impl FnMut(u8)) {
    match kind {
        PieceKind::King => for_each_palace_target(KING_STEPS, cell, sink),
        PieceKind::Advisor => for_each_palace_target(ADVISOR_STEPS, cell, sink),
        PieceKind::Elephant => {
            for step in ADVISOR_STEPS {
                let (eye, target) = (after_step(cell, step), after_step(cell, 2 * step));
                if target != 0
                    && board.number_on[eye as usize] == 0
                    && is_in_red_half(target) == is_in_red_half(cell)
                {
                    sink(target);
                }
            }
        }
        PieceKind::Horse => {
            for (leg, jumps) in KING_STEPS.iter().zip(JUMPS) {
                let leg = after_step(cell, *leg);
                if leg != 0 && board.number_on[leg as usize] == 0 {
                    jumps.iter().for_each(|&step| sink_on_board(after_step(cell, step), sink));
                }
            }
        }
        PieceKind::Soldier => {
            let ahead = if side == Side::First { -0x10 } else { 0x10 };
            sink_on_board(after_step(cell, ahead), sink);
            if is_in_red_half(cell) != (side == Side::First) {
                sink_on_board(after_step(cell, -1), sink);
                sink_on_board(after_step(cell, 1), sink);
            }
        }
        PieceKind::Rook | PieceKind::Cannon => {}
    }
}

fn sink_on_board(target: u8, sink: &mut impl FnMut(u8)) {
    if target != 0 {
        sink(target);
    }
}

fn for_each_palace_target(steps: [i16; 4], cell: u8, sink: &mut impl FnMut(u8)) {
    for step in steps {
        let target = (i16::from(cell) + step) as u8;
        if IS_IN_PALACE[target as usize] {
            sink(target);
        }
    }
}

fn for_each_ray_target<const QUIETS: bool>(
    board: &Mailbox,
    kind: PieceKind,
    cell: u8,
    sink: &mut impl FnMut(u8),
) {
    for step in KING_STEPS {
        let mut target = after_step(cell, step);
        while target != 0 && board.number_on[target as usize] == 0 {
            if QUIETS {
                sink(target);
            }
            target = after_step(target, step);
        }
        if kind == PieceKind::Cannon && target != 0 {
            target = after_step(target, step);
            while target != 0 && board.number_on[target as usize] == 0 {
                target = after_step(target, step);
            }
        }
        sink_on_board(target, sink);
    }
}

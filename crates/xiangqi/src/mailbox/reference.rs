//! The offset generator: the reference beside the pre-generated lists, after ElephantEye's and XQWLight's first form. A man
//! tries its steps one by one, and every target is asked whether it lies on the board. Tests hold it equal to the
//! generator that plays; benches weigh the two.

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

/// The jumps behind each leg: leg first, then both jumps at once.
const JUMPS: [[i16; 2]; 4] = [[-0x21, -0x1F], [-0x12, 0x0E], [-0x0E, 0x12], [0x1F, 0x21]];

/// A place, or 0 where the step leaves the board.
fn step(place: u8, by: i16) -> u8 {
    let target = (i16::from(place) + by) as u8;
    if IS_ON_BOARD[target as usize] { target } else { 0 }
}

/// The pseudo-legal moves of the side to move, by offsets and rays: [`alfil_kernel::Position::pseudo`].
pub fn generate_pseudo_legal(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_piece(board, board.side_to_move, |kind, place| {
        for_each_target::<true>(board, board.side_to_move, kind, place, &mut |target| {
            if board.is_valid_target(target, board.side_to_move) {
                sink(move_between(place, target));
            }
        });
    });
}

/// The pseudo-legal captures of the side to move, by offsets and rays.
pub fn generate_captures(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_piece(board, board.side_to_move, |kind, place| {
        generate_captures_of(board, kind, place, &mut sink)
    });
}

/// The pseudo-legal captures by rooks and cannons alone, by ray loops: [`Mailbox::line_captures`].
pub fn generate_line_captures(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_piece(board, board.side_to_move, |kind, place| {
        if matches!(kind, PieceKind::Rook | PieceKind::Cannon) {
            generate_captures_of(board, kind, place, &mut sink);
        }
    });
}

/// The pseudo-legal moves of all men but rooks and cannons, by offsets: [`Mailbox::leaps`].
pub fn generate_leaper_moves(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_piece(board, board.side_to_move, |kind, place| {
        if !matches!(kind, PieceKind::Rook | PieceKind::Cannon) {
            for_each_leaper_target(board, board.side_to_move, kind, place, &mut |target| {
                if board.is_valid_target(target, board.side_to_move) {
                    sink(move_between(place, target));
                }
            });
        }
    });
}

/// Whether the side to move is in check, found by generating all replies: the other side's men go wherever they can, and
/// one of them may come to the general.
pub fn in_check(board: &Mailbox) -> bool {
    let (enemy, general) = (!board.side_to_move, board.king_cell(board.side_to_move));
    let mut found = false;
    for_each_piece(board, enemy, |kind, place| match kind {
        // The general attacks the other along the file, as a rook.
        PieceKind::King => {
            let file = place & 15 == general & 15;
            for_each_ray_target::<false>(board, PieceKind::Rook, place, &mut |target| {
                found |= file && target == general
            });
        }
        // A waived setup can put them near the other general; they never give check.
        PieceKind::Advisor | PieceKind::Elephant => {}
        _ => for_each_target::<true>(board, enemy, kind, place, &mut |target| found |= target == general),
    });
    found
}

/// Where a horse that attacks the general may stand, and its leg, both seen from the general.
const CHECKING_HORSES: [(i16, [i16; 2]); 4] =
    [(-0x11, [-0x21, -0x12]), (-0x0F, [-0x1F, -0x0E]), (0x0F, [0x0E, 0x1F]), (0x11, [0x12, 0x21])];

/// Whether the side to move is in check, found as XQWLight does: the general looks outward as a rook, a cannon, a horse and
/// a soldier. The board that plays asks the few enemy men instead, by their list.
pub fn in_check_from_king(board: &Mailbox) -> bool {
    let (enemy, king) = (!board.side_to_move, board.king_cell(board.side_to_move));
    let is = |place: u8, kind: PieceKind| {
        let (slot, room) = KIND_SLOTS[kind as usize];
        board.number_on[place as usize].wrapping_sub(FIRST_NUMBER[enemy.index()] + slot) < room
    };
    let file = &FILE_ENDS[row(king) - 3][board.file_words[column(king)] as usize];
    let rank = &RANK_ENDS[column(king) - 3][board.rank_words[row(king)] as usize];
    let ahead = if board.side_to_move == Side::First { -0x10 } else { 0x10 };
    // A column or row alone is a place of the margin, where no man stands.
    [(file, king & 0x0F), (rank, king & 0xF0)].into_iter().any(|(ends, base)| {
        let rook = |end| is(base + end, PieceKind::Rook) || is(base + end, PieceKind::King);
        ends.rook.into_iter().any(rook)
            || ends.cannon.into_iter().any(|end| is(base + end, PieceKind::Cannon))
    }) || CHECKING_HORSES.into_iter().any(|(leg, horses)| {
        let place = |by| (i16::from(king) + by) as u8;
        board.number_on[place(leg) as usize] == 0
            && horses.into_iter().any(|by| is(place(by), PieceKind::Horse))
    }) || [ahead, -1, 1].into_iter().any(|by| is((i16::from(king) + by) as u8, PieceKind::Soldier))
}

/// Makes a pseudo-legal move as the text does: moved; its maker's general attacked: taken back, nothing; else the side is
/// flipped and the same test, asked again, is the flag "gives check".
pub fn try_make(board: &mut Mailbox, mv: Move) -> Option<(Undo, bool)> {
    let (origin, target) = (cell_of_square(mv.origin()), cell_of_square(mv.target()));
    let undo = Undo { hash_key: board.hash_key, captured: board.move_piece(origin, target, &mut ()) };
    let legal = !board.is_king_attacked();
    board.side_to_move = !board.side_to_move;
    board.hash_key ^= SIDE_KEY;
    if !legal {
        board.unmake(mv, &undo, &mut ());
        return None;
    }
    Some((undo, board.is_king_attacked()))
}

fn for_each_piece(board: &Mailbox, side: Side, mut visit: impl FnMut(PieceKind, u8)) {
    for slot in 0..PIECES_PER_SIDE {
        let place = board.cell_of[(FIRST_NUMBER[side.index()] + slot) as usize];
        if place != 0 {
            visit(SLOT_KINDS[slot as usize], place);
        }
    }
}

fn generate_captures_of(board: &Mailbox, kind: PieceKind, place: u8, sink: &mut impl FnMut(Move)) {
    for_each_target::<false>(board, board.side_to_move, kind, place, &mut |target| {
        if board.is_victim(target, board.side_to_move) {
            sink(move_between(place, target));
        }
    });
}

/// Every place a man comes to, whatever stands there; the empty ones along lines only if `QUIETS`.
pub(super) fn for_each_target<const QUIETS: bool>(
    board: &Mailbox,
    side: Side,
    kind: PieceKind,
    place: u8,
    sink: &mut impl FnMut(u8),
) {
    if matches!(kind, PieceKind::Rook | PieceKind::Cannon) {
        for_each_ray_target::<QUIETS>(board, kind, place, sink);
    } else {
        for_each_leaper_target(board, side, kind, place, sink);
    }
}

fn for_each_leaper_target(
    board: &Mailbox,
    side: Side,
    kind: PieceKind,
    place: u8,
    sink: &mut impl FnMut(u8),
) {
    match kind {
        PieceKind::King => for_each_palace_target(KING_STEPS, place, sink),
        PieceKind::Advisor => for_each_palace_target(ADVISOR_STEPS, place, sink),
        PieceKind::Elephant => {
            for by in ADVISOR_STEPS {
                let (eye, target) = (step(place, by), step(place, 2 * by));
                if target != 0
                    && board.number_on[eye as usize] == 0
                    && is_in_red_half(target) == is_in_red_half(place)
                {
                    sink(target);
                }
            }
        }
        PieceKind::Horse => {
            for (leg, jumps) in KING_STEPS.iter().zip(JUMPS) {
                let leg = step(place, *leg);
                if leg != 0 && board.number_on[leg as usize] == 0 {
                    jumps.iter().for_each(|&by| sink_on_board(step(place, by), sink));
                }
            }
        }
        PieceKind::Soldier => {
            let ahead = if side == Side::First { -0x10 } else { 0x10 };
            sink_on_board(step(place, ahead), sink);
            if is_in_red_half(place) != (side == Side::First) {
                sink_on_board(step(place, -1), sink);
                sink_on_board(step(place, 1), sink);
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

fn for_each_palace_target(steps: [i16; 4], place: u8, sink: &mut impl FnMut(u8)) {
    for by in steps {
        let target = (i16::from(place) + by) as u8;
        if IS_IN_PALACE[target as usize] {
            sink(target);
        }
    }
}

fn for_each_ray_target<const QUIETS: bool>(
    board: &Mailbox,
    kind: PieceKind,
    place: u8,
    sink: &mut impl FnMut(u8),
) {
    for by in KING_STEPS {
        let mut target = step(place, by);
        while target != 0 && board.number_on[target as usize] == 0 {
            if QUIETS {
                sink(target);
            }
            target = step(target, by);
        }
        if kind == PieceKind::Cannon && target != 0 {
            target = step(target, by);
            while target != 0 && board.number_on[target as usize] == 0 {
                target = step(target, by);
            }
        }
        sink_on_board(target, sink);
    }
}

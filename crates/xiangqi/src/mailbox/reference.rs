//! The offset generator: the reference beside the pre-generated lists, after ElephantEye's and XQWLight's first form. A man
//! tries its steps one by one, and every target is asked whether it lies on the board.

use alfil_kernel::Side;

use super::tables::{ADVISOR_STEPS, IN_BOARD, IN_PALACE, KING_STEPS, in_red_half};
use super::{FIRST, Mailbox, SLOTS, column, square};
use crate::moves::Move;
use crate::piece::Kind;

/// The jumps behind each leg: leg first, then both jumps at once.
const JUMPS: [[i16; 2]; 4] = [[-0x21, -0x1F], [-0x12, 0x0E], [-0x0E, 0x12], [0x1F, 0x21]];

/// A place, or 0 where the step leaves the board.
fn step(place: u8, by: i16) -> u8 {
    let target = (i16::from(place) + by) as u8;
    if IN_BOARD[target as usize] { target } else { 0 }
}

/// The pseudo-legal moves of the side to move, by offsets and rays.
pub fn pseudo(board: &Mailbox, sink: &mut impl FnMut(Move)) {
    Kind::ALL.iter().for_each(|&kind| moves_of(board, kind, sink));
}

/// The pseudo-legal captures of the side to move, by offsets and rays.
pub fn captures(board: &Mailbox, sink: &mut impl FnMut(Move)) {
    Kind::ALL.iter().for_each(|&kind| captures_of(board, kind, sink));
}

/// The part of [`pseudo`] that men of one kind give: the twin of [`Mailbox::moves_of`].
pub fn moves_of(board: &Mailbox, kind: Kind, sink: &mut impl FnMut(Move)) {
    walk(board, board.side, kind, &mut |origin, target| {
        if board.is_open(target, board.side) {
            sink(Move::new(square(origin), square(target)));
        }
    });
}

/// The part of [`captures`] that men of one kind give: the twin of [`Mailbox::captures_of`].
pub fn captures_of(board: &Mailbox, kind: Kind, sink: &mut impl FnMut(Move)) {
    walk(board, board.side, kind, &mut |origin, target| {
        if board.is_prey(target, board.side) {
            sink(Move::new(square(origin), square(target)));
        }
    });
}

/// Whether the side to move is in check, found the long way: all that the other side could reply is generated and looked
/// through for the general. Generals that face each other are such a reply.
pub fn in_check(board: &Mailbox) -> bool {
    let (general, enemy) = (board.general(board.side), !board.side);
    let mut found = false;
    for kind in Kind::ALL {
        // An advisor or elephant comes near the other general only in a waived setup, and gives no check there.
        let gives_check = !matches!(kind, Kind::Advisor | Kind::Elephant);
        walk(board, enemy, kind, &mut |_, target| found |= gives_check && target == general);
    }
    walk_rays(board, Kind::Rook, board.general(enemy), &mut |origin, target| {
        found |= target == general && column(origin) == column(target);
    });
    found
}

/// Every place that a side's men of a kind come to, whatever stands there.
fn walk(board: &Mailbox, mover: Side, kind: Kind, sink: &mut impl FnMut(u8, u8)) {
    let (slot, room) = SLOTS[kind as usize];
    let first = (FIRST[mover.index()] + slot) as usize;
    for &place in &board.places[first..first + room as usize] {
        if place == 0 {
            continue;
        }
        if matches!(kind, Kind::Rook | Kind::Cannon) {
            walk_rays(board, kind, place, sink);
        } else {
            walk_steps(board, mover, kind, place, &mut |target| {
                if target != 0 {
                    sink(place, target);
                }
            });
        }
    }
}

fn walk_steps(board: &Mailbox, mover: Side, kind: Kind, place: u8, sink: &mut impl FnMut(u8)) {
    let within_palace = |target: u8| if IN_PALACE[target as usize] { target } else { 0 };
    match kind {
        Kind::King => KING_STEPS.iter().for_each(|&by| sink(within_palace(step(place, by)))),
        Kind::Advisor => ADVISOR_STEPS.iter().for_each(|&by| sink(within_palace(step(place, by)))),
        Kind::Elephant => {
            for by in ADVISOR_STEPS {
                let (eye, target) = (step(place, by), step(place, 2 * by));
                if target != 0 && board.cells[eye as usize] == 0 && in_red_half(target) == in_red_half(place)
                {
                    sink(target);
                }
            }
        }
        Kind::Horse => {
            for (leg, jumps) in KING_STEPS.iter().zip(JUMPS) {
                let leg = step(place, *leg);
                if leg != 0 && board.cells[leg as usize] == 0 {
                    jumps.iter().for_each(|&by| sink(step(place, by)));
                }
            }
        }
        Kind::Soldier => {
            let ahead = if mover == Side::First { -0x10 } else { 0x10 };
            sink(step(place, ahead));
            if in_red_half(place) != (mover == Side::First) {
                sink(step(place, -1));
                sink(step(place, 1));
            }
        }
        Kind::Rook | Kind::Cannon => {}
    }
}

fn walk_rays(board: &Mailbox, kind: Kind, place: u8, sink: &mut impl FnMut(u8, u8)) {
    for by in KING_STEPS {
        let mut target = step(place, by);
        while target != 0 && board.cells[target as usize] == 0 {
            sink(place, target);
            target = step(target, by);
        }
        if kind == Kind::Cannon && target != 0 {
            target = step(target, by);
            while target != 0 && board.cells[target as usize] == 0 {
                target = step(target, by);
            }
        }
        if target != 0 {
            sink(place, target);
        }
    }
}

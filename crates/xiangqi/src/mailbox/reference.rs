//! The offset generator: the reference beside the pre-generated lists, after ElephantEye's and XQWLight's first form. A man
//! tries its steps one by one, and every target is asked whether it lies on the board.

use alfil_kernel::{Position, Side};

use super::tables::{ADVISOR_STEPS, IN_BOARD, IN_PALACE, KING_STEPS, in_red_half};
use super::{FIRST, KINDS, MEN, Mailbox, square};
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
    captures(board, &mut *sink);
    walk(board, |origin, target| {
        if board.cells[target as usize] == 0 {
            sink(Move::new(square(origin), square(target)));
        }
    });
}

/// The pseudo-legal captures of the side to move, by offsets and rays.
pub fn captures(board: &Mailbox, sink: &mut impl FnMut(Move)) {
    walk(board, |origin, target| {
        if board.is_prey(target, board.side()) {
            sink(Move::new(square(origin), square(target)));
        }
    });
}

/// Every place a man of the mover's comes to, whatever stands there.
fn walk(board: &Mailbox, mut sink: impl FnMut(u8, u8)) {
    let first = FIRST[board.side.index()];
    for slot in 0..MEN {
        let place = board.places[(first + slot) as usize];
        if place == 0 {
            continue;
        }
        let kind = KINDS[slot as usize];
        if matches!(kind, Kind::Rook | Kind::Cannon) {
            walk_rays(board, kind, place, &mut sink);
        } else {
            walk_steps(board, kind, place, &mut |target| {
                if target != 0 {
                    sink(place, target);
                }
            });
        }
    }
}

fn walk_steps(board: &Mailbox, kind: Kind, place: u8, sink: &mut impl FnMut(u8)) {
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
            let ahead = if board.side == Side::First { -0x10 } else { 0x10 };
            sink(step(place, ahead));
            if in_red_half(place) != (board.side == Side::First) {
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

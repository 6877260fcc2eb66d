//! The offset generator: the reference beside the pre-generated lists, after ElephantEye's and XQWLight's first form. A man
//! tries its steps one by one, and every target is asked whether it lies on the board. Tests hold it equal to the
//! generator that plays; benches weigh the two.

use alfil_kernel::{Position as _, Side};

use super::tables::{ADVISOR_STEPS, FILE_ENDS, IN_BOARD, IN_PALACE, KING_STEPS, RANK_ENDS, in_red_half};
use super::{FIRST, KINDS, MEN, Mailbox, SLOTS, Undo, column, moving, row, wide};
use crate::board::SIDE_WORD;
use crate::moves::Move;
use crate::piece::Kind;

/// The jumps behind each leg: leg first, then both jumps at once.
const JUMPS: [[i16; 2]; 4] = [[-0x21, -0x1F], [-0x12, 0x0E], [-0x0E, 0x12], [0x1F, 0x21]];

/// A place, or 0 where the step leaves the board.
fn step(place: u8, by: i16) -> u8 {
    let target = (i16::from(place) + by) as u8;
    if IN_BOARD[target as usize] { target } else { 0 }
}

/// The pseudo-legal moves of the side to move, by offsets and rays: [`alfil_kernel::Position::pseudo`].
pub fn pseudo(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_man(board, board.side, |kind, place| {
        walk::<true>(board, board.side, kind, place, &mut |target| {
            if board.is_open(target, board.side) {
                sink(moving(place, target));
            }
        });
    });
}

/// The pseudo-legal captures of the side to move, by offsets and rays.
pub fn captures(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_man(board, board.side, |kind, place| capture(board, kind, place, &mut sink));
}

/// The pseudo-legal captures by rooks and cannons alone, by ray loops: [`Mailbox::line_captures`].
pub fn line_captures(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_man(board, board.side, |kind, place| {
        if matches!(kind, Kind::Rook | Kind::Cannon) {
            capture(board, kind, place, &mut sink);
        }
    });
}

/// The pseudo-legal moves of all men but rooks and cannons, by offsets: [`Mailbox::leaps`].
pub fn leaps(board: &Mailbox, mut sink: impl FnMut(Move)) {
    for_each_man(board, board.side, |kind, place| {
        if !matches!(kind, Kind::Rook | Kind::Cannon) {
            walk_steps(board, board.side, kind, place, &mut |target| {
                if board.is_open(target, board.side) {
                    sink(moving(place, target));
                }
            });
        }
    });
}

/// Whether the side to move is in check, found by generating all replies: the other side's men go wherever they can, and
/// one of them may come to the general.
pub fn in_check(board: &Mailbox) -> bool {
    let (enemy, general) = (!board.side, board.general(board.side));
    let mut found = false;
    for_each_man(board, enemy, |kind, place| match kind {
        // The general attacks the other along the file, as a rook.
        Kind::King => {
            let file = place & 15 == general & 15;
            walk_rays::<false>(board, Kind::Rook, place, &mut |target| found |= file && target == general);
        }
        // A waived setup can put them near the other general; they never give check.
        Kind::Advisor | Kind::Elephant => {}
        _ => walk::<true>(board, enemy, kind, place, &mut |target| found |= target == general),
    });
    found
}

/// Where a horse that attacks the general may stand, and its leg, both seen from the general.
const HORSES: [(i16, [i16; 2]); 4] =
    [(-0x11, [-0x21, -0x12]), (-0x0F, [-0x1F, -0x0E]), (0x0F, [0x0E, 0x1F]), (0x11, [0x12, 0x21])];

/// Whether the side to move is in check, found as XQWLight does: the general looks outward as a rook, a cannon, a horse and
/// a soldier. The board that plays asks the few enemy men instead, by their list.
pub fn in_check_outward(board: &Mailbox) -> bool {
    let (enemy, king) = (!board.side, board.general(board.side));
    let is = |place: u8, kind: Kind| {
        let (slot, room) = SLOTS[kind as usize];
        board.cells[place as usize].wrapping_sub(FIRST[enemy.index()] + slot) < room
    };
    let file = &FILE_ENDS[row(king) - 3][board.files[column(king)] as usize];
    let rank = &RANK_ENDS[column(king) - 3][board.ranks[row(king)] as usize];
    let ahead = if board.side == Side::First { -0x10 } else { 0x10 };
    // A column or row alone is a place of the margin, where no man stands.
    [(file, king & 0x0F), (rank, king & 0xF0)].into_iter().any(|(ends, base)| {
        let rook = |end| is(base + end, Kind::Rook) || is(base + end, Kind::King);
        ends.rook.into_iter().any(rook) || ends.cannon.into_iter().any(|end| is(base + end, Kind::Cannon))
    }) || HORSES.into_iter().any(|(leg, horses)| {
        let place = |by| (i16::from(king) + by) as u8;
        board.cells[place(leg) as usize] == 0 && horses.into_iter().any(|by| is(place(by), Kind::Horse))
    }) || [ahead, -1, 1].into_iter().any(|by| is((i16::from(king) + by) as u8, Kind::Soldier))
}

/// Makes a pseudo-legal move as the text does: moved; its maker's general attacked: taken back, nothing; else the side is
/// flipped and the same test, asked again, is the flag "gives check".
pub fn try_make(board: &mut Mailbox, mv: Move) -> Option<(Undo, bool)> {
    let (origin, target) = (wide(mv.origin()), wide(mv.target()));
    let undo = Undo { key: board.key, captured: board.shift(origin, target, &mut ()) };
    let legal = !board.is_exposed();
    board.side = !board.side;
    board.key ^= SIDE_WORD;
    if !legal {
        board.unmake(mv, &undo, &mut ());
        return None;
    }
    Some((undo, board.is_exposed()))
}

fn for_each_man(board: &Mailbox, side: Side, mut visit: impl FnMut(Kind, u8)) {
    for slot in 0..MEN {
        let place = board.places[(FIRST[side.index()] + slot) as usize];
        if place != 0 {
            visit(KINDS[slot as usize], place);
        }
    }
}

fn capture(board: &Mailbox, kind: Kind, place: u8, sink: &mut impl FnMut(Move)) {
    walk::<false>(board, board.side, kind, place, &mut |target| {
        if board.is_prey(target, board.side) {
            sink(moving(place, target));
        }
    });
}

/// Every place a man comes to, whatever stands there; the empty ones along lines only if `QUIETS`.
pub(super) fn walk<const QUIETS: bool>(
    board: &Mailbox,
    side: Side,
    kind: Kind,
    place: u8,
    sink: &mut impl FnMut(u8),
) {
    if matches!(kind, Kind::Rook | Kind::Cannon) {
        walk_rays::<QUIETS>(board, kind, place, sink);
    } else {
        walk_steps(board, side, kind, place, sink);
    }
}

fn walk_steps(board: &Mailbox, side: Side, kind: Kind, place: u8, sink: &mut impl FnMut(u8)) {
    match kind {
        Kind::King => walk_palace(KING_STEPS, place, sink),
        Kind::Advisor => walk_palace(ADVISOR_STEPS, place, sink),
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
                    jumps.iter().for_each(|&by| offer(step(place, by), sink));
                }
            }
        }
        Kind::Soldier => {
            let ahead = if side == Side::First { -0x10 } else { 0x10 };
            offer(step(place, ahead), sink);
            if in_red_half(place) != (side == Side::First) {
                offer(step(place, -1), sink);
                offer(step(place, 1), sink);
            }
        }
        Kind::Rook | Kind::Cannon => {}
    }
}

fn offer(target: u8, sink: &mut impl FnMut(u8)) {
    if target != 0 {
        sink(target);
    }
}

fn walk_palace(steps: [i16; 4], place: u8, sink: &mut impl FnMut(u8)) {
    for by in steps {
        let target = (i16::from(place) + by) as u8;
        if IN_PALACE[target as usize] {
            sink(target);
        }
    }
}

fn walk_rays<const QUIETS: bool>(board: &Mailbox, kind: Kind, place: u8, sink: &mut impl FnMut(u8)) {
    for by in KING_STEPS {
        let mut target = step(place, by);
        while target != 0 && board.cells[target as usize] == 0 {
            if QUIETS {
                sink(target);
            }
            target = step(target, by);
        }
        if kind == Kind::Cannon && target != 0 {
            target = step(target, by);
            while target != 0 && board.cells[target as usize] == 0 {
                target = step(target, by);
            }
        }
        offer(target, sink);
    }
}

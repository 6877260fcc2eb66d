//! The recursion, stamped once for each instruction set.

use alfil_kernel::Side;

use super::{Black, Castling, Castlings, Colour, Men, White, left, right};
use crate::geometry::{
    BETWEEN, BISHOP_RAYS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, ROOK_RAYS, magic, pext,
};

/// What surrounds the king of the side to move.
struct View {
    king: usize,
    occupied: u64,
    /// Where a man that is not the king may go as far as check is concerned: everywhere; to the checker and between; or,
    /// under two checks, nowhere.
    answer: u64,
    /// Pinned men on ranks and files, and the squares they may go to; pinners included.
    lines: u64,
    /// The same on diagonals.
    diagonals: u64,
}

/// Moves men from one square to another in a copy: what is taken disappears, rights go with their rooks, nothing can be
/// taken en passant any more. The mover's own set is left to the caller.
#[inline(always)]
fn after<C: Colour>(men: &Men, from: u64, to: u64) -> Men {
    let mut child = *men;
    child.all[C::OWN] ^= from | to;
    child.all[C::ENEMY] &= !to;
    child.pawns[C::ENEMY] &= !to;
    child.knights[C::ENEMY] &= !to;
    child.diagonals[C::ENEMY] &= !to;
    child.lines[C::ENEMY] &= !to;
    child.rooks &= !(from | to);
    child.passing = 0;
    child
}

/// The lowest square of a set, taken out of it.
#[inline(always)]
fn pop(set: &mut u64) -> u64 {
    let lowest = *set & set.wrapping_neg();
    *set ^= lowest;
    lowest
}

#[inline(always)]
fn at(bit: u64) -> usize {
    bit.trailing_zeros() as usize & 63
}

/// The targets of all pawns of a side: one step, two steps, and captures to the left and right.
///
/// A pinned pawn may step only where its pin runs along the file, and take only along its diagonal: the target must lie on
/// the pin again, and no other pin can be reached by such a step.
#[inline(always)]
fn pawns<C: Colour>(men: &Men, view: &View) -> [u64; 4] {
    let own = men.pawns[C::OWN];
    let prey = men.all[C::ENEMY] & !men.kings[C::ENEMY] & view.answer;
    let stepping = own & !view.diagonals;
    let free = C::ahead(stepping & !view.lines);
    let one = (free | C::ahead(stepping & view.lines) & view.lines) & !view.occupied;
    let two = C::ahead(one & C::THIRD) & !view.occupied & view.answer;
    let taking = own & !view.lines;
    let free = C::ahead(taking & !view.diagonals);
    let pinned = C::ahead(taking & view.diagonals);
    let to_left = (left(free) | left(pinned) & view.diagonals) & prey;
    let to_right = (right(free) | right(pinned) & view.diagonals) & prey;
    [one & view.answer, two, to_left, to_right]
}

macro_rules! stamp {
    ($name:ident, [$($feature:meta)?], $rook:expr, $bishop:expr) => {
        pub(super) mod $name {
            use super::*;

            $(#[$feature])?
            #[inline]
            fn rook(square: usize, occupied: u64) -> u64 {
                $rook(square, occupied)
            }

            $(#[$feature])?
            #[inline]
            fn bishop(square: usize, occupied: u64) -> u64 {
                $bishop(square, occupied)
            }

            $(#[$feature])?
            pub(in super::super) fn perft(men: &Men, castlings: &Castlings, side: Side, depth: u32) -> u64 {
                match (depth, side) {
                    (0, _) => 1,
                    (_, Side::First) => count::<White>(men, castlings, depth),
                    (_, Side::Second) => count::<Black>(men, castlings, depth),
                }
            }

            $(#[$feature])?
            #[inline]
            fn count<C: Colour>(men: &Men, castlings: &Castlings, depth: u32) -> u64 {
                if depth == 1 { leaf::<C>(men, castlings) } else { node::<C>(men, castlings, depth) }
            }

            /// Finds check and pins by looking along the king's lines to every slider on them.
            $(#[$feature])?
            #[inline]
            fn look<C: Colour>(men: &Men) -> View {
                let king = at(men.kings[C::OWN]);
                let occupied = men.all[0] | men.all[1];
                let mut checkers = PAWN_ATTACKS[C::OWN][king] & men.pawns[C::ENEMY]
                    | KNIGHT_ATTACKS[king] & men.knights[C::ENEMY]
                    | KING_ATTACKS[king] & men.kings[C::ENEMY];
                let mut view = View { king, occupied, answer: checkers, lines: 0, diagonals: 0 };
                let mut sliders = ROOK_RAYS[king] & men.lines[C::ENEMY];
                while sliders != 0 {
                    let slider = pop(&mut sliders);
                    let path = BETWEEN[king][at(slider)];
                    let hit = path & occupied;
                    if hit == 0 {
                        checkers |= slider;
                        view.answer |= path | slider;
                    } else if hit & (hit - 1) == 0 {
                        view.lines |= path | slider;
                    }
                }
                let mut sliders = BISHOP_RAYS[king] & men.diagonals[C::ENEMY];
                while sliders != 0 {
                    let slider = pop(&mut sliders);
                    let path = BETWEEN[king][at(slider)];
                    let hit = path & occupied;
                    if hit == 0 {
                        checkers |= slider;
                        view.answer |= path | slider;
                    } else if hit & (hit - 1) == 0 {
                        view.diagonals |= path | slider;
                    }
                }
                if checkers == 0 {
                    view.answer = u64::MAX;
                } else if checkers & (checkers - 1) != 0 {
                    view.answer = 0;
                }
                view
            }

            /// The squares that the enemy attacks when the king has left its own.
            $(#[$feature])?
            #[inline]
            fn attacked<C: Colour>(men: &Men, view: &View) -> u64 {
                let occupied = view.occupied ^ men.kings[C::OWN];
                let front = C::behind(men.pawns[C::ENEMY]);
                let mut set = left(front) | right(front) | KING_ATTACKS[at(men.kings[C::ENEMY])];
                let mut knights = men.knights[C::ENEMY];
                while knights != 0 {
                    set |= KNIGHT_ATTACKS[at(pop(&mut knights))];
                }
                let mut diagonals = men.diagonals[C::ENEMY];
                while diagonals != 0 {
                    set |= bishop(at(pop(&mut diagonals)), occupied);
                }
                let mut lines = men.lines[C::ENEMY];
                while lines != 0 {
                    set |= rook(at(pop(&mut lines)), occupied);
                }
                set
            }

            /// Whether this castling may be done, as far as can be told without asking for attacks.
            $(#[$feature])?
            #[inline]
            fn is_open(men: &Men, view: &View, castling: &Castling) -> bool {
                men.rooks & castling.rook != 0
                    && view.occupied & castling.path == 0
                    && view.answer == u64::MAX
                    && view.lines & castling.rook == 0
            }

            /// The pawns that may take en passant: the board after each capture is looked at.
            $(#[$feature])?
            #[cold]
            fn passing<C: Colour>(men: &Men, view: &View) -> u64 {
                let taken = C::behind(men.passing);
                let mut takers = (left(taken) | right(taken)) & men.pawns[C::OWN];
                let mut safe = 0;
                while takers != 0 {
                    let from = pop(&mut takers);
                    let occupied = view.occupied ^ from ^ taken | men.passing;
                    let near = PAWN_ATTACKS[C::OWN][view.king] & men.pawns[C::ENEMY] & !taken
                        | KNIGHT_ATTACKS[view.king] & men.knights[C::ENEMY]
                        | KING_ATTACKS[view.king] & men.kings[C::ENEMY];
                    let far = rook(view.king, occupied) & men.lines[C::ENEMY]
                        | bishop(view.king, occupied) & men.diagonals[C::ENEMY];
                    if near | far == 0 {
                        safe |= from;
                    }
                }
                safe
            }

            /// The king's steps, and which castlings it has. Attacks are asked for only if it could go somewhere.
            $(#[$feature])?
            #[inline]
            fn king<C: Colour>(men: &Men, castlings: &Castlings, view: &View) -> (u64, [bool; 2]) {
                let mut steps = KING_ATTACKS[view.king] & !men.all[C::OWN] & !men.kings[C::ENEMY];
                let mut castles = [false; 2];
                if men.rooks & C::HOME != 0 {
                    castles = [0, 1].map(|wing| is_open(men, view, &castlings[C::OWN][wing]));
                }
                if steps != 0 || castles != [false; 2] {
                    let attacked = attacked::<C>(men, view);
                    steps &= !attacked;
                    for wing in 0..2 {
                        castles[wing] &= attacked & castlings[C::OWN][wing].walk == 0;
                    }
                }
                (steps, castles)
            }

            /// The number of legal moves, none of them written down.
            $(#[$feature])?
            #[inline(never)]
            fn leaf<C: Colour>(men: &Men, castlings: &Castlings) -> u64 {
                let view = look::<C>(men);
                let (steps, castles) = king::<C>(men, castlings, &view);
                let mut total = steps.count_ones() + u32::from(castles[0]) + u32::from(castles[1]);
                if view.answer == 0 {
                    return total.into();
                }
                let goal = view.answer & !men.all[C::OWN] & !men.kings[C::ENEMY];
                let [one, two, to_left, to_right] = pawns::<C>(men, &view);
                // Steps and captures never share a target, so three sets are counted at once.
                total += (one | two | to_left).count_ones() + to_right.count_ones();
                if (one | to_left | to_right) & C::LAST != 0 {
                    total += 3 * (((one | to_left) & C::LAST).count_ones() + (to_right & C::LAST).count_ones());
                }
                if men.passing != 0 {
                    total += passing::<C>(men, &view).count_ones();
                }
                let pinned = view.lines | view.diagonals;
                let mut knights = men.knights[C::OWN] & !pinned;
                while knights != 0 {
                    total += (KNIGHT_ATTACKS[at(pop(&mut knights))] & goal).count_ones();
                }
                let mut free = men.diagonals[C::OWN] & !pinned;
                while free != 0 {
                    total += (bishop(at(pop(&mut free)), view.occupied) & goal).count_ones();
                }
                let mut free = men.lines[C::OWN] & !pinned;
                while free != 0 {
                    total += (rook(at(pop(&mut free)), view.occupied) & goal).count_ones();
                }
                if pinned & (men.diagonals[C::OWN] | men.lines[C::OWN]) != 0 {
                    let mut held = men.diagonals[C::OWN] & view.diagonals;
                    while held != 0 {
                        let reach = bishop(at(pop(&mut held)), view.occupied) & view.diagonals;
                        total += (reach & goal).count_ones();
                    }
                    let mut held = men.lines[C::OWN] & view.lines;
                    while held != 0 {
                        let reach = rook(at(pop(&mut held)), view.occupied) & view.lines;
                        total += (reach & goal).count_ones();
                    }
                }
                total.into()
            }

            /// Every legal move, made on a copy.
            $(#[$feature])?
            fn node<C: Colour>(men: &Men, castlings: &Castlings, depth: u32) -> u64 {
                let view = look::<C>(men);
                let mut total = kings::<C>(men, castlings, &view, depth);
                if view.answer == 0 {
                    return total;
                }
                total += all_pawns::<C>(men, castlings, &view, depth);
                let goal = view.answer & !men.all[C::OWN] & !men.kings[C::ENEMY];
                let mut knights = men.knights[C::OWN] & !(view.lines | view.diagonals);
                while knights != 0 {
                    let from = pop(&mut knights);
                    let mut targets = KNIGHT_ATTACKS[at(from)] & goal;
                    while targets != 0 {
                        let to = pop(&mut targets);
                        let mut child = after::<C>(men, from, to);
                        child.knights[C::OWN] ^= from | to;
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                let mut sliders = men.diagonals[C::OWN] | men.lines[C::OWN];
                while sliders != 0 {
                    let from = pop(&mut sliders);
                    let (diagonal, line) = (men.diagonals[C::OWN] & from, men.lines[C::OWN] & from);
                    let mut targets = 0;
                    if diagonal != 0 && view.lines & from == 0 {
                        let held = if view.diagonals & from != 0 { view.diagonals } else { u64::MAX };
                        targets |= bishop(at(from), view.occupied) & held;
                    }
                    if line != 0 && view.diagonals & from == 0 {
                        let held = if view.lines & from != 0 { view.lines } else { u64::MAX };
                        targets |= rook(at(from), view.occupied) & held;
                    }
                    targets &= goal;
                    while targets != 0 {
                        let to = pop(&mut targets);
                        let mut child = after::<C>(men, from, to);
                        child.diagonals[C::OWN] ^= diagonal | if diagonal != 0 { to } else { 0 };
                        child.lines[C::OWN] ^= line | if line != 0 { to } else { 0 };
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                total
            }

            $(#[$feature])?
            #[inline]
            fn kings<C: Colour>(men: &Men, castlings: &Castlings, view: &View, depth: u32) -> u64 {
                let (mut steps, castles) = king::<C>(men, castlings, view);
                let from = men.kings[C::OWN];
                let mut total = 0;
                while steps != 0 {
                    let to = pop(&mut steps);
                    let mut child = after::<C>(men, from, to);
                    child.kings[C::OWN] = to;
                    child.rooks &= !C::HOME;
                    total += count::<C::Enemy>(&child, castlings, depth - 1);
                }
                for wing in 0..2 {
                    if castles[wing] {
                        let Castling { rook, king_to, rook_to, .. } = castlings[C::OWN][wing];
                        let mut child = *men;
                        child.kings[C::OWN] = king_to;
                        child.lines[C::OWN] = men.lines[C::OWN] & !rook | rook_to;
                        child.all[C::OWN] = men.all[C::OWN] & !(from | rook) | king_to | rook_to;
                        child.rooks &= !C::HOME;
                        child.passing = 0;
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                total
            }

            $(#[$feature])?
            #[inline]
            fn all_pawns<C: Colour>(men: &Men, castlings: &Castlings, view: &View, depth: u32) -> u64 {
                let [one, mut two, to_left, to_right] = pawns::<C>(men, view);
                let mut total = 0;
                while two != 0 {
                    let to = pop(&mut two);
                    let over = C::behind(to);
                    let from = C::behind(over);
                    let mut child = after::<C>(men, from, to);
                    child.pawns[C::OWN] ^= from | to;
                    // What nobody can take need not be remembered.
                    child.passing = if (left(to) | right(to)) & men.pawns[C::ENEMY] != 0 { over } else { 0 };
                    total += count::<C::Enemy>(&child, castlings, depth - 1);
                }
                total += steps::<C, 0>(men, castlings, one, depth);
                total += steps::<C, -1>(men, castlings, to_left, depth);
                total += steps::<C, 1>(men, castlings, to_right, depth);
                if men.passing != 0 {
                    let mut takers = passing::<C>(men, view);
                    while takers != 0 {
                        let from = pop(&mut takers);
                        let taken = C::behind(men.passing);
                        let mut child = after::<C>(men, from, men.passing);
                        child.pawns[C::OWN] ^= from | men.passing;
                        child.pawns[C::ENEMY] ^= taken;
                        child.all[C::ENEMY] ^= taken;
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                total
            }

            /// Pawns that go one rank ahead and so many files to the right.
            $(#[$feature])?
            #[inline]
            fn steps<C: Colour, const FILES: i32>(
                men: &Men,
                castlings: &Castlings,
                mut targets: u64,
                depth: u32,
            ) -> u64 {
                let mut total = 0;
                while targets != 0 {
                    let to = pop(&mut targets);
                    let from = match FILES {
                        0 => C::behind(to),
                        1 => C::behind(to >> 1),
                        _ => C::behind(to << 1),
                    };
                    let mut child = after::<C>(men, from, to);
                    if to & C::LAST != 0 {
                        child.pawns[C::OWN] ^= from;
                        total += promotions::<C>(&child, castlings, to, depth);
                    } else {
                        child.pawns[C::OWN] ^= from | to;
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                total
            }

            /// The pawn is gone from its square: the four men that may stand on its target instead.
            $(#[$feature])?
            #[inline]
            fn promotions<C: Colour>(men: &Men, castlings: &Castlings, to: u64, depth: u32) -> u64 {
                let mut total = 0;
                for (knight, diagonal, line) in [(to, 0, 0), (0, to, 0), (0, 0, to), (0, to, to)] {
                    let mut child = *men;
                    child.knights[C::OWN] |= knight;
                    child.diagonals[C::OWN] |= diagonal;
                    child.lines[C::OWN] |= line;
                    total += count::<C::Enemy>(&child, castlings, depth - 1);
                }
                total
            }
        }
    };
}

stamp!(scalar, [], magic::rook_attacks, magic::bishop_attacks);

#[cfg(target_arch = "x86_64")]
stamp!(
    gathering,
    [target_feature(enable = "bmi1,bmi2,popcnt")],
    |square, occupied| pext::rook_attacks(square, |mask| core::arch::x86_64::_pext_u64(occupied, mask)),
    |square, occupied| pext::bishop_attacks(square, |mask| core::arch::x86_64::_pext_u64(occupied, mask))
);

//! The recursion of fast perft, defined once for each instruction set.

use alfil_kernel::Side;

use super::two_plies::{KingZones, MAX_SLIDERS, Replies, define_two_plies, line_gaps, summed_targets};
use super::{Black, Castling, Castlings, Colour, PerftBoard, White, left, right};
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use crate::geometry::pext;
use crate::geometry::{self, BETWEEN, BISHOP_RAYS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, ROOK_RAYS};

/// The masks of checks and pins for the king of the side to move.
pub(super) struct CheckMasks {
    pub(super) king: usize,
    pub(super) occupied: u64,
    /// The targets that end a check by capture or block: all squares if there is no check, none in double check.
    pub(super) evasions: u64,
    /// The orthogonal pin lines: the squares between king and pinning piece, and the pinning piece.
    pub(super) orthogonal_pins: u64,
    /// The diagonal pin lines.
    pub(super) diagonal_pins: u64,
}

/// Returns a copy of the board in which a piece has moved: a captured piece is removed, castling rights and the en
/// passant square are updated. The caller updates the set of the moved piece.
#[inline(always)]
fn with_piece_moved<C: Colour>(board: &PerftBoard, from: u64, to: u64) -> PerftBoard {
    let mut child = *board;
    child.by_side[C::OWN] ^= from | to;
    child.by_side[C::ENEMY] &= !to;
    child.pawns[C::ENEMY] &= !to;
    child.knights[C::ENEMY] &= !to;
    child.diagonal_sliders[C::ENEMY] &= !to;
    child.orthogonal_sliders[C::ENEMY] &= !to;
    child.castling_rooks &= !(from | to);
    child.en_passant = 0;
    child
}

/// Removes the lowest square from a set and returns it.
#[inline(always)]
fn pop_lowest(set: &mut u64) -> u64 {
    let lowest = *set & set.wrapping_neg();
    *set ^= lowest;
    lowest
}

#[inline(always)]
fn square_index(bit: u64) -> usize {
    bit.trailing_zeros() as usize & 63
}

/// Returns the targets of all pawns of a side: single steps, double steps, captures to the left and to the right.
///
/// A pinned pawn may step only along a pinned file and capture only along a pinned diagonal: its target must lie on a
/// pin line too, which is then its own, because no other pin line can be reached by such a move.
#[inline(always)]
fn pawn_targets<C: Colour>(board: &PerftBoard, masks: &CheckMasks) -> [u64; 4] {
    pawn_targets_among::<C>(board, masks, masks.occupied, board.by_side[C::ENEMY])
}

/// Returns the same for other sets of occupied squares and of enemy pieces, which have the same checks and pins.
#[inline(always)]
fn pawn_targets_among<C: Colour>(
    board: &PerftBoard,
    masks: &CheckMasks,
    occupied: u64,
    enemies: u64,
) -> [u64; 4] {
    let own = board.pawns[C::OWN];
    let victims = enemies & !board.kings[C::ENEMY] & masks.evasions;
    let steppers = own & !masks.diagonal_pins;
    let free = C::forward(steppers & !masks.orthogonal_pins);
    let pinned = C::forward(steppers & masks.orthogonal_pins) & masks.orthogonal_pins;
    let single = (free | pinned) & !occupied;
    let double = C::forward(single & C::THIRD_RANK) & !occupied & masks.evasions;
    let capturers = own & !masks.orthogonal_pins;
    let free = C::forward(capturers & !masks.diagonal_pins);
    let pinned = C::forward(capturers & masks.diagonal_pins);
    let to_left = (left(free) | left(pinned) & masks.diagonal_pins) & victims;
    let to_right = (right(free) | right(pinned) & masks.diagonal_pins) & victims;
    [single & masks.evasions, double, to_left, to_right]
}

/// Returns the number of moves to the targets of [`pawn_targets`].
#[inline(always)]
fn count_pawn_targets<C: Colour>([single, double, to_left, to_right]: [u64; 4]) -> u32 {
    // Steps and captures have no common targets, so that three of the sets are counted at once.
    let mut count = (single | double | to_left).count_ones() + to_right.count_ones();
    if (single | to_left | to_right) & C::LAST_RANK != 0 {
        let promotions = ((single | to_left) & C::LAST_RANK).count_ones();
        count += 3 * (promotions + (to_right & C::LAST_RANK).count_ones());
    }
    count
}

macro_rules! define_perft {
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
            pub(in super::super) fn perft(
                board: &PerftBoard,
                castlings: &Castlings,
                side: Side,
                depth: u32,
            ) -> u64 {
                match (depth, side) {
                    (0, _) => 1,
                    (_, Side::First) => count::<White>(board, castlings, depth),
                    (_, Side::Second) => count::<Black>(board, castlings, depth),
                }
            }

            $(#[$feature])?
            #[inline]
            fn count<C: Colour>(board: &PerftBoard, castlings: &Castlings, depth: u32) -> u64 {
                match depth {
                    1 => count_legal::<C>(board, castlings),
                    2 => count_two_plies::<C>(board, castlings),
                    _ => count_children::<C>(board, castlings, depth),
                }
            }

            /// Computes checks and pins from the squares between the king and each enemy slider on its lines.
            $(#[$feature])?
            #[inline]
            fn check_masks<C: Colour>(board: &PerftBoard) -> CheckMasks {
                let king = square_index(board.kings[C::OWN]);
                let occupied = board.by_side[0] | board.by_side[1];
                let mut checkers = PAWN_ATTACKS[C::OWN][king] & board.pawns[C::ENEMY]
                    | KNIGHT_ATTACKS[king] & board.knights[C::ENEMY]
                    | KING_ATTACKS[king] & board.kings[C::ENEMY];
                let mut masks =
                    CheckMasks { king, occupied, evasions: checkers, orthogonal_pins: 0, diagonal_pins: 0 };
                let mut sliders = ROOK_RAYS[king] & board.orthogonal_sliders[C::ENEMY];
                while sliders != 0 {
                    let slider = pop_lowest(&mut sliders);
                    let path = BETWEEN[king][square_index(slider)];
                    let blockers = path & occupied;
                    if blockers == 0 {
                        checkers |= slider;
                        masks.evasions |= path | slider;
                    } else if blockers & (blockers - 1) == 0 {
                        masks.orthogonal_pins |= path | slider;
                    }
                }
                let mut sliders = BISHOP_RAYS[king] & board.diagonal_sliders[C::ENEMY];
                while sliders != 0 {
                    let slider = pop_lowest(&mut sliders);
                    let path = BETWEEN[king][square_index(slider)];
                    let blockers = path & occupied;
                    if blockers == 0 {
                        checkers |= slider;
                        masks.evasions |= path | slider;
                    } else if blockers & (blockers - 1) == 0 {
                        masks.diagonal_pins |= path | slider;
                    }
                }
                if checkers == 0 {
                    masks.evasions = u64::MAX;
                } else if checkers & (checkers - 1) != 0 {
                    masks.evasions = 0;
                }
                masks
            }

            /// Returns the squares that the enemy attacks once the king has left its square.
            $(#[$feature])?
            #[inline]
            fn attacked_squares<C: Colour>(board: &PerftBoard, masks: &CheckMasks) -> u64 {
                let occupied = masks.occupied ^ board.kings[C::OWN];
                let ahead = C::backward(board.pawns[C::ENEMY]);
                let mut set = left(ahead) | right(ahead) | KING_ATTACKS[square_index(board.kings[C::ENEMY])];
                let mut knights = board.knights[C::ENEMY];
                while knights != 0 {
                    set |= KNIGHT_ATTACKS[square_index(pop_lowest(&mut knights))];
                }
                let mut sliders = board.diagonal_sliders[C::ENEMY];
                while sliders != 0 {
                    set |= bishop(square_index(pop_lowest(&mut sliders)), occupied);
                }
                let mut sliders = board.orthogonal_sliders[C::ENEMY];
                while sliders != 0 {
                    set |= rook(square_index(pop_lowest(&mut sliders)), occupied);
                }
                set
            }

            /// Returns whether castling is possible, except that attacks on the path of the king are not tested.
            $(#[$feature])?
            #[inline]
            fn is_castling_clear(board: &PerftBoard, masks: &CheckMasks, castling: &Castling) -> bool {
                board.castling_rooks & castling.rook != 0
                    && masks.occupied & castling.must_be_empty == 0
                    && masks.evasions == u64::MAX
                    && masks.orthogonal_pins & castling.rook == 0
            }

            /// Returns the pawns that can legally capture en passant, by testing the position after each capture.
            $(#[$feature])?
            #[cold]
            fn legal_en_passant_origins<C: Colour>(board: &PerftBoard, masks: &CheckMasks) -> u64 {
                let captured = C::backward(board.en_passant);
                let mut origins = (left(captured) | right(captured)) & board.pawns[C::OWN];
                let mut legal = 0;
                while origins != 0 {
                    let from = pop_lowest(&mut origins);
                    let occupied = masks.occupied ^ from ^ captured | board.en_passant;
                    let leapers = PAWN_ATTACKS[C::OWN][masks.king] & board.pawns[C::ENEMY] & !captured
                        | KNIGHT_ATTACKS[masks.king] & board.knights[C::ENEMY]
                        | KING_ATTACKS[masks.king] & board.kings[C::ENEMY];
                    let sliders = rook(masks.king, occupied) & board.orthogonal_sliders[C::ENEMY]
                        | bishop(masks.king, occupied) & board.diagonal_sliders[C::ENEMY];
                    if leapers | sliders == 0 {
                        legal |= from;
                    }
                }
                legal
            }

            /// Returns the targets of the king, and whether it can castle queenside and kingside. Attacks are computed
            /// only if there is a candidate.
            $(#[$feature])?
            #[inline]
            fn king_targets<C: Colour>(
                board: &PerftBoard,
                castlings: &Castlings,
                masks: &CheckMasks,
            ) -> (u64, [bool; 2]) {
                let castlings = &castlings[C::OWN];
                let mut targets = KING_ATTACKS[masks.king] & !board.by_side[C::OWN] & !board.kings[C::ENEMY];
                let mut can_castle = [false; 2];
                if board.castling_rooks & C::BACK_RANK != 0 {
                    can_castle = [0, 1].map(|i| is_castling_clear(board, masks, &castlings[i]));
                }
                if targets != 0 || can_castle != [false; 2] {
                    let attacked = attacked_squares::<C>(board, masks);
                    targets &= !attacked;
                    for i in 0..2 {
                        can_castle[i] &= attacked & castlings[i].must_be_safe == 0;
                    }
                }
                (targets, can_castle)
            }

            /// Returns the number of legal moves.
            $(#[$feature])?
            #[inline(never)]
            fn count_legal<C: Colour>(board: &PerftBoard, castlings: &Castlings) -> u64 {
                let masks = check_masks::<C>(board);
                let (targets, can_castle) = king_targets::<C>(board, castlings, &masks);
                let mut total = targets.count_ones() + u32::from(can_castle[0]) + u32::from(can_castle[1]);
                if masks.evasions == 0 {
                    return total.into();
                }
                let allowed = masks.evasions & !board.by_side[C::OWN] & !board.kings[C::ENEMY];
                total += count_pawn_targets::<C>(pawn_targets::<C>(board, &masks));
                if board.en_passant != 0 {
                    total += legal_en_passant_origins::<C>(board, &masks).count_ones();
                }
                let pinned = masks.orthogonal_pins | masks.diagonal_pins;
                let mut knights = board.knights[C::OWN] & !pinned;
                while knights != 0 {
                    total += (KNIGHT_ATTACKS[square_index(pop_lowest(&mut knights))] & allowed).count_ones();
                }
                let mut sliders = board.diagonal_sliders[C::OWN] & !pinned;
                while sliders != 0 {
                    let attacks = bishop(square_index(pop_lowest(&mut sliders)), masks.occupied);
                    total += (attacks & allowed).count_ones();
                }
                let mut sliders = board.orthogonal_sliders[C::OWN] & !pinned;
                while sliders != 0 {
                    let attacks = rook(square_index(pop_lowest(&mut sliders)), masks.occupied);
                    total += (attacks & allowed).count_ones();
                }
                if pinned & (board.diagonal_sliders[C::OWN] | board.orthogonal_sliders[C::OWN]) != 0 {
                    let mut sliders = board.diagonal_sliders[C::OWN] & masks.diagonal_pins;
                    while sliders != 0 {
                        let attacks = bishop(square_index(pop_lowest(&mut sliders)), masks.occupied);
                        total += (attacks & masks.diagonal_pins & allowed).count_ones();
                    }
                    let mut sliders = board.orthogonal_sliders[C::OWN] & masks.orthogonal_pins;
                    while sliders != 0 {
                        let attacks = rook(square_index(pop_lowest(&mut sliders)), masks.occupied);
                        total += (attacks & masks.orthogonal_pins & allowed).count_ones();
                    }
                }
                total.into()
            }

            /// Returns the sum of the counts after each legal move.
            $(#[$feature])?
            fn count_children<C: Colour>(board: &PerftBoard, castlings: &Castlings, depth: u32) -> u64 {
                let masks = check_masks::<C>(board);
                let mut total = count_king_moves::<C>(board, castlings, &masks, depth);
                if masks.evasions == 0 {
                    return total;
                }
                total += count_pawn_moves::<C>(board, castlings, &masks, depth);
                let allowed = masks.evasions & !board.by_side[C::OWN] & !board.kings[C::ENEMY];
                let mut knights = board.knights[C::OWN] & !(masks.orthogonal_pins | masks.diagonal_pins);
                while knights != 0 {
                    let from = pop_lowest(&mut knights);
                    let mut targets = KNIGHT_ATTACKS[square_index(from)] & allowed;
                    while targets != 0 {
                        let to = pop_lowest(&mut targets);
                        let mut child = with_piece_moved::<C>(board, from, to);
                        child.knights[C::OWN] ^= from | to;
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                let mut sliders = board.diagonal_sliders[C::OWN] | board.orthogonal_sliders[C::OWN];
                while sliders != 0 {
                    let from = pop_lowest(&mut sliders);
                    let diagonal = board.diagonal_sliders[C::OWN] & from;
                    let orthogonal = board.orthogonal_sliders[C::OWN] & from;
                    let mut targets = 0;
                    if diagonal != 0 {
                        targets = diagonal_targets(&masks, from);
                    }
                    if orthogonal != 0 {
                        targets |= orthogonal_targets(&masks, from);
                    }
                    targets &= allowed;
                    while targets != 0 {
                        let to = pop_lowest(&mut targets);
                        let mut child = with_piece_moved::<C>(board, from, to);
                        child.diagonal_sliders[C::OWN] ^= diagonal | if diagonal != 0 { to } else { 0 };
                        child.orthogonal_sliders[C::OWN] ^= orthogonal | if orthogonal != 0 { to } else { 0 };
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                total
            }

            /// Returns the attacks of a slider along diagonals, as far as its pin leaves them.
            $(#[$feature])?
            #[inline]
            fn diagonal_targets(masks: &CheckMasks, from: u64) -> u64 {
                if masks.orthogonal_pins & from != 0 {
                    return 0;
                }
                let pin = if masks.diagonal_pins & from != 0 { masks.diagonal_pins } else { u64::MAX };
                bishop(square_index(from), masks.occupied) & pin
            }

            /// Returns the attacks of a slider along ranks and files, as far as its pin leaves them.
            $(#[$feature])?
            #[inline]
            fn orthogonal_targets(masks: &CheckMasks, from: u64) -> u64 {
                if masks.diagonal_pins & from != 0 {
                    return 0;
                }
                let pin = if masks.orthogonal_pins & from != 0 { masks.orthogonal_pins } else { u64::MAX };
                rook(square_index(from), masks.occupied) & pin
            }

            $(#[$feature])?
            #[inline]
            fn count_king_moves<C: Colour>(
                board: &PerftBoard,
                castlings: &Castlings,
                masks: &CheckMasks,
                depth: u32,
            ) -> u64 {
                let (mut targets, can_castle) = king_targets::<C>(board, castlings, masks);
                let from = board.kings[C::OWN];
                let mut total = 0;
                while targets != 0 {
                    let to = pop_lowest(&mut targets);
                    let mut child = with_piece_moved::<C>(board, from, to);
                    child.kings[C::OWN] = to;
                    child.castling_rooks &= !C::BACK_RANK;
                    total += count::<C::Enemy>(&child, castlings, depth - 1);
                }
                for i in 0..2 {
                    if can_castle[i] {
                        let Castling { rook, king_to, rook_to, .. } = castlings[C::OWN][i];
                        let mut child = *board;
                        child.kings[C::OWN] = king_to;
                        child.orthogonal_sliders[C::OWN] = board.orthogonal_sliders[C::OWN] & !rook | rook_to;
                        child.by_side[C::OWN] = board.by_side[C::OWN] & !(from | rook) | king_to | rook_to;
                        child.castling_rooks &= !C::BACK_RANK;
                        child.en_passant = 0;
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                total
            }

            $(#[$feature])?
            #[inline]
            fn count_pawn_moves<C: Colour>(
                board: &PerftBoard,
                castlings: &Castlings,
                masks: &CheckMasks,
                depth: u32,
            ) -> u64 {
                let [single, double, to_left, to_right] = pawn_targets::<C>(board, masks);
                let mut total = count_double_steps::<C>(board, castlings, double, depth);
                total += count_pawn_steps::<C, 0>(board, castlings, single, depth);
                total += count_pawn_steps::<C, -1>(board, castlings, to_left, depth);
                total += count_pawn_steps::<C, 1>(board, castlings, to_right, depth);
                if board.en_passant != 0 {
                    total += count_en_passant_captures::<C>(board, castlings, masks, depth);
                }
                total
            }

            /// Returns the sum of the counts after pawn moves of two ranks forward.
            $(#[$feature])?
            #[inline]
            fn count_double_steps<C: Colour>(
                board: &PerftBoard,
                castlings: &Castlings,
                mut targets: u64,
                depth: u32,
            ) -> u64 {
                let mut total = 0;
                while targets != 0 {
                    let to = pop_lowest(&mut targets);
                    let passed = C::backward(to);
                    let from = C::backward(passed);
                    let mut child = with_piece_moved::<C>(board, from, to);
                    child.pawns[C::OWN] ^= from | to;
                    // The en passant square is set only if an enemy pawn attacks it.
                    let can_be_captured = (left(to) | right(to)) & board.pawns[C::ENEMY] != 0;
                    child.en_passant = if can_be_captured { passed } else { 0 };
                    total += count::<C::Enemy>(&child, castlings, depth - 1);
                }
                total
            }

            /// Returns the sum of the counts after captures en passant.
            $(#[$feature])?
            #[cold]
            fn count_en_passant_captures<C: Colour>(
                board: &PerftBoard,
                castlings: &Castlings,
                masks: &CheckMasks,
                depth: u32,
            ) -> u64 {
                let mut total = 0;
                let mut origins = legal_en_passant_origins::<C>(board, masks);
                while origins != 0 {
                    let from = pop_lowest(&mut origins);
                    let captured = C::backward(board.en_passant);
                    let mut child = with_piece_moved::<C>(board, from, board.en_passant);
                    child.pawns[C::OWN] ^= from | board.en_passant;
                    child.pawns[C::ENEMY] ^= captured;
                    child.by_side[C::ENEMY] ^= captured;
                    total += count::<C::Enemy>(&child, castlings, depth - 1);
                }
                total
            }

            /// Returns the sum of the counts after pawn moves of one rank forward and `FILES` files to the right.
            $(#[$feature])?
            #[inline]
            fn count_pawn_steps<C: Colour, const FILES: i32>(
                board: &PerftBoard,
                castlings: &Castlings,
                mut targets: u64,
                depth: u32,
            ) -> u64 {
                let mut total = 0;
                while targets != 0 {
                    let to = pop_lowest(&mut targets);
                    let from = match FILES {
                        0 => C::backward(to),
                        1 => C::backward(to >> 1),
                        _ => C::backward(to << 1),
                    };
                    let mut child = with_piece_moved::<C>(board, from, to);
                    if to & C::LAST_RANK != 0 {
                        child.pawns[C::OWN] ^= from;
                        total += count_promotions::<C>(&child, castlings, to, depth);
                    } else {
                        child.pawns[C::OWN] ^= from | to;
                        total += count::<C::Enemy>(&child, castlings, depth - 1);
                    }
                }
                total
            }

            /// Returns the sum of the counts after the four promotions on a square. The board has the pawn removed.
            $(#[$feature])?
            #[inline]
            fn count_promotions<C: Colour>(
                board: &PerftBoard,
                castlings: &Castlings,
                to: u64,
                depth: u32,
            ) -> u64 {
                let mut total = 0;
                for (knight, diagonal, orthogonal) in [(to, 0, 0), (0, to, 0), (0, 0, to), (0, to, to)] {
                    let mut child = *board;
                    child.knights[C::OWN] |= knight;
                    child.diagonal_sliders[C::OWN] |= diagonal;
                    child.orthogonal_sliders[C::OWN] |= orthogonal;
                    total += count::<C::Enemy>(&child, castlings, depth - 1);
                }
                total
            }

            define_two_plies!([$($feature)?]);
        }
    };
}

define_perft!(scalar, [], geometry::rook_attacks, geometry::bishop_attacks);

#[cfg(all(feature = "std", target_arch = "x86_64"))]
define_perft!(
    bmi2,
    [target_feature(enable = "bmi1,bmi2,popcnt")],
    |square, occupied| pext::rook_attacks(square, |mask| core::arch::x86_64::_pext_u64(occupied, mask)),
    |square, occupied| pext::bishop_attacks(square, |mask| core::arch::x86_64::_pext_u64(occupied, mask))
);

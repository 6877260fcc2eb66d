//! The last two plies together: the replies are counted once, as if the side to move had passed, and each move changes
//! that number by little or nothing.
//!
//! A quiet move empties one square and fills another. The replies of a slider change only if it sees one of the two,
//! and are then counted again; so are those of the pawns if one of the squares is before a pawn or attacked by one.
//! Knights move to empty and to filled squares alike. All other moves are made, and their replies counted one by one:
//!
//! * captures, promotions, castling, moves of the king, and steps of two squares next to an enemy pawn;
//! * moves near the other king: those that open or close a line to it, to a square to which it can step or to one that
//!   it passes in castling, or that begin or end where such a square is attacked.
//!
//! Counting replies once for a null move is the method of T. Huijbregts' chessbit; the sets of squares are our own.

use super::recursion::CheckMasks;

/// The most sliders of a side for which replies are kept, queens counted twice. Setups with more are counted by moves.
pub(super) const MAX_SLIDERS: usize = 16;

/// The squares near the enemy king: a quiet move that begins or ends on one is made.
#[derive(Clone, Copy)]
pub(super) struct KingZones {
    /// For every piece: the squares between the king and a piece that attacks along them, and those of castling.
    pub(super) gaps: u64,
    pub(super) knight: u64,
    pub(super) pawn: u64,
    pub(super) diagonal: u64,
    pub(super) orthogonal: u64,
}

/// The replies as if the side to move had passed.
pub(super) struct Replies {
    pub(super) count: u32,
    pub(super) masks: CheckMasks,
    pub(super) zones: KingZones,
    /// The squares on which the replies of a slider or pawn depend.
    pub(super) sensitive: u64,
    /// The squares on which the replies of the pawns depend.
    pub(super) pawn_sensitive: u64,
    pub(super) pawn_count: u32,
    /// The sliders: those on diagonals, then those on ranks and files.
    pub(super) squares: [u8; MAX_SLIDERS],
    pub(super) attacks: [u64; MAX_SLIDERS],
    pub(super) allowed: [u64; MAX_SLIDERS],
    pub(super) counts: [u8; MAX_SLIDERS],
    pub(super) diagonal_len: usize,
    pub(super) len: usize,
}

impl Replies {
    /// Adds a slider with its attacks and the targets that checks and pins leave to it.
    #[inline(always)]
    pub(super) fn add_slider(&mut self, square: usize, attacks: u64, allowed: u64) {
        let (index, count) = (self.len % MAX_SLIDERS, (attacks & allowed).count_ones());
        self.squares[index] = square as u8;
        self.attacks[index] = attacks;
        self.allowed[index] = allowed;
        self.counts[index] = count as u8;
        self.len += 1;
        self.count += count;
        self.sensitive |= attacks;
    }
}

/// Returns the quiet targets whose replies need no board: none if the origin is in the zone.
#[inline(always)]
pub(super) fn summed_targets(from: u64, quiet: u64, zone: u64) -> u64 {
    if from & zone == 0 { quiet & !zone } else { 0 }
}

/// Defines the functions over `rook`, `bishop` and the functions of one ply of the enclosing module.
macro_rules! define_two_plies {
    ([$($feature:meta)?]) => {
        /// Counts the replies of side `E` as if the other side had passed. Returns `None` if `E` is in check, as in
        /// some waived setups, or has too many sliders.
        $(#[$feature])?
        #[inline]
        fn count_replies<E: Colour>(board: &PerftBoard, castlings: &Castlings) -> Option<Replies> {
            let masks = check_masks::<E>(board);
            let (diagonal, orthogonal) = (board.diagonal_sliders[E::OWN], board.orthogonal_sliders[E::OWN]);
            if masks.evasions != u64::MAX || (diagonal.count_ones() + orthogonal.count_ones()) as usize > MAX_SLIDERS
            {
                return None;
            }
            let (targets, can_castle) = king_targets::<E>(board, castlings, &masks);
            let pawn_count = count_pawn_targets::<E>(pawn_targets::<E>(board, &masks));
            let ahead = E::forward(board.pawns[E::OWN]);
            let pawn_sensitive = ahead | E::forward(ahead & E::THIRD_RANK) | left(ahead) | right(ahead);
            let zones = king_zones::<E>(board, castlings, &masks);
            let mut replies = Replies {
                count: targets.count_ones() + u32::from(can_castle[0]) + u32::from(can_castle[1]) + pawn_count,
                zones,
                sensitive: pawn_sensitive,
                pawn_sensitive,
                pawn_count,
                squares: [0; MAX_SLIDERS],
                attacks: [0; MAX_SLIDERS],
                allowed: [0; MAX_SLIDERS],
                counts: [0; MAX_SLIDERS],
                diagonal_len: 0,
                len: 0,
                masks,
            };
            let masks = &replies.masks;
            let allowed = !board.by_side[E::OWN] & !board.kings[E::ENEMY];
            let pinned = masks.orthogonal_pins | masks.diagonal_pins;
            let mut knights = board.knights[E::OWN] & !pinned;
            while knights != 0 {
                let attacks = KNIGHT_ATTACKS[square_index(pop_lowest(&mut knights))];
                replies.count += (attacks & allowed).count_ones();
            }
            let pins = [masks.diagonal_pins, masks.orthogonal_pins];
            let occupied = masks.occupied;
            let mut sliders = diagonal & !pins[1];
            while sliders != 0 {
                let from = pop_lowest(&mut sliders);
                let pin = if pins[0] & from != 0 { pins[0] } else { u64::MAX };
                replies.add_slider(square_index(from), bishop(square_index(from), occupied), allowed & pin);
            }
            replies.diagonal_len = replies.len;
            let mut sliders = orthogonal & !pins[0];
            while sliders != 0 {
                let from = pop_lowest(&mut sliders);
                let pin = if pins[1] & from != 0 { pins[1] } else { u64::MAX };
                replies.add_slider(square_index(from), rook(square_index(from), occupied), allowed & pin);
            }
            Some(replies)
        }

        /// Returns the zones around the king of side `E`; the moves of its enemy are counted.
        $(#[$feature])?
        #[inline]
        fn king_zones<E: Colour>(board: &PerftBoard, castlings: &Castlings, masks: &CheckMasks) -> KingZones {
            let (king, occupied, enemies) = (masks.king, masks.occupied, board.by_side[E::ENEMY]);
            // From the second layer a slider pins the first piece, if that is one of `E`.
            let second_layer = |first: u64| occupied & !(first & board.by_side[E::OWN]);
            let mut zones = KingZones {
                gaps: line_gaps(king, occupied, ROOK_RAYS[king] & board.orthogonal_sliders[E::ENEMY])
                    | line_gaps(king, occupied, BISHOP_RAYS[king] & board.diagonal_sliders[E::ENEMY]),
                knight: KNIGHT_ATTACKS[king],
                pawn: PAWN_ATTACKS[E::OWN][king],
                diagonal: bishop(king, second_layer(bishop(king, occupied))),
                orthogonal: rook(king, second_layer(rook(king, occupied))),
            };
            let mut steps = KING_ATTACKS[king] & !board.by_side[E::OWN];
            if board.castling_rooks & E::BACK_RANK != 0 {
                for castling in &castlings[E::OWN] {
                    let is_closed = occupied & castling.must_be_empty & board.by_side[E::OWN] != 0;
                    if board.castling_rooks & castling.rook != 0 && !is_closed {
                        steps |= castling.must_be_safe;
                        zones.gaps |= castling.must_be_empty;
                    }
                }
            }
            let behind = E::forward(steps);
            zones.pawn |= left(behind) | right(behind);
            let without_king = occupied ^ board.kings[E::OWN];
            while steps != 0 {
                let step = square_index(pop_lowest(&mut steps));
                let (orthogonal, diagonal) = (rook(step, without_king), bishop(step, without_king));
                zones.knight |= KNIGHT_ATTACKS[step];
                zones.orthogonal |= orthogonal;
                zones.diagonal |= diagonal;
                for (visible, rays, sliders) in [
                    (orthogonal, &ROOK_RAYS, board.orthogonal_sliders[E::ENEMY]),
                    (diagonal, &BISHOP_RAYS, board.diagonal_sliders[E::ENEMY]),
                ] {
                    let mut attackers = visible & sliders;
                    while attackers != 0 {
                        zones.gaps |= BETWEEN[step][square_index(pop_lowest(&mut attackers))];
                    }
                    // A piece that leaves may uncover a slider behind it.
                    if rays[step] & sliders & !visible != 0 {
                        zones.gaps |= visible & enemies;
                    }
                }
            }
            zones
        }

        /// Returns the change of the number of replies when a quiet move empties one of two squares and fills the
        /// other.
        $(#[$feature])?
        #[inline]
        fn reply_change<E: Colour>(board: &PerftBoard, replies: &Replies, squares: u64) -> i32 {
            let occupied = replies.masks.occupied ^ squares;
            let mut change = 0;
            for i in 0..replies.diagonal_len.min(MAX_SLIDERS) {
                if replies.attacks[i] & squares != 0 {
                    let attacks = bishop(usize::from(replies.squares[i] & 63), occupied);
                    change += (attacks & replies.allowed[i]).count_ones() as i32 - i32::from(replies.counts[i]);
                }
            }
            for i in replies.diagonal_len..replies.len.min(MAX_SLIDERS) {
                if replies.attacks[i] & squares != 0 {
                    let attacks = rook(usize::from(replies.squares[i] & 63), occupied);
                    change += (attacks & replies.allowed[i]).count_ones() as i32 - i32::from(replies.counts[i]);
                }
            }
            if replies.pawn_sensitive & squares != 0 {
                let enemies = board.by_side[E::ENEMY] ^ squares;
                let targets = pawn_targets_among::<E>(board, &replies.masks, occupied, enemies);
                change += count_pawn_targets::<E>(targets) as i32 - replies.pawn_count as i32;
            }
            change
        }

        /// Returns the sum of the replies after the moves of a piece to some quiet targets.
        $(#[$feature])?
        #[inline]
        fn sum_replies<E: Colour>(board: &PerftBoard, replies: &Replies, from: u64, targets: u64) -> u64 {
            let mut sum = (targets.count_ones() * replies.count) as i32;
            let mut changing = if from & replies.sensitive != 0 { targets } else { targets & replies.sensitive };
            while changing != 0 {
                sum += reply_change::<E>(board, replies, from | pop_lowest(&mut changing));
            }
            sum as u64
        }

        /// Returns the sum over all legal moves of the number of replies.
        $(#[$feature])?
        #[inline(never)]
        fn count_two_plies<C: Colour>(board: &PerftBoard, castlings: &Castlings) -> u64 {
            let Some(replies) = count_replies::<C::Enemy>(board, castlings) else {
                return count_children::<C>(board, castlings, 2);
            };
            let masks = check_masks::<C>(board);
            let mut total = count_king_moves::<C>(board, castlings, &masks, 2);
            if masks.evasions == 0 {
                return total;
            }
            let zones = &replies.zones;
            total += count_pawns_and_replies::<C>(board, castlings, &masks, &replies);
            let allowed = masks.evasions & !board.by_side[C::OWN] & !board.kings[C::ENEMY];
            let mut knights = board.knights[C::OWN] & !(masks.orthogonal_pins | masks.diagonal_pins);
            while knights != 0 {
                let from = pop_lowest(&mut knights);
                let targets = KNIGHT_ATTACKS[square_index(from)] & allowed;
                let summed = summed_targets(from, targets & !masks.occupied, zones.gaps | zones.knight);
                total += sum_replies::<C::Enemy>(board, &replies, from, summed);
                let mut single = targets ^ summed;
                while single != 0 {
                    let to = pop_lowest(&mut single);
                    let mut child = with_piece_moved::<C>(board, from, to);
                    child.knights[C::OWN] ^= from | to;
                    total += count_legal::<C::Enemy>(&child, castlings);
                }
            }
            let mut sliders = board.diagonal_sliders[C::OWN] | board.orthogonal_sliders[C::OWN];
            while sliders != 0 {
                let from = pop_lowest(&mut sliders);
                let diagonal = board.diagonal_sliders[C::OWN] & from;
                let orthogonal = board.orthogonal_sliders[C::OWN] & from;
                let (mut targets, mut zone) = (0, zones.gaps);
                if diagonal != 0 {
                    targets = diagonal_targets(&masks, from);
                    zone |= zones.diagonal;
                }
                if orthogonal != 0 {
                    targets |= orthogonal_targets(&masks, from);
                    zone |= zones.orthogonal;
                }
                targets &= allowed;
                let summed = summed_targets(from, targets & !masks.occupied, zone);
                total += sum_replies::<C::Enemy>(board, &replies, from, summed);
                let mut single = targets ^ summed;
                while single != 0 {
                    let to = pop_lowest(&mut single);
                    let mut child = with_piece_moved::<C>(board, from, to);
                    child.diagonal_sliders[C::OWN] ^= diagonal | if diagonal != 0 { to } else { 0 };
                    child.orthogonal_sliders[C::OWN] ^= orthogonal | if orthogonal != 0 { to } else { 0 };
                    total += count_legal::<C::Enemy>(&child, castlings);
                }
            }
            total
        }

        /// Returns the sum of the replies after all moves of pawns.
        $(#[$feature])?
        #[inline]
        fn count_pawns_and_replies<C: Colour>(
            board: &PerftBoard,
            castlings: &Castlings,
            masks: &CheckMasks,
            replies: &Replies,
        ) -> u64 {
            let [single, double, to_left, to_right] = pawn_targets::<C>(board, masks);
            let zone = replies.zones.gaps | replies.zones.pawn;
            let summed = single & !zone & !C::forward(zone) & !C::LAST_RANK;
            let mut total = sum_pawn_replies::<C>(board, replies, summed, C::backward);
            total += count_pawn_steps::<C, 0>(board, castlings, single ^ summed, 2);
            let beside = left(board.pawns[C::ENEMY]) | right(board.pawns[C::ENEMY]);
            let summed = double & !zone & !C::forward(C::forward(zone)) & !beside;
            total += sum_pawn_replies::<C>(board, replies, summed, |to| C::backward(C::backward(to)));
            total += count_double_steps::<C>(board, castlings, double ^ summed, 2);
            total += count_pawn_steps::<C, -1>(board, castlings, to_left, 2);
            total += count_pawn_steps::<C, 1>(board, castlings, to_right, 2);
            if board.en_passant != 0 {
                total += count_en_passant_captures::<C>(board, castlings, masks, 2);
            }
            total
        }

        /// Returns the sum of the replies after steps of pawns to some targets.
        $(#[$feature])?
        #[inline]
        fn sum_pawn_replies<C: Colour>(
            board: &PerftBoard,
            replies: &Replies,
            mut targets: u64,
            origin: impl Fn(u64) -> u64,
        ) -> u64 {
            let mut sum = (targets.count_ones() * replies.count) as i32;
            while targets != 0 {
                let to = pop_lowest(&mut targets);
                let squares = to | origin(to);
                if replies.sensitive & squares != 0 {
                    sum += reply_change::<C::Enemy>(board, replies, squares);
                }
            }
            sum as u64
        }
    };
}
pub(super) use define_two_plies;

/// Returns the squares on the lines between a king and enemy sliders that matter: all, and the slider, if at most one
/// piece is between; the pieces if there are two, because one of them may leave.
#[inline(always)]
pub(super) fn line_gaps(king: usize, occupied: u64, mut sliders: u64) -> u64 {
    let mut gaps = 0;
    while sliders != 0 {
        let slider = sliders & sliders.wrapping_neg();
        sliders ^= slider;
        let path = crate::geometry::BETWEEN[king][slider.trailing_zeros() as usize & 63];
        let blockers = path & occupied;
        let others = blockers & blockers.wrapping_sub(1);
        if others == 0 {
            gaps |= path | slider;
        } else if others & (others - 1) == 0 {
            gaps |= blockers;
        }
    }
    gaps
}

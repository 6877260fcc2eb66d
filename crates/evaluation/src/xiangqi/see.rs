//! Static exchange: what a series of captures on one point wins.

use alfil_kernel::Side;

use super::SEE_VALUES;
use alfil_xiangqi::bitboard::square_at;
use alfil_xiangqi::board::{Board, SquareSet};
use alfil_xiangqi::geometry::{
    ADVISOR_TARGETS, ELEPHANT_TARGETS, HORSE_ORIGINS, LineOccupancy, SOLDIER_ORIGINS, is_in_any_palace,
    king_attack_table,
};
use alfil_xiangqi::moves::Move;
use alfil_xiangqi::piece::{Piece, PieceKind};
use alfil_xiangqi::square::Square;

fn see_value(kind: PieceKind) -> i32 {
    SEE_VALUES[kind as usize]
}

/// Whether this move and the captures that answer it on its target win the mover at least so much, each side taking
/// with its least man and stopping when it likes. Pins are not looked at; a general takes only what is not guarded.
///
/// The swap-off with one bound, as in the "static exchange evaluation" of many chess engines. In xiangqi a man that leaves its point
/// also makes and takes away cannon screens and frees horse legs, so the attackers are found afresh after each capture.
pub(super) fn see_ge<P: Board>(position: &P, mv: Move, at_least: i32) -> bool {
    let Some(mover) = position.piece_on(mv.origin()) else { return false };
    let won = position.captured_piece(mv).map_or(0, |piece| see_value(piece.kind()));
    let mut balance = won - at_least;
    if balance < 0 {
        return false;
    }
    balance = see_value(mover.kind()) - balance;
    if balance <= 0 {
        return true;
    }
    let target = mv.target();
    let mut occupied = position.occupied();
    let mut lines = position.line_occupancy();
    occupied = occupied.difference(SquareSet::from_square(mv.origin().index()));
    lines.toggle(mv.origin());
    if !occupied.contains(target.index()) {
        occupied = occupied | SquareSet::from_square(target.index());
        lines.toggle(target);
    }
    let (mut side, mut wins) = (mover.side(), true);
    loop {
        side = !side;
        let Some((kind, from)) = least_valuable_attacker(position, target, side, occupied, &lines) else {
            return wins;
        };
        occupied = occupied.difference(SquareSet::from_square(from));
        lines.toggle(square_at(from));
        if kind == PieceKind::King {
            // It takes last, and only where it is not taken then: its own step can open a line.
            return if least_valuable_attacker(position, target, !side, occupied, &lines).is_some() {
                wins
            } else {
                !wins
            };
        }
        wins = !wins;
        balance = see_value(kind) - balance;
        if balance < i32::from(wins) {
            return wins;
        }
    }
}

/// The least man of a side that can take on a point among these obstacles, and where it stands.
#[inline]
fn least_valuable_attacker<P: Board>(
    position: &P,
    target: Square,
    side: Side,
    occupied: SquareSet,
    lines: &LineOccupancy,
) -> Option<(PieceKind, usize)> {
    let index = target.index();
    let of = |kind| position.pieces(Piece::new(side, kind)) & occupied;
    let first = |set: SquareSet, kind| Some((kind, (set & of(kind)).first()?));
    first(SOLDIER_ORIGINS[side.index()][index], PieceKind::Soldier)
        .or_else(|| {
            if is_in_any_palace(target) { first(ADVISOR_TARGETS[index], PieceKind::Advisor) } else { None }
        })
        .or_else(|| first(ELEPHANT_TARGETS[index][lines.eye_index(target)], PieceKind::Elephant))
        .or_else(|| first(HORSE_ORIGINS[index][lines.eye_index(target)], PieceKind::Horse))
        .or_else(|| first(lines.cannon_targets(target), PieceKind::Cannon))
        .or_else(|| first(lines.rook_targets(target), PieceKind::Rook))
        .or_else(|| {
            if is_in_any_palace(target) {
                first(king_attack_table(target).steps, PieceKind::King)
            } else {
                None
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::HandcraftedEval;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{MoveList, Position, Setup as _, Tactics as _, Waivers};
    use alfil_xiangqi::{Bitboard, Mailbox, Setup};

    /// What the side to take on `target` wins there, found by trying it: the value of the swap-off without bounds.
    fn swap(setup: &Setup, target: Square, side: Side) -> i32 {
        let on = |square: Square| setup.board[square.index()];
        let men = Square::all().filter_map(|square| Some((on(square)?, square)));
        let takers = |side: Side| {
            let mut after = setup.clone();
            after.board[target.index()] = Some(Piece::new(!side, PieceKind::Soldier));
            let occupied =
                SquareSet::from_squares((0..Square::COUNT).filter(|&at| after.board[at].is_some()));
            let of = |kind: PieceKind| {
                let is = |at: &usize| after.board[*at] == Some(Piece::new(side, kind));
                SquareSet::from_squares((0..Square::COUNT).filter(is))
            };
            alfil_xiangqi::geometry::attackers_to(target, side, occupied, false, of)
        };
        let mine = takers(side);
        let Some((piece, from)) = men
            .filter(|&(_, square)| square != target && mine.contains(square.index()))
            .min_by_key(|&(piece, square)| (see_value(piece.kind()), square))
        else {
            return 0;
        };
        let taken = on(target).map_or(0, |piece| see_value(piece.kind()));
        let mut after = setup.clone();
        after.board[from.index()] = None;
        after.board[target.index()] = Some(piece);
        (taken - swap(&after, target, !side)).max(0)
    }

    #[test]
    fn equals_the_swap_off_tried_out() {
        let mut random = SplitMix64::new(15);
        let mut tried = 0;
        for _ in 0..30 {
            let mut position = <Bitboard>::from_setup(&Setup::start(), &Waivers::None).unwrap();
            for _ in 0..150 {
                let mut list = MoveList::new();
                position.generate_legal(&mut list);
                let setup = position.to_setup();
                let mailbox = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
                for &mv in &list {
                    if position.piece_on(mv.origin()).is_some_and(|man| man.kind() == PieceKind::King) {
                        // Where it goes it is not attacked: the general is never taken.
                        continue;
                    }
                    let taken = position.captured_piece(mv).map_or(0, |piece| see_value(piece.kind()));
                    let mut after = setup.clone();
                    after.board[mv.target().index()] = after.board[mv.origin().index()].take();
                    let value = taken - swap(&after, mv.target(), !position.side_to_move());
                    for at_least in [value - 1, value, value + 1, 0, 1, -99] {
                        let found = HandcraftedEval::default().see_ge(&position, mv, at_least);
                        assert_eq!(found, value >= at_least, "{setup:?} {mv}: {value} against {at_least}");
                        assert_eq!(found, HandcraftedEval::default().see_ge(&mailbox, mv, at_least));
                        tried += 1;
                    }
                }
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                position.make(mv, &mut ());
            }
        }
        assert!(tried > 500_000, "{tried}");
    }
}

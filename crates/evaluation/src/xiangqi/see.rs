//! Static exchange evaluation: what a series of captures on one square wins.

use alfil_kernel::Side;

use super::SEE_VALUES;
use alfil_xiangqi::board::Board;
use alfil_xiangqi::geometry::{
    ADVISOR_TARGETS, ELEPHANT_TARGETS, HORSE_ORIGINS, LineOccupancy, SOLDIER_ORIGINS, is_in_any_palace,
    king_attack_table,
};
use alfil_xiangqi::moves::Move;
use alfil_xiangqi::piece::{Piece, PieceKind};
use alfil_xiangqi::square::{Square, SquareSet};

fn see_value(kind: PieceKind) -> i32 {
    SEE_VALUES[kind as usize]
}

/// Returns whether a move and the captures that answer it on its target win the mover at least `at_least` centipawns.
/// Each side captures with its least valuable piece and may stop. Pins are ignored; a king captures only unprotected
/// pieces.
///
/// The swap algorithm with one bound (CPW: Static Exchange Evaluation). In xiangqi a piece that leaves its square also
/// adds or removes cannon screens and frees horse legs, so the attackers are computed again after each capture.
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
    occupied = occupied.difference(SquareSet::from_square(mv.origin()));
    lines.toggle(mv.origin());
    if !occupied.contains(target) {
        occupied = occupied | SquareSet::from_square(target);
        lines.toggle(target);
    }
    let (mut side, mut mover_wins) = (mover.side(), true);
    loop {
        side = !side;
        let Some((kind, from)) = least_valuable_attacker(position, target, side, occupied, &lines) else {
            return mover_wins;
        };
        occupied = occupied.difference(SquareSet::from_square(from));
        lines.toggle(from);
        if kind == PieceKind::King {
            // A king captures last, and only on a square that is not attacked then: its own step can open a line.
            return if least_valuable_attacker(position, target, !side, occupied, &lines).is_some() {
                mover_wins
            } else {
                !mover_wins
            };
        }
        mover_wins = !mover_wins;
        balance = see_value(kind) - balance;
        if balance < i32::from(mover_wins) {
            return mover_wins;
        }
    }
}

/// Returns the least valuable piece of a side that can capture on a square under this occupancy, and its square.
#[inline]
fn least_valuable_attacker<P: Board>(
    position: &P,
    target: Square,
    side: Side,
    occupied: SquareSet,
    lines: &LineOccupancy,
) -> Option<(PieceKind, Square)> {
    let index = target.index();
    let pieces_of = |kind| position.pieces(Piece::new(side, kind)) & occupied;
    let first = |set: SquareSet, kind| Some((kind, (set & pieces_of(kind)).first()?));
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

    /// Returns what the side to capture on `target` wins there by playing the exchange out without bounds.
    fn exchange_value(setup: &Setup, target: Square, side: Side) -> i32 {
        let on = |square: Square| setup.board[square.index()];
        let pieces = Square::all().filter_map(|square| Some((on(square)?, square)));
        let capturers = |side: Side| {
            let mut after = setup.clone();
            after.board[target.index()] = Some(Piece::new(!side, PieceKind::Soldier));
            let occupied =
                SquareSet::from_squares(Square::all().filter(|at| after.board[at.index()].is_some()));
            let pieces_of = |kind: PieceKind| {
                let is_capturer = |at: &Square| after.board[at.index()] == Some(Piece::new(side, kind));
                SquareSet::from_squares(Square::all().filter(is_capturer))
            };
            alfil_xiangqi::geometry::attackers_to(target, side, occupied, false, pieces_of)
        };
        let own = capturers(side);
        let Some((piece, from)) = pieces
            .filter(|&(_, square)| square != target && own.contains(square))
            .min_by_key(|&(piece, square)| (see_value(piece.kind()), square))
        else {
            return 0;
        };
        let captured = on(target).map_or(0, |piece| see_value(piece.kind()));
        let mut after = setup.clone();
        after.board[from.index()] = None;
        after.board[target.index()] = Some(piece);
        (captured - exchange_value(&after, target, !side)).max(0)
    }

    #[test]
    fn see_ge_equals_the_exchange_played_out() {
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
                    if position.piece_on(mv.origin()).is_some_and(|piece| piece.kind() == PieceKind::King) {
                        // A king moves to unattacked squares only: it is never captured.
                        continue;
                    }
                    let captured = position.captured_piece(mv).map_or(0, |piece| see_value(piece.kind()));
                    let mut after = setup.clone();
                    after.board[mv.target().index()] = after.board[mv.origin().index()].take();
                    let value = captured - exchange_value(&after, mv.target(), !position.side_to_move());
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

//! Static exchange: what a series of captures on one point wins.

use alfil_kernel::{Score, Side};

use super::WORTH;
use alfil_xiangqi::bitboard::point;
use alfil_xiangqi::board::{Board, Points};
use alfil_xiangqi::geometry::{ADVISOR, ELEPHANT, HORSE_FROM, Lines, SOLDIER_FROM, in_palaces, seat_of};
use alfil_xiangqi::moves::Move;
use alfil_xiangqi::piece::{Kind, Piece};
use alfil_xiangqi::square::Square;

fn worth(kind: Kind) -> Score {
    WORTH[kind as usize]
}

/// Whether this move and the captures that answer it on its target win the mover at least so much, each side taking
/// with its least man and stopping when it likes. Pins are not looked at; a general takes only what is not guarded.
///
/// The swap-off with one bound, as in the "static exchange evaluation" of many chess engines. In xiangqi a man that leaves its point
/// also makes and takes away cannon screens and frees horse legs, so the attackers are found afresh after each capture.
pub(super) fn wins<P: Board>(position: &P, mv: Move, at_least: Score) -> bool {
    let Some(mover) = position.piece_on(mv.origin()) else { return false };
    let won = position.captured(mv).map_or(0, |piece| worth(piece.kind()));
    let mut balance = won - at_least;
    if balance < 0 {
        return false;
    }
    balance = worth(mover.kind()) - balance;
    if balance <= 0 {
        return true;
    }
    let target = mv.target();
    let mut occupied = position.occupied();
    let mut lines = position.lines_of_men();
    occupied = occupied.minus(Points::of(mv.origin().index()));
    lines.toggle(mv.origin());
    if !occupied.contains(target.index()) {
        occupied = occupied | Points::of(target.index());
        lines.toggle(target);
    }
    let (mut side, mut wins) = (mover.side(), true);
    loop {
        side = !side;
        let Some((kind, from)) = least(position, target, side, occupied, &lines) else { return wins };
        occupied = occupied.minus(Points::of(from));
        lines.toggle(point(from));
        if kind == Kind::King {
            // It takes last, and only where it is not taken then: its own step can open a line.
            return if least(position, target, !side, occupied, &lines).is_some() { wins } else { !wins };
        }
        wins = !wins;
        balance = worth(kind) - balance;
        if balance < Score::from(wins) {
            return wins;
        }
    }
}

/// The least man of a side that can take on a point among these obstacles, and where it stands.
#[inline]
fn least<P: Board>(
    position: &P,
    target: Square,
    side: Side,
    occupied: Points,
    lines: &Lines,
) -> Option<(Kind, usize)> {
    let index = target.index();
    let of = |kind| position.pieces(Piece::new(side, kind)) & occupied;
    let first = |set: Points, kind| Some((kind, (set & of(kind)).first()?));
    first(SOLDIER_FROM[side.index()][index], Kind::Soldier)
        .or_else(|| if in_palaces(target) { first(ADVISOR[index], Kind::Advisor) } else { None })
        .or_else(|| first(ELEPHANT[index][lines.eyes(target)], Kind::Elephant))
        .or_else(|| first(HORSE_FROM[index][lines.eyes(target)], Kind::Horse))
        .or_else(|| first(lines.cannon(target), Kind::Cannon))
        .or_else(|| first(lines.rook(target), Kind::Rook))
        .or_else(|| if in_palaces(target) { first(seat_of(target).steps, Kind::King) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_xiangqi::{Bitboard, Mailbox, Setup};
    use crate::xiangqi::Values;
    use alfil_kernel::keys::SplitMix64;
    use alfil_kernel::{Evaluate, MoveList, Position, Setup as _, Waivers};

    /// What the side to take on `target` wins there, found by trying it: the value of the swap-off without bounds.
    fn swap(setup: &Setup, target: Square, side: Side) -> Score {
        let on = |square: Square| setup.men[square.index()];
        let men = Square::all().filter_map(|square| Some((on(square)?, square)));
        let takers = |side: Side| {
            let mut after = setup.clone();
            after.men[target.index()] = Some(Piece::new(!side, Kind::Soldier));
            let occupied = Points::from_squares((0..Square::COUNT).filter(|&at| after.men[at].is_some()));
            let of = |kind: Kind| {
                let is = |at: &usize| after.men[*at] == Some(Piece::new(side, kind));
                Points::from_squares((0..Square::COUNT).filter(is))
            };
            alfil_xiangqi::geometry::attackers(target, side, occupied, false, of)
        };
        let mine = takers(side);
        let Some((piece, from)) = men
            .filter(|&(_, square)| square != target && mine.contains(square.index()))
            .min_by_key(|&(piece, square)| (worth(piece.kind()), square))
        else {
            return 0;
        };
        let taken = on(target).map_or(0, |piece| worth(piece.kind()));
        let mut after = setup.clone();
        after.men[from.index()] = None;
        after.men[target.index()] = Some(piece);
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
                position.moves(&mut list);
                let setup = position.setup();
                let mailbox = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
                for &mv in &list {
                    if position.piece_on(mv.origin()).is_some_and(|man| man.kind() == Kind::King) {
                        // Where it goes it is not attacked: the general is never taken.
                        continue;
                    }
                    let taken = position.captured(mv).map_or(0, |piece| worth(piece.kind()));
                    let mut after = setup.clone();
                    after.men[mv.target().index()] = after.men[mv.origin().index()].take();
                    let value = taken - swap(&after, mv.target(), !position.side());
                    for at_least in [value - 1, value, value + 1, 0, 1, -99] {
                        let found = Values::default().exchange(&position, mv, at_least);
                        assert_eq!(found, value >= at_least, "{setup:?} {mv}: {value} against {at_least}");
                        assert_eq!(found, Values::default().exchange(&mailbox, mv, at_least));
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

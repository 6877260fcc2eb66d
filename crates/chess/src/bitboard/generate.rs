//! Which moves there are: sets of targets, handed to whoever lists or counts them.

use alfil_kernel::{MoveList, Side};

use super::{Bitboard, NONE};
use crate::board::Board;
use crate::geometry::{self, BETWEEN, KING, KNIGHT, LINE, PAWN, bishop, rook};
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Those that leave the own king safe.
    Legal,
    /// Of the legal ones those that take something.
    Captures,
    /// As the men move.
    Pseudo,
}

/// Takes moves in sets.
pub(super) trait Sink {
    /// A man on `origin` may go to each of these squares.
    fn piece(&mut self, origin: usize, targets: u64);
    /// Pawns may go to these squares, each from the square `step` numbers before it.
    fn pawns(&mut self, targets: u64, step: i32);
    /// The same, and become something there.
    fn promotions(&mut self, targets: u64, step: i32);
}

/// Counting needs no list: the number of moves is the number of bits.
pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: usize, targets: u64) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline(always)]
    fn pawns(&mut self, targets: u64, _: i32) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u64, _: i32) {
        self.0 += 4 * targets.count_ones() as usize;
    }
}

/// The squares of a set, from the lowest to the highest.
#[inline(always)]
fn each(mut set: u64, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize & 63);
        set &= set - 1;
    }
}

#[inline(always)]
fn before(target: usize, step: i32) -> Square {
    Square::of_bits((target as i32 - step) as usize)
}

impl Sink for MoveList<Move> {
    #[inline(always)]
    fn piece(&mut self, origin: usize, targets: u64) {
        each(targets, |target| self.push(Move::of(Square::of_bits(origin), Square::of_bits(target))));
    }

    #[inline(always)]
    fn pawns(&mut self, targets: u64, step: i32) {
        each(targets, |target| self.push(Move::of(before(target, step), Square::of_bits(target))));
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u64, step: i32) {
        each(targets, |target| {
            for kind in Kind::PROMOTIONS {
                self.push(Move::promotion(before(target, step), Square::of_bits(target), kind));
            }
        });
    }
}

/// What differs between the colours, so that each gets code of its own without a test.
#[inline(always)]
const fn ahead<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { set << 8 } else { set >> 8 }
}

impl Bitboard {
    /// Hands out the moves of the side to move.
    #[inline]
    pub(super) fn generate<S: Sink>(&self, scope: Scope, sink: &mut S) {
        match (self.side, scope == Scope::Pseudo) {
            (Side::First, false) => self.generate_for::<true, true, S>(scope, sink),
            (Side::Second, false) => self.generate_for::<false, true, S>(scope, sink),
            (Side::First, true) => self.generate_for::<true, false, S>(scope, sink),
            (Side::Second, true) => self.generate_for::<false, false, S>(scope, sink),
        }
    }

    fn generate_for<const WHITE: bool, const LEGAL: bool, S: Sink>(&self, scope: Scope, sink: &mut S) {
        let (side, enemy) = if WHITE { (Side::First, Side::Second) } else { (Side::Second, Side::First) };
        let king = self.king_of(side);
        let wanted = if scope == Scope::Captures { self.own(enemy) } else { u64::MAX };
        let mut goal = wanted & !self.own(side) & !self.of(enemy, Kind::King);

        let mut steps = KING[king] & goal;
        if LEGAL && steps != 0 {
            steps &= !self.attacked_by(enemy, self.all() ^ 1 << king);
        }
        sink.piece(king, steps);
        let checkers = if LEGAL { self.checkers } else { 0 };
        if checkers & checkers.wrapping_sub(1) != 0 {
            // Two checks at once: the king must move.
            return;
        }
        if checkers != 0 {
            goal &= BETWEEN[king][checkers.trailing_zeros() as usize] | checkers;
        }
        let pinned = if LEGAL { self.pinned } else { 0 };
        self.officers(side, king, goal, pinned, sink);

        let pawns = self.of(side, Kind::Pawn);
        self.pawns::<WHITE, S>(pawns & !pinned, goal, sink);
        each(pawns & pinned, |pawn| self.pawns::<WHITE, S>(1 << pawn, goal & LINE[king][pawn], sink));
        if self.en_passant != NONE {
            let target = usize::from(self.en_passant & 63);
            each(PAWN[enemy.index()][target] & pawns, |origin| {
                if !LEGAL || self.is_safe_en_passant(origin, target) {
                    sink.piece(origin, 1 << target);
                }
            });
        }
        if scope != Scope::Captures {
            each(self.rooks & geometry::rank(if WHITE { 0 } else { 7 }), |rook| {
                if self.is_free_to_castle(king, rook) && (!LEGAL || self.is_safe_to_castle(king, rook)) {
                    sink.piece(king, 1 << rook);
                }
            });
        }
    }

    /// Knights, bishops, rooks and queens. A pinned man stays on the line between its king and the pinner; a pinned
    /// knight cannot.
    #[inline(always)]
    fn officers<S: Sink>(&self, side: Side, king: usize, goal: u64, pinned: u64, sink: &mut S) {
        let all = self.all();
        each(self.of(side, Kind::Knight) & !pinned, |origin| sink.piece(origin, KNIGHT[origin] & goal));
        let line = |origin: usize| if pinned >> origin & 1 == 0 { goal } else { goal & LINE[king][origin] };
        each(self.of(side, Kind::Bishop), |origin| {
            sink.piece(origin, bishop(origin, all) & line(origin));
        });
        each(self.of(side, Kind::Rook), |origin| sink.piece(origin, rook(origin, all) & line(origin)));
        each(self.of(side, Kind::Queen), |origin| {
            sink.piece(origin, (bishop(origin, all) | rook(origin, all)) & line(origin));
        });
    }

    /// All moves of these pawns to `goal`, en passant aside: the whole set is shifted at once.
    #[inline(always)]
    fn pawns<const WHITE: bool, S: Sink>(&self, pawns: u64, goal: u64, sink: &mut S) {
        const A: u64 = geometry::file(0);
        const H: u64 = geometry::file(7);
        let (third, last) = if WHITE {
            (geometry::rank(2), geometry::rank(7))
        } else {
            (geometry::rank(5), geometry::rank(0))
        };
        let (ward, left, right) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
        let empty = !self.all();
        let prey = self.own(if WHITE { Side::Second } else { Side::First }) & goal;

        let one = ahead::<WHITE>(pawns) & empty;
        let two = ahead::<WHITE>(one & third) & empty & goal;
        let one = one & goal;
        let to_left = ahead::<WHITE>(pawns & !A) >> 1 & prey;
        let to_right = ahead::<WHITE>(pawns & !H) << 1 & prey;
        sink.pawns(one & !last, ward);
        sink.pawns(two, 2 * ward);
        sink.pawns(to_left & !last, left);
        sink.pawns(to_right & !last, right);
        if (one | to_left | to_right) & last != 0 {
            sink.promotions(one & last, ward);
            sink.promotions(to_left & last, left);
            sink.promotions(to_right & last, right);
        }
    }

    /// Every square that a side attacks among these obstacles.
    fn attacked_by(&self, by: Side, occupied: u64) -> u64 {
        let pawns = self.of(by, Kind::Pawn);
        let front = if by == Side::First { pawns << 8 } else { pawns >> 8 };
        let mut attacked = (front & !geometry::file(0)) >> 1 | (front & !geometry::file(7)) << 1;
        attacked |= KING[self.king_of(by)];
        let queens = self.of(by, Kind::Queen);
        each(self.of(by, Kind::Knight), |origin| attacked |= KNIGHT[origin]);
        each(self.of(by, Kind::Bishop) | queens, |origin| attacked |= bishop(origin, occupied));
        each(self.of(by, Kind::Rook) | queens, |origin| attacked |= rook(origin, occupied));
        attacked
    }

    /// The pseudo-legal pawn moves of the side to move, en passant aside, from shifts of the whole set.
    pub fn pawns_set_wise(&self, list: &mut MoveList<Move>) {
        let goal = !self.of(self.side.other(), Kind::King);
        let pawns = self.of(self.side, Kind::Pawn);
        match self.side {
            Side::First => self.pawns::<true, _>(pawns, goal, list),
            Side::Second => self.pawns::<false, _>(pawns, goal, list),
        }
    }

    /// The same moves, one pawn after the other: the reference that the shifts are tested and measured against.
    pub fn pawns_one_by_one(&self, list: &mut MoveList<Move>) {
        each(self.of(self.side, Kind::Pawn), |origin| {
            let origin = Square::of_bits(origin);
            let mut targets = self.targets(origin, Kind::Pawn);
            if let Some(square) = self.en_passant() {
                targets &= !geometry::bit(square);
            }
            if origin.rank_of(self.side) == 6 {
                each(targets, |target| list.promotions(1 << target, target as i32 - origin.index() as i32));
            } else {
                list.piece(origin.index(), targets);
            }
        });
    }
}

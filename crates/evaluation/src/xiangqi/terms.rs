//! What material and places do not say: mobility, the palace, soldiers, threats. Each function is one idea; each counts for one
//! side, and the difference of both is the score.

use alfil_kernel::{Side, Taper};

use super::weights::Weights;
use alfil_xiangqi::bitboard::point;
use alfil_xiangqi::board::{Board, Points};
use alfil_xiangqi::geometry::{ADVISOR, ELEPHANT, FILE_A, HORSE, HORSE_FROM, Lines, SOLDIER, seat_of};
use alfil_xiangqi::piece::{Kind, Piece};

/// The nine points of each side's palace.
const PALACES: [Points; 2] = [palace(0), palace(7)];

/// Each side's own half.
const HALVES: [Points; 2] = [alfil_kernel::Bits((1 << 45) - 1), alfil_kernel::Bits(((1 << 45) - 1) << 45)];

const fn palace(lowest: usize) -> Points {
    let row = 0b111 << 3;
    alfil_kernel::Bits((row | row << 9 | row << 18) << (9 * lowest))
}

/// Where the men of a side can go or take, and what they guard, by kinds.
#[derive(Clone, Copy, Debug, Default)]
struct Sight {
    rooks: Points,
    horses: Points,
    /// Only what cannons would take.
    cannons: Points,
    soldiers: Points,
    /// Advisors, elephants and the general.
    home: Points,
    /// Everybody.
    all: Points,
}

/// A position, and what both sides see in it.
struct Scene<'a, P: Board> {
    board: &'a P,
    /// How many men of each kind a side has.
    numbers: &'a [[i32; 7]; 2],
    weights: &'a Weights,
    lines: Lines,
    occupied: Points,
    sights: [Sight; 2],
}

/// All terms, from Red's view.
pub(super) fn terms<P: Board>(board: &P, numbers: &[[i32; 7]; 2], weights: &Weights) -> Taper {
    let (lines, occupied) = (board.lines_of_men(), board.occupied());
    let mut scene = Scene { board, numbers, weights, lines, occupied, sights: [Sight::default(); 2] };
    for side in Side::BOTH {
        scene.sights[side.index()].soldiers = scene.soldiers_see(side);
    }
    let [red, black] = Side::BOTH.map(|side| scene.mobility(side));
    let [more_red, more_black] = Side::BOTH.map(|side| scene.after_mobility(side));
    red + more_red - black - more_black
}

fn count(set: Points) -> i32 {
    set.len() as i32
}

impl<P: Board> Scene<'_, P> {
    #[inline(always)]
    fn of(&self, side: Side, kind: Kind) -> Points {
        self.board.pieces(Piece::new(side, kind))
    }

    fn number(&self, side: Side, kind: Kind) -> i32 {
        self.numbers[side.index()][kind as usize]
    }

    fn soldiers_see(&self, side: Side) -> Points {
        let soldiers = self.of(side, Kind::Soldier).iter();
        soldiers.fold(Points::EMPTY, |seen, at| seen | SOLDIER[side.index()][at])
    }

    /// Soldiers that have crossed the river.
    fn crossed(&self, side: Side) -> Points {
        self.of(side, Kind::Soldier) & HALVES[(!side).index()]
    }

    /// How far rooks, horses and cannons reach, and how much of that is the enemy palace; what the side sees is kept.
    fn mobility(&mut self, side: Side) -> Taper {
        let weights = self.weights;
        let barred = self.board.men(side) | self.sights[(!side).index()].soldiers;
        let palace = PALACES[(!side).index()];
        let mut sight = Sight { soldiers: self.sights[side.index()].soldiers, ..Sight::default() };
        let mut sum = Taper::ZERO;
        for square in self.of(side, Kind::Rook).iter().map(point) {
            let reach = self.lines.rook(square);
            sight.rooks = sight.rooks | reach;
            sum += weights.rook_reach[reach.minus(barred).len()];
            sum += weights.rook_in_palace * count(reach & palace);
        }
        for square in self.of(side, Kind::Horse).iter().map(point) {
            let reach = HORSE[square.index()][self.lines.legs(square)];
            sight.horses = sight.horses | reach;
            sum += weights.horse_reach[reach.minus(barred).len()];
            sum += weights.horse_in_palace * count(reach & palace);
        }
        for square in self.of(side, Kind::Cannon).iter().map(point) {
            let reach = self.lines.cannon(square);
            sight.cannons = sight.cannons | (reach & self.occupied);
            sum += weights.cannon_reach[reach.minus(barred).len()];
        }
        sight.home = self.home_sees(side);
        sight.all = sight.rooks | sight.horses | sight.cannons | sight.soldiers | sight.home;
        self.sights[side.index()] = sight;
        sum
    }

    fn home_sees(&self, side: Side) -> Points {
        let mut seen = seat_of(self.board.king(side)).steps;
        for at in self.of(side, Kind::Advisor) {
            seen = seen | ADVISOR[at];
        }
        for square in self.of(side, Kind::Elephant).iter().map(point) {
            seen = seen | ELEPHANT[square.index()][self.lines.eyes(square)];
        }
        seen
    }

    fn after_mobility(&self, side: Side) -> Taper {
        self.checks(side)
            + self.aims(side)
            + self.guards(side)
            + self.soldiers(side)
            + self.threats(side)
            + self.company(side)
    }

    /// Points from which rooks and horses could give check and not be taken: among them those of the horse at the elbow (wo cao ma).
    fn checks(&self, side: Side) -> Taper {
        let king = self.board.king(!side);
        let sight = &self.sights[side.index()];
        let barred = self.board.men(side) | self.sights[(!side).index()].all;
        let rooks = (sight.rooks & self.lines.rook(king)).minus(barred);
        let from = HORSE_FROM[king.index()][self.lines.eyes(king)];
        let horses = (sight.horses & from).minus(barred);
        let held = self.of(side, Kind::Horse) & seat_of(king).horses;
        let weights = self.weights;
        weights.rook_checks * count(rooks)
            + weights.horse_checks * count(horses)
            + weights.horse_held * count(held.minus(from))
    }

    /// Rooks and cannons on the lines of the enemy general, by what is between.
    fn aims(&self, side: Side) -> Taper {
        let seat = seat_of(self.board.king(!side));
        let weights = self.weights;
        let rook = self.number(side, Kind::Rook) > 0;
        let mut sum = Taper::ZERO;
        for at in self.of(side, Kind::Cannon) & seat.cross {
            let between = (seat.gap[at] & self.occupied).len();
            if seat.file.contains(at) {
                let between = between.min(weights.cannon_on_file.len() - 1);
                sum += weights.cannon_on_file[between];
                sum += weights.cannon_on_file_and_rook[between] * i32::from(rook);
            } else {
                let between = between.min(weights.cannon_on_rank.len() - 1);
                sum += weights.cannon_on_rank[between];
                sum += weights.cannon_on_rank_and_rook[between] * i32::from(rook);
            }
        }
        for at in self.of(side, Kind::Rook) & seat.cross {
            let between = (seat.gap[at] & self.occupied).len();
            if let 1 | 2 = between {
                let aim = if seat.file.contains(at) { &weights.rook_on_file } else { &weights.rook_on_rank };
                sum += aim[between - 1];
            }
        }
        sum
    }

    /// The general's advisors and elephants against those who attack it, the file before it, and its room.
    fn guards(&self, side: Side) -> Taper {
        let (weights, enemy) = (self.weights, !side);
        let attackers = [
            self.number(enemy, Kind::Rook),
            self.number(enemy, Kind::Horse),
            self.number(enemy, Kind::Cannon),
            count(self.crossed(enemy)),
        ];
        let against = |by: &[Taper; 4]| {
            by.iter().zip(attackers).fold(Taper::ZERO, |sum, (&weight, number)| sum + weight * number)
        };
        let missing = |kind| 2 - self.number(side, kind).min(2);
        let (advisors, elephants) = (missing(Kind::Advisor), missing(Kind::Elephant));
        let mut sum = against(&weights.advisor_missing) * advisors;
        sum += against(&weights.elephant_missing) * elephants;
        sum += weights.full_guard * i32::from(advisors + elephants == 0);
        let king = self.board.king(side);
        let file = alfil_kernel::Bits(FILE_A.0 << king.file()) & HALVES[side.index()];
        let bare = (file & self.board.men(side)).len() == 1;
        sum += weights.bare_file * (i32::from(bare) * attackers[0]);
        let steps = seat_of(king).steps.minus(self.board.men(side) | self.sights[enemy.index()].all);
        sum + weights.king_steps[steps.len()]
    }

    /// Soldiers across the river: side by side, and guarded.
    fn soldiers(&self, side: Side) -> Taper {
        let crossed = self.crossed(side);
        let right = alfil_kernel::Bits((crossed.minus(FILE_A)).0 >> 1);
        let seen = self.sights[side.index()].all;
        self.weights.linked * count(crossed & right) + self.weights.guarded_soldier * count(crossed & seen)
    }

    /// Men that are attacked by lesser ones, or attacked and not guarded; and officers that are guarded.
    fn threats(&self, side: Side) -> Taper {
        let (weights, enemy) = (self.weights, !side);
        let sight = &self.sights[side.index()];
        let (own, theirs) = (sight.all, self.sights[enemy.index()].all);
        let (horses, cannons) = (self.of(enemy, Kind::Horse), self.of(enemy, Kind::Cannon));
        let guards = self.of(enemy, Kind::Advisor) | self.of(enemy, Kind::Elephant);
        let lesser = sight.soldiers | sight.home;
        let on_rook = self.of(enemy, Kind::Rook) & (lesser | sight.horses | sight.cannons);
        let mut sum = weights.threat_on_rook * count(on_rook);
        sum += weights.threat_by_soldier * count((horses | cannons) & lesser);
        let loose = own.minus(theirs);
        let preys = [horses, cannons, guards, self.of(enemy, Kind::Soldier)];
        for (&weight, prey) in weights.hanging.iter().zip(preys) {
            sum += weight * count(prey & loose);
        }
        sum += weights.guarded_horse * count(self.of(side, Kind::Horse) & own);
        sum + weights.guarded_cannon * count(self.of(side, Kind::Cannon) & own)
    }

    /// Who works well with whom; a cannon needs screens.
    fn company(&self, side: Side) -> Taper {
        let weights = self.weights;
        let [rooks, horses, cannons] =
            [Kind::Rook, Kind::Horse, Kind::Cannon].map(|kind| self.number(side, kind));
        let guards = self.number(side, Kind::Advisor) + self.number(side, Kind::Elephant);
        let both = |one: i32, other: i32| i32::from(one > 0 && other > 0);
        weights.cannon_with_guard * (cannons * guards)
            + weights.cannon_in_crowd * (cannons * (count(self.occupied) - 16))
            + weights.horse_and_cannon * both(horses, cannons)
            + weights.rook_and_horse * both(rooks, horses)
            + weights.rook_and_cannon * both(rooks, cannons)
    }
}

//! What material and places do not say: mobility, the palace, soldiers, threats. Each function is one idea; each counts for one
//! side, and the difference of both is the score.

use alfil_kernel::{Side, TaperedScore};

use super::weights::Weights;
use alfil_xiangqi::bitboard::square_at;
use alfil_xiangqi::board::{Board, SquareSet};
use alfil_xiangqi::geometry::{
    ADVISOR_TARGETS, ELEPHANT_TARGETS, FILE_A, HORSE_ORIGINS, HORSE_TARGETS, LineOccupancy, SOLDIER_TARGETS,
    king_attack_table,
};
use alfil_xiangqi::piece::{Piece, PieceKind};

/// The nine points of each side's palace.
const PALACES: [SquareSet; 2] = [palace(0), palace(7)];

/// Each side's own half.
const HALVES: [SquareSet; 2] =
    [alfil_kernel::BitSet((1 << 45) - 1), alfil_kernel::BitSet(((1 << 45) - 1) << 45)];

const fn palace(lowest: usize) -> SquareSet {
    let row = 0b111 << 3;
    alfil_kernel::BitSet((row | row << 9 | row << 18) << (9 * lowest))
}

/// Where the men of a side can go or take, and what they guard, by kinds.
#[derive(Clone, Copy, Debug, Default)]
struct AttackMaps {
    rooks: SquareSet,
    horses: SquareSet,
    /// Only what cannons would take.
    cannons: SquareSet,
    soldiers: SquareSet,
    /// Advisors, elephants and the general.
    defenders: SquareSet,
    /// Everybody.
    all: SquareSet,
}

/// A position, and what both sides see in it.
struct EvalContext<'a, P: Board> {
    board: &'a P,
    /// How many men of each kind a side has.
    piece_counts: &'a [[i32; 7]; 2],
    weights: &'a Weights,
    lines: LineOccupancy,
    occupied: SquareSet,
    attack_maps: [AttackMaps; 2],
}

/// All terms, from Red's view.
pub(super) fn terms<P: Board>(board: &P, numbers: &[[i32; 7]; 2], weights: &Weights) -> TaperedScore {
    let (lines, occupied) = (board.line_occupancy(), board.occupied());
    let mut scene = EvalContext {
        board,
        piece_counts: numbers,
        weights,
        lines,
        occupied,
        attack_maps: [AttackMaps::default(); 2],
    };
    for side in Side::BOTH {
        scene.attack_maps[side.index()].soldiers = scene.soldier_attacks(side);
    }
    let [red, black] = Side::BOTH.map(|side| scene.mobility(side));
    let [more_red, more_black] = Side::BOTH.map(|side| scene.terms_after_mobility(side));
    red + more_red - black - more_black
}

fn popcount(set: SquareSet) -> i32 {
    set.len() as i32
}

impl<P: Board> EvalContext<'_, P> {
    #[inline(always)]
    fn pieces_of(&self, side: Side, kind: PieceKind) -> SquareSet {
        self.board.pieces(Piece::new(side, kind))
    }

    fn piece_count(&self, side: Side, kind: PieceKind) -> i32 {
        self.piece_counts[side.index()][kind as usize]
    }

    fn soldier_attacks(&self, side: Side) -> SquareSet {
        let soldiers = self.pieces_of(side, PieceKind::Soldier).iter();
        soldiers.fold(SquareSet::EMPTY, |seen, at| seen | SOLDIER_TARGETS[side.index()][at])
    }

    /// Soldiers that have crossed the river.
    fn crossed_soldiers(&self, side: Side) -> SquareSet {
        self.pieces_of(side, PieceKind::Soldier) & HALVES[(!side).index()]
    }

    /// How far rooks, horses and cannons reach, and how much of that is the enemy palace; what the side sees is kept.
    fn mobility(&mut self, side: Side) -> TaperedScore {
        let weights = self.weights;
        let barred = self.board.occupied_by(side) | self.attack_maps[(!side).index()].soldiers;
        let palace = PALACES[(!side).index()];
        let mut sight =
            AttackMaps { soldiers: self.attack_maps[side.index()].soldiers, ..AttackMaps::default() };
        let mut sum = TaperedScore::ZERO;
        for square in self.pieces_of(side, PieceKind::Rook).iter().map(square_at) {
            let reach = self.lines.rook_targets(square);
            sight.rooks = sight.rooks | reach;
            sum += weights.rook_reach[reach.difference(barred).len()];
            sum += weights.rook_in_palace * popcount(reach & palace);
        }
        for square in self.pieces_of(side, PieceKind::Horse).iter().map(square_at) {
            let reach = HORSE_TARGETS[square.index()][self.lines.leg_index(square)];
            sight.horses = sight.horses | reach;
            sum += weights.horse_reach[reach.difference(barred).len()];
            sum += weights.horse_in_palace * popcount(reach & palace);
        }
        for square in self.pieces_of(side, PieceKind::Cannon).iter().map(square_at) {
            let reach = self.lines.cannon_targets(square);
            sight.cannons = sight.cannons | (reach & self.occupied);
            sum += weights.cannon_reach[reach.difference(barred).len()];
        }
        sight.defenders = self.defender_attacks(side);
        sight.all = sight.rooks | sight.horses | sight.cannons | sight.soldiers | sight.defenders;
        self.attack_maps[side.index()] = sight;
        sum
    }

    fn defender_attacks(&self, side: Side) -> SquareSet {
        let mut seen = king_attack_table(self.board.king_square(side)).steps;
        for at in self.pieces_of(side, PieceKind::Advisor) {
            seen = seen | ADVISOR_TARGETS[at];
        }
        for square in self.pieces_of(side, PieceKind::Elephant).iter().map(square_at) {
            seen = seen | ELEPHANT_TARGETS[square.index()][self.lines.eye_index(square)];
        }
        seen
    }

    fn terms_after_mobility(&self, side: Side) -> TaperedScore {
        self.safe_checks(side)
            + self.king_line_attacks(side)
            + self.king_safety(side)
            + self.soldier_structure(side)
            + self.threats(side)
            + self.piece_coordination(side)
    }

    /// Points from which rooks and horses could give check and not be taken: among them those of the horse at the elbow (wo cao ma).
    fn safe_checks(&self, side: Side) -> TaperedScore {
        let king = self.board.king_square(!side);
        let sight = &self.attack_maps[side.index()];
        let barred = self.board.occupied_by(side) | self.attack_maps[(!side).index()].all;
        let rooks = (sight.rooks & self.lines.rook_targets(king)).difference(barred);
        let from = HORSE_ORIGINS[king.index()][self.lines.eye_index(king)];
        let horses = (sight.horses & from).difference(barred);
        let held = self.pieces_of(side, PieceKind::Horse) & king_attack_table(king).horses;
        let weights = self.weights;
        weights.rook_checks * popcount(rooks)
            + weights.horse_checks * popcount(horses)
            + weights.horse_held * popcount(held.difference(from))
    }

    /// Rooks and cannons on the lines of the enemy general, by what is between.
    fn king_line_attacks(&self, side: Side) -> TaperedScore {
        let seat = king_attack_table(self.board.king_square(!side));
        let weights = self.weights;
        let rook = self.piece_count(side, PieceKind::Rook) > 0;
        let mut sum = TaperedScore::ZERO;
        for at in self.pieces_of(side, PieceKind::Cannon) & seat.cross {
            let between = (seat.between[at] & self.occupied).len();
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
        for at in self.pieces_of(side, PieceKind::Rook) & seat.cross {
            let between = (seat.between[at] & self.occupied).len();
            if let 1 | 2 = between {
                let aim = if seat.file.contains(at) { &weights.rook_on_file } else { &weights.rook_on_rank };
                sum += aim[between - 1];
            }
        }
        sum
    }

    /// The general's advisors and elephants against those who attack it, the file before it, and its room.
    fn king_safety(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let attackers = [
            self.piece_count(enemy, PieceKind::Rook),
            self.piece_count(enemy, PieceKind::Horse),
            self.piece_count(enemy, PieceKind::Cannon),
            popcount(self.crossed_soldiers(enemy)),
        ];
        let against = |by: &[TaperedScore; 4]| {
            by.iter().zip(attackers).fold(TaperedScore::ZERO, |sum, (&weight, number)| sum + weight * number)
        };
        let missing = |kind| 2 - self.piece_count(side, kind).min(2);
        let (advisors, elephants) = (missing(PieceKind::Advisor), missing(PieceKind::Elephant));
        let mut sum = against(&weights.advisor_missing) * advisors;
        sum += against(&weights.elephant_missing) * elephants;
        sum += weights.full_guard * i32::from(advisors + elephants == 0);
        let king = self.board.king_square(side);
        let file = alfil_kernel::BitSet(FILE_A.0 << king.file()) & HALVES[side.index()];
        let bare = (file & self.board.occupied_by(side)).len() == 1;
        sum += weights.bare_file * (i32::from(bare) * attackers[0]);
        let steps = king_attack_table(king)
            .steps
            .difference(self.board.occupied_by(side) | self.attack_maps[enemy.index()].all);
        sum + weights.king_steps[steps.len()]
    }

    /// Soldiers across the river: side by side, and guarded.
    fn soldier_structure(&self, side: Side) -> TaperedScore {
        let crossed = self.crossed_soldiers(side);
        let right = alfil_kernel::BitSet((crossed.difference(FILE_A)).0 >> 1);
        let seen = self.attack_maps[side.index()].all;
        self.weights.linked * popcount(crossed & right)
            + self.weights.guarded_soldier * popcount(crossed & seen)
    }

    /// Men that are attacked by lesser ones, or attacked and not guarded; and officers that are guarded.
    fn threats(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let sight = &self.attack_maps[side.index()];
        let (own, theirs) = (sight.all, self.attack_maps[enemy.index()].all);
        let (horses, cannons) =
            (self.pieces_of(enemy, PieceKind::Horse), self.pieces_of(enemy, PieceKind::Cannon));
        let guards = self.pieces_of(enemy, PieceKind::Advisor) | self.pieces_of(enemy, PieceKind::Elephant);
        let lesser = sight.soldiers | sight.defenders;
        let on_rook = self.pieces_of(enemy, PieceKind::Rook) & (lesser | sight.horses | sight.cannons);
        let mut sum = weights.threat_on_rook * popcount(on_rook);
        sum += weights.threat_by_soldier * popcount((horses | cannons) & lesser);
        let loose = own.difference(theirs);
        let preys = [horses, cannons, guards, self.pieces_of(enemy, PieceKind::Soldier)];
        for (&weight, prey) in weights.hanging.iter().zip(preys) {
            sum += weight * popcount(prey & loose);
        }
        sum += weights.guarded_horse * popcount(self.pieces_of(side, PieceKind::Horse) & own);
        sum + weights.guarded_cannon * popcount(self.pieces_of(side, PieceKind::Cannon) & own)
    }

    /// Who works well with whom; a cannon needs screens.
    fn piece_coordination(&self, side: Side) -> TaperedScore {
        let weights = self.weights;
        let [rooks, horses, cannons] =
            [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon].map(|kind| self.piece_count(side, kind));
        let guards = self.piece_count(side, PieceKind::Advisor) + self.piece_count(side, PieceKind::Elephant);
        let both = |one: i32, other: i32| i32::from(one > 0 && other > 0);
        weights.cannon_with_guard * (cannons * guards)
            + weights.cannon_in_crowd * (cannons * (popcount(self.occupied) - 16))
            + weights.horse_and_cannon * both(horses, cannons)
            + weights.rook_and_horse * both(rooks, horses)
            + weights.rook_and_cannon * both(rooks, cannons)
    }
}

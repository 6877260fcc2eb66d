//! The terms beyond material and piece-square tables: mobility, king safety, soldiers, threats. Each function computes
//! one term for one side; the difference of both sides is the score.

use crate::TaperedScore;
use alfil_kernel::Side;

use super::weights::Weights;
use alfil_xiangqi::board::Board;
use alfil_xiangqi::geometry::{
    ADVISOR_TARGETS, ELEPHANT_TARGETS, FILE_A, HORSE_ORIGINS, HORSE_TARGETS, LineOccupancy, SOLDIER_TARGETS,
    king_attack_table,
};
use alfil_xiangqi::piece::{Piece, PieceKind};
use alfil_xiangqi::square::SquareSet;

/// The nine squares of each side's palace.
const PALACES: [SquareSet; 2] = [palace(0), palace(7)];

/// The half of each side.
const HALVES: [SquareSet; 2] = [SquareSet::new((1 << 45) - 1), SquareSet::new(((1 << 45) - 1) << 45)];

const fn palace(lowest: usize) -> SquareSet {
    let row = 0b111 << 3;
    SquareSet::new((row | row << 9 | row << 18) << (9 * lowest))
}

/// The attack maps of a side: the squares that its pieces attack or protect, by kinds.
#[derive(Clone, Copy, Debug, Default)]
struct AttackMaps {
    rooks: SquareSet,
    horses: SquareSet,
    /// Occupied squares only.
    cannons: SquareSet,
    soldiers: SquareSet,
    /// The maps of advisors, elephants and king.
    defenders: SquareSet,
    /// The union of all maps.
    all: SquareSet,
}

/// A position with the attack maps of both sides.
struct EvalContext<'a, P: Board> {
    board: &'a P,
    /// The number of pieces of each kind, for each side.
    piece_counts: &'a [[i32; 7]; 2],
    weights: &'a Weights,
    lines: LineOccupancy,
    occupied: SquareSet,
    attack_maps: [AttackMaps; 2],
}

/// Returns the sum of all terms, from Red's view.
pub(super) fn terms<P: Board>(board: &P, piece_counts: &[[i32; 7]; 2], weights: &Weights) -> TaperedScore {
    let (lines, occupied) = (board.line_occupancy(), board.occupied());
    let mut context = EvalContext {
        board,
        piece_counts,
        weights,
        lines,
        occupied,
        attack_maps: [AttackMaps::default(); 2],
    };
    for side in Side::BOTH {
        context.attack_maps[side.index()].soldiers = context.soldier_attacks(side);
    }
    let [red, black] = Side::BOTH.map(|side| context.mobility(side));
    let [red_rest, black_rest] = Side::BOTH.map(|side| context.terms_after_mobility(side));
    red + red_rest - black - black_rest
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
        soldiers.fold(SquareSet::EMPTY, |attacked, square| {
            attacked | SOLDIER_TARGETS[side.index()][square.index()]
        })
    }

    /// Returns the soldiers that have crossed the river.
    fn crossed_soldiers(&self, side: Side) -> SquareSet {
        self.pieces_of(side, PieceKind::Soldier) & HALVES[(!side).index()]
    }

    /// Returns the mobility of rooks, horses and cannons and their access to the enemy palace; stores the side's attack
    /// maps.
    fn mobility(&mut self, side: Side) -> TaperedScore {
        let weights = self.weights;
        let barred = self.board.occupied_by(side) | self.attack_maps[(!side).index()].soldiers;
        let palace = PALACES[(!side).index()];
        let mut maps =
            AttackMaps { soldiers: self.attack_maps[side.index()].soldiers, ..AttackMaps::default() };
        let mut sum = TaperedScore::ZERO;
        for square in self.pieces_of(side, PieceKind::Rook).iter() {
            let targets = self.lines.rook_targets(square);
            maps.rooks = maps.rooks | targets;
            sum += weights.rook_mobility[targets.difference(barred).len()];
            sum += weights.rook_in_palace * popcount(targets & palace);
        }
        for square in self.pieces_of(side, PieceKind::Horse).iter() {
            let targets = HORSE_TARGETS[square.index()][self.lines.leg_index(square)];
            maps.horses = maps.horses | targets;
            sum += weights.horse_mobility[targets.difference(barred).len()];
            sum += weights.horse_in_palace * popcount(targets & palace);
        }
        for square in self.pieces_of(side, PieceKind::Cannon).iter() {
            let targets = self.lines.cannon_targets(square);
            maps.cannons = maps.cannons | (targets & self.occupied);
            sum += weights.cannon_mobility[targets.difference(barred).len()];
        }
        maps.defenders = self.defender_attacks(side);
        maps.all = maps.rooks | maps.horses | maps.cannons | maps.soldiers | maps.defenders;
        self.attack_maps[side.index()] = maps;
        sum
    }

    fn defender_attacks(&self, side: Side) -> SquareSet {
        let mut attacked = king_attack_table(self.board.king_square(side)).steps;
        for square in self.pieces_of(side, PieceKind::Advisor) {
            attacked = attacked | ADVISOR_TARGETS[square.index()];
        }
        for square in self.pieces_of(side, PieceKind::Elephant).iter() {
            attacked = attacked | ELEPHANT_TARGETS[square.index()][self.lines.eye_index(square)];
        }
        attacked
    }

    fn terms_after_mobility(&self, side: Side) -> TaperedScore {
        self.safe_checks(side)
            + self.king_line_attacks(side)
            + self.king_safety(side)
            + self.soldier_structure(side)
            + self.threats(side)
            + self.piece_coordination(side)
    }

    /// Returns the value of safe checking squares for rooks and horses, among them those of the elbow horse (wo cao
    /// ma), and of horses that would check if their legs were not blocked.
    fn safe_checks(&self, side: Side) -> TaperedScore {
        let king = self.board.king_square(!side);
        let maps = &self.attack_maps[side.index()];
        let barred = self.board.occupied_by(side) | self.attack_maps[(!side).index()].all;
        let rooks = (maps.rooks & self.lines.rook_targets(king)).difference(barred);
        let check_squares = HORSE_ORIGINS[king.index()][self.lines.eye_index(king)];
        let horses = (maps.horses & check_squares).difference(barred);
        let blocked_horses = self.pieces_of(side, PieceKind::Horse) & king_attack_table(king).horses;
        let weights = self.weights;
        weights.rook_checks * popcount(rooks)
            + weights.horse_checks * popcount(horses)
            + weights.blocked_horse_check * popcount(blocked_horses.difference(check_squares))
    }

    /// Returns the value of rooks and cannons on the lines of the enemy king, by the pieces between.
    fn king_line_attacks(&self, side: Side) -> TaperedScore {
        let table = king_attack_table(self.board.king_square(!side));
        let weights = self.weights;
        let rook = self.piece_count(side, PieceKind::Rook) > 0;
        let mut sum = TaperedScore::ZERO;
        for square in self.pieces_of(side, PieceKind::Cannon) & table.cross {
            let between = (table.between[square.index()] & self.occupied).len();
            if table.file.contains(square) {
                let between = between.min(weights.cannon_on_file.len() - 1);
                sum += weights.cannon_on_file[between];
                sum += weights.cannon_on_file_and_rook[between] * i32::from(rook);
            } else {
                let between = between.min(weights.cannon_on_rank.len() - 1);
                sum += weights.cannon_on_rank[between];
                sum += weights.cannon_on_rank_and_rook[between] * i32::from(rook);
            }
        }
        for square in self.pieces_of(side, PieceKind::Rook) & table.cross {
            let between = (table.between[square.index()] & self.occupied).len();
            if let 1 | 2 = between {
                let weights_by_count =
                    if table.file.contains(square) { &weights.rook_on_file } else { &weights.rook_on_rank };
                sum += weights_by_count[between - 1];
            }
        }
        sum
    }

    /// Returns king safety: advisors and elephants against the attackers, the open file, and safe steps.
    fn king_safety(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let attackers = [
            self.piece_count(enemy, PieceKind::Rook),
            self.piece_count(enemy, PieceKind::Horse),
            self.piece_count(enemy, PieceKind::Cannon),
            popcount(self.crossed_soldiers(enemy)),
        ];
        let weight_of = |by: &[TaperedScore; 4]| {
            by.iter().zip(attackers).fold(TaperedScore::ZERO, |sum, (&weight, number)| sum + weight * number)
        };
        let missing = |kind| 2 - self.piece_count(side, kind).min(2);
        let (advisors, elephants) = (missing(PieceKind::Advisor), missing(PieceKind::Elephant));
        let mut sum = weight_of(&weights.advisor_missing) * advisors;
        sum += weight_of(&weights.elephant_missing) * elephants;
        sum += weights.all_defenders * i32::from(advisors + elephants == 0);
        let king = self.board.king_square(side);
        let file = SquareSet::new(FILE_A.0 << king.file()) & HALVES[side.index()];
        let is_open = (file & self.board.occupied_by(side)).len() == 1;
        sum += weights.open_king_file * (i32::from(is_open) * attackers[0]);
        let steps = king_attack_table(king)
            .steps
            .difference(self.board.occupied_by(side) | self.attack_maps[enemy.index()].all);
        sum + weights.king_steps[steps.len()]
    }

    /// Returns the value of soldiers across the river: side by side, and protected.
    fn soldier_structure(&self, side: Side) -> TaperedScore {
        let crossed = self.crossed_soldiers(side);
        let right = SquareSet::new((crossed.difference(FILE_A)).0 >> 1);
        let attacked = self.attack_maps[side.index()].all;
        self.weights.linked_soldiers * popcount(crossed & right)
            + self.weights.protected_soldier * popcount(crossed & attacked)
    }

    /// Returns the value of enemy pieces attacked by pieces of less value, or attacked and unprotected; and of own
    /// protected horses and cannons.
    fn threats(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let maps = &self.attack_maps[side.index()];
        let (attacks, enemy_attacks) = (maps.all, self.attack_maps[enemy.index()].all);
        let (horses, cannons) =
            (self.pieces_of(enemy, PieceKind::Horse), self.pieces_of(enemy, PieceKind::Cannon));
        let minor_pieces =
            self.pieces_of(enemy, PieceKind::Advisor) | self.pieces_of(enemy, PieceKind::Elephant);
        let by_soldiers_or_defenders = maps.soldiers | maps.defenders;
        let on_rook =
            self.pieces_of(enemy, PieceKind::Rook) & (by_soldiers_or_defenders | maps.horses | maps.cannons);
        let mut sum = weights.threat_on_rook * popcount(on_rook);
        sum += weights.threat_by_minor_piece * popcount((horses | cannons) & by_soldiers_or_defenders);
        let unprotected = attacks.difference(enemy_attacks);
        let victim_sets = [horses, cannons, minor_pieces, self.pieces_of(enemy, PieceKind::Soldier)];
        for (&weight, victims) in weights.unprotected_victim.iter().zip(victim_sets) {
            sum += weight * popcount(victims & unprotected);
        }
        sum += weights.protected_horse * popcount(self.pieces_of(side, PieceKind::Horse) & attacks);
        sum + weights.protected_cannon * popcount(self.pieces_of(side, PieceKind::Cannon) & attacks)
    }

    /// Returns the value of piece combinations; a cannon needs screens.
    fn piece_coordination(&self, side: Side) -> TaperedScore {
        let weights = self.weights;
        let [rooks, horses, cannons] =
            [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon].map(|kind| self.piece_count(side, kind));
        let minor_pieces =
            self.piece_count(side, PieceKind::Advisor) + self.piece_count(side, PieceKind::Elephant);
        let both = |one: i32, other: i32| i32::from(one > 0 && other > 0);
        weights.cannon_with_defender * (cannons * minor_pieces)
            + weights.cannon_with_many_pieces * (cannons * (popcount(self.occupied) - 16))
            + weights.horse_and_cannon * both(horses, cannons)
            + weights.rook_and_horse * both(rooks, horses)
            + weights.rook_and_cannon * both(rooks, cannons)
    }
}

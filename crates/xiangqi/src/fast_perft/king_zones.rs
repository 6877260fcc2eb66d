//! The squares near the enemy king, where moves may change checks, pins and the steps of the king.

use crate::bitboard::Bitboard;
use crate::board::Board as _;
use crate::geometry::{
    FILE_LINES, KingAttackTable, LineMoves, LineOccupancy, RANK_LINES, file_squares, king_attack_table,
    rank_squares,
};
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet};
use alfil_kernel::Position as _;

/// The squares near the enemy king, by kind of piece: quiet moves into or out of them are counted one by one.
#[derive(Clone, Copy)]
pub(super) struct KingZones {
    /// Squares between the king and its attackers, which matter for every piece that leaves or enters them.
    pub(super) gaps: SquareSet,
    rook: SquareSet,
    cannon: SquareSet,
    horse: SquareSet,
    soldier: SquareSet,
}

/// Returns the squares visible along rank and file up to and with the first piece, the second, the third.
#[inline(always)]
pub(super) fn lines_of_sight(lines: &LineOccupancy, square: Square) -> [SquareSet; 3] {
    let (file, rank) = (square.file(), square.rank());
    let along_rank = sight_layers(&RANK_LINES[file], lines.rank(rank));
    let along_file = sight_layers(&FILE_LINES[rank], lines.file(file));
    core::array::from_fn(|i| rank_squares(along_rank[i], rank) | file_squares(along_file[i], file))
}

#[inline(always)]
fn sight_layers<const N: usize>(table: &[LineMoves; N], mut word: u16) -> [u16; 3] {
    core::array::from_fn(|_| {
        let visible = table[usize::from(word >> 1) & (N - 1)].rook;
        word &= !visible;
        visible
    })
}

impl KingZones {
    /// Returns the zones around the king of the side to move of `passed`, and their part around its own square; the
    /// moves of its enemy are counted.
    pub(super) fn new(passed: &Bitboard) -> (Self, Self) {
        let (king, occupied) = (passed.king_square(passed.side_to_move()), passed.occupied());
        let table = king_attack_table(king);
        let [_, second, third] = lines_of_sight(passed.lines(), king);
        let mut zones = KingZones {
            gaps: SquareSet::EMPTY,
            // From these squares at most one piece is between, or two for a cannon.
            rook: second,
            cannon: third,
            horse: table.horses,
            soldier: table.soldiers,
        };
        // With this many pieces between an attack depends on the moves; with one more it does once one of them leaves.
        zones.add_gaps(passed, table, occupied, [1, 2]);
        let king_lines = zones;
        let without_king = occupied.difference(SquareSet::from_square(king));
        let mut lines = *passed.lines();
        lines.toggle(king);
        for target in table.steps.difference(passed.occupied_by(passed.side_to_move())) {
            let table = king_attack_table(target);
            let [first, second, _] = lines_of_sight(&lines, target);
            zones.rook = zones.rook | first;
            zones.cannon = zones.cannon | second.difference(first);
            zones.horse = zones.horse | table.horses;
            zones.soldier = zones.soldier | table.soldiers;
            zones.add_gaps(passed, table, without_king, [0, 1]);
        }
        (zones, king_lines)
    }

    #[inline(always)]
    fn add_gaps(&mut self, passed: &Bitboard, table: &KingAttackTable, occupied: SquareSet, max: [usize; 2]) {
        let by = !passed.side_to_move();
        let attackers = [passed.direct_attackers(table, by), passed.cannon_attackers(table, by)];
        for (attackers, max) in attackers.into_iter().zip(max) {
            for attacker in attackers {
                let pieces = table.between[attacker.index()] & occupied;
                match pieces.len() {
                    len if len <= max => self.gaps = self.gaps | table.between[attacker.index()],
                    len if len == max + 1 => self.gaps = self.gaps | pieces,
                    _ => {}
                }
            }
        }
    }

    /// Returns the squares that a piece of this kind may neither leave nor enter; `None` for a king, whose moves are
    /// always counted one by one.
    #[inline(always)]
    pub(super) fn zone_of_kind(&self, kind: PieceKind) -> Option<SquareSet> {
        let own = match kind {
            PieceKind::King => return None,
            PieceKind::Advisor | PieceKind::Elephant => SquareSet::EMPTY,
            PieceKind::Horse => self.horse,
            PieceKind::Rook => self.rook,
            PieceKind::Cannon => self.cannon,
            PieceKind::Soldier => self.soldier,
        };
        Some(self.gaps | own)
    }
}

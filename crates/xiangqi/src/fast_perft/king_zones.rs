//! The squares near the enemy king, where moves may change checks, pins and the steps of the king.

use alfil_kernel::Side;

use crate::bitboard::{Bitboard, KingAttackers};
use crate::board::Board as _;
use crate::geometry::{
    FILE_LINES, KingAttackTable, LineMoves, LineOccupancy, RANK_LINES, file_squares, king_attack_table,
    rank_squares,
};
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet, single_square, square_at};

/// The squares on which it depends whether a king is attacked on one square, by the kind of the piece that quietly
/// leaves or enters them.
#[derive(Clone, Copy)]
pub(super) struct KingZones {
    /// The squares between the king and its attackers, which matter for every piece.
    gaps: SquareSet,
    rook: SquareSet,
    cannon: SquareSet,
    horse: SquareSet,
    soldier: SquareSet,
}

/// Returns the squares visible along rank and file up to and with the first piece, the second, the third (x-rays).
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn xray_squares(lines: &LineOccupancy, square: Square) -> [SquareSet; 3] {
    let (file, rank) = (square.file(), square.rank());
    let along_rank = line_xrays(&RANK_LINES[file], lines.rank(rank));
    let along_file = line_xrays(&FILE_LINES[rank], lines.file(file));
    core::array::from_fn(|i| rank_squares(along_rank[i], rank) | file_squares(along_file[i], file))
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn line_xrays<const N: usize>(table: &[LineMoves; N], mut word: u16) -> [u16; 3] {
    core::array::from_fn(|_| {
        let visible = table[usize::from(word >> 1) & (N - 1)].rook;
        word &= !visible;
        visible
    })
}

impl KingZones {
    const EMPTY: KingZones = KingZones {
        gaps: SquareSet::EMPTY,
        rook: SquareSet::EMPTY,
        cannon: SquareSet::EMPTY,
        horse: SquareSet::EMPTY,
        soldier: SquareSet::EMPTY,
    };

    /// Returns the zones of the square on which the king of a side is.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn of_king(board: &Bitboard, side: Side, king: Square) -> Self {
        let table = king_attack_table(king);
        let [_, second, third] = xray_squares(board.lines(), king);
        // With this many pieces between an attack depends on the moves; with one more it does once one of them leaves.
        let gaps = gaps(board, side, table, board.occupied(), [1, 2]);
        // From the visible squares at most one piece is between, or two for a cannon.
        KingZones { gaps, rook: second, cannon: third, horse: table.horses, soldier: table.soldiers }
    }

    /// Returns the zones of a square to which the king of a side can step. `lines` and `occupied` are without the king.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of_step(
        board: &Bitboard,
        side: Side,
        target: Square,
        lines: &LineOccupancy,
        occupied: SquareSet,
    ) -> Self {
        let table = king_attack_table(target);
        let [first, second, _] = xray_squares(lines, target);
        let gaps = gaps(board, side, table, occupied, [0, 1]);
        let cannon = second.difference(first);
        KingZones { gaps, rook: first, cannon, horse: table.horses, soldier: table.soldiers }
    }

    /// Adds the squares of other zones.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn extend(&mut self, other: &KingZones) {
        self.gaps = self.gaps | other.gaps;
        self.rook = self.rook | other.rook;
        self.cannon = self.cannon | other.cannon;
        self.horse = self.horse | other.horse;
        self.soldier = self.soldier | other.soldier;
    }

    /// Returns the squares that matter when a piece of this kind leaves or enters them. For a king these are only the
    /// squares between: its moves also matter on the file of the other king.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn of_kind(&self, kind: PieceKind) -> SquareSet {
        let own = match kind {
            PieceKind::King | PieceKind::Advisor | PieceKind::Elephant => SquareSet::EMPTY,
            PieceKind::Horse => self.horse,
            PieceKind::Rook => self.rook,
            PieceKind::Cannon => self.cannon,
            PieceKind::Soldier => self.soldier,
        };
        self.gaps | own
    }
}

/// Returns the squares between a square and the attackers for which they matter.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn gaps(
    board: &Bitboard,
    side: Side,
    table: &KingAttackTable,
    occupied: SquareSet,
    max: [usize; 2],
) -> SquareSet {
    let attackers = [board.direct_attackers(table, !side), board.cannon_attackers(table, !side)];
    let mut gaps = SquareSet::EMPTY;
    for (attackers, max) in attackers.into_iter().zip(max) {
        for attacker in attackers {
            let pieces = table.between[attacker.index()] & occupied;
            match pieces.len() {
                len if len <= max => gaps = gaps | table.between[attacker.index()],
                len if len == max + 1 => gaps = gaps | pieces,
                _ => {}
            }
        }
    }
    gaps
}

/// A step of the king of the side that replies.
#[derive(Clone, Copy)]
struct KingStep {
    target: Square,
    zones: KingZones,
    is_legal: bool,
}

/// The steps of the king to squares where no piece of its side is, before a move of the other side.
pub(super) struct KingSteps {
    steps: [KingStep; 4],
    len: usize,
    /// The number of legal steps.
    pub(super) count: i32,
    /// The zones of all steps together.
    pub(super) zones: KingZones,
}

impl KingSteps {
    pub(super) const EMPTY: KingSteps = KingSteps {
        steps: [KingStep { target: square_at(0), zones: KingZones::EMPTY, is_legal: false }; 4],
        len: 0,
        count: 0,
        zones: KingZones::EMPTY,
    };

    /// Adds the steps of the king of a side.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn add_all(&mut self, board: &Bitboard, side: Side, attackers: &KingAttackers) {
        let king = attackers.king;
        let occupied = board.occupied().difference(single_square(king));
        let mut lines = *board.lines();
        lines.toggle(king);
        for target in king_attack_table(king).steps.difference(attackers.own) {
            let zones = KingZones::of_step(board, side, target, &lines, occupied);
            let is_legal = is_legal_step(attackers, target);
            self.zones.extend(&zones);
            self.steps[self.len] = KingStep { target, zones, is_legal };
            self.len += 1;
            self.count += i32::from(is_legal);
        }
    }

    /// Returns the number of legal steps after a move of a piece that is not the other king; `attackers` is from after
    /// the move.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn count_after(
        &self,
        attackers: &KingAttackers,
        kind: PieceKind,
        squares: SquareSet,
        is_capture: bool,
    ) -> i32 {
        if is_capture && king_attack_table(attackers.king).steps.intersects(squares) {
            return attackers.king_targets().len() as i32;
        }
        let mut count = 0;
        for step in &self.steps[..self.len] {
            // A capture can bring a piece to a line from behind others.
            let zone = if is_capture { king_attack_table(step.target).all } else { step.zones.of_kind(kind) };
            let is_changed = zone.intersects(squares);
            count +=
                i32::from(if is_changed { is_legal_step(attackers, step.target) } else { step.is_legal });
        }
        count
    }
}

/// Returns whether the king can step to a square where no piece of its side is.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_legal_step(attackers: &KingAttackers, target: Square) -> bool {
    !attackers.enemy_king.contains(target) && !attackers.is_attacked_on(target)
}

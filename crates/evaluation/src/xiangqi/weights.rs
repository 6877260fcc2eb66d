//! What each thing that an evaluation sees is for; the [numbers](super::numbers) were reasoned first, as the lines here say, and then
//! fitted to own games, as `alfil tune xiangqi` does it: the log is `docs/strength.md`.

use alfil_kernel::{TaperedScore, weights};

use alfil_xiangqi::piece::PieceKind;
use alfil_xiangqi::square::Square;

/// What a man of Red's is worth on each point, over its material: ten ranks from Black's back rank down, files a to e; the other
/// four mirror them.
type HalfBoardPsqt = [[TaperedScore; 5]; 10];

weights! {
    /// The weights of all terms, of material and of places. A field is a weight for each one counted, an array is indexed by a count.
    pub struct Weights {
        /// The right to move.
        tempo: TaperedScore,
        /// By how many points a rook can go to that no enemy soldier guards.
        rook_reach: [TaperedScore; 18],
        /// The same of a horse: at none or one it is trapped.
        horse_reach: [TaperedScore; 9],
        /// The same of a cannon.
        cannon_reach: [TaperedScore; 18],
        /// For each point of the enemy palace that a rook, a horse can go to.
        rook_in_palace: TaperedScore,
        horse_in_palace: TaperedScore,
        /// For each point from which a rook, a horse could give check and not be taken.
        rook_checks: TaperedScore,
        horse_checks: TaperedScore,
        /// For each horse that only its blocked leg keeps from giving check.
        horse_held: TaperedScore,
        /// A cannon on the enemy general's file, by the men between: none is the hollow cannon (kong tou pao), two the cannon
        /// at the head (dang tou pao).
        cannon_on_file: [TaperedScore; 5],
        /// The same while an own rook is on the board.
        cannon_on_file_and_rook: [TaperedScore; 5],
        /// A cannon on the enemy general's rank, by the men between: the sunken cannon (chen di pao).
        cannon_on_rank: [TaperedScore; 4],
        /// The same while an own rook is on the board.
        cannon_on_rank_and_rook: [TaperedScore; 4],
        /// A rook on the enemy general's file or rank with one man between, two men between.
        rook_on_file: [TaperedScore; 2],
        rook_on_rank: [TaperedScore; 2],
        /// For each missing advisor and each enemy rook, horse, cannon, soldier across the river.
        advisor_missing: [TaperedScore; 4],
        /// The same for each missing elephant.
        elephant_missing: [TaperedScore; 4],
        /// All four guards stand.
        full_guard: TaperedScore,
        /// No own man before the general on its file up to the river, for each enemy rook.
        bare_file: TaperedScore,
        /// By how many steps the general has.
        king_steps: [TaperedScore; 5],
        /// Two soldiers side by side across the river.
        linked: TaperedScore,
        /// A soldier across the river that is guarded.
        guarded_soldier: TaperedScore,
        /// A horse, a cannon that is guarded.
        guarded_horse: TaperedScore,
        guarded_cannon: TaperedScore,
        /// An enemy rook attacked by a lesser man.
        threat_on_rook: TaperedScore,
        /// An enemy horse or cannon attacked by a soldier or a guard.
        threat_by_soldier: TaperedScore,
        /// An unguarded enemy horse, cannon, guard, soldier that is attacked.
        hanging: [TaperedScore; 4],
        /// For each cannon and each own guard, which can be its screen.
        cannon_with_guard: TaperedScore,
        /// For each cannon and each man on the board over 16.
        cannon_in_crowd: TaperedScore,
        /// A horse and a cannon; a rook and a horse; a rook and a cannon.
        horse_and_cannon: TaperedScore,
        rook_and_horse: TaperedScore,
        rook_and_cannon: TaperedScore,
        /// What each kind is worth wherever it stands. A general is never exchanged, so it has no worth.
        material: [TaperedScore; 7],
        /// Kept at home behind its guards; every step forward is a step towards the enemy's lines.
        king: HalfBoardPsqt,
        /// In front of the general they link up; at the top of the palace they stand apart.
        advisor: HalfBoardPsqt,
        /// In the middle both protect each other; at the edge one stands alone.
        elephant: HalfBoardPsqt,
        /// Weak at the edges and in its first place, strong near the enemy's palace.
        horse: HalfBoardPsqt,
        /// Active on open files and on the enemy's ranks; asleep in the corner.
        rook: HalfBoardPsqt,
        /// Best on the central file and on the enemy's back ranks, where screens are many.
        cannon: HalfBoardPsqt,
        /// Worth little before the river, most beside the palace, little again on the last rank, from which it cannot return.
        soldier: HalfBoardPsqt,
    }
}

impl Weights {
    /// What a man of Red's kind is worth on this point.
    pub(super) const fn psqt_value(&self, kind: PieceKind, square: Square) -> TaperedScore {
        let places = match kind {
            PieceKind::King => &self.king,
            PieceKind::Advisor => &self.advisor,
            PieceKind::Elephant => &self.elephant,
            PieceKind::Horse => &self.horse,
            PieceKind::Rook => &self.rook,
            PieceKind::Cannon => &self.cannon,
            PieceKind::Soldier => &self.soldier,
        };
        let file = if square.file() > 4 { 8 - square.file() } else { square.file() };
        self.material[kind as usize].plus(places[9 - square.rank()][file])
    }
}

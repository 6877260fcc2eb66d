//! What each thing that an evaluation sees is for; the [numbers](super::numbers) were reasoned first, as the lines here say, and then
//! fitted to own games, as `alfil tune xiangqi` does it: the log is `docs/strength.md`.

use alfil_kernel::{Taper, weights};

use alfil_xiangqi::piece::Kind;
use alfil_xiangqi::square::Square;

/// What a man of Red's is worth on each point, over its material: ten ranks from Black's back rank down, files a to e; the other
/// four mirror them.
type Places = [[Taper; 5]; 10];

weights! {
    /// The weights of all terms, of material and of places. A field is a weight for each one counted, an array is indexed by a count.
    pub struct Weights {
        /// The right to move.
        tempo: Taper,
        /// By how many points a rook can go to that no enemy soldier guards.
        rook_reach: [Taper; 18],
        /// The same of a horse: at none or one it is trapped.
        horse_reach: [Taper; 9],
        /// The same of a cannon.
        cannon_reach: [Taper; 18],
        /// For each point of the enemy palace that a rook, a horse can go to.
        rook_in_palace: Taper,
        horse_in_palace: Taper,
        /// For each point from which a rook, a horse could give check and not be taken.
        rook_checks: Taper,
        horse_checks: Taper,
        /// For each horse that only its blocked leg keeps from giving check.
        horse_held: Taper,
        /// A cannon on the enemy general's file, by the men between: none is the hollow cannon (kong tou pao), two the cannon
        /// at the head (dang tou pao).
        cannon_on_file: [Taper; 5],
        /// The same while an own rook is on the board.
        cannon_on_file_and_rook: [Taper; 5],
        /// A cannon on the enemy general's rank, by the men between: the sunken cannon (chen di pao).
        cannon_on_rank: [Taper; 4],
        /// The same while an own rook is on the board.
        cannon_on_rank_and_rook: [Taper; 4],
        /// A rook on the enemy general's file or rank with one man between, two men between.
        rook_on_file: [Taper; 2],
        rook_on_rank: [Taper; 2],
        /// For each missing advisor and each enemy rook, horse, cannon, soldier across the river.
        advisor_missing: [Taper; 4],
        /// The same for each missing elephant.
        elephant_missing: [Taper; 4],
        /// All four guards stand.
        full_guard: Taper,
        /// No own man before the general on its file up to the river, for each enemy rook.
        bare_file: Taper,
        /// By how many steps the general has.
        king_steps: [Taper; 5],
        /// Two soldiers side by side across the river.
        linked: Taper,
        /// A soldier across the river that is guarded.
        guarded_soldier: Taper,
        /// A horse, a cannon that is guarded.
        guarded_horse: Taper,
        guarded_cannon: Taper,
        /// An enemy rook attacked by a lesser man.
        threat_on_rook: Taper,
        /// An enemy horse or cannon attacked by a soldier or a guard.
        threat_by_soldier: Taper,
        /// An unguarded enemy horse, cannon, guard, soldier that is attacked.
        hanging: [Taper; 4],
        /// For each cannon and each own guard, which can be its screen.
        cannon_with_guard: Taper,
        /// For each cannon and each man on the board over 16.
        cannon_in_crowd: Taper,
        /// A horse and a cannon; a rook and a horse; a rook and a cannon.
        horse_and_cannon: Taper,
        rook_and_horse: Taper,
        rook_and_cannon: Taper,
        /// What each kind is worth wherever it stands. A general is never exchanged, so it has no worth.
        material: [Taper; 7],
        /// Kept at home behind its guards; every step forward is a step towards the enemy's lines.
        king: Places,
        /// In front of the general they link up; at the top of the palace they stand apart.
        advisor: Places,
        /// In the middle both protect each other; at the edge one stands alone.
        elephant: Places,
        /// Weak at the edges and in its first place, strong near the enemy's palace.
        horse: Places,
        /// Active on open files and on the enemy's ranks; asleep in the corner.
        rook: Places,
        /// Best on the central file and on the enemy's back ranks, where screens are many.
        cannon: Places,
        /// Worth little before the river, most beside the palace, little again on the last rank, from which it cannot return.
        soldier: Places,
    }
}

impl Weights {
    /// What a man of Red's kind is worth on this point.
    pub(super) const fn place(&self, kind: Kind, square: Square) -> Taper {
        let places = match kind {
            Kind::King => &self.king,
            Kind::Advisor => &self.advisor,
            Kind::Elephant => &self.elephant,
            Kind::Horse => &self.horse,
            Kind::Rook => &self.rook,
            Kind::Cannon => &self.cannon,
            Kind::Soldier => &self.soldier,
        };
        let file = if square.file() > 4 { 8 - square.file() } else { square.file() };
        self.material[kind as usize].plus(places[9 - square.rank()][file])
    }
}

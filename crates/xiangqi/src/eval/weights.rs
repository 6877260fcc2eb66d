//! What each thing that [`terms`](super::terms) sees is worth, in centipawns.

use super::Taper;

const fn t(middle: i32, end: i32) -> Taper {
    Taper::new(middle, end)
}

/// The weights of all terms. A field is a weight for each one counted, an array is indexed by a count.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Weights {
    /// The right to move.
    pub(super) tempo: Taper,
    /// By how many points a rook can go to that no enemy soldier guards.
    pub(super) rook_reach: [Taper; 18],
    /// The same of a horse: at none or one it is trapped.
    pub(super) horse_reach: [Taper; 9],
    /// The same of a cannon.
    pub(super) cannon_reach: [Taper; 18],
    /// For each point of the enemy palace that a rook, a horse can go to.
    pub(super) rook_in_palace: Taper,
    pub(super) horse_in_palace: Taper,
    /// For each point from which a rook, a horse could give check and not be taken.
    pub(super) rook_checks: Taper,
    pub(super) horse_checks: Taper,
    /// For each horse that only its blocked leg keeps from giving check.
    pub(super) horse_held: Taper,
    /// A cannon on the enemy general's file, by the men between: none is the hollow cannon (kong tou pao), two the cannon
    /// at the head (dang tou pao).
    pub(super) cannon_on_file: [Taper; 5],
    /// The same while an own rook is on the board.
    pub(super) cannon_on_file_and_rook: [Taper; 5],
    /// A cannon on the enemy general's rank, by the men between: the sunken cannon (chen di pao).
    pub(super) cannon_on_rank: [Taper; 4],
    /// The same while an own rook is on the board.
    pub(super) cannon_on_rank_and_rook: [Taper; 4],
    /// A rook on the enemy general's file or rank with one man between, two men between.
    pub(super) rook_on_file: [Taper; 2],
    pub(super) rook_on_rank: [Taper; 2],
    /// For each missing advisor and each enemy rook, horse, cannon, soldier across the river.
    pub(super) advisor_missing: [Taper; 4],
    /// The same for each missing elephant.
    pub(super) elephant_missing: [Taper; 4],
    /// All four guards stand.
    pub(super) full_guard: Taper,
    /// No own man before the general on its file up to the river, for each enemy rook.
    pub(super) bare_file: Taper,
    /// By how many steps the general has.
    pub(super) king_steps: [Taper; 5],
    /// Two soldiers side by side across the river.
    pub(super) linked: Taper,
    /// A soldier across the river that is guarded.
    pub(super) guarded_soldier: Taper,
    /// A horse, a cannon that is guarded.
    pub(super) guarded_horse: Taper,
    pub(super) guarded_cannon: Taper,
    /// An enemy rook attacked by a lesser man.
    pub(super) threat_on_rook: Taper,
    /// An enemy horse or cannon attacked by a soldier or a guard.
    pub(super) threat_by_soldier: Taper,
    /// An unguarded enemy horse, cannon, guard, soldier that is attacked.
    pub(super) hanging: [Taper; 4],
    /// For each cannon and each own guard, which can be its screen.
    pub(super) cannon_with_guard: Taper,
    /// For each cannon and each man on the board over 16.
    pub(super) cannon_in_crowd: Taper,
    /// A horse and a cannon; a rook and a horse; a rook and a cannon.
    pub(super) horse_and_cannon: Taper,
    pub(super) rook_and_horse: Taper,
    pub(super) rook_and_cannon: Taper,
}

/// Reasoned first, then fitted with the places by logistic regression to 84,000 quiet positions of own games: the log is
/// `docs/strength.md`.
pub(super) static WEIGHTS: Weights = Weights {
    tempo: t(35, -2),
    rook_reach: [
        t(-42, -40),
        t(-26, -31),
        t(-45, -26),
        t(-16, -20),
        t(-7, -11),
        t(6, -4),
        t(5, -5),
        t(3, 4),
        t(12, 11),
        t(10, 8),
        t(6, 15),
        t(11, 18),
        t(15, 18),
        t(19, 21),
        t(16, 18),
        t(24, 24),
        t(17, 23),
        t(19, 21),
    ],
    horse_reach: [
        t(-45, -41),
        t(-27, -25),
        t(-12, -13),
        t(-10, -4),
        t(-1, 4),
        t(23, 16),
        t(19, 15),
        t(25, 15),
        t(25, 16),
    ],
    cannon_reach: [
        t(-19, -20),
        t(-18, -15),
        t(-15, -11),
        t(-11, -9),
        t(-21, -8),
        t(-6, -8),
        t(-4, -1),
        t(4, -2),
        t(5, 2),
        t(15, 7),
        t(8, 10),
        t(9, 9),
        t(7, 5),
        t(5, 6),
        t(1, 8),
        t(9, 10),
        t(7, 8),
        t(7, 9),
    ],
    rook_in_palace: t(20, 10),
    horse_in_palace: t(24, -24),
    rook_checks: t(27, 12),
    horse_checks: t(31, 21),
    horse_held: t(11, 9),
    cannon_on_file: [t(83, 43), t(0, 0), t(18, 16), t(12, 3), t(-1, 0)],
    cannon_on_file_and_rook: [t(73, 42), t(0, 0), t(18, 17), t(14, 3), t(-1, 1)],
    cannon_on_rank: [t(9, -1), t(0, 0), t(22, 17), t(4, 4)],
    cannon_on_rank_and_rook: [t(14, 12), t(0, 0), t(22, 17), t(0, 0)],
    rook_on_file: [t(14, 13), t(10, 7)],
    rook_on_rank: [t(15, 12), t(2, 1)],
    advisor_missing: [t(-35, -13), t(-34, -19), t(6, 11), t(-18, -35)],
    elephant_missing: [t(-18, -4), t(-15, -16), t(-13, -19), t(-28, -4)],
    full_guard: t(8, -14),
    bare_file: t(-38, -1),
    king_steps: [t(-14, -15), t(12, -3), t(-4, 4), t(4, 12), t(2, 8)],
    linked: t(9, 12),
    guarded_soldier: t(10, 5),
    guarded_horse: t(5, 7),
    guarded_cannon: t(18, 9),
    threat_on_rook: t(35, 39),
    threat_by_soldier: t(33, 30),
    hanging: [t(29, 27), t(39, 30), t(26, 21), t(16, 15)],
    cannon_with_guard: t(-25, -8),
    cannon_in_crowd: t(9, 26),
    horse_and_cannon: t(12, 27),
    rook_and_horse: t(16, 21),
    rook_and_cannon: t(3, -1),
};

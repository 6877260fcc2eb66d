//! What each thing that [`terms`](super::terms) sees is worth, in centipawns.

use super::Taper;

const fn t(middle: i32, end: i32) -> Taper {
    Taper(middle, end)
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

/// Reasoned.
pub(super) static WEIGHTS: Weights = Weights {
    tempo: t(12, 6),
    rook_reach: [
        t(-40, -40),
        t(-30, -30),
        t(-22, -24),
        t(-16, -18),
        t(-11, -13),
        t(-7, -9),
        t(-3, -5),
        t(0, 0),
        t(3, 4),
        t(6, 7),
        t(8, 10),
        t(10, 13),
        t(12, 15),
        t(14, 17),
        t(16, 19),
        t(17, 21),
        t(18, 22),
        t(19, 23),
    ],
    horse_reach: [
        t(-40, -40),
        t(-26, -24),
        t(-12, -12),
        t(-3, -4),
        t(4, 4),
        t(10, 11),
        t(15, 17),
        t(19, 22),
        t(22, 26),
    ],
    cannon_reach: [
        t(-20, -20),
        t(-15, -15),
        t(-11, -11),
        t(-8, -8),
        t(-6, -6),
        t(-4, -4),
        t(-2, -2),
        t(0, 0),
        t(1, 1),
        t(2, 2),
        t(3, 3),
        t(4, 4),
        t(5, 5),
        t(6, 6),
        t(7, 7),
        t(8, 8),
        t(8, 8),
        t(8, 8),
    ],
    rook_in_palace: t(5, 5),
    horse_in_palace: t(8, 8),
    rook_checks: t(10, 8),
    horse_checks: t(16, 14),
    horse_held: t(10, 10),
    cannon_on_file: [t(60, 40), t(0, 0), t(14, 8), t(4, 2), t(0, 0)],
    cannon_on_file_and_rook: [t(50, 40), t(0, 0), t(14, 10), t(6, 2), t(0, 0)],
    cannon_on_rank: [t(20, 10), t(0, 0), t(14, 10), t(4, 4)],
    cannon_on_rank_and_rook: [t(24, 20), t(0, 0), t(14, 10), t(0, 0)],
    rook_on_file: [t(16, 10), t(6, 4)],
    rook_on_rank: [t(14, 10), t(4, 2)],
    advisor_missing: [t(-28, -20), t(-16, -14), t(-8, -8), t(-12, -14)],
    elephant_missing: [t(-12, -10), t(-6, -8), t(-20, -16), t(-8, -10)],
    full_guard: t(10, 14),
    bare_file: t(-8, -4),
    king_steps: [t(-10, -10), t(0, 0), t(2, 4), t(4, 6), t(4, 6)],
    linked: t(14, 24),
    guarded_soldier: t(6, 10),
    guarded_horse: t(6, 6),
    guarded_cannon: t(4, 4),
    threat_on_rook: t(40, 40),
    threat_by_soldier: t(30, 30),
    hanging: [t(24, 24), t(24, 24), t(10, 10), t(8, 10)],
    cannon_with_guard: t(0, 6),
    cannon_in_crowd: t(1, 1),
    horse_and_cannon: t(8, 14),
    rook_and_horse: t(4, 4),
    rook_and_cannon: t(4, 0),
};

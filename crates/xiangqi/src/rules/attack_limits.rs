//! Rulesets that refuse moves: a side may check or chase so many times in a row, and then the next such move is
//! refused instead of losing the game.

use alloc::vec::Vec;

use alfil_kernel::short_sort::sort_short;
use alfil_kernel::{GameHistory, MoveList, Outcome, RefusedMove, Side, Verdict};

use super::cause::Cause;
use super::chase::ChaseOptions;
use super::homing::homings;
use super::repetition_analysis::{RepetitionAnalysis, analyse_plies};
use super::repetition_ply::{MoveClass, RepetitionPly};
use super::ruleset::{ChaseRule, Ruleset};
use crate::board::Board;
use crate::moves::Move;
use crate::square::SquareSet;

/// How many attacks in a row a ruleset allows before it refuses the next. A capture by either side, and a move of the
/// side that neither checks nor chases, begin the count again; neither of them counts itself.
///
/// ```
/// use alfil_xiangqi::prelude::*;
///
/// let limits = Ruleset::TIANTIAN.attack_limits.unwrap();
/// assert_eq!((limits.checks, limits.chases, limits.mixed), ([6, 12, 18], 6, [12, 18]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackLimits {
    /// The checks in a row by one piece, by two, and by three or more.
    pub checks: [usize; 3],
    /// The chases of the same piece in a row.
    pub chases: usize,
    /// The checks and chases in a row that are of both kinds, by one piece, and by two or more.
    pub mixed: [usize; 2],
    /// The checks of each side in a row, or the chases, that make a draw.
    pub mutual: usize,
    /// What a chase is.
    pub chase: ChaseOptions,
}

impl AttackLimits {
    /// The most moves of one side that the limits concern, one that may be refused included.
    fn longest(&self) -> usize {
        let longest = [self.checks[2], self.chases, self.mixed[1], self.mutual];
        1 + longest.into_iter().fold(0, usize::max)
    }

    fn shortest(&self) -> usize {
        [self.checks[0], self.chases, self.mixed[0]].into_iter().fold(usize::MAX, usize::min)
    }

    /// Returns why the last move is refused, and how many such moves are allowed. A side that only chases is not
    /// refused anything while the other one checks with every move: the checker must vary first.
    fn refusal(&self, plies: &[RepetitionPly], side: Side) -> Option<(Cause, usize)> {
        let checks = AttackRun::checks(plies, side);
        let limit = self.checks[checks.attackers.len().clamp(1, 3) - 1];
        if checks.count > limit {
            return Some((Cause::PerpetualCheck, limit));
        }
        let chases = AttackRun::chases(plies, side);
        if chases.count > self.chases && !is_checked_throughout(plies, side, chases.count) {
            return Some((Cause::PerpetualChase, self.chases));
        }
        let mixed = AttackRun::new(plies, side, |run, ply| run.add(ply, ply.class.is_attack()));
        let limit = self.mixed[mixed.attackers.len().clamp(1, 2) - 1];
        (mixed.has_both_kinds() && mixed.count > limit).then_some((Cause::Prohibited, limit))
    }

    /// Returns whether both sides have checked, or both have chased a piece, often enough for a draw.
    fn is_mutual(&self, plies: &[RepetitionPly]) -> bool {
        let all = |run: fn(&[RepetitionPly], Side) -> AttackRun| {
            Side::BOTH.into_iter().all(|side| run(plies, side).count >= self.mutual)
        };
        all(AttackRun::checks) || all(AttackRun::chases)
    }
}

/// The last moves of a side in a row that attack.
#[derive(Clone, Copy, Debug)]
struct AttackRun {
    count: usize,
    check_count: usize,
    /// The pieces that checked or chased.
    attackers: SquareSet,
    /// The pieces that were chased with every move.
    victims: Option<SquareSet>,
}

impl AttackRun {
    /// Returns the run of the last moves of a side that `add` accepts.
    fn new(
        plies: &[RepetitionPly],
        side: Side,
        add: impl Fn(&mut AttackRun, &RepetitionPly) -> bool,
    ) -> AttackRun {
        let mut run = AttackRun { count: 0, check_count: 0, attackers: SquareSet::EMPTY, victims: None };
        let own = plies.iter().rev().filter(|ply| ply.side == side);
        own.take_while(|ply| add(&mut run, ply)).for_each(drop);
        run
    }

    fn checks(plies: &[RepetitionPly], side: Side) -> AttackRun {
        AttackRun::new(plies, side, |run, ply| run.add(ply, ply.class == MoveClass::Check))
    }

    /// Returns the run of moves that all chase the same piece, and do not check.
    fn chases(plies: &[RepetitionPly], side: Side) -> AttackRun {
        AttackRun::new(plies, side, |run, ply| {
            let victims = run.victims.map_or(ply.victims, |victims| victims & ply.victims);
            let is_same = ply.class == MoveClass::Chase && !victims.is_empty();
            if is_same {
                run.victims = Some(victims);
            }
            run.add(ply, is_same)
        })
    }

    /// Adds a move to the run if it belongs to it, and returns whether it does.
    fn add(&mut self, ply: &RepetitionPly, is_member: bool) -> bool {
        if is_member {
            self.count += 1;
            self.check_count += usize::from(ply.class == MoveClass::Check);
            self.attackers = self.attackers | ply.attackers;
        }
        is_member
    }

    fn has_both_kinds(&self) -> bool {
        (1..self.count).contains(&self.check_count)
    }
}

/// Returns whether the other side checked with each of its moves between the last `count` moves of `side`.
fn is_checked_throughout(plies: &[RepetitionPly], side: Side, count: usize) -> bool {
    AttackRun::checks(plies, !side).count + 1 >= count
}

/// Returns the classified moves since the last capture, as many as the limits concern.
fn recent_plies<P: Board>(game: &GameHistory<P>, limits: &AttackLimits) -> Vec<RepetitionPly> {
    let window = game.reversible_plies().min(2 * limits.longest());
    analyse_plies(game, game.ply() - window, ChaseRule::NewThreats(limits.chase))
}

/// Returns the legal moves that the limits refuse. A capture, and a move that leaves no legal reply, are always
/// allowed.
pub(super) fn refused_moves<P: Board>(
    game: &GameHistory<P>,
    limits: &AttackLimits,
) -> Vec<RefusedMove<Move, Cause>> {
    let side = game.side_to_move();
    let played =
        AttackRun::new(&recent_plies(game, limits), side, |run, ply| run.add(ply, ply.class.is_attack()));
    let mut refused = Vec::new();
    if played.count < limits.shortest() {
        return refused;
    }
    let mut moves = MoveList::new();
    game.position().generate_legal(&mut moves);
    sort_short(&mut moves, |a, b| a < b);
    let mut game = game.clone();
    for &mv in moves.iter() {
        if game.position().captured_piece(mv).is_some() {
            continue;
        }
        game.push(mv, &mut ());
        if !game.position().has_no_legal_move()
            && let Some((cause, limit)) = limits.refusal(&recent_plies(&game, limits), side)
        {
            refused.push(RefusedMove { mv, cause, limit });
        }
        game.pop(&mut ());
    }
    refused
}

/// Returns the draw by mutual attacks, or by a repetition in which no move attacks.
pub(super) fn analyse<P: Board>(
    game: &GameHistory<P>,
    ruleset: &Ruleset,
    limits: &AttackLimits,
) -> Option<RepetitionAnalysis> {
    let draw =
        |cause, plies| Some(RepetitionAnalysis::without_chases(Verdict::new(Outcome::Draw, cause), plies));
    let plies = recent_plies(game, limits);
    if limits.is_mutual(&plies) {
        return draw(Cause::MutualOffence, plies);
    }
    let first = homings(game).nth(ruleset.occurrences.saturating_sub(2))?;
    let plies = analyse_plies(game, first, ChaseRule::NewThreats(limits.chase));
    if plies.iter().any(|ply| ply.class.is_attack()) { None } else { draw(Cause::Repetition, plies) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::square_at;

    /// Returns seven rounds in which the first side makes moves of one class with two pieces, and the second chases.
    fn rounds(class: MoveClass) -> Vec<RepetitionPly> {
        let ply = |number: usize| {
            let is_first = number % 2 == 1;
            let piece = |index| SquareSet::from_square(square_at(index));
            RepetitionPly {
                number,
                side: if is_first { Side::First } else { Side::Second },
                mv: Move::new(square_at(0), square_at(1)),
                class: if is_first { class } else { MoveClass::Chase },
                attacks: Vec::new(),
                counts_under_26_9: false,
                searched_plies: 0,
                was_search_cut_short: false,
                attackers: if is_first { piece(number % 4) } else { piece(10) },
                victims: if is_first { SquareSet::EMPTY } else { piece(20) },
                horse_pinned: SquareSet::EMPTY,
            }
        };
        (1..=14).map(ply).collect()
    }

    #[test]
    fn the_checker_varies_before_the_chaser() {
        let limits = Ruleset::TIANTIAN.attack_limits.unwrap();
        let refusal = |class| limits.refusal(&rounds(class), Side::Second);
        assert_eq!(refusal(MoveClass::Idle), Some((Cause::PerpetualChase, 6)));
        assert_eq!(refusal(MoveClass::Check), None);
        // Two pieces may check twelve times.
        assert_eq!(limits.refusal(&rounds(MoveClass::Check), Side::First), None);
        assert!(!limits.is_mutual(&rounds(MoveClass::Check)));
    }
}

//! Skill levels: weaker levels search less deep and may play moves that lose more.
//!
//! A level searches all moves that lose at most `max_loss_cp` and picks one at random: the greater the loss, the
//! smaller the probability. So it makes plausible mistakes, of which those of the weakest levels may lose a game by a
//! single move. In the first plies of a game the strongest level picks at random too, among nearly equal moves, so that
//! games differ.

use core::cmp::Reverse;

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::params::{MAX_PLY, SearchParams};
use crate::root::{RootLine, is_decided_within};
use crate::search_evaluator::SearchEvaluator;
use crate::worker::{SearchRequest, SearchResult, Worker};

/// The number of skill levels; they are numbered from 1.
pub const SKILL_LEVELS: u32 = 10;

/// The playing strength of a level.
///
/// ```
/// use alfil_search::{SKILL_LEVELS, SearchParams, SkillLevel};
///
/// let (weak, strong) = (SkillLevel::from_number(1), SkillLevel::from_number(SKILL_LEVELS));
/// assert!(weak.depth < strong.depth);
/// // After the opening the strongest level always plays the best move.
/// assert!(weak.is_random(60, &SearchParams::DEFAULT) && !strong.is_random(60, &SearchParams::DEFAULT));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillLevel {
    /// The maximum search depth, in plies.
    pub depth: u32,
    /// The loss that halves the probability of a move, in centipawns; 0 means that the best move is always played.
    pub half_chance_loss_cp: i32,
    /// The maximum loss of a move that may be played, in centipawns.
    pub max_loss_cp: i32,
}

impl SkillLevel {
    /// Returns the level with this number, from 1 (weakest) to [`SKILL_LEVELS`]; other numbers are clamped.
    pub fn from_number(number: u32) -> SkillLevel {
        const TABLE: [(u32, i32, i32); SKILL_LEVELS as usize] = [
            (1, 400, 800),
            (1, 120, 450),
            (2, 90, 350),
            (3, 60, 250),
            (4, 40, 180),
            (5, 25, 120),
            (6, 14, 80),
            (7, 8, 50),
            (8, 4, 20),
            (64, 0, 0),
        ];
        let (depth, half_chance_loss_cp, max_loss_cp) = TABLE[number.clamp(1, SKILL_LEVELS) as usize - 1];
        SkillLevel { depth, half_chance_loss_cp, max_loss_cp }
    }

    /// Returns whether this level picks at random among near-best moves at this game ply. If not, it plays the best
    /// move.
    pub fn is_random(self, ply: usize, params: &SearchParams) -> bool {
        self.at_ply(ply, params).half_chance_loss_cp > 0
    }

    /// Returns this level as it applies at this game ply.
    fn at_ply(self, ply: usize, params: &SearchParams) -> SkillLevel {
        if ply >= params.opening_random_plies as usize {
            return self;
        }
        SkillLevel {
            half_chance_loss_cp: self.half_chance_loss_cp.max(params.opening_half_chance_loss_cp),
            max_loss_cp: self.max_loss_cp.max(params.opening_max_loss_cp),
            ..self
        }
    }

    /// Returns the move that this level plays at a game ply, of moves with their scores, the best first, as an opening
    /// book has them. The same seed picks the same move.
    ///
    /// ```
    /// use alfil_kernel::Score;
    /// use alfil_search::{SearchParams, SkillLevel};
    ///
    /// let book = [("e2e4", 30), ("d2d4", 25), ("g2g4", -900)].map(|(mv, cp)| (mv, Score::from_cp(cp)));
    /// let level = SkillLevel::from_number(3);
    /// let (mv, _) = level.pick(&book, 60, &SearchParams::DEFAULT, 7).unwrap();
    /// // The last move loses more than this level may.
    /// assert!(["e2e4", "d2d4"].contains(&mv));
    /// ```
    pub fn pick<M: Copy>(
        self,
        moves: &[(M, Score)],
        ply: usize,
        params: &SearchParams,
        seed: u64,
    ) -> Option<(M, Score)> {
        let &best = moves.first()?;
        let level = self.at_ply(ply, params);
        if level.half_chance_loss_cp == 0 {
            return Some(best);
        }
        let is_near = |&&(_, score): &&(M, Score)| best.1 - score <= level.max_loss_cp;
        let near: Vec<_> = moves.iter().take_while(is_near).copied().collect();
        pick_weighted(&near, |&(_, score)| score, level, seed).copied()
    }

    /// Returns the weight of a move with this loss in the random choice; the best move has 2^40.
    fn weight(self, loss: i32) -> u64 {
        let weight = 1 << 40 >> (loss / self.half_chance_loss_cp).min(40);
        // The weight falls linearly from one halving to the next.
        weight - weight / 2 * (loss % self.half_chance_loss_cp) as u64 / self.half_chance_loss_cp as u64
    }
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Searches and picks a move as this level plays after the moves of the history: see [`SkillLevel`]. The same seed
    /// picks the same move.
    ///
    /// ```
    /// use alfil_chess::{Chess, Ruleset};
    /// use alfil_evaluation::chess::HandcraftedEval;
    /// use alfil_kernel::NeverStop;
    /// use alfil_search::{SkillLevel, Worker};
    ///
    /// let mut worker =
    ///     Worker::new(Chess::new().history().clone(), Ruleset::default(), HandcraftedEval::default(), 1);
    /// let mut pick = |seed| worker.search_at_level(SkillLevel::from_number(2), seed, &mut NeverStop).mv;
    /// assert_eq!(pick(5), pick(5));
    /// ```
    pub fn search_at_level<C: SearchControl<MoveOf<P>>>(
        &mut self,
        level: SkillLevel,
        seed: u64,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        self.search_at_level_with(level, seed, self.game.ply(), &SearchRequest::default(), control)
    }

    /// Searches as [`Worker::search_at_level`] does, within the moves and the depth of the request, at this ply of the
    /// game, which may have begun before the history.
    pub fn search_at_level_with<C: SearchControl<MoveOf<P>>>(
        &mut self,
        level: SkillLevel,
        seed: u64,
        ply: usize,
        request: &SearchRequest<MoveOf<P>>,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        let level = SkillLevel { depth: level.depth.min(request.max_depth), ..level };
        if !level.is_random(ply, &self.params) {
            return self.search_with(&SearchRequest { max_depth: level.depth, ..request.clone() }, control);
        }
        let level = level.at_ply(ply, &self.params);
        self.start_search();
        let legal = self.sorted_legal_moves();
        let moves = self.allowed_moves(&legal, request);
        if moves.is_empty() {
            return self.report_without_moves(control);
        }
        let (mut candidates, mut completed_depth) = (Vec::new(), 0);
        for depth in 1..=level.depth.max(1).min(MAX_PLY as u32 - 1) {
            if self.search_within_loss(level.max_loss_cp, depth, &moves, &mut candidates, control).is_none() {
                break;
            }
            completed_depth = depth;
            let is_decided = is_decided_within(candidates[0].score, depth);
            if is_decided || self.visited_nodes() >= request.soft_nodes {
                break;
            }
        }
        let picked =
            pick_weighted(&candidates, |line| line.score, level, seed ^ self.game.position().hash_key());
        // The last report is the line of the move that is played.
        if let Some(line) = picked.filter(|line| line.first_move() != candidates[0].first_move()) {
            self.report_line(1, line, control);
        }
        let (mv, score) = match picked {
            Some(line) => (line.first_move(), line.score),
            None => (moves.first().copied(), Score::DRAW),
        };
        SearchResult { mv, score, depth: completed_depth, nodes: self.visited_nodes() }
    }

    /// Replaces `candidates` by the lines that lose at most `max_loss_cp` at this depth, the best first, and reports
    /// the best. `None` means that the search was stopped: then the earlier candidates stay, if there are any.
    fn search_within_loss<C: SearchControl<MoveOf<P>>>(
        &mut self,
        max_loss_cp: i32,
        depth: u32,
        moves: &[MoveOf<P>],
        candidates: &mut Vec<RootLine<MoveOf<P>>>,
        control: &mut C,
    ) -> Option<()> {
        self.root_depth = depth as usize;
        self.root_moves.clear();
        self.root_moves.extend_from_slice(moves);
        let mut expected = candidates.first().map_or(Score::DRAW, |line| line.score);
        let mut found: Vec<RootLine<MoveOf<P>>> = Vec::new();
        let mut completed = Some(());
        while completed.is_some() && !self.root_moves.is_empty() {
            self.all_root_moves = self.root_moves.len() == self.sorted_legal_moves().len();
            completed = self.search_root_line(depth, expected, control).map(|_| ());
            let Some(line) = self.root_line.take() else { break };
            if found.iter().any(|better| line.score < better.score - max_loss_cp) {
                break;
            }
            expected = line.score;
            self.root_moves.retain(|&mv| Some(mv) != line.first_move());
            found.push(line);
        }
        if completed.is_none() && !candidates.is_empty() {
            return None;
        }
        found.sort_by_key(|line| Reverse(line.score));
        *candidates = found;
        self.note_best_move(candidates.first().and_then(RootLine::first_move));
        if let Some(best) = candidates.first() {
            self.report_line(1, best, control);
        }
        completed
    }
}

/// Picks one of the candidates, the best first, at random, weighted by their losses.
fn pick_weighted<T>(
    candidates: &[T],
    score: impl Fn(&T) -> Score,
    level: SkillLevel,
    seed: u64,
) -> Option<&T> {
    let best = score(candidates.first()?);
    let weights = candidates.iter().map(|candidate| level.weight(best - score(candidate)));
    let mut rest = SplitMix64::new(seed).below_u64(weights.clone().sum());
    for (candidate, weight) in candidates.iter().zip(weights) {
        if rest < weight {
            return Some(candidate);
        }
        rest -= weight;
    }
    None
}

#[cfg(test)]
mod tests {
    use alfil_kernel::Bound;

    use super::*;

    #[test]
    fn a_greater_loss_and_a_higher_level_have_a_smaller_weight() {
        for number in 1..SKILL_LEVELS {
            let level = SkillLevel::from_number(number);
            assert_eq!(level.weight(level.half_chance_loss_cp), level.weight(0) / 2);
            assert!((0..level.max_loss_cp).all(|loss| level.weight(loss) > level.weight(loss + 1)));
            let next = SkillLevel::from_number(number + 1);
            assert!(
                next.depth >= level.depth
                    && next.half_chance_loss_cp < level.half_chance_loss_cp
                    && next.max_loss_cp < level.max_loss_cp
            );
        }
        // A loss so great that the weight is almost 0 does not overflow.
        assert!(SkillLevel::from_number(9).weight(30_000) <= 1);
    }

    #[test]
    fn moves_are_picked_in_proportion_to_their_weights() {
        let level = SkillLevel::from_number(5);
        let candidates = [('a', 0), ('b', 1), ('c', 2)].map(|(mv, n)| RootLine {
            score: Score::from_cp(10 - n * level.half_chance_loss_cp),
            bound: Bound::Exact,
            depth: 1,
            seldepth: 1,
            pv: vec![mv],
            confidence: None,
        });
        let mut counts = [0; 3];
        for seed in 0..7_000 {
            let picked = pick_weighted(&candidates, |line| line.score, level, seed);
            counts[picked.unwrap().pv[0] as usize - 97] += 1;
        }
        for (count, expected) in counts.into_iter().zip([4_000_i32, 2_000, 1_000]) {
            assert!(
                (expected - 200..=expected + 200).contains(&count),
                "expected about {expected}, found {count}"
            );
        }
        assert!(pick_weighted(&candidates[..0], |line| line.score, level, 1).is_none());
    }

    #[test]
    fn of_moves_with_scores_a_level_picks_those_that_lose_little() {
        let params = SearchParams::DEFAULT;
        let moves = [('a', 50), ('b', 40), ('c', 20), ('d', -800)].map(|(mv, cp)| (mv, Score::from_cp(cp)));
        let picked = |number, ply| {
            let level = SkillLevel::from_number(number);
            let picks = (0..500).map(|seed| level.pick(&moves, ply, &params, seed).unwrap().0);
            let mut picks: Vec<_> = picks.collect();
            picks.sort_unstable();
            picks.dedup();
            picks
        };
        // The strongest level varies in the first plies only.
        assert_eq!(picked(SKILL_LEVELS, 2), ['a', 'b']);
        assert_eq!(picked(SKILL_LEVELS, 20), ['a']);
        assert_eq!(picked(8, 20), ['a', 'b', 'c']);
        assert_eq!(SkillLevel::from_number(3).pick::<char>(&[], 2, &params, 1), None);
    }
}

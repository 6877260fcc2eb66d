//! Levels that can be beaten: the weaker, the shallower it looks, and the more a move may lose and still be played.
//!
//! A level looks at all lines that lose no more than it forgives, and draws one by lot: the greater its loss, the smaller its
//! chance. So it errs as people do, by what seems nearly as good, and never gives a whole game away in one move. In the first
//! plies of a game the strongest level draws too, among moves that are as good as equal, so that games differ.

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Evaluate, MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::params::{MAX_PLY, OPENING_HALF_CHANCE_LOSS_CP, OPENING_MAX_LOSS_CP, OPENING_RANDOM_PLIES};
use crate::worker::{SearchRequest, SearchResult, Worker, is_mate_within};

/// How many levels there are, from 1.
pub const SKILL_LEVELS: u32 = 10;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillLevel {
    /// How deep it looks, in plies.
    pub depth: u32,
    /// The loss that makes a move half as likely, in centipawns; 0 where the best is always played.
    pub half_chance_loss_cp: Score,
    /// The most that a move may lose and still be played, in centipawns.
    pub max_loss_cp: Score,
}

impl SkillLevel {
    /// The level of that number, from 1 (weakest) to [`LEVELS`]; others are taken as the nearest.
    pub fn from_number(number: u32) -> SkillLevel {
        const TABLE: [(u32, Score, Score); SKILL_LEVELS as usize] = [
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
        let (depth, halves, forgives) = TABLE[number.clamp(1, SKILL_LEVELS) as usize - 1];
        SkillLevel { depth, half_chance_loss_cp: halves, max_loss_cp: forgives }
    }

    /// Whether it draws its move by lot, so many plies into a game; else it plays the best, as a search without a level does.
    pub fn is_random(self, ply: usize) -> bool {
        self.at_ply(ply).half_chance_loss_cp > 0
    }

    /// The same so many plies into a game.
    fn at_ply(self, ply: usize) -> SkillLevel {
        if ply >= OPENING_RANDOM_PLIES {
            return self;
        }
        let (halves, forgives) = (
            self.half_chance_loss_cp.max(OPENING_HALF_CHANCE_LOSS_CP),
            self.max_loss_cp.max(OPENING_MAX_LOSS_CP),
        );
        SkillLevel { half_chance_loss_cp: halves, max_loss_cp: forgives, ..self }
    }

    /// How likely a move with this loss is to be played, beside 2^40 for the best.
    fn weight(self, loss: Score) -> u64 {
        let whole = 1 << 40 >> (loss / self.half_chance_loss_cp).min(40);
        // Between two halvings the chance falls in a straight line.
        whole - whole / 2 * (loss % self.half_chance_loss_cp) as u64 / self.half_chance_loss_cp as u64
    }
}

impl<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// Chooses as a player of this level would: see [`Level`]. The same seed chooses the same move.
    pub fn search_at_level<C: SearchControl<MoveOf<P>>>(
        &mut self,
        level: SkillLevel,
        seed: u64,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        self.search_at_level_with(level, seed, &SearchRequest::default(), control)
    }

    /// The same among the moves asked for, no deeper than asked for.
    pub fn search_at_level_with<C: SearchControl<MoveOf<P>>>(
        &mut self,
        level: SkillLevel,
        seed: u64,
        ask: &SearchRequest<MoveOf<P>>,
        control: &mut C,
    ) -> SearchResult<MoveOf<P>> {
        let level = SkillLevel { depth: level.depth.min(ask.max_depth), ..level };
        if !level.is_random(self.game.ply()) {
            return self.search_with(&SearchRequest { max_depth: level.depth, ..ask.clone() }, control);
        }
        let level = level.at_ply(self.game.ply());
        self.start_search();
        let legal = self.sorted_legal_moves();
        let moves: Vec<_> = legal.iter().copied().filter(|&mv| ask.is_allowed(mv)).collect();
        let mut best = SearchResult { mv: moves.first().copied(), score: 0, depth: 0, nodes: 0 };
        if legal.is_empty() {
            best.score = self.no_legal_move_score(0);
        }
        if moves.is_empty() {
            return best;
        }
        let mut lines = Vec::new();
        for depth in 1..=level.depth.max(1).min(MAX_PLY as u32 - 1) {
            let expected = lines.first().map_or(0, |&(_, score)| score);
            let Some(found) = self.search_within_loss(level.max_loss_cp, depth, expected, &moves, control)
            else {
                break;
            };
            lines = found;
            best.depth = depth;
            if is_mate_within(lines[0].1, depth) {
                break;
            }
        }
        if let Some((mv, score)) = pick_weighted(&lines, level, seed ^ self.game.position().hash_key()) {
            (best.mv, best.score) = (Some(mv), score);
        }
        best.nodes = self.visited_nodes();
        best
    }

    /// The lines that lose no more than `forgives` at this depth, by their first moves and scores, the best first. `None` when it was
    /// stopped.
    fn search_within_loss<C: SearchControl<MoveOf<P>>>(
        &mut self,
        forgives: Score,
        depth: u32,
        expected: Score,
        moves: &[MoveOf<P>],
        control: &mut C,
    ) -> Option<Vec<(MoveOf<P>, Score)>> {
        self.root_depth = depth as usize;
        self.root_moves.clear();
        self.root_moves.extend_from_slice(moves);
        let mut lines: Vec<(MoveOf<P>, Score)> = Vec::new();
        while !self.root_moves.is_empty() {
            self.all_root_moves = self.root_moves.len() == self.sorted_legal_moves().len();
            let score =
                self.aspiration_search(depth as i32, lines.last().map_or(expected, |line| line.1), control)?;
            let Some(&mv) = self.pv_table[0].first() else { break };
            match lines.iter().map(|line| line.1).max() {
                None => self.report(1, depth, score, control),
                Some(best) if score < best - forgives => break,
                Some(_) => (),
            }
            lines.push((mv, score));
            self.root_moves.retain(|&root| root != mv);
        }
        lines.sort_by_key(|line| -line.1);
        Some(lines)
    }
}

/// One of these lines, by lot.
fn pick_weighted<M: Copy>(lines: &[(M, Score)], level: SkillLevel, seed: u64) -> Option<(M, Score)> {
    let best = lines.first()?.1;
    let chances = lines.iter().map(|line| level.weight(best - line.1));
    let mut lot = SplitMix64::new(seed).below(chances.clone().sum::<u64>() as usize) as u64;
    for (&line, chance) in lines.iter().zip(chances) {
        if lot < chance {
            return Some(line);
        }
        lot -= chance;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greater_the_loss_the_smaller_the_chance() {
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
        // So great a loss that there is no chance left is no fault.
        assert!(SkillLevel::from_number(9).weight(30_000) <= 1);
    }

    #[test]
    fn lots_fall_as_the_chances_are() {
        let level = SkillLevel::from_number(5);
        let lines =
            [('a', 10), ('b', 10 - level.half_chance_loss_cp), ('c', 10 - 2 * level.half_chance_loss_cp)];
        let mut drawn = [0; 3];
        for seed in 0..7_000 {
            drawn[pick_weighted(&lines, level, seed).unwrap().0 as usize - 97] += 1;
        }
        for (drawn, expected) in drawn.into_iter().zip([4_000_i32, 2_000, 1_000]) {
            assert!((expected - 200..=expected + 200).contains(&drawn), "{drawn}, not about {expected}");
        }
        assert_eq!(pick_weighted::<char>(&[], level, 1), None);
    }
}

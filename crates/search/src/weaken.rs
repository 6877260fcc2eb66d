//! Levels that can be beaten: the weaker, the shallower it looks, and the more a move may lose and still be played.
//!
//! A level looks at all lines that lose no more than it forgives, and draws one by lot: the greater its loss, the smaller its
//! chance. So it errs as people do, by what seems nearly as good, and never gives a whole game away in one move. In the first
//! plies of a game the strongest level draws too, among moves that are as good as equal, so that games differ.

use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{Control, Evaluate, Laws, MoveOf, Oracle, Position, Score};

use crate::params::{MAX_PLY, VARIED_FORGIVES, VARIED_HALVES, VARIED_PLIES};
use crate::worker::{Ask, Best, Worker, ends_within};

/// How many levels there are, from 1.
pub const LEVELS: u32 = 10;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// How deep it looks, in plies.
    pub depth: u32,
    /// The loss that makes a move half as likely, in centipawns; 0 where the best is always played.
    pub halves: Score,
    /// The most that a move may lose and still be played, in centipawns.
    pub forgives: Score,
}

impl Level {
    /// The level of that number, from 1 (weakest) to [`LEVELS`]; others are taken as the nearest.
    pub fn of(number: u32) -> Level {
        const TABLE: [(u32, Score, Score); LEVELS as usize] = [
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
        let (depth, halves, forgives) = TABLE[number.clamp(1, LEVELS) as usize - 1];
        Level { depth, halves, forgives }
    }

    /// Whether it draws its move by lot, so many plies into a game; else it plays the best, as a search without a level does.
    pub fn draws(self, ply: usize) -> bool {
        self.at(ply).halves > 0
    }

    /// The same so many plies into a game.
    fn at(self, ply: usize) -> Level {
        if ply >= VARIED_PLIES {
            return self;
        }
        let (halves, forgives) = (self.halves.max(VARIED_HALVES), self.forgives.max(VARIED_FORGIVES));
        Level { halves, forgives, ..self }
    }

    /// How likely a move with this loss is to be played, beside 2^40 for the best.
    fn chance(self, loss: Score) -> u64 {
        let whole = 1 << 40 >> (loss / self.halves).min(40);
        // Between two halvings the chance falls in a straight line.
        whole - whole / 2 * (loss % self.halves) as u64 / self.halves as u64
    }
}

impl<P: Position, L: Laws<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// Chooses as a player of this level would: see [`Level`]. The same seed chooses the same move.
    pub fn think_at<C: Control<MoveOf<P>>>(
        &mut self,
        level: Level,
        seed: u64,
        control: &mut C,
    ) -> Best<MoveOf<P>> {
        self.think_about_at(level, seed, &Ask::default(), control)
    }

    /// The same among the moves asked for, no deeper than asked for.
    pub fn think_about_at<C: Control<MoveOf<P>>>(
        &mut self,
        level: Level,
        seed: u64,
        ask: &Ask<MoveOf<P>>,
        control: &mut C,
    ) -> Best<MoveOf<P>> {
        let level = Level { depth: level.depth.min(ask.depth), ..level };
        if !level.draws(self.line.ply()) {
            return self.think_about(&Ask { depth: level.depth, ..ask.clone() }, control);
        }
        let level = level.at(self.line.ply());
        self.begin();
        let legal = self.legal();
        let moves: Vec<_> = legal.iter().copied().filter(|&mv| ask.allows(mv)).collect();
        let mut best = Best { mv: moves.first().copied(), score: 0, depth: 0, nodes: 0 };
        if legal.is_empty() {
            best.score = self.no_move(0);
        }
        if moves.is_empty() {
            return best;
        }
        let mut lines = Vec::new();
        for depth in 1..=level.depth.max(1).min(MAX_PLY as u32 - 1) {
            let expected = lines.first().map_or(0, |&(_, score)| score);
            let Some(found) = self.lines_within(level.forgives, depth, expected, &moves, control) else {
                break;
            };
            lines = found;
            best.depth = depth;
            if ends_within(lines[0].1, depth) {
                break;
            }
        }
        if let Some((mv, score)) = draw(&lines, level, seed ^ self.line.position().key()) {
            (best.mv, best.score) = (Some(mv), score);
        }
        best.nodes = self.visited();
        best
    }

    /// The lines that lose no more than `forgives` at this depth, by their first moves and scores, the best first. `None` when it was
    /// stopped.
    fn lines_within<C: Control<MoveOf<P>>>(
        &mut self,
        forgives: Score,
        depth: u32,
        expected: Score,
        moves: &[MoveOf<P>],
        control: &mut C,
    ) -> Option<Vec<(MoveOf<P>, Score)>> {
        self.iteration = depth as usize;
        self.roots.clear();
        self.roots.extend_from_slice(moves);
        let mut lines: Vec<(MoveOf<P>, Score)> = Vec::new();
        while !self.roots.is_empty() {
            self.all_roots = self.roots.len() == self.legal().len();
            let score = self.deepen(depth as i32, lines.last().map_or(expected, |line| line.1), control)?;
            let Some(&mv) = self.variations[0].first() else { break };
            match lines.iter().map(|line| line.1).max() {
                None => self.report(1, depth, score, control),
                Some(best) if score < best - forgives => break,
                Some(_) => (),
            }
            lines.push((mv, score));
            self.roots.retain(|&root| root != mv);
        }
        lines.sort_by_key(|line| -line.1);
        Some(lines)
    }
}

/// One of these lines, by lot.
fn draw<M: Copy>(lines: &[(M, Score)], level: Level, seed: u64) -> Option<(M, Score)> {
    let best = lines.first()?.1;
    let chances = lines.iter().map(|line| level.chance(best - line.1));
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
        for number in 1..LEVELS {
            let level = Level::of(number);
            assert_eq!(level.chance(level.halves), level.chance(0) / 2);
            assert!((0..level.forgives).all(|loss| level.chance(loss) > level.chance(loss + 1)));
            let next = Level::of(number + 1);
            assert!(
                next.depth >= level.depth && next.halves < level.halves && next.forgives < level.forgives
            );
        }
        // So great a loss that there is no chance left is no fault.
        assert!(Level::of(9).chance(30_000) <= 1);
    }

    #[test]
    fn lots_fall_as_the_chances_are() {
        let level = Level::of(5);
        let lines = [('a', 10), ('b', 10 - level.halves), ('c', 10 - 2 * level.halves)];
        let mut drawn = [0; 3];
        for seed in 0..7_000 {
            drawn[draw(&lines, level, seed).unwrap().0 as usize - 97] += 1;
        }
        for (drawn, expected) in drawn.into_iter().zip([4_000_i32, 2_000, 1_000]) {
            assert!((expected - 200..=expected + 200).contains(&drawn), "{drawn}, not about {expected}");
        }
        assert_eq!(draw::<char>(&[], level, 1), None);
    }
}

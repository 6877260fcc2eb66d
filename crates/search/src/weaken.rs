//! Levels that can be beaten: the weaker, the shallower it looks and the less it minds a worse move.

use alfil_kernel::evaluate::INFINITE;
use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{Control, Evaluate, Laws, MoveOf, Position, Score};

use crate::history::slot;
use crate::worker::{Best, Worker};

/// How many levels there are, from 1.
pub const LEVELS: u32 = 10;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// How deep it looks, in plies.
    pub depth: u32,
    /// By how much it may misjudge each move, in centipawns.
    pub error: Score,
}

impl Level {
    /// The level of that number, from 1 (weakest) to [`LEVELS`]; others are taken as the nearest.
    pub fn of(number: u32) -> Level {
        const TABLE: [(u32, Score); LEVELS as usize] =
            [(1, 500), (1, 260), (2, 180), (2, 110), (3, 80), (4, 55), (5, 35), (6, 20), (8, 8), (64, 0)];
        let (depth, error) = TABLE[number.clamp(1, LEVELS) as usize - 1];
        Level { depth, error }
    }
}

impl<P: Position, L: Laws<P>, E: Evaluate<P>> Worker<P, L, E> {
    /// Chooses as a player of this level would: every move is judged, a little wrongly, and the one that seems best is
    /// played. The same seed chooses the same move.
    pub fn think_at<C: Control<MoveOf<P>>>(
        &mut self,
        level: Level,
        seed: u64,
        control: &mut C,
    ) -> Best<MoveOf<P>> {
        if level.error == 0 {
            return self.think(level.depth, control);
        }
        let mut best = self.think(1, control);
        let mut random = SplitMix64::new(seed ^ self.line.position().key());
        let mut seeming = -2 * INFINITE;
        self.iteration = level.depth as usize;
        for &mv in &self.legal() {
            self.frames[0].slot = slot(self.line.position(), mv);
            self.line.push(mv, &mut self.eval);
            let score = self.node(1, level.depth as i32 - 1, -INFINITE, INFINITE, false, control);
            self.line.pop(&mut self.eval);
            let Some(score) = score.map(|score| -score) else { break };
            let span = 2 * level.error as usize + 1;
            let seems = score + random.below(span) as Score - level.error;
            if seems > seeming {
                seeming = seems;
                best = Best { mv: Some(mv), score, depth: level.depth, ..best };
            }
        }
        best
    }
}

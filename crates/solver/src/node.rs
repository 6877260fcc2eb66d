//! The upper tree: null windows and principal variations, through the table.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use alfil_kernel::{Bound, Control};

use super::job::Job;
use super::last::{NEVER, settled};
use super::order::Choice;
use super::params::{ENHANCED_FROM, POLL_EVERY, SPLIT_FROM, TABLE_FROM, sort_depth, stability_from};
use super::simd;
use super::split::Split;
use alfil_othello::stability::stable;
use super::table::{Found, Known, NO_SQUARE};
use alfil_othello::bitboard::simd::Isa;
use alfil_othello::moves::Move;
use alfil_othello::square::Square;

/// One worker on a job.
pub(crate) struct Worker<'a, C> {
    job: &'a Job,
    pub(crate) control: &'a mut C,
    isa: Isa,
    nodes: u64,
    /// How many of them are in the job's count.
    handed: u64,
    until_poll: u32,
    /// The moves of the nodes between the root and here, node after node.
    choices: Vec<Choice>,
    /// The split this worker works for.
    split: Option<Arc<Split>>,
    /// What it is searching is no longer wanted: every result is void until it is back where it can take up work.
    pub(crate) void: bool,
    /// Whether improvements at the root are reported.
    pub(crate) telling: bool,
}

impl<'a, C: Control<Move>> Worker<'a, C> {
    pub(crate) fn new(job: &'a Job, control: &'a mut C) -> Self {
        let choices = Vec::with_capacity(1024);
        Worker {
            job,
            control,
            isa: Isa::detect(),
            nodes: 0,
            handed: 0,
            until_poll: 1,
            choices,
            split: None,
            void: false,
            telling: false,
        }
    }

    /// Counts a table node, and asks now and then whether to go on.
    fn visit(&mut self) {
        self.nodes += 1;
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_EVERY;
            if self.control.stop(self.visited()) {
                self.job.stop();
            }
            self.void |= self.job.is_stopped();
        }
        if let Some(split) = &self.split {
            self.void |= split.is_vain();
        }
    }

    /// Whether the score is above `alpha`: a result above it is a lower bound, any other an upper bound. The places
    /// for the mover's disc are found here.
    pub(crate) fn null_window(&mut self, mover: u64, opponent: u64, alpha: i32) -> i32 {
        let empties = (mover | opponent).count_zeros();
        if empties < TABLE_FROM {
            return simd::shallow(self.isa, mover, opponent, alpha, &mut self.nodes);
        }
        // 1. Go on?
        self.visit();
        if self.void {
            return alpha;
        }
        // 2. The opponent keeps its stable discs: is that enough?
        if alpha >= stability_from(empties) {
            let most = 64 - 2 * stable(opponent, mover) as i32;
            if most <= alpha {
                return most;
            }
        }
        // 3. A pass, or the end.
        let places = self.isa.mobility(mover, opponent);
        if places == 0 {
            if self.isa.mobility(opponent, mover) == 0 {
                return settled(mover, opponent);
            }
            return -self.null_window(opponent, mover, -alpha - 1);
        }
        // 4. The table.
        let known = self.job.table.probe(mover, opponent);
        if let Some(known) = known {
            if known.lower > alpha {
                return known.lower;
            }
            if known.upper <= alpha {
                return known.upper;
            }
        }
        // 5. The moves, the most promising first, and what the table says of the positions after them.
        let first = self.choices.len();
        let best = known.map_or([NO_SQUARE; 2], |known| known.best);
        simd::rate(self.isa, (mover, opponent), places, sort_depth(empties), best, &mut self.choices);
        let before = self.nodes;
        let found = match self.enhanced(first, empties, alpha) {
            Some(found) => found,
            None => self.younger(first, empties, alpha),
        };
        self.choices.truncate(first);
        // 6. Remember.
        if !self.void {
            let (score, best) = found;
            let found = Found { alpha, beta: alpha + 1, score, best, cost: cost(self.nodes - before) };
            self.job.table.store((mover, opponent), found, self.job.age);
        }
        found.0
    }

    /// A move whose position the table already knows to suffice. Enhanced transposition cut-off, after A. Plaat and
    /// others (1996).
    fn enhanced(&self, first: usize, empties: u32, alpha: i32) -> Option<(i32, u8)> {
        if empties < ENHANCED_FROM {
            return None;
        }
        self.choices[first..].iter().find_map(|choice| {
            let known = self.job.table.probe(choice.mover, choice.opponent)?;
            (-known.upper > alpha).then_some((-known.upper, choice.square))
        })
    }

    /// The best of the moves from `first` on in a null window: alone, or with others once the eldest is done.
    fn younger(&mut self, first: usize, empties: u32, alpha: i32) -> (i32, u8) {
        let end = self.choices.len();
        let mut best = (NEVER, NO_SQUARE);
        for at in first..end {
            if at > first && empties >= SPLIT_FROM && end - at > 1 && self.job.market.has_idle() {
                let shared = self.share(at, alpha);
                return if shared.0 > best.0 { shared } else { best };
            }
            let choice = self.pick(at, end);
            let score = -self.null_window(choice.mover, choice.opponent, -alpha - 1);
            if self.void {
                break;
            }
            if score > best.0 {
                best = (score, choice.square);
                if score > alpha {
                    break;
                }
            }
        }
        best
    }

    /// Brings the most promising of the moves from `at` on to the front, and gives it.
    fn pick(&mut self, at: usize, end: usize) -> Choice {
        // The first of equals: the order of squares decides, so that one worker always visits the same positions.
        let rest = &self.choices[at..end];
        let best = (0..rest.len()).rev().max_by_key(|&i| rest[i].score).expect("a move is left");
        self.choices[at..=at + best].rotate_right(1);
        self.choices[at]
    }

    /// Searches the moves from `at` on together with whoever has no work.
    fn share(&mut self, at: usize, alpha: i32) -> (i32, u8) {
        let mut choices = self.choices[at..].to_vec();
        choices.sort_by_key(|choice| core::cmp::Reverse(choice.score));
        let split = Split::new(choices, alpha, self.split.clone());
        self.job.market.offer(&split);
        let parent = self.split.replace(Arc::clone(&split));
        self.work();
        self.job.market.withdraw(&split);
        let best = split.wait();
        self.split = parent;
        self.void = self.job.is_stopped() || self.split.as_ref().is_some_and(|split| split.is_vain());
        best.unwrap_or((NEVER, NO_SQUARE))
    }

    /// Takes moves of the present split until there are none.
    fn work(&mut self) {
        let Some(split) = self.split.clone() else { return };
        while let Some(choice) = split.take() {
            let score = -self.null_window(choice.mover, choice.opponent, -split.alpha - 1);
            if self.void {
                return;
            }
            split.note(score, choice.square);
        }
    }

    /// Helps others until the job is done.
    pub(crate) fn help(&mut self) {
        while let Some(split) = self.job.market.find() {
            let mut inside = Inside { job: self.job, split: &split, done: false };
            self.void = self.job.is_stopped();
            self.split = Some(Arc::clone(&split));
            self.work();
            self.split = None;
            // Before the owner stops waiting for it.
            self.hand_in();
            inside.done = true;
        }
    }

    /// The score within a window, and a move that reaches it. Principal variation search (Marsland and Campbell, 1982).
    pub(crate) fn variation(&mut self, mover: u64, opponent: u64, mut alpha: i32, beta: i32) -> (i32, u8) {
        self.visit();
        if self.void {
            return (alpha, NO_SQUARE);
        }
        let places = self.isa.mobility(mover, opponent);
        if places == 0 {
            if self.isa.mobility(opponent, mover) == 0 {
                return (settled(mover, opponent), NO_SQUARE);
            }
            return (-self.variation(opponent, mover, -beta, -alpha).0, NO_SQUARE);
        }
        let known = self.job.table.probe(mover, opponent);
        if let Some(Known { lower, upper, best: [best, _], .. }) = known
            && best != NO_SQUARE
        {
            if lower >= beta || lower == upper {
                return (lower, best);
            }
            if upper <= alpha {
                return (upper, best);
            }
        }
        let (before, first, low) = (self.nodes, self.choices.len(), alpha);
        let empties = (mover | opponent).count_zeros();
        let hint = known.map_or([NO_SQUARE; 2], |known| known.best);
        simd::rate(self.isa, (mover, opponent), places, sort_depth(empties) + 1, hint, &mut self.choices);
        let mut best = (NEVER, NO_SQUARE);
        for at in first..self.choices.len() {
            let choice = self.pick(at, self.choices.len());
            let mut score = NEVER;
            if at > first {
                score = -self.null_window(choice.mover, choice.opponent, -alpha - 1);
            }
            if at == first || (score > alpha && score < beta) {
                score = -self.variation(choice.mover, choice.opponent, -beta, -alpha).0;
            }
            if self.void {
                break;
            }
            if score > best.0 {
                best = (score, choice.square);
                alpha = alpha.max(score);
                if first == 0 && self.telling && score > low {
                    self.job.tell(self, Bound::Lower, score, &[put(choice.square)]);
                }
            }
            if score >= beta {
                break;
            }
        }
        self.choices.truncate(first);
        if !self.void {
            let found =
                Found { alpha: low, beta, score: best.0, best: best.1, cost: cost(self.nodes - before) };
            self.job.table.store((mover, opponent), found, self.job.age);
        }
        best
    }

    /// Adds what this worker visited since it last did so to the job's count.
    pub(crate) fn hand_in(&mut self) {
        self.job.nodes.fetch_add(self.nodes - self.handed, Relaxed);
        self.handed = self.nodes;
    }

    /// What all workers visited, as far as it was handed in, and this one.
    pub(crate) fn visited(&self) -> u64 {
        self.job.nodes.load(Relaxed) + self.nodes - self.handed
    }
}

/// A helper inside a split. It leaves however it ends, so that the owner does not wait for ever; where that is a panic, what it had
/// taken is not known, and nothing can be concluded any more.
struct Inside<'a> {
    job: &'a Job,
    split: &'a Split,
    done: bool,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.job.stop();
        }
        self.split.leave();
    }
}

/// A disc put on the square of a choice.
pub(crate) fn put(square: u8) -> Move {
    Move::put(Square::from_index(square as usize).expect("choices are squares"))
}

/// The work of so many nodes, as a power of two.
fn cost(nodes: u64) -> u8 {
    nodes.max(1).ilog2() as u8
}

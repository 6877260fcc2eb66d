//! The search for a mate in a given number of moves: all moves of both sides are played out, and nothing is pruned.
//!
//! The search with pruning finds most mates sooner, but may miss one. This search proves that there is none.

use std::collections::HashMap;

use alfil_kernel::{MoveOf, Oracle, Position, RuleProbe, Rules, Score, SearchControl};

use crate::params::MAX_PLY;
use crate::search_evaluator::SearchEvaluator;
use crate::worker::Worker;

/// The number of positions without a mate that are kept.
const MAX_REFUTED_POSITIONS: usize = 1 << 20;

/// The answer of a search for a mate.
pub(crate) enum MateAnswer<M> {
    /// The mate, with the moves to it.
    Mate(Vec<M>),
    /// There is no mate in this number of moves.
    NoMate,
    /// The nodes were used up before.
    Unknown,
}

/// The search for mates of a position, one after another by length.
pub(crate) struct MateSearch {
    /// The longest mate that is looked for, and the length of the next one, in moves.
    max_moves: u32,
    next_moves: u32,
    /// The nodes at which the running search gives up.
    node_limit: u64,
    /// The positions, by key, without a mate in this number of moves.
    refuted: HashMap<u64, u32>,
}

/// The reason why a search has no answer.
enum Stop {
    Limit,
    Control,
}

impl MateSearch {
    pub(crate) fn new(max_moves: u32) -> Self {
        let max_moves = max_moves.min(MAX_PLY as u32 / 2);
        MateSearch { max_moves, next_moves: 1, node_limit: 0, refuted: HashMap::new() }
    }

    /// Returns whether all mates have been looked for in vain.
    pub(crate) fn is_refuted(&self) -> bool {
        self.next_moves > self.max_moves
    }

    /// Returns whether a score is a mate that is short enough.
    pub(crate) fn is_satisfied_by(&self, score: Score) -> bool {
        score.is_win() && score.plies_to_end().is_some_and(|plies| plies < 2 * self.max_moves)
    }
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Looks for the mates from the shortest one on, within a number of further nodes. `None` means that the search was
    /// stopped.
    pub(crate) fn search_mates<C: SearchControl<MoveOf<P>>>(
        &mut self,
        search: &mut MateSearch,
        root_moves: &[MoveOf<P>],
        nodes: u64,
        control: &mut C,
    ) -> Option<MateAnswer<MoveOf<P>>> {
        search.node_limit = self.visited_nodes() + nodes;
        while !search.is_refuted() {
            let moves = search.next_moves;
            match self.find_mate(search, 0, moves, Some(root_moves), control) {
                Ok(true) => return Some(MateAnswer::Mate(self.pv_table[0].clone())),
                Ok(false) => search.next_moves += 1,
                Err(Stop::Limit) => return Some(MateAnswer::Unknown),
                Err(Stop::Control) => return None,
            }
        }
        Some(MateAnswer::NoMate)
    }

    /// Returns whether the side to move has a mate in a number of moves; the moves are then in the table of variations.
    fn find_mate<C: SearchControl<MoveOf<P>>>(
        &mut self,
        search: &mut MateSearch,
        ply: usize,
        moves: u32,
        root_moves: Option<&[MoveOf<P>]>,
        control: &mut C,
    ) -> Result<bool, Stop> {
        let key = self.game.position().hash_key();
        if root_moves.is_none() && search.refuted.get(&key).is_some_and(|&refuted| refuted >= moves) {
            return Ok(false);
        }
        let rule_hits = self.rule_hits;
        let mut candidates = root_moves.map_or_else(|| self.sorted_legal_moves().to_vec(), <[_]>::to_vec);
        // Checks leave the fewest answers.
        let answers: Vec<_> = candidates.iter().map(|&mv| self.count_answers(mv)).collect();
        let mut order: Vec<_> = (0..candidates.len()).collect();
        order.sort_by_key(|&index| answers[index]);
        candidates = order.iter().map(|&index| candidates[index]).collect();
        for (mv, index) in candidates.into_iter().zip(order) {
            // The last move must leave no answer.
            if moves == 1 && answers[index] > 0 {
                break;
            }
            self.game.push(mv, &mut self.eval);
            let is_mate = self.is_mated(search, ply + 1, moves - 1, control);
            self.game.pop(&mut self.eval);
            if is_mate? {
                self.update_pv(ply, mv);
                return Ok(true);
            }
        }
        // What the rules decide depends on the moves before.
        if self.rule_hits == rule_hits && search.refuted.len() < MAX_REFUTED_POSITIONS {
            search.refuted.insert(key, moves);
        }
        Ok(false)
    }

    /// Returns the number of answers to a move.
    fn count_answers(&mut self, mv: MoveOf<P>) -> usize {
        self.game.push(mv, &mut self.eval);
        let answers = self.game.position().count_legal();
        self.game.pop(&mut self.eval);
        answers
    }

    /// Returns whether the side to move is mated, or will be in a number of moves whatever it plays.
    fn is_mated<C: SearchControl<MoveOf<P>>>(
        &mut self,
        search: &mut MateSearch,
        ply: usize,
        moves: u32,
        control: &mut C,
    ) -> Result<bool, Stop> {
        self.pv_table[ply].clear();
        self.visit(ply, control).ok_or(Stop::Control)?;
        if self.visited_nodes() >= search.node_limit {
            return Err(Stop::Limit);
        }
        let replies = self.sorted_legal_moves();
        if replies.is_empty() {
            return Ok(self.no_legal_move_score(ply).is_loss());
        }
        if moves == 0 {
            return Ok(false);
        }
        if !matches!(self.rules.probe(&self.game, self.root_ply), RuleProbe::Undecided) {
            self.rule_hits += 1;
            return Ok(false);
        }
        for &mv in replies.iter() {
            self.game.push(mv, &mut self.eval);
            let is_mate = self.find_mate(search, ply + 1, moves, None, control);
            self.game.pop(&mut self.eval);
            if !is_mate? {
                return Ok(false);
            }
            // The first of the longest defences is kept.
            if self.pv_table[ply].len() <= self.pv_table[ply + 1].len() {
                self.update_pv(ply, mv);
            }
        }
        Ok(true)
    }
}

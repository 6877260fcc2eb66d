//! The tree of positions from which the opening book of Othello is made.
//!
//! Each position has the score of a search, or, once its moves are added, the best score of the positions after them
//! (negamax). The next position to be expanded is the one that costs least: a ply costs [`PLY_COST`], and a move that
//! loses costs its loss, so that good lines are followed deep and bad ones a little ("drop-out expansion": T. R.
//! Lincke, "Strategies for the Automatic Construction of Opening Books", 2000).

use std::collections::{BTreeMap, BTreeSet};

use alfil_evaluation::nets;
use alfil_evaluation::othello::{BookMove, BookPosition, OpeningBook, PatternEval};
use alfil_kernel::{GameHistory, NeverStop, Position as _, Waivers};
use alfil_othello::{Bitboard, Othello, Ruleset, Square};
use alfil_search::{SearchRequest, Worker};
use alfil_session::game_profile::GameProfile;

/// The cost of a ply, in hundredths of a disc.
const PLY_COST: u32 = 100;

/// With at most this number of empty squares a position is not expanded: the search reaches the end of the game.
const MIN_EMPTIES: u32 = 24;

/// The greatest loss of a move that is in the book, in hundredths of a disc: weak levels play such moves.
const MAX_BOOK_LOSS: i16 = 800;

/// The size of the transposition table of a [`BookScorer`], in MiB.
pub const BOOK_SCORER_MIB: usize = 16;

/// A position of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    /// The score of the search of this position, in hundredths of a disc for the side to move.
    searched: i16,
    /// That score, or the best one of the moves if they are in the tree.
    score: i16,
    /// All legal moves with the positions after them if these are in the tree; otherwise none.
    next: Vec<(Square, BookPosition)>,
}

impl Node {
    fn is_expanded(&self) -> bool {
        !self.next.is_empty()
    }
}

/// The positions of a book that grows.
///
/// ```
/// use alfil_training::{BookScorer, BookTree};
///
/// let mut scorer = BookScorer::new(4);
/// let mut tree = BookTree::new(0);
/// for _ in 0..3 {
///     for position in tree.positions_to_expand(1) {
///         for next in tree.positions_to_score(position) {
///             tree.insert(next, scorer.score(next));
///         }
///         tree.expand(position);
///     }
/// }
/// // The start position, the one after its only move up to symmetry, and the best one after that.
/// assert_eq!((tree.expanded(), tree.book().len()), (3, 3));
/// ```
#[derive(Clone, Debug)]
pub struct BookTree {
    nodes: BTreeMap<BookPosition, Node>,
    expanded: usize,
}

impl BookTree {
    /// Returns the tree of the start position with the score of its search.
    pub fn new(score: i16) -> Self {
        let mut tree = BookTree { nodes: BTreeMap::new(), expanded: 0 };
        tree.insert(BookPosition::start(), score);
        tree
    }

    /// Returns the number of positions with a score.
    #[expect(clippy::len_without_is_empty, reason = "the start position is always there")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of positions whose moves are in the tree.
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// Adds a position with the score of its search, in hundredths of a disc for the side to move.
    pub fn insert(&mut self, position: BookPosition, score: i16) {
        self.nodes.insert(position, Node { searched: score, score, next: Vec::new() });
    }

    /// Returns the positions after the legal moves of a position that are not in the tree.
    pub fn positions_to_score(&self, position: BookPosition) -> Vec<BookPosition> {
        let mut next: Vec<_> =
            position.legal_squares().into_iter().map(|square| position.after(square)).collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|position| !self.nodes.contains_key(position));
        next
    }

    /// Returns whether a position has a legal move, and is in the tree with all positions after its moves.
    pub fn can_expand(&self, position: BookPosition) -> bool {
        let is_known = self.nodes.contains_key(&position);
        is_known && !position.legal_squares().is_empty() && self.positions_to_score(position).is_empty()
    }

    /// Marks a position of the tree as one whose moves are in the tree.
    ///
    /// # Panics
    /// If the position has no legal move, or if it or a position after a move is not in the tree.
    pub fn expand(&mut self, position: BookPosition) {
        let squares = position.legal_squares();
        assert!(!squares.is_empty(), "a position without a legal move cannot be expanded");
        let next: Vec<_> = squares.into_iter().map(|square| (square, position.after(square))).collect();
        let have_scores = next.iter().all(|(_, position)| self.nodes.contains_key(position));
        assert!(have_scores, "a position after a legal move has no score");
        let node = self.nodes.get_mut(&position).expect("the position is in the tree");
        self.expanded += usize::from(!node.is_expanded());
        node.next = next;
    }

    /// Returns the positions in the order of their discs, the start position first.
    fn in_order_of_discs(&self) -> Vec<BookPosition> {
        let mut positions: Vec<_> = self.nodes.keys().copied().collect();
        positions.sort_by_key(|position| core::cmp::Reverse(position.empties()));
        positions
    }

    /// Returns the moves of an expanded position with their scores.
    fn moves(&self, node: &Node) -> impl Iterator<Item = BookMove> {
        node.next.iter().map(move |&(square, next)| BookMove { square, score: -self.nodes[&next].score })
    }

    /// Gives each expanded position the best score of its moves.
    fn update_scores(&mut self) {
        for position in self.in_order_of_discs().into_iter().rev() {
            let best = self.moves(&self.nodes[&position]).map(|mv| mv.score).max();
            if let Some(best) = best {
                self.nodes.get_mut(&position).expect("the position is in the tree").score = best;
            }
        }
    }

    /// Returns the positions that cost least among those that can be expanded, at most `count` of them, the cheapest
    /// first.
    pub fn positions_to_expand(&mut self, count: usize) -> Vec<BookPosition> {
        self.update_scores();
        let mut costs = BTreeMap::from([(BookPosition::start(), 0)]);
        let mut leaves = Vec::new();
        for position in self.in_order_of_discs() {
            let Some(&cost) = costs.get(&position) else { continue };
            let node = &self.nodes[&position];
            if !node.is_expanded() {
                leaves.push((cost, position));
            }
            for (mv, &(_, next)) in self.moves(node).zip(&node.next) {
                let loss = (node.score - mv.score).unsigned_abs();
                let next_cost = cost + PLY_COST + u32::from(loss);
                let old = costs.entry(next).or_insert(next_cost);
                *old = next_cost.min(*old);
            }
        }
        leaves.sort_unstable();
        let can_expand = |at: &BookPosition| at.empties() > MIN_EMPTIES && !at.legal_squares().is_empty();
        leaves.into_iter().map(|(_, position)| position).filter(can_expand).take(count).collect()
    }

    /// Returns the book: of each expanded position that its moves reach, the moves that lose little.
    pub fn book(&mut self) -> OpeningBook {
        self.update_scores();
        let mut book = OpeningBook::default();
        let mut pending = vec![BookPosition::start()];
        let mut seen = BTreeSet::new();
        while let Some(position) = pending.pop() {
            let node = &self.nodes[&position];
            if !node.is_expanded() || !seen.insert(position) {
                continue;
            }
            let moves = self.moves(node).filter(|mv| node.score - mv.score <= MAX_BOOK_LOSS);
            let moves: Vec<_> = moves.collect();
            pending.extend(moves.iter().map(|mv| position.after(mv.square)));
            book.insert(position, moves);
        }
        book
    }

    /// Returns the mean absolute difference between the score of the search of an expanded position and that of its
    /// moves, in hundredths of a disc.
    pub fn mean_score_change(&mut self) -> f64 {
        self.update_scores();
        let expanded = self.nodes.values().filter(|node| node.is_expanded());
        let sum: f64 = expanded.map(|node| f64::from((node.score - node.searched).abs())).sum();
        sum / self.expanded.max(1) as f64
    }
}

/// Searches positions for a book, on one thread. Equal positions get equal scores, whatever was searched before.
pub struct BookScorer {
    worker: Worker<Bitboard, Ruleset, PatternEval>,
    depth: u32,
}

impl BookScorer {
    /// Returns a scorer that searches to this depth, in plies, or one deeper: the last position of each line has an
    /// even number of empty squares, because scores of even and odd numbers differ by the move that a side has more.
    pub fn new(depth: u32) -> Self {
        let eval = PatternEval::new(nets::othello());
        let game = GameHistory::from_start_position();
        let worker = Worker::new(game, Ruleset::default(), eval, BOOK_SCORER_MIB)
            .with_params(<Othello as GameProfile<Bitboard>>::info().search_params);
        BookScorer { worker, depth }
    }

    /// Returns the score of a position, in hundredths of a disc for the side to move.
    pub fn score(&mut self, position: BookPosition) -> i16 {
        let game = GameHistory::new(&position.board().to_setup(), &Waivers::All);
        self.worker.start_game(game.expect("all issues of the position are waived"));
        let max_depth = self.depth + (position.empties() + self.depth) % 2;
        let request = SearchRequest { max_depth, ..SearchRequest::default() };
        let score = self.worker.search_with(&request, &mut NeverStop).score.value();
        i16::try_from(score).expect("a score of Othello is at most 64 discs")
    }
}

#[cfg(test)]
mod tests {
    use alfil_kernel::zobrist::SplitMix64;

    use super::*;

    /// Returns a tree of so many expanded positions with random scores up to `limit`.
    fn random_tree(expanded: usize, limit: usize) -> BookTree {
        let mut random = SplitMix64::new(11);
        let mut tree = BookTree::new(0);
        while tree.expanded() < expanded {
            for position in tree.positions_to_expand(3.min(expanded - tree.expanded())) {
                for next in tree.positions_to_score(position) {
                    tree.insert(next, random.below(2 * limit + 1) as i16 - limit as i16);
                }
                tree.expand(position);
            }
        }
        tree
    }

    /// Returns the negamax score of a position by its definition.
    fn negamax(tree: &BookTree, position: BookPosition) -> i16 {
        let node = &tree.nodes[&position];
        if !node.is_expanded() {
            return node.searched;
        }
        let next = position.legal_squares().into_iter().map(|square| position.after(square));
        next.map(|next| -negamax(tree, next)).max().unwrap()
    }

    #[test]
    fn scores_are_those_of_negamax() {
        let mut tree = random_tree(120, 1_000);
        let book = tree.book();
        assert!(book.len() >= 20, "{}", book.len());
        for &position in tree.nodes.keys() {
            let score = negamax(&tree, position);
            assert_eq!(tree.nodes[&position].score, score);
            if let Some(best) = book.moves(&position.board()).first() {
                assert_eq!(best.score, score);
            }
        }
        assert_eq!(OpeningBook::read(&book.to_bytes()), Ok(book));
        assert!(tree.mean_score_change() > 0.0);
    }

    #[test]
    fn without_losses_the_tree_grows_breadth_first_and_with_them_along_the_best_lines() {
        let depth = |tree: &BookTree| {
            let expanded = tree.nodes.iter().filter(|(_, node)| node.is_expanded());
            expanded.map(|(position, _)| 60 - position.empties()).max().unwrap()
        };
        // 1, 1, 3 and 14 positions of the first plies, up to symmetry.
        assert_eq!(depth(&random_tree(19, 0)), 3);
        assert!(depth(&random_tree(19, 2_000)) > 4);
    }

    #[test]
    fn the_score_of_a_position_does_not_depend_on_earlier_searches() {
        let start = BookPosition::start();
        let next = start.after(start.legal_squares()[0]);
        let mut scorer = BookScorer::new(5);
        let scores = [start, next, start].map(|position| scorer.score(position));
        assert_eq!(scores[0], scores[2]);
        assert_eq!(scores[1], BookScorer::new(5).score(next));
        // Symmetric colours: one side's score is the other's loss, up to the errors of a shallow search.
        assert!((scores[0] + scores[1]).abs() < 300, "{scores:?}");
    }
}

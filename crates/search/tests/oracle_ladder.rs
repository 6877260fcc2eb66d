//! What a search makes of an oracle that begins with selective searches: it climbs to the exact one as far as its nodes
//! allow, and never calls less exact.

use alfil_evaluation::othello::PatternEval;
use alfil_kernel::{
    Bound, Confidence, GameHistory, MoveOf, Oracle, OracleResult, Position, Score, SearchControl, SearchInfo,
};
use alfil_othello::{Bitboard, Move, Ruleset};
use alfil_search::{SearchRequest, SearchResult, Worker};

/// An oracle that visits so many nodes for each of its confidences, polls the control every 100 nodes, and reports a
/// bound before and its result after them. Its score is its percentage, its move the last legal one.
#[derive(Clone, Debug)]
struct FakeOracle {
    costs: [u64; 3],
    max_plies: u32,
}

const CONFIDENCES: [Confidence; 3] =
    [Confidence::Selective(73), Confidence::Selective(95), Confidence::Exact];

impl Oracle<Bitboard> for FakeOracle {
    fn start_depth(&self, _: &Bitboard) -> u32 {
        4
    }

    fn max_plies(&self, _: &Bitboard) -> u32 {
        self.max_plies
    }

    fn confidences(&self, _: &Bitboard) -> &'static [Confidence] {
        &CONFIDENCES
    }

    fn solve<C: SearchControl<Move>>(
        &mut self,
        position: &Bitboard,
        confidence: Confidence,
        control: &mut C,
    ) -> Option<OracleResult<Move>> {
        let rung = CONFIDENCES.iter().position(|&one| one == confidence)?;
        let mv = last_move(position);
        let info = SearchInfo {
            depth: self.max_plies,
            seldepth: self.max_plies,
            score: Score::from_cp(6_400),
            bound: Bound::Upper,
            nodes: 0,
            pv: mv.as_slice(),
            multipv: 1,
            hashfull: 0,
            best_move_effort_permille: 0,
            best_move_stability: 0,
            score_fall_cp: None,
            root_moves_done: None,
            confidence: Some(confidence),
        };
        control.report(&info);
        for nodes in (0..=self.costs[rung]).step_by(100) {
            if control.is_stopped(nodes) {
                return None;
            }
        }
        let score = Score::from_cp(i32::from(confidence.percent()));
        control.report(&SearchInfo { score, bound: Bound::Exact, nodes: self.costs[rung], ..info });
        Some(OracleResult { score, mv, depth: self.max_plies, confidence })
    }
}

fn last_move(position: &Bitboard) -> Option<MoveOf<Bitboard>> {
    position.legal_moves().iter().copied().max()
}

/// Stops after a number of nodes and keeps the first lines. The bounds of selective searches are not to be reported.
struct Recorder {
    max_nodes: u64,
    lines: Vec<(u32, Option<Confidence>, Option<Move>)>,
}

impl SearchControl<Move> for Recorder {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.max_nodes
    }

    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        assert!(info.bound == Bound::Exact || info.confidence.is_none());
        if info.multipv == 1 && info.bound == Bound::Exact {
            self.lines.push((info.depth, info.confidence, info.pv.first().copied()));
        }
    }
}

fn search(oracle: FakeOracle, request: &SearchRequest<Move>) -> (SearchResult<Move>, Recorder) {
    let game = GameHistory::<Bitboard>::from_start_position();
    let mut worker = Worker::new(game, Ruleset::default(), PatternEval::default(), 1).with_oracle(oracle);
    let mut recorder = Recorder { max_nodes: request.max_nodes, lines: Vec::new() };
    let result = worker.search_with(request, &mut recorder);
    assert_eq!(recorder.lines.last().unwrap().2, result.mv, "the last line is that of the move");
    (result, recorder)
}

/// Returns the confidences that were reported, each once.
fn confidences(recorder: &Recorder) -> Vec<Confidence> {
    let mut list: Vec<_> = recorder.lines.iter().filter_map(|line| line.1).collect();
    list.dedup();
    list
}

#[test]
fn search_climbs_from_the_first_selective_result_to_the_exact_one() {
    let oracle = FakeOracle { costs: [100, 1_000_000, 2_000_000], max_plies: 40 };
    for multipv in [1, 3] {
        let request = SearchRequest { multipv, ..SearchRequest::default() };
        let (result, recorder) = search(oracle.clone(), &request);
        assert_eq!(confidences(&recorder), CONFIDENCES);
        // With several lines the oracle solves the positions after the moves.
        assert_eq!(result.score.value(), if multipv == 1 { 100 } else { -100 });
        assert!(recorder.lines.iter().any(|line| line.1.is_none()), "the search comes first");
    }
}

#[test]
fn stopped_search_returns_the_surest_result_and_says_that_it_is_not_exact() {
    let oracle = FakeOracle { costs: [100, 1_000, 2_000_000], max_plies: 40 };
    for multipv in [1, 3] {
        let request = SearchRequest { max_nodes: 500_000, multipv, ..SearchRequest::default() };
        let (result, recorder) = search(oracle.clone(), &request);
        assert_eq!(confidences(&recorder), CONFIDENCES[..2]);
        assert_eq!(recorder.lines.last().unwrap().1, Some(Confidence::Selective(95)));
        assert_eq!(result.score.value().abs(), 95);
    }
}

#[test]
fn oracle_that_takes_long_is_tried_again_and_leaves_most_nodes_to_the_search() {
    let depth_with = |costs, max_plies| {
        let request = SearchRequest { max_nodes: 200_000, ..SearchRequest::default() };
        let (result, recorder) = search(FakeOracle { costs, max_plies }, &request);
        (result.depth, confidences(&recorder))
    };
    // No search needs more nodes than the limit of the first try, and less than that of a later one.
    let (_, found) = depth_with([20_000, u64::MAX / 2, u64::MAX / 2], 40);
    assert_eq!(found, CONFIDENCES[..1]);
    let (depth, found) = depth_with([u64::MAX / 2; 3], 40);
    assert_eq!(found, []);
    let (free_depth, _) = depth_with([u64::MAX / 2; 3], u32::MAX);
    assert!(depth >= 5 && depth + 3 >= free_depth, "depth {depth} of {free_depth}");
}

#[test]
fn nodes_after_the_last_poll_of_the_oracle_are_counted() {
    for multipv in [1, 3] {
        let request = SearchRequest { multipv, ..SearchRequest::default() };
        let nodes = |cost| search(FakeOracle { costs: [cost; 3], max_plies: 40 }, &request).0.nodes;
        // It solves the position, or those after the four moves, with each of three confidences.
        let solved = if multipv == 1 { 3 } else { 12 };
        assert_eq!(nodes(150) - nodes(100), 50 * solved);
    }
}

#[test]
fn soft_limit_of_nodes_ends_the_climb() {
    let oracle = FakeOracle { costs: [100, 100_000, 5_000_000], max_plies: 40 };
    for (soft_nodes, expected) in [(50_000, 2), (1_000_000, 3)] {
        let request = SearchRequest { soft_nodes, ..SearchRequest::default() };
        assert_eq!(confidences(&search(oracle.clone(), &request).1), CONFIDENCES[..expected]);
    }
}

#[test]
fn search_of_limited_depth_is_selective_only_if_it_reaches_the_end_of_the_game() {
    for (max_plies, expected) in [(6, &CONFIDENCES[..]), (7, &[])] {
        let oracle = FakeOracle { costs: [100; 3], max_plies };
        let request = SearchRequest { max_depth: 6, ..SearchRequest::default() };
        assert_eq!(confidences(&search(oracle, &request).1), expected);
    }
}

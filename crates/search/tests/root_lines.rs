//! The reports of a search and its result agree, wherever the search is stopped: the lines are sorted, and the first
//! one begins with the move of the result.

use alfil_evaluation::{chess, othello, xiangqi};
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{
    Bound, GameHistory, MoveOf, Position, Rules, Score, SearchControl, SearchInfo, Setup as _, Waivers,
};
use alfil_search::{SKILL_LEVELS, SearchEvaluator, SearchRequest, SearchResult, SkillLevel, Worker};

/// A reported line: depth, score, first move.
type Line<M> = (u32, Score, Option<M>);

/// Stops after a number of nodes, and keeps the lines as a user interface does: the last one of each rank.
struct Recorder<M> {
    max_nodes: u64,
    lines: Vec<Line<M>>,
    has_unfinished_iteration: bool,
    nodes: u64,
}

impl<M> Recorder<M> {
    fn new(max_nodes: u64) -> Self {
        Recorder { max_nodes, lines: Vec::new(), has_unfinished_iteration: false, nodes: 0 }
    }
}

impl<M: Copy> SearchControl<M> for Recorder<M> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.max_nodes
    }

    fn report(&mut self, info: &SearchInfo<'_, M>) {
        assert!(info.nodes >= self.nodes, "{} nodes after {}", info.nodes, self.nodes);
        self.nodes = info.nodes;
        assert!(info.best_move_stability > 0 || info.depth == 0, "depth {}", info.depth);
        let rank = info.multipv as usize - 1;
        assert!(rank <= self.lines.len(), "rank {} after {} lines", info.multipv, self.lines.len());
        let is_shallower = self.lines.first().is_some_and(|line| line.0 > info.depth);
        self.has_unfinished_iteration |= rank > 0 && is_shallower || info.bound != Bound::Exact;
        let line = (info.depth, info.score, info.pv.first().copied());
        match self.lines.get_mut(rank) {
            Some(known) => *known = line,
            None => self.lines.push(line),
        }
    }
}

#[track_caller]
fn assert_consistent<M: Copy + PartialEq + std::fmt::Debug>(
    recorder: &Recorder<M>,
    result: SearchResult<M>,
    context: &str,
) {
    let lines = &recorder.lines;
    assert!(result.mv.is_some() && result.mv == lines[0].2, "{context}: {result:?}, {lines:?}");
    for pair in lines.windows(2) {
        assert!(pair[0].1 >= pair[1].1, "{context}: {lines:?}");
    }
    for (index, line) in lines.iter().enumerate() {
        assert!(lines[..index].iter().all(|other| other.2 != line.2), "{context}: {lines:?}");
    }
}

/// Searches the positions of random games with several node limits, numbers of lines and skill levels. Returns the
/// number of searches that ended with an unfinished iteration.
fn check_random_positions<P: Position, R: Rules<P> + Clone, E: SearchEvaluator<P> + Default>(
    rules: &R,
) -> usize {
    let mut random = SplitMix64::new(5);
    let mut unfinished = 0;
    for _ in 0..4 {
        let mut game = GameHistory::<P>::from_start_position();
        for _ in 0..30 {
            let moves = sorted_legal_moves(game.position());
            if moves.is_empty() {
                break;
            }
            for (multipv, level) in [(1, None), (5, None), (1, Some(1)), (1, Some(SKILL_LEVELS))] {
                let nodes = [1, 300, 1_000, 3_000][random.below(4)];
                let mut worker = Worker::new(game.clone(), rules.clone(), E::default(), 1);
                let mut recorder = Recorder::<MoveOf<P>>::new(nodes);
                let request = SearchRequest { multipv, ..SearchRequest::default() };
                let result = match level.map(SkillLevel::from_number) {
                    Some(level) => worker.search_at_level_with(level, 3, game.ply(), &request, &mut recorder),
                    None => worker.search_with(&request, &mut recorder),
                };
                let setup = game.position().to_setup().to_text();
                assert_consistent(&recorder, result, &format!("{setup} {multipv} {level:?} {nodes} nodes"));
                unfinished += usize::from(recorder.has_unfinished_iteration);
            }
            game.play(moves[random.below(moves.len())]);
        }
    }
    unfinished
}

#[test]
fn reports_and_result_agree_in_xiangqi() {
    use alfil_xiangqi::{Bitboard, Ruleset};
    assert!(check_random_positions::<Bitboard, _, xiangqi::HandcraftedEval>(&Ruleset::default()) > 10);
}

#[test]
fn reports_and_result_agree_in_chess() {
    use alfil_chess::{Bitboard, Ruleset};
    assert!(check_random_positions::<Bitboard, _, chess::HandcraftedEval>(&Ruleset::default()) > 10);
}

#[test]
fn reports_and_result_agree_in_othello() {
    use alfil_othello::{Bitboard, Ruleset};
    assert!(check_random_positions::<Bitboard, _, othello::HandcraftedEval>(&Ruleset::default()) > 10);
}

/// Returns the report and the result of a search of a chess position without root moves.
fn search_without_moves(fen: &str, request: &SearchRequest<alfil_chess::Move>) -> Line<alfil_chess::Move> {
    let setup = alfil_chess::Setup::parse(fen).unwrap();
    let game = GameHistory::<alfil_chess::Bitboard>::new(&setup, &Waivers::None).unwrap();
    let (rules, eval) = (alfil_chess::Ruleset::default(), chess::HandcraftedEval::default());
    let mut recorder = Recorder::new(1_000);
    let result = Worker::new(game, rules, eval, 1).search_with(request, &mut recorder);
    assert_eq!((result.mv, recorder.lines.len()), (None, 1), "{fen}");
    recorder.lines[0]
}

#[test]
fn a_position_without_root_moves_has_a_score_at_depth_0() {
    let request = SearchRequest::default();
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(search_without_moves(mated, &request), (0, Score::mated_in(0), None));
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(search_without_moves(stalemate, &request), (0, Score::DRAW, None));
    // White is a queen up.
    let fen = "7k/8/8/8/8/8/K7/1Q6 w - - 0 1";
    let setup = alfil_chess::Setup::parse(fen).unwrap();
    let game = GameHistory::<alfil_chess::Bitboard>::new(&setup, &Waivers::None).unwrap();
    let excluded_moves = sorted_legal_moves(game.position()).to_vec();
    let (depth, score, mv) =
        search_without_moves(fen, &SearchRequest { excluded_moves, ..SearchRequest::default() });
    assert!(depth == 0 && mv.is_none() && score > Score::from_cp(500), "{score:?}");
}

//! Search results: forced mates are found, every result is a legal move, and the limits of a request are observed.

use alfil_evaluation::xiangqi::HandcraftedEval;
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{
    BoardObserver, GameHistory, Position, Rules as _, Score, SearchControl, SearchInfo, Setup as _, Waivers,
};
use alfil_search::{SKILL_LEVELS, SearchParams, SearchRequest, SkillLevel, Worker};
use alfil_xiangqi::{Mailbox, Move, Piece, Ruleset, Setup, Square, Xiangqi};

use crate::{NodeLimit, is_forced_win};

fn worker(fen: &str) -> Worker<Mailbox, Ruleset, HandcraftedEval> {
    let game = GameHistory::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
    Worker::new(game, Ruleset::default(), HandcraftedEval::default(), 1)
}

/// Plays random games until `count` of them have ended without a legal move. Returns the positions of each.
fn ended_games(count: usize) -> Vec<Vec<Mailbox>> {
    let mut random = SplitMix64::new(9);
    let mut games = Vec::new();
    while games.len() < count {
        let mut board = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
        let mut game = Vec::new();
        for _ in 0..400 {
            game.push(board.clone());
            let moves = sorted_legal_moves(&board);
            if moves.is_empty() {
                games.push(game);
                break;
            }
            board.make(moves[random.below(moves.len())], &mut ());
        }
    }
    games
}

#[test]
fn forced_mates_are_found_and_most_of_them_at_their_length() {
    let (mut proved, mut exact) = ([0, 0], 0);
    for game in ended_games(150) {
        for (plies, back) in [(1, 2), (3, 4)] {
            let Some(at) = game.len().checked_sub(back) else { continue };
            let mut board = game[at].clone();
            let mut is_mate_in = |plies| is_forced_win(&mut board, &Ruleset::default(), plies);
            if !is_mate_in(plies) || (plies == 3 && is_mate_in(1)) {
                continue;
            }
            let fen = board.to_setup().to_text();
            // Pruning may skip a quiet mating move near the leaves, but not far above them; a longer mate may be found
            // first.
            let best = worker(&fen).search(plies + 8, &mut NodeLimit(u64::MAX));
            let length = best.score.mate_plies().unwrap_or_default();
            assert!((plies as i32..=plies as i32 + 8).contains(&length), "{fen}: {best:?}");
            exact += usize::from(length == plies as i32);
            proved[plies as usize / 2] += 1;
        }
    }
    assert!(proved[0] >= 100 && proved[1] >= 5, "only {proved:?} forced mates in the sample");
    assert!(exact * 10 >= 9 * (proved[0] + proved[1]), "{exact} of {proved:?} found at their length");
}

#[test]
fn a_stalemate_is_a_win_in_xiangqi() {
    // The black king has no square to move to.
    let mut worker = worker("3k5/9/9/9/9/9/9/9/4R4/4K4 w");
    let best = worker.search(4, &mut NodeLimit(u64::MAX));
    assert!(best.score > Score::mate_in(10), "{best:?}");
}

#[test]
fn a_legal_move_is_returned_however_early_the_search_is_stopped() {
    let mut random = SplitMix64::new(5);
    for nodes in [0, 1, 1024, 5000] {
        let mut game = GameHistory::<Mailbox>::from_start_position();
        for ply in 0..30 {
            let mut worker = Worker::new(game.clone(), Ruleset::default(), HandcraftedEval::default(), 1);
            let level = 1 + random.below(SKILL_LEVELS as usize) as u32;
            let best = if ply % 2 == 0 {
                worker.search(64, &mut NodeLimit(nodes))
            } else {
                worker.search_at_level(SkillLevel::from_number(level), ply, &mut NodeLimit(nodes))
            };
            let Some(mv) = best.mv else { break };
            game.try_play(mv).unwrap();
            let moves = sorted_legal_moves(game.position());
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn a_search_is_deterministic() {
    let fen = "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b";
    let first = worker(fen).search(6, &mut NodeLimit(u64::MAX));
    assert_eq!(first, worker(fen).search(6, &mut NodeLimit(u64::MAX)));
}

/// Counts the ply boundaries (`push`, `pop`) and the changes that an observer receives.
#[derive(Default)]
struct Counter {
    pushes: usize,
    pops: usize,
    changes: usize,
}

impl BoardObserver<Xiangqi> for Counter {
    fn put(&mut self, _: Square, _: Piece) {
        assert!(self.pushes > 0, "a change before the start of its ply");
        self.changes += 1;
    }
    fn remove(&mut self, _: Square, _: Piece) {
        assert!(self.pushes > 0, "a change before the start of its ply");
        self.changes += 1;
    }
    fn flip(&mut self, _: Square, _: Piece) {}
    fn push(&mut self) {
        assert_eq!(self.changes, 2 * self.pushes, "the boundary comes before the changes of its ply");
        self.pushes += 1;
    }
    fn pop(&mut self) {
        self.pops += 1;
    }
}

#[test]
fn an_observer_receives_the_boundaries_of_plies_before_their_changes() {
    let mut game = GameHistory::<Mailbox>::from_start_position();
    let mut counter = Counter::default();
    for _ in 0..3 {
        let position = game.position();
        let quiet = |mv: &Move| position.captured_piece(*mv).is_none();
        let mv = sorted_legal_moves(position).into_iter().find(quiet).unwrap();
        game.push(mv, &mut counter);
    }
    assert_eq!((counter.pushes, counter.pops, counter.changes), (3, 0, 6));
    game.push_null(&mut counter);
    game.pop(&mut counter);
    assert_eq!((counter.pushes, counter.pops, counter.changes), (4, 1, 6));
    game.pop(&mut counter);
    assert_eq!((counter.pushes, counter.pops, counter.changes), (4, 2, 8));
}

/// Records the reports of a search: depth, rank, score and first move.
#[derive(Default)]
struct ReportLog(Vec<(u32, u32, Score, Move)>);

impl SearchControl<Move> for ReportLog {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }
    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        self.0.push((info.depth, info.multipv, info.score, info.pv[0]));
    }
}

#[test]
fn multipv_variations_have_different_first_moves_and_descending_scores() {
    let mut reports = ReportLog::default();
    let request = SearchRequest { max_depth: 5, multipv: 3, ..SearchRequest::default() };
    let best = worker("r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b")
        .search_with(&request, &mut reports);
    assert_eq!(reports.0.len(), 15, "five depths with three variations each");
    let last: Vec<_> = reports.0.into_iter().filter(|&(depth, ..)| depth == 5).collect();
    assert_eq!(last[0].3, best.mv.unwrap());
    for pair in last.windows(2) {
        assert!(pair[0].1 + 1 == pair[1].1 && pair[0].3 != pair[1].3);
        assert!(pair[0].2 >= pair[1].2, "a later variation has a better score: {pair:?}");
    }
}

/// Depth 0 once returned the move with the lowest bits.
#[test]
fn a_search_of_depth_0_is_one_of_depth_1() {
    let [zero, one] = [0, 1].map(|depth| {
        let mut reports = ReportLog::default();
        let result = worker("r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b")
            .search(depth, &mut reports);
        (result, reports.0)
    });
    assert_eq!((one.0.depth, one.1.len()), (1, 1));
    assert_eq!(zero, one);
}

#[test]
fn only_the_requested_root_moves_are_searched() {
    let game = GameHistory::<Mailbox>::from_start_position();
    let moves = sorted_legal_moves(game.position());
    let mut worker = Worker::new(game, Ruleset::default(), HandcraftedEval::default(), 1);
    for request in [
        SearchRequest { max_depth: 4, search_moves: moves[..2].to_vec(), ..SearchRequest::default() },
        SearchRequest { max_depth: 4, excluded_moves: moves[2..].to_vec(), ..SearchRequest::default() },
        SearchRequest {
            max_depth: 4,
            search_moves: moves[..9].to_vec(),
            excluded_moves: moves[2..].to_vec(),
            multipv: 5,
            ..SearchRequest::default()
        },
    ] {
        let best = worker.search_with(&request, &mut NodeLimit(u64::MAX));
        assert!(moves[..2].contains(&best.mv.unwrap()));
    }
    let none = SearchRequest { max_depth: 4, excluded_moves: moves.clone(), ..SearchRequest::default() };
    assert_eq!(worker.search_with(&none, &mut NodeLimit(u64::MAX)).mv, None);
}

/// Keeps the score and the fall of each iteration.
#[derive(Default)]
struct Iterations(Vec<(i32, Option<i32>)>);

impl SearchControl<Move> for Iterations {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }

    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        self.0.push((info.score.value(), info.score_fall_cp));
    }
}

#[test]
fn the_fall_of_the_score_since_the_last_search_of_the_same_side_is_reported() {
    let fen = "3ak4/4a4/9/9/p8/9/9/9/R8/3K5 w";
    let fall = |worker: &mut Worker<_, _, _>| {
        let mut control = Iterations::default();
        worker.search(1, &mut control);
        control.0[0].1
    };
    let mut searched = worker(fen);
    assert_eq!(fall(&mut searched), Some(0));
    // White gives a rook away: the greatest fall since the last search, and none since an iteration of this one.
    searched.play("a1a4".parse().unwrap()).unwrap();
    searched.play("a5a4".parse().unwrap()).unwrap();
    assert_eq!(fall(&mut searched), Some(50));
    assert_eq!(fall(&mut searched), Some(0), "the last search was of the same position");
    let game = searched.game().clone();
    searched.play(sorted_legal_moves(game.position())[0]).unwrap();
    assert_eq!(fall(&mut searched), Some(0), "the last search was one of White");
    searched.start_game(game);
    assert_eq!(fall(&mut searched), Some(0), "there was no search in this game");
    let mut lost = worker("3ak4/4a4/9/9/9/p8/9/9/9/3K5 w");
    let no_iteration = SearchRequest { start_depth: 2, max_depth: 1, ..SearchRequest::default() };
    lost.search_with(&no_iteration, &mut NodeLimit(u64::MAX));
    lost.play("d0d1".parse().unwrap()).unwrap();
    lost.play("a4a3".parse().unwrap()).unwrap();
    assert_eq!(fall(&mut lost), Some(0), "the last search had no iteration");
    let params = SearchParams { measures_score_fall: 0, ..SearchParams::DEFAULT };
    assert_eq!(fall(&mut worker(fen).with_params(params)), None);
}

#[test]
fn the_fall_of_the_score_since_four_iterations_before_is_reported() {
    let mut control = Iterations::default();
    let start = Setup::start().to_text();
    worker(&start).search(9, &mut control);
    let iterations = control.0;
    assert_eq!(iterations.len(), 9);
    assert!(iterations[..4].iter().all(|&(_, fall)| fall == Some(0)));
    for (earlier, later) in iterations.iter().zip(&iterations[4..]) {
        assert_eq!(later.1, Some((earlier.0 - later.0).clamp(-100, 100) / 2));
    }
    assert!(iterations.iter().any(|&(_, fall)| fall != Some(0)));
}

/// A search returns no move that the ruleset refuses, and none at all if a request allows only refused moves.
#[test]
fn refused_moves_are_no_root_moves() {
    let mut game = Xiangqi::from_fen("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1").unwrap();
    for text in "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9".split(' ') {
        game.play(text).unwrap();
    }
    let (history, rules) = (game.history().clone(), Ruleset::TIANTIAN);
    let refused: Vec<_> = rules.refused_moves(&history).into_iter().map(|refused| refused.mv).collect();
    let legal = sorted_legal_moves(history.position());
    assert!(!refused.is_empty() && refused.len() < legal.len());
    let mut worker = Worker::new(history, rules, HandcraftedEval::default(), 1);
    for &only in &refused {
        let request = SearchRequest { search_moves: vec![only], max_depth: 4, ..SearchRequest::default() };
        assert_eq!(worker.search_with(&request, &mut NodeLimit(u64::MAX)).mv, None, "{only}");
    }
    let found = worker.search(5, &mut NodeLimit(u64::MAX)).mv.unwrap();
    assert!(legal.contains(&found) && !refused.contains(&found));
    for level in 1..=SKILL_LEVELS {
        let level = SkillLevel::from_number(level);
        let found = worker.search_at_level(level, 7, &mut NodeLimit(2_000)).mv.unwrap();
        assert!(!refused.contains(&found), "{level:?}");
    }
}

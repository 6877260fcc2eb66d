//! Forced ends are found, in as many plies as they take; nothing illegal is ever played.

use alfil_evaluation::xiangqi::HandcraftedEval;
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::evaluate::MATE;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Position, SearchControl, SearchInfo, Setup as _, Waivers};
use alfil_search::{SKILL_LEVELS, SearchRequest, SkillLevel, Worker};
use alfil_xiangqi::{Mailbox, Move, Ruleset, Setup};

/// Stops after so many nodes.
struct NodeLimit(u64);

impl SearchControl<Move> for NodeLimit {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
    fn report(&mut self, _: &SearchInfo<'_, Move>) {}
}

fn worker(fen: &str) -> Worker<Mailbox, Ruleset, HandcraftedEval> {
    let line = GameHistory::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
    Worker::new(line, Ruleset::default(), HandcraftedEval::default(), 1)
}

/// Whether the side to move can end the game within so many plies, by trying everything.
fn is_forced_mate(board: &mut Mailbox, plies: u32) -> bool {
    sorted_legal_moves(board).into_iter().any(|mv| {
        let undo = board.make(mv, &mut ());
        let replies = sorted_legal_moves(board);
        let won = replies.is_empty()
            || (plies > 2
                && replies.into_iter().all(|reply| {
                    let undo = board.make(reply, &mut ());
                    let won = is_forced_mate(board, plies - 2);
                    board.unmake(reply, &undo, &mut ());
                    won
                }));
        board.unmake(mv, &undo, &mut ());
        won
    })
}

/// Random games, each as its positions: those that came to an end.
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
fn forced_ends_are_found_most_of_them_at_their_length() {
    let (mut proved, mut exact) = ([0, 0], 0);
    for game in ended_games(150) {
        for (plies, back) in [(1, 2), (3, 4)] {
            let Some(at) = game.len().checked_sub(back) else { continue };
            let mut board = game[at].clone();
            if !is_forced_mate(&mut board, plies) || (plies == 3 && is_forced_mate(&mut board, 1)) {
                continue;
            }
            let fen = board.to_setup().to_text();
            // Pruning may hide a quiet mating move near the horizon, but not far above it; a longer mate may be met first.
            let best = worker(&fen).search(plies + 8, &mut NodeLimit(u64::MAX));
            let length = MATE - best.score;
            assert!((plies as i32..=plies as i32 + 8).contains(&length), "{fen}: {best:?}");
            exact += usize::from(length == plies as i32);
            proved[plies as usize / 2] += 1;
        }
    }
    assert!(proved[0] >= 100 && proved[1] >= 5, "{proved:?} forced ends were met");
    assert!(exact * 10 >= 9 * (proved[0] + proved[1]), "{exact} of {proved:?} at their length");
}

#[test]
fn having_no_move_loses_without_a_check_too() {
    // Black's general has no point left to go to.
    let mut stuck = worker("3k5/9/9/9/9/9/9/9/4R4/4K4 w");
    let best = stuck.search(4, &mut NodeLimit(u64::MAX));
    assert!(best.score > MATE - 10, "{best:?}");
}

#[test]
fn however_soon_it_is_stopped_a_legal_move_is_given() {
    let mut random = SplitMix64::new(5);
    for nodes in [0, 1, 1024, 5000] {
        let mut line = GameHistory::<Mailbox>::from_start_position();
        for ply in 0..30 {
            let mut worker = Worker::new(line.clone(), Ruleset::default(), HandcraftedEval::default(), 1);
            let level = 1 + random.below(SKILL_LEVELS as usize) as u32;
            let best = if ply % 2 == 0 {
                worker.search(64, &mut NodeLimit(nodes))
            } else {
                worker.search_at_level(SkillLevel::from_number(level), ply, &mut NodeLimit(nodes))
            };
            let Some(mv) = best.mv else { break };
            line.try_play(mv).unwrap();
            let moves = sorted_legal_moves(line.position());
            if moves.is_empty() {
                break;
            }
            line.play(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let fen = "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b";
    let first = worker(fen).search(6, &mut NodeLimit(u64::MAX));
    assert_eq!(first, worker(fen).search(6, &mut NodeLimit(u64::MAX)));
}

/// Notes the reports of the last depth.
#[derive(Default)]
struct ReportLog(Vec<(u32, u32, i32, Move)>);

impl SearchControl<Move> for ReportLog {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }
    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        self.0.push((info.depth, info.multipv, info.score, info.pv[0]));
    }
}

#[test]
fn several_lines_begin_with_several_moves_the_best_first() {
    let mut heard = ReportLog::default();
    let ask = SearchRequest { max_depth: 5, multipv: 3, ..SearchRequest::default() };
    let best = worker("r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b")
        .search_with(&ask, &mut heard);
    assert_eq!(heard.0.len(), 15, "five depths, three lines each");
    let last: Vec<_> = heard.0.into_iter().filter(|&(depth, ..)| depth == 5).collect();
    assert_eq!(last[0].3, best.mv.unwrap());
    for pair in last.windows(2) {
        assert!(pair[0].1 + 1 == pair[1].1 && pair[0].3 != pair[1].3);
        assert!(pair[0].2 >= pair[1].2 - 100, "a later line is much better: {pair:?}");
    }
}

#[test]
fn only_the_moves_asked_for_are_thought_about() {
    let line = GameHistory::<Mailbox>::from_start_position();
    let moves = sorted_legal_moves(line.position());
    let mut worker = Worker::new(line, Ruleset::default(), HandcraftedEval::default(), 1);
    for ask in [
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
        let best = worker.search_with(&ask, &mut NodeLimit(u64::MAX));
        assert!(moves[..2].contains(&best.mv.unwrap()));
    }
    let none = SearchRequest { max_depth: 4, excluded_moves: moves.clone(), ..SearchRequest::default() };
    assert_eq!(worker.search_with(&none, &mut NodeLimit(u64::MAX)).mv, None);
}

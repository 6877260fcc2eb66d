//! Forced ends are found, in as many plies as they take; nothing illegal is ever played.

use alfil_kernel::conformance::legal;
use alfil_kernel::evaluate::MATE;
use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{Control, Info, Line, Position, Setup as _, Waivers};
use alfil_search::{Ask, LEVELS, Level, Worker};
use alfil_evaluation::xiangqi::Values;
use alfil_xiangqi::{Mailbox, Move, Ruleset, Setup};

/// Stops after so many nodes.
struct Nodes(u64);

impl Control<Move> for Nodes {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
    fn report(&mut self, _: &Info<'_, Move>) {}
}

fn worker(fen: &str) -> Worker<Mailbox, Ruleset, Values> {
    let line = Line::new(&Setup::read(fen).unwrap(), &Waivers::None).unwrap();
    Worker::new(line, Ruleset::default(), Values::default(), 1)
}

/// Whether the side to move can end the game within so many plies, by trying everything.
fn forced(board: &mut Mailbox, plies: u32) -> bool {
    legal(board).into_iter().any(|mv| {
        let undo = board.make(mv, &mut ());
        let replies = legal(board);
        let won = replies.is_empty()
            || (plies > 2
                && replies.into_iter().all(|reply| {
                    let undo = board.make(reply, &mut ());
                    let won = forced(board, plies - 2);
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
            let moves = legal(&board);
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
            if !forced(&mut board, plies) || (plies == 3 && forced(&mut board, 1)) {
                continue;
            }
            let fen = board.setup().write();
            // Pruning may hide a quiet mating move near the horizon, but not far above it; a longer mate may be met first.
            let best = worker(&fen).think(plies + 8, &mut Nodes(u64::MAX));
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
    let best = stuck.think(4, &mut Nodes(u64::MAX));
    assert!(best.score > MATE - 10, "{best:?}");
}

#[test]
fn however_soon_it_is_stopped_a_legal_move_is_given() {
    let mut random = SplitMix64::new(5);
    for nodes in [0, 1, 1024, 5000] {
        let mut line = Line::<Mailbox>::start_of_game();
        for ply in 0..30 {
            let mut worker = Worker::new(line.clone(), Ruleset::default(), Values::default(), 1);
            let level = 1 + random.below(LEVELS as usize) as u32;
            let best = if ply % 2 == 0 {
                worker.think(64, &mut Nodes(nodes))
            } else {
                worker.think_at(Level::of(level), ply, &mut Nodes(nodes))
            };
            let Some(mv) = best.mv else { break };
            line.try_play(mv).unwrap();
            let moves = legal(line.position());
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
    let first = worker(fen).think(6, &mut Nodes(u64::MAX));
    assert_eq!(first, worker(fen).think(6, &mut Nodes(u64::MAX)));
}

/// Notes the reports of the last depth.
#[derive(Default)]
struct Heard(Vec<(u32, u32, i32, Move)>);

impl Control<Move> for Heard {
    fn stop(&mut self, _: u64) -> bool {
        false
    }
    fn report(&mut self, info: &Info<'_, Move>) {
        self.0.push((info.depth, info.rank, info.score, info.line[0]));
    }
}

#[test]
fn several_lines_begin_with_several_moves_the_best_first() {
    let mut heard = Heard::default();
    let ask = Ask { depth: 5, lines: 3, ..Ask::default() };
    let best = worker("r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b")
        .think_about(&ask, &mut heard);
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
    let line = Line::<Mailbox>::start_of_game();
    let moves = legal(line.position());
    let mut worker = Worker::new(line, Ruleset::default(), Values::default(), 1);
    for ask in [
        Ask { depth: 4, only: moves[..2].to_vec(), ..Ask::default() },
        Ask { depth: 4, without: moves[2..].to_vec(), ..Ask::default() },
        Ask { depth: 4, only: moves[..9].to_vec(), without: moves[2..].to_vec(), lines: 5, ..Ask::default() },
    ] {
        let best = worker.think_about(&ask, &mut Nodes(u64::MAX));
        assert!(moves[..2].contains(&best.mv.unwrap()));
    }
    let none = Ask { depth: 4, without: moves.clone(), ..Ask::default() };
    assert_eq!(worker.think_about(&none, &mut Nodes(u64::MAX)).mv, None);
}

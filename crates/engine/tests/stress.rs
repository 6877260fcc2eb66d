//! Many desks at once, thought about, stopped and taken back at random: nobody hangs, and no best move is illegal.

use std::sync::mpsc;
use std::time::Duration;

use alfil_engine::SearchEvent;
use alfil_kernel::zobrist::SplitMix64;
use alfil_session::SearchLimits;
use alfil_session::game_session::{BoardChange, GameSession, PositionView};
use alfil_session::registry;
use alfil_session::registry::GAMES;

/// Desks open at the same time: many more than a machine has cores.
const DESKS: usize = 24;
/// Plies played on each desk, take-backs included.
const PLIES: usize = 60;

/// Thinks under random limits, stops it or waits for it, and gives the move it named.
fn thought(desk: &dyn GameSession, random: &mut SplitMix64) -> Option<String> {
    let limits = SearchLimits {
        nodes: Some(1 + random.below(3_000) as u64),
        time: (random.below(3) == 0).then(|| Duration::from_millis(random.below(20) as u64)),
        level: (random.below(2) == 0).then(|| 1 + random.below(10) as u32),
        ..SearchLimits::default()
    };
    let (sender, heard) = mpsc::channel();
    let job = alfil_engine::start_search(desk, &limits, Box::new(move |thought| drop(sender.send(thought))))
        .unwrap();
    if random.below(4) == 0 {
        job.stop();
    }
    job.join();
    let best: Vec<_> = heard
        .try_iter()
        .filter_map(|thought| if let SearchEvent::BestMove(best) = thought { Some(best) } else { None })
        .collect();
    assert_eq!(best.len(), 1, "a thought ends with one best move");
    best.into_iter().next().flatten()
}

/// The men after a script: what a page shows that plays it.
fn played(mut view: PositionView, script: &[BoardChange]) -> Vec<(String, char)> {
    for change in script {
        match change {
            BoardChange::Remove(square, _) => view.pieces.retain(|(at, _)| at != square),
            BoardChange::Put(square, man) => view.pieces.push((square.clone(), *man)),
            BoardChange::Flip(square, man) => {
                let stood = view.pieces.iter_mut().find(|(at, _)| at == square);
                stood.expect("a man to turn").1 = *man;
            }
        }
    }
    view.pieces.sort();
    view.pieces
}

fn men(desk: &dyn GameSession) -> Vec<(String, char)> {
    let mut men = desk.view().pieces;
    men.sort();
    men
}

/// Plays, thinks and takes back on one desk.
fn play(game: &str, board: &str, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut desk = registry::open(game, Some(board)).unwrap();
    for _ in 0..PLIES {
        let before = desk.view();
        let best = thought(&*desk, &mut random);
        assert_eq!(before, desk.view(), "thinking leaves the desk alone");
        let moves = desk.legal_moves(None).unwrap();
        if let Some(best) = &best {
            assert!(moves.contains(best), "{game} {board} {seed}: {best} in {}", before.fen);
        }
        if before.game_end.is_some() || random.below(8) == 0 {
            if let Some(step) = desk.undo() {
                assert_eq!(played(before, &step.board_changes), men(&*desk));
            }
            continue;
        }
        let text = best.unwrap_or_else(|| panic!("{game} {board} {seed}: no best move in {}", before.fen));
        let step = desk.play(&text, None).unwrap();
        assert_eq!(played(before, &step.board_changes), men(&*desk));
    }
}

/// Every board of every game, so many desks of each at once.
fn crowd(desks: usize) {
    for &(game, boards) in GAMES {
        for &board in boards {
            std::thread::scope(|scope| {
                for seed in 0..desks as u64 {
                    scope.spawn(move || play(game, board, seed));
                }
            });
        }
    }
}

#[test]
fn a_few_desks_think_at_once() {
    crowd(2);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn many_desks_think_at_once() {
    crowd(DESKS);
}

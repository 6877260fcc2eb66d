//! Many sessions at once, with searches, stops and take-backs at random: no search hangs, and no best move is illegal.

use std::sync::mpsc;
use std::time::Duration;

use alfil_engine::SearchEvent;
use alfil_kernel::zobrist::SplitMix64;
use alfil_session::registry::GAMES;
use alfil_session::{BoardChange, GameSession, PositionView, SearchLimits, registry};

/// The number of sessions at the same time, many more than a machine has cores.
const SESSIONS: usize = 24;
/// The number of plies played in each session, including take-backs.
const PLIES: usize = 60;

/// Searches under random limits, stops the search or waits for it, and returns the best move.
fn random_search(session: &dyn GameSession, random: &mut SplitMix64) -> Option<String> {
    let limits = SearchLimits {
        nodes: Some(1 + random.below(3_000) as u64),
        time: (random.below(3) == 0).then(|| Duration::from_millis(random.below(20) as u64)),
        level: (random.below(2) == 0).then(|| 1 + random.below(10) as u32),
        ..SearchLimits::default()
    };
    let (sender, events) = mpsc::channel();
    let search =
        alfil_engine::start_search(session, &limits, Box::new(move |event| drop(sender.send(event))))
            .unwrap();
    if random.below(4) == 0 {
        search.stop();
    }
    search.join();
    let best: Vec<_> = events
        .try_iter()
        .filter_map(|event| if let SearchEvent::BestMove(best) = event { Some(best) } else { None })
        .collect();
    assert_eq!(best.len(), 1, "a search ends with one best move");
    best.into_iter().next().flatten()
}

/// Applies the changes of a move to the pieces of a view, as a user interface does.
fn apply_changes(mut view: PositionView, changes: &[BoardChange]) -> Vec<(String, char)> {
    for change in changes {
        match change {
            BoardChange::Remove(square, _) => view.pieces.retain(|(at, _)| at != square),
            BoardChange::Put(square, piece) => view.pieces.push((square.clone(), *piece)),
            BoardChange::Flip(square, piece) => {
                let changed = view.pieces.iter_mut().find(|(at, _)| at == square);
                changed.expect("a disc to flip").1 = *piece;
            }
        }
    }
    view.pieces.sort();
    view.pieces
}

fn pieces(session: &dyn GameSession) -> Vec<(String, char)> {
    let mut pieces = session.view().pieces;
    pieces.sort();
    pieces
}

/// Plays, searches and takes back in one session.
fn play(game: &str, board: &str, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut session = registry::open(game, Some(board)).unwrap();
    for _ in 0..PLIES {
        let before = session.view();
        let best = random_search(&*session, &mut random);
        assert_eq!(before, session.view(), "a search does not change the session");
        let moves = session.legal_moves(None).unwrap();
        if let Some(best) = &best {
            assert!(moves.contains(best), "{game} {board} {seed}: {best} in {}", before.fen);
        }
        if before.game_end.is_some() || random.below(8) == 0 {
            if let Some(result) = session.undo() {
                assert_eq!(apply_changes(before, &result.board_changes), pieces(&*session));
            }
            continue;
        }
        let text = best.unwrap_or_else(|| panic!("{game} {board} {seed}: no best move in {}", before.fen));
        let result = session.play(&text, None).unwrap();
        assert_eq!(apply_changes(before, &result.board_changes), pieces(&*session));
    }
}

/// Runs this number of sessions on every board of every game at once.
fn run_sessions(sessions: usize) {
    for entry in GAMES {
        let game = entry.info.name();
        for board in entry.board_names() {
            std::thread::scope(|scope| {
                for seed in 0..sessions as u64 {
                    scope.spawn(move || play(game, board, seed));
                }
            });
        }
    }
}

#[test]
fn a_few_sessions_search_at_once() {
    run_sessions(2);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn many_sessions_search_at_once() {
    run_sessions(SESSIONS);
}

//! The Othello solver over a session.

use alfil_engine::{SearchEvent, solve};
use alfil_kernel::Waivers;
use alfil_session::{SolveRequest, registry};

const END: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

#[test]
fn the_score_does_not_depend_on_threads_or_board() {
    for board in ["bitboard", "mailbox"] {
        let mut session = registry::open("othello", Some(board)).unwrap();
        session.open(END, &Waivers::None).unwrap();
        for threads in [0, 1, 2, 5] {
            let mut reports = 0;
            let mut on_event =
                |event: SearchEvent| reports += usize::from(matches!(event, SearchEvent::Info { .. }));
            let solution =
                solve(session.as_ref(), &SolveRequest { outcome_only: false, threads }, &mut on_event)
                    .unwrap();
            assert_eq!((solution.score, solution.best_move().map(String::as_str)), (6, Some("h5")));
            assert_eq!(solution.pv.first().map(String::as_str), Some("h5"));
            assert!(reports > 0 && solution.nodes > 0);
        }
        let outcome =
            solve(session.as_ref(), &SolveRequest { outcome_only: true, threads: 1 }, &mut |_| ()).unwrap();
        assert_eq!(outcome.score, 1);
    }
}

#[test]
fn best_play_leads_to_the_score() {
    let mut session = registry::open("othello", None).unwrap();
    session.open(END, &Waivers::None).unwrap();
    let solution = solve(session.as_ref(), &SolveRequest::default(), &mut |_| ()).unwrap();
    for mv in &solution.pv {
        session.play(mv, None).unwrap();
    }
    let end = session.game_end().unwrap();
    assert_eq!(end.message, "Neither side can move: Black wins 35 to 29 (30 to 29 on the board)");
}

#[test]
fn a_game_without_a_solver_returns_an_error() {
    let session = registry::open("xiangqi", None).unwrap();
    let error = solve(session.as_ref(), &SolveRequest::default(), &mut |_| ()).unwrap_err();
    assert!(error.message.contains("xiangqi has no solver"), "{error}");
    assert!(session.parse_problems("").is_err());
}

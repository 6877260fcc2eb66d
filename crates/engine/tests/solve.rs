//! The Othello solver over a session.

use alfil_engine::{SearchEvent, solve};
use alfil_kernel::Waivers;
use alfil_session::{SolveRequest, registry};

const END: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

#[test]
fn any_number_of_threads_finds_the_same_score_on_either_board() {
    for board in ["bitboard", "mailbox"] {
        let mut desk = registry::open("othello", Some(board)).unwrap();
        desk.open(END, &Waivers::None).unwrap();
        for threads in [0, 1, 2, 5] {
            let mut told = 0;
            let mut hear =
                |thought: SearchEvent| told += usize::from(matches!(thought, SearchEvent::Info { .. }));
            let solved =
                solve(desk.as_ref(), &SolveRequest { outcome_only: false, threads }, &mut hear).unwrap();
            assert_eq!((solved.score, solved.best_move.as_deref()), (6, Some("h5")));
            assert_eq!(solved.pv.first().map(String::as_str), Some("h5"));
            assert!(told > 0 && solved.nodes > 0);
        }
        let outcome =
            solve(desk.as_ref(), &SolveRequest { outcome_only: true, threads: 1 }, &mut |_| ()).unwrap();
        assert_eq!(outcome.score, 1);
    }
}

#[test]
fn best_play_leads_to_the_score() {
    let mut desk = registry::open("othello", None).unwrap();
    desk.open(END, &Waivers::None).unwrap();
    let solved = solve(desk.as_ref(), &SolveRequest::default(), &mut |_| ()).unwrap();
    for mv in &solved.pv {
        desk.play(mv, None).unwrap();
    }
    let ending = desk.game_end().unwrap();
    assert_eq!(ending.message, "Neither side can move: Black wins 35 to 29 (30 to 29 on the board)");
}

#[test]
fn a_game_without_a_solver_says_so() {
    let desk = registry::open("xiangqi", None).unwrap();
    let error = solve(desk.as_ref(), &SolveRequest::default(), &mut |_| ()).unwrap_err();
    assert!(error.message.contains("xiangqi has no solver"), "{error}");
    assert!(desk.parse_problems("").is_err());
}

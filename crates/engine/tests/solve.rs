//! The Othello solver over a session.

use alfil_engine::{SearchEvent, solve};
use alfil_kernel::{Bound, Confidence, Waivers};
use alfil_session::{SearchLimits, SearchReport, SolveRequest, registry};

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
                solve(session.as_ref(), &SolveRequest { threads, ..SolveRequest::default() }, &mut on_event)
                    .unwrap();
            assert_eq!((solution.score, solution.best_move().map(String::as_str)), (6, Some("h5")));
            assert_eq!(solution.pv.first().map(String::as_str), Some("h5"));
            assert!(reports > 0 && solution.nodes > 0);
        }
        let outcome = solve(
            session.as_ref(),
            &SolveRequest { outcome_only: true, ..SolveRequest::default() },
            &mut |_| (),
        )
        .unwrap();
        assert_eq!(outcome.score, 1);
    }
}

#[test]
fn every_move_has_the_score_of_the_position_after_it() {
    // FFO 1, with 14 empty squares.
    let start = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    for outcome_only in [false, true] {
        let request = SolveRequest { outcome_only, scores_all_moves: true, ..SolveRequest::default() };
        let mut session = registry::open("othello", None).unwrap();
        session.open(start, &Waivers::None).unwrap();
        let mut reported = Vec::new();
        let mut on_event = |event: SearchEvent| {
            if let SearchEvent::Info {
                report: SearchReport { bound: Bound::Exact, multipv, score, pv, .. },
                ..
            } = event
            {
                reported.insert(multipv as usize - 1, (pv[0].clone(), score / 100));
            }
        };
        let solution = solve(session.as_ref(), &request, &mut on_event).unwrap();
        assert_eq!(solution.move_scores, reported);
        let mut moves: Vec<_> = solution.move_scores.iter().map(|(mv, _)| mv.clone()).collect();
        moves.sort();
        assert_eq!(moves, session.legal_moves(None).unwrap());
        assert_eq!(solution.move_scores[0].1, solution.score);
        assert!(solution.move_scores.is_sorted_by(|(_, one), (_, other)| one >= other));
        for (mv, score) in &solution.move_scores {
            let mut child = registry::open("othello", Some("mailbox")).unwrap();
            child.open(&session.view().fen, &Waivers::None).unwrap();
            child.play(mv, None).unwrap();
            let request = SolveRequest { outcome_only, ..SolveRequest::default() };
            let reply = solve(child.as_ref(), &request, &mut |_| ()).unwrap();
            // A finished game has its score, too.
            assert_eq!(-reply.score, *score, "{mv}");
        }
    }
}

#[test]
fn the_table_is_kept_from_one_solution_to_the_next() {
    let mut session = registry::open("othello", None).unwrap();
    session
        .open("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", &Waivers::None)
        .unwrap();
    let nodes = |hash_mib| {
        let request = SolveRequest { hash_mib, ..SolveRequest::default() };
        solve(session.as_ref(), &request, &mut |_| ()).unwrap().nodes
    };
    let first = nodes(Some(4));
    assert!(nodes(Some(4)) < first / 10);
    assert_eq!(nodes(Some(3)), first, "a table of another size is a new one");
    assert!(nodes(None) < first / 10);
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

#[test]
fn a_search_says_how_sure_its_score_of_the_ending_is() {
    // FFO 42 with 22 empty squares; the first selective searches find less than its +6.
    let start = "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X";
    let mut session = registry::open("othello", None).unwrap();
    session.open(start, &Waivers::None).unwrap();
    for multipv in [1, 2] {
        session.clear_search();
        let mut found = Vec::new();
        let limits = SearchLimits { multipv, ..SearchLimits::default() };
        let (sender, events) = std::sync::mpsc::channel();
        let sink = Box::new(move |event| drop(sender.send(event)));
        let handle = alfil_engine::start_search(session.as_ref(), &limits, sink).unwrap();
        for event in events {
            if let SearchEvent::Info {
                report: SearchReport { multipv: 1, bound: Bound::Exact, confidence: Some(one), score, pv, .. },
                ..
            } = event
            {
                assert!(pv.len() > 10, "{pv:?}");
                found.push((one, score));
            }
        }
        handle.join();
        let confidences: Vec<_> = found.iter().map(|one| one.0).collect();
        assert!(confidences.is_sorted() && confidences[0] < Confidence::Exact, "{found:?}");
        assert_eq!(found.last(), Some(&(Confidence::Exact, 600)));
        assert!(found.iter().any(|&(confidence, score)| confidence < Confidence::Exact && score != 600));
    }
}

//! Searches of a session: with several threads, among some moves only, for a forced win, and with the results of an
//! earlier search.

use std::sync::mpsc;

use alfil_engine::SearchEvent;
use alfil_kernel::{Confidence, Waivers};
use alfil_session::{GameSession, SearchLimits, SearchReport, SearchResources, registry};

/// Red mates in two moves, with the rooks on the last two ranks.
const TWO_ROOKS: &str = "4k4/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1";

fn session(game: &str, text: &str) -> Box<dyn GameSession> {
    let mut session = registry::open(game, None).unwrap();
    session.open(text, &Waivers::None).unwrap();
    session
}

/// Returns the reports of a search and its best move.
fn search(session: &dyn GameSession, limits: &SearchLimits) -> (Vec<SearchEvent>, Option<String>) {
    let (sender, events) = mpsc::channel();
    alfil_engine::start_search(session, limits, Box::new(move |event| drop(sender.send(event))))
        .unwrap()
        .join();
    let mut all: Vec<_> = events.try_iter().collect();
    let Some(SearchEvent::BestMove(best)) = all.pop() else { panic!("the last event is the best move") };
    (all, best)
}

fn best(session: &dyn GameSession, limits: &SearchLimits) -> Option<String> {
    search(session, limits).1
}

fn nodes(search: &[SearchEvent]) -> u64 {
    let last = search.iter().rev().find_map(|event| match event {
        SearchEvent::Info { report: SearchReport { nodes, .. }, .. } => Some(*nodes),
        SearchEvent::Failed(_) | SearchEvent::BestMove(_) => None,
    });
    last.expect("the search has reported")
}

#[test]
fn a_parallel_search_returns_a_legal_move_in_every_game() {
    for game in registry::games() {
        let mut session = session(game, "startpos");
        session.set_resources(&SearchResources { hash_mib: 1, threads: 4, ..SearchResources::default() });
        let limits = SearchLimits { nodes: Some(60_000), ..SearchLimits::default() };
        for _ in 0..6 {
            let mv = best(session.as_ref(), &limits).expect("the game is not over");
            assert!(session.legal_moves(None).unwrap().contains(&mv), "{game}: {mv}");
            session.play(&mv, None).unwrap();
        }
    }
}

#[test]
fn search_moves_and_excluded_moves_restrict_the_root() {
    let session = session("chess", "startpos");
    let search_moves = vec!["a2a3".to_string(), "h2h4".to_string()];
    let limits =
        SearchLimits { depth: Some(4), search_moves: search_moves.clone(), ..SearchLimits::default() };
    assert!(search_moves.contains(&best(session.as_ref(), &limits).unwrap()));
    let excluded_moves = vec!["a2a3".to_string()];
    assert_eq!(best(session.as_ref(), &SearchLimits { excluded_moves, ..limits.clone() }).unwrap(), "h2h4");
    assert_eq!(
        best(session.as_ref(), &SearchLimits { excluded_moves: search_moves, ..limits.clone() }),
        None
    );

    let illegal = SearchLimits { search_moves: vec!["a2a5".into()], ..SearchLimits::default() };
    let error =
        alfil_engine::start_search(session.as_ref(), &illegal, Box::new(|_| panic!("no search is started")))
            .err();
    assert!(error.unwrap().to_string().contains("a2a5"));
}

#[test]
fn a_search_stops_at_a_mate_in_the_requested_moves() {
    let session = session("xiangqi", TWO_ROOKS);
    let (reports, best) =
        search(session.as_ref(), &SearchLimits { mate_in_moves: Some(2), ..SearchLimits::default() });
    let Some(SearchEvent::Info { report: SearchReport { mate_plies: Some(plies), .. }, .. }) = reports.last()
    else {
        panic!("no win was found: {reports:?}")
    };
    assert!(*plies <= 3, "{plies} plies");
    assert!(best.is_some());
}

#[test]
fn a_mate_within_some_moves_is_found_or_there_is_none() {
    // The pruned search finds longer mates first.
    for (game, fen, moves, exists) in [
        ("chess", "8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1", 3, true),
        ("chess", "8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1", 2, false),
        ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, true),
        ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1, false),
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, false),
        ("xiangqi", TWO_ROOKS, 2, true),
        ("xiangqi", TWO_ROOKS, 1, false),
    ] {
        let session = session(game, fen);
        let limits = SearchLimits { mate_in_moves: Some(moves), ..SearchLimits::default() };
        let (reports, best) = search(session.as_ref(), &limits);
        let last = reports.iter().rev().find_map(|event| match event {
            SearchEvent::Info { report, .. } if report.multipv == 1 => Some(report.clone()),
            _ => None,
        });
        let last = last.expect("the search has reported");
        let found = last.mate_plies.is_some_and(|plies| (1..2 * moves as i32).contains(&plies));
        assert_eq!(found, exists, "{fen}: {last:?}");
        assert_eq!(best, last.pv.first().cloned(), "{fen}");
        // The line ends in mate.
        let mut mated = registry::open(game, None).unwrap();
        mated.open(fen, &Waivers::None).unwrap();
        for mv in last.pv.iter().filter(|_| found) {
            mated.play(mv, None).unwrap();
        }
        assert_eq!(mated.game_end().is_some(), found, "{fen}");
    }
}

/// A single repeated search may need more nodes, because its aspiration windows start at another score; over many
/// positions the table saves nodes.
#[test]
fn repeated_searches_reuse_the_table_until_it_is_cleared() {
    let limits = SearchLimits { depth: Some(6), ..SearchLimits::default() };
    let (mut first_nodes, mut repeated_nodes) = (0, 0);
    for game in registry::games() {
        let mut session = session(game, "startpos");
        for _ in 0..16 {
            let (reports, best) = search(session.as_ref(), &limits);
            first_nodes += nodes(&reports);
            repeated_nodes += nodes(&search(session.as_ref(), &limits).0);
            session.clear_search();
            assert_eq!(nodes(&search(session.as_ref(), &limits).0), nodes(&reports), "{game}");
            session.clear_search();
            session.play(&best.unwrap(), None).unwrap();
        }
    }
    assert!(2 * repeated_nodes < first_nodes, "{repeated_nodes} nodes after {first_nodes}");
}

#[test]
fn the_fall_of_the_score_since_the_last_move_is_reported_but_not_in_othello() {
    let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
    let fall = |session: &dyn GameSession| match search(session, &limits).0.last() {
        Some(SearchEvent::Info { report, .. }) => report.score_fall_cp,
        other => panic!("{other:?}"),
    };
    // White gives a rook away, the greatest fall of one of the two that the report is the mean of.
    for (game, start, moves) in [
        ("xiangqi", "3ak4/4a4/9/9/p8/9/9/9/R8/3K5 w", ["a1a4", "a5a4"]),
        ("chess", "4k3/8/8/1p6/8/8/8/R3K3 w - - 0 1", ["a1a4", "b5a4"]),
    ] {
        let mut session = session(game, start);
        assert_eq!(fall(session.as_ref()), Some(0), "{game}");
        for text in moves {
            session.play(text, None).unwrap();
        }
        assert_eq!(fall(session.as_ref()), Some(50), "{game}");
    }
    assert_eq!(fall(session("othello", "startpos").as_ref()), None);
}

#[test]
fn the_ruleset_is_set_by_name() {
    let mut session = session("xiangqi", "startpos");
    assert!(session.set_ruleset("computer").is_ok());
    assert!(session.set_ruleset("unknown").unwrap_err().to_string().contains("computer"));
    assert!(registry::open("othello", None).unwrap().set_ruleset("axf").is_err());
}

#[test]
fn a_game_that_ends_at_the_horizon_has_its_final_score() {
    let text = format!("{0}---XX------XO---{0} X", "-".repeat(24));
    let (reports, best) = search(
        session("othello", &text).as_ref(),
        &SearchLimits { depth: Some(1), ..SearchLimits::default() },
    );
    assert_eq!(best.as_deref(), Some("f5"));
    let Some(SearchEvent::Info { report: SearchReport { score, .. }, .. }) = reports.last() else {
        panic!("no score was reported")
    };
    assert_eq!(*score, 6_400);
}

#[test]
fn a_solved_position_reports_depth_and_nodes() {
    let text = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let (reports, _) = search(session("othello", text).as_ref(), &SearchLimits::default());
    let Some(SearchEvent::Info { report: SearchReport { depth, nodes, .. }, .. }) = reports.last() else {
        panic!("no score was reported")
    };
    assert_eq!(*depth, 6);
    assert!(*nodes > 0);
}

/// 19 empty squares: the solver begins with selective searches.
const ENDING: &str = "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX--X-OXXO---OOOO-XO X";

#[test]
fn the_solver_keeps_its_table_from_one_search_to_the_next() {
    let mut session = session("othello", ENDING);
    let (first, _) = search(session.as_ref(), &SearchLimits::default());
    let repeated = nodes(&search(session.as_ref(), &SearchLimits::default()).0);
    assert!(4 * repeated < nodes(&first), "{repeated} nodes after {}", nodes(&first));
    session.clear_search();
    assert_eq!(nodes(&search(session.as_ref(), &SearchLimits::default()).0), nodes(&first));
}

#[test]
fn a_parallel_search_of_an_ending_has_the_score_of_a_single_thread() {
    let score_with = |threads| {
        let mut session = session("othello", ENDING);
        session.set_resources(&SearchResources { hash_mib: 8, threads, ..SearchResources::default() });
        let (reports, best) = search(session.as_ref(), &SearchLimits::default());
        assert!(best.is_some());
        match reports.last() {
            Some(&SearchEvent::Info {
                report: SearchReport { score, confidence: Some(Confidence::Exact), .. },
                ..
            }) => score,
            other => panic!("no exact score was reported: {other:?}"),
        }
    };
    let score = score_with(1);
    assert_eq!([score_with(2), score_with(4)], [score; 2]);
}

#[test]
fn move_counters_do_not_overflow() {
    for (game, fen, mv) in [
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 4294967295 1", "e1e2"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 4294967295 1", "d0d1"),
    ] {
        let mut session = session(game, fen);
        let result = session.play(mv, None).unwrap();
        assert!(result.game_end.is_some(), "{game}: the move limit was exceeded");
    }
}

/// The receiver of the events runs on the search thread, so that its panic is one within the search.
#[test]
fn a_failed_search_reports_the_failure_and_returns_a_legal_move() {
    for game in registry::games() {
        let mut session = session(game, "startpos");
        let all = session.legal_moves(None).unwrap();
        let last = all[all.len() - 1..].to_vec();
        let limits_with = |last: &[String], excluded: &[String], level| SearchLimits {
            depth: Some(3),
            search_moves: last.to_vec(),
            excluded_moves: excluded.to_vec(),
            level,
            ..SearchLimits::default()
        };
        for (limits, moves, threads) in [
            (limits_with(&[], &[], None), &all[..], 1),
            (limits_with(&[], &[], None), &all[..], 3),
            (limits_with(&last, &[], None), &last[..], 1),
            (limits_with(&[], &all[1..], Some(2)), &all[..1], 1),
            (limits_with(&last, &last, None), &[][..], 1),
        ] {
            session.set_resources(&SearchResources { hash_mib: 1, threads, ..SearchResources::default() });
            let (sender, events) = mpsc::channel();
            let sink = move |event: SearchEvent| {
                let is_info = matches!(event, SearchEvent::Info { .. });
                drop(sender.send(event));
                assert!(!is_info, "on\n  purpose");
            };
            alfil_engine::start_search(session.as_ref(), &limits, Box::new(sink)).unwrap().join();
            let reports: Vec<_> = events.try_iter().collect();
            match &reports[..] {
                [
                    SearchEvent::Info { report: SearchReport { pv, .. }, .. },
                    SearchEvent::Failed(message),
                    SearchEvent::BestMove(Some(best)),
                ] => {
                    assert_eq!(message, "the search stopped because of an internal error: on purpose");
                    assert!(pv[0] == *best && moves.contains(best), "{game}: {reports:?}");
                }
                // Without a move to search, the score of the position is reported.
                [
                    SearchEvent::Info { report: SearchReport { pv, .. }, .. },
                    SearchEvent::Failed(_),
                    SearchEvent::BestMove(None),
                ] => {
                    assert!(pv.is_empty() && moves.is_empty(), "{game}: {reports:?}");
                }
                _ => panic!("{game}: {reports:?}"),
            }
            // The session can still search.
            assert!(
                best(session.as_ref(), &SearchLimits { depth: Some(2), ..SearchLimits::default() }).is_some()
            );
        }
    }
}

#[test]
fn a_skill_level_searches_only_the_requested_moves() {
    for game in registry::games() {
        let session = session(game, "startpos");
        let all = session.legal_moves(None).unwrap();
        for level in [1, 4, 10] {
            for seed in 0..4 {
                let best_of = |search_moves: &[String], excluded_moves: &[String]| {
                    let (search_moves, excluded_moves) = (search_moves.to_vec(), excluded_moves.to_vec());
                    let (level, depth) = (Some(level), Some(2));
                    best(
                        session.as_ref(),
                        &SearchLimits {
                            level,
                            seed,
                            search_moves,
                            excluded_moves,
                            depth,
                            ..SearchLimits::default()
                        },
                    )
                };
                assert_eq!(best_of(&all[1..2], &[]).as_ref(), Some(&all[1]), "{game}");
                assert_eq!(best_of(&[], &all[1..]).as_ref(), Some(&all[0]), "{game}");
                assert_eq!(best_of(&[], &all), None, "{game}");
            }
        }
    }
}

#[test]
fn a_move_of_the_opening_book_is_played_at_once() {
    let mut session = session("othello", "startpos");
    let book = SearchLimits { uses_book: true, depth: Some(2), ..SearchLimits::default() };
    for ply in 0..4 {
        let (reports, best) = search(session.as_ref(), &book);
        let [SearchEvent::Info { report: SearchReport { is_book: true, depth: 0, nodes: 0, pv, .. }, .. }] =
            &reports[..]
        else {
            panic!("ply {ply}: {reports:?}")
        };
        assert_eq!(pv.first(), best.as_ref());
        assert!(pv.len() > 1, "{pv:?}");
        let without = SearchLimits { uses_book: false, ..book.clone() };
        assert!(is_searched(&search(session.as_ref(), &without).0), "ply {ply}");
        session.play(&best.unwrap(), None).unwrap();
    }
    // The moves that are excluded are not played, and other positions and games are searched.
    let excluded_moves = session.legal_moves(None).unwrap();
    let none = SearchLimits { excluded_moves, ..book.clone() };
    assert_eq!(search(session.as_ref(), &none).1, None);
    session.open(&format!("{0}---XX------XO---{0} X", "-".repeat(24)), &Waivers::All).unwrap();
    assert!(is_searched(&search(session.as_ref(), &book).0));
    for game in ["xiangqi", "chess"] {
        assert!(is_searched(&search(self::session(game, "startpos").as_ref(), &book).0), "{game}");
    }
}

/// Returns whether no report comes from the opening book.
fn is_searched(reports: &[SearchEvent]) -> bool {
    !reports.is_empty()
        && reports.iter().all(|report| {
            matches!(report, SearchEvent::Info { report: SearchReport { is_book: false, .. }, .. })
        })
}

/// The best level varies the openings of games. A position that was set up late in a game is no opening.
#[test]
fn the_best_level_plays_the_best_move_of_a_late_position() {
    let session = session("chess", "4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 60");
    let best_of = |level, seed| {
        best(session.as_ref(), &SearchLimits { level, seed, depth: Some(6), ..SearchLimits::default() })
    };
    assert!((0..20).all(|seed| best_of(Some(10), seed) == best_of(None, 0)));
}

#[test]
fn the_opening_book_gives_a_weaker_level_more_moves() {
    let mut session = session("othello", "startpos");
    session.play("f5", None).unwrap();
    let moves_of = |level| {
        let limits = |seed| SearchLimits { uses_book: true, level, seed, ..SearchLimits::default() };
        let mut moves: Vec<_> =
            (0..200).map(|seed| search(session.as_ref(), &limits(seed)).1.unwrap()).collect();
        moves.sort();
        moves.dedup();
        moves
    };
    // The parallel opening loses some discs.
    assert_eq!(moves_of(Some(1)), ["d6", "f4", "f6"]);
    assert!(!moves_of(Some(10)).contains(&"f4".to_owned()));
    assert_eq!(moves_of(None), moves_of(Some(10)));
}

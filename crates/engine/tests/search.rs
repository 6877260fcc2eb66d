//! Thinking by the desk: with several threads, among some of the moves only, until a win is found, with what was found before.

use std::sync::mpsc;

use alfil_engine::SearchEvent;
use alfil_kernel::Waivers;
use alfil_session::{GameSession, SearchLimits, SearchResources, registry};

/// Red mates in two moves: the rooks of the last two ranks.
const TWO_ROOKS: &str = "4k4/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1";

fn desk(game: &str, text: &str) -> Box<dyn GameSession> {
    let mut desk = registry::open(game, None).unwrap();
    desk.open(text, &Waivers::None).unwrap();
    desk
}

/// All that was said, and the move it came to.
fn thoughts(desk: &dyn GameSession, limits: &SearchLimits) -> (Vec<SearchEvent>, Option<String>) {
    let (sender, heard) = mpsc::channel();
    alfil_engine::start_search(desk, limits, Box::new(move |thought| drop(sender.send(thought))))
        .unwrap()
        .join();
    let mut all: Vec<_> = heard.try_iter().collect();
    let Some(SearchEvent::BestMove(best)) = all.pop() else { panic!("the last word is the move") };
    (all, best)
}

fn best(desk: &dyn GameSession, limits: &SearchLimits) -> Option<String> {
    thoughts(desk, limits).1
}

fn nodes(thoughts: &[SearchEvent]) -> u64 {
    let last = thoughts.iter().rev().find_map(|thought| match thought {
        SearchEvent::Info { nodes, .. } => Some(*nodes),
        SearchEvent::Failed(_) | SearchEvent::BestMove(_) => None,
    });
    last.expect("something was found out")
}

#[test]
fn several_threads_think_about_every_game_and_name_a_legal_move() {
    for (game, _) in registry::GAMES {
        let mut desk = desk(game, "startpos");
        desk.set_resources(&SearchResources { hash_mib: 1, threads: 4 });
        let limits = SearchLimits { nodes: Some(60_000), ..SearchLimits::default() };
        for _ in 0..6 {
            let mv = best(desk.as_ref(), &limits).expect("the game goes on");
            assert!(desk.legal_moves(None).unwrap().contains(&mv), "{game}: {mv}");
            desk.play(&mv, None).unwrap();
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_thought_about() {
    let desk = desk("chess", "startpos");
    let only = vec!["a2a3".to_string(), "h2h4".to_string()];
    let limits = SearchLimits { depth: Some(4), search_moves: only.clone(), ..SearchLimits::default() };
    assert!(only.contains(&best(desk.as_ref(), &limits).unwrap()));
    let without = vec!["a2a3".to_string()];
    assert_eq!(
        best(desk.as_ref(), &SearchLimits { excluded_moves: without, ..limits.clone() }).unwrap(),
        "h2h4"
    );
    assert_eq!(best(desk.as_ref(), &SearchLimits { excluded_moves: only, ..limits.clone() }), None);

    let wrong = SearchLimits { search_moves: vec!["a2a5".into()], ..SearchLimits::default() };
    let refused =
        alfil_engine::start_search(desk.as_ref(), &wrong, Box::new(|_| panic!("nothing is thought about")))
            .err();
    assert!(refused.unwrap().to_string().contains("a2a5"));
}

#[test]
fn a_forced_win_in_so_many_moves_is_enough() {
    let desk = desk("xiangqi", TWO_ROOKS);
    let (said, best) =
        thoughts(desk.as_ref(), &SearchLimits { mate_in_moves: Some(2), ..SearchLimits::default() });
    let Some(SearchEvent::Info { mate_plies: Some(plies), .. }) = said.last() else {
        panic!("a win is known: {said:?}")
    };
    assert!(*plies <= 3, "{plies} plies");
    assert!(best.is_some());
}

#[test]
fn what_was_found_out_is_kept_until_it_is_forgotten() {
    let mut desk = desk("xiangqi", "startpos");
    let limits = SearchLimits { depth: Some(5), ..SearchLimits::default() };
    let first = nodes(&thoughts(desk.as_ref(), &limits).0);
    let again = nodes(&thoughts(desk.as_ref(), &limits).0);
    // It need not be less: a window around another score asks other questions.
    assert_ne!(again, first);
    desk.clear_search();
    assert_eq!(nodes(&thoughts(desk.as_ref(), &limits).0), first);
}

#[test]
fn the_rule_book_is_chosen_by_name() {
    let mut desk = desk("xiangqi", "startpos");
    assert!(desk.set_ruleset("computer").is_ok());
    assert!(desk.set_ruleset("house").unwrap_err().to_string().contains("computer"));
    assert!(registry::open("othello", None).unwrap().set_ruleset("axf").is_err());
}

#[test]
fn a_game_that_ends_at_the_horizon_is_worth_its_end() {
    let text = format!("{0}---XX------XO---{0} X", "-".repeat(24));
    let (said, best) = thoughts(
        desk("othello", &text).as_ref(),
        &SearchLimits { depth: Some(1), ..SearchLimits::default() },
    );
    assert_eq!(best.as_deref(), Some("f5"));
    let Some(SearchEvent::Info { score, .. }) = said.last() else { panic!("a value is told") };
    assert_eq!(*score, 6_400);
}

#[test]
fn a_solved_ending_says_how_deep_it_looked_and_how_much() {
    let text = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let (said, _) = thoughts(desk("othello", text).as_ref(), &SearchLimits::default());
    let Some(SearchEvent::Info { depth, nodes, .. }) = said.last() else { panic!("a value is told") };
    assert_eq!(*depth, 6);
    assert!(*nodes > 0);
}

#[test]
fn counters_as_large_as_can_be_written_are_counted_no_further() {
    for (game, fen, mv) in [
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 4294967295 1", "e1e2"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 4294967295 1", "d0d1"),
    ] {
        let mut desk = desk(game, fen);
        let step = desk.play(mv, None).unwrap();
        assert!(step.game_end.is_some(), "{game}: the limit was reached long ago");
    }
}

/// Whoever hears the thoughts is on the thinking thread: a panic there is one in the midst of a search.
#[test]
fn a_search_that_breaks_off_says_so_and_names_a_move_all_the_same() {
    for (game, _) in registry::GAMES {
        let mut desk = desk(game, "startpos");
        let all = desk.legal_moves(None).unwrap();
        let only = all[all.len() - 1..].to_vec();
        let asked = |only: &[String], without: &[String], level| SearchLimits {
            depth: Some(3),
            search_moves: only.to_vec(),
            excluded_moves: without.to_vec(),
            level,
            ..SearchLimits::default()
        };
        for (limits, moves, threads) in [
            (asked(&[], &[], None), &all[..], 1),
            (asked(&[], &[], None), &all[..], 3),
            (asked(&only, &[], None), &only[..], 1),
            (asked(&[], &all[1..], Some(2)), &all[..1], 1),
            (asked(&only, &only, None), &[][..], 1),
        ] {
            desk.set_resources(&SearchResources { hash_mib: 1, threads });
            let (sender, heard) = mpsc::channel();
            let sink = move |thought: SearchEvent| {
                let info = matches!(thought, SearchEvent::Info { .. });
                drop(sender.send(thought));
                assert!(!info, "an accident");
            };
            alfil_engine::start_search(desk.as_ref(), &limits, Box::new(sink)).unwrap().join();
            let said: Vec<_> = heard.try_iter().collect();
            match &said[..] {
                [
                    SearchEvent::Info { pv: line, .. },
                    SearchEvent::Failed(words),
                    SearchEvent::BestMove(Some(best)),
                ] => {
                    assert_eq!(words, "the search stopped because of an internal error: an accident");
                    assert!(line[0] == *best && moves.contains(best), "{game}: {said:?}");
                }
                // Nothing was to be thought about, so nothing could happen.
                [SearchEvent::BestMove(None)] => assert!(moves.is_empty(), "{game}: {said:?}"),
                _ => panic!("{game}: {said:?}"),
            }
            // The desk thinks on.
            assert!(
                best(desk.as_ref(), &SearchLimits { depth: Some(2), ..SearchLimits::default() }).is_some()
            );
        }
    }
}

#[test]
fn a_level_thinks_about_the_moves_asked_for() {
    for (game, _) in registry::GAMES {
        let desk = desk(game, "startpos");
        let all = desk.legal_moves(None).unwrap();
        for level in [1, 4, 10] {
            for seed in 0..4 {
                let at = |only: &[String], without: &[String]| {
                    let (only, without) = (only.to_vec(), without.to_vec());
                    let (level, depth) = (Some(level), Some(2));
                    best(
                        desk.as_ref(),
                        &SearchLimits {
                            level,
                            seed,
                            search_moves: only,
                            excluded_moves: without,
                            depth,
                            ..SearchLimits::default()
                        },
                    )
                };
                assert_eq!(at(&all[1..2], &[]).as_ref(), Some(&all[1]), "{game}");
                assert_eq!(at(&[], &all[1..]).as_ref(), Some(&all[0]), "{game}");
                assert_eq!(at(&[], &all), None, "{game}");
            }
        }
    }
}

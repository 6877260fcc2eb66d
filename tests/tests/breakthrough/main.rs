//! A complete fourth game: Breakthrough on a 5x5 board, from the rules to a match. The chapter
//! docs/inside/adding-a-game.md explains each part.

#![allow(unreachable_pub, reason = "a game crate would export these items")]

mod board;
mod evaluation;
mod game;
mod introduction;
mod notation;
mod profile;
mod records;
mod rules;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::mpsc;

use alfil_engine::protocols::run_with;
use alfil_engine::{SearchEvent, start_search};
use alfil_kernel::conformance::{check_all_moves, check_position, check_random_game};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Notation as _, Position as _, Rules as _, Setup as _, Waivers};

use alfil_matches::game::{MatchGame, MatchRules};
use alfil_matches::internal::{InternalPlayer, InternalPlayerOptions};
use alfil_matches::openings::Opening;
use alfil_matches::{EngineMatch, Player, PlayerLimits, round_robin};
use alfil_session::{MoveTree, Registry, SearchLimits, TextGame, TextMove};

use board::Board;
use game::Setup;
use notation::{Coordinates, MoveNotation};
use rules::{Cause, Ruleset};

#[test]
fn the_board_passes_the_conformance_tests() {
    let mut random = SplitMix64::new(1);
    for _ in 0..200 {
        let mut board = Board::from_setup(&Setup::start(), &Waivers::None).unwrap();
        check_random_game(&mut board, &mut random, 60);
        check_position(&mut board);
        check_all_moves(&board);
    }
}

#[test]
fn the_introduction_shows_the_moves_of_a_pawn() {
    let entry = &profile::ENTRY;
    let shown = entry.introduction.shown_lessons(entry.open(None).unwrap().as_mut()).unwrap();
    let targets: Vec<_> = shown[0].targets.iter().filter_map(|target| target.to.as_deref()).collect();
    assert_eq!(targets, ["a3", "b3", "c3"]);
}

/// By hand: there are 13 first moves, and each blocks one of the 13 moves of the opponent.
#[test]
fn perft_of_the_start_position() {
    let board = Board::from_setup(&Setup::start(), &Waivers::None).unwrap();
    assert_eq!([0, 1, 2].map(|depth| board.perft(depth)), [1, 13, 156]);
}

#[test]
fn a_pawn_on_the_last_rank_wins() {
    let setup = Setup::parse("5/2P2/5/5/2p2 w 3 9").unwrap();
    let mut game = GameHistory::<Board>::new(&setup, &Waivers::None).unwrap();
    assert_eq!(game.to_setup().to_text(), "5/2P2/5/5/2p2 w 3 9");
    assert!(Ruleset.judge(&game).is_some(), "Black has reached rank 1");
    let setup = Setup::parse("5/2P2/5/2p2/5 w").unwrap();
    game = GameHistory::new(&setup, &Waivers::None).unwrap();
    assert!(Ruleset.judge(&game).is_none());
    game.play(MoveNotation::parse_move(game.position(), "c4d5", Coordinates).unwrap());
    assert_eq!(Ruleset.judge(&game).unwrap().cause, Cause::LastRank);
}

fn registry() -> Registry {
    Registry::default().with(&profile::ENTRY)
}

/// The search finds a win in three plies, and the session ends the game.
#[test]
fn the_engine_plays_a_session_to_its_end() {
    let mut session = registry().open("breakthrough", None).unwrap();
    session.open("5/p4/2P2/5/5 w 0 1", &Waivers::None).unwrap();
    let mut plies = 0;
    while session.game_end().is_none() {
        let limits = SearchLimits { depth: Some(6), ..SearchLimits::default() };
        let (sender, events) = mpsc::channel();
        start_search(session.as_ref(), &limits, Box::new(move |event| sender.send(event).unwrap())).unwrap();
        let best_move = events.into_iter().find_map(|event| match event {
            SearchEvent::BestMove(best_move) => best_move,
            _ => None,
        });
        session.play(&best_move.unwrap(), None).unwrap();
        plies += 1;
    }
    assert_eq!((plies, session.game_end().unwrap().cause.as_str()), (3, "last_rank"));
}

#[test]
fn the_engine_answers_in_the_uci_protocol() {
    let input = "uci\nposition fen 5/p4/2P2/5/5 w 0 1\ngo depth 4\n";
    let mut output = Vec::new();
    run_with(registry(), Some("breakthrough"), input.as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("uciok") && output.contains("\nbestmove c3"), "{output}");
}

#[test]
fn a_game_is_exported_and_read_again() {
    let mut session = registry().open("breakthrough", None).unwrap();
    let moves = ["b2b3", "d4d3", "c2d3"].map(|text| session.play(text, None).unwrap().text);
    let after_a_pass = ["--", "b3c4"].map(String::from);
    let moves = moves.into_iter().chain(after_a_pass).map(|text| TextMove { text, ..TextMove::default() });
    let moves = MoveTree::from_line(TextMove::default(), moves);
    let game = TextGame { game: "breakthrough".into(), moves, ..TextGame::default() };
    let written = registry().write_game(&game, None).unwrap();
    assert!(
        written.contains("[Game \"Breakthrough\"]") && written.contains("1. b2b3 d4d3 2. c2d3 -- 3. b3c4"),
        "{written}"
    );
    let read = registry().read_games(written.as_bytes(), None).unwrap().remove(0).unwrap();
    assert_eq!((&read.game, &read.moves), (&game.game, &game.moves));
    assert!(
        registry().read_games(b"1. e4", Some("go")).unwrap_err().to_string().contains("there is no game")
    );
    let read = registry().read_games(written.replace("c2d3", "c2c5").as_bytes(), None).unwrap().remove(0);
    let error = read.unwrap().error.unwrap();
    assert!(error.to_string().ends_with("no pawn of the side to move can make this move"));
}

#[test]
fn two_internal_players_play_a_match() {
    let rules = MatchRules {
        registry: registry(),
        game: "breakthrough".into(),
        max_plies: 60,
        ..MatchRules::default()
    };
    let limits = PlayerLimits { depth: Some(3), ..PlayerLimits::default() };
    let opening =
        Opening::parse("startpos", registry().open("breakthrough", None).unwrap().as_mut()).unwrap();
    let (limits, pairings) = (vec![limits.clone(), limits], round_robin(2));
    let names = vec!["first".into(), "second".into()];
    let engine_match = EngineMatch { rules, names, limits, pairings, openings: vec![opening], games: 2 };
    let new_player = || {
        let options = InternalPlayerOptions { registry: registry(), ..InternalPlayerOptions::default() };
        Box::new(InternalPlayer::new(options)) as Box<dyn Player>
    };
    let mut causes = Vec::new();
    let mut on_game = |game: MatchGame| {
        causes.push(game.cause);
        Ok(ControlFlow::Continue(()))
    };
    engine_match.run(&BTreeSet::new(), 1, &|| Ok(vec![new_player(), new_player()]), &mut on_game).unwrap();
    assert_eq!(causes, ["last_rank", "last_rank"]);
}

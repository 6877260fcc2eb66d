//! A complete fourth game: Breakthrough on a 5x5 board, from the rules to a match. docs/adding-a-game.md explains each
//! part.

#![allow(unreachable_pub, reason = "a game crate would export these items")]

mod board;
mod evaluation;
mod game;
mod notation;
mod profile;
mod rules;

use std::sync::mpsc;

use alfil_engine::{SearchEvent, start_search};
use alfil_kernel::conformance::{check_all_moves, check_position, check_random_game};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Notation as _, Position as _, Rules as _, Setup as _, Waivers};

use alfil_session::SearchLimits;
use alfil_session::registry::Registry;

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

/// The search finds a win in three plies, and the session ends the game.
#[test]
fn the_engine_plays_a_session_to_its_end() {
    let mut session = Registry::default().with(&profile::ENTRY).open("breakthrough", None).unwrap();
    session.open("5/p4/2P2/5/5 w 0 1", &Waivers::None).unwrap();
    let mut plies = 0;
    while session.game_end().is_none() {
        let limits = SearchLimits { depth: Some(6), ..SearchLimits::default() };
        let (sender, events) = mpsc::channel();
        start_search(&*session, &limits, Box::new(move |event| sender.send(event).unwrap())).unwrap();
        let best_move = events.into_iter().find_map(|event| match event {
            SearchEvent::BestMove(best_move) => best_move,
            _ => None,
        });
        session.play(&best_move.unwrap(), None).unwrap();
        plies += 1;
    }
    assert_eq!((plies, session.game_end().unwrap().cause.as_str()), (3, "last_rank"));
}

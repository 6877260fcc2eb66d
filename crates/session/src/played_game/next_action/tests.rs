//! Tests of whose turn it is.

use std::time::Duration;

use alfil_kernel::Waivers;

use super::super::{GameRecord, Players, ROOT, TreeClock};
use super::*;
use crate::game_clock::TimeControl;

const START: Duration = Duration::from_secs(7);

fn opened(game: &str, players: Players) -> PlayedGame {
    PlayedGame::open(GameRecord { players, ..GameRecord::new(game) }, &Waivers::None).unwrap()
}

fn against_computer(person: Side) -> PlayedGame {
    opened("chess", Player::against_computer(person, Computer::new(4)))
}

fn play(game: &mut PlayedGame, moves: &[&str]) {
    for text in moves {
        game.play(text, None, START).unwrap();
    }
}

fn person_moves(side: Side) -> NextAction {
    NextAction::PersonMoves { side }
}

fn computer_moves(side: Side, level: u32) -> NextAction {
    NextAction::ComputerMoves { side, computer: Computer::new(level) }
}

#[test]
fn a_person_and_the_computer_move_in_turn() {
    let mut game = against_computer(Side::First);
    assert_eq!((game.next_action(), game.may_person_move()), (person_moves(Side::First), true));
    play(&mut game, &["e2e4"]);
    assert_eq!((game.next_action(), game.may_person_move()), (computer_moves(Side::Second, 4), false));
    game.set_level(7).unwrap();
    assert_eq!(game.next_action(), computer_moves(Side::Second, 7));
    assert!(game.set_level(11).is_err());
    play(&mut game, &["e7e5"]);
    assert_eq!(game.next_action(), person_moves(Side::First));
    // The other side goes on with the external engine.
    let computer = Computer { level: 7, engine: Some("fish".into()) };
    game.set_players(Player::against_computer(Side::Second, computer.clone()), START).unwrap();
    assert_eq!(game.next_action(), NextAction::ComputerMoves { side: Side::First, computer });
}

#[test]
fn two_people_move_in_turn_and_an_analysis_waits() {
    let mut game = opened("chess", Player::two_people());
    for (side, text) in [(Side::First, "e2e4"), (Side::Second, "e7e5")] {
        assert_eq!(game.next_action(), person_moves(side));
        play(&mut game, &[text]);
    }
    game.set_players(None, START).unwrap();
    assert_eq!(game.next_action(), NextAction::Wait(WaitReason::Analysis));
    assert!(game.may_person_move());
}

#[test]
fn levels_play_each_other_until_they_are_paused() {
    let mut game = opened("chess", Player::two_computers([Computer::new(2), Computer::new(9)]));
    assert_eq!((game.next_action(), game.may_person_move()), (computer_moves(Side::First, 2), false));
    play(&mut game, &["e2e4"]);
    assert_eq!(game.next_action(), computer_moves(Side::Second, 9));
    game.set_paused(true);
    assert_eq!((game.next_action(), game.may_person_move()), (NextAction::Wait(WaitReason::Paused), true));
    // A move that a person enters meanwhile lets the game wait.
    play(&mut game, &["e7e5"]);
    assert_eq!(game.next_action(), NextAction::Wait(WaitReason::Paused));
    game.set_paused(false);
    assert_eq!(game.next_action(), computer_moves(Side::First, 2));
    // Moves are undone one by one, as in an analysis.
    assert_eq!(game.undo_edit(START).unwrap().summary.moves, 1);
    assert_eq!(game.next_action(), computer_moves(Side::Second, 9));
    // A person who takes a side over is not paused.
    game.set_paused(true);
    game.set_players(Player::against_computer(Side::First, Computer::new(1)), START).unwrap();
    assert_eq!(game.next_action(), computer_moves(Side::Second, 1));
}

#[test]
fn a_pause_lets_the_reply_to_a_person_wait() {
    let mut game = against_computer(Side::First);
    game.set_paused(true);
    assert_eq!(game.next_action(), person_moves(Side::First));
    play(&mut game, &["e2e4"]);
    assert_eq!((game.next_action(), game.may_person_move()), (NextAction::Wait(WaitReason::Paused), false));
}

#[test]
fn the_end_of_a_game_has_its_reason() {
    let mut game = against_computer(Side::Second);
    play(&mut game, &["f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!((game.next_action(), game.may_person_move()), (NextAction::Wait(WaitReason::GameOver), false));
    let mut game = against_computer(Side::First);
    play(&mut game, &["e2e4"]);
    game.resign(START).unwrap();
    assert_eq!((game.next_action(), game.may_person_move()), (NextAction::Wait(WaitReason::Resigned), false));
    game.set_players(None, START).unwrap();
    assert_eq!(game.next_action(), NextAction::Wait(WaitReason::Analysis));
}

#[test]
fn no_move_is_expected_after_a_flag_fall() {
    let time_control = TimeControl { base: Duration::from_secs(1), increment: Duration::ZERO };
    let players = Player::against_computer(Side::First, Computer::new(4));
    let record =
        GameRecord { players, clock: Some(TreeClock::new(time_control)), ..GameRecord::new("xiangqi") };
    let mut game = PlayedGame::open(record, &Waivers::None).unwrap();
    play(&mut game, &["h2e2"]);
    assert_eq!(game.next_action(), computer_moves(Side::Second, 4));
    game.tick(START + Duration::from_secs(2));
    assert_eq!((game.next_action(), game.may_person_move()), (NextAction::Wait(WaitReason::FlagFell), false));
}

#[test]
fn at_an_earlier_position_only_the_computer_waits() {
    let mut game = against_computer(Side::First);
    play(&mut game, &["e2e4", "e7e5"]);
    game.go_to(1).unwrap();
    let waits = NextAction::Wait(WaitReason::EarlierPosition);
    assert_eq!((game.next_action(), game.may_person_move()), (waits, false));
    game.go_to(ROOT).unwrap();
    assert_eq!((game.next_action(), game.may_person_move()), (person_moves(Side::First), true));
}

#[test]
fn a_reply_that_did_not_come_waits_until_the_game_goes_on_or_is_changed() {
    let expected = computer_moves(Side::Second, 4);
    let ways_on: [fn(&mut PlayedGame); 4] = [
        PlayedGame::continue_play,
        |game| {
            game.take_back(1, START).unwrap();
            game.play("e2e4", None, START).unwrap();
        },
        |game| game.set_players(game.record().players.clone(), START).unwrap(),
        |game| game.set_paused(false),
    ];
    let failures =
        [(MissingReply::Failed, WaitReason::ReplyFailed), (MissingReply::Stopped, WaitReason::ReplyStopped)];
    for way_on in ways_on {
        for (missing, reason) in failures {
            let mut game = against_computer(Side::First);
            play(&mut game, &["e2e4"]);
            game.on_missing_reply(1, missing);
            assert_eq!((game.next_action(), game.may_person_move()), (NextAction::Wait(reason), false));
            // A comment changes nothing about it.
            game.set_comment(1, "a comment".into()).unwrap();
            assert_eq!(game.next_action(), NextAction::Wait(reason));
            way_on(&mut game);
            assert_eq!(game.next_action(), expected);
        }
    }
    // A reply to another position is not concerned.
    let mut game = against_computer(Side::First);
    play(&mut game, &["e2e4"]);
    game.on_missing_reply(ROOT, MissingReply::Failed);
    assert_eq!(game.next_action(), expected);
}

#[test]
fn the_first_move_of_the_computer_is_not_undone() {
    let mut game = against_computer(Side::Second);
    assert_eq!(game.next_action(), computer_moves(Side::First, 4));
    play(&mut game, &["e2e4"]);
    assert_eq!(game.undo_edit(START), Err(crate::played_game::PlayError::NothingToUndo));
    assert_eq!(game.take_back_turn(START), Ok(0));
    assert_eq!(game.next_action(), person_moves(Side::Second));
}

#[test]
fn a_pass_without_a_choice_is_played_by_itself_unless_the_computer_has_it() {
    let mut found = 0;
    for seed in 0..40 {
        let mut game = opened("othello", Player::two_people());
        let mut choice = seed;
        while let NextAction::PersonMoves { .. } = game.next_action() {
            let legal = game.session().legal_moves(None).unwrap();
            choice = (choice * 31 + 7) % 1009;
            play(&mut game, &[&legal[choice % legal.len()]]);
        }
        let NextAction::ForcedPass { side, pass } = game.next_action() else { continue };
        assert!(pass.to.is_none() && game.may_person_move());
        assert_eq!(side, game.session().view().side_to_move);
        game.set_players(None, START).unwrap();
        assert_eq!(game.next_action(), NextAction::ForcedPass { side, pass: pass.clone() });
        game.set_players(Player::against_computer(side, Computer::new(4)), START).unwrap();
        assert_eq!(game.next_action(), NextAction::ForcedPass { side, pass: pass.clone() });
        game.set_players(Player::against_computer(!side, Computer::new(4)), START).unwrap();
        assert_eq!(game.next_action(), computer_moves(side, 4));
        // At an earlier position it waits.
        let node = game.current_node();
        play(&mut game, &[&pass.text]);
        game.set_players(Player::two_people(), START).unwrap();
        game.go_to(node).unwrap();
        assert_eq!(game.next_action(), NextAction::Wait(WaitReason::EarlierPosition));
        found += 1;
    }
    assert!(found > 0);
}

//! Tests of open games.

use super::*;

fn game() -> OpenGame {
    let moves = ["h2e2", "h9g7", "h0g2"].map(String::from).to_vec();
    let new = NewGame { game: "xiangqi".into(), moves, ..NewGame::default() };
    OpenGame::new("x".into(), new).unwrap()
}

#[test]
fn the_session_follows_the_current_node() {
    let mut game = game();
    let fen = game.session().view().fen;
    game.go_to(1).unwrap();
    game.play("b9c7", None).unwrap();
    assert_eq!(game.current_node(), 4);
    let steps = game.go_to(3).unwrap();
    assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), ["b9c7", "h9g7", "h0g2"]);
    assert_eq!(game.session().view().fen, fen);
    assert!(game.go_to(99).is_err());
}

#[test]
fn an_illegal_line_changes_nothing() {
    let mut game = game();
    let (tree, fen) = (game.stored.tree.clone(), game.session().view().fen);
    assert!(game.play_all(&["b9c7".into(), "b9c7".into()]).is_err());
    assert_eq!((game.stored.tree, game.session.view().fen), (tree, fen));
}

#[test]
fn a_game_that_continued_after_a_threefold_repetition_can_be_opened() {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"];
    let new = NewGame { game: "chess".into(), moves: moves.map(String::from).to_vec(), ..NewGame::default() };
    let mut game = OpenGame::new("x".into(), new).unwrap();
    assert_eq!(game.stored.tree.line_end(ROOT), 10);
    game = OpenGame::from_saved("x".into(), 1, game.stored).unwrap();
    assert_eq!((game.current_node(), game.is_over()), (10, false));
    game.go_to(8).unwrap();
    assert!(game.is_over());
    assert_eq!(game.play("d2d4", None).unwrap_err().code, Some(ErrorCode::Over));
    game.go_to(10).unwrap();
    game.play("d2d4", None).unwrap();
}

/// Creates a timed game with a base time in milliseconds.
fn timed_game(base: u64) -> Result<OpenGame, RequestError> {
    let clock = Some(crate::wire::TimeControlDto { base, increment: 1000 });
    OpenGame::new(
        "x".into(),
        NewGame { game: "xiangqi".into(), person: Some(0), clock, ..NewGame::default() },
    )
}

#[test]
fn the_clock_of_the_side_to_move_runs_from_the_first_move_on() {
    let mut game = timed_game(600_000).unwrap();
    let running = |game: &OpenGame| game.position_dto(&OpeningNames::default()).clock.unwrap().running;
    assert_eq!((running(&game), game.time_to_flag(), game.is_untouched()), (None, None, false));
    game.play("h2e2", None).unwrap();
    assert_eq!(running(&game), Some(1));
    assert!(game.time_to_flag().is_some() && game.time_budget().is_some());
    game.play("h9g7", None).unwrap();
    assert_eq!(running(&game), Some(0));
    // Showing another position does not affect the clock.
    game.go_to(1).unwrap();
    assert_eq!(running(&game), Some(0));
    game.go_to(2).unwrap();
    game.undo(1).unwrap();
    assert_eq!(running(&game), Some(1));
    game.set_player(None, 3).unwrap();
    assert_eq!(running(&game), None);
    game.set_player(Some(0), 3).unwrap();
    assert_eq!(running(&game), Some(1));
    game.resign().unwrap();
    assert_eq!(running(&game), None);
}

#[test]
fn after_a_flag_fall_only_analysis_is_possible() {
    let mut game = timed_game(600_000).unwrap();
    game.play("h2e2", None).unwrap();
    let expired = r#"{"pace":{"base":1000,"increment":0},"left":[1000,0],"running":null,"flagged":1}"#;
    game.stored.clock = Some(serde_json::from_str(expired).unwrap());
    assert_eq!(game.play("h9g7", None).unwrap_err().code, Some(ErrorCode::Over));
    assert_eq!(game.undo(1).unwrap_err().code, Some(ErrorCode::Over));
    game.set_player(None, 3).unwrap();
    game.play("h9g7", None).unwrap();
    game.set_player(Some(0), 3).unwrap();
    assert!(game.position_dto(&OpeningNames::default()).clock.is_none() && !game.is_over());
}

/// Returns a clock of a minute that runs for `side` after the move `node`.
fn clock_running_after(node: usize, side: usize) -> TreeClock {
    let pace = r#"{"base":60000,"increment":0}"#;
    serde_json::from_str(&format!(
        r#"{{"pace":{pace},"left":[60000,60000],"running":{side},"flagged":null,"node":{node}}}"#
    ))
    .unwrap()
}

#[test]
fn choosing_a_ruleset_at_an_earlier_position_does_not_move_the_clock() {
    let mut game = timed_game(600_000).unwrap();
    game.play_all(&["h2e2", "h9g7", "h0g2", "b9c7"].map(String::from)).unwrap();
    game.go_to(3).unwrap();
    let ruleset = game.session().rulesets()[1];
    game.set_ruleset(ruleset).unwrap();
    let clock = game.stored.clock.as_ref().unwrap();
    assert_eq!((game.current_node(), clock.node, clock.game_clock.running()), (3, 4, Some(Side::First)));
    // Old stored clocks may refer to a deleted move.
    game.stored.clock = Some(clock_running_after(9, 0));
    game.set_ruleset(ruleset).unwrap();
    assert_eq!(game.current_node(), 3);
}

#[test]
fn the_clock_goes_back_only_when_its_move_is_removed() {
    let moves = ["h2e2", "h9g7", "h0g2", "b9c7"].map(String::from);
    let mut game = timed_game(600_000).unwrap();
    game.play_all(&moves).unwrap();
    let state = |game: &OpenGame| {
        let clock = game.stored.clock.as_ref().unwrap();
        (game.current_node(), clock.node, clock.game_clock.running())
    };
    game.go_to(1).unwrap();
    game.prune(3).unwrap();
    assert_eq!(state(&game), (1, 1, Some(Side::Second)));
    // Removing another line does not affect the clock.
    let mut game = timed_game(600_000).unwrap();
    game.play_all(&moves).unwrap();
    let other = game.stored.tree.add_move(1, "b9c7");
    game.go_to(other).unwrap();
    game.prune(other).unwrap();
    assert_eq!(state(&game), (1, 4, Some(Side::First)));
}

#[test]
fn a_flag_fall_is_reported_once() {
    let expire = |mut game: OpenGame| {
        let expired =
            r#"{"pace":{"base":1000,"increment":0},"left":[0,1000],"running":0,"flagged":null,"node":2}"#;
        game.stored.clock = Some(serde_json::from_str(expired).unwrap());
        game
    };
    let actions: [fn(&mut OpenGame); 5] = [
        |game| assert_eq!(game.play("h0g2", None).unwrap_err().code, Some(ErrorCode::Over)),
        |game| assert_eq!(game.undo(1).unwrap_err().code, Some(ErrorCode::Over)),
        |game| assert_eq!(game.resign().unwrap_err().code, Some(ErrorCode::Over)),
        |game| assert!(game.update_clock(false)),
        |game| assert!(game.pause()),
    ];
    for action in actions {
        let mut game = timed_game(600_000).unwrap();
        game.play_all(&["h2e2", "h9g7"].map(String::from)).unwrap();
        let mut game = expire(game);
        action(&mut game);
        assert_eq!(
            (game.flag_outcome(), game.take_unreported_flag()),
            (Some(Outcome::loss(Side::First)), true)
        );
        assert!(!game.take_unreported_flag() && !game.update_clock(false) && !game.pause());
    }
}

#[test]
fn invalid_options_of_a_new_game_are_named() {
    let new = || NewGame { game: "xiangqi".into(), ..NewGame::default() };
    let clock = Some(crate::wire::TimeControlDto { base: 60_000, increment: 0 });
    for (new, part) in [
        (NewGame { level: Some(0), ..new() }, "no level 0"),
        (NewGame { level: Some(11), ..new() }, "no level 11"),
        (NewGame { person: Some(2), ..new() }, "no side 2"),
        (NewGame { waive: vec!["gravity".into()], ..new() }, "gravity"),
        (NewGame { clock, ..new() }, "choose a side"),
    ] {
        let Err(error) = OpenGame::new("x".into(), new) else { panic!("{part}") };
        assert!(error.message.contains(part), "{error:?}");
    }
    // The message of the session.
    let Err(error) = timed_game(0) else { panic!("a clock without time") };
    assert_eq!(error.message, "the initial time must be 1 to 86400 seconds, found 0");
    assert!(game().set_player(Some(0), 11).is_err());
}

#[test]
fn move_numbers_follow_the_start_position() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 7";
    let new = NewGame {
        game: "chess".into(),
        fen: Some(fen.into()),
        moves: vec!["e7e5".into()],
        ..NewGame::default()
    };
    let dto = OpenGame::new("x".into(), new).unwrap().to_dto();
    assert_eq!((dto.first, dto.number), (1, 7));
    assert_eq!((game().to_dto().first, game().to_dto().number), (0, 1));
}

#[test]
fn undone_and_pruned_moves_are_deleted() {
    let mut game = game();
    game.undo(2).unwrap();
    assert_eq!((game.current_node(), game.tree_dto().unwrap().len()), (1, 2));
    assert!(game.undo(100).is_ok() && game.is_untouched());
    assert!(game.undo(1).unwrap().is_empty());
    let mut game = self::game();
    game.prune(2).unwrap();
    assert_eq!(game.current_node(), 1);
    assert!(game.prune(2).is_err() && game.prune(0).is_err());
}

#[test]
fn a_game_is_restored_from_its_stored_form() {
    let mut game = game();
    game.go_to(1).unwrap();
    game.play("b9c7", None).unwrap();
    let mut again = OpenGame::from_saved("x".into(), 3, game.stored.clone()).unwrap();
    assert_eq!(again.current_node(), 3);
    again.go_to(4).unwrap();
    assert_eq!(again.session().view().fen, game.session().view().fen);
    game.stored.tree.add_move(4, "nonsense");
    let mut broken = game.stored.clone();
    broken.game = "tiddlywinks".into();
    assert!(OpenGame::from_saved("x".into(), 3, broken).is_err());
}

#[test]
fn labels_use_the_chosen_dialect() {
    let mut game = game();
    game.go_to(1).unwrap();
    game.play("b9c7", None).unwrap();
    game.set_dialect("uci10").unwrap();
    let labels: Vec<_> = game.tree_dto().unwrap().into_iter().map(|node| node.label).collect();
    assert_eq!(labels, ["", "h3e3", "h10g8", "h1g3", "b10c8"]);
    assert_eq!(game.current_node(), 4);
    assert_eq!(game.format_line(&["h0g2".into(), "nonsense".into()]).unwrap(), ["h1g3"]);
    assert!(game.set_dialect("klingon").is_err());
    game.stored.tree.node_mut(1).unwrap().nags = vec![5, 14];
    assert_eq!(game.tree_dto().unwrap()[1].label, "h3e3!?");
}

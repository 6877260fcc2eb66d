//! What a game keeps, and by which rules it goes on.

use super::*;

fn game() -> Game {
    let moves = ["h2e2", "h9g7", "h0g2"].map(String::from).to_vec();
    let new = NewGame { game: "xiangqi".into(), moves, ..NewGame::default() };
    Game::new("x".into(), new).unwrap()
}

#[test]
fn the_desk_follows_the_tree() {
    let mut game = game();
    let fen = game.desk().view().fen;
    game.go(1).unwrap();
    game.play("b9c7", None).unwrap();
    assert_eq!(game.at(), 4);
    let steps = game.go(3).unwrap();
    assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), ["b9c7", "h9g7", "h0g2"]);
    assert_eq!(game.desk().view().fen, fen);
    assert!(game.go(99).is_err());
}

#[test]
fn a_line_that_breaks_off_leaves_everything_as_it_was() {
    let mut game = game();
    let (tree, fen) = (game.record.tree.clone(), game.desk().view().fen);
    assert!(game.walk(&["b9c7".into(), "b9c7".into()]).is_err());
    assert_eq!((game.record.tree, game.desk.view().fen), (tree, fen));
}

#[test]
fn a_game_that_went_on_where_it_could_have_been_drawn_is_opened_and_resumed() {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"];
    let new = NewGame { game: "chess".into(), moves: moves.map(String::from).to_vec(), ..NewGame::default() };
    let mut game = Game::new("x".into(), new).unwrap();
    assert_eq!(game.record.tree.tip(START), 10);
    game = Game::resumed("x".into(), 1, game.record).unwrap();
    assert_eq!((game.at(), game.is_over()), (10, false));
    game.go(8).unwrap();
    assert!(game.is_over());
    assert_eq!(game.play("d2d4", None).unwrap_err().cause, Some(Cause::Over));
    game.go(10).unwrap();
    game.play("d2d4", None).unwrap();
}

/// A game by the clock, with a base in milliseconds.
fn timed(base: u64) -> Result<Game, Refusal> {
    let clock = Some(crate::wire::PaceShape { base, increment: 1000 });
    Game::new("x".into(), NewGame { game: "xiangqi".into(), person: Some(0), clock, ..NewGame::default() })
}

#[test]
fn time_runs_from_the_first_move_on_for_whoever_is_to_move() {
    let mut game = timed(600_000).unwrap();
    let running = |game: &Game| game.position().clock.unwrap().running;
    assert_eq!((running(&game), game.falls_in(), game.is_bare()), (None, None, false));
    game.play("h2e2", None).unwrap();
    assert_eq!(running(&game), Some(1));
    assert!(game.falls_in().is_some() && game.bounds().is_some());
    game.play("h9g7", None).unwrap();
    assert_eq!(running(&game), Some(0));
    // Who looks at something else is still on the clock.
    game.go(1).unwrap();
    assert_eq!(running(&game), Some(0));
    game.go(2).unwrap();
    game.undo(1).unwrap();
    assert_eq!(running(&game), Some(1));
    game.seat(None, 3).unwrap();
    assert_eq!(running(&game), None);
    game.seat(Some(0), 3).unwrap();
    assert_eq!(running(&game), Some(1));
    game.resign().unwrap();
    assert_eq!(running(&game), None);
}

#[test]
fn whose_time_is_over_can_neither_play_nor_take_back_but_analyse() {
    let mut game = timed(600_000).unwrap();
    game.play("h2e2", None).unwrap();
    let over = r#"{"pace":{"base":1000,"increment":0},"left":[1000,0],"running":null,"flagged":1}"#;
    game.record.clock = Some(serde_json::from_str(over).unwrap());
    assert_eq!(game.play("h9g7", None).unwrap_err().cause, Some(Cause::Over));
    assert_eq!(game.undo(1).unwrap_err().cause, Some(Cause::Over));
    game.seat(None, 3).unwrap();
    game.play("h9g7", None).unwrap();
    game.seat(Some(0), 3).unwrap();
    assert!(game.position().clock.is_none() && !game.is_over());
}

/// A clock of a minute that runs for a side after a move.
fn running_after(node: usize, side: usize) -> Clock {
    let pace = r#"{"base":60000,"increment":0}"#;
    serde_json::from_str(&format!(
        r#"{{"pace":{pace},"left":[60000,60000],"running":{side},"flagged":null,"node":{node}}}"#
    ))
    .unwrap()
}

#[test]
fn a_book_chosen_while_looking_back_leaves_the_clock_where_the_game_stands() {
    let mut game = timed(600_000).unwrap();
    game.walk(&["h2e2", "h9g7", "h0g2", "b9c7"].map(String::from)).unwrap();
    game.go(3).unwrap();
    let book = game.desk().books()[1];
    game.judge_by(book).unwrap();
    let clock = game.record.clock.as_ref().unwrap();
    assert_eq!((game.at(), clock.node, clock.time.running()), (3, 4, Some(Side::First)));
    // A record may be older than the rule that a clock never runs after a move that is gone.
    game.record.clock = Some(running_after(9, 0));
    game.judge_by(book).unwrap();
    assert_eq!(game.at(), 3);
}

#[test]
fn the_clock_goes_back_with_the_move_after_which_it_ran_and_with_no_other() {
    let moves = ["h2e2", "h9g7", "h0g2", "b9c7"].map(String::from);
    let mut game = timed(600_000).unwrap();
    game.walk(&moves).unwrap();
    let stands = |game: &Game| {
        let clock = game.record.clock.as_ref().unwrap();
        (game.at(), clock.node, clock.time.running())
    };
    game.go(1).unwrap();
    game.prune(3).unwrap();
    assert_eq!(stands(&game), (1, 1, Some(Side::Second)));
    // Who removes another line in which he looks around is still on the clock.
    let mut game = timed(600_000).unwrap();
    game.walk(&moves).unwrap();
    let other = game.record.tree.grow(1, "b9c7");
    game.go(other).unwrap();
    game.prune(other).unwrap();
    assert_eq!(stands(&game), (1, 4, Some(Side::First)));
}

#[test]
fn a_fall_is_told_once_whatever_saw_it_first() {
    let late = |mut game: Game| {
        let over =
            r#"{"pace":{"base":1000,"increment":0},"left":[0,1000],"running":0,"flagged":null,"node":2}"#;
        game.record.clock = Some(serde_json::from_str(over).unwrap());
        game
    };
    let deeds: [fn(&mut Game); 5] = [
        |game| assert_eq!(game.play("h0g2", None).unwrap_err().cause, Some(Cause::Over)),
        |game| assert_eq!(game.undo(1).unwrap_err().cause, Some(Cause::Over)),
        |game| assert_eq!(game.resign().unwrap_err().cause, Some(Cause::Over)),
        |game| assert!(game.hold(false)),
        |game| assert!(game.pause()),
    ];
    for deed in deeds {
        let mut game = timed(600_000).unwrap();
        game.walk(&["h2e2", "h9g7"].map(String::from)).unwrap();
        let mut game = late(game);
        deed(&mut game);
        assert_eq!((game.flagged(), game.fell()), (Some(Outcome::loss(Side::First)), true));
        assert!(!game.fell() && !game.hold(false) && !game.pause());
    }
}

#[test]
fn what_does_not_exist_is_refused_by_name() {
    let new = || NewGame { game: "xiangqi".into(), ..NewGame::default() };
    let clock = Some(crate::wire::PaceShape { base: 60_000, increment: 0 });
    for (new, part) in [
        (NewGame { level: Some(0), ..new() }, "no level 0"),
        (NewGame { level: Some(11), ..new() }, "no level 11"),
        (NewGame { person: Some(2), ..new() }, "no side 2"),
        (NewGame { waive: vec!["gravity".into()], ..new() }, "gravity"),
        (NewGame { clock, ..new() }, "somebody plays"),
    ] {
        let Err(refusal) = Game::new("x".into(), new) else { panic!("{part}") };
        assert!(refusal.words.contains(part), "{refusal:?}");
    }
    // The words of the hall.
    let Err(refusal) = timed(0) else { panic!("a clock without time") };
    assert_eq!(refusal.words, "a clock starts with 1 to 86400 seconds, not with 0");
    assert!(game().seat(Some(0), 11).is_err());
}

#[test]
fn moves_are_numbered_from_the_start_of_the_game() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 7";
    let new = NewGame {
        game: "chess".into(),
        fen: Some(fen.into()),
        moves: vec!["e7e5".into()],
        ..NewGame::default()
    };
    let shape = Game::new("x".into(), new).unwrap().shape();
    assert_eq!((shape.first, shape.number), (1, 7));
    assert_eq!((game().shape().first, game().shape().number), (0, 1));
}

#[test]
fn what_is_undone_is_forgotten_and_what_is_pruned_too() {
    let mut game = game();
    game.undo(2).unwrap();
    assert_eq!((game.at(), game.tree().unwrap().len()), (1, 2));
    assert!(game.undo(100).is_ok() && game.is_bare());
    assert!(game.undo(1).unwrap().is_empty());
    let mut game = self::game();
    game.prune(2).unwrap();
    assert_eq!(game.at(), 1);
    assert!(game.prune(2).is_err() && game.prune(0).is_err());
}

#[test]
fn the_record_brings_the_game_back() {
    let mut game = game();
    game.go(1).unwrap();
    game.play("b9c7", None).unwrap();
    let mut again = Game::resumed("x".into(), 3, game.record.clone()).unwrap();
    assert_eq!(again.at(), 3);
    again.go(4).unwrap();
    assert_eq!(again.desk().view().fen, game.desk().view().fen);
    game.record.tree.grow(4, "nonsense");
    let mut broken = game.record.clone();
    broken.game = "tiddlywinks".into();
    assert!(Game::resumed("x".into(), 3, broken).is_err());
}

#[test]
fn every_label_is_in_the_dialect_chosen() {
    let mut game = game();
    game.go(1).unwrap();
    game.play("b9c7", None).unwrap();
    game.speak("uci10").unwrap();
    let labels: Vec<_> = game.tree().unwrap().into_iter().map(|node| node.label).collect();
    assert_eq!(labels, ["", "h3e3", "h10g8", "h1g3", "b10c8"]);
    assert_eq!(game.at(), 4);
    assert_eq!(game.labels(&["h0g2".into(), "nonsense".into()]).unwrap(), ["h1g3"]);
    assert!(game.speak("klingon").is_err());
    game.record.tree.node_mut(1).unwrap().nags = vec![5, 14];
    assert_eq!(game.tree().unwrap()[1].label, "h3e3!?");
}

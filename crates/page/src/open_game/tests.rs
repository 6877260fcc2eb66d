//! Tests of open games.

use super::*;

fn game() -> OpenGame {
    let moves = ["h2e2", "h9g7", "h0g2"].map(String::from).to_vec();
    let new = NewGame { game: "xiangqi".into(), moves, ..NewGame::default() };
    OpenGame::new("x".into(), new).unwrap()
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
    let clock = Some(crate::wire::TimeControlDto { base: 0, increment: 1000 });
    let Err(error) = OpenGame::new("x".into(), NewGame { clock, person: Some(0), ..new() }) else {
        panic!("a clock without time")
    };
    assert_eq!(error.message, "the initial time must be 1 to 86400 seconds, found 0");
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
fn a_game_is_restored_from_its_record() {
    let mut game = game();
    game.played.go_to(1).unwrap();
    game.played.play("b9c7", None, Duration::ZERO).unwrap();
    let record = game.record().clone();
    let mut again = OpenGame::from_saved("x".into(), 3, record.clone(), Duration::ZERO).unwrap();
    assert_eq!(again.played.current_node(), 3);
    again.played.go_to(4).unwrap();
    assert_eq!(again.session().view().fen, game.session().view().fen);
    let broken = GameRecord { game: "tiddlywinks".into(), ..record };
    assert!(OpenGame::from_saved("x".into(), 3, broken, Duration::ZERO).is_err());
}

#[test]
fn only_a_game_without_moves_clock_position_and_edits_is_untouched() {
    assert!(!game().is_untouched());
    let new = || NewGame { game: "xiangqi".into(), person: Some(0), ..NewGame::default() };
    assert!(OpenGame::new("x".into(), new()).unwrap().is_untouched());
    let clock = Some(crate::wire::TimeControlDto { base: 60_000, increment: 0 });
    assert!(!OpenGame::new("x".into(), NewGame { clock, ..new() }).unwrap().is_untouched());
    let is_untouched_after = |edit: fn(&mut OpenGame)| {
        let mut game = OpenGame::new("x".into(), new()).unwrap();
        edit(&mut game);
        game.is_untouched()
    };
    assert!(!is_untouched_after(|game| game.played.resign(Duration::ZERO).unwrap()));
    assert!(!is_untouched_after(|game| game.played.set_comment(0, "[%cal Gh2e2]".into()).unwrap()));
    assert!(!is_untouched_after(|game| game.set_start_comment("Imported.".into()).unwrap()));
    assert!(!is_untouched_after(|game| game.played.set_tags(vec![("Event".into(), "Cup".into())])));
}

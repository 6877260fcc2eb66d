//! Tests of played games.

use std::time::Duration;

use super::*;
use crate::game_clock::{ClockSnapshot, TimeControl};

/// The time of the first action.
const START: Duration = Duration::from_secs(7);

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(7 + seconds)
}

fn opened(record: GameRecord, moves: &[&str]) -> PlayedGame {
    let mut game = PlayedGame::open(record, &Waivers::None).unwrap();
    game.play_opening(moves.iter().map(|&text| text.to_owned()).collect()).unwrap();
    game
}

fn game() -> PlayedGame {
    opened(GameRecord::new("xiangqi"), &["h2e2", "h9g7", "h0g2"])
}

/// Returns the players of a game of a person against a level.
fn against_level(level: u32, person: Side) -> Players {
    Player::against_computer(person, Computer::new(level))
}

/// Returns a game of the first side with a clock of ten minutes.
fn timed_game(base: u64) -> PlayedGame {
    let time_control = TimeControl { base: Duration::from_secs(base), increment: Duration::from_secs(1) };
    let clock = Some(TreeClock::new(time_control));
    opened(GameRecord { players: against_level(3, Side::First), clock, ..GameRecord::new("xiangqi") }, &[])
}

/// Returns the texts of all nodes.
fn texts(game: &PlayedGame) -> Vec<&str> {
    game.tree().iter().map(|(_, node)| node.text.as_str()).collect()
}

fn running(game: &PlayedGame) -> Option<Side> {
    game.record().clock.as_ref().unwrap().game_clock.running()
}

#[test]
fn the_session_follows_the_current_node() {
    let mut game = game();
    let fen = game.session().view().fen;
    game.go_to(1).unwrap();
    game.play("b9c7", None, START).unwrap();
    assert_eq!(game.current_node(), 4);
    let steps = game.go_to(3).unwrap();
    assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), ["b9c7", "h9g7", "h0g2"]);
    assert_eq!(game.session().view().fen, fen);
    assert_eq!(game.open_copy().unwrap().view(), game.session().view());
    assert!(game.go_to(99).is_err());
}

#[test]
fn an_illegal_line_changes_nothing() {
    let mut game = game();
    let fen = game.session().view().fen;
    let before: Vec<_> = game.tree().iter().map(|(number, node)| (number, node.clone())).collect();
    assert!(game.play_all(&["b9c7".into(), "b9c7".into()], START).is_err());
    assert!(game.tree().iter().map(|(number, node)| (number, node.clone())).eq(before));
    assert_eq!((game.session().view().fen, game.edits().last_done()), (fen, None));
}

#[test]
fn a_game_that_continued_after_a_threefold_repetition_can_be_opened() {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"];
    let game = opened(GameRecord::new("chess"), &moves);
    let mut game = PlayedGame::open(game.record().clone(), &Waivers::All).unwrap();
    game.go_to(10).unwrap();
    assert!(!game.is_over());
    game.go_to(8).unwrap();
    assert!(game.is_over());
    assert_eq!(game.play("d2d4", None, START), Err(PlayError::GameOver));
    game.go_to(10).unwrap();
    game.play("d2d4", None, START).unwrap();
}

#[test]
fn the_clock_of_the_side_to_move_runs_from_the_first_move_on() {
    let mut game = timed_game(600);
    assert_eq!((running(&game), game.time_to_flag(START)), (None, None));
    game.play("h2e2", None, START).unwrap();
    assert_eq!(running(&game), Some(Side::Second));
    assert_eq!(game.time_to_flag(seconds(10)), Some(Duration::from_secs(590)));
    assert!(game.time_budget(START).is_some());
    game.play("h9g7", None, seconds(10)).unwrap();
    assert_eq!(running(&game), Some(Side::First));
    // Showing another position does not affect the clock.
    game.go_to(1).unwrap();
    assert_eq!(running(&game), Some(Side::First));
    game.go_to(2).unwrap();
    game.take_back(1, seconds(20)).unwrap();
    assert_eq!(running(&game), Some(Side::Second));
    game.set_players(None, seconds(20)).unwrap();
    assert_eq!(running(&game), None);
    game.set_players(against_level(3, Side::First), seconds(20)).unwrap();
    assert_eq!(running(&game), Some(Side::Second));
    game.resign(seconds(20)).unwrap();
    assert_eq!((running(&game), game.is_over()), (None, true));
}

#[test]
fn the_moves_of_the_opening_do_not_start_the_clock() {
    let record = timed_game(600).record().clone();
    let mut game = opened(record, &["h2e2", "h9g7"]);
    assert_eq!(running(&game), None);
    // After some of them were taken back, the next move starts it.
    assert_eq!(game.take_back_turn(START), Ok(2));
    game.undo_edit(START).unwrap();
    assert_eq!((game.current_node(), running(&game)), (2, None));
    game.redo_edit(START).unwrap();
    game.play("h2e2", None, START).unwrap();
    assert_eq!(running(&game), Some(Side::Second));
    game.restart().unwrap();
    assert_eq!((texts(&game), running(&game)), (vec!["", "h2e2", "h9g7"], None));
    assert_eq!(game.edits().last_done(), None);
}

#[test]
fn after_a_flag_fall_only_analysis_is_possible() {
    let mut game = timed_game(1);
    game.play("h2e2", None, START).unwrap();
    assert_eq!(game.play("h9g7", None, seconds(1)), Err(PlayError::GameOver));
    assert_eq!(game.flag_outcome(), Some(Outcome::loss(Side::Second)));
    assert_eq!(game.take_back(1, seconds(1)), Err(PlayError::OutOfTime));
    assert_eq!(game.undo_edit(seconds(1)), Err(PlayError::OutOfTime));
    // Another level does not continue the game.
    game.set_players(against_level(5, Side::First), seconds(1)).unwrap();
    assert!(game.is_over());
    game.set_players(None, seconds(1)).unwrap();
    assert_eq!((game.is_over(), game.outcome()), (false, Ok(Some(Outcome::loss(Side::Second)))));
    assert_eq!(game.has_indisputable_end(), Ok(true));
    game.play("h9g7", None, seconds(1)).unwrap();
    game.set_players(against_level(3, Side::First), seconds(1)).unwrap();
    assert!(game.record().clock.is_none() && !game.is_over());
}

#[test]
fn a_deletion_after_a_flag_fall_can_be_undone_and_the_flag_stays() {
    for (node, left) in [(2, 1), (3, 2)] {
        let mut game = timed_game(60);
        game.play_all(&["h2e2", "h9g7", "h0g2"].map(String::from), START).unwrap();
        assert!(game.take_flag_fall(seconds(99)));
        let clock = game.record().clock.clone();
        game.prune(node, seconds(99)).unwrap();
        assert_eq!((texts(&game).len() - 1, game.is_over()), (left, true));
        game.undo_edit(seconds(99)).unwrap();
        assert_eq!((texts(&game).len() - 1, game.flagged()), (3, Some(Side::Second)));
        assert_eq!(game.record().clock, clock);
        game.redo_edit(seconds(99)).unwrap();
        assert_eq!((texts(&game).len() - 1, game.flagged()), (left, Some(Side::Second)));
    }
}

#[test]
fn a_flag_fall_is_reported_once() {
    let actions: [fn(&mut PlayedGame); 6] = [
        |game| assert_eq!(game.play("h0g2", None, seconds(99)), Err(PlayError::GameOver)),
        |game| assert_eq!(game.take_back(1, seconds(99)), Err(PlayError::OutOfTime)),
        |game| assert_eq!(game.resign(seconds(99)), Err(PlayError::GameOver)),
        |game| assert_eq!(game.undo_edit(seconds(99)), Err(PlayError::OutOfTime)),
        |game| game.update_clock(false, seconds(99)),
        |game| assert!(game.pause(seconds(99))),
    ];
    for action in actions {
        let mut game = timed_game(60);
        game.play_all(&["h2e2", "h9g7"].map(String::from), START).unwrap();
        action(&mut game);
        assert_eq!(game.flag_outcome(), Some(Outcome::loss(Side::First)));
        assert!(game.has_flag_fall() && game.take_flag_fall(seconds(99)));
        assert!(!game.take_flag_fall(seconds(99)) && !game.has_flag_fall() && !game.pause(seconds(99)));
    }
}

#[test]
fn choosing_a_ruleset_at_an_earlier_position_does_not_move_the_clock() {
    let mut game = timed_game(600);
    game.play_all(&["h2e2", "h9g7", "h0g2", "b9c7"].map(String::from), START).unwrap();
    game.go_to(3).unwrap();
    let ruleset = game.session().rulesets()[1];
    game.set_ruleset(ruleset, START).unwrap();
    let clock = game.record().clock.as_ref().unwrap();
    assert_eq!((game.current_node(), clock.node, running(&game)), (3, 4, Some(Side::First)));
    // Old stored clocks may refer to a deleted move.
    let mut record = game.record().clone();
    record.clock.as_mut().unwrap().node = 9;
    let mut game = PlayedGame::open(record, &Waivers::None).unwrap();
    game.go_to(3).unwrap();
    game.set_ruleset(ruleset, START).unwrap();
    assert_eq!(game.current_node(), 3);
}

#[test]
fn the_clock_goes_back_only_when_its_move_is_removed() {
    let moves = ["h2e2", "h9g7", "h0g2", "b9c7"].map(String::from);
    let state =
        |game: &PlayedGame| (game.current_node(), game.record().clock.as_ref().unwrap().node, running(game));
    let mut game = timed_game(600);
    game.play_all(&moves, START).unwrap();
    game.go_to(1).unwrap();
    assert_eq!(game.prune(3, START), Ok(2));
    assert_eq!(state(&game), (1, 1, Some(Side::Second)));
    // The undone deletion runs the clock at the end of the line again.
    game.undo_edit(START).unwrap();
    assert_eq!(state(&game), (1, 4, Some(Side::First)));
    // Removing another line does not affect the clock.
    game.set_players(None, START).unwrap();
    game.play("b9c7", None, START).unwrap();
    let record = GameRecord { players: against_level(3, Side::First), ..game.record().clone() };
    let clock = ClockSnapshot {
        time_control: TimeControl { base: Duration::from_secs(60), increment: Duration::ZERO },
        remaining: [Duration::from_secs(60); 2],
        running: Some(Side::First),
        flagged: None,
    };
    let clock = Some(TreeClock { game_clock: clock.into(), node: 4, drawn: false });
    let mut game = PlayedGame::open(GameRecord { clock, ..record }, &Waivers::None).unwrap();
    game.go_to(5).unwrap();
    game.prune(5, START).unwrap();
    assert_eq!(state(&game), (1, 4, Some(Side::First)));
}

#[test]
fn invalid_options_are_named() {
    for (record, part) in [
        (GameRecord::new("tiddlywinks"), "tiddlywinks"),
        (GameRecord { ruleset: Some("nonsense".into()), ..GameRecord::new("xiangqi") }, "nonsense"),
        (GameRecord { start: "nonsense".into(), ..GameRecord::new("xiangqi") }, "position text, byte 1"),
    ] {
        let Err(error) = PlayedGame::open(record, &Waivers::None) else { panic!("{part}") };
        assert!(error.message.contains(part), "{error:?}");
    }
    assert!(game().set_players(against_level(11, Side::First), START).is_err() && validate_level(0).is_err());
    assert_eq!(game().resign(START), Err(PlayError::NoPerson));
}

#[test]
fn taking_back_deletes_moves_in_play_only() {
    let mut game = game();
    let steps = game.take_back(2, START).unwrap();
    assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), ["h0g2", "h9g7"]);
    assert_eq!((game.current_node(), texts(&game)), (1, vec!["", "h2e2", "h9g7", "h0g2"]));
    assert_eq!(game.edits().last_done(), None);
    game.go_to(3).unwrap();
    game.set_players(against_level(3, Side::First), START).unwrap();
    game.take_back(2, START).unwrap();
    assert_eq!((game.current_node(), texts(&game)), (1, vec!["", "h2e2"]));
    assert_eq!(game.edits().last_done(), Some(EditSummary { kind: EditKind::TakeBack, moves: 2 }));
    assert!(game.take_back(100, START).is_ok() && game.take_back(1, START).unwrap().is_empty());
    game.undo_edit(START).unwrap();
    game.undo_edit(START).unwrap();
    assert_eq!((game.current_node(), texts(&game)), (3, vec!["", "h2e2", "h9g7", "h0g2"]));
}

#[test]
fn a_forced_pass_is_taken_back_with_the_move_before_it() {
    use alfil_kernel::zobrist::SplitMix64;
    let mut random = SplitMix64::new(8);
    let mut found = 0;
    while found < 3 {
        let mut game = opened(GameRecord::new("othello"), &[]);
        let mut passes = Vec::new();
        while !game.is_over() {
            passes.push(game.forced_pass().is_some());
            let moves = game.session().legal_moves(None).unwrap();
            game.play(&moves[random.below(moves.len())], None, START).unwrap();
        }
        let Some(pass) = passes.iter().position(|&is_pass| is_pass) else { continue };
        // The side that passed is to move again, and has a choice.
        let (person, at) = (Side::BOTH[pass % 2], pass + 2);
        if pass < 2 || at >= passes.len() || passes[at] || passes[pass - 2] {
            continue;
        }
        let node = game.tree().path(game.current_node())[at - 1];
        game.go_to(node).unwrap();
        game.set_players(against_level(3, person), START).unwrap();
        assert_eq!(game.take_back_turn(START), Ok(4));
        assert_eq!(game.session().view().side_to_move, person);
        found += 1;
    }
}

#[test]
fn a_forced_pass_is_undone_and_redone_with_the_move_before_it() {
    use alfil_kernel::zobrist::SplitMix64;
    let mut random = SplitMix64::new(9);
    loop {
        let mut game = opened(GameRecord::new("othello"), &[]);
        while !game.is_over() && game.forced_pass().is_none() {
            let moves = game.session().legal_moves(None).unwrap();
            game.play(&moves[random.below(moves.len())], None, START).unwrap();
        }
        let Some(pass) = game.forced_pass() else { continue };
        let before = game.current_node();
        game.play(&pass.text, None, START).unwrap();
        assert_eq!(game.undo_edit(START).unwrap().summary.moves, 2);
        assert_eq!(game.tree().move_count(), before - 1);
        assert_eq!(game.redo_edit(START).unwrap().summary.moves, 2);
        assert_eq!(game.tree().move_count(), before + 1);
        break;
    }
}

#[test]
fn labels_follow_the_dialect_and_stay_in_the_nodes() {
    let labels =
        |game: &PlayedGame| game.tree().iter().map(|(_, node)| node.label_with_signs()).collect::<Vec<_>>();
    let mut game = game();
    game.go_to(1).unwrap();
    game.play("b9c7", None, START).unwrap();
    // A new move is labelled without a walk through the tree.
    assert_eq!(labels(&game), ["", "h2e2", "h9g7", "h0g2", "b9c7"]);
    game.prune(4, START).unwrap();
    game.set_dialect("uci10").unwrap();
    game.undo_edit(START).unwrap();
    game.label_all().unwrap();
    assert_eq!(labels(&game), ["", "h3e3", "h10g8", "h1g3", "b10c8"]);
    assert_eq!((game.current_node(), game.dialect()), (4, "uci10"));
    assert_eq!(game.format_line(&["h0g2".into(), "nonsense".into()]).unwrap(), ["h1g3"]);
    assert!(game.set_dialect("klingon").is_err());
    let score = NodeScore { value: 12, mate: None, ..NodeScore::default() };
    game.set_evaluation(4, score, Some("h0g2".into()));
    // A game that is opened again gets the same labels.
    let mut record = game.record().clone();
    let node = record.tree.node_mut(1).unwrap();
    node.nags = vec![5, 14];
    let mut again = PlayedGame::open(record, &Waivers::None).unwrap();
    again.label_all().unwrap();
    assert_eq!(labels(&again)[1..3], ["h3e3!? +=", "h10g8"]);
}

#[test]
fn a_move_changes_two_nodes_however_large_the_tree_is() {
    let mut game = game();
    game.take_changed_nodes();
    game.play("b9c7", None, START).unwrap();
    assert_eq!(game.take_changed_nodes().into_iter().collect::<Vec<_>>(), [3, 4]);
    game.go_to(1).unwrap();
    assert!(game.take_changed_nodes().is_empty());
    game.undo_edit(START).unwrap();
    assert_eq!(game.take_changed_nodes().into_iter().collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn every_kind_of_edit_can_be_undone_and_redone() {
    type Action = fn(&mut PlayedGame);
    let actions: [(EditKind, usize, Action); 8] = [
        (EditKind::Moves, 2, |game| {
            game.play_all(&["b9c7".into(), "b0c2".into()], START).unwrap();
        }),
        (EditKind::TakeBack, 4, |game| {
            game.set_players(against_level(3, Side::Second), START).unwrap();
            game.take_back(3, START).unwrap();
        }),
        (EditKind::Deletion, 2, |game| {
            game.prune(2, START).unwrap();
        }),
        (EditKind::Comment, 0, |game| game.set_comment(2, "usual".into()).unwrap()),
        (EditKind::Marks, 0, |game| game.set_marks(2, &[4]).unwrap()),
        (EditKind::Promotion, 0, |game| game.promote(4).unwrap()),
        (EditKind::Tags, 0, |game| game.set_tags(vec![("Event".into(), "A match".into())])),
        (EditKind::Resignation, 0, |game| {
            game.set_players(against_level(3, Side::Second), START).unwrap();
            game.resign(START).unwrap();
        }),
    ];
    assert!(actions.iter().map(|(kind, ..)| *kind).eq(EditKind::ALL));
    let state = |game: &PlayedGame| {
        let nodes: Vec<_> = game.tree().iter().map(|(number, node)| (number, node.clone())).collect();
        let record = game.record();
        (nodes, record.tags.clone(), record.resigned, game.session().view().fen)
    };
    for (kind, moves, action) in actions {
        let mut game = game();
        game.go_to(1).unwrap();
        game.play("b9c7", None, START).unwrap();
        game.go_to(3).unwrap();
        game.set_edits(EditHistory::default());
        let before = state(&game);
        action(&mut game);
        let after = state(&game);
        assert_ne!(before, after, "{kind:?}");
        let summary = EditSummary { kind, moves };
        assert_eq!(game.undo_edit(START).unwrap().summary, summary);
        assert_eq!((state(&game), game.edits().last_undone()), (before.clone(), Some(summary)), "{kind:?}");
        assert_eq!(game.undo_edit(START), Err(PlayError::NothingToUndo));
        assert_eq!(game.redo_edit(START).unwrap().summary, summary);
        assert_eq!((state(&game), game.edits().last_done()), (after, Some(summary)), "{kind:?}");
        assert_eq!(game.redo_edit(START), Err(PlayError::NothingToRedo));
        game.undo_edit(START).unwrap();
        // A new edit ends the redoing.
        game.set_comment(1, "new".into()).unwrap();
        assert_eq!(game.redo_edit(START), Err(PlayError::NothingToRedo), "{kind:?}");
    }
}

#[test]
fn an_edit_without_effect_is_not_remembered() {
    let mut game = game();
    game.go_to(1).unwrap();
    game.play("h9g7", None, START).unwrap();
    game.set_comment(1, String::new()).unwrap();
    game.set_tags(Vec::new());
    assert_eq!(game.edits().last_done(), None);
}

#[test]
fn a_comment_that_is_typed_is_one_edit() {
    let mut game = game();
    let comment = |game: &PlayedGame, node: usize| game.tree().node(node).unwrap().comment.clone();
    game.set_comment(1, "before".into()).unwrap();
    game.set_comment(1, "before, a".into()).unwrap();
    for text in ["before, a pl", "before, a plan", "before, a plan"] {
        game.continue_comment(1, text.into()).unwrap();
    }
    // The comment of another move is another edit.
    game.continue_comment(2, "b".into()).unwrap();
    game.continue_comment(2, "bc".into()).unwrap();
    assert_eq!(game.edits().done().count(), 3);
    game.undo_edit(START).unwrap();
    assert_eq!((comment(&game, 1), comment(&game, 2)), ("before, a plan".into(), String::new()));
    // What was undone cannot be continued.
    game.continue_comment(1, "before, a plan of".into()).unwrap();
    game.undo_edit(START).unwrap();
    game.undo_edit(START).unwrap();
    assert_eq!(comment(&game, 1), "before");
    game.redo_edit(START).unwrap();
    assert_eq!(comment(&game, 1), "before, a plan");
    // Nothing is left of a comment that is typed and removed.
    game.set_comment(2, "x".into()).unwrap();
    game.continue_comment(2, String::new()).unwrap();
    assert_eq!(game.edits().done().count(), 2);
}

#[test]
fn an_evaluation_survives_undo_and_is_no_edit() {
    let mut game = game();
    game.set_comment(2, "good".into()).unwrap();
    let score = NodeScore { value: 31, mate: None, ..NodeScore::default() };
    game.set_evaluation(2, score, None);
    game.undo_edit(START).unwrap();
    let node = game.tree().node(2).unwrap();
    assert_eq!((node.comment.as_str(), node.score), ("", Some(score)));
}

#[test]
fn an_evaluation_comes_back_with_the_move_that_was_removed() {
    let mut game = game();
    game.play("b9c7", None, START).unwrap();
    let found = |game: &PlayedGame| game.tree().node(4).map(|node| (node.score, node.best.clone()));
    let [first, second] = [31, 7].map(|value| Some(NodeScore { value, mate: None, ..NodeScore::default() }));
    game.set_evaluation(4, first.unwrap(), Some("b0c2".into()));
    game.undo_edit(START).unwrap();
    assert_eq!(found(&game), None);
    game.redo_edit(START).unwrap();
    assert_eq!(found(&game), Some((first, Some("b0c2".into()))));
    // The same is true of a deletion that is undone, redone and undone again.
    game.prune(4, START).unwrap();
    game.undo_edit(START).unwrap();
    game.set_evaluation(4, second.unwrap(), None);
    game.redo_edit(START).unwrap();
    game.undo_edit(START).unwrap();
    assert_eq!(found(&game), Some((second, None)));
}

#[test]
fn a_finished_game_is_not_resigned_at_an_earlier_position() {
    let mut game = opened(GameRecord { players: Player::two_people(), ..GameRecord::new("chess") }, &[]);
    game.play_all(&["f2f3", "e7e5", "g2g4", "d8h4"].map(String::from), START).unwrap();
    game.go_to(3).unwrap();
    assert_eq!(game.resign(START), Err(PlayError::GameOver));
    assert_eq!((game.current_node(), game.outcome()), (3, Ok(Some(Outcome::loss(Side::First)))));
    // In a variation the game goes on.
    game.play("d8g5", None, START).unwrap();
    assert_eq!(game.resign(START), Ok(()));
}

#[test]
fn of_two_people_the_one_to_move_at_the_end_of_the_line_resigns() {
    let mut game = opened(GameRecord { players: Player::two_people(), ..GameRecord::new("chess") }, &[]);
    game.play_all(&["e2e4", "e7e5", "g1f3"].map(String::from), START).unwrap();
    game.go_to(2).unwrap();
    game.resign(START).unwrap();
    assert_eq!(game.outcome(), Ok(Some(Outcome::loss(Side::Second))));
}

#[test]
fn the_first_move_of_the_computer_is_not_taken_back() {
    for (person, expected) in [(Side::Second, 0), (Side::First, 1)] {
        let mut game =
            opened(GameRecord { players: against_level(3, person), ..GameRecord::new("chess") }, &[]);
        game.play("e2e4", None, START).unwrap();
        assert_eq!(game.take_back_turn(START), Ok(expected));
        assert_eq!(texts(&game).len() - 1, 1 - expected);
    }
}

#[test]
fn a_resignation_that_is_undone_leaves_the_clock_at_the_last_move() {
    let mut game = timed_game(600);
    game.play_all(&["h2e2", "h9g7"].map(String::from), START).unwrap();
    game.go_to(1).unwrap();
    game.resign(START).unwrap();
    assert_eq!((game.current_node(), running(&game)), (1, None));
    game.undo_edit(START).unwrap();
    let clock = game.record().clock.as_ref().unwrap();
    assert_eq!((game.current_node(), clock.node, running(&game)), (1, 2, Some(Side::First)));
}

#[test]
fn against_the_computer_its_reply_is_undone_with_the_move() {
    let mut game = timed_game(600);
    for text in ["h2e2", "h9g7", "h0g2", "b9c7"] {
        game.play(text, None, START).unwrap();
    }
    let undone = game.undo_edit(seconds(5)).unwrap();
    assert_eq!((undone.summary.moves, undone.steps.len()), (2, 2));
    assert_eq!((game.current_node(), running(&game)), (2, Some(Side::First)));
    let redone = game.redo_edit(seconds(5)).unwrap();
    assert_eq!((redone.summary.moves, game.current_node()), (2, 4));
    assert_eq!(running(&game), Some(Side::First));
}

#[test]
fn a_comment_between_two_moves_does_not_leave_the_computer_to_move() {
    let mut game = timed_game(600);
    game.play("h2e2", None, START).unwrap();
    game.set_comment(1, "good".into()).unwrap();
    game.play("h9g7", None, START).unwrap();
    let undone = game.undo_edit(seconds(5)).unwrap();
    assert_eq!((undone.summary.moves, game.current_node(), game.tree().move_count()), (2, 0, 0));
    assert_eq!(game.redo_edit(seconds(5)).unwrap().summary.moves, 2);
    assert_eq!((game.current_node(), game.tree().node(1).unwrap().comment.as_str()), (2, "good"));
}

#[test]
fn the_first_move_of_the_computer_is_not_undone() {
    let record = GameRecord { players: against_level(3, Side::Second), ..GameRecord::new("xiangqi") };
    let mut game = opened(record, &[]);
    for text in ["h2e2", "h9g7", "h0g2"] {
        game.play(text, None, START).unwrap();
    }
    assert_eq!(game.undo_edit(seconds(5)).unwrap().summary.moves, 2);
    assert!(matches!(game.undo_edit(seconds(5)), Err(PlayError::NothingToUndo)));
    assert_eq!((game.current_node(), texts(&game)), (1, vec!["", "h2e2"]));
    assert_eq!(game.redo_edit(seconds(5)).unwrap().summary.moves, 2);
    assert_eq!(texts(&game), ["", "h2e2", "h9g7", "h0g2"]);
}

#[test]
fn the_moves_of_a_record_are_no_edit() {
    let mut record = GameRecord::new("xiangqi");
    record.tree.add_move(ROOT, "h2e2");
    let mut game = opened(record, &[]);
    game.set_comment(1, "good".into()).unwrap();
    game.undo_edit(START).unwrap();
    assert_eq!(texts(&game), ["", "h2e2"]);
}

/// Random edits, undone and redone at random, always lead to the state that they had left.
#[test]
fn random_edits_are_undone_to_the_same_states() {
    use alfil_kernel::zobrist::SplitMix64;
    let nodes = |game: &PlayedGame| -> Vec<_> {
        game.tree().iter().map(|(number, node)| (number, node.clone())).collect()
    };
    for seed in 0..20 {
        let mut random = SplitMix64::new(seed);
        let mut game = opened(GameRecord::new("chess"), &[]);
        let mut states = vec![nodes(&game)];
        let mut at = 0;
        for _ in 0..120 {
            match random.below(8) {
                0 if at > 0 => {
                    game.undo_edit(START).unwrap();
                    at -= 1;
                    assert_eq!(nodes(&game), states[at], "seed {seed}");
                    continue;
                }
                1 if at + 1 < states.len() => {
                    game.redo_edit(START).unwrap();
                    at += 1;
                    assert_eq!(nodes(&game), states[at], "seed {seed}");
                    continue;
                }
                2 if game.tree().move_count() > 3 => {
                    let all: Vec<_> = game.tree().iter().map(|(number, _)| number).skip(1).collect();
                    game.prune(all[random.below(all.len())], START).unwrap();
                }
                3 if game.tree().move_count() > 3 => {
                    let all: Vec<_> = game.tree().iter().map(|(number, _)| number).skip(1).collect();
                    // A move of the main line cannot be promoted.
                    let _ = game.promote(all[random.below(all.len())]);
                    game.set_marks(all[random.below(all.len())], &[1 + random.below(6) as u8]).unwrap();
                    // The two edits are seen as one.
                    let state = nodes(&game);
                    game.undo_edit(START).unwrap();
                    game.redo_edit(START).unwrap();
                    assert_eq!(nodes(&game), state);
                    (states, at) = (vec![state], 0);
                    game.set_edits(EditHistory::default());
                    continue;
                }
                _ => {
                    let all: Vec<_> = game.tree().iter().map(|(number, _)| number).collect();
                    game.go_to(all[random.below(all.len())]).unwrap();
                    let moves = game.session().legal_moves(None).unwrap();
                    if game.has_ended() || moves.is_empty() {
                        continue;
                    }
                    game.play(&moves[random.below(moves.len())], None, START).unwrap();
                }
            }
            assert!(game.tree().is_valid());
            let state = nodes(&game);
            if state != states[at] {
                states.truncate(at + 1);
                states.push(state);
                at += 1;
            }
        }
        assert_eq!(game.session().view().fen, game.open_copy().unwrap().view().fen);
    }
}

//! Moves that a ruleset refuses: they are listed apart, cannot be played, and can be replayed.

use alfil_kernel::Waivers;
use alfil_session::played_game::{GameRecord, PlayedGame};
use alfil_session::{GameSession, registry};

const CHECKS: &str = "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9";

/// Returns a game in which a rook has checked six times in a row.
fn after_six_checks(ruleset: &str) -> Box<dyn GameSession> {
    let mut session = registry::open("xiangqi", None).unwrap();
    session.set_ruleset(ruleset).unwrap();
    session.open("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1", &Waivers::None).unwrap();
    for text in CHECKS.split(' ') {
        session.play(text, None).unwrap();
    }
    session
}

#[test]
fn a_refused_move_cannot_be_played_and_is_listed_apart() {
    let mut session = after_six_checks("tiantian");
    let refused = session.refused_targets();
    let check = refused.iter().find(|refused| refused.target.text == "f7e7").unwrap();
    assert_eq!((check.cause.as_str(), check.limit), ("perpetual_check", 6));
    assert_eq!((check.target.from.as_deref(), check.target.to.as_deref()), (Some("f7"), Some("e7")));
    assert!(check.reason.contains("6 checks") && check.reason_zh.contains("6 着"), "{check:?}");
    assert!(!session.legal_moves(None).unwrap().contains(&"f7e7".to_owned()));
    assert!(!session.targets(Some("f7")).iter().any(|target| target.text == "f7e7"));
    let error = session.play("f7e7", None).unwrap_err();
    assert!(error.message.contains("refused here: 6 checks in a row"), "{error:?}");
    assert_eq!(session.view().ply, 12);
    // A record may have been played under other rules.
    session.replay("f7e7", None).unwrap();
    assert_eq!(session.view().ply, 13);
}

#[test]
fn other_rulesets_refuse_nothing() {
    let mut session = after_six_checks("axf");
    assert_eq!(session.refused_targets(), []);
    session.play("f7e7", None).unwrap();
}

#[test]
fn a_game_starts_again_after_an_opening_with_a_refused_move() {
    let mut session = after_six_checks("axf");
    session.play("f7e7", None).unwrap();
    session.set_ruleset("tiantian").unwrap();
    let start = "4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1".to_owned();
    let record = GameRecord { start, ruleset: Some("tiantian".into()), ..GameRecord::new("xiangqi") };
    let mut game = PlayedGame::from_session(session, record).unwrap();
    game.restart().unwrap();
    assert_eq!(game.session().view().ply, 13);
}

#[test]
fn a_ruling_names_the_refused_moves_and_the_side_that_must_change() {
    use alfil_kernel::Side;
    use alfil_session::RulingRequest;
    let session = after_six_checks("tiantian");
    for (in_chinese, words) in [(false, "Refused now:"), (true, "现在不可走：")] {
        let request =
            RulingRequest { ruleset: Some("tiantian".into()), in_chinese, ..RulingRequest::default() };
        let ruling = session.ruling(&request).unwrap();
        let last = ruling.explanation.last().unwrap();
        assert!(last.starts_with(words) && last.contains("f7e7"), "{last}");
        assert_eq!((ruling.outcome, ruling.must_change), (None, Some(Side::First)));
    }
}

//! Warnings about moves after which a game ends by a rule.

use alfil_kernel::Waivers;
use alfil_session::{RuleWarning, registry};

/// Returns the warnings after moves of a game.
fn warnings(game: &str, fen: &str, moves: &str) -> Vec<RuleWarning> {
    let mut session = registry::open(game, None).unwrap();
    session.open(fen, &Waivers::None).unwrap();
    for text in moves.split_whitespace() {
        session.play(text, None).unwrap();
    }
    session.rule_warnings()
}

/// Returns the moves with their replies and the cause of the end.
fn texts(warnings: &[RuleWarning]) -> Vec<(&str, Option<&str>, &str)> {
    warnings
        .iter()
        .map(|warning| (warning.mv.as_str(), warning.reply.as_deref(), warning.end.cause.as_str()))
        .collect()
}

#[test]
fn a_perpetual_checker_is_warned_before_the_opponent_can_complete_the_repetition() {
    let fen = "3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let moves = "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8";
    assert_eq!(texts(&warnings("xiangqi", fen, moves)), [("i9i8", Some("d8d9"), "perpetual_check")]);
    // One cycle (four plies) earlier nothing is lost yet.
    assert_eq!(texts(&warnings("xiangqi", fen, "i8i9 d9d8")), []);
    // The side that is checked need not fear the repetition.
    assert_eq!(texts(&warnings("xiangqi", fen, &format!("{moves} i9i8"))), []);
}

#[test]
fn a_move_that_completes_a_lost_repetition_itself_has_no_reply() {
    let fen = "R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1";
    let moves = "d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9";
    assert_eq!(texts(&warnings("xiangqi", fen, moves)), [("a8a9", None, "perpetual_check")]);
}

#[test]
fn repetitions_of_chess_are_draws_and_only_the_last_move_is_named() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let moves = shuffle.trim_end().trim_end_matches("f6g8").to_string();
    assert_eq!(texts(&warnings("chess", start, &moves)), [("f6g8", None, "threefold")]);
    let before = moves.trim_end().trim_end_matches("f3g1").to_string();
    assert_eq!(texts(&warnings("chess", start, &before)), []);
}

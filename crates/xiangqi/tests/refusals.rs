//! Rulesets that refuse moves: the histories of the project lixiangqi, and what they do not show.

use alfil_kernel::{GameHistory, Outcome, Rules, Side};
use alfil_xiangqi::rules::AttackLimits;
use alfil_xiangqi::{Bitboard, Board, Cause, Mailbox, Ruleset, RulesetName};

use crate::common::games::{field, game_from, game_from_row, parse_move, play};

/// Histories with what must happen at the last move.
const HISTORIES: &str = include_str!("../testdata/tiantian.jsonl");
const RULESET: Ruleset = Ruleset::TIANTIAN;

/// Plays a history, and checks that no move before the last is refused and that the game is not over before.
fn check<P: Board>(row: &str) {
    let (id, expected) = (field(row, "id").unwrap(), field(row, "expected").unwrap());
    let mut game = game_from_row::<P>(row);
    let is_refused =
        |game: &GameHistory<P>, mv| RULESET.refused_moves(game).iter().any(|refused| refused.mv == mv);
    let last = game.moves().last().unwrap();
    let verdict = RULESET.judge(&game);
    game.pop(&mut ());
    match expected {
        "last move refused" => assert!(is_refused(&game, last), "{id}"),
        "draw at the last move" => {
            assert!(!is_refused(&game, last), "{id}");
            assert_eq!(verdict.map(|verdict| verdict.outcome), Some(Outcome::Draw), "{id}");
        }
        other => panic!("{id}: {other}"),
    }
    while let Some(mv) = game.last_ply().and_then(|record| record.mv()) {
        assert_eq!(RULESET.judge(&game), None, "{id} at ply {}", game.ply());
        game.pop(&mut ());
        assert!(!is_refused(&game, mv), "{id} at ply {}", game.ply() + 1);
    }
}

#[test]
fn histories_end_as_they_must() {
    assert_eq!(HISTORIES.lines().count(), 11);
    for row in HISTORIES.lines() {
        check::<Bitboard>(row);
        check::<Mailbox>(row);
    }
}

const ROOK: (&str, &str) =
    ("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w", "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9");

/// A seventh check is refused with its reason; other rulesets refuse nothing, and other moves stay.
#[test]
fn a_refusal_says_why() {
    let mut game = game_from(ROOK.0);
    play(&mut game, ROOK.1);
    let refused = RULESET.refused_moves(&game);
    let found: Vec<_> = refused.iter().map(|refused| refused.mv).collect();
    assert!(found.contains(&parse_move("f7e7")) && !found.contains(&parse_move("f7f6")), "{found:?}");
    assert!(refused.iter().all(|refused| (refused.cause, refused.limit) == (Cause::PerpetualCheck, 6)));
    for name in RulesetName::ALL.into_iter().filter(|&name| name != RulesetName::Tiantian) {
        assert_eq!(name.ruleset().refused_moves(&game), [], "{name}");
    }
}

/// Returns the ruleset with limits that refuse every check.
fn strict() -> Ruleset {
    let limits = AttackLimits { checks: [0; 3], ..RULESET.attack_limits.unwrap() };
    Ruleset { attack_limits: Some(limits), ..RULESET }
}

/// A check that mates, and one that captures, are allowed although no check is left.
#[test]
fn mates_and_captures_are_allowed() {
    let game = game_from("3k4c/R8/1R7/9/9/9/9/9/9/4K4 w");
    let refused: Vec<_> = strict().refused_moves(&game).into_iter().map(|refused| refused.mv).collect();
    assert!(refused.contains(&parse_move("a8d8")) && !refused.contains(&parse_move("b7d7")), "{refused:?}");
    let capture = game_from("3k4c/1R7/9/9/9/9/9/9/9/4K4 w");
    let refused: Vec<_> = strict().refused_moves(&capture).into_iter().map(|refused| refused.mv).collect();
    assert!(refused.contains(&parse_move("b8b9")) && !refused.contains(&parse_move("b8i8")), "{refused:?}");
    let taking = game_from("3k4c/8R/9/9/9/9/9/9/9/4K4 w");
    let refused: Vec<_> = strict().refused_moves(&taking).into_iter().map(|refused| refused.mv).collect();
    assert!(refused.contains(&parse_move("i8d8")) && !refused.contains(&parse_move("i8i9")), "{refused:?}");
}

/// A side whose every legal move is refused loses, by the decision of the project.
#[test]
fn a_side_with_refused_moves_only_loses() {
    // Red's king has no move, and its horse only one: a check.
    let cornered = game_from("7nN/5k3/9/9/4r4/9/9/5p3/9/5K3 w");
    assert_eq!(alfil_kernel::Position::legal_moves(cornered.position())[..], [parse_move("i9h7")]);
    assert_eq!((RULESET.refused_moves(&cornered), RULESET.judge(&cornered)), (Vec::new(), None));
    let verdict = strict().judge(&cornered).unwrap();
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::loss(Side::First), Cause::OnlyRefusedMoves));
}

/// The seventh chase of the same piece in a row is refused as such.
#[test]
fn a_seventh_chase_is_refused() {
    let row = HISTORIES.lines().find(|row| row.contains("tiantian-single-chase")).unwrap();
    let mut game = game_from_row::<Bitboard>(row);
    let seventh_chase = game.moves().last().unwrap();
    game.pop(&mut ());
    let refused = RULESET.refused_moves(&game);
    let refusal = refused.iter().find(|refused| refused.mv == seventh_chase).unwrap();
    assert_eq!((refusal.cause, refusal.limit), (Cause::PerpetualChase, 6));
}

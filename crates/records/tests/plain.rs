//! The plain view: whatever file it is, games come out in words, and go back in as PGN.

use alfil_chess::Chess;
use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_othello::Othello;
use alfil_records::pgn::{self, Reader};
use alfil_records::{GameTree, RecordFormat, TextGame, text_game};
use alfil_xiangqi::Xiangqi;
use proptest::prelude::*;

mod grow;

#[track_caller]
fn only(bytes: &[u8], hint: Option<&str>) -> TextGame {
    let mut games = text_game::parse_games(bytes, hint);
    assert_eq!(games.len(), 1);
    games.remove(0).unwrap()
}

fn moves(game: &TextGame) -> String {
    game.moves[1..].iter().map(|step| step.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn any_record_is_known_by_its_looks() {
    for (text, hint, game, expected) in [
        ("1. e4 e5", None, "chess", "e2e4 e7e5"),
        ("1. e4 e5", Some("chess"), "chess", "e2e4 e7e5"),
        ("炮二平五 马８进７", None, "xiangqi", "h2e2 h9g7"),
        ("C2.5 H8+7", Some("xiangqi"), "xiangqi", "h2e2 h9g7"),
        ("[Variant \"xiangqi\"]\n\n1. Che2", Some("chess"), "xiangqi", "h2e2"),
        ("[Red \"A\"]\n\n1. H2-E2", None, "xiangqi", "h2e2"),
        ("[White \"A\"]\n\n1. e4 e5", Some("xiangqi"), "chess", "e2e4 e7e5"),
        ("[White \"A\"]\n\n1. Che2 Hg7", Some("xiangqi"), "xiangqi", "h2e2 h9g7"),
        ("[Game \"Othello\"]\n\n1. f5 d6", Some("chess"), "othello", "f5 d6"),
        ("[Variant \"Standard\"]\n\n1. e4", Some("othello"), "chess", "e2e4"),
        ("F5D6C3", None, "othello", "f5 d6 c3"),
        ("f5 d6 c3", Some("othello"), "othello", "f5 d6 c3"),
        ("1. f5 d6", Some("othello"), "othello", "f5 d6"),
        ("1 (;GM[Othello]B[f5];)", Some("chess"), "othello", "f5"),
        ("f6 d5", Some("chess"), "chess", ""),
    ] {
        let games = text_game::parse_games(text.as_bytes(), hint);
        assert_eq!(games.len(), 1, "{text}");
        match &games[0] {
            Ok(found) => assert_eq!((&*found.game, &*moves(found)), (game, expected), "{text}"),
            Err(fault) => assert!(expected.is_empty(), "{text}: {fault}"),
        }
    }
    let refused = text_game::parse_games(b"\xff\xfe\0", None);
    assert!(refused[0].as_ref().unwrap_err().to_string().contains("UTF-16"));
    assert_eq!(text_game::parse_games(b"", None), []);
}

#[test]
fn variations_and_notes_keep_their_places() {
    let text = "[White \"A\"]\n\n{x} 1. e4 $1 {[%eval 0.3] y} (1. d4 d5) (1. -- e6) 1... e5 1-0";
    let game = only(text.as_bytes(), None);
    let shape: Vec<_> = game.moves.iter().map(|step| (step.parent, &*step.text)).collect();
    let expected =
        [(0, ""), (0, "e2e4"), (1, "e7e5"), (0, "d2d4"), (3, "d7d5"), (0, text_game::NULL_MOVE), (5, "e7e6")];
    assert_eq!(shape, expected);
    assert_eq!(
        (&*game.moves[0].annotation.comment_after, &*game.moves[1].annotation.comment_after),
        ("x", "y")
    );
    assert_eq!((game.result, game.start.as_deref()), (Some(Outcome::Win(Side::First)), None));
    let written = text_game::format_pgn(&game, None).unwrap();
    assert!(
        written.ends_with("{x} 1. e4 $1 {[%eval 0.30] y} (1. d4 d5) (1. -- e6) 1... e5 1-0\n"),
        "{written}"
    );
}

#[test]
fn what_cannot_be_written_is_refused() {
    let game = only(b"1. e4", None);
    let refused = |game: &TextGame, dialect| text_game::format_pgn(game, dialect).unwrap_err();
    assert!(refused(&game, Some("morse")).contains("has no dialect"));
    assert!(refused(&TextGame { game: "go".into(), ..game.clone() }, None).contains("no game"));
    assert!(refused(&TextGame { start: Some("8/8".into()), ..game.clone() }, None).contains("position text"));
    let mut illegal = game.clone();
    illegal.moves[1].text = "e2e5".into();
    assert!(refused(&illegal, None).starts_with("move 1: "));
    illegal.moves[1].parent = 7;
    assert!(refused(&illegal, None).contains("not there"));
}

/// A tree of any game goes through the plain view unharmed.
fn goes_through<G: RecordFormat>(
    shoots: &[grow::Shoot],
    result: Option<Outcome>,
    nulls: bool,
) -> Result<(), TestCaseError> {
    let mut tree: GameTree<G> = grow::grow(G::Setup::start(), shoots, nulls);
    tree.result = result;
    let text = pgn::format_game(&tree, G::default_dialect()).unwrap();
    let game = only(text.as_bytes(), Some(G::NAME));
    prop_assert_eq!(&game.game, G::NAME);
    let again = text_game::format_pgn(&game, None).unwrap();
    let read = Reader::new(again.as_bytes()).next_game().unwrap().unwrap().parse::<G>();
    prop_assert_eq!(read.into_tree(), Ok(tree), "{}", again);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn a_tree_goes_through(shoots in grow::shoots(40), result in grow::result()) {
        goes_through::<Xiangqi>(&shoots, result, true)?;
        goes_through::<Chess>(&shoots, result, true)?;
        goes_through::<Othello>(&shoots, result, false)?;
    }
}

//! Text games: files of every format are read, and written as PGN.

use alfil_chess::Chess;
use alfil_kernel::{Game as _, Outcome, Setup as _, Side};
use alfil_othello::Othello;
use alfil_records::pgn::{self, Reader};
use alfil_records::text_game::{self, TextFormat};
use alfil_records::{
    Charset, GameTree, RecordError, RecordFormat, TextGame, TextGameError, TextMove, TreeNode,
};
use alfil_xiangqi::Xiangqi;
use proptest::prelude::*;

use crate::random_tree;

static FORMATS: [(&str, TextFormat); 3] = [
    (Xiangqi::NAME, TextFormat::new::<Xiangqi>()),
    (Chess::NAME, TextFormat::new::<Chess>()),
    (Othello::NAME, TextFormat::new::<Othello>()),
];

fn format_of(game: &str) -> &'static TextFormat {
    &FORMATS.iter().find(|(name, _)| *name == game).expect("a game of the table").1
}

fn parse_games(bytes: &[u8], hint: Option<&str>) -> Vec<Result<TextGame, RecordError>> {
    let formats: Vec<_> = FORMATS.iter().map(|(_, format)| format).collect();
    text_game::parse_games(bytes, &formats, hint.map(format_of))
}

fn format_pgn(game: &TextGame, dialect: Option<&str>) -> Result<String, TextGameError> {
    format_of(&game.game).format_pgn(game, dialect)
}

#[track_caller]
fn parse_one(bytes: &[u8], hint: Option<&str>) -> TextGame {
    let mut games = parse_games(bytes, hint);
    assert_eq!(games.len(), 1);
    games.remove(0).unwrap()
}

fn move_texts(game: &TextGame) -> String {
    game.moves.iter().skip(1).map(|(_, node)| node.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_game_and_format_of_a_record_are_detected() {
    for (text, hint, game, expected) in [
        ("1. e4 e5", None, "chess", "e2e4 e7e5"),
        ("1. e4 e5", Some("chess"), "chess", "e2e4 e7e5"),
        ("炮二平五 马８进７", None, "xiangqi", "h2e2 h9g7"),
        ("C2.5 H8+7", Some("xiangqi"), "xiangqi", "h2e2 h9g7"),
        ("[Variant \"xiangqi\"]\n\n1. Che2", Some("chess"), "xiangqi", "h2e2"),
        ("[Red \"A\"]\n\n1. H2-E2", None, "xiangqi", "h2e2"),
        ("[White \"A\"]\n\n1. e4 e5", Some("xiangqi"), "chess", "e2e4 e7e5"),
        ("[White \"A\"]\n\n1. c4 e5 2. Nc3", Some("othello"), "chess", "c2c4 e7e5 b1c3"),
        ("[White \"A\"]\n\n1. c4 e5 2. Nc6", Some("othello"), "othello", "c4"),
        ("[White \"A\"]\n\n1. Che2 Hg7", Some("xiangqi"), "xiangqi", "h2e2 h9g7"),
        ("[Game \"Othello\"]\n\n1. f5 d6", Some("chess"), "othello", "f5 d6"),
        ("[Variant \"Standard\"]\n\n1. e4", Some("othello"), "chess", "e2e4"),
        ("F5D6C3", None, "othello", "f5 d6 c3"),
        ("f5 d6 c3", Some("othello"), "othello", "f5 d6 c3"),
        ("1. f5 d6", Some("othello"), "othello", "f5 d6"),
        ("1 (;GM[Othello]B[f5];)", Some("chess"), "othello", "f5"),
        ("f6 d5", Some("chess"), "chess", ""),
    ] {
        let games = parse_games(text.as_bytes(), hint);
        assert_eq!(games.len(), 1, "{text}");
        match &games[0] {
            Ok(found) => assert_eq!((&*found.game, &*move_texts(found)), (game, expected), "{text}"),
            Err(error) => assert!(expected.is_empty(), "{text}: {error}"),
        }
    }
    let utf16 = parse_games(b"\xff\xfe\0", None);
    assert!(utf16[0].as_ref().unwrap_err().to_string().contains("UTF-16"));
    assert_eq!(parse_games(b"", None), []);
}

#[test]
fn the_tag_of_red_shows_the_encoding_of_a_record_without_the_tag_of_the_game() {
    let text = "[Event \"五羊杯\"]\n[Red \"红方\"]\n[Black \"黑方\"]\n\n1. H2-E2 *\n";
    let game = parse_one(&Charset::Gb18030.encode(text).unwrap(), None);
    let tags: Vec<_> = game.tags.iter().collect();
    assert_eq!(tags, [("Event", "五羊杯"), ("Red", "红方"), ("Black", "黑方")]);
    // In a comment of a record of chess, the name of the tag shows nothing.
    let text = "[White \"Grünfeld\"]\n\n1. e4 {so is [Red \"x\"]} *\n";
    let game = parse_one(&Charset::Windows1252.encode(text).unwrap(), None);
    assert_eq!(game.tags.value("White"), Some("Grünfeld"));
}

#[test]
fn a_format_names_the_tags_of_its_players_and_its_dialects_of_pgn() {
    for (game, tags, dialects) in [
        ("xiangqi", ["Red", "Black"], &["chinese", "wxf", "iccs"][..]),
        ("chess", ["White", "Black"], &["san"]),
        ("othello", ["Black", "White"], &["transcript"]),
    ] {
        let format = format_of(game);
        assert_eq!((format.name(), format.player_tags()), (game, tags));
        let found = format.pgn_dialects();
        assert!(dialects.iter().all(|dialect| found.contains(dialect)), "{game}: {found:?}");
        assert!(!found.contains(&"uci") && !found.contains(&"ucci"), "{game}: {found:?}");
        let text = TextGame { game: game.to_owned(), ..TextGame::default() };
        for dialect in found {
            assert!(format_pgn(&text, Some(dialect)).is_ok(), "{game}: {dialect}");
        }
    }
}

#[test]
fn the_start_position_may_have_the_name_of_an_opening() {
    let format = format_of(Chess::NAME);
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let game = parse_one(format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n3... h5 4. h4 *\n").as_bytes(), None);
    let names = format.opening_names();
    let opening = format.opening_of(&names, &game).expect("the position after 3. Bb5");
    assert_eq!(opening.eco, "C60");
}

#[test]
fn variations_and_annotations_are_kept_in_place() {
    let text = "[White \"A\"]\n\n{x} 1. e4 $1 {[%eval 0.3] y} (1. d4 d5) (1. -- e6) 1... e5 1-0";
    let game = parse_one(text.as_bytes(), None);
    let moves: Vec<_> = game.moves.iter().map(|(_, node)| (node.parent(), &*node.text)).collect();
    let expected =
        [(0, ""), (0, "e2e4"), (1, "e7e5"), (0, "d2d4"), (3, "d7d5"), (0, text_game::NULL_MOVE), (5, "e7e6")];
    assert_eq!(moves, expected);
    assert_eq!(
        (&*game.moves[0].annotation.comment_after, &*game.moves[1].annotation.comment_after),
        ("x", "y")
    );
    assert_eq!((game.result, game.start.as_deref()), (Some(Outcome::Win(Side::First)), None));
    let written = format_pgn(&game, None).unwrap();
    assert!(
        written.ends_with("{x} 1. e4 $1 {[%eval 0.30] y} (1. d4 d5) (1. -- e6) 1... e5 1-0\n"),
        "{written}"
    );
}

#[test]
fn invalid_text_games_are_rejected() {
    let game = parse_one(b"1. e4", None);
    let error = |game: &TextGame, dialect| format_pgn(game, dialect).unwrap_err().to_string();
    assert!(error(&game, Some("morse")).contains("has no dialect"));
    let other = format_of("othello").format_pgn(&game, None).unwrap_err().to_string();
    assert_eq!(other, "a game of chess cannot be written as a game of othello");
    assert!(
        error(&TextGame { start: Some("8/8".into()), ..game.clone() }, None)
            .starts_with("the start position: ")
    );
    let mut illegal = game.clone();
    illegal.moves[1].text = "e2e5".into();
    assert!(error(&illegal, None).starts_with("move 1: "));
    let orphan = Some(TreeNode::new(7, &[], TextMove::default()));
    illegal.moves.replace(1, orphan);
    assert_eq!(error(&illegal, None), "the moves are no tree: a move does not follow its parent");
}

/// Checks that a tree of any game survives the conversion to a text game and back.
fn check_round_trip<G: RecordFormat>(
    moves: &[random_tree::RandomMove],
    result: Option<Outcome>,
    with_null_moves: bool,
) -> Result<(), TestCaseError> {
    let mut tree: GameTree<G> = random_tree::build(G::Setup::start(), moves, with_null_moves);
    tree.result = result;
    let text = pgn::format_game(&tree, G::default_dialect()).unwrap();
    let game = parse_one(text.as_bytes(), Some(G::NAME));
    prop_assert_eq!(&game.game, G::NAME);
    let again = format_pgn(&game, None).unwrap();
    let read = Reader::new(again.as_bytes()).next_game().unwrap().unwrap().parse::<G>();
    prop_assert_eq!(read.into_tree(), Ok(tree), "{}", again);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn trees_survive_the_conversion(moves in random_tree::random_moves(40), result in random_tree::any_result()) {
        check_round_trip::<Xiangqi>(&moves, result, true)?;
        check_round_trip::<Chess>(&moves, result, true)?;
        check_round_trip::<Othello>(&moves, result, false)?;
    }
}

#[test]
fn a_text_that_is_no_record_is_named() {
    let error = |text: &str, hint| parse_games(text.as_bytes(), hint)[0].clone().unwrap_err().to_string();
    for text in ["hello world\n", "Hello Sir, 1. e4 is best", "白先手"] {
        let error = error(text, None);
        assert!(error.contains("this is no record: expected tags"), "{text}: {error}");
    }
    // A move of some game, a tag or a hint says more.
    for (text, hint) in [
        ("1. e9 e5", None),
        ("1. a1 *", None),
        ("[White \"A\"]\n\n1. hello *", None),
        ("hello", Some("othello")),
    ] {
        let error = error(text, hint);
        assert!(!error.contains("no record"), "{text}: {error}");
    }
}

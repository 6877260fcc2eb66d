//! PGN: written games parse back, however the input is cut into pieces; an error in one game is located and
//! affects no other.

use std::io::Read;

use alfil_chess::{Chess, Setup};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_records::pgn::{self, Reader};
use alfil_records::{
    Charset, GameTree, LegacyEncoding, ParsedGame, RecordError, RecordErrorKind, RecordFormat,
};
use proptest::prelude::*;

use crate::random_tree;

/// Parses all games of a file.
fn parse_all<G: RecordFormat>(bytes: impl Read) -> Vec<ParsedGame<G>> {
    let mut reader = Reader::new(bytes);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game.parse::<G>());
    }
    games
}

#[track_caller]
fn parse_one(text: &str) -> ParsedGame<Chess> {
    let mut games = parse_all(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

#[track_caller]
fn parse_valid(text: &str) -> GameTree<Chess> {
    parse_one(text).into_tree().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn format(tree: &GameTree<Chess>) -> String {
    pgn::format_game(tree, pgn::default_dialect::<Chess>()).unwrap()
}

fn movetext(text: &str) -> String {
    let text = format(&parse_valid(text));
    text.split("\n\n").nth(1).unwrap().trim_end().replace('\n', " ")
}

/// An input that returns its bytes in small pieces.
struct Chunked<'a>(&'a [u8], usize);

impl Read for Chunked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.0.len().min(self.1).min(buffer.len());
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

#[test]
fn deviating_movetext_is_accepted() {
    for (text, exact) in [
        ("1.e4 e5 2.Nf3", "1. e4 e5 2. Nf3 *"),
        ("e4 e5 Nf3 1-0", "1. e4 e5 2. Nf3 1-0"),
        ("1. e2e4 e7e5 2. g1f3 1/2-1/2", "1. e4 e5 2. Nf3 1/2-1/2"),
        ("1 e4! e5 $14 2 Nf3?!", "1. e4 $1 e5 $14 2. Nf3 $6 *"),
        ("1. e4 {a} (1. d4 d5) ; b\ne5 *", "1. e4 {a b} (1. d4 d5) 1... e5 *"),
        ("{x} 1. e4 ({y} 1. d4 (1. c4 {z}) 1... d5)", "{x} 1. e4 ({y} 1. d4 d5) (1. c4 {z}) *"),
        ("1. e4 -- 2. d4 Z0 *", "1. e4 -- 2. d4 -- *"),
        ("1. e4 e5 1-0 {White won}", "1. e4 e5 {White won} 1-0"),
        ("1. e4 {[%eval 0.3,18] [%clk 0:03:00]} e5", "1. e4 {[%eval 0.30,18] [%clk 0:03:00]} 1... e5 *"),
        ("% a file\n1. e4\n% of mine\ne5", "1. e4 e5 *"),
        ("1. e4 ({only text}) e5", "1. e4 {only text} 1... e5 *"),
        ("1. e4 (1. d4 1-0) e5 *", "1. e4 (1. d4) 1... e5 *"),
        ("[SetUp \"0\"]\n[FEN \"\"]\n\n1. e4 *", "1. e4 *"),
    ] {
        assert_eq!(movetext(text), exact, "{text}");
    }
}

#[test]
fn tags_are_ordered_and_complement_the_movetext() {
    let text = "[White \"A \\\"B\\\"\"]\n[Opening \"x\"]\n[Event \"?\"]\n[Result \"0-1\"]\n[Site \"S\"]\n\n1. e4 *\n";
    let tree = parse_valid(text);
    assert_eq!(tree.result, Some(Outcome::Win(Side::Second)));
    let tags: Vec<_> = tree.tags.iter().collect();
    assert_eq!(tags, [("Site", "S"), ("White", "A \"B\""), ("Opening", "x")]);
    let expected = "[Event \"?\"]\n[Site \"S\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\"B\\\"\"]\n\
                    [Black \"?\"]\n[Result \"0-1\"]\n[Opening \"x\"]\n\n1. e4 0-1\n";
    assert_eq!(format(&tree), expected);
}

#[test]
fn tag_names_and_values_are_sanitised() {
    let tree = parse_valid("[W{i\u{1}te \"a\0b\"]\n\n1. e4 *");
    assert_eq!(tree.tags.iter().collect::<Vec<_>>(), [("W_i_te", "a b")]);
    assert_eq!(parse_valid(&format(&tree)), tree);
}

#[test]
fn a_start_position_is_written_as_fen() {
    let tree = parse_valid("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *");
    let text = format(&tree);
    assert!(text.ends_with("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *\n"), "{text}");
    assert_eq!(parse_valid(&text), tree);
    // The writer adds the tag `Variant` for a Chess960 start.
    let fen = "4k3/8/8/8/8/8/8/5KR1 w G - 2 9";
    let tree = parse_valid(&format!("[FEN \"{fen}\"]\n\n9. O-O *"));
    let text = format(&tree);
    assert!(text.contains("[Variant \"Chess960\"]"), "{text}");
    assert_eq!(parse_valid(&text), tree);
    // Position 518 of Chess960 is the start position of chess, and a record of Chess960 names it.
    let start = Setup::start().to_text();
    let tree = parse_valid(&format!("[Variant \"Chess960\"]\n[FEN \"{start}\"]\n\n1. e4 *"));
    let text = format(&tree);
    assert!(text.contains(&format!("[FEN \"{start}\"]")), "{text}");
    assert_eq!(parse_valid(&text), tree);
}

#[test]
fn errors_are_reported_with_their_place() {
    for (text, line, offset, part) in [
        ("1. e4 e5\n2. Ke3 d5", 2, 12, "move 2. Ke3: "),
        ("1. e4 e5 2. Nf3 {never\nclosed", 1, 16, "no closing brace"),
        ("[FEN \"x\"]\n\n1. e4", 1, 0, "the tag FEN: "),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4", 1, 0, "the start position"),
        ("[Variant \"Crazyhouse\"]\n\n1. e4", 1, 0, "Crazyhouse"),
        ("[Variant \"Chess960\"]\n\n1. e4", 1, 0, "needs its start position"),
        ("[Game \"Chinese Chess\"]\n\n1. e4", 1, 0, "expected a record of chess"),
        ("1. e4 f5 2. Qh5+ -- 3. d4", 1, 17, "a null move is illegal in check"),
    ] {
        let error = parse_one(text).error.unwrap_or_else(|| panic!("{text}"));
        assert_eq!((error.line, error.offset), (line, offset), "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn skipped_parts_are_reported_and_the_rest_is_kept() {
    for (text, exact, part) in [
        ("1. e4 (1. e5 d6 (1... c5) {x}) e5 *", "1. e4 e5 *", "move 1. e5"),
        ("1. e4 (1. d4 d5 2. Kd3 (2. a3)) e5 *", "1. e4 (1. d4 d5) 1... e5 *", "move 2. Kd3"),
        ("(1. d4) 1. e4 e5 *", "1. e4 e5 *", "the variation has no move to replace"),
        ("1. e4 ((1. d4) 1. c4) e5 *", "1. e4 (1. c4) 1... e5 *", "the variation has no move to replace"),
        ("1. e4 () e5 *", "1. e4 e5 *", "the variation has no move"),
        ("1. e4 ) e5 *", "1. e4 e5 *", "no opening parenthesis"),
        ("1. e4 (1. d4", "1. e4 (1. d4) *", "no closing parenthesis"),
        ("1. e4 } e5 $ $999 *", "1. e4 e5 *", "no opening brace"),
        ("1. e4 e5 * 2. d4", "1. e4 e5 *", "after the result"),
        ("[White]\n\n1. e4 e5 *", "1. e4 e5 *", "the tag White is not in quotes"),
        ("[White]\n{x}\n1. e4 e5 *", "{x} 1. e4 e5 *", "the tag White is not in quotes"),
        ("[A \"1\"]\n[A \"2\"]\n\n1. e4 *", "1. e4 *", "twice"),
        ("[Result \"1-0\"]\n\n1. e4 0-1", "1. e4 0-1", "another result"),
        ("[Result \"won\"]\n\n1. e4 0-1", "1. e4 0-1", "must be 1-0"),
    ] {
        let parsed = parse_one(text);
        assert_eq!(parsed.error, None, "{text}");
        assert!(parsed.warnings[0].to_string().contains(part), "{text}: {:?}", parsed.warnings);
        let text = format(&parsed.tree);
        assert!(text.ends_with(&format!("\n\n{exact}\n")), "{text}");
    }
}

#[test]
fn deeply_nested_variations_are_skipped() {
    let deep = format!("1. e4 {}{} e5", "(1. d4 ".repeat(5_000), ")".repeat(5_000));
    let parsed = parse_one(&deep);
    assert_eq!((parsed.error, parsed.tree.moves.move_count()), (None, pgn::MAX_VARIATION_DEPTH + 2));
    assert!(parsed.warnings[0].to_string().contains("too deeply"));
}

#[test]
fn games_are_split_without_tags_and_blank_lines() {
    for (text, lengths) in [
        ("1. e4 e5 1-0\n1. d4 0-1\n1. c4", vec![2, 1, 1]),
        ("[White \"A\"]\n1. e4 *\n[White \"B\"]\n1. d4 d5 *", vec![1, 2]),
        ("[Event \"A\"]\n[White \"A\"]\n[Event \"B\"]\n[White \"B\"]\n\n1. e4", vec![0, 1]),
        ("\u{feff}[Event \"A\"]\r\n\r\n1. e4\r\n\r\n[Event \"B\"]\r\n\r\n1. d4", vec![1, 1]),
        ("[Event \"A\"]\r\r1. e4\r\r[Event \"B\"]\r\r1. d4", vec![1, 1]),
        ("1. e4 {[Event \"x\"] is no tag} e5 {\n[Site \"x\"]\n} *", vec![2]),
        ("", vec![]),
        ("\n \n", vec![]),
        ("[Event \"A\"]\n\n*\n", vec![0]),
        ("; from x\n[Event \"A\"]\n[White \"A\"]\n\n1. e4\n", vec![1]),
        ("{x}\n% y\n[Event \"A\"]\n% z\n[White \"A\"]\n1. e4 *\n% w\n[Event \"B\"]\n1. d4 d5", vec![1, 2]),
    ] {
        let games = parse_all::<Chess>(text.as_bytes());
        let found: Vec<_> = games.iter().map(|game| game.tree.moves.move_count()).collect();
        assert_eq!(found, lengths, "{text:?}");
        assert!(games.iter().all(|game| game.error.is_none()), "{text:?}");
    }
}

#[test]
fn legacy_bytes_are_windows_1252_and_utf_16_is_rejected() {
    let games = parse_all::<Chess>(&b"[White \"Gr\xfcnfeld\"]\n\n1. e4 {\x93so\x94} *"[..]);
    assert_eq!(games[0].tree.tags.value("White"), Some("Grünfeld"));
    assert!(format(&games[0].tree).contains("{“so”}"));
    let error = Reader::new(&b"\xff\xfe[\0"[..]).next_game().unwrap_err();
    assert!(error.to_string().contains("UTF-16"));
}

#[test]
fn the_encoding_does_not_depend_on_the_pieces_of_the_input() {
    let text = "[Game \"Chinese Chess\"]\n[Red \"胡榮華\"]\n\n1. 炮二平五 馬８進７ *";
    for charset in [Charset::Utf8, Charset::Gb18030, Charset::Big5] {
        let bytes = charset.encode(text).unwrap();
        let mut reader = Reader::with_legacy_encoding(Chunked(&bytes, 3), LegacyEncoding::Chinese);
        let game = reader.next_game().unwrap().unwrap();
        assert_eq!((game.charset, &*game.text()), (charset, text));
    }
}

#[test]
fn a_truncated_game_affects_no_other() {
    let file = format!(
        "1. e4 *\n\n[White \"x\"]\n\n{{{}}} e4 *\n\n[White \"y\"]\n\n1. d4 d5 *",
        "a".repeat(900_000)
    );
    let mut reader = Reader::new(file.as_bytes()).with_max_game_bytes(1000);
    let mut found = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        let read = game.parse::<Chess>();
        found.push((game.line, read.tree.moves.move_count(), read.error.map(|error| error.kind)));
    }
    let cut = Some(RecordErrorKind::GameTooLong(1000));
    assert_eq!(found, [(1, 1, None), (3, 0, cut), (7, 2, None)]);
}

/// More than a megabyte of games as texts and trees.
fn megabyte_of_games() -> (Vec<String>, Vec<GameTree<Chess>>) {
    let mut random = SplitMix64::new(1);
    let (mut texts, mut trees, mut length) = (Vec::new(), Vec::new(), 0);
    while length < (1 << 20) + (1 << 14) {
        let mut moves = Vec::new();
        for ply in 0..120 {
            let comment_after = if ply % 7 == 0 { format!("comment {ply}") } else { String::new() };
            let annotation = random_tree::RandomAnnotation {
                comment_before: String::new(),
                comment_after,
                nags: vec![],
                score: None,
                clock: Some(1),
                elapsed: None,
            };
            let back = if ply % 31 == 30 { 1 } else { 0 };
            moves.push(random_tree::RandomMove {
                index: random.below(1000),
                back,
                is_null: false,
                annotation,
            });
        }
        let mut tree = random_tree::build::<Chess>(Setup::start(), &moves, false);
        tree.tags.push("White", format!("Player {}", texts.len()));
        let text = format(&tree) + "\n";
        length += text.len();
        texts.push(text);
        trees.push(tree);
    }
    (texts, trees)
}

#[test]
fn an_error_in_a_megabyte_of_games_is_located_and_affects_no_other() {
    let (texts, trees) = megabyte_of_games();
    let damaged_index = texts.len() / 2;
    type Damage = fn(&str) -> (String, usize);
    let damages: [(&str, Damage); 4] = [
        ("as a move in san", |text| {
            let at = text.find("\n3. ").or_else(|| text.find(" 3. ")).unwrap() + 4;
            let end = at + text[at..].find([' ', '\n']).unwrap();
            (format!("{}xyz{}", &text[..at], &text[end..]), at)
        }),
        ("no closing brace", |text| {
            let at = text.rfind('{').unwrap();
            (text[..at].to_owned() + &text[at..].replace('}', ""), at)
        }),
        ("the tag FEN", |text| (text.replace("[White ", "[FEN \"8/8\"]\n[White "), 0)),
        ("as a move in san", |text| {
            let at = text.find("\n\n").unwrap() + 2;
            (text[..at].to_owned() + "PK\u{3}\u{4}\u{0}rubbish [ ( {\n", at)
        }),
    ];
    for (reason, damage) in damages {
        let mut file = texts.clone();
        let (damaged, at) = damage(&texts[damaged_index]);
        file[damaged_index] = damaged;
        let before: String = file[..damaged_index].concat();
        let place = before.len() + at;
        let file = file.concat();
        assert!(file.len() >= 1 << 20);
        let games = parse_all::<Chess>(Chunked(file.as_bytes(), 70_001));
        assert_eq!(games.len(), trees.len(), "{reason}");
        for (index, (game, tree)) in games.into_iter().zip(&trees).enumerate() {
            if index == damaged_index {
                let RecordError { game, line, offset, kind, .. } = game.error.unwrap();
                assert!(kind.to_string().contains(reason), "{kind}");
                assert_eq!((game, offset), (damaged_index as u64 + 1, place as u64), "{reason}");
                assert_eq!(line, file[..place].matches('\n').count() as u64 + 1);
            } else {
                assert_eq!(game.into_tree().as_ref(), Ok(tree), "{reason}: game {index}");
            }
        }
    }
}

fn any_tree() -> impl Strategy<Value = GameTree<Chess>> {
    let start = prop_oneof![
        2 => Just(Setup::start()),
        1 => (0..960_usize, 0..960_usize).prop_map(|(white, black)| Setup::double_chess960(white, black).unwrap()),
        1 => Just(Setup::parse("8/P6k/8/8/8/8/p6K/8 b - - 3 60").unwrap()),
    ];
    let tags = prop::collection::vec(("(Event|Site|White|ECO|X_1)", "[ -~ä中]{0,12}"), 0..5);
    random_tree::any_tree(start, 60, tags, true)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn written_games_parse_back(trees in prop::collection::vec(any_tree(), 1..4), chunk in 1..999_usize) {
        let text: String = trees.iter().map(|tree| format(tree) + "\n").collect();
        let games = parse_all::<Chess>(Chunked(text.as_bytes(), chunk));
        prop_assert_eq!(games.len(), trees.len(), "{}", text);
        for (game, mut tree) in games.into_iter().zip(trees) {
            let game = game.into_tree();
            prop_assert!(game.is_ok(), "{:?}\n{}", game, text);
            let game = game.unwrap();
            // Unknown values are not kept, and a Chess960 start adds a tag.
            tree.tags = game.tags.clone();
            prop_assert_eq!(&game, &tree, "{}", text);
            let parsed = parse_all::<Chess>(format(&game).as_bytes()).remove(0).into_tree();
            prop_assert_eq!(parsed.as_ref(), Ok(&game));
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(
        prop_oneof![
            any::<u8>(),
            prop::sample::select(&b"[]\"(){};%$ \n\r\te4d5NfO-=*1./"[..]),
        ], 0..400), chunk in 1..99_usize)
    {
        // A file in UTF-16 is refused by an error of its own.
        prop_assume!(!bytes.starts_with(b"\xfe\xff") && !bytes.starts_with(b"\xff\xfe"));
        let whole = parse_all::<Chess>(&bytes[..]);
        let pieces = parse_all::<Chess>(Chunked(&bytes, chunk));
        prop_assert_eq!(whole.len(), pieces.len());
        for (whole, piece) in whole.into_iter().zip(pieces) {
            prop_assert_eq!(&whole.tree, &piece.tree);
            prop_assert_eq!(&whole.error, &piece.error);
            let parsed = parse_all::<Chess>(format(&whole.tree).as_bytes()).remove(0).into_tree();
            prop_assert_eq!(parsed.as_ref(), Ok(&whole.tree));
        }
    }

    #[test]
    fn written_tags_parse_back(values in prop::collection::vec("\\PC{0,20}", 1..5)) {
        let mut tree = GameTree::<Chess>::default();
        for (index, value) in values.iter().enumerate() {
            tree.tags.push(format!("T{index}"), value.clone());
        }
        prop_assert_eq!(parse_valid(&format(&tree)), tree);
    }
}

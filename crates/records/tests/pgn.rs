//! PGN: what is written is read again, in any pieces the bytes come; one bad game costs no other and says where it is.

use std::io::Read;

use alfil_chess::{Chess, Setup};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_records::pgn::{self, Reader};
use alfil_records::{GameTree, ParsedGame, RecordError, RecordErrorKind, RecordFormat};
use proptest::prelude::*;

mod grow;

/// All games of a file.
fn read<G: RecordFormat>(bytes: impl Read) -> Vec<ParsedGame<G>> {
    let mut reader = Reader::new(bytes);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game.parse::<G>());
    }
    games
}

#[track_caller]
fn only(text: &str) -> ParsedGame<Chess> {
    let mut games = read(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

#[track_caller]
fn sound(text: &str) -> GameTree<Chess> {
    only(text).into_tree().unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn written(tree: &GameTree<Chess>) -> String {
    pgn::format_game(tree, pgn::default_dialect::<Chess>()).unwrap()
}

fn moves(text: &str) -> String {
    let text = written(&sound(text));
    text.split("\n\n").nth(1).unwrap().trim_end().replace('\n', " ")
}

/// Gives its bytes in small pieces.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let length = self.0.len().min(self.1).min(room.len());
        room[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

#[test]
fn people_write_movetext_in_many_ways() {
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
        ("1. e4 ({only words}) e5", "1. e4 {only words} 1... e5 *"),
        ("1. e4 (1. d4 1-0) e5 *", "1. e4 (1. d4) 1... e5 *"),
    ] {
        assert_eq!(moves(text), exact, "{text}");
    }
}

#[test]
fn tags_come_in_their_order_and_say_what_the_moves_do_not() {
    let text = "[White \"A \\\"B\\\"\"]\n[Opening \"x\"]\n[Event \"?\"]\n[Result \"0-1\"]\n[Site \"S\"]\n\n1. e4 *\n";
    let tree = sound(text);
    assert_eq!(tree.result, Some(Outcome::Win(Side::Second)));
    let tags: Vec<_> = tree.tags.iter().collect();
    assert_eq!(tags, [("Site", "S"), ("White", "A \"B\""), ("Opening", "x")]);
    let expected = "[Event \"?\"]\n[Site \"S\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\"B\\\"\"]\n\
                    [Black \"?\"]\n[Result \"0-1\"]\n[Opening \"x\"]\n\n1. e4 0-1\n";
    assert_eq!(written(&tree), expected);
}

#[test]
fn odd_names_and_values_are_read_as_they_would_be_written() {
    let tree = sound("[W{i\u{1}te \"a\0b\"]\n\n1. e4 *");
    assert_eq!(tree.tags.iter().collect::<Vec<_>>(), [("W_i_te", "a b")]);
    assert_eq!(sound(&written(&tree)), tree);
}

#[test]
fn a_start_of_its_own_is_set_up() {
    let tree = sound("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *");
    let text = written(&tree);
    assert!(text.ends_with("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *\n"), "{text}");
    assert_eq!(sound(&text), tree);
    // A Chess960 start says so even where the file did not.
    let fen = "4k3/8/8/8/8/8/8/5KR1 w G - 2 9";
    let tree = sound(&format!("[FEN \"{fen}\"]\n\n9. O-O *"));
    let text = written(&tree);
    assert!(text.contains("[Variant \"Chess960\"]"), "{text}");
    assert_eq!(sound(&text), tree);
}

#[test]
fn what_breaks_a_game_is_said_with_its_place() {
    for (text, line, offset, part) in [
        ("1. e4 e5\n2. Ke3 d5", 2, 12, "move 2. Ke3: \"Ke3\" is illegal here"),
        ("1. e4 e5 2. Nf3 {never\nclosed", 1, 16, "no closing brace"),
        ("[FEN \"x\"]\n\n1. e4", 1, 0, "the tag FEN: position text, byte 0"),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4", 1, 0, "the start position"),
        ("[Variant \"Crazyhouse\"]\n\n1. e4", 1, 0, "Crazyhouse"),
        ("[Variant \"Chess960\"]\n\n1. e4", 1, 0, "needs its start"),
        ("[Game \"Chinese Chess\"]\n\n1. e4", 1, 0, "does not name chess"),
        ("1. e4 f5 2. Qh5+ -- 3. d4", 1, 17, "nobody passes while in check"),
    ] {
        let fault = only(text).error.unwrap_or_else(|| panic!("{text}"));
        assert_eq!((fault.line, fault.offset), (line, offset), "{text}: {fault}");
        assert!(fault.to_string().contains(part), "{text}: {fault}");
    }
}

#[test]
fn what_is_passed_over_is_said_and_the_rest_is_kept() {
    for (text, exact, part) in [
        ("1. e4 (1. e5 d6 (1... c5) {x}) e5 *", "1. e4 e5 *", "move 1. e5"),
        ("1. e4 (1. d4 d5 2. Kd3 (2. a3)) e5 *", "1. e4 (1. d4 d5) 1... e5 *", "move 2. Kd3"),
        ("(1. d4) 1. e4 e5 *", "1. e4 e5 *", "no move that it could replace"),
        ("1. e4 ((1. d4) 1. c4) e5 *", "1. e4 (1. c4) 1... e5 *", "no move that it could replace"),
        ("1. e4 () e5 *", "1. e4 e5 *", "this variation has no move"),
        ("1. e4 ) e5 *", "1. e4 e5 *", "closes no variation"),
        ("1. e4 (1. d4", "1. e4 (1. d4) *", "ends within a variation"),
        ("1. e4 } e5 $ $999 *", "1. e4 e5 *", "this brace"),
        ("1. e4 e5 * 2. d4", "1. e4 e5 *", "behind the result"),
        ("[White]\n\n1. e4 e5 *", "1. e4 e5 *", "the tag White has no value"),
        ("[A \"1\"]\n[A \"2\"]\n\n1. e4 *", "1. e4 *", "twice"),
        ("[Result \"1-0\"]\n\n1. e4 0-1", "1. e4 0-1", "another result"),
        ("[Result \"won\"]\n\n1. e4 0-1", "1. e4 0-1", "is none of"),
    ] {
        let parsed = only(text);
        assert_eq!(parsed.error, None, "{text}");
        assert!(parsed.warnings[0].to_string().contains(part), "{text}: {:?}", parsed.warnings);
        let text = written(&parsed.tree);
        assert!(text.ends_with(&format!("\n\n{exact}\n")), "{text}");
    }
}

#[test]
fn variations_lie_in_one_another_only_so_deep() {
    let deep = format!("1. e4 {}{} e5", "(1. d4 ".repeat(5_000), ")".repeat(5_000));
    let parsed = only(&deep);
    assert_eq!((parsed.error, parsed.tree.len()), (None, pgn::MAX_VARIATION_DEPTH + 2));
    assert!(parsed.warnings[0].to_string().contains("too deep"));
}

#[test]
fn games_are_told_apart_without_tags_and_blank_lines() {
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
    ] {
        let games = read::<Chess>(text.as_bytes());
        let found: Vec<_> = games.iter().map(|game| game.tree.len()).collect();
        assert_eq!(found, lengths, "{text:?}");
        assert!(games.iter().all(|game| game.error.is_none()), "{text:?}");
    }
}

#[test]
fn old_bytes_are_windows_1252_and_utf_16_is_refused() {
    let games = read::<Chess>(&b"[White \"Gr\xfcnfeld\"]\n\n1. e4 {\x93so\x94} *"[..]);
    assert_eq!(games[0].tree.tags.value("White"), Some("Grünfeld"));
    assert!(written(&games[0].tree).contains("{“so”}"));
    let refused = Reader::new(&b"\xff\xfe[\0"[..]).next_game().unwrap_err();
    assert!(refused.to_string().contains("UTF-16"));
}

#[test]
fn a_game_too_long_to_be_held_costs_no_other() {
    let file = format!(
        "1. e4 *\n\n[White \"x\"]\n\n{{{}}} e4 *\n\n[White \"y\"]\n\n1. d4 d5 *",
        "a".repeat(900_000)
    );
    let mut reader = Reader::new(file.as_bytes()).with_max_game_bytes(1000);
    let mut found = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        let read = game.parse::<Chess>();
        found.push((game.line, read.tree.len(), read.error.map(|fault| fault.kind)));
    }
    let cut = Some(RecordErrorKind::GameTooLong(1000));
    assert_eq!(found, [(1, 1, None), (3, 0, cut), (7, 2, None)]);
}

/// More than a megabyte of games; the trees they were written from.
fn megabyte() -> (Vec<String>, Vec<GameTree<Chess>>) {
    let mut random = SplitMix64::new(1);
    let (mut texts, mut trees, mut length) = (Vec::new(), Vec::new(), 0);
    while length < (1 << 20) + (1 << 14) {
        let mut shoots = Vec::new();
        for ply in 0..120 {
            let after = if ply % 7 == 0 { format!("word {ply}") } else { String::new() };
            let said = grow::Said {
                before: String::new(),
                after,
                nags: vec![],
                score: None,
                clock: Some(1),
                spent: None,
            };
            let back = if ply % 31 == 30 { 1 } else { 0 };
            shoots.push(grow::Shoot { pick: random.below(1000), back, null: false, said });
        }
        let mut tree = grow::grow::<Chess>(Setup::start(), &shoots, false);
        tree.tags.push("White", format!("Player {}", texts.len()));
        let text = written(&tree) + "\n";
        length += text.len();
        texts.push(text);
        trees.push(tree);
    }
    (texts, trees)
}

#[test]
fn one_bad_game_in_a_megabyte_costs_no_other_and_says_where_it_is() {
    let (texts, trees) = megabyte();
    let bad = texts.len() / 2;
    type Ruin = fn(&str) -> (String, usize);
    let ruins: [(&str, Ruin); 4] = [
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
    for (reason, ruin) in ruins {
        let mut file = texts.clone();
        let (ruined, at) = ruin(&texts[bad]);
        file[bad] = ruined;
        let before: String = file[..bad].concat();
        let place = before.len() + at;
        let file = file.concat();
        assert!(file.len() >= 1 << 20);
        let games = read::<Chess>(Drops(file.as_bytes(), 70_001));
        assert_eq!(games.len(), trees.len(), "{reason}");
        for (index, (game, tree)) in games.into_iter().zip(&trees).enumerate() {
            if index == bad {
                let RecordError { game, line, offset, kind: said, .. } = game.error.unwrap();
                assert!(said.to_string().contains(reason), "{said}");
                assert_eq!((game, offset), (bad as u64 + 1, place as u64), "{reason}");
                assert_eq!(line, file[..place].matches('\n').count() as u64 + 1);
            } else {
                assert_eq!(game.into_tree().as_ref(), Ok(tree), "{reason}: game {index}");
            }
        }
    }
}

fn a_tree() -> impl Strategy<Value = GameTree<Chess>> {
    let start = prop_oneof![
        2 => Just(Setup::start()),
        1 => (0..960_usize, 0..960_usize).prop_map(|(white, black)| Setup::double_chess960(white, black).unwrap()),
        1 => Just(Setup::parse("8/P6k/8/8/8/8/p6K/8 b - - 3 60").unwrap()),
    ];
    let tags = prop::collection::vec(
        (prop::sample::select(&["Event", "Site", "White", "ECO", "X_1"][..]), "[ -~ä中]{0,12}"),
        0..5,
    );
    (start, grow::shoots(60), grow::result(), tags, grow::words()).prop_map(
        |(start, shoots, result, tags, words)| {
            let mut tree = grow::grow::<Chess>(start, &shoots, true);
            tree.result = result;
            for (name, value) in tags {
                tree.tags.set(name, value);
            }
            tree.annotation_mut(alfil_records::NodeId::ROOT).comment_after = words;
            tree
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn what_is_written_is_read_again(trees in prop::collection::vec(a_tree(), 1..4), drop in 1..999_usize) {
        let text: String = trees.iter().map(|tree| written(tree) + "\n").collect();
        let games = read::<Chess>(Drops(text.as_bytes(), drop));
        prop_assert_eq!(games.len(), trees.len(), "{}", text);
        for (game, mut tree) in games.into_iter().zip(trees) {
            let game = game.into_tree();
            prop_assert!(game.is_ok(), "{:?}\n{}", game, text);
            let game = game.unwrap();
            // Placeholders are not kept, and a Chess960 start says so.
            tree.tags = game.tags.clone();
            prop_assert_eq!(&game, &tree, "{}", text);
            let again = read::<Chess>(written(&game).as_bytes()).remove(0).into_tree();
            prop_assert_eq!(again.as_ref(), Ok(&game));
        }
    }

    #[test]
    fn no_bytes_are_too_odd(bytes in prop::collection::vec(
        prop_oneof![
            any::<u8>(),
            prop::sample::select(&b"[]\"(){};%$ \n\r\te4d5NfO-=*1./"[..]),
        ], 0..400), drop in 1..99_usize)
    {
        let whole = read::<Chess>(&bytes[..]);
        let pieces = read::<Chess>(Drops(&bytes, drop));
        prop_assert_eq!(whole.len(), pieces.len());
        for (whole, piece) in whole.into_iter().zip(pieces) {
            prop_assert_eq!(&whole.tree, &piece.tree);
            prop_assert_eq!(&whole.error, &piece.error);
            let again = read::<Chess>(written(&whole.tree).as_bytes()).remove(0).into_tree();
            prop_assert_eq!(again.as_ref(), Ok(&whole.tree));
        }
    }

    #[test]
    fn every_tag_comes_back(values in prop::collection::vec("\\PC{0,20}", 1..5)) {
        let mut tree = GameTree::<Chess>::default();
        for (index, value) in values.iter().enumerate() {
            tree.tags.push(format!("T{index}"), value.clone());
        }
        prop_assert_eq!(sound(&written(&tree)), tree);
    }
}

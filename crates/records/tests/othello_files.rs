//! The file formats of Othello other than GGF and transcripts: WTHOR, SGF, OBF.

use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_othello::{Othello, Setup};
use alfil_records::wthor::{self, Names};
use alfil_records::{
    FileFormat, GameTree, ParsedGame, ROOT, RecordErrorKind, WriteError, obf, sgf, transcript,
};
use proptest::prelude::*;

use crate::random_tree;
use crate::samples::{check_damaged, sample, testdata};

fn valid(games: Vec<ParsedGame<Othello>>) -> Vec<GameTree<Othello>> {
    games.into_iter().map(|game| game.into_tree().unwrap()).collect()
}

#[test]
fn a_base_is_read_with_its_names() {
    let bytes = testdata("othello/synthetic-wth.wtb");
    assert_eq!(FileFormat::detect(&bytes), Some(FileFormat::Wthor));
    let trees = valid(wthor::parse_games(&bytes));
    let lines = String::from_utf8(testdata("othello/synthetic-games.tsv")).unwrap();
    let lines: Vec<_> = lines.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!((trees.len(), lines.len()), (10, 10));
    for (tree, line) in trees.iter().zip(lines) {
        let columns: Vec<_> = line.split('\t').collect();
        assert_eq!(transcript::format_game(tree), columns[0]);
        assert_eq!(tree.tags.value("BlackDiscs"), Some(columns[3]));
        assert_eq!(tree.tags.value("Date"), Some("2026.??.??"));
    }
    let names = ["jou", "trn"]
        .map(|kind| Names::parse(&testdata(&format!("othello/synthetic-wthor.{kind}"))).unwrap());
    let mut tags = trees[1].tags.clone();
    names.iter().for_each(|names| names.complete(&mut tags));
    let value = |tag| tags.value(tag).unwrap();
    assert_eq!(
        (value("Black"), value("White"), value("Event")),
        ("SAMPLE WHITE", "RANDOM ONE", "Generated Cup")
    );
    check_damaged(&bytes);
    let base = wthor::format_base(&trees).unwrap();
    assert_eq!(base.games[4..], bytes[4..], "all but the date of creation");
}

#[test]
fn a_damaged_base_gives_the_games_before_the_damage() {
    let bytes = testdata("othello/synthetic-wth.wtb");
    let cut = &bytes[..16 + 3 * 68 + 20];
    assert_eq!(FileFormat::detect(cut), Some(FileFormat::Wthor));
    let games = wthor::parse_games(cut);
    assert_eq!(games.iter().filter(|game| game.error.is_none()).count(), 3);
    let errors: Vec<_> =
        games.iter().filter_map(|game| game.error.as_ref()).map(ToString::to_string).collect();
    let expected = [
        "game 4, byte 240: the file ends within the game",
        "game 5, byte 4: the header announces 10 games, and the file has 3",
    ];
    assert_eq!(errors, expected);
    let mut damaged = bytes.clone();
    damaged[16 + 68 + 8 + 5] = 11;
    let game = &wthor::parse_games(&damaged)[1];
    let error = game.error.as_ref().unwrap();
    assert_eq!((error.game, error.offset, &*error.mv, game.tree.moves.move_count()), (2, 97, "3... a1", 5));
    damaged = bytes.clone();
    damaged[16 + 6] = 12;
    let kind = RecordErrorKind::WrongScore { expected: 12, found: 37 };
    assert_eq!(wthor::parse_games(&damaged)[0].warnings[0].kind, kind);
    damaged[16 + 6] = 65;
    let game = &wthor::parse_games(&damaged)[0];
    assert_eq!(game.warnings[0].to_string(), "game 1, byte 22: the result \"65\" is unknown and left out");
    assert_eq!(game.tree.result, None);
    damaged[12] = 10;
    assert_eq!(
        wthor::parse_games(&damaged)[0].error.as_ref().unwrap().kind,
        RecordErrorKind::OtherBoardSize(10)
    );
    let game = transcript::parse_games(b"f5d6").next().unwrap().into_tree().unwrap();
    let mut short = wthor::format_games(&[game]).unwrap();
    short[16 + 8 + 30] = 11;
    let warnings = &wthor::parse_games(&short)[0].warnings;
    assert!(warnings.iter().any(|warning| warning.kind == RecordErrorKind::RestSkipped(1)), "{warnings:?}");
}

#[test]
fn a_base_numbers_the_names_of_games_without_numbers() {
    let mut games: Vec<_> =
        transcript::parse_games(b"f5d6c3d3c4f4\nf5f6\nf5d6").map(|game| game.into_tree().unwrap()).collect();
    for (game, (black, white)) in
        games.iter_mut().zip([("Tamenori", "Rose"), ("Rose", "Tamenori"), ("Rosé", "Rose")])
    {
        game.tags.push("Black", black);
        game.tags.push("White", white);
        game.tags.push("BlackDiscs", "40");
    }
    let base = wthor::format_base(&games).unwrap();
    let players = Names::parse(&base.players).unwrap();
    assert_eq!(players.names, ["Rose", "Rosé", "Tamenori"]);
    for (game, read) in games.iter().zip(valid(wthor::parse_games(&base.games))) {
        let mut tags = read.tags.clone();
        players.complete(&mut tags);
        assert_eq!(tags.value("Black"), game.tags.value("Black"));
        assert_eq!(read.result, Some(Outcome::Win(Side::First)));
        assert!(read.main_line_moves().eq(game.main_line_moves()));
    }
    // A game with a number alone does not take the name from another.
    for (game, numbers) in games.iter_mut().zip([("5", "7"), ("7", "5"), ("5", "7")]) {
        for (tag, number) in [("BlackId", numbers.0), ("WhiteId", numbers.1)] {
            game.tags.set(tag, number);
        }
    }
    games[2].tags.retain(|name, _| !matches!(name, "Black" | "White"));
    let players = Names::parse(&wthor::format_base(&games).unwrap().players).unwrap();
    assert_eq!((&*players.names[5], &*players.names[7]), ("Tamenori", "Rose"));
    // In the games of two bases a number has two names: the names get new numbers.
    games[1].tags.set("BlackId", "5");
    let players = Names::parse(&wthor::format_base(&games).unwrap().players).unwrap();
    assert_eq!(players.names, ["", "Rose", "Tamenori"]);
    for value in ["30 from 200 empty", "30 from 61 empty", "65 from 20 empty", "30"] {
        games[1].tags.set("BlackBestDiscs", value);
        let error = wthor::format_base(&games).unwrap_err().to_string();
        assert!(error.contains(&format!("the value {value:?} of the tag BlackBestDiscs")), "{error}");
    }
    let own = GameTree::<Othello>::new(Setup::EMPTY);
    assert_eq!(wthor::format_games(&[own]), Err(WriteError::CustomStart { format: FileFormat::Wthor }));
}

#[test]
fn the_games_of_a_base_have_one_year_and_one_number_of_empty_squares() {
    let games: Vec<_> =
        transcript::parse_games(b"f5d6\nf5f6").map(|game| game.into_tree().unwrap()).collect();
    for (tag, values) in [
        ("Date", ["2004.05.01", "2005.??.??"]),
        ("Date", ["2004.05.01", ""]),
        ("BlackBestDiscs", ["33 from 22 empty", "33 from 20 empty"]),
    ] {
        let mut games = games.clone();
        games.iter_mut().zip(values).for_each(|(game, value)| game.tags.set(tag, value));
        let error = wthor::format_base(&games).unwrap_err().to_string();
        assert!(error.contains(&format!("the value {:?} of the tag {tag}", values[1])), "{error}");
        games[1].tags.set(tag, values[0]);
        assert!(wthor::format_base(&games).is_ok());
    }
    // The year is that of the first known date, by which games are also sorted and divided.
    let mut games = games;
    for (game, tags) in games.iter_mut().zip([["2004.05.01", ""], ["????.??.??", "2004.??.??"]]) {
        ["Date", "EventDate"].into_iter().zip(tags).for_each(|(tag, value)| game.tags.set(tag, value));
    }
    assert!(wthor::format_base(&games).is_ok());
}

#[test]
fn sgf_is_read_as_programs_write_it() {
    let tree = |text: &str| {
        assert_eq!(FileFormat::detect(text.as_bytes()), Some(FileFormat::OthelloSgf), "{text}");
        sgf::parse_games(text.as_bytes())
            .remove(0)
            .into_tree()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let plain = tree("(;GM[2]FF[4]SZ[8]PB[A]PW[B]RE[B+10]\n;B[f5];W[d6];B[c3];W[d3];B[c4])");
    assert_eq!(transcript::format_game(&plain), "f5d6c3d3c4");
    assert_eq!((plain.result, plain.tags.value("White")), (Some(Outcome::Win(Side::First)), Some("B")));
    // Letters for rows, as in Go, and capital columns.
    assert_eq!(transcript::format_game(&tree("(;GM[2];B[fe];W[D6])")), "f5d6");
    // The discs of the start may be written out.
    let full = tree("(;GM[2]SZ[8]AB[d5][e4]AW[d4][e5]PL[B];B[f5]C[a \\] b\\\\ c])");
    assert_eq!(full.start, Setup::start());
    assert_eq!(full.annotation(full.moves.main_line().next().unwrap()).comment_after, "a ] b\\ c");
    let rectangle = tree("(;GM[2]AB[a1:b2]AW[c1][c2]PL[W])");
    assert_eq!(rectangle.start.to_text().matches('X').count(), 4);
    assert_eq!(rectangle.start.side_to_move, Side::Second);
    let branches = tree("(;GM[2](;B[f5](;W[d6])(;W[f6];B[e6]))(;B[d3]TE[1]))");
    assert_eq!((branches.moves.move_count(), branches.moves.main_line().count()), (5, 2));
    let last = branches.moves.children(ROOT).nth(1).unwrap();
    assert_eq!(branches.annotation(last).nags, [1]);
    assert_eq!(sgf::parse_games(b"(;GM[2];B[f5])\n(;GM[2];B[d3])").len(), 2);
    // Text between games may have parentheses.
    assert_eq!(sgf::parse_games(b"(;GM[2];B[f5])\nFrom the cup (2 games).\n( ;GM[2];B[d3])").len(), 2);
    // Without `PL` the side of the first move begins.
    let white_begins = tree("(;GM[2]AB[d5][e4]AW[d4][e5];W[f4];B[d3])");
    assert_eq!((white_begins.start.side_to_move, white_begins.moves.move_count()), (Side::Second, 2));
    // The properties of a node are in any order.
    let ordered = tree("(;GM[2];B[f5];W[d6]C[good]TE[1]WL[60])");
    assert_eq!(tree("(;GM[2];B[f5];C[good]TE[1]WL[60]W[d6])"), ordered);
    assert_eq!(ordered.annotation(ordered.moves.main_line().nth(1).unwrap()).comment_after, "good");
    // A move has the time of the side that made it.
    let timed = tree("(;GM[2];B[f5]BL[50]WL[60];W[d6]WL[55]BL[50])");
    let clocks = timed.moves.main_line().map(|node| timed.annotation(node).clock.unwrap().as_secs());
    assert_eq!(clocks.collect::<Vec<_>>(), [50, 55]);
}

#[test]
fn an_unknown_result_in_sgf_is_reported() {
    let parse = |result: &str| sgf::parse_games(format!("(;GM[2]RE[{result}];B[f5])").as_bytes()).remove(0);
    let loss = Some(Outcome::Win(Side::Second));
    for (text, result) in [
        ("W+R", loss),
        ("w+2", loss),
        ("Draw", Some(Outcome::Draw)),
        ("drawn 32-32", Some(Outcome::Draw)),
        ("0", Some(Outcome::Draw)),
        ("?", None),
        ("", None),
    ] {
        assert_eq!(parse(text).into_tree().unwrap().result, result, "{text:?}");
    }
    let game = parse("Dunno");
    assert_eq!(
        game.warnings[0].to_string(),
        "game 1, line 1, byte 10: the result \"Dunno\" is unknown and left out"
    );
    assert_eq!((game.error, game.tree.result, game.tree.moves.move_count()), (None, None, 1));
}

#[test]
fn errors_in_sgf_name_their_position() {
    for (text, expected, moves) in [
        ("(;GM[2];B[f5];W[a1];B[c3])", "game 1, line 1, byte 16, move 1... a1: ", 1),
        ("(;GM[2];B[f5]\n;B[d6])", "game 1, line 2, byte 17, move 1... d6: it is White's turn", 1),
        ("(;GM[2];B[f5];W[d6]", "game 1, line 1, byte 19: the game has no closing parenthesis", 2),
        ("(;GM[2];B[f5];W[d6", "game 1, line 1, byte 14: the tag has no closing bracket", 1),
        ("(;GM[2]SZ[10];B[f5])", "game 1, line 1, byte 7: the board is 10 by 10, not 8 by 8", 0),
        ("(;GM[2];B[zz])", "byte 10, move 1. zz: expected a square", 0),
    ] {
        let game = sgf::parse_games(text.as_bytes()).remove(0);
        let error = game.error.expect(text).to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(game.tree.moves.move_count(), moves, "{text}");
    }
    // A bad variation is skipped, and one that would replace the bad move of the main line, too.
    let game = sgf::parse_games(b"(;GM[2];B[f5](;W[d6])(;W[a1];B[c3])(;W[f6]))").remove(0);
    assert_eq!((game.tree.moves.move_count(), game.warnings.len(), game.error), (3, 1, None));
    let game = sgf::parse_games(b"(;GM[2](;B[f5](;W[a1])(;W[f6]))(;B[d3]))").remove(0);
    assert_eq!((game.tree.moves.move_count(), game.tree.moves.main_line().count()), (2, 1));
    assert!(game.error.is_some());
    check_damaged(b"(;GM[2]FF[4]PB[A]C[start](;B[f5];W[d6]C[a])(;B[d3]TE[1]BL[12]))");
}

#[test]
fn errors_in_a_long_sgf_file_of_another_encoding_name_their_position() {
    let mut text = b"(;GM[2]C[\xff])".to_vec();
    text.extend(b"(;GM[2];B[a1])\n".repeat(100_000));
    let games = sgf::parse_games(&text);
    let error = games[100_000].error.as_ref().unwrap();
    let expected = (100_001, 100_000, text.len() as u64 - 5);
    assert_eq!((games.len(), error.line, error.offset), expected);
    // A byte order mark counts.
    let error = sgf::parse_games("\u{feff}(;GM[2];B[a1])".as_bytes()).remove(0).error.unwrap();
    assert_eq!(error.offset, 13);
}

#[test]
fn problems_are_games_without_moves() {
    let bytes = testdata("othello/ffo.obf");
    assert_eq!(FileFormat::detect(&bytes), Some(FileFormat::Obf));
    let trees = valid(obf::parse_games(&bytes));
    assert_eq!(trees.len(), 79);
    let written = obf::format_games(&trees).unwrap();
    assert_eq!(valid(obf::parse_games(&written)), trees);
    let board = "-".repeat(64);
    let faulty = format!("% a comment\n{board} X; f5:+2;\n{board} X; q9:+2;\n{board} O; -4;\n");
    let games = obf::parse_games(faulty.as_bytes());
    let error = games[1].error.as_ref().unwrap();
    assert_eq!((games.len(), error.game, error.line), (3, 2, 3));
    assert_eq!(games[0].tree.tags.value("Scores"), Some("f5:+2"));
    assert_eq!(games[2].tree.tags.value("Scores"), Some("-4"));
    check_damaged(faulty.as_bytes());
    let marked = obf::parse_games(format!("\u{feff}{board} X; f5:+2;\n{board} X; q9:+2;\n").as_bytes());
    assert_eq!((marked[0].error.as_ref(), marked.len()), (None, 2));
    let unmarked = obf::parse_games(format!("{board} X; f5:+2;\n{board} X; q9:+2;\n").as_bytes());
    let offset = |games: &[ParsedGame<Othello>]| games[1].error.as_ref().unwrap().offset;
    assert_eq!(offset(&marked), offset(&unmarked) + 3);
    for scores in ["abc", "f5:+2; d3:+0", "% f5:+2"] {
        let mut tree = GameTree::<Othello>::default();
        tree.tags.push("Scores", scores);
        let error = obf::format_games(&[tree]).unwrap_err().to_string();
        assert!(error.contains(&format!("the value {scores:?} of the tag Scores")), "{error}");
    }
    for file in ["fforum-1-19.obf", "fforum-20-39.obf", "fforum-40-59.obf", "fforum-60-79.obf"] {
        let Some(bytes) = sample(&format!("gpl-3/othello/{file}")) else { continue };
        assert!(obf::parse_games(&bytes).iter().all(|game| game.error.is_none()), "{file}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn a_random_game_round_trips_through_wthor(moves in prop::collection::vec(any::<u16>(), 0..61)) {
        let moves: Vec<_> = moves
            .into_iter()
            .map(|index| random_tree::RandomMove { index: index.into(), back: 0, is_null: false, annotation: plain() })
            .collect();
        let tree = random_tree::build::<Othello>(Setup::start(), &moves, false);
        let bytes = wthor::format_games(&[tree.clone(), tree.clone()]).unwrap();
        // A pass at the end is lost.
        let moves = |tree: &GameTree<Othello>| transcript::format_game(tree);
        for read in valid(wthor::parse_games(&bytes)) {
            prop_assert_eq!(moves(&read), moves(&tree));
        }
    }
}

fn plain() -> random_tree::RandomAnnotation {
    random_tree::RandomAnnotation {
        comment_before: String::new(),
        comment_after: String::new(),
        nags: Vec::new(),
        score: None,
        clock: None,
        elapsed: None,
    }
}

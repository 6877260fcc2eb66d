use std::fs;
use std::path::{Path, PathBuf};

use alfil_records::{Charset, FileFormat};

use super::*;
use crate::Filter;
use crate::filter::Field;
use crate::source::{Source, SourceOptions};

const GAMES: &str = "[White \"B\"]\n[Date \"2020.01.01\"]\n[Round \"10\"]\n\n1. e4 e5 {good} (1... c5 $1) 1-0\n\n\
    [White \"a\"]\n[Date \"2019.01.01\"]\n[Round \"9\"]\n\n1. d4 0-1\n\n\
    [White \"C\"]\n[Round \"2\"]\n\n1. e4 e5 *\n\n\
    [White \"?\"]\n[Date \"2021.01.01\"]\n\n1. c4 *\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(name: &str, text: impl AsRef<[u8]>) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::write(folder.path(name), text).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.path(name)).unwrap()).unwrap()
    }
}

fn convert(
    settings: ConversionSettings,
    input: PathBuf,
    out: &Path,
) -> Result<ConversionTotals, ConversionError> {
    let source = Source::open(&[input], &SourceOptions::default()).unwrap();
    let mut conversion = Conversion::new(settings, Some(out), source.files())?;
    for item in source {
        conversion.add(item)?;
    }
    Ok(conversion.finish()?)
}

/// Returns the settings of a format, with which a test writes the same file again and again.
fn settings_of(format: FileFormat) -> ConversionSettings {
    ConversionSettings { replaces_files: true, ..ConversionSettings::new(format) }
}

fn pgn() -> ConversionSettings {
    settings_of(FileFormat::Pgn)
}

/// Returns the values of a tag in a PGN file.
fn values(text: &str, tag: &str) -> Vec<String> {
    let start = format!("[{tag} \"");
    let values = text.lines().filter_map(|line| line.strip_prefix(&start));
    values.map(|value| value.trim_end_matches("\"]").to_owned()).collect()
}

#[test]
fn filtered_and_repeated_games_are_counted_and_left_out() {
    let folder = Folder::with("in.pgn", GAMES);
    let filter = Some(Filter::parse("white").unwrap());
    let settings = ConversionSettings { filter, dedupe: true, ..pgn() };
    let totals = convert(settings, folder.path("in.pgn"), &folder.path("out.pgn")).unwrap();
    let counts = (totals.games, totals.written, totals.filtered, totals.duplicates, totals.skipped());
    assert_eq!(counts, (4, 2, 1, 1, 2));
    assert_eq!(totals.faults.count(), 0);
    // The first of equal games is kept.
    assert_eq!(values(&folder.read("out.pgn"), "White"), ["B", "a"]);
    assert_eq!(folder.names("."), ["in.pgn", "out.pgn"], "no temporary file is left");
}

#[test]
fn a_game_that_cannot_be_written_does_not_displace_its_repetition() {
    let folder = Folder::with(
        "in.pgn",
        "[White \"\u{141}ukasz\"]\n\n1. e4 e5 *\n\n[White \"Lukasz\"]\n\n1. e4 e5 *\n\n[White \"L.\"]\n\n1. e4 e5 *\n",
    );
    for sort in [vec![], vec![SortKey::parse("white").unwrap()]] {
        let settings = ConversionSettings { charset: Charset::Windows1252, dedupe: true, sort, ..pgn() };
        let totals = convert(settings, folder.path("in.pgn"), &folder.path("out.pgn")).unwrap();
        assert_eq!((totals.written, totals.duplicates, totals.failed), (1, 1, 1), "{totals:?}");
        assert_eq!(values(&folder.read("out.pgn"), "White"), ["Lukasz"]);
    }
}

#[test]
fn comments_and_variations_are_left_out_and_nags_of_the_main_line_stay() {
    let folder =
        Folder::with("in.pgn", "1. e4 {[%clk 0:01:00] a} (1. d4 (1. c4 Nf6) d5) e5 $2 (1... c5) 2. Nf3 *\n");
    let settings = ConversionSettings { keep_comments: false, keep_variations: false, ..pgn() };
    convert(settings, folder.path("in.pgn"), &folder.path("out.pgn")).unwrap();
    assert!(folder.read("out.pgn").ends_with("\n\n1. e4 e5 $2 2. Nf3 *\n"), "{}", folder.read("out.pgn"));
    let settings = ConversionSettings { keep_comments: false, ..pgn() };
    convert(settings, folder.path("in.pgn"), &folder.path("out.pgn")).unwrap();
    let expected = "1. e4 (1. d4 d5) (1. c4 Nf6) 1... e5 $2 (1... c5) 2. Nf3 *\n";
    assert!(folder.read("out.pgn").ends_with(expected), "{}", folder.read("out.pgn"));
}

#[test]
fn games_are_sorted_by_several_keys_and_unknown_values_come_last() {
    let folder = Folder::with("in.pgn", GAMES);
    for (keys, expected) in [
        (&["white"][..], ["a", "B", "C", "?"]),
        (&["-white"], ["C", "B", "a", "?"]),
        (&["date"], ["a", "B", "?", "C"]),
        (&["-date"], ["?", "B", "a", "C"]),
        (&["round"], ["C", "a", "B", "?"]),
        (&["plies", "-result", "tag(\"White\")"], ["a", "?", "B", "C"]),
        (&["start"], ["B", "a", "C", "?"]),
        (&["result"], ["a", "B", "C", "?"]),
        (&["-result"], ["B", "a", "C", "?"]),
    ] {
        let sort = keys.iter().map(|key| SortKey::parse(key).unwrap()).collect();
        let settings = ConversionSettings { sort, ..pgn() };
        convert(settings, folder.path("in.pgn"), &folder.path("out.pgn")).unwrap();
        let text = folder.read("out.pgn");
        let found: Vec<_> = values(&text, "White");
        if keys != ["plies", "-result", "tag(\"White\")"] {
            assert_eq!(found, expected, "{keys:?}");
        } else {
            assert_eq!(found[..2], ["a", "?"], "{keys:?}: fewer plies come first, and 0-1 precedes *");
        }
        assert_eq!(text.matches("1. e4 e5 {good} 1... c5").count() + text.matches("(1... c5 $1)").count(), 1);
    }
}

#[test]
fn games_are_split_by_number_and_by_value() {
    let folder = Folder::with("in.pgn", GAMES);
    let settings = ConversionSettings { split: Some(Split::Count(3)), ..pgn() };
    convert(settings, folder.path("in.pgn"), &folder.path("parts")).unwrap();
    assert_eq!(folder.names("parts"), ["000001.pgn", "000002.pgn"]);
    assert_eq!(values(&folder.read("parts/000001.pgn"), "White"), ["B", "a", "C"]);
    assert_eq!(values(&folder.read("parts/000002.pgn"), "White"), ["?"]);
    let settings = ConversionSettings { split: Some(Split::Field(Field::Year)), ..pgn() };
    convert(settings, folder.path("in.pgn"), &folder.path("years/of-{}.pgn")).unwrap();
    assert_eq!(folder.names("years"), ["of-2019.pgn", "of-2020.pgn", "of-2021.pgn", "of-unknown.pgn"]);
    let sort = vec![SortKey::parse("-white").unwrap()];
    let settings = ConversionSettings { split: Some(Split::Field(Field::Result)), sort, ..pgn() };
    convert(settings, folder.path("in.pgn"), &folder.path("results")).unwrap();
    assert_eq!(folder.names("results"), ["0-1.pgn", "1-0.pgn", "_.pgn"]);
    assert_eq!(values(&folder.read("results/_.pgn"), "White"), ["C", "?"]);
}

#[test]
fn each_value_has_a_file_of_its_own() {
    let values = ["a/b", "a:b", "A_B", "a/b", "..", "?", &"炮".repeat(90), &"炮".repeat(91), "a_b-2"];
    let games = values.map(|value| format!("[Event \"{value}\"]\n\n1. e4 *\n\n"));
    let folder = Folder::with("in.pgn", games.concat());
    let settings = ConversionSettings { split: Some(Split::Field(Field::Event)), ..pgn() };
    convert(settings, folder.path("in.pgn"), &folder.path("out")).unwrap();
    // 160 bytes at most: a character is not cut.
    let long = "炮".repeat(53);
    let expected = [
        ("A_B-3.pgn".to_owned(), vec!["A_B"]),
        ("a_b-2-2.pgn".to_owned(), vec!["a_b-2"]),
        ("a_b-2.pgn".to_owned(), vec!["a:b"]),
        ("a_b.pgn".to_owned(), vec!["a/b", "a/b"]),
        ("unknown-2.pgn".to_owned(), vec!["?"]),
        ("unknown.pgn".to_owned(), vec![".."]),
        (format!("{long}-2.pgn"), vec![values[7]]),
        (format!("{long}.pgn"), vec![values[6]]),
    ];
    assert_eq!(folder.names("out"), expected.each_ref().map(|(name, _)| name.clone()));
    for (name, events) in expected {
        assert_eq!(self::values(&folder.read(&format!("out/{name}")), "Event"), events, "{name}");
    }
}

#[test]
fn the_games_of_complete_files_stay_after_an_interruption() {
    let folder = Folder::with("in.pgn", GAMES);
    let source = Source::open(&[folder.path("in.pgn")], &SourceOptions::default()).unwrap();
    let settings = ConversionSettings { split: Some(Split::Count(3)), ..pgn() };
    let mut conversion = Conversion::new(settings, Some(&folder.path("out")), source.files()).unwrap();
    source.for_each(|item| conversion.add(item).unwrap());
    assert_eq!(conversion.unfinished_files().remove_and_block(), 3);
    assert_eq!(folder.names("out"), ["000001.pgn"]);
}

#[test]
fn what_a_format_cannot_hold_is_a_fault_with_the_place_of_the_game() {
    let text = "[Game \"Othello\"]\n[Black \"A\"]\n[Site \"Paris\"]\n\n1. f5 {good} d6 (1... f6 2. e6) 2. c3 *\n\n\
        [Game \"Othello\"]\n\n1. f5 d6 *\n\n[White \"W\"]\n\n1. e4 *\n";
    let folder = Folder::with("in.pgn", text);
    let settings = settings_of(FileFormat::Transcript);
    let totals = convert(settings.clone(), folder.path("in.pgn"), &folder.path("out.txt")).unwrap();
    assert_eq!(folder.read("out.txt"), "f5d6c3\nf5d6\n");
    let faults: Vec<_> = totals.faults.kept().iter().map(|fault| fault.to_string()).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    let expected =
        "game 1, byte 0, a file of transcripts cannot hold variations, comments and the tags Site, Black";
    assert!(faults[0].ends_with(expected), "{faults:?}");
    let expected = "game 3, byte 116, a game of chess cannot be written as a file of transcripts";
    assert!(faults[1].ends_with(expected), "{faults:?}");
    assert_eq!((totals.games, totals.written, totals.failed), (3, 2, 1));
    let settings = ConversionSettings { allow_losses: true, ..settings };
    let totals = convert(settings, folder.path("in.pgn"), &folder.path("out.txt")).unwrap();
    assert_eq!(totals.faults.count(), 1, "a game that is not written is always a fault");
}

#[test]
fn formats_of_one_game_are_written_in_a_directory() {
    // The two comments of a move are joined, which is no loss.
    let text = "[Game \"Chinese Chess\"]\n[Red \"A\"]\n\n1. 炮二平五 *\n\n\
        [Game \"Chinese Chess\"]\n\n1. 炮八平五 ({before} 1. 炮二平五 {after}) *\n";
    let folder = Folder::with("in.pgn", text);
    let settings = settings_of(FileFormat::Xqf);
    let totals = convert(settings.clone(), folder.path("in.pgn"), &folder.path("all")).unwrap();
    assert_eq!((totals.written, totals.faults.count()), (2, 0), "{:?}", totals.faults);
    assert_eq!(folder.names("all"), ["000001.xqf", "000002.xqf"]);
    let error = convert(settings.clone(), folder.path("in.pgn"), &folder.path("one.xqf")).unwrap_err();
    assert!(error.to_string().contains("exactly one game"), "{error}");
    assert_eq!(folder.names("."), ["all", "in.pgn"], "nothing is left of the file");
    // Back to one file.
    let totals = convert(pgn(), folder.path("all"), &folder.path("back.pgn")).unwrap();
    assert_eq!(totals.written, 2);
    assert!(folder.read("back.pgn").contains("1. 炮二平五 *"), "{}", folder.read("back.pgn"));
    let split = ConversionSettings { split: Some(Split::Field(Field::White)), ..settings };
    assert!(
        convert(split, folder.path("in.pgn"), &folder.path("x"))
            .unwrap_err()
            .to_string()
            .contains("no split")
    );
}

#[test]
fn a_base_has_its_files_of_names() {
    let text = "[Game \"Othello\"]\n[Black \"Tastet\"]\n[White \"Juigner\"]\n[Event \"Paris\"]\n[Date \"2004.??.??\"]\n\n1. f5 d6 2. c3 *\n";
    let folder = Folder::with("in.pgn", text);
    let sort = vec![SortKey::parse("white").unwrap()];
    let settings = ConversionSettings { sort, ..settings_of(FileFormat::Wthor) };
    let totals = convert(settings, folder.path("in.pgn"), &folder.path("out.wtb")).unwrap();
    assert_eq!(folder.names("."), ["in.pgn", "out.jou", "out.trn", "out.wtb"]);
    let faults = totals.faults.kept().iter().map(|fault| fault.what.clone()).collect::<Vec<_>>();
    assert_eq!(faults, ["a WTHOR base cannot hold the result"], "a base has discs for a result");
    convert(pgn(), folder.path("out.wtb"), &folder.path("back.pgn")).unwrap();
    assert_eq!(values(&folder.read("back.pgn"), "Black"), ["Tastet"]);
}

#[test]
fn a_base_has_the_games_of_one_year() {
    let game = |year: u32, moves: &str| {
        format!("[Game \"Othello\"]\n[Date \"{year}.05.??\"]\n[Black \"A\"]\n\n{moves} *\n\n")
    };
    let games = [game(2004, "1. f5 d6"), game(2005, "1. f5 f6"), game(2004, "1. f5 f4")];
    let folder = Folder::with("in.pgn", games.concat());
    let settings = ConversionSettings { allow_losses: true, ..settings_of(FileFormat::Wthor) };
    for (sort, written, place, value) in [
        (vec![], 2, "game 2, byte 62", "\"2005.05.??\""),
        (vec![SortKey::parse("-date").unwrap()], 1, "game 1, byte 0", "\"2004.05.??\""),
    ] {
        let settings = ConversionSettings { sort, ..settings.clone() };
        let totals = convert(settings, folder.path("in.pgn"), &folder.path("out.wtb")).unwrap();
        assert_eq!((totals.games, totals.written, totals.failed), (3, written, 3 - written));
        let fault = totals.faults.kept()[0].to_string();
        let expected = format!("{place}, a WTHOR base cannot hold the value {value} of the tag Date: ");
        assert!(fault.contains(&expected), "{fault}");
    }
    let settings = ConversionSettings { split: Some(Split::Field(Field::Year)), ..settings };
    let totals = convert(settings, folder.path("in.pgn"), &folder.path("years")).unwrap();
    assert_eq!((totals.written, totals.faults.count()), (3, 0));
    let names = ["2004.jou", "2004.trn", "2004.wtb", "2005.jou", "2005.trn", "2005.wtb"];
    assert_eq!(folder.names("years"), names);
}

#[test]
fn the_names_of_a_base_are_inputs_and_no_place_for_its_games() {
    let folder = Folder::with("in.pgn", "[Game \"Othello\"]\n[Black \"Tastet\"]\n\n1. f5 d6 *\n");
    let wthor = ConversionSettings { allow_losses: true, ..settings_of(FileFormat::Wthor) };
    let refused = |input: &str, out: &str, names: &[&str], expected: &str| {
        let name_files = names.iter().map(|name| folder.path(name)).collect();
        let options = SourceOptions { name_files, ..SourceOptions::default() };
        let source = Source::open(&[folder.path(input)], &options).unwrap();
        let error = Conversion::new(wthor.clone(), Some(&folder.path(out)), source.files()).err().unwrap();
        assert!(error.to_string().contains(expected), "{error}");
    };
    for out in ["base.jou", "base.TRN", "base.{}", "{}"] {
        refused("in.pgn", out, &[], "cannot be the games of a WTHOR base");
    }
    convert(wthor.clone(), folder.path("in.pgn"), &folder.path("wthor.wtb")).unwrap();
    // A file of an earlier run is no input.
    convert(wthor.clone(), folder.path("in.pgn"), &folder.path("wthor.wtb")).unwrap();
    refused("in.pgn", "wthor.wtb", &["wthor.jou"], "wthor.jou is an input");
    fs::rename(folder.path("wthor.wtb"), folder.path("WTH_2004.wtb")).unwrap();
    refused("WTH_2004.wtb", "wthor.wtb", &[], "wthor.jou is an input");
    convert(wthor.clone(), folder.path("WTH_2004.wtb"), &folder.path("new.wtb")).unwrap();
}

#[test]
fn pgn_has_dialects_and_encodings() {
    let folder =
        Folder::with("in.pgn", "[Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n\n1. 炮二平五 马8进7 *\n");
    let settings = ConversionSettings { charset: Charset::Gb18030, ..pgn() };
    convert(settings, folder.path("in.pgn"), &folder.path("out.pgn")).unwrap();
    let bytes = fs::read(folder.path("out.pgn")).unwrap();
    assert!(std::str::from_utf8(&bytes).is_err() && Charset::Gb18030.decode(&bytes).contains("炮二平五"));
    let settings = ConversionSettings { dialect: Some("wxf".into()), ..pgn() };
    convert(settings, folder.path("out.pgn"), &folder.path("wxf.pgn")).unwrap();
    let text = folder.read("wxf.pgn");
    assert!(text.contains("[Red \"胡荣华\"]") && text.ends_with("1. C2.5 N8+7 *\n"), "{text}");
    let settings = ConversionSettings { charset: Charset::Windows1252, ..pgn() };
    let totals = convert(settings, folder.path("in.pgn"), &folder.path("west.pgn")).unwrap();
    assert_eq!(totals.faults.kept()[0].what, "the encoding windows-1252 has no character '胡'");
    assert!(!folder.path("west.pgn").exists(), "no game, no file");
    // Files of chess are not searched for Chinese encodings.
    fs::write(folder.path("chess.pgn"), "[White \"胡荣华\"]\n\n1. e4 *\n\n[White \"A\"]\n\n1. d4 *\n")
        .unwrap();
    let settings = ConversionSettings { charset: Charset::Gb18030, ..pgn() };
    let totals = convert(settings.clone(), folder.path("chess.pgn"), &folder.path("gb.pgn")).unwrap();
    let faults: Vec<_> = totals.faults.kept().iter().map(|fault| fault.to_string()).collect();
    assert_eq!((totals.written, faults.len()), (2, 1), "{faults:?}");
    assert!(faults[0].contains("game 1") && faults[0].contains("gb18030 is not recognised"), "{faults:?}");
    let settings = ConversionSettings { allow_losses: true, ..settings };
    let totals = convert(settings, folder.path("chess.pgn"), &folder.path("gb.pgn")).unwrap();
    assert_eq!((totals.written, totals.faults.count()), (2, 0));
    for (settings, expected) in [
        (
            ConversionSettings { dialect: Some("uci".into()), ..pgn() },
            "no PGN is written in the dialect \"uci\"",
        ),
        (
            ConversionSettings { dialect: Some("wxf".into()), ..settings_of(FileFormat::Ubb) },
            "a dialect can be chosen only for PGN",
        ),
        (settings_of(FileFormat::Cbl), "games are not written as a CBL library"),
    ] {
        let error = convert(settings, folder.path("in.pgn"), &folder.path("x")).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let settings = ConversionSettings { dialect: Some("san".into()), ..pgn() };
    let totals = convert(settings, folder.path("in.pgn"), &folder.path("x")).unwrap();
    assert!(totals.faults.kept()[0].what.contains("its dialects are"), "{:?}", totals.faults);
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = Folder::with("000001.pgn", GAMES);
    let same = folder.path("./000001.pgn");
    let error = convert(pgn(), folder.path("000001.pgn"), &same).unwrap_err();
    assert!(error.to_string().contains("is an input"), "{error}");
    let settings = ConversionSettings { split: Some(Split::Count(2)), ..pgn() };
    let error = convert(settings, folder.path("000001.pgn"), folder.0.path()).unwrap_err();
    assert!(error.to_string().contains("is an input"), "{error}");
    assert_eq!(folder.read("000001.pgn"), GAMES);
    assert_eq!(folder.names("."), ["000001.pgn"]);
    // Another file is replaced at the end, and keeps its contents after an interruption.
    fs::write(folder.path("out.pgn"), "old").unwrap();
    let source = Source::open(&[folder.path("000001.pgn")], &SourceOptions::default()).unwrap();
    let mut conversion = Conversion::new(pgn(), Some(&folder.path("out.pgn")), source.files()).unwrap();
    source.for_each(|item| conversion.add(item).unwrap());
    assert_eq!(folder.names(".").len(), 3);
    assert_eq!(conversion.unfinished_files().remove_and_block(), 0);
    assert_eq!(folder.names("."), ["000001.pgn", "out.pgn"]);
    assert_eq!(folder.read("out.pgn"), "old");
}

#[cfg(unix)]
#[test]
fn a_device_stays_and_a_link_leads_to_the_file_that_is_written() {
    let folder = Folder::with("in.pgn", GAMES);
    let error = convert(pgn(), folder.path("in.pgn"), Path::new("/dev/null")).unwrap_err();
    assert!(error.to_string().contains("is no file"), "{error}");
    fs::write(folder.path("real.pgn"), "old").unwrap();
    std::os::unix::fs::symlink(folder.path("real.pgn"), folder.path("link.pgn")).unwrap();
    convert(pgn(), folder.path("in.pgn"), &folder.path("link.pgn")).unwrap();
    assert!(folder.path("link.pgn").is_symlink());
    assert_eq!(values(&folder.read("real.pgn"), "White").len(), 4);
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(folder.path("real.pgn")).unwrap().permissions(),
    );
    assert_ne!(mode & 0o044, 0, "others may read the file as far as the creation mask allows");
    std::os::unix::fs::symlink(folder.path("missing.pgn"), folder.path("dangling.pgn")).unwrap();
    assert!(convert(pgn(), folder.path("in.pgn"), &folder.path("dangling.pgn")).is_err());
    assert!(folder.path("dangling.pgn").is_symlink());
}

#[test]
fn an_impossible_output_path_is_an_error() {
    let folder = Folder::with("in.pgn", GAMES);
    let split = ConversionSettings { split: Some(Split::Count(1)), ..pgn() };
    for (settings, out, expected) in [
        (pgn(), "x-{}.pgn", "add a split"),
        (pgn(), ".", "is a directory"),
        (pgn(), "missing/out.pgn", "missing does not exist"),
        (split.clone(), "{}/x.pgn", "only in the name of the files"),
        (split.clone(), "{}/{}.pgn", "only in the name of the files"),
    ] {
        let error = convert(settings, folder.path("in.pgn"), &folder.path(out)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    // The directory of an output without games is not made.
    let none = ConversionSettings { filter: Some(Filter::parse("plies > 9000").unwrap()), ..split.clone() };
    convert(none, folder.path("in.pgn"), &folder.path("new/{}.pgn")).unwrap();
    assert_eq!(folder.names("."), ["in.pgn"]);
    let source = Source::open(&[folder.path("in.pgn")], &SourceOptions::default()).unwrap();
    assert!(matches!(
        Conversion::new(split, None, source.files()),
        Err(ConversionError::Output(OutputError::NeedsDirectory(_)))
    ));
}

#[test]
fn a_file_that_exists_is_replaced_only_on_request() {
    let folder = Folder::with("in.pgn", "1. e4 e5 *\n");
    let one = ConversionSettings::new(FileFormat::Pgn);
    let parts = ConversionSettings { split: Some(Split::Count(1)), ..one.clone() };
    for (settings, out, existing) in [(one, "out.pgn", "out.pgn"), (parts, "{}.txt", "000001.txt")] {
        fs::write(folder.path(existing), "of the user").unwrap();
        let run = |replaces_files| {
            let settings = ConversionSettings { replaces_files, ..settings.clone() };
            convert(settings, folder.path("in.pgn"), &folder.path(out))
        };
        let error = run(false).unwrap_err().to_string();
        assert!(error.ends_with("exists: --force replaces it"), "{error}");
        assert_eq!(folder.read(existing), "of the user");
        run(true).unwrap();
        assert!(folder.read(existing).contains("1. e4 e5 *"));
    }
}

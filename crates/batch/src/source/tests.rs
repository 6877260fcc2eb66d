use std::fs;

use alfil_records::{Charset, GameTree, wthor};

use super::*;

fn read(paths: &[PathBuf]) -> Vec<SourceItem> {
    Source::open(paths, &SourceOptions::default()).unwrap().collect()
}

fn games(items: &[SourceItem]) -> Vec<&SourceGame> {
    items
        .iter()
        .filter_map(|item| if let SourceItem::Game(game) = item { Some(&**game) } else { None })
        .collect()
}

fn faults(items: &[SourceItem]) -> Vec<String> {
    let fault =
        |item: &SourceItem| if let SourceItem::Fault(fault) = item { Some(fault.to_string()) } else { None };
    items.iter().filter_map(fault).collect()
}

#[test]
fn directories_are_read_in_the_order_of_their_paths_and_other_files_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("b/one.pgn", "[White \"1\"]\n\n1. e4 *\n\n[White \"2\"]\n\n1. d4 *\n"),
        ("b.PGN", "[White \"0\"]\n\n1. c4 *\n"),
        ("c/deep/three.txt", "f5d6c3\n"),
        ("readme.md", "1. e4 e5"),
        ("games.pgn.7z", "7z"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let paths = [folder.path().to_owned()];
    let source = Source::open(&paths, &SourceOptions::default()).unwrap();
    let left_out: Vec<_> = source.files().left_out().iter().map(|path| path.file_name().unwrap()).collect();
    assert_eq!(left_out, ["games.pgn.7z", "readme.md"]);
    let bytes_read = source.bytes_read();
    let total = source.files().total_bytes().unwrap();
    let items: Vec<_> = source.collect();
    assert_eq!(bytes_read.load(Ordering::Relaxed), total);
    let found = games(&items);
    let summary: Vec<_> = found
        .iter()
        .map(|game| (game.game.game.as_str(), game.game.main_line()[0], game.place.number, game.place.byte))
        .collect();
    assert_eq!(
        summary,
        [
            ("chess", "c2c4", 1, Some(0)),
            ("chess", "e2e4", 1, Some(0)),
            ("chess", "d2d4", 2, Some(22)),
            ("othello", "f5", 1, None)
        ]
    );
    assert!(faults(&items).is_empty());
    assert!(found[1].place.file.ends_with("one.pgn"));
}

#[test]
fn faults_name_file_game_byte_and_reason_and_what_can_be_read_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pgn");
    fs::write(&path, "[White \"1\"]\n\n1. e4 e9 *\n\n[White \"2\"]\n\n1. d5 *\n\n[White \"3\"]\n\n1. d4 *\n")
        .unwrap();
    let packed = folder.path().join("x.gz");
    fs::write(&packed, b"\x1f\x8b\x08\0").unwrap();
    let items = read(&[path, packed]);
    let found: Vec<_> =
        games(&items).iter().map(|game| (game.place.number, game.game.main_line().len())).collect();
    assert_eq!(found, [(1, 1), (3, 1)]);
    let faults = faults(&items);
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].contains("x.pgn: game 1, byte 19, line 3: move 1... e9: "), "{faults:?}");
    assert!(faults[1].contains("x.pgn: game 2, byte "), "{faults:?}");
    assert!(faults[2].contains("x.gz: ") && faults[2].contains("gzip"), "{faults:?}");
    assert!(matches!(items[1], SourceItem::Game(_)), "a fault precedes its game");
}

#[test]
fn positions_are_games_without_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    let text = "# a suite\n1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
                4k4/9/9/9/9/9/9/9/4C4/3K5 w\n8/8/8/8/8/8/8/8 w - -\n";
    fs::write(&path, text).unwrap();
    let items = read(std::slice::from_ref(&path));
    let found = games(&items);
    assert!(found.iter().all(|game| game.is_position && game.game.moves.is_empty()));
    assert_eq!(found.iter().map(|game| &*game.game.game).collect::<Vec<_>>(), ["chess", "chess", "xiangqi"]);
    assert_eq!(found[0].game.tags.value(EPD_TAG), Some("bm Qd1+; id \"BK.01\";"));
    assert!(found[0].game.start.as_ref().unwrap().starts_with("1k1r4/"));
    assert_eq!((found[1].game.start.as_deref(), found[1].game.tags.value(EPD_TAG)), (None, None));
    assert_eq!(found[2].place.byte, Some(text.find("4k4/").unwrap() as u64));
    assert!(faults(&items)[0].contains("game 4, byte "), "{:?}", faults(&items));
    // A line of no game is not taken for one of Othello, whose positions have no ranks.
    fs::write(&path, "4k4/9/9/9/9/9/9/9/4C4/3K5 w\ndepth nodes\n    1    44\n----X\n").unwrap();
    let items = read(std::slice::from_ref(&path));
    assert_eq!(faults(&items).iter().filter(|fault| fault.contains("no position of any game")).count(), 3);
    fs::write(&path, format!("4k4/9/9/9/9/9/9/9/4C4/3K5 w\n{}? X\n", "-".repeat(63))).unwrap();
    let items = read(std::slice::from_ref(&path));
    assert!(faults(&items)[0].contains("expected a disc"), "{:?}", faults(&items));
    // Names after the positions, in the encoding of Chinese programs.
    let names = "4k4/9/9/9/9/9/9/9/4C4/3K5 w - - 0 1 ; 第一题：小\"兵\"\r\n4k4/9/9/9/9/9/9/9/4C4/3K5 b ; bm Ke8; id \"第二题\";\r\n";
    for charset in [Charset::Utf8, Charset::Gb18030] {
        fs::write(&path, charset.encode(names).unwrap()).unwrap();
        let items = read(std::slice::from_ref(&path));
        let operations: Vec<_> =
            games(&items).iter().map(|game| game.game.tags.value(EPD_TAG).unwrap()).collect();
        assert_eq!(operations, ["id \"第一题：小'兵'\";", "bm Ke8; id \"第二题\";"], "{:?}", faults(&items));
    }
    // Perft suites, and a name before the operations.
    let perft =
        "4k4/9/9/9/9/9/9/9/4C4/3K5 w ;D1 20 ;D2 400\n4k4/9/9/9/9/9/9/9/4C4/3K5 w ; 第三题 ; bm Ke8;\n";
    fs::write(&path, perft).unwrap();
    let items = read(std::slice::from_ref(&path));
    let operations: Vec<_> =
        games(&items).iter().map(|game| game.game.tags.value(EPD_TAG).unwrap()).collect();
    assert_eq!(operations, ["D1 20 ;D2 400", "id \"第三题\"; bm Ke8;"], "{:?}", faults(&items));
    // A line that is too long is one fault.
    let position = "4k4/9/9/9/9/9/9/9/4C4/3K5 w\n";
    fs::write(&path, format!("{position}{}\n{position}", "x".repeat(200_000))).unwrap();
    let items = read(std::slice::from_ref(&path));
    let numbers: Vec<_> = games(&items).iter().map(|game| (game.place.number, game.place.byte)).collect();
    assert_eq!(numbers, [(1, Some(0)), (3, Some(200_001 + position.len() as u64))]);
    let faults = faults(&items);
    assert!(faults.len() == 1 && faults[0].ends_with("line 2: it is longer than 65536 bytes"), "{faults:?}");
    // OBF, which records read as games.
    let path = folder.path().join("x.obf");
    fs::write(&path, format!("{} X; f5:+2;\n", "-".repeat(27) + "OX------XO" + &"-".repeat(27))).unwrap();
    assert!(games(&read(&[path]))[0].is_position);
}

#[test]
fn operations_are_kept_whatever_separates_them_from_the_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;D1 20;D2 400\n\
                1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -;bm Qd1+;\n\
                1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - noop;bm Qd1+;\n\
                4k4/9/9/9/9/9/9/9/4C4/3K5 w;D1 20\n4k4/9/9/9/9/9/9/9/4C4/3K5 w;第一题;bm Ke8;\n";
    fs::write(&path, text).unwrap();
    let items = read(&[path]);
    let operations: Vec<_> = games(&items).iter().map(|game| game.game.tags.value(EPD_TAG)).collect();
    let expected = ["D1 20;D2 400", "bm Qd1+;", "noop;bm Qd1+;", "D1 20", "id \"第一题\"; bm Ke8;"];
    assert_eq!(operations, expected.map(Some), "{:?}", faults(&items));
}

#[test]
fn names_of_a_base_are_found_beside_it_or_given() {
    let folder = tempfile::tempdir().unwrap();
    let mut games_with_names =
        alfil_records::transcript::parse_games(b"f5d6c3").map(|game| game.tree).collect::<Vec<_>>();
    games_with_names[0].tags.push("Black", "Tastet");
    games_with_names[0].tags.push("White", "Juigner");
    games_with_names[0].tags.push("Event", "Paris");
    let base = wthor::format_base(&games_with_names).unwrap();
    let path = folder.path().join("WTH_2004.wtb");
    fs::write(&path, &base.games).unwrap();
    let names = |items: &[SourceItem]| games(items)[0].game.tags.value("Black").map(str::to_owned);
    assert_eq!(names(&read(std::slice::from_ref(&path))), None);
    fs::create_dir(folder.path().join("names")).unwrap();
    let given = folder.path().join("names/players.jou");
    fs::write(&given, &base.players).unwrap();
    let options = SourceOptions { name_files: vec![given], ..SourceOptions::default() };
    let items: Vec<_> = Source::open(std::slice::from_ref(&path), &options).unwrap().collect();
    assert_eq!(names(&items).as_deref(), Some("Tastet"));
    fs::write(folder.path().join("WTHOR.JOU"), &base.players).unwrap();
    assert_eq!(names(&read(std::slice::from_ref(&path))).as_deref(), Some("Tastet"));
    // Nor does a large base without moves hide what stands beside it.
    let large = folder.path().join("names/large.wtb");
    fs::write(&large, wthor::format_games(&vec![GameTree::default(); 1_000]).unwrap()).unwrap();
    let files = InputFiles::find(&[large], false).unwrap();
    assert_eq!(files.name_files_beside_bases(), [folder.path().join("names/players.jou")]);
    // A file of names that is given is not left out, however its path is written.
    let given = folder.path().join("names/../names/players.jou");
    let options = SourceOptions { name_files: vec![given], ..SourceOptions::default() };
    let source = Source::open(&[folder.path().into()], &options).unwrap();
    assert_eq!(source.files().left_out(), [folder.path().join("WTHOR.JOU")]);
    fs::remove_dir_all(folder.path().join("names")).unwrap();
    // Beside the base, a file of names is no file that is left out, and a damaged one is a fault.
    assert!(
        Source::open(&[folder.path().into()], &SourceOptions::default())
            .unwrap()
            .files()
            .left_out()
            .is_empty()
    );
    fs::write(folder.path().join("WTHOR.JOU"), &base.players[..20]).unwrap();
    let second = folder.path().join("WTH_2005.wtb");
    fs::copy(&path, &second).unwrap();
    let items = read(&[path.clone(), second]);
    assert_eq!((names(&items), items.len()), (None, 3));
    assert!(
        matches!(&items[0], SourceItem::Fault(fault) if fault.what.contains("no list of names")),
        "{items:?}"
    );
    let options = SourceOptions { name_files: vec![path.clone()], ..SourceOptions::default() };
    let error = Source::open(&[path], &options).err().unwrap().to_string();
    assert!(error.contains("no list of names"), "{error}");
}

#[test]
fn unknown_games_and_missing_files_are_errors() {
    let options = SourceOptions { game: Some("go".into()), ..SourceOptions::default() };
    assert!(Source::open(&[], &options).err().unwrap().to_string().contains("go"));
    let error = Source::open(&["no such file".into()], &SourceOptions::default()).err().unwrap();
    assert!(error.to_string().starts_with("cannot read no such file: "));
    let error = Source::open(&["-".into(), "-".into()], &SourceOptions::default()).err().unwrap();
    assert!(error.to_string().contains("twice"));
}

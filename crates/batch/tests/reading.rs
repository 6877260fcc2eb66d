//! Every way of reading and converting games gives the same: whole games and outlines, with and without a filter that
//! skips games by their tags, on one thread and on several, texts and trees.

use std::fs;
use std::path::{Path, PathBuf};

use alfil_batch::conversion::{Conversion, ConversionSettings, SortKey};
use alfil_batch::filter::Filter;
use alfil_batch::source::{Source, SourceItem, SourceOptions};
use alfil_kernel::zobrist::SplitMix64;
use alfil_records::{FileFormat, GameOutline};

/// Pieces of PGN, good and bad, of all games.
const PIECES: [&str; 34] = [
    "1. e4",
    "e5",
    "1.",
    "2. Nf3 Nc6",
    "1-0",
    "*",
    "½-½",
    "{a}",
    "{",
    "}",
    "(1... c5)",
    "(",
    ")",
    "{ b\nc }",
    ";x\n",
    "%z\n",
    "[Event \"x\"]\n",
    "[White \"A\"]\n",
    "[White \"B\"]\n",
    "[Red \"A\"]\n",
    "[Game \"Chinese Chess\"]\n",
    "[Game \"Othello\"]\n",
    "[Opening \"own\"]\n",
    "[Result \"1-0\"]\n",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
    "[x",
    "1. 炮二平五 马８进７",
    "f5d6",
    "\n",
    "\n",
    "\n\n",
    " ",
    "Zz9",
    "--",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the files of the samples, each with two damaged copies, and files of random pieces.
fn contents() -> Vec<Vec<u8>> {
    let mut random = SplitMix64::new(56);
    let mut files = Vec::new();
    for folder in ["samples", "samples/club"] {
        for entry in fs::read_dir(workspace().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                continue;
            }
            let bytes = fs::read(path).unwrap();
            let mut damaged = bytes.clone();
            for _ in 0..1 + bytes.len() / 200 {
                let at = random.below(damaged.len());
                damaged[at] = b"[]{}\"\n0e*"[random.below(9)];
            }
            let length = random.below(bytes.len());
            files.extend([bytes[..length].to_vec(), damaged, bytes]);
        }
    }
    for _ in 0..80 {
        let pieces = (0..random.below(120)).map(|_| PIECES[random.below(PIECES.len())]);
        let text =
            pieces.flat_map(|piece| [piece, [" ", "\n"][usize::from(piece.len() > 4)]]).collect::<String>();
        files.push(text.into_bytes());
    }
    // Several batches.
    let many: String = (0..6_000)
        .map(|number| {
            let bad = if number % 97 == 0 { "e9" } else { "e5" };
            format!(
                "[White \"{}\"]\n[Round \"{number}\"]\n\n1. e4 {bad} (1... c5 {{x}}) 2. Nf3 Nc6 1-0\n\n",
                number % 7
            )
        })
        .collect();
    files.push(many.into_bytes());
    files
}

fn options(filter: Option<&str>) -> SourceOptions {
    SourceOptions {
        name_openings: true,
        filter: filter.map(|filter| Filter::parse(filter).unwrap()),
        ..SourceOptions::default()
    }
}

fn outline_of(item: &SourceItem) -> SourceItem<GameOutline> {
    match item {
        SourceItem::Fault(fault) => SourceItem::Fault(fault.clone()),
        SourceItem::Game(game) => {
            let alfil_batch::source::SourceGame { place, game, is_position } = &**game;
            let (place, is_position) = (place.clone(), *is_position);
            let game = GameOutline::of(game);
            SourceItem::Game(Box::new(alfil_batch::source::SourceGame { place, game, is_position }))
        }
    }
}

/// Tags are compared without their order, which outlines leave as it is in the file.
fn sorted(mut item: SourceItem<GameOutline>) -> SourceItem<GameOutline> {
    if let SourceItem::Game(game) = &mut item {
        let names: Vec<_> = game.game.tags.iter().map(|(name, _)| name.to_owned()).collect();
        let mut names: Vec<_> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        game.game.tags.move_to_front(&names);
    }
    item
}

#[test]
fn outlines_on_several_threads_are_those_of_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    for file in contents() {
        fs::write(&path, &file).unwrap();
        let open = || Source::open(std::slice::from_ref(&path), &options(None)).unwrap();
        let games: Vec<SourceItem> = open().collect();
        let expected: Vec<_> = games.iter().map(outline_of).map(sorted).collect();
        let mut outlines = Vec::new();
        let read = open().map_in_order(
            3,
            |batch| batch.into_outlines(),
            |items| {
                outlines.extend(items.into_iter().map(sorted));
                Ok::<(), ()>(())
            },
        );
        read.unwrap();
        assert_eq!(outlines, expected, "{:?}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn a_filter_skips_by_tags_only_games_of_which_it_is_false() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let filters = [
        "white = A",
        "not white = A and plies > 1",
        "white ~ 3 or result = 1-0",
        "opening ~ king",
        "tag(\"Red\") or tag(\"Game\") or tag(\"Round\") = 7",
        "elo > 2000 or date < 1990 or variant",
        "not (event = x and player != B)",
    ];
    let mut skipped_in_all = 0;
    for file in contents() {
        fs::write(&path, &file).unwrap();
        let all: Vec<SourceItem> =
            Source::open(std::slice::from_ref(&path), &options(None)).unwrap().collect();
        for filter in filters {
            let condition = Filter::parse(filter).unwrap();
            let is_wanted =
                |item: &&SourceItem| matches!(item, SourceItem::Game(game) if condition.matches(&game.game));
            let mut source = Source::open(std::slice::from_ref(&path), &options(Some(filter))).unwrap();
            let (mut read, mut skipped) = (Vec::new(), 0);
            while let Some(batch) = source.next_batch() {
                skipped += batch.skipped();
                read.extend(batch.into_games());
            }
            skipped_in_all += skipped;
            let context = || format!("{filter}: {:?}", String::from_utf8_lossy(&file));
            assert!(read.iter().all(|item| all.contains(item)), "{}", context());
            let wanted: Vec<_> = all.iter().filter(is_wanted).collect();
            let found: Vec<_> = read.iter().filter(is_wanted).collect();
            assert_eq!(found, wanted, "{}", context());
        }
    }
    assert!(skipped_in_all > 5_000, "{skipped_in_all}");
}

#[test]
fn games_rewritten_on_several_threads_are_those_written_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, one_by_one, rewritten) =
        (folder.path().join("games"), folder.path().join("1.pgn"), folder.path().join("2.pgn"));
    let plain = || ConversionSettings { replaces_files: true, ..ConversionSettings::new(FileFormat::Pgn) };
    let all_settings = [
        plain(),
        ConversionSettings { dedupe: true, keep_variations: false, ..plain() },
        ConversionSettings {
            keep_comments: false,
            sort: vec![SortKey::parse("-opening").unwrap()],
            ..plain()
        },
        ConversionSettings { filter: Some(Filter::parse("plies > 1 and not eco = C20").unwrap()), ..plain() },
    ];
    for file in contents() {
        fs::write(&path, &file).unwrap();
        for (index, settings) in all_settings.iter().enumerate() {
            let options = SourceOptions { name_openings: index == 1, ..SourceOptions::default() };
            let open = || Source::open(std::slice::from_ref(&path), &options).unwrap();
            let (source, settings) = (open(), || settings.clone());
            let mut conversion = Conversion::new(settings(), Some(&one_by_one), source.files()).unwrap();
            source.for_each(|item| conversion.add(item).unwrap());
            let expected = conversion.finish().unwrap();
            let source = open();
            let mut conversion = Conversion::new(settings(), Some(&rewritten), source.files()).unwrap();
            let preparation = conversion.preparation();
            source
                .map_in_order(2, |batch| preparation.prepare(batch), |games| conversion.add_prepared(games))
                .unwrap();
            let context = || format!("{index}: {:?}", String::from_utf8_lossy(&file));
            assert_eq!(conversion.finish().unwrap(), expected, "{}", context());
            assert_eq!(fs::read(&rewritten).ok(), fs::read(&one_by_one).ok(), "{}", context());
        }
    }
}

#[test]
fn the_work_of_several_threads_ends_at_the_first_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, "1. e4 *\n\n".repeat(2_000_000)).unwrap();
    let source = Source::open(std::slice::from_ref(&path), &SourceOptions::default()).unwrap();
    let bytes_read = source.bytes_read();
    let mut taken = 0;
    let result = source.map_in_order(
        2,
        |batch| batch.into_games().len(),
        |_| {
            taken += 1;
            if taken == 2 { Err("enough") } else { Ok(()) }
        },
    );
    assert_eq!((result, taken), (Err("enough"), 2));
    // Nothing more is read than the batches of which some threads were ahead.
    let read = bytes_read.load(std::sync::atomic::Ordering::Relaxed);
    assert!(read < fs::metadata(&path).unwrap().len() / 2, "{read}");
}

/// As `tail -f games.pgn | alfil games - | head -1`: the program does not wait for an input that does not come.
#[cfg(unix)]
#[test]
fn an_error_of_the_output_does_not_wait_for_more_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let (end, is_over) = std::sync::mpsc::channel::<()>();
    let pipe = path.clone();
    let writer = std::thread::spawn(move || {
        let mut pipe = fs::OpenOptions::new().write(true).open(pipe).unwrap();
        // More than the beginning of a file, which is read first. The pipe stays open.
        let _ = std::io::Write::write_all(&mut pipe, "1. e4 *\n\n".repeat(50_000).as_bytes());
        is_over.recv().unwrap();
    });
    let source = Source::open(std::slice::from_ref(&path), &SourceOptions::default()).unwrap();
    let result = source.map_in_order(2, |batch| batch.into_games().len(), |_| Err("the output is full"));
    assert_eq!(result, Err("the output is full"));
    end.send(()).unwrap();
    writer.join().unwrap();
}

#[test]
#[should_panic(expected = "the output panics")]
fn a_panic_of_the_output_ends_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, "1. e4 *\n\n".repeat(400_000)).unwrap();
    let source = Source::open(std::slice::from_ref(&path), &SourceOptions::default()).unwrap();
    let _: Result<(), ()> =
        source.map_in_order(2, |batch| batch.into_games().len(), |_| panic!("the output panics"));
}

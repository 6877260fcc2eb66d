use super::*;
use crate::chunk::tests::options;

/// Returns the games of a PGN file.
pub(crate) fn planned(pgn: &str) -> Vec<PlannedGame> {
    let games = registry::read_games(pgn.as_bytes(), None).unwrap();
    let source = |(number, game): (u64, alfil_session::TextGame)| SourceGame {
        place: Place { file: "games.pgn".into(), number, byte: None },
        game,
        is_position: false,
    };
    let games = (1..).zip(games.into_iter().map(Result::unwrap));
    games.map(|game| PlannedGame::from_source(&source(game)).unwrap()).collect()
}

/// Three short games: two of chess, one of xiangqi between them.
pub(crate) fn three_games() -> Vec<PlannedGame> {
    planned(
        "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n1. f3 {weak} (1. e4 e5) e5 2. g4 Qh4# 0-1\n\n\
         [Game \"Chinese Chess\"]\n[Red \"甲\"]\n[Black \"乙\"]\n\n1. C2.5 H8+7 2. H2+3 *\n\n\
         [White \"Cid\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O *\n",
    )
}

#[test]
fn chunks_contain_every_position_once_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let manifest =
        Manifest::plan(folder.path(), Shard::WHOLE, &options(100), three_games().into_iter()).unwrap();
    let rows = manifest.chunks().unwrap();
    assert_eq!((rows.len() as u64, manifest.total_chunks()), (3, 3));
    let mut positions = Vec::new();
    for row in &rows {
        let chunk = manifest.chunk(row.number).unwrap();
        assert_eq!(chunk.id(), row.id);
        assert!((1..=8).contains(&chunk.positions()));
        for game in chunk.games {
            assert_eq!(game.moves.len(), *game.plies.last().unwrap());
            positions.extend(game.plies.iter().map(|&ply| (game.index, ply)));
        }
    }
    let expected = [4, 3, 10].into_iter().enumerate();
    let expected = expected.flat_map(|(game, plies)| (0..=plies).map(move |ply| (game as u64, ply)));
    assert_eq!(positions, expected.collect::<Vec<_>>());
    assert_eq!(manifest.game(1).unwrap(), three_games()[1]);
    assert_eq!(rows[1].first_game, Some(1));
}

#[test]
fn the_parts_of_an_analysis_divide_its_chunks() {
    let folder = tempfile::tempdir().unwrap();
    for index in 1..=2 {
        let shard = Shard { index, count: 2 };
        Manifest::plan(folder.path(), shard, &options(100), three_games().into_iter()).unwrap();
    }
    let parts = Manifest::open_all(folder.path()).unwrap();
    let numbers = |part: &Manifest| part.chunks().unwrap().iter().map(|row| row.number).collect::<Vec<_>>();
    assert_eq!(parts.iter().map(numbers).collect::<Vec<_>>(), [vec![0, 2], vec![1]]);
    assert_eq!(parts[0].analysis(), parts[1].analysis());
    assert_eq!(parts[0].total_chunks(), 3);
    // A part has only its own games.
    assert!(parts[1].game(0).is_err() && parts[1].game(2).is_ok());
}

#[test]
fn an_analysis_goes_on_only_with_its_own_options_and_games() {
    let folder = tempfile::tempdir().unwrap();
    let manifest =
        Manifest::plan(folder.path(), Shard::WHOLE, &options(100), three_games().into_iter()).unwrap();
    manifest.check(&options(100), three_games().into_iter()).unwrap();
    let error = |options: &AnalysisOptions, games: Vec<PlannedGame>| {
        manifest.check(options, games.into_iter()).unwrap_err().to_string()
    };
    let text = error(&AnalysisOptions { lines: 3, ..options(200) }, three_games());
    assert!(text.contains("--nodes 100, not 200, --lines 1, not 3; use another folder"), "{text}");
    let text = error(&AnalysisOptions { build: "new".into(), ..options(100) }, three_games());
    assert!(text.contains("another build of the program"), "{text}");
    let mut games = three_games();
    games[2].moves.pop();
    assert!(error(&options(100), games).contains("changed since"));
    assert!(matches!(
        Manifest::open_all(tempfile::tempdir().unwrap().path()),
        Err(QueueError::NoAnalysis { .. })
    ));
}

#[test]
fn the_files_of_an_analysis_may_have_other_names_later_and_in_other_parts() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = [1, 2].map(|index| Shard { index, count: 2 });
    let renamed =
        || three_games().into_iter().map(|game| PlannedGame { file: "/data/games.pgn".into(), ..game });
    let first = Manifest::plan(folder.path(), first, &options(100), three_games().into_iter()).unwrap();
    first.check(&options(100), renamed()).unwrap();
    let second = Manifest::plan(folder.path(), second, &options(100), renamed()).unwrap();
    assert_eq!(first.analysis(), second.analysis());
    // Each part keeps the names of its first run.
    assert_eq!(first.game(0).unwrap().file, "games.pgn");
    assert_eq!(second.game(2).unwrap().file, "/data/games.pgn");
    // The numbers of the games, which the tables have, are those of the analysis.
    let renumbered =
        three_games().into_iter().map(|game| PlannedGame { file_number: game.file_number + 1, ..game });
    assert!(first.check(&options(100), renumbered).unwrap_err().to_string().contains("other games"));
}

#[test]
fn files_that_are_not_named_as_parts_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    Manifest::plan(folder.path(), Shard::WHOLE, &options(100), three_games().into_iter()).unwrap();
    let copies = [
        "queue-old.sqlite",
        "queue2.sqlite",
        "queue-1-of-1.sqlite",
        "queue-01-of-2.sqlite",
        "queue-0-of-2.sqlite",
        "queue-3-of-2.sqlite",
        "queue-1-of-2 (copy).sqlite",
    ];
    let text = "no database at all, but long enough to be read as one";
    for name in copies {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let found = Manifest::open_all(folder.path()).unwrap();
    assert_eq!(found.iter().map(Manifest::shard).collect::<Vec<_>>(), [Shard::WHOLE]);
    for name in copies {
        assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), text);
    }
    // A file with the name of a part is one.
    let part = Shard { index: 2, count: 12 };
    std::fs::write(part.path(folder.path()), text).unwrap();
    let error = Manifest::open_all(folder.path()).unwrap_err().to_string();
    assert!(error.contains("queue-2-of-12.sqlite"), "{error}");
}

#[test]
fn an_interrupted_planning_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let games = three_games().into_iter().chain(std::iter::once_with(|| panic!("on purpose")));
    let plan = || Manifest::plan(folder.path(), Shard::WHOLE, &options(100), games).map(drop);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(plan)).is_err());
    assert!(Manifest::open(folder.path(), Shard::WHOLE).unwrap().is_none());
    Manifest::plan(folder.path(), Shard::WHOLE, &options(100), three_games().into_iter()).unwrap();
}

#[test]
fn an_analysis_without_positions_is_not_planned() {
    let folder = tempfile::tempdir().unwrap();
    let options = AnalysisOptions { from: 11, ..options(100) };
    let plan = || Manifest::plan(folder.path(), Shard::WHOLE, &options, three_games().into_iter());
    assert!(matches!(plan(), Err(QueueError::NoPositions)));
    assert!(Manifest::open(folder.path(), Shard::WHOLE).unwrap().is_none());
}

#[test]
fn a_game_ends_at_a_null_move_with_its_reason() {
    let games = planned("[White \"A\"]\n\n1. e4 -- 2. d4 *\n");
    assert_eq!(games[0].moves, ["e2e4"]);
    assert!(games[0].error.as_ref().unwrap().starts_with("ply 2 is a null move"));
    assert!(games[0].record.contains("1. e4 -- 2. d4"));
}

#[test]
fn a_damaged_queue_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(Shard::WHOLE.path(folder.path()), "no database at all, but long enough to be read as one")
        .unwrap();
    let error = Manifest::open(folder.path(), Shard::WHOLE).unwrap_err().to_string();
    assert!(error.contains("queue.sqlite"), "{error}");
}

#[test]
fn a_queue_of_a_part_that_cannot_be_is_damaged() {
    for (key, value) in [("shards", "0"), ("shard", "0"), ("shard", "2")] {
        let folder = tempfile::tempdir().unwrap();
        let manifest =
            Manifest::plan(folder.path(), Shard::WHOLE, &options(50), three_games().into_iter()).unwrap();
        manifest.connection.execute("UPDATE meta SET value = ?2 WHERE key = ?1", [key, value]).unwrap();
        drop(manifest);
        let error = Manifest::open(folder.path(), Shard::WHOLE).unwrap_err().to_string();
        assert!(error.contains("its shard cannot be read"), "{error}");
    }
    // A number of chunks that cannot be is found without counting up to it.
    let folder = tempfile::tempdir().unwrap();
    let manifest =
        Manifest::plan(folder.path(), Shard::WHOLE, &options(50), three_games().into_iter()).unwrap();
    let change = "UPDATE meta SET value = '18446744073709551615' WHERE key = 'chunks'";
    manifest.connection.execute(change, []).unwrap();
    drop(manifest);
    assert!(Manifest::open(folder.path(), Shard::WHOLE).unwrap().unwrap().verify().is_err());
}

#[test]
fn a_queue_whose_folder_cannot_be_written_is_read_with_the_rest_in_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let names = |folder: &Path| {
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let read = |folder: &Path| {
        let path = Shard::WHOLE.path(folder);
        let (connection, copy) = connect_unchanged(&path).unwrap();
        Manifest::read(path, connection, copy).unwrap().unwrap().chunks().unwrap()
    };
    let manifest =
        Manifest::plan(folder.path(), Shard::WHOLE, &options(50), three_games().into_iter()).unwrap();
    let fail = "UPDATE chunks SET state = 'failed' WHERE number = 1";
    manifest.connection.execute(fail, []).unwrap();
    // As after a kill: the last change is in the log alone.
    let copied = folder.path().join("50% of it? #1");
    std::fs::create_dir(&copied).unwrap();
    for ending in ["", "-wal"] {
        let name = format!("queue.sqlite{ending}");
        std::fs::copy(folder.path().join(&name), copied.join(&name)).unwrap();
    }
    let before = names(&copied);
    assert_eq!(read(&copied)[1].state, ChunkState::Failed);
    assert_eq!(names(&copied), before);
    drop(manifest);
    std::fs::remove_file(copied.join("queue.sqlite-wal")).unwrap();
    std::fs::copy(Shard::WHOLE.path(folder.path()), Shard::WHOLE.path(&copied)).unwrap();
    assert_eq!(read(&copied)[1].state, ChunkState::Failed);
    assert_eq!(names(&copied).len(), 1, "nothing is written");
}

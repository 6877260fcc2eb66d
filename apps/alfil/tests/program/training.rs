//! Tests of the commands for training: self-play, networks, hand-made terms, the static evaluation.

use super::{edit_run_file, expect_error, expect_ok, run_unread, run_with_input};

#[test]
fn weights_are_fitted_reproducibly_from_saved_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = path("games");
    let play =
        ["selfplay", "othello", "--games", "10", "--nodes", "40", "--eval-file", "terms", "-o", &games];
    expect_ok(&play);
    let fit = |name: &str| {
        let output = path(name);
        expect_ok(&["train", "othello", &games, "--kind", "terms", "--epochs", "1", "-o", &output]);
        std::fs::read_to_string(output).unwrap()
    };
    let fitted = fit("one.rs");
    assert!(fitted.contains("\nlast_move: one("), "{fitted}");
    assert_eq!(fit("two.rs"), fitted);
    let notes = path("notes");
    std::fs::write(&notes, "0|nowhere|7|1\n0|nowhere|7 and so on\n").unwrap();
    let args = ["train", "othello", &notes, "--kind", "terms", "-o", &path("three.rs")];
    expect_error(&args, 1, &format!("{notes}: game 1 at byte 0: it does not begin with ALFG"));
}

#[test]
fn a_shard_that_is_cut_off_after_a_whole_game_is_no_shard_with_fewer_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (one, shard, output) = (path("one"), path("one/chess-s8-00000000.games"), path("cut.rs"));
    let play = ["selfplay", "chess", "--games", "5", "--nodes", "60", "--seed", "8", "--shard-games", "3"];
    let play = [&play[..], &["--eval-file", "terms", "-o", &one]].concat();
    expect_ok(&play);
    let bytes = std::fs::read(&shard).unwrap();
    let plies = u16::from_le_bytes([bytes[8], bytes[9]]);
    std::fs::write(&shard, &bytes[..32 + 4 * usize::from(plies)]).unwrap();
    let train = ["train", "chess", &one, "--kind", "terms", "--epochs", "1", "-o", &output];
    expect_error(
        &train,
        1,
        &format!("{shard} has 1 game, and other shards of its run have 2: it was cut off"),
    );
    expect_error(&play, 1, &format!("{shard} has 1 of its 3 games: it was cut off"));
    std::fs::remove_file(&shard).unwrap();
    expect_ok(&play);
    assert!(std::fs::read(&shard).unwrap() == bytes);
}

#[test]
fn self_play_is_equal_on_any_number_of_threads_and_goes_on_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let play = |name: &str, threads: &str| {
        let (games, output) = ("7", path(name));
        let args =
            ["selfplay", "chess", "--games", games, "--nodes", "60", "--seed", "8", "--shard-games", "3"];
        let rest = ["--eval-file", "terms", "--threads", threads, "-o", &output, "--json"];
        let out = expect_ok(&[&args[..], &rest[..]].concat());
        assert_eq!(out.lines().count(), 1);
        serde_json::from_str::<serde_json::Value>(&out).unwrap()
    };
    let read = |name: &str| {
        let entries = std::fs::read_dir(path(name)).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> =
            entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap())).collect();
        files.sort();
        files
    };
    let totals = play("one", "1");
    assert_eq!((&totals["games"], &totals["shards"], &totals["kept"]), (&7.into(), &3.into(), &0.into()));
    play("three", "3");
    let files = read("one");
    assert!(files.len() == 4 && files == read("three"));
    // The second shard is lost and played again; the others are kept.
    assert!(files[1].0.to_str().unwrap().ends_with("00000003.games"), "{:?}", files[1].0);
    std::fs::remove_file(folder.path().join("one").join(&files[1].0)).unwrap();
    let totals = play("one", "2");
    assert_eq!((&totals["games"], &totals["shards"], &totals["kept"]), (&7.into(), &3.into(), &4.into()));
    assert_eq!(read("one"), files);
    let info = expect_ok(&["selfplay", "chess", "--info", &path("one")]);
    assert!(info.starts_with("7 games, "), "{info}");
    assert_eq!(expect_ok(&["selfplay", "chess", "--check", &path("one")]), info);
    expect_error(
        &["selfplay", "xiangqi", "--check", &path("one")],
        1,
        "the games are of chess, not of xiangqi",
    );
    let changed =
        ["selfplay", "chess", "--games", "7", "--nodes", "61", "--seed", "8", "--shard-games", "3", "-o"];
    expect_error(
        &[&changed[..], &[&path("one")]].concat(),
        1,
        "is of a run with --nodes 60, not 61, --eval-file",
    );
    // The options that no shard has are in a file; a folder of an earlier version gets one.
    let run = folder.path().join("one").join("chess-s8.run.json");
    let text = std::fs::read_to_string(&run).unwrap();
    let options = "{\"game\":\"chess\",\"seed\":8,\"nodes\":60,\"hash\":4,\"network\":null}";
    assert!(text.starts_with(&format!("{{\"selfplay\":{options},\"format\":2,\"crc32\":\"")), "{text}");
    let base = ["selfplay", "chess", "--games", "7", "--nodes", "60", "--seed", "8", "--shard-games", "3"];
    let base = [&base[..], &["--eval-file", "terms"]].concat();
    let one = path("one");
    let fewer_games = ["selfplay", "chess", "--games", "2", "--nodes", "60", "--seed", "8", "-o", &one];
    let fewer_games = [&fewer_games[..], &["--eval-file", "terms"]].concat();
    expect_error(&fewer_games, 1, "holds games of a run with other --nodes, --games or --shard-games");
    let other_hash = [&base[..], &["--hash", "1", "-o", &one]].concat();
    expect_error(&other_hash, 1, "chess-s8.run.json is of a run with --hash 4, not 1; use its options");
    edit_run_file(&run, |rows| rows[0]["selfplay"]["network"] = "00c0ffee".into());
    let same = [&base[..], &["-o", &one]].concat();
    expect_error(&same, 1, "is of a run with --eval-file (CRC-32) 00c0ffee, not none;");
    std::fs::write(&run, "[").unwrap();
    expect_error(&same, 1, "chess-s8.run.json:1: expected the selfplay header");
    std::fs::remove_file(&run).unwrap();
    expect_ok(&same);
    assert_eq!(std::fs::read_to_string(&run).unwrap(), text);
    let shard = folder.path().join("one").join(&files[0].0);
    std::fs::write(&shard, &files[0].1[..files[0].1.len() - 1]).unwrap();
    expect_error(&["selfplay", "chess", "--info", shard.to_str().unwrap()], 1, ": game 3 at byte ");
    expect_error(&["selfplay", "chess"], 2, "--output");
}

#[test]
fn a_run_of_self_play_that_another_process_plays_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().to_str().unwrap();
    let play = ["selfplay", "othello", "--games", "2", "--nodes", "10", "-o", games];
    expect_ok(&play);
    let run = std::fs::File::open(folder.path().join("othello-s1.run.json")).unwrap();
    run.lock().unwrap();
    expect_error(&play, 1, "another process has locked ");
    expect_ok(&[&play[..], &["--seed", "2"]].concat());
    run.unlock().unwrap();
    // Options of which a killed process wrote a part are written again, and not by a command that is refused.
    let path = folder.path().join("othello-s1.run.json");
    let options = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &options[..9]).unwrap();
    let other_shards =
        ["selfplay", "othello", "--games", "2", "--shard-games", "1", "--nodes", "11", "-o", games];
    expect_error(&other_shards, 1, "holds games of a run with other");
    expect_ok(&play);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), options);
}

#[test]
fn shards_without_games_or_named_twice_and_ignored_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = path("games");
    let play = ["selfplay", "othello", "--games", "2", "--shard-games", "1", "--nodes", "10", "-o", &games];
    expect_ok(&play);
    for option in ["--games", "--nodes", "--seed", "--hash", "--eval-file", "--shard-games"] {
        for action in ["--info", "--check"] {
            let args = ["selfplay", "othello", action, &games, option, "2"];
            expect_error(&args, 2, "cannot be used with");
        }
    }
    expect_error(&["selfplay", "othello", "--info", &games, "--threads", "2"], 2, "cannot be used with");
    let (shard, terms) = (path("games/othello-s1-00000001.games"), path("terms.rs"));
    let train = ["train", "othello", &games, &shard, "--kind", "terms", "-o", &terms];
    expect_error(&train, 1, "00000001.games is given twice");
    std::fs::write(&shard, "").unwrap();
    let train = ["train", "othello", &games, "--kind", "terms", "-o", &terms];
    for args in [&["selfplay", "othello", "--check", &games][..], &train, &play] {
        expect_error(args, 1, "00000001.games: the file is empty");
    }
}

/// A command whose result is a file ended with status 0 and without the file.
#[test]
fn results_are_written_if_the_output_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (othello, chess) = (path("othello"), path("chess"));
    for (game, output) in [("othello", &othello), ("chess", &chess)] {
        expect_ok(&["selfplay", game, "--games", "20", "--nodes", "10", "-o", output, "--json"]);
    }
    let start = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
    std::fs::write(path("patterns.test"), format!("{start} 0\n")).unwrap();
    let state = path("state");
    let patterns = ["train", "othello", &othello, "--kind", "patterns", "--iterations", "3", "-o"];
    let network = ["train", "chess", &chess, "--width", "16", "--epochs", "2", "--batch", "256", "-o"];
    let book = ["book", "othello", "--state", &state, "--depth", "2", "--positions", "3", "-o"];
    for (args, name) in [(&patterns[..], "patterns"), (&network, "network"), (&book, "book")] {
        assert_eq!(run_unread(&[args, &[&path(name)]].concat()), (0, String::new()), "{name}");
        assert!(std::fs::exists(path(name)).unwrap(), "{name}");
    }
    assert!(!std::fs::exists(path("network.state")).unwrap());
}

#[test]
fn a_network_is_trained_reproducibly_and_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = path("games");
    expect_ok(&["selfplay", "xiangqi", "--games", "24", "--nodes", "30", "-o", &games, "--json"]);
    let train = |name: &str, threads: &str| {
        let net = path(name);
        let args =
            ["train", "xiangqi", &games, "--width", "16", "--epochs", "2", "--batch", "256", "-o", &net];
        expect_ok(&[&args[..], &["--threads", threads, "--json"]].concat())
    };
    let out = train("one.net", "1");
    let rows: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows.len(), &rows[1]["epoch"], &rows[2]["width"]), (3, &2.into(), &16.into()), "{out}");
    assert!(rows[2]["quantisation_mean_cp"].as_f64().unwrap() < 10.0, "{out}");
    train("three.net", "3");
    let bytes = std::fs::read(path("one.net")).unwrap();
    assert_eq!(bytes.len(), 72 + 2 * (692 * 16 + 16 + 8 * 2 * 16) + 4 * 8);
    assert!(bytes == std::fs::read(path("three.net")).unwrap());
    assert_eq!(std::fs::read_to_string(path("one.net.csv")).unwrap().lines().count(), 3);
    assert!(std::fs::read_to_string(path("one.net.svg")).unwrap().starts_with("<svg"));
    assert!(!std::fs::exists(path("one.net.state")).unwrap());
    // A training that begins with a network goes on from its loss.
    let (one, further) = (path("one.net"), path("further.net"));
    let start =
        ["train", "xiangqi", &games, "--start", &one, "--rate", "0", "--final-rate", "0", "--epochs", "1"];
    let out = expect_ok(&[&start[..], &["--width", "16", "-o", &further]].concat());
    let loss = format!("{:.6}", rows[1]["held_out_loss"].as_f64().unwrap());
    assert!(rows[2]["start_loss"].is_null());
    assert!(out.contains(&format!("held out {:.6} by the static", rows[2]["terms_loss"].as_f64().unwrap())));
    assert_eq!(out.matches(&format!("held out {loss}")).count(), 2, "{out}");
    assert!(bytes[72..] == std::fs::read(&further).unwrap()[72..], "a rate of 0 changes no weight");
    let other_width = [&start[..], &["--width", "32", "-o", &further, "--force"]].concat();
    expect_error(&other_width, 1, "the network: its width is 16 and its buckets are 8, not 32 and 8");
    let terms = path("weights.rs");
    let args = ["train", "xiangqi", &games, "--kind", "terms", "--epochs", "1", "-o", &terms];
    assert!(expect_ok(&args).contains("weights changed"));
    assert!(std::fs::read_to_string(&terms).unwrap().contains("static WEIGHTS: Weights"));
    let other_game = ["train", "othello", &games, "--kind", "terms", "-o", &terms, "--force"];
    expect_error(&other_game, 1, "the games are of xiangqi, not of othello");
    let network = ["train", "othello", &games, "-o", &terms];
    expect_error(&network, 2, "othello has patterns in place of a network: use --kind patterns");
    expect_error(&["train", "xiangqi", &games, "--rate", "2", "-o", &terms], 2, "--rate 2");
    for option in [
        "--width",
        "--buckets",
        "--start",
        "--batch",
        "--rate",
        "--final-rate",
        "--lambda",
        "--result-fraction",
        "--licence",
    ] {
        let value = if ["--width", "--batch"].contains(&option) { "64" } else { "1" };
        let args = ["train", "xiangqi", &games, "--kind", "terms", option, value, "-o", &terms];
        expect_error(&args, 2, &format!("{option} is an option of networks"));
    }
    let nowhere = path("nowhere/one.net");
    expect_error(&["train", "xiangqi", &games, "-o", &nowhere], 1, "one.net: there is no folder ");
    expect_error(&["train", "xiangqi", &games, "-o", &path("new/")], 1, "new/: it names a folder");
    let test = path("nowhere/positions");
    let patterns = ["train", "othello", &games, "--kind", "patterns", "-o", &path("x"), "--test", &test];
    expect_error(&patterns, 1, "positions: there is no folder ");
    std::fs::write(path("one.net.state"), "ALFTRAIN, but no state").unwrap();
    let again = ["train", "xiangqi", &games, "--width", "16", "-o", &path("one.net"), "--force"];
    expect_error(&again, 1, "one.net.state: the state of the training: it is truncated or damaged");
}

#[test]
fn patterns_are_trained_with_the_same_test_set_and_evaluate() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, net) = (path("games"), path("one.net"));
    expect_ok(&["selfplay", "othello", "--games", "20", "--nodes", "10", "-o", &games, "--json"]);
    let train = |net: &str, threads: &str| {
        let test = path("positions.test");
        let args = ["train", "othello", &games, "--kind", "patterns", "--iterations", "3", "--test", &test];
        expect_ok(&[&args[..], &["--threads", threads, "-o", net]].concat())
    };
    let out = train(&net, "2");
    assert_eq!(out.lines().filter(|line| line.starts_with("phase ")).count(), 16, "{out}");
    assert!(out.contains("all phases: test set ") && out.contains("hand-made terms "), "{out}");
    assert!(std::fs::read_to_string(path("one.net.svg")).unwrap().starts_with("<svg"));
    assert!(std::fs::read_to_string(path("positions.test")).unwrap().lines().count() > 30);
    train(&path("two.net"), "1");
    let bytes = std::fs::read(&net).unwrap();
    assert!(bytes == std::fs::read(path("two.net")).unwrap());
    let shown = expect_ok(&["eval", "othello", "--eval-file", &net]);
    assert!(shown.contains("46 placements of patterns in 16 phases"), "{shown}");
    std::fs::write(&net, &bytes[..bytes.len() - 1]).unwrap();
    expect_error(&["eval", "othello", "--eval-file", &net], 1, "the checksum is");
    std::fs::write(path("positions.test"), "X 3\n").unwrap();
    let test = path("positions.test");
    let args = ["train", "othello", &games, "--kind", "patterns", "--test", &test, "-o", &net, "--force"];
    expect_error(&args, 1, "positions.test: line 1: expected 64 squares");
    // The weights and the plot once replaced a test set of their names.
    for (test, name) in [(&net, "--output"), (&path("one.net.svg"), "the plot of --output")] {
        for kind in ["patterns", "prob-cut"] {
            let args = ["train", "othello", &games, "--kind", kind, "--test", test, "-o", &net];
            expect_error(&args, 2, &format!("--test and {name} are the same file"));
        }
    }
    let args = ["train", "chess", &games, "--kind", "patterns", "-o", &net];
    expect_error(&args, 2, "chess has no patterns: only othello has");
    for (kind, option) in [("patterns", "--epochs"), ("patterns", "--seed"), ("prob-cut", "--epochs")] {
        let args = ["train", "othello", &games, "--kind", kind, option, "2", "-o", &net];
        let expected = format!("{option} is an option of networks and terms: --kind {kind} has none");
        expect_error(&args, 2, &expected);
    }
}

#[test]
fn the_evaluation_is_shown_by_part_and_by_piece() {
    let fen = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let out = expect_ok(&["eval", "chess", "--fen", fen, "--eval-file", "terms", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let parts: f64 = report["parts"].as_object().unwrap().values().map(|part| part.as_f64().unwrap()).sum();
    let score = report["score"].as_f64().unwrap();
    assert!(score > 200.0 && (score - parts).abs() < 2.0, "{out}");
    let pieces = report["pieces"].as_array().unwrap();
    let value = |square: &str| {
        &pieces.iter().find(|piece| piece["square"] == square).expect("there is a piece")["value"]
    };
    assert!(value("d1").as_i64().unwrap() > 700 && value("d8").as_i64().unwrap() < -700, "{out}");
    assert!(value("e1").is_null(), "a position needs its kings");
    for (args, evaluation) in
        [(&[][..], "network chess (768 -> "), (&["--eval-file", "terms"], "hand-made evaluation")]
    {
        let text = expect_ok(&[&["eval", "chess", "--fen", fen], args].concat());
        assert!(text.lines().next().unwrap().starts_with(" 8  r-") && text.contains(evaluation), "{text}");
    }
    assert!(expect_ok(&["eval", "othello"]).contains("for Black"));
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    expect_error(&["eval", "xiangqi", "--eval-file", path], 1, "it does not begin with ALFILNET");
}

#[test]
fn an_engine_plays_by_the_network_of_a_file_and_keeps_its_evaluation_if_the_file_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, net) = (path("games"), path("a network.net"));
    expect_ok(&["selfplay", "chess", "--games", "20", "--nodes", "20", "-o", &games, "--json"]);
    let args = ["train", "chess", &games, "--width", "16", "--epochs", "1", "--batch", "256", "-o", &net];
    expect_ok(&args);
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let by_terms = expect_ok(&["eval", "chess", "--fen", fen, "--json"]);
    let by_network = expect_ok(&["eval", "chess", "--fen", fen, "--eval-file", &net, "--json"]);
    let score = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["score"].clone();
    assert_ne!(score(&by_terms), score(&by_network));
    let dialogue = |lines: &[&str]| {
        let input = lines.join("\n") + "\n";
        let (status, out, error) = run_with_input(&["engine"], input.as_bytes());
        assert_eq!(status, 0, "{error}");
        out
    };
    let (variant, search) = ("setoption name UCI_Variant value chess", "go depth 3");
    let with_file = format!("setoption name EvalFile value {net}");
    let best_lines = |out: &str| {
        let lines = out.lines().filter(|line| line.starts_with("info depth 3"));
        lines.map(|line| line.split(" nodes").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let plain = dialogue(&["uci", variant, search]);
    assert!(plain.contains("option name EvalFile type string default <empty>"), "{plain}");
    let network = dialogue(&["uci", variant, &with_file, search]);
    assert!(
        network.contains("info string evaluation by the network chess (768 -> 16) x 2 -> 1 of 8, "),
        "{network}"
    );
    assert_ne!(best_lines(&plain), best_lines(&network));
    // The game may be selected later.
    assert_eq!(best_lines(&dialogue(&["uci", &with_file, variant, search])), best_lines(&network));
    let back = dialogue(&["uci", variant, &with_file, "setoption name EvalFile value <empty>", search]);
    assert_eq!(best_lines(&back), best_lines(&plain));
    // Xiangqi has a built-in network, and the hand-made terms beside it.
    let built_in = dialogue(&["uci", search]);
    assert!(built_in.contains("info string evaluation by the network xiangqi (692 -> "), "{built_in}");
    let terms = dialogue(&["uci", "setoption name EvalFile value <terms>", search]);
    assert!(terms.contains("info string evaluation of xiangqi by hand-made terms"), "{terms}");
    assert_ne!(best_lines(&built_in), best_lines(&terms));
    let damaged = path("damaged.net");
    let bytes = std::fs::read(&net).unwrap();
    std::fs::write(&damaged, &bytes[..bytes.len() - 2]).unwrap();
    let refused = dialogue(&["uci", variant, &format!("setoption name EvalFile value {damaged}"), search]);
    assert!(refused.contains("the file is truncated") && refused.contains("the evaluation is unchanged"));
    assert_eq!(best_lines(&refused), best_lines(&plain));
}

/// A folder with the shards of two games was once refused without saying which.
#[test]
fn a_folder_with_shards_of_two_games_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    let play = |game| {
        ["selfplay", game, "--games", "4", "--shard-games", "2", "--nodes", "20", "-o", name, "--json"]
    };
    expect_ok(&play("chess"));
    expect_ok(&play("othello"));
    let files = "chess (2 files, chess-s1-00000000.games to chess-s1-00000002.games) and \
                 othello (2 files, othello-s1-00000000.games to othello-s1-00000002.games); ";
    let advice = "name the files of chess one by one, or move each game into a folder of its own";
    for args in [&["selfplay", "chess", "--info", name][..], &["selfplay", "chess", "--check", name]] {
        expect_error(args, 1, &format!("{name} has shards of {files}{advice}"));
    }
    expect_error(
        &["selfplay", "xiangqi", "--info", name],
        1,
        "there are none of xiangqi: name the game of the shards",
    );
    let net = folder.path().join("net");
    expect_error(&["train", "chess", name, "-o", net.to_str().unwrap()], 1, advice);
    let shard = folder.path().join("chess-s1-00000000.games");
    expect_error(
        &["selfplay", "othello", "--info", shard.to_str().unwrap()],
        1,
        "the games are of chess, not of othello",
    );
}

#[test]
fn an_opening_book_grows_reproducibly_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let grow = |state: &str, positions: &str, threads: &str| {
        let (state_path, book) = (path(state), path(&format!("{state}.book")));
        let args = ["book", "othello", "--state", &state_path, "--depth", "3", "--positions", positions];
        let output = expect_ok(&[&args[..], &["--threads", threads, "-o", &book]].concat());
        (output.lines().next().unwrap().to_owned(), std::fs::read(book).unwrap())
    };
    let (text, book) = grow("one", "30", "1");
    assert!(text.starts_with("30 positions with moves, "), "{text}");
    assert!(book.starts_with(b"ALFILOBK"));
    assert_eq!(grow("two", "30", "3"), (text.clone(), book.clone()));
    // Fewer positions than a state has change nothing, and a finished state grows on.
    assert_eq!(grow("two", "5", "1"), (text, book.clone()));
    let (text, larger) = grow("two", "36", "2");
    assert!(text.starts_with("36 positions with moves, ") && larger != book, "{text}");

    let state = path("one");
    let other_depth = ["book", "othello", "--state", &state, "--depth", "4", "--positions", "31"];
    expect_error(&other_depth, 1, "is of a book with --depth 3, not 4; use its options, or another file");
    expect_error(
        &["book", "othello", "--state", &path("one.book")],
        1,
        "one.book:1: expected the book header",
    );
    expect_error(&["book", "othello"], 2, "--state");
    expect_error(&["book", "chess", "--state", &state], 2, "othello");
    std::fs::create_dir(path("folder")).unwrap();
    for output in [&state, &path("folder/../one")] {
        expect_error(&["book", "othello", "--state", &state, "-o", output], 2, "are the same file");
    }
    let nowhere = path("none/book.sqlite");
    expect_error(&["book", "othello", "--state", &state, "-o", &nowhere], 1, "there is no folder");
    expect_error(&["book", "othello", "--state", &nowhere], 1, "cannot open ");
}

//! Programs in Python that know xiangqi confirm positions, moves and files of games.
//!
//! They are separate programs under other licences, which are driven and never shipped: `.ci/run` installs them into
//! `target/python`. Without them a test is skipped with a message; `ALFIL_NO_SKIP` makes that a failure.

use std::path::{Path, PathBuf};
use std::process::Command;

use alfil_session::FileFormat;
use serde_json::Value;

use super::{expect_ok, skip};

/// Returns the interpreter with these packages, or `None` if it is not installed.
pub(super) fn python_with(package: &str) -> Option<PathBuf> {
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let imports = Command::new(&venv).args(["-c", &format!("import {package}")]).output();
    if imports.is_ok_and(|output| output.status.success()) {
        return Some(venv);
    }
    skip(&format!("{package} is not installed in target/python: see .ci/run"));
    None
}

/// Runs a script with arguments and returns its output.
pub(super) fn run_script(python: &Path, script: &str, args: &[&str]) -> String {
    let output = Command::new(python).args(["-c", script]).args(args).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Plays random games and prints positions with their numbers of paths of one and two plies, and the moves of a game
/// with its last position.
const RANDOM_GAMES: &str = r#"
import random, sys, pyffish
random.seed(17)
start = pyffish.start_fen("xiangqi")
count = lambda fen: len(pyffish.legal_moves("xiangqi", fen, []))
with open(sys.argv[1], "w") as suite:
    for game in range(40):
        moves = []
        for ply in range(random.randrange(10, 120)):
            legal = pyffish.legal_moves("xiangqi", start, moves)
            if not legal:
                break
            moves.append(random.choice(legal))
        fen = pyffish.get_fen("xiangqi", start, moves)
        legal = pyffish.legal_moves("xiangqi", fen, [])
        two = sum(count(pyffish.get_fen("xiangqi", fen, [move])) for move in legal)
        suite.write(f"{fen} ;D1 {len(legal)} ;D2 {two}\n")
        print(fen.split()[0], " ".join(moves), sep="\t")
"#;

#[test]
fn pyffish_counts_the_same_moves_and_reaches_the_same_positions() {
    let Some(python) = python_with("pyffish") else { return };
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd");
    let suite = suite.to_str().unwrap();
    let games = run_script(&python, RANDOM_GAMES, &[suite]);
    assert!(expect_ok(&["perft", "xiangqi", "--suite", suite]).ends_with("\n80 passed, 0 failed\n"));
    let games: Vec<_> = games.lines().map(|game| game.split_once('\t').unwrap()).collect();
    assert_eq!(games.len(), 40);
    for (placement, moves) in games {
        let mut args = vec!["show", "xiangqi", "--json", "--dialect", "uci10", "--moves"];
        args.extend(moves.split(' '));
        let shown: Value = serde_json::from_str(&expect_ok(&args)).unwrap();
        assert_eq!(shown["fen"].as_str().unwrap().split(' ').next(), Some(placement), "{moves}");
    }
}

/// Prints the moves of the game of each file in coordinates.
const READ_GAMES: &str = r#"
import sys
from cchess import Game
for name in sys.argv[1:]:
    lines = Game.read_from(name).dump_iccs_moves()
    print(" ".join(move.lower() for move in lines[0]))
"#;

#[test]
fn cchess_reads_the_games_of_a_match() {
    let Some(python) = python_with("cchess") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let pgn = path("match.pgn");
    let rows = expect_ok(&[
        "match",
        "xiangqi",
        "--engine",
        "nodes=60",
        "--engine",
        "nodes=90",
        "--games",
        "6",
        "--max-plies",
        "90",
        "--json",
        "--no-comments",
        "--pgn",
        &pgn,
    ]);
    let text = std::fs::read_to_string(&pgn).unwrap();
    let games: Vec<_> = text.split("[Game ").skip(1).collect();
    assert_eq!(games.len(), 6);
    let mut files = Vec::new();
    for (game, number) in games.iter().zip(1..) {
        files.push(path(&format!("{number}.pgn")));
        std::fs::write(&files[number - 1], format!("[Game {game}")).unwrap();
    }
    let read = run_script(&python, READ_GAMES, &files.iter().map(String::as_str).collect::<Vec<_>>());
    let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    let mut plies = 0;
    for (row, read) in rows.zip(read.lines()) {
        let moves = ["opening", "moves"].map(|field| row[field].as_array().unwrap().clone()).concat();
        let moves: Vec<_> = moves.iter().map(|mv| mv.as_str().unwrap()).collect();
        let read: Vec<_> = read.split(' ').collect();
        plies += read.len();
        // Of two advisors or elephants on a file cchess tries one, and stops reading where the other one moved.
        if read.len() < moves.len() {
            let shown = expect_ok(&[&["show", "xiangqi", "--json", "--moves"], &read[..]].concat());
            let fen = serde_json::from_str::<Value>(&shown).unwrap()["fen"].as_str().unwrap().to_owned();
            let (piece, count) = piece_and_count_on_file(&fen, moves[read.len()]);
            assert!("AaBb".contains(piece) && count == 2, "{piece} moves by {} in {fen}", moves[read.len()]);
        }
        assert_eq!(read, moves[..read.len()]);
    }
    assert!(plies > 200, "{plies} plies");
}

/// Returns the piece that a move of xiangqi moves, and how many like it stand on its file.
fn piece_and_count_on_file(fen: &str, mv: &str) -> (char, usize) {
    let rows = fen.split(' ').next().unwrap().split('/').map(|row| {
        let cells =
            row.chars().flat_map(|c| c.to_digit(10).map_or(vec![c], |count| vec!['.'; count as usize]));
        cells.collect::<Vec<_>>()
    });
    let [file, rank] = [mv.as_bytes()[0] - b'a', mv.as_bytes()[1] - b'0'].map(usize::from);
    let cells: Vec<_> = rows.map(|row| row[file]).collect();
    let piece = cells[9 - rank];
    (piece, cells.iter().filter(|&&cell| cell == piece).count())
}

/// Prints the moves of all lines of the game of each file, one line after the other.
const READ_LINES: &str = r#"
import sys
from cchess import Game
for name in sys.argv[1:]:
    for line in sorted(Game.read_from(name).dump_iccs_moves()):
        print(" ".join(move.lower() for move in line))
"#;

#[test]
fn cchess_reads_the_files_of_every_format_that_is_written() {
    let Some(python) = python_with("cchess") else { return };
    let folder = tempfile::tempdir().unwrap();
    let text = "[Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n[Format \"ICCS\"]\n\n1. H2-E2 {中炮} H9-G7 (1... H7-E7 2. \
                H0-G2 (2. E2-E6) 2... H9-G7) 2. H0-G2 I9-H9 3. I0-H0 *";
    let game = alfil_session::registry::read_games(text.as_bytes(), None).unwrap().remove(0).unwrap();
    let lines = "h2e2 h7e7 e2e6\nh2e2 h7e7 h0g2 h9g7\nh2e2 h9g7 h0g2 i9h9 i0h0\n";
    for format in [FileFormat::Xqf, FileFormat::Cbr] {
        let file = folder.path().join("game").with_extension(format.id());
        let bytes = alfil_session::registry::write_file(format, std::slice::from_ref(&game)).unwrap();
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(run_script(&python, READ_LINES, &[file.to_str().unwrap()]), lines, "{format:?}");
    }
    // Without variations: the plain version of XQF, and the main line in CBF.
    let main = text.replace("(1... H7-E7 2. H0-G2 (2. E2-E6) 2... H9-G7)", "");
    let game = alfil_session::registry::read_games(main.as_bytes(), None).unwrap().remove(0).unwrap();
    for format in [FileFormat::Xqf, FileFormat::Cbf] {
        let file = folder.path().join("main").with_extension(format.id());
        let bytes = alfil_session::registry::write_file(format, std::slice::from_ref(&game)).unwrap();
        std::fs::write(&file, bytes).unwrap();
        let read = run_script(&python, READ_LINES, &[file.to_str().unwrap()]);
        assert_eq!(read, "h2e2 h9g7 h0g2 i9h9 i0h0\n", "{format:?}");
    }
}

#[test]
fn cchess_reads_the_same_moves_from_the_files_of_other_programs() {
    let Some(python) = python_with("cchess") else { return };
    let folder = std::env::var_os("ALFIL_SAMPLES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/samples"),
        PathBuf::from,
    );
    for file in [
        "lgpl-2.1/xiangqi/XQFEXAMA.XQF",
        "lgpl-2.1/xiangqi/XQFEXAMB.XQF",
        "lgpl-2.1/xiangqi/SAMPLE.XQF",
        "gpl-3/xiangqi/BadMoveTest1.xqf",
        "gpl-3/xiangqi/ucci_test2.xqf",
        "gpl-3/xiangqi/test.cbr",
        "gpl-3/xiangqi/test2.cbf",
    ] {
        let path = folder.join(file);
        let Ok(bytes) = std::fs::read(&path) else {
            skip(&format!("sample {file} is missing: set ALFIL_SAMPLES"));
            continue;
        };
        let game = alfil_session::registry::read_games(&bytes, None).unwrap().remove(0).unwrap();
        let read = run_script(&python, READ_GAMES, &[path.to_str().unwrap()]);
        assert_eq!(read.trim(), game.main_line().join(" "), "{file}");
    }
}

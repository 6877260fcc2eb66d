//! Sample files of other programs, and the damage that every reader survives.

use std::io::Write as _;
use std::path::PathBuf;

use alfil_records::FileFormat;
use alfil_records::text_game::{GameResult, TextFormat, TextGame, parse_games};

/// Returns the formats of the program's games.
pub(crate) fn formats() -> [TextFormat; 3] {
    [
        TextFormat::new::<alfil_xiangqi::Xiangqi>(),
        TextFormat::new::<alfil_chess::Chess>(),
        TextFormat::new::<alfil_othello::Othello>(),
    ]
}

/// Reads a file of games of any kind.
pub(crate) fn read(bytes: &[u8]) -> Vec<GameResult> {
    let formats = formats();
    parse_games(bytes, &formats.each_ref(), None)
}

/// Reads a sample file from the folder `ALFIL_SAMPLES`, by default `../shared/data/samples` beside the workspace.
/// Sample files of others are never committed.
///
/// Returns none for a missing file, after a note to stderr that the test runner does not capture.
///
/// # Panics
/// If the file is missing and `ALFIL_SAMPLES` or `ALFIL_NO_SKIP` is set.
pub(crate) fn sample(path: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("ALFIL_SAMPLES").map(PathBuf::from);
    let no_skip = std::env::var_os("ALFIL_NO_SKIP").is_some_and(|value| !value.is_empty() && value != "0");
    let may_skip = folder.is_none() && !no_skip;
    let default_folder = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/samples");
    let file = folder.unwrap_or_else(default_folder).join(path);
    match std::fs::read(&file) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            assert!(may_skip, "cannot read sample {}: {error}", file.display());
            let note =
                format!("\n*** SKIPPED: sample {path}: {error}; set ALFIL_SAMPLES to its folder ***\n");
            std::io::stderr().write_all(note.as_bytes()).expect("stderr is writable");
            None
        }
    }
}

/// Reads a file of the folder `testdata`.
pub(crate) fn testdata(path: &str) -> Vec<u8> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata").join(path);
    std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Damages a file in every way that a test has time for: cut off at every byte (at some hundred bytes of a long file),
/// and with random bytes changed. Every reader survives it, and no error lies outside the file.
pub(crate) fn check_damaged(bytes: &[u8]) {
    let step = bytes.len().div_ceil(700).max(1);
    for end in (0..bytes.len()).step_by(step) {
        check_errors(&bytes[..end]);
    }
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for _ in 0..300 {
        let mut damaged = bytes.to_vec();
        for _ in 0..1 + next() % 8 {
            let at = (next() % bytes.len() as u64) as usize;
            damaged[at] = next() as u8;
        }
        check_errors(&damaged);
    }
}

/// Writes a game in every format that can hold it, and checks that its main line is read back.
fn check_written(game: &TextGame) {
    for format in formats().iter().filter(|format| format.format_pgn(game, None).is_ok()) {
        for file in format.written_files() {
            let Ok(written) = format.format_file(file, std::slice::from_ref(game)) else { continue };
            let again = parse_games(&written, &[format], None).remove(0);
            let again = again.unwrap_or_else(|error| panic!("{file:?}: {error}"));
            assert_eq!(again.error, None, "{file:?}");
            // OBF has positions alone.
            let expected = if file == FileFormat::Obf { Vec::new() } else { main_line(game) };
            assert_eq!(main_line(&again), expected, "{file:?}");
        }
    }
}

/// Returns the main line without passes at its end, which some formats leave out.
fn main_line(game: &TextGame) -> Vec<&str> {
    let mut moves = game.main_line();
    while moves.last() == Some(&"pass") {
        moves.pop();
    }
    moves
}

fn check_errors(bytes: &[u8]) {
    for game in read(bytes) {
        game.iter().for_each(check_written);
        let errors = match &game {
            Ok(game) => game.error.iter().chain(&game.warnings).collect(),
            Err(error) => vec![error],
        };
        for error in errors {
            assert!(error.offset <= bytes.len() as u64, "{error} in a file of {} bytes", bytes.len());
        }
        assert!(game.iter().all(|game| game.moves.is_valid()));
    }
}

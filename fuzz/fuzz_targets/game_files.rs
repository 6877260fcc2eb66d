//! The readers of all file formats accept any bytes; what they read is written in every format that can hold it,
//! and read back as the same moves.
#![no_main]

use alfil_records::FileFormat;
use alfil_records::text_game::{TextFormat, TextGame, parse_games};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let formats = [
        TextFormat::new::<alfil_xiangqi::Xiangqi>(),
        TextFormat::new::<alfil_chess::Chess>(),
        TextFormat::new::<alfil_othello::Othello>(),
    ];
    for game in parse_games(bytes, &formats.each_ref(), None).into_iter().flatten() {
        for format in &formats {
            // OBF has positions alone.
            for file in format.written_files().into_iter().filter(|&file| file != FileFormat::Obf) {
                let Ok(written) = format.format_file(file, std::slice::from_ref(&game)) else { continue };
                let again = parse_games(&written, &[format], None).remove(0).expect("a written game is read");
                assert_eq!(again.error, None, "{file:?}");
                assert_eq!(main_line(&again), main_line(&game), "{file:?}");
            }
        }
    }
});

/// Returns the main line without passes at its end, which some formats leave out.
fn main_line(game: &TextGame) -> Vec<&str> {
    let mut moves = game.main_line();
    while moves.last() == Some(&"pass") {
        moves.pop();
    }
    moves
}

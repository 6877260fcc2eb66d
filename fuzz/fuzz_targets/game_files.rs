//! The readers of all file formats accept any bytes; what they read is written in every format that can hold it, and
//! read back as the same moves.
#![no_main]

use alfil_records::text_game::{TextFormat, TextGame, parse_games};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let formats = [
        TextFormat::new::<alfil_xiangqi::Xiangqi>(),
        TextFormat::new::<alfil_chess::Chess>(),
        TextFormat::new::<alfil_othello::Othello>(),
    ];
    let formats = formats.each_ref();
    for game in parse_games(bytes, &formats, None).into_iter().flatten() {
        for format in formats {
            for file in format.written_files() {
                let Ok(written) = format.format_file(file, std::slice::from_ref(&game)) else { continue };
                let again = parse_games(&written, &formats, None);
                let again = again[0].as_ref().expect("a written game is read");
                assert_eq!(again.error, None, "{file:?}");
                assert_eq!(moves(again), moves(&game), "{file:?}");
            }
        }
    }
});

fn moves(game: &TextGame) -> Vec<&str> {
    game.main_line()
}

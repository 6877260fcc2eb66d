//! The readers of Othello records accept any bytes; a parsed game is written and parses back to the same moves.
#![no_main]

use alfil_records::{ggf, transcript};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = ggf::Reader::new(bytes);
    while let Some(game) = reader.next_game().unwrap() {
        let tree = game.parse().tree;
        let text = ggf::format_game(&tree).expect("a parsed game is legal");
        let mut reader = ggf::Reader::new(text.as_bytes());
        let parsed = reader.next_game().unwrap().expect("a game was written").parse();
        assert_eq!(parsed.into_tree().as_ref(), Ok(&tree), "{text}");
    }
    for game in transcript::parse_games(bytes) {
        // Transcripts omit passes; one at the end is lost.
        let text = transcript::format_game(&game.tree);
        let written = transcript::parse_games(text.as_bytes())
            .next()
            .map_or(String::new(), |game| transcript::format_game(&game.tree));
        assert_eq!(written, text);
    }
});

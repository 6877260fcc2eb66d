//! The PGN reader accepts any bytes; a parsed game is written and parses back to the same tree.
#![no_main]

use alfil_chess::Chess;
use alfil_records::pgn::{self, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = Reader::new(bytes).with_max_game_bytes(1 << 16);
    while let Ok(Some(game)) = reader.next_game() {
        let parsed = game.parse::<Chess>();
        if game.is_truncated {
            continue;
        }
        let text =
            pgn::format_game(&parsed.tree, pgn::default_dialect::<Chess>()).expect("a parsed game is legal");
        let mut reader = Reader::new(text.as_bytes());
        let again = reader.next_game().unwrap().expect("a game was written").parse::<Chess>();
        assert_eq!(again.into_tree().as_ref(), Ok(&parsed.tree), "{text}");
        assert!(reader.next_game().unwrap().is_none(), "{text}");
    }
});

//! No bytes panic the reader of PGN or make it hang; what it read is written, and read again it is the same.
#![no_main]

use alfil_chess::Chess;
use alfil_records::pgn::{self, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = Reader::new(bytes).with_longest(1 << 16);
    while let Ok(Some(game)) = reader.next_game() {
        let read = game.read::<Chess>();
        if game.cut {
            continue;
        }
        let text = pgn::write(&read.tree, pgn::usual::<Chess>()).expect("what was read is legal");
        let mut again = Reader::new(text.as_bytes());
        let once = again.next_game().unwrap().expect("a game was written").read::<Chess>();
        assert_eq!(once.sound().as_ref(), Ok(&read.tree), "{text}");
        assert!(again.next_game().unwrap().is_none(), "{text}");
    }
});

//! No bytes panic the readers of Othello's records; what they read is written, and read again it is as long.
#![no_main]

use alfil_records::{ggf, transcript};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = ggf::Reader::new(bytes);
    while let Some(game) = reader.next_game().unwrap() {
        let tree = game.read().tree;
        let text = ggf::write(&tree).expect("what was read is legal");
        let mut again = ggf::Reader::new(text.as_bytes());
        let once = again.next_game().unwrap().expect("a game was written").read();
        assert_eq!(once.sound().as_ref(), Ok(&tree), "{text}");
    }
    for game in transcript::read(bytes) {
        // Passes are left out, one at the end for good.
        let text = transcript::write(&game.tree);
        let again = transcript::read(text.as_bytes())
            .next()
            .map_or(String::new(), |game| transcript::write(&game.tree));
        assert_eq!(again, text);
    }
});

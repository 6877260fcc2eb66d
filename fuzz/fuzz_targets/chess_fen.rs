//! A FEN never panics the reader; an error points into the text; what reads is written and read again unchanged, as X-FEN and
//! as Shredder-FEN; what is accepted passes the examination on both boards, and the counter counts what they count.
#![no_main]

use alfil_chess::{Bitboard, Mailbox, Setup, counter, fen};
use alfil_kernel::conformance::{examine, lockstep};
use alfil_kernel::{Position, Setup as _, Waivers};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    judge(text);
    judge(&edited(text));
});

/// The start position with a few letters replaced: texts that are nearly right, which chance alone seldom makes. Each pair
/// of letters says where and by what.
fn edited(edits: &str) -> String {
    let mut letters: Vec<char> = Setup::start().write().chars().collect();
    let mut edits = edits.chars().take(24);
    while let (Some(at), Some(letter)) = (edits.next(), edits.next()) {
        let at = at as usize % letters.len();
        letters[at] = letter;
    }
    letters.into_iter().collect()
}

fn judge(text: &str) {
    let setup = match Setup::read(text) {
        Ok(setup) => setup,
        Err(error) => {
            assert!(text.is_char_boundary(error.offset), "the offset is a letter's: {error}");
            return;
        }
    };
    assert_eq!(Setup::read(&setup.write()).as_ref(), Ok(&setup));
    assert_eq!(fen::read(&fen::write_shredder(&setup)).as_ref(), Ok(&setup));
    let sound = setup.complaints().is_empty();
    assert_eq!(Mailbox::from_setup(&setup, &Waivers::None).is_ok(), sound, "sound is without complaints");
    if setup.accept(&Waivers::All).is_err() {
        assert!(Mailbox::from_setup(&setup, &Waivers::All).is_err());
        return;
    }
    let mut mailbox = Mailbox::from_setup(&setup, &Waivers::All).unwrap();
    let mut bitboard = Bitboard::from_setup(&setup, &Waivers::All).unwrap();
    examine(&mut mailbox);
    examine(&mut bitboard);
    lockstep(&mailbox, &bitboard);
    let leaves = alfil_kernel::perft::perft(&mut mailbox, 2);
    assert_eq!([counter::perft(&bitboard, 2), counter::perft_scalar(&bitboard, 2)], [leaves; 2]);
}

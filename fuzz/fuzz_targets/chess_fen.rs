//! The FEN parser accepts any text; the offset of an error is in the text; a parsed position is written as X-FEN and as
//! Shredder-FEN and parses back to the same; it is consistent on both boards, and fast perft equals perft.
#![no_main]

use alfil_chess::{Bitboard, Mailbox, Setup, fast_perft, fen};
use alfil_kernel::conformance::{check_boards_agree, check_position};
use alfil_kernel::{Position, Setup as _, Waivers};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    check(text);
    check(&edited(text));
});

/// Replaces a few characters of the start position, which gives nearly valid texts. Each pair of characters is an index
/// and a replacement.
fn edited(edits: &str) -> String {
    let mut characters: Vec<char> = Setup::start().to_text().chars().collect();
    let mut edits = edits.chars().take(24);
    while let (Some(at), Some(character)) = (edits.next(), edits.next()) {
        let at = at as usize % characters.len();
        characters[at] = character;
    }
    characters.into_iter().collect()
}

fn check(text: &str) {
    let setup = match Setup::parse(text) {
        Ok(setup) => setup,
        Err(error) => {
            assert!(text.is_char_boundary(error.offset), "the offset is a character boundary: {error}");
            return;
        }
    };
    assert_eq!(Setup::parse(&setup.to_text()).as_ref(), Ok(&setup));
    assert_eq!(fen::parse(&fen::format_shredder(&setup)).as_ref(), Ok(&setup));
    let is_valid = setup.issues().is_empty();
    assert_eq!(Mailbox::from_setup(&setup, &Waivers::None).is_ok(), is_valid, "a valid setup has no issues");
    if setup.validate(&Waivers::All).is_err() {
        assert!(Mailbox::from_setup(&setup, &Waivers::All).is_err());
        return;
    }
    let mut mailbox = Mailbox::from_setup(&setup, &Waivers::All).unwrap();
    let mut bitboard = Bitboard::from_setup(&setup, &Waivers::All).unwrap();
    check_position(&mut mailbox);
    check_position(&mut bitboard);
    check_boards_agree(&mailbox, &bitboard);
    let leaves = alfil_kernel::perft::perft(&mut mailbox, 2);
    assert_eq!([fast_perft::perft(&bitboard, 2), fast_perft::perft_scalar(&bitboard, 2)], [leaves; 2]);
}

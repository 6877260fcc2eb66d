//! The FEN parser accepts any text; the offset of an error is in the text; a parsed position is written, parses back to
//! the same, and is consistent on every board.
#![no_main]

use alfil_kernel::conformance::check_position;
use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_xiangqi::{Bitboard, Folded, Mailbox, Setup};
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
    let is_valid = setup.issues().is_empty();
    assert_eq!(Mailbox::from_setup(&setup, &Waivers::None).is_ok(), is_valid, "a valid setup has no issues");
    if setup.validate(&Waivers::All).is_err() {
        assert!(Mailbox::from_setup(&setup, &Waivers::All).is_err());
        return;
    }
    check_position::<Mailbox>(&mut Position::from_setup(&setup, &Waivers::All).unwrap());
    check_position::<Bitboard>(&mut Position::from_setup(&setup, &Waivers::All).unwrap());
    check_position::<Folded>(&mut Position::from_setup(&setup, &Waivers::All).unwrap());
}

//! The parsers of boards and problem files accept any text; a parsed board is written, parses back to the same, and is
//! consistent on both boards.
#![no_main]

use alfil_kernel::conformance::{check_boards_agree, check_position};
use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_othello::{Bitboard, Mailbox, Setup, obf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = obf::parse(text);
    let Ok(setup) = Setup::parse(text) else { return };
    assert_eq!(Setup::parse(&setup.to_text()).as_ref(), Ok(&setup));
    let Ok(mut mailbox) = Mailbox::from_setup(&setup, &Waivers::All) else { return };
    let mut bitboard = Bitboard::from_setup(&setup, &Waivers::All).unwrap();
    check_position(&mut mailbox);
    check_position(&mut bitboard);
    check_boards_agree(&mailbox, &bitboard);
});

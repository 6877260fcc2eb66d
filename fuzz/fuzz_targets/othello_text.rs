//! Board strings and problem files never panic their readers; what reads is written and read again unchanged, and passes the
//! examination on both boards.
#![no_main]

use alfil_kernel::conformance::{examine, lockstep};
use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_othello::{Bitboard, Mailbox, Setup, obf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = obf::read(text);
    let Ok(setup) = Setup::read(text) else { return };
    assert_eq!(Setup::read(&setup.write()).as_ref(), Ok(&setup));
    let Ok(mut mailbox) = Mailbox::from_setup(&setup, &Waivers::All) else { return };
    let mut bitboard = Bitboard::from_setup(&setup, &Waivers::All).unwrap();
    examine(&mut mailbox);
    examine(&mut bitboard);
    lockstep(&mailbox, &bitboard);
});

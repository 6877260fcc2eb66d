//! A FEN never panics the reader; what reads is written and read again unchanged; what is accepted passes the examination on
//! every board.
#![no_main]

use alfil_kernel::conformance::examine;
use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_xiangqi::{Bitboard, Folded, Mailbox, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(setup) = Setup::read(text) else { return };
    assert_eq!(Setup::read(&setup.write()).as_ref(), Ok(&setup));
    if setup.accept(&Waivers::All).is_err() {
        assert!(Mailbox::from_setup(&setup, &Waivers::All).is_err());
        return;
    }
    examine::<Mailbox>(&mut Position::from_setup(&setup, &Waivers::All).unwrap());
    examine::<Bitboard>(&mut Position::from_setup(&setup, &Waivers::All).unwrap());
    examine::<Folded>(&mut Position::from_setup(&setup, &Waivers::All).unwrap());
});

//! Any text as a FEN: reading never panics, what parses is written and read back unchanged, an error points into the text,
//! and what a board accepts passes the examination.
#![no_main]

use alfil_kernel::conformance::examine;
use alfil_kernel::{Position, Setup as _, Waivers};
use alfil_xiangqi::{Mailbox, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let setup = match Setup::read(text) {
        Ok(setup) => setup,
        Err(error) => {
            assert!(text.is_char_boundary(error.offset), "the offset points to a letter: {error}");
            return;
        }
    };
    let written = setup.write();
    assert_eq!(Setup::read(&written).as_ref(), Ok(&setup), "{written} reads back");

    let waivable = setup.accept(&Waivers::All).is_ok();
    let sound = setup.accept(&Waivers::None).is_ok();
    assert_eq!(sound, setup.complaints().is_empty(), "{written}: sound is without complaints");
    assert_eq!(Mailbox::from_setup(&setup, &Waivers::None).is_ok(), sound, "{written}");
    match Mailbox::from_setup(&setup, &Waivers::All) {
        Ok(mut board) => {
            assert!(waivable);
            examine(&mut board);
        }
        Err(error) => assert!(!waivable, "{written}: {error}"),
    }
});

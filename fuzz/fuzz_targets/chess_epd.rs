//! An EPD never panics the reader; an error points into the text; what reads is written and read again: the position
//! unchanged, and what was written once is written so again.
#![no_main]

use alfil_chess::epd;
use libfuzzer_sys::fuzz_target;

/// So that operations are reached too, which chance alone seldom finds behind four sound fields.
const FIELDS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

fuzz_target!(|text: &str| {
    judge(text);
    judge(&format!("{FIELDS} {text}"));
});

fn judge(text: &str) {
    match epd::read(text) {
        Ok(row) => {
            let written = epd::write(&row);
            let again = epd::read(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(again.setup, row.setup);
            assert_eq!(epd::write(&again), written);
        }
        Err(error) => assert!(text.is_char_boundary(error.offset), "the offset is a letter's: {error}"),
    }
}

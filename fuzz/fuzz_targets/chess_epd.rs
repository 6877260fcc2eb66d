//! The EPD parser accepts any text; the offset of an error is in the text; a parsed EPD is written and parses back to
//! the same position and text.
#![no_main]

use alfil_chess::epd;
use libfuzzer_sys::fuzz_target;

/// Four valid fields, so that the input reaches the operations after them.
const FIELDS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

fuzz_target!(|text: &str| {
    check(text);
    check(&format!("{FIELDS} {text}"));
});

fn check(text: &str) {
    match epd::parse(text) {
        Ok(record) => {
            let written = epd::format(&record);
            let again = epd::parse(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(again.setup, record.setup);
            assert_eq!(epd::format(&again), written);
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.offset), "the offset is a character boundary: {error}")
        }
    }
}

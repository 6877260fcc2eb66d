//! The readers of opening books and pattern weights accept any bytes; a book that is read is written back unchanged.
//! The checksums are also corrected, so that the input reaches the tests after them.
#![no_main]

use alfil_evaluation::othello::{OpeningBook, PatternWeights};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    if bytes.len() >= 14 {
        let mut book = bytes.to_vec();
        book[..10].copy_from_slice(&OpeningBook::default().to_bytes()[..10]);
        let checksum = crc32fast::hash(&book[14..]);
        book[10..14].copy_from_slice(&checksum.to_le_bytes());
        check(&book);
    }
    if bytes.len() >= 52 {
        let mut weights = bytes.to_vec();
        let checksum = crc32fast::hash(&[&bytes[..48], &bytes[52..]].concat());
        weights[48..52].copy_from_slice(&checksum.to_le_bytes());
        check(&weights);
    }
});

fn check(bytes: &[u8]) {
    if let Ok(book) = OpeningBook::read(bytes) {
        let written = book.to_bytes();
        assert_eq!(OpeningBook::read(&written).unwrap().to_bytes(), written);
    }
    let _ = PatternWeights::read(bytes);
}

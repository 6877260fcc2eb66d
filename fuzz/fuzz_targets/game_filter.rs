//! The parser of conditions on games accepts any text; what it reads is written as the same condition.
#![no_main]

use alfil_batch::filter::Filter;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Filter::parse(text) {
        Ok(filter) => assert_eq!(Filter::parse(&filter.to_string()), Ok(filter)),
        Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.column)),
    }
});

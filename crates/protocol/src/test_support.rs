//! Checks that the tests of all protocols share.

use proptest::prelude::*;

use crate::tokens::ParseError;

/// Checks the start of the error message of each line.
#[track_caller]
pub(crate) fn assert_errors(parse: impl Fn(&str) -> Option<ParseError>, cases: &[(&str, &str)]) {
    for (line, message) in cases {
        let found = parse(line).map(|error| error.to_string());
        assert!(found.as_ref().is_some_and(|found| found.starts_with(message)), "{line}: {found:?}");
    }
}

/// Checks that none of `commands` is unknown.
#[track_caller]
pub(crate) fn assert_known(parse: impl Fn(&str) -> Option<ParseError>, commands: &[&str]) {
    for command in commands {
        assert!(!matches!(parse(command), Some(ParseError::UnknownCommand(_))), "{command}");
    }
}

/// Generates any text, half of the time after one of `commands`.
pub(crate) fn any_line(commands: &'static [&'static str]) -> impl Strategy<Value = String> {
    let command = prop::option::of(prop::sample::select(commands));
    (command, "\\PC{0,200}").prop_map(|(command, text)| match command {
        Some(command) => format!("{command} {text}"),
        None => text,
    })
}

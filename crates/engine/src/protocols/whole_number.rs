//! Whole numbers as values of options.

use alfil_session::SessionError;

/// Parses the whole number of an option.
///
/// # Errors
/// Returns an error if the value is not a number from `min` to `max`.
pub(crate) fn parse_whole_number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, SessionError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        let found = alfil_protocol::tokens::shorten(value);
        SessionError::new(format!("{name} is a whole number from {min} to {max}, found {found:?}"))
    })
}

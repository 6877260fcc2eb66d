//! The tokens of a line, and the errors of lines that cannot be parsed.

use std::str::FromStr;

use thiserror::Error;

/// A line that is not a command of the protocol.
///
/// ```
/// use alfil_protocol::{ParseError, uci};
///
/// let error = uci::parse_command("go2 depth").unwrap_err();
/// assert_eq!(error, ParseError::UnknownCommand("go2".into()));
/// assert_eq!(error.to_string(), "unknown command \"go2\"");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The first token is not a command.
    #[error("unknown command {0:?}")]
    UnknownCommand(String),
    /// The command is known, but its arguments cannot be parsed.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the protocol requires at this place.
        expected: String,
        /// The token found there, quoted and shortened, or `the end of the line`.
        found: String,
    },
}

impl ParseError {
    /// Creates the error of a known command; `None` is the end of the line.
    pub fn expected(expected: impl Into<String>, found: Option<&str>) -> ParseError {
        ParseError::Expected { expected: expected.into(), found: found_text(found) }
    }

    /// Creates the error of a line whose first token is not a command.
    pub fn unknown_command(token: &str) -> ParseError {
        ParseError::UnknownCommand(shorten(token))
    }
}

/// Returns a token for an error message: quoted and shortened, or `the end of the line`.
pub(crate) fn found_text(found: Option<&str>) -> String {
    found.map_or_else(|| "the end of the line".into(), |found| format!("{:?}", shorten(found)))
}

/// Shortens a text for an error message to its first 40 characters, with control characters replaced by
/// spaces.
pub fn shorten(text: &str) -> String {
    let mut characters = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut shown: String = characters.by_ref().take(40).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Splits a line at white space into tokens.
///
/// ```
/// use alfil_protocol::tokens::TokenReader;
///
/// let mut tokens = TokenReader::new("name Clear Hash value on");
/// assert_eq!((tokens.next(), tokens.take_until(&["value"])), (Some("name"), "Clear Hash"));
/// assert_eq!(tokens.rest(), "value on");
/// ```
#[derive(Clone, Debug)]
pub struct TokenReader<'a> {
    rest: &'a str,
}

impl<'a> TokenReader<'a> {
    /// Creates a reader at the start of `line`.
    pub fn new(line: &'a str) -> Self {
        TokenReader { rest: line.trim() }
    }

    /// Returns the text that has not been read yet, without surrounding white space.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// Returns the next token without consuming it.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Consumes and returns the text before the first of the tokens `ends`, or up to the end of the line.
    pub fn take_until(&mut self, ends: &[&str]) -> &'a str {
        let all = self.rest;
        while self.peek().is_some_and(|token| !ends.contains(&token)) {
            self.next();
        }
        all[..all.len() - self.rest.len()].trim_end()
    }

    /// Parses the next token as a number; `after` is the keyword before it, for the error message.
    ///
    /// # Errors
    /// Returns an error if there is no such number.
    pub fn next_number<T: FromStr>(&mut self, after: &str) -> Result<T, ParseError> {
        let token = self.next();
        token
            .and_then(|token| token.parse().ok())
            .ok_or_else(|| ParseError::expected(format!("a whole number after {after}"), token))
    }
}

impl<'a> Iterator for TokenReader<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        (!token.is_empty()).then_some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_separated_by_white_space() {
        let mut tokens = TokenReader::new("  one\t two   three four \r");
        assert_eq!(
            (tokens.next(), tokens.peek(), tokens.rest()),
            (Some("one"), Some("two"), "two   three four")
        );
        assert_eq!(tokens.take_until(&["four"]), "two   three");
        assert_eq!((tokens.next(), tokens.next(), tokens.rest()), (Some("four"), None, ""));
        assert_eq!(TokenReader::new(" \t").next(), None);
        assert_eq!(TokenReader::new("a b").take_until(&[]), "a b");
    }

    #[test]
    fn errors_stay_short() {
        let error = ParseError::unknown_command(&"字\n".repeat(1000));
        assert!(error.to_string().len() < 120 && !error.to_string().contains('\n'), "{error}");
        assert_eq!(
            ParseError::expected("a move", None).to_string(),
            "expected a move, found the end of the line"
        );
    }
}

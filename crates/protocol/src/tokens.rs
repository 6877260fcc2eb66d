//! What all protocols share: the token reader, parse errors, engine options.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A line that is not a command of the protocol.
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

/// A number in the arguments of `go` that is missing, cannot be read or is out of range. The `go` is executed all the
/// same, because the GUI waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{expected}, found {found}: it is {result}")]
pub struct LimitIssue {
    /// What the protocol requires at this place.
    pub expected: String,
    /// The token found there, or `the end of the line`.
    pub found: String,
    /// `ignored`, or `replaced by` another number.
    pub result: String,
}

/// A number type of a limit.
pub(crate) trait LimitNumber: Copy + TryFrom<i128> + Into<i128> {
    /// The greatest number.
    const MAX: i128;
}

impl LimitNumber for u32 {
    const MAX: i128 = u32::MAX as i128;
}

impl LimitNumber for u64 {
    const MAX: i128 = u64::MAX as i128;
}

impl LimitNumber for i64 {
    const MAX: i128 = i64::MAX as i128;
}

/// Reads the numbers of a `go` and collects their issues.
#[derive(Clone, Debug)]
pub(crate) struct LimitReader<'a> {
    keywords: &'a [&'a str],
    pub(crate) issues: Vec<LimitIssue>,
}

impl<'a> LimitReader<'a> {
    /// Creates a reader. `keywords` are all words that are not taken for a missing number.
    pub(crate) fn new(keywords: &'a [&'a str]) -> Self {
        LimitReader { keywords, issues: Vec::new() }
    }

    /// Reads the number after `keyword`. A number out of range is replaced by the nearest one, a fraction is cut off,
    /// and a missing number or another text is ignored.
    pub(crate) fn read<T: LimitNumber>(
        &mut self,
        tokens: &mut TokenReader<'_>,
        keyword: &str,
        min: T,
    ) -> Option<T> {
        let token = tokens.peek().filter(|token| !self.keywords.contains(token));
        if token.is_some() {
            tokens.next();
        }
        let min: i128 = min.into();
        let exact = token.and_then(|token| token.parse::<i128>().ok());
        // The conversion from a floating-point number cuts off its fraction and saturates.
        let decimal =
            || token?.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number as i128);
        let number = exact.or_else(decimal);
        let used = number.map(|number| number.clamp(min, T::MAX));
        if exact.is_none() || exact != used {
            let expected = match number {
                Some(number) if number < min => format!("{keyword} is at least {min}"),
                _ => format!("expected a whole number after {keyword}"),
            };
            let found = match exact {
                Some(number) => number.to_string(),
                None => found_text(token.or(tokens.peek())),
            };
            let result = used.map_or_else(|| "ignored".into(), |number| format!("replaced by {number}"));
            self.issues.push(LimitIssue { expected, found, result });
        }
        used.and_then(|number| T::try_from(number).ok())
    }

    /// Notes a word that `go` does not have: protocols require that it is skipped, but it may be a misspelt limit.
    /// Numbers, and what is an issue already, are skipped in silence.
    pub(crate) fn skip_unknown(&mut self, token: &str) {
        let found = found_text(Some(token));
        let is_known = self.keywords.contains(&token) || self.issues.iter().any(|issue| issue.found == found);
        if !is_known && token.parse::<f64>().is_err() {
            self.issues.push(LimitIssue {
                expected: "go has no such word".into(),
                found,
                result: "ignored".into(),
            });
        }
    }
}

/// Returns a token for an error message: quoted and shortened, or `the end of the line`.
fn found_text(found: Option<&str>) -> String {
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

/// An option of an engine: UCI's `option`, CECP's `feature option`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name, which may contain spaces.
    pub name: String,
    /// The type and its range of values.
    pub kind: OptionKind,
}

/// The type of an option, as UCI calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off, with the default value.
    Check(bool),
    /// A whole number.
    Spin {
        /// The default value.
        default: u64,
        /// The minimum.
        min: u64,
        /// The maximum.
        max: u64,
    },
    /// One of several strings.
    Combo {
        /// The default value.
        default: String,
        /// All values, including the default.
        choices: Vec<String>,
    },
    /// Any text, such as the path of a file, with the default value.
    Text(String),
    /// An action without a value.
    Button,
}

impl EngineOption {
    /// Creates an option that is on or off.
    pub fn check(name: &str, default: bool) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Check(default) }
    }

    /// Creates an option that is a number.
    pub fn spin(name: &str, default: u64, min: u64, max: u64) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Spin { default, min, max } }
    }

    /// Creates an option that is one of several strings.
    pub fn combo(name: &str, default: &str, choices: &[&str]) -> EngineOption {
        let choices = choices.iter().map(|&choice| choice.into()).collect();
        EngineOption { name: name.into(), kind: OptionKind::Combo { default: default.into(), choices } }
    }

    /// Creates an option that is any text.
    pub fn text(name: &str, default: &str) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Text(default.into()) }
    }

    /// Creates an option that triggers an action.
    pub fn button(name: &str) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Button }
    }
}

/// Formats the type as UCI and UCCI write it after the name of an option.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Check(default) => write!(f, "type check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "type combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Text(default) => write!(f, "type string default {default}"),
            OptionKind::Button => write!(f, "type button"),
        }
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

    #[test]
    fn option_types_are_formatted() {
        let cases = [
            (EngineOption::check("Ponder", false), "type check default false"),
            (EngineOption::spin("Hash", 32, 1, 64), "type spin default 32 min 1 max 64"),
            (EngineOption::combo("R", "a", &["a", "b"]), "type combo default a var a var b"),
            (EngineOption::text("EvalFile", "<empty>"), "type string default <empty>"),
            (EngineOption::button("Clear Hash"), "type button"),
        ];
        for (option, text) in cases {
            assert_eq!(option.kind.to_string(), text);
        }
    }
}

//! What all protocols share: lines of words, faults, settings.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A line that is no command of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The first word is no command.
    #[error("unknown command {0:?}")]
    UnknownCommand(String),
    /// The command is known, but not what follows.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What would have been right.
        expected: String,
        /// What stood there, quoted and shortened, or `the end`.
        found: String,
    },
}

impl ParseError {
    /// A fault of a known command.
    pub fn expected(expected: impl Into<String>, found: Option<&str>) -> ParseError {
        let found = found.map_or_else(|| "the end".into(), |found| format!("{:?}", shorten(found)));
        ParseError::Expected { expected: expected.into(), found }
    }

    /// A line whose first word is no command.
    pub fn unknown_command(word: &str) -> ParseError {
        ParseError::UnknownCommand(shorten(word))
    }
}

/// A text that fits on a line of an answer: its first forty characters, control characters as blanks.
pub fn shorten(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut shown: String = letters.by_ref().take(40).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// The words of a line, one after another.
#[derive(Clone, Debug)]
pub struct TokenReader<'a> {
    rest: &'a str,
}

impl<'a> TokenReader<'a> {
    /// From the start of a line.
    pub fn new(line: &'a str) -> Self {
        TokenReader { rest: line.trim() }
    }

    /// What has not been read yet, without the white space around it.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next word, left where it is.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The text up to the first of these words, which is left where it is, or to the end of the line.
    pub fn take_until(&mut self, ends: &[&str]) -> &'a str {
        let all = self.rest;
        while self.peek().is_some_and(|word| !ends.contains(&word)) {
            self.next();
        }
        all[..all.len() - self.rest.len()].trim_end()
    }

    /// The number after a word, whatever kind of number the caller wants.
    ///
    /// # Errors
    /// If there is none.
    pub fn next_number<T: FromStr>(&mut self, after: &str) -> Result<T, ParseError> {
        let word = self.next();
        word.and_then(|word| word.parse().ok())
            .ok_or_else(|| ParseError::expected(format!("a whole number after {after}"), word))
    }
}

impl<'a> Iterator for TokenReader<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }
}

/// Something about an engine that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name, which may hold blanks.
    pub name: String,
    /// What it can be.
    pub kind: OptionKind,
}

/// What a setting can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off, and this if nobody says.
    Check(bool),
    /// A number.
    Spin {
        /// If nobody says.
        default: u64,
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// One of several words.
    Combo {
        /// If nobody says.
        default: String,
        /// All of them, the default among them.
        choices: Vec<String>,
    },
    /// Nothing but a deed.
    Button,
}

impl EngineOption {
    /// A setting that is on or off.
    pub fn check(name: &str, default: bool) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Check(default) }
    }

    /// A setting that is a number.
    pub fn spin(name: &str, default: u64, min: u64, max: u64) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Spin { default, min, max } }
    }

    /// A setting that is one of several words.
    pub fn combo(name: &str, default: &str, choices: &[&str]) -> EngineOption {
        let choices = choices.iter().map(|&choice| choice.into()).collect();
        EngineOption { name: name.into(), kind: OptionKind::Combo { default: default.into(), choices } }
    }

    /// A setting that is a deed.
    pub fn button(name: &str) -> EngineOption {
        EngineOption { name: name.into(), kind: OptionKind::Button }
    }
}

/// As UCI and UCCI describe it after its name.
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
            OptionKind::Button => write!(f, "type button"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_stands_between_white_space() {
        let mut words = TokenReader::new("  one\t two   three four \r");
        assert_eq!(
            (words.next(), words.peek(), words.rest()),
            (Some("one"), Some("two"), "two   three four")
        );
        assert_eq!(words.take_until(&["four"]), "two   three");
        assert_eq!((words.next(), words.next(), words.rest()), (Some("four"), None, ""));
        assert_eq!(TokenReader::new(" \t").next(), None);
        assert_eq!(TokenReader::new("a b").take_until(&[]), "a b");
    }

    #[test]
    fn faults_stay_short() {
        let fault = ParseError::unknown_command(&"字\n".repeat(1000));
        assert!(fault.to_string().len() < 120 && !fault.to_string().contains('\n'), "{fault}");
        assert_eq!(ParseError::expected("a move", None).to_string(), "expected a move, found the end");
    }

    #[test]
    fn settings_describe_themselves() {
        let kinds = [
            (EngineOption::check("Ponder", false), "type check default false"),
            (EngineOption::spin("Hash", 32, 1, 64), "type spin default 32 min 1 max 64"),
            (EngineOption::combo("R", "a", &["a", "b"]), "type combo default a var a var b"),
            (EngineOption::button("Clear Hash"), "type button"),
        ];
        for (setting, text) in kinds {
            assert_eq!(setting.kind.to_string(), text);
        }
    }
}

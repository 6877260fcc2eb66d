//! Extended Position Description (EPD): a position text, then operations, each a name with operands and a final `;`.
//!
//! Source: PGN standard, chapter 16.2 (S. J. Edwards, 1994). The standard describes chess; other programs use the
//! operations in the same way after the position texts of other games. An operand with spaces is quoted.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::errors::FenError;
use crate::game::{MoveCounters, Setup};

/// A position and the operations that describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd<S> {
    /// The position. Its counters come from the operations `hmvc` and `fmvn`, if they are present.
    pub setup: S,
    /// The operations in the order of the text.
    pub operations: Vec<EpdOperation>,
}

/// An operation: a name (opcode) and its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdOperation {
    /// The name: `bm`, `am`, `id`, `D5`.
    pub name: String,
    /// The operands: moves in SAN, numbers, texts without their quotes.
    pub operands: Vec<String>,
}

impl<S> Epd<S> {
    /// Returns the operands of the first operation with this name.
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        let operation = self.operations.iter().find(|operation| operation.name == name)?;
        Some(&operation.operands)
    }

    /// Returns the first operand of the first operation with this name.
    pub fn operand(&self, name: &str) -> Option<&str> {
        self.operands(name)?.first().map(String::as_str)
    }
}

/// What an EPD should contain at the offset of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpdExpected<E> {
    /// A part of the position.
    Position(E),
    /// The name of an operation.
    OperationName,
    /// The number of `hmvc` or `fmvn`.
    CounterValue,
    /// The closing quote of an operand.
    ClosingQuote,
}

impl<E: fmt::Display> fmt::Display for EpdExpected<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EpdExpected::Position(expected) => return expected.fmt(f),
            EpdExpected::OperationName => "a name that begins with a letter",
            EpdExpected::CounterValue => "a number after hmvc or fmvn",
            EpdExpected::ClosingQuote => "a closing quote",
        })
    }
}

/// Splits a position with moves, as in the position commands of UCI, at its word `moves`: the position, and what
/// follows the word. A word in the quotes of an operand is no such word.
///
/// ```
/// use alfil_kernel::epd::split_at_moves;
///
/// assert_eq!(split_at_moves("startpos moves e2e4 e7e5"), Some(("startpos", "e2e4 e7e5")));
/// assert_eq!(split_at_moves("4k3/8/8/8/8/8/8/4K2R w K - id \"three moves\";"), None);
/// ```
pub fn split_at_moves(text: &str) -> Option<(&str, &str)> {
    let (mut quotes, mut counted) = (0, 0);
    for (at, word) in text.match_indices(" moves") {
        quotes += text[counted..at].matches('"').count();
        counted = at;
        let rest = &text[at + word.len()..];
        if quotes % 2 == 0 && rest.chars().next().is_none_or(char::is_whitespace) {
            return Some((text[..at].trim(), rest.trim()));
        }
    }
    None
}

/// The error of a text that is not an EPD.
pub type EpdError<E> = FenError<EpdExpected<E>>;

/// Parses a position text with or without operations. A superfluous `;`, as perft suites have before the first
/// operation, is accepted. A name that begins with a non-ASCII character after the `;`, as lists of xiangqi puzzles
/// have it, is the operation `id`. Operations are on one line. If none of them has a `;`, the first must be an
/// operation of the standard, so that a mistake in the position is not read as an operation.
///
/// # Errors
/// Returns the byte offset of the error, what was expected there and what was found.
pub fn parse<S: Setup>(text: &str) -> Result<Epd<S>, EpdError<S::Expected>> {
    let position_error = match S::parse(text) {
        Ok(setup) => return Ok(Epd { setup, operations: Vec::new() }),
        Err(error) => error,
    };
    let semicolon = text.find(';').filter(|&end| is_one_line(&text[end..]));
    let semicolon = semicolon.and_then(|end| Some((S::parse(&text[..end]).ok()?, end)));
    let split = semicolon.or_else(|| split_at_error::<S>(text, &position_error));
    let Some((setup, offset)) = split else {
        let FenError { offset, field, expected, found } = position_error;
        return Err(FenError { offset, field, expected: EpdExpected::Position(expected), found });
    };
    let operations = OperationReader { text, offset }.operations()?;
    let mut epd = Epd { setup, operations };
    let counter =
        |name: &str, default| epd.operand(name).and_then(|operand| operand.parse().ok()).unwrap_or(default);
    let MoveCounters { halfmove_clock, fullmove_number } = epd.setup.counters();
    let counters = MoveCounters {
        halfmove_clock: counter("hmvc", halfmove_clock),
        fullmove_number: counter("fmvn", fullmove_number),
    };
    epd.setup = epd.setup.with_counters(counters);
    Ok(epd)
}

/// Returns the position before an error and the offset of the error, if operations start there.
fn split_at_error<S: Setup>(text: &str, error: &FenError<S::Expected>) -> Option<(S, usize)> {
    let (position, operations) = text.split_at_checked(error.offset)?;
    // A mistake in an earlier field is not the start of the operations.
    let is_early = matches!(error.field, "placement" | "side" | "castling" | "en passant" | "hand");
    let is_separate = position.ends_with(|c: char| c.is_ascii_whitespace());
    let name = operations.split(|c: char| c.is_ascii_whitespace() || c == ';').next().unwrap_or_default();
    let is_operation = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && (operations.contains(';') || is_standard_operation(name));
    let is_split = !is_early && is_separate && is_operation && is_one_line(operations);
    Some((S::parse(position).ok().filter(|_| is_split)?, error.offset))
}

fn is_one_line(text: &str) -> bool {
    !text.trim_end().contains('\n')
}

/// Returns whether a name is an operation of the standard, or the perft count of a depth.
fn is_standard_operation(name: &str) -> bool {
    let numbered = |letter: char| {
        let digits = name.strip_prefix(letter).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let names = [
        "acd",
        "acn",
        "acs",
        "am",
        "bm",
        "ce",
        "dm",
        "draw_accept",
        "draw_claim",
        "draw_offer",
        "draw_reject",
        "eco",
        "fmvn",
        "hmvc",
        "id",
        "nic",
        "noop",
        "pm",
        "pv",
        "rc",
        "resign",
        "sm",
        "tcgs",
        "tcri",
        "tcsi",
    ];
    names.contains(&name) || numbered('c') || numbered('v') || numbered('D')
}

/// A parser of operations.
struct OperationReader<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> OperationReader<'a> {
    fn operations<E: fmt::Display>(&mut self) -> Result<Vec<EpdOperation>, EpdError<E>> {
        let mut operations = Vec::new();
        loop {
            self.skip_while(|c| c.is_ascii_whitespace() || c == ';');
            if self.offset == self.text.len() {
                return Ok(operations);
            }
            let name = if operations.is_empty() { self.bare_name() } else { None };
            operations.push(match name {
                Some(name) => name,
                None => self.operation()?,
            });
        }
    }

    /// Reads a name up to the next `;`, if it begins with a character outside ASCII.
    fn bare_name(&mut self) -> Option<EpdOperation> {
        if self.text[self.offset..].starts_with(|c: char| c.is_ascii()) {
            return None;
        }
        let name = self.take_while(|c| c != ';');
        Some(EpdOperation { name: "id".to_owned(), operands: vec![name.trim_end().to_owned()] })
    }

    fn operation<E: fmt::Display>(&mut self) -> Result<EpdOperation, EpdError<E>> {
        let start = self.offset;
        let name = self.take_while(|c| !c.is_ascii_whitespace() && c != ';');
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(FenError::new(self.text, start, "operation", EpdExpected::OperationName));
        }
        self.skip_while(|c| c.is_ascii_whitespace());
        let operands_start = self.offset;
        let mut operands = Vec::new();
        loop {
            self.skip_while(|c| c.is_ascii_whitespace());
            match self.text[self.offset..].chars().next() {
                // Many files omit the `;` of the last operation.
                None | Some(';') => break,
                Some('"') => operands.push(self.quoted()?),
                Some(_) => {
                    operands.push(self.take_while(|c| !c.is_ascii_whitespace() && c != ';').to_owned())
                }
            }
        }
        let number = operands.first().and_then(|operand: &String| operand.parse::<u32>().ok());
        if matches!(name, "hmvc" | "fmvn") && number.is_none() {
            return Err(FenError::new(self.text, operands_start, "operation", EpdExpected::CounterValue));
        }
        Ok(EpdOperation { name: name.to_owned(), operands })
    }

    fn quoted<E: fmt::Display>(&mut self) -> Result<String, EpdError<E>> {
        self.offset += 1;
        let operand = self.take_while(|c| c != '"').to_owned();
        if self.offset == self.text.len() {
            return Err(FenError::new(self.text, self.offset, "operation", EpdExpected::ClosingQuote));
        }
        self.offset += 1;
        Ok(operand)
    }

    fn skip_while(&mut self, accept: impl Fn(char) -> bool) {
        self.take_while(accept);
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.offset..];
        let prefix = &rest[..rest.find(|c| !accept(c)).unwrap_or(rest.len())];
        self.offset += prefix.len();
        prefix
    }
}

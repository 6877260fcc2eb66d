//! Extended Position Description (EPD): the first four fields of a FEN, then operations, each a name with operands and
//! a final `;`.
//!
//! Source: PGN standard, chapter 16.2 (S. J. Edwards, 1994). An operand with spaces is quoted. A quote inside an
//! operand cannot be escaped, so [`format()`] omits it.

use alfil_kernel::MoveCounters;
use alfil_kernel::fen::Fields;

use crate::fen::{self, Expected, FenError};
use crate::setup::Setup;

/// A position and the operations that describe it.
///
/// ```
/// use alfil_chess::epd;
///
/// let text = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";";
/// let position = epd::parse(text)?;
/// assert_eq!((position.operand("bm"), position.operand("id")), (Some("Qg6"), Some("WAC.001")));
/// assert_eq!(epd::parse(&epd::format(&position))?, position);
/// # Ok::<(), alfil_chess::fen::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position. Its counters come from the operations `hmvc` and `fmvn`, if they are present.
    pub setup: Setup,
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

impl Epd {
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

/// Parses an EPD or a FEN with its two counters. A superfluous `;`, as perft suites have before the first operation, is
/// accepted.
///
/// # Errors
/// Returns the byte offset of the error, what was expected there and what was found.
pub fn parse(text: &str) -> Result<Epd, FenError> {
    let mut fields = Fields::new(text);
    let mut setup = fen::parse_shared_fields(text, &mut fields)?;
    let mut offset = fields.offset();
    let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((_, halfmove_clock)) = fields.next().filter(|(_, field)| is_number(field))
        && let Some((_, fullmove_number)) = fields.next().filter(|(_, field)| is_number(field))
        && let (Ok(halfmove_clock), Ok(fullmove_number)) = (halfmove_clock.parse(), fullmove_number.parse())
    {
        setup.counters = MoveCounters { halfmove_clock, fullmove_number };
        offset = fields.offset();
    }
    let operations = OperationReader { text, offset }.operations()?;
    let mut epd = Epd { setup, operations };
    let counter =
        |name: &str, default| epd.operand(name).and_then(|operand| operand.parse().ok()).unwrap_or(default);
    let MoveCounters { halfmove_clock, fullmove_number } = epd.setup.counters;
    epd.setup.counters = MoveCounters {
        halfmove_clock: counter("hmvc", halfmove_clock),
        fullmove_number: counter("fmvn", fullmove_number),
    };
    Ok(epd)
}

/// Writes an EPD. Counters that differ from the defaults are written as `hmvc` and `fmvn`, unless these operations are
/// present already.
pub fn format(epd: &Epd) -> String {
    let mut text = fen::format_shared_fields(&epd.setup, false);
    for operation in &epd.operations {
        text.push(' ');
        text += &operation.name;
        for operand in &operation.operands {
            let operand = operand.replace('"', "");
            let is_one_word =
                !operand.is_empty() && !operand.contains(|c: char| c.is_ascii_whitespace() || c == ';');
            // By the standard, the operands of `id` and `c0` to `c9` are always quoted.
            let is_text_operation =
                operation.name == "id" || matches!(operation.name.as_bytes(), [b'c', b'0'..=b'9']);
            if is_one_word && !is_text_operation {
                text += &format!(" {operand}");
            } else {
                text += &format!(" \"{operand}\"");
            }
        }
        text.push(';');
    }
    let (counters, defaults) = (epd.setup.counters, MoveCounters::default());
    for (name, value, default) in [
        ("hmvc", counters.halfmove_clock, defaults.halfmove_clock),
        ("fmvn", counters.fullmove_number, defaults.fullmove_number),
    ] {
        if value != default && epd.operand(name).is_none() {
            text += &format!(" {name} {value};");
        }
    }
    text
}

/// A parser of EPD operations.
struct OperationReader<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> OperationReader<'a> {
    fn operations(&mut self) -> Result<Vec<EpdOperation>, FenError> {
        let mut operations = Vec::new();
        loop {
            self.skip_while(|c| c.is_ascii_whitespace() || c == ';');
            if self.offset == self.text.len() {
                return Ok(operations);
            }
            operations.push(self.operation()?);
        }
    }

    fn operation(&mut self) -> Result<EpdOperation, FenError> {
        let start = self.offset;
        let name = self.take_while(|c| !c.is_ascii_whitespace() && c != ';');
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(FenError::new(self.text, start, "operation", Expected::OperationName));
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
            return Err(FenError::new(self.text, operands_start, "operation", Expected::CounterValue));
        }
        Ok(EpdOperation { name: name.to_owned(), operands })
    }

    fn quoted(&mut self) -> Result<String, FenError> {
        self.offset += 1;
        let operand = self.take_while(|c| c != '"').to_owned();
        if self.offset == self.text.len() {
            return Err(FenError::new(self.text, self.offset, "operation", Expected::ClosingQuote));
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

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Setup as _;
    use alfil_kernel::zobrist::SplitMix64;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn operations_with_and_without_operands_are_parsed() {
        let epd = parse(&format!("{START} bm Nf3 e4; id \"a; b\"; c0 \"\"; hmvc 3; fmvn 7; noop")).unwrap();
        assert_eq!(epd.operands("bm"), Some(&["Nf3".to_owned(), "e4".to_owned()][..]));
        assert_eq!(
            (epd.operand("id"), epd.operand("c0"), epd.operand("noop")),
            (Some("a; b"), Some(""), None)
        );
        assert_eq!(epd.setup.counters, MoveCounters { halfmove_clock: 3, fullmove_number: 7 });
        let epd = parse(&format!("{START} 5 9 ;D1 20 ;D2 400")).unwrap();
        assert_eq!((epd.operand("D2"), epd.setup.counters.halfmove_clock), (Some("400"), 5));
        assert_eq!(parse(START).unwrap().setup, Setup::start());
    }

    #[test]
    fn errors_give_offset_and_found_text() {
        let length = START.len();
        for (text, offset, found) in [
            (format!("{START} 3; "), length + 1, "'3'"),
            (format!("{START} id \"open"), length + 9, "the end"),
            (format!("{START} bm e4; ♔ x;"), length + 8, "'♔'"),
            (format!("{START} hmvc x;"), length + 6, "'x'"),
            (format!("{START} fmvn;"), length + 5, "';'"),
        ] {
            let error = parse(&text).expect_err(&text);
            assert_eq!(
                (error.offset, error.field, error.found_text().as_str()),
                (offset, "operation", found),
                "{text}"
            );
        }
    }

    #[test]
    fn a_quote_inside_an_operand_is_omitted() {
        let epd = parse(&format!("{START} bm Nf3\"; c0 \"x\";")).unwrap();
        assert_eq!(epd.operand("bm"), Some("Nf3\""));
        assert_eq!(format(&epd), format!("{START} bm Nf3; c0 \"x\";"));
    }

    #[test]
    fn random_epds_round_trip() {
        let mut random = SplitMix64::new(8);
        let operands = ["Nf3", "e4", "17", "+0.3", "a b", "x;y", "", "mate in 2", "ça"];
        for _ in 0..2_000 {
            let mut setup = Setup::chess960(random.below(960)).unwrap();
            setup.counters = MoveCounters {
                halfmove_clock: random.below(3) as u32,
                fullmove_number: random.below(3) as u32,
            };
            let operations = (0..random.below(5)).map(|i| EpdOperation {
                name: ["bm", "am", "id", "c0", "D3"][i].to_owned(),
                operands: (0..random.below(4))
                    .map(|_| operands[random.below(operands.len())].to_owned())
                    .collect(),
            });
            let epd = Epd { setup, operations: operations.collect() };
            let parsed = parse(&format(&epd)).unwrap();
            assert_eq!(parsed.setup, epd.setup, "{}", format(&epd));
            assert!(parsed.operations.starts_with(&epd.operations), "{}", format(&epd));
        }
    }
}

//! EPD: the four fields of a FEN that say what a position is, then operations: a name and operands, ended by `;`.
//!
//! After the PGN standard's chapter 16.2 (S. J. Edwards, 1994). An operand with spaces stands in quotes; there is no way to
//! write a quote inside, so a writer leaves it out.

use alfil_kernel::MoveCounters;

use crate::fen::{self, Expected, FenError, Fields};
use crate::setup::Setup;

/// A position and what is said about it.
///
/// ```
/// use alfil_chess::epd;
///
/// let row = epd::read("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";")?;
/// assert_eq!((row.operand("bm"), row.operand("id")), (Some("Qg6"), Some("WAC.001")));
/// assert_eq!(epd::read(&epd::write(&row))?, row);
/// # Ok::<(), alfil_chess::fen::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position; `hmvc` and `fmvn` among the operations are its counters.
    pub setup: Setup,
    /// The operations in their order.
    pub operations: Vec<EpdOperation>,
}

/// A name and its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdOperation {
    /// What is said: `bm`, `am`, `id`, `D5`.
    pub name: String,
    /// Of what: moves in SAN, numbers, texts without their quotes.
    pub operands: Vec<String>,
}

impl Epd {
    /// The operands of the first operation of this name.
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        let operation = self.operations.iter().find(|operation| operation.name == name)?;
        Some(&operation.operands)
    }

    /// The first operand of the first operation of this name.
    pub fn operand(&self, name: &str) -> Option<&str> {
        self.operands(name)?.first().map(String::as_str)
    }
}

/// Reads an EPD, or a FEN, whose two counters are then taken for what they are. A `;` too many, as perft suites write
/// before their first operation, is let pass.
///
/// # Errors
/// With the byte offset, what was expected there and what stood there.
pub fn parse(text: &str) -> Result<Epd, FenError> {
    let mut fields = Fields { text, offset: 0 };
    let mut setup = fen::parse_shared_fields(text, &mut fields)?;
    let mut at = fields.offset;
    let digits = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((_, quiet)) = fields.next().filter(|(_, field)| digits(field))
        && let Some((_, number)) = fields.next().filter(|(_, field)| digits(field))
        && let (Ok(quiet), Ok(number)) = (quiet.parse(), number.parse())
    {
        setup.counters = MoveCounters { halfmove_clock: quiet, fullmove_number: number };
        at = fields.offset;
    }
    let operations = OperationReader { text, offset: at }.operations()?;
    let mut epd = Epd { setup, operations };
    let counter =
        |name: &str, usual| epd.operand(name).and_then(|operand| operand.parse().ok()).unwrap_or(usual);
    let MoveCounters { halfmove_clock: quiet, fullmove_number: number } = epd.setup.counters;
    epd.setup.counters =
        MoveCounters { halfmove_clock: counter("hmvc", quiet), fullmove_number: counter("fmvn", number) };
    Ok(epd)
}

/// Writes an EPD. Counters other than the usual are written as `hmvc` and `fmvn` where the operations do not say them.
pub fn format(epd: &Epd) -> String {
    let mut text = fen::format_shared_fields(&epd.setup, false);
    for operation in &epd.operations {
        text.push(' ');
        text += &operation.name;
        for operand in &operation.operands {
            let operand = operand.replace('"', "");
            let plain =
                !operand.is_empty() && !operand.contains(|c: char| c.is_ascii_whitespace() || c == ';');
            // The standard's text operations are quoted always, whatever stands in them.
            let text_operation =
                operation.name == "id" || matches!(operation.name.as_bytes(), [b'c', b'0'..=b'9']);
            if plain && !text_operation {
                text += &format!(" {operand}");
            } else {
                text += &format!(" \"{operand}\"");
            }
        }
        text.push(';');
    }
    let MoveCounters { halfmove_clock: quiet, fullmove_number: number } = epd.setup.counters;
    let usual = MoveCounters::default();
    for (name, value, usual) in
        [("hmvc", quiet, usual.halfmove_clock), ("fmvn", number, usual.fullmove_number)]
    {
        if value != usual && epd.operand(name).is_none() {
            text += &format!(" {name} {value};");
        }
    }
    text
}

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
        let first = self.offset;
        let mut operands = Vec::new();
        loop {
            self.skip_while(|c| c.is_ascii_whitespace());
            match self.text[self.offset..].chars().next() {
                // The last operation may lack its end: many files do.
                None | Some(';') => break,
                Some('"') => operands.push(self.quoted()?),
                Some(_) => {
                    operands.push(self.take_while(|c| !c.is_ascii_whitespace() && c != ';').to_owned())
                }
            }
        }
        let number = operands.first().and_then(|operand: &String| operand.parse::<u32>().ok());
        if matches!(name, "hmvc" | "fmvn") && number.is_none() {
            return Err(FenError::new(self.text, first, "operation", Expected::CounterValue));
        }
        Ok(EpdOperation { name: name.to_owned(), operands })
    }

    fn quoted(&mut self) -> Result<String, FenError> {
        self.offset += 1;
        let inside = self.take_while(|c| c != '"').to_owned();
        if self.offset == self.text.len() {
            return Err(FenError::new(self.text, self.offset, "operation", Expected::ClosingQuote));
        }
        self.offset += 1;
        Ok(inside)
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        self.take_while(wanted);
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.offset..];
        let taken = &rest[..rest.find(|c| !wanted(c)).unwrap_or(rest.len())];
        self.offset += taken.len();
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Setup as _;
    use alfil_kernel::zobrist::SplitMix64;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn operations_of_every_shape_are_read() {
        let row = parse(&format!("{START} bm Nf3 e4; id \"a; b\"; c0 \"\"; hmvc 3; fmvn 7; noop")).unwrap();
        assert_eq!(row.operands("bm"), Some(&["Nf3".to_owned(), "e4".to_owned()][..]));
        assert_eq!(
            (row.operand("id"), row.operand("c0"), row.operand("noop")),
            (Some("a; b"), Some(""), None)
        );
        assert_eq!(row.setup.counters, MoveCounters { halfmove_clock: 3, fullmove_number: 7 });
        let row = parse(&format!("{START} 5 9 ;D1 20 ;D2 400")).unwrap();
        assert_eq!((row.operand("D2"), row.setup.counters.halfmove_clock), (Some("400"), 5));
        assert_eq!(parse(START).unwrap().setup, Setup::start());
    }

    #[test]
    fn errors_say_where_and_what() {
        let at = START.len();
        for (text, offset, found) in [
            (format!("{START} 3; "), at + 1, "'3'"),
            (format!("{START} id \"open"), at + 9, "the end"),
            (format!("{START} bm e4; ♔ x;"), at + 8, "'♔'"),
            (format!("{START} hmvc x;"), at + 6, "'x'"),
            (format!("{START} fmvn;"), at + 5, "';'"),
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
    fn a_quote_inside_an_operand_is_left_out() {
        let row = parse(&format!("{START} bm Nf3\"; c0 \"x\";")).unwrap();
        assert_eq!(row.operand("bm"), Some("Nf3\""));
        assert_eq!(format(&row), format!("{START} bm Nf3; c0 \"x\";"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut random = SplitMix64::new(8);
        let words = ["Nf3", "e4", "17", "+0.3", "a b", "x;y", "", "mate in 2", "ça"];
        for _ in 0..2_000 {
            let mut setup = Setup::chess960(random.below(960)).unwrap();
            setup.counters = MoveCounters {
                halfmove_clock: random.below(3) as u32,
                fullmove_number: random.below(3) as u32,
            };
            let operations = (0..random.below(5)).map(|i| EpdOperation {
                name: ["bm", "am", "id", "c0", "D3"][i].to_owned(),
                operands: (0..random.below(4)).map(|_| words[random.below(words.len())].to_owned()).collect(),
            });
            let epd = Epd { setup, operations: operations.collect() };
            let again = parse(&format(&epd)).unwrap();
            assert_eq!(again.setup, epd.setup, "{}", format(&epd));
            assert!(again.operations.starts_with(&epd.operations), "{}", format(&epd));
        }
    }
}

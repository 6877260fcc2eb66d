//! Extended Position Description (EPD): the first four fields of a FEN, then operations, each a name with operands and
//! a final `;`.
//!
//! Source: PGN standard, chapter 16.2 (S. J. Edwards, 1994). An operand with spaces is quoted. A quote inside an
//! operand cannot be escaped, so [`format()`] omits it.

use alloc::format;
use alloc::string::String;

use alfil_kernel::MoveCounters;
pub use alfil_kernel::epd::EpdOperation;

use crate::fen::{self, Expected};
use crate::setup::Setup;

/// A position of chess and the operations that describe it.
///
/// ```
/// use alfil_chess::epd;
///
/// let text = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";";
/// let position = epd::parse(text)?;
/// assert_eq!((position.operand("bm"), position.operand("id")), (Some("Qg6"), Some("WAC.001")));
/// assert_eq!(epd::parse(&epd::format(&position))?, position);
/// # Ok::<(), alfil_chess::epd::EpdError>(())
/// ```
pub type Epd = alfil_kernel::epd::Epd<Setup>;

/// The error of a text that is not an EPD of chess.
pub type EpdError = alfil_kernel::epd::EpdError<Expected>;

/// Parses an EPD or a FEN with its two counters: see [`alfil_kernel::epd::parse`].
///
/// # Errors
/// Returns the byte offset of the error, what was expected there and what was found.
pub fn parse(text: &str) -> Result<Epd, EpdError> {
    alfil_kernel::epd::parse(text)
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

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned as _;

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
        let epd = parse(&format!("{START} 5 9 ; 第一题 \"x\" ")).unwrap();
        assert_eq!((epd.operations.len(), epd.operand("id")), (1, Some("第一题 \"x\"")));
        let epd = parse(&format!("{START} 5 9 ;第一题; bm e4;")).unwrap();
        assert_eq!((epd.operand("id"), epd.operand("bm")), (Some("第一题"), Some("e4")));
        let epd = parse(&format!("{START} 5 9 ;D1 20 ;D2 400")).unwrap();
        assert_eq!((epd.operand("D2"), epd.setup.counters.halfmove_clock), (Some("400"), 5));
        assert_eq!(parse(START).unwrap().setup, Setup::start());
    }

    #[test]
    fn errors_give_offset_and_found_text() {
        let length = START.len();
        for (text, offset, found) in [
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
    fn a_mistake_in_the_position_is_no_operation() {
        for (text, field, mistake) in [
            (format!("{START} 3 4 5;"), "end", "5;"),
            (format!("{START} 0 1 x"), "end", "x"),
            (format!("{START} x y"), "halfmove clock", "x y"),
            (format!("{START} 0 1\nbm e4;\nbm d4;"), "end", "bm e4"),
            (START.replace(" w", " bm;"), "side", "bm;"),
            (START.replace("KQkq", "id;"), "castling", "id;"),
        ] {
            let error = parse(&text).expect_err(&text);
            assert_eq!((error.field, Some(error.offset)), (field, text.find(mistake)), "{text}");
        }
        assert_eq!(parse(&format!("{START} bm e4")).unwrap().operand("bm"), Some("e4"));
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

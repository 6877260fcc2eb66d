//! The rows of a perft suite, in any of three forms.
//!
//! JSON lines with `fen` (or `board`), `depth` and `nodes`; positions with a count for each depth, such as
//! `FEN ;D1 20 ;D2 400`; and the form of python-chess: a line `epd FEN`, then lines `perft DEPTH COUNT`.

use alfil_session::{GameSession, MAX_PERFT_DEPTH};
use serde_json::Value;

/// A count of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SuiteRow {
    pub(crate) fen: String,
    pub(crate) depth: u32,
    pub(crate) nodes: u128,
    pub(crate) convention: Option<String>,
}

/// Parses a file. Returns the index of the line with each row, or with the reason why it cannot be read.
pub(crate) fn parse_rows(text: &str, session: &dyn GameSession) -> Vec<(usize, Result<SuiteRow, String>)> {
    let mut rows = Vec::new();
    let mut position: Option<&str> = None;
    let text = text.trim_start_matches('\u{feff}');
    for (line_index, line) in text.lines().map(str::trim).enumerate() {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" | "id" => {}
            _ if line.starts_with('#') => {}
            "epd" => position = Some(rest.trim()),
            "perft" => rows.push((line_index, parse_perft_line(position, rest))),
            _ if line.starts_with('{') => rows.push((line_index, parse_json_row(line))),
            _ => match parse_epd_row(line, session) {
                Ok(found) => rows.extend(found.into_iter().map(|row| (line_index, Ok(row)))),
                Err(error) => rows.push((line_index, Err(error))),
            },
        }
    }
    rows
}

fn parse_json_row(text: &str) -> Result<SuiteRow, String> {
    let row: Value = serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))?;
    let fen = row.get("fen").or_else(|| row.get("board")).and_then(Value::as_str);
    let whole_number = |name: &str| {
        let value = row.get(name).filter(|value| value.is_number());
        value
            .and_then(|value| value.to_string().parse::<u128>().ok())
            .ok_or(format!("{name} is not a whole number"))
    };
    let convention = match row.get("convention") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) => Some(name.clone()),
        Some(_) => return Err("convention is not a text".into()),
    };
    Ok(SuiteRow {
        fen: fen.ok_or("fen (or board) is missing")?.to_owned(),
        depth: check_depth(whole_number("depth")?)?,
        nodes: whole_number("nodes")?,
        convention,
    })
}

fn check_depth(depth: u128) -> Result<u32, String> {
    let depth = u32::try_from(depth).ok().filter(|&depth| depth <= MAX_PERFT_DEPTH);
    depth.ok_or(format!("depth is above {MAX_PERFT_DEPTH}"))
}

/// Parses a position with operations `D1` to `D64`.
fn parse_epd_row(text: &str, session: &dyn GameSession) -> Result<Vec<SuiteRow>, String> {
    let operations = session.epd_operations(text).map_err(|error| error.message)?;
    let mut rows = Vec::new();
    for operation in operations {
        let Some(depth) = operation.name.strip_prefix('D').and_then(|depth| depth.parse::<u128>().ok())
        else {
            continue;
        };
        let [count] = &operation.operands[..] else {
            return Err(format!("{} has no count: expected one number", operation.name));
        };
        let nodes =
            count.parse().map_err(|_| format!("{}: {count:?} is not a whole number", operation.name))?;
        rows.push(SuiteRow { fen: text.to_owned(), depth: check_depth(depth)?, nodes, convention: None });
    }
    match rows.is_empty() {
        true => Err("the position has no counts such as ;D1 20".into()),
        false => Ok(rows),
    }
}

/// Parses the depth and the count of a line `perft 1 20` for the position of the last line `epd`.
fn parse_perft_line(position: Option<&str>, numbers: &str) -> Result<SuiteRow, String> {
    let fen = position.ok_or("perft: a line epd with the position is missing before it")?;
    let numbers: Vec<_> = numbers.split_whitespace().map(str::parse::<u128>).collect();
    let [Ok(depth), Ok(nodes)] = numbers[..] else {
        return Err("expected perft, a depth and a count".into());
    };
    Ok(SuiteRow { fen: fen.to_owned(), depth: check_depth(depth)?, nodes, convention: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_session::registry;

    /// The index of a line, and its depth and count.
    type Parsed = (usize, Result<(u32, u128), String>);

    fn parse(text: &str) -> Vec<Parsed> {
        let session = registry::open("chess", None).unwrap();
        let rows = parse_rows(text, session.as_ref()).into_iter();
        rows.map(|(line_index, row)| (line_index, row.map(|row| (row.depth, row.nodes)))).collect()
    }

    #[test]
    fn three_forms_of_rows_are_read() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let text = format!("# a suite\n\n{fen} ;D1 15 ;D2 66\n{fen} id \"x\"; D3 1197;\n");
        assert_eq!(parse(&text), [(2, Ok((1, 15))), (2, Ok((2, 66))), (3, Ok((3, 1197)))]);
        let text = format!("id pos-1\nepd {fen}\nperft 1 15\nperft 2 66\n");
        assert_eq!(parse(&text), [(2, Ok((1, 15))), (3, Ok((2, 66)))]);
        let text = format!("{{\"fen\": \"{fen}\", \"depth\": 1, \"nodes\": 15}}");
        assert_eq!(parse(&text), [(0, Ok((1, 15)))]);
    }

    #[test]
    fn faulty_rows_give_the_reason() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        for (text, expected) in [
            (fen.to_owned(), "no counts such as ;D1 20"),
            (format!("{fen} ;D1"), "D1 has no count"),
            (format!("{fen} ;D1 x"), "D1: \"x\" is not a whole number"),
            (format!("{fen} ;D65 1"), "depth is above 64"),
            ("4k3/8 w ;D1 1".to_owned(), "position text, byte 5"),
            ("perft 1 20".to_owned(), "a line epd"),
            (
                r#"{"fen":"startpos","depth":2,"nodes":400,"convention":5}"#.to_owned(),
                "convention is not a text",
            ),
            (format!("epd {fen}\nperft 1"), "expected perft, a depth and a count"),
        ] {
            let rows = parse(&text);
            let error = rows[0].1.as_ref().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}

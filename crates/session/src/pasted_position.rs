//! Positions as people paste them.

use std::borrow::Cow;

/// Returns the position text within a pasted one: without quotation marks around it, or from the address of a board on
/// a site, such as `https://lichess.org/analysis/standard/FEN` or `...?fen=FEN`. Another text is returned as it is.
///
/// ```
/// use alfil_session::pasted_position;
///
/// let fen = "8/8/8/4k3/8/8/8/4K2R w K - 0 1";
/// assert_eq!(pasted_position(&format!("\"{fen}\" ")), fen);
/// let path = fen.replace(' ', "_");
/// assert_eq!(pasted_position(&format!("https://lichess.org/analysis/standard/{path}#3")), fen);
/// let query = fen.replace(' ', "%20");
/// assert_eq!(pasted_position(&format!("https://www.chess.com/analysis?fen={query}&flip=true")), fen);
/// assert_eq!(pasted_position(fen), fen);
/// ```
pub fn pasted_position(text: &str) -> Cow<'_, str> {
    let text = without_quotation_marks(text.trim());
    let address = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some(address) = address.filter(|address| !address.contains(char::is_whitespace)) else {
        return Cow::Borrowed(text);
    };
    let (address, _) = address.split_once('#').unwrap_or((address, ""));
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    if let Some(value) = query.split('&').find_map(|part| part.strip_prefix("fen=")) {
        return Cow::Owned(percent_decoded(&value.replace(['+', '_'], " ")));
    }
    let path = percent_decoded(path);
    let is_before_ranks = |segment: &str| {
        let is_rank = |mark: char| mark.is_ascii_digit() || "pnbrqkacheNPBRQKACHE".contains(mark);
        segment.is_empty() || !segment.chars().all(is_rank)
    };
    let mut segments: Vec<_> = path.split('/').collect();
    let start = segments.iter().take_while(|segment| is_before_ranks(segment)).count();
    match segments.split_off(start) {
        ranks if ranks.is_empty() => Cow::Borrowed(text),
        ranks => Cow::Owned(ranks.join("/").replace('_', " ")),
    }
}

fn without_quotation_marks(text: &str) -> &str {
    [('"', '"'), ('\'', '\''), ('`', '`'), ('\u{201c}', '\u{201d}'), ('\u{300c}', '\u{300d}')]
        .into_iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close))
        .unwrap_or(text)
        .trim()
}

/// Decodes `%XX`; what is no such code stays as it is.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = text_of(after.get(..2)).filter(|_| first == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn text_of(bytes: Option<&[u8]>) -> Option<&str> {
    std::str::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_quotation_marks_are_read_as_positions_of_any_game() {
        let xiangqi = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        for text in [
            format!("'{xiangqi}'"),
            format!("\u{201c}{xiangqi}\u{201d}"),
            format!("https://www.pychess.org/analysis/xiangqi?fen={}", xiangqi.replace(' ', "_")),
            format!("https://www.pychess.org/analysis/xiangqi?fen={}", xiangqi.replace(' ', "+")),
            format!("https://example.org/editor/{}", xiangqi.replace(' ', "_").replace('/', "%2F")),
        ] {
            assert_eq!(pasted_position(&text), xiangqi, "{text}");
        }
        // Neither an address without a position nor a damaged code is changed.
        for text in [
            "https://lichess.org/AbCd1234",
            "startpos",
            "\"",
            "",
            "100%",
            "http://%",
            "[Site \"https://lichess.org/editor/8/8\"]",
        ] {
            assert_eq!(pasted_position(text), text);
        }
        assert_eq!(pasted_position("https://lichess.org/editor/8/8%2_w"), "8/8%2 w");
    }
}

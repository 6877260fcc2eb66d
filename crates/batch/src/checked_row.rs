//! Rows of JSON with a checksum as their last field: `{"number":3,"result":"1-0","crc32":"1f2e3d4c"}`.
//!
//! The checksum is the CRC-32 (IEEE 802.3) of the text before that field. It begins with a seed, the checksum of what
//! the row belongs to: a row that is copied to another file is then as wrong as one with a changed digit. Every change
//! of a single bit of a row is found.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The name of the last field.
pub const CHECKSUM_FIELD: &str = "crc32";

/// The number of hexadecimal digits of a checksum.
const DIGITS: usize = 8;

/// Returns the line of a row, without a line end, and its checksum.
///
/// ```
/// use alfil_batch::checked_row::{checked_line, parse_checked_line};
///
/// let row = serde_json::json!({"number": 3});
/// let (line, checksum) = checked_line(0, &row);
/// assert_eq!(line, format!("{{\"number\":3,\"crc32\":\"{checksum:08x}\"}}"));
/// assert_eq!(parse_checked_line(0, &line), Some((row, checksum)));
/// assert_eq!(parse_checked_line::<serde_json::Value>(0, &line.replace('3', "4")), None);
/// ```
///
/// # Panics
/// If the row is not a JSON object with at least one field.
pub fn checked_line(seed: u32, row: &impl Serialize) -> (String, u32) {
    let text = serde_json::to_string(row).expect("plain data can be written as JSON");
    let fields = text.strip_suffix('}').filter(|fields| fields.starts_with("{\""));
    let fields = fields.expect("a row is an object with fields");
    let checksum = checksum(seed, fields);
    (format!("{fields},\"{CHECKSUM_FIELD}\":\"{checksum:08x}\"}}"), checksum)
}

/// Parses a line without its line end. Returns the row without its checksum, and the checksum; `None` if the line is
/// damaged, has another seed, has no checksum, or is the row of another type.
pub fn parse_checked_line<T: DeserializeOwned>(seed: u32, line: &str) -> Option<(T, u32)> {
    let line = line.strip_suffix("\"}")?;
    let (line, digits) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
    let fields = line.strip_suffix("\":\"")?.strip_suffix(CHECKSUM_FIELD)?.strip_suffix(",\"")?;
    let checksum = checksum(seed, fields);
    // The digits are compared as text: upper-case ones are a change, too.
    let row = (format!("{checksum:08x}") == digits).then(|| serde_json::from_str(&format!("{fields}}}")))?;
    Some((row.ok()?, checksum))
}

fn checksum(seed: u32, text: &str) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(seed);
    hasher.update(text.as_bytes());
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn every_changed_bit_and_every_other_seed_is_noticed() {
        let (line, _) = checked_line(7, &json!({"number": 3, "moves": ["炮二平五"], "crc32": "0"}));
        assert!(parse_checked_line::<Value>(7, &line).is_some());
        assert_eq!(parse_checked_line::<Value>(8, &line), None);
        for bit in 0..8 * line.len() {
            let mut bytes = line.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            assert_eq!(parse_checked_line::<Value>(7, &changed), None, "{changed}");
        }
        for length in 0..line.len() {
            let start = line.get(..length).unwrap_or_default();
            assert_eq!(parse_checked_line::<Value>(7, start), None, "{start}");
        }
    }
}

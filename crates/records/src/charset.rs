//! Character encodings of record files.
//!
//! New files are UTF-8. Old ones use the encoding of their country: chess Windows-1252 (a superset of
//! Latin-1), xiangqi GB18030 in mainland China and Big5 in Taiwan and Hong Kong. Bytes that are not UTF-8 are
//! decoded as one of these, and the game reports which.

use std::borrow::Cow;

use encoding_rs::{BIG5, GB18030, WINDOWS_1252};

/// A character encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// UTF-8, including ASCII.
    Utf8,
    /// Windows-1252, including Latin-1.
    Windows1252,
    /// GB18030, including GBK and GB2312.
    Gb18030,
    /// Big5 with the extensions of Taiwan and Hong Kong.
    Big5,
}

impl Charset {
    /// Returns the name of the encoding on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "utf-8",
            Charset::Windows1252 => "windows-1252",
            Charset::Gb18030 => "gb18030",
            Charset::Big5 => "big5",
        }
    }

    /// Returns whether an ASCII byte may be the second byte of a character.
    pub(crate) const fn is_wide(self) -> bool {
        matches!(self, Charset::Gb18030 | Charset::Big5)
    }

    fn encoding(self) -> &'static encoding_rs::Encoding {
        match self {
            Charset::Utf8 => encoding_rs::UTF_8,
            Charset::Windows1252 => WINDOWS_1252,
            Charset::Gb18030 => GB18030,
            Charset::Big5 => BIG5,
        }
    }

    /// Decodes bytes; invalid ones become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.encoding().decode_without_bom_handling(bytes).0
    }

    /// Encodes a text.
    ///
    /// # Errors
    /// Returns the first character that the encoding does not have.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut encoder = self.encoding().new_encoder();
        let mut rest = text;
        loop {
            let capacity = encoder.max_buffer_length_from_utf8_without_replacement(rest.len());
            bytes.reserve(capacity.unwrap_or(rest.len()));
            let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
            match result {
                encoding_rs::EncoderResult::InputEmpty => return Ok(bytes),
                encoding_rs::EncoderResult::Unmappable(character) => return Err(character),
                encoding_rs::EncoderResult::OutputFull => rest = &rest[read..],
            }
        }
    }

    /// Returns how many of `bytes` decode to the first `length` bytes of UTF-8.
    pub(crate) fn bytes_before(self, bytes: &[u8], length: usize) -> usize {
        if length == 0 || self == Charset::Utf8 {
            return length.min(bytes.len());
        }
        let mut decoder = self.encoding().new_decoder_without_bom_handling();
        let (mut written, mut output) = (0, [0; 16]);
        for (index, byte) in bytes.iter().enumerate() {
            if written >= length {
                return index;
            }
            written += decoder.decode_to_utf8(&[*byte], &mut output, false).2;
        }
        bytes.len()
    }
}

/// The encoding of bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LegacyEncoding {
    /// Windows-1252.
    #[default]
    Western,
    /// GB18030 or Big5, whichever decodes to more of the characters common in xiangqi records.
    Chinese,
    /// This encoding.
    Charset(Charset),
}

/// Characters common in xiangqi records.
const COMMON_XIANGQI_CHARACTERS: &str = "帅帥将將仕士相象马馬车車炮砲兵卒进進退平前后後中红紅黑方先胜勝负負和局一二三四五六七八九１２３４５６７８９";

impl LegacyEncoding {
    /// Detects the encoding of bytes that are not all ASCII. The last character may be incomplete.
    pub(crate) fn detect(self, bytes: &[u8]) -> Charset {
        match std::str::from_utf8(bytes) {
            Ok(_) => return Charset::Utf8,
            Err(error) if error.error_len().is_none() => return Charset::Utf8,
            Err(_) => {}
        }
        match self {
            LegacyEncoding::Western => Charset::Windows1252,
            LegacyEncoding::Charset(charset) => charset,
            LegacyEncoding::Chinese => {
                let common = |charset: Charset| {
                    charset
                        .decode(bytes)
                        .chars()
                        .filter(|&character| COMMON_XIANGQI_CHARACTERS.contains(character))
                        .count()
                };
                if common(Charset::Big5) > common(Charset::Gb18030) {
                    Charset::Big5
                } else {
                    Charset::Gb18030
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_encodings_are_detected_and_encoded_back() {
        let simple = "[Red \"红方\"]\n炮二平五 马８进７";
        let traditional = "[Red \"紅方\"]\n炮二平五 馬８進７";
        for (charset, text) in [(Charset::Gb18030, simple), (Charset::Big5, traditional)] {
            let bytes = charset.encode(text).unwrap();
            assert_eq!(LegacyEncoding::Chinese.detect(&bytes), charset, "{text}");
            assert_eq!(charset.decode(&bytes), text);
            for (at, _) in text.char_indices() {
                let before = charset.bytes_before(&bytes, at);
                assert_eq!(charset.decode(&bytes[..before]), text[..at], "{text}");
            }
        }
        assert_eq!(LegacyEncoding::Chinese.detect(simple.as_bytes()), Charset::Utf8);
        assert_eq!(LegacyEncoding::Chinese.detect(&simple.as_bytes()[..7]), Charset::Utf8);
        assert_eq!(LegacyEncoding::Western.detect(b"Gr\xfcnfeld"), Charset::Windows1252);
        assert_eq!(Charset::Big5.encode("红"), Err('红'));
        assert_eq!(Charset::Windows1252.encode("Grünfeld"), Ok(b"Gr\xfcnfeld".to_vec()));
    }
}

//! Which characters the bytes of a file mean.
//!
//! New files are UTF-8. Old ones are in the code of the country they were made in: chess in Windows-1252 (Latin-1 and a
//! few signs more), xiangqi in GB18030 on the mainland and in Big5 in Taiwan and Hong Kong. What is not UTF-8 is taken for
//! one of those, and the record says for which.

use std::borrow::Cow;

use encoding_rs::{BIG5, GB18030, WINDOWS_1252};

/// A code of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// UTF-8; plain ASCII too.
    Utf8,
    /// Windows-1252, of which Latin-1 is a part.
    Windows1252,
    /// GB18030, of which GBK and GB2312 are parts.
    Gb18030,
    /// Big5, as Taiwan and Hong Kong write it.
    Big5,
}

impl Charset {
    /// Its name on a command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "utf-8",
            Charset::Windows1252 => "windows-1252",
            Charset::Gb18030 => "gb18030",
            Charset::Big5 => "big5",
        }
    }

    /// Whether a byte that looks like ASCII may be the second half of a character.
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

    /// The characters; what is none becomes U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.encoding().decode_without_bom_handling(bytes).0
    }

    /// The bytes.
    ///
    /// # Errors
    /// The first character that the code does not have.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut encoder = self.encoding().new_encoder();
        let mut rest = text;
        loop {
            let room = encoder.max_buffer_length_from_utf8_without_replacement(rest.len());
            bytes.reserve(room.unwrap_or(rest.len()));
            let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
            match result {
                encoding_rs::EncoderResult::InputEmpty => return Ok(bytes),
                encoding_rs::EncoderResult::Unmappable(character) => return Err(character),
                encoding_rs::EncoderResult::OutputFull => rest = &rest[read..],
            }
        }
    }

    /// How many of these bytes make the first `length` bytes of their text in UTF-8.
    pub(crate) fn bytes_before(self, bytes: &[u8], length: usize) -> usize {
        if length == 0 || self == Charset::Utf8 {
            return length.min(bytes.len());
        }
        let mut decoder = self.encoding().new_decoder_without_bom_handling();
        let (mut written, mut room) = (0, [0; 16]);
        for (index, byte) in bytes.iter().enumerate() {
            if written >= length {
                return index;
            }
            written += decoder.decode_to_utf8(&[*byte], &mut room, false).2;
        }
        bytes.len()
    }
}

/// What bytes may be that are not UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LegacyEncoding {
    /// Windows-1252.
    #[default]
    Western,
    /// GB18030 or Big5: whichever gives more of the characters that a record of xiangqi is made of.
    Chinese,
    /// This one.
    Charset(Charset),
}

/// The characters by which a record of xiangqi is known.
const COMMON_XIANGQI_CHARACTERS: &str = "帅帥将將仕士相象马馬车車炮砲兵卒进進退平前后後中红紅黑方先胜勝负負和局一二三四五六七八九１２３４５６７８９";

impl LegacyEncoding {
    /// What these bytes are in, of which some are not ASCII. A character may be cut off at the end.
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
                let known = |charset: Charset| {
                    charset
                        .decode(bytes)
                        .chars()
                        .filter(|&character| COMMON_XIANGQI_CHARACTERS.contains(character))
                        .count()
                };
                if known(Charset::Big5) > known(Charset::Gb18030) { Charset::Big5 } else { Charset::Gb18030 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_codes_are_told_apart_and_written_back() {
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

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
        TextCursor::new(self, bytes).advance_to(length)
    }
}

/// Converts ascending places in a decoded text to places in its bytes.
pub(crate) struct TextCursor<'a> {
    charset: Charset,
    bytes: &'a [u8],
    decoder: encoding_rs::Decoder,
    /// How many of the bytes are decoded, and to how many bytes of UTF-8.
    read: usize,
    written: usize,
}

impl<'a> TextCursor<'a> {
    pub(crate) fn new(charset: Charset, bytes: &'a [u8]) -> Self {
        let decoder = charset.encoding().new_decoder_without_bom_handling();
        TextCursor { charset, bytes, decoder, read: 0, written: 0 }
    }

    /// Returns how many of the bytes decode to the first `length` bytes of UTF-8, which must not decrease.
    pub(crate) fn advance_to(&mut self, length: usize) -> usize {
        if self.charset == Charset::Utf8 {
            return length.min(self.bytes.len());
        }
        let mut output = [0; 16];
        while self.written < length
            && let Some(byte) = self.bytes.get(self.read)
        {
            self.written += self.decoder.decode_to_utf8(&[*byte], &mut output, false).2;
            self.read += 1;
        }
        self.read
    }
}

/// Returns the bytes after the byte order mark of UTF-8, if there is one.
pub(crate) fn strip_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// Detects the encoding of the texts of a file of a Chinese program. Unlike a text file, it is GB18030 unless it is
/// certainly another: many hanzi of GB2312, such as those of 全胜, are valid as two-byte characters of UTF-8. The last
/// character of a text may be incomplete.
pub(crate) fn detect_chinese_texts(texts: &[&[u8]]) -> Charset {
    if texts.iter().all(|text| is_gb2312(text)) {
        return Charset::Gb18030;
    }
    let is_utf8 = texts.iter().all(|text| is_cut_utf8(text));
    if is_utf8 {
        // In UTF-8, hanzi have three bytes, the first of which is at least 0xE0.
        let has_hanzi = texts.iter().any(|text| text.iter().any(|&byte| byte >= 0xE0));
        return if has_hanzi { Charset::Utf8 } else { Charset::Gb18030 };
    }
    let count = |charset: Charset, counts: fn(char) -> bool| {
        texts.iter().map(|text| charset.decode(text).chars().filter(|&c| counts(c)).count()).sum::<usize>()
    };
    let faults = |charset| count(charset, |character| character == '\u{fffd}');
    let common = |charset| count(charset, is_common_in_xiangqi);
    let is_big5 =
        common(Charset::Big5) > common(Charset::Gb18030) && faults(Charset::Big5) <= faults(Charset::Gb18030);
    if is_big5 { Charset::Big5 } else { Charset::Gb18030 }
}

/// Returns whether a text is UTF-8, except for an incomplete character at its end.
fn is_cut_utf8(text: &[u8]) -> bool {
    std::str::from_utf8(text).err().is_none_or(|error| error.error_len().is_none())
}

/// Returns whether a text is ASCII and GB2312, except for an incomplete character at its end.
fn is_gb2312(text: &[u8]) -> bool {
    let mut bytes = text.iter();
    while let Some(&lead) = bytes.next() {
        let is_valid = lead.is_ascii()
            || matches!(lead, 0xA1..=0xA9 | 0xB0..=0xF7)
                && bytes.next().is_none_or(|trail| matches!(trail, 0xA1..=0xFE));
        if !is_valid {
            return false;
        }
    }
    true
}

fn is_common_in_xiangqi(character: char) -> bool {
    COMMON_XIANGQI_CHARACTERS.contains(character)
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
        if is_cut_utf8(bytes) {
            return Charset::Utf8;
        }
        match self {
            LegacyEncoding::Western => Charset::Windows1252,
            LegacyEncoding::Charset(charset) => charset,
            LegacyEncoding::Chinese => {
                let common = |charset: Charset| {
                    charset.decode(bytes).chars().filter(|&character| is_common_in_xiangqi(character)).count()
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
    fn texts_of_chinese_programs_are_gb18030_unless_they_are_certainly_another_encoding() {
        let detect = |charset: Charset, texts: &[&str]| {
            let bytes: Vec<_> = texts.iter().map(|text| charset.encode(text).unwrap()).collect();
            detect_chinese_texts(&bytes.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        for texts in [&["全胜"][..], &["卢", "谢", "郑石", "陆"], &["Red", "全 胜"], &["红方", "朱镕基"], &[]]
        {
            assert_eq!(detect(Charset::Gb18030, texts), Charset::Gb18030, "{texts:?}");
        }
        for texts in [&["胡荣华"][..], &["全胜", "柳大华"], &["紅方"]] {
            assert_eq!(detect(Charset::Utf8, texts), Charset::Utf8, "{texts:?}");
        }
        assert_eq!(detect(Charset::Big5, &["紅方", "炮二平五 馬８進７"]), Charset::Big5);
        // The last character of a field may be cut.
        assert_eq!(detect_chinese_texts(&["胡荣".as_bytes(), &"柳大华".as_bytes()[..7]]), Charset::Utf8);
        assert_eq!(detect_chinese_texts(&[b"\xC8\xAB\xCA"]), Charset::Gb18030);
    }

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

//! Character encodings of record files.
//!
//! New files are UTF-8. Old ones use the encoding of their country: chess Windows-1252 (a superset of Latin-1), or
//! Windows-1251 for Cyrillic letters; xiangqi GB18030 in mainland China and Big5 in Taiwan and Hong Kong. Bytes that
//! are not UTF-8 are decoded as one of these, and the game reports which. UTF-8 with a few damaged bytes stays UTF-8.

use std::borrow::Cow;

use encoding_rs::{BIG5, GB18030, WINDOWS_1251, WINDOWS_1252};

/// A character encoding.
///
/// ```
/// use alfil_records::charset::Charset;
///
/// let bytes = Charset::Gb18030.encode("炮二平五").unwrap();
/// assert_eq!((bytes.len(), &*Charset::Gb18030.decode(&bytes)), (8, "炮二平五"));
/// assert_eq!(Charset::Windows1252.encode("Dvořák"), Err('ř'));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// UTF-8, including ASCII.
    Utf8,
    /// Windows-1252, including Latin-1.
    Windows1252,
    /// Windows-1251: Cyrillic letters.
    Windows1251,
    /// GB18030, including GBK and GB2312.
    Gb18030,
    /// Big5 with the extensions of Taiwan and Hong Kong.
    Big5,
}

impl Charset {
    /// All encodings.
    pub const ALL: [Charset; 5] =
        [Charset::Utf8, Charset::Gb18030, Charset::Big5, Charset::Windows1252, Charset::Windows1251];

    /// Returns the encoding with this name.
    pub fn from_name(name: &str) -> Option<Charset> {
        Charset::ALL.into_iter().find(|charset| charset.name() == name)
    }

    /// Returns the name of the encoding on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "utf-8",
            Charset::Windows1252 => "windows-1252",
            Charset::Windows1251 => "windows-1251",
            Charset::Gb18030 => "gb18030",
            Charset::Big5 => "big5",
        }
    }

    /// Returns whether an ASCII byte may be the second byte of a character.
    pub(crate) const fn is_double_byte(self) -> bool {
        matches!(self, Charset::Gb18030 | Charset::Big5)
    }

    fn encoding(self) -> &'static encoding_rs::Encoding {
        match self {
            Charset::Utf8 => encoding_rs::UTF_8,
            Charset::Windows1252 => WINDOWS_1252,
            Charset::Windows1251 => WINDOWS_1251,
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

/// Converts ascending byte offsets in a decoded text to offsets in its bytes.
pub(crate) enum TextCursor<'a> {
    Utf8(Utf8Cursor<'a>),
    Legacy(LegacyCursor<'a>),
}

impl<'a> TextCursor<'a> {
    pub(crate) fn new(charset: Charset, bytes: &'a [u8]) -> Self {
        match charset {
            Charset::Utf8 => TextCursor::Utf8(Utf8Cursor::new(bytes)),
            _ => TextCursor::Legacy(LegacyCursor {
                bytes,
                decoder: charset.encoding().new_decoder_without_bom_handling(),
                read: 0,
                written: 0,
            }),
        }
    }

    /// Returns how many of the bytes decode to the first `length` bytes of UTF-8, which must not decrease.
    pub(crate) fn advance_to(&mut self, length: usize) -> usize {
        match self {
            TextCursor::Utf8(cursor) => cursor.advance_to(length),
            TextCursor::Legacy(cursor) => cursor.advance_to(length),
        }
    }
}

/// A position in UTF-8 text of which a few bytes may be damaged.
pub(crate) struct Utf8Cursor<'a> {
    bytes: &'a [u8],
    /// How many of the bytes are read, and to how many bytes they decode.
    read: usize,
    written: usize,
    /// How many valid bytes follow, and how many invalid ones after them, which decode to one U+FFFD.
    valid: usize,
    invalid: usize,
}

impl<'a> Utf8Cursor<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut cursor = Utf8Cursor { bytes, read: 0, written: 0, valid: 0, invalid: 0 };
        cursor.read_chunk();
        cursor
    }

    fn read_chunk(&mut self) {
        let chunk = self.bytes[self.read..].utf8_chunks().next();
        (self.valid, self.invalid) =
            chunk.map_or((0, 0), |chunk| (chunk.valid().len(), chunk.invalid().len()));
    }

    fn advance_to(&mut self, length: usize) -> usize {
        loop {
            let step = (length - self.written).min(self.valid);
            self.read += step;
            self.written += step;
            self.valid -= step;
            let is_within_replacement = length < self.written + char::REPLACEMENT_CHARACTER.len_utf8();
            if self.written == length || self.invalid == 0 || is_within_replacement {
                return self.read;
            }
            self.read += self.invalid;
            self.written += char::REPLACEMENT_CHARACTER.len_utf8();
            self.read_chunk();
        }
    }
}

/// A place in a text of another encoding.
pub(crate) struct LegacyCursor<'a> {
    bytes: &'a [u8],
    decoder: encoding_rs::Decoder,
    /// How many of the bytes are decoded, and to how many bytes of UTF-8.
    read: usize,
    written: usize,
}

impl LegacyCursor<'_> {
    fn advance_to(&mut self, length: usize) -> usize {
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
    let is_utf8 = texts.iter().all(|text| is_utf8_prefix(text));
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

/// Returns whether a text is UTF-8, perhaps with an incomplete character at its end.
fn is_utf8_prefix(text: &[u8]) -> bool {
    std::str::from_utf8(text).err().is_none_or(|error| error.error_len().is_none())
}

/// Returns whether a text is UTF-8 with some damage: it has more characters of at least `min_bytes` bytes than invalid
/// sequences.
fn is_damaged_utf8(text: &[u8], min_bytes: usize) -> bool {
    let (mut valid, mut invalid) = (0_usize, 0_usize);
    for chunk in text.utf8_chunks() {
        valid += chunk.valid().chars().filter(|character| character.len_utf8() >= min_bytes).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid > invalid
}

/// Returns whether a text that is not UTF-8 is Windows-1251: it has more words of three or more Cyrillic letters than
/// words of Latin letters with accents. No word of a Western language has accents on all its letters.
fn is_cyrillic(text: &[u8]) -> bool {
    let (cyrillic, western) = count_words(text);
    cyrillic > western
}

/// Returns whether a text that is not UTF-8 has a word of Latin letters with accents.
pub(crate) fn has_accents(text: &[u8]) -> bool {
    count_words(text).1 > 0
}

/// Returns how many words have only Cyrillic letters, three or more, and how many have letters with and without
/// accents.
fn count_words(text: &[u8]) -> (usize, usize) {
    let is_high = |byte: &u8| matches!(byte, 0xC0..=0xFF | 0xA8 | 0xB8);
    let (mut cyrillic, mut western) = (0, 0);
    for word in text.split(|byte| !byte.is_ascii_alphabetic() && !is_high(byte)) {
        let high = word.iter().filter(|byte| is_high(byte)).count();
        cyrillic += usize::from(high >= 3 && high == word.len());
        western += usize::from(high > 0 && high < word.len());
    }
    (cyrillic, western)
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
///
/// ```
/// use alfil_records::charset::{Charset, LegacyEncoding};
///
/// let bytes = Charset::Big5.encode("炮二平五 馬８進７ 車九平八").unwrap();
/// assert_eq!(LegacyEncoding::Chinese.detect(&bytes), Charset::Big5);
/// assert_eq!(LegacyEncoding::Western.detect(b"Caf\xe9 de la R\xe9gence"), Charset::Windows1252);
/// let bytes = Charset::Windows1251.encode("Алехин, Александр").unwrap();
/// assert_eq!(LegacyEncoding::Western.detect(&bytes), Charset::Windows1251);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LegacyEncoding {
    /// Windows-1252, or Windows-1251 if the words are Cyrillic.
    #[default]
    Western,
    /// GB18030 or Big5, whichever decodes to more of the characters common in xiangqi records.
    Chinese,
}

/// Characters common in xiangqi records.
const COMMON_XIANGQI_CHARACTERS: &str = "帅帥将將仕士相象马馬车車炮砲兵卒进進退平前后後中红紅黑方先胜勝负負和局一二三四五六七八九１２３４５６７８９";

impl LegacyEncoding {
    /// Detects the encoding of bytes that are not all ASCII. The last character may be incomplete, and a few bytes of
    /// UTF-8 may be damaged.
    pub fn detect(self, bytes: &[u8]) -> Charset {
        if is_utf8_prefix(bytes) { Charset::Utf8 } else { self.detect_invalid_utf8(bytes) }
    }

    /// Detects the encoding of bytes that are not valid UTF-8.
    pub(crate) fn detect_invalid_utf8(self, bytes: &[u8]) -> Charset {
        match self {
            LegacyEncoding::Western if is_damaged_utf8(bytes, 2) => Charset::Utf8,
            LegacyEncoding::Western if is_cyrillic(bytes) => Charset::Windows1251,
            LegacyEncoding::Western => Charset::Windows1252,
            // In UTF-8, hanzi have three bytes. Two bytes that are valid in UTF-8 are frequent in GB18030.
            LegacyEncoding::Chinese if is_damaged_utf8(bytes, 3) => Charset::Utf8,
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
    use proptest::prelude::*;

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

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]
        #[test]
        fn a_damaged_byte_does_not_change_the_encoding(
            hanzi in "[一-龥]{20,200}",
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
        ) {
            for (charset, moves) in
                [(Charset::Utf8, "炮二平五 马８进７"), (Charset::Gb18030, "炮二平五 马８进７"), (Charset::Big5, "炮二平五 馬８進７")]
            {
                // Big5 does not have every hanzi.
                let in_charset = hanzi.chars().filter(|&hanzi| charset.encode(hanzi.encode_utf8(&mut [0; 4])).is_ok());
                let text = format!("{moves} {{{}}}", in_charset.collect::<String>());
                let valid = charset.encode(&text).unwrap();
                prop_assert_eq!(LegacyEncoding::Chinese.detect(&valid), charset, "{}", text);
                let mut damaged = valid.clone();
                let at = at.index(damaged.len());
                damaged[at] = byte;
                prop_assert_eq!(LegacyEncoding::Chinese.detect(&damaged), charset, "{} at {}", text, at);
                if charset == Charset::Utf8 {
                    let changed = charset.decode(&damaged).chars().filter(|c| !text.contains(*c)).count();
                    prop_assert!(changed <= 3, "{text}");
                }
            }
        }

        #[test]
        fn places_in_a_damaged_text_are_found(text in "[a-zé中😀]{0,30}", at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = text.into_bytes();
            bytes.push(b'x');
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let decoded = Charset::Utf8.decode(&bytes);
            let mut cursor = TextCursor::new(Charset::Utf8, &bytes);
            for (place, character) in decoded.char_indices().filter(|(_, character)| *character != '\u{fffd}') {
                let before = cursor.advance_to(place);
                prop_assert_eq!(before, Charset::Utf8.bytes_before(&bytes, place));
                prop_assert!(bytes[before..].starts_with(character.encode_utf8(&mut [0; 4]).as_bytes()), "{:?}", bytes);
            }
        }
    }

    #[test]
    fn names_of_other_countries_survive_a_damaged_byte() {
        let damaged = b"M\xc3\xbcller, Gr\xc3\xbcnfeld \xff";
        assert_eq!(LegacyEncoding::Western.detect(damaged), Charset::Utf8);
        assert_eq!(Charset::Utf8.decode(damaged), "Müller, Grünfeld \u{fffd}");
        // One fault for each character shows another encoding.
        assert_eq!(LegacyEncoding::Western.detect(b"M\xc3\xbcller, Gr\xfcnfeld"), Charset::Windows1252);
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

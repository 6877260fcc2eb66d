//! Parses and writes the tag pairs of PGN: `[White "Adolf Anderssen"]`.

use std::borrow::Cow;

use crate::error::RecordErrorKind;
use crate::tags::Tags;

/// The tag section of a game.
#[derive(Debug)]
pub(crate) struct TagSection {
    pub(crate) tags: Tags,
    /// The offset at which the tags end and the movetext begins.
    pub(crate) end: usize,
    /// The malformed tags and their offsets.
    pub(crate) warnings: Vec<(usize, RecordErrorKind)>,
    /// The ranges of the comments before the first tag.
    pub(crate) comments: Vec<(usize, usize)>,
}

/// The number of tags for which a game needs no second allocation.
const USUAL_TAGS: usize = 16;

/// The bytes that end a plain value.
const ENDS_VALUE: [bool; 256] = {
    let mut ends = [false; 256];
    let mut index = 0;
    while index < b"\"\\\n\r\0".len() {
        ends[b"\"\\\n\r\0"[index] as usize] = true;
        index += 1;
    }
    ends
};

/// Parses the tag section. Blank lines and escaped lines (`%`) before and between the tags are skipped. Comments before
/// the first tag are collected; a comment after a tag ends the section.
pub(crate) fn parse_tag_section(text: &str) -> TagSection {
    let tags = Tags::with_capacity(USUAL_TAGS);
    let mut section = TagSection { tags, end: 0, warnings: Vec::new(), comments: Vec::new() };
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let start = skip_whitespace(text, at);
        match bytes.get(start) {
            Some(b'[') => {
                at = match parse_tag_pair(&text[start..]) {
                    Ok((name, value, length)) => {
                        section.tags.push(name, value);
                        start + length
                    }
                    Err((kind, length)) => {
                        section.warnings.push((start, kind));
                        start + length
                    }
                };
                section.end = at;
            }
            Some(b'%') if start == 0 || matches!(bytes[start - 1], b'\n' | b'\r') => {
                at = line_end(text, start);
            }
            // A comment before the first tag belongs to the game; one after the tags belongs to the movetext.
            Some(b'{') if section.tags.is_empty() => {
                let Some(length) = memchr::memchr(b'}', &bytes[start..]) else { break };
                section.comments.push((start + 1, start + length));
                at = start + length + 1;
            }
            Some(b';') if section.tags.is_empty() => {
                at = line_end(text, start);
                section.comments.push((start + 1, at));
            }
            _ => break,
        }
    }
    // The tokens of the movetext begin at the end of the tags: a comment after invalid tags is one of them.
    let end = section.end;
    section.comments.retain(|&(start, _)| start < end);
    section
}

fn skip_whitespace(text: &str, mut at: usize) -> usize {
    while matches!(text.as_bytes().get(at), Some(b' ' | b'\n' | b'\r')) {
        at += 1;
    }
    if text.as_bytes().get(at).is_some_and(|byte| matches!(byte, b'!'..=b'~')) {
        return at;
    }
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len())
}

fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length)
}

/// A tag pair: name, value and length in the text.
type TagPair<'a> = (Cow<'a, str>, Cow<'a, str>, usize);

/// Parses a tag pair to name, value and length, or to the error and the length to skip.
fn parse_tag_pair(text: &str) -> Result<TagPair<'_>, (RecordErrorKind, usize)> {
    if let Some((name, value, length)) = parse_plain_tag_pair(text) {
        return Ok((name.into(), value.into(), length));
    }
    let line = line_end(text, 0);
    let text = &text[..line];
    let content = text[1..].trim_start();
    let letters = content.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let rest_of_name = content[letters..].find(|c: char| c.is_whitespace() || matches!(c, '"' | ']'));
    let (name, rest) = content.split_at(rest_of_name.map_or(content.len(), |length| letters + length));
    let value = rest.trim_start();
    let offset = text.len() - value.len();
    if name.is_empty() {
        let length = text.find(']').map_or(line, |at| at + 1);
        return Err((RecordErrorKind::TagWithoutName, length));
    }
    if !value.starts_with('"') {
        let length = text.find(']').map_or(line, |at| at + 1);
        return Err((RecordErrorKind::TagWithoutQuotes(name.to_owned()), length));
    }
    match value_end(value.as_bytes()) {
        Some((end, length)) => {
            let value = sanitise_value(unescape(&value[1..end]));
            Ok((sanitise_name(name), value.into(), offset + length))
        }
        None => Err((RecordErrorKind::UnclosedTagValue(name.to_owned()), line)),
    }
}

/// Parses a tag pair as almost every program writes it: `[Name "Value"]`, without an escape.
fn parse_plain_tag_pair(text: &str) -> Option<(&str, &str, usize)> {
    let bytes = text.as_bytes();
    let name_end = 1 + bytes[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let rest = bytes[name_end..].strip_prefix(b" \"").filter(|_| name_end > 1)?;
    let end = rest.iter().position(|&byte| ENDS_VALUE[usize::from(byte)])?;
    let value = name_end + 2;
    rest[end..].starts_with(b"\"]").then(|| (&text[1..name_end], &text[value..value + end], value + end + 2))
}

/// Returns the offset of the closing quote of a quoted value and the end of the tag. A quote without a
/// bracket after it belongs to the value, because files contain unescaped quotes.
fn value_end(value: &[u8]) -> Option<(usize, usize)> {
    let mut at = 1;
    while let Some(&byte) = value.get(at) {
        match byte {
            b'\\' if matches!(value.get(at + 1), Some(b'\\' | b'"')) => at += 1,
            b'"' => {
                let blank = value[at + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                if value.get(at + 1 + blank) == Some(&b']') {
                    return Some((at, at + blank + 2));
                }
            }
            b'\n' | b'\r' => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

fn unescape(value: &str) -> String {
    if memchr::memchr(b'\\', value.as_bytes()).is_none() {
        return value.to_owned();
    }
    let mut unescaped = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(character) = characters.next() {
        let escapes = character == '\\' && matches!(characters.peek(), Some('\\' | '"'));
        unescaped.push(if escapes { characters.next().unwrap_or(character) } else { character });
    }
    unescaped
}

/// Replaces the characters that a tag name cannot have by underscores.
fn sanitise_name(name: &str) -> Cow<'_, str> {
    let is_invalid =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '[' | ']' | '{' | '}');
    if name.is_empty() {
        return "_".into();
    }
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return name.into();
    }
    name.chars().map(|c| if is_invalid(c) { '_' } else { c }).collect()
}

/// Replaces line breaks and NUL in a value by spaces.
fn sanitise_value(value: String) -> String {
    if memchr::memchr3(b'\n', b'\r', 0, value.as_bytes()).is_none() {
        return value;
    }
    value.chars().map(|c| if matches!(c, '\n' | '\r' | '\0') { ' ' } else { c }).collect()
}

/// Writes a tag pair.
pub(crate) fn write_tag_pair(name: &str, value: &str, text: &mut String) {
    text.push('[');
    text.push_str(&sanitise_name(name));
    text.push_str(" \"");
    let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | b'\n' | b'\r' | 0);
    if value.as_bytes().iter().all(is_plain) {
        text.push_str(value);
        text.push_str("\"]\n");
        return;
    }
    for character in sanitise_value(value.to_owned()).chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            _ => text.push(character),
        }
    }
    text.push_str("\"]\n");
}

/// Returns the rest of a line after its tag pairs. It finds the same ends as [`parse_tag_section`], except of malformed
/// tags, but in bytes whose encoding may be unknown. `is_double_byte` says whether the encoding has characters of two
/// bytes.
pub(super) fn skip_tag_pairs(mut line: &[u8], is_double_byte: bool) -> &[u8] {
    loop {
        let text = line.trim_ascii_start();
        let [b'[', rest @ ..] = text else { return text };
        let quote = rest.iter().position(|&byte| matches!(byte, b'"' | b']'));
        line = match quote {
            None => return &[],
            Some(at) if rest[at] == b']' => &rest[at + 1..],
            // The second bytes of GB18030 and Big5 characters may look like quotes. In such files no movetext
            // follows a tag on its line.
            Some(_) if is_double_byte => return &[],
            // The next quote is that at the end of the line.
            Some(at)
                if rest.ends_with(b"\"]")
                    && memchr::memchr(b'"', &rest[at + 1..])
                        .is_some_and(|next| at + next + 3 == rest.len()) =>
            {
                return &[];
            }
            Some(at) => match value_end(&rest[at..]) {
                None => return &[],
                Some((_, length)) => &rest[at + length..],
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::is_tag_pair;

    fn parse(text: &str) -> (Vec<(String, String)>, Vec<String>, String) {
        let section = parse_tag_section(text);
        let tags = section.tags.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let warnings = section.warnings.into_iter().map(|(at, kind)| format!("{at}: {kind}")).collect();
        (tags, warnings, text[section.end..].trim().into())
    }

    #[test]
    fn tags_are_parsed_as_files_write_them() {
        for (text, name, value, rest) in [
            ("[White \"A\"]\n\n1. e4", "White", "A", "1. e4"),
            ("\u{feff}[White\t\"A\" ] 1. e4", "White", "A", "1. e4"),
            ("% made by hand\n\n[ White\"A\"]\n", "White", "A", ""),
            (r#"[Event "the \"best\" of \\ \n"]"#, "Event", r#"the "best" of \ \n"#, ""),
            (r#"[Event "the "best" game"]"#, "Event", r#"the "best" game"#, ""),
            (r#"[Event ""] *"#, "Event", "", "*"),
            ("{a file}\n[Event \"[x] {y} ;z\"]{game}", "Event", "[x] {y} ;z", "{game}"),
        ] {
            assert_eq!(parse(text), (vec![(name.into(), value.into())], vec![], rest.into()), "{text}");
        }
    }

    #[test]
    fn malformed_tags_are_reported_and_skipped() {
        let text = "[]\n[White]\n[Black \"B]\n[Round \"1\"]\n1. e4";
        let (tags, warnings, rest) = parse(text);
        assert_eq!(tags, [("Round".into(), "1".into())]);
        let expected = [
            "0: the tag has no name",
            "3: the value of the tag White is not in quotes",
            "11: the value of the tag Black has no closing quote",
        ];
        assert_eq!((warnings.as_slice(), rest.as_str()), (&expected.map(String::from)[..], "1. e4"));
    }

    #[test]
    fn written_tags_parse_back() {
        for value in ["", "a", r#"a "b"] c"#, r"\", r#"\""#, "  x ", "\u{feff}"] {
            for name in ["Name", "X_1", "Red-Club", "比赛"] {
                let mut text = String::new();
                write_tag_pair(name, value, &mut text);
                assert_eq!(parse_tag_section(&text).tags.value(name), Some(value), "{text}");
                assert!(is_tag_pair(text.trim().as_bytes()), "{text}");
            }
        }
    }
}

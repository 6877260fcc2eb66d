//! Tags: `[White "Adolf Anderssen"]`.

use crate::error::RecordErrorKind;
use crate::game_tree::Tags;

/// The tags at the head of a game.
pub(super) struct TagSection {
    pub(super) tags: Tags,
    /// Where they end and the moves begin.
    pub(super) end: usize,
    /// The bytes at which something stands that is no tag, and what.
    pub(super) warnings: Vec<(usize, RecordErrorKind)>,
    /// What comments before the tags say.
    pub(super) comments: Vec<(usize, usize)>,
}

/// Reads the tags with which a game begins: lines that start with a bracket; blank lines, comments and escaped lines
/// before and between them are passed over.
pub(super) fn parse_tag_section(text: &str) -> TagSection {
    let mut head = TagSection { tags: Tags::new(), end: 0, warnings: Vec::new(), comments: Vec::new() };
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let start = skip_whitespace(text, at);
        match bytes.get(start) {
            Some(b'[') => {
                at = match parse_tag_pair(&text[start..]) {
                    Ok((name, value, length)) => {
                        head.tags.push(name, value);
                        start + length
                    }
                    Err((reason, length)) => {
                        head.warnings.push((start, reason));
                        start + length
                    }
                };
                head.end = at;
            }
            Some(b'%') if start == 0 || matches!(bytes[start - 1], b'\n' | b'\r') => {
                at = line_end(text, start);
            }
            // A comment may stand before the first tag; behind the tags it belongs to the moves.
            Some(b'{') if head.tags.is_empty() => {
                let Some(length) = memchr::memchr(b'}', &bytes[start..]) else { return head };
                head.comments.push((start + 1, start + length));
                at = start + length + 1;
            }
            Some(b';') if head.tags.is_empty() => {
                at = line_end(text, start);
                head.comments.push((start + 1, at));
            }
            _ => break,
        }
    }
    if head.end == 0 {
        head.comments.clear();
    }
    head
}

fn skip_whitespace(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len())
}

fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length)
}

/// A tag at the beginning of a text: its name, its value, its length; or what is wrong and how much to pass over.
fn parse_tag_pair(text: &str) -> Result<(String, String, usize), (RecordErrorKind, usize)> {
    let line = line_end(text, 0);
    let text = &text[..line];
    let inside = text[1..].trim_start();
    let name_end = inside.find(|c: char| c.is_whitespace() || matches!(c, '"' | ']')).unwrap_or(inside.len());
    let (name, rest) = inside.split_at(name_end);
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
            Ok((sanitise_name(name), sanitise_value(&unescape(&value[1..end])), offset + length))
        }
        None => Err((RecordErrorKind::UnclosedTagValue(name.to_owned()), line)),
    }
}

/// Where the closing quote of a value stands that begins with one, and where its bracket ends. A quote that no bracket
/// follows belongs to the value, because people forget to escape it.
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
    if !value.contains('\\') {
        return value.to_owned();
    }
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escapes = letter == '\\' && matches!(letters.peek(), Some('\\' | '"'));
        plain.push(if escapes { letters.next().unwrap_or(letter) } else { letter });
    }
    plain
}

/// A name as one word: what breaks that becomes an underscore.
fn sanitise_name(name: &str) -> String {
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '[' | ']' | '{' | '}');
    if name.is_empty() {
        return "_".into();
    }
    name.chars().map(|c| if odd(c) { '_' } else { c }).collect()
}

/// A value as one line: what breaks that becomes a blank.
fn sanitise_value(value: &str) -> String {
    value.chars().map(|c| if matches!(c, '\n' | '\r' | '\0') { ' ' } else { c }).collect()
}

/// A tag as it is written.
pub(super) fn write_tag_pair(name: &str, value: &str, text: &mut String) {
    text.push('[');
    text.push_str(&sanitise_name(name));
    text.push_str(" \"");
    for letter in sanitise_value(value).chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            _ => text.push(letter),
        }
    }
    text.push_str("\"]\n");
}

/// Whether a line is a tag and nothing else.
pub(crate) fn is_tag_pair(line: &[u8]) -> bool {
    let [b'[', rest @ ..] = line else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"") && line.trim_ascii_end().ends_with(b"\"]")
}

/// What stands on a line behind the tags with which it begins. The same cut as [`read`] makes, on bytes whose characters
/// are not known yet.
pub(super) fn skip_tag_pairs(mut line: &[u8], wide: bool) -> &[u8] {
    loop {
        let text = line.trim_ascii_start();
        let [b'[', rest @ ..] = text else { return text };
        let quote = rest.iter().position(|&byte| matches!(byte, b'"' | b']'));
        line = match quote {
            None => return &[],
            Some(at) if rest[at] == b']' => &rest[at + 1..],
            // Only in the codes that need it are halves of characters told from ASCII; there, no tag shares a line with
            // moves.
            Some(_) if wide => return &[],
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

    fn pairs(text: &str) -> (Vec<(String, String)>, Vec<String>, String) {
        let head = parse_tag_section(text);
        let tags = head.tags.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let faults = head.warnings.into_iter().map(|(at, reason)| format!("{at}: {reason}")).collect();
        (tags, faults, text[head.end..].trim().into())
    }

    #[test]
    fn tags_are_read_as_people_write_them() {
        for (text, name, value, rest) in [
            ("[White \"A\"]\n\n1. e4", "White", "A", "1. e4"),
            ("\u{feff}[White\t\"A\" ] 1. e4", "White", "A", "1. e4"),
            ("% made by hand\n\n[ White\"A\"]\n", "White", "A", ""),
            (r#"[Event "the \"best\" of \\ \n"]"#, "Event", r#"the "best" of \ \n"#, ""),
            (r#"[Event "the "best" game"]"#, "Event", r#"the "best" game"#, ""),
            (r#"[Event ""] *"#, "Event", "", "*"),
            ("{a file}\n[Event \"[x] {y} ;z\"]{game}", "Event", "[x] {y} ;z", "{game}"),
        ] {
            assert_eq!(pairs(text), (vec![(name.into(), value.into())], vec![], rest.into()), "{text}");
        }
    }

    #[test]
    fn what_is_no_tag_is_said_and_passed_over() {
        let text = "[]\n[White]\n[Black \"B]\n[Round \"1\"]\n1. e4";
        let (tags, faults, rest) = pairs(text);
        assert_eq!(tags, [("Round".into(), "1".into())]);
        let expected = [
            "0: a tag without a name",
            "3: the tag White has no value in quotes",
            "11: the value of the tag Black has no end",
        ];
        assert_eq!((faults.as_slice(), rest.as_str()), (&expected.map(String::from)[..], "1. e4"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for value in ["", "a", r#"a "b"] c"#, r"\", r#"\""#, "  x ", "\u{feff}"] {
            let mut text = String::new();
            write_tag_pair("Name", value, &mut text);
            assert_eq!(parse_tag_section(&text).tags.value("Name"), Some(value), "{text}");
            assert!(is_tag_pair(text.trim().as_bytes()), "{text}");
        }
    }
}

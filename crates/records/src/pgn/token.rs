//! The tokens of PGN movetext.

use alfil_kernel::Outcome;
use memchr::{memchr, memchr2};

/// A token of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A word that should be a move.
    Move(&'a str),
    /// A numeric annotation glyph: `$14`, or a symbol such as `!?`.
    Nag(u8),
    /// A comment in braces or after a semicolon.
    Comment(&'a str),
    /// `(`: begins a variation, which replaces the last move.
    OpenVariation,
    /// `)`: ends a variation.
    CloseVariation,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for an unknown result.
    Result(Option<Outcome>),
    /// A comment without a closing brace, which reaches to the end of the game.
    UnclosedComment,
    /// `$` without a number from 0 to 255.
    InvalidNag,
    /// `}` outside a comment.
    UnmatchedBrace,
}

/// Splits movetext into tokens with their byte offsets. Move numbers and dots are skipped: they are redundant
/// and often wrong.
///
/// ```
/// use alfil_records::pgn::{Token, Tokens};
///
/// let tokens: Vec<_> = Tokens::new("1.e4! {best} e5 (1... c5) *").map(|(_, token)| token).collect();
/// use Token::{CloseVariation, Comment, Move, Nag, OpenVariation, Result};
/// assert_eq!(tokens[..4], [Move("e4"), Nag(1), Comment("best"), Move("e5")]);
/// assert_eq!(tokens[4..], [OpenVariation, Move("c5"), CloseVariation, Result(None)]);
/// ```
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// The symbol at the end of the last word.
    pending_nag: Option<(usize, u8)>,
    /// Whether comments may be nested.
    nested_comments: bool,
}

/// The maximal distance from the first closing brace to the end of a nested comment.
const MAX_NESTED_COMMENT_BYTES: usize = 4096;

/// The effect of a byte on the current word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    /// A letter or sign of a move, which begins or continues a word.
    Letter,
    /// A digit, which may begin a move number.
    Digit,
    /// Another byte that begins or continues a word.
    Word,
    /// Ends the word.
    Whitespace,
    /// Ends the word and begins another token.
    Delimiter,
    /// May begin a space or ellipsis of several bytes.
    MultiByte,
}

const BYTE_CLASSES: [ByteClass; 256] = {
    let mut classes = [ByteClass::Word; 256];
    let mut byte = 0;
    while byte < 0x80 {
        if byte <= b' ' as usize {
            classes[byte] = ByteClass::Whitespace;
        } else if (byte as u8).is_ascii_alphabetic() {
            classes[byte] = ByteClass::Letter;
        } else if (byte as u8).is_ascii_digit() {
            classes[byte] = ByteClass::Digit;
        }
        byte += 1;
    }
    let signs = b"+#=-:";
    let mut index = 0;
    while index < signs.len() {
        classes[signs[index] as usize] = ByteClass::Letter;
        index += 1;
    }
    classes[0x7f] = ByteClass::Whitespace;
    classes[b',' as usize] = ByteClass::Whitespace;
    let delimiters = b"{}();$";
    let mut index = 0;
    while index < delimiters.len() {
        classes[delimiters[index] as usize] = ByteClass::Delimiter;
        index += 1;
    }
    // U+3000 is E3 80 80, U+FEFF is EF BB BF, U+2026 is E2 80 A6, U+00A0 is C2 A0; the wide signs begin with EF.
    classes[0xe2] = ByteClass::MultiByte;
    classes[0xe3] = ByteClass::MultiByte;
    classes[0xef] = ByteClass::MultiByte;
    classes[0xc2] = ByteClass::MultiByte;
    classes
};

/// Spaces of several bytes, the ellipsis and the wide comma.
const MULTI_BYTE_BLANKS: [&str; 5] = ["\u{3000}", "\u{feff}", "\u{a0}", "\u{2026}", "，"];

/// The wide parentheses and braces of Chinese typography, with the byte of those of ASCII.
const WIDE_DELIMITERS: [(&str, u8); 4] = [("（", b'('), ("）", b')'), ("｛", b'{'), ("｝", b'}')];

/// Returns the wide delimiter with which bytes begin, as its byte of ASCII and its length.
fn wide_delimiter(bytes: &[u8]) -> Option<(u8, usize)> {
    let found = WIDE_DELIMITERS.iter().find(|(wide, _)| bytes.starts_with(wide.as_bytes()));
    found.map(|&(wide, delimiter)| (delimiter, wide.len()))
}

impl<'a> Tokens<'a> {
    /// Creates the tokens of a text.
    pub fn new(text: &'a str) -> Self {
        Self::starting_at(text, 0, false)
    }

    /// Creates the tokens from offset `at` on. With nested comments the outermost comment is the token; if
    /// its braces do not match, it ends at the first closing brace.
    pub(super) fn starting_at(text: &'a str, at: usize, nested: bool) -> Self {
        Tokens { text, at, pending_nag: None, nested_comments: nested }
    }

    /// Returns the text before the next token.
    pub(super) fn text_before(&self) -> &'a str {
        &self.text[..self.at]
    }

    /// Skips the rest of a variation with its closing parenthesis and nested variations. Moves and NAGs are
    /// not checked. Returns whether there is the closing parenthesis; without it, everything is skipped.
    pub(super) fn skip_variation(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        self.pending_nag = None;
        let mut depth = 1u64;
        while let Some(&byte) = bytes.get(self.at) {
            let start = self.at;
            self.at += 1;
            match byte {
                b'{' | b';' => {
                    self.read_comment(start);
                }
                b'%' if self.is_line_start(start) => self.at = self.line_end(start),
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return true;
                    }
                }
                0xef => match wide_delimiter(&bytes[start..]) {
                    Some((b'(', _)) => depth += 1,
                    Some((b')', length)) => {
                        self.at = start + length;
                        depth -= 1;
                        if depth == 0 {
                            return true;
                        }
                    }
                    Some((b'{', length)) => {
                        self.read_wide_comment(start + length);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        false
    }

    /// Reads the comment after a wide brace.
    fn read_wide_comment(&mut self, start: usize) -> Token<'a> {
        let (end, closing) = ["｝", "}"]
            .iter()
            .filter_map(|closing| Some((start + self.text[start..].find(closing)?, closing.len())))
            .min()
            .unwrap_or((self.text.len(), 0));
        self.at = end + closing;
        if closing == 0 { Token::UnclosedComment } else { Token::Comment(&self.text[start..end]) }
    }

    fn is_line_start(&self, at: usize) -> bool {
        at == 0 || matches!(self.text.as_bytes()[at - 1], b'\n' | b'\r')
    }

    fn line_end(&self, at: usize) -> usize {
        memchr2(b'\n', b'\r', &self.text.as_bytes()[at..]).map_or(self.text.len(), |length| at + length)
    }

    /// Reads the comment whose brace or semicolon is at `at`.
    fn read_comment(&mut self, at: usize) -> Token<'a> {
        let bytes = self.text.as_bytes();
        let start = at + 1;
        if bytes[at] == b';' {
            self.at = self.line_end(start);
            return Token::Comment(&self.text[start..self.at]);
        }
        let first = memchr(b'}', &bytes[start..]);
        let nested = if self.nested_comments {
            first.and_then(|first| self.outer_comment_length(start, first))
        } else {
            None
        };
        match nested.or(first) {
            Some(length) => {
                self.at = start + length + 1;
                Token::Comment(&self.text[start..start + length])
            }
            None => {
                self.at = bytes.len();
                Token::UnclosedComment
            }
        }
    }

    /// Returns the length of the nested comment that starts at `start` and whose first closing brace is `first` bytes
    /// after it; `None` if the braces within reach do not match, because then one of them is literal.
    fn outer_comment_length(&self, start: usize, first: usize) -> Option<usize> {
        let rest = &self.text.as_bytes()[start..];
        let mut open = 1 + memchr::memchr_iter(b'{', &rest[..first]).count();
        if open == 1 {
            return Some(first);
        }
        let window = &rest[..rest.len().min(first + MAX_NESTED_COMMENT_BYTES)];
        for at in memchr::memchr2_iter(b'{', b'}', &window[first..]) {
            if window[first + at] == b'{' {
                open += 1
            } else {
                open -= 1
            }
            if open == 0 {
                return Some(first + at);
            }
        }
        None
    }

    fn read_nag(&mut self, at: usize) -> Token<'a> {
        let digits = self.text.as_bytes()[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at = at + 1 + digits;
        match self.text[at + 1..self.at].parse() {
            Ok(nag) => Token::Nag(nag),
            Err(_) => Token::InvalidNag,
        }
    }

    /// Returns the length of the multi-byte space at `at`, if there is one.
    fn multi_byte_blank_length(&self, at: usize) -> Option<usize> {
        let rest = &self.text.as_bytes()[at..];
        MULTI_BYTE_BLANKS
            .iter()
            .map(|space| space.len())
            .zip(MULTI_BYTE_BLANKS)
            .find_map(|(length, space)| rest.starts_with(space.as_bytes()).then_some(length))
    }

    /// Returns the end of the word that begins at `start`.
    fn word_end(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match BYTE_CLASSES[byte as usize] {
                ByteClass::Letter | ByteClass::Digit | ByteClass::Word => {}
                ByteClass::MultiByte
                    if self.multi_byte_blank_length(at).is_none()
                        && wide_delimiter(&bytes[at..]).is_none() => {}
                // In `e8(Q)` the parentheses belong to the move.
                ByteClass::Delimiter
                    if matches!(
                        bytes[start..=at],
                        [.., b'1' | b'8', b'('] | [.., b'(', b'N' | b'B' | b'R' | b'Q', b')']
                    ) && matches!(
                        bytes[at..],
                        [b'(', b'N' | b'B' | b'R' | b'Q', b')', ..] | [b')', ..]
                    ) => {}
                _ => break,
            }
            at += 1;
        }
        at
    }

    /// Classifies a word; returns `None` for a move number, dots, the mark of a capture en passant, and a word of `!`
    /// and `?` that is no known symbol.
    fn classify_word(&mut self, start: usize, end: usize) -> Option<(usize, Token<'a>)> {
        self.at = end;
        let word = &self.text[start..end];
        let bytes = word.as_bytes();
        // 0xc2 is the first byte of ½.
        if matches!(bytes[0], b'0'..=b'9' | b'*' | b'.' | 0xc2) {
            if let Some(result) = parse_result(bytes) {
                return Some((start, Token::Result(result)));
            }
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let dots = bytes[digits..].iter().take_while(|&&byte| byte == b'.').count();
            if digits + dots == bytes.len() {
                return None;
            }
            // `1.e4` and `5.0-0` are a number and a move; in `33.4` of xiangqi the dot belongs to the move.
            let rest = &bytes[digits + dots..];
            if dots > 0 && (!rest[0].is_ascii_digit() || rest.starts_with(b"0-")) {
                return self.classify_word(start + digits + dots, end);
            }
        }
        // Most words are moves, which begin with a letter.
        if !bytes[0].is_ascii_alphabetic() {
            if let Some(length) = chinese_number_length(word) {
                return if length == word.len() { None } else { self.classify_word(start + length, end) };
            }
            if let Some(nag) = nag_from_symbol(word) {
                return Some((start, Token::Nag(nag)));
            }
        }
        let mut stem = word;
        while let [rest @ .., b'!' | b'?'] = stem.as_bytes() {
            stem = &word[..rest.len()];
        }
        if stem.len() < word.len() {
            self.pending_nag = nag_from_symbol(&word[stem.len()..]).map(|nag| (start + stem.len(), nag));
        }
        if matches!(stem.as_bytes(), b"" | b"e.p." | b"ep" | b"e.p") {
            return self.pending_nag.take().map(|(at, nag)| (at, Token::Nag(nag)));
        }
        Some((start, Token::Move(stem)))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        if let Some((at, nag)) = self.pending_nag.take() {
            return Some((at, Token::Nag(nag)));
        }
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        loop {
            let Some(&byte) = bytes.get(at) else {
                self.at = at;
                return None;
            };
            match BYTE_CLASSES[usize::from(byte)] {
                ByteClass::Whitespace => {
                    at += 1;
                    continue;
                }
                ByteClass::Letter => {
                    if let Some(end) = plain_word_end(bytes, at) {
                        self.at = end;
                        return Some((at, Token::Move(&self.text[at..end])));
                    }
                }
                ByteClass::Digit => {
                    if let Some(end) = move_number_end(bytes, at) {
                        at = end;
                        continue;
                    }
                }
                ByteClass::MultiByte => {
                    if let Some(length) = self.multi_byte_blank_length(at) {
                        at += length;
                        continue;
                    }
                    if let Some((delimiter, length)) = wide_delimiter(&bytes[at..]) {
                        self.at = at + length;
                        let token = match delimiter {
                            b'{' => self.read_wide_comment(at + length),
                            b'(' => Token::OpenVariation,
                            b')' => Token::CloseVariation,
                            _ => Token::UnmatchedBrace,
                        };
                        return Some((at, token));
                    }
                }
                ByteClass::Word => {}
                ByteClass::Delimiter => {
                    self.at = at + 1;
                    let token = match byte {
                        b'{' | b';' => self.read_comment(at),
                        b'(' => Token::OpenVariation,
                        b')' => Token::CloseVariation,
                        b'$' => self.read_nag(at),
                        _ => Token::UnmatchedBrace,
                    };
                    return Some((at, token));
                }
            }
            if byte == b'%' && self.is_line_start(at) {
                at = self.line_end(at);
                continue;
            }
            let end = self.word_end(at);
            if let Some(token) = self.classify_word(at, end) {
                return Some(token);
            }
            at = self.at;
        }
    }
}

/// Returns the end of the word that begins at `start`, if it has only letters, digits and signs of moves and a space
/// after it, as almost every move has.
#[inline]
fn plain_word_end(bytes: &[u8], start: usize) -> Option<usize> {
    if !bytes[start].is_ascii_alphabetic() {
        return None;
    }
    let mut end = start + 1;
    let class_after = loop {
        let Some(&byte) = bytes.get(end) else { break ByteClass::Whitespace };
        match BYTE_CLASSES[usize::from(byte)] {
            ByteClass::Letter | ByteClass::Digit => end += 1,
            class => break class,
        }
    };
    (class_after == ByteClass::Whitespace && &bytes[start..end] != b"ep").then_some(end)
}

/// Returns the end of the move number that begins at `start` and has only digits and dots; a move may follow at once.
#[inline]
fn move_number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    while bytes.get(end).is_some_and(u8::is_ascii_digit) {
        end += 1;
    }
    let dots_at = end;
    while bytes.get(end) == Some(&b'.') {
        end += 1;
    }
    let is_end = bytes.get(end).is_none_or(|&byte| match BYTE_CLASSES[usize::from(byte)] {
        ByteClass::Whitespace => true,
        // In `1-0` and `33.4` no number ends.
        ByteClass::Letter => end > dots_at && byte.is_ascii_alphabetic(),
        _ => false,
    });
    is_end.then_some(end)
}

/// Returns the length of a move number in Chinese typography: `１．`, `1、`, `１.`.
fn chinese_number_length(word: &str) -> Option<usize> {
    let digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let rest = word.trim_start_matches(digit);
    let after = rest.trim_start_matches(['．', '、', '.']);
    (rest.len() < word.len() && after.len() < rest.len() && !after.starts_with(digit))
        .then(|| word.len() - after.len())
}

/// Parses a result.
pub(super) fn parse_result(word: &[u8]) -> Option<Option<Outcome>> {
    use alfil_kernel::Side::{First, Second};
    match word {
        b"*" => Some(None),
        b"1-0" | b"1:0" => Some(Some(Outcome::Win(First))),
        b"0-1" | b"0:1" => Some(Some(Outcome::Win(Second))),
        b"1/2-1/2" | b"1/2" | b"1/2:1/2" => Some(Some(Outcome::Draw)),
        _ if word.is_ascii() => None,
        _ => {
            let word = std::str::from_utf8(word).ok()?.replace(DASHES, "-").replace('½', "1/2");
            if word.is_ascii() { parse_result(word.as_bytes()) } else { None }
        }
    }
}

/// The dashes that programs and typesetters write instead of a hyphen.
const DASHES: [char; 5] = ['‐', '‑', '–', '—', '−'];

/// Formats a result: `1-0`, `0-1`, `1/2-1/2`, or `*` for an unknown one.
///
/// ```
/// use alfil_kernel::{Outcome, Side};
/// use alfil_records::pgn::format_result;
///
/// assert_eq!(format_result(Some(Outcome::Win(Side::Second))), "0-1");
/// assert_eq!(format_result(None), "*");
/// ```
pub fn format_result(result: Option<Outcome>) -> &'static str {
    use alfil_kernel::Side::{First, Second};
    match result {
        None => "*",
        Some(Outcome::Win(First)) => "1-0",
        Some(Outcome::Win(Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
    }
}

/// The meaning of a word among the moves that is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// An annotation of the move before it.
    Nag(u8),
    /// A sign of check or mate that stands apart from its move, to which it adds nothing.
    Check,
}

/// Returns the symbol of a word that is no legal move. A word of letters may name another thing elsewhere, and is
/// therefore looked at last.
pub(super) fn symbol_from_word(word: &str) -> Option<Symbol> {
    let word = &*word.replace(DASHES, "-");
    let nag = match word {
        "+" | "++" | "#" | "ch" | "ch." | "mate" | "dbl" | "x" | "†" | "‡" => return Some(Symbol::Check),
        "D" => 220,
        "N" | "TN" | "NN" => 146,
        "RR" => 145,
        _ => nag_from_symbol(word)?,
    };
    Some(Symbol::Nag(nag))
}

/// Returns whether a word looks like a sign of annotation: it has no digit, small letter or hanzi, as moves have.
pub(super) fn is_sign(word: &str) -> bool {
    let is_hanzi = |character: char| character >= '\u{2e80}';
    !word
        .contains(|character: char| character.is_numeric() || character.is_lowercase() || is_hanzi(character))
}

/// Returns the NAG of a symbol, after the PGN standard, chapter 10, and common usage.
fn nag_from_symbol(word: &str) -> Option<u8> {
    Some(match word {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "=" => 10,
        "∞" => 13,
        "□" | "▢" | "⎕" => 7,
        "+=" | "+/=" | "⩲" | "²" => 14,
        "=+" | "=/+" | "⩱" | "³" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" | "µ" => 17,
        "+-" | "+--" => 18,
        "-+" | "--+" => 19,
        "○" => 26,
        "⟳" => 32,
        "↑" => 36,
        "→" => 40,
        "=/∞" | "=∞" | "∞=" => 44,
        "⇆" | "⇄" => 132,
        "⊕" | "⨁" => 138,
        "∆" | "Δ" => 140,
        "⌓" => 142,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Token::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        Tokens::new(text).map(|(_, token)| token).collect()
    }

    #[test]
    fn movetext_is_tokenised_as_files_write_it() {
        for (text, expected) in [
            ("1.e4 e5 2 .Nf3", vec![Move("e4"), Move("e5"), Move("Nf3")]),
            ("1. e4 1... e5 2.… Nc6", vec![Move("e4"), Move("e5"), Move("Nc6")]),
            ("e4!? e5$3", vec![Move("e4"), Nag(5), Move("e5"), Nag(3)]),
            ("e4 ! +- e5?????", vec![Move("e4"), Nag(1), Nag(18), Move("e5")]),
            ("e4 !!! e5 ???", vec![Move("e4"), Move("e5")]),
            (
                "5.0-0 6...0-0-0! 7.0-1",
                vec![Move("0-0"), Move("0-0-0"), Nag(1), Result(parse_result(b"0-1").unwrap())],
            ),
            (
                "{a ( ; b} ;c } {\n(d)",
                vec![Comment("a ( ; b"), Comment("c } {"), OpenVariation, Move("d"), CloseVariation],
            ),
            ("0-0 0-0-0 0-1", vec![Move("0-0"), Move("0-0-0"), Result(parse_result(b"0-1").unwrap())]),
            (
                "e8(Q) (e8=Q)(e1(N))",
                vec![
                    Move("e8(Q)"),
                    OpenVariation,
                    Move("e8=Q"),
                    CloseVariation,
                    OpenVariation,
                    Move("e1(N)"),
                    CloseVariation,
                ],
            ),
            ("exd6 e.p. *", vec![Move("exd6"), Result(None)]),
            ("exd6 e.p.! Nf3", vec![Move("exd6"), Nag(1), Move("Nf3")]),
            ("exd6 ep?", vec![Move("exd6"), Nag(2)]),
            ("%e4\ne5 %\n% {\nd4", vec![Move("e5"), Move("%"), Move("d4")]),
            ("C2.5 33.4 ++.4 13=4 P-.4", ["C2.5", "33.4", "++.4", "13=4", "P-.4"].map(Move).to_vec()),
            ("1.\u{3000}炮二平五　马８进７", vec![Move("炮二平五"), Move("马８进７")]),
            ("Ｃ２＝５ --", vec![Move("Ｃ２＝５"), Move("--")]),
            ("½-½ 1/2-1/2 1/2", [Result(Some(Outcome::Draw)); 3].to_vec()),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
        assert_eq!(tokens("e4 {e5"), [Move("e4"), UnclosedComment]);
        assert_eq!(tokens("} $999 $"), [UnmatchedBrace, InvalidNag, InvalidNag]);
    }

    #[test]
    fn a_variation_is_skipped_with_its_contents() {
        let text = "e4 (d4 {)} (c4 ; )\n%)\n) d5) e5";
        let mut tokens = Tokens::new(text);
        assert!(tokens.by_ref().any(|(_, token)| token == OpenVariation));
        assert!(tokens.skip_variation());
        assert_eq!(tokens.map(|(_, token)| token).collect::<Vec<_>>(), [Move("e5")]);
    }
}

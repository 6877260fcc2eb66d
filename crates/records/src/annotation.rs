//! Annotations of a move: comments, NAGs, an evaluation, clock times.

use core::fmt::{self, Write as _};
use core::time::Duration;

/// The annotation of a move.
///
/// ```
/// use std::time::Duration;
///
/// use alfil_records::annotation::MoveAnnotation;
///
/// let mut annotation = MoveAnnotation::default();
/// annotation.add_comment_after("[%clk 0:03:00] a quiet move");
/// assert_eq!(annotation.clock, Some(Duration::from_secs(180)));
/// assert_eq!(annotation.comment_after, "a quiet move");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveAnnotation {
    /// The comment before the move; only the first move of a variation has one. See [`normalise_comment`] for
    /// its form.
    pub comment_before: String,
    /// The comment after the move; at the root, the comment of the game. It excludes the commands of the
    /// fields below.
    pub comment_after: String,
    /// Numeric annotation glyphs of the PGN standard, chapter 10: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// The evaluation of the position after the move.
    pub eval: Option<EvalAnnotation>,
    /// The remaining time of the player who moved, with millisecond resolution.
    pub clock: Option<Duration>,
    /// The time spent on the move, with millisecond resolution.
    pub elapsed: Option<Duration>,
}

/// The empty annotation: that of a move to which nothing was added.
pub(crate) static EMPTY_ANNOTATION: MoveAnnotation = MoveAnnotation {
    comment_before: String::new(),
    comment_after: String::new(),
    nags: Vec::new(),
    eval: None,
    clock: None,
    elapsed: None,
};

impl MoveAnnotation {
    /// Returns whether there is no annotation.
    pub fn is_empty(&self) -> bool {
        *self == EMPTY_ANNOTATION
    }

    /// Adds a comment after the move. The first valid evaluation and clock times are moved from the comment
    /// to their fields: `[%eval 0.42]`, `[%clk 0:03:00]`, `[%emt 0:00:05]`; so are the NAGs of `[%nag 1,14]`, which
    /// formats without NAGs have.
    pub fn add_comment_after(&mut self, text: &str) {
        match self.extract_commands(text) {
            Some(rest) => append_comment(&mut self.comment_after, &rest),
            None => append_comment(&mut self.comment_after, text),
        }
    }

    /// Removes all but the NAGs.
    pub fn keep_only_nags(&mut self) {
        let nags = std::mem::take(&mut self.nags);
        *self = MoveAnnotation { nags, ..MoveAnnotation::default() };
    }

    /// Normalises the comments after all parts have been added.
    pub(crate) fn normalise_comments(&mut self) {
        for comment in [&mut self.comment_before, &mut self.comment_after] {
            if comment.contains('\n') {
                *comment = compact_lines(comment);
            }
        }
    }

    /// Moves the commands of a comment to the fields and returns the rest; `None` if it has no commands. The time is
    /// linear in the length of the comment, because a command has no brackets inside.
    fn extract_commands(&mut self, text: &str) -> Option<String> {
        // Most comments with commands are one command.
        let only = text.strip_prefix("[%").and_then(|text| text.strip_suffix(']'));
        let has_brackets = |text: &str| memchr::memchr2(b'[', b']', text.as_bytes()).is_some();
        if only.is_some_and(|command| !has_brackets(command) && self.apply_command(command)) {
            return Some(String::new());
        }
        if !text.contains("[%") {
            return None;
        }
        let mut kept = String::with_capacity(text.len());
        // These are the places of the opening brackets in `kept` after its last closing bracket. The texts on both
        // sides of a removed command may form another command.
        let mut open = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['[', ']']) {
            let is_opening = rest.as_bytes()[at] == b'[';
            kept.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if is_opening {
                open.push(kept.len());
                kept.push('[');
                continue;
            }
            let command_at = open.pop().filter(|&start: &usize| {
                let command = kept[start..].strip_prefix("[%");
                command.is_some_and(|command| self.apply_command(command))
            });
            match command_at {
                Some(start) => {
                    kept.truncate(start);
                    rest = rest.trim_start_matches(' ');
                }
                None => {
                    kept.push(']');
                    open.clear();
                }
            }
        }
        kept.push_str(rest);
        Some(kept)
    }

    /// Stores the value of a command, unless it is invalid or the field is already set. Returns whether it was stored.
    fn apply_command(&mut self, command: &str) -> bool {
        let Some((name, value)) = command.split_once(char::is_whitespace) else { return false };
        let value = value.trim();
        if name == "nag" {
            let nags: Option<Vec<u8>> = value.split(',').map(|nag| nag.parse().ok()).collect();
            self.nags.extend(nags.iter().flatten());
            return nags.is_some();
        }
        let time = match name {
            "eval" if self.eval.is_none() => {
                self.eval = EvalAnnotation::parse(value);
                return self.eval.is_some();
            }
            "clk" => &mut self.clock,
            "emt" => &mut self.elapsed,
            _ => return false,
        };
        let is_unset = time.is_none();
        if is_unset {
            // Two fields are minutes and seconds for some programs, and hours and minutes for others.
            *time = parse_time(value).filter(|_| memchr::memchr_iter(b':', value.as_bytes()).count() != 1);
        }
        is_unset && time.is_some()
    }

    /// Formats the evaluation and the clock times as commands separated by spaces; empty if there are none.
    pub fn format_commands(&self) -> String {
        let mut text = String::new();
        self.push_commands(&mut text);
        text
    }

    /// Appends what [`MoveAnnotation::format_commands`] returns to an empty text.
    pub(crate) fn push_commands(&self, text: &mut String) {
        if let Some(eval) = self.eval {
            // Writing to a string cannot fail.
            let _ = write!(text, "[%eval {eval}]");
        }
        for (command, time) in [("[%clk ", self.clock), ("[%emt ", self.elapsed)] {
            if let Some(time) = time {
                text.push_str(if text.is_empty() { "" } else { " " });
                text.push_str(command);
                push_time(text, time);
                text.push(']');
            }
        }
    }
}

/// Returns the normal form of a comment: line breaks are `\n`, no line ends in white space, and the text does
/// not begin with any. If a line has to be a line comment (see [`is_line_comment_only`]), lines are not
/// indented and none is empty.
///
/// ```
/// use alfil_records::annotation::normalise_comment;
///
/// assert_eq!(normalise_comment(" a good move \r\n\r\n but late\t"), "a good move\n\n but late");
/// assert_eq!(normalise_comment("a {good} move\n\n but late"), "a {good} move\nbut late");
/// ```
pub fn normalise_comment(text: &str) -> String {
    let text = text.trim();
    let has_breaks = text.contains(['\n', '\r', '\0']);
    if !has_breaks {
        return text.to_owned();
    }
    let text = text.replace("\r\n", "\n").replace(['\r', '\0'], "\n");
    let lines: Vec<_> = text.split('\n').map(str::trim_end).collect();
    compact_lines(lines.join("\n").trim())
}

/// Returns whether a line cannot be part of a comment in braces: it has a brace, or it looks like a tag of
/// the next game.
///
/// ```
/// use alfil_records::annotation::is_line_comment_only;
///
/// assert!(is_line_comment_only("[White \"Adolf Anderssen\"]"));
/// assert!(!is_line_comment_only("a plain remark"));
/// ```
pub fn is_line_comment_only(line: &str) -> bool {
    line.contains(['{', '}']) || crate::tags::is_tag_pair(line.trim().as_bytes())
}

/// Removes indentation and empty lines if some line has to be a line comment.
fn compact_lines(text: &str) -> String {
    if !text.contains('\n') || !text.split('\n').any(is_line_comment_only) {
        return text.to_owned();
    }
    let lines: Vec<_> = text.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Appends a comment on a new line. [`MoveAnnotation::normalise_comments`] follows after the last one,
/// because compacting each time would take quadratic time.
pub(crate) fn append_comment(comment: &mut String, text: &str) {
    let text = normalise_comment(text);
    if !comment.is_empty() && !text.is_empty() {
        comment.push('\n');
    }
    comment.push_str(&text);
}

/// A score from the view of the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnnotatedScore {
    /// Hundredths of a pawn or disc.
    Centipawns(i32),
    /// Mate in this number of moves; negative if the second player mates.
    Mate(i32),
}

/// An evaluation as records write it: `0.42` or `#-3`, and optionally a comma and the search depth.
///
/// ```
/// use alfil_records::{AnnotatedScore, EvalAnnotation};
///
/// let eval = EvalAnnotation::parse("-1.5,20").unwrap();
/// assert_eq!(eval, EvalAnnotation { score: AnnotatedScore::Centipawns(-150), depth: Some(20) });
/// assert_eq!(eval.to_string(), "-1.50,20");
/// assert_eq!(EvalAnnotation::parse("#-3").unwrap().score, AnnotatedScore::Mate(-3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EvalAnnotation {
    /// The score for the first player.
    pub score: AnnotatedScore,
    /// The search depth in plies.
    pub depth: Option<u32>,
}

impl EvalAnnotation {
    /// Parses an evaluation; returns `None` if it is invalid. Decimals after the second are ignored.
    pub fn parse(text: &str) -> Option<EvalAnnotation> {
        let (score, depth) = match text.split_once(',') {
            Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
            None => (text, None),
        };
        let score = score.trim();
        let score = match score.strip_prefix('#') {
            Some(moves) => AnnotatedScore::Mate(moves.parse().ok()?),
            None => AnnotatedScore::Centipawns(parse_hundredths(score)?),
        };
        Some(EvalAnnotation { score, depth })
    }
}

/// Parses a decimal number to hundredths.
pub(crate) fn parse_hundredths(text: &str) -> Option<i32> {
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if digits.is_empty()
        || !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        || fraction.contains('.')
    {
        return None;
    }
    let whole: i32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let fraction =
        fraction.bytes().chain([b'0'; 2]).take(2).fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'));
    let sum = whole.checked_mul(100)?.checked_add(fraction)?;
    (digits != ".").then_some(if is_negative { -sum } else { sum })
}

impl fmt::Display for EvalAnnotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            AnnotatedScore::Mate(moves) => write!(f, "#{moves}")?,
            AnnotatedScore::Centipawns(score) => {
                let sign = if score < 0 { "-" } else { "" };
                let magnitude = score.unsigned_abs();
                write!(f, "{sign}{}.{:02}", magnitude / 100, magnitude % 100)?;
            }
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

/// Parses hours, minutes and seconds: `1:02:03.5`, `02:03`, `3.25`. Fractions of a millisecond are ignored.
pub(crate) fn parse_time(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (mut seconds, mut field, mut digits, mut fields) = (0_u64, 0_u64, 0, 1);
    for byte in whole.bytes() {
        match byte {
            b'0'..=b'9' => {
                field = field.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
                digits += 1;
            }
            b':' if digits > 0 && fields < 3 => {
                seconds = seconds.checked_add(field)?.checked_mul(60)?;
                (field, digits, fields) = (0, 0, fields + 1);
            }
            _ => return None,
        }
    }
    if digits == 0 {
        return None;
    }
    let seconds = seconds.checked_add(field)?;
    let millis =
        fraction.bytes().chain([b'0'; 3]).take(3).fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    // Longer times are typing errors, and the limit keeps sums of times from overflowing.
    const MAX_SECONDS: u64 = 100 * 366 * 24 * 3600;
    (seconds < MAX_SECONDS).then(|| Duration::from_millis(seconds * 1000 + millis))
}

/// Appends a clock time as records write it: hours, minutes and seconds, `0:03:00`, and the part of a second.
fn push_time(text: &mut String, time: Duration) {
    let seconds = time.as_secs();
    push_number(text, seconds / 3600, 1);
    for field in [seconds / 60 % 60, seconds % 60] {
        text.push(':');
        push_number(text, field, 2);
    }
    let millis = time.subsec_millis();
    if millis > 0 {
        text.push('.');
        push_number(text, millis.into(), 3);
        text.truncate(text.trim_end_matches('0').len());
    }
}

/// Appends a number with at least so many digits. Formatting with `write!` takes several times as long.
pub(crate) fn push_number(text: &mut String, number: u64, min_digits: usize) {
    let mut digits = [b'0'; 20];
    let (mut at, mut rest) = (digits.len(), number);
    while rest > 0 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let first = at.min(digits.len() - min_digits);
    digits[first..].iter().for_each(|&digit| text.push(char::from(digit)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_command_of_each_kind_is_extracted() {
        for (text, commands, comment) in [
            ("[%eval 0.4] [%clk 1:02:03.5] good", "[%eval 0.40] [%clk 1:02:03.5]", "good"),
            ("so [%emt 75] [%eval #-3,12]", "[%eval #-3,12] [%emt 0:01:15]", "so"),
            ("[%eval 1][%eval 2] x", "[%eval 1.00]", "[%eval 2] x"),
            ("[%eval x] [%csl Gd4][%clk 1:2:3:4]", "", "[%eval x] [%csl Gd4][%clk 1:2:3:4]"),
            ("[%clk 1:02] [%emt 0:05.5]", "", "[%clk 1:02] [%emt 0:05.5]"),
            ("[%eval", "", "[%eval"),
            ("[%ev[%clk 0]al 7]", "[%eval 7.00] [%clk 0:00:00]", ""),
            ("[%eval -0.07]", "[%eval -0.07]", ""),
            ("[%eval .] [%eval 99999999999] [%clk 99999999999999999999]", "", "*"),
        ] {
            let mut annotation = MoveAnnotation::default();
            annotation.add_comment_after(text);
            assert_eq!(annotation.format_commands(), commands, "{text}");
            assert_eq!(annotation.comment_after, if comment == "*" { text } else { comment });
            let mut parsed = MoveAnnotation::default();
            parsed.add_comment_after(&format!(
                "{} {}",
                annotation.format_commands(),
                annotation.comment_after
            ));
            assert_eq!(parsed, annotation, "{text}");
        }
    }

    #[test]
    fn a_comment_with_many_brackets_is_read() {
        let mut annotation = MoveAnnotation::default();
        annotation.add_comment_after(&"[%nag 1] ".repeat(1_000_000));
        assert_eq!((annotation.nags.len(), &*annotation.comment_after), (1_000_000, ""));
        for text in ["[%".repeat(1_000_000) + "]", "[".repeat(1_000_000) + "%clk x]"] {
            let mut annotation = MoveAnnotation::default();
            annotation.add_comment_after(&text);
            assert_eq!((annotation.comment_after == text, annotation.clock), (true, None));
        }
    }
}

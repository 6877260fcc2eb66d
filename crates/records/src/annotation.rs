//! What is said about a move: words, glyphs, an evaluation, clocks.

use core::fmt;
use core::time::Duration;

/// What was said about a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveAnnotation {
    /// What stood before the move; only a variation's first move has such words. See [`tidy`] for their form.
    pub comment_before: String,
    /// What stood after the move; at the root, after the tags. What the fields below say is not repeated here.
    pub comment_after: String,
    /// Numeric annotation glyphs, as the PGN standard's chapter 10 numbers them: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// What somebody or some engine thinks of the position after the move.
    pub eval: Option<EvalAnnotation>,
    /// How much time the mover has left, in milliseconds at the finest.
    pub clock: Option<Duration>,
    /// How long the mover thought, in milliseconds at the finest.
    pub elapsed: Option<Duration>,
}

/// The notes of a move about which nothing was said.
pub(crate) static EMPTY_ANNOTATION: MoveAnnotation = MoveAnnotation {
    comment_before: String::new(),
    comment_after: String::new(),
    nags: Vec::new(),
    eval: None,
    clock: None,
    elapsed: None,
};

impl MoveAnnotation {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        *self == EMPTY_ANNOTATION
    }

    /// Adds a comment that stood after the move. The first evaluation and the first clock in it that can be read are taken
    /// out of it: `[%eval 0.42]`, `[%clk 0:03:00]`, `[%emt 0:00:05]`.
    pub fn add_comment_after(&mut self, text: &str) {
        match self.extract_commands(text) {
            Some(rest) => append_comment(&mut self.comment_after, &rest),
            None => append_comment(&mut self.comment_after, text),
        }
    }

    /// Makes the words tidy as a whole when all comments have been added.
    pub(crate) fn normalise_comments(&mut self) {
        for words in [&mut self.comment_before, &mut self.comment_after] {
            if words.contains('\n') {
                *words = compact_lines(words);
            }
        }
    }

    /// The text without the commands it holds, which are kept; nothing if it holds none.
    fn extract_commands(&mut self, text: &str) -> Option<String> {
        if !text.contains("[%") {
            return None;
        }
        let mut text = text.to_owned();
        let mut at = 0;
        while let Some(start) = text[at..].find("[%").map(|found| at + found) {
            let Some(length) = text[start..].find(']') else { break };
            if self.apply_command(&text[start + 2..start + length]) {
                let rest = text[start + length + 1..].trim_start_matches(' ').to_owned();
                text.truncate(start);
                text += &rest;
                // What stood on both sides may be a command now that it stands together.
                at = 0;
            } else {
                at = start + 2;
            }
        }
        Some(text)
    }

    /// Keeps what a command says, if it says something that is not known yet.
    fn apply_command(&mut self, command: &str) -> bool {
        let Some((name, value)) = command.split_once(char::is_whitespace) else { return false };
        let value = value.trim();
        let time = match name {
            "eval" if self.eval.is_none() => {
                self.eval = EvalAnnotation::parse(value);
                return self.eval.is_some();
            }
            "clk" => &mut self.clock,
            "emt" => &mut self.elapsed,
            _ => return false,
        };
        let free = time.is_none();
        if free {
            *time = parse_time(value);
        }
        free && time.is_some()
    }

    /// The evaluation and the clocks as commands, a blank between them; nothing if there are none.
    pub fn format_commands(&self) -> String {
        let time = |name, time: Option<Duration>| time.map(|time| format!("[%{name} {}]", ClockTime(time)));
        let eval = self.eval.map(|eval| format!("[%eval {eval}]"));
        let all: Vec<_> =
            [eval, time("clk", self.clock), time("emt", self.elapsed)].into_iter().flatten().collect();
        all.join(" ")
    }
}

/// A comment as trees keep it: line breaks are `\n`, no line ends in white space, nor does the whole begin with any. Where
/// one of its lines can only be written as a comment of its own, see [`stands_apart`], no line begins with white space
/// and none is empty.
///
/// ```
/// use alfil_records::notes::tidy;
///
/// assert_eq!(tidy(" a good move \r\n\r\n but late\t"), "a good move\n\n but late");
/// assert_eq!(tidy("a {good} move\n\n but late"), "a {good} move\nbut late");
/// ```
pub fn normalise_comment(text: &str) -> String {
    let text = text.trim();
    let broken = text.contains(['\n', '\r', '\0']);
    if !broken {
        return text.to_owned();
    }
    let text = text.replace("\r\n", "\n").replace(['\r', '\0'], "\n");
    let lines: Vec<_> = text.split('\n').map(str::trim_end).collect();
    compact_lines(lines.join("\n").trim())
}

/// Whether a line cannot stand in a comment between braces: it would end it, or open another for those who nest them, or
/// look like the tag of the next game.
pub fn is_line_comment_only(line: &str) -> bool {
    line.contains(['{', '}']) || crate::pgn::is_tag_pair(line.trim().as_bytes())
}

/// Without indentation and empty lines, if a line stands apart.
fn compact_lines(text: &str) -> String {
    if !text.contains('\n') || !text.split('\n').any(is_line_comment_only) {
        return text.to_owned();
    }
    let lines: Vec<_> = text.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Adds a comment to words already said, on a line of its own. [`Notes::settle`] follows when all is said: closing up each
/// time would cost the square of the length.
pub(crate) fn append_comment(words: &mut String, text: &str) {
    let text = normalise_comment(text);
    if !words.is_empty() && !text.is_empty() {
        words.push('\n');
    }
    words.push_str(&text);
}

/// What a position is thought to be worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnnotatedScore {
    /// Hundredths of a pawn, or of a disc; above zero is good for the first player.
    Centipawns(i32),
    /// Mate in so many moves; below zero the second player mates.
    Mate(i32),
}

/// An evaluation as records write it: `0.42`, `#-3`, and behind a comma how many plies deep it was looked for.
///
/// ```
/// use alfil_records::{Eval, Score};
///
/// let eval = Eval::read("-1.5,20").unwrap();
/// assert_eq!(eval, Eval { score: Score::Hundredths(-150), depth: Some(20) });
/// assert_eq!(eval.to_string(), "-1.50,20");
/// assert_eq!(Eval::read("#-3").unwrap().score, Score::Mate(-3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EvalAnnotation {
    /// What the position is worth.
    pub score: AnnotatedScore,
    /// How many plies deep that was looked for, if anybody says.
    pub depth: Option<u32>,
}

impl EvalAnnotation {
    /// Reads an evaluation; nothing if it is none. Digits beyond the second after the point are left out.
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

/// Reads a number with a point, in hundredths.
pub(crate) fn parse_hundredths(text: &str) -> Option<i32> {
    let (minus, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if digits.is_empty()
        || !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        || part.contains('.')
    {
        return None;
    }
    let whole: i32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part = part.bytes().chain([b'0'; 2]).take(2).fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'));
    let sum = whole.checked_mul(100)?.checked_add(part)?;
    (digits != ".").then_some(if minus { -sum } else { sum })
}

impl fmt::Display for EvalAnnotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            AnnotatedScore::Mate(moves) => write!(f, "#{moves}")?,
            AnnotatedScore::Centipawns(score) => {
                let sign = if score < 0 { "-" } else { "" };
                let size = score.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)?;
            }
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

/// Reads `1:02:03.5`, `02:03`, `3.25`: hours, minutes, seconds. What is finer than a millisecond is left out.
pub(crate) fn parse_time(text: &str) -> Option<Duration> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut seconds = 0_u64;
    for (index, field) in whole.split(':').enumerate() {
        if index > 2 || field.is_empty() || !field.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(field.parse().ok()?)?;
    }
    let millis =
        part.bytes().chain([b'0'; 3]).take(3).fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    // A century on a clock is no time but a slip of the pen, and keeps every sum of times far from overflow.
    const CENTURY: u64 = 100 * 366 * 24 * 3600;
    (seconds < CENTURY).then(|| Duration::from_millis(seconds * 1000 + millis))
}

/// A time as records write it.
struct ClockTime(Duration);

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis => f.write_str(format!(".{millis:03}").trim_end_matches('0')),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_out_of_comments_once() {
        for (text, commands, words) in [
            ("[%eval 0.4] [%clk 1:02:03.5] good", "[%eval 0.40] [%clk 1:02:03.5]", "good"),
            ("so [%emt 75] [%eval #-3,12]", "[%eval #-3,12] [%emt 0:01:15]", "so"),
            ("[%eval 1][%eval 2] x", "[%eval 1.00]", "[%eval 2] x"),
            ("[%eval x] [%csl Gd4][%clk 1:2:3:4]", "", "[%eval x] [%csl Gd4][%clk 1:2:3:4]"),
            ("[%eval", "", "[%eval"),
            ("[%ev[%clk 0]al 7]", "[%eval 7.00] [%clk 0:00:00]", ""),
            ("[%eval -0.07]", "[%eval -0.07]", ""),
            ("[%eval .] [%eval 99999999999] [%clk 99999999999999999999]", "", "*"),
        ] {
            let mut notes = MoveAnnotation::default();
            notes.add_comment_after(text);
            assert_eq!(notes.format_commands(), commands, "{text}");
            assert_eq!(notes.comment_after, if words == "*" { text } else { words });
            let mut again = MoveAnnotation::default();
            again.add_comment_after(&format!("{} {}", notes.format_commands(), notes.comment_after));
            assert_eq!(again, notes, "{text}");
        }
    }
}

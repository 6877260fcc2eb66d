//! OBF files of endgame problems: one position a line, with the scores of moves.
//!
//! A line is `board side; move:score; move:score; ... % comment`. Scores are in discs from the view of the side to
//! move, with the empty squares given to the winner; a score without a move is that of the position. Edax and related
//! programs write such files with the extension `.obf`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::fen::{self, Expected, FenError};
use crate::moves::Move;
use crate::notation::PASS_NAMES;
use crate::setup::Setup;
use crate::square::Square;

/// A position with the scores that the file gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line number in the file, from 1.
    pub line_number: usize,
    /// The position.
    pub setup: Setup,
    /// The moves and their scores in discs, in the order of the line.
    pub moves: Vec<(Move, i32)>,
    /// The score of the position in discs: its own, else that of the best move, else `None`.
    pub score: Option<i32>,
}

impl Problem {
    /// Returns whether the file gives `mv` as a best move: it has the score of the position, or the line has no moves.
    pub fn is_best(&self, mv: Move) -> bool {
        self.moves.is_empty()
            || self.moves.iter().any(|&(listed, score)| listed == mv && Some(score) == self.score)
    }
}

/// The error of a line that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObfError {
    /// The line number, from 1.
    pub line_number: usize,
    /// The error in the line, with the byte offset in it.
    pub error: FenError,
}

impl fmt::Display for ObfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, {}", self.line_number, self.error)
    }
}

impl core::error::Error for ObfError {}

/// Parses a file. It skips empty lines and comments.
///
/// ```
/// use alfil_othello::obf;
///
/// let text = format!("{} X; D3:+0; c4:+0; % opening\n", "-".repeat(27) + "OX------XO" + &"-".repeat(27));
/// let problems = obf::parse(&text).unwrap();
/// assert_eq!((problems[0].score, problems[0].moves.len()), (Some(0), 2));
/// ```
///
/// # Errors
/// Returns the line number, the byte offset in the line, what was expected there and what was found.
pub fn parse(text: &str) -> Result<Vec<Problem>, ObfError> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        if let Some(problem) =
            parse_line(line, line_number).map_err(|error| ObfError { line_number, error })?
        {
            problems.push(problem);
        }
    }
    Ok(problems)
}

/// Parses one line. Returns `None` if it is empty or a comment.
fn parse_line(line: &str, line_number: usize) -> Result<Option<Problem>, FenError> {
    let text = &line[..line.find('%').unwrap_or(line.len())];
    if text.trim().is_empty() {
        return Ok(None);
    }
    let board = &text[..text.find(';').unwrap_or(text.len())];
    let mut problem = Problem { line_number, setup: fen::parse(board)?, moves: Vec::new(), score: None };
    let mut field_start = board.len() + 1;
    let mut position_score = None;
    for field in text.get(field_start..).unwrap_or("").split(';') {
        let entry = field.trim();
        let offset = field_start + field.len() - field.trim_start().len();
        field_start += field.len() + 1;
        if entry.is_empty() {
            continue;
        }
        match entry.split_once(':') {
            None => position_score = Some(parse_score(text, offset, entry)?),
            Some((name, score)) => {
                let mv = parse_move(text, offset, name.trim_end())?;
                let indent = score.len() - score.trim_start().len();
                let score = parse_score(text, offset + name.len() + 1 + indent, score.trim_start())?;
                problem.moves.push((mv, score));
            }
        }
    }
    problem.score = position_score.or_else(|| best_move_score(&problem.moves));
    Ok(Some(problem))
}

fn parse_move(text: &str, offset: usize, name: &str) -> Result<Move, FenError> {
    let name = name.to_ascii_lowercase();
    if PASS_NAMES.contains(&name.as_str()) {
        return Ok(Move::PASS);
    }
    let square = name.parse::<Square>().map(Move::from_square);
    square.map_err(|_| FenError::new(text, offset, "move", Expected::Move))
}

fn parse_score(text: &str, offset: usize, score: &str) -> Result<i32, FenError> {
    let score = score.parse().ok().filter(|score| (-64..=64).contains(score));
    score.ok_or_else(|| FenError::new(text, offset, "score", Expected::Score))
}

/// Formats a problem as a line without its line break.
pub fn format(problem: &Problem) -> String {
    let mut line = fen::format(&problem.setup) + ";";
    for (mv, score) in &problem.moves {
        line += &format!(" {mv}:{score:+};");
    }
    let best = best_move_score(&problem.moves);
    if let Some(score) = problem.score.filter(|&score| Some(score) != best) {
        line += &format!(" {score:+};");
    }
    line
}

fn best_move_score(moves: &[(Move, i32)]) -> Option<i32> {
    moves.iter().map(|&(_, score)| score).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Setup as _;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn lines_parse_and_format() {
        let text = format!(
            "% comment\n\n{START}; F5:+2; d3 : -4 ;pass:0; % best first\n{START}; -6;\n{START}\n{START};\n\
             {START}; d3:-4; +2;\n"
        );
        let problems = parse(&text).unwrap();
        assert_eq!(problems.iter().map(|problem| problem.line_number).collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
        assert_eq!(
            problems.iter().map(|problem| problem.score).collect::<Vec<_>>(),
            [Some(2), Some(-6), None, None, Some(2)]
        );
        assert!(problems.iter().all(|problem| problem.setup == Setup::start()));
        assert_eq!(format(&problems[0]), format!("{START}; f5:+2; d3:-4; pass:+0;"));
        assert_eq!(format(&problems[1]), format!("{START}; -6;"));
        assert_eq!(format(&problems[4]), format!("{START}; d3:-4; +2;"));
        assert!(
            problems[0].is_best(Move::from_square("f5".parse().unwrap())) && !problems[0].is_best(Move::PASS)
        );
        let again =
            parse(&problems.iter().map(|problem| format(problem) + "\n").collect::<String>()).unwrap();
        assert!(again.iter().zip(&problems).all(|(a, b)| (a.score, &a.moves) == (b.score, &b.moves)));
    }

    #[test]
    fn errors_give_line_offset_and_field() {
        for (tail, offset, field) in [
            ("; i9:+2;", 68, "move"),
            ("; f5:x;", 71, "score"),
            ("; f5:+66;", 71, "score"),
            (" 1;", 67, "end"),
        ] {
            let error = parse(&format!("\n{START}{tail}")).unwrap_err();
            assert_eq!(
                (error.line_number, error.error.offset, error.error.field),
                (2, offset, field),
                "{tail}"
            );
        }
        let error = parse("----; +2;").unwrap_err();
        assert_eq!((error.line_number, error.error.offset, error.error.field), (1, 4, "placement"));
    }
}

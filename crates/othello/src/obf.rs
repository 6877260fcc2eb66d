//! Problem files: a position a line, with what its moves are worth.
//!
//! A line is `board side; move:score; move:score; ... % comment`. Scores are in discs for the side to move, empty
//! squares given to the winner; a score without a move is the position's own. Edax and its relatives write such files
//! with the extension `.obf`.

use crate::fen::{self, Expected, FenError};
use crate::moves::Move;
use crate::piece::Piece;
use crate::setup::Setup;
use crate::square::Square;

/// A position and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line it stood on, from 1.
    pub line: usize,
    /// The position.
    pub setup: Setup,
    /// Moves and their scores, in the order of the line.
    pub moves: Vec<(Move, i32)>,
    /// The score of the position: as written, or that of the best move; none where nothing is written.
    pub score: Option<i32>,
}

impl Problem {
    /// Whether the file calls this move a best one: it has the position's score, or no scores are written.
    pub fn is_best(&self, mv: Move) -> bool {
        self.moves.is_empty()
            || self.moves.iter().any(|&(known, score)| known == mv && Some(score) == self.score)
    }
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line_number}, {error}")]
pub struct ObfError {
    /// The line, from 1.
    pub line_number: usize,
    /// What is wrong, with the byte offset in the line.
    pub error: FenError,
}

/// Reads a file. Empty lines and comments are passed over.
///
/// ```
/// use alfil_othello::obf;
///
/// let text = format!("{} X; D3:+0; c4:+0; % opening\n", "-".repeat(27) + "OX------XO" + &"-".repeat(27));
/// let problems = obf::read(&text).unwrap();
/// assert_eq!((problems[0].score, problems[0].moves.len()), (Some(0), 2));
/// ```
///
/// # Errors
/// With the line, the byte offset in it, what was expected and what stood there.
pub fn parse(text: &str) -> Result<Vec<Problem>, ObfError> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if let Some(problem) =
            parse_line(line, number).map_err(|error| ObfError { line_number: number, error })?
        {
            problems.push(problem);
        }
    }
    Ok(problems)
}

/// Reads one line; nothing where it is empty or a comment.
fn parse_line(line: &str, number: usize) -> Result<Option<Problem>, FenError> {
    let text = &line[..line.find('%').unwrap_or(line.len())];
    if text.trim().is_empty() {
        return Ok(None);
    }
    let board = &text[..text.find(';').unwrap_or(text.len())];
    let mut problem = Problem { line: number, setup: fen::parse(board)?, moves: Vec::new(), score: None };
    let mut at = board.len() + 1;
    let mut written = None;
    for field in text.get(at..).unwrap_or("").split(';') {
        let word = field.trim();
        let offset = at + field.len() - field.trim_start().len();
        at += field.len() + 1;
        if word.is_empty() {
            continue;
        }
        match word.split_once(':') {
            None => written = Some(parse_score(text, offset, word)?),
            Some((name, score)) => {
                let mv = parse_move(text, offset, name.trim_end())?;
                let indent = score.len() - score.trim_start().len();
                let score = parse_score(text, offset + name.len() + 1 + indent, score.trim_start())?;
                problem.moves.push((mv, score));
            }
        }
    }
    problem.score = written.or(problem.moves.iter().map(|&(_, score)| score).max());
    Ok(Some(problem))
}

fn parse_move(text: &str, offset: usize, name: &str) -> Result<Move, FenError> {
    let name = name.to_ascii_lowercase();
    if matches!(name.as_str(), "pass" | "ps" | "pa" | "--") {
        return Ok(Move::PASS);
    }
    let square = name.parse::<Square>().map(Move::from_square);
    square.map_err(|_| FenError::new(text, offset, "move", Expected::Move))
}

fn parse_score(text: &str, offset: usize, word: &str) -> Result<i32, FenError> {
    let score = word.parse().ok().filter(|score| (-64..=64).contains(score));
    score.ok_or_else(|| FenError::new(text, offset, "score", Expected::Score))
}

/// Writes a problem as a line, without its line break.
pub fn format(problem: &Problem) -> String {
    let mut line = fen::format(&problem.setup) + ";";
    for (mv, score) in &problem.moves {
        line += &format!(" {mv}:{score:+};");
    }
    if let (Some(score), []) = (problem.score, &problem.moves[..]) {
        line += &format!(" {score:+};");
    }
    line
}

/// A line a person can read at a glance: the side to move and the empty squares.
pub fn title(problem: &Problem) -> String {
    let empty = problem.setup.board.iter().filter(|disc| disc.is_none()).count();
    format!("{} to move, {empty} empty", Piece::new(problem.setup.side_to_move).name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Setup as _;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn lines_are_read_and_written() {
        let text = format!(
            "% all of it\n\n{START}; F5:+2; d3 : -4 ;pass:0; % best first\n{START}; -6;\n{START}\n{START};\n"
        );
        let problems = parse(&text).unwrap();
        assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [3, 4, 5, 6]);
        assert_eq!(
            problems.iter().map(|problem| problem.score).collect::<Vec<_>>(),
            [Some(2), Some(-6), None, None]
        );
        assert!(problems.iter().all(|problem| problem.setup == Setup::start()));
        assert_eq!(format(&problems[0]), format!("{START}; f5:+2; d3:-4; pass:+0;"));
        assert_eq!(format(&problems[1]), format!("{START}; -6;"));
        assert!(
            problems[0].is_best(Move::from_square("f5".parse().unwrap())) && !problems[0].is_best(Move::PASS)
        );
        assert_eq!(title(&problems[0]), "Black to move, 60 empty");
        let again =
            parse(&problems.iter().map(|problem| format(problem) + "\n").collect::<String>()).unwrap();
        assert!(again.iter().zip(&problems).all(|(a, b)| (a.score, &a.moves) == (b.score, &b.moves)));
    }

    #[test]
    fn errors_say_where() {
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

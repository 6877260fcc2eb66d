//! OBF: positions of Othello with the scores of their moves, one a line, read as games without moves.
//!
//! The tag `Scores` has the scores of the moves in discs, `f5:+2 d3:+0`, or that of the position alone, `+2`.

use alfil_othello::Othello;
use alfil_othello::obf::{self, Problem};

use crate::charset::strip_byte_order_mark;
use crate::error::{RecordError, RecordErrorKind};
use crate::file_format::FileFormat;
use crate::game_error::GameError;
use crate::game_tree::GameTree;
use crate::parsed_game::ParsedGame;
use crate::record_format::RecordFormat as _;
use crate::write_error::WriteError;

/// The tag with the scores of the moves.
const SCORES_TAG: &str = "Scores";

/// Parses the positions of a file. A line that cannot be read is a game with an error.
pub fn parse_games(file: &[u8]) -> Vec<ParsedGame<Othello>> {
    let bytes = strip_byte_order_mark(file);
    let mut offset = file.len() - bytes.len();
    let mut games = Vec::new();
    for (line, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
        let start = offset;
        offset += line.len();
        let text = String::from_utf8_lossy(line);
        let game = games.len() as u64 + 1;
        match obf::parse(&text) {
            Ok(problems) => games.extend(problems.iter().map(from_problem)),
            Err(error) => {
                let at = start + error.error.offset.min(line.len());
                let kind = RecordErrorKind::InvalidBoard(Othello::into_any_error(
                    GameError::InvalidPositionText(error.error),
                ));
                let error = RecordError { game, offset: at as u64, line: number, mv: String::new(), kind };
                games.push(ParsedGame {
                    tree: GameTree::default(),
                    error: Some(error),
                    warnings: Vec::new(),
                });
            }
        }
    }
    games
}

/// Returns a position as a game without moves, its scores in a tag.
fn from_problem(problem: &Problem) -> ParsedGame<Othello> {
    let mut tree = GameTree::new(problem.setup.clone());
    let scores: Vec<_> = problem.moves.iter().map(|(mv, score)| format!("{mv}:{score:+}")).collect();
    // The score of the position is kept only if no move has one.
    let position_score = problem.score.filter(|_| scores.is_empty()).map(|score| format!("{score:+}"));
    let scores = position_score.unwrap_or_else(|| scores.join(" "));
    if !scores.is_empty() {
        tree.tags.push(SCORES_TAG, scores);
    }
    ParsedGame { tree, error: None, warnings: Vec::new() }
}

/// Formats the start positions of games, with the scores of the tag `Scores`. Moves and other tags have no place.
///
/// # Errors
/// Returns an error if the tag `Scores` is neither scores of moves nor one score.
pub fn format_games(games: &[GameTree<Othello>]) -> Result<Vec<u8>, WriteError> {
    let mut text = String::new();
    for game in games {
        let problem = Problem { line_number: 0, setup: game.start.clone(), moves: Vec::new(), score: None };
        let scores = game.tags.value(SCORES_TAG).unwrap_or_default();
        let fields = scores.split_whitespace().map(|score| format!(" {score};"));
        let line = obf::format(&problem) + &fields.collect::<String>() + "\n";
        // `;` would end a field, and `%` would begin a comment.
        let is_one_problem =
            !scores.contains([';', '%']) && obf::parse(&line).is_ok_and(|read| read.len() == 1);
        if !is_one_problem {
            let expected = "scores of moves, such as f5:+2 d3:+0, or one score, such as +2";
            return Err(WriteError::InvalidTag {
                format: FileFormat::Obf,
                tag: SCORES_TAG,
                value: scores.to_owned(),
                expected,
            });
        }
        text += &line;
    }
    Ok(text.into_bytes())
}

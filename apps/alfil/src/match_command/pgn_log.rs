//! The PGN file of a match: each game is written when it ends.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use alfil_kernel::Score;
use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::review::{mate_moves, search_value_cp};
use alfil_session::{
    AnnotatedScore, EvalAnnotation, MoveAnnotation, MoveTree, ROOT, Tags, TextGame, TextMove, registry,
};
use anyhow::{Context, bail};
use serde_json::Value;

use crate::errors::create_error;

/// How the file of an interrupted match is continued.
pub(super) const RESUME_HINT: &str =
    "to continue the match: --resume FILE with --pgn; to replace the file: --force";

/// A PGN file that is open for writing.
#[derive(Debug)]
pub(crate) struct PgnLog {
    file: File,
    path: PathBuf,
    has_comments: bool,
}

impl PgnLog {
    /// Creates a PGN file with the games of the rows of a match file, with comments, evaluations and times if
    /// `has_comments`. A resumed match rewrites its file, so that no game is duplicated or incomplete.
    ///
    /// # Errors
    /// If a row is not a game, or the file exists and is not that of the resumed match, or cannot be written.
    pub(crate) fn open<'a>(
        path: &Path,
        resumes: bool,
        has_comments: bool,
        games: impl Iterator<Item = &'a Value> + Clone,
    ) -> anyhow::Result<PgnLog> {
        let context = || format!("cannot write {}", path.display());
        // Before the file is changed: a row that is no game leaves it as it is.
        let texts = games.clone().map(|row| pgn_from_row(row, has_comments));
        let text: String = texts.collect::<anyhow::Result<_>>()?;
        // A device or a pipe is written as it is.
        let is_device = path.exists() && !path.is_file();
        let new = OpenOptions::new().write(true).create_new(!is_device).open(path);
        let mut file = match new {
            Err(error) if resumes && error.kind() == ErrorKind::AlreadyExists => {
                if !is_pgn_of_match(path, games).with_context(context)? {
                    bail!(
                        "{} exists and is not the PGN file of this match: --force replaces it",
                        path.display()
                    );
                }
                OpenOptions::new().write(true).truncate(true).open(path).with_context(context)?
            }
            file => file.map_err(|error| create_error(path, RESUME_HINT, error))?,
        };
        file.write_all(text.as_bytes()).with_context(context)?;
        Ok(PgnLog { file, path: path.to_owned(), has_comments })
    }

    /// Appends the game of a row.
    ///
    /// # Errors
    /// If the row is not a game, or the file cannot be written.
    pub(crate) fn append_game(&mut self, row: &Value) -> anyhow::Result<()> {
        let text = pgn_from_row(row, self.has_comments)?;
        let written = self.file.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Returns whether a file is empty or begins with one of the games.
fn is_pgn_of_match<'a>(path: &Path, mut games: impl Iterator<Item = &'a Value>) -> std::io::Result<bool> {
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let Some(Ok(first)) = registry::stream_games(file, None)?.next_game()?.map(|read| read.game) else {
        return Ok(false);
    };
    let round = first.tags.value("Round");
    let row = games.find(|row| round == Some(&*row["number"].to_string()));
    let text = |mut game: TextGame| {
        remove_annotations(&mut game);
        registry::write_game(&game, None).ok()
    };
    // An interruption may have cut the game off before its end.
    let (found, written) = (text(first), row.and_then(game_from_row).and_then(text));
    Ok(found.zip(written).is_some_and(|(found, written)| {
        let moves = found.trim_end().rsplit_once(char::is_whitespace).map_or("", |(moves, _result)| moves);
        written.starts_with(moves)
    }))
}

fn remove_annotations(game: &mut TextGame) {
    game.moves.iter_mut().for_each(|(_, mv)| mv.annotation = MoveAnnotation::default());
}

/// Converts a row to a game of a PGN file.
///
/// # Errors
/// If the row is not a game.
fn pgn_from_row(row: &Value, has_comments: bool) -> anyhow::Result<String> {
    let mut game = game_from_row(row).with_context(|| format!("cannot convert this row to PGN: {row}"))?;
    if !has_comments {
        remove_annotations(&mut game);
    }
    let text = registry::write_game(&game, None).map_err(|error| anyhow::anyhow!(error))?;
    Ok(text + "\n")
}

/// Converts a row to a game; returns `None` if the row is invalid.
fn game_from_row(row: &Value) -> Option<TextGame> {
    let text = |field: &str| row[field].as_str();
    let game = text("game")?;
    let session = registry::open(game, None).ok()?;
    let mut tags = Tags::new();
    tags.push("Event", "alfil match");
    tags.push("Site", "?");
    if let Some(date) = text("date") {
        tags.push("Date", date);
    }
    tags.push("Round", row["number"].to_string());
    for (side, field) in session.appearance().sides.into_iter().zip(["first", "second"]) {
        tags.push(side, text(field)?);
    }
    tags.push("Termination", termination_tag(text("how")?));
    let result = match text("result")? {
        "1-0" => Outcome::Win(Side::First),
        "0-1" => Outcome::Win(Side::Second),
        _ => Outcome::Draw,
    };
    let start = text("start").filter(|&start| start != "startpos").map(str::to_owned);
    let mut moves = Vec::new();
    let mut push_move = |text: &Value, annotation: MoveAnnotation| {
        moves.push(TextMove { text: text.as_str()?.to_owned(), annotation });
        Some(())
    };
    let opening = row["opening"].as_array()?;
    for mv in opening {
        push_move(mv, MoveAnnotation::default())?;
    }
    // Whether the second side makes the first move after the opening.
    let mut second_starts = opening.len() % 2 == 1;
    if let Some(start) = &start {
        let mut session = session;
        session.open(start, &Waivers::All).ok()?;
        second_starts ^= session.view().side_to_move == Side::Second;
    }
    for (index, mv) in row["moves"].as_array()?.iter().enumerate() {
        push_move(mv, annotation_from_row(row, index, second_starts ^ (index % 2 == 1)))?;
    }
    let mut moves = MoveTree::from_line(TextMove::default(), moves);
    let last = moves.line_end(ROOT);
    moves[last].annotation.comment_after = text("words")?.to_owned();
    Some(TextGame { game: game.into(), tags, start, result: Some(result), moves, ..TextGame::default() })
}

/// Returns the annotation of a move. The row has the score of the mover, PGN that of the first side.
fn annotation_from_row(row: &Value, index: usize, is_second_mover: bool) -> MoveAnnotation {
    let millis = |field: &str| row[field][index].as_u64().map(Duration::from_millis);
    let score = row["scores"][index].as_i64().map(|score| {
        let score = score as i32;
        let score = if is_second_mover { -score } else { score };
        match Score::from_value(score).mate_plies() {
            Some(plies) => AnnotatedScore::Mate(mate_moves(plies)),
            None => AnnotatedScore::Centipawns(search_value_cp(score, None)),
        }
    });
    let depth = row["depths"][index].as_u64().map(|depth| depth as u32);
    MoveAnnotation {
        eval: score.map(|score| EvalAnnotation { score, depth }),
        clock: millis("left"),
        // A forced pass was not searched: it has no score and took no time.
        elapsed: millis("millis").filter(|elapsed| score.is_some() || !elapsed.is_zero()),
        ..MoveAnnotation::default()
    }
}

/// Returns the value of the PGN tag Termination (PGN standard, section 9.8.1).
fn termination_tag(termination: &str) -> &'static str {
    match termination {
        "time" => "time forfeit",
        "rule" | "illegal" | "dispute" => "rules infraction",
        "score" | "solver" | "length" => "adjudication",
        "crash" | "hang" => "abandoned",
        _ => "normal",
    }
}

//! The games of a match as records that people and other programs read: PGN, a game as soon as it is over.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use alfil_kernel::Score;
use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::{AnnotatedScore, EvalAnnotation, MoveAnnotation, Tags, TextGame, TextMove, registry};
use anyhow::{Context, bail};
use serde_json::Value;

/// What stands at the head of every game: it tells a file of these records from any other.
const EVENT_TAG: &str = "[Event \"alfil match\"]";

/// A file of records.
#[derive(Debug)]
pub(crate) struct PgnLog {
    file: File,
    path: PathBuf,
}

impl PgnLog {
    /// A file that holds these games of the match and takes the others. A match that was broken off writes its file anew, so that no
    /// game is there twice, or torn.
    ///
    /// # Errors
    /// If there is such a file already and it is none of a match that goes on, or it cannot be written.
    pub(crate) fn open<'a>(
        path: &Path,
        again: bool,
        games: impl Iterator<Item = &'a Value>,
    ) -> anyhow::Result<PgnLog> {
        let named = || format!("cannot write {}", path.display());
        let new = OpenOptions::new().write(true).create_new(true).open(path);
        let file = match new {
            Err(error) if again && error.kind() == ErrorKind::AlreadyExists => {
                if !is_match_pgn(path).with_context(named)? {
                    bail!("{} holds something else than the games of a match", path.display());
                }
                OpenOptions::new().write(true).truncate(true).open(path).with_context(named)?
            }
            file => file.map_err(|error| create_error(path, "--resume FILE with --pgn", error))?,
        };
        let mut records = PgnLog { file, path: path.to_owned() };
        for row in games {
            records.append_game(row)?;
        }
        Ok(records)
    }

    /// Adds a game, as its row tells it.
    ///
    /// # Errors
    /// If the row tells no game, or the file cannot be written.
    pub(crate) fn append_game(&mut self, row: &Value) -> anyhow::Result<()> {
        let game = game_from_row(row).with_context(|| format!("no record can be made of this row: {row}"))?;
        let text = registry::write_game(&game, None).map_err(|error| anyhow::anyhow!(error))?;
        let written = self.file.write_all(format!("{text}\n").as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Why a new file cannot be made; if there is one already, with the words that go on with it.
pub(super) fn create_error(path: &Path, words: &str, error: std::io::Error) -> anyhow::Error {
    let exists = error.kind() == ErrorKind::AlreadyExists;
    let hint = if exists { format!(" (to go on with it: {words})") } else { String::new() };
    anyhow::Error::new(error).context(format!("cannot create {}{hint}", path.display()))
}

/// Whether a file begins as these do, or is empty.
fn is_match_pgn(path: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    // Behind the tag of the kind of game, in xiangqi. The end may cut a letter in two.
    File::open(path)?.take(200).read_to_end(&mut head)?;
    Ok(head.is_empty() || head.windows(EVENT_TAG.len()).any(|bytes| bytes == EVENT_TAG.as_bytes()))
}

/// The game that a row tells; none where it tells none.
fn game_from_row(row: &Value) -> Option<TextGame> {
    let text = |field: &str| row[field].as_str();
    let game = text("game")?;
    let desk = registry::open(game, None).ok()?;
    let mut tags = Tags::new();
    tags.push("Event", "alfil match");
    tags.push("Site", "?");
    if let Some(date) = text("date") {
        tags.push("Date", date);
    }
    tags.push("Round", row["number"].to_string());
    for (side, field) in desk.appearance().sides.into_iter().zip(["first", "second"]) {
        tags.push(side, text(field)?);
    }
    tags.push("Termination", termination_tag(text("how")?));
    let result = match text("result")? {
        "1-0" => Outcome::Win(Side::First),
        "0-1" => Outcome::Win(Side::Second),
        _ => Outcome::Draw,
    };
    let start = text("start").filter(|&start| start != "startpos").map(str::to_owned);
    let mut moves = vec![TextMove::default()];
    let mut add = |text: &Value, notes: MoveAnnotation| {
        moves.push(TextMove { parent: moves.len() - 1, text: text.as_str()?.to_owned(), annotation: notes });
        Some(())
    };
    let opening = row["opening"].as_array()?;
    for mv in opening {
        add(mv, MoveAnnotation::default())?;
    }
    // Who moves first after the opening.
    let mut second = opening.len() % 2 == 1;
    if let Some(start) = &start {
        let mut desk = desk;
        desk.open(start, &Waivers::All).ok()?;
        second ^= desk.view().side_to_move == Side::Second;
    }
    for (at, mv) in row["moves"].as_array()?.iter().enumerate() {
        add(mv, annotation_from_row(row, at, second ^ (at % 2 == 1)))?;
    }
    if let Some(last) = moves.last_mut() {
        last.annotation.comment_after = text("words")?.to_owned();
    }
    Some(TextGame { game: game.into(), tags, start, result: Some(result), moves, ..TextGame::default() })
}

/// What was said of a move. Scores are the mover's; records have the first player's.
fn annotation_from_row(row: &Value, at: usize, second: bool) -> MoveAnnotation {
    let millis = |field: &str| row[field][at].as_u64().map(Duration::from_millis);
    let score = row["scores"][at].as_i64().map(|score| {
        let score = score as i32;
        let score = if second { -score } else { score };
        match Score::from_value(score).mate_plies() {
            Some(plies) => AnnotatedScore::Mate((plies.abs() + 1) / 2 * score.signum()),
            None => AnnotatedScore::Centipawns(score),
        }
    });
    let depth = row["depths"][at].as_u64().map(|depth| depth as u32);
    MoveAnnotation {
        eval: score.map(|score| EvalAnnotation { score, depth }),
        clock: millis("left"),
        // A pass that nobody was asked for has no score and took no time.
        elapsed: millis("millis").filter(|spent| score.is_some() || !spent.is_zero()),
        ..MoveAnnotation::default()
    }
}

/// How a game ended, in the words of the PGN standard's chapter 9.8.1.
fn termination_tag(how: &str) -> &'static str {
    match how {
        "time" => "time forfeit",
        "rule" | "illegal" | "dispute" => "rules infraction",
        "score" | "solver" | "length" => "adjudication",
        "crash" | "hang" => "abandoned",
        _ => "normal",
    }
}

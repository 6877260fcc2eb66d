//! The calls of files of games.

use std::io::{self, Cursor};

use alfil_kernel::{Outcome, Side};
use alfil_records::text_game::TextFormat;
use alfil_records::{AnnotatedScore, FileFormat, NodeId, ROOT, TextGame, TextGames, TextMove, TreeNode};
use alfil_session::recorded_game::{board_at, replace_null_move, to_record};
use alfil_session::{AnyBoard, format_result};
use serde::Serialize;

use crate::answer::{Answer, json};
use crate::boards::Board;
use crate::errors::{Code, Error};
use crate::games::{self, GAMES};
use crate::object_table::ObjectTable;
use crate::requests::Request;

/// A reader of a file of games.
pub(crate) type Reader = TextGames<'static, Cursor<Vec<u8>>>;

/// A game of a file.
pub(crate) type Game = TextGame;

fn read_error(error: &io::Error) -> Error {
    Error::new(Code::Record, error.to_string())
}

fn format_of(game: &str) -> Result<&'static TextFormat, Error> {
    games::find(game).map(|game| &game.records)
}

/// A game with its place in a file.
#[derive(Serialize)]
struct GameAnswer<'g> {
    id: u32,
    number: u64,
    offset: Option<u64>,
    game: &'g str,
    tags: Vec<(&'g str, &'g str)>,
    result: &'static str,
    start: Option<&'g str>,
    error: Option<String>,
    warnings: Vec<String>,
}

/// A move of a game with its annotation; times are in milliseconds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeAnswer<'g> {
    index: usize,
    parent: Option<usize>,
    #[serde(rename = "move")]
    mv: Option<&'g str>,
    comment_before: &'g str,
    comment: &'g str,
    nags: Vec<u32>,
    score: Option<i32>,
    mate: Option<i32>,
    clock: Option<u64>,
    elapsed: Option<u64>,
}

impl<'g> NodeAnswer<'g> {
    fn new(index: NodeId, mv: &'g TreeNode<TextMove>) -> Self {
        let (annotation, is_start) = (&mv.annotation, index == ROOT);
        let (score, mate) = match annotation.eval.as_ref().map(|eval| &eval.score) {
            Some(AnnotatedScore::Centipawns(score)) => (Some(*score), None),
            Some(AnnotatedScore::Mate(moves)) => (None, Some(*moves)),
            None => (None, None),
        };
        let milliseconds = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        NodeAnswer {
            index,
            parent: (!is_start).then_some(mv.parent()),
            mv: (!is_start).then_some(replace_null_move(&mv.text)),
            comment_before: &annotation.comment_before,
            comment: &annotation.comment_after,
            nags: annotation.nags.iter().map(|&nag| nag.into()).collect(),
            score,
            mate,
            clock: annotation.clock.map(milliseconds),
            elapsed: annotation.elapsed.map(milliseconds),
        }
    }
}

/// The readers and games that JavaScript holds.
#[derive(Default)]
pub(crate) struct RecordObjects {
    pub(crate) readers: ObjectTable<Reader>,
    pub(crate) games: ObjectTable<Game>,
}

/// Answers a call of readers and games; `bytes` are those of a file.
pub(crate) fn answer(
    records: &mut RecordObjects,
    boards: &mut ObjectTable<Board>,
    kind: &str,
    name: &str,
    request: &Request,
    bytes: Vec<u8>,
) -> Result<Answer, Error> {
    match (kind, name) {
        ("reader", "new") => {
            let hint = request.game.as_deref().map(format_of).transpose()?;
            let reader =
                TextGames::new(Cursor::new(bytes), GAMES.iter().map(|game| &game.records).collect(), hint)
                    .map_err(|error| read_error(&error))?;
            json(&records.readers.add(reader)?)
        }
        ("reader", "format") => json(&records.readers.get(request.id)?.file_format().map(FileFormat::id)),
        ("reader", "next") => next_game(records, request.id),
        ("game", "new") => {
            let board = boards.get(request.id)?.playable()?;
            let mut game = to_record(board)?;
            game.result = outcome_of(request.result.as_deref())?;
            request.tags.iter().for_each(|(name, value)| game.tags.push(name.clone(), value.clone()));
            set_comments(&mut game, board, &request.comments)?;
            add_game(records, game, 1, None)
        }
        ("game", "nodes") => {
            let game = records.games.get(request.id)?;
            let nodes: Vec<_> = game.moves.iter().map(|(node, mv)| NodeAnswer::new(node, mv)).collect();
            json(&nodes)
        }
        ("game", "board") => {
            let board = board_of(records.games.get(request.id)?, request)?;
            json(&boards.add(Board::from(board))?)
        }
        ("game", "pgn") => {
            let game = complete(records.games.get(request.id)?)?;
            json(&pgn(game, request.notation.as_deref())?)
        }
        ("game", "write") => write(records, request),
        _ => Err(Error::argument(format!("a {kind} has no call {name:?}"))),
    }
}

/// Sets comments, given by the texts of their positions, after the moves that lead to these.
fn set_comments(
    game: &mut TextGame,
    board: &dyn AnyBoard,
    comments: &[(String, String)],
) -> Result<(), Error> {
    if comments.is_empty() {
        return Ok(());
    }
    let mut replay = board.clone_board();
    while replay.pop().is_ok() {}
    let (mut moves, mut node) = (board.played_moves().into_iter(), ROOT);
    loop {
        let fen = replay.fen();
        if let Some((_, comment)) = comments.iter().find(|(place, _)| *place == fen)
            && let Some(node) = game.moves.node_mut(node)
        {
            node.annotation.comment_after.clone_from(comment);
        }
        let Some(mv) = moves.next() else { return Ok(()) };
        replay.push(mv)?;
        // The record of a board has one line: each node follows the one before it.
        node += 1;
    }
}

fn next_game(records: &mut RecordObjects, reader: u32) -> Result<Answer, Error> {
    let next = records.readers.get(reader)?.next_game().map_err(|error| read_error(&error))?;
    let Some(placed) = next else { return json(&()) };
    let game = placed.game.unwrap_or_else(|error| TextGame { error: Some(error), ..TextGame::default() });
    add_game(records, game, placed.number, placed.offset)
}

fn add_game(
    records: &mut RecordObjects,
    game: TextGame,
    number: u64,
    offset: Option<u64>,
) -> Result<Answer, Error> {
    let id = records.games.add(game)?;
    let game = records.games.get(id)?;
    json(&GameAnswer {
        id,
        number,
        offset,
        game: &game.game,
        tags: game.tags.iter().collect(),
        result: format_result(game.result),
        start: game.start.as_deref(),
        error: game.error.as_ref().map(ToString::to_string),
        warnings: game.warnings.iter().map(ToString::to_string).collect(),
    })
}

/// Returns the game if something of it could be read.
fn complete(game: &TextGame) -> Result<&TextGame, Error> {
    if game.game.is_empty() {
        let error = game.error.as_ref().map_or_else(|| "the game is empty".to_owned(), ToString::to_string);
        return Err(Error::new(Code::Record, error));
    }
    Ok(game)
}

fn board_of(game: &TextGame, request: &Request) -> Result<Box<dyn AnyBoard>, Error> {
    let game = complete(game)?;
    let node = request.number.unwrap_or_default() as usize;
    Ok(board_at(games::find(&game.game)?.boards, game, node)?)
}

fn pgn(game: &TextGame, notation: Option<&str>) -> Result<String, Error> {
    if let Some(name) = notation {
        games::find(&game.game)?.boards.check_dialect(name)?;
    }
    let written = format_of(&game.game)?.format_pgn(game, notation);
    written.map_err(|error| Error::new(Code::Record, error.to_string()))
}

/// Writes games as one file.
fn write(records: &mut RecordObjects, request: &Request) -> Result<Answer, Error> {
    let name = request.format.as_deref().unwrap_or("pgn");
    let Some(format) = FileFormat::from_id(name) else {
        return Err(Error::argument(format!("there is no file format {name:?}")));
    };
    let mut games = Vec::new();
    for &id in &request.ids {
        games.push(complete(records.games.get(id)?)?.clone());
    }
    if format == FileFormat::Pgn {
        let notation = request.notation.as_deref();
        let texts = games.iter().map(|game| pgn(game, notation)).collect::<Result<Vec<_>, _>>()?;
        return Ok(Answer::Bytes(texts.join("\n").into_bytes()));
    }
    if request.notation.is_some() {
        return Err(Error::argument(format!("{name} has one notation: leave it out")));
    }
    let Some(first) = games.first() else { return Err(Error::argument("there are no games to write")) };
    let written = format_of(&first.game)?.format_file(format, &games);
    written.map(Answer::Bytes).map_err(|error| Error::new(Code::Record, error.to_string()))
}

/// Returns the outcome of a result in PGN; `*` and nothing are an unknown one.
fn outcome_of(result: Option<&str>) -> Result<Option<Outcome>, Error> {
    match result {
        None | Some("*") => Ok(None),
        Some("1-0") => Ok(Some(Outcome::Win(Side::First))),
        Some("0-1") => Ok(Some(Outcome::Win(Side::Second))),
        Some("1/2-1/2") => Ok(Some(Outcome::Draw)),
        Some(other) => {
            let message = format!("{other:?} is no result: choose \"1-0\", \"0-1\", \"1/2-1/2\" or \"*\"");
            Err(Error::argument(message))
        }
    }
}

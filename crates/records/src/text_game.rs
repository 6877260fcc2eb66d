//! Games in strings and plain data, whatever they are games of: what the hall hands to the doors.

use alfil_chess::Chess;
use alfil_kernel::{Dialect as _, Game, MoveOf, Notation as _, Outcome, Position as _, Setup as _, Waivers};
use alfil_othello::Othello;
use alfil_xiangqi::Xiangqi;

use crate::annotation::MoveAnnotation;
use crate::charset::LegacyEncoding;
use crate::error::{RecordError, RecordErrorKind};
use crate::game_tree::{GameTree, NodeId, Tags};
use crate::parsed_game::ParsedGame;
use crate::record_format::{DialectOf, RecordFormat, is_null_move};
use crate::{ggf, pgn, transcript};

/// How a null move is written.
pub const NULL_MOVE: &str = "--";

/// A move in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextMove {
    /// The number of the move before in [`PlainGame::moves`]; the start's own is 0.
    pub parent: usize,
    /// The move in the game's first dialect, or [`NULL`]; nothing at the start.
    pub text: String,
    /// What was said about it.
    pub annotation: MoveAnnotation,
}

/// A game in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextGame {
    /// Its kind: `xiangqi`.
    pub game: String,
    /// What the record says about the game as a whole.
    pub tags: Tags,
    /// The position text of its start, if it is not the usual one.
    pub start: Option<String>,
    /// How it ended; nothing where it did not, or nobody says.
    pub result: Option<Outcome>,
    /// The start and the moves, each behind the one before it, the main continuation before its alternatives.
    pub moves: Vec<TextMove>,
    /// What was passed over in reading.
    pub warnings: Vec<RecordError>,
}

/// Reads a file of games: PGN of any game, GGF, transcripts. Which game it is, tags say; where they do not, it is `hint`.
/// Where there is no hint, or tags that do not say, it is the first game in which the moves can be played. Each game that cannot be read to its end is a fault.
///
/// ```
/// use alfil_records::plain;
///
/// let games = plain::read(b"[Game \"Chinese Chess\"]\n\n1. C2.5 *\n\n[White \"A\"]\n\n1. e4 e9", None);
/// let first = games[0].as_ref().unwrap();
/// assert_eq!((first.game.as_str(), first.moves[1].text.as_str()), ("xiangqi", "h2e2"));
/// assert!(games[1].as_ref().unwrap_err().to_string().starts_with("game 2, line 7, byte 54, move 1... e9: "));
/// ```
pub fn parse_games(bytes: &[u8], hint: Option<&str>) -> Vec<Result<TextGame, RecordError>> {
    if is_ggf(bytes) {
        return parse_ggf_games(bytes);
    }
    if hint.is_none_or(|hint| hint == Othello::NAME) && is_transcript(bytes) {
        return transcript::parse_games(bytes).map(to_text_game).collect();
    }
    let chinese = hint == Some(Xiangqi::NAME) || memchr::memmem::find(bytes, b"[Game \"Chinese").is_some();
    let legacy = if chinese { LegacyEncoding::Chinese } else { LegacyEncoding::Western };
    let mut reader = pgn::Reader::with_legacy_encoding(bytes, legacy);
    let mut games = Vec::new();
    loop {
        match reader.next_game() {
            Ok(Some(game)) => games.push(parse_pgn_game(&game, hint)),
            Ok(None) => return games,
            // Bytes in memory cannot fail to be read, so that it is the one encoding that nobody reads here.
            Err(_) => {
                let reason = RecordErrorKind::Utf16;
                games.push(Err(RecordError { game: 1, offset: 0, line: 1, mv: String::new(), kind: reason }));
                return games;
            }
        }
    }
}

/// Whether these bytes begin a game of GGF, perhaps behind the number of games that follow.
fn is_ggf(bytes: &[u8]) -> bool {
    let head = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let start = head.iter().position(|byte| !byte.is_ascii_digit() && !byte.is_ascii_whitespace());
    start.is_some_and(|start| head[start..].starts_with(b"(;"))
}

/// Whether the first line that is no remark is of squares and passes only.
fn is_transcript(bytes: &[u8]) -> bool {
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let line = lines.into_iter().find(|line| !matches!(line, [] | [b'#' | b'%', ..])).unwrap_or_default();
    let line = line.split(|&byte| byte == b'\t').next().unwrap_or_default().to_ascii_lowercase();
    let squares =
        line.iter().all(|byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'p' | b's' | b'-' | b' '));
    squares && matches!(line[..], [b'a'..=b'h', b'1'..=b'8', ..])
}

fn parse_ggf_games(bytes: &[u8]) -> Vec<Result<TextGame, RecordError>> {
    let mut reader = ggf::Reader::new(bytes);
    // Bytes in memory cannot fail to be read.
    std::iter::from_fn(|| reader.next_game().ok().flatten()).map(|game| to_text_game(game.parse())).collect()
}

fn parse_pgn_game(game: &pgn::RawGame<'_>, hint: Option<&str>) -> Result<TextGame, RecordError> {
    let tags = game.tags();
    let claimed = match () {
        () if Xiangqi::matches_tags(&tags) => Some(Xiangqi::NAME),
        () if Othello::matches_tags(&tags) => Some(Othello::NAME),
        () if Chess::matches_tags(&tags) => Some(Chess::NAME),
        () => None,
    };
    let read = |name: &str| match name {
        Xiangqi::NAME => parse_as::<Xiangqi>(game),
        Othello::NAME => parse_as::<Othello>(game),
        _ => parse_as::<Chess>(game),
    };
    // The first moves of chess can be taken for soldiers' moves in WinBoard's letters; xiangqi has no White.
    let white = tags.value("White").is_some();
    let hint = hint.filter(|&hint| !(white && hint == Xiangqi::NAME));
    let (begun, usual) = read(claimed.or(hint).unwrap_or(Chess::NAME));
    // Where only somebody's guess says which game it is, and not one move is one of that game, it may be another.
    let guessed = claimed.is_none() && (hint.is_none() || !tags.is_empty());
    if usual.is_ok() || begun || !guessed {
        return usual;
    }
    let others = [Chess::NAME, Xiangqi::NAME, Othello::NAME].into_iter();
    others.map(|name| read(name).1).find(Result::is_ok).unwrap_or(usual)
}

/// Whether the game's first move could be read, and the game, if it was read to its end.
fn parse_as<G: RecordFormat>(game: &pgn::RawGame<'_>) -> (bool, Result<TextGame, RecordError>) {
    let parsed = game.parse::<G>();
    (!parsed.tree.is_empty(), to_text_game(parsed))
}

/// The game in words, if it was read to its end.
fn to_text_game<G: RecordFormat>(parsed: ParsedGame<G>) -> Result<TextGame, RecordError> {
    if let Some(fault) = parsed.error {
        return Err(fault);
    }
    let tree = parsed.tree;
    let usual = DialectOf::<G>::ALL[0];
    let start = tree.start.to_text();
    let own = tree.start != G::Setup::start();
    let mut moves =
        vec![TextMove { annotation: tree.annotation(NodeId::ROOT).clone(), ..TextMove::default() }];
    // No move was made on a board that was not made, so a start that none can be made of has no moves either.
    let root = G::Bitboard::from_setup(&tree.start, &Waivers::All);
    let mut ahead: Vec<(NodeId, usize, G::Bitboard)> = Vec::new();
    if let Ok(root) = root {
        ahead.extend(tree.children(NodeId::ROOT).map(|node| (node, 0, root.clone())));
        ahead.reverse();
    }
    while let Some((node, parent, mut position)) = ahead.pop() {
        let notes = tree.annotation(node).clone();
        let text = match tree.mv(node) {
            Some(mv) => {
                let text = G::MoveNotation::format_move(&position, mv, usual);
                position.make(mv, &mut ());
                text
            }
            None => {
                position.make_null();
                NULL_MOVE.to_owned()
            }
        };
        let number = moves.len();
        moves.push(TextMove { parent, text, annotation: notes });
        let first = ahead.len();
        ahead.extend(tree.children(node).map(|child| (child, number, position.clone())));
        ahead[first..].reverse();
    }
    let (tags, result, game) = (tree.tags, tree.result, G::NAME.to_owned());
    Ok(TextGame { game, tags, start: own.then_some(start), result, moves, warnings: parsed.warnings })
}

/// The PGN of a game; the moves in the dialect of records that is nearest to this one, or in the usual one.
///
/// ```
/// use alfil_records::plain;
///
/// let game = plain::read("[Game \"Chinese Chess\"]\n\n1. 炮二平五 *".as_bytes(), None).remove(0)?;
/// assert!(plain::write(&game, Some("wxf"))?.ends_with("[Format \"WXF\"]\n\n1. C2.5 *\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such game or dialect, the start cannot be read, or a move cannot be played.
pub fn format_pgn(game: &TextGame, dialect: Option<&str>) -> Result<String, String> {
    match game.game.as_str() {
        Xiangqi::NAME => format_pgn_as::<Xiangqi>(game, dialect),
        Chess::NAME => format_pgn_as::<Chess>(game, dialect),
        Othello::NAME => format_pgn_as::<Othello>(game, dialect),
        other => Err(format!("there is no game {other:?}")),
    }
}

fn format_pgn_as<G: RecordFormat>(game: &TextGame, dialect: Option<&str>) -> Result<String, String> {
    let dialect = match dialect {
        None => G::default_dialect(),
        Some(name) => DialectOf::<G>::from_name(name)
            .map(G::nearest_dialect)
            .ok_or_else(|| format!("{} has no dialect {name:?}", G::NAME))?,
    };
    pgn::format_game(&build_tree::<G>(game)?, dialect).map_err(|error| error.to_string())
}

/// The tree that a game in words stands for.
fn build_tree<G: RecordFormat>(game: &TextGame) -> Result<GameTree<G>, String> {
    let usual = DialectOf::<G>::ALL[0];
    let start = match &game.start {
        None => G::Setup::start(),
        Some(text) => G::Setup::parse(text).map_err(|error| error.to_string())?,
    };
    let root = G::Bitboard::from_setup(&start, &Waivers::All).map_err(|error| error.to_string())?;
    let mut tree = GameTree::<G>::new(start);
    (tree.tags, tree.result) = (game.tags.clone(), game.result);
    let mut nodes: Vec<(NodeId, G::Bitboard)> = Vec::with_capacity(game.moves.len());
    for (number, step) in game.moves.iter().enumerate() {
        if number == 0 {
            *tree.annotation_mut(NodeId::ROOT) = step.annotation.clone();
            nodes.push((NodeId::ROOT, root.clone()));
            continue;
        }
        let (parent, mut position) = match nodes.get(step.parent) {
            Some((parent, position)) => (*parent, position.clone()),
            None => return Err(format!("move {number} follows one that is not there")),
        };
        let mv = play_text_move::<G>(&mut position, &step.text, usual)
            .map_err(|error| format!("move {number}: {error}"))?;
        let node = tree.add(parent, mv);
        *tree.annotation_mut(node) = step.annotation.clone();
        nodes.push((node, position));
    }
    Ok(tree)
}

fn play_text_move<G: RecordFormat>(
    position: &mut G::Bitboard,
    text: &str,
    dialect: DialectOf<G>,
) -> Result<Option<MoveOf<G::Bitboard>>, String> {
    match G::MoveNotation::parse_move(position, text, dialect) {
        Ok(mv) => {
            position.make(mv, &mut ());
            Ok(Some(mv))
        }
        Err(_) if is_null_move(text) && !position.in_check() => {
            position.make_null();
            Ok(None)
        }
        Err(error) => Err(error.to_string()),
    }
}

//! Games of any kind as plain data: moves, positions and names are strings.

use alfil_kernel::{Dialect as _, Notation as _, Outcome, Position as _, Setup as _, Waivers};

use crate::annotation::MoveAnnotation;
use crate::charset::{Charset, LegacyEncoding};
use crate::error::{RecordError, RecordErrorKind};
use crate::file_format::FileFormat;
use crate::game_error::{AnyGameError, GameError};
use crate::game_index::GameIndex;
use crate::game_outline::GameOutline;
use crate::game_tree::GameTree;
use crate::move_tree::{MoveTree, NodeId, ROOT};
use crate::opening_names::{NamesOf, Opening, OpeningNames};
use crate::parsed_game::ParsedGame;
use crate::pgn;
use crate::record_format::game_file::FileWriter;
use crate::record_format::{DialectOf, ParsedMove, RecordFormat, is_null_move};
use crate::tags::Tags;
use crate::write_error::WriteError;

mod indexing;
mod opening_table;
mod rewriting;

pub use rewriting::{Rewriting, RewrittenGame};

/// The text of a null move.
pub const NULL_MOVE: &str = "--";

/// A move as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextMove {
    /// The move in the first dialect of the game's notation (coordinates), or [`NULL_MOVE`]; empty in the root node.
    pub text: String,
    /// The annotation of the move.
    pub annotation: MoveAnnotation,
}

/// A game as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextGame {
    /// The name of the game, such as `xiangqi`.
    pub game: String,
    /// The tags of the record.
    pub tags: Tags,
    /// The text of the initial position; none for the start position of the game.
    pub start: Option<String>,
    /// The result; none if the game is unfinished or its result unknown.
    pub result: Option<Outcome>,
    /// The start and the moves. The numbers of the nodes of a game that was read have no gaps.
    pub moves: MoveTree<TextMove>,
    /// The error that ended the game before its end, if any: the moves are those before it.
    pub error: Option<RecordError>,
    /// The parts skipped in reading.
    pub warnings: Vec<RecordError>,
}

impl TextGame {
    /// Returns the game if it was read to its end.
    ///
    /// # Errors
    /// Returns the error that ended it.
    pub fn into_complete(mut self) -> GameResult {
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }

    /// Returns the moves of the main line: the first continuation of every move.
    ///
    /// ```
    /// use alfil_records::TextGame;
    /// use alfil_records::text_game::TextMove;
    /// use alfil_records::move_tree::MoveTree;
    ///
    /// let moves = ["e2e4", "e7e5"].map(|text| TextMove { text: text.into(), ..TextMove::default() });
    /// let game = TextGame { moves: MoveTree::from_line(TextMove::default(), moves), ..TextGame::default() };
    /// assert_eq!(game.main_line(), ["e2e4", "e7e5"]);
    /// ```
    pub fn main_line(&self) -> Vec<&str> {
        self.moves.main_line().map(|node| self.moves[node].text.as_str()).collect()
    }
}

/// A game of a file, or the place and reason why nothing of it can be read.
pub type GameResult = Result<TextGame, RecordError>;

/// Reads a file of games: PGN of any of the formats' games, another format of one of them ([`RecordFormat::FILES`]), or
/// a table of openings. In PGN the tags decide the game. If they do not, it is `hint`, or the game of the PGN standard;
/// if not all moves are legal in it, it is the first other game in which they are, but the hint is final for a text
/// without tags. A move that cannot be read ends its game, and [`TextGame::error`] has its place and reason. A game
/// whose first move cannot be read is an error, unless it has a start position of its own, or has tags and its file
/// ends or its XML is damaged there. A file without games is one error, which names its format.
///
/// ```
/// use alfil_chess::Chess;
/// use alfil_records::text_game::{self, TextFormat};
/// use alfil_xiangqi::Xiangqi;
///
/// let formats = [&TextFormat::new::<Chess>(), &TextFormat::new::<Xiangqi>()];
/// let file = b"[Game \"Chinese Chess\"]\n\n1. C2.5 *\n\n[White \"A\"]\n\n1. e4 e9";
/// let games = text_game::parse_games(file, &formats, None);
/// let first = games[0].as_ref().unwrap();
/// assert_eq!((first.game.as_str(), first.moves[1].text.as_str()), ("xiangqi", "h2e2"));
/// let second = games[1].as_ref().unwrap();
/// assert_eq!(second.main_line(), ["e2e4"]);
/// let error = second.error.as_ref().unwrap().to_string();
/// assert!(error.starts_with("game 2, line 7, byte 54, move 1... e9: "));
/// ```
///
/// # Panics
/// If there are no formats.
pub fn parse_games(bytes: &[u8], formats: &[&TextFormat], hint: Option<&TextFormat>) -> Vec<GameResult> {
    match FileFormat::detect(bytes) {
        Some(FileFormat::OpeningTable) => return opening_table::parse_games(bytes, formats, hint),
        None | Some(FileFormat::Pgn) => {}
        Some(file) => {
            let is_expected = |format: &TextFormat| hint.is_none_or(|hint| hint.name == format.name);
            let read = |format: &&TextFormat| (format.parse_file)(file, bytes, is_expected(format));
            if let Some(games) = formats.iter().find_map(read) {
                return games;
            }
            // Bare moves are detected as a transcript of Othello, but may be moves of chess or xiangqi: they are read
            // as PGN.
            if file != FileFormat::Transcript {
                let kind = RecordErrorKind::UnsupportedFile(file);
                return vec![Err(RecordError { game: 1, offset: 0, line: 1, mv: String::new(), kind })];
            }
        }
    }
    let encoding = LegacyEncoding::of_pgn(bytes, formats, hint);
    let mut reader = pgn::Reader::with_legacy_encoding(bytes, encoding);
    let mut games = Vec::new();
    loop {
        match reader.next_game() {
            Ok(Some(game)) => games.push(parse_pgn_game(&game, formats, hint)),
            Ok(None) => return games,
            // Reading from memory cannot fail, so the only possible error is the unsupported encoding.
            Err(_) => {
                let kind = RecordErrorKind::Utf16;
                games.push(Err(RecordError { game: 1, offset: 0, line: 1, mv: String::new(), kind }));
                return games;
            }
        }
    }
}

impl LegacyEncoding {
    /// Returns the encoding of a PGN file that is not UTF-8: that of the game which its bytes name, or of the hint.
    pub(crate) fn of_pgn(bytes: &[u8], formats: &[&TextFormat], hint: Option<&TextFormat>) -> Self {
        let marked = formats.iter().copied().find(|format| (format.matches_pgn_file)(bytes));
        marked.or(hint).map_or(LegacyEncoding::Western, |format| format.legacy_encoding)
    }
}

/// The reading and writing of one game's records as text games.
#[derive(Clone, Copy, Debug)]
pub struct TextFormat {
    name: &'static str,
    tag_roster: &'static [&'static str],
    is_pgn_standard: bool,
    legacy_encoding: LegacyEncoding,
    matches_pgn_file: fn(&[u8]) -> bool,
    matches_tags: fn(&Tags) -> bool,
    excludes_tags: fn(&Tags) -> bool,
    parse_file: fn(FileFormat, &[u8], bool) -> Option<Vec<GameResult>>,
    written_files: fn() -> Vec<FileFormat>,
    holds_one_game: fn(FileFormat) -> bool,
    format_file: fn(FileFormat, &[TextGame]) -> Result<Vec<u8>, TextGameError>,
    parse: fn(&pgn::RawGame<'_>) -> Attempt<TextGame>,
    outline: fn(&pgn::RawGame<'_>, Option<NamesOf<'_>>) -> Attempt<GameOutline>,
    rewrite: fn(&pgn::RawGame<'_>, &Rewriting<'_>) -> Attempt<RewrittenGame>,
    pgn_dialects: fn() -> Vec<&'static str>,
    format: fn(&TextGame, Option<&str>) -> Result<String, TextGameError>,
    opening_names: fn() -> OpeningNames,
    opening_of: fn(&OpeningNames, &TextGame) -> Option<Opening>,
    index_of: fn(&OpeningNames, &TextGame) -> Option<GameIndex>,
}

impl TextFormat {
    /// Returns the format of a game.
    pub const fn new<G: RecordFormat>() -> Self {
        TextFormat {
            name: G::NAME,
            tag_roster: G::TAG_ROSTER,
            is_pgn_standard: G::IS_PGN_STANDARD,
            legacy_encoding: G::LEGACY_ENCODING,
            matches_pgn_file: G::matches_pgn_file,
            matches_tags: G::matches_tags,
            excludes_tags: G::excludes_tags,
            parse_file: parse_file_as::<G>,
            written_files: || {
                G::FILES.iter().filter(|file| file.writer.is_some()).map(|file| file.format).collect()
            },
            holds_one_game: |format| {
                let mut rows = G::FILES.iter().filter(|file| file.format == format);
                rows.any(|file| matches!(file.writer, Some(FileWriter::OneGame(_))))
            },
            format_file: format_file_as::<G>,
            parse: parse_as::<G>,
            outline: outline_as::<G>,
            rewrite: rewriting::rewrite_as::<G>,
            pgn_dialects: || {
                let is_written = |dialect: &&DialectOf<G>| G::nearest_dialect(**dialect) == **dialect;
                DialectOf::<G>::ALL.iter().filter(is_written).map(|dialect| dialect.name()).collect()
            },
            format: format_pgn_as::<G>,
            opening_names: OpeningNames::of::<G>,
            opening_of: opening_of::<G>,
            index_of: indexing::index_of::<G>,
        }
    }

    /// Returns the names of the tags with which a PGN record of the game begins, even if their values are unknown.
    pub fn tag_roster(&self) -> &'static [&'static str] {
        self.tag_roster
    }

    /// Returns the encoding of bytes of the game's records that are not UTF-8.
    pub fn legacy_encoding(&self) -> LegacyEncoding {
        self.legacy_encoding
    }

    /// Returns the named openings of the game. Each call plays through all their moves: call it once, and keep the
    /// result for all games.
    pub fn opening_names(&self) -> OpeningNames {
        (self.opening_names)()
    }

    /// Returns the last named opening on the main line of a game.
    ///
    /// ```
    /// use alfil_records::text_game::{TextFormat, parse_games};
    /// use alfil_othello::Othello;
    ///
    /// let format = TextFormat::new::<Othello>();
    /// let names = format.opening_names();
    /// let game = parse_games(b"f5d6c3d3c4f4f6", &[&format], Some(&format)).remove(0)?;
    /// assert_eq!(format.opening_of(&names, &game).unwrap().name, "Stephenson");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn opening_of(&self, names: &OpeningNames, game: &TextGame) -> Option<Opening> {
        (self.opening_of)(names, game)
    }

    /// Returns what a list and a search need of the moves of a game; `None` if its start position cannot be read.
    pub fn index_of(&self, names: &OpeningNames, game: &TextGame) -> Option<GameIndex> {
        (self.index_of)(names, game)
    }

    /// Returns the name of the game.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the names of the tags of the players, that of the side with the first move before the other.
    pub fn player_tags(&self) -> [&'static str; 2] {
        // The players and the result end every roster, as a test checks.
        match self.tag_roster {
            [.., first, second, "Result"] => [first, second],
            _ => ["White", "Black"],
        }
    }

    /// Formats a game as PGN, with the moves in the dialect of PGN that is nearest to `dialect`, or in the default one
    /// ([`RecordFormat::default_dialect`]).
    ///
    /// ```
    /// use alfil_records::text_game::{TextFormat, parse_games};
    /// use alfil_xiangqi::Xiangqi;
    ///
    /// let format = TextFormat::new::<Xiangqi>();
    /// let file = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 *";
    /// let game = parse_games(file.as_bytes(), &[&format], None).remove(0)?;
    /// assert!(format.format_pgn(&game, Some("wxf"))?.ends_with("[Format \"WXF\"]\n\n1. C2.5 *\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text game is of another game, the dialect is unknown, the start is invalid, or a move
    /// is illegal.
    pub fn format_pgn(&self, game: &TextGame, dialect: Option<&str>) -> Result<String, TextGameError> {
        self.check_game(game)?;
        (self.format)(game, dialect)
    }

    /// Reads the PGN of one game, as [`TextFormat::format_pgn`] writes it.
    ///
    /// # Errors
    /// Returns the error of a game of which nothing can be read.
    pub fn parse_pgn(&self, text: &str) -> GameResult {
        let game = pgn::RawGame::from_bytes(1, (0, 1), text.as_bytes(), Charset::Utf8);
        (self.parse)(&game).game
    }

    /// Returns the names of the dialects in which PGN is written.
    pub fn pgn_dialects(&self) -> Vec<&'static str> {
        (self.pgn_dialects)()
    }

    /// Returns the formats other than PGN in which games can be written.
    pub fn written_files(&self) -> Vec<FileFormat> {
        (self.written_files)()
    }

    /// Returns whether games are written in this format, and a file of it holds exactly one.
    pub fn holds_one_game(&self, file: FileFormat) -> bool {
        (self.holds_one_game)(file)
    }

    /// Writes games as one file of a format.
    ///
    /// ```
    /// use alfil_records::FileFormat;
    /// use alfil_records::text_game::{TextFormat, parse_games};
    /// use alfil_xiangqi::Xiangqi;
    ///
    /// let format = TextFormat::new::<Xiangqi>();
    /// let pgn = "[Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n\n1. 炮二平五 (1. 兵三进一) *";
    /// let game = parse_games(pgn.as_bytes(), &[&format], None).remove(0)?;
    /// let file = format.format_file(FileFormat::Xqf, &[game.clone()])?;
    /// assert_eq!(parse_games(&file, &[&format], None), [Ok(game)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the format is none of the game's or only read, and otherwise as
    /// [`TextFormat::format_pgn`], or if the format cannot hold the games.
    pub fn format_file(&self, file: FileFormat, games: &[TextGame]) -> Result<Vec<u8>, TextGameError> {
        games.iter().try_for_each(|game| self.check_game(game))?;
        (self.format_file)(file, games)
    }

    fn check_game(&self, game: &TextGame) -> Result<(), TextGameError> {
        if game.game == self.name {
            return Ok(());
        }
        Err(TextGameError::OtherGame { found: game.game.clone(), expected: self.name })
    }
}

fn parse_file_as<G: RecordFormat>(
    file: FileFormat,
    bytes: &[u8],
    is_expected: bool,
) -> Option<Vec<GameResult>> {
    let row = G::FILES.iter().find(|row| row.format == file && (is_expected || !row.is_shared))?;
    Some((row.read)(bytes).into_iter().map(to_text_game).collect())
}

fn format_file_as<G: RecordFormat>(file: FileFormat, games: &[TextGame]) -> Result<Vec<u8>, TextGameError> {
    let unwritten = || TextGameError::UnwrittenFormat { game: G::NAME, file };
    let row = G::FILES.iter().find(|row| row.format == file);
    let writer = row.and_then(|row| row.writer.as_ref()).ok_or_else(unwritten)?;
    let trees: Vec<_> = games.iter().map(build_tree::<G>).collect::<Result<_, _>>()?;
    Ok(writer.write(file, &trees)?)
}

/// Reads a game of a PGN file.
pub(crate) fn parse_pgn_game(
    game: &pgn::RawGame<'_>,
    formats: &[&TextFormat],
    hint: Option<&TextFormat>,
) -> GameResult {
    read_pgn_game(game, formats, hint, |format| (format.parse)(game))
}

/// Reads the outline of a game of a PGN file, with the opening of a game that does not name it among `names`.
pub(crate) fn outline_pgn_game(
    game: &pgn::RawGame<'_>,
    formats: &[&TextFormat],
    hint: Option<&TextFormat>,
    names: Option<NamesOf<'_>>,
) -> Result<GameOutline, RecordError> {
    read_pgn_game(game, formats, hint, |format| (format.outline)(game, names))
}

/// Reads a game of a PGN file and writes it as PGN.
pub(crate) fn rewrite_pgn_game(
    game: &pgn::RawGame<'_>,
    formats: &[&TextFormat],
    hint: Option<&TextFormat>,
    rewriting: &Rewriting<'_>,
) -> Result<RewrittenGame, RecordError> {
    read_pgn_game(game, formats, hint, |format| (format.rewrite)(game, rewriting))
}

/// Reads a game of a PGN file in the first of the formats in which it can be read to its end.
fn read_pgn_game<T: EndsEarly>(
    game: &pgn::RawGame<'_>,
    formats: &[&TextFormat],
    hint: Option<&TextFormat>,
    read: impl Fn(&TextFormat) -> Attempt<T>,
) -> Result<T, RecordError> {
    let tags = &game.section().tags;
    let tagged = formats.iter().copied().find(|format| (format.matches_tags)(tags));
    let hint = hint.filter(|hint| !(hint.excludes_tags)(tags));
    let standard = || formats.iter().copied().find(|format| format.is_pgn_standard).unwrap_or(formats[0]);
    let first = tagged.or(hint).unwrap_or_else(standard);
    let attempt = read(first);
    // If the game is only a guess and not all its moves are legal in it, try the other games.
    let is_guess = tagged.is_none() && (hint.is_none() || !tags.is_empty());
    let is_complete = |game: &Result<T, RecordError>| game.as_ref().is_ok_and(|game| !game.ends_early());
    if is_complete(&attempt.game) || !is_guess {
        return attempt.game;
    }
    let has_moves = attempt.has_moves;
    let others = formats.iter().filter(|format| format.name != first.name);
    let mut attempts = vec![attempt.game];
    for format in others {
        let game = read(format).game;
        if is_complete(&game) {
            return game;
        }
        attempts.push(game);
    }
    // A text that begins with the number of a move is meant as a record.
    let is_numbered = game.text().trim_start().starts_with(|character: char| character.is_ascii_digit());
    if tags.is_empty()
        && hint.is_none()
        && !is_numbered
        && !has_moves
        && attempts.iter().all(begins_with_no_move)
    {
        let kind = RecordErrorKind::NoRecord(formats.iter().map(|format| format.name).collect());
        return attempts.swap_remove(0).map_err(|error| RecordError { mv: String::new(), kind, ..error });
    }
    attempts.swap_remove(0)
}

/// Returns whether nothing of a game could be read because its first word is no move.
fn begins_with_no_move<T>(game: &Result<T, RecordError>) -> bool {
    let Err(error) = game else { return false };
    matches!(&error.kind, RecordErrorKind::InvalidMove(error) if error.is_unreadable_move())
}

/// What is read of a game.
trait EndsEarly {
    /// Returns whether an error ended the game before its end.
    fn ends_early(&self) -> bool;
}

impl EndsEarly for TextGame {
    fn ends_early(&self) -> bool {
        self.error.is_some()
    }
}

impl EndsEarly for RewrittenGame {
    fn ends_early(&self) -> bool {
        self.outline.error.is_some()
    }
}

impl EndsEarly for GameOutline {
    fn ends_early(&self) -> bool {
        self.error.is_some()
    }
}

/// The result of reading a PGN game as a certain game.
struct Attempt<T> {
    /// Whether the first move is legal.
    has_moves: bool,
    game: Result<T, RecordError>,
}

fn outline_as<G: RecordFormat>(game: &pgn::RawGame<'_>, names: Option<NamesOf<'_>>) -> Attempt<GameOutline> {
    let outline = game.outline::<G>(names);
    let has_moves = outline.plies > 0;
    let unreadable =
        unreadable(outline.error.as_ref(), has_moves, outline.start.is_some(), &outline.tags).cloned();
    Attempt { has_moves, game: unreadable.map_or(Ok(outline), Err) }
}

fn parse_as<G: RecordFormat>(game: &pgn::RawGame<'_>) -> Attempt<TextGame> {
    let parsed = game.parse::<G>();
    Attempt { has_moves: !parsed.tree.moves.is_empty(), game: to_text_game(parsed) }
}

/// Returns the error of a game of which nothing could be read. The tags of a file that ends before the first move, or
/// has damaged XML there, are kept.
fn unreadable<'a>(
    error: Option<&'a RecordError>,
    has_moves: bool,
    has_own_start: bool,
    tags: &Tags,
) -> Option<&'a RecordError> {
    let keeps_tags = |error: &&RecordError| {
        matches!(error.kind, RecordErrorKind::UnexpectedEnd | RecordErrorKind::InvalidXml(_))
            && !tags.is_empty()
    };
    error.filter(|error| !has_moves && !has_own_start && !keeps_tags(error))
}

/// Converts a game, or returns its error if nothing of it could be read.
fn to_text_game<G: RecordFormat>(parsed: ParsedGame<G>) -> GameResult {
    let tree = parsed.tree;
    let dialect = DialectOf::<G>::ALL[0];
    let start = tree.start.to_text();
    let has_own_start = tree.start != G::Setup::start();
    if let Some(error) = unreadable(parsed.error.as_ref(), !tree.moves.is_empty(), has_own_start, &tree.tags)
    {
        return Err(error.clone());
    }
    let mut moves =
        MoveTree::new(TextMove { text: String::new(), annotation: tree.annotation(ROOT).clone() });
    // A setup that no board accepts has no moves.
    let root = G::Board::from_setup(&tree.start, &Waivers::All);
    let mut pending: Vec<(NodeId, usize, G::Board)> = Vec::new();
    if let Ok(root) = root {
        pending.extend(tree.moves.children(ROOT).map(|node| (node, 0, root.clone())));
        pending.reverse();
    }
    while let Some((node, parent, mut position)) = pending.pop() {
        let annotation = tree.annotation(node).clone();
        let text = match tree.mv(node) {
            Some(mv) => {
                let text = G::MoveNotation::format_move(&position, mv, dialect);
                position.make(mv, &mut ());
                text
            }
            None => {
                position.make_null();
                NULL_MOVE.to_owned()
            }
        };
        let index = moves.add(parent, TextMove { text, annotation });
        let first = pending.len();
        pending.extend(tree.moves.children(node).map(|child| (child, index, position.clone())));
        pending[first..].reverse();
    }
    let (tags, result, game) = (tree.tags, tree.result, G::NAME.to_owned());
    Ok(TextGame {
        game,
        tags,
        start: has_own_start.then_some(start),
        result,
        moves,
        error: parsed.error,
        warnings: parsed.warnings,
    })
}

/// The reason why a text game cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextGameError {
    /// The text game is of another game.
    #[error("a game of {found} cannot be written as a game of {expected}")]
    OtherGame {
        /// The game of the text game.
        found: String,
        /// The game of the format.
        expected: &'static str,
    },
    /// The game has no dialect of this name.
    #[error("{game} has no dialect {dialect:?}")]
    UnknownDialect {
        /// The name of the game.
        game: &'static str,
        /// The name that was given.
        dialect: String,
    },
    /// The game has no such format, or none that is written.
    #[error("a game of {game} cannot be written as {}", file.name())]
    UnwrittenFormat {
        /// The name of the game.
        game: &'static str,
        /// The format.
        file: FileFormat,
    },
    /// The initial position is invalid or illegal.
    #[error("the start position: {0}")]
    InvalidStart(Box<AnyGameError>),
    /// A move is invalid or illegal.
    #[error("move {node}: {error}")]
    InvalidMove {
        /// The node of the move in [`TextGame::moves`].
        node: NodeId,
        /// The error of the game.
        error: Box<AnyGameError>,
    },
    /// The links of the nodes of [`TextGame::moves`] are inconsistent.
    #[error("the moves are no tree: a move does not follow its parent")]
    InvalidTree,
    /// The tree cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

fn format_pgn_as<G: RecordFormat>(game: &TextGame, dialect: Option<&str>) -> Result<String, TextGameError> {
    Ok(pgn::format_game(&build_tree::<G>(game)?, record_dialect::<G>(dialect)?)?)
}

/// Returns the dialect of PGN that is nearest to the one with this name, or the default one.
fn record_dialect<G: RecordFormat>(name: Option<&str>) -> Result<DialectOf<G>, TextGameError> {
    let Some(name) = name else { return Ok(G::default_dialect()) };
    let unknown = || TextGameError::UnknownDialect { game: G::NAME, dialect: name.to_owned() };
    DialectOf::<G>::from_name(name).map(G::nearest_dialect).ok_or_else(unknown)
}

fn opening_of<G: RecordFormat>(names: &OpeningNames, game: &TextGame) -> Option<Opening> {
    let start = game.start.as_deref().map_or_else(|| Ok(G::Setup::start()), G::Setup::parse).ok()?;
    let position = G::Board::from_setup(&start, &Waivers::All).ok()?;
    let mut moves = game.main_line().into_iter();
    let play_next = |position: &mut G::Board| {
        moves.next().is_some_and(|text| play_text_move::<G>(position, text).is_ok())
    };
    names.last_of_line(position, play_next).copied()
}

/// Builds the tree of a text game.
pub(crate) fn build_tree<G: RecordFormat>(game: &TextGame) -> Result<GameTree<G>, TextGameError> {
    let invalid_start = |error| TextGameError::InvalidStart(G::into_any_error(error));
    let start = match &game.start {
        None => G::Setup::start(),
        Some(text) => {
            G::Setup::parse(text).map_err(|error| invalid_start(GameError::InvalidPositionText(error)))?
        }
    };
    let root = G::Board::from_setup(&start, &Waivers::All)
        .map_err(|error| invalid_start(GameError::InvalidSetup(error)))?;
    let mut tree = GameTree::<G>::new(start);
    (tree.tags, tree.result) = (game.tags.clone(), game.result);
    if !game.moves.is_valid() {
        return Err(TextGameError::InvalidTree);
    }
    *tree.annotation_mut(ROOT) = game.moves[ROOT].annotation.clone();
    let mut pending = vec![(ROOT, ROOT, root)];
    while let Some((text_node, node, position)) = pending.pop() {
        let first = pending.len();
        for child in game.moves.children(text_node) {
            let TextMove { text, annotation } = &game.moves[child].value;
            let mut position = position.clone();
            let mv = play_text_move::<G>(&mut position, text).map_err(|error| {
                let error = G::into_any_error(GameError::InvalidMoveText(error));
                TextGameError::InvalidMove { node: child, error }
            })?;
            let added = tree.add(node, mv);
            if !annotation.is_empty() {
                *tree.annotation_mut(added) = annotation.clone();
            }
            pending.push((child, added, position));
        }
        pending[first..].reverse();
    }
    Ok(tree)
}

/// Plays a move in the first dialect, or a null move.
pub(crate) fn play_text_move<G: RecordFormat>(position: &mut G::Board, text: &str) -> ParsedMove<G> {
    match G::MoveNotation::parse_move(position, text, DialectOf::<G>::ALL[0]) {
        Ok(mv) => {
            position.make(mv, &mut ());
            Ok(Some(mv))
        }
        Err(_) if is_null_move(text) && !position.in_check() => {
            position.make_null();
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

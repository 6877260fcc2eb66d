//! The library: collections of games, as sessions see them, and the reading of files into it.

use std::io::{self, Read};
use std::ops::ControlFlow;

use alfil_kernel::{Outcome, Waivers};
use alfil_session::played_game::{GameRecord, PlayedGame};
use alfil_session::{GameIndex, Names, OpeningNamesCache, SessionError, TextGame, TextGames, registry};

use crate::import_export::{RESULT_TEXTS, is_empty_game, record_from_text_game, text_game_from_record};
use crate::import_remarks::{dropped_move_count, read_game_remark, refused_game_remark, unread_game_remark};
use crate::request_error::RequestError;
use crate::tag_summary::TagSummary;
use crate::wire::{CollectionList, ImportProgress, LibraryList, LibraryQuery};

/// The maximal number of remarks in the report of an import.
const MAX_REMARKS: usize = 100;

/// The collections of a store, and lists of its games. A collection whose import has not ended is hidden, and so are
/// its games. [`check_game_library`] and [`check_game_import`] check an implementation.
///
/// Lists are sorted by names in the order of [`name_sort_key`]. Games of which nothing is known come last, and among
/// equal ones those of a file are in its order, and those that were played here the newest first.
///
/// [`check_game_library`]: crate::conformance::check_game_library
/// [`check_game_import`]: crate::conformance::check_game_import
/// [`name_sort_key`]: crate::name_sort_key
///
/// ```
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::wire::LibraryQuery;
/// use alfil_page::{GameLibrary, ImportOptions, MemoryStore};
///
/// let store = MemoryStore::new(HOST);
/// let options = ImportOptions { name: "club".into(), game: Some("chess".into()), ..ImportOptions::default() };
/// let mut import = store.begin_import(options).unwrap();
/// import.push(b"[White \"Dvorak\"]\n\n1. e4 e5 *\n\n[White \"Adams\"]\n\n1. d4 *\n".into()).unwrap();
/// while !import.finish().unwrap().done {}
/// let query = LibraryQuery { search: "Dvoř".into(), ..LibraryQuery::default() };
/// let list = store.list_games(&query, None, 0, 10).unwrap();
/// assert_eq!((list.total, &*list.rows[0].players[0]), (1, "Dvorak"));
/// assert_eq!(store.collections().unwrap().rows[0].name, "club");
/// ```
pub trait GameLibrary: Send + Sync {
    /// Returns a part of the games of a query; `key` is the hash key of its position.
    ///
    /// ```
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::wire::{LibraryQuery, LibrarySort};
    /// use alfil_page::{GameLibrary, ImportOptions, MemoryStore};
    ///
    /// let store = MemoryStore::new(HOST);
    /// let options = ImportOptions { name: "club".into(), game: Some("chess".into()), ..ImportOptions::default() };
    /// let mut import = store.begin_import(options).unwrap();
    /// import.push(b"[White \"Li\"]\n\n1. e4 *\n\n[White \"Adams\"]\n\n1. d4 *\n".into()).unwrap();
    /// while !import.finish().unwrap().done {}
    /// let query = LibraryQuery { sort: LibrarySort::Players, ..LibraryQuery::default() };
    /// // One row of two.
    /// let list = store.list_games(&query, None, 1, 1).unwrap();
    /// assert_eq!((list.total, list.rows.len(), &*list.rows[0].players[0]), (2, 1, "Li"));
    /// ```
    ///
    /// # Errors
    /// If the store cannot be read, or there is no such collection.
    fn list_games(
        &self,
        query: &LibraryQuery,
        key: Option<u64>,
        offset: usize,
        limit: usize,
    ) -> Result<LibraryList, RequestError>;

    /// Returns the ids of all games of a query.
    ///
    /// # Errors
    /// As [`GameLibrary::list_games`].
    fn ids(&self, query: &LibraryQuery, key: Option<u64>) -> Result<Vec<String>, RequestError>;

    /// Returns the collections, the newest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn collections(&self) -> Result<CollectionList, SessionError>;

    /// Renames a collection.
    ///
    /// ```
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::wire::ErrorCode;
    /// use alfil_page::{GameLibrary, ImportOptions, MemoryStore};
    ///
    /// let store = MemoryStore::new(HOST);
    /// let options = ImportOptions { name: "club".into(), game: Some("chess".into()), ..ImportOptions::default() };
    /// let mut import = store.begin_import(options).unwrap();
    /// import.push(b"1. e4 *\n\n1. d4 *\n".into()).unwrap();
    /// while !import.finish().unwrap().done {}
    /// let id = &store.collections().unwrap().rows[0].id;
    /// store.rename_collection(id, "club 2026").unwrap();
    /// assert_eq!(store.collections().unwrap().rows[0].name, "club 2026");
    /// assert_eq!(store.rename_collection("none", "x").unwrap_err().code, Some(ErrorCode::NotFound));
    /// ```
    ///
    /// # Errors
    /// If there is no such collection, or the store cannot be written.
    fn rename_collection(&self, id: &str, name: &str) -> Result<(), RequestError>;

    /// Deletes or restores a collection with its games.
    ///
    /// # Errors
    /// If there is no such collection, or the store cannot be written.
    fn set_collection_deleted(&self, id: &str, is_deleted: bool) -> Result<(), RequestError>;

    /// Deletes games, if they exist. They can be restored until they are purged.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn delete_games(&self, ids: &[String]) -> Result<(), SessionError>;

    /// Restores deleted games, all or none. A collection with which they were deleted comes back with these games only.
    /// Returns the ids of the collections that came back, in the order of their games in `ids`.
    ///
    /// ```
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::wire::{LibraryQuery, NewGame};
    /// use alfil_page::{GameLibrary, GameStore, MemoryStore, OpenGame, SavedDate};
    ///
    /// let store = MemoryStore::new(HOST);
    /// let new = NewGame { game: "chess".into(), moves: vec!["e2e4".into()], ..NewGame::default() };
    /// let mut game = OpenGame::new(HOST.new_id(), new).unwrap();
    /// store.save(&mut game, 1, SavedDate::Now).unwrap();
    /// let ids = [game.id.clone()];
    /// store.delete_games(&ids).unwrap();
    /// assert!(store.ids(&LibraryQuery::default(), None).unwrap().is_empty());
    /// store.restore_games(&ids).unwrap();
    /// assert_eq!(store.ids(&LibraryQuery::default(), None).unwrap(), ids);
    /// ```
    ///
    /// # Errors
    /// If a game does not exist any more, or the store cannot be written.
    fn restore_games(&self, ids: &[String]) -> Result<Vec<String>, RequestError>;

    /// Removes deleted games for ever; games that are not deleted stay.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn remove_games(&self, ids: &[String]) -> Result<(), SessionError>;

    /// Begins the import of a file.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn begin_import(&self, options: ImportOptions) -> Result<Box<dyn GameImport>, SessionError>;
}

/// What an import needs to know of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// The name of the collection.
    pub name: String,
    /// The game of a file that does not say which one it contains.
    pub game: Option<String>,
    /// Whether remarks about moves that cannot be read are in Chinese.
    pub in_chinese: bool,
    /// The names of players and tournaments that the games give as numbers, from files of their own.
    pub names: Vec<Names>,
}

/// A running import. Dropped before it is done, it is cancelled.
///
/// ```
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::{GameLibrary, ImportOptions, MemoryStore};
///
/// let store = MemoryStore::new(HOST);
/// let options = ImportOptions { game: Some("chess".into()), ..ImportOptions::default() };
/// let mut import = store.begin_import(options).unwrap();
/// for part in [b"1. e4 e5 *\n\n1. d".to_vec(), b"4 Ke7 *\n".to_vec()] {
///     import.push(part).unwrap();
/// }
/// let mut report = import.finish().unwrap();
/// while !report.done {
///     report = import.finish().unwrap();
/// }
/// // The second game ends before the move that is not legal.
/// assert_eq!((report.games, report.cut, report.remarks.len()), (2, 1, 1));
/// ```
pub trait GameImport: Send {
    /// Takes the next bytes of the file; waits until they can be taken.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn push(&mut self, bytes: Vec<u8>) -> Result<ImportProgress, SessionError>;

    /// Says that the file is complete. It has to be called until the import is done, and returns the same report when
    /// it is called again. A single game is in no collection.
    ///
    /// # Errors
    /// If the store cannot be written, or the file has no games.
    fn finish(&mut self) -> Result<ImportProgress, SessionError>;
}

/// Returns the text of a result, as in PGN; empty if there is none.
pub(crate) fn result_text(outcome: Option<Outcome>) -> &'static str {
    let found = RESULT_TEXTS.iter().find(|(known, _)| Some(*known) == outcome);
    found.map_or("", |&(_, text)| text)
}

/// Returns the text of the result that the moves of a game, a resignation or a flag fall give; empty if they give none,
/// and `None` if the game is damaged.
fn result_of_moves(record: GameRecord) -> Option<String> {
    let outcome = PlayedGame::open(record, &Waivers::All).ok()?.outcome().ok()?;
    Some(result_text(outcome).to_owned())
}

/// The summary of a game, which lists show and search: its tags, and what its moves say.
///
/// ```
/// use alfil_page::GameSummary;
/// use alfil_session::OpeningNamesCache;
/// use alfil_session::played_game::GameRecord;
///
/// let record = GameRecord::new("chess");
/// let summary = GameSummary::of(record, &OpeningNamesCache::default()).unwrap();
/// assert_eq!(summary.placement(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
/// ```
#[derive(Clone, Debug)]
pub struct GameSummary {
    /// What its tags say.
    pub tags: TagSummary,
    /// What its moves say.
    pub index: GameIndex,
}

impl GameSummary {
    /// Returns the summary of a saved game; `None` if the game is damaged.
    pub fn of(record: GameRecord, openings: &OpeningNamesCache) -> Option<GameSummary> {
        let index = openings.index_of(&text_game_from_record(&record, None));
        let index =
            index.unwrap_or_else(|| GameIndex { plies: record.main_line_plies(), ..GameIndex::default() });
        let mut tags = TagSummary::new(&record.game, &record.tags);
        if tags.result.is_empty() {
            tags.result = result_of_moves(record)?;
        }
        Some(GameSummary { tags, index })
    }

    /// Returns code and names of the opening: that of the moves, or that of the tags if the moves have none.
    ///
    /// ```
    /// use alfil_page::GameSummary;
    /// use alfil_session::OpeningNamesCache;
    /// use alfil_session::played_game::GameRecord;
    ///
    /// let tags = vec![("ECO".into(), "C60".into()), ("Opening".into(), "Ruy Lopez".into())];
    /// let record = GameRecord { tags, ..GameRecord::new("chess") };
    /// let summary = GameSummary::of(record, &OpeningNamesCache::default()).unwrap();
    /// assert_eq!(summary.opening(), ["C60", "Ruy Lopez", ""]);
    /// ```
    pub fn opening(&self) -> [&str; 3] {
        match &self.index.opening {
            Some(opening) => [opening.eco, opening.name, opening.name_zh],
            None => [&self.tags.opening[0], &self.tags.opening[1], ""],
        }
    }

    /// Returns the pieces of the last position.
    pub fn placement(&self) -> &str {
        self.index.final_position.split(' ').next().unwrap_or_default()
    }
}

/// A game of a file that is imported.
#[derive(Clone, Debug)]
pub struct ImportedGame {
    /// The game.
    pub record: GameRecord,
    /// What a list and a search need.
    pub summary: GameSummary,
}

/// The games of a file, one after another.
///
/// ```
/// use alfil_page::{FileGames, ImportOptions};
/// use alfil_session::OpeningNamesCache;
///
/// let file = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. Ke5 *\n";
/// let options = ImportOptions { game: Some("chess".into()), ..ImportOptions::default() };
/// let (mut games, openings) = (FileGames::new(&file[..], &options)?, OpeningNamesCache::default());
/// let game = games.next_game(&openings)?.unwrap();
/// assert_eq!(game.summary.opening()[..2], ["C60", "Ruy Lopez"]);
/// // Of the second game nothing can be read.
/// assert!(games.next_game(&openings)?.is_none() && games.progress().bad == 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FileGames<R> {
    games: TextGames<'static, R>,
    in_chinese: bool,
    names: Vec<Names>,
    progress: ImportProgress,
}

impl<R: Read> FileGames<R> {
    /// Begins to read a file.
    ///
    /// # Errors
    /// Returns the errors of the input.
    pub fn new(input: R, options: &ImportOptions) -> io::Result<FileGames<R>> {
        let games = registry::stream_games(input, options.game.as_deref())?;
        let (in_chinese, names) = (options.in_chinese, options.names.clone());
        Ok(FileGames { games, in_chinese, names, progress: ImportProgress::default() })
    }

    /// Returns what was read so far, and what could not be read.
    pub fn progress(&self) -> &ImportProgress {
        &self.progress
    }

    /// Returns the next game of which something can be read; `None` at the end of the file.
    ///
    /// # Errors
    /// Returns the errors of the input.
    pub fn next_game(&mut self, openings: &OpeningNamesCache) -> io::Result<Option<ImportedGame>> {
        let FileGames { games, in_chinese, names, progress } = self;
        let in_chinese = *in_chinese;
        while let Some(mut placed) = games.next_game()? {
            if let Ok(game) = &mut placed.game {
                names.iter().for_each(|names| names.complete(&mut game.tags));
            }
            let (read, remark) = match placed.game {
                Ok(game) if is_empty_game(&game) => continue,
                Ok(game) => match imported_game(&game, openings, in_chinese) {
                    Ok(imported) => {
                        progress.games += 1;
                        progress.cut += usize::from(game.error.is_some());
                        (Some(imported), read_game_remark(placed.number, &game, in_chinese))
                    }
                    Err(error) => (None, Some(refused_game_remark(placed.number, &error, in_chinese))),
                },
                Err(error) => (None, Some(unread_game_remark(&error, in_chinese))),
            };
            progress.bad += usize::from(read.is_none());
            progress.remarked += usize::from(remark.is_some());
            progress.remarks.extend(remark.filter(|_| progress.remarks.len() < MAX_REMARKS));
            if read.is_some() {
                return Ok(read);
            }
        }
        Ok(None)
    }
}

/// Reads the games of a file one after another. `on_game` takes each and may end the import. Returns what could not be
/// read, and the number of games.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use alfil_page::{ImportOptions, read_file};
/// use alfil_session::OpeningNamesCache;
///
/// let file = &b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n"[..];
/// let options = ImportOptions { game: Some("chess".into()), ..ImportOptions::default() };
/// let mut plies = 0;
/// let report = read_file(file, &options, &OpeningNamesCache::default(), |game, report| {
///     plies += game.record.main_line_plies();
///     Ok(if report.games < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
/// })?;
/// assert_eq!((report.games, plies), (2, 2));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Returns the errors of the input, and those of `on_game`.
pub fn read_file<R: Read>(
    input: R,
    options: &ImportOptions,
    openings: &OpeningNamesCache,
    mut on_game: impl FnMut(ImportedGame, &ImportProgress) -> io::Result<ControlFlow<()>>,
) -> io::Result<ImportProgress> {
    let mut games = FileGames::new(input, options)?;
    while let Some(game) = games.next_game(openings)? {
        if on_game(game, games.progress())?.is_break() {
            break;
        }
    }
    Ok(games.progress)
}

fn imported_game(
    game: &TextGame,
    openings: &OpeningNamesCache,
    in_chinese: bool,
) -> Result<ImportedGame, SessionError> {
    let record = record_from_text_game(game, in_chinese)?;
    // The record has no null moves.
    let index = match dropped_move_count(game) {
        0 => openings.index_of(game),
        _ => openings.index_of(&text_game_from_record(&record, None)),
    };
    let mut tags = TagSummary::new(&record.game, &record.tags);
    if tags.result.is_empty() {
        tags.result = result_of_moves(record.clone()).unwrap_or_default();
    }
    Ok(ImportedGame { record, summary: GameSummary { tags, index: index.unwrap_or_default() } })
}

/// Returns the name for a collection of which the wanted one may be taken: then with a number, as of a copied file.
///
/// ```
/// use alfil_page::free_name;
///
/// let taken = ["club".to_owned(), "club (2)".to_owned()];
/// assert_eq!((free_name("club", &taken), free_name("cup", &taken)), ("club (3)".into(), "cup".into()));
/// ```
pub fn free_name(wanted: &str, taken: &[String]) -> String {
    let mut name = wanted.to_owned();
    let mut number = 1;
    while taken.contains(&name) {
        number += 1;
        name = format!("{wanted} ({number})");
    }
    name
}

/// Returns whether a file has more than one game of which something can be read.
///
/// # Errors
/// If there is no game of this name.
pub(crate) fn has_several_games(game_name: &str, bytes: &[u8]) -> Result<bool, SessionError> {
    let mut games = registry::stream_games(bytes, Some(game_name)).map_err(SessionError::from_error)?;
    let mut found = 0;
    // An error of the input is reported when the file is imported.
    while let Ok(Some(placed)) = games.next_game() {
        found += usize::from(placed.game.is_ok_and(|game| !is_empty_game(&game)));
        if found > 1 {
            return Ok(true);
        }
    }
    Ok(false)
}

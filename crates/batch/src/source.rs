//! The games and positions of files, directories and standard input, as one stream.
//!
//! PGN and lists of positions are read as they come, so that memory does not grow with the size of a file. A file of
//! another format is read as a whole. Packed files are unpacked as they are read: see [`crate::packing`].

mod batch;
mod in_order;
mod input_files;
mod positions;
mod wthor_names;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use alfil_records::text_game::{TextFormat, TextGame};
use alfil_records::text_stream::{PlacedGame, TextGames};
use alfil_records::{FileFormat, Tags};
use alfil_session::{OpeningNamesCache, registry};

use crate::fault::Fault;
use crate::filter::Filter;
#[cfg(feature = "compression")]
use crate::packing::{ArchivedFile, ZipArchive};
use crate::packing::{ByteInput, Damage, DamagedAt, Unpacked, unpack};
pub use batch::SourceBatch;
pub use input_files::{InputFile, InputFiles, STANDARD_STREAM};
use positions::{ListedPosition, PositionLines};
use wthor_names::NameFiles;
pub(crate) use wthor_names::{NAME_ENDINGS, has_name_ending};

/// The number of bytes at the start of a file from which a list of positions is recognised.
const HEAD_BYTES: u64 = 64 << 10;

/// Where a game comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file; [`STANDARD_STREAM`] for standard input.
    pub file: Arc<str>,
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The byte offset of the game in the file, if its format is read as a stream.
    pub byte: Option<u64>,
}

/// A game or a position of a file.
///
/// ```
/// use alfil_batch::source::{EPD_TAG, Source, SourceItem, SourceOptions};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("problems.epd");
/// std::fs::write(&path, "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";\n")?;
/// let SourceItem::Game(problem) = Source::open(&[path], &SourceOptions::default())?.next().unwrap() else {
///     panic!("the problem can be read")
/// };
/// assert!(problem.is_position && problem.game.start.as_deref().unwrap().starts_with("6k1/5ppp/"));
/// assert_eq!(problem.game.tags.value(EPD_TAG), Some("bm Ra8#; id \"back rank\";"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceGame<T = TextGame> {
    /// Where it comes from.
    pub place: Place,
    /// The game. A position is a game without moves; its start is the position, and its tag [`EPD_TAG`] has its
    /// operations.
    pub game: T,
    /// Whether this is a position of a list of positions (EPD, FEN or OBF).
    pub is_position: bool,
}

/// The tag with the operations of a position of an EPD file: `bm Qd1+; id "BK.01";`.
pub const EPD_TAG: &str = "EPD";

/// What a source yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceItem<T = TextGame> {
    /// A game, or what could be read of it: [`TextGame::error`] has been yielded before as a fault.
    Game(Box<SourceGame<T>>),
    /// Something that could not be read.
    Fault(Fault),
}

/// The choices of a source.
///
/// ```
/// use alfil_batch::source::{Source, SourceItem, SourceOptions};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.pgn");
/// std::fs::write(&path, "1. e4 c5 *\n")?;
/// let options = SourceOptions { name_openings: true, ..SourceOptions::default() };
/// let Some(SourceItem::Game(found)) = Source::open(&[path], &options)?.next() else { panic!("a game") };
/// assert_eq!(found.game.tags.value("ECO"), Some("B20"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// The name of the game of records that do not say it.
    pub game: Option<String>,
    /// Files with the names of the players and tournaments of WTHOR bases. Without any, they are searched beside
    /// a base.
    pub name_files: Vec<PathBuf>,
    /// Whether games without the tag `Opening` get it by their moves, and `ECO` in chess.
    pub name_openings: bool,
    /// A condition: games of PGN whose tags make it false are skipped before their moves are read. Whether it is true
    /// of the other games is not checked.
    pub filter: Option<Filter>,
    /// Whether what analyses have written into directories in a directory is not read.
    pub skips_analyses: bool,
}

/// An error that prevents a source from being opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// There is no game of this name.
    #[error(transparent)]
    UnknownGame(#[from] alfil_session::SessionError),
    /// A file or directory cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A file given as a list of names, or found beside a base, is none.
    #[error("{} is no list of names of a WTHOR base: expected a .jou or .trn file", path.display())]
    NoNames {
        /// Its path.
        path: PathBuf,
    },
    /// Standard input is named twice.
    #[error("- (standard input) is named twice")]
    RepeatedStandardInput,
}

/// The games of some files, in their order.
///
/// ```no_run
/// use alfil_batch::source::{Source, SourceItem, SourceOptions};
///
/// let source = Source::open(&["games".into(), "more.pgn".into()], &SourceOptions::default())?;
/// for item in source {
///     match item {
///         SourceItem::Game(game) => assert!(game.place.number > 0),
///         SourceItem::Fault(fault) => assert!(!fault.what.is_empty()),
///     }
/// }
/// # Ok::<(), alfil_batch::source::SourceError>(())
/// ```
pub struct Source {
    files: InputFiles,
    next_file: usize,
    current: Option<OpenFile>,
    /// The archive whose files are being read, with its name.
    #[cfg(feature = "compression")]
    archive: Option<OpenArchive>,
    hint: Option<&'static TextFormat>,
    names: NameFiles,
    filter: Option<Filter>,
    /// The named openings, if games get them.
    openings: Option<OpeningNamesCache>,
    /// Counts the bytes read of all files.
    bytes_read: Arc<AtomicU64>,
    /// Faults that come before the next batch.
    pending: VecDeque<SourceItem>,
    /// The rest of a batch, for the iterator.
    read: VecDeque<SourceItem>,
}

/// A file whose games are being read.
struct OpenFile {
    name: Arc<str>,
    path: Option<PathBuf>,
    contents: Contents,
    /// The damage that ended the file, if it is packed.
    damage: Damage,
}

type Input = io::Chain<Cursor<Vec<u8>>, ByteInput>;

enum Contents {
    Games(Box<TextGames<'static, Input>>),
    Positions(Box<PositionLines<Input>>),
}

/// An input whose bytes are counted as they are read.
struct CountedInput {
    input: ByteInput,
    bytes_read: Arc<AtomicU64>,
}

impl Read for CountedInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes_read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Source {
    /// Finds the files of the arguments: files, directories with everything in them, and [`STANDARD_STREAM`]. Files of
    /// a directory come in the order of the bytes of their paths.
    ///
    /// # Errors
    /// If [`InputFiles::find`] returns an error, the game of the options is unknown, or a file of names that is given
    /// cannot be read or is not such a file. A file of games that cannot be read is a fault of the stream.
    pub fn open(paths: &[PathBuf], options: &SourceOptions) -> Result<Source, SourceError> {
        let registry = registry::Registry::default();
        let entry = options.game.as_deref().map(|game| registry.entry(game)).transpose()?;
        let files = InputFiles::find(paths, options.skips_analyses)?.with_name_files(&options.name_files);
        let unreadable = files.unreadable().iter();
        let faults = unreadable.map(|(name, error)| SourceItem::Fault(Fault::of_file(name, error)));
        Ok(Source {
            pending: faults.collect(),
            read: VecDeque::new(),
            files,
            next_file: 0,
            current: None,
            #[cfg(feature = "compression")]
            archive: None,
            hint: entry.map(|entry| &entry.records),
            names: NameFiles::read(&options.name_files)?,
            filter: options.filter.clone(),
            openings: options.name_openings.then(OpeningNamesCache::default),
            bytes_read: Arc::new(AtomicU64::new(0)),
        })
    }

    /// Returns the files, and those of directories that are left out.
    pub fn files(&self) -> &InputFiles {
        &self.files
    }

    /// Returns a counter of the bytes read of all files, for progress from another thread.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        self.bytes_read.clone()
    }

    /// Opens the next file; false if there is none.
    fn open_next_file(&mut self) -> bool {
        #[cfg(feature = "compression")]
        if self.open_archived_file() {
            return true;
        }
        let Some(file) = self.files.files().get(self.next_file) else { return false };
        self.next_file += 1;
        let (name, path) = (file.name.clone(), file.path.clone());
        let opened = self.open_input(path.as_deref()).and_then(unpack);
        match opened {
            Ok(Unpacked::File(input, damage)) => self.begin_file(name, path, input, damage),
            #[cfg(feature = "compression")]
            Ok(Unpacked::Archive(archive)) => self.archive = Some(OpenArchive::new(name, archive)),
            Err(error) => self.add_file_fault(&name, &error),
        }
        true
    }

    /// Opens the next file of the archive with the name of a record; false if there is none.
    #[cfg(feature = "compression")]
    fn open_archived_file(&mut self) -> bool {
        let Some(OpenArchive { name: archive_name, archive, has_records, others }) = &mut self.archive else {
            return false;
        };
        let archive_name = archive_name.clone();
        let what = loop {
            match archive.next_file() {
                Ok(Some(ArchivedFile { name, .. })) if is_of_finder(&name) => {}
                Ok(Some(ArchivedFile { name, contents: Unpacked::File(input, damage) }))
                    if input_files::has_record_name(Path::new(&name)) =>
                {
                    *has_records = true;
                    self.begin_file(format!("{archive_name}/{name}").into(), None, input, damage);
                    return true;
                }
                Ok(Some(ArchivedFile { name, .. })) if others.len() < MAX_NAMED_FILES => others.push(name),
                Ok(Some(_)) => {}
                Ok(None) if *has_records || others.is_empty() => {
                    self.archive = None;
                    return false;
                }
                Ok(None) => break format!("no file has the name of a record: {}", others.join(", ")),
                Err(error) => break format!("the ZIP archive: {error}"),
            }
        };
        self.archive = None;
        self.add_file_fault(&archive_name, &what);
        true
    }

    fn add_file_fault(&mut self, name: &Arc<str>, error: &dyn std::fmt::Display) {
        self.pending.push_back(SourceItem::Fault(Fault::of_file(name, error)));
    }

    fn open_input(&self, path: Option<&Path>) -> io::Result<ByteInput> {
        let input: ByteInput = match path {
            Some(path) => Box::new(File::open(path)?),
            None => Box::new(io::stdin()),
        };
        Ok(Box::new(CountedInput { input, bytes_read: self.bytes_read.clone() }))
    }

    fn begin_file(&mut self, name: Arc<str>, path: Option<PathBuf>, input: ByteInput, damage: Damage) {
        match self.open_contents(input) {
            Ok(contents) => self.current = Some(OpenFile { name, path, contents, damage }),
            Err(error) => self.add_file_fault(&name, &error),
        }
    }

    fn open_contents(&self, mut input: ByteInput) -> io::Result<Contents> {
        let mut head = Vec::new();
        input.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
        let is_list = FileFormat::detect(&head) == Some(FileFormat::Epd);
        let input = Cursor::new(head).chain(input);
        if is_list {
            let game = self.hint.map(TextFormat::name);
            return Ok(Contents::Positions(Box::new(PositionLines::new(input, game))));
        }
        let formats = registry::GAMES.iter().map(|entry| &entry.records).collect();
        Ok(Contents::Games(Box::new(TextGames::new(input, formats, self.hint)?)))
    }

    /// Reads the next games, before their moves are parsed; `None` at the end.
    pub fn next_batch(&mut self) -> Option<SourceBatch> {
        loop {
            let contents = if self.pending.is_empty() {
                self.read_batch()
            } else {
                Some(batch::Contents::Items(self.pending.drain(..).collect()))
            };
            if let Some(contents) = contents {
                return Some(SourceBatch { contents, openings: self.openings.clone() });
            }
            if self.current.is_none() && self.pending.is_empty() && !self.open_next_file() {
                return None;
            }
        }
    }

    /// Reads the next games of the current file; `None` if there are none, or only faults that wait. Closes the file at
    /// its end.
    fn read_batch(&mut self) -> Option<batch::Contents> {
        let file = self.current.as_mut()?;
        let name = file.name.clone();
        let read = match &mut file.contents {
            Contents::Positions(lines) => lines.next_position().map(|read| {
                // What the damage left of a line may be another position.
                let is_whole =
                    |position: &ListedPosition| position.has_line_end || file.damage.found().is_none();
                let read = read.filter(is_whole);
                read.map(|position| batch::Contents::Items(vec![position_item(&name, position)]))
            }),
            Contents::Games(games) => {
                let accepts = self.filter.as_ref().map(|filter| |tags: &Tags| !filter.excludes_tags(tags));
                let accepts = accepts.as_ref().map(|accepts| accepts as &dyn Fn(&Tags) -> bool);
                let read = games.next_batch(accepts);
                read.map(|read| read.map(|games| batch::Contents::Games(name.clone(), games)))
            }
        };
        let mut read = match read {
            Ok(Some(read)) => read,
            Ok(None) => {
                if let Some(DamagedAt { byte, what }) = file.damage.found() {
                    let fault = Fault { file: name, game: None, byte: Some(byte), what };
                    self.pending.push_back(SourceItem::Fault(fault));
                }
                self.current = None;
                return None;
            }
            Err(error) => {
                self.current = None;
                self.add_file_fault(&name, &error);
                return None;
            }
        };
        // What the damage left of the game in which it is may be wrong.
        if let batch::Contents::Games(_, games) = &mut read
            && file.damage.found().is_some()
        {
            games.drop_unfinished_end();
        }
        match (read, &file.contents) {
            // Games that are read with their file are completed here.
            (batch::Contents::Games(_, games), Contents::Games(format)) if !games.is_pgn() => {
                let format = format.file_format();
                let path = file.path.clone();
                let items = games.into_games().into_iter();
                let read = items.flat_map(|game| self.complete_game(&name, path.as_deref(), format, game));
                Some(batch::Contents::Items(read.collect()))
            }
            (read, _) => Some(read),
        }
    }

    /// Returns a game of a file that is read as a whole, after its faults.
    fn complete_game(
        &mut self,
        name: &Arc<str>,
        path: Option<&Path>,
        format: Option<FileFormat>,
        mut placed: PlacedGame,
    ) -> Vec<SourceItem> {
        let mut items = Vec::new();
        if format == Some(FileFormat::Wthor)
            && let Ok(game) = &mut placed.game
        {
            let errors = self.names.complete(path, &mut game.tags);
            items.extend(errors.iter().map(|error| SourceItem::Fault(Fault::of_file(name, error))));
        }
        let is_position = format == Some(FileFormat::Obf);
        batch::push_items(name, placed, is_position, batch::faults_of_game, &mut items);
        items
    }
}

/// The number of files of an archive that are named if none of them is read.
#[cfg(feature = "compression")]
const MAX_NAMED_FILES: usize = 5;

/// An archive whose files are being read.
#[cfg(feature = "compression")]
struct OpenArchive {
    name: Arc<str>,
    archive: ZipArchive,
    /// Whether a file had the name of a record.
    has_records: bool,
    /// The names of the first other files.
    others: Vec<String>,
}

#[cfg(feature = "compression")]
impl OpenArchive {
    fn new(name: Arc<str>, archive: ZipArchive) -> Self {
        OpenArchive { name, archive, has_records: false, others: Vec::new() }
    }
}

/// Returns whether a file of an archive is one of those that macOS adds for each other file.
#[cfg(feature = "compression")]
fn is_of_finder(name: &str) -> bool {
    name.starts_with("__MACOSX/") || name.rsplit('/').next().is_some_and(|file| file.starts_with("._"))
}

fn position_item(name: &Arc<str>, ListedPosition { number, byte, game, .. }: ListedPosition) -> SourceItem {
    let byte = Some(byte);
    match game {
        Ok(game) => {
            let place = Place { file: name.clone(), number, byte };
            SourceItem::Game(Box::new(SourceGame { place, game, is_position: true }))
        }
        Err(what) => SourceItem::Fault(Fault { file: name.clone(), game: Some(number), byte, what }),
    }
}

impl Iterator for Source {
    type Item = SourceItem;

    fn next(&mut self) -> Option<SourceItem> {
        loop {
            if let Some(item) = self.read.pop_front() {
                return Some(item);
            }
            self.read = self.next_batch()?.into_games().into();
        }
    }
}

#[cfg(test)]
mod tests;

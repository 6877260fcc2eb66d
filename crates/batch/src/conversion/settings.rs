//! What a conversion does.

use alfil_records::{Charset, FileFormat};
use alfil_session::registry;

use super::sort_key::SortKey;
use crate::filter::{Field, Filter};

/// What a conversion does.
///
/// ```
/// use alfil_batch::Filter;
/// use alfil_batch::conversion::{ConversionSettings, SortKey, Split};
/// use alfil_batch::filter::Field;
/// use alfil_session::FileFormat;
///
/// // The games of 2020 and later, without repeated ones, the newest first, in a file for each event.
/// let settings = ConversionSettings {
///     filter: Some(Filter::parse("year >= 2020")?),
///     dedupe: true,
///     sort: vec![SortKey::parse("-date")?],
///     split: Some(Split::Field(Field::Event)),
///     ..ConversionSettings::new(FileFormat::Pgn)
/// };
/// assert!(settings.keep_comments && !settings.allow_losses);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConversionSettings {
    /// The format that is written.
    pub format: FileFormat,
    /// The games that are written; all without a filter.
    pub filter: Option<Filter>,
    /// Whether a game with the start and the main line of an earlier one is left out.
    pub dedupe: bool,
    /// The keys by which games are sorted, the first one first. Games that are equal in all keep their order.
    pub sort: Vec<SortKey>,
    /// How games are split to several files.
    pub split: Option<Split>,
    /// The dialect of moves in PGN; none for that of the game.
    pub dialect: Option<String>,
    /// The encoding of PGN.
    pub charset: Charset,
    /// Whether comments, evaluations and clock times are written.
    pub keep_comments: bool,
    /// Whether variations are written.
    pub keep_variations: bool,
    /// Whether what a format cannot hold is left out without a fault.
    pub allow_losses: bool,
    /// Whether files that exist are replaced.
    pub replaces_files: bool,
}

/// How games are split to several files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Split {
    /// So many games a file.
    Count(u64),
    /// A file for each value of a field.
    Field(Field),
}

/// Settings that contradict each other.
///
/// ```
/// use alfil_batch::conversion::{Conversion, ConversionSettings};
/// use alfil_batch::source::InputFiles;
/// use alfil_session::FileFormat;
///
/// let settings = ConversionSettings { dialect: Some("wxf".into()), ..ConversionSettings::new(FileFormat::Xqf) };
/// let error = Conversion::new(settings, None, &InputFiles::default()).err().unwrap();
/// assert!(error.to_string().starts_with("a dialect can be chosen only for PGN"), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// No game is written in this format.
    #[error("games are not written as {}: the formats are {}", .0.name(), target_names())]
    UnwrittenFormat(FileFormat),
    /// The format has one dialect or one encoding.
    #[error("{what} can be chosen only for PGN, and {} has only its own", .format.name())]
    OnlyPgn {
        /// The argument.
        what: &'static str,
        /// The format.
        format: FileFormat,
    },
    /// No game has records in this dialect.
    #[error("no PGN is written in the dialect {0:?}: the dialects are {1}")]
    UnknownDialect(String, String),
    /// Each file holds one game already.
    #[error("{} holds one game: there is a file for each, and no split", .0.name())]
    OneGameFormat(FileFormat),
}

fn target_names() -> String {
    target_formats().iter().map(|format| format.id()).collect::<Vec<_>>().join(", ")
}

/// Returns the formats in which games are written.
///
/// ```
/// use alfil_batch::conversion::target_formats;
/// use alfil_session::FileFormat;
///
/// let formats = target_formats();
/// assert!(formats[0] == FileFormat::Pgn && formats.contains(&FileFormat::Xqf));
/// assert!(!formats.contains(&FileFormat::Polyglot));
/// ```
pub fn target_formats() -> Vec<FileFormat> {
    let written = registry::GAMES.iter().flat_map(|entry| entry.records.written_files());
    std::iter::once(FileFormat::Pgn).chain(written).collect()
}

/// Returns the names of the dialects in which PGN is written.
pub fn record_dialects() -> Vec<&'static str> {
    registry::GAMES.iter().flat_map(|entry| entry.records.pgn_dialects()).collect()
}

/// Returns the names of the encodings in which PGN is written.
pub fn charset_names() -> [&'static str; Charset::ALL.len()] {
    Charset::ALL.map(Charset::name)
}

/// Returns whether a file of this format holds exactly one game.
pub(super) fn holds_one_game(format: FileFormat) -> bool {
    registry::GAMES.iter().any(|entry| entry.records.holds_one_game(format))
}

impl ConversionSettings {
    /// Returns the settings with which everything is written in one file, without a change.
    pub fn new(format: FileFormat) -> Self {
        ConversionSettings {
            format,
            filter: None,
            dedupe: false,
            sort: Vec::new(),
            split: None,
            dialect: None,
            charset: Charset::Utf8,
            keep_comments: true,
            keep_variations: true,
            allow_losses: false,
            replaces_files: false,
        }
    }

    /// Checks that the settings do not contradict each other.
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        let format = self.format;
        if !target_formats().contains(&format) {
            return Err(SettingsError::UnwrittenFormat(format));
        }
        if format != FileFormat::Pgn {
            let is_other_charset = self.charset != Charset::Utf8;
            let choices = [("a dialect", self.dialect.is_some()), ("an encoding", is_other_charset)];
            if let Some((what, _)) = choices.into_iter().find(|(_, is_given)| *is_given) {
                return Err(SettingsError::OnlyPgn { what, format });
            }
        }
        if let Some(dialect) = &self.dialect {
            let known = record_dialects();
            if !known.contains(&dialect.as_str()) {
                return Err(SettingsError::UnknownDialect(dialect.clone(), known.join(", ")));
            }
        }
        if holds_one_game(format) && !matches!(self.split, None | Some(Split::Count(1))) {
            return Err(SettingsError::OneGameFormat(format));
        }
        Ok(())
    }
}

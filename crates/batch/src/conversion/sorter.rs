//! Sorting of written games. The games wait in a file without a name, and only their keys and places are in memory: a
//! million games take some 60 MB.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use alfil_records::text_game::TextGame;

use super::output::{GroupName, OutputError};
use super::writer::Written;
use crate::filter::{Field, FieldValues, FilterError, collation_key, fold_case};
use crate::game_facts::GameFacts;

/// A key by which games are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    field: Field,
    is_descending: bool,
}

/// An error in a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SortKeyError {
    /// There is no such field.
    #[error("the field {text:?}: {error}")]
    UnknownField {
        /// The text.
        text: String,
        /// Why it is none.
        error: FilterError,
    },
    /// The field has two values.
    #[error("{0} is of two players: use {1} or {2}")]
    TwoValues(&'static str, &'static str, &'static str),
}

impl SortKey {
    /// Parses a key: a field, with `-` before it to sort from the greatest value down.
    ///
    /// ```
    /// use alfil_batch::conversion::SortKey;
    ///
    /// assert!(SortKey::parse("-date").is_ok());
    /// assert!(SortKey::parse("player").unwrap_err().to_string().contains("use white or black"));
    /// ```
    ///
    /// # Errors
    /// If there is no such field, or it has a value for each player.
    pub fn parse(text: &str) -> Result<SortKey, SortKeyError> {
        let (is_descending, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text),
        };
        Ok(SortKey { field: Self::parse_field(name)?, is_descending })
    }

    /// Parses a field with one value in each game.
    ///
    /// # Errors
    /// If there is no such field, or it has a value for each player.
    pub fn parse_field(name: &str) -> Result<Field, SortKeyError> {
        let unknown = |error| SortKeyError::UnknownField { text: name.to_owned(), error };
        match Field::parse(name).map_err(unknown)? {
            Field::Player => Err(SortKeyError::TwoValues("player", "white", "black")),
            Field::Elo => Err(SortKeyError::TwoValues("elo", "whiteelo", "blackelo")),
            field => Ok(field),
        }
    }

    /// Returns the value of a field as text; none if it is not known.
    pub(super) fn text_of(field: &Field, game: &TextGame) -> Option<String> {
        match field.values(GameFacts::new(game), game) {
            FieldValues::Texts([text, _]) => text.map(str::to_owned),
            FieldValues::Numbers([number, _]) => number.map(|number| number.to_string()),
            FieldValues::Date(date) => {
                let [year, month, day] = date?;
                let part = |part: Option<u32>| part.map_or("??".into(), |part| format!("{part:02}"));
                Some(format!("{:04}.{}.{}", year?, part(month), part(day)))
            }
        }
    }

    /// Adds bytes to a key whose order is that of the values. Unknown values come last in both directions.
    fn append_to(&self, key: &mut Vec<u8>, game: &TextGame) {
        let mut value = Vec::new();
        match self.field.values(GameFacts::new(game), game) {
            FieldValues::Texts([text, _]) => {
                if let Some(text) = text {
                    value.extend(collation_key(&fold_case(text)));
                }
            }
            FieldValues::Numbers([number, _]) => {
                let ordered = |number: i64| (number as u64 ^ 1 << 63).to_be_bytes();
                value.extend(number.into_iter().flat_map(ordered));
            }
            FieldValues::Date(date) => {
                let known = date.filter(|date| date[0].is_some());
                let bytes = |part: Option<u32>| part.unwrap_or(0).to_be_bytes();
                value.extend(known.into_iter().flatten().flat_map(bytes));
            }
        }
        if value.is_empty() {
            key.push(1);
            return;
        }
        key.push(0);
        let mask = if self.is_descending { 0xff } else { 0 };
        key.extend(value.iter().map(|byte| byte ^ mask));
    }
}

/// Games that wait to be sorted.
pub(super) struct Sorter {
    keys: Vec<SortKey>,
    /// The keys of all games, one after another.
    key_bytes: Vec<u8>,
    games: Vec<SortedGame>,
    /// The bytes of the games, in a file without a name.
    spool: BufWriter<File>,
    spool_bytes: u64,
    /// The games that are not bytes yet.
    whole_games: Vec<Option<Box<TextGame>>>,
    /// The values by which the games are split, with their numbers from 1.
    groups: HashMap<Option<String>, u32>,
}

/// A game that waits: its key, and where it is.
struct SortedGame {
    key_start: u64,
    key_length: u32,
    /// The length in the spool, or none for a whole game.
    length: Option<u32>,
    /// The place in the spool, or the index among the whole games.
    place: u64,
    /// The number of its group; 0 for the next group.
    group: u32,
}

impl Sorter {
    /// Begins with no games. The games wait in a file of this folder.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(super) fn new(keys: Vec<SortKey>, folder: &Path) -> Result<Self, OutputError> {
        let spool = tempfile::tempfile_in(folder).map_err(|error| OutputError::new(folder, error))?;
        Ok(Sorter {
            keys,
            key_bytes: Vec::new(),
            games: Vec::new(),
            spool: BufWriter::new(spool),
            spool_bytes: 0,
            whole_games: Vec::new(),
            groups: HashMap::new(),
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If its bytes cannot be written.
    pub(super) fn push(
        &mut self,
        game: &TextGame,
        group: GroupName,
        written: Written,
    ) -> Result<(), OutputError> {
        let key_start = self.key_bytes.len();
        for key in &self.keys {
            key.append_to(&mut self.key_bytes, game);
        }
        let key_length = (self.key_bytes.len() - key_start) as u32;
        let group = match group {
            GroupName::Next => 0,
            GroupName::Value(value) => {
                let next = self.groups.len() as u32 + 1;
                *self.groups.entry(value).or_insert(next)
            }
        };
        let (length, place) = match written {
            Written::Bytes(bytes) => {
                self.spool.write_all(&bytes).map_err(spool_error)?;
                let place = self.spool_bytes;
                self.spool_bytes += bytes.len() as u64;
                (Some(bytes.len() as u32), place)
            }
            Written::Game(game) => {
                self.whole_games.push(Some(game));
                (None, self.whole_games.len() as u64 - 1)
            }
        };
        self.games.push(SortedGame { key_start: key_start as u64, key_length, length, place, group });
        Ok(())
    }

    /// Passes on the games in their order.
    ///
    /// # Errors
    /// If the bytes cannot be read, and the errors of `write`.
    pub(super) fn drain(
        self,
        mut write: impl FnMut(GroupName, Written) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let Sorter { key_bytes, mut games, spool, mut whole_games, groups, .. } = self;
        let key = |game: &SortedGame| {
            let start = game.key_start as usize;
            &key_bytes[start..start + game.key_length as usize]
        };
        let compare = |one: &SortedGame, other: &SortedGame| -> Ordering { key(one).cmp(key(other)) };
        // Games with equal keys keep their order: their places ascend.
        games.sort_unstable_by(|one, other| compare(one, other).then(one.place.cmp(&other.place)));
        let mut values = vec![None; groups.len()];
        for (value, number) in groups {
            values[number as usize - 1] = value;
        }
        let mut spool = spool.into_inner().map_err(|error| spool_error(error.into_error()))?;
        for game in games {
            let group = match game.group {
                0 => GroupName::Next,
                index => GroupName::Value(values[index as usize - 1].clone()),
            };
            let written = match game.length {
                Some(length) => {
                    let mut bytes = vec![0; length as usize];
                    spool.seek(SeekFrom::Start(game.place)).map_err(spool_error)?;
                    spool.read_exact(&mut bytes).map_err(spool_error)?;
                    Written::Bytes(bytes)
                }
                None => match whole_games[game.place as usize].take() {
                    Some(game) => Written::Game(game),
                    None => continue,
                },
            };
            write(group, written)?;
        }
        Ok(())
    }
}

fn spool_error(error: std::io::Error) -> OutputError {
    OutputError::new(Path::new("the file of games to sort"), error)
}

//! Sorting of written games. The games wait in a file without a name, and only their keys and places are in memory: a
//! million games take some 60 MB. Those of a WTHOR base, which is written as a whole, wait in memory.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::output::{GroupName, OutputError};
use super::writer::{WholeGame, Written};

/// Games that wait to be sorted.
pub(super) struct Sorter {
    /// The keys of all games, one after another.
    key_bytes: Vec<u8>,
    games: Vec<SortedGame>,
    /// The bytes of the games, in a file without a name, and the length of the file.
    file: BufWriter<File>,
    file_bytes: u64,
    /// The games that are not bytes yet.
    whole_games: Vec<Option<Box<WholeGame>>>,
    /// The values by which the games are split, with their numbers from 1.
    groups: HashMap<Option<String>, u32>,
}

/// A game that waits: its key, and where it is.
struct SortedGame {
    key_start: u64,
    key_length: u32,
    /// The length in the file, or none for a whole game.
    length: Option<u32>,
    /// The place in the file, or the index among the whole games.
    place: u64,
    /// The number of its group; 0 for the next group.
    group: u32,
}

impl Sorter {
    /// Begins with no games. The games wait in a file of this folder.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(super) fn new(folder: &Path) -> Result<Self, OutputError> {
        let file = tempfile::tempfile_in(folder).map_err(|error| OutputError::new(folder, error))?;
        Ok(Sorter {
            key_bytes: Vec::new(),
            games: Vec::new(),
            file: BufWriter::new(file),
            file_bytes: 0,
            whole_games: Vec::new(),
            groups: HashMap::new(),
        })
    }

    /// Adds a game with its key.
    ///
    /// # Errors
    /// If its bytes cannot be written.
    pub(super) fn push(&mut self, key: &[u8], group: GroupName, written: Written) -> Result<(), OutputError> {
        let key_start = self.key_bytes.len();
        self.key_bytes.extend_from_slice(key);
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
                self.file.write_all(&bytes).map_err(file_error)?;
                let place = self.file_bytes;
                self.file_bytes += bytes.len() as u64;
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
        let Sorter { key_bytes, mut games, file, mut whole_games, groups, .. } = self;
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
        let mut file = file.into_inner().map_err(|error| file_error(error.into_error()))?;
        for game in games {
            let group = match game.group {
                0 => GroupName::Next,
                index => GroupName::Value(values[index as usize - 1].clone()),
            };
            let written = match game.length {
                Some(length) => {
                    let mut bytes = vec![0; length as usize];
                    file.seek(SeekFrom::Start(game.place)).map_err(file_error)?;
                    file.read_exact(&mut bytes).map_err(file_error)?;
                    Written::Bytes(bytes)
                }
                None => {
                    Written::Game(whole_games[game.place as usize].take().expect("a game is written once"))
                }
            };
            write(group, written)?;
        }
        Ok(())
    }
}

fn file_error(error: std::io::Error) -> OutputError {
    OutputError::new(Path::new("the file of games to sort"), error)
}

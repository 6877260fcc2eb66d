//! The names of openings, found by position.
//!
//! The tables stand in `openings/` of this crate, a line for each opening; `alfil games` and every reader of tables
//! (`text_game::opening_table`) read them, too. An opening is found however its position was reached, and in its mirror
//! images.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use alfil_kernel::{Position, Setup as _, Waivers};

use crate::opening_columns::Columns;
use crate::record_format::RecordFormat;
use crate::tags::Tags;

/// An opening with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, such as `C50`; empty in other games.
    pub eco: &'static str,
    /// The name in English.
    pub name: &'static str,
    /// The name in Chinese; empty if it has none.
    pub name_zh: &'static str,
}

impl Opening {
    /// Adds the tag `Opening`, and in chess `ECO`, to tags that have none. An `ECO` is never replaced.
    pub fn complete_tags(&self, tags: &mut Tags) {
        if tags.first_value(&["Opening"]).is_some() {
            return;
        }
        if !self.eco.is_empty() && tags.first_value(&["ECO"]).is_none() {
            tags.set("ECO", self.eco);
        }
        tags.set("Opening", self.name);
    }
}

/// A function that returns the named openings of a game by its name.
pub type NamesOf<'a> = &'a dyn Fn(&str) -> Arc<OpeningNames>;

/// The named openings of a game by position.
#[derive(Clone, Debug, Default)]
pub struct OpeningNames {
    openings: Vec<Opening>,
    /// The index of the opening of each position, by hash key.
    by_key: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    /// The number of plies of the longest line.
    max_plies: usize,
}

/// Takes the hash key of a position as it is: its bits are as good as random.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl OpeningNames {
    /// Plays the openings of a game's table. Games without a table have no names.
    ///
    /// ```
    /// use alfil_chess::{Bitboard, Chess, Setup};
    /// use alfil_kernel::{Position as _, Setup as _, Waivers};
    /// use alfil_records::opening_names::OpeningNames;
    ///
    /// let names = OpeningNames::of::<Chess>();
    /// let setup = Setup::parse("rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2")?;
    /// let board = Bitboard::from_setup(&setup, &Waivers::None)?;
    /// let opening = names.at(&board).unwrap();
    /// assert_eq!((opening.eco, opening.name), ("C30", "King's Gambit"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the table names no columns, or a move of it is illegal; tests exclude both.
    pub fn of<G: RecordFormat>() -> OpeningNames {
        let mut names = OpeningNames::default();
        let mut rows = G::OPENINGS.lines().filter(|line| !line.starts_with('#'));
        let Some(first) = rows.next() else { return names };
        let Columns { eco, name, name_zh, moves, .. } =
            Columns::detect(first.as_bytes()).expect("the first line of a table names its columns");
        let mut lines = Lines::<G>::new();
        for row in rows {
            let cell = |column: usize| row.split('\t').nth(column).unwrap_or_default();
            let text = |column: Option<usize>| column.map_or("", cell);
            let index = names.openings.len() as u32;
            names.openings.push(Opening { eco: text(eco), name: text(name), name_zh: text(name_zh) });
            let (keys, plies) = lines.final_keys(cell(moves));
            names.max_plies = names.max_plies.max(plies);
            for key in keys {
                names.by_key.entry(key).or_insert(index);
            }
        }
        names
    }

    /// Returns the openings in the order of the table.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Returns the number of plies of the longest line: no later position is likely to have a name.
    pub fn max_plies(&self) -> usize {
        self.max_plies
    }

    /// Returns the opening of a position.
    pub fn at<P: Position>(&self, position: &P) -> Option<&Opening> {
        self.at_key(position.hash_key())
    }

    /// Returns the last named opening on a line from this position. `play_next` plays the next move; it returns false
    /// at the end.
    pub(crate) fn last_of_line<P: Position>(
        &self,
        mut position: P,
        mut play_next: impl FnMut(&mut P) -> bool,
    ) -> Option<&Opening> {
        let mut opening = self.at(&position);
        for _ in 0..self.max_plies {
            if !play_next(&mut position) {
                break;
            }
            opening = self.at(&position).or(opening);
        }
        opening
    }

    /// Returns the opening of the position with this hash key.
    pub fn at_key(&self, key: u64) -> Option<&Opening> {
        self.by_key.get(&key).map(|&index| &self.openings[index as usize])
    }
}

/// Lines from the start position. What two lines have in common is played once.
struct Lines<G: RecordFormat> {
    /// The positions after the beginning of a line, and in its mirror images.
    boards: HashMap<&'static str, Vec<G::Board>>,
}

impl<G: RecordFormat> Lines<G> {
    fn new() -> Self {
        Lines { boards: HashMap::new() }
    }

    /// Returns the hash keys of the position after a line and of its mirror images, and the number of plies.
    fn final_keys(&mut self, line: &'static str) -> (Vec<u64>, usize) {
        let start = G::Board::from_setup(&G::Setup::start(), &Waivers::None);
        let (mut boards, mut plies) = (vec![start.expect("the start position is valid")], 0);
        for text in line.split_whitespace().filter(|text| !text.ends_with('.')) {
            plies += 1;
            let end = text.as_ptr() as usize - line.as_ptr() as usize + text.len();
            let beginning = &line[..end];
            if let Some(known) = self.boards.get(beginning) {
                boards.clone_from(known);
                continue;
            }
            let Ok(Some(mv)) = G::parse_move(&boards[0], text, None) else {
                panic!("{text} is illegal in the opening {line}");
            };
            let images = G::mirrored_moves(mv);
            // Before the first move all images are the start position.
            boards.resize(1 + images.len(), boards[0].clone());
            for (board, mv) in boards.iter_mut().zip([mv].into_iter().chain(images)) {
                board.make(mv, &mut ());
            }
            self.boards.insert(beginning, boards.clone());
        }
        (boards.iter().map(G::Board::hash_key).collect(), plies)
    }
}

#[cfg(test)]
mod tests;

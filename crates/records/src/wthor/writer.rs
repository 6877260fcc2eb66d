//! Writes games as a WTHOR base.

use std::collections::{BTreeSet, HashMap};

use alfil_kernel::{Game as _, Setup as _};
use alfil_othello::{Othello, Setup};

use super::{
    BEST_TAG, DISCS_TAG, PLAYER_BYTES, PLAYER_TAGS, TOURNAMENT_BYTES, TOURNAMENT_TAGS, black_discs,
    byte_from_square,
};
use crate::charset::Charset;
use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::tags::Tags;
use crate::text_game::{TextGame, TextGameError, build_tree};
use crate::tree_traversal::visit_main_line;
use crate::write_error::WriteError;

/// The date of creation in the headers: the first one, so that equal games give equal bytes.
const DATE: [u8; 4] = [20, 0, 1, 1];

/// The maximal number of names, which have numbers of two bytes.
const MAX_NAMES: usize = 1 << 16;

/// The empty squares of the start position: a header with more is none of a base.
const MAX_EMPTY: u8 = 60;

/// The files of a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The games (`.wtb`).
    pub games: Vec<u8>,
    /// The names of the players (`.jou`).
    pub players: Vec<u8>,
    /// The names of the tournaments (`.trn`).
    pub tournaments: Vec<u8>,
}

/// Formats the games of a base, without the files of names: see [`format_base`].
///
/// # Errors
/// As [`format_base`].
pub fn format_games(games: &[GameTree<Othello>]) -> Result<Vec<u8>, WriteError> {
    Ok(format_base(games)?.games)
}

/// What the header of a base has for all its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaseHeader {
    /// The year, 0 if it is unknown; none before the first game.
    year: Option<u16>,
    /// The number of empty squares from which on Black's best results are exact; none without such a result.
    best_from: Option<u8>,
}

impl BaseHeader {
    /// Adds the year and the number of empty squares that the tags of a game have.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the games before have another year or another number of empty squares,
    /// or the tag `BlackBestDiscs` is invalid.
    pub fn add(&mut self, tags: &Tags) -> Result<(), WriteError> {
        let format = FileFormat::Wthor;
        let invalid = |tag: &'static str, value: Option<&str>, expected: &'static str| {
            let value = value.unwrap_or_default().to_owned();
            WriteError::InvalidTag { format, tag, value, expected }
        };
        let best_from = best_result(tags)?.map(|(_, empty)| empty).or(self.best_from);
        let date = tags.first_value(&["Date", "UTCDate", "EventDate"]);
        let year = date.and_then(|date| date.get(..4)?.parse::<u16>().ok()).unwrap_or(0);
        if self.year.is_some_and(|known| known != year) {
            return Err(invalid(
                "Date",
                date,
                "the same year as in the games before it, or none if they have none, because a base has one year",
            ));
        }
        if self.best_from.is_some() && self.best_from != best_from {
            return Err(invalid(
                BEST_TAG,
                tags.value(BEST_TAG),
                "as many empty squares as the games before it have",
            ));
        }
        *self = BaseHeader { year: Some(year), best_from };
        Ok(())
    }
}

/// Formats a base: the main lines of the games, and their names. The numbers are those of the tags `EventId`, `BlackId`
/// and `WhiteId` if every game has them and no number has two names, as in games of two bases; else they are the places
/// of the sorted names. Names longer than their field are cut.
/// Comments and variations have no place, nor has the result of an unfinished game but by the tag `BlackDiscs`.
///
/// # Errors
/// Returns an error if a game has its own start position, a null move, an illegal move or an invalid tag
/// `BlackBestDiscs`, if the games are of several years ([`BaseHeader::add`]), or if there are too many names.
pub fn format_base(games: &[GameTree<Othello>]) -> Result<Base, WriteError> {
    let players = name_table(games, &PLAYER_TAGS)?;
    let tournaments = name_table(games, &[TOURNAMENT_TAGS])?;
    let mut common = BaseHeader::default();
    games.iter().try_for_each(|game| common.add(&game.tags))?;
    let mut bytes = header(games.len() as u32, 0, common.year.unwrap_or(0), common.best_from.unwrap_or(0));
    for game in games {
        let ids = [
            tournaments.number(game, TOURNAMENT_TAGS),
            players.number(game, PLAYER_TAGS[0]),
            players.number(game, PLAYER_TAGS[1]),
        ];
        bytes.extend(ids.into_iter().flat_map(u16::to_le_bytes));
        bytes.extend(format_moves(game)?);
    }
    let names = |table: &NameTable, length: usize| {
        let mut bytes = header(0, table.names.len() as u16, 0, 0);
        for name in &table.names {
            let mut field: Vec<u8> = name.chars().map(latin).collect();
            field.truncate(length - 1);
            field.resize(length, 0);
            bytes.extend(field);
        }
        bytes
    };
    Ok(Base {
        games: bytes,
        players: names(&players, PLAYER_BYTES),
        tournaments: names(&tournaments, TOURNAMENT_BYTES),
    })
}

/// Formats the games of a base from their texts: see [`format_base`].
///
/// # Errors
/// As [`format_base`], and if a game is not of Othello or cannot be replayed.
pub fn format_text_base(games: &[TextGame]) -> Result<Base, TextGameError> {
    if let Some(other) = games.iter().find(|game| game.game != Othello::NAME) {
        return Err(TextGameError::OtherGame { found: other.game.clone(), expected: Othello::NAME });
    }
    let trees: Vec<_> = games.iter().map(build_tree::<Othello>).collect::<Result<_, _>>()?;
    Ok(format_base(&trees)?)
}

/// Returns the byte of a character in Windows-1252, or `?`.
fn latin(character: char) -> u8 {
    let mut buffer = [0; 4];
    let bytes = Charset::Windows1252.encode(character.encode_utf8(&mut buffer));
    bytes.ok().and_then(|bytes| bytes.first().copied()).unwrap_or(b'?')
}

fn header(games: u32, names: u16, year: u16, best_from: u8) -> Vec<u8> {
    let mut bytes = DATE.to_vec();
    bytes.extend(games.to_le_bytes());
    bytes.extend(names.to_le_bytes());
    bytes.extend(year.to_le_bytes());
    bytes.extend([8, 0, best_from, 0]);
    bytes
}

/// The names of a file by number.
struct NameTable {
    names: Vec<String>,
    /// Whether the numbers are those of the tags; if not, the names are sorted.
    has_ids: bool,
}

impl NameTable {
    fn number(&self, game: &GameTree<Othello>, (id_tag, tag): (&str, &str)) -> u16 {
        let id = game.tags.value(id_tag).and_then(|id| id.parse().ok()).filter(|_| self.has_ids);
        let name = game.tags.value(tag).unwrap_or_default();
        id.unwrap_or_else(|| {
            self.names.binary_search_by(|known| known.as_str().cmp(name)).unwrap_or(0) as u16
        })
    }
}

fn name_table(games: &[GameTree<Othello>], tags: &[(&str, &str)]) -> Result<NameTable, WriteError> {
    let pairs = || {
        games
            .iter()
            .flat_map(|game| tags.iter().map(move |&(id, name)| (game.tags.value(id), game.tags.value(name))))
    };
    let ids: Option<Vec<u16>> = pairs().map(|(id, _)| id?.parse().ok()).collect();
    // In games of two bases a number may have two names.
    let mut known = HashMap::new();
    let ids = ids.filter(|ids| {
        let mut numbered = ids.iter().zip(pairs());
        numbered.all(|(id, (_, name))| name.is_none_or(|name| *known.entry(*id).or_insert(name) == name))
    });
    let mut names = Vec::new();
    let has_ids = ids.is_some();
    match ids {
        Some(ids) => {
            names.resize(ids.iter().max().map_or(1, |&id| usize::from(id) + 1), String::new());
            for (id, (_, name)) in ids.into_iter().zip(pairs()) {
                // A game may have the number alone, as games from a base without its names do.
                if let Some(name) = name {
                    name.clone_into(&mut names[usize::from(id)]);
                }
            }
        }
        None => {
            let sorted: BTreeSet<_> = pairs().map(|(_, name)| name.unwrap_or_default()).collect();
            names.extend(sorted.into_iter().map(str::to_owned));
        }
    }
    if names.len() >= MAX_NAMES {
        return Err(WriteError::TooMany { format: FileFormat::Wthor, what: "names", max: MAX_NAMES - 1 });
    }
    Ok(NameTable { names, has_ids })
}

/// Returns Black's best result and the number of empty squares from which on it is exact.
fn best_result(tags: &Tags) -> Result<Option<(u8, u8)>, WriteError> {
    let Some(value) = tags.value(BEST_TAG) else { return Ok(None) };
    let parsed = value.split_once(" from ").and_then(|(best, empty)| {
        let (best, empty) = (best.parse().ok()?, empty.strip_suffix(" empty")?.parse().ok()?);
        (best <= 64 && empty <= MAX_EMPTY).then_some((best, empty))
    });
    let invalid = || WriteError::InvalidTag {
        format: FileFormat::Wthor,
        tag: BEST_TAG,
        value: value.to_owned(),
        expected: "discs to 64 and empty squares to 60, such as 33 from 22 empty",
    };
    parsed.map(Some).ok_or_else(invalid)
}

/// Formats the scores and the moves.
fn format_moves(game: &GameTree<Othello>) -> Result<Vec<u8>, WriteError> {
    let format = FileFormat::Wthor;
    if game.start != Setup::start() {
        return Err(WriteError::CustomStart { format });
    }
    let mut moves = Vec::new();
    let position = visit_main_line(game, format, |_, _, mv| moves.extend(mv.square().map(byte_from_square)))?;
    moves.resize(60, 0);
    let discs = game.tags.value(DISCS_TAG).and_then(|discs| discs.parse().ok()).filter(|&discs| discs <= 64);
    let discs = discs.unwrap_or_else(|| black_discs(&position));
    let best = best_result(&game.tags)?.map_or(discs, |(best, _)| best);
    Ok([vec![discs, best], moves].concat())
}

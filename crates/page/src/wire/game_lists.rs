//! The list of the games that can be played, and that of the saved games.

use alfil_session::{GameInfo, Handicap, NumberedStarts};
use serde::Serialize;

/// The names of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameName {
    /// The name on the command line.
    pub game: &'static str,
    /// The title in English.
    pub title: &'static str,
    /// The title in Chinese.
    pub title_zh: &'static str,
    /// The names of the sides in English.
    pub sides: [&'static str; 2],
    /// The names of the sides in Chinese.
    pub sides_zh: [&'static str; 2],
    /// The unit in which players count the length of a game: `full_moves` or `plies`.
    #[cfg_attr(test, ts(as = "super::values::LengthUnit"))]
    pub length_unit: &'static str,
}

/// The start positions of a game besides the usual one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StartsDto {
    /// The usual handicaps, the smallest first.
    pub handicaps: Vec<HandicapDto>,
    /// Those that have numbers; null if there are none.
    pub numbered: Option<NumberedStartsDto>,
    /// The text of the position with the requested number.
    pub fen: Option<String>,
}

/// A start position that gives one side an advantage.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HandicapDto {
    /// Which side gives what, in English.
    pub title: &'static str,
    /// The same in Chinese.
    pub title_zh: &'static str,
    /// The text of the position.
    pub fen: &'static str,
    /// The names of its issues, which have to be waived.
    pub waive: &'static [&'static str],
}

/// Start positions that are chosen by a number.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NumberedStartsDto {
    /// Their name in English.
    pub title: &'static str,
    /// Their name in Chinese.
    pub title_zh: &'static str,
    /// Their number: they are numbered from 0 on.
    pub count: usize,
}

impl StartsDto {
    /// Returns the start positions of a game, with the text of one that has a number.
    pub fn new(info: &GameInfo, number: Option<usize>) -> StartsDto {
        let handicap = |&Handicap { title, title_zh, start: fen, waive }: &Handicap| HandicapDto {
            title,
            title_zh,
            fen,
            waive,
        };
        let numbered =
            |NumberedStarts { title, title_zh, count, .. }| NumberedStartsDto { title, title_zh, count };
        StartsDto {
            handicaps: info.handicaps.iter().map(handicap).collect(),
            numbered: info.numbered_starts.map(numbered),
            fen: info.numbered_starts.and_then(|numbered| (numbered.start)(number?)),
        }
    }
}

/// A saved game in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SavedGame {
    /// The id of the game.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The number of moves of the main line, those of both sides; passes are not counted.
    pub plies: i64,
    /// The time of the last change, in seconds since 1970.
    pub changed: i64,
    /// The names of the players, that of the side with the first move before the other; empty if unknown.
    pub players: [String; 2],
    /// The result, as in PGN; empty if unknown.
    pub result: String,
    /// The final score of a game that is won by counting pieces, such as 40 to 24 discs; absent in other games, and if
    /// the main line does not end the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub score: Option<[usize; 2]>,
    /// The event; empty if unknown.
    pub event: String,
    /// Whether the saved game is damaged: the other fields are empty, but for the name of the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
}

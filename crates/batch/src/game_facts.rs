//! What tables, filters and sorting need to know of a game.

use alfil_kernel::{Outcome, Side};
use alfil_records::{GameOutline, Tags, TextGame};
use alfil_session::registry;

/// The texts of results in records.
pub(crate) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Facts of a game, from its tags and moves.
///
/// ```
/// use alfil_batch::GameFacts;
/// use alfil_session::registry;
///
/// let file = "[Red \"胡荣华\"]\n[Black \"杨官璘\"]\n[Date \"1960.11.??\"]\n\n1. 炮二平五 马8进7 1-0";
/// let game = registry::read_games(file.as_bytes(), Some("xiangqi"))?.remove(0).expect("a game");
/// let facts = GameFacts::new(&game);
/// assert_eq!((facts.players()[0], facts.result(), facts.plies()), (Some("胡荣华"), "1-0", 2));
/// assert_eq!(facts.date(), Some([Some(1960), Some(11), None]));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GameFacts<'a> {
    game: &'a str,
    tags: &'a Tags,
    start: Option<&'a str>,
    result: Option<Outcome>,
    length: Length<'a>,
}

/// The length of the main line: its plies, or the game in which they are counted when they are needed.
#[derive(Clone, Copy, Debug)]
enum Length<'a> {
    Plies(usize),
    Of(&'a TextGame),
}

impl<'a> GameFacts<'a> {
    /// Takes the facts of a game.
    pub fn new(game: &'a TextGame) -> Self {
        let TextGame { game: name, tags, start, result, .. } = game;
        let length = Length::Of(game);
        GameFacts { game: name, tags, start: start.as_deref(), result: *result, length }
    }

    /// Takes the facts of an outline.
    pub fn of_outline(outline: &'a GameOutline) -> Self {
        let GameOutline { game, tags, start, result, plies, .. } = outline;
        GameFacts { game, tags, start: start.as_deref(), result: *result, length: Length::Plies(*plies) }
    }

    /// Takes what the tags of a game say before its moves are read.
    pub(crate) fn of_tags(tags: &'a Tags) -> Self {
        GameFacts { game: "", tags, start: None, result: None, length: Length::Plies(0) }
    }

    /// Returns the name of the game.
    pub fn game(self) -> &'a str {
        self.game
    }

    /// Returns the text of the initial position; none for the start position of the game.
    pub fn start(self) -> Option<&'a str> {
        self.start
    }

    /// Returns how the game ended; none if it is unfinished or its result unknown.
    pub fn outcome(self) -> Option<Outcome> {
        self.result
    }

    /// Returns the names of the players, that of the side with the first move before the other.
    pub fn players(self) -> [Option<&'a str>; 2] {
        let entry = registry::GAMES.iter().find(|entry| entry.info.name() == self.game);
        let tags = entry.map_or(["White", "Black"], |entry| entry.records.player_tags());
        tags.map(|tag| if tag == "Red" { self.white() } else { self.tag(tag) })
    }

    /// Returns the name of White; in xiangqi, that of Red.
    pub fn white(self) -> Option<&'a str> {
        self.tags.first_value(&["White", "Red"])
    }

    /// Returns the name of Black.
    pub fn black(self) -> Option<&'a str> {
        self.tag("Black")
    }

    /// Returns the rating of White; in xiangqi, that of Red.
    pub fn white_elo(self) -> Option<i64> {
        self.tags.first_value(&["WhiteElo", "RedElo"])?.parse().ok()
    }

    /// Returns the rating of Black.
    pub fn black_elo(self) -> Option<i64> {
        self.tag("BlackElo")?.parse().ok()
    }

    /// Returns the value of a tag, if it is known.
    pub fn tag(self, name: &str) -> Option<&'a str> {
        self.tags.first_value(&[name])
    }

    /// Returns the result as in records: `1-0` if the side with the first move won, `0-1`, `1/2-1/2`, or `*`.
    pub fn result(self) -> &'static str {
        let index = match self.result {
            Some(Outcome::Win(Side::First)) => 0,
            Some(Outcome::Win(Side::Second)) => 1,
            Some(Outcome::Draw) => 2,
            None => 3,
        };
        RESULTS[index]
    }

    /// Returns the length of the main line.
    pub fn plies(self) -> usize {
        match self.length {
            Length::Plies(plies) => plies,
            Length::Of(game) => game.moves.main_line().count(),
        }
    }

    /// Returns the year of the date, if it is known.
    pub fn year(self) -> Option<i64> {
        self.date()?[0].map(i64::from)
    }

    /// Returns year, month and day, as far as they are known; none without a tag that has a year.
    pub fn date(self) -> Option<[Option<u32>; 3]> {
        ["Date", "UTCDate", "EventDate"].iter().find_map(|name| parse_date(self.tag(name)?))
    }

    /// Returns the opening: its code and its name, as far as the record has them.
    pub fn opening(self) -> Option<String> {
        let parts: Vec<_> = ["ECO", "Opening"].iter().filter_map(|tag| self.tag(tag)).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

/// Returns year, month and day, as far as they are known; none without a year. A date begins with the four digits of
/// its year; of others the order is not known. A number of which digits are unknown, as in `199?`, is unknown.
fn parse_date(text: &str) -> Option<[Option<u32>; 3]> {
    let number = |part: &str| {
        let part = part.trim_start();
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at(digits);
        if rest.starts_with('?') { None } else { number.parse::<u32>().ok() }
    };
    let mut parts = text.split(['.', '-', '/', '年', '月']);
    let is_year = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let year = parts.next().filter(|year| is_year(year.trim())).and_then(number)?;
    let month = parts.next().and_then(number).filter(|month| (1..=12).contains(month));
    let day = parts.next().and_then(number).filter(|day| (1..=31).contains(day));
    Some([Some(year), month, day])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_begins_with_its_year() {
        for (text, expected) in [
            ("1998.01.09", Some([Some(1998), Some(1), Some(9)])),
            ("1998-1", Some([Some(1998), Some(1), None])),
            ("1998.??.09", Some([Some(1998), None, Some(9)])),
            ("1998.1?.0?", Some([Some(1998), None, None])),
            ("199?.01.09", None),
            ("19x8.01.09", None),
            ("19??.??.??", None),
            ("2026.11.20_00:00:00.UTC", Some([Some(2026), Some(11), Some(20)])),
            ("1997年11月16日", Some([Some(1997), Some(11), Some(16)])),
            ("1998.13.32", Some([Some(1998), None, None])),
            ("1/5/2001", None),
            ("16.11.1997", None),
            ("97.11.16", None),
            ("????.11.16", None),
        ] {
            let mut game = TextGame::default();
            game.tags.set("Date", text);
            assert_eq!(GameFacts::new(&game).date(), expected, "{text}");
        }
    }
}

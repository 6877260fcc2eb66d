//! What tables, filters and sorting need to know of a game.

use alfil_kernel::{Outcome, Side};
use alfil_records::TextGame;
use alfil_session::registry;

/// The texts of results in records.
pub(crate) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Facts of a game, from its tags and moves.
#[derive(Clone, Copy, Debug)]
pub struct GameFacts<'a> {
    game: &'a TextGame,
}

impl<'a> GameFacts<'a> {
    /// Takes the facts of a game.
    pub fn new(game: &'a TextGame) -> Self {
        GameFacts { game }
    }

    /// Returns the names of the players, that of the side with the first move before the other.
    pub fn players(self) -> [Option<&'a str>; 2] {
        let entry = registry::GAMES.iter().find(|entry| entry.info.name() == self.game.game);
        let tags = entry.map_or(["White", "Black"], |entry| entry.records.player_tags());
        tags.map(|tag| if tag == "Red" { self.white() } else { self.tag(tag) })
    }

    /// Returns the name of White; in xiangqi, that of Red.
    pub fn white(self) -> Option<&'a str> {
        self.game.tags.first_value(&["White", "Red"])
    }

    /// Returns the name of Black.
    pub fn black(self) -> Option<&'a str> {
        self.tag("Black")
    }

    /// Returns the rating of White; in xiangqi, that of Red.
    pub fn white_elo(self) -> Option<i64> {
        self.game.tags.first_value(&["WhiteElo", "RedElo"])?.parse().ok()
    }

    /// Returns the rating of Black.
    pub fn black_elo(self) -> Option<i64> {
        self.tag("BlackElo")?.parse().ok()
    }

    /// Returns the known value of a tag: neither empty nor `?`.
    pub fn tag(self, name: &str) -> Option<&'a str> {
        self.game.tags.first_value(&[name])
    }

    /// Returns the result as in records: `1-0` if the side with the first move won, `0-1`, `1/2-1/2`, or `*`.
    pub fn result(self) -> &'static str {
        let index = match self.game.result {
            Some(Outcome::Win(Side::First)) => 0,
            Some(Outcome::Win(Side::Second)) => 1,
            Some(Outcome::Draw) => 2,
            None => 3,
        };
        RESULTS[index]
    }

    /// Returns the length of the main line.
    pub fn plies(self) -> usize {
        let (mut plies, mut last) = (0, 0);
        for (index, mv) in self.game.moves.iter().enumerate().skip(1) {
            if mv.parent == last {
                (plies, last) = (plies + 1, index);
            }
        }
        plies
    }

    /// Returns the year of the date, if it is known.
    pub fn year(self) -> Option<i64> {
        self.date()?[0].map(i64::from)
    }

    /// Returns year, month and day, as far as they are known; none without a date.
    pub fn date(self) -> Option<[Option<u32>; 3]> {
        let text = self.game.tags.first_value(&["Date", "UTCDate", "EventDate"])?;
        let mut parts = text.split(['.', '-', '/']).map(|part| part.trim().parse().ok());
        Some([(); 3].map(|()| parts.next().flatten()))
    }

    /// Returns the opening: its code and its name, as far as the record has them.
    pub fn opening(self) -> Option<String> {
        let parts: Vec<_> = ["ECO", "Opening"].iter().filter_map(|tag| self.tag(tag)).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

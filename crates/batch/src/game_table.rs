//! Tables of games: a row a game, and the counts of many games.

use std::collections::{BTreeMap, HashMap};

use alfil_kernel::{Outcome, Side};
use alfil_records::{GameOutline, TextGame};

use crate::game_facts::GameFacts;

/// The number of plies of a class of lengths.
pub const LENGTH_CLASS_PLIES: usize = 20;

/// What a table shows of a game.
///
/// ```
/// use alfil_batch::game_table::ListedGame;
/// use alfil_session::registry;
///
/// let file = b"[White \"A\"]\n[ECO \"B20\"]\n\n1. e4 c5 1-0";
/// let row = ListedGame::new(registry::read_games(file, Some("chess"))?[0].as_ref().expect("a game"));
/// assert_eq!((row.players, row.result), ([Some("A".into()), None], "1-0"));
/// assert_eq!((row.opening.as_deref(), row.plies), (Some("B20"), 2));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// The name of the game, such as `xiangqi`.
    pub game: String,
    /// The names of the players, that of the side with the first move first.
    pub players: [Option<String>; 2],
    /// The result as in records.
    pub result: &'static str,
    /// The length of the main line.
    pub plies: usize,
    /// The code and the name of the opening.
    pub opening: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The date as in the record.
    pub date: Option<String>,
}

impl ListedGame {
    /// Makes the row of a game.
    pub fn new(game: &TextGame) -> ListedGame {
        ListedGame::of_facts(GameFacts::new(game))
    }

    /// Makes the row of an outline.
    pub fn of_outline(outline: &GameOutline) -> ListedGame {
        ListedGame::of_facts(GameFacts::of_outline(outline))
    }

    fn of_facts(facts: GameFacts<'_>) -> ListedGame {
        ListedGame {
            game: facts.game().to_owned(),
            players: facts.players().map(|name| name.map(str::to_owned)),
            result: facts.result(),
            plies: facts.plies(),
            opening: facts.opening(),
            event: facts.tag("Event").map(str::to_owned),
            date: facts.tag("Date").map(str::to_owned),
        }
    }
}

/// Results as one player or one side sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// All games, those without a result included.
    pub games: u64,
    /// The games won.
    pub wins: u64,
    /// The games drawn.
    pub draws: u64,
    /// The games lost.
    pub losses: u64,
}

impl Score {
    fn add(&mut self, result: Option<Outcome>, side: Side) {
        self.games += 1;
        match result {
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Win(winner)) if winner == side => self.wins += 1,
            Some(Outcome::Win(_)) => self.losses += 1,
            None => {}
        }
    }

    /// Returns the points per finished game, from 0 to 1; none if no game is finished.
    pub fn rate(self) -> Option<f64> {
        let finished = self.wins + self.draws + self.losses;
        (finished > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / finished as f64)
    }
}

/// The counts of many games.
///
/// ```
/// use alfil_batch::game_table::GameStats;
/// use alfil_session::registry;
///
/// let file = b"[White \"A\"]\n[Black \"B\"]\n\n1. e4 1-0\n\n[White \"B\"]\n[Black \"A\"]\n\n1. d4 d5 1/2-1/2\n";
/// let mut stats = GameStats::default();
/// for game in registry::read_games(file, Some("chess"))? {
///     stats.add(&game.expect("a game"));
/// }
/// assert_eq!((stats.mean_plies(), stats.player_count(), stats.unfinished()), (Some(1.5), 2, 0));
/// let (name, score) = stats.top_players(1)[0];
/// assert_eq!((name, score.wins, score.draws, score.rate()), ("A", 1, 1, Some(0.75)));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameStats {
    /// The score of the side with the first move.
    pub first_side: Score,
    /// The number of games of each kind.
    pub games: BTreeMap<String, u64>,
    /// The number of games by class of length: the key times [`LENGTH_CLASS_PLIES`] is the shortest length of it.
    pub lengths: BTreeMap<usize, u64>,
    /// The number of all plies, and those of the shortest and the longest game.
    pub plies: u64,
    /// The length of the shortest game.
    pub min_plies: Option<usize>,
    /// The length of the longest game.
    pub max_plies: Option<usize>,
    /// The number of games by year; 0 if it is not known.
    pub years: BTreeMap<i64, u64>,
    players: HashMap<String, Score>,
    openings: HashMap<String, Score>,
}

impl GameStats {
    /// Adds a game.
    pub fn add(&mut self, game: &TextGame) {
        self.add_facts(GameFacts::new(game));
    }

    /// Adds the outline of a game.
    pub fn add_outline(&mut self, outline: &GameOutline) {
        self.add_facts(GameFacts::of_outline(outline));
    }

    fn add_facts(&mut self, facts: GameFacts<'_>) {
        let result = facts.outcome();
        self.first_side.add(result, Side::First);
        count(&mut self.games, facts.game());
        let plies = facts.plies();
        *self.lengths.entry(plies / LENGTH_CLASS_PLIES).or_default() += 1;
        self.plies += plies as u64;
        self.min_plies = Some(self.min_plies.map_or(plies, |min| min.min(plies)));
        self.max_plies = Some(self.max_plies.map_or(plies, |max| max.max(plies)));
        *self.years.entry(facts.year().unwrap_or(0)).or_default() += 1;
        for (name, side) in facts.players().into_iter().zip([Side::First, Side::Second]) {
            if let Some(name) = name {
                add_score(&mut self.players, name, result, side);
            }
        }
        if let Some(opening) = facts.opening() {
            add_score(&mut self.openings, &opening, result, Side::First);
        }
    }

    /// Returns the number of games without a result.
    pub fn unfinished(&self) -> u64 {
        let Score { games, wins, draws, losses } = self.first_side;
        games - wins - draws - losses
    }

    /// Returns the mean length; none without games.
    pub fn mean_plies(&self) -> Option<f64> {
        let games = self.first_side.games;
        (games > 0).then(|| self.plies as f64 / games as f64)
    }

    /// Returns the number of different players.
    pub fn player_count(&self) -> usize {
        self.players.len()
    }

    /// Returns the players with the most games, and their scores.
    pub fn top_players(&self, max: usize) -> Vec<(&str, Score)> {
        top(&self.players, max)
    }

    /// Returns the number of different openings.
    pub fn opening_count(&self) -> usize {
        self.openings.len()
    }

    /// Returns the most frequent openings, and the scores of the side with the first move.
    pub fn top_openings(&self, max: usize) -> Vec<(&str, Score)> {
        top(&self.openings, max)
    }
}

fn count(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(counts.insert(name.to_owned(), 1)),
    }
}

fn add_score(scores: &mut HashMap<String, Score>, name: &str, result: Option<Outcome>, side: Side) {
    // Most names are known, and need no copy.
    match scores.get_mut(name) {
        Some(score) => score.add(result, side),
        None => scores.entry(name.to_owned()).or_default().add(result, side),
    }
}

/// Returns the entries with the most games; of equal ones the first by name.
fn top(scores: &HashMap<String, Score>, max: usize) -> Vec<(&str, Score)> {
    let mut all: Vec<_> = scores.iter().map(|(name, score)| (name.as_str(), *score)).collect();
    all.sort_unstable_by(|(name, score), (other_name, other)| {
        other.games.cmp(&score.games).then(name.cmp(other_name))
    });
    all.truncate(max);
    all
}

#[cfg(test)]
mod tests {
    use alfil_session::registry;

    use super::*;

    fn games() -> Vec<TextGame> {
        let file = "[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.01\"]\n[ECO \"C20\"]\n\n1. e4 e5 1-0\n\n\
            [White \"B\"]\n[Black \"A\"]\n[Date \"2021.??.??\"]\n[ECO \"C20\"]\n[Opening \"King's Pawn\"]\n\n1. e4 1/2-1/2\n\n\
            [White \"B\"]\n[Black \"?\"]\n[ECO \"C20\"]\n\n1. e4 e5 (1... c5 2. Nf3) *\n\n\
            [Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n[Black \"A\"]\n\n1. 炮二平五 0-1\n";
        let games = registry::read_games(file.as_bytes(), None).unwrap();
        games.into_iter().map(|game| game.unwrap()).collect()
    }

    #[test]
    fn rows_have_the_players_in_the_order_of_their_moves() {
        let rows: Vec<_> = games().iter().map(ListedGame::new).collect();
        let name = |text: &str| Some(text.to_owned());
        assert_eq!(rows[0].players, [name("A"), name("B")]);
        assert_eq!((rows[1].opening.as_deref(), rows[1].plies), (Some("C20 King's Pawn"), 1));
        assert_eq!((rows[2].players[1].as_deref(), rows[2].plies, rows[2].result), (None, 2, "*"));
        assert_eq!((rows[3].players[0].as_deref(), rows[3].result), (Some("胡荣华"), "0-1"));
        let othello = "[Game \"Othello\"]\n[Black \"first\"]\n[White \"second\"]\n\n1. f5 *";
        let game = registry::read_games(othello.as_bytes(), None).unwrap().remove(0).unwrap();
        assert_eq!(ListedGame::new(&game).players, [name("first"), name("second")]);
    }

    #[test]
    fn counts_are_those_of_the_games() {
        let mut stats = GameStats::default();
        games().iter().for_each(|game| stats.add(game));
        assert_eq!(stats.first_side, Score { games: 4, wins: 1, draws: 1, losses: 1 });
        assert_eq!((stats.unfinished(), stats.mean_plies()), (1, Some(1.5)));
        assert_eq!((stats.min_plies, stats.max_plies), (Some(1), Some(2)));
        assert_eq!(stats.years, BTreeMap::from([(0, 2), (2020, 1), (2021, 1)]));
        assert_eq!(stats.player_count(), 3);
        let top = stats.top_players(2);
        assert_eq!(top[0], ("A", Score { games: 3, wins: 2, draws: 1, losses: 0 }));
        assert_eq!(top[1], ("B", Score { games: 3, wins: 0, draws: 1, losses: 1 }));
        assert_eq!(top[0].1.rate(), Some(2.5 / 3.0));
        assert_eq!(stats.top_openings(9)[0], ("C20", Score { games: 2, wins: 1, draws: 0, losses: 0 }));
        assert_eq!(stats.opening_count(), 2);
    }
}

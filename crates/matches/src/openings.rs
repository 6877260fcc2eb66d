//! Where games begin: openings from a file, or made.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::mpsc;

use alfil_kernel::Waivers;
use alfil_kernel::zobrist::{GOLDEN, SplitMix64};

use alfil_engine::{SearchEvent, start_search};
use alfil_session::SearchLimits;
use alfil_session::SearchResources;
use alfil_session::game_session::{GameSession, SessionError};
use alfil_session::registry;

/// A position and moves from it. In text: the position or `startpos`, then ` moves ` and the moves in the default dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// The position's text; none for the start position of the game.
    pub start: Option<String>,
    /// Moves in the default dialect.
    pub moves: Vec<String>,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.start.as_deref().unwrap_or("startpos"))?;
        match self.moves.is_empty() {
            true => Ok(()),
            false => write!(f, " moves {}", self.moves.join(" ")),
        }
    }
}

impl Opening {
    /// Reads what [`Opening`] writes; a line of moves alone is played from the start position.
    ///
    /// # Errors
    /// If the position or a move cannot be read, or the game is over at once.
    pub fn parse(text: &str, desk: &mut dyn GameSession) -> Result<Opening, SessionError> {
        let text = text.trim();
        let (start, moves) = match text.split_once(" moves") {
            Some((start, moves)) => (start.trim(), moves),
            None if Opening::is_move_line(text, desk)? => ("startpos", text),
            None => (text, ""),
        };
        let start = (start != "startpos").then(|| start.to_owned());
        let mut opening = Opening { start, moves: Vec::new() };
        opening.set_up(desk)?;
        for (number, mv) in moves.split_whitespace().enumerate() {
            let step = desk.play(mv, None).map_err(|error| error.at_move(number + 1))?;
            opening.moves.push(step.text);
        }
        match desk.game_end() {
            Some(ending) => Err(SessionError::new(format!("the game is over: {}", ending.message))),
            None => Ok(opening),
        }
    }

    fn is_move_line(text: &str, desk: &mut dyn GameSession) -> Result<bool, SessionError> {
        desk.open("startpos", &Waivers::None)?;
        Ok(text.split_whitespace().next().is_some_and(|word| desk.play(word, None).is_ok()))
    }

    /// Puts its position on the desk and plays its moves.
    ///
    /// # Errors
    /// If they are not of the game of the desk.
    pub fn set_up(&self, desk: &mut dyn GameSession) -> Result<(), SessionError> {
        desk.open(self.start.as_deref().unwrap_or("startpos"), &Waivers::None)?;
        for mv in &self.moves {
            desk.play(mv, None)?;
        }
        Ok(())
    }
}

/// Reads openings, one a line; empty lines and those that begin with `#` are left out.
///
/// # Errors
/// If a line cannot be read, with its number, or there are none.
pub fn parse_openings(game: &str, text: &str) -> Result<Vec<Opening>, SessionError> {
    let mut desk = registry::open(game, None)?;
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let located = |error| SessionError::new(format!("line {}: {error}", number + 1));
        openings.push(Opening::parse(line, desk.as_mut()).map_err(located)?);
    }
    if openings.is_empty() { Err(SessionError::new("there are no openings")) } else { Ok(openings) }
}

/// How openings are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningGenerator {
    /// Random plies from the start position.
    pub plies: usize,
    /// The largest advantage of either side, in hundredths, that a short search may see.
    pub max_imbalance_cp: i32,
    /// Positions that the search may visit.
    pub nodes: u64,
    /// The same seed gives the same openings.
    pub seed: u64,
}

impl OpeningGenerator {
    /// What is usual in a game: enough plies that the openings differ, and few enough that they are sound.
    pub fn with_defaults(game: &str, seed: u64) -> OpeningGenerator {
        let (plies, balance) = match game {
            "xiangqi" => (6, 60),
            "othello" => (8, 400),
            _ => (8, 60),
        };
        OpeningGenerator { plies, max_imbalance_cp: balance, nodes: 4000, seed }
    }

    /// How many lines of random moves are tried for each opening before it is given up.
    const MAX_TRIES: usize = 1000;

    /// Makes so many openings, no two alike, telling each number that is done.
    ///
    /// # Errors
    /// If there is no such game, no balanced line is found, or nobody can think.
    pub fn generate(
        &self,
        game: &str,
        count: usize,
        heard: &mut dyn FnMut(usize),
    ) -> Result<Vec<Opening>, SessionError> {
        let mut desk = registry::open(game, None)?;
        // A short search fills a small table.
        desk.set_resources(&SearchResources { hash_mib: 1, ..SearchResources::default() });
        let mut random = SplitMix64::new(self.seed.wrapping_mul(GOLDEN));
        let (mut openings, mut seen) = (Vec::with_capacity(count), BTreeSet::new());
        while openings.len() < count {
            let found = (0..OpeningGenerator::MAX_TRIES).find_map(|_| {
                let opening = self.random_opening(desk.as_mut(), &mut random)?;
                let balanced = seen.insert(desk.view().hash_key).then(|| self.is_balanced(desk.as_mut()))?;
                balanced.map(|balanced| balanced.then_some(opening)).transpose()
            });
            openings.push(found.transpose()?.ok_or_else(|| {
                let (plies, made) = (self.plies, openings.len());
                SessionError::new(format!(
                    "only {made} openings of {plies} plies are within {} hundredths: more plies give more",
                    self.max_imbalance_cp
                ))
            })?);
            heard(openings.len());
        }
        Ok(openings)
    }

    /// Random moves onto the desk; none if the game ended on the way.
    fn random_opening(&self, desk: &mut dyn GameSession, random: &mut SplitMix64) -> Option<Opening> {
        desk.open("startpos", &Waivers::None).ok()?;
        let mut opening = Opening::default();
        for _ in 0..self.plies {
            let moves = desk.legal_moves(None).ok()?;
            let step = desk.play(&moves[random.below(moves.len())], None).ok()?;
            opening.moves.push(step.text);
            if step.game_end.is_some() {
                return None;
            }
        }
        Some(opening)
    }

    /// Whatever was thought about before is forgotten first.
    fn is_balanced(&self, desk: &mut dyn GameSession) -> Result<bool, SessionError> {
        desk.clear_search();
        let (sender, thoughts) = mpsc::channel();
        let limits = SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() };
        // Whoever thinks is heard to the end, so the channel is open.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        start_search(desk, &limits, sink)?.join();
        let score = thoughts.iter().filter_map(|thought| match thought {
            SearchEvent::Info { score, .. } => Some(score),
            SearchEvent::Failed(_) | SearchEvent::BestMove(_) => None,
        });
        Ok(score.last().is_some_and(|score| score.abs() <= self.max_imbalance_cp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_read_in_three_ways() {
        let text = "# three\n\nstartpos moves e2e4 e7e5\n d2d4 d7d5\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1";
        let openings = parse_openings("chess", text).unwrap();
        let texts: Vec<_> = openings.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "startpos moves e2e4 e7e5",
                "startpos moves d2d4 d7d5",
                "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                "4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1"
            ]
        );
        for (bad, expected) in [
            ("e2e4\n\ne2e4 e2e4", "line 3: move 2"),
            ("4k3/8 w", "line 1"),
            ("", "there are no openings"),
            ("f2f3 e7e5 g2g4 d8h4", "line 1: the game is over: Checkmate"),
        ] {
            let error = parse_openings("chess", bad).unwrap_err();
            assert!(error.message.contains(expected), "{error}");
        }
        assert_eq!(parse_openings("othello", "f5 d6\n").unwrap()[0].moves, ["f5", "d6"]);
    }

    #[test]
    fn the_same_seed_makes_the_same_openings() {
        for game in registry::games() {
            let recipe = OpeningGenerator { nodes: 300, ..OpeningGenerator::with_defaults(game, 7) };
            let mut told = Vec::new();
            let openings = recipe.generate(game, 3, &mut |number| told.push(number)).unwrap();
            assert_eq!(told, [1, 2, 3]);
            assert_eq!(recipe.generate(game, 2, &mut |_| ()).unwrap(), openings[..2]);
            let other =
                OpeningGenerator { seed: 8, ..recipe.clone() }.generate(game, 3, &mut |_| ()).unwrap();
            assert_ne!(other, openings);
            let differ: BTreeSet<_> = openings.iter().collect();
            assert_eq!(differ.len(), 3);
            let mut desk = registry::open(game, None).unwrap();
            for opening in &openings {
                assert_eq!(opening.moves.len(), recipe.plies);
                assert_eq!(&Opening::parse(&opening.to_string(), desk.as_mut()).unwrap(), opening);
                assert!(recipe.is_balanced(desk.as_mut()).unwrap(), "{opening}");
            }
        }
        let scarce = OpeningGenerator { plies: 1, ..OpeningGenerator::with_defaults("othello", 1) };
        assert!(scarce.generate("othello", 9, &mut |_| ()).unwrap_err().message.contains("more plies"));
    }
}

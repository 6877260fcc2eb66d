//! Where games begin: openings from a file, or made.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::mpsc;

use alfil_kernel::Waivers;
use alfil_kernel::keys::{GOLDEN, SplitMix64};

use crate::desk::{Desk, DeskError, Limits, Thought};
use crate::mind::Means;
use crate::registry;

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
    pub fn read(text: &str, desk: &mut dyn Desk) -> Result<Opening, DeskError> {
        let text = text.trim();
        let (start, moves) = match text.split_once(" moves") {
            Some((start, moves)) => (start.trim(), moves),
            None if Opening::begins_with_a_move(text, desk)? => ("startpos", text),
            None => (text, ""),
        };
        let start = (start != "startpos").then(|| start.to_owned());
        let mut opening = Opening { start, moves: Vec::new() };
        opening.lay(desk)?;
        for (number, mv) in moves.split_whitespace().enumerate() {
            let step = desk.play(mv, None).map_err(|error| error.of_move(number + 1))?;
            opening.moves.push(step.text);
        }
        match desk.judge() {
            Some(ending) => Err(DeskError::new(format!("the game is over: {}", ending.words))),
            None => Ok(opening),
        }
    }

    fn begins_with_a_move(text: &str, desk: &mut dyn Desk) -> Result<bool, DeskError> {
        desk.open("startpos", &Waivers::None)?;
        Ok(text.split_whitespace().next().is_some_and(|word| desk.play(word, None).is_ok()))
    }

    /// Puts its position on the desk and plays its moves.
    ///
    /// # Errors
    /// If they are not of the game of the desk.
    pub fn lay(&self, desk: &mut dyn Desk) -> Result<(), DeskError> {
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
pub fn read(game: &str, text: &str) -> Result<Vec<Opening>, DeskError> {
    let mut desk = registry::open(game, None)?;
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let located = |error| DeskError::new(format!("line {}: {error}", number + 1));
        openings.push(Opening::read(line, desk.as_mut()).map_err(located)?);
    }
    if openings.is_empty() { Err(DeskError::new("there are no openings")) } else { Ok(openings) }
}

/// How openings are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Random plies from the start position.
    pub plies: usize,
    /// The largest advantage of either side, in hundredths, that a short search may see.
    pub balance: i32,
    /// Positions that the search may visit.
    pub nodes: u64,
    /// The same seed gives the same openings.
    pub seed: u64,
}

impl Recipe {
    /// What is usual in a game: enough plies that the openings differ, and few enough that they are sound.
    pub fn usual(game: &str, seed: u64) -> Recipe {
        let (plies, balance) = match game {
            "xiangqi" => (6, 60),
            "othello" => (8, 400),
            _ => (8, 60),
        };
        Recipe { plies, balance, nodes: 4000, seed }
    }

    /// How many lines of random moves are tried for each opening before it is given up.
    const TRIES: usize = 1000;

    /// Makes so many openings, no two alike, telling each number that is done.
    ///
    /// # Errors
    /// If there is no such game, no balanced line is found, or nobody can think.
    pub fn make(
        &self,
        game: &str,
        count: usize,
        heard: &mut dyn FnMut(usize),
    ) -> Result<Vec<Opening>, DeskError> {
        let mut desk = registry::open(game, None)?;
        // A short search fills a small table.
        desk.furnish(&Means { hash: 1, ..Means::default() });
        let mut random = SplitMix64::new(self.seed.wrapping_mul(GOLDEN));
        let (mut openings, mut seen) = (Vec::with_capacity(count), BTreeSet::new());
        while openings.len() < count {
            let found = (0..Recipe::TRIES).find_map(|_| {
                let opening = self.deal(desk.as_mut(), &mut random)?;
                let balanced = seen.insert(desk.view().key).then(|| self.is_balanced(desk.as_mut()))?;
                balanced.map(|balanced| balanced.then_some(opening)).transpose()
            });
            openings.push(found.transpose()?.ok_or_else(|| {
                let (plies, made) = (self.plies, openings.len());
                DeskError::new(format!(
                    "only {made} openings of {plies} plies are within {} hundredths: more plies give more",
                    self.balance
                ))
            })?);
            heard(openings.len());
        }
        Ok(openings)
    }

    /// Random moves onto the desk; none if the game ended on the way.
    fn deal(&self, desk: &mut dyn Desk, random: &mut SplitMix64) -> Option<Opening> {
        desk.open("startpos", &Waivers::None).ok()?;
        let mut opening = Opening::default();
        for _ in 0..self.plies {
            let moves = desk.moves(None).ok()?;
            let step = desk.play(&moves[random.below(moves.len())], None).ok()?;
            opening.moves.push(step.text);
            if step.ending.is_some() {
                return None;
            }
        }
        Some(opening)
    }

    /// Whatever was thought about before is forgotten first.
    fn is_balanced(&self, desk: &mut dyn Desk) -> Result<bool, DeskError> {
        desk.forget();
        let (sender, thoughts) = mpsc::channel();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        // Whoever thinks is heard to the end, so the channel is open.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        desk.think(&limits, sink)?.join();
        let score = thoughts.iter().filter_map(|thought| match thought {
            Thought::Info { score, .. } => Some(score),
            Thought::Failed(_) | Thought::Best(_) => None,
        });
        Ok(score.last().is_some_and(|score| score.abs() <= self.balance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_read_in_three_ways() {
        let text = "# three\n\nstartpos moves e2e4 e7e5\n d2d4 d7d5\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1";
        let openings = read("chess", text).unwrap();
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
            let error = read("chess", bad).unwrap_err();
            assert!(error.words.contains(expected), "{error}");
        }
        assert_eq!(read("othello", "f5 d6\n").unwrap()[0].moves, ["f5", "d6"]);
    }

    #[test]
    fn the_same_seed_makes_the_same_openings() {
        for game in registry::games() {
            let recipe = Recipe { nodes: 300, ..Recipe::usual(game, 7) };
            let mut told = Vec::new();
            let openings = recipe.make(game, 3, &mut |number| told.push(number)).unwrap();
            assert_eq!(told, [1, 2, 3]);
            assert_eq!(recipe.make(game, 2, &mut |_| ()).unwrap(), openings[..2]);
            let other = Recipe { seed: 8, ..recipe.clone() }.make(game, 3, &mut |_| ()).unwrap();
            assert_ne!(other, openings);
            let differ: BTreeSet<_> = openings.iter().collect();
            assert_eq!(differ.len(), 3);
            let mut desk = registry::open(game, None).unwrap();
            for opening in &openings {
                assert_eq!(opening.moves.len(), recipe.plies);
                assert_eq!(&Opening::read(&opening.to_string(), desk.as_mut()).unwrap(), opening);
                assert!(recipe.is_balanced(desk.as_mut()).unwrap(), "{opening}");
            }
        }
        let scarce = Recipe { plies: 1, ..Recipe::usual("othello", 1) };
        assert!(scarce.make("othello", 9, &mut |_| ()).unwrap_err().words.contains("more plies"));
    }
}

//! Engines against each other: pairs of games from the same openings with colours exchanged, under our own laws.
//!
//! A [`Bout`] is what is to be played: openings, paces, rules. [`Bout::run`] plays it with [`Player`]s that somebody else
//! supplies: [`inner::Inner`] thinks in this process, [`remote::Remote`] speaks a protocol over a [`remote::Link`]. Every game is
//! told as plain data as soon as it is over; [`stats`] says what they prove.

pub mod game;
pub mod inner;
pub mod openings;
pub mod remote;
pub mod stats;
pub mod wire;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

pub use alfil_protocol::driver::{Budget, Clock, Profile, Protocol};

use crate::desk::{Desk, DeskError};
use crate::pool;
use game::{Played, Rules};
use openings::Opening;

/// Why a player did not bring its move to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// It ended, or closed its output.
    Crash,
    /// It did not answer, not even when told to move at once.
    Hang,
    /// Its time was over.
    Time,
    /// No legal move is written like that.
    Illegal,
    /// It took no move, or said that the game was over when it was not.
    Dispute,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 5] = [Fault::Crash, Fault::Hang, Fault::Time, Fault::Illegal, Fault::Dispute];

    /// Its name in a record.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Crash => "crash",
            Fault::Hang => "hang",
            Fault::Time => "time",
            Fault::Illegal => "illegal",
            Fault::Dispute => "dispute",
        }
    }

    /// The fault of that name.
    pub fn named(name: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// What a player did instead of moving, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct Failing {
    /// What kind of failing it is.
    pub fault: Fault,
    /// What happened.
    pub words: String,
}

impl Failing {
    /// A failing and what happened.
    pub fn new(fault: Fault, words: impl Into<String>) -> Self {
        Failing { fault, words: words.into() }
    }
}

/// A move, and what its player said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The move in the default dialect of the game; none if the player resigns.
    pub text: Option<String>,
    /// How long it took.
    pub elapsed: Duration,
    /// What is left on the mover's clock then, where there is one.
    pub left: Option<Duration>,
    /// Hundredths, from the view of the mover.
    pub score: Option<i32>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
}

/// Whoever plays games for one of the two engines.
pub trait Player: Send {
    /// A new game begins from this opening.
    ///
    /// # Errors
    /// If the engine cannot be brought to play at all: the match then ends.
    fn begin(&mut self, desk: &dyn Desk, opening: &Opening, budget: &Budget) -> Result<(), Failing>;

    /// The move for the position on the desk, and for how long it may be waited: its time, with what is let pass.
    ///
    /// # Errors
    /// With what the engine did instead.
    fn choose(
        &mut self,
        desk: &dyn Desk,
        opening: &Opening,
        budget: &Budget,
        wait: Option<Duration>,
    ) -> Result<Choice, Failing>;

    /// The game is over.
    fn finish(&mut self) {}

    /// The last lines of the conversation with the engine.
    fn log(&self) -> Vec<String> {
        Vec::new()
    }
}

/// How long an engine may think in every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// A clock as it stands at the start of a game.
    pub clock: Option<Clock>,
    /// Time for each move.
    pub time: Option<Duration>,
    /// Positions for each move.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

impl Pace {
    /// Whether nothing at all bounds a thought.
    pub fn is_endless(&self) -> bool {
        *self == Pace::default()
    }

    /// What a player of this pace is told; the second clock is the opponent's.
    pub fn budget(&self, clocks: [Option<Clock>; 2]) -> Budget {
        let other = clocks[1].or(clocks[0]);
        Budget {
            clocks: clocks[0].zip(other).map(<[Clock; 2]>::from),
            time: self.time,
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}

/// A match, as it is to be played.
#[derive(Clone, Debug)]
pub struct Bout {
    /// What ends a game.
    pub rules: Rules,
    /// How long each engine may think.
    pub paces: [Pace; 2],
    /// Each is played twice, with colours exchanged; from the first again when all have been.
    pub openings: Vec<Opening>,
    /// How many games.
    pub games: usize,
}

/// Both engines' players for one worker.
pub type Seats = [Box<dyn Player>; 2];

impl Bout {
    /// Which engine moves first in a game: each opening is played by both.
    pub fn first(number: usize) -> usize {
        number % 2
    }

    /// The opening of a game.
    pub fn opening(&self, number: usize) -> &Opening {
        &self.openings[number / 2 % self.openings.len()]
    }

    /// Plays all games that are not yet `done`, so many at once, each worker with players of its own. Every game is `heard`
    /// as soon as it is over, one at a time; if that fails, no more games are begun.
    ///
    /// # Errors
    /// If an engine cannot be brought to play, or somebody who hears of a game says so.
    pub fn run(
        &self,
        done: &BTreeSet<usize>,
        concurrency: usize,
        seats: &(dyn Fn() -> Result<Seats, DeskError> + Sync),
        heard: &mut (dyn FnMut(Played) -> Result<(), DeskError> + Send),
    ) -> Result<(), DeskError> {
        let open: Vec<_> = (0..self.games).filter(|number| !done.contains(number)).collect();
        let next = AtomicUsize::new(0);
        let broken = AtomicBool::new(false);
        let heard = Mutex::new((heard, Ok(())));
        let fail = |error| {
            broken.store(true, Ordering::Relaxed);
            if let Ok(mut heard) = heard.lock()
                && heard.1.is_ok()
            {
                heard.1 = Err(error);
            }
        };
        let work = || {
            let mut players = match seats() {
                Ok(players) => players,
                Err(error) => return fail(error),
            };
            while !broken.load(Ordering::Relaxed) {
                let Some(&number) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                match game::play(self, number, &mut players) {
                    Err(error) => return fail(error),
                    // Nobody hears anything after the first failure.
                    Ok(_) if broken.load(Ordering::Relaxed) => break,
                    Ok(played) => {
                        let told = heard.lock().map(|mut heard| (heard.0)(played));
                        if let Ok(Err(error)) = told {
                            return fail(error);
                        }
                    }
                }
            }
        };
        pool::crew(concurrency.clamp(1, open.len().max(1)), work, |_| work());
        heard.into_inner().map_or_else(|poison| poison.into_inner().1, |heard| heard.1)
    }
}

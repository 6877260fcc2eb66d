//! Engines against each other: pairs of games from the same openings with colours exchanged, under our own laws.
//!
//! A [`Bout`] is what is to be played: openings, paces, rules. [`Bout::run`] plays it with [`Player`]s that somebody else
//! supplies: [`inner::Inner`] thinks in this process, [`remote::Remote`] speaks a protocol over a [`remote::Link`]. Every game is
//! told as plain data as soon as it is over; [`stats`] says what they prove.

pub mod external;
pub mod game;
pub mod internal;
pub mod move_encoding;
pub mod openings;
pub mod stats;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

pub use alfil_protocol::client::{ClockState, EngineConfig, MoveLimits, Protocol};

use alfil_engine::threads::SystemThreads;
use alfil_session::Workers as _;
use alfil_session::game_session::{GameSession, SessionError};
use game::{MatchRules, PlayedGame};
use openings::Opening;

/// Why a player did not bring its move to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
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

impl FailureKind {
    /// All of them.
    pub const ALL: [FailureKind; 5] = [
        FailureKind::Crash,
        FailureKind::Hang,
        FailureKind::Time,
        FailureKind::Illegal,
        FailureKind::Dispute,
    ];

    /// Its name in a record.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Crash => "crash",
            FailureKind::Hang => "hang",
            FailureKind::Time => "time",
            FailureKind::Illegal => "illegal",
            FailureKind::Dispute => "dispute",
        }
    }

    /// The fault of that name.
    pub fn from_name(name: &str) -> Option<FailureKind> {
        FailureKind::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// What a player did instead of moving, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PlayerFailure {
    /// What kind of failing it is.
    pub kind: FailureKind,
    /// What happened.
    pub message: String,
}

impl PlayerFailure {
    /// A failing and what happened.
    pub fn new(fault: FailureKind, words: impl Into<String>) -> Self {
        PlayerFailure { kind: fault, message: words.into() }
    }
}

/// A move, and what its player said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenMove {
    /// The move in the default dialect of the game; none if the player resigns.
    pub text: Option<String>,
    /// How long it took.
    pub elapsed: Duration,
    /// What is left on the mover's clock then, where there is one.
    pub remaining: Option<Duration>,
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
    fn new_game(
        &mut self,
        desk: &dyn GameSession,
        opening: &Opening,
        budget: &MoveLimits,
    ) -> Result<(), PlayerFailure>;

    /// The move for the position on the desk, and for how long it may be waited: its time, with what is let pass.
    ///
    /// # Errors
    /// With what the engine did instead.
    fn choose_move(
        &mut self,
        desk: &dyn GameSession,
        opening: &Opening,
        budget: &MoveLimits,
        wait: Option<Duration>,
    ) -> Result<ChosenMove, PlayerFailure>;

    /// The game is over.
    fn finish(&mut self) {}

    /// The last lines of the conversation with the engine.
    fn log(&self) -> Vec<String> {
        Vec::new()
    }
}

/// How long an engine may think in every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerLimits {
    /// A clock as it stands at the start of a game.
    pub clock: Option<ClockState>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Positions for each move.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

impl PlayerLimits {
    /// Whether nothing at all bounds a thought.
    pub fn is_unlimited(&self) -> bool {
        *self == PlayerLimits::default()
    }

    /// What a player of this pace is told; the second clock is the opponent's.
    pub fn move_limits(&self, clocks: [Option<ClockState>; 2]) -> MoveLimits {
        let other = clocks[1].or(clocks[0]);
        MoveLimits {
            clocks: clocks[0].zip(other).map(<[ClockState; 2]>::from),
            move_time: self.move_time,
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}

/// A match, as it is to be played.
#[derive(Clone, Debug)]
pub struct EngineMatch {
    /// What ends a game.
    pub rules: MatchRules,
    /// How long each engine may think.
    pub limits: [PlayerLimits; 2],
    /// Each is played twice, with colours exchanged; from the first again when all have been.
    pub openings: Vec<Opening>,
    /// How many games.
    pub games: usize,
}

/// Both engines' players for one worker.
pub type PlayerPair = [Box<dyn Player>; 2];

impl EngineMatch {
    /// Which engine moves first in a game: each opening is played by both.
    pub fn first_engine(number: usize) -> usize {
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
        seats: &(dyn Fn() -> Result<PlayerPair, SessionError> + Sync),
        heard: &mut (dyn FnMut(PlayedGame) -> Result<(), SessionError> + Send),
    ) -> Result<(), SessionError> {
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
                match game::play_game(self, number, &mut players) {
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
        let helpers = concurrency.clamp(1, open.len().max(1)) - 1;
        SystemThreads.run(helpers, &mut || work(), &|_| work());
        heard.into_inner().map_or_else(|poison| poison.into_inner().1, |heard| heard.1)
    }
}

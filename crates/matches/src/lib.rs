//! Engine matches: pairs of games from the same openings with colours exchanged, under Alfil's own rules.
//!
//! An [`EngineMatch`] holds openings, limits, rules and which engines meet: two, or those of a tournament.
//! [`EngineMatch::run`] plays it with [`Player`]s that the caller supplies: [`internal::InternalPlayer`] searches in
//! this process, [`external::ExternalPlayer`] drives an engine over a [`external::LineTransport`]. Every game is
//! reported as plain data as soon as it is over; [`stats`] and [`ratings`] evaluate the results.

pub mod external;
pub mod game;
pub mod internal;
pub mod move_encoding;
pub mod openings;
pub mod ratings;
pub mod sprt;
pub mod spsa;
pub mod stats;
mod variant_names;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use alfil_protocol::client::{ClockState, EngineConfig, MoveLimits, Protocol};
pub use variant_names::variant_names;

use alfil_engine::SearchObserver;
use alfil_engine::threads::run_threads;
use alfil_session::{GameSession, SessionError};
use game::{MatchGame, MatchRules};
use openings::Opening;

/// The kind of a player's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// The engine ended or closed its output.
    Crash,
    /// The engine did not answer, not even after a stop.
    Hang,
    /// The engine ran out of time.
    Time,
    /// The engine sent an illegal move.
    Illegal,
    /// The engine rejected a legal move, or claimed the end of a game that is not over.
    Rejection,
}

impl FailureKind {
    /// All kinds of failures.
    pub const ALL: [FailureKind; 5] = [
        FailureKind::Crash,
        FailureKind::Hang,
        FailureKind::Time,
        FailureKind::Illegal,
        FailureKind::Rejection,
    ];

    /// Returns the name of the kind in match files.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Crash => "crash",
            FailureKind::Hang => "hang",
            FailureKind::Time => "time",
            FailureKind::Illegal => "illegal",
            FailureKind::Rejection => "dispute",
        }
    }

    /// Returns the kind of that name.
    pub fn from_name(name: &str) -> Option<FailureKind> {
        FailureKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The failure of a player to make a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PlayerFailure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// What happened, as a sentence.
    pub message: String,
}

impl PlayerFailure {
    /// Creates a failure.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        PlayerFailure { kind, message: message.into() }
    }
}

/// A move, with what its player reported about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenMove {
    /// The move in the default dialect of the game; `None` if the player resigns.
    pub text: Option<String>,
    /// The time used.
    pub elapsed: Duration,
    /// The remaining time of the player after the move, if there is a clock.
    pub remaining: Option<Duration>,
    /// The score from the view of the player: centipawns, in Othello hundredths of a disc.
    pub score: Option<i32>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

/// The time between two queries of an observer whether to stop.
const OBSERVER_INTERVAL: Duration = Duration::from_millis(50);

/// A player of one of the engines.
pub trait Player: Send {
    /// Starts a new game from this opening.
    ///
    /// # Errors
    /// Returns an error if the engine cannot play at all; the match then ends.
    fn new_game(
        &mut self,
        session: &dyn GameSession,
        opening: &Opening,
        limits: &MoveLimits,
    ) -> Result<(), PlayerFailure>;

    /// Returns the move for the current position. `wait` is the maximum time to wait for it: the player's time and the
    /// margin. An observer receives what the player reports, and can make it move at once.
    ///
    /// # Errors
    /// Returns an error if the player made no move.
    fn choose_move(
        &mut self,
        session: &dyn GameSession,
        opening: &Opening,
        limits: &MoveLimits,
        wait: Option<Duration>,
        observer: Option<&mut dyn SearchObserver>,
    ) -> Result<ChosenMove, PlayerFailure>;

    /// Returns whether the player goes on from the moves of its last search and from its reply, so that a search of any
    /// other position, or with other limits, needs a new game.
    fn keeps_position(&self) -> bool {
        true
    }

    /// Ends the game.
    fn finish(&mut self) {}

    /// Returns the last lines exchanged with the engine.
    fn log(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The limits of an engine in every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerLimits {
    /// The clock at the start of a game.
    pub clock: Option<ClockState>,
    /// The time for each move.
    pub move_time: Option<Duration>,
    /// The nodes for each move.
    pub nodes: Option<u64>,
    /// The nodes for each move after which no further iteration begins; only for our own engines.
    pub soft_nodes: Option<u64>,
    /// The depth of each move in plies.
    pub depth: Option<u32>,
}

impl PlayerLimits {
    /// Returns whether there is no limit at all.
    pub fn is_unlimited(&self) -> bool {
        *self == PlayerLimits::default()
    }

    /// Returns the limits of one move, with the clocks of the player and the opponent.
    pub fn move_limits(&self, clocks: [Option<ClockState>; 2]) -> MoveLimits {
        let other = clocks[1].or(clocks[0]);
        MoveLimits {
            clocks: clocks[0].zip(other).map(<[ClockState; 2]>::from),
            move_time: self.move_time,
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            depth: self.depth,
            multipv: None,
        }
    }
}

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct EngineMatch {
    /// The rules that end a game.
    pub rules: MatchRules,
    /// The name of each engine, for messages.
    pub names: Vec<String>,
    /// The limits of each engine.
    pub limits: Vec<PlayerLimits>,
    /// The engines that meet, by their numbers; at least one pairing.
    pub pairings: Vec<[usize; 2]>,
    /// The openings. Every pairing plays each twice, with colours exchanged; after the last, the first is used again.
    pub openings: Vec<Opening>,
    /// The number of games of each pairing, an even number: with an odd one the pairings do not play equally many.
    pub games: usize,
}

/// The players of all engines for one worker thread.
pub type Players = Vec<Box<dyn Player>>;

/// Returns the pairings of a round robin: each engine meets each other one.
///
/// ```
/// assert_eq!(alfil_matches::round_robin(3), [[0, 1], [0, 2], [1, 2]]);
/// ```
pub fn round_robin(engines: usize) -> Vec<[usize; 2]> {
    (0..engines).flat_map(|one| (one + 1..engines).map(move |two| [one, two])).collect()
}

/// Returns the pairings of a gauntlet: the first engine meets each other one.
///
/// ```
/// assert_eq!(alfil_matches::gauntlet(3), [[0, 1], [0, 2]]);
/// ```
pub fn gauntlet(engines: usize) -> Vec<[usize; 2]> {
    (1..engines).map(|other| [0, other]).collect()
}

impl EngineMatch {
    /// Returns the number of games of all pairings.
    pub fn game_count(&self) -> usize {
        self.games * self.pairings.len()
    }

    /// Returns the number of the pairing of a game. After two games with the same opening, the next pairing plays it.
    pub fn pairing(&self, number: usize) -> usize {
        number / 2 % self.pairings.len()
    }

    /// Returns the engines of a game, the one that moves first before the other.
    pub fn engines(&self, number: usize) -> [usize; 2] {
        let [one, two] = self.pairings[self.pairing(number)];
        if number.is_multiple_of(2) { [one, two] } else { [two, one] }
    }

    /// Returns the opening of a game.
    pub fn opening(&self, number: usize) -> &Opening {
        &self.openings[number / 2 / self.pairings.len() % self.openings.len()]
    }

    /// Plays all games that are not in `done`, `concurrency` games at a time, each worker with its own players. Every
    /// game is passed to `on_game` as soon as it is over, one at a time; if that fails or breaks the match off, no more
    /// games are started or passed.
    ///
    /// # Errors
    /// Returns an error if an engine cannot play, the error of `on_game`, or an error if games are missing because a
    /// worker has panicked.
    pub fn run(
        &self,
        done: &BTreeSet<usize>,
        concurrency: usize,
        new_players: &(dyn Fn() -> Result<Players, SessionError> + Sync),
        on_game: &mut (dyn FnMut(MatchGame) -> Result<ControlFlow<()>, SessionError> + Send),
    ) -> Result<(), SessionError> {
        let pending: Vec<_> = (0..self.game_count()).filter(|number| !done.contains(number)).collect();
        let next = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let report = Mutex::new(MatchReport { on_game, result: Ok(()), taken: 0 });
        let fail = |error| {
            is_over.store(true, Ordering::Relaxed);
            if let Ok(mut report) = report.lock()
                && report.result.is_ok()
            {
                report.result = Err(error);
            }
        };
        let work = || {
            let mut players = match new_players() {
                Ok(players) => players,
                Err(error) => return fail(error),
            };
            while !is_over.load(Ordering::Relaxed) {
                let Some(&number) = pending.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                match game::play_game(self, number, &mut players) {
                    Err(error) => return fail(error),
                    // No game is reported after the end of the match.
                    Ok(_) if is_over.load(Ordering::Relaxed) => break,
                    Ok(played) => {
                        // Another worker may have ended the match while this one waited for the lock, or panicked in
                        // `on_game`.
                        let Ok(mut report) = report.lock() else { break };
                        if is_over.load(Ordering::Relaxed) {
                            break;
                        }
                        let result = (report.on_game)(played);
                        match result {
                            Ok(flow) => {
                                report.taken += 1;
                                is_over.fetch_or(flow.is_break(), Ordering::Relaxed);
                            }
                            Err(error) => {
                                drop(report);
                                return fail(error);
                            }
                        }
                    }
                }
            }
        };
        let helpers = concurrency.clamp(1, pending.len().max(1)) - 1;
        run_threads(helpers, &mut || work(), &|_| work());
        let MatchReport { result, taken, .. } = report.into_inner().unwrap_or_else(PoisonError::into_inner);
        result?;
        let missing = pending.len() - taken;
        if missing > 0 && !is_over.into_inner() {
            let message = format!("a worker of the match has panicked; missing games: {missing}");
            return Err(SessionError::new(message));
        }
        Ok(())
    }
}

/// What the workers of a match share about its results: the caller's function, the first error and a count.
struct MatchReport<F> {
    on_game: F,
    /// The first error.
    result: Result<(), SessionError>,
    /// The number of games that `on_game` has taken.
    taken: usize,
}

/// Returns a number with its noun: `1 move`, `3 moves`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

//! Runs the search tasks of game sessions: threads, time management, and the dialogues of the engine protocols.

mod board_engine;
pub mod protocols;
mod search;
pub mod threads;
mod time_manager;

pub use board_engine::{BoardEngine, BoardEngineOptions};
pub use search::{
    EventSink, SearchEvent, SearchHandle, SearchObserver, perft, search_here, solve, start_search,
};
pub use time_manager::{SearchHost, now};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

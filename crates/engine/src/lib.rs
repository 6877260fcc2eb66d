//! Runs the search tasks of game sessions: threads, time management, and the dialogues of the engine protocols.

pub mod protocols;
mod search;
pub mod threads;
mod time_manager;

pub use search::{EventSink, SearchEvent, SearchHandle, perft, solve, start_search};
pub use time_manager::now;

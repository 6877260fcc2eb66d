//! Many games or positions at once: where they come from, and what is made of them.

pub mod conversion;
pub mod fault;
pub mod filter;
pub mod game_facts;
pub mod game_table;
pub mod source;

pub use fault::{Fault, FaultList};
pub use filter::Filter;
pub use game_facts::GameFacts;

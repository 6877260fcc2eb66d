//! Many games or positions at once: where they come from, and what is made of them.

pub mod fault;
pub mod filter;
pub mod game_facts;
pub mod source;

pub use fault::Fault;
pub use filter::Filter;
pub use game_facts::GameFacts;

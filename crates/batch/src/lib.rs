//! Many games or positions at once: where they come from, and what is made of them. [`run_file`] keeps what any long
//! run has done, so that it goes on after it was killed.

pub mod analysis;
mod analysis_folder;
pub mod checked_row;
pub mod chunk;
pub mod conformance;
pub mod conversion;
pub mod fault;
pub mod filter;
mod game_analysis;
pub mod game_facts;
pub mod game_table;
pub mod manifest;
pub mod merge;
#[cfg(feature = "nats")]
pub mod nats_queue;
pub mod packing;
mod parquet_table;
pub mod queue;
pub mod run_file;
pub mod run_identity;
pub mod source;
pub mod sqlite_queue;
pub mod table;
pub mod temporary_file;
pub mod worker_loop;

pub use fault::{Fault, FaultList};
pub use filter::Filter;
pub use game_facts::GameFacts;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

//! The WebAssembly module of Alfil's JavaScript package: boards, engine and records of the three games.
//!
//! JavaScript writes a request as JSON into a buffer of this module and calls `alfil_call`; the answer is JSON or bytes
//! in another buffer (`exports.rs`; `host.rs` has the calls in the other direction, and all unsafe blocks). Objects of
//! JavaScript hold the numbers of objects of `module.rs`. The sources of the package are in `js`; `cargo xtask wasm`
//! builds both.

mod answer;
#[cfg(feature = "boards")]
mod boards;
#[cfg(feature = "engine")]
mod engine_session;
#[cfg(feature = "engine")]
mod engines;
mod errors;
#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod exports;
mod games;
mod host;
mod module;
#[cfg(feature = "boards")]
mod object_table;
#[cfg(feature = "page")]
mod page;
#[cfg(feature = "page")]
mod page_search;
#[cfg(feature = "player")]
mod player;
#[cfg(feature = "records")]
mod records;
mod requests;

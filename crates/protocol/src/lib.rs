//! The engine protocols UCI, UCCI, CECP, NBoard and GTP as text: commands are parsed, replies are formatted.
//!
//! [`client`] is the side of a program that uses an engine: it writes the commands and parses the replies.
//!
//! This crate does no I/O, reads no clock and contains no rule of a game. A line that cannot be parsed gives
//! a [`ParseError`] that names what was expected and what was found; no line panics. What a command does is
//! decided by the protocol handlers of the engine.
//!
//! ```
//! use alfil_protocol::uci::{Command, parse_command};
//!
//! let Command::Go(go) = parse_command("go depth 12 wtime 60000").unwrap() else { unreachable!() };
//! assert_eq!((go.depth, go.time[0]), (Some(12), Some(60_000)));
//! let error = parse_command("position end").unwrap_err();
//! assert_eq!(error.to_string(), "expected startpos or fen, found \"end\"");
//! ```

pub mod client;
mod engine_option;
mod go_limits;
pub mod gtp;
pub mod nboard;
#[cfg(test)]
mod test_support;
pub mod tokens;
pub mod ucci;
pub mod uci;
pub mod xboard;

pub use engine_option::{EngineOption, OptionKind};
pub use go_limits::LimitIssue;
pub use tokens::ParseError;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

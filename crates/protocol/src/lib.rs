//! The protocols that engines and graphical boards speak: text in, commands out; replies in, text out.
//!
//! [`driver`] is the other end: of whoever uses an engine.
//!
//! The room knows no game, no clock and no stream. A line that cannot be read gives a [`Fault`] that says what was expected and
//! what stood there; nothing here panics, whatever the line. What the commands mean is `hall::dialogue`'s business. [`driver`] is
//! the other end: whoever uses an engine.
//!
//! ```
//! use alfil_protocol::uci::{Command, read};
//!
//! let Command::Go(go) = read("go depth 12 wtime 60000").unwrap() else { unreachable!() };
//! assert_eq!((go.depth, go.time[0]), (Some(12), Some(60_000)));
//! assert_eq!(read("go depth soon").unwrap_err().to_string(), "expected a whole number after depth, found \"soon\"");
//! ```

pub mod client;
pub mod gtp;
pub mod nboard;
pub mod tokens;
pub mod ucci;
pub mod uci;
pub mod xboard;

pub use tokens::{EngineOption, OptionKind, ParseError};

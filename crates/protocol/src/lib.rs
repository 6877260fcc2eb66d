//! The protocols that engines and their partners speak, as text in and text out. This room imports nothing: it knows no rule
//! of any game, no clock and no process.
//!
//! [`driver`] is the end of whoever uses an engine.

pub mod driver;

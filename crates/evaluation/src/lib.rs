//! Static evaluation of positions of each game, in centipawns (in Othello hundredths of a disc).
//!
//! Each game has one module, written over the `Board` trait of the game, so that it serves every board representation.

pub mod chess;
pub mod nets;
mod network_eval;
pub mod network_inputs;
pub mod othello;
pub mod tapered_score;
pub mod tuning;
pub mod xiangqi;

pub use alfil_nnue::{Network, NetworkError};
pub use network_eval::NetworkEval;
pub use tapered_score::TaperedScore;
pub use tuning::{EvalTrace, Tunable, Weights};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

//! Static evaluation: what a position of each game is worth without search, in centipawns (hundredths of a disc in Othello).
//!
//! One module a game, written over the game's `Board` trait, so that it serves every board representation.

pub mod chess;
pub mod othello;
pub mod xiangqi;

//! The games: a folder for each holds everything the program needs of it beside its rules.

pub mod chess;
pub mod othello;
pub mod xiangqi;

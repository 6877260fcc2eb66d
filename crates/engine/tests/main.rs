//! The integration tests of the engine, in one program, because each would compile the search of every game anew.

mod answers;
mod chess;
mod clients;
mod common;
mod go_words;
mod protocols;
mod search;
mod solve;
mod stress;

//! The integration tests of the rules of chess, in one program, which compiles the boards once.

mod common;
mod conform;
mod fast_perft;
mod perft;
mod reference;
mod serde;
mod texts;

//! The integration tests of the rules of xiangqi, in one program, which compiles the boards once.

mod articles;
mod common;
mod conform;
mod fast_perft;
mod figures;
mod folded;
mod masks;
mod metamorphic;
mod notation;
mod perft;
mod refusals;
mod repetitions;
mod rounds;
mod rules;
mod serde;
mod traps;

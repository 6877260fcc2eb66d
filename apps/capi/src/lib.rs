//! The C library of Alfil: boards, engine and records of the three games behind `include/alfil.h`.
//!
//! The functions that C calls are in the modules `library`, `board`, `moves`, `position`, `setup`, `engine`, `analysis`
//! and `records`; cbindgen writes the header from them. A call runs in `status::guard`, which turns errors and panics
//! into a status. Everything that C holds is in the table of `handles.rs`, so that a pointer is looked up before it is
//! followed.
//!
//! Unsafe blocks are in `memory.rs` alone. A pointer that is followed comes as a type of that module whose values only
//! C can make; a handle is only looked up in the table. The attribute `no_mangle` counts as unsafe code, too, so that
//! the modules of functions allow it; the test `unsafe_blocks_are_in_one_file` checks that there is nothing else.

mod arena;
mod handles;
mod memory;
mod results;
mod status;

// In the order in which the header has them.
#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod library;

#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod moves;

#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod board;

#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod position;

#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod setup;

#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod engine;

#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod analysis;

#[allow(unsafe_code, reason = "the attribute no_mangle")]
pub mod records;

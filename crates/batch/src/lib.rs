//! Many games or positions at once: where they come from, and what is made of them.

pub mod fault;
pub mod source;

pub use fault::Fault;

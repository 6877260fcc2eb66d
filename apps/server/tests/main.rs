//! The integration tests of the server, in one program, which is linked once.

mod common;
mod edits;
mod games;
mod library;
mod looks;
#[cfg(unix)]
mod lost_file;
mod playing;
mod socket;
mod windows;

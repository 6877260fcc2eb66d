//! The integration tests of the server, in one program, which is linked once.

mod access;
mod common;
mod connections;
mod edits;
mod games;
mod library;
#[cfg(target_os = "linux")]
mod load;
mod looks;
#[cfg(unix)]
mod lost_file;
mod playing;
mod socket;
mod windows;

//! The examples of the documents of the workspace, compiled and run as doc tests.

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeExamples;

/// The examples of the page for users of Rust.
#[cfg(doctest)]
#[doc = include_str!("../../docs/libraries/rust.md")]
struct RustExamples;

/// The examples of the page for users of other libraries.
#[cfg(doctest)]
#[doc = include_str!("../../docs/libraries/coming-from.md")]
struct ComingFromExamples;

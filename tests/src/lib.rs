//! The examples of the documents of the workspace, compiled and run as doc tests.

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeExamples;

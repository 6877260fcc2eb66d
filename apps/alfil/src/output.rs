//! Standard output and standard error.

use std::io::{self, Write};

/// Prints a line and flushes it.
pub(crate) fn print_line(text: impl std::fmt::Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Prints a line on standard error. If that is closed, the command goes on.
pub(crate) fn print_error_line(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

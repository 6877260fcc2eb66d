//! Standard output.

use std::io::{self, Write};

/// Prints a line and flushes it.
pub(crate) fn print_line(text: impl std::fmt::Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

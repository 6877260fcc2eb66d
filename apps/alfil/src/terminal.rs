//! Properties of the terminal.

use std::io::{IsTerminal, stderr};

/// Returns whether the terminal can move its cursor. `TERM=dumb` names one that cannot.
pub(crate) fn can_move_cursor() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Returns whether stderr is a terminal.
pub(crate) fn is_stderr_terminal() -> bool {
    stderr().is_terminal()
}

/// Returns whether a progress bar can be drawn on stderr.
pub(crate) fn shows_progress() -> bool {
    is_stderr_terminal() && can_move_cursor()
}

//! Properties of the terminal that the environment states.

use std::io::{IsTerminal, stderr};

/// Returns whether the terminal can move its cursor. `TERM=dumb` names one that cannot.
pub(crate) fn can_move_cursor() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Returns whether a progress bar can be drawn on stderr.
pub(crate) fn shows_progress() -> bool {
    stderr().is_terminal() && can_move_cursor()
}

//! Whose turn it is, as the page gets it.

use alfil_session::played_game::{NextAction, WaitReason};
use serde::Serialize;

/// What happens next at the shown position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TurnAction {
    /// A person moves.
    Person,
    /// The computer moves. In a game of the computer against itself the page lets it begin by `continue`.
    Computer,
    /// A pass without a choice: the page shows it for a moment and lets it be played by `continue`.
    Pass,
    /// No move is expected.
    Wait,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TurnDto {
    /// What happens next at the shown position.
    pub next: TurnAction,
    /// Why no move is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<super::values::WaitReason>", optional))]
    pub reason: Option<&'static str>,
    /// Whether this session searches the computer's reply, perhaps to another position than the shown one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replying: bool,
    /// Whether another window searches the computer's reply.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elsewhere: bool,
}

impl TurnDto {
    /// Creates the turn of the next action of a game.
    pub(crate) fn new(action: &NextAction, replying: bool, elsewhere: bool) -> TurnDto {
        let (next, reason) = match action {
            NextAction::PersonMoves { .. } => (TurnAction::Person, None),
            NextAction::ComputerMoves { .. } => (TurnAction::Computer, None),
            NextAction::ForcedPass { .. } => (TurnAction::Pass, None),
            NextAction::Wait(reason) => (TurnAction::Wait, Some(WaitReason::name(*reason))),
        };
        TurnDto { next, reason, replying, elsewhere }
    }
}

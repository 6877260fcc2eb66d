//! Whose turn it is: the only place that decides who moves next, and why no move comes by itself.

use alfil_kernel::Side;

use super::{Computer, PlayedGame, Player};
use crate::game_session::Target;

/// What happens next at the shown position of a game. An app has an answer for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextAction {
    /// A person plays a move.
    PersonMoves {
        /// The side of the person.
        side: Side,
    },
    /// The computer searches a move and plays it.
    ComputerMoves {
        /// The side of the computer.
        side: Side,
        /// The level and the engine.
        computer: Computer,
    },
    /// The only legal move is a pass: it is played without a question.
    ForcedPass {
        /// The side that passes.
        side: Side,
        /// The pass.
        pass: Target,
    },
    /// No move is expected.
    Wait(WaitReason),
}

/// The reason why no move is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WaitReason {
    /// The game is over by the rules.
    GameOver,
    /// A side has resigned.
    Resigned,
    /// A side has run out of time.
    FlagFell,
    /// No side is played: the position is analysed.
    Analysis,
    /// The game is paused, and the computer is to move.
    Paused,
    /// An earlier position than the end of its line is shown, in which the computer would be to move, or a side would
    /// have to pass.
    EarlierPosition,
    /// The search for the computer's move has failed: a person lets the game go on.
    ReplyFailed,
    /// The search for the computer's move was stopped: a person lets the game go on.
    ReplyStopped,
}

impl WaitReason {
    /// All reasons.
    pub const ALL: [WaitReason; 8] = [
        WaitReason::GameOver,
        WaitReason::Resigned,
        WaitReason::FlagFell,
        WaitReason::Analysis,
        WaitReason::Paused,
        WaitReason::EarlierPosition,
        WaitReason::ReplyFailed,
        WaitReason::ReplyStopped,
    ];

    /// Returns the name in data.
    pub const fn name(self) -> &'static str {
        match self {
            WaitReason::GameOver => "game_over",
            WaitReason::Resigned => "resigned",
            WaitReason::FlagFell => "flag_fell",
            WaitReason::Analysis => "analysis",
            WaitReason::Paused => "paused",
            WaitReason::EarlierPosition => "earlier_position",
            WaitReason::ReplyFailed => "reply_failed",
            WaitReason::ReplyStopped => "reply_stopped",
        }
    }
}

/// Why a reply of the computer did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MissingReply {
    /// The search has failed.
    Failed,
    /// The search was stopped.
    Stopped,
}

impl From<MissingReply> for WaitReason {
    fn from(missing: MissingReply) -> WaitReason {
        match missing {
            MissingReply::Failed => WaitReason::ReplyFailed,
            MissingReply::Stopped => WaitReason::ReplyStopped,
        }
    }
}

impl PlayedGame {
    /// Returns what happens next at the shown position.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_kernel::{Side, Waivers};
    /// use alfil_session::played_game::{Computer, GameRecord, NextAction, Player, PlayedGame};
    ///
    /// let players = Player::against_computer(Side::First, Computer::new(5));
    /// let record = GameRecord { players, ..GameRecord::new("chess") };
    /// let mut game = PlayedGame::open(record, &Waivers::None).unwrap();
    /// assert_eq!(game.next_action(), NextAction::PersonMoves { side: Side::First });
    /// game.play("e2e4", None, Duration::ZERO).unwrap();
    /// let computer = Computer::new(5);
    /// assert_eq!(game.next_action(), NextAction::ComputerMoves { side: Side::Second, computer });
    /// ```
    pub fn next_action(&self) -> NextAction {
        if let Some(reason) = self.end_reason() {
            return NextAction::Wait(reason);
        }
        let action = self.action_of_players();
        match action {
            NextAction::ComputerMoves { .. } | NextAction::ForcedPass { .. }
                if self.tree().children(self.current_node).next().is_some() =>
            {
                NextAction::Wait(WaitReason::EarlierPosition)
            }
            NextAction::ComputerMoves { .. } if self.record.paused => NextAction::Wait(WaitReason::Paused),
            NextAction::ComputerMoves { .. } => match self.missing_reply {
                Some((node, missing)) if node == self.current_node => NextAction::Wait(missing.into()),
                _ => action,
            },
            _ => action,
        }
    }

    /// Returns whether a person may play a move at the shown position: on the own turn, in analysis, and for both sides
    /// in a paused game of the computer against itself.
    pub fn may_person_move(&self) -> bool {
        let is_for_person = match self.record.player(self.session.view().side_to_move) {
            None | Some(Player::Person) => true,
            Some(Player::Computer(_)) => self.record.paused && self.record.computers().is_some(),
        };
        is_for_person && !self.is_over()
    }

    /// Returns why the game is over at the shown position.
    fn end_reason(&self) -> Option<WaitReason> {
        if self.resigned().is_some() {
            Some(WaitReason::Resigned)
        } else if self.session.game_end().is_some() {
            Some(WaitReason::GameOver)
        } else {
            self.flagged().map(|_| WaitReason::FlagFell)
        }
    }

    /// Returns who moves at the shown position by the players and the rules alone: whatever ended the game, or lets it
    /// wait.
    pub(super) fn action_of_players(&self) -> NextAction {
        let side = self.session.view().side_to_move;
        if let Some(Player::Computer(computer)) = self.record.player(side) {
            return NextAction::ComputerMoves { side, computer: computer.clone() };
        }
        match self.forced_pass() {
            Some(pass) => NextAction::ForcedPass { side, pass },
            None if self.record.players.is_none() => NextAction::Wait(WaitReason::Analysis),
            None => NextAction::PersonMoves { side },
        }
    }

    /// Returns whether the computer, which plays against a person, would move at the shown position. In a game of the
    /// computer against itself moves are undone one by one, as in an analysis.
    pub(super) fn is_computer_to_move(&self) -> bool {
        self.is_played() && matches!(self.action_of_players(), NextAction::ComputerMoves { .. })
    }

    /// Returns the pass of the side to move, if it is the only legal move.
    pub(super) fn forced_pass(&self) -> Option<Target> {
        let mut targets = self.session.targets(None);
        (targets.len() == 1 && targets[0].to.is_none()).then(|| targets.remove(0))
    }

    /// Notes that the computer's move after a node did not come: the game waits until [`PlayedGame::continue_play`], or
    /// until it is changed.
    pub fn on_missing_reply(&mut self, node: usize, missing: MissingReply) {
        self.missing_reply = Some((node, missing));
    }

    /// Lets the game go on after a reply that failed or was stopped.
    pub fn continue_play(&mut self) {
        self.missing_reply = None;
    }

    /// Pauses the computer's moves, or lets them come again. A move that is being searched is not affected.
    pub fn set_paused(&mut self, is_paused: bool) {
        self.record.paused = is_paused;
        self.continue_play();
    }
}

#[cfg(test)]
mod tests;

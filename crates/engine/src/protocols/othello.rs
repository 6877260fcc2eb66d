//! Passes that a GUI leaves out, and the score of a finished game, for NBoard and GTP.

use alfil_kernel::{Outcome, Side};
use alfil_session::{PositionView, SessionError};

use super::engine::Engine;

/// Plays a pass if it is not the turn of `mover`: some GUIs leave passes out. Returns whether a pass was played.
///
/// # Errors
/// Returns an error if the pass is not legal.
pub(crate) fn pass_unless_turn_of(mover: Side, engine: &mut Engine) -> Result<bool, SessionError> {
    let is_other_turn = engine.session.view().side_to_move != mover;
    if is_other_turn {
        engine.play("pass".into())?;
    }
    Ok(is_other_turn)
}

/// Returns Black's margin in discs at the end of a game; `None` if the game goes on.
pub(crate) fn final_margin(view: &PositionView) -> Option<i32> {
    let end = view.game_end.as_ref()?;
    Some(if end.outcome == Outcome::Win(Side::Second) { -end.margin } else { end.margin })
}

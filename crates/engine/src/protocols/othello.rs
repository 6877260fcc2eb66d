//! What NBoard and GTP share: passes that are left out, and the score of a finished game.

use alfil_kernel::Side;
use alfil_session::{PositionView, SessionError};

use super::engine::Engine;

/// Plays a pass if it is the other side's turn: some GUIs leave passes out. Returns whether a pass was played.
///
/// # Errors
/// Returns an error if the pass is not legal.
pub(crate) fn ensure_turn(mover: Side, engine: &mut Engine) -> Result<bool, SessionError> {
    let is_other_turn = engine.session.view().side_to_move != mover;
    if is_other_turn {
        engine.play("pass".into())?;
    }
    Ok(is_other_turn)
}

/// Returns Black's margin in discs at the end of a game, empty squares for the winner; `None` if the game goes on.
pub(crate) fn final_margin(view: &PositionView) -> Option<i32> {
    let [black, white] = view.piece_counts.filter(|_| view.game_end.is_some())?.map(|count| count as i32);
    let margin = black - white;
    Some(margin + (64 - black - white) * margin.signum())
}

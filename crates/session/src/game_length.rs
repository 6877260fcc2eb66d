//! The length and the final score of a game as its players count them.

use crate::game_info::LengthUnit;
use crate::played_game::{GameRecord, ROOT};
use crate::registry;

/// Returns the final score of a game that is won by counting pieces, such as 40 to 24 discs, given the pieces of its
/// last position as in a position text. `None` in other games, and if the game goes on in this position.
///
/// ```
/// use alfil_session::game_length::final_score;
///
/// let full = format!("{}{}", "X".repeat(40), "O".repeat(24));
/// assert_eq!(final_score("othello", &full), Some([40, 24]));
/// assert_eq!(final_score("othello", "---------------------------OX------XO---------------------------"), None);
/// assert_eq!(final_score("chess", "8/8/8/8/8/8/8/8"), None);
/// ```
pub fn final_score(game: &str, placement: &str) -> Option<[usize; 2]> {
    registry::info(game).ok()?.final_score?(placement)
}

impl GameRecord {
    /// Returns the number of moves of the main line, those of both sides; passes are not counted.
    ///
    /// ```
    /// use alfil_session::played_game::{GameRecord, ROOT};
    ///
    /// let mut record = GameRecord::new("othello");
    /// let first = record.tree.add_move(ROOT, "d3");
    /// record.tree.add_move(first, "pass");
    /// assert_eq!(record.main_line_plies(), 1);
    /// ```
    pub fn main_line_plies(&self) -> usize {
        let path = self.tree.path(self.tree.line_end(ROOT));
        let unit = registry::info(&self.game).map_or(LengthUnit::FullMoves, |info| info.length_unit);
        path.into_iter().filter(|&node| !unit.is_pass(self.tree.move_text(node))).count()
    }

    /// Returns the final score of the main line, as [`final_score`]; `None` if a move cannot be played.
    pub fn final_score(&self) -> Option<[usize; 2]> {
        let score = registry::info(&self.game).ok()?.final_score?;
        let mut session = registry::open(&self.game, None).ok()?;
        session.open(&self.start, &alfil_kernel::Waivers::All).ok()?;
        for node in self.tree.path(self.tree.line_end(ROOT)) {
            session.replay(&self.tree.node(node)?.text, None).ok()?;
        }
        score(session.view().fen.split(' ').next()?)
    }
}

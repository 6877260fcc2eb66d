//! Why a move lost: only what is proved by the search, the solver, the rules or the static exchange evaluation.

use alfil_kernel::{Outcome, Side};

use super::PlayedGame;
use super::edited_tree::NodeReview;
use super::main_line_review::open_start;
use crate::game_session::GameSession;
use crate::review::mate_moves;

/// The reason why a move lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LossReason {
    /// The opponent has a mate in so many moves.
    AllowsMate(u32),
    /// The side had a mate in so many moves, and has none after the move.
    MissesMate(u32),
    /// The ending is solved: its score before and after the move from the view of the side, in pieces.
    Solved {
        /// The score before the move.
        before: i32,
        /// The score after the move.
        after: i32,
    },
    /// The rules end the game with this move, and its side loses, as by a forbidden repetition: the verdict in English
    /// and in Chinese.
    LosesByRule {
        /// The verdict in English.
        message: String,
        /// The verdict in Chinese.
        message_zh: String,
    },
    /// The best reply wins a piece that the move left hanging: the reply in the chosen dialect.
    HangsPiece {
        /// The reply.
        reply: String,
    },
}

/// How much more than the move itself captured the reply must win, in centipawns.
const MIN_HANGING_CP: i32 = 150;

impl PlayedGame {
    /// Returns the reason why the move of a node lost, from the reviews before and after it; `None` if none is proved.
    pub(super) fn loss_reason(
        &self,
        side: Side,
        before: &NodeReview,
        node: usize,
        after: &NodeReview,
    ) -> Option<LossReason> {
        let sign = if side == Side::First { 1 } else { -1 };
        if before.score.is_exact && after.score.is_exact {
            let [before, after] = [before, after].map(|review| sign * review.score.value / 100);
            return Some(LossReason::Solved { before, after });
        }
        let (mut session, tree) = (open_start(self.record()).ok()?, self.tree());
        let path = tree.path(node);
        let (last, line) = path.split_last()?;
        for &node in line {
            session.replay(tree.move_text(node), None).ok()?;
        }
        let material = |session: &dyn GameSession| side_material(session, !side);
        let before_move = material(session.as_ref());
        session.replay(tree.move_text(*last), None).ok()?;
        if let Some(end) = session.game_end().filter(|end| end.outcome == Outcome::Win(!side)) {
            return Some(LossReason::LosesByRule { message: end.message, message_zh: end.message_zh });
        }
        let own_mate = |review: &NodeReview| review.score.mate.map(|plies| sign * mate_moves(plies));
        match (own_mate(before), own_mate(after)) {
            (known, Some(moves)) if moves < 0 && known.is_none_or(|known| known > 0) => {
                return Some(LossReason::AllowsMate(moves.unsigned_abs()));
            }
            (Some(moves), mate) if moves > 0 && mate.is_none_or(|mate| mate < 0) => {
                return Some(LossReason::MissesMate(moves.unsigned_abs()));
            }
            _ => {}
        }
        let captured = before_move - material(session.as_ref());
        let reply = after.best.as_deref()?;
        session.wins_exchange(reply, captured + MIN_HANGING_CP).then(|| LossReason::HangsPiece {
            reply: session
                .format_move(reply, self.record().dialect.as_deref())
                .unwrap_or_else(|_| reply.to_owned()),
        })
    }
}

/// Returns the value of the pieces of a side, in hundredths of the least valuable piece.
fn side_material(session: &dyn GameSession, side: Side) -> i32 {
    let values = session.info().piece_values;
    let is_own = |letter: char| letter.is_ascii_uppercase() == (side == Side::First);
    let value = |letter: char| values.iter().find(|(piece, _)| *piece == letter.to_ascii_uppercase());
    let pieces = session.view().pieces.into_iter().map(|(_, letter)| letter).filter(|&letter| is_own(letter));
    pieces.filter_map(value).map(|(_, value)| value).sum()
}

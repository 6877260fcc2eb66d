//! The inspection commands of UCI: the position as a board, its evaluation, and perft.

use std::time::{Duration, Instant};

use alfil_session::render::{PieceStyle, render_text};
use alfil_session::tactical_marks::MarkKind;
use alfil_session::{GameSession, PerftRequest, SessionError};

use super::engine::{Engine, InputState};

/// Returns the board, the position text, the hash key and the squares of the pieces that give check.
pub(crate) fn position_lines(session: &dyn GameSession) -> Vec<String> {
    let view = session.view();
    let mut checkers: Vec<_> = session
        .tactical_marks()
        .into_iter()
        .filter(|mark| mark.kind == MarkKind::Attack && mark.squares.last() == view.checked_king.as_ref())
        .filter_map(|mark| mark.squares.into_iter().next())
        .collect();
    checkers.sort();
    let mut lines: Vec<_> = vec![String::new()];
    let board = render_text(session.appearance(), &view, PieceStyle::Ascii);
    lines.extend(board.lines().map(str::to_owned));
    lines.extend([
        String::new(),
        format!("Fen: {}", view.fen),
        format!("Key: {:016X}", view.hash_key),
        format!("Checkers: {}", checkers.join(" ")).trim_end().to_owned(),
    ]);
    lines
}

/// The length of the move paths that are counted at once, before the input is polled again.
const PERFT_STEP_PLIES: u32 = 4;
/// The time that a count may go on after the input has ended.
const TIME_AFTER_END: Duration = Duration::from_secs(60);

/// A running count of move paths, which the client can stop.
pub(crate) struct PerftCount<'a> {
    engine: &'a mut Engine,
    /// When the input was first found to have ended.
    ended: Option<Instant>,
}

impl<'a> PerftCount<'a> {
    pub(crate) fn new(engine: &'a mut Engine) -> Self {
        PerftCount { engine, ended: None }
    }

    /// Returns the engine, to send lines between two counts.
    pub(crate) fn engine(&mut self) -> &mut Engine {
        self.engine
    }

    /// Returns the legal moves in the default dialect.
    ///
    /// # Errors
    /// Returns an error if the session has no default dialect.
    pub(crate) fn moves(&self) -> Result<Vec<String>, SessionError> {
        self.engine.session.legal_moves(None)
    }

    /// Counts the move paths of `depth` plies that begin with a legal move. `None` means that the client stopped the
    /// count.
    ///
    /// # Errors
    /// Returns an error if the session cannot play one of its own moves.
    pub(crate) fn count_after(&mut self, mv: &str, depth: u32) -> Result<Option<u128>, SessionError> {
        self.engine.session.play(mv, None)?;
        let count = self.count(depth - 1);
        self.engine.session.undo();
        count
    }

    fn count(&mut self, depth: u32) -> Result<Option<u128>, SessionError> {
        if self.is_stopped() {
            return Ok(None);
        }
        let moves = self.engine.session.legal_moves(None)?;
        if depth <= PERFT_STEP_PLIES || moves.is_empty() {
            let request = PerftRequest { depth, ..PerftRequest::default() };
            return crate::perft(self.engine.session.as_ref(), &request, &|_, _| ()).map(Some);
        }
        let mut sum = 0;
        for mv in &moves {
            let Some(count) = self.count_after(mv, depth)? else { return Ok(None) };
            sum += count;
        }
        Ok(Some(sum))
    }

    /// Returns whether the client has sent `stop` or `quit`, or its input ended long ago. Other lines wait until the
    /// count is finished.
    fn is_stopped(&mut self) -> bool {
        if self.engine.take_stop() {
            return true;
        }
        match self.engine.queued_end() {
            InputState::Open => false,
            InputState::Ended => self.ended.get_or_insert_with(Instant::now).elapsed() > TIME_AFTER_END,
            InputState::Quit => true,
        }
    }
}

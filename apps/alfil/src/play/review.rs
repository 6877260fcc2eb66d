//! Game review: evaluates every position of a game and finds the moves with the largest losses.

use std::sync::mpsc::{Receiver, channel};

use alfil_engine::{SearchEvent, SearchHandle};
use alfil_kernel::Side;
use alfil_session::played_game::{MainLineReview, NodeScore, PlayedGame};
use alfil_session::review::{DECIDED_CP, REVIEW_NODES, mate_moves, move_loss_cp};
use alfil_session::{GameSession, SessionError};

/// The smallest loss that is listed, in centipawns.
const MIN_LISTED_LOSS: i32 = 60;
/// The number of losses that are listed.
const MAX_LISTED_LOSSES: usize = 6;

/// The value of a position from the first side's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PositionValue {
    /// The score in centipawns (hundredths of a disc in Othello).
    pub(crate) score: i32,
    /// The plies to a forced end: positive if the first side wins.
    pub(crate) mate: Option<i32>,
    /// Whether it is the solved score of the end of the game.
    is_exact: bool,
    /// The best move in the default dialect, and in each of the game's dialects.
    best_move: Option<(String, Vec<String>)>,
}

impl PositionValue {
    /// Formats the value: `+0.24`, `-#3`, `1-0`.
    pub(crate) fn to_text(&self) -> String {
        match self.mate {
            Some(plies) => format_mate(plies, self.score),
            None if self.score == DECIDED_CP => "1-0".into(),
            None if self.score == -DECIDED_CP => "0-1".into(),
            None if self.is_exact => format_exact(self.score),
            None => format_hundredths(self.score),
        }
    }

    /// Returns the fraction of the graph's height that the first side gets, from 0 to 1.
    pub(crate) fn first_side_fraction(&self) -> f64 {
        match self.mate {
            Some(_) if self.score > 0 => 1.0,
            Some(_) => 0.0,
            None => 0.5 + 0.5 * (f64::from(self.score) / 500.0).tanh(),
        }
    }
}

/// Formats a score of hundredths with its sign; zero has no sign.
pub(crate) fn format_hundredths(score: i32) -> String {
    if score == 0 { "0.00".into() } else { format!("{:+.2}", f64::from(score) / 100.0) }
}

/// Formats a solved score, which is a number of whole discs, with its sign.
pub(crate) fn format_exact(score: i32) -> String {
    if score == 0 { "0".into() } else { format!("{:+}", score / 100) }
}

/// Formats a forced end in moves: `#3`, `-#3`.
pub(crate) fn format_mate(plies: i32, score: i32) -> String {
    format!("{}#{}", if score < 0 { "-" } else { "" }, mate_moves(plies).abs())
}

/// A move that lost score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveLoss {
    /// The ply of the move, counted from 0, which is also the number of the position before it.
    pub(crate) ply: usize,
    /// The loss in centipawns.
    pub(crate) loss: i32,
}

/// A review of a game, with sessions of its own.
pub(crate) struct GameReview {
    /// The position that is searched.
    review: MainLineReview,
    /// The session with the position on the screen.
    pub(crate) shown_session: Box<dyn GameSession>,
    /// The moves in the default dialect.
    moves: Vec<String>,
    /// The values found so far: before each move, and after the last one.
    pub(crate) values: Vec<PositionValue>,
    /// The side that made the first move.
    first_mover: Side,
    search: Option<(SearchHandle, Receiver<SearchEvent>)>,
}

impl Drop for GameReview {
    fn drop(&mut self) {
        if let Some((handle, _)) = &self.search {
            handle.stop();
        }
    }
}

impl GameReview {
    /// Creates a review of a game, which shows the current position. Each position is searched with the fixed number of
    /// nodes of a review on the page, so that both say the same.
    ///
    /// # Errors
    /// If the game cannot be replayed.
    pub(crate) fn new(game: &PlayedGame) -> Result<GameReview, SessionError> {
        let (review, shown_session) = (game.review(REVIEW_NODES)?, game.open_copy()?);
        Ok(GameReview {
            values: Vec::with_capacity(review.remaining_positions()),
            review,
            moves: shown_session.played_moves(None)?,
            shown_session,
            first_mover: game.first_move().0,
            search: None,
        })
    }

    /// Returns the number of moves.
    pub(crate) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Returns the ply of the position on the screen.
    pub(crate) fn shown_ply(&self) -> usize {
        self.shown_session.view().ply
    }

    /// Shows another position.
    pub(crate) fn go_to_ply(&mut self, ply: usize) {
        let ply = ply.min(self.plies());
        while self.shown_ply() > ply {
            self.shown_session.undo();
        }
        while self.shown_ply() < ply {
            // These moves were legal when they were played.
            if self.shown_session.replay(&self.moves[self.shown_ply()], None).is_err() {
                return;
            }
        }
    }

    /// Returns whether all positions are evaluated.
    pub(crate) fn is_done(&self) -> bool {
        self.values.len() > self.plies()
    }

    /// Continues the evaluation without waiting; returns whether anything changed.
    ///
    /// # Errors
    /// If a search cannot be started, or fails.
    pub(crate) fn poll(&mut self) -> Result<bool, SessionError> {
        if self.is_done() {
            return Ok(false);
        }
        let Some((_, events)) = &self.search else { return self.start_next_search().map(|()| true) };
        let before = self.values.len();
        for event in events.try_iter().collect::<Vec<_>>() {
            self.on_search_event(event)?;
        }
        Ok(self.values.len() > before)
    }

    /// Waits until all positions are evaluated.
    ///
    /// # Errors
    /// If a search cannot be started, or fails.
    pub(crate) fn finish(&mut self) -> Result<(), SessionError> {
        while !self.is_done() {
            let Some((_, events)) = &self.search else {
                self.start_next_search()?;
                continue;
            };
            // Every search ends with this event.
            let event = events.recv().unwrap_or(SearchEvent::BestMove(None));
            self.on_search_event(event)?;
        }
        Ok(())
    }

    /// Starts to search the next position; if the game is over there, its value follows from the result.
    fn start_next_search(&mut self) -> Result<(), SessionError> {
        let session = self.review.session();
        if session.game_end().is_some() {
            self.store_value(None);
            return Ok(());
        }
        let (sender, events) = channel();
        let handle = alfil_engine::start_search(
            session,
            &self.review.search_limits(),
            Box::new(move |event| drop(sender.send(event))),
        )?;
        self.search = Some((handle, events));
        Ok(())
    }

    /// Handles a search event; the last event of a search completes the value.
    fn on_search_event(&mut self, event: SearchEvent) -> Result<(), SessionError> {
        match event {
            SearchEvent::Info { report, .. } => self.review.set_score(&report),
            // The next poll starts the second search.
            SearchEvent::BestMove(best) if self.review.needs_second_search(best.as_deref()) => {
                self.search = None;
            }
            SearchEvent::BestMove(best) => self.store_value(best),
            // Without its score the position has no value.
            SearchEvent::Failed(text) => return Err(SessionError::new(text)),
        }
        Ok(())
    }

    /// Formats a move of the searched position in all dialects.
    fn format_in_all_dialects(&self, text: String) -> (String, Vec<String>) {
        let session = self.review.session();
        let format_move =
            |dialect| session.format_move(&text, Some(dialect)).unwrap_or_else(|_| text.clone());
        let all = session.dialects().into_iter().map(format_move).collect();
        (text, all)
    }

    /// Stores the value of the searched position and moves on to the next one.
    fn store_value(&mut self, best: Option<String>) {
        self.search = None;
        let review = self.review.finish_position(best, None).review;
        let known = review.as_ref().map(|review| review.score);
        let NodeScore { value: score, mate, is_exact } = known.unwrap_or_default();
        let best_move = review.and_then(|review| review.best).map(|text| self.format_in_all_dialects(text));
        self.values.push(PositionValue { score, mate, is_exact, best_move });
        // The move was legal when it was played.
        let _ = self.review.advance();
    }

    /// Returns the best move of a position in a dialect.
    pub(crate) fn best_move(&self, ply: usize, dialect: &str) -> Option<&str> {
        let (_, all) = self.values.get(ply)?.best_move.as_ref()?;
        let index = self.shown_session.dialects().iter().position(|&name| name == dialect)?;
        all.get(index).map(String::as_str)
    }

    /// Returns the squares of the best move of the shown position.
    pub(crate) fn best_move_squares(&self) -> Vec<String> {
        let best = self.values.get(self.shown_ply()).and_then(|value| value.best_move.as_ref());
        let Some((best, _)) = best else { return Vec::new() };
        let targets = self.shown_session.targets(None);
        let best_target = targets.into_iter().find(|target| target.text == *best);
        best_target.map_or(Vec::new(), |target| target.from.into_iter().chain(target.to).collect())
    }

    /// Returns the largest losses in descending order, each from the view of the side that moved.
    pub(crate) fn largest_losses(&self) -> Vec<MoveLoss> {
        let value = |value: &PositionValue, sign: i32| (sign * value.score, value.mate);
        let first_sign = if self.first_mover == Side::First { 1 } else { -1 };
        let pairs = self.values.windows(2).zip(&self.moves).enumerate();
        let loss = |(ply, (pair, played)): (usize, (&[PositionValue], &String))| {
            let (best, _) = pair[0].best_move.as_ref()?;
            let mover_sign = if ply % 2 == 0 { first_sign } else { -first_sign };
            let loss = move_loss_cp(value(&pair[0], mover_sign), value(&pair[1], mover_sign));
            (best != played && loss >= MIN_LISTED_LOSS).then_some(MoveLoss { ply, loss })
        };
        let mut losses: Vec<_> = pairs.filter_map(loss).collect();
        losses.sort_by_key(|loss| (-loss.loss, loss.ply));
        losses.truncate(MAX_LISTED_LOSSES);
        losses
    }
}

/// Renders the values as rows of a graph, in which the first side fills the columns from below. The last row marks the
/// shown position (`^`) and the largest losses (`x`).
pub(crate) fn render_graph(review: &GameReview, width: usize, height: usize, ascii: bool) -> Vec<String> {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (width, positions) = (width.saturating_sub(2).max(1), review.plies() + 1);
    // A position spans several columns, or a column several positions.
    let position = |column: usize| column * positions / width;
    let column = |position: usize| (position * width).div_ceil(positions).min(width - 1);
    let mut rows = Vec::with_capacity(height + 1);
    for row in 0..height {
        let below = 8.0 * (height - 1 - row) as f64;
        let label = match row {
            0 => '+',
            _ if row == height / 2 => '0',
            _ if row + 1 == height => '-',
            _ => ' ',
        };
        let cell = |at: usize| {
            let Some(value) = review.values.get(position(at)) else { return ' ' };
            let filled =
                (value.first_side_fraction() * 8.0 * height as f64 - below).clamp(0.0, 8.0).round() as usize;
            match ascii {
                true if filled >= 4 => '#',
                true => ' ',
                false => EIGHTHS[filled],
            }
        };
        rows.push(format!("{label} {}", (0..width).map(cell).collect::<String>()));
    }
    let mut mark_row = vec![' '; width];
    for loss in review.largest_losses() {
        mark_row[column(loss.ply + 1)] = 'x';
    }
    mark_row[column(review.shown_ply())] = '^';
    rows.push(format!("  {}", mark_row.into_iter().collect::<String>()));
    rows
}

/// Returns the ply of the position at a column of the graph.
pub(crate) fn ply_at_column(review: &GameReview, column: usize, width: usize) -> Option<usize> {
    let width = width.saturating_sub(2).max(1);
    let column = column.checked_sub(2).filter(|&column| column < width)?;
    Some(column * (review.plies() + 1) / width)
}

#[cfg(test)]
mod tests {
    use alfil_session::registry;

    use super::super::terminal_game::{GameOptions, TerminalGame};
    use super::*;

    #[test]
    fn a_review_whose_search_fails_ends_with_the_reason() {
        let session = registry::open("chess", None).unwrap();
        let mut game = TerminalGame::new(session, GameOptions::default_for_tests()).unwrap();
        game.play("e4").unwrap();
        let mut review = game.review().unwrap().unwrap();
        assert!(review.poll().unwrap());
        // These events take the place of those of the search.
        let (sender, events) = channel();
        review.search.as_mut().unwrap().1 = events;
        sender.send(SearchEvent::Failed("the search failed".into())).unwrap();
        assert_eq!(review.poll().unwrap_err().to_string(), "the search failed");
    }
}

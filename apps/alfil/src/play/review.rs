//! A whole game, position after position: what each is worth, and which moves lost most.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use alfil_engine::{SearchEvent, SearchHandle};
use alfil_kernel::{Side, Waivers};
use alfil_session::review::{DECIDED_CP, DEFAULT_TIME, end_value_cp, search_limits};
use alfil_session::{GameSession, SessionError, registry};

/// Beyond this a side has won anyway, in hundredths.
const MAX_COUNTED_SCORE: i32 = 1_500;
/// A move that loses less is not worth a word, in hundredths.
const MIN_LISTED_LOSS: i32 = 60;
/// So many moves are named.
const MAX_LISTED_LOSSES: usize = 6;

/// What a position is worth to the first side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PositionValue {
    /// Hundredths.
    pub(crate) score: i32,
    /// A known end in so many plies: positive if the first side wins.
    pub(crate) mate: Option<i32>,
    /// The best move: in the default dialect, and in each of the game's.
    best_move: Option<(String, Vec<String>)>,
}

impl PositionValue {
    /// The value as people write it, positive if the first side stands better.
    pub(crate) fn to_text(&self) -> String {
        match self.mate {
            Some(plies) => format_mate(plies, self.score),
            None if self.score == DECIDED_CP => "1-0".into(),
            None if self.score == -DECIDED_CP => "0-1".into(),
            None => format_hundredths(self.score),
        }
    }

    /// How much of the graph belongs to the first side, from 0 to 1.
    pub(crate) fn first_side_fraction(&self) -> f64 {
        match self.mate {
            Some(_) if self.score > 0 => 1.0,
            Some(_) => 0.0,
            None => 0.5 + 0.5 * (f64::from(self.score) / 500.0).tanh(),
        }
    }
}

/// A number of hundredths with its sign; nothing is neither more nor less.
pub(crate) fn format_hundredths(score: i32) -> String {
    if score == 0 { "0.00".into() } else { format!("{:+.2}", f64::from(score) / 100.0) }
}

/// An end in so many plies as people write it, in moves: `#3`, `-#3`.
pub(crate) fn format_mate(plies: i32, score: i32) -> String {
    format!("{}#{}", if score < 0 { "-" } else { "" }, plies.unsigned_abs().div_ceil(2))
}

/// A move that gave something away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveLoss {
    /// Which move, counted from 0: the position before it has the same number.
    pub(crate) ply: usize,
    /// In hundredths.
    pub(crate) loss: i32,
}

/// A walk along a game, on desks of its own.
pub(crate) struct GameReview {
    /// Where it is thought.
    search_session: Box<dyn GameSession>,
    /// Where somebody looks.
    pub(crate) shown_session: Box<dyn GameSession>,
    /// The moves in the default dialect.
    moves: Vec<String>,
    /// What each position is worth, as far as it is known: before each move, and after the last.
    pub(crate) values: Vec<PositionValue>,
    /// Who moved first.
    first_mover: Side,
    move_time: Duration,
    search: Option<(SearchHandle, Receiver<SearchEvent>)>,
    /// What was found out so far of the position that is thought about.
    pending_value: Option<PositionValue>,
}

impl Drop for GameReview {
    fn drop(&mut self) {
        if let Some((job, _)) = &self.search {
            job.stop();
        }
    }
}

impl GameReview {
    /// Of the game on a desk that started from that position, seen where it stands now.
    ///
    /// # Errors
    /// If it cannot be played again.
    pub(crate) fn from_session(
        desk: &dyn GameSession,
        start: &str,
        book: Option<&str>,
        time: Duration,
    ) -> Result<GameReview, SessionError> {
        let fresh = || {
            let mut fresh = registry::open(desk.game(), None)?;
            if let Some(book) = book {
                fresh.set_ruleset(book)?;
            }
            fresh.open(start, &Waivers::All)?;
            Ok::<_, SessionError>(fresh)
        };
        let (mind, mut shown) = (fresh()?, fresh()?);
        let (moves, first) = (desk.played_moves(None)?, shown.view().side_to_move);
        for text in &moves {
            shown.play(text, None)?;
        }
        let time = time.min(DEFAULT_TIME);
        let values = Vec::with_capacity(moves.len() + 1);
        Ok(GameReview {
            search_session: mind,
            shown_session: shown,
            moves,
            values,
            first_mover: first,
            move_time: time,
            search: None,
            pending_value: None,
        })
    }

    /// How many moves there are.
    pub(crate) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The number of the position somebody looks at.
    pub(crate) fn shown_ply(&self) -> usize {
        self.shown_session.view().ply
    }

    /// Looks at another position.
    pub(crate) fn go_to_ply(&mut self, ply: usize) {
        let ply = ply.min(self.plies());
        while self.shown_ply() > ply {
            self.shown_session.undo();
        }
        while self.shown_ply() < ply {
            // They were played before.
            if self.shown_session.play(&self.moves[self.shown_ply()], None).is_err() {
                return;
            }
        }
    }

    /// Whether all positions have their values.
    pub(crate) fn is_done(&self) -> bool {
        self.values.len() > self.plies()
    }

    /// Goes on with the values; says whether anything changed. It never waits.
    ///
    /// # Errors
    /// If nobody can think.
    pub(crate) fn poll(&mut self) -> Result<bool, SessionError> {
        if self.is_done() {
            return Ok(false);
        }
        let Some((_, heard)) = &self.search else { return self.start_next_search().map(|()| true) };
        let before = self.values.len();
        for thought in heard.try_iter().collect::<Vec<_>>() {
            self.on_search_event(thought);
        }
        Ok(self.values.len() > before)
    }

    /// Waits until all positions have their values.
    ///
    /// # Errors
    /// If nobody can think.
    pub(crate) fn finish(&mut self) -> Result<(), SessionError> {
        while !self.is_done() {
            let Some((_, heard)) = &self.search else {
                self.start_next_search()?;
                continue;
            };
            // Whoever thinks ends with a best move; without it nothing is found out about this position.
            let thought = heard.recv().unwrap_or(SearchEvent::BestMove(None));
            self.on_search_event(thought);
        }
        Ok(())
    }

    /// Begins to think about the next position; one in which the game is over has its value from the verdict.
    fn start_next_search(&mut self) -> Result<(), SessionError> {
        if let Some(ending) = self.search_session.game_end() {
            self.store_value(PositionValue { score: end_value_cp(&ending), mate: None, best_move: None });
            return Ok(());
        }
        let (sender, heard) = channel();
        let job = alfil_engine::start_search(
            self.search_session.as_ref(),
            &search_limits(self.move_time),
            Box::new(move |thought| drop(sender.send(thought))),
        )?;
        self.search = Some((job, heard));
        Ok(())
    }

    /// Hears a thought; the last one makes a value known.
    fn on_search_event(&mut self, thought: SearchEvent) {
        match thought {
            SearchEvent::Info { multipv: 1, score, mate_plies: mate, .. } => {
                let sign = if self.search_session.view().side_to_move == Side::First { 1 } else { -1 };
                self.pending_value = Some(PositionValue {
                    score: sign * score,
                    mate: mate.map(|plies| sign * plies),
                    best_move: None,
                });
            }
            SearchEvent::BestMove(best) => {
                let found = self.pending_value.take();
                // A move without a thought is the only one: it changes nothing.
                let value = found.or_else(|| self.values.last().cloned());
                let value = value.unwrap_or(PositionValue { score: 0, mate: None, best_move: None });
                self.store_value(PositionValue {
                    best_move: best.map(|text| self.format_in_all_dialects(text)),
                    ..value
                });
            }
            SearchEvent::Info { .. } | SearchEvent::Failed(_) => {}
        }
    }

    /// A move of the position thought about in all dialects.
    fn format_in_all_dialects(&self, text: String) -> (String, Vec<String>) {
        let written =
            |dialect| self.search_session.format_move(&text, Some(dialect)).unwrap_or_else(|_| text.clone());
        let all = self.search_session.dialects().into_iter().map(written).collect();
        (text, all)
    }

    /// Goes on to the next position.
    fn store_value(&mut self, value: PositionValue) {
        self.search = None;
        if let Some(text) = self.moves.get(self.values.len()) {
            // It was played before.
            let _ = self.search_session.play(text, None);
        }
        self.values.push(value);
    }

    /// The best move of a position as a dialect writes it.
    pub(crate) fn best_move(&self, ply: usize, dialect: &str) -> Option<&str> {
        let (_, all) = self.values.get(ply)?.best_move.as_ref()?;
        let index = self.shown_session.dialects().iter().position(|&name| name == dialect)?;
        all.get(index).map(String::as_str)
    }

    /// The squares of the best move of the position somebody looks at.
    pub(crate) fn best_move_squares(&self) -> Vec<String> {
        let best = self.values.get(self.shown_ply()).and_then(|value| value.best_move.as_ref());
        let Some((best, _)) = best else { return Vec::new() };
        let targets = self.shown_session.targets(None);
        let meant = targets.into_iter().find(|target| target.text == *best);
        meant.map_or(Vec::new(), |target| target.from.into_iter().chain(target.to).collect())
    }

    /// The moves that lost most, the worst first: each seen from the side that played it.
    pub(crate) fn largest_losses(&self) -> Vec<MoveLoss> {
        let clipped = |value: &PositionValue| match value.mate {
            Some(_) => MAX_COUNTED_SCORE * value.score.signum(),
            None => value.score.clamp(-MAX_COUNTED_SCORE, MAX_COUNTED_SCORE),
        };
        let first = if self.first_mover == Side::First { 1 } else { -1 };
        let pairs = self.values.windows(2).zip(&self.moves).enumerate();
        let lost = |(ply, (pair, played)): (usize, (&[PositionValue], &String))| {
            let (best, _) = pair[0].best_move.as_ref()?;
            let mover = if ply % 2 == 0 { first } else { -first };
            let lost = mover * (clipped(&pair[0]) - clipped(&pair[1]));
            (best != played && lost >= MIN_LISTED_LOSS).then_some(MoveLoss { ply, loss: lost })
        };
        let mut losses: Vec<_> = pairs.filter_map(lost).collect();
        losses.sort_by_key(|loss| (-loss.loss, loss.ply));
        losses.truncate(MAX_LISTED_LOSSES);
        losses
    }
}

/// The graph of the values as rows of so many columns: what is filled from below belongs to the first side. Beneath it stands
/// a row that marks the position looked at (`^`) and the largest losses (`x`).
pub(crate) fn render_graph(review: &GameReview, width: usize, height: usize, ascii: bool) -> Vec<String> {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (width, positions) = (width.saturating_sub(2).max(1), review.plies() + 1);
    // Each position has several columns, or each column several positions.
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
    let mut marks = vec![' '; width];
    for loss in review.largest_losses() {
        marks[column(loss.ply + 1)] = 'x';
    }
    marks[column(review.shown_ply())] = '^';
    rows.push(format!("  {}", marks.into_iter().collect::<String>()));
    rows
}

/// The position under a column of the graph.
pub(crate) fn ply_at_column(review: &GameReview, column: usize, width: usize) -> Option<usize> {
    let width = width.saturating_sub(2).max(1);
    let column = column.checked_sub(2).filter(|&column| column < width)?;
    Some(column * (review.plies() + 1) / width)
}

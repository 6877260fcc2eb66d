//! A whole game, position after position: what each is worth, and which moves lost most.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use alfil_hall::review::{DECIDED, TIME, limits, settled};
use alfil_hall::{Desk, DeskError, Job, Thought, registry};
use alfil_kernel::{Side, Waivers};

/// Beyond this a side has won anyway, in hundredths.
const WON: i32 = 1_500;
/// A move that loses less is not worth a word, in hundredths.
const WORTH_A_WORD: i32 = 60;
/// So many moves are named.
const NAMED: usize = 6;

/// What a position is worth to the first side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// Hundredths.
    pub(crate) score: i32,
    /// A known end in so many plies: positive if the first side wins.
    pub(crate) mate: Option<i32>,
    /// The best move: in the default dialect, and in each of the game's.
    best: Option<(String, Vec<String>)>,
}

impl Value {
    /// The value as people write it, positive if the first side stands better.
    pub(crate) fn words(&self) -> String {
        match self.mate {
            Some(plies) => mated(plies, self.score),
            None if self.score == DECIDED => "1-0".into(),
            None if self.score == -DECIDED => "0-1".into(),
            None => hundredths(self.score),
        }
    }

    /// How much of the graph belongs to the first side, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        match self.mate {
            Some(_) if self.score > 0 => 1.0,
            Some(_) => 0.0,
            None => 0.5 + 0.5 * (f64::from(self.score) / 500.0).tanh(),
        }
    }
}

/// A number of hundredths with its sign; nothing is neither more nor less.
pub(crate) fn hundredths(score: i32) -> String {
    if score == 0 { "0.00".into() } else { format!("{:+.2}", f64::from(score) / 100.0) }
}

/// An end in so many plies as people write it, in moves: `#3`, `-#3`.
pub(crate) fn mated(plies: i32, score: i32) -> String {
    format!("{}#{}", if score < 0 { "-" } else { "" }, plies.unsigned_abs().div_ceil(2))
}

/// A move that gave something away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    /// Which move, counted from 0: the position before it has the same number.
    pub(crate) ply: usize,
    /// In hundredths.
    pub(crate) lost: i32,
}

/// A walk along a game, on desks of its own.
pub(crate) struct Review {
    /// Where it is thought.
    mind: Box<dyn Desk>,
    /// Where somebody looks.
    pub(crate) shown: Box<dyn Desk>,
    /// The moves in the default dialect.
    moves: Vec<String>,
    /// What each position is worth, as far as it is known: before each move, and after the last.
    pub(crate) values: Vec<Value>,
    /// Who moved first.
    first: Side,
    time: Duration,
    thinking: Option<(Job, Receiver<Thought>)>,
    /// What was found out so far of the position that is thought about.
    found: Option<Value>,
}

impl Drop for Review {
    fn drop(&mut self) {
        if let Some((job, _)) = &self.thinking {
            job.stop();
        }
    }
}

impl Review {
    /// Of the game on a desk that started from that position, seen where it stands now.
    ///
    /// # Errors
    /// If it cannot be played again.
    pub(crate) fn of(
        desk: &dyn Desk,
        start: &str,
        book: Option<&str>,
        time: Duration,
    ) -> Result<Review, DeskError> {
        let fresh = || {
            let mut fresh = registry::open(desk.game(), None)?;
            if let Some(book) = book {
                fresh.choose(book)?;
            }
            fresh.open(start, &Waivers::All)?;
            Ok::<_, DeskError>(fresh)
        };
        let (mind, mut shown) = (fresh()?, fresh()?);
        let (moves, first) = (desk.record(None)?, shown.view().side);
        for text in &moves {
            shown.play(text, None)?;
        }
        let time = time.min(TIME);
        let values = Vec::with_capacity(moves.len() + 1);
        Ok(Review { mind, shown, moves, values, first, time, thinking: None, found: None })
    }

    /// How many moves there are.
    pub(crate) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The number of the position somebody looks at.
    pub(crate) fn at(&self) -> usize {
        self.shown.view().ply
    }

    /// Looks at another position.
    pub(crate) fn go(&mut self, ply: usize) {
        let ply = ply.min(self.plies());
        while self.at() > ply {
            self.shown.undo();
        }
        while self.at() < ply {
            // They were played before.
            if self.shown.play(&self.moves[self.at()], None).is_err() {
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
    pub(crate) fn go_on(&mut self) -> Result<bool, DeskError> {
        if self.is_done() {
            return Ok(false);
        }
        let Some((_, heard)) = &self.thinking else { return self.begin().map(|()| true) };
        let before = self.values.len();
        for thought in heard.try_iter().collect::<Vec<_>>() {
            self.take(thought);
        }
        Ok(self.values.len() > before)
    }

    /// Waits until all positions have their values.
    ///
    /// # Errors
    /// If nobody can think.
    pub(crate) fn finish(&mut self) -> Result<(), DeskError> {
        while !self.is_done() {
            let Some((_, heard)) = &self.thinking else {
                self.begin()?;
                continue;
            };
            // Whoever thinks ends with a best move; without it nothing is found out about this position.
            let thought = heard.recv().unwrap_or(Thought::Best(None));
            self.take(thought);
        }
        Ok(())
    }

    /// Begins to think about the next position; one in which the game is over has its value from the verdict.
    fn begin(&mut self) -> Result<(), DeskError> {
        if let Some(ending) = self.mind.judge() {
            self.next(Value { score: settled(&ending), mate: None, best: None });
            return Ok(());
        }
        let (sender, heard) = channel();
        let job = self.mind.think(&limits(self.time), Box::new(move |thought| drop(sender.send(thought))))?;
        self.thinking = Some((job, heard));
        Ok(())
    }

    /// Hears a thought; the last one makes a value known.
    fn take(&mut self, thought: Thought) {
        match thought {
            Thought::Info { rank: 1, score, mate, .. } => {
                let sign = if self.mind.view().side == Side::First { 1 } else { -1 };
                self.found =
                    Some(Value { score: sign * score, mate: mate.map(|plies| sign * plies), best: None });
            }
            Thought::Best(best) => {
                let found = self.found.take();
                // A move without a thought is the only one: it changes nothing.
                let value = found.or_else(|| self.values.last().cloned());
                let value = value.unwrap_or(Value { score: 0, mate: None, best: None });
                self.next(Value { best: best.map(|text| self.written(text)), ..value });
            }
            Thought::Info { .. } | Thought::Failed(_) => {}
        }
    }

    /// A move of the position thought about in all dialects.
    fn written(&self, text: String) -> (String, Vec<String>) {
        let written = |dialect| self.mind.written(&text, Some(dialect)).unwrap_or_else(|_| text.clone());
        let all = self.mind.dialects().into_iter().map(written).collect();
        (text, all)
    }

    /// Goes on to the next position.
    fn next(&mut self, value: Value) {
        self.thinking = None;
        if let Some(text) = self.moves.get(self.values.len()) {
            // It was played before.
            let _ = self.mind.play(text, None);
        }
        self.values.push(value);
    }

    /// The best move of a position as a dialect writes it.
    pub(crate) fn best(&self, ply: usize, dialect: &str) -> Option<&str> {
        let (_, all) = self.values.get(ply)?.best.as_ref()?;
        let index = self.shown.dialects().iter().position(|&name| name == dialect)?;
        all.get(index).map(String::as_str)
    }

    /// The squares of the best move of the position somebody looks at.
    pub(crate) fn marked(&self) -> Vec<String> {
        let best = self.values.get(self.at()).and_then(|value| value.best.as_ref());
        let Some((best, _)) = best else { return Vec::new() };
        let targets = self.shown.targets(None);
        let meant = targets.into_iter().find(|target| target.text == *best);
        meant.map_or(Vec::new(), |target| target.from.into_iter().chain(target.to).collect())
    }

    /// The moves that lost most, the worst first: each seen from the side that played it.
    pub(crate) fn losses(&self) -> Vec<Loss> {
        let clipped = |value: &Value| match value.mate {
            Some(_) => WON * value.score.signum(),
            None => value.score.clamp(-WON, WON),
        };
        let first = if self.first == Side::First { 1 } else { -1 };
        let pairs = self.values.windows(2).zip(&self.moves).enumerate();
        let lost = |(ply, (pair, played)): (usize, (&[Value], &String))| {
            let (best, _) = pair[0].best.as_ref()?;
            let mover = if ply % 2 == 0 { first } else { -first };
            let lost = mover * (clipped(&pair[0]) - clipped(&pair[1]));
            (best != played && lost >= WORTH_A_WORD).then_some(Loss { ply, lost })
        };
        let mut losses: Vec<_> = pairs.filter_map(lost).collect();
        losses.sort_by_key(|loss| (-loss.lost, loss.ply));
        losses.truncate(NAMED);
        losses
    }
}

/// The graph of the values as rows of so many columns: what is filled from below belongs to the first side. Beneath it stands
/// a row that marks the position looked at (`^`) and the largest losses (`x`).
pub(crate) fn graph(review: &Review, width: usize, height: usize, ascii: bool) -> Vec<String> {
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
            let filled = (value.share() * 8.0 * height as f64 - below).clamp(0.0, 8.0).round() as usize;
            match ascii {
                true if filled >= 4 => '#',
                true => ' ',
                false => EIGHTHS[filled],
            }
        };
        rows.push(format!("{label} {}", (0..width).map(cell).collect::<String>()));
    }
    let mut marks = vec![' '; width];
    for loss in review.losses() {
        marks[column(loss.ply + 1)] = 'x';
    }
    marks[column(review.at())] = '^';
    rows.push(format!("  {}", marks.into_iter().collect::<String>()));
    rows
}

/// The position under a column of the graph.
pub(crate) fn position_at(review: &Review, column: usize, width: usize) -> Option<usize> {
    let width = width.saturating_sub(2).max(1);
    let column = column.checked_sub(2).filter(|&column| column < width)?;
    Some(column * (review.plies() + 1) / width)
}

//! What a page has before it, who thinks for it, and what it hears.

mod deeds;

use std::sync::Arc;
use std::time::Duration;

use alfil_hall::{DeskError, Ending, Limits, Thought, review};
use alfil_kernel::Side;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::game::{self, Game};
use crate::refusal::{Cause, Refusal};
use crate::review::Review;
use crate::socket::Out;
use crate::store::{Change, Store, Unsaved};
use crate::think::{Heard, Purpose, Question};
use crate::tree::START;
use crate::wire::{Answer, Ask, Deed, Event, GameShape, LookShape, ScoreShape, StepShape, ThoughtShape};

/// How long the computer thinks about a reply or a hint, if the page does not say.
const REPLY_TIME: Duration = Duration::from_millis(700);
/// The longest it may be told to, in milliseconds.
const LONGEST_REPLY: u64 = 60_000;
/// How long an analysis lasts until somebody says "go deeper".
const ANALYSIS: Duration = Duration::from_secs(30);
/// The longest one, in seconds.
const LONGEST_ANALYSIS: u64 = 600;
/// How many lines an analysis may have: as many as a board has squares, so that each can show its value.
const MOST_LINES: u64 = 64;
/// A page's side of the door.
pub(crate) struct Table {
    number: u64,
    game: Option<Game>,
    /// The id under which the page knows it.
    told: String,
    question: Option<Question>,
    review: Option<Review>,
    /// What the page must hear besides the answer.
    besides: Vec<Out>,
    thinkers: Arc<Semaphore>,
    store: Store,
}

impl Drop for Table {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Table {
    pub(crate) fn new(number: u64, thinkers: Arc<Semaphore>, store: Store) -> Table {
        let besides = Vec::new();
        Table {
            number,
            game: None,
            told: String::new(),
            question: None,
            review: None,
            besides,
            thinkers,
            store,
        }
    }

    /// What is answered at once.
    pub(crate) fn ask(&mut self, ask: Ask) -> Vec<Out> {
        let mut out = Vec::new();
        let looks = matches!(ask.deed, Deed::Go { .. }) && self.is_replying();
        if !looks && !asks_only(&ask.deed) {
            // Whoever was thinking thought about another position; his question ends without an answer.
            out.extend(self.stop());
        }
        match self.answer(ask.id, ask.deed) {
            Ok(more) => out.extend(more),
            Err(refusal) => out.push(Out::refusal(ask.id, refusal)),
        }
        self.hold();
        out.append(&mut self.besides);
        out
    }

    /// Whether the computer thinks about its move: it does so wherever the page looks meanwhile.
    fn is_replying(&self) -> bool {
        self.question.as_ref().is_some_and(|question| question.purpose == Purpose::Reply)
    }

    /// The clock goes on or stands. If somebody's time is over and the page does not know it yet, that is kept, and the page
    /// is shown how it stands.
    fn hold(&mut self) {
        let thinking = self.is_replying();
        if self.game.as_mut().is_some_and(|game| game.hold(thinking)) {
            // If it cannot be kept, the page is shown what counts instead.
            let _ = self.keep();
        }
    }

    fn stop(&mut self) -> Option<Out> {
        self.review = None;
        let id = self.question.take()?.id;
        Some(Out::Answer(Box::new(Answer { id, ..Answer::default() })))
    }

    fn answer(&mut self, id: u64, deed: Deed) -> Result<Vec<Out>, Refusal> {
        let Some((purpose, limits)) = thinking(&deed)? else {
            let answer = self.deed(deed)?;
            return Ok(vec![Out::Answer(Box::new(Answer { id, ..answer }))]);
        };
        let game = self.game()?;
        let limits = Limits { seed: game.seed(), ..limits };
        let node = game.at();
        if purpose == Purpose::Review {
            self.review = Some(Review::of(&game.record)?);
        } else if game.is_over() {
            return Err(Refusal::over());
        }
        self.question = Some(Question::new(id, purpose, limits, node, &self.thinkers));
        let busy = self.thinkers.available_permits() == 0;
        Ok(busy.then_some(Out::Event(Event::Waiting { of: id })).into_iter().collect())
    }

    fn game(&mut self) -> Result<&mut Game, Refusal> {
        self.game.as_mut().ok_or("no game was started".into())
    }

    /// The game that lies here is looked at again.
    fn stay(&mut self) {
        if let Some(game) = &mut self.game {
            game.resume();
        }
    }

    /// Keeps the game, unless nothing has happened in it. One that was thrown away begins a new life under another id. If
    /// another window was first, its game is the one that counts; if the disk refuses, what it has. Either way the page is
    /// shown what stands here now.
    fn keep(&mut self) -> Result<(), Refusal> {
        let (number, store) = (self.number, self.store.clone());
        let game = self.game()?;
        if game.revision == 0 && game.is_bare() {
            return Ok(());
        }
        let fell = game.fell();
        let saved = store.save(game, number).or_else(|unsaved| match unsaved {
            Unsaved::Forgotten => {
                game.renew();
                store.save(game, number)
            }
            other => Err(other),
        });
        self.saved(saved, fell)
    }

    /// Keeps what was found out about the game. That brings none back that was thrown away.
    fn remember(&mut self) -> Result<(), Refusal> {
        let (number, store) = (self.number, self.store.clone());
        let game = self.game()?;
        if game.revision == 0 {
            return Ok(());
        }
        let fell = game.fell();
        let saved = match store.save(game, number) {
            Err(Unsaved::Forgotten) => Ok(()),
            saved => saved,
        };
        self.saved(saved, fell)
    }

    /// The page hears what became of its game, if that is not what it thinks.
    fn saved(&mut self, saved: Result<(), Unsaved>, fell: bool) -> Result<(), Refusal> {
        let Err(unsaved) = saved else {
            if fell {
                let out = self.show();
                self.besides.extend(out);
            }
            return Ok(());
        };
        let newer = self.game.as_ref().and_then(|game| self.store.load(&game.id).ok());
        let out = match newer {
            Some(newer) => self.replace(newer),
            None => self.show(),
        };
        self.besides.extend(out);
        Err(match unsaved {
            Unsaved::Trouble(error) => error.into(),
            Unsaved::Changed | Unsaved::Forgotten => {
                Refusal::of(Cause::Changed, "another window has played on in this game: look again")
            }
        })
    }

    /// Puts another game on the table; the time used in the last one is noted.
    fn lay(&mut self, game: Game) {
        self.leave();
        self.game = Some(game);
    }

    fn leave(&mut self) {
        if let Some(game) = self.game.as_mut().filter(|game| game.revision > 0)
            && game.pause()
        {
            // Nobody is there to hear that the disk refuses; the time is then given back.
            let _ = self.store.note_time(game);
        }
    }

    /// Everything about the game.
    fn whole(&mut self) -> Result<Answer, Refusal> {
        let grown = self.grown(None)?;
        let game = self.game()?;
        let look = Some(LookShape::from(game.desk().look()));
        let shape = game.shape();
        self.told.clone_from(&shape.id);
        Ok(Answer { game: Some(shape), look, ..grown })
    }

    /// The tree and the position, after a step if there was one.
    fn grown(&mut self, step: Option<StepShape>) -> Result<Answer, Refusal> {
        let renamed = self.renamed();
        let game = self.game()?;
        let (tree, position) = (Some(game.tree()?), Some(game.position()));
        Ok(Answer { game: renamed, tree, node: Some(game.at()), step, position, ..Answer::default() })
    }

    /// The game, if the page knows it under an id that it has no more.
    fn renamed(&mut self) -> Option<GameShape> {
        let game = self.game.as_ref().filter(|game| game.id != self.told)?;
        let shape = game.shape();
        self.told.clone_from(&shape.id);
        Some(shape)
    }

    /// The next thing a thinking desk says, or the fall of a flag; waits for ever where nobody thinks and no clock runs.
    pub(crate) async fn hear(&mut self) -> Heard {
        let falls = self.game.as_ref().and_then(Game::falls_in);
        let question = self.question.as_mut();
        let thought = async {
            match question {
                Some(question) => question.hear().await,
                None => std::future::pending().await,
            }
        };
        let flag = async {
            match falls {
                Some(time) => tokio::time::sleep(time).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            heard = thought => heard,
            () = flag => Heard::Flag,
        }
    }

    /// What becomes of it.
    pub(crate) fn heard(&mut self, heard: Heard) -> Vec<Out> {
        let mut out = match (heard, &self.question) {
            // Holding the clock sees that, as after any deed.
            (Heard::Flag, _) | (_, None) => Vec::new(),
            (heard, Some(question)) => {
                let (id, purpose) = (question.id, question.purpose);
                let out = match heard {
                    Heard::Turn(permit) => self.begin_thought(permit),
                    Heard::Info(thought) => self.found(id, purpose, question.node, thought),
                    Heard::Best(best) => self.ended(id, purpose, question.node, best),
                    Heard::Flag => Ok(Vec::new()),
                };
                out.unwrap_or_else(|refusal| vec![Out::refusal(id, refusal)])
            }
        };
        self.hold();
        out.append(&mut self.besides);
        out
    }

    /// It is the turn of the question.
    fn begin_thought(
        &mut self,
        permit: Result<OwnedSemaphorePermit, AcquireError>,
    ) -> Result<Vec<Out>, Refusal> {
        let Some(question) = &mut self.question else { return Ok(Vec::new()) };
        let permit = permit.map_err(DeskError::from)?;
        match (&self.review, &mut self.game) {
            (Some(review), _) if question.purpose == Purpose::Review => {
                question.begin(review.desk(), permit).map_err(broken)?
            }
            (_, Some(game)) => {
                if question.purpose == Purpose::Reply {
                    question.limits.clock = game.bounds();
                    if question.limits.clock.is_none() {
                        question.limits.time.get_or_insert(REPLY_TIME);
                    }
                }
                let here = game.at();
                game.go(question.node)?;
                let begun = question.begin(game.desk(), permit);
                game.go(here)?;
                begun.map_err(broken)?;
            }
            _ => return Err("no game was started".into()),
        }
        Ok(Vec::new())
    }

    /// A finding.
    fn found(
        &mut self,
        id: u64,
        purpose: Purpose,
        asked: usize,
        thought: Thought,
    ) -> Result<Vec<Out>, Refusal> {
        let (rank, depth, score, mate, nodes, seconds, line) = match thought {
            Thought::Info { rank, depth, score, mate, nodes, seconds, line, .. } => {
                (rank, depth, score, mate, nodes, seconds, line)
            }
            // What it had found by then, or any legal move, follows all the same; the page says that it is no more than that.
            Thought::Failed(_) => return Ok(vec![Out::Event(Event::Failed { of: id })]),
            Thought::Best(_) => return Ok(Vec::new()),
        };
        if let (Purpose::Review, Some(review)) = (purpose, &mut self.review) {
            review.found(ScoreShape::of(review.desk().view().side, score, mate), line.first());
            return Ok(Vec::new());
        }
        let game = self.game()?;
        let score = ScoreShape::of(game.desk().view().side, score, mate);
        let node = game.at();
        if node != asked {
            // The page looks elsewhere: the line means nothing there.
            return Ok(Vec::new());
        }
        if let Some(found) =
            game.record.tree.node_mut(node).filter(|_| rank == 1 && purpose == Purpose::Analysis)
        {
            found.score = Some(score);
            found.best = line.first().cloned();
        }
        let labels = game.labels(&line)?;
        let thought = ThoughtShape { of: id, node, rank, depth, score, nodes, seconds, line, labels };
        Ok(vec![Out::Event(Event::Thought(thought))])
    }

    /// The end of a thought.
    fn ended(
        &mut self,
        id: u64,
        purpose: Purpose,
        asked: usize,
        best: Option<String>,
    ) -> Result<Vec<Out>, Refusal> {
        if purpose == Purpose::Review {
            return self.reviewed(id);
        }
        self.question = None;
        let answer = match (purpose, best) {
            (Purpose::Analysis, _) => {
                // What was found out is kept with the game; if another window was first, the page hears of that.
                let _ = self.remember();
                Answer::default()
            }
            (_, None) => return Err(Refusal::of(Cause::Failed, "the computer found no move")),
            (Purpose::Hint, hint) => Answer { hint, ..Answer::default() },
            (_, Some(text)) => self.reply(asked, text)?,
        };
        Ok(vec![Out::Answer(Box::new(Answer { id, ..answer }))])
    }

    /// The computer moves where it was asked to; a page that looks elsewhere goes on doing so.
    fn reply(&mut self, asked: usize, text: String) -> Result<Answer, Refusal> {
        let game = self.game()?;
        let here = game.at();
        if here == asked {
            return self.deed(Deed::Play { text, dialect: None });
        }
        game.go(asked)?;
        let played = self.deed(Deed::Play { text, dialect: None });
        let replaced = matches!(&played, Err(refusal) if refusal.cause == Some(Cause::Changed));
        if !replaced {
            self.game()?.go(here)?;
        }
        played?;
        self.grown(None)
    }

    /// One position of a review is done: the next, or the end.
    fn reviewed(&mut self, id: u64) -> Result<Vec<Out>, Refusal> {
        let mut out = Vec::new();
        let Some(review) = &mut self.review else { return Ok(out) };
        let (node, score, best) = review.result();
        let more = review.next()?;
        if let Some(score) = score {
            out.push(Out::Event(Event::Reviewed { of: id, node, score, best: best.clone() }));
            if let Some(found) = self.game()?.record.tree.node_mut(node) {
                (found.score, found.best) = (Some(score), best);
            }
        }
        let limits = self.question.take().map(|question| question.limits.clone()).unwrap_or_default();
        if more {
            // Everybody else has his turn between two positions.
            self.question = Some(Question::new(id, Purpose::Review, limits, START, &self.thinkers));
        } else {
            self.review = None;
            self.remember()?;
            out.push(Out::Answer(Box::new(Answer { id, ..self.grown(None)? })));
        }
        Ok(out)
    }

    /// Somebody saved a game: if it is this one, and another window did it, this page hears of it.
    pub(crate) fn changed(&mut self, change: &Change) -> Vec<Out> {
        let ours = self.game.as_ref().is_some_and(|game| game.id == change.id);
        if change.by == self.number || !ours { Vec::new() } else { self.missed() }
    }

    /// The game as it is kept now.
    pub(crate) fn missed(&mut self) -> Vec<Out> {
        let Some(game) = &self.game else { return Vec::new() };
        let Ok(newer) = self.store.load(&game.id) else { return Vec::new() };
        if newer.revision == game.revision { Vec::new() } else { self.replace(newer) }
    }

    /// The game as another window left it comes in the place of ours. Who stood at the end stands at the new end; who was
    /// looking at something else still does, if it is there.
    fn replace(&mut self, mut newer: Game) -> Vec<Out> {
        if let Some(game) = &self.game {
            let (old, at) = (&game.record.tree, game.at());
            if old.tip(START) != at {
                // Every move of a tree that was read has been played.
                let _ = newer.go(newer.record.tree.same(old, at));
            }
        }
        self.game = Some(newer);
        self.show()
    }

    /// Shows the page the whole game; whoever was thinking thought about another.
    fn show(&mut self) -> Vec<Out> {
        let mut out: Vec<_> = self.stop().into_iter().collect();
        if let Ok(answer) = self.whole() {
            out.push(Out::Event(Event::Changed(Box::new(answer))));
        }
        out
    }
}

/// Nobody begins to think.
fn broken(error: DeskError) -> Refusal {
    Refusal::of(Cause::Failed, error.words)
}

/// What a deed wants to be thought about, and how long.
///
/// # Errors
/// If it wants more than there is.
fn thinking(deed: &Deed) -> Result<Option<(Purpose, Limits)>, Refusal> {
    let milliseconds = |time: Option<u64>| {
        let time =
            time.map(|time| within("a thought", time, 0, LONGEST_REPLY, "milliseconds")).transpose()?;
        Ok::<_, Refusal>(time.map(Duration::from_millis))
    };
    Ok(Some(match *deed {
        // How long it may take by the clock is seen when it begins.
        Deed::Think { level, time } => {
            let (level, time) = (Some(game::level(level)?), milliseconds(time)?);
            (Purpose::Reply, Limits { level, time, ..Limits::default() })
        }
        Deed::Hint { time } => {
            let time = Some(milliseconds(time)?.unwrap_or(REPLY_TIME));
            (Purpose::Hint, Limits { time, ..Limits::default() })
        }
        Deed::Analyse { lines, seconds } => {
            let seconds = seconds
                .map(|time| within("an analysis", time, 0, LONGEST_ANALYSIS, "seconds"))
                .transpose()?;
            let lines = within("an analysis", lines as u64, 1, MOST_LINES, "lines")? as usize;
            let time = Some(seconds.map_or(ANALYSIS, Duration::from_secs));
            (Purpose::Analysis, Limits { time, lines, ..Limits::default() })
        }
        Deed::Review { time } => {
            (Purpose::Review, review::limits(milliseconds(time)?.unwrap_or(review::TIME)))
        }
        _ => return Ok(None),
    }))
}

/// A number that may not be any.
fn within(what: &str, number: u64, least: u64, most: u64, unit: &str) -> Result<u64, Refusal> {
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    Err(format!("{what} has {least} to {most} {unit}, not {number}").into())
}

/// Whether a deed leaves the position, and whoever thinks about it, alone.
fn asks_only(deed: &Deed) -> bool {
    matches!(
        deed,
        Deed::Games { .. }
            | Deed::Sights
            | Deed::Rule { .. }
            | Deed::Arrange { .. }
            | Deed::Examine { .. }
            | Deed::Export
            | Deed::Comment { .. }
            | Deed::Dialect { .. }
            | Deed::Forget { .. }
    )
}

impl ScoreShape {
    /// What a side's score means for the first side.
    pub(crate) fn of(side: Side, score: i32, mate: Option<i32>) -> ScoreShape {
        let sign = if side == Side::First { 1 } else { -1 };
        ScoreShape { value: sign * score, mate: mate.map(|plies| sign * plies) }
    }

    /// The score of a game that is over.
    pub(crate) fn settled(ending: &Ending) -> ScoreShape {
        ScoreShape { value: review::settled(ending), mate: None }
    }
}

#[cfg(test)]
mod tests;

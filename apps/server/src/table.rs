//! What a page has before it, and what it can ask for.

use std::sync::Arc;
use std::time::Duration;

use alfil_hall::{Desk, DeskError, JudgeAsk, Limits, Thought, draw, registry};
use alfil_kernel::{Outcome, Side};
use tokio::sync::Semaphore;

use crate::game::{Game, shown};
use crate::review::Review;
use crate::socket::Out;
use crate::store::{Change, Store};
use crate::text;
use crate::think::{Heard, Purpose, Question};
use crate::tree::START;
use crate::wire::{
    Answer, Ask, Deed, Event, GameName, LookShape, ScoreShape, SetupShape, SightShape, StepShape,
    ThoughtShape,
};

/// How long the computer thinks about a reply or a hint, if the page does not say.
const REPLY_TIME: Duration = Duration::from_millis(700);
/// The longest it may be told to.
const LONGEST_REPLY: Duration = Duration::from_secs(60);
/// How long an analysis lasts until somebody says "go deeper".
const ANALYSIS: Duration = Duration::from_secs(30);
const LONGEST_ANALYSIS: Duration = Duration::from_secs(600);
/// How many lines an analysis may have: as many as a board has squares, so that each can show its value.
const MOST_LINES: usize = 64;
/// How long each position of a game is looked at in a review.
const REVIEW_TIME: Duration = Duration::from_millis(200);

/// A page's side of the door.
pub(crate) struct Table {
    number: u64,
    game: Option<Game>,
    question: Option<Question>,
    review: Option<Review>,
    thinkers: Arc<Semaphore>,
    store: Store,
}

impl Table {
    pub(crate) fn new(number: u64, thinkers: Arc<Semaphore>, store: Store) -> Table {
        Table { number, game: None, question: None, review: None, thinkers, store }
    }

    /// What is answered at once.
    pub(crate) fn ask(&mut self, ask: Ask) -> Vec<Out> {
        let mut out = Vec::new();
        if !asks_only(&ask.deed) {
            // Whoever was thinking thought about another position; his question ends without an answer.
            out.extend(self.stop());
        }
        match self.answer(ask.id, ask.deed) {
            Ok(more) => out.extend(more),
            Err(error) => out.push(Out::refusal(ask.id, error.0)),
        }
        out
    }

    fn stop(&mut self) -> Option<Out> {
        self.review = None;
        let id = self.question.take()?.id;
        Some(Out::Answer(Box::new(Answer { id, ..Answer::default() })))
    }

    fn answer(&mut self, id: u64, deed: Deed) -> Result<Vec<Out>, DeskError> {
        let thinking = match deed {
            Deed::Think { level, time } => {
                let time = time.map_or(REPLY_TIME, Duration::from_millis).min(LONGEST_REPLY);
                let seed = self.game()?.seed();
                let limits = Limits { level: Some(level), seed, time: Some(time), ..Limits::default() };
                Some((Purpose::Reply, limits))
            }
            Deed::Hint { time } => {
                let time = time.map_or(REPLY_TIME, Duration::from_millis).min(LONGEST_REPLY);
                Some((Purpose::Hint, Limits { time: Some(time), ..Limits::default() }))
            }
            Deed::Analyse { lines, seconds } => {
                let time = seconds.map_or(ANALYSIS, Duration::from_secs).min(LONGEST_ANALYSIS);
                let lines = lines.clamp(1, MOST_LINES);
                Some((Purpose::Analysis, Limits { time: Some(time), lines, ..Limits::default() }))
            }
            Deed::Review { time } => {
                let time = time.map_or(REVIEW_TIME, Duration::from_millis).min(LONGEST_REPLY);
                self.review = Some(Review::of(&self.game()?.record)?);
                Some((Purpose::Review, Limits { time: Some(time), ..Limits::default() }))
            }
            _ => None,
        };
        let Some((purpose, limits)) = thinking else {
            let answer = self.deed(deed)?;
            return Ok(vec![Out::Answer(Box::new(Answer { id, ..answer }))]);
        };
        if purpose != Purpose::Review && self.game()?.desk().judge().is_some() {
            return Err(DeskError("the game is over".into()));
        }
        self.question = Some(Question::new(id, purpose, limits, &self.thinkers));
        let busy = self.thinkers.available_permits() == 0;
        Ok(busy.then_some(Out::Event(Event::Waiting { of: id })).into_iter().collect())
    }

    fn deed(&mut self, deed: Deed) -> Result<Answer, DeskError> {
        match deed {
            Deed::Games => self.games(),
            Deed::New(new) => {
                self.game = Some(Game::new(Store::fresh_id(), new)?);
                self.keep()?;
                self.whole()
            }
            Deed::Import { text } => {
                let kind = self.game()?.record.game.clone();
                self.game = Some(Game::new(Store::fresh_id(), text::import(&kind, &text)?)?);
                self.keep()?;
                self.whole()
            }
            Deed::Open { game, node } => {
                self.game = Some(self.store.load(&game)?);
                if let Some(node) = node {
                    // The move may have been taken back in another window.
                    let _ = self.game()?.go(node);
                }
                self.whole()
            }
            Deed::Forget { game } => {
                self.store.forget(&game)?;
                self.games()
            }
            Deed::Play { text, dialect } => {
                let step = self.game()?.play(&text, dialect.as_deref())?;
                self.keep()?;
                self.grown(Some(StepShape::from(&step)))
            }
            Deed::Walk { moves } => {
                self.game()?.walk(&moves)?;
                self.keep()?;
                self.grown(None)
            }
            Deed::Go { node } => {
                let game = self.game()?;
                let steps = shown(&game.go(node)?);
                Ok(Answer { steps, node: Some(node), position: Some(game.position()), ..Answer::default() })
            }
            Deed::Undo { plies } => {
                let steps = shown(&self.game()?.undo(plies)?);
                self.keep()?;
                Ok(Answer { steps, ..self.grown(None)? })
            }
            Deed::Prune { node } => {
                self.game()?.prune(node)?;
                self.keep()?;
                self.grown(None)
            }
            Deed::Comment { node, text } => {
                let found = self.game()?.record.tree.node_mut(node);
                found.ok_or(DeskError(format!("there is no move {node} in this game")))?.comment = text;
                self.keep()?;
                self.grown(None)
            }
            Deed::Seat { person, level } => {
                self.game()?.seat(person, level)?;
                self.keep()?;
                self.whole()
            }
            Deed::Resign => {
                let game = self.game()?;
                let Some(person) = game.record.person else {
                    return Err(DeskError("nobody plays: there is nothing to resign".into()));
                };
                if game.desk().judge().is_some() {
                    return Err(DeskError("the game is over".into()));
                }
                game.record.resigned = Some(person);
                self.keep()?;
                self.whole()
            }
            Deed::Dialect { name } => {
                self.game()?.speak(&name)?;
                self.keep()?;
                self.whole()
            }
            Deed::Sights => {
                let sights = self.game()?.desk().sights().into_iter().map(SightShape::from).collect();
                Ok(Answer { sights: Some(sights), ..Answer::default() })
            }
            Deed::Rule { book, occurrences, chinese } => {
                let ruling = self.game()?.desk().rule(&JudgeAsk { book, occurrences, chinese })?;
                Ok(Answer { ruling: Some(ruling.into()), ..Answer::default() })
            }
            Deed::Arrange { men, side } => {
                let men: Vec<_> = men.into_iter().collect();
                let side = if side == 0 { Side::First } else { Side::Second };
                let desk = self.game()?.desk();
                let fen = desk.compose(&men, side);
                Ok(Answer { setup: Some(examined(desk, fen)?), ..Answer::default() })
            }
            Deed::Examine { fen } => self.examine(fen),
            Deed::Export => {
                let text = text::export(self.game()?)?;
                Ok(Answer { text: Some(text), ..Answer::default() })
            }
            Deed::Diagram => {
                let desk = self.game()?.desk();
                Ok(Answer { svg: Some(draw::svg(desk.look(), &desk.view())), ..Answer::default() })
            }
            Deed::Stop
            | Deed::Think { .. }
            | Deed::Hint { .. }
            | Deed::Analyse { .. }
            | Deed::Review { .. } => Ok(Answer::default()),
        }
    }

    fn game(&mut self) -> Result<&mut Game, DeskError> {
        self.game.as_mut().ok_or(DeskError("no game was started".into()))
    }

    /// Keeps the game, unless nothing has happened in it. If another window was first, its game is the one that counts.
    fn keep(&mut self) -> Result<(), DeskError> {
        let (number, store) = (self.number, self.store.clone());
        let game = self.game()?;
        if game.revision == 0 && game.is_bare() {
            return Ok(());
        }
        store.save(game, number).inspect_err(|_| {
            if let Ok(newer) = store.load(&game.id) {
                *game = newer;
            }
        })
    }

    fn games(&self) -> Result<Answer, DeskError> {
        let name = |game| {
            let look = LookShape::from(registry::open(game, None)?.look());
            let LookShape { title, title_zh, sides, sides_zh, .. } = look;
            Ok(GameName { game, title, title_zh, sides, sides_zh })
        };
        let games = registry::games().map(name).collect::<Result<_, DeskError>>()?;
        Ok(Answer { games: Some(games), kept: Some(self.store.list()?), ..Answer::default() })
    }

    /// Everything about the game.
    fn whole(&mut self) -> Result<Answer, DeskError> {
        let grown = self.grown(None)?;
        let game = self.game()?;
        let look = Some(LookShape::from(game.desk().look()));
        Ok(Answer { game: Some(game.shape()), look, ..grown })
    }

    /// The tree and the position, after a step if there was one.
    fn grown(&mut self, step: Option<StepShape>) -> Result<Answer, DeskError> {
        let game = self.game()?;
        let (tree, position) = (Some(game.tree()?), Some(game.position()));
        Ok(Answer { tree, node: Some(game.at()), step, position, ..Answer::default() })
    }

    fn examine(&mut self, fen: String) -> Result<Answer, DeskError> {
        let kind = self.game()?.record.game.clone();
        let mut desk = registry::open(&kind, None)?;
        if fen.trim() == "startpos" {
            desk.open("startpos", &alfil_kernel::Waivers::None)?;
            let view = desk.view();
            let setup = examined(desk.as_ref(), view.fen)?;
            let men = Some(view.men.into_iter().collect());
            return Ok(Answer {
                setup: Some(SetupShape { men, side: Some(0), ..setup }),
                ..Answer::default()
            });
        }
        let mut setup = examined(desk.as_ref(), fen)?;
        // A position that no waiver lets pass has no board, but what is wrong with it can still be said.
        if desk.open(&setup.fen, &alfil_kernel::Waivers::All).is_ok() {
            let view = desk.view();
            setup.men = Some(view.men.into_iter().collect());
            setup.side = Some(view.side.index());
        }
        Ok(Answer { setup: Some(setup), ..Answer::default() })
    }

    /// The next thing a thinking desk says; waits for ever where none is thinking.
    pub(crate) async fn hear(&mut self) -> Heard {
        match &mut self.question {
            Some(question) => question.hear().await,
            None => std::future::pending().await,
        }
    }

    /// What becomes of it.
    pub(crate) fn heard(&mut self, heard: Heard) -> Vec<Out> {
        let Some(question) = &mut self.question else { return Vec::new() };
        let (id, purpose) = (question.id, question.purpose);
        let out = match heard {
            Heard::Turn(Ok(permit)) => {
                let desk = match (&self.review, &self.game) {
                    (Some(review), _) if purpose == Purpose::Review => review.desk(),
                    (_, Some(game)) => game.desk(),
                    _ => return vec![Out::refusal(id, "no game was started")],
                };
                question.begin(desk, permit).map(|()| Vec::new())
            }
            Heard::Turn(Err(error)) => Err(DeskError::from(error)),
            Heard::Info(thought) => self.found(id, purpose, thought),
            Heard::Best(best) => self.ended(id, purpose, best),
        };
        out.unwrap_or_else(|error| vec![Out::refusal(id, error.0)])
    }

    /// A finding.
    fn found(&mut self, id: u64, purpose: Purpose, thought: Thought) -> Result<Vec<Out>, DeskError> {
        let Thought::Info { rank, depth, score, mate, nodes, seconds, line, .. } = thought else {
            return Ok(Vec::new());
        };
        if let (Purpose::Review, Some(review)) = (purpose, &mut self.review) {
            review.found(ScoreShape::of(review.desk().view().side, score, mate), line.first());
            return Ok(Vec::new());
        }
        let game = self.game()?;
        let score = ScoreShape::of(game.desk().view().side, score, mate);
        let node = game.at();
        if let Some(found) =
            game.record.tree.node_mut(node).filter(|_| rank == 1 && purpose == Purpose::Analysis)
        {
            found.score = Some(score);
            found.best = line.first().cloned();
        }
        let labels = game.labels(&line);
        let thought = ThoughtShape { of: id, node, rank, depth, score, nodes, seconds, line, labels };
        Ok(vec![Out::Event(Event::Thought(thought))])
    }

    /// The end of a thought.
    fn ended(&mut self, id: u64, purpose: Purpose, best: Option<String>) -> Result<Vec<Out>, DeskError> {
        if purpose == Purpose::Review {
            return self.reviewed(id);
        }
        self.question = None;
        let answer = match (purpose, best) {
            (Purpose::Analysis, _) => {
                // What was found out is kept with the game; nothing is lost if another window was first.
                let _ = self.keep();
                Answer::default()
            }
            (_, None) => return Err(DeskError("the computer found no move".into())),
            (Purpose::Hint, hint) => Answer { hint, ..Answer::default() },
            (_, Some(text)) => self.deed(Deed::Play { text, dialect: None })?,
        };
        Ok(vec![Out::Answer(Box::new(Answer { id, ..answer }))])
    }

    /// One position of a review is done: the next, or the end.
    fn reviewed(&mut self, id: u64) -> Result<Vec<Out>, DeskError> {
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
            self.question = Some(Question::new(id, Purpose::Review, limits, &self.thinkers));
        } else {
            self.review = None;
            self.keep()?;
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
        let Some(game) = &mut self.game else { return Vec::new() };
        let Ok(mut newer) = self.store.load(&game.id) else { return Vec::new() };
        if newer.revision == game.revision {
            return Vec::new();
        }
        // Who stood at the end stands at the new end; who was looking at something else still does.
        let (old, at) = (&game.record.tree, game.at());
        if old.tip(START) != at && newer.record.tree.node(at).is_some() {
            let _ = newer.go(at);
        }
        *game = newer;
        let mut out: Vec<_> = self.stop().into_iter().collect();
        if let Ok(answer) = self.whole() {
            out.push(Out::Event(Event::Changed(Box::new(answer))));
        }
        out
    }
}

/// Whether a deed leaves the position, and whoever thinks about it, alone.
fn asks_only(deed: &Deed) -> bool {
    matches!(
        deed,
        Deed::Games
            | Deed::Sights
            | Deed::Rule { .. }
            | Deed::Arrange { .. }
            | Deed::Examine { .. }
            | Deed::Export
            | Deed::Diagram
            | Deed::Comment { .. }
    )
}

/// A position text and what is wrong with it.
fn examined(desk: &dyn Desk, fen: String) -> Result<SetupShape, DeskError> {
    let grievances = desk.grievances(&fen)?.into_iter().map(Into::into).collect();
    Ok(SetupShape { fen, grievances, men: None, side: None })
}

/// What a finished game counts, in hundredths: more than any position that is still played.
const WON: i32 = 100_000;

impl ScoreShape {
    /// What a side's score means for the first side.
    pub(crate) fn of(side: Side, score: i32, mate: Option<i32>) -> ScoreShape {
        let sign = if side == Side::First { 1 } else { -1 };
        ScoreShape { value: sign * score, mate: mate.map(|plies| sign * plies) }
    }

    /// The score of a game that is over.
    pub(crate) fn settled(outcome: Outcome) -> ScoreShape {
        let value = match outcome {
            Outcome::Win(Side::First) => WON,
            Outcome::Win(Side::Second) => -WON,
            Outcome::Draw => 0,
        };
        ScoreShape { value, mate: None }
    }
}

//! A game in play: a line, its laws, and everything a [`Desk`] is asked.

use std::sync::Arc;

use alfil_kernel::laws::CauseOf;
use alfil_kernel::perft::Memory;
use alfil_kernel::position::ComplaintOf;
use alfil_kernel::{
    Complaint as _, Dialect, Evaluate as _, Game, Info, Laws, Line, Move as _, MoveList, MoveOf, Notation,
    Outcome, Piece as _, Position, Setup, SetupOf, Side, Square as _, Verdict, Waivers, Watcher,
};
use alfil_search::Worker;

use crate::chinese;
use crate::clock::{Signal, Watch};
use crate::desk::{
    Change, Desk, DeskError, Ending, Grievance, Job, Limits, PerftAsk, Problem, Sink, SolveAsk, Solved, Step,
    Target, Thought, View,
};
use crate::judge::{JudgeAsk, Ruling};
use crate::look::Look;
use crate::mind::{Means, Mind, Thinking, fits, in_words, told};
use crate::pool;
use crate::room::{Refused, Room};
use crate::sight::Sight;

/// Size of the table of the fixed search, in MiB.
const BENCH_TABLE: usize = 32;

type DialectOf<P> = <<<P as Position>::Game as Room<P>>::Notation as Notation<P>>::Dialect;
pub(crate) type LawsOf<P> = <<P as Position>::Game as Room<P>>::Laws;
pub(crate) type EvaluateOf<P> = <<P as Position>::Game as Room<P>>::Evaluate;

/// A game in play on one kind of board.
pub struct Session<P: Position>
where
    P::Game: Room<P>,
{
    line: Line<P>,
    laws: LawsOf<P>,
    mind: Mind<P>,
}

/// Writes down what changes on a board.
#[derive(Debug, Default)]
struct Tape(Vec<Change>);

impl<G: Game> Watcher<G> for Tape {
    fn put(&mut self, square: G::Square, piece: G::Piece) {
        self.0.push(Change::Put(square.to_string(), piece.letter()));
    }

    fn lift(&mut self, square: G::Square, piece: G::Piece) {
        self.0.push(Change::Lift(square.to_string(), piece.letter()));
    }

    fn turn(&mut self, square: G::Square, piece: G::Piece) {
        self.0.push(Change::Turn(square.to_string(), piece.letter()));
    }
}

impl<P: Position> Session<P>
where
    P::Game: Room<P>,
{
    /// A new game under the game's usual rule book.
    pub fn new() -> Self {
        Session {
            line: Line::start_of_game(),
            laws: <P::Game as Room<P>>::laws(),
            mind: Mind::new(&Means::default()),
        }
    }

    fn dialect(name: Option<&str>) -> Result<DialectOf<P>, DeskError> {
        let all = DialectOf::<P>::ALL;
        let Some(name) = name else { return Ok(all[0]) };
        DialectOf::<P>::named(name).ok_or_else(|| {
            let names = all.iter().map(|dialect| dialect.name()).collect::<Vec<_>>().join(", ");
            DeskError::new(format!("{} has no dialect {name:?}; it knows {names}", P::Game::NAME))
        })
    }

    fn write(position: &P, mv: MoveOf<P>, dialect: DialectOf<P>) -> String {
        <<P::Game as Room<P>>::Notation as Notation<P>>::write(position, mv, dialect)
    }

    /// The position of a text, whatever is wrong with it.
    fn setup(text: &str) -> Result<SetupOf<P>, DeskError> {
        SetupOf::<P>::read(text).map_err(|error| {
            let expected = <P::Game as Room<P>>::expected_zh(&error.expected);
            DeskError::new(error.to_string()).chinese(chinese::fen(&error, &expected))
        })
    }

    /// A move that cannot be read or played.
    fn refused(error: &Refused<P>) -> DeskError {
        DeskError::refused(error, <P::Game as Room<P>>::refused_zh(error))
    }

    /// A legal move given in a dialect.
    fn read(position: &P, text: &str, dialect: DialectOf<P>) -> Result<MoveOf<P>, DeskError> {
        <<P::Game as Room<P>>::Notation as Notation<P>>::read(position, text, dialect)
            .map_err(|error| Self::refused(&error))
    }

    /// A legal move of this position given in the default dialect.
    fn usual(position: &P, text: &str) -> Result<MoveOf<P>, DeskError> {
        Self::read(position, text, DialectOf::<P>::ALL[0])
    }

    pub(crate) fn default_text(position: &P, mv: MoveOf<P>) -> String {
        Self::write(position, mv, DialectOf::<P>::ALL[0])
    }

    /// The moves of a line, as a dialect writes them.
    pub(crate) fn written_down(line: &Line<P>, dialect: DialectOf<P>) -> Vec<String> {
        let mut walk = Line::<P>::new(line.start(), &Waivers::All)
            .expect("the line started there, under whatever waivers");
        let write = |mv| {
            let text = Self::write(walk.position(), mv, dialect);
            walk.push(mv, &mut ());
            text
        };
        line.moves().map(write).collect()
    }

    fn legal(&self) -> MoveList<MoveOf<P>> {
        self.line.position().legal_moves()
    }

    /// The verdict on the line as it stands, in words.
    fn ending(&self) -> Option<Ending> {
        Some(Self::ended(self.line.position(), &self.laws.judge(&self.line)?))
    }

    fn ended(position: &P, verdict: &Verdict<CauseOf<P>>) -> Ending {
        let words = <P::Game as Room<P>>::words(position, verdict);
        let words_zh = <P::Game as Room<P>>::words_zh(position, verdict);
        Ending {
            outcome: verdict.outcome,
            margin: verdict.margin,
            cause: verdict.cause.to_string(),
            words,
            words_zh,
        }
    }

    fn words(&self, ending: Option<&Ending>) -> String {
        if let Some(ending) = ending {
            return ending.words.clone();
        }
        let name = <P::Game as Room<P>>::look().sides[self.line.side().index()];
        let check = if self.line.check() { ", in check" } else { "" };
        format!("{name} to move{check}")
    }

    /// A move by each of the gestures that show it.
    fn targets_of(&self, mv: MoveOf<P>) -> impl Iterator<Item = Target> {
        let position = self.line.position();
        let mut tape = Tape::default();
        position.clone().make(mv, &mut tape);
        let target = Target {
            from: mv.origin().map(|square| square.to_string()),
            to: None,
            text: Self::default_text(position, mv),
            script: tape.0,
            choice: <P::Game as Room<P>>::choice(mv),
        };
        let goals = <P::Game as Room<P>>::goals(position, mv);
        let mut goals: Vec<_> = goals.iter().map(|square| Some(square.to_string())).collect();
        if goals.is_empty() {
            goals.push(None);
        }
        goals.into_iter().map(move |to| Target { to, ..target.clone() })
    }

    /// The squares of the last move: where the man left, and where it was set down.
    fn last(&self) -> Vec<String> {
        let mut line = self.line.clone();
        let Some(mv) = line.last().and_then(|record| record.mv()) else { return Vec::new() };
        line.pop(&mut ());
        let goal = <P::Game as Room<P>>::goals(line.position(), mv).into_iter().next();
        mv.origin().into_iter().chain(goal).map(|square| square.to_string()).collect()
    }
}

impl<P: Position> Default for Session<P>
where
    P::Game: Room<P>,
{
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Position> Desk for Session<P>
where
    P::Game: Room<P>,
{
    fn game(&self) -> &'static str {
        P::Game::NAME
    }

    fn board(&self) -> &'static str {
        P::BOARD
    }

    fn look(&self) -> &'static Look {
        <P::Game as Room<P>>::look()
    }

    fn dialects(&self) -> Vec<&'static str> {
        DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect()
    }

    fn waivable(&self) -> &'static [&'static str] {
        SetupOf::<P>::WAIVABLE
    }

    fn open(&mut self, text: &str, waivers: &Waivers) -> Result<(), DeskError> {
        let setup = match text.trim() {
            "startpos" => SetupOf::<P>::start(),
            text => Self::setup(text)?,
        };
        self.line = Line::new(&setup, waivers).map_err(|error| {
            let words: Vec<_> = error.complaints.iter().map(<P::Game as Room<P>>::complaint_zh).collect();
            DeskError::new(format!("no such position: {error}"))
                .chinese(format!("没有这样的局面：{}", words.join("；")))
        })?;
        Ok(())
    }

    fn compose(&self, men: &[(String, char)], side: Side) -> String {
        <P::Game as Room<P>>::compose(men, side)
    }

    fn grievances(&self, text: &str) -> Result<Vec<Grievance>, DeskError> {
        let setup = Self::setup(text.trim())?;
        let grievance = |complaint: ComplaintOf<P>| Grievance {
            name: complaint.name(),
            words: complaint.to_string(),
            words_zh: <P::Game as Room<P>>::complaint_zh(&complaint),
            squares: complaint.squares(),
            waivable: complaint.waivable(),
        };
        Ok(setup.complaints().into_iter().map(grievance).collect())
    }

    fn laid(&self, text: &str) -> Result<(Vec<(String, char)>, Side), DeskError> {
        let (men, side) = <P::Game as Room<P>>::laid(&Self::setup(text.trim())?);
        let men = men.into_iter().map(|(square, piece)| (square.to_string(), piece.letter()));
        Ok((men.collect(), side))
    }

    fn sights(&self) -> Vec<Sight> {
        <P::Game as Room<P>>::sights(self.line.position())
    }

    fn view(&self) -> View {
        let position = self.line.position();
        let squares = (0..P::Game::SQUARES).filter_map(<P::Game as Game>::Square::from_index);
        let men = squares
            .filter_map(|square| position.piece_on(square).map(|piece| (square.to_string(), piece.letter())));
        let ending = self.ending();
        let setup = self.line.setup();
        View {
            fen: setup.write(),
            side: self.line.side(),
            men: men.collect(),
            last: self.last(),
            check: <P::Game as Room<P>>::checked(position).map(|square| square.to_string()),
            tally: <P::Game as Room<P>>::tally(position),
            key: position.key(),
            occurrences: self.line.occurrences(),
            ply: self.line.ply(),
            number: setup.counters().number,
            words: self.words(ending.as_ref()),
            ending,
        }
    }

    fn targets(&self, square: Option<&str>) -> Vec<Target> {
        let mut targets: Vec<_> = self.legal().iter().flat_map(|&mv| self.targets_of(mv)).collect();
        if let Some(square) = square {
            targets.retain(|target| target.from.as_deref() == Some(square));
        }
        targets.sort_by(|a, b| a.text.cmp(&b.text));
        targets
    }

    fn moves(&self, dialect: Option<&str>) -> Result<Vec<String>, DeskError> {
        let dialect = Self::dialect(dialect)?;
        let position = self.line.position();
        let mut moves: Vec<_> = self.legal().iter().map(|&mv| Self::write(position, mv, dialect)).collect();
        moves.sort_unstable();
        Ok(moves)
    }

    fn written(&self, text: &str, dialect: Option<&str>) -> Result<String, DeskError> {
        let (position, dialect) = (self.line.position(), Self::dialect(dialect)?);
        Ok(Self::write(position, Self::usual(position, text)?, dialect))
    }

    fn line_written(&self, line: &[String], dialect: Option<&str>) -> Result<Vec<String>, DeskError> {
        let (mut position, dialect) = (self.line.position().clone(), Self::dialect(dialect)?);
        let write = |text: &String| {
            let mv = Self::usual(&position, text).ok()?;
            let written = Self::write(&position, mv, dialect);
            position.make(mv, &mut ());
            Some(written)
        };
        Ok(line.iter().map_while(write).collect())
    }

    fn dialect_of(&self, text: &str, preferred: Option<&str>) -> Result<&'static str, DeskError> {
        let preferred = Self::dialect(preferred)?;
        let reads = |dialect: &DialectOf<P>| {
            <<P::Game as Room<P>>::Notation as Notation<P>>::normalise(text, *dialect).is_some()
        };
        let mut known = [preferred].into_iter().chain(DialectOf::<P>::ALL.iter().copied());
        Ok(known.find(reads).unwrap_or(preferred).name())
    }

    fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<Step, DeskError> {
        let dialect = Self::dialect(dialect)?;
        let position = self.line.position();
        let mv = Self::read(position, text, dialect)?;
        let text = Self::default_text(position, mv);
        let takes = position.captured(mv).is_some();
        let mut tape = Tape::default();
        self.line.push(mv, &mut tape);
        let ending = self.ending();
        let sound = match () {
            () if ending.is_some() => "end",
            () if self.line.check() => "check",
            () if takes => "capture",
            () => "move",
        };
        Ok(Step { script: tape.0, text, sound, ending })
    }

    fn undo(&mut self) -> Option<Step> {
        let mv = self.line.last()?.mv()?;
        let mut tape = Tape::default();
        self.line.pop(&mut tape);
        let text = Self::default_text(self.line.position(), mv);
        Some(Step { script: tape.0, text, sound: "move", ending: None })
    }

    fn record(&self, dialect: Option<&str>) -> Result<Vec<String>, DeskError> {
        Ok(Self::written_down(&self.line, Self::dialect(dialect)?))
    }

    fn books(&self) -> &'static [&'static str] {
        <P::Game as Room<P>>::BOOKS
    }

    fn rule(&self, ask: &JudgeAsk) -> Result<Ruling, DeskError> {
        let none = || DeskError::new(format!("{} has no rule books to choose from", P::Game::NAME));
        let dialect = Self::dialect(ask.dialect.as_deref())?;
        <P::Game as Room<P>>::rule(&self.line, ask, dialect).ok_or_else(none)?
    }

    fn judge(&self) -> Option<Ending> {
        self.ending()
    }

    fn warnings(&self) -> Vec<(String, Ending)> {
        let (mut line, mover) = (self.line.clone(), self.line.side());
        let mut found = Vec::new();
        for &mv in self.legal().iter() {
            let text = Self::default_text(line.position(), mv);
            line.push(mv, &mut ());
            let verdict = if line.position().ended() { None } else { self.laws.judge(&line) };
            let verdict = verdict.filter(|verdict: &Verdict<_>| verdict.outcome != Outcome::Win(mover));
            found.extend(verdict.map(|verdict| (text, Self::ended(line.position(), &verdict))));
            line.pop(&mut ());
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    fn flag(&self, side: Side) -> Outcome {
        if self.laws.can_win(self.line.position(), !side) { Outcome::loss(side) } else { Outcome::Draw }
    }

    fn raw(&self) -> String {
        self.line.position().raw()
    }

    fn perft(&self, ask: &PerftAsk, heard: &(dyn Fn(&str, u128) + Sync)) -> Result<u128, DeskError> {
        let dialect = Self::dialect(ask.dialect.as_deref())?;
        let known = <P::Game as Room<P>>::CONVENTIONS;
        let named = |words: &str| {
            <P::Game as Room<P>>::convention(words).ok_or_else(|| match known {
                [] => {
                    DeskError::new(format!("{} has no passes to count: leave {words:?} out", P::Game::NAME))
                }
                _ => {
                    DeskError::new(format!("passes are not counted as {words:?} but as {}", known.join(", ")))
                }
            })
        };
        let convention = ask.convention.as_deref().map(named).transpose()?;
        if !known.is_empty() && ask.hash.is_some() {
            return Err(DeskError::new(format!("{} is counted without a table", P::Game::NAME)));
        }
        let position = self.line.position();
        if ask.depth == 0 || position.ended() {
            return Ok(u128::from(<P::Game as Room<P>>::perft(position, ask.depth, convention)));
        }
        let depth = |mv| <P::Game as Room<P>>::depth_after(mv, ask.depth, convention);
        let after = |mv| {
            let mut after = position.clone();
            after.make(mv, &mut ());
            after
        };
        let tell = |mv, nodes: u128| {
            heard(&Self::write(position, mv, dialect), nodes);
            nodes
        };
        let moves = self.legal();
        let counts = match ask.hash {
            Some(mebibytes) => {
                fits(mebibytes)?;
                let mut memory = Memory::new(mebibytes);
                moves.iter().map(|&mv| tell(mv, memory.perft(&mut after(mv), depth(mv)))).collect()
            }
            None => pool::share(&moves, ask.threads, |&mv| {
                tell(mv, u128::from(<P::Game as Room<P>>::perft(&after(mv), depth(mv), convention)))
            }),
        };
        Ok(counts.into_iter().sum())
    }

    fn solve(&self, ask: &SolveAsk, heard: &mut (dyn FnMut(Thought) + Send)) -> Result<Solved, DeskError> {
        let root = self.line.position();
        let mut hear = |info: &Info<'_, MoveOf<P>>, seconds| heard(told(root, info, seconds));
        let answer = <P::Game as Room<P>>::solve(root, ask, &mut hear)
            .ok_or_else(|| DeskError::new(format!("{} has no solver", P::Game::NAME)))?;
        let line = in_words(root, &answer.line);
        Ok(Solved { score: answer.score, best: line.first().cloned(), line, nodes: answer.nodes })
    }

    fn problems(&self, text: &str) -> Result<Vec<Problem>, DeskError> {
        let none = || DeskError::new(format!("{} has no problem files", P::Game::NAME));
        <P::Game as Room<P>>::problems(text).ok_or_else(none)?
    }

    fn bench(&self) -> u64 {
        let search = |text: &&str| {
            let setup = SetupOf::<P>::read(text).expect("the bench positions read");
            let line = Line::<P>::new(&setup, &Waivers::None).expect("the bench positions are sound");
            let mut worker =
                Worker::new(line, LawsOf::<P>::default(), EvaluateOf::<P>::default(), BENCH_TABLE);
            let never = Arc::new(Signal::new(false));
            let mut watch = Watch::new(&Limits::default(), never, |_: &Info<'_, MoveOf<P>>, _| ());
            worker.think(<P::Game as Room<P>>::BENCH_DEPTH, &mut watch).nodes
        };
        <P::Game as Room<P>>::BENCH.iter().map(search).sum()
    }

    fn furnish(&mut self, means: &Means) {
        self.mind = Mind::new(means);
    }

    fn forget(&mut self) {
        self.mind.forget();
    }

    fn value(&self) -> i32 {
        let mut eval = EvaluateOf::<P>::default();
        eval.reset(self.line.position());
        eval.score(self.line.position())
    }

    fn choose(&mut self, book: &str) -> Result<(), DeskError> {
        self.laws = <P::Game as Room<P>>::laws_of(book)?;
        // By another book other repetitions are draws.
        self.mind.forget();
        Ok(())
    }

    fn ready(&self) {
        self.mind.ready();
    }

    fn think(&self, limits: &Limits, sink: Sink) -> Result<Job, DeskError> {
        let read = |text: &String| Self::usual(self.line.position(), text);
        let moves = |texts: &[String]| texts.iter().map(read).collect::<Result<Vec<_>, _>>();
        let thinking = Thinking {
            line: self.line.clone(),
            laws: self.laws.clone(),
            only: moves(&limits.only)?,
            without: moves(&limits.without)?,
            limits: limits.clone(),
        };
        let (job, signal, done) = Job::new(limits.ponder);
        let mind = self.mind.clone();
        pool::start(move || {
            mind.think(thinking, signal, sink);
            drop(done);
        })
        .map_err(|error| DeskError::new(format!("nobody can think: {error}")))?;
        Ok(job)
    }
}

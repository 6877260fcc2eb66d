//! One game: moves, clocks, and what ends it.

use std::collections::VecDeque;
use std::time::Duration;

use alfil_kernel::{Outcome, Side};

use super::openings::Opening;
use super::{Bout, Choice, Clock, Failing, Fault, Pace, Seats};
use crate::desk::{Desk, DeskError, SolveAsk};
use crate::judge::JudgeAsk;
use crate::registry;

/// What ends a game, besides the players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The game.
    pub game: String,
    /// The rule book by its name, in games that have several; none for the usual one.
    pub book: Option<String>,
    /// What is let pass when a move comes late.
    pub margin: Duration,
    /// A game of so many plies, those of the opening included, is drawn.
    pub longest: usize,
    /// When both engines agree who is winning.
    pub win: Option<Agreement>,
    /// When both engines agree that nobody is, from this ply on.
    pub draw: Option<(usize, Agreement)>,
    /// From so many empty squares on, the solver decides; for games that have one.
    pub solve: Option<usize>,
}

/// Both engines' scores over some moves of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Moves of each engine in a row.
    pub moves: usize,
    /// Hundredths.
    pub score: i32,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// On the board, by the laws.
    Board,
    /// The loser offended against the rule book: perpetual check or chase.
    Rule,
    /// The loser gave up.
    Resigned,
    /// By the engines' scores.
    Score,
    /// By the solver.
    Solver,
    /// It was too long.
    Length,
    /// The loser failed.
    Fault(Fault),
}

impl How {
    /// Its name in a record.
    pub fn name(self) -> &'static str {
        match self {
            How::Board => "board",
            How::Rule => "rule",
            How::Resigned => "resigned",
            How::Score => "score",
            How::Solver => "solver",
            How::Length => "length",
            How::Fault(fault) => fault.name(),
        }
    }

    /// The ending of that name.
    pub fn named(name: &str) -> Option<How> {
        let plain = [How::Board, How::Rule, How::Resigned, How::Score, How::Solver, How::Length];
        plain.into_iter().find(|how| how.name() == name).or_else(|| Fault::named(name).map(How::Fault))
    }
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its number, from 0.
    pub number: usize,
    /// Which engine, 0 or 1, was the first side.
    pub first: usize,
    /// Where it began.
    pub opening: Opening,
    /// The moves after the opening. A pass that nobody was asked for took no time.
    pub moves: Vec<Choice>,
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub how: How,
    /// The cause in one word.
    pub cause: String,
    /// What happened, in a sentence.
    pub words: String,
    /// What shows it, where the loser failed or offended: the last lines of its conversation, or the judge's reasons.
    pub log: Vec<String>,
}

impl Played {
    /// Half points of the first engine: 0, 1 or 2.
    pub fn halves(&self) -> usize {
        match self.outcome {
            Outcome::Draw => 1,
            Outcome::Win(side) => 2 * usize::from(self.engine(side) == 0),
        }
    }

    /// Which engine plays a side.
    pub fn engine(&self, side: Side) -> usize {
        self.first ^ side.index()
    }
}

/// An end of the game.
struct End {
    outcome: Outcome,
    how: How,
    cause: String,
    words: String,
    log: Vec<String>,
}

impl End {
    fn new(outcome: Outcome, how: How, cause: &str, words: String) -> End {
        End { outcome, how, cause: cause.into(), words, log: Vec::new() }
    }
}

/// A side's clock in a game.
struct Timer {
    pace: Pace,
    clock: Option<Clock>,
}

impl Timer {
    fn new(pace: &Pace) -> Timer {
        Timer { pace: pace.clone(), clock: pace.clock }
    }

    /// How long the next move may take, without what is let pass.
    fn most(&self) -> Option<Duration> {
        self.clock.map(|clock| clock.left).into_iter().chain(self.pace.time).min()
    }

    /// Takes the time of a move from the clock.
    fn spend(&mut self, elapsed: Duration) {
        let (Some(clock), Some(full)) = (&mut self.clock, self.pace.clock) else { return };
        clock.left = clock.left.saturating_sub(elapsed) + clock.increment;
        clock.moves = clock.moves.map(|moves| moves.saturating_sub(1));
        if clock.moves == Some(0) {
            clock.left += full.left;
            clock.moves = full.moves;
        }
    }
}

/// Plays a game of a match.
///
/// # Errors
/// If an engine cannot be brought to play, or the match asks for something that the game has not.
pub fn play(bout: &Bout, number: usize, players: &mut Seats) -> Result<Played, DeskError> {
    let rules = &bout.rules;
    let (first, opening) = (Bout::first(number), bout.opening(number));
    let mut desk = registry::open(&rules.game, None)?;
    if let Some(book) = &rules.book {
        desk.choose(book)?;
    }
    opening.lay(desk.as_mut())?;
    let mut timers = [0, 1].map(|side| Timer::new(&bout.paces[first ^ side]));
    for (engine, player) in players.iter_mut().enumerate() {
        let budget =
            bout.paces[engine].budget([timers[first ^ engine].clock, timers[1 ^ first ^ engine].clock]);
        player
            .begin(desk.as_ref(), opening, &budget)
            .map_err(|failing| cannot_play(engine, number, &failing, &player.log()))?;
    }
    let mut moves: Vec<Choice> = Vec::new();
    let mut scores = Scores::default();
    let end = loop {
        if let Some(end) = law(desk.as_ref(), rules)?.or_else(|| agreed(&scores, desk.as_ref(), rules)) {
            break end;
        }
        if let Some(end) = solved(desk.as_ref(), rules)? {
            break end;
        }
        let side = desk.view().side;
        if let [only] = &desk.moves(None)?[..]
            && only == "pass"
        {
            desk.play(only, None)?;
            moves.push(Choice { text: Some(only.clone()), ..Choice::default() });
            continue;
        }
        let engine = first ^ side.index();
        let timer = &timers[side.index()];
        let budget = timer.pace.budget([timer.clock, timers[1 - side.index()].clock]);
        let most = timer.most();
        let wait = most.map(|most| most + rules.margin);
        let choice = players[engine].choose(desk.as_ref(), opening, &budget, wait);
        let choice = choice.and_then(|choice| in_time(choice, most, rules.margin));
        let mut choice = match choice {
            Ok(choice) => choice,
            Err(failing) => {
                let outcome =
                    if failing.fault == Fault::Time { desk.flag(side) } else { Outcome::loss(side) };
                break failed(&failing, outcome, players[engine].log());
            }
        };
        let Some(text) = &choice.text else {
            let name = desk.look().sides[side.index()];
            break End::new(Outcome::loss(side), How::Resigned, "resigned", format!("{name} resigns"));
        };
        if let Err(error) = desk.play(text, None) {
            break failed(
                &Failing::new(Fault::Illegal, error.words),
                Outcome::loss(side),
                players[engine].log(),
            );
        }
        timers[side.index()].spend(choice.elapsed);
        choice.left = timers[side.index()].clock.map(|clock| clock.left);
        scores.add(side, choice.score);
        moves.push(choice);
    };
    players.iter_mut().for_each(|player| player.finish());
    let End { outcome, how, cause, words, log } = end;
    Ok(Played { number, first, opening: opening.clone(), moves, outcome, how, cause, words, log })
}

fn cannot_play(engine: usize, number: usize, failing: &Failing, log: &[String]) -> DeskError {
    let said = if log.is_empty() { String::new() } else { format!("; its last words: {}", log.join(" | ")) };
    DeskError::new(format!("engine {} cannot begin game {}: {failing}{said}", engine + 1, number + 1))
}

fn in_time(choice: Choice, most: Option<Duration>, margin: Duration) -> Result<Choice, Failing> {
    match most {
        Some(most) if choice.elapsed > most + margin => {
            let (took, most) = (choice.elapsed.as_secs_f64(), most.as_secs_f64());
            let words =
                format!("it took {took:.3} s and had {most:.3} s, {:.3} s let pass", margin.as_secs_f64());
            Err(Failing::new(Fault::Time, words))
        }
        _ => Ok(choice),
    }
}

fn failed(failing: &Failing, outcome: Outcome, log: Vec<String>) -> End {
    let (how, cause) = (How::Fault(failing.fault), failing.fault.name());
    End { log, ..End::new(outcome, how, cause, failing.words.clone()) }
}

/// The end by the laws, under the named book.
fn law(desk: &dyn Desk, rules: &Rules) -> Result<Option<End>, DeskError> {
    if desk.books().is_empty() {
        let end = |ending: crate::Ending| End::new(ending.outcome, How::Board, &ending.cause, ending.words);
        return Ok(desk.judge().map(end));
    }
    let ruling = desk.rule(&JudgeAsk { book: rules.book.clone(), ..JudgeAsk::default() })?;
    let Some(outcome) = ruling.outcome else { return Ok(None) };
    let offence = ruling.cause.starts_with("perpetual") || ruling.cause == "prohibited";
    let how = if offence && outcome != Outcome::Draw { How::Rule } else { How::Board };
    let words = ruling.explanation.last().cloned().unwrap_or_default();
    let log = if how == How::Rule { ruling.explanation } else { Vec::new() };
    Ok(Some(End { log, ..End::new(outcome, how, &ruling.cause, words) }))
}

/// The scores of the last moves, from the view of the first side.
#[derive(Default)]
struct Scores(VecDeque<Option<i32>>);

impl Scores {
    /// No agreement looks back farther.
    const KEPT: usize = 200;

    fn add(&mut self, side: Side, score: Option<i32>) {
        self.0.push_front(score.map(|score| if side == Side::First { score } else { -score }));
        self.0.truncate(Scores::KEPT);
    }

    fn all(&self, moves: usize, holds: impl Fn(i32) -> bool) -> bool {
        let wanted = (2 * moves).min(Scores::KEPT);
        self.0.len() >= wanted && self.0.iter().take(wanted).all(|score| score.is_some_and(&holds))
    }
}

/// The end by the engines' scores, or because the game is too long.
fn agreed(scores: &Scores, desk: &dyn Desk, rules: &Rules) -> Option<End> {
    let ply = desk.view().ply;
    if let Some(Agreement { moves, score }) = rules.win {
        for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
            if scores.all(moves, |found| found * sign >= score) {
                let name = desk.look().sides[side.index()];
                let words = format!("{name} wins: both engines have said so for {moves} moves");
                return Some(End::new(Outcome::Win(side), How::Score, "score", words));
            }
        }
    }
    if let Some((from, Agreement { moves, score })) = rules.draw
        && ply >= from
        && scores.all(moves, |found| found.abs() <= score)
    {
        let words = format!("Drawn: neither engine has seen an advantage for {moves} moves");
        return Some(End::new(Outcome::Draw, How::Score, "score", words));
    }
    let words = || format!("Drawn: {ply} plies have been played");
    (ply >= rules.longest).then(|| End::new(Outcome::Draw, How::Length, "length", words()))
}

/// The end by the solver.
fn solved(desk: &dyn Desk, rules: &Rules) -> Result<Option<End>, DeskError> {
    let view = desk.view();
    let (Some(most), Some([first, second])) = (rules.solve, view.tally) else { return Ok(None) };
    let look = desk.look();
    if first + second + most < look.files * look.ranks {
        return Ok(None);
    }
    let solved = desk.solve(&SolveAsk { outcome: true, threads: 1 }, &mut |_| ())?;
    let (outcome, words) = match solved.score {
        0 => (Outcome::Draw, "Drawn with best play".to_owned()),
        score => {
            let side = if score > 0 { view.side } else { !view.side };
            (Outcome::Win(side), format!("{} wins with best play", look.sides[side.index()]))
        }
    };
    Ok(Some(End::new(outcome, How::Solver, "solver", words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_a_name() {
        let faults = Fault::ALL.map(How::Fault);
        let plain = [How::Board, How::Rule, How::Resigned, How::Score, How::Solver, How::Length];
        for how in plain.into_iter().chain(faults) {
            assert_eq!(How::named(how.name()), Some(how));
        }
        assert_eq!(How::named("boredom"), None);
    }

    #[test]
    fn clocks_run_down_and_are_filled_up() {
        let second = Duration::from_secs(1);
        let clock = Clock { left: 10 * second, increment: second, moves: Some(2) };
        let mut timer = Timer::new(&Pace { clock: Some(clock), ..Pace::default() });
        timer.spend(4 * second);
        assert_eq!((timer.most(), timer.clock.unwrap().moves), (Some(7 * second), Some(1)));
        timer.spend(20 * second);
        assert_eq!((timer.most(), timer.clock.unwrap().moves), (Some(11 * second), Some(2)));
        let mut endless = Timer::new(&Pace { nodes: Some(5), ..Pace::default() });
        endless.spend(second);
        assert_eq!(endless.most(), None);
        let both = Timer::new(&Pace { clock: Some(clock), time: Some(3 * second), ..Pace::default() });
        assert_eq!(both.most(), Some(3 * second));
    }

    #[test]
    fn engines_agree_only_when_both_say_so_long_enough() {
        let mut scores = Scores::default();
        let desk = registry::open("chess", None).unwrap();
        let rules = Rules {
            longest: 100,
            win: Some(Agreement { moves: 2, score: 500 }),
            draw: Some((0, Agreement { moves: 2, score: 10 })),
            ..Rules::default()
        };
        let mut said = |side, score| {
            scores.add(side, score);
            agreed(&scores, desk.as_ref(), &rules).map(|end| end.outcome)
        };
        assert_eq!(said(Side::First, Some(600)), None);
        assert_eq!(said(Side::Second, Some(-500)), None);
        assert_eq!(said(Side::First, Some(700)), None);
        assert_eq!(said(Side::Second, Some(-700)), Some(Outcome::Win(Side::First)));
        assert_eq!(said(Side::First, None), None);
        assert_eq!(said(Side::Second, Some(5)), None);
        assert_eq!(said(Side::First, Some(-10)), None);
        assert_eq!(said(Side::Second, Some(0)), None);
        assert_eq!(said(Side::First, Some(0)), Some(Outcome::Draw));
        for (side, score) in [(Side::Second, 900), (Side::First, -900), (Side::Second, 900)] {
            assert_eq!(said(side, Some(score)), None);
        }
        assert_eq!(said(Side::First, Some(-500)), Some(Outcome::Win(Side::Second)));
    }
}

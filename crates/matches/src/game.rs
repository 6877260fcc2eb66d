//! One game: moves, clocks, and what ends it.

use std::collections::VecDeque;
use std::time::Duration;

use alfil_kernel::{Outcome, Side};

use super::openings::Opening;
use super::{ChosenMove, ClockState, EngineMatch, FailureKind, PlayerFailure, PlayerLimits, PlayerPair};
use alfil_engine::solve;
use alfil_session::game_session::{GameSession, SessionError, SolveRequest};
use alfil_session::registry;
use alfil_session::rulings::RulingRequest;

/// What ends a game, besides the players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchRules {
    /// The game.
    pub game: String,
    /// The rule book by its name, in games that have several; none for the usual one.
    pub ruleset: Option<String>,
    /// What is let pass when a move comes late.
    pub time_margin: Duration,
    /// A game of so many plies, those of the opening included, is drawn.
    pub max_plies: usize,
    /// When both engines agree who is winning.
    pub win_adjudication: Option<ScoreAdjudication>,
    /// When both engines agree that nobody is, from this ply on.
    pub draw_adjudication: Option<(usize, ScoreAdjudication)>,
    /// From so many empty squares on, the solver decides; for games that have one.
    pub solver_empties: Option<usize>,
}

/// Both engines' scores over some moves of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreAdjudication {
    /// Moves of each engine in a row.
    pub moves: usize,
    /// Hundredths.
    pub score_cp: i32,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// On the board, by the laws.
    Board,
    /// The loser offended against the rule book: perpetual check or chase.
    RuleViolation,
    /// The loser gave up.
    Resignation,
    /// By the engines' scores.
    Score,
    /// By the solver.
    Solver,
    /// It was too long.
    Length,
    /// The loser failed.
    Failure(FailureKind),
}

impl Termination {
    /// Its name in a record.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Board => "board",
            Termination::RuleViolation => "rule",
            Termination::Resignation => "resigned",
            Termination::Score => "score",
            Termination::Solver => "solver",
            Termination::Length => "length",
            Termination::Failure(fault) => fault.name(),
        }
    }

    /// The ending of that name.
    pub fn from_name(name: &str) -> Option<Termination> {
        let plain = [
            Termination::Board,
            Termination::RuleViolation,
            Termination::Resignation,
            Termination::Score,
            Termination::Solver,
            Termination::Length,
        ];
        plain
            .into_iter()
            .find(|how| how.name() == name)
            .or_else(|| FailureKind::from_name(name).map(Termination::Failure))
    }
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its number, from 0.
    pub number: usize,
    /// Which engine, 0 or 1, was the first side.
    pub first_engine: usize,
    /// Where it began.
    pub opening: Opening,
    /// The moves after the opening. A pass that nobody was asked for took no time.
    pub moves: Vec<ChosenMove>,
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub termination: Termination,
    /// The cause in one word.
    pub cause: String,
    /// What happened, in a sentence.
    pub message: String,
    /// What shows it, where the loser failed or offended: the last lines of its conversation, or the judge's reasons.
    pub log: Vec<String>,
}

impl PlayedGame {
    /// Half points of the first engine: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        match self.outcome {
            Outcome::Draw => 1,
            Outcome::Win(side) => 2 * usize::from(self.engine_of_side(side) == 0),
        }
    }

    /// Which engine plays a side.
    pub fn engine_of_side(&self, side: Side) -> usize {
        self.first_engine ^ side.index()
    }
}

/// An end of the game.
struct EndReason {
    outcome: Outcome,
    termination: Termination,
    cause: String,
    message: String,
    log: Vec<String>,
}

impl EndReason {
    fn new(outcome: Outcome, how: Termination, cause: &str, words: String) -> EndReason {
        EndReason { outcome, termination: how, cause: cause.into(), message: words, log: Vec::new() }
    }
}

/// A side's clock in a game.
struct PlayerClock {
    limits: PlayerLimits,
    clock: Option<ClockState>,
}

impl PlayerClock {
    fn new(pace: &PlayerLimits) -> PlayerClock {
        PlayerClock { limits: pace.clone(), clock: pace.clock }
    }

    /// How long the next move may take, without what is let pass.
    fn max_time(&self) -> Option<Duration> {
        self.clock.map(|clock| clock.remaining).into_iter().chain(self.limits.move_time).min()
    }

    /// Takes the time of a move from the clock.
    fn charge(&mut self, elapsed: Duration) {
        let (Some(clock), Some(full)) = (&mut self.clock, self.limits.clock) else { return };
        clock.remaining = clock.remaining.saturating_sub(elapsed) + clock.increment;
        clock.moves_to_go = clock.moves_to_go.map(|moves| moves.saturating_sub(1));
        if clock.moves_to_go == Some(0) {
            clock.remaining += full.remaining;
            clock.moves_to_go = full.moves_to_go;
        }
    }
}

/// Plays a game of a match.
///
/// # Errors
/// If an engine cannot be brought to play, or the match asks for something that the game has not.
pub fn play_game(
    bout: &EngineMatch,
    number: usize,
    players: &mut PlayerPair,
) -> Result<PlayedGame, SessionError> {
    let rules = &bout.rules;
    let (first, opening) = (EngineMatch::first_engine(number), bout.opening(number));
    let mut desk = registry::open(&rules.game, None)?;
    if let Some(book) = &rules.ruleset {
        desk.set_ruleset(book)?;
    }
    opening.set_up(desk.as_mut())?;
    let mut timers = [0, 1].map(|side| PlayerClock::new(&bout.limits[first ^ side]));
    for (engine, player) in players.iter_mut().enumerate() {
        let budget =
            bout.limits[engine].move_limits([timers[first ^ engine].clock, timers[1 ^ first ^ engine].clock]);
        player
            .new_game(desk.as_ref(), opening, &budget)
            .map_err(|failing| new_game_error(engine, number, &failing, &player.log()))?;
    }
    let mut moves: Vec<ChosenMove> = Vec::new();
    let mut scores = ScoreLog::default();
    let end = loop {
        if let Some(end) =
            rules_end(desk.as_ref(), rules)?.or_else(|| adjudicated_end(&scores, desk.as_ref(), rules))
        {
            break end;
        }
        if let Some(end) = solver_end(desk.as_ref(), rules)? {
            break end;
        }
        let side = desk.view().side_to_move;
        if let [only] = &desk.legal_moves(None)?[..]
            && only == "pass"
        {
            desk.play(only, None)?;
            moves.push(ChosenMove { text: Some(only.clone()), ..ChosenMove::default() });
            continue;
        }
        let engine = first ^ side.index();
        let timer = &timers[side.index()];
        let budget = timer.limits.move_limits([timer.clock, timers[1 - side.index()].clock]);
        let most = timer.max_time();
        let wait = most.map(|most| most + rules.time_margin);
        let choice = players[engine].choose_move(desk.as_ref(), opening, &budget, wait);
        let choice = choice.and_then(|choice| check_time(choice, most, rules.time_margin));
        let mut choice = match choice {
            Ok(choice) => choice,
            Err(failing) => {
                let outcome = if failing.kind == FailureKind::Time {
                    desk.flag_outcome(side)
                } else {
                    Outcome::loss(side)
                };
                break failure_end(&failing, outcome, players[engine].log());
            }
        };
        let Some(text) = &choice.text else {
            let name = desk.appearance().sides[side.index()];
            break EndReason::new(
                Outcome::loss(side),
                Termination::Resignation,
                "resigned",
                format!("{name} resigns"),
            );
        };
        if let Err(error) = desk.play(text, None) {
            break failure_end(
                &PlayerFailure::new(FailureKind::Illegal, error.message),
                Outcome::loss(side),
                players[engine].log(),
            );
        }
        timers[side.index()].charge(choice.elapsed);
        choice.remaining = timers[side.index()].clock.map(|clock| clock.remaining);
        scores.add(side, choice.score);
        moves.push(choice);
    };
    players.iter_mut().for_each(|player| player.finish());
    let EndReason { outcome, termination: how, cause, message: words, log } = end;
    Ok(PlayedGame {
        number,
        first_engine: first,
        opening: opening.clone(),
        moves,
        outcome,
        termination: how,
        cause,
        message: words,
        log,
    })
}

fn new_game_error(engine: usize, number: usize, failing: &PlayerFailure, log: &[String]) -> SessionError {
    let said = if log.is_empty() { String::new() } else { format!("; its last words: {}", log.join(" | ")) };
    SessionError::new(format!("engine {} cannot begin game {}: {failing}{said}", engine + 1, number + 1))
}

fn check_time(
    choice: ChosenMove,
    most: Option<Duration>,
    margin: Duration,
) -> Result<ChosenMove, PlayerFailure> {
    match most {
        Some(most) if choice.elapsed > most + margin => {
            let (took, most) = (choice.elapsed.as_secs_f64(), most.as_secs_f64());
            let words =
                format!("it took {took:.3} s and had {most:.3} s, {:.3} s let pass", margin.as_secs_f64());
            Err(PlayerFailure::new(FailureKind::Time, words))
        }
        _ => Ok(choice),
    }
}

fn failure_end(failing: &PlayerFailure, outcome: Outcome, log: Vec<String>) -> EndReason {
    let (how, cause) = (Termination::Failure(failing.kind), failing.kind.name());
    EndReason { log, ..EndReason::new(outcome, how, cause, failing.message.clone()) }
}

/// The end by the laws, under the named book.
fn rules_end(desk: &dyn GameSession, rules: &MatchRules) -> Result<Option<EndReason>, SessionError> {
    if desk.rulesets().is_empty() {
        let end = |ending: alfil_session::GameEnd| {
            EndReason::new(ending.outcome, Termination::Board, &ending.cause, ending.message)
        };
        return Ok(desk.game_end().map(end));
    }
    let ruling =
        desk.ruling(&RulingRequest { ruleset: rules.ruleset.clone(), ..RulingRequest::default() })?;
    let Some(outcome) = ruling.outcome else { return Ok(None) };
    let offence = ruling.cause.starts_with("perpetual") || ruling.cause == "prohibited";
    let how =
        if offence && outcome != Outcome::Draw { Termination::RuleViolation } else { Termination::Board };
    let words = ruling.explanation.last().cloned().unwrap_or_default();
    let log = if how == Termination::RuleViolation { ruling.explanation } else { Vec::new() };
    Ok(Some(EndReason { log, ..EndReason::new(outcome, how, &ruling.cause, words) }))
}

/// The scores of the last moves, from the view of the first side.
#[derive(Default)]
struct ScoreLog(VecDeque<Option<i32>>);

impl ScoreLog {
    /// No agreement looks back farther.
    const MAX_SCORES: usize = 200;

    fn add(&mut self, side: Side, score: Option<i32>) {
        self.0.push_front(score.map(|score| if side == Side::First { score } else { -score }));
        self.0.truncate(ScoreLog::MAX_SCORES);
    }

    fn has_streak(&self, moves: usize, holds: impl Fn(i32) -> bool) -> bool {
        let wanted = (2 * moves).min(ScoreLog::MAX_SCORES);
        self.0.len() >= wanted && self.0.iter().take(wanted).all(|score| score.is_some_and(&holds))
    }
}

/// The end by the engines' scores, or because the game is too long.
fn adjudicated_end(scores: &ScoreLog, desk: &dyn GameSession, rules: &MatchRules) -> Option<EndReason> {
    let ply = desk.view().ply;
    if let Some(ScoreAdjudication { moves, score_cp: score }) = rules.win_adjudication {
        for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
            if scores.has_streak(moves, |found| found * sign >= score) {
                let name = desk.appearance().sides[side.index()];
                let words = format!("{name} wins: both engines have said so for {moves} moves");
                return Some(EndReason::new(Outcome::Win(side), Termination::Score, "score", words));
            }
        }
    }
    if let Some((from, ScoreAdjudication { moves, score_cp: score })) = rules.draw_adjudication
        && ply >= from
        && scores.has_streak(moves, |found| found.abs() <= score)
    {
        let words = format!("Drawn: neither engine has seen an advantage for {moves} moves");
        return Some(EndReason::new(Outcome::Draw, Termination::Score, "score", words));
    }
    let words = || format!("Drawn: {ply} plies have been played");
    (ply >= rules.max_plies).then(|| EndReason::new(Outcome::Draw, Termination::Length, "length", words()))
}

/// The end by the solver.
fn solver_end(desk: &dyn GameSession, rules: &MatchRules) -> Result<Option<EndReason>, SessionError> {
    let view = desk.view();
    let (Some(most), Some([first, second])) = (rules.solver_empties, view.piece_counts) else {
        return Ok(None);
    };
    let look = desk.appearance();
    if first + second + most < look.files * look.ranks {
        return Ok(None);
    }
    let solved = solve(desk, &SolveRequest { outcome_only: true, threads: 1 }, &mut |_| ())?;
    let (outcome, words) = match solved.score {
        0 => (Outcome::Draw, "Drawn with best play".to_owned()),
        score => {
            let side = if score > 0 { view.side_to_move } else { !view.side_to_move };
            (Outcome::Win(side), format!("{} wins with best play", look.sides[side.index()]))
        }
    };
    Ok(Some(EndReason::new(outcome, Termination::Solver, "solver", words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_a_name() {
        let faults = FailureKind::ALL.map(Termination::Failure);
        let plain = [
            Termination::Board,
            Termination::RuleViolation,
            Termination::Resignation,
            Termination::Score,
            Termination::Solver,
            Termination::Length,
        ];
        for how in plain.into_iter().chain(faults) {
            assert_eq!(Termination::from_name(how.name()), Some(how));
        }
        assert_eq!(Termination::from_name("boredom"), None);
    }

    #[test]
    fn clocks_run_down_and_are_filled_up() {
        let second = Duration::from_secs(1);
        let clock = ClockState { remaining: 10 * second, increment: second, moves_to_go: Some(2) };
        let mut timer = PlayerClock::new(&PlayerLimits { clock: Some(clock), ..PlayerLimits::default() });
        timer.charge(4 * second);
        assert_eq!((timer.max_time(), timer.clock.unwrap().moves_to_go), (Some(7 * second), Some(1)));
        timer.charge(20 * second);
        assert_eq!((timer.max_time(), timer.clock.unwrap().moves_to_go), (Some(11 * second), Some(2)));
        let mut endless = PlayerClock::new(&PlayerLimits { nodes: Some(5), ..PlayerLimits::default() });
        endless.charge(second);
        assert_eq!(endless.max_time(), None);
        let both = PlayerClock::new(&PlayerLimits {
            clock: Some(clock),
            move_time: Some(3 * second),
            ..PlayerLimits::default()
        });
        assert_eq!(both.max_time(), Some(3 * second));
    }

    #[test]
    fn engines_agree_only_when_both_say_so_long_enough() {
        let mut scores = ScoreLog::default();
        let desk = registry::open("chess", None).unwrap();
        let rules = MatchRules {
            max_plies: 100,
            win_adjudication: Some(ScoreAdjudication { moves: 2, score_cp: 500 }),
            draw_adjudication: Some((0, ScoreAdjudication { moves: 2, score_cp: 10 })),
            ..MatchRules::default()
        };
        let mut said = |side, score| {
            scores.add(side, score);
            adjudicated_end(&scores, desk.as_ref(), &rules).map(|end| end.outcome)
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

//! A game of a match: moves, clocks and termination.

use std::time::Duration;

use alfil_kernel::{Outcome, Side};

use super::openings::Opening;
use super::{ChosenMove, ClockState, EngineMatch, FailureKind, Player, PlayerFailure, PlayerLimits};
use alfil_engine::solve;
use alfil_session::rulings::RulingRequest;
use alfil_session::{GameSession, Registry, SessionError, SolveRequest};

/// The rules that end a game of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchRules {
    /// The games to choose from.
    pub registry: Registry,
    /// The name of the game.
    pub game: String,
    /// The name of the ruleset, in games with several rulesets; `None` for that of a session.
    pub ruleset: Option<String>,
    /// The tolerance for late moves.
    pub time_margin: Duration,
    /// The number of plies, including the opening, after which a game is drawn.
    pub max_plies: usize,
    /// The adjudication of a win when both engines agree on the winner.
    pub win_adjudication: Option<ScoreAdjudication>,
    /// The adjudication of a draw when both engines see no advantage, from this ply on.
    pub draw_adjudication: Option<(usize, ScoreAdjudication)>,
    /// The number of empty squares from which the solver decides, in games with a solver.
    pub solver_empties: Option<usize>,
}

/// A condition on the scores of both engines over consecutive moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreAdjudication {
    /// The number of consecutive moves of each engine.
    pub moves: usize,
    /// The score in centipawns (Othello: hundredths of a disc).
    pub score_cp: i32,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules of the game.
    Rules,
    /// The loser violated the ruleset by perpetual check or chase.
    RuleViolation,
    /// The loser resigned.
    Resignation,
    /// By adjudication from the engines' scores.
    Score,
    /// By the solver.
    Solver,
    /// By the maximum length.
    Length,
    /// A player failed to make a move.
    Failure(FailureKind),
}

impl Termination {
    /// All terminations but those by a failure.
    const WITHOUT_FAILURE: [Termination; 6] = [
        Termination::Rules,
        Termination::RuleViolation,
        Termination::Resignation,
        Termination::Score,
        Termination::Solver,
        Termination::Length,
    ];

    /// Returns its name in match files.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Rules => "board",
            Termination::RuleViolation => "rule",
            Termination::Resignation => "resigned",
            Termination::Score => "score",
            Termination::Solver => "solver",
            Termination::Length => "length",
            Termination::Failure(fault) => fault.name(),
        }
    }

    /// Returns the termination of that name.
    pub fn from_name(name: &str) -> Option<Termination> {
        Termination::WITHOUT_FAILURE
            .into_iter()
            .find(|how| how.name() == name)
            .or_else(|| FailureKind::from_name(name).map(Termination::Failure))
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchGame {
    /// The number of the game, from 0.
    pub number: usize,
    /// The index of the engine of each side.
    pub engines: [usize; 2],
    /// The opening.
    pub opening: Opening,
    /// The moves after the opening. A forced pass is played without the engine and takes no time.
    pub moves: Vec<ChosenMove>,
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// How the game ended.
    pub termination: Termination,
    /// The cause in one word.
    pub cause: String,
    /// What happened, as a sentence.
    pub message: String,
    /// The evidence if a player failed or violated a rule: the last lines of its engine, or the reasons of the ruling.
    pub evidence: Vec<String>,
}

impl MatchGame {
    /// Returns the half points of the first engine of the pairing, 0, 1 or 2; it moves first in games of even number.
    pub fn half_points(&self) -> usize {
        match self.outcome {
            Outcome::Draw => 1,
            Outcome::Win(side) => 2 * usize::from(side.index() == self.number % 2),
        }
    }
}

/// The end of a game.
struct EndReason {
    outcome: Outcome,
    termination: Termination,
    cause: String,
    message: String,
    evidence: Vec<String>,
}

impl EndReason {
    fn new(outcome: Outcome, termination: Termination, cause: &str, message: String) -> EndReason {
        EndReason { outcome, termination, cause: cause.into(), message, evidence: Vec::new() }
    }
}

/// The clock of a side in a game.
struct PlayerClock {
    limits: PlayerLimits,
    clock: Option<ClockState>,
}

impl PlayerClock {
    fn new(limits: &PlayerLimits) -> PlayerClock {
        PlayerClock { limits: limits.clone(), clock: limits.clock }
    }

    /// Returns the maximum time for the next move, without the margin.
    fn max_time(&self) -> Option<Duration> {
        self.clock.map(|clock| clock.remaining).into_iter().chain(self.limits.move_time).min()
    }

    /// Subtracts the time of a move from the clock.
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
/// Returns an error if an engine cannot play, or the game lacks something that the match requires.
pub fn play_game(
    engine_match: &EngineMatch,
    number: usize,
    players: &mut [Box<dyn Player>],
) -> Result<MatchGame, SessionError> {
    let rules = &engine_match.rules;
    let (engines, opening) = (engine_match.engines(number), engine_match.opening(number));
    let mut session = rules.registry.open(&rules.game, None)?;
    if let Some(ruleset) = &rules.ruleset {
        session.set_ruleset(ruleset)?;
    }
    opening.set_up(session.as_mut())?;
    let mut clocks = engines.map(|engine| PlayerClock::new(&engine_match.limits[engine]));
    start_players(engine_match, number, session.as_ref(), &clocks, players)?;
    let mut moves: Vec<ChosenMove> = Vec::new();
    let mut scores = ScoreLog::default();
    let end = loop {
        if let Some(end) = position_end(session.as_ref(), &scores, rules)? {
            break end;
        }
        let side = session.view().side_to_move;
        if let [only] = &session.legal_moves(None)?[..]
            && only == "pass"
        {
            session.play(only, None)?;
            moves.push(ChosenMove { text: Some(only.clone()), ..ChosenMove::default() });
            continue;
        }
        let engine = engines[side.index()];
        let clock = &clocks[side.index()];
        let limits = clock.limits.move_limits([clock.clock, clocks[1 - side.index()].clock]);
        let max_time = clock.max_time();
        let wait = max_time.map(|max_time| max_time + rules.time_margin);
        let chosen = players[engine].choose_move(session.as_ref(), opening, &limits, wait, None);
        let chosen = chosen.and_then(|chosen| check_time(chosen, max_time, rules.time_margin));
        let mut chosen = match chosen {
            Ok(chosen) => chosen,
            Err(failure) => {
                let is_late = failure.kind == FailureKind::Time;
                let outcome = if is_late { session.flag_outcome(side) } else { Outcome::loss(side) };
                break failure_end(&failure, outcome, players[engine].log());
            }
        };
        let Some(text) = &chosen.text else {
            let name = session.appearance().sides[side.index()];
            break EndReason::new(
                Outcome::loss(side),
                Termination::Resignation,
                "resigned",
                format!("{name} resigns"),
            );
        };
        if let Err(error) = session.play(text, None) {
            break failure_end(
                &PlayerFailure::new(FailureKind::Illegal, error.message),
                Outcome::loss(side),
                players[engine].log(),
            );
        }
        clocks[side.index()].charge(chosen.elapsed);
        chosen.remaining = clocks[side.index()].clock.map(|clock| clock.remaining);
        scores.add(side, chosen.score);
        moves.push(chosen);
    };
    engines.into_iter().for_each(|engine| players[engine].finish());
    let EndReason { outcome, termination, cause, message, evidence } = end;
    Ok(MatchGame {
        number,
        engines,
        opening: opening.clone(),
        moves,
        outcome,
        termination,
        cause,
        message,
        evidence,
    })
}

/// Starts the game at both players.
fn start_players(
    engine_match: &EngineMatch,
    number: usize,
    session: &dyn GameSession,
    clocks: &[PlayerClock; 2],
    players: &mut [Box<dyn Player>],
) -> Result<(), SessionError> {
    for (side, engine) in engine_match.engines(number).into_iter().enumerate() {
        let limits = engine_match.limits[engine].move_limits([clocks[side].clock, clocks[1 - side].clock]);
        let player = &mut players[engine];
        player.new_game(session, engine_match.opening(number), &limits).map_err(|failure| {
            new_game_error(&engine_match.names[engine], number, &failure, &player.log())
        })?;
    }
    Ok(())
}

/// Returns the end of the game in this position: by the rules, by adjudication of the scores, or by the solver.
fn position_end(
    session: &dyn GameSession,
    scores: &ScoreLog,
    rules: &MatchRules,
) -> Result<Option<EndReason>, SessionError> {
    match rules_end(session, rules)?.or_else(|| adjudicated_end(scores, session, rules)) {
        Some(end) => Ok(Some(end)),
        None => solver_end(session, rules),
    }
}

fn new_game_error(engine: &str, number: usize, failure: &PlayerFailure, log: &[String]) -> SessionError {
    let output = if log.is_empty() { String::new() } else { format!("; last lines: {}", log.join(" | ")) };
    SessionError::new(format!("engine {engine} cannot begin game {}: {failure}{output}", number + 1))
}

fn check_time(
    chosen: ChosenMove,
    max_time: Option<Duration>,
    margin: Duration,
) -> Result<ChosenMove, PlayerFailure> {
    match max_time {
        Some(max_time) if chosen.elapsed > max_time + margin => {
            let (elapsed, max_time) = (chosen.elapsed.as_secs_f64(), max_time.as_secs_f64());
            let message = format!(
                "used {elapsed:.3} s of {max_time:.3} s, beyond the margin of {:.3} s",
                margin.as_secs_f64()
            );
            Err(PlayerFailure::new(FailureKind::Time, message))
        }
        _ => Ok(chosen),
    }
}

fn failure_end(failure: &PlayerFailure, outcome: Outcome, evidence: Vec<String>) -> EndReason {
    let (termination, cause) = (Termination::Failure(failure.kind), failure.kind.name());
    EndReason { evidence, ..EndReason::new(outcome, termination, cause, failure.message.clone()) }
}

/// Returns the end of the game by its rules, under the ruleset of the match.
fn rules_end(session: &dyn GameSession, rules: &MatchRules) -> Result<Option<EndReason>, SessionError> {
    if session.rulesets().is_empty() {
        let end = |end: alfil_session::GameEnd| {
            EndReason::new(end.outcome, Termination::Rules, &end.cause, end.message)
        };
        return Ok(session.game_end().map(end));
    }
    let ruling =
        session.ruling(&RulingRequest { ruleset: rules.ruleset.clone(), ..RulingRequest::default() })?;
    let Some(outcome) = ruling.outcome else { return Ok(None) };
    let is_offence = ruling.cause.starts_with("perpetual") || ruling.cause == "prohibited";
    let termination =
        if is_offence && outcome != Outcome::Draw { Termination::RuleViolation } else { Termination::Rules };
    let message = ruling.explanation.last().cloned().unwrap_or_default();
    let evidence = if termination == Termination::RuleViolation { ruling.explanation } else { Vec::new() };
    Ok(Some(EndReason { evidence, ..EndReason::new(outcome, termination, &ruling.cause, message) }))
}

/// The scores of each side's moves, from the view of the first side. A forced pass has none.
#[derive(Default)]
struct ScoreLog([Vec<Option<i32>>; 2]);

impl ScoreLog {
    fn add(&mut self, side: Side, score: Option<i32>) {
        self.0[side.index()].push(score.map(|score| if side == Side::First { score } else { -score }));
    }

    /// Returns whether the scores of the last `moves` moves of each side meet the condition.
    fn has_streak(&self, moves: usize, condition: impl Fn(i32) -> bool) -> bool {
        self.0.iter().all(|scores| {
            scores.len() >= moves
                && scores[scores.len() - moves..].iter().all(|score| score.is_some_and(&condition))
        })
    }
}

/// Returns the end of the game by adjudication or by its maximum length.
fn adjudicated_end(scores: &ScoreLog, session: &dyn GameSession, rules: &MatchRules) -> Option<EndReason> {
    let ply = session.view().ply;
    if let Some(ScoreAdjudication { moves, score_cp: score }) = rules.win_adjudication {
        for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
            if scores.has_streak(moves, |found| found * sign >= score) {
                let name = session.appearance().sides[side.index()];
                let moves = crate::counted(moves, "move", "moves");
                let message = format!("{name} wins: both engines have scored it as won for {moves}");
                return Some(EndReason::new(Outcome::Win(side), Termination::Score, "score", message));
            }
        }
    }
    if let Some((from, ScoreAdjudication { moves, score_cp: score })) = rules.draw_adjudication
        && ply >= from
        && scores.has_streak(moves, |found| found.abs() <= score)
    {
        let moves = crate::counted(moves, "move", "moves");
        let message = format!("Drawn: neither engine has scored an advantage for {moves}");
        return Some(EndReason::new(Outcome::Draw, Termination::Score, "score", message));
    }
    let message = || format!("Drawn: {ply} plies have been played");
    (ply >= rules.max_plies).then(|| EndReason::new(Outcome::Draw, Termination::Length, "length", message()))
}

/// Returns the end of the game by the solver.
fn solver_end(session: &dyn GameSession, rules: &MatchRules) -> Result<Option<EndReason>, SessionError> {
    let view = session.view();
    let (Some(max_empties), Some([first, second])) = (rules.solver_empties, view.piece_counts) else {
        return Ok(None);
    };
    let appearance = session.appearance();
    if first + second + max_empties < appearance.files * appearance.ranks {
        return Ok(None);
    }
    let solution =
        solve(session, &SolveRequest { outcome_only: true, ..SolveRequest::default() }, &mut |_| ())?;
    let (outcome, message) = match solution.score {
        0 => (Outcome::Draw, "Drawn with best play".to_owned()),
        score => {
            let side = if score > 0 { view.side_to_move } else { !view.side_to_move };
            (Outcome::Win(side), format!("{} wins with best play", appearance.sides[side.index()]))
        }
    };
    Ok(Some(EndReason::new(outcome, Termination::Solver, "solver", message)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_session::registry;

    #[test]
    fn every_termination_is_found_by_its_name() {
        let failures = FailureKind::ALL.map(Termination::Failure);
        for termination in Termination::WITHOUT_FAILURE.into_iter().chain(failures) {
            assert_eq!(Termination::from_name(termination.name()), Some(termination));
        }
        assert_eq!(Termination::from_name("unknown"), None);
    }

    #[test]
    fn clocks_are_charged_and_refilled() {
        let second = Duration::from_secs(1);
        let clock = ClockState { remaining: 10 * second, increment: second, moves_to_go: Some(2) };
        let mut clock_of_player =
            PlayerClock::new(&PlayerLimits { clock: Some(clock), ..PlayerLimits::default() });
        clock_of_player.charge(4 * second);
        assert_eq!(
            (clock_of_player.max_time(), clock_of_player.clock.unwrap().moves_to_go),
            (Some(7 * second), Some(1))
        );
        clock_of_player.charge(20 * second);
        assert_eq!(
            (clock_of_player.max_time(), clock_of_player.clock.unwrap().moves_to_go),
            (Some(11 * second), Some(2))
        );
        let mut unlimited = PlayerClock::new(&PlayerLimits { nodes: Some(5), ..PlayerLimits::default() });
        unlimited.charge(second);
        assert_eq!(unlimited.max_time(), None);
        let both = PlayerClock::new(&PlayerLimits {
            clock: Some(clock),
            move_time: Some(3 * second),
            ..PlayerLimits::default()
        });
        assert_eq!(both.max_time(), Some(3 * second));
    }

    #[test]
    fn adjudication_needs_consecutive_scores_of_both_engines() {
        let mut scores = ScoreLog::default();
        let session = registry::open("chess", None).unwrap();
        let rules = MatchRules {
            max_plies: 100,
            win_adjudication: Some(ScoreAdjudication { moves: 2, score_cp: 500 }),
            draw_adjudication: Some((0, ScoreAdjudication { moves: 2, score_cp: 10 })),
            ..MatchRules::default()
        };
        let mut adjudicate = |side, score| {
            scores.add(side, score);
            adjudicated_end(&scores, session.as_ref(), &rules).map(|end| end.outcome)
        };
        assert_eq!(adjudicate(Side::First, Some(600)), None);
        assert_eq!(adjudicate(Side::Second, Some(-500)), None);
        assert_eq!(adjudicate(Side::First, Some(700)), None);
        assert_eq!(adjudicate(Side::Second, Some(-700)), Some(Outcome::Win(Side::First)));
        assert_eq!(adjudicate(Side::First, None), None);
        assert_eq!(adjudicate(Side::Second, Some(5)), None);
        assert_eq!(adjudicate(Side::First, Some(-10)), None);
        assert_eq!(adjudicate(Side::Second, Some(0)), None);
        assert_eq!(adjudicate(Side::First, Some(0)), Some(Outcome::Draw));
        for (side, score) in [(Side::Second, 900), (Side::First, -900), (Side::Second, 900)] {
            assert_eq!(adjudicate(side, Some(score)), None);
        }
        assert_eq!(adjudicate(Side::First, Some(-500)), Some(Outcome::Win(Side::Second)));
        // After a forced pass one side moves again: its engine alone decides nothing.
        for (side, score) in
            [(Side::First, 600), (Side::First, 600), (Side::First, 600), (Side::Second, -500)]
        {
            assert_eq!(adjudicate(side, Some(score)), None);
        }
        assert_eq!(adjudicate(Side::Second, Some(-500)), Some(Outcome::Win(Side::First)));
    }
}

//! Matches in which nothing outside this process takes part: the house's own search, and scripted engines on the line.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use alfil_kernel::Outcome;
use alfil_kernel::score::{MATE, MATE_BOUND};
use alfil_matches::external::{EngineLauncher, EngineSpec, ExternalPlayer, LineTransport, Received};
use alfil_matches::game::{MatchRules, PlayedGame, Termination};
use alfil_matches::internal::{InternalPlayer, InternalPlayerOptions};
use alfil_matches::move_encoding::RankNumbering;
use alfil_matches::openings::{Opening, OpeningGenerator};
use alfil_matches::{EngineMatch, FailureKind, Player, PlayerLimits, PlayerPair, Protocol};
use alfil_session::{SearchResources, SessionError};

fn bout(game: &str, games: usize, nodes: u64) -> EngineMatch {
    let rules = MatchRules { game: game.into(), max_plies: 60, ..MatchRules::default() };
    let pace = PlayerLimits { nodes: Some(nodes), ..PlayerLimits::default() };
    let recipe = OpeningGenerator { nodes: 200, ..OpeningGenerator::with_defaults(game, 3) };
    let openings = recipe.generate(game, 2, &mut |_| ()).unwrap();
    EngineMatch { rules, limits: [pace.clone(), pace], openings, games }
}

fn run(
    bout: &EngineMatch,
    done: &[usize],
    concurrency: usize,
    seats: &(dyn Fn() -> PlayerPair + Sync),
) -> Vec<PlayedGame> {
    let mut games = Vec::new();
    let done: BTreeSet<_> = done.iter().copied().collect();
    let mut heard = |played| {
        games.push(played);
        Ok(())
    };
    bout.run(&done, concurrency, &|| Ok(seats()), &mut heard).unwrap();
    games.sort_by_key(|game| game.number);
    // Times differ from run to run.
    games.iter_mut().flat_map(|game| &mut game.moves).for_each(|choice| choice.elapsed = Duration::ZERO);
    games
}

/// With a table that is quickly made.
fn habit() -> InternalPlayerOptions {
    InternalPlayerOptions {
        resources: SearchResources { hash_mib: 1, ..SearchResources::default() },
        ..InternalPlayerOptions::default()
    }
}

fn inner() -> Box<dyn Player> {
    Box::new(InternalPlayer::new(habit()))
}

#[test]
fn games_with_node_limits_are_the_same_each_time() {
    for game in ["xiangqi", "chess", "othello"] {
        let bout = bout(game, 4, 150);
        let weak = || {
            Box::new(InternalPlayer::new(InternalPlayerOptions { level: Some(2), ..habit() }))
                as Box<dyn Player>
        };
        let seats = || [inner(), weak()];
        let games = run(&bout, &[], 1, &seats);
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(games, run(&bout, &[], 2, &seats));
        assert_eq!(games[0].opening, games[1].opening);
        assert_ne!(games[0].opening, games[2].opening);
        assert_eq!(games.iter().map(|game| game.first_engine).collect::<Vec<_>>(), [0, 1, 0, 1]);
        // What was played before is not played again, and changes nothing for the rest.
        assert_eq!(run(&bout, &[0, 2, 3], 2, &seats), games[1..2]);
    }
}

#[test]
fn the_solver_decides_on_request() {
    let mut bout = bout("othello", 2, 50);
    bout.rules.max_plies = 100;
    let to_the_end = run(&bout, &[], 1, &|| [inner(), inner()]);
    bout.rules.solver_empties = Some(8);
    let solved = run(&bout, &[], 1, &|| [inner(), inner()]);
    for (solved, played) in solved.iter().zip(&to_the_end) {
        assert_eq!((solved.termination, played.termination), (Termination::Solver, Termination::Board));
        assert!(solved.moves.len() < played.moves.len());
        assert_eq!(solved.moves[..], played.moves[..solved.moves.len()]);
        // The search solves the last fourteen squares itself.
        assert_eq!(solved.outcome, played.outcome);
    }
}

/// Red's cannon chases the chariot for ever: the engine that made it do so loses by the book, and the reasons are told.
#[test]
fn a_perpetual_chase_loses_by_rule() {
    let start = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w".to_string();
    let mut bout = bout("xiangqi", 1, 1);
    bout.openings = vec![Opening { start: Some(start), moves: Vec::new() }];
    let red = Script::Moves(&["c2a2", "a2b2", "b2a2", "a2b2", "b2a2", "a2b2"]);
    let black = Script::Moves(&["a7b7", "b7a7", "a7b7", "b7a7", "a7b7", "b7a7"]);
    let seats = || [red, black].map(|script| remote(Protocol::Uci, script, 5000));
    let game = run(&bout, &[], 1, &seats).remove(0);
    assert_eq!(
        (game.termination, game.cause.as_str(), game.half_points()),
        (Termination::RuleViolation, "perpetual_chase", 0)
    );
    assert_eq!(game.moves.len(), 9);
    assert!(game.log.iter().any(|line| line.contains("newly attacks")), "{:?}", game.log);
    // Under a book that does not forbid it the game goes on until the script is at its end.
    bout.rules.ruleset = Some("xqwlight".into());
    let game = run(&bout, &[], 1, &seats).remove(0);
    assert_ne!(
        (game.termination, game.cause.as_str()),
        (Termination::RuleViolation, "perpetual_chase"),
        "{game:?}"
    );
}

/// What a scripted engine does when it shall move.
#[derive(Clone, Copy)]
enum Script {
    Moves(&'static [&'static str]),
    Crash,
    Hang,
    Flood,
    Say(&'static str),
    Late(u64),
}

/// The engine's end of UCI.
struct Scripted {
    script: Script,
    moves: VecDeque<&'static str>,
    answers: VecDeque<(Duration, String)>,
    gone: bool,
    log: Vec<String>,
}

impl LineTransport for Scripted {
    fn send(&mut self, line: &str) {
        self.log.push(format!("> {line}"));
        let answers = &mut self.answers;
        let mut say = |text: &str| answers.push_back((Duration::ZERO, text.into()));
        match (line.split(' ').next().unwrap(), self.script) {
            ("uci", _) => say("uciok"),
            ("isready", _) => say("readyok"),
            ("go", Script::Crash) => self.gone = true,
            ("go", Script::Say(text)) => text.lines().for_each(say),
            ("go", Script::Late(millis)) => {
                let black = self.log.iter().rev().any(|line| line.contains(" moves "));
                let mv = if black { "h9g7" } else { "h2e2" };
                self.answers.push_back((Duration::from_millis(millis), format!("bestmove {mv}")));
            }
            ("go", Script::Moves(_)) => {
                let mv = self.moves.pop_front().unwrap_or("(none)");
                say(&format!("bestmove {mv}"));
            }
            _ => (),
        }
    }

    fn receive(&mut self, until: Instant) -> Received {
        if let Some((after, line)) = self.answers.pop_front() {
            self.log.push(format!("< {line}"));
            return Received::Line(Instant::now() + after, line);
        }
        if self.gone {
            return Received::Closed("it ended".into());
        }
        if matches!(self.script, Script::Flood) && self.log.last().is_some_and(|line| line != "> quit") {
            return Received::Line(Instant::now(), "info depth 1 score cp 1 nodes 1 pv h2e2".into());
        }
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
        Received::Timeout
    }

    fn log(&self) -> Vec<String> {
        self.log.clone()
    }

    fn close(&mut self) {}
}

struct Starter(Script);

impl EngineLauncher for Starter {
    fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
        let Starter(script) = *self;
        let moves =
            if let Script::Moves(moves) = script { moves.iter().copied().collect() } else { VecDeque::new() };
        Ok(Box::new(Scripted { script, moves, answers: VecDeque::new(), gone: false, log: Vec::new() }))
    }
}

fn remote(protocol: Protocol, script: Script, patience: u64) -> Box<dyn Player> {
    let profile = alfil_matches::EngineConfig { game: "xiangqi".into(), ..Default::default() };
    let patience = Duration::from_millis(patience);
    Box::new(ExternalPlayer::new(
        EngineSpec { protocol, config: profile, ranks: RankNumbering::Zero, timeout: patience },
        Box::new(Starter(script)),
    ))
}

#[test]
fn engines_that_fail_are_survived_and_told() {
    let mut bout = bout("xiangqi", 2, 100);
    bout.openings = vec![Opening::default()];
    bout.limits[0] = PlayerLimits { move_time: Some(Duration::from_millis(40)), ..PlayerLimits::default() };
    for (script, fault, log) in [
        (Script::Crash, FailureKind::Crash, "> go movetime 40"),
        (Script::Hang, FailureKind::Hang, "> stop"),
        (Script::Flood, FailureKind::Hang, "> stop"),
        (Script::Say("bestmove h2h2"), FailureKind::Illegal, "< bestmove h2h2"),
        (Script::Say("bestmove \u{7f}\u{fffd}"), FailureKind::Illegal, "< bestmove"),
        (Script::Say("bestmove (none)"), FailureKind::Dispute, "< bestmove (none)"),
        (Script::Late(5000), FailureKind::Time, "< bestmove h"),
    ] {
        // On a busy machine everybody may be late; only those that hang are waited for that long.
        let patience = if fault == FailureKind::Hang { 40 } else { 5000 };
        let games = run(&bout, &[], 1, &|| [remote(Protocol::Uci, script, patience), inner()]);
        assert_eq!(games.len(), 2);
        for game in &games {
            assert_eq!(game.termination, Termination::Failure(fault), "{}", game.message);
            assert_eq!((game.half_points(), game.cause.as_str()), (0, fault.name()));
            assert!(matches!(game.outcome, Outcome::Win(_)));
            assert!(game.log.iter().any(|line| line.contains(log)), "{:?}", game.log);
        }
        // As the second side it failed at the second move.
        assert_eq!((games[0].moves.len(), games[1].moves.len()), (0, 1));
    }
}

#[test]
fn others_announce_a_mate_as_the_house_does() {
    let mut bout = bout("xiangqi", 2, 100);
    bout.openings = vec![Opening::default()];
    for (said, score) in [
        ("info depth 3 score cp -12\nbestmove h2e2", -12),
        ("info depth 3 score mate 1\nbestmove h2e2", MATE - 1),
        ("info depth 3 score mate 5\nbestmove h2e2", MATE - 9),
        ("info depth 3 score mate 0\nbestmove h2e2", -MATE),
        ("info depth 3 score mate -3\nbestmove h2e2", 6 - MATE),
        ("info depth 3 score mate 2147483647\nbestmove h2e2", MATE_BOUND),
        ("info depth 3 score mate -2147483648\nbestmove h2e2", -MATE_BOUND),
        // Not announced, however much it is.
        ("info depth 3 score cp 30500\nbestmove h2e2", MATE_BOUND - 1),
        ("info depth 3 score cp -2147483648\nbestmove h2e2", 1 - MATE_BOUND),
    ] {
        let seats = || [remote(Protocol::Uci, Script::Say(said), 5000), inner()];
        let games = run(&bout, &[], 1, &seats);
        assert_eq!(games[0].moves[0].score, Some(score), "{said}");
    }
}

#[test]
fn a_match_ends_if_somebody_cannot_play() {
    struct Never;
    impl EngineLauncher for Never {
        fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
            Err("there is no such program".into())
        }
    }
    let bout = bout("xiangqi", 20, 10);
    let profile = alfil_matches::EngineConfig::default();
    let patience = Duration::from_millis(10);
    let calling = EngineSpec {
        protocol: Protocol::Uci,
        config: profile,
        ranks: RankNumbering::Zero,
        timeout: patience,
    };
    let seats =
        || Ok([inner(), Box::new(ExternalPlayer::new(calling.clone(), Box::new(Never))) as Box<dyn Player>]);
    let error = bout.run(&BTreeSet::new(), 2, &seats, &mut |_| Ok(())).unwrap_err();
    assert!(
        error.message.contains("engine 2 cannot begin game") && error.message.contains("no such program"),
        "{error}"
    );
    // A full disk, say.
    let mut heard = 0;
    let mut full = |_| {
        heard += 1;
        Err(SessionError::new("it cannot be written"))
    };
    let error = bout.run(&BTreeSet::new(), 2, &|| Ok([inner(), inner()]), &mut full).unwrap_err();
    assert_eq!((error.message.as_str(), heard), ("it cannot be written", 1));
}

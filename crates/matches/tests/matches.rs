//! Engine matches between internal players and scripted engines.

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use alfil_engine::SearchObserver;
use alfil_kernel::Outcome;
use alfil_kernel::Score;
use alfil_matches::external::{EngineLauncher, EngineSpec, ExternalPlayer, LineTransport, Received};
use alfil_matches::game::{MatchGame, MatchRules, Termination};
use alfil_matches::internal::{InternalPlayer, InternalPlayerOptions};
use alfil_matches::move_encoding::RankNumbering;
use alfil_matches::openings::{Opening, OpeningGenerator};
use alfil_matches::{
    ChosenMove, EngineMatch, FailureKind, MoveLimits, Player, PlayerFailure, PlayerLimits, Protocol,
    round_robin,
};
use alfil_session::{GameSession, SearchResources, SessionError, registry};

/// The players of both engines.
type PlayerPair = [Box<dyn Player>; 2];

fn engine_match(game: &str, games: usize, nodes: u64) -> EngineMatch {
    let rules = MatchRules { game: game.into(), max_plies: 60, ..MatchRules::default() };
    let limits = PlayerLimits { nodes: Some(nodes), ..PlayerLimits::default() };
    let generator =
        OpeningGenerator { nodes: 200, ..OpeningGenerator::with_defaults(registry::info(game).unwrap(), 3) };
    let openings = generator.generate(game, 2, &mut |_| ()).unwrap();
    EngineMatch {
        rules,
        names: vec!["a".into(), "b".into()],
        limits: vec![limits.clone(), limits],
        pairings: round_robin(2),
        openings,
        games,
    }
}

fn run(
    engine_match: &EngineMatch,
    done: &[usize],
    concurrency: usize,
    new_players: &(dyn Fn() -> PlayerPair + Sync),
) -> Vec<MatchGame> {
    let mut games = Vec::new();
    let done: BTreeSet<_> = done.iter().copied().collect();
    let mut on_game = |played| {
        games.push(played);
        Ok(ControlFlow::Continue(()))
    };
    engine_match.run(&done, concurrency, &|| Ok(new_players().into()), &mut on_game).unwrap();
    games.sort_by_key(|game| game.number);
    // The elapsed times differ from run to run.
    games.iter_mut().flat_map(|game| &mut game.moves).for_each(|choice| choice.elapsed = Duration::ZERO);
    games
}

/// Returns the options with a small table, which is allocated quickly.
fn options() -> InternalPlayerOptions {
    InternalPlayerOptions {
        resources: SearchResources { hash_mib: 1, ..SearchResources::default() },
        ..InternalPlayerOptions::default()
    }
}

fn internal_player() -> Box<dyn Player> {
    Box::new(InternalPlayer::new(options()))
}

#[test]
fn games_with_node_limits_are_repeatable() {
    for game in registry::games() {
        let engine_match = engine_match(game, 4, 150);
        let weak = || {
            Box::new(InternalPlayer::new(InternalPlayerOptions { level: Some(2), ..options() }))
                as Box<dyn Player>
        };
        let new_players = || [internal_player(), weak()];
        let games = run(&engine_match, &[], 1, &new_players);
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(games, run(&engine_match, &[], 2, &new_players));
        assert_eq!(games[0].opening, games[1].opening);
        assert_ne!(games[0].opening, games[2].opening);
        assert_eq!(games.iter().map(|game| game.engines[0]).collect::<Vec<_>>(), [0, 1, 0, 1]);
        // Games that were played before are skipped, and do not change the others.
        assert_eq!(run(&engine_match, &[0, 2, 3], 2, &new_players), games[1..2]);
    }
}

#[test]
fn the_solver_ends_games_if_enabled() {
    let mut engine_match = engine_match("othello", 2, 50);
    engine_match.rules.max_plies = 100;
    let to_the_end = run(&engine_match, &[], 1, &|| [internal_player(), internal_player()]);
    engine_match.rules.solver_empties = Some(8);
    let solved = run(&engine_match, &[], 1, &|| [internal_player(), internal_player()]);
    for (solved, played) in solved.iter().zip(&to_the_end) {
        assert_eq!((solved.termination, played.termination), (Termination::Solver, Termination::Rules));
        assert!(solved.moves.len() < played.moves.len());
        assert_eq!(solved.moves[..], played.moves[..solved.moves.len()]);
        // The search itself solves the last fourteen empty squares.
        assert_eq!(solved.outcome, played.outcome);
    }
}

/// Red's cannon chases a rook perpetually: the engine of Red loses by the ruleset, and the game has the reasons.
#[test]
fn a_perpetual_chase_loses_by_rule() {
    let start = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w".to_string();
    let mut engine_match = engine_match("xiangqi", 1, 1);
    engine_match.openings = vec![Opening { start: Some(start), moves: Vec::new() }];
    let red = Script::Moves(&["c2a2", "a2b2", "b2a2", "a2b2", "b2a2", "a2b2"]);
    let black = Script::Moves(&["a7b7", "b7a7", "a7b7", "b7a7", "a7b7", "b7a7"]);
    let new_players = || [red, black].map(|script| external_player(Protocol::Uci, script, 5000));
    let game = run(&engine_match, &[], 1, &new_players).remove(0);
    assert_eq!(
        (game.termination, game.cause.as_str(), game.half_points()),
        (Termination::RuleViolation, "perpetual_chase", 0)
    );
    assert_eq!(game.moves.len(), 9);
    assert!(game.evidence.iter().any(|line| line.contains("newly attacks")), "{:?}", game.evidence);
    // Under a ruleset that allows it the game continues until the script ends.
    engine_match.rules.ruleset = Some("xqwlight".into());
    let game = run(&engine_match, &[], 1, &new_players).remove(0);
    assert_ne!(
        (game.termination, game.cause.as_str()),
        (Termination::RuleViolation, "perpetual_chase"),
        "{game:?}"
    );
}

/// The reaction of a scripted engine to `go`.
#[derive(Clone, Copy)]
enum Script {
    Moves(&'static [&'static str]),
    Crash,
    Hang,
    Flood,
    Reply(&'static str),
    Late(u64),
}

/// A scripted UCI engine.
struct Scripted {
    script: Script,
    moves: VecDeque<&'static str>,
    answers: VecDeque<(Duration, String)>,
    is_closed: bool,
    log: Vec<String>,
}

impl LineTransport for Scripted {
    fn send(&mut self, line: &str) {
        self.log.push(format!("> {line}"));
        let answers = &mut self.answers;
        let mut reply = |text: &str| answers.push_back((Duration::ZERO, text.into()));
        match (line.split(' ').next().unwrap(), self.script) {
            ("uci", _) => reply("uciok"),
            ("isready", _) => reply("readyok"),
            ("go", Script::Crash) => self.is_closed = true,
            ("go", Script::Reply(text)) => text.lines().for_each(reply),
            ("go", Script::Late(millis)) => {
                let black = self.log.iter().rev().any(|line| line.contains(" moves "));
                let mv = if black { "h9g7" } else { "h2e2" };
                self.answers.push_back((Duration::from_millis(millis), format!("bestmove {mv}")));
            }
            ("go", Script::Moves(_)) => {
                let mv = self.moves.pop_front().unwrap_or("(none)");
                reply(&format!("bestmove {mv}"));
            }
            _ => (),
        }
    }

    fn receive(&mut self, until: Instant) -> Received {
        if let Some((after, line)) = self.answers.pop_front() {
            self.log.push(format!("< {line}"));
            return Received::Line(Instant::now() + after, line);
        }
        if self.is_closed {
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
        Ok(Box::new(Scripted { script, moves, answers: VecDeque::new(), is_closed: false, log: Vec::new() }))
    }
}

fn external_player(protocol: Protocol, script: Script, timeout: u64) -> Box<dyn Player> {
    let config = alfil_matches::EngineConfig {
        variants: alfil_matches::variant_names(registry::info("xiangqi").unwrap()),
        ..Default::default()
    };
    let timeout = Duration::from_millis(timeout);
    Box::new(ExternalPlayer::new(
        EngineSpec { protocol, config, ranks: RankNumbering::Zero, timeout },
        Box::new(Starter(script)),
    ))
}

#[test]
fn failing_engines_lose_with_a_reason() {
    let mut engine_match = engine_match("xiangqi", 2, 100);
    engine_match.openings = vec![Opening::default()];
    engine_match.limits[0] =
        PlayerLimits { move_time: Some(Duration::from_millis(40)), ..PlayerLimits::default() };
    for (script, kind, expected_line) in [
        (Script::Crash, FailureKind::Crash, "> go movetime 40"),
        (Script::Hang, FailureKind::Hang, "> stop"),
        (Script::Flood, FailureKind::Hang, "> stop"),
        (Script::Reply("bestmove h2h2"), FailureKind::Illegal, "< bestmove h2h2"),
        (Script::Reply("bestmove \u{7f}\u{fffd}"), FailureKind::Illegal, "< bestmove"),
        (Script::Reply("bestmove (none)"), FailureKind::Rejection, "< bestmove (none)"),
        (Script::Late(5000), FailureKind::Time, "< bestmove h"),
    ] {
        // On a busy machine any engine may be late, so only engines that hang have a short timeout.
        let timeout = if kind == FailureKind::Hang { 40 } else { 5000 };
        let games = run(&engine_match, &[], 1, &|| {
            [external_player(Protocol::Uci, script, timeout), internal_player()]
        });
        assert_eq!(games.len(), 2);
        for game in &games {
            assert_eq!(game.termination, Termination::Failure(kind), "{}", game.message);
            assert_eq!((game.half_points(), game.cause.as_str()), (0, kind.name()));
            assert!(matches!(game.outcome, Outcome::Win(_)));
            assert!(game.evidence.iter().any(|line| line.contains(expected_line)), "{:?}", game.evidence);
        }
        // As the second side, the engine failed at its first move.
        assert_eq!((games[0].moves.len(), games[1].moves.len()), (0, 1));
    }
}

/// An XBoard engine that resigns at once and plays one game.
struct OneGame(VecDeque<String>);

impl LineTransport for OneGame {
    fn send(&mut self, line: &str) {
        match line.split_once(' ') {
            Some(("protover", _)) => {
                self.0.push_back("feature ping=1 reuse=0 variants=\"xiangqi\" done=1".into())
            }
            Some(("ping", number)) => self.0.push_back(format!("pong {number}")),
            None if line == "go" => self.0.push_back("resign".into()),
            _ => {}
        }
    }

    fn receive(&mut self, until: Instant) -> Received {
        if let Some(line) = self.0.pop_front() {
            return Received::Line(Instant::now(), line);
        }
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
        Received::Timeout
    }

    fn log(&self) -> Vec<String> {
        Vec::new()
    }

    fn close(&mut self) {}
}

#[test]
fn an_engine_for_one_game_is_started_for_each() {
    struct Counter(Arc<AtomicUsize>);
    impl EngineLauncher for Counter {
        fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(OneGame(VecDeque::new())))
        }
    }
    let engine_match = engine_match("xiangqi", 4, 100);
    let config = alfil_matches::EngineConfig {
        variants: alfil_matches::variant_names(registry::info("xiangqi").unwrap()),
        ..Default::default()
    };
    let timeout = Duration::from_secs(5);
    let spec = EngineSpec { protocol: Protocol::Xboard, config, ranks: RankNumbering::Zero, timeout };
    let started = Arc::new(AtomicUsize::new(0));
    let games = run(&engine_match, &[], 1, &|| {
        let external: Box<dyn Player> =
            Box::new(ExternalPlayer::new(spec.clone(), Box::new(Counter(started.clone()))));
        [external, internal_player()]
    });
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.termination == Termination::Resignation), "{games:?}");
    assert_eq!(started.load(Ordering::Relaxed), 4);
}

#[test]
fn mate_announcements_are_converted_to_scores() {
    let mut engine_match = engine_match("xiangqi", 2, 100);
    engine_match.openings = vec![Opening::default()];
    for (output, score) in [
        ("info depth 3 score cp -12\nbestmove h2e2", Score::from_cp(-12)),
        ("info depth 3 score mate 1\nbestmove h2e2", Score::mate_in(1)),
        ("info depth 3 score mate 5\nbestmove h2e2", Score::mate_in(9)),
        ("info depth 3 score mate 0\nbestmove h2e2", Score::mated_in(0)),
        ("info depth 3 score mate -3\nbestmove h2e2", Score::mated_in(6)),
        ("info depth 3 score mate 2147483647\nbestmove h2e2", Score::mate_in(u32::MAX)),
        ("info depth 3 score mate -2147483648\nbestmove h2e2", Score::mated_in(u32::MAX)),
        // Scores without a mate announcement are evaluations.
        ("info depth 3 score cp 30500\nbestmove h2e2", Score::MAX_EVAL),
        ("info depth 3 score cp -2147483648\nbestmove h2e2", -Score::MAX_EVAL),
    ] {
        let new_players = || [external_player(Protocol::Uci, Script::Reply(output), 5000), internal_player()];
        let games = run(&engine_match, &[], 1, &new_players);
        assert_eq!(games[0].moves[0].score, Some(score.value()), "{output}");
    }
}

#[test]
fn a_match_ends_if_a_player_cannot_start() {
    struct Never;
    impl EngineLauncher for Never {
        fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
            Err("there is no such program".into())
        }
    }
    let engine_match = engine_match("xiangqi", 20, 10);
    let config = alfil_matches::EngineConfig::default();
    let timeout = Duration::from_millis(10);
    let spec = EngineSpec { protocol: Protocol::Uci, config, ranks: RankNumbering::Zero, timeout };
    let new_players = || {
        let external: Box<dyn Player> = Box::new(ExternalPlayer::new(spec.clone(), Box::new(Never)));
        Ok(vec![internal_player(), external])
    };
    let error = engine_match
        .run(&BTreeSet::new(), 2, &new_players, &mut |_| Ok(ControlFlow::Continue(())))
        .unwrap_err();
    // Both threads begin a game, and either may be the first to fail.
    let reasons = [1, 2].map(|game| format!("engine b cannot begin game {game}: there is no such program"));
    assert!(reasons.iter().any(|reason| error.message.contains(reason)), "{error}");
    // A failing callback, for example on a full disk.
    let mut calls = 0;
    let mut fail = |_| {
        calls += 1;
        Err(SessionError::new("it cannot be written"))
    };
    let error = engine_match
        .run(&BTreeSet::new(), 2, &|| Ok(vec![internal_player(), internal_player()]), &mut fail)
        .unwrap_err();
    assert_eq!((error.message.as_str(), calls), ("it cannot be written", 1));
}

#[test]
fn a_callback_ends_the_match() {
    let engine_match = engine_match("othello", 20, 10);
    let mut numbers = Vec::new();
    let mut on_game = |played: MatchGame| {
        numbers.push(played.number);
        Ok(if numbers.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let new_players = || Ok(vec![internal_player(), internal_player()]);
    engine_match.run(&BTreeSet::new(), 2, &new_players, &mut on_game).unwrap();
    assert_eq!(numbers.len(), 3);
}

/// A player that panics on the thread of a helper. On the other thread it waits for that, and resigns.
struct PanicsOnHelper {
    lead: ThreadId,
    has_panicked: Arc<AtomicBool>,
}

impl Player for PanicsOnHelper {
    fn new_game(&mut self, _: &dyn GameSession, _: &Opening, _: &MoveLimits) -> Result<(), PlayerFailure> {
        Ok(())
    }

    fn choose_move(
        &mut self,
        _: &dyn GameSession,
        _: &Opening,
        _: &MoveLimits,
        _: Option<Duration>,
        _: Option<&mut dyn SearchObserver>,
    ) -> Result<ChosenMove, PlayerFailure> {
        if thread::current().id() != self.lead {
            self.has_panicked.store(true, Ordering::SeqCst);
            panic!("on purpose");
        }
        while !self.has_panicked.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        Ok(ChosenMove::default())
    }
}

/// Such a match once ended as if all games had been played.
#[test]
fn a_worker_that_panics_is_an_error() {
    let engine_match = engine_match("othello", 4, 10);
    let (lead, has_panicked) = (thread::current().id(), Arc::new(AtomicBool::new(false)));
    let new_player =
        || Box::new(PanicsOnHelper { lead, has_panicked: Arc::clone(&has_panicked) }) as Box<dyn Player>;
    let mut games = 0;
    let mut on_game = |_: MatchGame| {
        games += 1;
        Ok(ControlFlow::Continue(()))
    };
    let error = engine_match
        .run(&BTreeSet::new(), 2, &|| Ok(vec![new_player(), new_player()]), &mut on_game)
        .unwrap_err();
    assert_eq!(games, 3);
    assert!(error.message.ends_with("missing games: 1"), "{error}");
}

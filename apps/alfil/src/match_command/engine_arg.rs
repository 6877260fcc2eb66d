//! The `--engine` argument: `cmd=... proto=... ranks=... option.NAME=VALUE`.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use alfil_matches::external::{EngineSpec, ExternalPlayer};
use alfil_matches::internal::{InternalPlayer, InternalPlayerOptions};
use alfil_matches::move_encoding::RankNumbering;
use alfil_matches::{ClockState, EngineConfig, Player, PlayerLimits, Protocol, variant_names};
use alfil_session::searcher::check_memory;
use alfil_session::{GameEntry, GameInfo, ParamValue};

use crate::args::{THREAD_MIB, read_evaluation};
use crate::engine_process::{self, EngineProgram};

/// An engine of the command line and its search limits.
#[derive(Clone, Debug)]
pub(crate) struct EngineArg {
    /// The name in the results.
    pub(crate) name: String,
    /// The limits of this engine, where they differ from those of the match.
    pub(crate) limits: PlayerLimits,
    kind: EngineArgKind,
}

#[derive(Clone, Debug)]
enum EngineArgKind {
    Internal(InternalPlayerOptions),
    External {
        command: Vec<String>,
        protocol: Protocol,
        ranks: RankNumbering,
        options: Vec<(String, String)>,
        setup_lines: Vec<String>,
    },
}

impl EngineArg {
    /// Parses an engine argument.
    ///
    /// # Errors
    /// If a key is unknown or a value is invalid.
    pub(crate) fn parse(text: &str) -> Result<EngineArg, String> {
        let tokens = shell_words::split(text).map_err(|error| format!("{text:?}: {error}"))?;
        let (mut name, mut limits, mut internal) =
            (None, PlayerLimits::default(), InternalPlayerOptions::default());
        let (mut command, mut protocol, mut ranks) = (Vec::new(), None, None);
        let (mut options, mut setup_lines, mut keys) = (Vec::new(), Vec::new(), BTreeSet::new());
        for token in &tokens {
            let Some((key, value)) = token.split_once('=') else {
                return Err(format!("cannot read {token:?}: expected KEY=VALUE with a key of {KEYS}"));
            };
            if key != "send" && !keys.insert(key) {
                return Err(format!("{text:?}: {key}= is given twice"));
            }
            let value = value.to_owned();
            match key {
                "cmd" => command = parse_command(&value)?,
                "proto" => protocol = Some(self::parse_protocol(&value)?),
                "ranks" => {
                    ranks = Some(match value.as_str() {
                        "0-9" => RankNumbering::Zero,
                        "1-10" => RankNumbering::One,
                        _ => return Err(format!("expected ranks=0-9 or ranks=1-10, found {value:?}")),
                    });
                }
                "name" => name = Some(value),
                "send" => setup_lines.push(value),
                "level" => internal.level = Some(parse_level(&value)?),
                "board" => internal.board = Some(value),
                "hash" => {
                    internal.resources.hash_mib = parse_up_to(65_536, key, &value)?;
                    check_memory(internal.resources.hash_mib).map_err(|error| error.to_string())?;
                }
                "eval" => {
                    let evaluation = read_evaluation(Some(Path::new(&value)));
                    internal.evaluation = evaluation.map_err(|error| format!("eval: {error:#}"))?;
                }
                "threads" => internal.resources.threads = parse_up_to(256, key, &value)?,
                "nodes" => limits.nodes = Some(parse_positive(key, &value)?),
                "softnodes" => limits.soft_nodes = Some(parse_positive(key, &value)?),
                "depth" => limits.depth = Some(parse_positive(key, &value)?),
                "movetime" => limits.move_time = Some(Duration::from_millis(parse_positive(key, &value)?)),
                "tc" => limits.clock = Some(parse_clock(&value)?),
                _ => match key.split_once('.') {
                    Some(("option", option)) => options.push((option.to_owned(), value)),
                    Some(("param", param)) => {
                        let value = ParamValue::parse(param, &value).map_err(|error| error.to_string())?;
                        internal.resources.params.push(value);
                    }
                    _ => return Err(format!("unknown engine key {key:?}; the keys are {KEYS}")),
                },
            }
        }
        if command.is_empty() {
            if protocol.is_some() || ranks.is_some() || !options.is_empty() || !setup_lines.is_empty() {
                return Err(format!(
                    "{text:?} is the built-in engine, which takes no proto, ranks, option or send; cmd= is missing"
                ));
            }
            let default_name =
                || internal.level.map_or("alfil".into(), |level| format!("alfil level {level}"));
            let name = name.unwrap_or_else(default_name);
            return Ok(EngineArg { name, limits, kind: EngineArgKind::Internal(internal) });
        }
        if keys.iter().any(|key| INTERNAL_KEYS.contains(key) || key.starts_with("param.")) {
            return Err(format!(
                "{text:?}: {} and param are for the built-in engine, without cmd=",
                INTERNAL_KEYS.join(", ")
            ));
        }
        let protocol = protocol
            .ok_or_else(|| format!("{text:?} has no proto=; the protocols are {}", protocol_names()))?;
        check_options(protocol, &options)?;
        let name =
            name.unwrap_or_else(|| command[0].rsplit(['/', '\\']).next().unwrap_or_default().to_owned());
        let ranks = ranks.unwrap_or_default();
        let kind = EngineArgKind::External { command, protocol, ranks, options, setup_lines };
        Ok(EngineArg { name, limits, kind })
    }

    /// Returns why the engine cannot play this game, with its limits or from openings with a position.
    pub(crate) fn unsupported_reason(&self, game: &GameEntry, positions: bool) -> Option<String> {
        let message_for = |reason: String| Some(format!("engine {}: {reason}", self.name));
        let (game_name, boards) = (game.info.name(), game.board_names());
        match &self.kind {
            EngineArgKind::Internal(InternalPlayerOptions { board: Some(board), .. })
                if !boards.contains(&board.as_str()) =>
            {
                message_for(format!(
                    "{game_name} has no board {board:?}: its boards are {}",
                    boards.join(", ")
                ))
            }
            EngineArgKind::Internal(InternalPlayerOptions { evaluation, .. })
                if let Err(error) =
                    game.open(None).and_then(|mut session| session.set_evaluation(evaluation)) =>
            {
                message_for(format!("eval: {error}"))
            }
            EngineArgKind::Internal(_) if self.limits.is_unlimited() => {
                message_for("its search has no limit; give tc, movetime, nodes, softnodes or depth".into())
            }
            EngineArgKind::Internal(_) => None,
            EngineArgKind::External { protocol, .. } => {
                let name = protocol.name();
                let move_limits = self.limits.move_limits([self.limits.clock; 2]);
                match protocol.unsupported_limit(&move_limits) {
                    _ if !variant_names(game.info).has_protocol(*protocol) => {
                        message_for(format!("protocol {name} does not support {game_name}"))
                    }
                    Some(cause) => message_for(format!("{name} {cause}")),
                    None if positions && !protocol.supports_setup() => message_for(format!(
                        "protocol {name} has only the start position; give openings as moves"
                    )),
                    None => None,
                }
            }
        }
    }

    /// Returns whether nothing ends the searches of this other program but the timeout of the match. In the protocols
    /// other than UCI and UCCI, a program has limits of its own.
    pub(crate) fn is_limited_by_timeout_alone(&self) -> bool {
        let is_external =
            matches!(self.kind, EngineArgKind::External { protocol: Protocol::Uci | Protocol::Ucci, .. });
        is_external && self.limits.is_unlimited()
    }

    /// Returns the description of the network that evaluates; `None` for the hand-made terms and for another program.
    pub(crate) fn network(&self, game: &GameEntry) -> Option<String> {
        let EngineArgKind::Internal(options) = &self.kind else { return None };
        let mut session = game.open(None).ok()?;
        session.set_evaluation(&options.evaluation).ok()?;
        session.evaluation_network()
    }

    /// Returns whether the engine is another program.
    pub(crate) fn is_external(&self) -> bool {
        matches!(self.kind, EngineArgKind::External { .. })
    }

    /// Checks that the program of an external engine is there.
    ///
    /// # Errors
    /// If it is not, with the place where it was searched.
    pub(crate) fn check_program(&self) -> Result<(), String> {
        match &self.kind {
            EngineArgKind::Internal(_) => Ok(()),
            EngineArgKind::External { command, .. } => engine_process::check_program(&command[0]),
        }
    }

    /// Returns the address space that a player of this engine can take in this process, in MiB.
    pub(crate) fn memory_mib(&self) -> usize {
        match &self.kind {
            EngineArgKind::Internal(InternalPlayerOptions { resources, .. }) => {
                resources.hash_mib + resources.threads.max(1) * THREAD_MIB + SOLVER_MIB
            }
            // Two threads transfer the lines of the process.
            EngineArgKind::External { .. } => 2 * THREAD_MIB,
        }
    }

    /// Creates a player that uses this engine.
    pub(crate) fn new_player(
        &self,
        game: &GameInfo,
        ruleset: Option<&str>,
        timeout: Duration,
    ) -> Box<dyn Player> {
        match &self.kind {
            EngineArgKind::Internal(internal) => Box::new(InternalPlayer::new(InternalPlayerOptions {
                ruleset: ruleset.map(str::to_owned),
                ..internal.clone()
            })),
            EngineArgKind::External { command, protocol, ranks, options, setup_lines } => {
                let config = EngineConfig {
                    variants: variant_names(game),
                    options: options.clone(),
                    lines: setup_lines.clone(),
                    ..EngineConfig::default()
                };
                let spec = EngineSpec { protocol: *protocol, config, ranks: *ranks, timeout };
                Box::new(ExternalPlayer::new(spec, Box::new(EngineProgram(command.clone()))))
            }
        }
    }
}

/// The table of the endgame solver of a player, in MiB.
const SOLVER_MIB: usize = 40;

/// The keys of the built-in engine alone, beside `param.NAME`.
const INTERNAL_KEYS: [&str; 5] = ["level", "board", "hash", "threads", "eval"];

const KEYS: &str = "cmd, proto, ranks, name, option.NAME, send, level, board, hash, threads, eval, param.NAME, tc, movetime, nodes, softnodes, depth";

/// Splits the command line of an external engine into words.
fn parse_command(value: &str) -> Result<Vec<String>, String> {
    let words = shell_words::split(value).map_err(|error| format!("{value:?}: {error}"))?;
    match words.is_empty() {
        true => Err("cmd= is empty; an engine without it is the built-in one".into()),
        false => Ok(words),
    }
}

/// Checks that a protocol can set options, if there are any.
fn check_options(protocol: Protocol, options: &[(String, String)]) -> Result<(), String> {
    match options.first() {
        Some((option, _)) if !protocol.supports_options() => Err(format!(
            "proto={} has no options, so option.{option} cannot be set; send='LINE' sends a command of the engine",
            protocol.name()
        )),
        _ => Ok(()),
    }
}

fn protocol_names() -> String {
    Protocol::ALL.map(Protocol::name).join(", ")
}

fn parse_protocol(name: &str) -> Result<Protocol, String> {
    Protocol::from_name(name)
        .ok_or_else(|| format!("there is no protocol {name:?}; the protocols are {}", protocol_names()))
}

fn parse_level(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|level| (1..=10).contains(level))
        .ok_or(format!("expected a level from 1 to 10, found {text:?}"))
}

/// Parses a whole number from 1 to `max`.
fn parse_up_to(max: usize, key: &str, text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| format!("expected {key} from 1 to {max}, found {text:?}"))
}

/// Parses a whole number above 0.
fn parse_positive<N: TryFrom<u64>>(key: &str, text: &str) -> Result<N, String> {
    let number = text.parse().ok().filter(|&number: &u64| number > 0);
    number
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| format!("expected a whole number above 0 for {key}, found {text:?}"))
}

/// Parses a clock: `[MOVES/]TIME[+SECONDS]`, with the time in seconds, `M:SS` or `H:MM:SS`.
pub(crate) fn parse_clock(text: &str) -> Result<ClockState, String> {
    let parse_error = || {
        format!(
            "cannot read {text:?} as a time: expected [MOVES/]TIME[+SECONDS], such as 10+0.1, 5:00+3 or 40/60"
        )
    };
    let (moves, rest) = text.split_once('/').map_or((None, text), |(moves, rest)| (Some(moves), rest));
    let (left, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let seconds = |text: &str| {
        // So that later sums do not overflow.
        let seconds = text.parse().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
        seconds.map(Duration::from_secs_f64).ok_or_else(parse_error)
    };
    // Minutes and seconds are below 60 if a larger unit precedes them.
    let time = |text: &str| {
        let parts: Vec<_> = text.split(':').collect();
        let units = [3600, 60, 1].get(3_usize.saturating_sub(parts.len())..).filter(|_| parts.len() <= 3);
        let mut sum = Duration::ZERO;
        for (index, (part, &unit)) in parts.iter().zip(units.ok_or_else(parse_error)?).enumerate() {
            let part = seconds(part)?;
            // Hours and minutes are whole numbers.
            if (index > 0 && part >= Duration::from_secs(60)) || (unit > 1 && part.subsec_nanos() > 0) {
                return Err(parse_error());
            }
            sum += part * unit;
        }
        Ok(sum)
    };
    let clock = ClockState {
        remaining: time(left)?,
        increment: seconds(increment)?,
        moves_to_go: moves
            .map(|moves| parse_positive("moves", moves))
            .transpose()
            .map_err(|_| parse_error())?,
    };
    if clock.remaining.is_zero() { Err(parse_error()) } else { Ok(clock) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_arguments_are_parsed_or_rejected_with_the_reason() {
        let external = EngineArg::parse(
            "cmd='/usr/games/fairy-stockfish -x' proto=uci ranks=1-10 'option.Move Overhead=10' movetime=100",
        );
        let external = external.unwrap();
        assert_eq!(
            (external.name.as_str(), external.limits.move_time),
            ("fairy-stockfish", Some(Duration::from_millis(100)))
        );
        let EngineArgKind::External { command, ranks, options, .. } = external.kind else {
            panic!("expected an external engine")
        };
        assert_eq!((command.len(), ranks), (2, RankNumbering::One));
        assert_eq!(options, [("Move Overhead".to_owned(), "10".to_owned())]);
        assert_eq!(EngineArg::parse("level=3").unwrap().name, "alfil level 3");
        let own = EngineArg::parse("name=own level=3 nodes=5000").unwrap();
        assert_eq!((own.name.as_str(), own.limits.nodes), ("own", Some(5000)));
        let chess = alfil_session::registry::Registry::default().entry("chess").unwrap();
        assert!(EngineArg::parse("").unwrap().unsupported_reason(chess, false).unwrap().contains("no limit"));
        assert!(EngineArg::parse("nodes=1 board=folded").unwrap().unsupported_reason(chess, false).is_some());
        let soft = EngineArg::parse("cmd=x proto=uci softnodes=500").unwrap();
        assert!(
            soft.unsupported_reason(chess, false).unwrap().contains("uci does not support a soft node limit")
        );
        for (text, expected) in [
            ("cmd=x", "proto="),
            ("cmd=x proto=telnet", "there is no protocol \"telnet\"; the protocols are uci"),
            ("cmd=x proto=uci level=3", "the built-in engine"),
            ("proto=uci", "cmd= is missing"),
            (
                "cmd=x proto=gtp option.Level=3",
                "proto=gtp has no options, so option.Level cannot be set; send='LINE'",
            ),
            ("cmd=x proto=nboard option.Level=3", "proto=nboard has no options"),
            ("nodes=0", "expected a whole number above 0 for nodes"),
            ("softnodes=0", "expected a whole number above 0 for softnodes"),
            ("depth=99999999999", "expected a whole number above 0 for depth"),
            ("level=11", "expected a level from 1 to 10"),
            ("hash=0", "expected hash from 1 to 65536"),
            (
                "cmd=x proto=uci threads=2",
                "level, board, hash, threads, eval and param are for the built-in engine",
            ),
            (
                "param.rfp_margin=1000",
                "expected a whole number from 50 to 150 for rfp_margin, found \"1000\"",
            ),
            ("eval=/no/such/file", "eval: cannot read /no/such/file"),
            ("param.speed=1", "unknown search parameter \"speed\""),
            ("ranks=1-9", "expected ranks=0-9 or ranks=1-10"),
            ("fast", "expected KEY=VALUE"),
            ("speed=1", "unknown engine key \"speed\""),
            ("name='x", "name='x"),
            ("tc=1:90", "as a time"),
            ("tc=1.5:00", "as a time"),
            ("tc=1:00:00:00", "as a time"),
        ] {
            let error = EngineArg::parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn clocks_are_parsed() {
        let times = |text| {
            parse_clock(text)
                .map(|clock| (clock.remaining.as_millis(), clock.increment.as_millis(), clock.moves_to_go))
        };
        assert_eq!(times("10+0.1"), Ok((10_000, 100, None)));
        assert_eq!(times("5:00+3"), Ok((300_000, 3_000, None)));
        assert_eq!(times("40/1:30:00.5"), Ok((5_400_500, 0, Some(40))));
        assert_eq!(times("40/60"), Ok((60_000, 0, Some(40))));
        assert_eq!(times("0.5"), Ok((500, 0, None)));
        for bad in ["", "0", "-1", "nan", "1e10", "1e999", "1+", "0/5", "+1", "5/"] {
            assert!(times(bad).is_err(), "{bad}");
        }
    }
}

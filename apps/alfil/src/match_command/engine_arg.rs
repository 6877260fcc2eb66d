//! An engine as the command line names it: `cmd=... proto=... ranks=... option.NAME=VALUE`.

use std::time::Duration;

use alfil_matches::external::{EngineSpec, ExternalPlayer};
use alfil_matches::internal::{InternalPlayer, InternalPlayerOptions};
use alfil_matches::move_encoding::RankNumbering;
use alfil_matches::{ClockState, EngineConfig, Player, PlayerLimits, Protocol};
use alfil_session::searcher::check_memory;

use super::process::EngineProgram;

/// An engine and how long it may think.
#[derive(Clone, Debug)]
pub(crate) struct EngineArg {
    /// What it is called in the results.
    pub(crate) name: String,
    /// How long it may think, where that differs from the other engine.
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
    /// Reads the words of an engine.
    ///
    /// # Errors
    /// If a word is unknown, or says something that cannot be.
    pub(crate) fn parse(text: &str) -> Result<EngineArg, String> {
        let words = shell_words::split(text).map_err(|error| format!("{text:?}: {error}"))?;
        let (mut name, mut pace, mut inner) =
            (None, PlayerLimits::default(), InternalPlayerOptions::default());
        let (mut command, mut protocol, mut ranks) = (Vec::new(), None, None);
        let (mut options, mut lines) = (Vec::new(), Vec::new());
        for word in &words {
            let Some((key, value)) = word.split_once('=') else {
                return Err(format!("{word:?} is no KEY=VALUE: {KEYS}"));
            };
            let value = value.to_owned();
            match key {
                "cmd" => {
                    command = shell_words::split(&value).map_err(|error| format!("{value:?}: {error}"))?
                }
                "proto" => protocol = Some(self::parse_protocol(&value)?),
                "ranks" => {
                    ranks = Some(match value.as_str() {
                        "0-9" => RankNumbering::Zero,
                        "1-10" => RankNumbering::One,
                        _ => return Err(format!("ranks are 0-9 or 1-10, not {value:?}")),
                    });
                }
                "name" => name = Some(value),
                "send" => lines.push(value),
                "level" => inner.level = Some(parse_level(&value)?),
                "board" => inner.board = Some(value),
                "hash" => {
                    inner.resources.hash_mib = parse_up_to(65_536, key, &value)?;
                    check_memory(inner.resources.hash_mib).map_err(|error| error.to_string())?;
                }
                "threads" => inner.resources.threads = parse_up_to(256, key, &value)?,
                "nodes" => pace.nodes = Some(parse_positive(key, &value)?),
                "depth" => pace.depth = Some(parse_positive(key, &value)?),
                "movetime" => pace.move_time = Some(Duration::from_millis(parse_positive(key, &value)?)),
                "tc" => pace.clock = Some(parse_clock(&value)?),
                _ => match key.strip_prefix("option.") {
                    Some(option) => options.push((option.to_owned(), value)),
                    None => return Err(format!("an engine has no {key:?}: {KEYS}")),
                },
            }
        }
        if command.is_empty() {
            if protocol.is_some() || ranks.is_some() || !options.is_empty() || !lines.is_empty() {
                return Err(format!(
                    "{text:?} is an engine of the house, without cmd=: it takes no proto, ranks, option or send"
                ));
            }
            let usual = || inner.level.map_or("alfil".into(), |level| format!("alfil level {level}"));
            let name = name.unwrap_or_else(usual);
            return Ok(EngineArg { name, limits: pace, kind: EngineArgKind::Internal(inner) });
        }
        if inner != InternalPlayerOptions::default() {
            return Err(format!(
                "{text:?}: level, board, hash and threads are for engines of the house, without cmd="
            ));
        }
        let protocol = protocol.ok_or_else(|| format!("{text:?} names no proto=: {}", protocol_names()))?;
        let name =
            name.unwrap_or_else(|| command[0].rsplit(['/', '\\']).next().unwrap_or_default().to_owned());
        let kind = EngineArgKind::External {
            command,
            protocol,
            ranks: ranks.unwrap_or_default(),
            options,
            setup_lines: lines,
        };
        Ok(EngineArg { name, limits: pace, kind })
    }

    /// Why it cannot play this game at its pace, or from such openings.
    pub(crate) fn unsupported_reason(&self, game: &str, boards: &[&str], positions: bool) -> Option<String> {
        let because = |words: String| Some(format!("engine {}: {words}", self.name));
        match &self.kind {
            EngineArgKind::Internal(InternalPlayerOptions { board: Some(board), .. })
                if !boards.contains(&board.as_str()) =>
            {
                because(format!("{game} has no board {board:?}: its boards are {}", boards.join(", ")))
            }
            EngineArgKind::Internal(_) if self.limits.is_unlimited() => {
                because("nothing bounds its thoughts: give tc, movetime, nodes or depth".into())
            }
            EngineArgKind::Internal(_) => None,
            EngineArgKind::External { protocol, .. } => {
                let name = protocol.name();
                let budget = self.limits.move_limits([self.limits.clock; 2]);
                match protocol.unsupported_limit(&budget) {
                    _ if !protocol.can_play(game) => because(format!("{name} is not for {game}")),
                    Some(why) => because(format!("{name} {why}")),
                    None if positions && !protocol.supports_setup() => {
                        because(format!("{name} knows only the start position: give openings as moves"))
                    }
                    None => None,
                }
            }
        }
    }

    /// Somebody who plays for it.
    pub(crate) fn new_player(&self, game: &str, book: Option<&str>, patience: Duration) -> Box<dyn Player> {
        match &self.kind {
            EngineArgKind::Internal(habit) => Box::new(InternalPlayer::new(InternalPlayerOptions {
                ruleset: book.map(str::to_owned),
                ..habit.clone()
            })),
            EngineArgKind::External { command, protocol, ranks, options, setup_lines: lines } => {
                let profile =
                    EngineConfig { game: game.into(), options: options.clone(), lines: lines.clone() };
                let calling =
                    EngineSpec { protocol: *protocol, config: profile, ranks: *ranks, timeout: patience };
                Box::new(ExternalPlayer::new(calling, Box::new(EngineProgram(command.clone()))))
            }
        }
    }
}

const KEYS: &str =
    "cmd, proto, ranks, name, option.NAME, send, level, board, hash, threads, tc, movetime, nodes, depth";

fn protocol_names() -> String {
    Protocol::ALL.map(Protocol::name).join(", ")
}

fn parse_protocol(name: &str) -> Result<Protocol, String> {
    Protocol::from_name(name).ok_or_else(|| format!("there is no protocol {name:?}: {}", protocol_names()))
}

fn parse_level(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|level| (1..=10).contains(level))
        .ok_or(format!("a level is 1 to 10, not {text:?}"))
}

/// A whole number from 1 to this.
fn parse_up_to(most: usize, key: &str, text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("{key} is 1 to {most}, not {text:?}"))
}

/// A whole number above 0.
fn parse_positive<N: TryFrom<u64>>(key: &str, text: &str) -> Result<N, String> {
    let number = text.parse().ok().filter(|&number: &u64| number > 0);
    number
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| format!("{key} is no whole number above 0: {text:?}"))
}

/// A clock: `[MOVES/]TIME[+SECONDS]`, the time in seconds, or as `M:SS` or `H:MM:SS`.
pub(crate) fn parse_clock(text: &str) -> Result<ClockState, String> {
    let wrong = || format!("{text:?} is no time: [MOVES/]TIME[+SECONDS], such as 10+0.1, 5:00+3 or 40/60");
    let (moves, rest) = text.split_once('/').map_or((None, text), |(moves, rest)| (Some(moves), rest));
    let (left, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let seconds = |text: &str| {
        let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite());
        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(wrong)
    };
    // Of minutes and seconds there are less than sixty where more stands before them.
    let time = |text: &str| {
        let parts: Vec<_> = text.split(':').collect();
        let units = [3600, 60, 1].get(3_usize.saturating_sub(parts.len())..).filter(|_| parts.len() <= 3);
        let mut sum = Duration::ZERO;
        for (index, (part, &unit)) in parts.iter().zip(units.ok_or_else(wrong)?).enumerate() {
            let part = seconds(part)?;
            // Hours and minutes are whole.
            if (index > 0 && part >= Duration::from_secs(60)) || (unit > 1 && part.subsec_nanos() > 0) {
                return Err(wrong());
            }
            sum = part.checked_mul(unit).and_then(|part| sum.checked_add(part)).ok_or_else(wrong)?;
        }
        Ok(sum)
    };
    let clock = ClockState {
        remaining: time(left)?,
        increment: seconds(increment)?,
        moves_to_go: moves.map(|moves| parse_positive("moves", moves)).transpose().map_err(|_| wrong())?,
    };
    if clock.remaining.is_zero() { Err(wrong()) } else { Ok(clock) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_read() {
        let fish = EngineArg::parse(
            "cmd='/usr/games/fairy-stockfish -x' proto=uci ranks=1-10 'option.Move Overhead=10' movetime=100",
        );
        let fish = fish.unwrap();
        assert_eq!(
            (fish.name.as_str(), fish.limits.move_time),
            ("fairy-stockfish", Some(Duration::from_millis(100)))
        );
        let EngineArgKind::External { command, ranks, options, .. } = fish.kind else { panic!("a program") };
        assert_eq!((command.len(), ranks), (2, RankNumbering::One));
        assert_eq!(options, [("Move Overhead".to_owned(), "10".to_owned())]);
        assert_eq!(EngineArg::parse("level=3").unwrap().name, "alfil level 3");
        let own = EngineArg::parse("name=own level=3 nodes=5000").unwrap();
        assert_eq!((own.name.as_str(), own.limits.nodes), ("own", Some(5000)));
        assert!(
            EngineArg::parse("")
                .unwrap()
                .unsupported_reason("chess", &[], false)
                .unwrap()
                .contains("nothing bounds")
        );
        assert!(
            EngineArg::parse("nodes=1 board=folded")
                .unwrap()
                .unsupported_reason("chess", &["mailbox"], false)
                .is_some()
        );
        for (text, expected) in [
            ("cmd=x", "proto="),
            ("cmd=x proto=telnet", "there is no protocol \"telnet\": uci"),
            ("cmd=x proto=uci level=3", "engines of the house"),
            ("proto=uci", "without cmd="),
            ("nodes=0", "nodes is no whole number above 0"),
            ("depth=99999999999", "depth is no whole number"),
            ("level=11", "a level is 1 to 10"),
            ("hash=0", "hash is 1 to 65536"),
            ("cmd=x proto=uci threads=2", "level, board, hash and threads are for engines of the house"),
            ("ranks=1-9", "0-9 or 1-10"),
            ("fast", "no KEY=VALUE"),
            ("speed=1", "an engine has no \"speed\""),
            ("name='x", "name='x"),
            ("tc=1:90", "is no time"),
            ("tc=1.5:00", "is no time"),
            ("tc=1:00:00:00", "is no time"),
        ] {
            let error = EngineArg::parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn clocks_are_read() {
        let times = |text| {
            parse_clock(text)
                .map(|clock| (clock.remaining.as_millis(), clock.increment.as_millis(), clock.moves_to_go))
        };
        assert_eq!(times("10+0.1"), Ok((10_000, 100, None)));
        assert_eq!(times("5:00+3"), Ok((300_000, 3_000, None)));
        assert_eq!(times("40/1:30:00.5"), Ok((5_400_500, 0, Some(40))));
        assert_eq!(times("40/60"), Ok((60_000, 0, Some(40))));
        assert_eq!(times("0.5"), Ok((500, 0, None)));
        for bad in ["", "0", "-1", "nan", "1e999", "1+", "0/5", "+1", "5/"] {
            assert!(times(bad).is_err(), "{bad}");
        }
    }
}

//! UCCI 3.0, the protocol of xiangqi programs in China: like UCI, with clocks of the mover and the opponent, bare scores, and
//! options without words around them.

use std::time::Duration;

use super::uci::{parse_info, position_command};
use super::{ClientEvent, EngineClient, EngineConfig, GoRequest};

/// The user's end of UCCI.
#[derive(Debug)]
pub(super) struct UcciClient {
    config: EngineConfig,
    name: Option<String>,
    /// The engine knows `usemillisec`; otherwise it counts whole seconds.
    uses_milliseconds: bool,
    /// The engine has a button for a new game.
    has_new_game_button: bool,
    handshake_done: bool,
}

impl UcciClient {
    pub(super) fn new(profile: EngineConfig) -> Self {
        UcciClient {
            config: profile,
            name: None,
            uses_milliseconds: false,
            has_new_game_button: false,
            handshake_done: false,
        }
    }

    fn time_units(&self, time: Duration) -> u128 {
        // Less than a second would be no time at all.
        if self.uses_milliseconds { time.as_millis() } else { u128::from(time.as_secs().max(1)) }
    }

    fn increment_units(&self, time: Duration) -> u128 {
        if self.uses_milliseconds { time.as_millis() } else { u128::from(time.as_secs()) }
    }
}

impl EngineClient for UcciClient {
    fn handshake(&mut self, out: &mut Vec<String>) {
        out.push("ucci".into());
    }

    fn on_line(&mut self, line: &str, out: &mut Vec<String>) -> ClientEvent {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["id", "name", ..] => self.name = Some(words[2..].join(" ")),
            ["option", "usemillisec", ..] => self.uses_milliseconds = true,
            ["option", "newgame", ..] => self.has_new_game_button = true,
            ["ucciok"] if !self.handshake_done => {
                self.handshake_done = true;
                if self.uses_milliseconds {
                    out.push("setoption usemillisec true".into());
                }
                for (name, value) in &self.config.options {
                    out.push(format!("setoption {name} {value}").trim_end().to_owned());
                }
                out.extend(self.config.lines.iter().cloned());
                out.push("isready".into());
            }
            ["readyok"] => return ClientEvent::Ready,
            ["nobestmove", ..] | ["bestmove"] => return ClientEvent::Dispute(line.trim().into()),
            // Who resigns names a move all the same.
            ["bestmove", _, .., "resign"] => return ClientEvent::Resign,
            ["bestmove", mv, ..] => return ClientEvent::BestMove(mv.into()),
            ["info", "message", ..] => (),
            ["info", ..] => return parse_info(&words).map_or(ClientEvent::NoEvent, ClientEvent::Info),
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn new_game(&mut self, _: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        if self.has_new_game_button {
            out.push("setoption newgame".into());
        }
        out.push("isready".into());
        ClientEvent::NoEvent
    }

    fn go(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) {
        out.push(position_command(task));
        let budget = task.limits;
        let limit = match (budget.clocks, budget.move_time) {
            // There is no word for the time of one move, but one move until the next control is just that.
            (None, Some(time)) => format!("time {} movestogo 1", self.time_units(time)),
            (Some([own, other]), _) => {
                let mut words = format!("time {}", self.time_units(own.remaining));
                words += &match own.moves_to_go {
                    Some(moves) => format!(" movestogo {moves}"),
                    None => format!(" increment {}", self.increment_units(own.increment)),
                };
                words += &format!(" opptime {}", self.time_units(other.remaining));
                words += &match other.moves_to_go {
                    Some(moves) => format!(" oppmovestogo {moves}"),
                    None => format!(" oppincrement {}", self.increment_units(other.increment)),
                };
                words
            }
            (None, None) => match (budget.nodes, budget.depth) {
                (Some(nodes), _) => format!("nodes {nodes}"),
                (None, Some(depth)) => format!("depth {depth}"),
                (None, None) => "infinite".into(),
            },
        };
        out.push(format!("go {limit}"));
    }

    fn stop(&mut self, out: &mut Vec<String>) {
        out.push("stop".into());
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClockState, EngineInfo, MoveLimits, Protocol};
    use super::*;

    fn said(driver: &mut dyn EngineClient, line: &str) -> (ClientEvent, Vec<String>) {
        let mut out = Vec::new();
        (driver.on_line(line, &mut out), out)
    }

    fn went(driver: &mut dyn EngineClient, budget: &MoveLimits) -> String {
        let mut out = Vec::new();
        driver.go(
            &GoRequest { start: None, second_moves_first: false, moves: &["h2e2".into()], limits: budget },
            &mut out,
        );
        assert_eq!(out[0], "position startpos moves h2e2");
        out.remove(1)
    }

    #[test]
    fn options_and_clocks_are_those_of_ucci() {
        let options = vec![("usebook".into(), "false".into())];
        let mut driver =
            Protocol::Ucci.new_client(EngineConfig { game: "xiangqi".into(), options, lines: Vec::new() });
        let time = MoveLimits { move_time: Some(Duration::from_millis(1500)), ..MoveLimits::default() };
        assert_eq!(went(&mut *driver, &time), "go time 1 movestogo 1");
        said(&mut *driver, "option usemillisec type check default false");
        said(&mut *driver, "option newgame type button");
        let (_, out) = said(&mut *driver, "ucciok");
        assert_eq!(out, ["setoption usemillisec true", "setoption usebook false", "isready"]);
        assert_eq!(went(&mut *driver, &time), "go time 1500 movestogo 1");
        let clock = |left, increment, moves| ClockState {
            remaining: Duration::from_secs(left),
            increment: Duration::from_secs(increment),
            moves_to_go: moves,
        };
        let clocks = Some([clock(9, 1, None), clock(8, 0, Some(3))]);
        let clocks = MoveLimits { clocks, ..MoveLimits::default() };
        assert_eq!(went(&mut *driver, &clocks), "go time 9000 increment 1000 opptime 8000 oppmovestogo 3");
        assert_eq!(went(&mut *driver, &MoveLimits { nodes: Some(7), ..MoveLimits::default() }), "go nodes 7");
        assert_eq!(went(&mut *driver, &MoveLimits { depth: Some(4), ..MoveLimits::default() }), "go depth 4");
        let mut out = Vec::new();
        driver.new_game(
            &GoRequest { start: None, second_moves_first: false, moves: &[], limits: &time },
            &mut out,
        );
        assert_eq!(out, ["setoption newgame", "isready"]);
    }

    #[test]
    fn answers_are_told_apart() {
        let mut driver = Protocol::Ucci.new_client(EngineConfig::default());
        let report = EngineInfo { depth: Some(6), score: Some(-4), mate: None, nodes: None };
        for (line, heard) in [
            ("bestmove h2e2 ponder h9g7", ClientEvent::BestMove("h2e2".into())),
            ("bestmove h2e2 draw", ClientEvent::BestMove("h2e2".into())),
            ("bestmove h2e2 ponder h9g7 resign", ClientEvent::Resign),
            ("nobestmove", ClientEvent::Dispute("nobestmove".into())),
            ("info depth 6 score -4 pv h2e2 h9g7", ClientEvent::Info(report)),
            ("info message score 4", ClientEvent::NoEvent),
            ("readyok", ClientEvent::Ready),
            ("pophash", ClientEvent::NoEvent),
        ] {
            assert_eq!(said(&mut *driver, line).0, heard, "{line}");
        }
    }
}

//! The UCCI 3.0 client: like UCI, but with clocks of the side to move and its opponent, bare scores, and
//! `setoption` without keywords.

use std::time::Duration;

use super::uci::{parse_info, position_command};
use super::{ClientEvent, EngineClient, EngineConfig, GoRequest};

/// The client side of UCCI.
#[derive(Debug)]
pub(super) struct UcciClient {
    config: EngineConfig,
    name: Option<String>,
    /// Whether times are milliseconds, by the option `usemillisec`; otherwise they are whole seconds.
    uses_milliseconds: bool,
    /// Whether the engine has the button `newgame`.
    has_new_game_button: bool,
    handshake_done: bool,
    /// Whether a `stop` was sent since the last `isready`. It may have come after the move: some engines then answer
    /// `nobestmove`.
    stop_sent: bool,
    /// Whether lines before the next `readyok` are not replies to the last request.
    ignores_replies: bool,
    /// The moves that the next search excludes.
    banned_moves: Vec<String>,
}

impl UcciClient {
    pub(super) fn new(config: EngineConfig) -> Self {
        UcciClient {
            config,
            name: None,
            uses_milliseconds: false,
            has_new_game_button: false,
            handshake_done: false,
            stop_sent: false,
            ignores_replies: false,
            banned_moves: Vec::new(),
        }
    }

    fn time_units(&self, time: Duration) -> u128 {
        // Zero would be no time at all.
        if self.uses_milliseconds { time.as_millis().max(1) } else { u128::from(time.as_secs().max(1)) }
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
        let tokens: Vec<_> = line.split_whitespace().collect();
        match tokens[..] {
            ["readyok"] => {
                self.ignores_replies = false;
                return ClientEvent::Ready;
            }
            _ if self.ignores_replies => (),
            ["id", "name", ..] => self.name = Some(tokens[2..].join(" ")),
            ["option", "usemillisec", ..] => self.uses_milliseconds = true,
            ["option", "newgame", ..] => self.has_new_game_button = true,
            ["ucciok"] if !self.handshake_done => {
                self.handshake_done = true;
                let mut options = self.config.options.iter();
                // The value that the user has chosen decides.
                match options.find(|(name, _)| name.eq_ignore_ascii_case("usemillisec")) {
                    Some((_, value)) => self.uses_milliseconds = value.eq_ignore_ascii_case("true"),
                    None if self.uses_milliseconds => out.push("setoption usemillisec true".into()),
                    None => (),
                }
                for (name, value) in &self.config.options {
                    out.push(format!("setoption {name} {value}").trim_end().to_owned());
                }
                out.extend(self.config.lines.iter().cloned());
                out.push("isready".into());
            }
            ["nobestmove", ..] | ["bestmove"] => return ClientEvent::Rejection(line.trim().into()),
            // An engine that resigns still sends a move.
            ["bestmove", _, .., "resign"] => return ClientEvent::Resign,
            ["bestmove", mv, ..] => return ClientEvent::BestMove(mv.into()),
            ["info", "message", ..] => (),
            ["info", ..] => return parse_info(&tokens).map_or(ClientEvent::NoEvent, ClientEvent::Info),
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn new_game(&mut self, _: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        if self.has_new_game_button {
            out.push("setoption newgame".into());
        }
        out.push("isready".into());
        self.ignores_replies = std::mem::take(&mut self.stop_sent);
        ClientEvent::NoEvent
    }

    fn exclude_moves(&mut self, refused: &[String], _allowed: &[String]) {
        self.banned_moves = refused.to_vec();
    }

    fn go(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) {
        if std::mem::take(&mut self.stop_sent) {
            out.push("isready".into());
            self.ignores_replies = true;
        }
        out.push(position_command(request));
        let banned_moves = std::mem::take(&mut self.banned_moves);
        if !banned_moves.is_empty() {
            out.push(format!("banmoves {}", banned_moves.join(" ")));
        }
        let limits = request.limits;
        let limit = match (limits.clocks, limits.move_time) {
            // UCCI has no time per move, but one move until the next time control is the same.
            (None, Some(time)) => format!("time {} movestogo 1", self.time_units(time)),
            (Some([own, other]), _) => {
                let mut arguments = format!("time {}", self.time_units(own.remaining));
                arguments += &match own.moves_to_go {
                    Some(moves) => format!(" movestogo {moves}"),
                    None => format!(" increment {}", self.increment_units(own.increment)),
                };
                arguments += &format!(" opptime {}", self.time_units(other.remaining));
                arguments += &match other.moves_to_go {
                    Some(moves) => format!(" oppmovestogo {moves}"),
                    None => format!(" oppincrement {}", self.increment_units(other.increment)),
                };
                arguments
            }
            (None, None) => match (limits.nodes, limits.depth) {
                (Some(nodes), _) => format!("nodes {nodes}"),
                (None, Some(depth)) => format!("depth {depth}"),
                (None, None) => "infinite".into(),
            },
        };
        out.push(format!("go {limit}"));
    }

    fn stop(&mut self, out: &mut Vec<String>) {
        out.push("stop".into());
        self.stop_sent = true;
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClockState, EngineInfo, MoveLimits, Protocol};
    use super::*;

    fn receive(client: &mut dyn EngineClient, line: &str) -> (ClientEvent, Vec<String>) {
        let mut out = Vec::new();
        (client.on_line(line, &mut out), out)
    }

    fn go_command(client: &mut dyn EngineClient, limits: &MoveLimits) -> String {
        let mut out = Vec::new();
        client.go(
            &GoRequest { start: None, second_moves_first: false, moves: &["h2e2".into()], limits },
            &mut out,
        );
        assert_eq!(out[0], "position startpos moves h2e2");
        out.remove(1)
    }

    #[test]
    fn options_and_clocks_are_written_as_in_ucci() {
        let options = vec![("usebook".into(), "false".into())];
        let mut client = Protocol::Ucci.new_client(EngineConfig { options, ..EngineConfig::default() });
        let time = MoveLimits { move_time: Some(Duration::from_millis(1500)), ..MoveLimits::default() };
        assert_eq!(go_command(&mut *client, &time), "go time 1 movestogo 1");
        receive(&mut *client, "option usemillisec type check default false");
        receive(&mut *client, "option newgame type button");
        let (_, out) = receive(&mut *client, "ucciok");
        assert_eq!(out, ["setoption usemillisec true", "setoption usebook false", "isready"]);
        assert_eq!(go_command(&mut *client, &time), "go time 1500 movestogo 1");
        let options = vec![("UseMilliSec".into(), "false".into())];
        let mut in_seconds = Protocol::Ucci.new_client(EngineConfig { options, ..EngineConfig::default() });
        receive(&mut *in_seconds, "option usemillisec type check default false");
        let (_, out) = receive(&mut *in_seconds, "ucciok");
        assert_eq!(out, ["setoption UseMilliSec false", "isready"]);
        assert_eq!(go_command(&mut *in_seconds, &time), "go time 1 movestogo 1");
        let clock = |seconds, increment, moves| ClockState {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_secs(increment),
            moves_to_go: moves,
        };
        let clocks = Some([clock(9, 1, None), clock(8, 0, Some(3))]);
        let clocks = MoveLimits { clocks, ..MoveLimits::default() };
        assert_eq!(
            go_command(&mut *client, &clocks),
            "go time 9000 increment 1000 opptime 8000 oppmovestogo 3"
        );
        assert_eq!(
            go_command(&mut *client, &MoveLimits { nodes: Some(7), ..MoveLimits::default() }),
            "go nodes 7"
        );
        assert_eq!(
            go_command(&mut *client, &MoveLimits { depth: Some(4), ..MoveLimits::default() }),
            "go depth 4"
        );
        let mut out = Vec::new();
        client.new_game(
            &GoRequest { start: None, second_moves_first: false, moves: &[], limits: &time },
            &mut out,
        );
        assert_eq!(out, ["setoption newgame", "isready"]);
    }

    #[test]
    fn replies_are_distinguished() {
        let mut client = Protocol::Ucci.new_client(EngineConfig::default());
        let pv = ["h2e2", "h9g7"].map(String::from).into();
        let info = EngineInfo { depth: Some(6), score: Some(-4), pv, ..EngineInfo::default() };
        for (line, event) in [
            ("bestmove h2e2 ponder h9g7", ClientEvent::BestMove("h2e2".into())),
            ("bestmove h2e2 draw", ClientEvent::BestMove("h2e2".into())),
            ("bestmove h2e2 ponder h9g7 resign", ClientEvent::Resign),
            ("nobestmove", ClientEvent::Rejection("nobestmove".into())),
            ("info depth 6 score -4 pv h2e2 h9g7", ClientEvent::Info(info)),
            ("info message score 4", ClientEvent::NoEvent),
            ("readyok", ClientEvent::Ready),
            ("pophash", ClientEvent::NoEvent),
        ] {
            assert_eq!(receive(&mut *client, line).0, event, "{line}");
        }
    }

    #[test]
    fn a_reply_to_a_late_stop_does_not_answer_the_next_search() {
        let mut client = Protocol::Ucci.new_client(EngineConfig::default());
        let limits = MoveLimits { depth: Some(3), ..MoveLimits::default() };
        let request = GoRequest { start: None, second_moves_first: false, moves: &[], limits: &limits };
        let go = |client: &mut dyn EngineClient| {
            let mut out = Vec::new();
            client.go(&request, &mut out);
            out
        };
        assert_eq!(go(&mut *client), ["position startpos", "go depth 3"]);
        client.stop(&mut Vec::new());
        assert_eq!(receive(&mut *client, "bestmove h2e2").0, ClientEvent::BestMove("h2e2".into()));
        assert_eq!(go(&mut *client), ["isready", "position startpos", "go depth 3"]);
        assert_eq!(receive(&mut *client, "nobestmove").0, ClientEvent::NoEvent);
        assert_eq!(receive(&mut *client, "readyok").0, ClientEvent::Ready);
        assert_eq!(receive(&mut *client, "bestmove b0c2").0, ClientEvent::BestMove("b0c2".into()));
        assert_eq!(go(&mut *client).len(), 2);
        client.stop(&mut Vec::new());
        client.new_game(&request, &mut Vec::new());
        assert_eq!(receive(&mut *client, "nobestmove").0, ClientEvent::NoEvent);
        assert_eq!(receive(&mut *client, "readyok").0, ClientEvent::Ready);
    }

    #[test]
    fn banned_moves_follow_the_position_of_one_search() {
        let mut client = Protocol::Ucci.new_client(EngineConfig::default());
        let limits = MoveLimits { depth: Some(4), ..MoveLimits::default() };
        let request = GoRequest { start: None, second_moves_first: false, moves: &[], limits: &limits };
        client.exclude_moves(&["h2e2".into(), "b2e2".into()], &["a0a1".into()]);
        let mut out = Vec::new();
        client.go(&request, &mut out);
        assert_eq!(out, ["position startpos", "banmoves h2e2 b2e2", "go depth 4"]);
        out.clear();
        client.go(&request, &mut out);
        assert_eq!(out, ["position startpos", "go depth 4"]);
    }
}

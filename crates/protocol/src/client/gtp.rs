//! The GTP client for Othello engines: squares as in Othello, Black moves first.
//!
//! The engine answers every command in order, so a queue of the pending commands assigns the responses.

use std::collections::VecDeque;

use super::{ClientEvent, EngineClient, EngineConfig, GoRequest};

/// The kind of a command whose response is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingCommand {
    Name,
    ListCommands,
    /// A command that the engine may reject.
    Optional,
    /// A move of the game; an engine that rejects it cannot continue.
    Play,
    Genmove,
    /// The last command of a sequence: its response means that the engine is ready.
    Final,
}

/// The client side of GTP.
#[derive(Debug)]
pub(super) struct GtpClient {
    config: EngineConfig,
    name: Option<String>,
    pending: VecDeque<PendingCommand>,
    commands: Vec<String>,
    /// The number of moves of this game that the engine has on its board.
    moves_sent: usize,
    /// Whether the lines up to the next empty one belong to the command list.
    in_command_list: bool,
}

impl GtpClient {
    pub(super) fn new(config: EngineConfig) -> Self {
        GtpClient {
            config,
            name: None,
            pending: VecDeque::new(),
            commands: Vec::new(),
            moves_sent: 0,
            in_command_list: false,
        }
    }

    fn send(&mut self, command: PendingCommand, line: String, out: &mut Vec<String>) {
        self.pending.push_back(command);
        out.push(line);
    }

    fn has_command(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    fn on_reply(&mut self, ok: bool, text: &str, line: &str) -> ClientEvent {
        let command = self.pending.pop_front();
        self.in_command_list = false;
        match (command, ok) {
            (Some(PendingCommand::Name), true) => self.name = Some(text.into()),
            (Some(PendingCommand::ListCommands), true) => {
                self.in_command_list = true;
                self.commands.extend(text.split_whitespace().map(str::to_owned));
            }
            (Some(PendingCommand::Final), _) => return ClientEvent::Ready,
            (Some(PendingCommand::Genmove), true) => {
                self.moves_sent += 1;
                return match text.to_ascii_lowercase().as_str() {
                    "resign" => ClientEvent::Resign,
                    "" => ClientEvent::Rejection(line.into()),
                    text => ClientEvent::BestMove(text.into()),
                };
            }
            (Some(PendingCommand::Genmove | PendingCommand::Play), false) => {
                return ClientEvent::Rejection(line.into());
            }
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn colour_name(second: bool) -> &'static str {
        if second { "white" } else { "black" }
    }
}

impl EngineClient for GtpClient {
    fn handshake(&mut self, out: &mut Vec<String>) {
        self.send(PendingCommand::Optional, "protocol_version".into(), out);
        self.send(PendingCommand::Name, "name".into(), out);
        self.send(PendingCommand::ListCommands, "list_commands".into(), out);
        for line in self.config.lines.clone() {
            self.send(PendingCommand::Optional, line, out);
        }
        self.send(PendingCommand::Final, "boardsize 8".into(), out);
    }

    fn on_line(&mut self, line: &str, _: &mut Vec<String>) -> ClientEvent {
        let line = line.trim();
        let response = line.strip_prefix('=').map(|text| (true, text));
        match response.or_else(|| line.strip_prefix('?').map(|text| (false, text))) {
            // A command number would follow the sign, but none is ever sent.
            Some((ok, text)) => return self.on_reply(ok, text.trim(), line),
            None if line.is_empty() => self.in_command_list = false,
            None if self.in_command_list => self.commands.push(line.into()),
            None => (),
        }
        ClientEvent::NoEvent
    }

    fn new_game(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        if request.start.is_some() {
            return ClientEvent::Rejection("GTP cannot set up a position".into());
        }
        self.moves_sent = 0;
        if self.has_command("set_game") {
            self.send(PendingCommand::Optional, "set_game Othello".into(), out);
        }
        let limits = request.limits;
        // The main time, then the seconds and stones of each overtime period.
        if let Some([own, _]) = limits.clocks {
            let seconds = own.remaining.as_secs();
            let settings =
                own.moves_to_go.map_or(format!("{seconds} 0 0"), |moves| format!("0 {seconds} {moves}"));
            self.send(PendingCommand::Optional, format!("time_settings {settings}"), out);
        } else if let Some(time) = limits.move_time {
            self.send(PendingCommand::Optional, format!("time_settings 0 {} 1", time.as_secs().max(1)), out);
        }
        self.send(PendingCommand::Final, "clear_board".into(), out);
        ClientEvent::NoEvent
    }

    fn go(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) {
        for (index, mv) in request.moves.iter().enumerate().skip(self.moves_sent) {
            let colour = GtpClient::colour_name(request.second_moves_first ^ (index % 2 == 1));
            // Some engines pass on their own and reject `play pass`.
            let command = if mv == "pass" { PendingCommand::Optional } else { PendingCommand::Play };
            self.send(command, format!("play {colour} {mv}"), out);
        }
        self.moves_sent = request.moves.len();
        let colour = GtpClient::colour_name(request.is_second_to_move());
        if let Some([own, other]) = request.limits.clocks
            && self.has_command("time_left")
        {
            for (side, clock) in [(request.is_second_to_move(), own), (!request.is_second_to_move(), other)] {
                let (side, seconds, moves) =
                    (GtpClient::colour_name(side), clock.remaining.as_secs(), clock.moves_to_go.unwrap_or(0));
                self.send(PendingCommand::Optional, format!("time_left {side} {seconds} {moves}"), out);
            }
        }
        self.send(PendingCommand::Genmove, format!("genmove {colour}"), out);
    }

    /// Does nothing: GTP has no such command.
    fn stop(&mut self, _: &mut Vec<String>) {}

    fn quit(&mut self, out: &mut Vec<String>) {
        self.send(PendingCommand::Optional, "quit".into(), out);
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClockState, MoveLimits, Protocol};
    use super::*;
    use std::time::Duration;

    fn receive(client: &mut dyn EngineClient, lines: &[&str]) -> ClientEvent {
        let mut out = Vec::new();
        let events: Vec<_> = lines.iter().map(|line| client.on_line(line, &mut out)).collect();
        assert!(out.is_empty());
        let (last, before) = events.split_last().unwrap();
        assert!(before.iter().all(|event| *event == ClientEvent::NoEvent), "{events:?}");
        last.clone()
    }

    fn connected_client() -> Box<dyn EngineClient> {
        let config = EngineConfig { lines: vec!["komi 0".into()], ..EngineConfig::default() };
        let mut client = Protocol::Gtp.new_client(config);
        let mut out = Vec::new();
        client.handshake(&mut out);
        assert_eq!(out, ["protocol_version", "name", "list_commands", "komi 0", "boardsize 8"]);
        let responses =
            ["= 2", "", "= GTP Rhino", "", "= name", "set_game", "time_left", "", "? unknown", "", "="];
        assert_eq!(receive(&mut *client, &responses), ClientEvent::Ready);
        assert_eq!(client.name(), Some("GTP Rhino"));
        client
    }

    #[test]
    fn responses_are_assigned_to_commands() {
        let mut client = connected_client();
        let clock = |seconds| ClockState { remaining: Duration::from_secs(seconds), ..ClockState::default() };
        let limits = MoveLimits { clocks: Some([clock(60), clock(50)]), ..MoveLimits::default() };
        let moves = ["f5", "d6"].map(String::from);
        let request = GoRequest { start: None, second_moves_first: false, moves: &moves, limits: &limits };
        let mut out = Vec::new();
        client.new_game(&request, &mut out);
        assert_eq!(out, ["set_game Othello", "time_settings 60 0 0", "clear_board"]);
        assert_eq!(receive(&mut *client, &["?", "", "=", "", "="]), ClientEvent::Ready);
        out.clear();
        client.go(&request, &mut out);
        assert_eq!(
            out,
            [
                "play black f5",
                "play white d6",
                "time_left black 60 0",
                "time_left white 50 0",
                "genmove black"
            ]
        );
        assert_eq!(
            receive(&mut *client, &["=", "", "=", "", "=", "", "=", "", "= C3"]),
            ClientEvent::BestMove("c3".into())
        );
        let moves = ["f5", "d6", "c3", "pass"].map(String::from);
        out.clear();
        client.go(&GoRequest { moves: &moves, ..request }, &mut out);
        assert_eq!(out[..2], ["play white pass", "time_left black 60 0"]);
        assert_eq!(
            receive(&mut *client, &["? syntax error", "=", "=", "= D3"]),
            ClientEvent::BestMove("d3".into())
        );
        let moves = ["f5", "d6", "c3", "pass", "d3", "c4"].map(String::from);
        client.go(&GoRequest { moves: &moves, ..request }, &mut out);
        assert!(matches!(receive(&mut *client, &["? illegal move"]), ClientEvent::Rejection(_)));
        out.clear();
        client.new_game(&GoRequest { start: Some("board"), ..request }, &mut out);
        assert_eq!(out, Vec::<String>::new());
    }

    #[test]
    fn an_engine_may_resign_or_send_nothing() {
        for (response, event) in [
            ("= resign", ClientEvent::Resign),
            ("= PASS", ClientEvent::BestMove("pass".into())),
            ("=", ClientEvent::Rejection("=".into())),
            ("? no", ClientEvent::Rejection("? no".into())),
            ("noise", ClientEvent::NoEvent),
        ] {
            let mut client = connected_client();
            let limits = MoveLimits { move_time: Some(Duration::from_secs(1)), ..MoveLimits::default() };
            let mut out = Vec::new();
            client.go(
                &GoRequest { start: None, second_moves_first: false, moves: &[], limits: &limits },
                &mut out,
            );
            assert_eq!(out, ["genmove black"]);
            assert_eq!(receive(&mut *client, &[response]), event, "{response}");
        }
    }
}

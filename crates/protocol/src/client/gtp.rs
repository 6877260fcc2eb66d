//! The Go Text Protocol, version 2, as engines for Othello speak it: squares as Othello names them, Black first.
//!
//! Every command is answered, in order; so it is counted which answer belongs to which.

use std::collections::VecDeque;

use super::{ClientEvent, EngineClient, EngineConfig, GoRequest};

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingCommand {
    Name,
    ListCommands,
    /// Something that may be refused.
    Optional,
    /// A move of the game: whoever refuses one cannot play on.
    Play,
    Genmove,
    /// The last of several: then the engine is ready.
    Final,
}

/// The user's end of GTP.
#[derive(Debug)]
pub(super) struct GtpClient {
    config: EngineConfig,
    name: Option<String>,
    pending: VecDeque<PendingCommand>,
    commands: Vec<String>,
    /// How many moves of this game the engine has on its board.
    moves_sent: usize,
    /// An answer may have several lines, until an empty one.
    in_command_list: bool,
}

impl GtpClient {
    pub(super) fn new(profile: EngineConfig) -> Self {
        GtpClient {
            config: profile,
            name: None,
            pending: VecDeque::new(),
            commands: Vec::new(),
            moves_sent: 0,
            in_command_list: false,
        }
    }

    fn send(&mut self, asked: PendingCommand, line: String, out: &mut Vec<String>) {
        self.pending.push_back(asked);
        out.push(line);
    }

    fn has_command(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    fn on_reply(&mut self, sound: bool, text: &str, line: &str) -> ClientEvent {
        let asked = self.pending.pop_front();
        self.in_command_list = false;
        match (asked, sound) {
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
                    "" => ClientEvent::Dispute(line.into()),
                    text => ClientEvent::BestMove(text.into()),
                };
            }
            (Some(PendingCommand::Genmove | PendingCommand::Play), false) => {
                return ClientEvent::Dispute(line.into());
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
        let answer = line.strip_prefix('=').map(|text| (true, text));
        match answer.or_else(|| line.strip_prefix('?').map(|text| (false, text))) {
            // The number of the command would stand next to the sign: none is ever sent.
            Some((sound, text)) => return self.on_reply(sound, text.trim(), line),
            None if line.is_empty() => self.in_command_list = false,
            None if self.in_command_list => self.commands.push(line.into()),
            None => (),
        }
        ClientEvent::NoEvent
    }

    fn new_game(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        if task.start.is_some() {
            return ClientEvent::Dispute("it cannot be told a position".into());
        }
        self.moves_sent = 0;
        if self.has_command("set_game") {
            self.send(PendingCommand::Optional, "set_game Othello".into(), out);
        }
        let budget = task.limits;
        // Main time, then so much for so many stones.
        if let Some([own, _]) = budget.clocks {
            let seconds = own.remaining.as_secs();
            let settings =
                own.moves_to_go.map_or(format!("{seconds} 0 0"), |moves| format!("0 {seconds} {moves}"));
            self.send(PendingCommand::Optional, format!("time_settings {settings}"), out);
        } else if let Some(time) = budget.move_time {
            self.send(PendingCommand::Optional, format!("time_settings 0 {} 1", time.as_secs().max(1)), out);
        }
        self.send(PendingCommand::Final, "clear_board".into(), out);
        ClientEvent::NoEvent
    }

    fn go(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) {
        for (number, mv) in task.moves.iter().enumerate().skip(self.moves_sent) {
            let colour = GtpClient::colour_name(task.second_moves_first ^ (number % 2 == 1));
            // Some engines pass by themselves, and refuse to be told.
            let asked = if mv == "pass" { PendingCommand::Optional } else { PendingCommand::Play };
            self.send(asked, format!("play {colour} {mv}"), out);
        }
        self.moves_sent = task.moves.len();
        let colour = GtpClient::colour_name(task.is_second_to_move());
        if let Some([own, other]) = task.limits.clocks
            && self.has_command("time_left")
        {
            for (side, clock) in [(task.is_second_to_move(), own), (!task.is_second_to_move(), other)] {
                let (side, seconds, moves) =
                    (GtpClient::colour_name(side), clock.remaining.as_secs(), clock.moves_to_go.unwrap_or(0));
                self.send(PendingCommand::Optional, format!("time_left {side} {seconds} {moves}"), out);
            }
        }
        self.send(PendingCommand::Genmove, format!("genmove {colour}"), out);
    }

    /// There is no such command.
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

    fn said(driver: &mut dyn EngineClient, lines: &[&str]) -> ClientEvent {
        let mut out = Vec::new();
        let heard: Vec<_> = lines.iter().map(|line| driver.on_line(line, &mut out)).collect();
        assert!(out.is_empty());
        let (last, before) = heard.split_last().unwrap();
        assert!(before.iter().all(|heard| *heard == ClientEvent::NoEvent), "{heard:?}");
        last.clone()
    }

    fn greeted() -> Box<dyn EngineClient> {
        let profile =
            EngineConfig { game: "othello".into(), lines: vec!["komi 0".into()], ..EngineConfig::default() };
        let mut driver = Protocol::Gtp.new_client(profile);
        let mut out = Vec::new();
        driver.handshake(&mut out);
        assert_eq!(out, ["protocol_version", "name", "list_commands", "komi 0", "boardsize 8"]);
        let answers =
            ["= 2", "", "= GTP Rhino", "", "= name", "set_game", "time_left", "", "? unknown", "", "="];
        assert_eq!(said(&mut *driver, &answers), ClientEvent::Ready);
        assert_eq!(driver.name(), Some("GTP Rhino"));
        driver
    }

    #[test]
    fn answers_belong_to_commands() {
        let mut driver = greeted();
        let clock = |left| ClockState { remaining: Duration::from_secs(left), ..ClockState::default() };
        let budget = MoveLimits { clocks: Some([clock(60), clock(50)]), ..MoveLimits::default() };
        let moves = ["f5", "d6"].map(String::from);
        let task = GoRequest { start: None, second_moves_first: false, moves: &moves, limits: &budget };
        let mut out = Vec::new();
        driver.new_game(&task, &mut out);
        assert_eq!(out, ["set_game Othello", "time_settings 60 0 0", "clear_board"]);
        assert_eq!(said(&mut *driver, &["?", "", "=", "", "="]), ClientEvent::Ready);
        out.clear();
        driver.go(&task, &mut out);
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
            said(&mut *driver, &["=", "", "=", "", "=", "", "=", "", "= C3"]),
            ClientEvent::BestMove("c3".into())
        );
        let moves = ["f5", "d6", "c3", "pass"].map(String::from);
        out.clear();
        driver.go(&GoRequest { moves: &moves, ..task }, &mut out);
        assert_eq!(out[..2], ["play white pass", "time_left black 60 0"]);
        assert_eq!(
            said(&mut *driver, &["? syntax error", "=", "=", "= D3"]),
            ClientEvent::BestMove("d3".into())
        );
        let moves = ["f5", "d6", "c3", "pass", "d3", "c4"].map(String::from);
        driver.go(&GoRequest { moves: &moves, ..task }, &mut out);
        assert!(matches!(said(&mut *driver, &["? illegal move"]), ClientEvent::Dispute(_)));
        out.clear();
        driver.new_game(&GoRequest { start: Some("board"), ..task }, &mut out);
        assert_eq!(out, Vec::<String>::new());
    }

    #[test]
    fn an_engine_may_resign_or_say_nothing() {
        for (answer, heard) in [
            ("= resign", ClientEvent::Resign),
            ("= PASS", ClientEvent::BestMove("pass".into())),
            ("=", ClientEvent::Dispute("=".into())),
            ("? no", ClientEvent::Dispute("? no".into())),
            ("noise", ClientEvent::NoEvent),
        ] {
            let mut driver = greeted();
            let budget = MoveLimits { move_time: Some(Duration::from_secs(1)), ..MoveLimits::default() };
            let mut out = Vec::new();
            driver.go(
                &GoRequest { start: None, second_moves_first: false, moves: &[], limits: &budget },
                &mut out,
            );
            assert_eq!(out, ["genmove black"]);
            assert_eq!(said(&mut *driver, &[answer]), heard, "{answer}");
        }
    }
}

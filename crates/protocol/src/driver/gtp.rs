//! The Go Text Protocol, version 2, as engines for Othello speak it: squares as Othello names them, Black first.
//!
//! Every command is answered, in order; so it is counted which answer belongs to which.

use std::collections::VecDeque;

use super::{Driver, Heard, Profile, Task};

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Name,
    Commands,
    /// Something that may be refused.
    Any,
    /// A move of the game: whoever refuses one cannot play on.
    Play,
    Genmove,
    /// The last of several: then the engine is ready.
    Last,
}

/// The user's end of GTP.
#[derive(Debug)]
pub(super) struct Gtp {
    profile: Profile,
    name: Option<String>,
    awaited: VecDeque<Asked>,
    commands: Vec<String>,
    /// How many moves of this game the engine has on its board.
    known: usize,
    /// An answer may have several lines, until an empty one.
    listing: bool,
}

impl Gtp {
    pub(super) fn new(profile: Profile) -> Self {
        Gtp { profile, name: None, awaited: VecDeque::new(), commands: Vec::new(), known: 0, listing: false }
    }

    fn ask(&mut self, asked: Asked, line: String, out: &mut Vec<String>) {
        self.awaited.push_back(asked);
        out.push(line);
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    fn answered(&mut self, sound: bool, text: &str, line: &str) -> Heard {
        let asked = self.awaited.pop_front();
        self.listing = false;
        match (asked, sound) {
            (Some(Asked::Name), true) => self.name = Some(text.into()),
            (Some(Asked::Commands), true) => {
                self.listing = true;
                self.commands.extend(text.split_whitespace().map(str::to_owned));
            }
            (Some(Asked::Last), _) => return Heard::Ready,
            (Some(Asked::Genmove), true) => {
                self.known += 1;
                return match text.to_ascii_lowercase().as_str() {
                    "resign" => Heard::Resign,
                    "" => Heard::Dispute(line.into()),
                    text => Heard::Move(text.into()),
                };
            }
            (Some(Asked::Genmove | Asked::Play), false) => return Heard::Dispute(line.into()),
            _ => (),
        }
        Heard::Nothing
    }

    fn colour(second: bool) -> &'static str {
        if second { "white" } else { "black" }
    }
}

impl Driver for Gtp {
    fn greet(&mut self, out: &mut Vec<String>) {
        self.ask(Asked::Any, "protocol_version".into(), out);
        self.ask(Asked::Name, "name".into(), out);
        self.ask(Asked::Commands, "list_commands".into(), out);
        for line in self.profile.lines.clone() {
            self.ask(Asked::Any, line, out);
        }
        self.ask(Asked::Last, "boardsize 8".into(), out);
    }

    fn hear(&mut self, line: &str, _: &mut Vec<String>) -> Heard {
        let line = line.trim();
        let answer = line.strip_prefix('=').map(|text| (true, text));
        match answer.or_else(|| line.strip_prefix('?').map(|text| (false, text))) {
            // The number of the command would stand next to the sign: none is ever sent.
            Some((sound, text)) => return self.answered(sound, text.trim(), line),
            None if line.is_empty() => self.listing = false,
            None if self.listing => self.commands.push(line.into()),
            None => (),
        }
        Heard::Nothing
    }

    fn begin(&mut self, task: &Task<'_>, out: &mut Vec<String>) -> Heard {
        if task.start.is_some() {
            return Heard::Dispute("it cannot be told a position".into());
        }
        self.known = 0;
        if self.knows("set_game") {
            self.ask(Asked::Any, "set_game Othello".into(), out);
        }
        let budget = task.budget;
        // Main time, then so much for so many stones.
        if let Some([own, _]) = budget.clocks {
            let seconds = own.left.as_secs();
            let settings = own.moves.map_or(format!("{seconds} 0 0"), |moves| format!("0 {seconds} {moves}"));
            self.ask(Asked::Any, format!("time_settings {settings}"), out);
        } else if let Some(time) = budget.time {
            self.ask(Asked::Any, format!("time_settings 0 {} 1", time.as_secs().max(1)), out);
        }
        self.ask(Asked::Last, "clear_board".into(), out);
        Heard::Nothing
    }

    fn go(&mut self, task: &Task<'_>, out: &mut Vec<String>) {
        for (number, mv) in task.moves.iter().enumerate().skip(self.known) {
            let colour = Gtp::colour(task.second ^ (number % 2 == 1));
            // Some engines pass by themselves, and refuse to be told.
            let asked = if mv == "pass" { Asked::Any } else { Asked::Play };
            self.ask(asked, format!("play {colour} {mv}"), out);
        }
        self.known = task.moves.len();
        let colour = Gtp::colour(task.second_to_move());
        if let Some([own, other]) = task.budget.clocks
            && self.knows("time_left")
        {
            for (side, clock) in [(task.second_to_move(), own), (!task.second_to_move(), other)] {
                let (side, seconds, moves) =
                    (Gtp::colour(side), clock.left.as_secs(), clock.moves.unwrap_or(0));
                self.ask(Asked::Any, format!("time_left {side} {seconds} {moves}"), out);
            }
        }
        self.ask(Asked::Genmove, format!("genmove {colour}"), out);
    }

    /// There is no such command.
    fn stop(&mut self, _: &mut Vec<String>) {}

    fn quit(&mut self, out: &mut Vec<String>) {
        self.ask(Asked::Any, "quit".into(), out);
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Budget, Clock, Protocol};
    use super::*;
    use std::time::Duration;

    fn said(driver: &mut dyn Driver, lines: &[&str]) -> Heard {
        let mut out = Vec::new();
        let heard: Vec<_> = lines.iter().map(|line| driver.hear(line, &mut out)).collect();
        assert!(out.is_empty());
        let (last, before) = heard.split_last().unwrap();
        assert!(before.iter().all(|heard| *heard == Heard::Nothing), "{heard:?}");
        last.clone()
    }

    fn greeted() -> Box<dyn Driver> {
        let profile = Profile { game: "othello".into(), lines: vec!["komi 0".into()], ..Profile::default() };
        let mut driver = Protocol::Gtp.driver(profile);
        let mut out = Vec::new();
        driver.greet(&mut out);
        assert_eq!(out, ["protocol_version", "name", "list_commands", "komi 0", "boardsize 8"]);
        let answers =
            ["= 2", "", "= GTP Rhino", "", "= name", "set_game", "time_left", "", "? unknown", "", "="];
        assert_eq!(said(&mut *driver, &answers), Heard::Ready);
        assert_eq!(driver.name(), Some("GTP Rhino"));
        driver
    }

    #[test]
    fn answers_belong_to_commands() {
        let mut driver = greeted();
        let clock = |left| Clock { left: Duration::from_secs(left), ..Clock::default() };
        let budget = Budget { clocks: Some([clock(60), clock(50)]), ..Budget::default() };
        let moves = ["f5", "d6"].map(String::from);
        let task = Task { start: None, second: false, moves: &moves, budget: &budget };
        let mut out = Vec::new();
        driver.begin(&task, &mut out);
        assert_eq!(out, ["set_game Othello", "time_settings 60 0 0", "clear_board"]);
        assert_eq!(said(&mut *driver, &["?", "", "=", "", "="]), Heard::Ready);
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
            Heard::Move("c3".into())
        );
        let moves = ["f5", "d6", "c3", "pass"].map(String::from);
        out.clear();
        driver.go(&Task { moves: &moves, ..task }, &mut out);
        assert_eq!(out[..2], ["play white pass", "time_left black 60 0"]);
        assert_eq!(said(&mut *driver, &["? syntax error", "=", "=", "= D3"]), Heard::Move("d3".into()));
        let moves = ["f5", "d6", "c3", "pass", "d3", "c4"].map(String::from);
        driver.go(&Task { moves: &moves, ..task }, &mut out);
        assert!(matches!(said(&mut *driver, &["? illegal move"]), Heard::Dispute(_)));
        out.clear();
        driver.begin(&Task { start: Some("board"), ..task }, &mut out);
        assert_eq!(out, Vec::<String>::new());
    }

    #[test]
    fn an_engine_may_resign_or_say_nothing() {
        for (answer, heard) in [
            ("= resign", Heard::Resign),
            ("= PASS", Heard::Move("pass".into())),
            ("=", Heard::Dispute("=".into())),
            ("? no", Heard::Dispute("? no".into())),
            ("noise", Heard::Nothing),
        ] {
            let mut driver = greeted();
            let budget = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
            let mut out = Vec::new();
            driver.go(&Task { start: None, second: false, moves: &[], budget: &budget }, &mut out);
            assert_eq!(out, ["genmove black"]);
            assert_eq!(said(&mut *driver, &[answer]), heard, "{answer}");
        }
    }
}

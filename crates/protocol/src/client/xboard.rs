//! The Chess Engine Communication Protocol of XBoard, version 2 ("CECP"), and engines that know only version 1.
//!
//! The engine is kept from replying by itself: before each of its moves it is told `force`, what has been played, and `go`.

use super::{ClientEvent, EngineClient, EngineConfig, EngineInfo, GoRequest, MoveLimits};

/// From so much on a score is an announced mate.
const MATE_SCORE: i32 = 100_000;

/// The user's end of XBoard's protocol.
#[derive(Debug)]
pub(super) struct XboardClient {
    config: EngineConfig,
    name: Option<String>,
    /// The features that change what is said.
    uses_usermove: bool,
    supports_ping: bool,
    supports_setboard: bool,
    /// The names of the games that it knows.
    variants: Vec<String>,
    handshake_done: bool,
    /// How many moves of this game the engine has on its board.
    moves_sent: usize,
    /// The number of the last ping, and whether it is still awaited.
    last_ping: u32,
    is_searching: bool,
}

impl XboardClient {
    pub(super) fn new(profile: EngineConfig) -> Self {
        XboardClient {
            config: profile,
            name: None,
            uses_usermove: false,
            supports_ping: false,
            supports_setboard: false,
            variants: Vec::new(),
            handshake_done: false,
            moves_sent: 0,
            last_ping: 0,
            is_searching: false,
        }
    }

    /// Notes the features of a line and answers each, as the protocol asks. Whether the list is complete.
    fn apply_features(&mut self, text: &str, out: &mut Vec<String>) -> bool {
        let mut done = false;
        for (name, value) in parse_features(text) {
            let on = value == "1";
            match name {
                "usermove" => self.uses_usermove = on,
                "ping" => self.supports_ping = on,
                "setboard" => self.supports_setboard = on,
                "myname" => self.name = Some(value.into()),
                "variants" => self.variants = value.split(',').map(|name| name.trim().to_owned()).collect(),
                "done" => done = on,
                // Moves are sent and read as squares only.
                "san" if on => {
                    out.push("rejected san".into());
                    continue;
                }
                _ => (),
            }
            out.push(format!("accepted {name}"));
        }
        done
    }

    /// What the engine calls the game; none for chess, which needs no name.
    fn variant_name(&self) -> Option<&str> {
        let names: &[&str] = match self.config.game.as_str() {
            "chess" => &[],
            "othello" => &["reversi", "flipello", "othello"],
            game => &[game],
        };
        names
            .iter()
            .copied()
            .find(|name| self.variants.iter().any(|known| known == name))
            .or(names.first().copied())
    }

    /// The engine knows all that it will ever say of itself.
    fn set_options(&mut self, out: &mut Vec<String>) -> ClientEvent {
        if std::mem::replace(&mut self.handshake_done, true) {
            return ClientEvent::NoEvent;
        }
        for (name, value) in &self.config.options {
            // `memory` and `cores` are commands of their own.
            out.push(match name.as_str() {
                "memory" | "cores" => format!("{name} {value}"),
                _ if value.is_empty() => format!("option {name}"),
                _ => format!("option {name}={value}"),
            });
        }
        out.extend(self.config.lines.iter().cloned());
        self.await_ready(out)
    }

    /// Asks whether the engine has done all it was told; one that cannot say so is taken at its word.
    fn await_ready(&mut self, out: &mut Vec<String>) -> ClientEvent {
        if !self.supports_ping {
            return ClientEvent::Ready;
        }
        self.last_ping += 1;
        out.push(format!("ping {}", self.last_ping));
        ClientEvent::NoEvent
    }

    fn on_move(&mut self, mv: &str) -> ClientEvent {
        if !std::mem::take(&mut self.is_searching) {
            return ClientEvent::NoEvent;
        }
        self.moves_sent += 1;
        ClientEvent::BestMove(mv.into())
    }

    /// The engine will say no more of this game.
    fn on_game_end(&mut self, heard: ClientEvent) -> ClientEvent {
        if std::mem::take(&mut self.is_searching) { heard } else { ClientEvent::NoEvent }
    }
}

/// `name=value` and `name="several words"` in a line.
fn parse_features(text: &str) -> Vec<(&str, &str)> {
    let (mut pairs, mut rest) = (Vec::new(), text);
    while let Some((name, after)) = rest.trim_start().split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        // Words without a value stand for nothing.
        pairs.push((name.rsplit(char::is_whitespace).next().unwrap_or(name), value));
        rest = next;
    }
    pairs
}

/// Seconds with as many decimals as they need: the protocol's text has whole ones, engines with short increments read more.
fn format_seconds(millis: u128) -> String {
    match millis % 1000 {
        0 => (millis / 1000).to_string(),
        rest => format!("{}.{rest:03}", millis / 1000).trim_end_matches('0').to_owned(),
    }
}

/// The commands that set the time of a game.
fn send_limits(budget: &MoveLimits, out: &mut Vec<String>) {
    if let Some([own, _]) = budget.clocks {
        let (moves, left) = (own.moves_to_go.unwrap_or(0), own.remaining.as_secs());
        let base =
            if left % 60 == 0 { (left / 60).to_string() } else { format!("{}:{:02}", left / 60, left % 60) };
        out.push(format!("level {moves} {base} {}", format_seconds(own.increment.as_millis())));
    }
    if let Some(time) = budget.move_time {
        out.push(format!("st {}", format_seconds(time.as_millis())));
    }
    if let Some(depth) = budget.depth {
        out.push(format!("sd {depth}"));
    }
}

impl EngineClient for XboardClient {
    fn handshake(&mut self, out: &mut Vec<String>) {
        out.extend(["xboard".into(), "protover 2".into()]);
    }

    fn on_line(&mut self, line: &str, out: &mut Vec<String>) -> ClientEvent {
        let line = line.trim();
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["feature", ..] => {
                let done = self.apply_features(&line["feature".len()..], out);
                return if done { self.set_options(out) } else { ClientEvent::NoEvent };
            }
            ["pong", number] if number.parse() == Ok(self.last_ping) && !self.is_searching => {
                return ClientEvent::Ready;
            }
            ["move", mv, ..] => return self.on_move(mv),
            ["My", "move", "is", ":", mv, ..] | ["My", "move", "is:", mv, ..] => return self.on_move(mv),
            // Version 1: `1. ... e7e5`.
            [number, "...", mv] if number.trim_end_matches('.').parse::<u32>().is_ok() => {
                return self.on_move(mv);
            }
            ["resign", ..] => return self.on_game_end(ClientEvent::Resign),
            ["1-0" | "0-1" | "1/2-1/2", ..]
            | ["Illegal", "move" | "move:" | "position" | "position:", ..] => {
                return self.on_game_end(ClientEvent::Dispute(line.into()));
            }
            [depth, score, time, nodes, ..] if self.is_searching => {
                let (Ok(depth), Ok(score), Ok(_), Ok(nodes)) = (
                    depth.trim_end_matches(['.', '+', '-', '&']).parse(),
                    score.parse::<i32>(),
                    time.parse::<u64>(),
                    nodes.parse(),
                ) else {
                    return ClientEvent::NoEvent;
                };
                let mate = score.checked_abs().filter(|&size| size >= MATE_SCORE);
                let mate = mate.map(|size| (size - MATE_SCORE) * score.signum());
                let score = if mate.is_some() { None } else { Some(score) };
                return ClientEvent::Info(EngineInfo { depth: Some(depth), score, mate, nodes: Some(nodes) });
            }
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn on_idle(&mut self, out: &mut Vec<String>) -> ClientEvent {
        // Engines of version 1 have no features, and never say so.
        if self.handshake_done { ClientEvent::NoEvent } else { self.set_options(out) }
    }

    fn new_game(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        if task.start.is_some() && !self.supports_setboard {
            return ClientEvent::Dispute("it cannot set up a position (feature setboard=0)".into());
        }
        (self.moves_sent, self.is_searching) = (0, false);
        out.push("new".into());
        if let Some(game) = self.variant_name() {
            out.push(format!("variant {game}"));
        }
        out.push("force".into());
        out.extend(task.start.map(|start| format!("setboard {start}")));
        out.extend(["easy", "post"].map(String::from));
        send_limits(task.limits, out);
        self.await_ready(out)
    }

    fn go(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) {
        out.push("force".into());
        for mv in task.moves.iter().skip(self.moves_sent) {
            out.push(if self.uses_usermove { format!("usermove {mv}") } else { mv.clone() });
        }
        self.moves_sent = task.moves.len();
        if let Some([own, other]) = task.limits.clocks {
            // Hundredths of a second.
            out.push(format!("time {}", own.remaining.as_millis() / 10));
            out.push(format!("otim {}", other.remaining.as_millis() / 10));
        }
        self.is_searching = true;
        out.push("go".into());
    }

    fn stop(&mut self, out: &mut Vec<String>) {
        out.push("?".into());
    }

    fn finish(&mut self, out: &mut Vec<String>) {
        self.is_searching = false;
        out.push("force".into());
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn variant(&self) -> Option<&str> {
        self.variant_name()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClockState, Protocol};
    use super::*;
    use std::time::Duration;

    fn said(driver: &mut dyn EngineClient, line: &str) -> (ClientEvent, Vec<String>) {
        let mut out = Vec::new();
        (driver.on_line(line, &mut out), out)
    }

    fn driver(game: &str) -> Box<dyn EngineClient> {
        let options = vec![("memory".into(), "64".into()), ("Style".into(), "calm".into())];
        Protocol::Xboard.new_client(EngineConfig {
            game: game.into(),
            options,
            lines: vec!["book off".into()],
        })
    }

    fn budget() -> MoveLimits {
        let clock = |seconds| ClockState {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(500),
            moves_to_go: None,
        };
        MoveLimits { clocks: Some([clock(90), clock(120)]), depth: Some(8), ..MoveLimits::default() }
    }

    #[test]
    fn features_are_answered_and_obeyed() {
        let mut driver = driver("xiangqi");
        let (heard, out) =
            said(&mut *driver, "feature myname=\"A Horse 1.0\" usermove=1 san=1 setboard=1 ping=1");
        assert_eq!(heard, ClientEvent::NoEvent);
        assert_eq!(
            out,
            ["accepted myname", "accepted usermove", "rejected san", "accepted setboard", "accepted ping"]
        );
        let (heard, out) = said(&mut *driver, "feature variants=\"normal,xiangqi\" done=1");
        assert_eq!(heard, ClientEvent::NoEvent);
        assert_eq!(
            out,
            ["accepted variants", "accepted done", "memory 64", "option Style=calm", "book off", "ping 1"]
        );
        assert_eq!(said(&mut *driver, "pong 2").0, ClientEvent::NoEvent);
        assert_eq!(said(&mut *driver, "pong 1").0, ClientEvent::Ready);
        assert_eq!((driver.name(), driver.variant()), (Some("A Horse 1.0"), Some("xiangqi")));
        let (budget, mut out) = (budget(), Vec::new());
        let task = GoRequest { start: Some("FEN b"), second_moves_first: true, moves: &[], limits: &budget };
        assert_eq!(driver.new_game(&task, &mut out), ClientEvent::NoEvent);
        assert_eq!(
            out,
            [
                "new",
                "variant xiangqi",
                "force",
                "setboard FEN b",
                "easy",
                "post",
                "level 0 1:30 0.5",
                "sd 8",
                "ping 2"
            ]
        );
        out.clear();
        let moves = ["h9g7".to_string()];
        driver.go(&GoRequest { moves: &moves, ..task }, &mut out);
        assert_eq!(out, ["force", "usermove h9g7", "time 9000", "otim 12000", "go"]);
        assert_eq!(
            said(&mut *driver, "6 -20 66 160183 1. ... Ch7-c7").0,
            ClientEvent::Info(EngineInfo {
                depth: Some(6),
                score: Some(-20),
                mate: None,
                nodes: Some(160_183)
            })
        );
        assert_eq!(
            said(&mut *driver, "9. -100003 66 5").0,
            ClientEvent::Info(EngineInfo { depth: Some(9), score: None, mate: Some(-3), nodes: Some(5) })
        );
        assert_eq!(said(&mut *driver, "move h0g2").0, ClientEvent::BestMove("h0g2".into()));
        // It has its own move on the board already.
        let moves = ["h9g7", "h0g2", "b9c7"].map(String::from);
        out.clear();
        driver.go(&GoRequest { moves: &moves, ..task }, &mut out);
        assert_eq!(out[..2], ["force", "usermove b9c7"]);
    }

    #[test]
    fn an_engine_of_version_one_is_ready_when_it_is_silent() {
        let mut driver = driver("chess");
        let mut out = Vec::new();
        assert_eq!(driver.on_idle(&mut out), ClientEvent::Ready);
        assert_eq!(driver.on_idle(&mut out), ClientEvent::NoEvent);
        let (budget, start) =
            (MoveLimits { move_time: Some(Duration::from_secs(2)), ..MoveLimits::default() }, None);
        let task = GoRequest { start, second_moves_first: false, moves: &["e2e4".into()], limits: &budget };
        out.clear();
        assert_eq!(driver.new_game(&task, &mut out), ClientEvent::Ready);
        assert_eq!(out, ["new", "force", "easy", "post", "st 2"]);
        let set_up = GoRequest { start: Some("FEN"), ..task };
        assert!(matches!(driver.new_game(&set_up, &mut out), ClientEvent::Dispute(_)));
        for (line, heard) in [
            ("1. ... e7e5", ClientEvent::BestMove("e7e5".into())),
            ("My move is: e7e5", ClientEvent::BestMove("e7e5".into())),
            ("My move is : e7e5", ClientEvent::BestMove("e7e5".into())),
            ("My move is", ClientEvent::NoEvent),
            ("resign", ClientEvent::Resign),
            ("1/2-1/2 {repetition}", ClientEvent::Dispute("1/2-1/2 {repetition}".into())),
            ("Illegal move: e2e4", ClientEvent::Dispute("Illegal move: e2e4".into())),
            ("a b c d", ClientEvent::NoEvent),
        ] {
            out.clear();
            driver.new_game(&task, &mut out);
            driver.go(&task, &mut out);
            assert_eq!(out.iter().rev().nth(1).map(String::as_str), Some("e2e4"));
            assert_eq!(said(&mut *driver, line).0, heard, "{line}");
        }
        driver.finish(&mut out);
        assert_eq!(said(&mut *driver, "0-1 {mate}").0, ClientEvent::NoEvent);
        assert_eq!(said(&mut *driver, "move e7e5").0, ClientEvent::NoEvent);
    }

    #[test]
    fn features_are_split_at_blanks_outside_quotes() {
        assert_eq!(parse_features(" a=1  b=\"x y\" c=\"open"), [("a", "1"), ("b", "x y"), ("c", "open")]);
        assert_eq!(parse_features("stray a=1 stray"), [("a", "1")]);
        assert_eq!(
            (format_seconds(100), format_seconds(2000), format_seconds(1250)),
            ("0.1".into(), "2".into(), "1.25".into())
        );
    }
}

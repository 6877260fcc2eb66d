//! The Chess Engine Communication Protocol of XBoard, version 2 ("CECP"), and engines that know only version 1.
//!
//! The engine is kept from replying by itself: before each of its moves it is told `force`, what has been played, and `go`.

use super::{Budget, Driver, Heard, Profile, Report, Task};

/// From so much on a score is an announced mate.
const MATE: i32 = 100_000;

/// The user's end of XBoard's protocol.
#[derive(Debug)]
pub(super) struct Xboard {
    profile: Profile,
    name: Option<String>,
    /// The features that change what is said.
    usermove: bool,
    ping: bool,
    setboard: bool,
    /// The names of the games that it knows.
    variants: Vec<String>,
    greeted: bool,
    /// How many moves of this game the engine has on its board.
    known: usize,
    /// The number of the last ping, and whether it is still awaited.
    pings: u32,
    thinking: bool,
}

impl Xboard {
    pub(super) fn new(profile: Profile) -> Self {
        Xboard {
            profile,
            name: None,
            usermove: false,
            ping: false,
            setboard: false,
            variants: Vec::new(),
            greeted: false,
            known: 0,
            pings: 0,
            thinking: false,
        }
    }

    /// Notes the features of a line and answers each, as the protocol asks. Whether the list is complete.
    fn features(&mut self, text: &str, out: &mut Vec<String>) -> bool {
        let mut done = false;
        for (name, value) in pairs(text) {
            let on = value == "1";
            match name {
                "usermove" => self.usermove = on,
                "ping" => self.ping = on,
                "setboard" => self.setboard = on,
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
    fn game(&self) -> Option<&str> {
        let names: &[&str] = match self.profile.game.as_str() {
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
    fn set_options(&mut self, out: &mut Vec<String>) -> Heard {
        if std::mem::replace(&mut self.greeted, true) {
            return Heard::Nothing;
        }
        for (name, value) in &self.profile.options {
            // `memory` and `cores` are commands of their own.
            out.push(match name.as_str() {
                "memory" | "cores" => format!("{name} {value}"),
                _ if value.is_empty() => format!("option {name}"),
                _ => format!("option {name}={value}"),
            });
        }
        out.extend(self.profile.lines.iter().cloned());
        self.wait(out)
    }

    /// Asks whether the engine has done all it was told; one that cannot say so is taken at its word.
    fn wait(&mut self, out: &mut Vec<String>) -> Heard {
        if !self.ping {
            return Heard::Ready;
        }
        self.pings += 1;
        out.push(format!("ping {}", self.pings));
        Heard::Nothing
    }

    fn moved(&mut self, mv: &str) -> Heard {
        if !std::mem::take(&mut self.thinking) {
            return Heard::Nothing;
        }
        self.known += 1;
        Heard::Move(mv.into())
    }

    /// The engine will say no more of this game.
    fn ended(&mut self, heard: Heard) -> Heard {
        if std::mem::take(&mut self.thinking) { heard } else { Heard::Nothing }
    }
}

/// `name=value` and `name="several words"` in a line.
fn pairs(text: &str) -> Vec<(&str, &str)> {
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
fn seconds(millis: u128) -> String {
    match millis % 1000 {
        0 => (millis / 1000).to_string(),
        rest => format!("{}.{rest:03}", millis / 1000).trim_end_matches('0').to_owned(),
    }
}

/// The commands that set the time of a game.
fn pace(budget: &Budget, out: &mut Vec<String>) {
    if let Some([own, _]) = budget.clocks {
        let (moves, left) = (own.moves.unwrap_or(0), own.left.as_secs());
        let base =
            if left % 60 == 0 { (left / 60).to_string() } else { format!("{}:{:02}", left / 60, left % 60) };
        out.push(format!("level {moves} {base} {}", seconds(own.increment.as_millis())));
    }
    if let Some(time) = budget.time {
        out.push(format!("st {}", seconds(time.as_millis())));
    }
    if let Some(depth) = budget.depth {
        out.push(format!("sd {depth}"));
    }
}

impl Driver for Xboard {
    fn greet(&mut self, out: &mut Vec<String>) {
        out.extend(["xboard".into(), "protover 2".into()]);
    }

    fn hear(&mut self, line: &str, out: &mut Vec<String>) -> Heard {
        let line = line.trim();
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["feature", ..] => {
                let done = self.features(&line["feature".len()..], out);
                return if done { self.set_options(out) } else { Heard::Nothing };
            }
            ["pong", number] if number.parse() == Ok(self.pings) && !self.thinking => return Heard::Ready,
            ["move", mv, ..] => return self.moved(mv),
            ["My", "move", "is", ":", mv, ..] | ["My", "move", "is:", mv, ..] => return self.moved(mv),
            // Version 1: `1. ... e7e5`.
            [number, "...", mv] if number.trim_end_matches('.').parse::<u32>().is_ok() => {
                return self.moved(mv);
            }
            ["resign", ..] => return self.ended(Heard::Resign),
            ["1-0" | "0-1" | "1/2-1/2", ..]
            | ["Illegal", "move" | "move:" | "position" | "position:", ..] => {
                return self.ended(Heard::Dispute(line.into()));
            }
            [depth, score, time, nodes, ..] if self.thinking => {
                let (Ok(depth), Ok(score), Ok(_), Ok(nodes)) = (
                    depth.trim_end_matches(['.', '+', '-', '&']).parse(),
                    score.parse::<i32>(),
                    time.parse::<u64>(),
                    nodes.parse(),
                ) else {
                    return Heard::Nothing;
                };
                let mate = score.checked_abs().filter(|&size| size >= MATE);
                let mate = mate.map(|size| (size - MATE) * score.signum());
                let score = if mate.is_some() { None } else { Some(score) };
                return Heard::Report(Report { depth: Some(depth), score, mate, nodes: Some(nodes) });
            }
            _ => (),
        }
        Heard::Nothing
    }

    fn silence(&mut self, out: &mut Vec<String>) -> Heard {
        // Engines of version 1 have no features, and never say so.
        if self.greeted { Heard::Nothing } else { self.set_options(out) }
    }

    fn begin(&mut self, task: &Task<'_>, out: &mut Vec<String>) -> Heard {
        if task.start.is_some() && !self.setboard {
            return Heard::Dispute("it cannot set up a position (feature setboard=0)".into());
        }
        (self.known, self.thinking) = (0, false);
        out.push("new".into());
        if let Some(game) = self.game() {
            out.push(format!("variant {game}"));
        }
        out.push("force".into());
        out.extend(task.start.map(|start| format!("setboard {start}")));
        out.extend(["easy", "post"].map(String::from));
        pace(task.budget, out);
        self.wait(out)
    }

    fn go(&mut self, task: &Task<'_>, out: &mut Vec<String>) {
        out.push("force".into());
        for mv in task.moves.iter().skip(self.known) {
            out.push(if self.usermove { format!("usermove {mv}") } else { mv.clone() });
        }
        self.known = task.moves.len();
        if let Some([own, other]) = task.budget.clocks {
            // Hundredths of a second.
            out.push(format!("time {}", own.left.as_millis() / 10));
            out.push(format!("otim {}", other.left.as_millis() / 10));
        }
        self.thinking = true;
        out.push("go".into());
    }

    fn stop(&mut self, out: &mut Vec<String>) {
        out.push("?".into());
    }

    fn finish(&mut self, out: &mut Vec<String>) {
        self.thinking = false;
        out.push("force".into());
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn variant(&self) -> Option<&str> {
        self.game()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Clock, Protocol};
    use super::*;
    use std::time::Duration;

    fn said(driver: &mut dyn Driver, line: &str) -> (Heard, Vec<String>) {
        let mut out = Vec::new();
        (driver.hear(line, &mut out), out)
    }

    fn driver(game: &str) -> Box<dyn Driver> {
        let options = vec![("memory".into(), "64".into()), ("Style".into(), "calm".into())];
        Protocol::Xboard.driver(Profile { game: game.into(), options, lines: vec!["book off".into()] })
    }

    fn budget() -> Budget {
        let clock = |seconds| Clock {
            left: Duration::from_secs(seconds),
            increment: Duration::from_millis(500),
            moves: None,
        };
        Budget { clocks: Some([clock(90), clock(120)]), depth: Some(8), ..Budget::default() }
    }

    #[test]
    fn features_are_answered_and_obeyed() {
        let mut driver = driver("xiangqi");
        let (heard, out) =
            said(&mut *driver, "feature myname=\"A Horse 1.0\" usermove=1 san=1 setboard=1 ping=1");
        assert_eq!(heard, Heard::Nothing);
        assert_eq!(
            out,
            ["accepted myname", "accepted usermove", "rejected san", "accepted setboard", "accepted ping"]
        );
        let (heard, out) = said(&mut *driver, "feature variants=\"normal,xiangqi\" done=1");
        assert_eq!(heard, Heard::Nothing);
        assert_eq!(
            out,
            ["accepted variants", "accepted done", "memory 64", "option Style=calm", "book off", "ping 1"]
        );
        assert_eq!(said(&mut *driver, "pong 2").0, Heard::Nothing);
        assert_eq!(said(&mut *driver, "pong 1").0, Heard::Ready);
        assert_eq!((driver.name(), driver.variant()), (Some("A Horse 1.0"), Some("xiangqi")));
        let (budget, mut out) = (budget(), Vec::new());
        let task = Task { start: Some("FEN b"), second: true, moves: &[], budget: &budget };
        assert_eq!(driver.begin(&task, &mut out), Heard::Nothing);
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
        driver.go(&Task { moves: &moves, ..task }, &mut out);
        assert_eq!(out, ["force", "usermove h9g7", "time 9000", "otim 12000", "go"]);
        assert_eq!(
            said(&mut *driver, "6 -20 66 160183 1. ... Ch7-c7").0,
            Heard::Report(Report { depth: Some(6), score: Some(-20), mate: None, nodes: Some(160_183) })
        );
        assert_eq!(
            said(&mut *driver, "9. -100003 66 5").0,
            Heard::Report(Report { depth: Some(9), score: None, mate: Some(-3), nodes: Some(5) })
        );
        assert_eq!(said(&mut *driver, "move h0g2").0, Heard::Move("h0g2".into()));
        // It has its own move on the board already.
        let moves = ["h9g7", "h0g2", "b9c7"].map(String::from);
        out.clear();
        driver.go(&Task { moves: &moves, ..task }, &mut out);
        assert_eq!(out[..2], ["force", "usermove b9c7"]);
    }

    #[test]
    fn an_engine_of_version_one_is_ready_when_it_is_silent() {
        let mut driver = driver("chess");
        let mut out = Vec::new();
        assert_eq!(driver.silence(&mut out), Heard::Ready);
        assert_eq!(driver.silence(&mut out), Heard::Nothing);
        let (budget, start) = (Budget { time: Some(Duration::from_secs(2)), ..Budget::default() }, None);
        let task = Task { start, second: false, moves: &["e2e4".into()], budget: &budget };
        out.clear();
        assert_eq!(driver.begin(&task, &mut out), Heard::Ready);
        assert_eq!(out, ["new", "force", "easy", "post", "st 2"]);
        let set_up = Task { start: Some("FEN"), ..task };
        assert!(matches!(driver.begin(&set_up, &mut out), Heard::Dispute(_)));
        for (line, heard) in [
            ("1. ... e7e5", Heard::Move("e7e5".into())),
            ("My move is: e7e5", Heard::Move("e7e5".into())),
            ("My move is : e7e5", Heard::Move("e7e5".into())),
            ("My move is", Heard::Nothing),
            ("resign", Heard::Resign),
            ("1/2-1/2 {repetition}", Heard::Dispute("1/2-1/2 {repetition}".into())),
            ("Illegal move: e2e4", Heard::Dispute("Illegal move: e2e4".into())),
            ("a b c d", Heard::Nothing),
        ] {
            out.clear();
            driver.begin(&task, &mut out);
            driver.go(&task, &mut out);
            assert_eq!(out.iter().rev().nth(1).map(String::as_str), Some("e2e4"));
            assert_eq!(said(&mut *driver, line).0, heard, "{line}");
        }
        driver.finish(&mut out);
        assert_eq!(said(&mut *driver, "0-1 {mate}").0, Heard::Nothing);
        assert_eq!(said(&mut *driver, "move e7e5").0, Heard::Nothing);
    }

    #[test]
    fn features_are_split_at_blanks_outside_quotes() {
        assert_eq!(pairs(" a=1  b=\"x y\" c=\"open"), [("a", "1"), ("b", "x y"), ("c", "open")]);
        assert_eq!(pairs("stray a=1 stray"), [("a", "1")]);
        assert_eq!((seconds(100), seconds(2000), seconds(1250)), ("0.1".into(), "2".into(), "1.25".into()));
    }
}

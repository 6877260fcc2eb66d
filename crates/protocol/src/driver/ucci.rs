//! UCCI 3.0, the protocol of xiangqi programs in China: like UCI, with clocks of the mover and the opponent, bare scores, and
//! options without words around them.

use std::time::Duration;

use super::uci::{position, report};
use super::{Driver, Heard, Profile, Task};

/// The user's end of UCCI.
#[derive(Debug)]
pub(super) struct Ucci {
    profile: Profile,
    name: Option<String>,
    /// The engine knows `usemillisec`; otherwise it counts whole seconds.
    millis: bool,
    /// The engine has a button for a new game.
    button: bool,
    greeted: bool,
}

impl Ucci {
    pub(super) fn new(profile: Profile) -> Self {
        Ucci { profile, name: None, millis: false, button: false, greeted: false }
    }

    fn time(&self, time: Duration) -> u128 {
        // Less than a second would be no time at all.
        if self.millis { time.as_millis() } else { u128::from(time.as_secs().max(1)) }
    }

    fn increment(&self, time: Duration) -> u128 {
        if self.millis { time.as_millis() } else { u128::from(time.as_secs()) }
    }
}

impl Driver for Ucci {
    fn greet(&mut self, out: &mut Vec<String>) {
        out.push("ucci".into());
    }

    fn hear(&mut self, line: &str, out: &mut Vec<String>) -> Heard {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["id", "name", ..] => self.name = Some(words[2..].join(" ")),
            ["option", "usemillisec", ..] => self.millis = true,
            ["option", "newgame", ..] => self.button = true,
            ["ucciok"] if !self.greeted => {
                self.greeted = true;
                if self.millis {
                    out.push("setoption usemillisec true".into());
                }
                for (name, value) in &self.profile.options {
                    out.push(format!("setoption {name} {value}").trim_end().to_owned());
                }
                out.extend(self.profile.lines.iter().cloned());
                out.push("isready".into());
            }
            ["readyok"] => return Heard::Ready,
            ["nobestmove", ..] | ["bestmove"] => return Heard::Dispute(line.trim().into()),
            // Who resigns names a move all the same.
            ["bestmove", _, .., "resign"] => return Heard::Resign,
            ["bestmove", mv, ..] => return Heard::Move(mv.into()),
            ["info", "message", ..] => (),
            ["info", ..] => return report(&words).map_or(Heard::Nothing, Heard::Report),
            _ => (),
        }
        Heard::Nothing
    }

    fn begin(&mut self, _: &Task<'_>, out: &mut Vec<String>) -> Heard {
        if self.button {
            out.push("setoption newgame".into());
        }
        out.push("isready".into());
        Heard::Nothing
    }

    fn go(&mut self, task: &Task<'_>, out: &mut Vec<String>) {
        out.push(position(task));
        let budget = task.budget;
        let limit = match (budget.clocks, budget.time) {
            // There is no word for the time of one move, but one move until the next control is just that.
            (None, Some(time)) => format!("time {} movestogo 1", self.time(time)),
            (Some([own, other]), _) => {
                let mut words = format!("time {}", self.time(own.left));
                words += &match own.moves {
                    Some(moves) => format!(" movestogo {moves}"),
                    None => format!(" increment {}", self.increment(own.increment)),
                };
                words += &format!(" opptime {}", self.time(other.left));
                words += &match other.moves {
                    Some(moves) => format!(" oppmovestogo {moves}"),
                    None => format!(" oppincrement {}", self.increment(other.increment)),
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
    use super::super::{Budget, Clock, Protocol, Report};
    use super::*;

    fn said(driver: &mut dyn Driver, line: &str) -> (Heard, Vec<String>) {
        let mut out = Vec::new();
        (driver.hear(line, &mut out), out)
    }

    fn went(driver: &mut dyn Driver, budget: &Budget) -> String {
        let mut out = Vec::new();
        driver.go(&Task { start: None, second: false, moves: &["h2e2".into()], budget }, &mut out);
        assert_eq!(out[0], "position startpos moves h2e2");
        out.remove(1)
    }

    #[test]
    fn options_and_clocks_are_those_of_ucci() {
        let options = vec![("usebook".into(), "false".into())];
        let mut driver =
            Protocol::Ucci.driver(Profile { game: "xiangqi".into(), options, lines: Vec::new() });
        let time = Budget { time: Some(Duration::from_millis(1500)), ..Budget::default() };
        assert_eq!(went(&mut *driver, &time), "go time 1 movestogo 1");
        said(&mut *driver, "option usemillisec type check default false");
        said(&mut *driver, "option newgame type button");
        let (_, out) = said(&mut *driver, "ucciok");
        assert_eq!(out, ["setoption usemillisec true", "setoption usebook false", "isready"]);
        assert_eq!(went(&mut *driver, &time), "go time 1500 movestogo 1");
        let clock = |left, increment, moves| Clock {
            left: Duration::from_secs(left),
            increment: Duration::from_secs(increment),
            moves,
        };
        let clocks = Some([clock(9, 1, None), clock(8, 0, Some(3))]);
        let clocks = Budget { clocks, ..Budget::default() };
        assert_eq!(went(&mut *driver, &clocks), "go time 9000 increment 1000 opptime 8000 oppmovestogo 3");
        assert_eq!(went(&mut *driver, &Budget { nodes: Some(7), ..Budget::default() }), "go nodes 7");
        assert_eq!(went(&mut *driver, &Budget { depth: Some(4), ..Budget::default() }), "go depth 4");
        let mut out = Vec::new();
        driver.begin(&Task { start: None, second: false, moves: &[], budget: &time }, &mut out);
        assert_eq!(out, ["setoption newgame", "isready"]);
    }

    #[test]
    fn answers_are_told_apart() {
        let mut driver = Protocol::Ucci.driver(Profile::default());
        let report = Report { depth: Some(6), score: Some(-4), mate: None, nodes: None };
        for (line, heard) in [
            ("bestmove h2e2 ponder h9g7", Heard::Move("h2e2".into())),
            ("bestmove h2e2 draw", Heard::Move("h2e2".into())),
            ("bestmove h2e2 ponder h9g7 resign", Heard::Resign),
            ("nobestmove", Heard::Dispute("nobestmove".into())),
            ("info depth 6 score -4 pv h2e2 h9g7", Heard::Report(report)),
            ("info message score 4", Heard::Nothing),
            ("readyok", Heard::Ready),
            ("pophash", Heard::Nothing),
        ] {
            assert_eq!(said(&mut *driver, line).0, heard, "{line}");
        }
    }
}

//! The protocol of NBoard, version 2, for Othello. The whole game is told before each move; the only limit it knows is depth.

use super::{Driver, Heard, Profile, Report, Task};

/// The start position as the game format GGF writes it.
const START: &str = "---------------------------O*------*O--------------------------- *";

/// The user's end of NBoard's protocol.
#[derive(Debug)]
pub(super) struct Nboard {
    profile: Profile,
    name: Option<String>,
    /// The number of the last ping.
    pings: u32,
    thinking: bool,
}

impl Nboard {
    pub(super) fn new(profile: Profile) -> Self {
        Nboard { profile, name: None, pings: 0, thinking: false }
    }

    fn wait(&mut self, out: &mut Vec<String>) {
        self.pings += 1;
        out.push(format!("ping {}", self.pings));
    }
}

/// A game in the Generic Game Format: the board it began with, and each move with its mover.
fn game(task: &Task<'_>) -> String {
    let board = task.start.map_or(START.into(), |start| {
        let sign = |letter| match letter {
            'X' | 'x' => '*',
            'o' => 'O',
            other => other,
        };
        start.chars().map(sign).collect::<String>()
    });
    let mut text = format!("(;GM[Othello]PC[Alfil]PB[Black]PW[White]RE[?]TI[0]TY[8]BO[8 {board}]");
    for (number, mv) in task.moves.iter().enumerate() {
        let mover = if task.second ^ (number % 2 == 1) { 'W' } else { 'B' };
        let mv = if mv == "pass" { "PA".into() } else { mv.to_ascii_uppercase() };
        text += &format!("{mover}[{mv}]");
    }
    text + ";)"
}

impl Driver for Nboard {
    fn greet(&mut self, out: &mut Vec<String>) {
        out.push("nboard 2".into());
        out.extend(self.profile.lines.iter().cloned());
        self.wait(out);
    }

    fn hear(&mut self, line: &str, _: &mut Vec<String>) -> Heard {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["set", "myname", ..] => self.name = Some(words[2..].join(" ")),
            ["pong", number] if number.parse() == Ok(self.pings) && !self.thinking => return Heard::Ready,
            ["===", mv, ..] if std::mem::take(&mut self.thinking) => {
                // The text has slashes between move, value and time; some engines write blanks.
                let mv = mv.split('/').next().unwrap_or_default();
                return Heard::Move(mv.to_ascii_lowercase());
            }
            ["===", ..] if std::mem::take(&mut self.thinking) => return Heard::Dispute(line.trim().into()),
            // Values are discs, from the view of the mover.
            ["search", _, value, _, depth, ..] => {
                let discs: Option<f64> = value.parse().ok().filter(|discs: &f64| discs.abs() <= 64.0);
                return discs.map_or(Heard::Nothing, |discs| {
                    Heard::Report(Report {
                        depth: depth.parse().ok(),
                        score: Some((discs * 100.0).round() as i32),
                        ..Report::default()
                    })
                });
            }
            _ => (),
        }
        Heard::Nothing
    }

    fn begin(&mut self, task: &Task<'_>, out: &mut Vec<String>) -> Heard {
        self.thinking = false;
        if let Some(depth) = task.budget.depth {
            out.push(format!("set depth {depth}"));
        }
        self.wait(out);
        Heard::Nothing
    }

    fn go(&mut self, task: &Task<'_>, out: &mut Vec<String>) {
        self.thinking = true;
        out.extend([format!("set game {}", game(task)), "go".into()]);
    }

    /// A ping ends a search, and what was found so far is lost with it.
    fn stop(&mut self, out: &mut Vec<String>) {
        self.wait(out);
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Budget, Protocol};
    use super::*;

    #[test]
    fn a_game_is_told_in_ggf() {
        let mut driver = Protocol::Nboard.driver(Profile { game: "othello".into(), ..Profile::default() });
        let mut out = Vec::new();
        driver.greet(&mut out);
        assert_eq!(out, ["nboard 2", "ping 1"]);
        assert_eq!(driver.hear("set myname Ntest 3", &mut out), Heard::Nothing);
        assert_eq!(driver.hear("pong 1", &mut out), Heard::Ready);
        assert_eq!(driver.name(), Some("Ntest 3"));
        out.clear();
        let budget = Budget { depth: Some(6), ..Budget::default() };
        let moves = ["f5", "pass"].map(String::from);
        let task = Task { start: None, second: false, moves: &moves, budget: &budget };
        driver.begin(&task, &mut out);
        assert_eq!(out, ["set depth 6", "ping 2"]);
        out.clear();
        driver.go(&task, &mut out);
        assert!(out[0].starts_with("set game (;GM[Othello]"), "{}", out[0]);
        assert!(out[0].ends_with(&format!("BO[8 {START}]B[F5]W[PA];)")), "{}", out[0]);
        assert_eq!(out[1], "go");
        let search = driver.hear("search f5d6 -1.50 0 8", &mut out);
        assert_eq!(search, Heard::Report(Report { depth: Some(8), score: Some(-150), ..Report::default() }));
        assert_eq!(driver.hear("=== C3/2.00/0.1", &mut out), Heard::Move("c3".into()));
        assert_eq!(driver.hear("=== C3", &mut out), Heard::Nothing);
        out.clear();
        let white = Task { start: Some("X---o O"), second: true, moves: &moves[..1], budget: &budget };
        driver.go(&white, &mut out);
        assert!(out[0].ends_with("BO[8 *---O O]W[F5];)"), "{}", out[0]);
        assert_eq!(driver.hear("=== d6 -1.00 0.0", &mut out), Heard::Move("d6".into()));
        driver.go(&white, &mut out);
        assert_eq!(driver.hear("===", &mut out), Heard::Dispute("===".into()));
    }
}

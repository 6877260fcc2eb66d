//! The protocol of NBoard, version 2, for Othello. The whole game is told before each move; the only limit it knows is depth.

use super::{ClientEvent, EngineClient, EngineConfig, EngineInfo, GoRequest};

/// The start position as the game format GGF writes it.
const START_BOARD: &str = "---------------------------O*------*O--------------------------- *";

/// The user's end of NBoard's protocol.
#[derive(Debug)]
pub(super) struct NboardClient {
    config: EngineConfig,
    name: Option<String>,
    /// The number of the last ping.
    last_ping: u32,
    is_searching: bool,
}

impl NboardClient {
    pub(super) fn new(profile: EngineConfig) -> Self {
        NboardClient { config: profile, name: None, last_ping: 0, is_searching: false }
    }

    fn send_ping(&mut self, out: &mut Vec<String>) {
        self.last_ping += 1;
        out.push(format!("ping {}", self.last_ping));
    }
}

/// A game in the Generic Game Format: the board it began with, and each move with its mover.
fn format_game(task: &GoRequest<'_>) -> String {
    let board = task.start.map_or(START_BOARD.into(), |start| {
        let sign = |letter| match letter {
            'X' | 'x' => '*',
            'o' => 'O',
            other => other,
        };
        start.chars().map(sign).collect::<String>()
    });
    let mut text = format!("(;GM[Othello]PC[Alfil]PB[Black]PW[White]RE[?]TI[0]TY[8]BO[8 {board}]");
    for (number, mv) in task.moves.iter().enumerate() {
        let mover = if task.second_moves_first ^ (number % 2 == 1) { 'W' } else { 'B' };
        let mv = if mv == "pass" { "PA".into() } else { mv.to_ascii_uppercase() };
        text += &format!("{mover}[{mv}]");
    }
    text + ";)"
}

impl EngineClient for NboardClient {
    fn handshake(&mut self, out: &mut Vec<String>) {
        out.push("nboard 2".into());
        out.extend(self.config.lines.iter().cloned());
        self.send_ping(out);
    }

    fn on_line(&mut self, line: &str, _: &mut Vec<String>) -> ClientEvent {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["set", "myname", ..] => self.name = Some(words[2..].join(" ")),
            ["pong", number] if number.parse() == Ok(self.last_ping) && !self.is_searching => {
                return ClientEvent::Ready;
            }
            ["===", mv, ..] if std::mem::take(&mut self.is_searching) => {
                // The text has slashes between move, value and time; some engines write blanks.
                let mv = mv.split('/').next().unwrap_or_default();
                return ClientEvent::BestMove(mv.to_ascii_lowercase());
            }
            ["===", ..] if std::mem::take(&mut self.is_searching) => {
                return ClientEvent::Dispute(line.trim().into());
            }
            // Values are discs, from the view of the mover.
            ["search", _, value, _, depth, ..] => {
                let discs: Option<f64> = value.parse().ok().filter(|discs: &f64| discs.abs() <= 64.0);
                return discs.map_or(ClientEvent::NoEvent, |discs| {
                    ClientEvent::Info(EngineInfo {
                        depth: depth.parse().ok(),
                        score: Some((discs * 100.0).round() as i32),
                        ..EngineInfo::default()
                    })
                });
            }
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn new_game(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        self.is_searching = false;
        if let Some(depth) = task.limits.depth {
            out.push(format!("set depth {depth}"));
        }
        self.send_ping(out);
        ClientEvent::NoEvent
    }

    fn go(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) {
        self.is_searching = true;
        out.extend([format!("set game {}", format_game(task)), "go".into()]);
    }

    /// A ping ends a search, and what was found so far is lost with it.
    fn stop(&mut self, out: &mut Vec<String>) {
        self.send_ping(out);
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MoveLimits, Protocol};
    use super::*;

    #[test]
    fn a_game_is_told_in_ggf() {
        let mut driver =
            Protocol::Nboard.new_client(EngineConfig { game: "othello".into(), ..EngineConfig::default() });
        let mut out = Vec::new();
        driver.handshake(&mut out);
        assert_eq!(out, ["nboard 2", "ping 1"]);
        assert_eq!(driver.on_line("set myname Ntest 3", &mut out), ClientEvent::NoEvent);
        assert_eq!(driver.on_line("pong 1", &mut out), ClientEvent::Ready);
        assert_eq!(driver.name(), Some("Ntest 3"));
        out.clear();
        let budget = MoveLimits { depth: Some(6), ..MoveLimits::default() };
        let moves = ["f5", "pass"].map(String::from);
        let task = GoRequest { start: None, second_moves_first: false, moves: &moves, limits: &budget };
        driver.new_game(&task, &mut out);
        assert_eq!(out, ["set depth 6", "ping 2"]);
        out.clear();
        driver.go(&task, &mut out);
        assert!(out[0].starts_with("set game (;GM[Othello]"), "{}", out[0]);
        assert!(out[0].ends_with(&format!("BO[8 {START_BOARD}]B[F5]W[PA];)")), "{}", out[0]);
        assert_eq!(out[1], "go");
        let search = driver.on_line("search f5d6 -1.50 0 8", &mut out);
        assert_eq!(
            search,
            ClientEvent::Info(EngineInfo { depth: Some(8), score: Some(-150), ..EngineInfo::default() })
        );
        assert_eq!(driver.on_line("=== C3/2.00/0.1", &mut out), ClientEvent::BestMove("c3".into()));
        assert_eq!(driver.on_line("=== C3", &mut out), ClientEvent::NoEvent);
        out.clear();
        let white = GoRequest {
            start: Some("X---o O"),
            second_moves_first: true,
            moves: &moves[..1],
            limits: &budget,
        };
        driver.go(&white, &mut out);
        assert!(out[0].ends_with("BO[8 *---O O]W[F5];)"), "{}", out[0]);
        assert_eq!(driver.on_line("=== d6 -1.00 0.0", &mut out), ClientEvent::BestMove("d6".into()));
        driver.go(&white, &mut out);
        assert_eq!(driver.on_line("===", &mut out), ClientEvent::Dispute("===".into()));
    }
}

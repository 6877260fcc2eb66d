//! The NBoard client. The whole game is sent before each search; depth is the only limit.

use super::{ClientEvent, EngineClient, EngineConfig, EngineInfo, GoRequest};

/// The start position in GGF.
const START_BOARD: &str = "---------------------------O*------*O--------------------------- *";

/// The client side of the NBoard protocol.
#[derive(Debug)]
pub(super) struct NboardClient {
    config: EngineConfig,
    name: Option<String>,
    /// The number of the last ping.
    last_ping: u32,
    is_searching: bool,
}

impl NboardClient {
    pub(super) fn new(config: EngineConfig) -> Self {
        NboardClient { config, name: None, last_ping: 0, is_searching: false }
    }

    fn send_ping(&mut self, out: &mut Vec<String>) {
        self.last_ping += 1;
        out.push(format!("ping {}", self.last_ping));
    }
}

/// Formats the game as GGF: the initial board and the moves with their colours.
fn format_game(request: &GoRequest<'_>) -> String {
    let board = request.start.map_or(START_BOARD.into(), |start| {
        let sign = |character| match character {
            'X' | 'x' => '*',
            'o' => 'O',
            other => other,
        };
        start.chars().map(sign).collect::<String>()
    });
    let mut text = format!("(;GM[Othello]PC[Alfil]PB[Black]PW[White]RE[?]TI[0]TY[8]BO[8 {board}]");
    for (index, mv) in request.moves.iter().enumerate() {
        let mover = if request.second_moves_first ^ (index % 2 == 1) { 'W' } else { 'B' };
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
        let tokens: Vec<_> = line.split_whitespace().collect();
        match tokens[..] {
            ["set", "myname", ..] => self.name = Some(tokens[2..].join(" ")),
            ["pong", number] if number.parse() == Ok(self.last_ping) && !self.is_searching => {
                return ClientEvent::Ready;
            }
            ["===", mv, ..] if std::mem::take(&mut self.is_searching) => {
                // NBoard separates move, score and time by slashes; some engines use spaces.
                let mv = mv.split('/').next().unwrap_or_default();
                return ClientEvent::BestMove(mv.to_ascii_lowercase());
            }
            ["===", ..] if std::mem::take(&mut self.is_searching) => {
                return ClientEvent::Rejection(line.trim().into());
            }
            // Scores are discs from the view of the side to move.
            ["search", line, value, _, depth, ..] => {
                let discs: Option<f64> = value.parse().ok().filter(|discs: &f64| discs.abs() <= 64.0);
                return discs.map_or(ClientEvent::NoEvent, |discs| {
                    ClientEvent::Info(EngineInfo {
                        depth: depth.parse().ok(),
                        score: Some((discs * 100.0).round() as i32),
                        pv: squares_of_line(line),
                        ..EngineInfo::default()
                    })
                });
            }
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn new_game(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        self.is_searching = false;
        if let Some(depth) = request.limits.depth {
            out.push(format!("set depth {depth}"));
        }
        self.send_ping(out);
        ClientEvent::NoEvent
    }

    fn go(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) {
        self.is_searching = true;
        out.extend([format!("set game {}", format_game(request)), "go".into()]);
    }

    /// Sends a ping, which ends a search without a result.
    fn stop(&mut self, out: &mut Vec<String>) {
        self.send_ping(out);
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// Splits a line such as `f5d6C3` into its moves.
fn squares_of_line(line: &str) -> Vec<String> {
    let letters: Vec<_> = line.chars().filter(|letter| *letter != '-').collect();
    letters.chunks_exact(2).map(|square| square.iter().collect::<String>().to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{MoveLimits, Protocol};
    use super::*;

    #[test]
    fn the_game_is_sent_as_ggf() {
        let mut client = Protocol::Nboard.new_client(EngineConfig::default());
        let mut out = Vec::new();
        client.handshake(&mut out);
        assert_eq!(out, ["nboard 2", "ping 1"]);
        assert_eq!(client.on_line("set myname Ntest 3", &mut out), ClientEvent::NoEvent);
        assert_eq!(client.on_line("pong 1", &mut out), ClientEvent::Ready);
        assert_eq!(client.name(), Some("Ntest 3"));
        out.clear();
        let limits = MoveLimits { depth: Some(6), ..MoveLimits::default() };
        let moves = ["f5", "pass"].map(String::from);
        let request = GoRequest { start: None, second_moves_first: false, moves: &moves, limits: &limits };
        client.new_game(&request, &mut out);
        assert_eq!(out, ["set depth 6", "ping 2"]);
        out.clear();
        client.go(&request, &mut out);
        assert!(out[0].starts_with("set game (;GM[Othello]"), "{}", out[0]);
        assert!(out[0].ends_with(&format!("BO[8 {START_BOARD}]B[F5]W[PA];)")), "{}", out[0]);
        assert_eq!(out[1], "go");
        let search = client.on_line("search f5d6 -1.50 0 8", &mut out);
        assert_eq!(
            search,
            ClientEvent::Info(EngineInfo {
                depth: Some(8),
                score: Some(-150),
                pv: vec!["f5".into(), "d6".into()],
                ..EngineInfo::default()
            })
        );
        assert_eq!(client.on_line("=== C3/2.00/0.1", &mut out), ClientEvent::BestMove("c3".into()));
        assert_eq!(client.on_line("=== C3", &mut out), ClientEvent::NoEvent);
        out.clear();
        let white = GoRequest {
            start: Some("X---o O"),
            second_moves_first: true,
            moves: &moves[..1],
            limits: &limits,
        };
        client.go(&white, &mut out);
        assert!(out[0].ends_with("BO[8 *---O O]W[F5];)"), "{}", out[0]);
        assert_eq!(client.on_line("=== d6 -1.00 0.0", &mut out), ClientEvent::BestMove("d6".into()));
        client.go(&white, &mut out);
        assert_eq!(client.on_line("===", &mut out), ClientEvent::Rejection("===".into()));
    }
}

//! UCI, after its text of April 2006, and what engines for xiangqi and Othello make of it.

use super::{ClientEvent, EngineClient, EngineConfig, EngineInfo, GoRequest, number_after};

/// Under which names engines know the games, the likeliest first.
const VARIANT_NAMES: &[(&str, &[&str])] = &[
    ("xiangqi", &["xiangqi"]),
    ("chess", &["chess", "normal"]),
    ("othello", &["flipello", "othello", "reversi"]),
];

/// The user's end of UCI.
#[derive(Debug)]
pub(super) struct UciClient {
    config: EngineConfig,
    name: Option<String>,
    variant: Option<String>,
    handshake_done: bool,
}

impl UciClient {
    pub(super) fn new(profile: EngineConfig) -> Self {
        UciClient { config: profile, name: None, variant: None, handshake_done: false }
    }

    /// Takes the name of the game from the list of those that the engine knows, unless the user names it.
    fn choose_variant(&mut self, offered: &[&str]) {
        let ours = VARIANT_NAMES
            .iter()
            .find(|(game, _)| *game == self.config.game)
            .map_or(&[][..], |(_, names)| names);
        if let Some(name) = ours.iter().find(|name| offered.contains(name)) {
            self.variant = Some((*name).to_string());
        }
    }

    fn set_options(&mut self, out: &mut Vec<String>) {
        let named = self.config.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("UCI_Variant"));
        match (named, &self.variant) {
            (Some((_, value)), _) => self.variant = Some(value.clone()),
            (None, Some(variant)) => out.push(format!("setoption name UCI_Variant value {variant}")),
            (None, None) => (),
        }
        for (name, value) in &self.config.options {
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            out.push(format!("setoption name {name}{value}"));
        }
        out.extend(self.config.lines.iter().cloned());
    }
}

impl EngineClient for UciClient {
    fn handshake(&mut self, out: &mut Vec<String>) {
        out.push("uci".into());
    }

    fn on_line(&mut self, line: &str, out: &mut Vec<String>) -> ClientEvent {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["id", "name", ..] => self.name = Some(words[2..].join(" ")),
            ["option", "name", "UCI_Variant", ..] => {
                let vars = words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1]);
                self.choose_variant(&vars.collect::<Vec<_>>());
            }
            ["uciok"] if !self.handshake_done => {
                self.handshake_done = true;
                self.set_options(out);
                out.push("isready".into());
            }
            ["readyok"] => return ClientEvent::Ready,
            ["bestmove"] | ["bestmove", "(none)" | "0000" | "NULL", ..] => {
                return ClientEvent::Dispute(line.trim().into());
            }
            ["bestmove", mv, ..] => return ClientEvent::BestMove(mv.into()),
            ["info", "string", ..] => (),
            ["info", ..] => return parse_info(&words).map_or(ClientEvent::NoEvent, ClientEvent::Info),
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn new_game(&mut self, _: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        out.extend(["ucinewgame".into(), "isready".into()]);
        ClientEvent::NoEvent
    }

    fn go(&mut self, task: &GoRequest<'_>, out: &mut Vec<String>) {
        out.push(position_command(task));
        let budget = task.limits;
        let mut go = String::from("go");
        if let Some([own, other]) = budget.clocks {
            // The first side is `w`, whatever the colour of its men.
            let (first, second) = if task.is_second_to_move() { (other, own) } else { (own, other) };
            go += &format!(" wtime {} btime {}", first.remaining.as_millis(), second.remaining.as_millis());
            if !own.increment.is_zero() || !other.increment.is_zero() {
                go += &format!(" winc {} binc {}", first.increment.as_millis(), second.increment.as_millis());
            }
            if let Some(moves) = own.moves_to_go {
                go += &format!(" movestogo {moves}");
            }
        }
        if let Some(time) = budget.move_time {
            go += &format!(" movetime {}", time.as_millis());
        }
        if let Some(nodes) = budget.nodes {
            go += &format!(" nodes {nodes}");
        }
        if let Some(depth) = budget.depth {
            go += &format!(" depth {depth}");
        }
        out.push(go);
    }

    fn stop(&mut self, out: &mut Vec<String>) {
        out.push("stop".into());
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn variant(&self) -> Option<&str> {
        self.variant.as_deref()
    }
}

/// The line that tells a position; UCCI has the same.
pub(super) fn position_command(task: &GoRequest<'_>) -> String {
    let start = task.start.map_or("startpos".into(), |fen| format!("fen {fen}"));
    let moves =
        if task.moves.is_empty() { String::new() } else { format!(" moves {}", task.moves.join(" ")) };
    format!("position {start}{moves}")
}

/// What an `info` line tells of the best line; none if it is about another, or about none.
pub(super) fn parse_info(words: &[&str]) -> Option<EngineInfo> {
    // Moves may look like any other word.
    let words = words.split(|&word| word == "pv").next()?;
    if number_after::<u32>(words, "multipv").is_some_and(|rank| rank > 1) {
        return None;
    }
    // UCCI writes the bare number.
    let score = number_after(words, "cp").or_else(|| number_after(words, "score"));
    let report = EngineInfo {
        depth: number_after(words, "depth"),
        score,
        mate: number_after(words, "mate"),
        nodes: number_after(words, "nodes"),
    };
    (report.score.is_some() || report.mate.is_some()).then_some(report)
}

#[cfg(test)]
mod tests {
    use super::super::{ClockState, MoveLimits, Protocol};
    use super::*;
    use std::time::Duration;

    fn said(driver: &mut dyn EngineClient, line: &str) -> (ClientEvent, Vec<String>) {
        let mut out = Vec::new();
        (driver.on_line(line, &mut out), out)
    }

    #[test]
    fn the_game_is_named_as_the_engine_names_it() {
        let profile = EngineConfig {
            game: "othello".into(),
            options: vec![("Hash".into(), "16".into()), ("Clear Hash".into(), String::new())],
            lines: vec!["debug off".into()],
        };
        let mut driver = Protocol::Uci.new_client(profile);
        said(&mut *driver, "id name A Fish 11");
        said(
            &mut *driver,
            "option name UCI_Variant type combo default chess var chess var flipello var reversi",
        );
        let (heard, out) = said(&mut *driver, "uciok");
        assert_eq!(heard, ClientEvent::NoEvent);
        assert_eq!(
            out,
            [
                "setoption name UCI_Variant value flipello",
                "setoption name Hash value 16",
                "setoption name Clear Hash",
                "debug off",
                "isready"
            ]
        );
        assert_eq!((driver.name(), driver.variant()), (Some("A Fish 11"), Some("flipello")));
        assert_eq!(said(&mut *driver, "uciok").1, Vec::<String>::new());
    }

    #[test]
    fn clocks_belong_to_the_sides() {
        let mut driver =
            Protocol::Uci.new_client(EngineConfig { game: "xiangqi".into(), ..EngineConfig::default() });
        let clock = |seconds, increment| ClockState {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(increment),
            moves_to_go: None,
        };
        let budget = MoveLimits { clocks: Some([clock(3, 100), clock(5, 0)]), ..MoveLimits::default() };
        let moves = ["h2e2".to_string()];
        let mut out = Vec::new();
        driver.go(
            &GoRequest { start: None, second_moves_first: false, moves: &moves, limits: &budget },
            &mut out,
        );
        assert_eq!(out[1], "go wtime 5000 btime 3000 winc 0 binc 100");
        out.clear();
        driver.go(
            &GoRequest { start: Some("F b"), second_moves_first: true, moves: &moves, limits: &budget },
            &mut out,
        );
        assert_eq!(out, ["position fen F b moves h2e2", "go wtime 3000 btime 5000 winc 100 binc 0"]);
    }

    #[test]
    fn answers_are_told_apart() {
        let mut driver = Protocol::Uci.new_client(EngineConfig::default());
        let report = |depth, score, mate, nodes| ClientEvent::Info(EngineInfo { depth, score, mate, nodes });
        let cases = [
            ("bestmove h2e2", ClientEvent::BestMove("h2e2".into())),
            ("bestmove (none)", ClientEvent::Dispute("bestmove (none)".into())),
            ("bestmove", ClientEvent::Dispute("bestmove".into())),
            ("info string score cp 5", ClientEvent::NoEvent),
            ("info depth 3 multipv 2 score cp 9 nodes 4 pv a", ClientEvent::NoEvent),
            ("info currmove e2e4", ClientEvent::NoEvent),
            ("info depth 3 score cp -9 nodes 4 pv score cp", report(Some(3), Some(-9), None, Some(4))),
            ("info depth 3 score mate -2", report(Some(3), None, Some(-2), None)),
            ("info depth x score cp 1e9 nodes", ClientEvent::NoEvent),
            ("", ClientEvent::NoEvent),
            ("garbage", ClientEvent::NoEvent),
        ];
        for (line, heard) in cases {
            assert_eq!(said(&mut *driver, line).0, heard, "{line}");
        }
    }
}

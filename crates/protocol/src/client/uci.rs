//! The UCI client, with `UCI_Variant` for the engines of several games.

use std::ops::RangeInclusive;

use super::{ClientEvent, EngineClient, EngineConfig, EngineInfo, GoRequest, missing_variant, number_after};
use crate::uci::ScoreBound;

/// An option of the engine.
#[derive(Debug)]
struct OfferedOption {
    name: String,
    /// The numbers that it takes; `None` if it takes something else.
    range: Option<RangeInclusive<i64>>,
}

impl OfferedOption {
    /// Reads the tokens after `option name`.
    fn parse(tokens: &[&str]) -> OfferedOption {
        let name_end = tokens.iter().position(|&token| token == "type").unwrap_or(tokens.len());
        let (name, rest) = tokens.split_at(name_end);
        let range = match rest {
            ["type", "spin", ..] => number_after(rest, "min").zip(number_after(rest, "max")),
            _ => None,
        };
        OfferedOption { name: name.join(" "), range: range.map(|(min, max)| min..=max) }
    }

    /// Returns the numbers that the option takes if the value is not one of them.
    fn range_without(&self, value: &str) -> Option<&RangeInclusive<i64>> {
        let is_in =
            |range: &&RangeInclusive<i64>| value.parse().is_ok_and(|value: i64| range.contains(&value));
        self.range.as_ref().filter(|range| !is_in(range))
    }
}

/// The client side of UCI.
#[derive(Debug)]
pub(super) struct UciClient {
    config: EngineConfig,
    name: Option<String>,
    variant: Option<String>,
    /// The values of `UCI_Variant` that the engine lists.
    variants: Vec<String>,
    /// Whether `UCI_Chess960` was switched on for a game.
    is_chess960: bool,
    /// The options that the engine offers.
    offered: Vec<OfferedOption>,
    /// The value of the option `MultiPV` that the engine has; 1 by default.
    multipv: u32,
    handshake_done: bool,
    /// The moves to which the next search is restricted; none if it is not.
    search_moves: Vec<String>,
}

impl UciClient {
    pub(super) fn new(config: EngineConfig) -> Self {
        UciClient {
            config,
            name: None,
            variant: None,
            variants: Vec::new(),
            is_chess960: false,
            offered: Vec::new(),
            multipv: 1,
            handshake_done: false,
            search_moves: Vec::new(),
        }
    }

    /// Chooses the name of the game among those that the engine offers.
    fn choose_variant(&mut self, offered: &[&str]) {
        self.variants = offered.iter().map(|&name| name.to_owned()).collect();
        if let Some(name) = self.config.variants.uci.iter().find(|name| offered.contains(name)) {
            self.variant = Some((*name).to_string());
        }
    }

    /// Returns why the engine cannot play the game with these options; `None` if it can. An engine without
    /// `UCI_Variant` is taken for one of the game.
    fn rejection(&self) -> Option<ClientEvent> {
        for (name, value) in &self.config.options {
            let Some(option) = self.offered_option(name) else {
                let offered: Vec<_> = self.offered.iter().map(|option| &option.name[..]).collect();
                let offered = offered.join(", ");
                let offered = if offered.is_empty() {
                    "it has none".into()
                } else {
                    format!("its options are {offered}")
                };
                return Some(ClientEvent::Rejection(format!("the engine has no option {name:?}; {offered}")));
            };
            if let Some(range) = option.range_without(value) {
                let (min, max) = (range.start(), range.end());
                return Some(ClientEvent::Rejection(format!(
                    "the option {name:?} of the engine takes a number from {min} to {max}, not {value:?}"
                )));
            }
        }
        let names = self.config.variants.uci;
        let is_missing = self.variant.is_none() && !names.is_empty() && !self.variants.is_empty();
        (is_missing && !self.is_configured("UCI_Variant")).then(|| missing_variant(names, &self.variants))
    }

    fn is_configured(&self, name: &str) -> bool {
        self.config.options.iter().any(|(configured, _)| configured.eq_ignore_ascii_case(name))
    }

    fn offered_option(&self, name: &str) -> Option<&OfferedOption> {
        self.offered.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn is_offered(&self, name: &str) -> bool {
        self.offered_option(name).is_some()
    }

    /// Returns whether the engine calls the first side of the game Black, as in Othello. The board of `flipello` is
    /// that of chess: White begins there.
    fn is_first_side_black(&self) -> bool {
        let has_black_first = |name: &str| matches!(name, "othello" | "reversi");
        match &self.variant {
            Some(variant) => has_black_first(variant),
            // An engine without `UCI_Variant` has the colours of the game.
            None => self.config.variants.uci.iter().any(|name| has_black_first(name)),
        }
    }

    fn set_options(&mut self, out: &mut Vec<String>) {
        let configured =
            self.config.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("UCI_Variant"));
        match (configured, &self.variant) {
            (Some((_, value)), _) => self.variant = Some(value.clone()),
            (None, Some(variant)) => out.push(format!("setoption name UCI_Variant value {variant}")),
            (None, None) => (),
        }
        for (name, value) in &self.config.offered_options {
            if self.is_offered(name) && !self.is_configured(name) {
                out.push(format!("setoption name {name} value {value}"));
            }
        }
        for (name, value) in &self.config.options {
            if name.eq_ignore_ascii_case("MultiPV") {
                self.multipv = value.parse().unwrap_or(self.multipv);
            }
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
        let tokens: Vec<_> = line.split_whitespace().collect();
        if let ["option", "name", rest @ ..] = &tokens[..] {
            self.offered.push(OfferedOption::parse(rest));
        }
        match tokens[..] {
            ["id", "name", ..] => self.name = Some(tokens[2..].join(" ")),
            ["option", "name", "UCI_Variant", ..] => {
                let vars = tokens.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1]);
                self.choose_variant(&vars.collect::<Vec<_>>());
            }
            ["uciok"] if !self.handshake_done => {
                self.handshake_done = true;
                if let Some(rejection) = self.rejection() {
                    return rejection;
                }
                self.set_options(out);
                out.push("isready".into());
            }
            ["readyok"] => return ClientEvent::Ready,
            ["bestmove"] | ["bestmove", "(none)" | "0000" | "NULL", ..] => {
                return ClientEvent::Rejection(line.trim().into());
            }
            ["bestmove", mv, ..] => return ClientEvent::BestMove(mv.into()),
            ["info", "string", ..] => (),
            ["info", ..] => return parse_info(&tokens).map_or(ClientEvent::NoEvent, ClientEvent::Info),
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn new_game(&mut self, _: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        out.extend(["ucinewgame".into(), "isready".into()]);
        ClientEvent::NoEvent
    }

    fn set_chess960(&mut self, on: bool, out: &mut Vec<String>) -> ClientEvent {
        if on == self.is_chess960 || self.is_configured("UCI_Chess960") {
            return ClientEvent::NoEvent;
        }
        if !self.is_offered("UCI_Chess960") {
            let message = "the game is Chess960, but the engine has no option UCI_Chess960";
            return ClientEvent::Rejection(message.into());
        }
        self.is_chess960 = on;
        out.push(format!("setoption name UCI_Chess960 value {on}"));
        ClientEvent::NoEvent
    }

    fn exclude_moves(&mut self, refused: &[String], allowed: &[String]) {
        // The Universal Chess Interface names the moves that remain.
        self.search_moves = if refused.is_empty() { Vec::new() } else { allowed.to_vec() };
    }

    fn go(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) {
        let limits = request.limits;
        if let Some(multipv) = limits.multipv
            && multipv != self.multipv
            && self.is_offered("MultiPV")
        {
            out.push(format!("setoption name MultiPV value {multipv}"));
            self.multipv = multipv;
        }
        out.push(position_command(request));
        let mut go = String::from("go");
        if let Some([own, other]) = limits.clocks {
            // The first side is `w`, unless the engine calls it Black.
            let is_black_to_move = request.is_second_to_move() != self.is_first_side_black();
            let (white, black) = if is_black_to_move { (other, own) } else { (own, other) };
            go += &format!(" wtime {} btime {}", white.remaining.as_millis(), black.remaining.as_millis());
            if !own.increment.is_zero() || !other.increment.is_zero() {
                go += &format!(" winc {} binc {}", white.increment.as_millis(), black.increment.as_millis());
            }
            if let Some(moves) = own.moves_to_go {
                go += &format!(" movestogo {moves}");
            }
        }
        if let Some(time) = limits.move_time {
            go += &format!(" movetime {}", time.as_millis());
        }
        if let Some(nodes) = limits.nodes {
            go += &format!(" nodes {nodes}");
        }
        if let Some(depth) = limits.depth {
            go += &format!(" depth {depth}");
        }
        let search_moves = std::mem::take(&mut self.search_moves);
        if !search_moves.is_empty() {
            go += &format!(" searchmoves {}", search_moves.join(" "));
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

/// Formats the `position` command, which UCCI shares.
pub(super) fn position_command(request: &GoRequest<'_>) -> String {
    let start = request.start.map_or("startpos".into(), |fen| format!("fen {fen}"));
    let moves =
        if request.moves.is_empty() { String::new() } else { format!(" moves {}", request.moves.join(" ")) };
    format!("position {start}{moves}")
}

/// Parses an `info` line; returns `None` if it has no score.
pub(super) fn parse_info(tokens: &[&str]) -> Option<EngineInfo> {
    // Moves of the variation may look like keywords.
    let mut parts = tokens.splitn(2, |&token| token == "pv");
    let tokens = parts.next()?;
    let pv = parts.next().unwrap_or_default();
    // UCCI writes the bare number.
    let score = number_after(tokens, "cp").or_else(|| number_after(tokens, "score"));
    let bound = tokens.iter().find_map(|&token| match token {
        "lowerbound" => Some(ScoreBound::Lower),
        "upperbound" => Some(ScoreBound::Upper),
        _ => None,
    });
    let info = EngineInfo {
        multipv: number_after(tokens, "multipv"),
        depth: number_after(tokens, "depth"),
        score,
        mate: number_after(tokens, "mate"),
        bound,
        nodes: number_after(tokens, "nodes"),
        pv: pv.iter().map(|&mv| mv.to_owned()).collect(),
    };
    (info.score.is_some() || info.mate.is_some()).then_some(info)
}

#[cfg(test)]
mod tests {
    use super::super::{ClockState, MoveLimits, Protocol, VariantNames};
    use super::*;
    use std::time::Duration;

    fn receive(client: &mut dyn EngineClient, line: &str) -> (ClientEvent, Vec<String>) {
        let mut out = Vec::new();
        (client.on_line(line, &mut out), out)
    }

    #[test]
    fn the_variant_is_one_that_the_engine_offers() {
        let config = EngineConfig {
            variants: VariantNames { uci: &["flipello", "othello"], ..VariantNames::default() },
            options: vec![("Hash".into(), "16".into()), ("Clear Hash".into(), String::new())],
            lines: vec!["debug off".into()],
            offered_options: vec![("UCI_Ranks", "0-9"), ("Hash", "1"), ("Style", "calm")],
        };
        let mut client = Protocol::Uci.new_client(config);
        receive(&mut *client, "id name A Fish 11");
        receive(
            &mut *client,
            "option name UCI_Variant type combo default chess var chess var flipello var reversi",
        );
        receive(&mut *client, "option name UCI_Ranks type combo default 0-9 var 0-9 var 1-10");
        receive(&mut *client, "option name Hash type spin default 16 min 1 max 64");
        receive(&mut *client, "option name Clear Hash type button");
        let (event, out) = receive(&mut *client, "uciok");
        assert_eq!(event, ClientEvent::NoEvent);
        assert_eq!(
            out,
            [
                "setoption name UCI_Variant value flipello",
                "setoption name UCI_Ranks value 0-9",
                "setoption name Hash value 16",
                "setoption name Clear Hash",
                "debug off",
                "isready"
            ]
        );
        assert_eq!((client.name(), client.variant()), (Some("A Fish 11"), Some("flipello")));
        assert_eq!(receive(&mut *client, "uciok").1, Vec::<String>::new());
    }

    #[test]
    fn an_option_that_the_engine_does_not_offer_is_refused() {
        let options = vec![("hash".into(), "16".into()), ("Style".into(), "calm".into())];
        let mut client = Protocol::Uci.new_client(EngineConfig { options, ..EngineConfig::default() });
        receive(&mut *client, "option name Hash type spin default 16 min 1 max 64");
        receive(&mut *client, "option name Clear Hash type button");
        let (event, out) = receive(&mut *client, "uciok");
        let reason = "the engine has no option \"Style\"; its options are Hash, Clear Hash";
        assert_eq!((event, out), (ClientEvent::Rejection(reason.into()), Vec::new()));
    }

    #[test]
    fn a_number_that_an_option_does_not_take_is_refused() {
        let event = |value: &str| {
            let options = vec![("hash".into(), value.into())];
            let mut client = Protocol::Uci.new_client(EngineConfig { options, ..EngineConfig::default() });
            receive(&mut *client, "option name Hash type spin default 16 min 1 max 64");
            receive(&mut *client, "option name min 70 max 80 type string default x");
            receive(&mut *client, "uciok").0
        };
        for value in ["0", "65", "-1", "16MB", ""] {
            let reason =
                format!("the option \"hash\" of the engine takes a number from 1 to 64, not {value:?}");
            assert_eq!(event(value), ClientEvent::Rejection(reason));
        }
        assert_eq!(["1", "64"].map(event), [ClientEvent::NoEvent, ClientEvent::NoEvent]);
    }

    #[test]
    fn an_engine_that_lists_other_variants_is_refused() {
        let rejected = |options: &[&str], configured: &[(&str, &str)]| {
            let variants =
                VariantNames { uci: &["flipello", "othello", "reversi"], ..VariantNames::default() };
            let options_to_set =
                configured.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            let config = EngineConfig { variants, options: options_to_set, ..EngineConfig::default() };
            let mut client = Protocol::Uci.new_client(config);
            options.iter().for_each(|option| drop(receive(&mut *client, option)));
            receive(&mut *client, "uciok").0
        };
        let listed = "option name UCI_Variant type combo default chess var chess var xiangqi";
        let reason = "(flipello, othello, reversi); its variants are chess, xiangqi";
        let reason = format!("the engine does not offer the game {reason}");
        assert_eq!(rejected(&[listed], &[]), ClientEvent::Rejection(reason));
        assert_eq!(rejected(&[listed], &[("UCI_Variant", "xiangqi")]), ClientEvent::NoEvent);
        // An engine of a single game has no list.
        assert_eq!(rejected(&[], &[]), ClientEvent::NoEvent);
        assert_eq!(rejected(&["option name UCI_Variant type string default x"], &[]), ClientEvent::NoEvent);
    }

    #[test]
    fn chess960_is_switched_on_and_off_if_the_engine_offers_it() {
        let option = "option name UCI_Chess960 type check default false";
        let mut client = Protocol::Uci.new_client(EngineConfig::default());
        let mut out = Vec::new();
        assert!(matches!(client.set_chess960(true, &mut out), ClientEvent::Rejection(_)));
        receive(&mut *client, option);
        for on in [false, true, true, false] {
            assert_eq!(client.set_chess960(on, &mut out), ClientEvent::NoEvent);
        }
        assert_eq!(
            out,
            ["setoption name UCI_Chess960 value true", "setoption name UCI_Chess960 value false"]
        );
        let options = vec![("uci_chess960".into(), "true".into())];
        let mut client = Protocol::Uci.new_client(EngineConfig { options, ..EngineConfig::default() });
        receive(&mut *client, option);
        out.clear();
        assert_eq!((client.set_chess960(true, &mut out), out.len()), (ClientEvent::NoEvent, 0));
    }

    #[test]
    fn the_number_of_lines_is_sent_when_it_differs_from_that_of_the_engine() {
        let options = vec![("multipv".into(), "3".into())];
        let mut client = Protocol::Uci.new_client(EngineConfig { options, ..EngineConfig::default() });
        receive(&mut *client, "option name MultiPV type spin default 1 min 1 max 500");
        receive(&mut *client, "uciok");
        let mut sent = |multipv| {
            let limits = MoveLimits { multipv: Some(multipv), ..MoveLimits::default() };
            let mut out = Vec::new();
            client.go(
                &GoRequest { start: None, second_moves_first: false, moves: &[], limits: &limits },
                &mut out,
            );
            out.into_iter().filter(|line| line.starts_with("setoption")).collect::<Vec<_>>()
        };
        assert_eq!(sent(3), Vec::<String>::new());
        assert_eq!(sent(1), ["setoption name MultiPV value 1"]);
        assert_eq!(sent(1), Vec::<String>::new());
    }

    #[test]
    fn clocks_belong_to_the_sides() {
        let mut client = Protocol::Uci.new_client(EngineConfig::default());
        let clock = |seconds, increment| ClockState {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(increment),
            moves_to_go: None,
        };
        let limits = MoveLimits { clocks: Some([clock(3, 100), clock(5, 0)]), ..MoveLimits::default() };
        let moves = ["h2e2".to_string()];
        let mut out = Vec::new();
        client.go(
            &GoRequest { start: None, second_moves_first: false, moves: &moves, limits: &limits },
            &mut out,
        );
        assert_eq!(out[1], "go wtime 5000 btime 3000 winc 0 binc 100");
        out.clear();
        client.go(
            &GoRequest { start: Some("F b"), second_moves_first: true, moves: &moves, limits: &limits },
            &mut out,
        );
        assert_eq!(out, ["position fen F b moves h2e2", "go wtime 3000 btime 5000 winc 100 binc 0"]);
    }

    /// Black begins in Othello, so its clock is `btime`; under `flipello`, on a chess board, White begins.
    #[test]
    fn the_clock_of_the_first_side_of_othello_is_that_of_black() {
        let clock = |seconds| ClockState { remaining: Duration::from_secs(seconds), ..ClockState::default() };
        let limits = MoveLimits { clocks: Some([clock(3), clock(5)]), ..MoveLimits::default() };
        let moves = ["f5".to_string()];
        for (offered, first_to_move, second_to_move) in [
            ("var flipello var othello", "go wtime 3000 btime 5000", "go wtime 5000 btime 3000"),
            ("var chess var othello", "go wtime 5000 btime 3000", "go wtime 3000 btime 5000"),
            ("var chess var reversi", "go wtime 5000 btime 3000", "go wtime 3000 btime 5000"),
            // The engine knows only Othello.
            ("", "go wtime 5000 btime 3000", "go wtime 3000 btime 5000"),
        ] {
            let variants =
                VariantNames { uci: &["flipello", "othello", "reversi"], ..VariantNames::default() };
            let mut client = Protocol::Uci.new_client(EngineConfig { variants, ..EngineConfig::default() });
            if !offered.is_empty() {
                receive(&mut *client, &format!("option name UCI_Variant type combo default chess {offered}"));
            }
            receive(&mut *client, "uciok");
            for (moves, expected) in [(&[][..], first_to_move), (&moves[..], second_to_move)] {
                let mut out = Vec::new();
                let request = GoRequest { start: None, second_moves_first: false, moves, limits: &limits };
                client.go(&request, &mut out);
                assert_eq!(out[1], expected, "{offered:?}");
            }
        }
    }

    #[test]
    fn replies_are_distinguished() {
        let mut client = Protocol::Uci.new_client(EngineConfig::default());
        let info = |depth, score, mate, nodes, pv: &str| {
            let pv = pv.split_whitespace().map(str::to_owned).collect();
            ClientEvent::Info(EngineInfo { depth, score, mate, nodes, pv, ..EngineInfo::default() })
        };
        let second = EngineInfo {
            multipv: Some(2),
            depth: Some(3),
            score: Some(9),
            nodes: Some(4),
            pv: vec!["a".into()],
            ..EngineInfo::default()
        };
        let with_bound = |bound| EngineInfo { bound: Some(bound), ..second.clone() };
        let cases = [
            ("bestmove h2e2", ClientEvent::BestMove("h2e2".into())),
            ("bestmove (none)", ClientEvent::Rejection("bestmove (none)".into())),
            ("bestmove", ClientEvent::Rejection("bestmove".into())),
            ("info string score cp 5", ClientEvent::NoEvent),
            ("info depth 3 multipv 2 score cp 9 nodes 4 pv a", ClientEvent::Info(second.clone())),
            (
                "info depth 3 multipv 2 score cp 9 lowerbound nodes 4 pv a",
                ClientEvent::Info(with_bound(ScoreBound::Lower)),
            ),
            (
                "info depth 3 multipv 2 score cp 9 upperbound nodes 4 pv a",
                ClientEvent::Info(with_bound(ScoreBound::Upper)),
            ),
            ("info currmove e2e4", ClientEvent::NoEvent),
            (
                "info depth 3 score cp -9 nodes 4 pv score cp",
                info(Some(3), Some(-9), None, Some(4), "score cp"),
            ),
            ("info depth 3 score mate -2", info(Some(3), None, Some(-2), None, "")),
            ("info depth x score cp 1e9 nodes", ClientEvent::NoEvent),
            ("", ClientEvent::NoEvent),
            ("garbage", ClientEvent::NoEvent),
        ];
        for (line, event) in cases {
            assert_eq!(receive(&mut *client, line).0, event, "{line}");
        }
    }

    #[test]
    fn a_search_without_refused_moves_is_restricted_to_the_others() {
        let mut client = Protocol::Uci.new_client(EngineConfig::default());
        let limits = MoveLimits { nodes: Some(9), ..MoveLimits::default() };
        let request = GoRequest { start: None, second_moves_first: false, moves: &[], limits: &limits };
        let go = |client: &mut Box<dyn EngineClient>| {
            let mut out = Vec::new();
            client.go(&request, &mut out);
            out.remove(1)
        };
        client.exclude_moves(&["h2e2".into()], &["b2e2".into(), "a0a1".into()]);
        assert_eq!(go(&mut client), "go nodes 9 searchmoves b2e2 a0a1");
        assert_eq!(go(&mut client), "go nodes 9");
        client.exclude_moves(&[], &["b2e2".into()]);
        assert_eq!(go(&mut client), "go nodes 9");
    }
}

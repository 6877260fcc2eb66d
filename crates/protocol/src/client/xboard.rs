//! The client for CECP (XBoard), versions 1 and 2.
//!
//! The engine stays in force mode: before each of its moves it receives `force`, the moves played, and `go`.

use super::{ClientEvent, EngineClient, EngineConfig, EngineInfo, GoRequest, MoveLimits, missing_variant};

/// Scores from this value on announce a mate.
const MATE_SCORE: i32 = 100_000;

/// The variant of an engine that is sent no other one: chess.
const DEFAULT_VARIANT: &str = "normal";

/// The client side of CECP.
#[derive(Debug)]
pub(super) struct XboardClient {
    config: EngineConfig,
    name: Option<String>,
    /// The features that change the commands.
    uses_usermove: bool,
    supports_ping: bool,
    supports_setboard: bool,
    /// Whether the engine reads `time` and `otim`.
    reads_clocks: bool,
    /// Whether the process plays one game (`reuse=0`).
    plays_one_game: bool,
    /// The variants that the engine offers.
    variants: Vec<String>,
    handshake_done: bool,
    /// Whether the engine has announced more features (`done=0`).
    awaits_features: bool,
    /// Whether the pong of [`EngineClient::new_game`] is awaited.
    awaits_new_game: bool,
    /// The number of moves of this game that the engine has on its board.
    moves_sent: usize,
    /// The number of the last `ping`.
    last_ping: u32,
    is_searching: bool,
    /// Whether the engine reads `exclude`.
    excludes_moves: bool,
    /// The moves that the next search excludes.
    excluded_moves: Vec<String>,
}

impl XboardClient {
    pub(super) fn new(config: EngineConfig) -> Self {
        XboardClient {
            config,
            name: None,
            uses_usermove: false,
            supports_ping: false,
            supports_setboard: false,
            reads_clocks: true,
            plays_one_game: false,
            variants: Vec::new(),
            handshake_done: false,
            awaits_features: false,
            awaits_new_game: false,
            moves_sent: 0,
            last_ping: 0,
            is_searching: false,
            excludes_moves: false,
            excluded_moves: Vec::new(),
        }
    }

    /// Reads the features of a line and answers each. Returns whether the list is complete (`done=1`).
    fn apply_features(&mut self, text: &str, out: &mut Vec<String>) -> bool {
        let mut done = false;
        for (name, value) in parse_features(text) {
            let on = value == "1";
            match name {
                "usermove" => self.uses_usermove = on,
                "ping" => self.supports_ping = on,
                "setboard" => self.supports_setboard = on,
                "time" => self.reads_clocks = on,
                "exclude" => self.excludes_moves = on,
                "reuse" => self.plays_one_game = !on,
                "myname" => self.name = Some(value.into()),
                "variants" => {
                    let names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
                    self.variants = names.map(str::to_owned).collect();
                }
                "done" => (done, self.awaits_features) = (on, !on),
                // Moves are sent and parsed in coordinates only.
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

    /// Returns the engine's name for the game; `None` for the default variant.
    fn variant_name(&self) -> Option<&str> {
        let names = self.config.variants.cecp;
        names
            .iter()
            .copied()
            .find(|name| self.variants.iter().any(|known| known == name))
            .or(names.first().copied())
    }

    /// Sends the options when the features are complete.
    fn set_options(&mut self, out: &mut Vec<String>) -> ClientEvent {
        if std::mem::replace(&mut self.handshake_done, true) {
            return ClientEvent::NoEvent;
        }
        let name = self.variant_name().unwrap_or(DEFAULT_VARIANT);
        if !self.variants.is_empty() && !self.variants.iter().any(|known| known == name) {
            let names = self.config.variants.cecp;
            let names: &[&str] = if names.is_empty() { &[DEFAULT_VARIANT] } else { names };
            return missing_variant(names, &self.variants);
        }
        for (name, value) in &self.config.options {
            // `memory` and `cores` are commands, not options.
            out.push(match name.as_str() {
                "memory" | "cores" => format!("{name} {value}"),
                _ if value.is_empty() => format!("option {name}"),
                _ => format!("option {name}={value}"),
            });
        }
        out.extend(self.config.lines.iter().cloned());
        self.await_ready(out)
    }

    /// Sends a ping. An engine without pings counts as ready at once.
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

    /// Ends the search; the engine sends nothing more about this game.
    fn on_game_end(&mut self, event: ClientEvent) -> ClientEvent {
        if std::mem::take(&mut self.is_searching) { event } else { ClientEvent::NoEvent }
    }

    /// Handles a refused position: of the game that starts, or of the search.
    fn on_refused_position(&mut self, line: &str) -> ClientEvent {
        let event = ClientEvent::Rejection(line.into());
        if std::mem::take(&mut self.awaits_new_game) { event } else { self.on_game_end(event) }
    }
}

/// Parses the pairs `name=value` and `name="several words"` of a line.
fn parse_features(text: &str) -> Vec<(&str, &str)> {
    let (mut pairs, mut rest) = (Vec::new(), text);
    while let Some((name, after)) = rest.trim_start().split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        // Tokens without a value are skipped.
        pairs.push((name.rsplit(char::is_whitespace).next().unwrap_or(name), value));
        rest = next;
    }
    pairs
}

/// Formats the seconds of an increment with the decimals they need. CECP has whole seconds; engines with short
/// increments read fractions.
fn format_seconds(millis: u128) -> String {
    match millis % 1000 {
        0 => (millis / 1000).to_string(),
        rest => format!("{}.{rest:03}", millis / 1000).trim_end_matches('0').to_owned(),
    }
}

/// Appends the commands that set the limits of a game.
fn send_limits(limits: &MoveLimits, out: &mut Vec<String>) {
    if let Some([own, _]) = limits.clocks {
        let (moves, seconds) = (own.moves_to_go.unwrap_or(0), own.remaining.as_secs());
        let base = if seconds % 60 == 0 {
            (seconds / 60).to_string()
        } else {
            format!("{}:{:02}", seconds / 60, seconds % 60)
        };
        out.push(format!("level {moves} {base} {}", format_seconds(own.increment.as_millis())));
    }
    if let Some(time) = limits.move_time {
        // Whole seconds: an engine that reads a whole number would take a fraction for 0.
        out.push(format!("st {}", time.as_secs().max(1)));
    }
    if let Some(depth) = limits.depth {
        out.push(format!("sd {depth}"));
    }
}

impl EngineClient for XboardClient {
    fn handshake(&mut self, out: &mut Vec<String>) {
        out.extend(["xboard".into(), "protover 2".into()]);
    }

    fn on_line(&mut self, line: &str, out: &mut Vec<String>) -> ClientEvent {
        let line = line.trim();
        let tokens: Vec<_> = line.split_whitespace().collect();
        match tokens[..] {
            ["feature", ..] => {
                let done = self.apply_features(&line["feature".len()..], out);
                return if done { self.set_options(out) } else { ClientEvent::NoEvent };
            }
            ["pong", number] if number.parse() == Ok(self.last_ping) && !self.is_searching => {
                self.awaits_new_game = false;
                return ClientEvent::Ready;
            }
            ["move", mv, ..] => return self.on_move(mv),
            ["My", "move", "is", ":", mv, ..] | ["My", "move", "is:", mv, ..] => return self.on_move(mv),
            // CECP version 1: `1. ... e7e5`.
            [number, "...", mv] if number.trim_end_matches('.').parse::<u32>().is_ok() => {
                return self.on_move(mv);
            }
            ["resign", ..] => return self.on_game_end(ClientEvent::Resign),
            ["tellusererror", "Illegal", "position" | "position:", ..] => {
                return self.on_refused_position(line["tellusererror".len()..].trim_start());
            }
            ["Illegal", "position" | "position:", ..] => return self.on_refused_position(line),
            ["1-0" | "0-1" | "1/2-1/2", ..] | ["Illegal", "move" | "move:", ..] => {
                return self.on_game_end(ClientEvent::Rejection(line.into()));
            }
            [depth, score, time, nodes, ref pv @ ..] if self.is_searching => {
                let (Ok(depth), Ok(score), Ok(_), Ok(nodes)) = (
                    depth.trim_end_matches(['.', '+', '-', '&']).parse(),
                    score.parse::<i32>(),
                    time.parse::<u64>(),
                    nodes.parse(),
                ) else {
                    return ClientEvent::NoEvent;
                };
                let mate = score.checked_abs().filter(|&score| score >= MATE_SCORE);
                // A mate in 0 is one of the side to move.
                let least = if score > 0 { 1 } else { 0 };
                let mate = mate.map(|magnitude| (magnitude - MATE_SCORE).max(least) * score.signum());
                let score = if mate.is_some() { None } else { Some(score) };
                return ClientEvent::Info(EngineInfo {
                    depth: Some(depth),
                    score,
                    mate,
                    nodes: Some(nodes),
                    pv: pv.iter().map(|&mv| mv.to_owned()).collect(),
                    ..EngineInfo::default()
                });
            }
            _ => (),
        }
        ClientEvent::NoEvent
    }

    fn on_idle(&mut self, out: &mut Vec<String>) -> ClientEvent {
        // Engines of version 1 send no features.
        if self.handshake_done || self.awaits_features { ClientEvent::NoEvent } else { self.set_options(out) }
    }

    fn new_game(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) -> ClientEvent {
        if request.start.is_some() && !self.supports_setboard {
            return ClientEvent::Rejection("the engine cannot set up a position (feature setboard=0)".into());
        }
        (self.moves_sent, self.is_searching) = (0, false);
        out.push("new".into());
        if let Some(variant) = self.variant_name() {
            out.push(format!("variant {variant}"));
        }
        out.push("force".into());
        out.extend(request.start.map(|start| format!("setboard {start}")));
        out.extend(["easy", "post"].map(String::from));
        send_limits(request.limits, out);
        self.awaits_new_game = self.supports_ping;
        self.await_ready(out)
    }

    fn exclude_moves(&mut self, refused: &[String], _allowed: &[String]) {
        self.excluded_moves = if self.excludes_moves { refused.to_vec() } else { Vec::new() };
    }

    fn go(&mut self, request: &GoRequest<'_>, out: &mut Vec<String>) {
        out.push("force".into());
        for mv in request.moves.iter().skip(self.moves_sent) {
            out.push(if self.uses_usermove { format!("usermove {mv}") } else { mv.clone() });
        }
        self.moves_sent = request.moves.len();
        if let Some([own, other]) = request.limits.clocks
            && self.reads_clocks
        {
            // CECP counts centiseconds.
            out.push(format!("time {}", own.remaining.as_millis() / 10));
            out.push(format!("otim {}", other.remaining.as_millis() / 10));
        }
        (self.awaits_new_game, self.is_searching) = (false, true);
        // Every new position has all moves again, so that nothing has to be included after the search.
        out.extend(self.excluded_moves.drain(..).map(|mv| format!("exclude {mv}")));
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

    fn plays_one_game(&self) -> bool {
        self.plays_one_game
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClockState, Protocol, VariantNames};
    use super::*;
    use std::time::Duration;

    fn receive(client: &mut dyn EngineClient, line: &str) -> (ClientEvent, Vec<String>) {
        let mut out = Vec::new();
        (client.on_line(line, &mut out), out)
    }

    fn client(cecp: &'static [&'static str]) -> Box<dyn EngineClient> {
        let options = vec![("memory".into(), "64".into()), ("Style".into(), "calm".into())];
        Protocol::Xboard.new_client(EngineConfig {
            variants: VariantNames { cecp, ..VariantNames::default() },
            options,
            lines: vec!["book off".into()],
            ..EngineConfig::default()
        })
    }

    fn limits() -> MoveLimits {
        let clock = |seconds| ClockState {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(500),
            moves_to_go: None,
        };
        MoveLimits { clocks: Some([clock(90), clock(120)]), depth: Some(8), ..MoveLimits::default() }
    }

    #[test]
    fn features_are_answered_and_applied() {
        let mut client = client(&["xiangqi"]);
        let (event, out) =
            receive(&mut *client, "feature myname=\"A Horse 1.0\" usermove=1 san=1 setboard=1 ping=1");
        assert_eq!(event, ClientEvent::NoEvent);
        assert_eq!(
            out,
            ["accepted myname", "accepted usermove", "rejected san", "accepted setboard", "accepted ping"]
        );
        let (event, out) = receive(&mut *client, "feature variants=\"normal,xiangqi\" done=1");
        assert_eq!(event, ClientEvent::NoEvent);
        assert_eq!(
            out,
            ["accepted variants", "accepted done", "memory 64", "option Style=calm", "book off", "ping 1"]
        );
        assert_eq!(receive(&mut *client, "pong 2").0, ClientEvent::NoEvent);
        assert_eq!(receive(&mut *client, "pong 1").0, ClientEvent::Ready);
        assert_eq!((client.name(), client.variant()), (Some("A Horse 1.0"), Some("xiangqi")));
        let (limits, mut out) = (limits(), Vec::new());
        let request =
            GoRequest { start: Some("FEN b"), second_moves_first: true, moves: &[], limits: &limits };
        assert_eq!(client.new_game(&request, &mut out), ClientEvent::NoEvent);
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
        client.go(&GoRequest { moves: &moves, ..request }, &mut out);
        assert_eq!(out, ["force", "usermove h9g7", "time 9000", "otim 12000", "go"]);
        assert_eq!(
            receive(&mut *client, "6 -20 66 160183 1. ... Ch7-c7").0,
            ClientEvent::Info(EngineInfo {
                depth: Some(6),
                score: Some(-20),
                nodes: Some(160_183),
                pv: ["1.", "...", "Ch7-c7"].map(String::from).into(),
                ..EngineInfo::default()
            })
        );
        assert_eq!(
            receive(&mut *client, "9. -100003 66 5").0,
            ClientEvent::Info(EngineInfo {
                depth: Some(9),
                mate: Some(-3),
                nodes: Some(5),
                ..EngineInfo::default()
            })
        );
        // A winning score is no mate of the side to move.
        let ClientEvent::Info(info) = receive(&mut *client, "9 100000 66 5").0 else { panic!() };
        assert_eq!((info.mate, info.score), (Some(1), None));
        assert_eq!(receive(&mut *client, "move h0g2").0, ClientEvent::BestMove("h0g2".into()));
        // The engine already has its own move on the board.
        let moves = ["h9g7", "h0g2", "b9c7"].map(String::from);
        out.clear();
        client.go(&GoRequest { moves: &moves, ..request }, &mut out);
        assert_eq!(out[..2], ["force", "usermove b9c7"]);
    }

    #[test]
    fn an_engine_without_clocks_and_for_one_game_gets_neither() {
        let mut client = client(&[]);
        assert!(!client.plays_one_game());
        receive(&mut *client, "feature time=0 reuse=0 done=1");
        assert!(client.plays_one_game());
        let (limits, mut out) = (limits(), Vec::new());
        let request = GoRequest { start: None, second_moves_first: false, moves: &[], limits: &limits };
        client.new_game(&request, &mut out);
        out.clear();
        client.go(&request, &mut out);
        assert_eq!(out, ["force", "go"]);
        let limits = MoveLimits { move_time: Some(Duration::from_millis(300)), ..MoveLimits::default() };
        out.clear();
        client.new_game(&GoRequest { limits: &limits, ..request }, &mut out);
        assert_eq!(out.last().unwrap(), "st 1");
    }

    #[test]
    fn an_engine_of_version_1_is_ready_after_silence() {
        let mut client = client(&[]);
        let mut out = Vec::new();
        assert_eq!(client.on_idle(&mut out), ClientEvent::Ready);
        assert_eq!(client.on_idle(&mut out), ClientEvent::NoEvent);
        let (limits, start) =
            (MoveLimits { move_time: Some(Duration::from_secs(2)), ..MoveLimits::default() }, None);
        let request =
            GoRequest { start, second_moves_first: false, moves: &["e2e4".into()], limits: &limits };
        out.clear();
        assert_eq!(client.new_game(&request, &mut out), ClientEvent::Ready);
        assert_eq!(out, ["new", "force", "easy", "post", "st 2"]);
        let set_up = GoRequest { start: Some("FEN"), ..request };
        assert!(matches!(client.new_game(&set_up, &mut out), ClientEvent::Rejection(_)));
        for (line, event) in [
            ("1. ... e7e5", ClientEvent::BestMove("e7e5".into())),
            ("My move is: e7e5", ClientEvent::BestMove("e7e5".into())),
            ("My move is : e7e5", ClientEvent::BestMove("e7e5".into())),
            ("My move is", ClientEvent::NoEvent),
            ("resign", ClientEvent::Resign),
            ("1/2-1/2 {repetition}", ClientEvent::Rejection("1/2-1/2 {repetition}".into())),
            ("Illegal move: e2e4", ClientEvent::Rejection("Illegal move: e2e4".into())),
            ("a b c d", ClientEvent::NoEvent),
        ] {
            out.clear();
            client.new_game(&request, &mut out);
            client.go(&request, &mut out);
            assert_eq!(out.iter().rev().nth(1).map(String::as_str), Some("e2e4"));
            assert_eq!(receive(&mut *client, line).0, event, "{line}");
        }
        client.finish(&mut out);
        assert_eq!(receive(&mut *client, "0-1 {mate}").0, ClientEvent::NoEvent);
        assert_eq!(receive(&mut *client, "move e7e5").0, ClientEvent::NoEvent);
    }

    #[test]
    fn an_engine_that_lists_other_variants_is_refused() {
        let cases: [(&'static [&'static str], &str, &str); 2] = [
            (
                &["reversi", "othello"],
                "normal,xiangqi",
                "(reversi, othello); its variants are normal, xiangqi",
            ),
            (&[], "xiangqi", "(normal); its variants are xiangqi"),
        ];
        for (names, listed, reason) in cases {
            let mut client = client(names);
            let (event, out) = receive(&mut *client, &format!("feature variants=\"{listed}\" done=1"));
            let reason = format!("the engine does not offer the game {reason}");
            assert_eq!(event, ClientEvent::Rejection(reason));
            assert_eq!(out, ["accepted variants", "accepted done"]);
        }
    }

    #[test]
    fn an_engine_that_has_announced_more_features_is_awaited() {
        let (mut client, mut out) = (client(&[]), Vec::new());
        receive(&mut *client, "feature done=0");
        assert_eq!(client.on_idle(&mut out), ClientEvent::NoEvent);
        receive(&mut *client, "feature ping=1");
        assert_eq!(client.on_idle(&mut out), ClientEvent::NoEvent);
        assert_eq!(out, Vec::<String>::new());
        assert_eq!(receive(&mut *client, "feature done=1").1.last().unwrap(), "ping 1");
    }

    #[test]
    fn a_refused_position_is_a_rejection_of_the_new_game() {
        let limits = MoveLimits::default();
        let request =
            GoRequest { start: Some("FEN"), second_moves_first: false, moves: &[], limits: &limits };
        for line in ["tellusererror Illegal position: no king", "Illegal position: no king"] {
            let (mut client, mut out) = (client(&[]), Vec::new());
            receive(&mut *client, "feature setboard=1 ping=1 done=1");
            assert_eq!(receive(&mut *client, "pong 1").0, ClientEvent::Ready);
            assert_eq!(receive(&mut *client, line).0, ClientEvent::NoEvent);
            client.new_game(&request, &mut out);
            let rejection = ClientEvent::Rejection("Illegal position: no king".into());
            assert_eq!(receive(&mut *client, line).0, rejection, "{line}");
        }
    }

    #[test]
    fn features_are_split_at_spaces_outside_quotes() {
        assert_eq!(parse_features(" a=1  b=\"x y\" c=\"open"), [("a", "1"), ("b", "x y"), ("c", "open")]);
        assert_eq!(parse_features("stray a=1 stray"), [("a", "1")]);
        assert_eq!(
            (format_seconds(100), format_seconds(2000), format_seconds(1250)),
            ("0.1".into(), "2".into(), "1.25".into())
        );
    }

    #[test]
    fn moves_are_excluded_for_engines_that_can_do_it() {
        let limits = MoveLimits::default();
        let request = GoRequest { start: None, second_moves_first: false, moves: &[], limits: &limits };
        for (features, expected) in [
            ("feature exclude=1 done=1", &["force", "exclude h2e2", "exclude b2e2", "go"][..]),
            ("feature exclude=0 done=1", &["force", "go"]),
        ] {
            let mut client = client(&[]);
            receive(&mut *client, features);
            client.exclude_moves(&["h2e2".into(), "b2e2".into()], &[]);
            for expected in [expected, &["force", "go"]] {
                let mut out = Vec::new();
                client.go(&request, &mut out);
                assert_eq!(out, expected);
                client.on_line("move h2e2", &mut out);
            }
        }
    }
}

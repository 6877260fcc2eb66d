//! Whole games through each protocol: an external engine with a plain implementation of the protocol plays the same
//! games as a player without a protocol.

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use alfil_engine::{SearchEvent, SearchObserver};
use alfil_kernel::{Bound, Waivers};
use alfil_matches::external::{EngineLauncher, EngineSpec, ExternalPlayer, LineTransport, Received};
use alfil_matches::game::{MatchGame, MatchRules};
use alfil_matches::move_encoding::RankNumbering;
use alfil_matches::openings::{Opening, OpeningGenerator};
use alfil_matches::{
    ChosenMove, EngineConfig, EngineMatch, MoveLimits, Player, PlayerFailure, PlayerLimits, Protocol,
    round_robin, variant_names,
};
use alfil_session::{GameSession, SearchReport, registry};

/// Returns a legal move that depends only on the position.
fn pick(session: &dyn GameSession) -> String {
    let moves = session.legal_moves(None).unwrap();
    moves[(session.view().hash_key % moves.len() as u64) as usize].clone()
}

/// A player without a protocol.
struct Plain;

impl Player for Plain {
    fn new_game(&mut self, _: &dyn GameSession, _: &Opening, _: &MoveLimits) -> Result<(), PlayerFailure> {
        Ok(())
    }

    fn choose_move(
        &mut self,
        session: &dyn GameSession,
        _: &Opening,
        _: &MoveLimits,
        _: Option<Duration>,
        _: Option<&mut dyn SearchObserver>,
    ) -> Result<ChosenMove, PlayerFailure> {
        Ok(ChosenMove { text: Some(pick(session)), ..ChosenMove::default() })
    }
}

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq)]
struct EngineSetup {
    game: &'static str,
    protocol: Protocol,
    ranks: RankNumbering,
    drops: bool,
}

/// The engine at the other end of the protocol.
struct Engine {
    setup: EngineSetup,
    is_chess960: bool,
    session: Box<dyn GameSession>,
    replies: VecDeque<String>,
}

impl Engine {
    fn dialect(&self) -> Option<&'static str> {
        match self.is_chess960 {
            true => Some("uci960"),
            false => (self.setup.ranks == RankNumbering::One).then_some("uci10"),
        }
    }

    fn reply(&mut self, text: impl Into<String>) {
        self.replies.push_back(text.into());
    }

    fn open(&mut self, text: &str) {
        self.session.open(text, &Waivers::None).unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    fn play(&mut self, text: &str) {
        let dialect = self.dialect();
        self.session.play(text, dialect).unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    fn chosen(&self) -> String {
        let mv = pick(self.session.as_ref());
        let text = self.session.format_move(&mv, self.dialect()).unwrap();
        if !self.setup.drops {
            return text;
        }
        let rank = 9 - text[1..].parse::<u32>().unwrap();
        format!("P@{}{rank}", &text[..1])
    }

    /// Handles `position startpos|fen F [moves ...]` of UCI and UCCI.
    fn position(&mut self, text: &str) {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        assert_eq!(self.is_chess960, self.setup.game == "chess" && start != "startpos", "{text}");
        match start.strip_prefix("fen ") {
            Some(fen) if self.setup.drops => self.open(&board_of_drop_fen(fen)),
            Some(fen) => self.open(fen),
            None => self.open("startpos"),
        }
        moves.split_whitespace().for_each(|mv| self.play(mv));
    }

    fn universal(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("uci", _) => {
                if self.setup.drops {
                    self.reply("option name UCI_Variant type combo default chess var chess var flipello");
                }
                self.reply("option name UCI_Chess960 type check default false");
                self.reply("uciok");
            }
            ("ucci", _) => {
                self.reply("option usemillisec type check default false");
                self.reply("ucciok");
            }
            ("isready", _) => self.reply("readyok"),
            ("position", rest) => self.position(rest),
            ("go", rest) => {
                assert_eq!(rest, "depth 3");
                self.reply("info depth 3 score cp 12 nodes 40");
                let mv = self.chosen();
                self.reply(format!("bestmove {mv}"));
            }
            ("setoption", rest) => {
                if let Some(value) = rest.strip_prefix("name UCI_Chess960 value ") {
                    self.is_chess960 = value == "true";
                }
            }
            ("ucinewgame" | "quit", _) => (),
            other => panic!("{other:?}"),
        }
    }

    fn xboard(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("protover", _) => {
                self.reply(
                    "feature usermove=1 setboard=1 ping=1 variants=\"normal,xiangqi\" colors=0 done=1",
                );
            }
            ("new", _) => self.open("startpos"),
            ("variant", name) => assert_eq!(name, self.setup.game),
            ("setboard", fen) => self.open(fen),
            ("usermove", mv) => self.play(mv),
            ("ping", number) => self.reply(format!("pong {number}")),
            ("go", _) => {
                let mv = self.chosen();
                self.reply(format!("move {mv}"));
                self.play(&mv);
            }
            ("xboard" | "accepted" | "force" | "easy" | "post" | "sd" | "quit", _) => (),
            other => panic!("{other:?}"),
        }
    }

    fn gtp(&mut self, line: &str) {
        let tokens: Vec<_> = line.split(' ').collect();
        let mover = ["black", "white"][self.session.view().side_to_move.index()];
        let answer = match tokens[..] {
            ["clear_board"] => {
                self.open("startpos");
                String::new()
            }
            ["play", colour, mv] => {
                assert_eq!(colour, mover, "{line}");
                self.play(mv);
                String::new()
            }
            ["genmove", colour] => {
                assert_eq!(colour, mover, "{line}");
                let mv = self.chosen();
                self.play(&mv);
                mv.to_uppercase()
            }
            _ => String::new(),
        };
        self.reply(format!("= {answer}"));
        self.reply("");
    }

    fn nboard(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("ping", number) => self.reply(format!("pong {number}")),
            ("set", rest) if rest.starts_with("game") => self.ggf(rest),
            ("go", _) => {
                let mv = self.chosen();
                self.reply("search f5d6 1.00 0 3");
                self.reply(format!("=== {}/1.00/0.5", mv.to_uppercase()));
            }
            ("nboard", "2") | ("set", "depth 3") | ("quit", _) => (),
            other => panic!("{other:?}"),
        }
    }

    fn ggf(&mut self, text: &str) {
        let (_, board) = text.split_once("BO[8 ").expect("a board");
        let (board, moves) = board.split_once(']').expect("its end");
        self.open(&board.replace('*', "X"));
        for mv in moves.split(']').filter(|mv| !mv.starts_with(';')) {
            let (colour, mv) = mv.split_once('[').expect("a move");
            assert_eq!(colour, ["B", "W"][self.session.view().side_to_move.index()]);
            self.play(mv);
        }
    }
}

/// Converts a FEN with `P` and `p` into a board of Othello.
fn board_of_drop_fen(fen: &str) -> String {
    let (rows, rest) = fen.split_once('[').expect("pieces in hand");
    let mut board = String::new();
    for letter in rows.chars() {
        match letter {
            'P' => board.push('X'),
            'p' => board.push('O'),
            '/' => (),
            number => board += &"-".repeat(number.to_digit(10).expect("a number") as usize),
        }
    }
    let side = if rest.contains("] w") { 'X' } else { 'O' };
    format!("{board} {side}")
}

impl LineTransport for Engine {
    fn send(&mut self, line: &str) {
        match self.setup.protocol {
            Protocol::Uci | Protocol::Ucci => self.universal(line),
            Protocol::Xboard => self.xboard(line),
            Protocol::Gtp => self.gtp(line),
            Protocol::Nboard => self.nboard(line),
        }
    }

    fn receive(&mut self, _: Instant) -> Received {
        match self.replies.pop_front() {
            Some(line) => Received::Line(Instant::now(), line),
            None => Received::Closed("no reply is pending".into()),
        }
    }

    fn log(&self) -> Vec<String> {
        Vec::new()
    }

    fn close(&mut self) {}
}

struct Starter(EngineSetup);

impl EngineLauncher for Starter {
    fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
        let Starter(setup) = *self;
        let session = registry::open(setup.game, None).unwrap();
        Ok(Box::new(Engine { setup, is_chess960: false, session, replies: VecDeque::new() }))
    }
}

/// The players of both engines.
type PlayerPair = [Box<dyn Player>; 2];

fn played(engine_match: &EngineMatch, new_players: &(dyn Fn() -> PlayerPair + Sync)) -> Vec<MatchGame> {
    let mut games = Vec::new();
    let mut on_game = |mut played: MatchGame| {
        played.moves.iter_mut().for_each(|chosen| {
            *chosen = ChosenMove { text: chosen.text.take(), ..ChosenMove::default() };
        });
        games.push(played);
        Ok(ControlFlow::Continue(()))
    };
    engine_match.run(&BTreeSet::new(), 1, &|| Ok(new_players().into()), &mut on_game).unwrap();
    games
}

#[test]
fn every_protocol_plays_the_same_games() {
    let start_positions = [
        ("xiangqi", "3ak4/4a4/9/9/9/2P6/6p2/9/9/R3K4 b"),
        // Chess960: one castling of each side is written differently then.
        ("chess", "1r2k2r/8/8/8/8/8/6p1/1R2K2R b KQkq - 0 1"),
        ("othello", "---------------------------OX------XXX-------------------------- O"),
    ];
    let new_setup = |game, protocol, ranks, drops| EngineSetup { game, protocol, ranks, drops };
    let setups = [
        new_setup("xiangqi", Protocol::Uci, RankNumbering::Zero, false),
        new_setup("xiangqi", Protocol::Uci, RankNumbering::One, false),
        new_setup("xiangqi", Protocol::Ucci, RankNumbering::Zero, false),
        new_setup("xiangqi", Protocol::Xboard, RankNumbering::Zero, false),
        new_setup("chess", Protocol::Uci, RankNumbering::Zero, false),
        new_setup("chess", Protocol::Xboard, RankNumbering::Zero, false),
        new_setup("othello", Protocol::Uci, RankNumbering::Zero, false),
        new_setup("othello", Protocol::Uci, RankNumbering::Zero, true),
        new_setup("othello", Protocol::Gtp, RankNumbering::Zero, false),
        new_setup("othello", Protocol::Nboard, RankNumbering::Zero, false),
    ];
    for (game, start) in start_positions {
        let limits = PlayerLimits { depth: Some(3), ..PlayerLimits::default() };
        let generator = OpeningGenerator {
            nodes: 50,
            imbalance_cp: 0..=2000,
            ..OpeningGenerator::with_defaults(registry::info(game).unwrap(), 11)
        };
        let mut openings = generator.generate(game, 2, &mut |_| ()).unwrap();
        let mut session = registry::open(game, None).unwrap();
        openings.push(Opening::parse(start, session.as_mut()).unwrap());
        let rules = MatchRules { game: game.into(), max_plies: 120, ..MatchRules::default() };
        let mut engine_match = EngineMatch {
            rules,
            names: vec!["a".into(), "b".into()],
            limits: vec![limits.clone(), limits],
            pairings: round_robin(2),
            openings,
            games: 6,
        };
        let plain_player = || -> Box<dyn Player> { Box::new(Plain) };
        let expected = played(&engine_match, &|| [plain_player(), plain_player()]);
        let passes =
            expected.iter().flat_map(|game| &game.moves).filter(|mv| mv.text.as_deref() == Some("pass"));
        assert!(game != "othello" || passes.count() > 0);
        for setup in setups.into_iter().filter(|setup| setup.game == game) {
            let external_player = || -> Box<dyn Player> {
                let variants = variant_names(registry::info(game).unwrap());
                let config = EngineConfig { variants, ..EngineConfig::default() };
                let timeout = Duration::from_secs(60);
                let spec = EngineSpec { protocol: setup.protocol, config, ranks: setup.ranks, timeout };
                Box::new(ExternalPlayer::new(spec, Box::new(Starter(setup))))
            };
            engine_match.games = if setup.protocol.supports_setup() { 6 } else { 4 };
            let games = played(&engine_match, &|| [external_player(), plain_player()]);
            assert_eq!(games, expected[..engine_match.games], "{:?}", setup.protocol);
            assert_eq!(played(&engine_match, &|| [external_player(), external_player()]), games);
        }
    }
}

/// Returns the replies of an engine to the first word of a line.
type Replies = fn(&str) -> &'static [&'static str];

/// An engine with the same replies in every game, which notes what it is sent.
struct Scripted {
    replies_to: Replies,
    sent: Arc<Mutex<Vec<String>>>,
    replies: VecDeque<&'static str>,
}

impl LineTransport for Scripted {
    fn send(&mut self, line: &str) {
        self.sent.lock().unwrap().push(line.to_owned());
        self.replies.extend((self.replies_to)(line.split(' ').next().unwrap_or_default()));
    }

    fn receive(&mut self, _: Instant) -> Received {
        self.replies.pop_front().map_or(Received::Timeout, |line| Received::Line(Instant::now(), line.into()))
    }

    fn log(&self) -> Vec<String> {
        Vec::new()
    }

    fn close(&mut self) {}
}

struct ScriptedStarter(Replies, Arc<Mutex<Vec<String>>>);

impl EngineLauncher for ScriptedStarter {
    fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
        let ScriptedStarter(replies_to, sent) = self;
        Ok(Box::new(Scripted { replies_to: *replies_to, sent: Arc::clone(sent), replies: VecDeque::new() }))
    }
}

/// The replies of an engine that searches until it is stopped.
fn endless_replies(word: &str) -> &'static [&'static str] {
    match word {
        "uci" => &["option name MultiPV type spin default 1 min 1 max 500", "uciok"],
        "isready" => &["readyok"],
        "go" => &[
            "info depth 7 multipv 1 score cp 31 lowerbound nodes 500 pv e2e4 e7e5 e2e4",
            "info depth 7 multipv 2 score mate 2 nodes 500 pv d2d4",
        ],
        "stop" => &["bestmove e2e4"],
        _ => &[],
    }
}

/// Stops a search after two reports.
#[derive(Default)]
struct TwoReports(Vec<SearchEvent>);

impl SearchObserver for TwoReports {
    fn on_info(&mut self, info: SearchEvent) {
        self.0.push(info);
    }

    fn is_stopped(&self) -> bool {
        self.0.len() >= 2
    }
}

#[test]
fn an_observer_sees_the_lines_of_a_search_and_stops_it() {
    let sent = Arc::default();
    let spec = EngineSpec {
        protocol: Protocol::Uci,
        config: EngineConfig::default(),
        ranks: RankNumbering::Zero,
        timeout: Duration::from_secs(60),
    };
    let mut player = ExternalPlayer::new(spec, Box::new(ScriptedStarter(endless_replies, Arc::clone(&sent))));
    let session = registry::open("chess", None).unwrap();
    let limits = MoveLimits { multipv: Some(2), ..MoveLimits::default() };
    let opening = Opening::default();
    player.new_game(session.as_ref(), &opening, &limits).unwrap();
    for _ in 0..2 {
        let mut observer = TwoReports::default();
        let day = Some(Duration::from_secs(86_400));
        let chosen =
            player.choose_move(session.as_ref(), &opening, &limits, day, Some(&mut observer)).unwrap();
        assert_eq!((chosen.text.as_deref(), chosen.score), (Some("e2e4"), Some(31)));
        let lines = observer.0.iter().map(|event| match event {
            SearchEvent::Info {
                report: SearchReport { multipv, score, bound, mate_plies, pv, .. }, ..
            } => (*multipv, mate_plies.unwrap_or(*score), *bound, pv.join(" ")),
            other => panic!("{other:?}"),
        });
        // The line ends before its first illegal move.
        let expected = [(1, 31, Bound::Lower, "e2e4 e7e5".into()), (2, 3, Bound::Exact, "d2d4".into())];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
    let sent = sent.lock().unwrap();
    assert_eq!(sent.iter().filter(|line| *line == "setoption name MultiPV value 2").count(), 1, "{sent:?}");
}

/// The replies of an engine that plays at once: a rook's move that is no check.
fn prompt_replies(word: &str) -> &'static [&'static str] {
    match word {
        "uci" => &["uciok"],
        "ucci" => &["ucciok"],
        "isready" => &["readyok"],
        "go" => &["bestmove f7f6"],
        _ => &[],
    }
}

/// Six checks in a row by one piece are the limit of `tiantian`.
#[test]
fn an_engine_is_sent_the_moves_that_the_ruleset_refuses() {
    let checks = "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9";
    let moves = checks.split(' ').map(str::to_owned).collect();
    let opening = Opening { start: Some("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1".into()), moves };
    for (protocol, ruleset) in
        [(Protocol::Uci, "tiantian"), (Protocol::Ucci, "tiantian"), (Protocol::Ucci, "axf")]
    {
        let mut session = registry::open("xiangqi", None).unwrap();
        session.set_ruleset(ruleset).unwrap();
        opening.set_up(session.as_mut()).unwrap();
        let sent: Arc<Mutex<Vec<String>>> = Arc::default();
        let (config, ranks) = (EngineConfig::default(), RankNumbering::Zero);
        let spec = EngineSpec { protocol, config, ranks, timeout: Duration::from_secs(60) };
        let mut player =
            ExternalPlayer::new(spec, Box::new(ScriptedStarter(prompt_replies, Arc::clone(&sent))));
        let limits = MoveLimits { depth: Some(1), ..MoveLimits::default() };
        player.new_game(session.as_ref(), &opening, &limits).unwrap();
        let chosen = player.choose_move(session.as_ref(), &opening, &limits, None, None).unwrap();
        assert_eq!(chosen.text.as_deref(), Some("f7f6"));
        let sent = sent.lock().unwrap();
        let go = sent.iter().find(|line| line.starts_with("go")).unwrap();
        let banned = sent.iter().find(|line| line.starts_with("banmoves"));
        let names = |line: &str, mv: &str| line.split(' ').any(|token| token == mv);
        match (protocol, ruleset) {
            (Protocol::Uci, _) => {
                assert!(go.contains("searchmoves") && names(go, "f7f6") && !names(go, "f7e7"), "{go}");
                assert_eq!(banned, None);
            }
            (_, "tiantian") => assert!(banned.is_some_and(|line| names(line, "f7e7")), "{sent:?}"),
            _ => assert_eq!(banned, None),
        }
    }
}

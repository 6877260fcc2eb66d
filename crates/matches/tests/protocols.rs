//! Whole games through each protocol: an engine's end written here, plainly, must come to the same game as a player that speaks no
//! protocol at all.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use alfil_kernel::Waivers;
use alfil_matches::external::{EngineLauncher, EngineSpec, ExternalPlayer, LineTransport, Received};
use alfil_matches::game::{MatchRules, PlayedGame};
use alfil_matches::move_encoding::RankNumbering;
use alfil_matches::openings::{Opening, OpeningGenerator};
use alfil_matches::{
    ChosenMove, EngineConfig, EngineMatch, MoveLimits, Player, PlayerFailure, PlayerLimits, PlayerPair,
    Protocol,
};
use alfil_session::{GameSession, registry};

/// Any legal move, the same in the same position.
fn pick(desk: &dyn GameSession) -> String {
    let moves = desk.legal_moves(None).unwrap();
    moves[(desk.view().hash_key % moves.len() as u64) as usize].clone()
}

/// A player that speaks no protocol.
struct Plain;

impl Player for Plain {
    fn new_game(&mut self, _: &dyn GameSession, _: &Opening, _: &MoveLimits) -> Result<(), PlayerFailure> {
        Ok(())
    }

    fn choose_move(
        &mut self,
        desk: &dyn GameSession,
        _: &Opening,
        _: &MoveLimits,
        _: Option<Duration>,
    ) -> Result<ChosenMove, PlayerFailure> {
        Ok(ChosenMove { text: Some(pick(desk)), ..ChosenMove::default() })
    }
}

/// How an engine speaks.
#[derive(Clone, Copy, PartialEq)]
struct Speech {
    game: &'static str,
    protocol: Protocol,
    ranks: RankNumbering,
    drops: bool,
}

/// An engine at the other end.
struct Engine {
    speech: Speech,
    desk: Box<dyn GameSession>,
    answers: VecDeque<String>,
}

impl Engine {
    fn dialect(&self) -> Option<&'static str> {
        (self.speech.ranks == RankNumbering::One).then_some("uci10")
    }

    fn say(&mut self, text: impl Into<String>) {
        self.answers.push_back(text.into());
    }

    fn open(&mut self, text: &str) {
        self.desk.open(text, &Waivers::None).unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    fn play(&mut self, text: &str) {
        let dialect = self.dialect();
        self.desk.play(text, dialect).unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    fn chosen(&self) -> String {
        let mv = pick(self.desk.as_ref());
        let text = self.desk.format_move(&mv, self.dialect()).unwrap();
        if !self.speech.drops {
            return text;
        }
        let rank = 9 - text[1..].parse::<u32>().unwrap();
        format!("P@{}{rank}", &text[..1])
    }

    /// `position startpos|fen F [moves ...]`, of UCI and UCCI.
    fn position(&mut self, text: &str) {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        match start.strip_prefix("fen ") {
            Some(fen) if self.speech.drops => self.open(&undropped(fen)),
            Some(fen) => self.open(fen),
            None => self.open("startpos"),
        }
        moves.split_whitespace().for_each(|mv| self.play(mv));
    }

    fn universal(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("uci", _) => {
                if self.speech.drops {
                    self.say("option name UCI_Variant type combo default chess var chess var flipello");
                }
                self.say("uciok");
            }
            ("ucci", _) => {
                self.say("option usemillisec type check default false");
                self.say("ucciok");
            }
            ("isready", _) => self.say("readyok"),
            ("position", rest) => self.position(rest),
            ("go", rest) => {
                assert_eq!(rest, "depth 3");
                self.say("info depth 3 score cp 12 nodes 40");
                let mv = self.chosen();
                self.say(format!("bestmove {mv}"));
            }
            ("ucinewgame" | "setoption" | "quit", _) => (),
            other => panic!("{other:?}"),
        }
    }

    fn xboard(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("protover", _) => {
                self.say("feature usermove=1 setboard=1 ping=1 variants=\"normal,xiangqi\" colors=0 done=1");
            }
            ("new", _) => self.open("startpos"),
            ("variant", name) => assert_eq!(name, self.speech.game),
            ("setboard", fen) => self.open(fen),
            ("usermove", mv) => self.play(mv),
            ("ping", number) => self.say(format!("pong {number}")),
            ("go", _) => {
                let mv = self.chosen();
                self.say(format!("move {mv}"));
                self.play(&mv);
            }
            ("xboard" | "accepted" | "force" | "easy" | "post" | "sd" | "quit", _) => (),
            other => panic!("{other:?}"),
        }
    }

    fn gtp(&mut self, line: &str) {
        let words: Vec<_> = line.split(' ').collect();
        let mover = ["black", "white"][self.desk.view().side_to_move.index()];
        let answer = match words[..] {
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
        self.say(format!("= {answer}"));
        self.say("");
    }

    fn nboard(&mut self, line: &str) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("ping", number) => self.say(format!("pong {number}")),
            ("set", rest) if rest.starts_with("game") => self.ggf(rest),
            ("go", _) => {
                let mv = self.chosen();
                self.say("search f5d6 1.00 0 3");
                self.say(format!("=== {}/1.00/0.5", mv.to_uppercase()));
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
            assert_eq!(colour, ["B", "W"][self.desk.view().side_to_move.index()]);
            self.play(mv);
        }
    }
}

/// The board of Othello in a FEN with `P` and `p`.
fn undropped(fen: &str) -> String {
    let (men, rest) = fen.split_once('[').expect("men in hand");
    let mut board = String::new();
    for letter in men.chars() {
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
        match self.speech.protocol {
            Protocol::Uci | Protocol::Ucci => self.universal(line),
            Protocol::Xboard => self.xboard(line),
            Protocol::Gtp => self.gtp(line),
            Protocol::Nboard => self.nboard(line),
        }
    }

    fn receive(&mut self, _: Instant) -> Received {
        match self.answers.pop_front() {
            Some(line) => Received::Line(Instant::now(), line),
            None => Received::Closed("it was not asked".into()),
        }
    }

    fn log(&self) -> Vec<String> {
        Vec::new()
    }

    fn close(&mut self) {}
}

struct Starter(Speech);

impl EngineLauncher for Starter {
    fn launch(&mut self) -> Result<Box<dyn LineTransport>, String> {
        let Starter(speech) = *self;
        let desk = registry::open(speech.game, None).unwrap();
        Ok(Box::new(Engine { speech, desk, answers: VecDeque::new() }))
    }
}

fn played(bout: &EngineMatch, seats: &(dyn Fn() -> PlayerPair + Sync)) -> Vec<PlayedGame> {
    let mut games = Vec::new();
    let mut heard = |mut played: PlayedGame| {
        played.moves.iter_mut().for_each(|choice| {
            *choice = ChosenMove { text: choice.text.take(), ..ChosenMove::default() };
        });
        games.push(played);
        Ok(())
    };
    bout.run(&BTreeSet::new(), 1, &|| Ok(seats()), &mut heard).unwrap();
    games
}

#[test]
fn every_protocol_comes_to_the_same_games() {
    let starts = [
        ("xiangqi", "3ak4/4a4/9/9/9/2P6/6p2/9/9/R3K4 b"),
        ("chess", "r3k2r/8/8/8/8/8/6p1/R3K2R b KQkq - 0 1"),
        ("othello", "---------------------------OX------XXX-------------------------- O"),
    ];
    let speak = |game, protocol, ranks, drops| Speech { game, protocol, ranks, drops };
    let speeches = [
        speak("xiangqi", Protocol::Uci, RankNumbering::Zero, false),
        speak("xiangqi", Protocol::Uci, RankNumbering::One, false),
        speak("xiangqi", Protocol::Ucci, RankNumbering::Zero, false),
        speak("xiangqi", Protocol::Xboard, RankNumbering::Zero, false),
        speak("chess", Protocol::Uci, RankNumbering::Zero, false),
        speak("chess", Protocol::Xboard, RankNumbering::Zero, false),
        speak("othello", Protocol::Uci, RankNumbering::Zero, false),
        speak("othello", Protocol::Uci, RankNumbering::Zero, true),
        speak("othello", Protocol::Gtp, RankNumbering::Zero, false),
        speak("othello", Protocol::Nboard, RankNumbering::Zero, false),
    ];
    for (game, start) in starts {
        let pace = PlayerLimits { depth: Some(3), ..PlayerLimits::default() };
        let recipe = OpeningGenerator {
            nodes: 50,
            max_imbalance_cp: 2000,
            ..OpeningGenerator::with_defaults(game, 11)
        };
        let mut openings = recipe.generate(game, 2, &mut |_| ()).unwrap();
        let mut desk = registry::open(game, None).unwrap();
        openings.push(Opening::parse(start, desk.as_mut()).unwrap());
        let rules = MatchRules { game: game.into(), max_plies: 120, ..MatchRules::default() };
        let mut bout = EngineMatch { rules, limits: [pace.clone(), pace], openings, games: 6 };
        let plain = || -> Box<dyn Player> { Box::new(Plain) };
        let expected = played(&bout, &|| [plain(), plain()]);
        let passes =
            expected.iter().flat_map(|game| &game.moves).filter(|mv| mv.text.as_deref() == Some("pass"));
        assert!(game != "othello" || passes.count() > 0);
        for speech in speeches.into_iter().filter(|speech| speech.game == game) {
            let engine = || -> Box<dyn Player> {
                let profile = EngineConfig { game: game.into(), ..EngineConfig::default() };
                let patience = Duration::from_secs(60);
                let calling = EngineSpec {
                    protocol: speech.protocol,
                    config: profile,
                    ranks: speech.ranks,
                    timeout: patience,
                };
                Box::new(ExternalPlayer::new(calling, Box::new(Starter(speech))))
            };
            bout.games = if speech.protocol.supports_setup() { 6 } else { 4 };
            let games = played(&bout, &|| [engine(), plain()]);
            assert_eq!(games, expected[..bout.games], "{:?}", speech.protocol);
            assert_eq!(played(&bout, &|| [engine(), engine()]), games);
        }
    }
}

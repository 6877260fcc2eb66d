//! The engine's side of GTP, which is spoken of Othello here: Black is `b` and begins, rows are counted from the top.

use std::time::{Duration, Instant};

use alfil_kernel::Side;
use alfil_protocol::gtp::{COMMANDS, Colour, Command, Reply, read};

use super::engine::{Engine, Place};
use super::{Flow, Hearing, NAME, Speaker};
use crate::clock::{Bounds, Clock};
use crate::desk::{DeskError, Limits, Thought};

/// The only game that it is spoken of here.
const GAME: &str = "othello";

/// How long a move takes where nobody has set the time.
const USUAL: Duration = Duration::from_secs(1);

/// The state of a GTP dialogue beside the engine's own.
#[derive(Debug)]
pub(crate) struct Gtp {
    /// The request that is being thought about: its number, and whether the move is to be played.
    asked: Option<(Option<u64>, bool)>,
    /// The clocks of Black and White; none where the time is nobody's concern.
    clocks: [Option<Clock>; 2],
    /// New time when the old is used up: so much for so many moves.
    extra: Option<(Duration, u32)>,
    begun: Instant,
}

impl Gtp {
    /// Before the first line.
    ///
    /// # Errors
    /// If Othello cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, DeskError> {
        engine.sit(GAME)?;
        Ok(Gtp { asked: None, clocks: [None; 2], extra: None, begun: Instant::now() })
    }

    fn answer(
        &mut self,
        id: Option<u64>,
        command: Command<'_>,
        engine: &mut Engine,
    ) -> Result<String, String> {
        let words = |error: DeskError| error.to_string();
        Ok(match command {
            Command::ProtocolVersion => "2".into(),
            Command::Name => NAME.split(' ').next().unwrap_or_default().into(),
            Command::Version => env!("CARGO_PKG_VERSION").into(),
            Command::KnownCommand(name) => COMMANDS.contains(&name).to_string(),
            Command::ListCommands => COMMANDS.join("\n"),
            Command::BoardSize(8) => String::new(),
            Command::BoardSize(_) => return Err("unacceptable size".into()),
            Command::ClearBoard => {
                engine.lay(Place::default()).map_err(|refusal| refusal.to_string())?;
                engine.forget();
                String::new()
            }
            Command::Play(colour, vertex) => {
                let before = engine.ply();
                let played = turn(colour, engine).and_then(|()| engine.play(vertex.to_owned()));
                if played.is_err() {
                    // A pass that was taken for granted has not happened either.
                    engine.take_back(engine.ply() - before);
                }
                played.map_err(words)?;
                String::new()
            }
            Command::GenMove(colour) | Command::RegGenMove(colour) => {
                let plays = matches!(command, Command::GenMove(_));
                return self.think(id, plays, colour, engine).map_err(words);
            }
            Command::Undo if engine.ply() == 0 => return Err("cannot undo".into()),
            Command::Undo => {
                engine.take_back(1);
                String::new()
            }
            Command::ListGames | Command::GameId => "Othello".into(),
            Command::SetGame(name) if name.eq_ignore_ascii_case(GAME) => String::new(),
            Command::SetGame(_) => return Err("unsupported game".into()),
            Command::TimeSettings(0, 0, _) => return Err("a clock has more than 0 seconds".into()),
            Command::TimeSettings(main, extra, stones) => {
                self.settings(Duration::from_secs(main), Duration::from_secs(extra), stones, engine.overhead);
                String::new()
            }
            Command::TimeLeft(colour, seconds, stones) => {
                let clock = Clock {
                    left: Duration::from_secs(seconds),
                    increment: Duration::ZERO,
                    moves: (stones > 0).then_some(stones),
                    overhead: engine.overhead,
                };
                self.clocks[side(colour).index()] = Some(clock);
                String::new()
            }
            Command::ShowBoard | Command::Board => board(engine),
            Command::BoardSizeAsked => "8".into(),
            Command::LegalMoves => engine.desk.moves(None).map_err(words)?.join(" "),
            Command::SideToMove if engine.desk.judge().is_some() => "none".into(),
            Command::SideToMove => ["black", "white"][engine.desk.view().side.index()].into(),
            Command::FinalScore => score(engine)?,
            Command::Level(level) => {
                engine.set("skill level", &level.to_string()).map_err(words)?;
                String::new()
            }
            Command::Komi | Command::Quit => String::new(),
        })
    }

    /// Begins to think; an answer only where there is nothing to think about.
    fn think(
        &mut self,
        id: Option<u64>,
        plays: bool,
        colour: Colour,
        engine: &mut Engine,
    ) -> Result<String, DeskError> {
        if engine.desk.judge().is_some() {
            return Ok("pass".into());
        }
        turn(colour, engine)?;
        let clock = self.clocks[side(colour).index()];
        let bounds = clock.map_or(Bounds::exact(USUAL), |clock| engine.bounds(&clock));
        engine.think(&Limits { clock: Some(bounds), ..Limits::default() })?;
        self.asked = Some((id, plays));
        self.begun = Instant::now();
        Ok(String::new())
    }

    /// Sets both clocks. Extra time for no stones means that there is no limit.
    fn settings(&mut self, main: Duration, extra: Duration, stones: u32, overhead: Duration) {
        let unlimited = !extra.is_zero() && stones == 0;
        self.extra = (!extra.is_zero() && stones > 0).then_some((extra, stones));
        let (left, moves) = match self.extra {
            Some((extra, stones)) if main.is_zero() => (extra, Some(stones)),
            _ => (main, None),
        };
        let clock = Clock { left, increment: Duration::ZERO, moves, overhead };
        self.clocks = [(!unlimited).then_some(clock); 2];
    }

    /// The time that a move took is gone; a controller that sends `time_left` knows better.
    fn spend(&mut self, side: Side) {
        let Some(clock) = &mut self.clocks[side.index()] else { return };
        clock.left = clock.left.saturating_sub(self.begun.elapsed());
        if let Some(moves) = &mut clock.moves {
            *moves = moves.saturating_sub(1);
        }
        if let (Some((extra, stones)), true) = (self.extra, clock.left.is_zero() || clock.moves == Some(0)) {
            (clock.left, clock.moves) = (extra, Some(stones));
        }
    }
}

/// It is this colour's turn, if need be because the other passes.
fn turn(colour: Colour, engine: &mut Engine) -> Result<(), DeskError> {
    let (mover, wanted) = (engine.desk.view().side, side(colour));
    if mover == wanted || engine.desk.judge().is_some() {
        return Ok(());
    }
    let refused = |_| DeskError::new(format!("it is not {}'s turn", ["black", "white"][wanted.index()]));
    engine.play("pass".into()).map(drop).map_err(refused)
}

fn side(colour: Colour) -> Side {
    match colour {
        Colour::Black => Side::First,
        Colour::White => Side::Second,
    }
}

/// The board, row by row from the top, as GoGui's extension shows it.
fn board(engine: &Engine) -> String {
    let view = engine.desk.view();
    let at = |square: String| {
        view.men.iter().find(|(name, _)| *name == square).map_or('.', |&(_, disc)| disc.to_ascii_uppercase())
    };
    let row = |rank: u8| {
        let squares = (b'a'..=b'h').map(|file| at(format!("{}{rank}", char::from(file))).to_string());
        squares.collect::<Vec<_>>().join(" ")
    };
    (1..=8).map(row).collect::<Vec<_>>().join("\n")
}

/// The difference in discs, empty squares to the winner.
fn score(engine: &Engine) -> Result<String, String> {
    let view = engine.desk.view();
    let (Some([black, white]), true) = (view.tally, view.ending.is_some()) else {
        return Err("cannot score: the game is not over".into());
    };
    let empty = 64 - black - white;
    Ok(match black.cmp(&white) {
        std::cmp::Ordering::Greater => format!("B+{}", black - white + empty),
        std::cmp::Ordering::Less => format!("W+{}", white - black + empty),
        std::cmp::Ordering::Equal => "0".into(),
    })
}

impl Speaker for Gtp {
    fn hear(&mut self, line: &str, engine: &mut Engine) -> Flow {
        let Some(request) = read(line) else { return Flow::On };
        let over = request.command == Ok(Command::Quit);
        let id = request.id;
        let answer = match request.command {
            Ok(command) => self.answer(id, command, engine),
            Err(alfil_protocol::Fault::Unknown(_)) => Err("unknown command".into()),
            Err(fault) => Err(fault.to_string()),
        };
        // What is thought about is answered when it is known.
        if self.asked.is_none() {
            engine.say(Reply(id, answer));
        }
        if over { Flow::Over } else { Flow::On }
    }

    fn pass_on(&mut self, thought: Thought, engine: &mut Engine) {
        // An answer has no room for why a search broke off; the standard error has it.
        let Thought::Best(best) = thought else { return };
        let Some((id, plays)) = self.asked.take() else { return };
        let best = best.unwrap_or_else(|| "pass".into());
        self.spend(engine.desk.view().side);
        if plays && let Err(error) = engine.play(best.clone()) {
            return engine.say(Reply(id, Err(error.to_string())));
        }
        engine.say(Reply(id, Ok(best)));
    }

    fn complain(&mut self, words: &str, engine: &mut Engine) {
        engine.say(Reply(None, Err(words.into())));
    }

    /// A request is answered before the next is read.
    fn hearing(&self, engine: &Engine) -> Hearing {
        if engine.thinks() { Hearing::Hurried } else { Hearing::Open }
    }
}

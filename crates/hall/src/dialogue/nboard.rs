//! The engine's side of the NBoard protocol, which is spoken of Othello.

use alfil_kernel::Side;
use alfil_protocol::nboard::{Command, Depth, Game, Reply, read};

use super::engine::{Engine, Place};
use super::{Flow, NAME, Speaker};
use crate::desk::{DeskError, Limits, Thought};

/// The only game of the protocol.
const GAME: &str = "othello";

/// How deep it thinks where nobody says, in plies.
const USUAL_DEPTH: u32 = 10;
/// The greatest depth that makes sense: as many plies as a game can have discs to place.
const DEEPEST: u32 = 60;

/// What it is thinking for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Doing {
    Nothing,
    /// A hint.
    Hint,
    /// The move it would play.
    Go,
    /// The worth of every position of the game, the last first: the moves that were taken back so far, in order.
    Analysis {
        later: Vec<String>,
    },
}

/// The state of an NBoard dialogue beside the engine's own.
#[derive(Debug)]
pub(crate) struct NBoard {
    depth: u32,
    doing: Doing,
    /// The last score told, in hundredths; positions and seconds.
    score: i32,
    nodes: u64,
    seconds: f64,
}

impl NBoard {
    /// Before the first line.
    ///
    /// # Errors
    /// If Othello cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, DeskError> {
        engine.sit(GAME)?;
        Ok(NBoard { depth: USUAL_DEPTH, doing: Doing::Nothing, score: 0, nodes: 0, seconds: 0.0 })
    }

    /// Ends what it is doing, without a word.
    fn rest(&mut self, engine: &mut Engine) {
        engine.abandon();
        if let Doing::Analysis { later } = std::mem::replace(&mut self.doing, Doing::Nothing) {
            for mv in later {
                // It was played before it was taken back.
                let _ = engine.play(mv);
            }
        }
    }

    fn think(&mut self, lines: usize, doing: Doing, engine: &mut Engine) -> Result<(), DeskError> {
        if engine.desk.judge().is_some() {
            return Err(DeskError::new("the game is over"));
        }
        engine.think(&Limits { depth: Some(self.depth), lines, ..Limits::default() })?;
        self.doing = doing;
        engine.say(Reply::Status("Thinking"));
        Ok(())
    }

    fn lay(&mut self, game: &Game<'_>, engine: &mut Engine) -> Result<(), DeskError> {
        let fen = game.board.map(str::to_owned);
        let before = engine.place();
        engine
            .lay(Place { fen, ..Place::default() })
            .map_err(|refusal| DeskError::new(refusal.to_string()))?;
        for &(black, mv) in &game.moves {
            let mover = if black { Side::First } else { Side::Second };
            let played = turn(mover, engine).and_then(|()| engine.play(mv.to_owned()));
            if let Err(error) = played {
                let error = error.of_move(engine.ply() + 1);
                // It stood there before, so it can stand there again.
                let _ = engine.lay(before);
                return Err(error);
            }
        }
        Ok(())
    }

    /// The position on the desk is worth this; the one before it is next.
    fn analysed(&mut self, score: i32, engine: &mut Engine) -> Result<(), DeskError> {
        engine.say(Reply::Analysis(engine.ply(), score));
        let Doing::Analysis { later } = &mut self.doing else { return Ok(()) };
        let Some(last) = engine.place().moves.pop() else {
            self.rest(engine);
            engine.say(Reply::Status(""));
            return Ok(());
        };
        later.insert(0, last);
        engine.take_back(1);
        engine.think(&Limits { depth: Some(self.depth), ..Limits::default() })
    }

    fn analyse(&mut self, engine: &mut Engine) -> Result<(), DeskError> {
        self.doing = Doing::Analysis { later: Vec::new() };
        engine.say(Reply::Status("Analyzing"));
        let view = engine.desk.view();
        match (&view.ending, view.tally) {
            // A game that is over is worth what stands on the board, empty squares to the winner.
            (Some(_), Some(tally)) => {
                let (own, other) = (tally[view.side.index()] as i32, tally[(!view.side).index()] as i32);
                let empty = 64 - own - other;
                self.analysed(100 * (own - other + empty * (own - other).signum()), engine)
            }
            _ => engine.think(&Limits { depth: Some(self.depth), ..Limits::default() }),
        }
    }

    fn obey(&mut self, command: Command<'_>, engine: &mut Engine) -> Result<(), DeskError> {
        match command {
            Command::NBoard(version) => {
                engine.say(Reply::MyName(NAME));
                if version != 2 {
                    engine.say(Reply::Remark("this is version 2 of the protocol"));
                }
            }
            Command::Depth(depth) => self.depth = depth.min(DEEPEST),
            Command::Game(game) => self.lay(&game, engine)?,
            Command::Move(mv) => drop(engine.play(mv.to_owned())?),
            Command::Hint(lines) => self.think(lines.min(64) as usize, Doing::Hint, engine)?,
            Command::Go => self.think(1, Doing::Go, engine)?,
            Command::Ping(number) => engine.say(Reply::Pong(number)),
            // There is no book to put it into; the board only waits for the word.
            Command::Learn => engine.say(Reply::Learned),
            Command::Analyze => self.analyse(engine)?,
            Command::Idle | Command::Quit => {}
        }
        Ok(())
    }

    /// It has thought to the end.
    fn done(&mut self, best: Option<String>, engine: &mut Engine) -> Result<(), DeskError> {
        match self.doing {
            Doing::Analysis { .. } => return self.analysed(self.score, engine),
            Doing::Go => {
                let best = best.unwrap_or_else(|| "pass".into());
                engine.say(Reply::NodeStats(self.nodes, self.seconds));
                engine.say(Reply::Status(""));
                engine.say(Reply::Move(&best, self.score, self.seconds));
            }
            Doing::Hint => {
                engine.say(Reply::NodeStats(self.nodes, self.seconds));
                engine.say(Reply::Status(""));
            }
            Doing::Nothing => {}
        }
        self.doing = Doing::Nothing;
        Ok(())
    }
}

/// It is this side's turn, if need be because the other passes: some boards leave passes out.
fn turn(mover: Side, engine: &mut Engine) -> Result<(), DeskError> {
    if engine.desk.view().side == mover {
        return Ok(());
    }
    engine.play("pass".into()).map(drop)
}

impl Speaker for NBoard {
    fn hear(&mut self, line: &str, engine: &mut Engine) -> Flow {
        let command = match read(line) {
            Ok(command) => command,
            Err(fault) => {
                self.complain(&fault.to_string(), engine);
                return Flow::On;
            }
        };
        // Then nothing is to change, not even what is thought about.
        if let Command::Depth(0) | Command::Hint(0) = command {
            let what = if command == Command::Depth(0) { "a depth" } else { "a number of moves" };
            self.complain(&format!("{what} is at least 1, found 0"), engine);
            return Flow::On;
        }
        // Settings are for the next thought; everything else ends this one.
        if !matches!(command, Command::Depth(_) | Command::Idle) {
            self.rest(engine);
        }
        let over = command == Command::Quit;
        if let Err(error) = self.obey(command, engine) {
            self.complain(&error.to_string(), engine);
        }
        if over { Flow::Over } else { Flow::On }
    }

    fn pass_on(&mut self, thought: Thought, engine: &mut Engine) {
        match thought {
            Thought::Info { rank, depth, score, nodes, seconds, line, .. } => {
                if rank == 1 {
                    (self.score, self.nodes, self.seconds) = (score, nodes, seconds);
                }
                if self.doing == Doing::Hint {
                    // Whoever has solved the position has not looked at it ply by ply.
                    let depth = if depth == 0 { Depth::Exact } else { Depth::Plies(depth) };
                    engine.say(Reply::Search(&line, score, depth));
                }
            }
            Thought::Failed(words) => self.complain(&words, engine),
            Thought::Best(best) => {
                if let Err(error) = self.done(best, engine) {
                    self.complain(&error.to_string(), engine);
                }
            }
        }
    }

    fn complain(&mut self, words: &str, engine: &mut Engine) {
        engine.say(Reply::Remark(words));
    }

    /// Nobody waits for a hint any more when nobody is there.
    fn settle(&mut self, engine: &mut Engine) {
        if matches!(self.doing, Doing::Analysis { .. }) {
            return self.rest(engine);
        }
        for thought in engine.settle() {
            self.pass_on(thought, engine);
        }
    }
}

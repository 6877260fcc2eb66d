//! The engine's side of the NBoard protocol, which is spoken of Othello.

use alfil_kernel::Side;
use alfil_protocol::nboard::{Command, Depth, GgfGame, Reply, parse_command};

use super::engine::{Engine, PositionSpec};
use super::{ControlFlow, ENGINE_NAME, ProtocolHandler};
use crate::SearchEvent;
use alfil_session::SearchLimits;
use alfil_session::game_session::SessionError;

/// The only game of the protocol.
const GAME: &str = "othello";

/// How deep it thinks where nobody says, in plies.
const DEFAULT_DEPTH: u32 = 10;
/// The greatest depth that makes sense: as many plies as a game can have discs to place.
const MAX_DEPTH: u32 = 60;

/// What it is thinking for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Activity {
    Idle,
    /// A hint.
    Hint,
    /// The move it would play.
    Go,
    /// The worth of every position of the game, the last first: the moves that were taken back so far, in order.
    Analysis {
        undone_moves: Vec<String>,
    },
}

/// The state of an NBoard dialogue beside the engine's own.
#[derive(Debug)]
pub(crate) struct NboardHandler {
    depth: u32,
    activity: Activity,
    /// The last score told, in hundredths; positions and seconds.
    score: i32,
    nodes: u64,
    seconds: f64,
}

impl NboardHandler {
    /// Before the first line.
    ///
    /// # Errors
    /// If Othello cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, SessionError> {
        engine.switch_game(GAME)?;
        Ok(NboardHandler { depth: DEFAULT_DEPTH, activity: Activity::Idle, score: 0, nodes: 0, seconds: 0.0 })
    }

    /// Ends what it is doing, without a word.
    fn stop_activity(&mut self, engine: &mut Engine) {
        engine.abandon_search();
        if let Activity::Analysis { undone_moves: later } =
            std::mem::replace(&mut self.activity, Activity::Idle)
        {
            for mv in later {
                // It was played before it was taken back.
                let _ = engine.play(mv);
            }
        }
    }

    fn start_search(
        &mut self,
        lines: usize,
        doing: Activity,
        engine: &mut Engine,
    ) -> Result<(), SessionError> {
        if engine.session.game_end().is_some() {
            return Err(SessionError::new("the game is over"));
        }
        engine.start_search(&SearchLimits {
            depth: Some(self.depth),
            multipv: lines,
            ..SearchLimits::default()
        })?;
        self.activity = doing;
        engine.send(Reply::Status("Thinking"));
        Ok(())
    }

    fn set_game(&mut self, game: &GgfGame<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        let fen = game.board.map(str::to_owned);
        let before = engine.position();
        engine
            .set_position(PositionSpec { fen, ..PositionSpec::default() })
            .map_err(|refusal| SessionError::new(refusal.to_string()))?;
        for &(black, mv) in &game.moves {
            let mover = if black { Side::First } else { Side::Second };
            let played = ensure_turn(mover, engine).and_then(|()| engine.play(mv.to_owned()));
            if let Err(error) = played {
                let error = error.at_move(engine.ply() + 1);
                // It stood there before, so it can stand there again.
                let _ = engine.set_position(before);
                return Err(error);
            }
        }
        Ok(())
    }

    /// The position on the desk is worth this; the one before it is next.
    fn on_analysed(&mut self, score: i32, engine: &mut Engine) -> Result<(), SessionError> {
        engine.send(Reply::Analysis(engine.ply(), score));
        let Activity::Analysis { undone_moves: later } = &mut self.activity else { return Ok(()) };
        let Some(last) = engine.position().moves.pop() else {
            self.stop_activity(engine);
            engine.send(Reply::Status(""));
            return Ok(());
        };
        later.insert(0, last);
        engine.undo_moves(1);
        engine.start_search(&SearchLimits { depth: Some(self.depth), ..SearchLimits::default() })
    }

    fn start_analysis(&mut self, engine: &mut Engine) -> Result<(), SessionError> {
        self.activity = Activity::Analysis { undone_moves: Vec::new() };
        engine.send(Reply::Status("Analyzing"));
        let view = engine.session.view();
        match (&view.game_end, view.piece_counts) {
            // A game that is over is worth what stands on the board, empty squares to the winner.
            (Some(_), Some(tally)) => {
                let (own, other) =
                    (tally[view.side_to_move.index()] as i32, tally[(!view.side_to_move).index()] as i32);
                let empty = 64 - own - other;
                self.on_analysed(100 * (own - other + empty * (own - other).signum()), engine)
            }
            _ => engine.start_search(&SearchLimits { depth: Some(self.depth), ..SearchLimits::default() }),
        }
    }

    fn execute(&mut self, command: Command<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        match command {
            Command::NBoard(version) => {
                engine.send(Reply::MyName(ENGINE_NAME));
                if version != 2 {
                    engine.send(Reply::Message("this is version 2 of the protocol"));
                }
            }
            Command::Depth(depth) => self.depth = depth.min(MAX_DEPTH),
            Command::Game(game) => self.set_game(&game, engine)?,
            Command::Move(mv) => drop(engine.play(mv.to_owned())?),
            Command::Hint(lines) => self.start_search(lines.min(64) as usize, Activity::Hint, engine)?,
            Command::Go => self.start_search(1, Activity::Go, engine)?,
            Command::Ping(number) => engine.send(Reply::Pong(number)),
            // There is no book to put it into; the board only waits for the word.
            Command::Learn => engine.send(Reply::Learned),
            Command::Analyze => self.start_analysis(engine)?,
            Command::Ignored | Command::Quit => {}
        }
        Ok(())
    }

    /// It has thought to the end.
    fn on_best_move(&mut self, best: Option<String>, engine: &mut Engine) -> Result<(), SessionError> {
        match self.activity {
            Activity::Analysis { .. } => return self.on_analysed(self.score, engine),
            Activity::Go => {
                let best = best.unwrap_or_else(|| "pass".into());
                engine.send(Reply::NodeStats(self.nodes, self.seconds));
                engine.send(Reply::Status(""));
                engine.send(Reply::Move(&best, self.score, self.seconds));
            }
            Activity::Hint => {
                engine.send(Reply::NodeStats(self.nodes, self.seconds));
                engine.send(Reply::Status(""));
            }
            Activity::Idle => {}
        }
        self.activity = Activity::Idle;
        Ok(())
    }
}

/// It is this side's turn, if need be because the other passes: some boards leave passes out.
fn ensure_turn(mover: Side, engine: &mut Engine) -> Result<(), SessionError> {
    if engine.session.view().side_to_move == mover {
        return Ok(());
    }
    engine.play("pass".into()).map(drop)
}

impl ProtocolHandler for NboardHandler {
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> ControlFlow {
        let command = match parse_command(line) {
            Ok(command) => command,
            Err(fault) => {
                self.report_error(&fault.to_string(), engine);
                return ControlFlow::Continue;
            }
        };
        // Then nothing is to change, not even what is thought about.
        if let Command::Depth(0) | Command::Hint(0) = command {
            let what = if command == Command::Depth(0) { "a depth" } else { "a number of moves" };
            self.report_error(&format!("{what} is at least 1, found 0"), engine);
            return ControlFlow::Continue;
        }
        // Settings are for the next thought; everything else ends this one.
        if !matches!(command, Command::Depth(_) | Command::Ignored) {
            self.stop_activity(engine);
        }
        let over = command == Command::Quit;
        if let Err(error) = self.execute(command, engine) {
            self.report_error(&error.to_string(), engine);
        }
        if over { ControlFlow::Break } else { ControlFlow::Continue }
    }

    fn on_search_event(&mut self, thought: SearchEvent, engine: &mut Engine) {
        match thought {
            SearchEvent::Info { multipv: rank, depth, score, nodes, seconds, pv: line, .. } => {
                if rank == 1 {
                    (self.score, self.nodes, self.seconds) = (score, nodes, seconds);
                }
                if self.activity == Activity::Hint {
                    // Whoever has solved the position has not looked at it ply by ply.
                    let depth = if depth == 0 { Depth::Exact } else { Depth::Plies(depth) };
                    engine.send(Reply::Search(&line, score, depth));
                }
            }
            SearchEvent::Failed(words) => self.report_error(&words, engine),
            SearchEvent::BestMove(best) => {
                if let Err(error) = self.on_best_move(best, engine) {
                    self.report_error(&error.to_string(), engine);
                }
            }
        }
    }

    fn report_error(&mut self, words: &str, engine: &mut Engine) {
        engine.send(Reply::Message(words));
    }

    /// Nobody waits for a hint any more when nobody is there.
    fn finish_search(&mut self, engine: &mut Engine) {
        if matches!(self.activity, Activity::Analysis { .. }) {
            return self.stop_activity(engine);
        }
        for thought in engine.finish_search() {
            self.on_search_event(thought, engine);
        }
    }
}

//! The engine side of the NBoard protocol, for Othello only.

use alfil_kernel::{Bound, Confidence, Side};
use alfil_protocol::nboard::{Command, Depth, GgfGame, Reply, parse_command};
use alfil_session::{SearchLimits, SearchReport, SessionError};

use super::engine::{Engine, PositionSpec};
use super::othello::{final_margin, pass_unless_turn_of};
use super::{ControlFlow, ENGINE_NAME, HandlerResult, ProtocolHandler};
use crate::SearchEvent;

/// The only game of the protocol.
const GAME: &str = "othello";

/// The default search depth in plies.
const DEFAULT_DEPTH: u32 = 10;
/// The maximum depth: a game has at most 60 discs to place.
const MAX_DEPTH: u32 = 60;

/// The purpose of the running search.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Activity {
    Idle,
    /// A hint: moves with their scores.
    Hint,
    /// The engine's move.
    Go,
    /// The score of every position of the game, the last one first. `undone_moves` are the moves taken back so far, in
    /// order.
    Analysis {
        undone_moves: Vec<String>,
    },
}

/// The state of an NBoard engine beside [`Engine`].
#[derive(Debug)]
pub(crate) struct NboardHandler {
    depth: u32,
    activity: Activity,
    /// The last reported score, in hundredths of a disc.
    score: i32,
    nodes: u64,
    seconds: f64,
}

impl NboardHandler {
    /// Creates the state before the first line.
    ///
    /// # Errors
    /// Returns an error if Othello cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, SessionError> {
        engine.switch_game(GAME)?;
        Ok(NboardHandler { depth: DEFAULT_DEPTH, activity: Activity::Idle, score: 0, nodes: 0, seconds: 0.0 })
    }

    /// Stops the current activity without a reply.
    fn stop_activity(&mut self, engine: &mut Engine) {
        engine.abandon_search();
        if let Activity::Analysis { undone_moves } = std::mem::replace(&mut self.activity, Activity::Idle) {
            for mv in undone_moves {
                // The move was played before, so it is legal.
                let _ = engine.play(mv);
            }
        }
    }

    /// Returns an error if a move is not legal in the position of the GUI, without any effect on a running search.
    fn check_move(&self, mv: &str, engine: &mut Engine) -> Result<(), SessionError> {
        engine.check_position()?;
        let undone_moves = match &self.activity {
            Activity::Analysis { undone_moves } => undone_moves.clone(),
            _ => Vec::new(),
        };
        let undone_count = undone_moves.len();
        for undone in undone_moves {
            // The move was played before, so it is legal.
            let _ = engine.play(undone);
        }
        let result = engine.convert_to_default_dialect(mv, None);
        engine.undo_moves(undone_count);
        result.map(drop)
    }

    fn start_search(
        &mut self,
        multipv: usize,
        activity: Activity,
        engine: &mut Engine,
    ) -> Result<(), SessionError> {
        engine.check_position()?;
        if engine.session.game_end().is_some() {
            return Err(SessionError::new("the game is over"));
        }
        let uses_book = activity == Activity::Go;
        let depth = Some(self.depth);
        engine.start_search(&SearchLimits { depth, multipv, uses_book, ..SearchLimits::default() })?;
        self.activity = activity;
        engine.send(Reply::Status("Thinking"));
        Ok(())
    }

    fn set_game(&mut self, game: &GgfGame<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        let fen = game.board.map(str::to_owned);
        let previous = engine.position();
        let waived = engine
            .set_position(PositionSpec { fen, ..PositionSpec::default() })
            .map_err(|error| SessionError::new(error.to_string()))?;
        if let Some(note) = waived {
            engine.send(Reply::Status(&note));
        }
        engine.prepare();
        for &(black, mv) in &game.moves {
            let mover = if black { Side::First } else { Side::Second };
            let result = pass_unless_turn_of(mover, engine).and_then(|_| engine.play(mv.to_owned()));
            if let Err(error) = result {
                let error = error.at_move(engine.ply() + 1);
                // The previous position was valid.
                let _ = engine.set_position(previous);
                engine.refuse_position(&error);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Reports the score of the current position and analyses the position before it.
    fn on_analysed(&mut self, score: i32, engine: &mut Engine) -> Result<(), SessionError> {
        engine.send(Reply::Analysis(engine.ply(), score));
        let Activity::Analysis { undone_moves } = &mut self.activity else { return Ok(()) };
        let Some(last) = engine.position().moves.pop() else {
            self.stop_activity(engine);
            engine.send(Reply::Status(""));
            return Ok(());
        };
        undone_moves.insert(0, last);
        engine.undo_moves(1);
        engine.start_search(&SearchLimits { depth: Some(self.depth), ..SearchLimits::default() })
    }

    fn start_analysis(&mut self, engine: &mut Engine) -> Result<(), SessionError> {
        engine.check_position()?;
        self.activity = Activity::Analysis { undone_moves: Vec::new() };
        engine.send(Reply::Status("Analyzing"));
        let view = engine.session.view();
        match final_margin(&view) {
            Some(margin) if view.side_to_move == Side::First => self.on_analysed(100 * margin, engine),
            Some(margin) => self.on_analysed(-100 * margin, engine),
            None => engine.start_search(&SearchLimits { depth: Some(self.depth), ..SearchLimits::default() }),
        }
    }

    fn execute(&mut self, command: Command<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        match command {
            Command::NBoard(version) => {
                engine.send(Reply::MyName(ENGINE_NAME));
                if version != 2 {
                    engine.send(Reply::Status("this is version 2 of the protocol"));
                }
            }
            Command::Depth(depth) => self.depth = depth.min(MAX_DEPTH),
            Command::Game(game) => self.set_game(&game, engine)?,
            Command::Move(mv) => drop(engine.play(mv.to_owned())?),
            Command::Hint(multipv) => self.start_search(multipv.min(64) as usize, Activity::Hint, engine)?,
            Command::Go => self.start_search(1, Activity::Go, engine)?,
            Command::Ping(number) => engine.send(Reply::Pong(number)),
            // The opening book does not learn, but the GUI waits for this reply.
            Command::Learn => engine.send(Reply::Learned),
            Command::Analyze => self.start_analysis(engine)?,
            Command::Ignored | Command::Quit => {}
        }
        Ok(())
    }

    /// Handles the end of a search.
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

impl ProtocolHandler for NboardHandler {
    fn sends_positions(&self) -> bool {
        true
    }

    fn on_line(&mut self, line: &str, engine: &mut Engine) -> HandlerResult {
        let sets_position = line.split_whitespace().take(2).eq(["set", "game"]);
        let command =
            engine.accept_command(parse_command(line), sets_position, |engine| self.stop_activity(engine))?;
        // The command is rejected without any effect, not even on a running search.
        if let Command::Depth(0) | Command::Hint(0) = command {
            let name = if command == Command::Depth(0) { "the depth" } else { "the number of moves" };
            return Err(format!("{name} must be at least 1, found 0").into());
        }
        if let Command::Move(mv) = command {
            self.check_move(mv, engine)?;
        }
        // Settings are for the next search; every other command stops the current one.
        if !matches!(command, Command::Depth(_) | Command::Ignored) {
            self.stop_activity(engine);
        }
        let is_quit = command == Command::Quit;
        self.execute(command, engine)?;
        Ok(if is_quit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn on_search_event(&mut self, event: SearchEvent, engine: &mut Engine) {
        match event {
            SearchEvent::Info {
                report: SearchReport { multipv, depth, score, bound, nodes, pv, confidence, is_book, .. },
                seconds,
            } => {
                if is_book {
                    engine.send(Reply::Status("Book"));
                }
                if multipv == 1 {
                    (self.score, self.nodes, self.seconds) = (score, nodes, seconds);
                }
                if self.activity == Activity::Hint {
                    let depth = match confidence.filter(|_| bound == Bound::Exact) {
                        Some(Confidence::Exact) => Depth::Exact,
                        Some(selective) => Depth::Selective(depth, selective.percent()),
                        None => Depth::Plies(depth),
                    };
                    engine.send(Reply::Search(&pv, score, depth));
                }
            }
            SearchEvent::Failed(message) => self.report_error(&message, engine),
            SearchEvent::BestMove(best) => {
                if let Err(error) = self.on_best_move(best, engine) {
                    self.report_error(&error.to_string(), engine);
                }
            }
        }
    }

    fn report_error(&mut self, message: &str, engine: &mut Engine) {
        engine.send(Reply::Status(message));
    }
}

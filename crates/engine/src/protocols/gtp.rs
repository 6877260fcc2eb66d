//! The engine side of GTP, for Othello only: Black is `b` and moves first, rows are numbered from the top.

use std::time::{Duration, Instant};

use alfil_kernel::Side;
use alfil_protocol::gtp::{COMMANDS, Colour, Command, Reply, parse_request};

use super::engine::{Engine, PositionSpec};
use super::othello::{final_margin, pass_unless_turn_of};
use super::{ControlFlow, ENGINE_NAME, HandlerResult, InputMode, ProtocolHandler};
use crate::SearchEvent;
use alfil_session::{ClockInput, SearchLimits, SessionError, TimeBudget};

/// The only game of this protocol here.
const GAME: &str = "othello";

/// The time for a move if no time was set.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// The state of a GTP engine beside [`Engine`].
#[derive(Debug)]
pub(crate) struct GtpHandler {
    /// The request of the running search: its number, and whether to play the move.
    pending: Option<(Option<u64>, bool)>,
    /// The clocks of Black and White; `None` for unlimited time.
    clocks: [Option<ClockInput>; 2],
    /// The clocks at the start of a game, as `time_settings` has set them.
    initial_clocks: [Option<ClockInput>; 2],
    /// The overtime after the main time: a duration for a number of moves.
    overtime: Option<(Duration, u32)>,
    /// The plies of the passes that were inserted, because the controller leaves passes out.
    inserted_passes: Vec<usize>,
    /// The number of passes after the end of the game, which are on the controller's list of moves, and not on ours.
    passes_after_end: usize,
    search_started: Instant,
}

impl GtpHandler {
    /// Creates the state before the first line.
    ///
    /// # Errors
    /// Returns an error if Othello cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, SessionError> {
        engine.switch_game(GAME)?;
        Ok(GtpHandler {
            pending: None,
            clocks: [None; 2],
            initial_clocks: [None; 2],
            overtime: None,
            inserted_passes: Vec::new(),
            passes_after_end: 0,
            search_started: Instant::now(),
        })
    }

    fn respond(
        &mut self,
        id: Option<u64>,
        command: Command<'_>,
        engine: &mut Engine,
    ) -> Result<String, String> {
        let to_text = |error: SessionError| error.to_string();
        Ok(match command {
            Command::ProtocolVersion => "2".into(),
            Command::Name => ENGINE_NAME.split(' ').next().unwrap_or_default().into(),
            Command::Version => env!("CARGO_PKG_VERSION").into(),
            Command::KnownCommand(name) => COMMANDS.contains(&name).to_string(),
            Command::ListCommands => COMMANDS.join("\n"),
            Command::BoardSize(8) => String::new(),
            Command::BoardSize(_) => return Err("unacceptable size".into()),
            Command::ClearBoard => {
                engine.set_position(PositionSpec::default()).map_err(|error| error.to_string())?;
                engine.new_game();
                self.inserted_passes.clear();
                self.passes_after_end = 0;
                self.clocks = self.initial_clocks;
                String::new()
            }
            Command::Play(colour, vertex) => {
                self.play(colour, vertex, engine).map_err(to_text)?;
                String::new()
            }
            Command::GenMove(colour) | Command::RegGenMove(colour) => {
                let plays_move = matches!(command, Command::GenMove(_));
                return self.start_search(id, plays_move, colour, engine).map_err(to_text);
            }
            Command::Undo if engine.ply() == 0 => return Err("cannot undo".into()),
            Command::Undo => {
                self.undo_move(engine);
                String::new()
            }
            Command::ListGames | Command::GameId => "Othello".into(),
            Command::SetGame(name) if name.eq_ignore_ascii_case(GAME) => String::new(),
            Command::SetGame(_) => return Err("unsupported game".into()),
            Command::TimeSettings(0, 0, _) => return Err("the clock must have more than 0 seconds".into()),
            Command::TimeSettings(main, overtime, stones) => {
                self.set_clocks(
                    Duration::from_secs(main),
                    Duration::from_secs(overtime),
                    stones,
                    engine.overhead,
                );
                String::new()
            }
            Command::TimeLeft(colour, seconds, stones) => {
                let clock = ClockInput {
                    remaining: Duration::from_secs(seconds),
                    increment: Duration::ZERO,
                    moves_to_go: (stones > 0).then_some(stones),
                    overhead: engine.overhead,
                };
                self.clocks[to_side(colour).index()] = Some(clock);
                String::new()
            }
            Command::ShowBoard | Command::Board => board_text(engine),
            Command::RulesBoardSize => "8".into(),
            Command::LegalMoves => engine.session.legal_moves(None).map_err(to_text)?.join(" "),
            Command::SideToMove if engine.session.game_end().is_some() => "none".into(),
            Command::SideToMove => ["black", "white"][engine.session.view().side_to_move.index()].into(),
            Command::FinalScore => final_score(engine)?,
            Command::Level(level) => {
                engine.set_option("skill level", &level.to_string()).map_err(to_text)?;
                String::new()
            }
            Command::Komi | Command::Quit => String::new(),
        })
    }

    /// Plays a move of the controller.
    ///
    /// # Errors
    /// If the move is illegal; the board is then as before.
    fn play(&mut self, colour: Colour, vertex: &str, engine: &mut Engine) -> Result<(), SessionError> {
        if vertex.eq_ignore_ascii_case("pass") && engine.session.game_end().is_some() {
            self.passes_after_end += 1;
            return Ok(());
        }
        let ply = engine.ply();
        let result = self.ensure_turn(colour, engine).and_then(|()| engine.play(vertex.to_owned()));
        if result.is_err() {
            // Takes back a pass that was inserted before the illegal move.
            self.undo_to(ply, engine);
        }
        result.map(drop)
    }

    /// Starts a search; returns an answer at once only if the game is over.
    fn start_search(
        &mut self,
        id: Option<u64>,
        plays_move: bool,
        colour: Colour,
        engine: &mut Engine,
    ) -> Result<String, SessionError> {
        if engine.session.game_end().is_some() {
            self.passes_after_end += usize::from(plays_move);
            return Ok("pass".into());
        }
        self.ensure_turn(colour, engine)?;
        let clock = self.clocks[to_side(colour).index()];
        let budget = clock.map_or(TimeBudget::exact(DEFAULT_MOVE_TIME), |clock| engine.time_budget(&clock));
        let limits = SearchLimits { time_budget: Some(budget), uses_book: true, ..SearchLimits::default() };
        engine.start_search(&limits)?;
        self.pending = Some((id, plays_move));
        self.search_started = Instant::now();
        Ok(String::new())
    }

    /// Plays a pass if it is the other colour's turn.
    fn ensure_turn(&mut self, colour: Colour, engine: &mut Engine) -> Result<(), SessionError> {
        if engine.session.game_end().is_some() {
            return Ok(());
        }
        let (ply, mover) = (engine.ply(), to_side(colour));
        let wrong_turn =
            |_| SessionError::new(format!("it is not {}'s turn", ["black", "white"][mover.index()]));
        if pass_unless_turn_of(mover, engine).map_err(wrong_turn)? {
            self.inserted_passes.push(ply);
        }
        Ok(())
    }

    /// Takes back the last move, and a pass that was inserted before it, of which the controller knows nothing.
    fn undo_move(&mut self, engine: &mut Engine) {
        if self.passes_after_end > 0 {
            self.passes_after_end -= 1;
            return;
        }
        let ply = engine.ply() - 1;
        let pass = ply.checked_sub(1).filter(|pass| self.inserted_passes.contains(pass));
        self.undo_to(pass.unwrap_or(ply), engine);
    }

    /// Takes back all moves from a ply on.
    fn undo_to(&mut self, ply: usize, engine: &mut Engine) {
        engine.undo_moves(engine.ply() - ply);
        self.inserted_passes.retain(|&pass| pass < ply);
    }

    /// Sets both clocks. Overtime for zero stones means no time limit.
    fn set_clocks(&mut self, main: Duration, overtime: Duration, stones: u32, overhead: Duration) {
        let is_unlimited = !overtime.is_zero() && stones == 0;
        self.overtime = (!overtime.is_zero() && stones > 0).then_some((overtime, stones));
        let (remaining, moves_to_go) = match self.overtime {
            Some((overtime, stones)) if main.is_zero() => (overtime, Some(stones)),
            _ => (main, None),
        };
        let clock = ClockInput { remaining, increment: Duration::ZERO, moves_to_go, overhead };
        self.initial_clocks = [(!is_unlimited).then_some(clock); 2];
        self.clocks = self.initial_clocks;
    }

    /// Subtracts the search time from the clock; a controller that sends `time_left` overrides it.
    fn charge_clock(&mut self, side: Side) {
        let Some(clock) = &mut self.clocks[side.index()] else { return };
        clock.remaining = clock.remaining.saturating_sub(self.search_started.elapsed());
        if let Some(moves) = &mut clock.moves_to_go {
            *moves = moves.saturating_sub(1);
        }
        if let (Some((overtime, stones)), true) =
            (self.overtime, clock.remaining.is_zero() || clock.moves_to_go == Some(0))
        {
            (clock.remaining, clock.moves_to_go) = (overtime, Some(stones));
        }
    }
}

fn to_side(colour: Colour) -> Side {
    match colour {
        Colour::Black => Side::First,
        Colour::White => Side::Second,
    }
}

/// Formats the board row by row from the top, as the GoGui extension specifies it.
fn board_text(engine: &Engine) -> String {
    let view = engine.session.view();
    let disc_on = |square: String| {
        view.pieces
            .iter()
            .find(|(name, _)| *name == square)
            .map_or('.', |&(_, disc)| disc.to_ascii_uppercase())
    };
    let row = |rank: u8| {
        let squares = (b'a'..=b'h').map(|file| disc_on(format!("{}{rank}", char::from(file))).to_string());
        squares.collect::<Vec<_>>().join(" ")
    };
    (1..=8).map(row).collect::<Vec<_>>().join("\n")
}

/// Formats the difference in discs at the end of the game.
fn final_score(engine: &Engine) -> Result<String, String> {
    match final_margin(&engine.session.view()) {
        None => Err("cannot score: the game is not over".into()),
        Some(0) => Ok("0".into()),
        Some(margin) if margin > 0 => Ok(format!("B+{margin}")),
        Some(margin) => Ok(format!("W+{}", -margin)),
    }
}

impl ProtocolHandler for GtpHandler {
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> HandlerResult {
        let Some(request) = parse_request(line) else { return Ok(ControlFlow::Continue(())) };
        let is_quit = request.command == Ok(Command::Quit);
        let id = request.id;
        let answer = match request.command {
            Ok(command) => self.respond(id, command, engine),
            Err(alfil_protocol::ParseError::UnknownCommand(_)) => Err("unknown command".into()),
            Err(error) => Err(error.to_string()),
        };
        // A search is answered when it ends.
        if self.pending.is_none() {
            engine.send(Reply(id, answer));
        }
        Ok(if is_quit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn on_search_event(&mut self, event: SearchEvent, engine: &mut Engine) {
        // The answer has no field for a search failure; stderr has the message.
        let SearchEvent::BestMove(best) = event else { return };
        let Some((id, plays_move)) = self.pending.take() else { return };
        let best = best.unwrap_or_else(|| "pass".into());
        if plays_move {
            self.charge_clock(engine.session.view().side_to_move);
        }
        if plays_move && let Err(error) = engine.play(best.clone()) {
            return engine.send(Reply(id, Err(error.to_string())));
        }
        if let (false, Some(ply)) = (plays_move, engine.ply().checked_sub(1))
            && self.inserted_passes.last() == Some(&ply)
        {
            // A move that is only suggested leaves the board as it was.
            self.undo_to(ply, engine);
        }
        engine.send(Reply(id, Ok(best)));
    }

    fn report_error(&mut self, message: &str, engine: &mut Engine) {
        engine.send(Reply(None, Err(message.into())));
    }

    /// A request is answered before the next one is read.
    fn input_mode(&self, engine: &Engine) -> InputMode {
        if engine.is_searching() { InputMode::DeferredUntilQuit } else { InputMode::Immediate }
    }
}

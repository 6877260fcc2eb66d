//! The engine's side of GTP, which is spoken of Othello here: Black is `b` and begins, rows are counted from the top.

use std::time::{Duration, Instant};

use alfil_kernel::Side;
use alfil_protocol::gtp::{COMMANDS, Colour, Command, Reply, parse_request};

use super::engine::{Engine, PositionSpec};
use super::{ControlFlow, ENGINE_NAME, InputMode, ProtocolHandler};
use crate::SearchEvent;
use alfil_session::SearchLimits;
use alfil_session::game_session::SessionError;
use alfil_session::{ClockInput, TimeBudget};

/// The only game that it is spoken of here.
const GAME: &str = "othello";

/// How long a move takes where nobody has set the time.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// The state of a GTP dialogue beside the engine's own.
#[derive(Debug)]
pub(crate) struct GtpHandler {
    /// The request that is being thought about: its number, and whether the move is to be played.
    pending: Option<(Option<u64>, bool)>,
    /// The clocks of Black and White; none where the time is nobody's concern.
    clocks: [Option<ClockInput>; 2],
    /// New time when the old is used up: so much for so many moves.
    overtime: Option<(Duration, u32)>,
    search_started: Instant,
}

impl GtpHandler {
    /// Before the first line.
    ///
    /// # Errors
    /// If Othello cannot be played.
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, SessionError> {
        engine.switch_game(GAME)?;
        Ok(GtpHandler { pending: None, clocks: [None; 2], overtime: None, search_started: Instant::now() })
    }

    fn respond(
        &mut self,
        id: Option<u64>,
        command: Command<'_>,
        engine: &mut Engine,
    ) -> Result<String, String> {
        let words = |error: SessionError| error.to_string();
        Ok(match command {
            Command::ProtocolVersion => "2".into(),
            Command::Name => ENGINE_NAME.split(' ').next().unwrap_or_default().into(),
            Command::Version => env!("CARGO_PKG_VERSION").into(),
            Command::KnownCommand(name) => COMMANDS.contains(&name).to_string(),
            Command::ListCommands => COMMANDS.join("\n"),
            Command::BoardSize(8) => String::new(),
            Command::BoardSize(_) => return Err("unacceptable size".into()),
            Command::ClearBoard => {
                engine.set_position(PositionSpec::default()).map_err(|refusal| refusal.to_string())?;
                engine.new_game();
                String::new()
            }
            Command::Play(colour, vertex) => {
                let before = engine.ply();
                let played = ensure_turn(colour, engine).and_then(|()| engine.play(vertex.to_owned()));
                if played.is_err() {
                    // A pass that was taken for granted has not happened either.
                    engine.undo_moves(engine.ply() - before);
                }
                played.map_err(words)?;
                String::new()
            }
            Command::GenMove(colour) | Command::RegGenMove(colour) => {
                let plays = matches!(command, Command::GenMove(_));
                return self.start_search(id, plays, colour, engine).map_err(words);
            }
            Command::Undo if engine.ply() == 0 => return Err("cannot undo".into()),
            Command::Undo => {
                engine.undo_moves(1);
                String::new()
            }
            Command::ListGames | Command::GameId => "Othello".into(),
            Command::SetGame(name) if name.eq_ignore_ascii_case(GAME) => String::new(),
            Command::SetGame(_) => return Err("unsupported game".into()),
            Command::TimeSettings(0, 0, _) => return Err("a clock has more than 0 seconds".into()),
            Command::TimeSettings(main, extra, stones) => {
                self.set_clocks(
                    Duration::from_secs(main),
                    Duration::from_secs(extra),
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
            Command::LegalMoves => engine.session.legal_moves(None).map_err(words)?.join(" "),
            Command::SideToMove if engine.session.game_end().is_some() => "none".into(),
            Command::SideToMove => ["black", "white"][engine.session.view().side_to_move.index()].into(),
            Command::FinalScore => final_score(engine)?,
            Command::Level(level) => {
                engine.set_option("skill level", &level.to_string()).map_err(words)?;
                String::new()
            }
            Command::Komi | Command::Quit => String::new(),
        })
    }

    /// Begins to think; an answer only where there is nothing to think about.
    fn start_search(
        &mut self,
        id: Option<u64>,
        plays: bool,
        colour: Colour,
        engine: &mut Engine,
    ) -> Result<String, SessionError> {
        if engine.session.game_end().is_some() {
            return Ok("pass".into());
        }
        ensure_turn(colour, engine)?;
        let clock = self.clocks[to_side(colour).index()];
        let bounds = clock.map_or(TimeBudget::exact(DEFAULT_MOVE_TIME), |clock| engine.time_budget(&clock));
        engine.start_search(&SearchLimits { time_budget: Some(bounds), ..SearchLimits::default() })?;
        self.pending = Some((id, plays));
        self.search_started = Instant::now();
        Ok(String::new())
    }

    /// Sets both clocks. Extra time for no stones means that there is no limit.
    fn set_clocks(&mut self, main: Duration, extra: Duration, stones: u32, overhead: Duration) {
        let unlimited = !extra.is_zero() && stones == 0;
        self.overtime = (!extra.is_zero() && stones > 0).then_some((extra, stones));
        let (left, moves) = match self.overtime {
            Some((extra, stones)) if main.is_zero() => (extra, Some(stones)),
            _ => (main, None),
        };
        let clock = ClockInput { remaining: left, increment: Duration::ZERO, moves_to_go: moves, overhead };
        self.clocks = [(!unlimited).then_some(clock); 2];
    }

    /// The time that a move took is gone; a controller that sends `time_left` knows better.
    fn charge_clock(&mut self, side: Side) {
        let Some(clock) = &mut self.clocks[side.index()] else { return };
        clock.remaining = clock.remaining.saturating_sub(self.search_started.elapsed());
        if let Some(moves) = &mut clock.moves_to_go {
            *moves = moves.saturating_sub(1);
        }
        if let (Some((extra, stones)), true) =
            (self.overtime, clock.remaining.is_zero() || clock.moves_to_go == Some(0))
        {
            (clock.remaining, clock.moves_to_go) = (extra, Some(stones));
        }
    }
}

/// It is this colour's turn, if need be because the other passes.
fn ensure_turn(colour: Colour, engine: &mut Engine) -> Result<(), SessionError> {
    let (mover, wanted) = (engine.session.view().side_to_move, to_side(colour));
    if mover == wanted || engine.session.game_end().is_some() {
        return Ok(());
    }
    let refused = |_| SessionError::new(format!("it is not {}'s turn", ["black", "white"][wanted.index()]));
    engine.play("pass".into()).map(drop).map_err(refused)
}

fn to_side(colour: Colour) -> Side {
    match colour {
        Colour::Black => Side::First,
        Colour::White => Side::Second,
    }
}

/// The board, row by row from the top, as GoGui's extension shows it.
fn board_text(engine: &Engine) -> String {
    let view = engine.session.view();
    let at = |square: String| {
        view.pieces
            .iter()
            .find(|(name, _)| *name == square)
            .map_or('.', |&(_, disc)| disc.to_ascii_uppercase())
    };
    let row = |rank: u8| {
        let squares = (b'a'..=b'h').map(|file| at(format!("{}{rank}", char::from(file))).to_string());
        squares.collect::<Vec<_>>().join(" ")
    };
    (1..=8).map(row).collect::<Vec<_>>().join("\n")
}

/// The difference in discs, empty squares to the winner.
fn final_score(engine: &Engine) -> Result<String, String> {
    let view = engine.session.view();
    let (Some([black, white]), true) = (view.piece_counts, view.game_end.is_some()) else {
        return Err("cannot score: the game is not over".into());
    };
    let empty = 64 - black - white;
    Ok(match black.cmp(&white) {
        std::cmp::Ordering::Greater => format!("B+{}", black - white + empty),
        std::cmp::Ordering::Less => format!("W+{}", white - black + empty),
        std::cmp::Ordering::Equal => "0".into(),
    })
}

impl ProtocolHandler for GtpHandler {
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> ControlFlow {
        let Some(request) = parse_request(line) else { return ControlFlow::Continue };
        let over = request.command == Ok(Command::Quit);
        let id = request.id;
        let answer = match request.command {
            Ok(command) => self.respond(id, command, engine),
            Err(alfil_protocol::ParseError::UnknownCommand(_)) => Err("unknown command".into()),
            Err(fault) => Err(fault.to_string()),
        };
        // What is thought about is answered when it is known.
        if self.pending.is_none() {
            engine.send(Reply(id, answer));
        }
        if over { ControlFlow::Break } else { ControlFlow::Continue }
    }

    fn on_search_event(&mut self, thought: SearchEvent, engine: &mut Engine) {
        // An answer has no room for why a search broke off; the standard error has it.
        let SearchEvent::BestMove(best) = thought else { return };
        let Some((id, plays)) = self.pending.take() else { return };
        let best = best.unwrap_or_else(|| "pass".into());
        self.charge_clock(engine.session.view().side_to_move);
        if plays && let Err(error) = engine.play(best.clone()) {
            return engine.send(Reply(id, Err(error.to_string())));
        }
        engine.send(Reply(id, Ok(best)));
    }

    fn report_error(&mut self, words: &str, engine: &mut Engine) {
        engine.send(Reply(None, Err(words.into())));
    }

    /// A request is answered before the next is read.
    fn input_mode(&self, engine: &Engine) -> InputMode {
        if engine.is_searching() { InputMode::DeferredUntilEnd } else { InputMode::Immediate }
    }
}

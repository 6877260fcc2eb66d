//! The engine's side of UCI: xiangqi unless told otherwise, chess and Othello by `UCI_Variant`.

use std::time::Duration;

use alfil_kernel::Side;
use alfil_protocol::EngineOption;
use alfil_protocol::tokens::shorten;
use alfil_protocol::uci::{Command, Go, InfoLine, PositionCommand, Reply, UciScore, parse_command};

use super::engine::{Engine, PositionRejected, PositionSpec};
use super::{AUTHOR, ControlFlow, ENGINE_NAME, ProtocolHandler, flipello, parse_bool, to_milliseconds, wdl};
use crate::SearchEvent;
use alfil_session::SearchLimits;
use alfil_session::game_session::SessionError;
use alfil_session::{ClockInput, TimeBudget};

/// The variants by the names GUIs know, and the games they are. `flipello` is Othello as Fairy-Stockfish writes it.
const VARIANTS: [(&str, &str); 5] = [
    ("xiangqi", "xiangqi"),
    ("chess", "chess"),
    ("othello", "othello"),
    ("flipello", "othello"),
    ("reversi", "othello"),
];

/// The state of a UCI dialogue beside the engine's own.
#[derive(Debug)]
pub(crate) struct UciHandler {
    variant: &'static str,
    /// Xiangqi's ranks run from 1 to 10.
    ranks_from_one: bool,
    chess960: bool,
    shows_wdl: bool,
    /// How many plies old the game is that it thinks about.
    game_ply: usize,
    /// First moves not to think about, until the next position.
    excluded_moves: Vec<String>,
    /// The answer must wait for `stop`, or for `ponderhit` if it thinks in the opponent's time.
    answer_after: Option<AnswerAfter>,
    /// The answer that waits.
    deferred_answer: Option<Option<String>>,
    /// The best line told so far, in the default dialect.
    best_pv: Vec<String>,
}

/// What an answer waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerAfter {
    Stop,
    PonderHit,
}

impl UciHandler {
    /// Before the first line.
    pub(crate) fn new(engine: &Engine) -> Self {
        UciHandler {
            variant: engine.session.game(),
            ranks_from_one: false,
            chess960: false,
            shows_wdl: false,
            game_ply: 0,
            excluded_moves: Vec::new(),
            answer_after: None,
            deferred_answer: None,
            best_pv: Vec::new(),
        }
    }

    /// How moves are written; none for the default.
    fn dialect(&self, engine: &Engine) -> Option<&'static str> {
        match engine.session.game() {
            "xiangqi" if self.ranks_from_one => Some("uci10"),
            "chess" if self.chess960 => Some("uci960"),
            _ => None,
        }
    }

    /// A move as it was said, in the words the desk reads.
    fn normalise_move(&self, text: &str, engine: &Engine) -> String {
        match (self.variant, engine.session.game()) {
            ("flipello", _) => flipello::parse_move(text),
            // ICCS writes a hyphen, and upper case; the points are the same.
            (_, "xiangqi") => text.replace('-', "").to_ascii_lowercase(),
            _ => text.into(),
        }
    }

    /// A line in the default dialect, as it is said here.
    fn format_line(&self, line: Vec<String>, engine: &mut Engine) -> Vec<String> {
        let line = match self.dialect(engine) {
            // It is one of the game's.
            Some(dialect) => engine.session.format_line(&line, Some(dialect)).unwrap_or_default(),
            None => line,
        };
        if self.variant == "flipello" { flipello::format_line(line, engine) } else { line }
    }

    fn send_identification(&self, engine: &mut Engine) {
        engine.send(Reply::Id(ENGINE_NAME, AUTHOR));
        let variants = VARIANTS.map(|(variant, _)| variant);
        let mut settings = engine.options();
        settings.extend(engine.strength.elo_options());
        settings.extend([
            EngineOption::check("Ponder", false),
            EngineOption::button("Clear Hash"),
            EngineOption::combo("UCI_Variant", self.variant, &variants),
            EngineOption::combo(
                "UCI_Ranks",
                if self.ranks_from_one { "1-10" } else { "0-9" },
                &["0-9", "1-10"],
            ),
            EngineOption::check("UCI_Chess960", self.chess960),
            EngineOption::check("UCI_ShowWDL", self.shows_wdl),
        ]);
        for setting in &settings {
            engine.send(Reply::Option(setting));
        }
        engine.send(Reply::UciOk);
    }

    fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        engine: &mut Engine,
    ) -> Result<(), SessionError> {
        let text = value.unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                let known = VARIANTS.iter().find(|(variant, _)| variant.eq_ignore_ascii_case(text));
                let Some(&(variant, game)) = known else {
                    let known = VARIANTS.map(|(variant, _)| variant).join(", ");
                    return Err(SessionError::new(format!(
                        "UCI_Variant is one of {known}, found {:?}",
                        shorten(text)
                    )));
                };
                engine.switch_game(game)?;
                self.variant = variant;
                self.excluded_moves.clear();
            }
            "uci_ranks" => match text {
                "0-9" => self.ranks_from_one = false,
                "1-10" => self.ranks_from_one = true,
                _ => {
                    return Err(SessionError::new(format!(
                        "UCI_Ranks is 0-9 or 1-10, found {:?}",
                        shorten(text)
                    )));
                }
            },
            "uci_chess960" => self.chess960 = parse_bool(name, text)?,
            "uci_showwdl" => self.shows_wdl = parse_bool(name, text)?,
            // A GUI says `go ponder` when it wants it.
            "ponder" => drop(parse_bool(name, text)?),
            "clear hash" => engine.session.clear_search(),
            _ => {
                if !engine.set_option(name, text)? {
                    return Err(SessionError::new(format!("there is no option {:?}", shorten(name))));
                }
            }
        }
        Ok(())
    }

    fn set_position(&mut self, position: &PositionCommand<'_>, engine: &mut Engine) {
        let fen = match (self.variant, position.fen) {
            ("flipello", Some(fen)) => Some(flipello::parse_board(fen)),
            (_, fen) => fen.map(str::to_owned),
        };
        let moves = position.moves.iter().map(|mv| self.normalise_move(mv, engine)).collect();
        match engine.set_position(PositionSpec { fen, moves, dialect: self.dialect(engine) }) {
            Ok(waived) => {
                self.excluded_moves.clear();
                if let Some(complaint) = waived {
                    engine.send(Reply::InfoString(&format!("played all the same: {complaint}")));
                }
            }
            Err(PositionRejected::OtherGame { game, current: here }) => {
                let words = format!(
                    "this is a position of {game}, and {here} is played: setoption name UCI_Variant value {game}"
                );
                self.report_error(&words, engine);
            }
            Err(PositionRejected::Invalid(error)) => {
                let ranks = if self.ranks_from_one { "1-10" } else { "0-9" };
                let hint = match error.other_dialect {
                    Some("ucci" | "uci10") => format!(" (UCI_Ranks is {ranks})"),
                    _ => String::new(),
                };
                self.report_error(&format!("{error}{hint}"), engine);
            }
        }
    }

    fn go(&mut self, go: &Go<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        let dialect = self.dialect(engine);
        let mut only = Vec::new();
        for mv in &go.searchmoves {
            only.push(engine.to_default_dialect(&self.normalise_move(mv, engine), dialect)?);
        }
        // Every `go` must have its answer, so what is nothing is said to be and taken as the least.
        let limits = [
            ("depth", go.depth.map(u64::from)),
            ("nodes", go.nodes),
            ("mate", go.mate.map(u64::from)),
            ("movetime", go.movetime),
            ("movestogo", go.movestogo.map(u64::from)),
        ];
        for (name, _) in limits.into_iter().filter(|(_, limit)| *limit == Some(0)) {
            let taken = if name == "movestogo" { "left out" } else { "taken as 1" };
            self.report_error(&format!("{name} is at least 1, found 0: it is {taken}"), engine);
        }
        let clock = match go.movetime {
            Some(time) => Some(TimeBudget::exact(Duration::from_millis(time.max(1)))),
            None => self.time_budget(go, engine),
        };
        let limited = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || clock.is_some();
        let limits = SearchLimits {
            depth: go.depth.map(|depth| depth.max(1)),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            mate_in_moves: go.mate.map(|mate| mate.max(1)),
            multipv: engine.multipv,
            search_moves: only,
            excluded_moves: self.excluded_moves.clone(),
            time_budget: clock,
            ponder: go.ponder,
            ..SearchLimits::default()
        };
        engine.start_search(&limits)?;
        self.game_ply = wdl::game_ply(&engine.session.view());
        self.best_pv.clear();
        self.deferred_answer = None;
        self.answer_after = match go {
            _ if go.infinite || !limited => Some(AnswerAfter::Stop),
            _ if go.ponder => Some(AnswerAfter::PonderHit),
            _ => None,
        };
        Ok(())
    }

    /// What the clock of the side to move allows. `w` is Red, White in chess and Othello, and whoever begins in flipello.
    fn time_budget(&self, go: &Go<'_>, engine: &Engine) -> Option<TimeBudget> {
        let second = engine.session.view().side_to_move == Side::Second;
        let white = second == (engine.session.game() == "othello" && self.variant != "flipello");
        let mover = usize::from(!white);
        let left = go.time[mover]?;
        Some(engine.time_budget(&ClockInput {
            remaining: Duration::from_millis(left.max(0) as u64),
            increment: Duration::from_millis(go.increment[mover]),
            moves_to_go: go.movestogo.filter(|&moves| moves > 0),
            overhead: engine.overhead,
        }))
    }

    fn exclude_moves(&mut self, moves: &[&str], engine: &mut Engine) -> Result<(), SessionError> {
        let dialect = self.dialect(engine);
        let mut banned = Vec::new();
        for mv in moves {
            banned.push(engine.to_default_dialect(&self.normalise_move(mv, engine), dialect)?);
        }
        self.excluded_moves = banned;
        Ok(())
    }

    /// The answer, with the move that is expected then.
    fn send_best_move(&mut self, best: Option<String>, engine: &mut Engine) {
        self.answer_after = None;
        let line = match best {
            // The line that was told last may begin with another move, where the search was cut off.
            Some(best) if self.best_pv.first() == Some(&best) => self.best_pv.drain(..).take(2).collect(),
            best => best.into_iter().collect(),
        };
        let line = self.format_line(line, engine);
        let word = |number: usize| line.get(number).map(String::as_str);
        engine.send(Reply::BestMove(word(0), word(1)));
    }

    /// What waits, waits no longer.
    fn send_deferred_answer(&mut self, engine: &mut Engine) {
        self.answer_after = None;
        if let Some(best) = self.deferred_answer.take() {
            self.send_best_move(best, engine);
        }
    }
}

impl ProtocolHandler for UciHandler {
    fn on_line(&mut self, line: &str, engine: &mut Engine) -> ControlFlow {
        let command = match parse_command(line) {
            Ok(command) => command,
            Err(fault) => {
                self.report_error(&fault.to_string(), engine);
                return ControlFlow::Continue;
            }
        };
        // Whatever changes the desk ends a thought first, so that every `go` has its answer.
        match command {
            Command::Position(_) | Command::Go(_) | Command::BanMoves(_) => self.finish_search(engine),
            Command::SetOption { .. } | Command::NewGame => self.finish_search(engine),
            _ => {}
        }
        let done = match command {
            Command::Uci => {
                self.send_identification(engine);
                Ok(())
            }
            Command::IsReady => {
                engine.prepare();
                engine.send(Reply::ReadyOk);
                Ok(())
            }
            Command::NewGame => {
                engine.new_game();
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(name, value, engine),
            Command::Position(position) => {
                self.set_position(&position, engine);
                Ok(())
            }
            Command::BanMoves(moves) => self.exclude_moves(&moves, engine),
            Command::Go(go) => self.go(&go, engine),
            Command::Stop => {
                engine.stop();
                self.send_deferred_answer(engine);
                Ok(())
            }
            Command::PonderHit => {
                engine.ponder_hit();
                if self.answer_after == Some(AnswerAfter::PonderHit) {
                    self.send_deferred_answer(engine);
                }
                Ok(())
            }
            Command::Ignored => Ok(()),
            Command::Quit => return ControlFlow::Break,
        };
        if let Err(error) = done {
            self.report_error(&error.to_string(), engine);
        }
        ControlFlow::Continue
    }

    fn on_search_event(&mut self, thought: SearchEvent, engine: &mut Engine) {
        match thought {
            SearchEvent::Info {
                multipv: rank,
                depth,
                seldepth,
                score,
                mate_plies: mate,
                nodes,
                hashfull: full,
                seconds,
                pv: line,
            } => {
                if rank == 1 {
                    self.best_pv.clone_from(&line);
                }
                let wdl = self
                    .shows_wdl
                    .then(|| wdl::wdl_permille(score, mate, engine.session.game(), self.game_ply));
                let (score, time) = (UciScore::new(score, mate), to_milliseconds(seconds));
                let pv = &self.format_line(line, engine)[..];
                let info =
                    InfoLine { depth, seldepth, multipv: rank, score, wdl, nodes, time, hashfull: full, pv };
                engine.send(Reply::Info(info));
            }
            SearchEvent::Failed(words) => self.report_error(&words, engine),
            SearchEvent::BestMove(best) if self.answer_after.is_some() => self.deferred_answer = Some(best),
            SearchEvent::BestMove(best) => self.send_best_move(best, engine),
        }
    }

    fn report_error(&mut self, words: &str, engine: &mut Engine) {
        engine.send(Reply::InfoString(words));
    }

    fn finish_search(&mut self, engine: &mut Engine) {
        for thought in engine.finish_search() {
            self.on_search_event(thought, engine);
        }
        self.send_deferred_answer(engine);
    }
}

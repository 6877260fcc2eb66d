//! The engine side of UCI: xiangqi by default, chess and Othello by `UCI_Variant`.

use std::time::Duration;

use alfil_kernel::{Bound, Side};
use alfil_protocol::EngineOption;
use alfil_protocol::tokens::shorten;
use alfil_protocol::uci::{
    Command, Go, InfoLine, PositionCommand, Reply, ScoreBound, UciScore, parse_command,
};

use super::engine::{Engine, PositionRejected, PositionSpec};
use super::go_answer::{DeferredAnswer, normalise_iccs, resolve_limits};
use super::inspect::{self, PerftCount};
use super::networks::evaluation_message;
use super::{
    AUTHOR, ControlFlow, ENGINE_NAME, HandlerResult, ProtocolHandler, flipello, parse_bool, to_milliseconds,
};
use crate::SearchEvent;
use alfil_session::wdl::{finished_wdl_permille, wdl_permille};
use alfil_session::{
    ClockInput, ErrorKind, GameInfo, MAX_PERFT_DEPTH, SearchLimits, SearchReport, SessionError, TimeBudget,
};

/// Returns the values of `UCI_Variant` with their games.
fn variants(engine: &Engine) -> Vec<(&'static str, &'static str)> {
    let of_game =
        |info: &'static GameInfo| info.protocol_names.uci.iter().map(|&variant| (variant, info.name()));
    engine.registry.entries().iter().flat_map(|entry| of_game(entry.info)).collect()
}

/// The first words of the commands that set a position.
const POSITION_WORDS: [&str; 3] = ["position", "fen", "startpos"];

/// The state of a UCI engine beside [`Engine`].
#[derive(Debug)]
pub(crate) struct UciHandler {
    variant: &'static str,
    /// Whether the ranks of xiangqi are numbered from 1 to 10; `None` until the GUI sets `UCI_Ranks`.
    ranks_from_one: Option<bool>,
    /// Whether the GUI has set `UCI_Variant`. Programs of the Fairy-Stockfish family do, and number ranks from 1.
    has_set_variant: bool,
    chess960: bool,
    shows_wdl: bool,
    /// The game ply of the searched position.
    game_ply: usize,
    /// The root moves to exclude, until the next position.
    excluded_moves: Vec<String>,
    deferred_answer: DeferredAnswer,
    /// The last reported best line, in the default dialect.
    best_pv: Vec<String>,
    /// The number of moves to the mate of the request, and whether it was found.
    mate: Option<(u32, bool)>,
}

impl UciHandler {
    /// Creates the state before the first line.
    pub(crate) fn new(engine: &Engine) -> Self {
        UciHandler {
            variant: engine.session.game(),
            ranks_from_one: None,
            has_set_variant: false,
            chess960: false,
            shows_wdl: false,
            game_ply: 0,
            excluded_moves: Vec::new(),
            deferred_answer: DeferredAnswer::default(),
            best_pv: Vec::new(),
            mate: None,
        }
    }

    /// Returns whether the ranks of xiangqi are numbered from 1 to 10.
    fn has_ranks_from_one(&self) -> bool {
        self.ranks_from_one.unwrap_or(self.has_set_variant)
    }

    /// Returns the value of `UCI_Ranks`.
    fn ranks(&self) -> &'static str {
        if self.has_ranks_from_one() { "1-10" } else { "0-9" }
    }

    /// Returns the dialect of the moves; `None` for the default.
    fn dialect(&self, engine: &Engine) -> Option<&'static str> {
        let selected = [("uci10", self.has_ranks_from_one()), ("uci960", self.chess960)];
        let dialects = engine.session.dialects();
        selected.iter().find(|(name, is_on)| *is_on && dialects.contains(name)).map(|&(name, _)| name)
    }

    /// Converts a move of the GUI into the text that the session reads.
    fn normalise_move(&self, text: &str, engine: &Engine) -> String {
        match self.variant {
            "flipello" => flipello::parse_move(text),
            _ if engine.session.dialects().contains(&"iccs") => normalise_iccs(text),
            _ => text.into(),
        }
    }

    /// Converts a line from the default dialect into the dialect of the GUI.
    fn format_line(&self, moves: Vec<String>, engine: &mut Engine) -> Vec<String> {
        let moves = match self.dialect(engine) {
            // The dialect belongs to the game, so this does not fail.
            Some(dialect) => engine.session.format_line(&moves, Some(dialect)).unwrap_or_default(),
            None => moves,
        };
        if self.variant == "flipello" { flipello::format_line(moves, engine) } else { moves }
    }

    fn send_identification(&self, engine: &mut Engine) {
        engine.send(Reply::Id(ENGINE_NAME, AUTHOR));
        let variants: Vec<_> = variants(engine).into_iter().map(|(variant, _)| variant).collect();
        let mut options = engine.options();
        options.extend(engine.strength.elo_options());
        options.extend([
            EngineOption::check("Ponder", false),
            EngineOption::button("Clear Hash"),
            EngineOption::combo("UCI_Variant", self.variant, &variants),
            EngineOption::combo("UCI_Ranks", self.ranks(), &["0-9", "1-10"]),
            EngineOption::check("UCI_Chess960", self.chess960),
            EngineOption::check("UCI_ShowWDL", self.shows_wdl),
        ]);
        for option in &options {
            engine.send(Reply::Option(option));
        }
        engine.send(Reply::InfoString(&evaluation_message(engine.session.as_ref())));
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
                let variants = variants(engine);
                let entry = variants.iter().find(|(variant, _)| variant.eq_ignore_ascii_case(text));
                let Some(&(variant, game)) = entry else {
                    let names: Vec<_> = variants.iter().map(|(variant, _)| *variant).collect();
                    let variants = names.join(", ");
                    return Err(SessionError::new(format!(
                        "UCI_Variant is one of {variants}, found {:?}",
                        shorten(text)
                    )));
                };
                engine.switch_game(game)?;
                (self.variant, self.has_set_variant) = (variant, true);
                self.excluded_moves.clear();
            }
            "uci_ranks" => match text {
                "0-9" => self.ranks_from_one = Some(false),
                "1-10" => self.ranks_from_one = Some(true),
                _ => {
                    return Err(SessionError::new(format!(
                        "UCI_Ranks is 0-9 or 1-10, found {:?}",
                        shorten(text)
                    )));
                }
            },
            "uci_chess960" => self.chess960 = parse_bool(name, text)?,
            "uci_showwdl" => self.shows_wdl = parse_bool(name, text)?,
            // Pondering is controlled by `go ponder`.
            "ponder" => drop(parse_bool(name, text)?),
            "clear hash" => engine.session.clear_search(),
            "evalfile" => {
                let message = engine.set_eval_file(text)?;
                engine.send(Reply::InfoString(&message));
            }
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
                engine.prepare();
                if let Some(note) = waived {
                    engine.send(Reply::InfoString(&note));
                }
            }
            Err(PositionRejected::OtherGame { game, current }) => {
                let message = format!(
                    "this is a position of {game}, but the current game is {current}: setoption name UCI_Variant value {game}"
                );
                self.report_error(&message, engine);
            }
            Err(PositionRejected::Invalid(error)) => {
                let hint = match error.kind {
                    ErrorKind::OtherDialect("ucci" | "uci10") => format!(" (UCI_Ranks is {})", self.ranks()),
                    _ => String::new(),
                };
                self.report_error(&format!("{error}{hint}"), engine);
            }
        }
    }

    /// Executes a `go`, which always has an answer.
    fn go(&mut self, go: &Go<'_>, engine: &mut Engine) {
        for issue in &go.issues {
            self.report_error(&issue.to_string(), engine);
        }
        let others = Go { perft: None, issues: Vec::new(), ..go.clone() };
        if go.perft.is_some() && others != Go::default() {
            self.report_error("go perft counts all moves: the other words are ignored", engine);
        }
        let result = engine.check_position().and_then(|()| match go.perft {
            Some(depth) => self.perft(depth, engine),
            None => self.start_search(go, engine),
        });
        if let Err(error) = result {
            self.report_error(&error.to_string(), engine);
            engine.send(Reply::BestMove(None, None));
        }
    }

    /// Counts the move paths of `depth` plies and prints the counts of the root moves and the total.
    fn perft(&mut self, depth: u32, engine: &mut Engine) -> Result<(), SessionError> {
        if depth > MAX_PERFT_DEPTH {
            return Err(SessionError::new(format!("perft is at most {MAX_PERFT_DEPTH}, found {depth}")));
        }
        let (mut count, mut total) = (PerftCount::new(engine), 1);
        if depth > 0 {
            total = 0;
            for mv in count.moves()? {
                let Some(paths) = count.count_after(&mv, depth)? else {
                    self.report_error("perft was stopped", engine);
                    return Ok(());
                };
                total += paths;
                let shown = self.format_line(vec![mv], count.engine()).concat();
                count.engine().send(format!("{shown}: {paths}"));
            }
        }
        engine.send(format!("\nNodes searched: {total}\n"));
        Ok(())
    }

    /// Returns the root moves that the GUI names, in the default dialect. A move that is not legal is reported and left
    /// out.
    fn search_moves(&mut self, go: &Go<'_>, engine: &mut Engine) -> Vec<String> {
        let dialect = self.dialect(engine);
        let mut search_moves = Vec::new();
        for mv in &go.searchmoves {
            match engine.convert_to_default_dialect(&self.normalise_move(mv, engine), dialect) {
                Ok(mv) => search_moves.push(mv),
                Err(error) => self.report_error(&format!("searchmoves: {error}"), engine),
            }
        }
        search_moves
    }

    fn start_search(&mut self, go: &Go<'_>, engine: &mut Engine) -> Result<(), SessionError> {
        let search_moves = self.search_moves(go, engine);
        let time_budget = match go.movetime {
            _ if go.infinite => None,
            Some(time) => Some(TimeBudget::exact(Duration::from_millis(time))),
            None => self.time_budget(go, engine),
        };
        let has_limit =
            go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || time_budget.is_some();
        let has_clock =
            go.time.iter().any(Option::is_some) || go.increment != [0; 2] || go.movestogo.is_some();
        let lacks_time = has_clock && !has_limit && !go.infinite;
        if lacks_time {
            self.report_error("expected the time of the side to move: the search takes a second", engine);
        }
        let has_issue = lacks_time || !go.issues.is_empty();
        let (time_budget, is_limited) = resolve_limits(time_budget, has_limit, go.infinite, has_issue);
        // A search to a depth or for a mate, without an end, of some moves or of several lines is an analysis.
        let has_other_limit = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.infinite;
        let is_move = time_budget.is_some() && !go.ponder && !has_other_limit;
        let uses_book = is_move && engine.multipv <= 1 && search_moves.is_empty();
        let limits = SearchLimits {
            depth: go.depth,
            nodes: go.nodes,
            mate_in_moves: go.mate,
            multipv: engine.multipv,
            search_moves,
            excluded_moves: self.excluded_moves.clone(),
            time_budget,
            uses_book,
            ponder: go.ponder,
            ..SearchLimits::default()
        };
        engine.start_search(&limits)?;
        self.game_ply = engine.session.view().game_ply;
        self.best_pv.clear();
        self.mate = go.mate.map(|moves| (moves, false));
        self.deferred_answer.start_search(is_limited, go.ponder);
        Ok(())
    }

    /// Returns the time budget of the side to move. `w` is Red, White in chess and Othello, and the first side in
    /// flipello.
    fn time_budget(&self, go: &Go<'_>, engine: &Engine) -> Option<TimeBudget> {
        let white = if self.variant == "flipello" { Side::First } else { engine.session.info().white };
        let is_white = engine.session.view().side_to_move == white;
        let mover = usize::from(!is_white);
        let remaining = go.time[mover]?;
        Some(engine.time_budget(&ClockInput {
            remaining: Duration::from_millis(remaining.max(0) as u64),
            increment: Duration::from_millis(go.increment[mover]),
            moves_to_go: go.movestogo,
            overhead: engine.overhead,
        }))
    }

    /// Excludes moves from the next searches. One that is not legal is reported and left out.
    fn exclude_moves(&mut self, moves: &[&str], engine: &mut Engine) {
        let moves: Vec<_> = moves.iter().map(|mv| self.normalise_move(mv, engine)).collect();
        let (excluded, errors) = engine.convert_excluded_moves(&moves, self.dialect(engine));
        self.excluded_moves = excluded;
        for error in errors {
            self.report_error(&format!("banmoves: {error}"), engine);
        }
    }

    /// Sends the best move and, if known, the expected reply.
    fn send_best_move(&mut self, best: Option<String>, engine: &mut Engine) {
        if let Some((moves, false)) = self.mate.take() {
            let message = format!("no mate in {moves} was found");
            engine.send(Reply::InfoString(&message));
        }
        let moves = match best {
            // After an aborted search the last reported line may begin with another move.
            Some(best) if self.best_pv.first() == Some(&best) => self.best_pv.drain(..).take(2).collect(),
            best => best.into_iter().collect(),
        };
        let moves = self.format_line(moves, engine);
        let text = |number: usize| moves.get(number).map(String::as_str);
        engine.send(Reply::BestMove(text(0), text(1)));
    }
}

impl ProtocolHandler for UciHandler {
    fn sends_positions(&self) -> bool {
        true
    }

    fn on_line(&mut self, line: &str, engine: &mut Engine) -> HandlerResult {
        let sets_position = line.split_whitespace().next().is_some_and(|word| POSITION_WORDS.contains(&word));
        let command =
            engine.accept_command(parse_command(line), sets_position, |engine| self.finish_search(engine))?;
        // Commands that change the position end the search first, so that every `go` gets its answer.
        match command {
            Command::Position(_) | Command::Go(_) | Command::BanMoves(_) => self.finish_search(engine),
            Command::SetOption { .. } | Command::NewGame | Command::Quit => self.finish_search(engine),
            _ => {}
        }
        match command {
            Command::Uci => self.send_identification(engine),
            Command::IsReady => {
                engine.prepare();
                engine.send(Reply::ReadyOk);
            }
            Command::NewGame => engine.new_game(),
            Command::SetOption { name, value } => self.set_option(name, value, engine)?,
            Command::Position(position) => self.set_position(&position, engine),
            Command::BanMoves(moves) => self.exclude_moves(&moves, engine),
            Command::Go(go) => self.go(&go, engine),
            Command::Display => {
                engine.check_position()?;
                inspect::position_lines(engine.session.as_ref())
                    .into_iter()
                    .for_each(|line| engine.send(line));
            }
            Command::Eval => {
                engine.check_position()?;
                let score = engine.session.static_eval();
                engine.send(format!("Evaluation: {score} cp for the side to move"));
            }
            Command::Stop => {
                engine.stop();
                self.send_deferred_answer(engine);
            }
            Command::PonderHit => {
                engine.ponder_hit();
                if self.deferred_answer.is_pondering() {
                    self.send_deferred_answer(engine);
                }
            }
            Command::Ignored => {}
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn on_search_event(&mut self, event: SearchEvent, engine: &mut Engine) {
        match event {
            SearchEvent::Info {
                report:
                    SearchReport {
                        multipv,
                        depth,
                        seldepth,
                        score,
                        mate_plies,
                        nodes,
                        hashfull,
                        pv,
                        is_book,
                        bound,
                        ..
                    },
                seconds,
            } => {
                if multipv == 1 {
                    self.best_pv.clone_from(&pv);
                    if let Some((moves, is_found)) = &mut self.mate {
                        let is_win = mate_plies.is_some_and(|plies| plies > 0);
                        let plies = mate_plies.map_or(0, i32::unsigned_abs);
                        *is_found = is_win && plies < moves.saturating_mul(2);
                    }
                }
                let bound = match bound {
                    Bound::Exact => None,
                    Bound::Lower => Some(ScoreBound::Lower),
                    Bound::Upper => Some(ScoreBound::Upper),
                };
                // A bound says nothing about the probability of the other results.
                // A finished game has no line; nor has one all of whose moves are banned.
                let is_end = depth == 0 && pv.is_empty() && engine.session.game_end().is_some();
                let wdl = (self.shows_wdl && bound.is_none()).then(|| match is_end {
                    true => finished_wdl_permille(score),
                    false => wdl_permille(score, mate_plies, &engine.session.info().wdl_curve, self.game_ply),
                });
                let (score, time) = (UciScore::new(score, mate_plies), to_milliseconds(seconds));
                let pv = &self.format_line(pv, engine)[..];
                let info =
                    InfoLine { depth, seldepth, multipv, score, bound, wdl, nodes, time, hashfull, pv };
                engine.send(Reply::Info(info));
                if is_book {
                    engine.send(Reply::InfoString("a move of the opening book"));
                }
            }
            SearchEvent::Failed(message) => self.report_error(&message, engine),
            SearchEvent::BestMove(best) => {
                if let Some(best) = self.deferred_answer.on_best_move(best) {
                    self.send_best_move(best, engine);
                }
            }
        }
    }

    fn report_error(&mut self, message: &str, engine: &mut Engine) {
        engine.send(Reply::InfoString(message));
    }

    fn send_deferred_answer(&mut self, engine: &mut Engine) {
        if let Some(best) = self.deferred_answer.take() {
            self.send_best_move(best, engine);
        }
    }
}

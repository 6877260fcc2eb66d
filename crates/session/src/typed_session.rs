//! The generic implementation of [`GameSession`]: a board of a game with rules and a searcher.

use std::sync::{Arc, Mutex, PoisonError};

use alfil_kernel::epd::{Epd, EpdError, EpdExpected, EpdOperation};
use alfil_kernel::position::{ExpectedOf, IssueOf};
use alfil_kernel::{
    Dialect, Evaluator as _, Game, GameHistory, MoveList, MoveOf, NeverStop, Notation, Outcome, Piece as _,
    Position, RefusedMoveOf, Rules, Setup, SetupIssue as _, SetupOf, Side, Tactics as _, Verdict, Waivers,
};
use alfil_records::{Opening, OpeningNames};
use alfil_search::Worker;

use crate::any_board::AnyBoard;
use crate::chinese;
use crate::evaluation_report::{self, EvaluationReport};
use crate::game_board::{ChangeRecorder, GameBoard, describe_end};
use crate::game_info::GameInfo;
use crate::game_profile::{
    DialectOf, GameProfile, MoveError, NotationOf, OracleOf, PassConventions, RulesOf, format_default,
    format_game,
};
use crate::game_session::{GameSession, IssueDescription, MoveResult, RefusedTarget, RuleWarning, Target};
use crate::perft::{self, PerftPlan, TypedPerftPlan};
use crate::position_view::{GameEnd, PositionView};
use crate::requests::{PerftRequest, Problem, Solution, SolveRequest};
use crate::rulings::{Ruling, RulingRequest};
use crate::search_task::{EvaluationChoice, SearchLimits, SearchMonitor, SearchResources, SearchTask};
use crate::searcher::{
    ImageLines, MonitorControl, Searcher, TypedSearchTask, check_memory, evaluator, format_pv, network_of,
};
use crate::session_error::{ErrorKind, SessionError};
use crate::tactical_marks::TacticalMark;
use crate::workers::Workers;

/// The size of the transposition table of the fixed search, in MiB.
const BENCH_HASH_MIB: usize = 32;

/// A game session on one kind of board.
pub struct TypedSession<P: Position>
where
    P::Game: GameProfile<P>,
{
    board: GameBoard<P>,
    rules: RulesOf<P>,
    searcher: Searcher<P>,
    /// The solver of the last [`GameSession::solve`], whose table the next one uses. Searches use the oracle of the
    /// searcher, another one.
    solver: Mutex<Option<OracleOf<P>>>,
}

impl<P: Position> TypedSession<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates a session at the start position, under the ruleset of games with a person.
    pub fn new() -> Self {
        TypedSession {
            board: GameBoard::from_start_position(),
            rules: <P::Game as GameProfile<P>>::rules_between_people(),
            searcher: Searcher::new(&SearchResources::default()),
            solver: Mutex::default(),
        }
    }

    fn history(&self) -> &GameHistory<P> {
        self.board.history()
    }

    fn position(&self) -> &P {
        self.history().position()
    }

    fn find_dialect(name: Option<&str>) -> Result<DialectOf<P>, SessionError> {
        let all = DialectOf::<P>::ALL;
        let Some(name) = name else { return Ok(all[0]) };
        DialectOf::<P>::from_name(name).ok_or_else(|| {
            let names = all.iter().map(|dialect| dialect.name()).collect::<Vec<_>>().join(", ");
            SessionError::new(format!("{} has no dialect {name:?}; its dialects are {names}", P::Game::NAME))
        })
    }

    /// Returns the pass conventions of the game with the chosen one of their names, the default if `name` is `None`;
    /// `None` in games without passes.
    fn pass_convention(
        name: Option<&str>,
    ) -> Result<Option<(PassConventions<P>, &'static str)>, SessionError> {
        let Some(passes) = <P::Game as GameProfile<P>>::PASS_CONVENTIONS else {
            let game = P::Game::NAME;
            let error = |name| {
                SessionError::new(format!("{game} has no passes: the convention {name:?} does not apply"))
            };
            return name.map_or(Ok(None), |name| Err(error(name)));
        };
        let chosen = name.map_or(Some(passes.names[0]), passes.parse);
        match chosen {
            Some(chosen) => Ok(Some((passes, chosen))),
            None => Err(SessionError::new(format!(
                "unknown pass convention {:?}: expected one of {}",
                name.unwrap_or_default(),
                passes.names.join(", ")
            ))),
        }
    }

    /// Parses an EPD, or a position text alone, whatever issues the position has.
    fn parse_epd(text: &str) -> Result<Epd<SetupOf<P>>, SessionError> {
        GameBoard::<P>::parse_epd(text).map_err(|error| Self::position_error(&error))
    }

    /// Converts the error of a position text that cannot be read.
    fn position_error(error: &EpdError<ExpectedOf<P>>) -> SessionError {
        let expected = match &error.expected {
            EpdExpected::Position(expected) => <P::Game as GameProfile<P>>::expected_message_zh(expected),
            EpdExpected::OperationName => "以字母开头的操作名".to_owned(),
            EpdExpected::CounterValue => "hmvc 或 fmvn 之后的数字".to_owned(),
            EpdExpected::ClosingQuote => "结尾的引号".to_owned(),
        };
        SessionError::from(error).with_chinese(chinese::fen_error(error, &expected))
    }

    /// Converts the error of a move that cannot be read or played.
    fn move_error(error: &MoveError<P>) -> SessionError {
        SessionError::from(error).with_chinese(<P::Game as GameProfile<P>>::move_error_message_zh(error))
    }

    /// Parses a legal move, given in a dialect. A move in coordinates is compared with its own text only, not with the
    /// texts of all legal moves, because every step in a game reads one.
    fn parse_move(position: &P, text: &str, dialect: DialectOf<P>) -> Result<MoveOf<P>, SessionError> {
        if dialect == DialectOf::<P>::ALL[0]
            && let Ok(mv) = text.parse::<MoveOf<P>>()
            && position.is_legal(mv)
            && format_default(position, mv) == text
        {
            return Ok(mv);
        }
        NotationOf::<P>::parse_move(position, text, dialect).map_err(|error| Self::move_error(&error))
    }

    /// Plays a legal move.
    fn push_move(&mut self, mv: MoveOf<P>) -> MoveResult {
        let position = self.position();
        let text = format_default(position, mv);
        let is_capture = position.captured_piece(mv).is_some();
        let mut recorder = ChangeRecorder::default();
        self.board.push_legal(mv, &mut recorder);
        let game_end = self.board.end(&self.rules);
        let sound = match () {
            () if game_end.is_some() => "end",
            () if self.history().in_check() => "check",
            () if is_capture => "capture",
            () => "move",
        };
        MoveResult { board_changes: recorder.0, text, sound, game_end }
    }

    /// Parses a legal move, given in the default dialect.
    fn parse_default(position: &P, text: &str) -> Result<MoveOf<P>, SessionError> {
        Self::parse_move(position, text, DialectOf::<P>::ALL[0])
    }

    /// Returns a line of moves from this position, given in a dialect, in another, up to the first text that is no
    /// legal move.
    fn translate_line(&self, line: &[String], from: DialectOf<P>, to: DialectOf<P>) -> Vec<String> {
        let read = |board: &GameBoard<P>, text: &String| {
            let position = board.history().position();
            let mv = Self::parse_move(position, text, from)?;
            Ok(Some(<P::Game as GameProfile<P>>::written_move(position, mv)))
        };
        self.board.format_moves(line, to, read).0
    }

    /// Returns the legal moves that the ruleset does not refuse.
    fn allowed_moves(&self) -> MoveList<MoveOf<P>> {
        let mut moves = self.position().legal_moves();
        let refused = self.rules.refused_moves(self.history());
        moves.retain(|mv| !refused.iter().any(|refused| refused.mv == mv));
        moves
    }

    /// Returns the error of a move that the ruleset refuses.
    fn refusal_error(text: &str, refused: &RefusedMoveOf<P>) -> SessionError {
        let reason = <P::Game as GameProfile<P>>::refusal_message(refused);
        let reason_zh = <P::Game as GameProfile<P>>::refusal_message_zh(refused);
        SessionError::with_kind(ErrorKind::IllegalMove, format!("{text:?} is refused here: {reason}"))
            .with_chinese(format!("不能走 {text}：{reason_zh}"))
    }

    /// Returns the reply that completes a repetition which `loser`, who has just moved, loses, and the end of the game.
    fn lost_repetition(&self, game: &mut GameHistory<P>, loser: Side) -> Option<(Option<String>, GameEnd)> {
        game.position().legal_moves().iter().find_map(|&reply| {
            let text = format_default(game.position(), reply);
            game.push(reply, &mut ());
            let verdict = if game.has_occurred(2) { self.rules.judge(game) } else { None };
            let loss = verdict.filter(|verdict: &Verdict<_>| verdict.outcome == Outcome::loss(loser));
            let end = loss.map(|verdict| describe_end(game.position(), &verdict));
            game.pop(&mut ());
            Some((Some(text), end?))
        })
    }
}

impl<P: Position> Default for TypedSession<P>
where
    P::Game: GameProfile<P>,
{
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Position> GameSession for TypedSession<P>
where
    P::Game: GameProfile<P>,
{
    fn game(&self) -> &'static str {
        P::Game::NAME
    }

    fn board(&self) -> &'static str {
        P::BOARD
    }

    fn info(&self) -> &'static GameInfo {
        <P::Game as GameProfile<P>>::info()
    }

    fn is_chess960(&self) -> bool {
        <P::Game as GameProfile<P>>::is_chess960(self.history().start_setup())
    }

    fn dialects(&self) -> Vec<&'static str> {
        DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect()
    }

    fn parse_waivers(&self, names: &[String]) -> Result<Waivers, SessionError> {
        IssueOf::<P>::parse_waivers(names).map_err(|error| SessionError::new(error.to_string()))
    }

    fn open(&mut self, text: &str, waivers: &Waivers) -> Result<(), SessionError> {
        let setup = GameBoard::<P>::parse_setup(text).map_err(|error| Self::position_error(&error))?;
        self.board = GameBoard::with_waivers(&setup, waivers).map_err(|error| {
            let messages: Vec<_> =
                error.issues.iter().map(<P::Game as GameProfile<P>>::issue_message_zh).collect();
            SessionError::from(&error).with_chinese(format!("没有这样的局面：{}", messages.join("；")))
        })?;
        Ok(())
    }

    fn set_board(&mut self, board: &dyn AnyBoard) -> Result<(), SessionError> {
        self.board = GameBoard::from_board(board)?;
        Ok(())
    }

    fn text_from_pieces(
        &self,
        pieces: &[(String, char)],
        side: Side,
        before: Option<&str>,
    ) -> Result<String, SessionError> {
        let before = before.map(Self::parse_epd).transpose()?.map(|epd| epd.setup);
        Ok(<P::Game as GameProfile<P>>::text_from_pieces(pieces, side, before.as_ref()))
    }

    fn issues(&self, text: &str) -> Result<Vec<IssueDescription>, SessionError> {
        let setup = Self::parse_epd(text)?.setup;
        let describe = |issue: IssueOf<P>| IssueDescription {
            name: issue.name(),
            message: issue.to_string(),
            message_zh: <P::Game as GameProfile<P>>::issue_message_zh(&issue),
            squares: issue.squares(),
            is_waivable: issue.is_waivable(),
        };
        Ok(setup.issues().into_iter().map(describe).collect())
    }

    fn epd_operations(&self, text: &str) -> Result<Vec<EpdOperation>, SessionError> {
        Ok(Self::parse_epd(text)?.operations)
    }

    fn pieces_of_text(&self, text: &str) -> Result<(Vec<(String, char)>, Side), SessionError> {
        let (pieces, side) = <P::Game as GameProfile<P>>::pieces_of_setup(&Self::parse_epd(text)?.setup);
        let pieces = pieces.into_iter().map(|(square, piece)| (square.to_string(), piece.letter()));
        Ok((pieces.collect(), side))
    }

    fn tactical_marks(&self) -> Vec<TacticalMark> {
        <P::Game as GameProfile<P>>::tactical_marks(self.position())
    }

    fn is_book_move(&self, text: &str) -> bool {
        let position = self.position();
        let book = <P::Game as GameProfile<P>>::OPENING_BOOK.map_or(Vec::new(), |book| book(position));
        Self::parse_default(position, text).is_ok_and(|mv| book.iter().any(|&(known, _)| known == mv))
    }

    fn are_symmetric(&self, first: &str, second: &str) -> bool {
        let position = self.position();
        let symmetries = <P::Game as GameProfile<P>>::SYMMETRIES.map_or(Vec::new(), |of| of(position));
        let [Ok(first), Ok(second)] = [first, second].map(|text| Self::parse_default(position, text)) else {
            return false;
        };
        first == second || symmetries.iter().any(|map| map(first) == second)
    }

    fn wins_exchange(&self, capture: &str, at_least: i32) -> bool {
        let position = self.position();
        Self::parse_default(position, capture).is_ok_and(|mv| {
            let mut evaluator = evaluator::<P>(None);
            evaluator.reset(position);
            position.captured_piece(mv).is_some() && evaluator.see_ge(position, mv, at_least)
        })
    }

    fn view(&self) -> PositionView {
        self.board.view(&self.rules)
    }

    fn targets(&self, square: Option<&str>) -> Vec<Target> {
        let mut targets: Vec<_> =
            self.allowed_moves().iter().flat_map(|&mv| self.board.targets(mv)).collect();
        if let Some(square) = square {
            targets.retain(|target| target.from.as_deref() == Some(square));
        }
        targets.sort_by(|a, b| a.text.cmp(&b.text));
        targets
    }

    fn refused_targets(&self) -> Vec<RefusedTarget> {
        let refused = self.rules.refused_moves(self.history());
        let mut targets: Vec<_> = refused
            .iter()
            .flat_map(|refused| {
                self.board.targets(refused.mv).map(move |target| RefusedTarget {
                    target,
                    cause: refused.cause.to_string(),
                    limit: refused.limit,
                    reason: <P::Game as GameProfile<P>>::refusal_message(refused),
                    reason_zh: <P::Game as GameProfile<P>>::refusal_message_zh(refused),
                })
            })
            .collect();
        targets.sort_by(|a, b| a.target.text.cmp(&b.target.text));
        targets
    }

    fn legal_moves(&self, dialect: Option<&str>) -> Result<Vec<String>, SessionError> {
        let dialect = Self::find_dialect(dialect)?;
        let position = self.position();
        let mut moves: Vec<_> = self
            .allowed_moves()
            .iter()
            .map(|&mv| NotationOf::<P>::format_move(position, mv, dialect))
            .collect();
        moves.sort_unstable();
        Ok(moves)
    }

    fn format_move(&self, text: &str, dialect: Option<&str>) -> Result<String, SessionError> {
        let (position, dialect) = (self.position(), Self::find_dialect(dialect)?);
        Ok(NotationOf::<P>::format_move(position, Self::parse_default(position, text)?, dialect))
    }

    fn format_line(&self, line: &[String], dialect: Option<&str>) -> Result<Vec<String>, SessionError> {
        Ok(self.translate_line(line, DialectOf::<P>::ALL[0], Self::find_dialect(dialect)?))
    }

    fn parse_line(&self, line: &[String], dialect: Option<&str>) -> Result<Vec<String>, SessionError> {
        Ok(self.translate_line(line, Self::find_dialect(dialect)?, DialectOf::<P>::ALL[0]))
    }

    fn detect_dialect(&self, text: &str, preferred: Option<&str>) -> Result<&'static str, SessionError> {
        Ok(NotationOf::<P>::dialect_of(text, Self::find_dialect(preferred)?).name())
    }

    fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError> {
        let mv = Self::parse_move(self.position(), text, Self::find_dialect(dialect)?)?;
        let refused = self.rules.refused_moves(self.history());
        match refused.iter().find(|refused| refused.mv == mv) {
            Some(refused) => Err(Self::refusal_error(&format_default(self.position(), mv), refused)),
            None => Ok(self.push_move(mv)),
        }
    }

    fn replay(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError> {
        let mv = Self::parse_move(self.position(), text, Self::find_dialect(dialect)?)?;
        Ok(self.push_move(mv))
    }

    fn undo(&mut self) -> Option<MoveResult> {
        let mv = self.history().last_ply()?.mv()?;
        let mut recorder = ChangeRecorder::default();
        self.board.pop_with(&mut recorder).ok()?;
        let text = format_default(self.position(), mv);
        Some(MoveResult { board_changes: recorder.0, text, sound: "move", game_end: None })
    }

    fn played_moves(&self, dialect: Option<&str>) -> Result<Vec<String>, SessionError> {
        Ok(format_game(self.history(), Self::find_dialect(dialect)?))
    }

    fn opening(&self, names: &OpeningNames) -> Option<Opening> {
        let plies = self.history().ply().min(names.max_plies());
        (0..=plies).rev().find_map(|ply| names.at_key(self.history().hash_key_at(ply))).copied()
    }

    fn rulesets(&self) -> Vec<&'static str> {
        self.info().rulesets.iter().map(|ruleset| ruleset.name).collect()
    }

    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, SessionError> {
        let none = || {
            SessionError::new(format!("{} has only one ruleset: no ruling can be requested", P::Game::NAME))
        };
        let dialect = Self::find_dialect(request.dialect.as_deref())?;
        let rulesets = <P::Game as GameProfile<P>>::RULESETS.ok_or_else(none)?;
        (rulesets.ruling)(self.history(), request, dialect)
    }

    fn game_end(&self) -> Option<GameEnd> {
        self.board.end(&self.rules)
    }

    fn rule_warnings(&self) -> Vec<RuleWarning> {
        let (mut game, mover) = (self.history().clone(), self.history().side_to_move());
        let mut found = Vec::new();
        for &mv in self.allowed_moves().iter() {
            let text = format_default(game.position(), mv);
            game.push(mv, &mut ());
            if !game.position().has_no_legal_move() {
                let warning = match self.rules.judge(&game) {
                    None => self.lost_repetition(&mut game, mover),
                    Some(verdict) if verdict.outcome == Outcome::Win(mover) => None,
                    Some(verdict) => Some((None, describe_end(game.position(), &verdict))),
                };
                found.extend(warning.map(|(reply, end)| RuleWarning { mv: text, reply, end }));
            }
            game.pop(&mut ());
        }
        found.sort_by(|a, b| a.mv.cmp(&b.mv));
        found
    }

    fn flag_outcome(&self, side: Side) -> Outcome {
        if self.rules.can_win(self.position(), !side) { Outcome::loss(side) } else { Outcome::Draw }
    }

    fn dump(&self) -> String {
        self.position().dump()
    }

    fn perft(
        &self,
        request: &PerftRequest,
        workers: &dyn Workers,
        on_root_move: &(dyn Fn(&str, u128) + Sync),
    ) -> Result<u128, SessionError> {
        let plan = self.perft_plan(request)?;
        Ok(perft::count_all(&plan, request.threads, workers, on_root_move))
    }

    fn perft_plan(&self, request: &PerftRequest) -> Result<Arc<dyn PerftPlan>, SessionError> {
        let dialect = Self::find_dialect(request.dialect.as_deref())?;
        let passes = Self::pass_convention(request.convention.as_deref())?;
        Ok(Arc::new(TypedPerftPlan::new(self.history(), request, dialect, passes)?))
    }

    fn solve(
        &self,
        request: &SolveRequest,
        workers: &dyn Workers,
        monitor: &mut dyn SearchMonitor,
    ) -> Result<Solution, SessionError> {
        let none = || SessionError::new(format!("{} has no solver", P::Game::NAME));
        let solver = <P::Game as GameProfile<P>>::SOLVER.ok_or_else(none)?;
        request.hash_mib.map_or(Ok(()), check_memory)?;
        let root = self.position();
        let mut best = None;
        let mut control = MonitorControl { root, monitor, best: &mut best, images: ImageLines::default() };
        // A solver that panicked has left a table that is still valid.
        let mut kept = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        let Solution { score, pv, nodes, move_scores } =
            (solver.solve)(root, request, &mut kept, workers, &mut control);
        let score_text = |(mv, score)| (format_pv(root, &[mv]).concat(), score);
        let move_scores = move_scores.into_iter().map(score_text).collect();
        Ok(Solution { score, pv: format_pv(root, &pv), nodes, move_scores })
    }

    fn parse_problems(&self, text: &str) -> Result<Vec<Problem>, SessionError> {
        let none = || SessionError::new(format!("{} has no problem files", P::Game::NAME));
        (<P::Game as GameProfile<P>>::SOLVER.ok_or_else(none)?.parse_problems)(text)
    }

    fn bench(&self) -> u64 {
        let search = |text: &&str| {
            let setup = SetupOf::<P>::parse(text).expect("the bench positions can be read");
            let game = GameHistory::<P>::new(&setup, &Waivers::None).expect("the bench positions are valid");
            let mut worker =
                Worker::new(game, RulesOf::<P>::default(), self.searcher.evaluator(), BENCH_HASH_MIB)
                    .with_params(<P::Game as GameProfile<P>>::info().search_params);
            worker.search(<P::Game as GameProfile<P>>::BENCH_DEPTH, &mut NeverStop).nodes
        };
        <P::Game as GameProfile<P>>::BENCH_POSITIONS.iter().map(search).sum()
    }

    fn set_resources(&mut self, resources: &SearchResources) {
        self.searcher.set_resources(resources);
    }

    fn evaluation_report(&self) -> EvaluationReport {
        let network = self.evaluation_network();
        evaluation_report::report(self.position(), &mut self.searcher.evaluator(), network)
    }

    fn set_evaluation(&mut self, choice: &EvaluationChoice) -> Result<(), SessionError> {
        self.searcher.set_network(network_of::<P>(choice)?);
        Ok(())
    }

    fn evaluation_network(&self) -> Option<String> {
        self.searcher.network_description()
    }

    fn clear_search(&mut self) {
        self.searcher.clear();
    }

    fn static_eval(&self) -> i32 {
        let mut eval = self.searcher.evaluator();
        eval.reset(self.position());
        eval.score(self.position()).value()
    }

    fn set_ruleset(&mut self, name: &str) -> Result<(), SessionError> {
        let only_one = || {
            let game = P::Game::NAME;
            SessionError::new(format!("{game} has no ruleset {name:?}: it has only one ruleset"))
        };
        let rulesets = <P::Game as GameProfile<P>>::RULESETS.ok_or_else(only_one)?;
        self.rules = (rulesets.from_name)(name)?;
        // Another ruleset draws other repetitions, so earlier results are invalid.
        self.searcher.clear();
        Ok(())
    }

    fn prepare(&self) {
        self.searcher.prepare(self.history(), &self.rules);
    }

    fn search_task(&self, limits: &SearchLimits) -> Result<Box<dyn SearchTask>, SessionError> {
        let parse = |text: &String| Self::parse_default(self.position(), text);
        let moves = |texts: &[String]| texts.iter().map(parse).collect::<Result<Vec<_>, _>>();
        Ok(Box::new(TypedSearchTask {
            searcher: self.searcher.clone(),
            game: self.history().clone(),
            rules: self.rules.clone(),
            search_moves: moves(&limits.search_moves)?,
            excluded_moves: moves(&limits.excluded_moves)?,
            limits: limits.clone(),
        }))
    }
}

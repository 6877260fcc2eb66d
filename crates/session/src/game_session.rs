//! One position of a game with its history and rules: the object-safe interface that the command line and the server
//! use, in strings and plain data. [`crate::played_game`] has the game around it, with variations and clock.
//!
//! [`GameSession`] is the only dynamic dispatch of the library crates: it happens once a click or command.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use alfil_kernel::epd::EpdOperation;
use alfil_kernel::{Outcome, Side, Waivers};
use alfil_records::{Opening, OpeningNames};

use crate::any_board::AnyBoard;
use crate::appearance::Appearance;
use crate::evaluation_report::EvaluationReport;
use crate::game_info::GameInfo;
use crate::perft::PerftPlan;
use crate::position_view::{GameEnd, PositionView};
use crate::requests::{PerftRequest, Problem, Solution, SolveRequest};
use crate::rulings::{Ruling, RulingRequest};
use crate::search_task::{EvaluationChoice, SearchLimits, SearchMonitor, SearchResources, SearchTask};
use crate::session_error::SessionError;
use crate::tactical_marks::TacticalMark;
use crate::workers::Workers;

/// A change on the board. A user interface applies the changes of a move in order, and needs no rules and no comparison
/// of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardChange {
    /// A piece (by its letter) appears on an empty square.
    Put(String, char),
    /// A piece is removed from a square.
    Remove(String, char),
    /// The disc on a square is flipped and is now this piece.
    Flip(String, char),
}

/// A destination of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The square of the piece; `None` where a new piece is placed.
    pub from: Option<String>,
    /// The square it goes to; `None` for a pass.
    pub to: Option<String>,
    /// The move in the default dialect, as [`GameSession::play`] takes it.
    pub text: String,
    /// What the move changes on the board, in order.
    pub board_changes: Vec<BoardChange>,
    /// The letter of the piece promoted to; it distinguishes the moves between the same two squares.
    pub promotion: Option<char>,
}

/// A legal move that the ruleset refuses: it may not be played here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedTarget {
    /// The move with its squares and its text.
    pub target: Target,
    /// What the moves in a row have in common, in one word: `perpetual_check`.
    pub cause: String,
    /// The number of such moves in a row that are allowed.
    pub limit: usize,
    /// The reason as an English sentence.
    pub reason: String,
    /// The reason as a Chinese sentence.
    pub reason_zh: String,
}

/// A warning about a legal move: the game ends by a rule without a win for the side that plays it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleWarning {
    /// The move in the default dialect.
    pub mv: String,
    /// The reply of the opponent that ends the game, in the default dialect; `None` if the move itself ends it.
    pub reply: Option<String>,
    /// The end of the game.
    pub end: GameEnd,
}

/// The result of playing a move or taking it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveResult {
    /// What changed on the board, in order.
    pub board_changes: Vec<BoardChange>,
    /// The move in the default dialect.
    pub text: String,
    /// The sound of the move: `move`, `capture`, `check` or `end`.
    pub sound: &'static str,
    /// The verdict, if the game is over now.
    pub game_end: Option<GameEnd>,
}

/// An issue of a position that was set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssueDescription {
    /// The name by which it is waived.
    pub name: &'static str,
    /// The issue as an English sentence with its squares.
    pub message: String,
    /// The issue as a Chinese sentence with its squares.
    pub message_zh: String,
    /// The squares concerned.
    pub squares: Vec<String>,
    /// Whether the issue can be waived at all.
    pub is_waivable: bool,
}

/// Returns a new random seed for [`SearchLimits::seed`] on every call; a game needs one.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The interface of one position of any game, on any board, with its history and rules: it plays moves one after the
/// other, rules on them and searches, and has neither variations nor players.
pub trait GameSession: Send {
    /// Returns the name of the game on the command line.
    fn game(&self) -> &'static str;
    /// Returns the name of the board on the command line.
    fn board(&self) -> &'static str;
    /// Returns the description of the game.
    fn info(&self) -> &'static GameInfo;
    /// Returns the appearance of board and pieces.
    fn appearance(&self) -> &'static Appearance {
        self.info().appearance
    }
    /// Returns the names of the dialects, the default first.
    fn dialects(&self) -> Vec<&'static str>;
    /// Returns whether the game started from a position of Chess960.
    fn is_chess960(&self) -> bool;
    /// Returns the waivers with these names; `all` waives every issue that can be waived.
    ///
    /// # Errors
    /// Returns an error if no issue of the game that can be waived has one of the names.
    fn parse_waivers(&self, names: &[String]) -> Result<Waivers, SessionError>;

    /// Starts again from a position text; `startpos` is the start position of the game.
    ///
    /// ```
    /// use alfil_kernel::Waivers;
    /// use alfil_session::registry;
    ///
    /// let mut session = registry::open("chess", None)?;
    /// session.open("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &Waivers::None)?;
    /// assert_eq!(session.legal_moves(Some("san"))?.len(), 6);
    /// let error = session.open("4k3/8/8/8/8/8/4P3/8 w - - 0 1", &Waivers::None).unwrap_err();
    /// assert!(error.to_string().contains("king"), "{error}");
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text cannot be read or the position cannot be played; the session is then unchanged.
    fn open(&mut self, text: &str, waivers: &Waivers) -> Result<(), SessionError>;

    /// Goes to the position of a board of this game, with the moves that led to it. Table and histories of earlier
    /// searches are kept.
    ///
    /// # Errors
    /// Returns an error if it is a board of another game.
    fn set_board(&mut self, board: &dyn AnyBoard) -> Result<(), SessionError>;

    /// Returns the position text of pieces without history. They have the castling rights of the position text
    /// `before`, or were set up by hand and have all that are possible.
    ///
    /// # Errors
    /// Returns an error if `before` cannot be read.
    fn text_from_pieces(
        &self,
        pieces: &[(String, char)],
        side: Side,
        before: Option<&str>,
    ) -> Result<String, SessionError>;
    /// Returns all issues of the position of a text.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let session = registry::open("xiangqi", None)?;
    /// let issues = session.issues("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1")?;
    /// assert_eq!((issues[0].name, issues[0].is_waivable), ("generals_facing", true));
    /// assert_eq!(issues[0].squares, ["e0", "e9"]);
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    fn issues(&self, text: &str) -> Result<Vec<IssueDescription>, SessionError>;
    /// Returns the operations of an EPD: a position text and operations after it. A position text alone has none.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    fn epd_operations(&self, text: &str) -> Result<Vec<EpdOperation>, SessionError>;
    /// Returns the pieces of a position text and the side to move, whatever issues the position has.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    fn pieces_of_text(&self, text: &str) -> Result<(Vec<(String, char)>, Side), SessionError>;

    /// Returns the current position and state of the game.
    fn view(&self) -> PositionView;
    /// Returns the tactical marks of the position: blocked legs, screens, pins, attacks or stable discs.
    fn tactical_marks(&self) -> Vec<TacticalMark>;
    /// Returns whether a legal move, in the default dialect, is in the opening book of the game.
    fn is_book_move(&self, text: &str) -> bool;
    /// Returns whether two legal moves, in the default dialect, are images of each other under a symmetry of the
    /// position, as the four first moves of Othello are.
    fn are_symmetric(&self, first: &str, second: &str) -> bool;
    /// Returns whether a capture, in the default dialect, wins at least so many centipawns, however the captures on its
    /// square go on (static exchange evaluation); false for other moves.
    fn wins_exchange(&self, capture: &str, at_least: i32) -> bool;
    /// Returns the legal moves of the piece on a square, or all legal moves, but those that the ruleset refuses. A move
    /// that can be entered in several ways (castling: the king moves two squares or onto its rook) occurs once for
    /// each, with the same text.
    ///
    /// ```
    /// use alfil_session::{BoardChange, registry};
    ///
    /// let session = registry::open("chess", None)?;
    /// let targets = session.targets(Some("g1"));
    /// assert_eq!(targets.iter().map(|target| target.text.as_str()).collect::<Vec<_>>(), ["g1f3", "g1h3"]);
    /// let changes = &targets[0].board_changes;
    /// assert_eq!(changes[..], [BoardChange::Remove("g1".into(), 'N'), BoardChange::Put("f3".into(), 'N')]);
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    fn targets(&self, square: Option<&str>) -> Vec<Target>;
    /// Returns the legal moves that the ruleset refuses in this game now, each with the reason, in the order of their
    /// texts. Most rulesets refuse none.
    fn refused_targets(&self) -> Vec<RefusedTarget>;
    /// Returns all legal moves that the ruleset does not refuse in a dialect, in byte order.
    ///
    /// # Errors
    /// Returns an error if the game has no such dialect.
    fn legal_moves(&self, dialect: Option<&str>) -> Result<Vec<String>, SessionError>;

    /// Formats a legal move, given in the default dialect, in another dialect.
    ///
    /// # Errors
    /// Returns an error if the move is not legal here, or the game has no such dialect.
    fn format_move(&self, text: &str, dialect: Option<&str>) -> Result<String, SessionError>;

    /// Formats a line of moves from the current position, given in the default dialect, in another dialect, up to the
    /// first illegal move.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let session = registry::open("xiangqi", None)?;
    /// let line = ["h2e2", "h9g7", "h0g2"].map(str::to_owned);
    /// assert_eq!(session.format_line(&line, Some("chinese"))?, ["炮二平五", "马８进７", "马二进三"]);
    /// assert_eq!(session.format_line(&line, Some("wxf"))?, ["C2.5", "N8+7", "N2+3"]);
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the game has no such dialect.
    fn format_line(&self, line: &[String], dialect: Option<&str>) -> Result<Vec<String>, SessionError>;

    /// Parses a line of moves from the current position, given in a dialect, into the default dialect, up to the first
    /// text that is no legal move.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let session = registry::open("chess", None)?;
    /// let line = ["Nf3", "d5", "Ke3"].map(str::to_owned);
    /// assert_eq!(session.parse_line(&line, Some("san"))?, ["g1f3", "d7d5"]);
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the game has no such dialect.
    fn parse_line(&self, line: &[String], dialect: Option<&str>) -> Result<Vec<String>, SessionError>;

    /// Returns the dialect in which to read a text that a user typed: the preferred one if the text is a move there,
    /// legal or not; otherwise the first dialect of the game in which it is one; otherwise the one that the text looks
    /// like. So
    /// `炮二平五` and `C2.5` are read without naming a dialect, and a text that the preferred dialect can read is never
    /// guessed.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let session = registry::open("xiangqi", None)?;
    /// assert_eq!(session.detect_dialect("炮二平五", None)?, "chinese");
    /// assert_eq!(session.detect_dialect("C2=5", None)?, "wxf");
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the game has no such dialect.
    fn detect_dialect(&self, text: &str, preferred: Option<&str>) -> Result<&'static str, SessionError>;

    /// Plays a move, given in a dialect.
    ///
    /// # Errors
    /// Returns an error with the reason if the move is not legal here, or the ruleset refuses it; the session is then
    /// unchanged.
    fn play(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError>;
    /// Plays a move of a record, given in a dialect. It may be one that the ruleset refuses: a record may have been
    /// played under other rules.
    ///
    /// # Errors
    /// Returns an error with the reason if the move is not legal here; the session is then unchanged.
    fn replay(&mut self, text: &str, dialect: Option<&str>) -> Result<MoveResult, SessionError>;
    /// Takes back the last move and returns what changed, or `None` at the start of the game.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let mut session = registry::open("othello", None)?;
    /// session.play("f5", None)?;
    /// assert_eq!(session.view().piece_counts, Some([4, 1]));
    /// assert_eq!(session.undo().unwrap().text, "f5");
    /// assert_eq!((session.view().piece_counts, session.undo()), (Some([2, 2]), None));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    fn undo(&mut self) -> Option<MoveResult>;
    /// Returns the moves played so far in a dialect.
    ///
    /// # Errors
    /// Returns an error if the game has no such dialect.
    fn played_moves(&self, dialect: Option<&str>) -> Result<Vec<String>, SessionError>;
    /// Returns the last named opening that the moves played so far have reached; `names` are those of the game.
    fn opening(&self, names: &OpeningNames) -> Option<Opening>;
    /// Returns the names of the rulesets of the game, the one for play between people first; empty if there is only
    /// one.
    fn rulesets(&self) -> Vec<&'static str>;
    /// Rules on the current state of the game under a named ruleset, with the reasons.
    ///
    /// # Errors
    /// Returns an error if the game has no named rulesets, or none of that name.
    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, SessionError>;
    /// Returns the verdict on the current state of the game, or `None` if the game is not over.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let mut session = registry::open("chess", None)?;
    /// for mv in ["f3", "e5", "g4", "Qh4#"] {
    ///     session.play(mv, Some("san"))?;
    /// }
    /// let end = session.game_end().unwrap();
    /// assert_eq!((end.cause.as_str(), end.message_zh.is_empty()), ("checkmate", false));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    fn game_end(&self) -> Option<GameEnd>;
    /// Returns the legal moves that end the game by a rule without a win for their side (a judged repetition, a move
    /// limit), although the opponent could still move, and those after which the opponent can complete a repetition
    /// that their side loses.
    fn rule_warnings(&self) -> Vec<RuleWarning>;
    /// Returns the outcome when a side runs out of time: a loss, or a draw if the opponent could not win any more.
    ///
    /// ```
    /// use alfil_kernel::{Outcome, Side, Waivers};
    /// use alfil_session::registry;
    ///
    /// let mut session = registry::open("chess", None)?;
    /// assert_eq!(session.flag_outcome(Side::First), Outcome::Win(Side::Second));
    /// // A lone king cannot win.
    /// session.open("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &Waivers::None)?;
    /// assert_eq!(session.flag_outcome(Side::First), Outcome::Draw);
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    fn flag_outcome(&self, side: Side) -> Outcome;

    /// Returns the internal representation of the board as text.
    fn dump(&self) -> String;
    /// Counts the legal move paths to a depth. `on_root_move` receives each root move in the requested dialect with its
    /// count, on the thread that counted it.
    ///
    /// # Errors
    /// Returns an error if the game has no such pass convention or dialect, or there is not enough memory.
    fn perft(
        &self,
        request: &PerftRequest,
        workers: &dyn Workers,
        on_root_move: &(dyn Fn(&str, u128) + Sync),
    ) -> Result<u128, SessionError>;

    /// Returns the plan of a perft in parts, which the caller counts one by one. A finished game and depth 0 have one
    /// part and no root move.
    ///
    /// # Errors
    /// As [`GameSession::perft`], and if there are too many parts.
    fn perft_plan(&self, request: &PerftRequest) -> Result<Arc<dyn PerftPlan>, SessionError>;

    /// Solves the position exactly, and returns when that is done. `monitor` receives bounds of the score and the
    /// number of finished root moves; if all moves are scored, then also the exact score of each, with its rank among
    /// those before it. It cannot stop the solver.
    ///
    /// ```
    /// use alfil_kernel::Waivers;
    /// use alfil_session::{CurrentThread, SearchMonitor, SearchReport, SolveRequest, registry};
    ///
    /// struct NoMonitor;
    /// impl SearchMonitor for NoMonitor {
    ///     fn is_stopped(&mut self, _nodes: u64) -> bool {
    ///         false
    ///     }
    ///     fn on_report(&mut self, _report: SearchReport) {}
    /// }
    ///
    /// let mut session = registry::open("othello", None)?;
    /// let ending = "OOOOOOOO-OOOOOOOOOOXXXXOOOOXXXXOOOXXOOXOOOOOOOXO--OOO-O---OO---- X";
    /// session.open(ending, &Waivers::None)?;
    /// let solution = session.solve(&SolveRequest::default(), &CurrentThread, &mut NoMonitor)?;
    /// assert!(session.legal_moves(None)?.contains(solution.best_move().unwrap()));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the game has no solver, or there is no memory for its table.
    fn solve(
        &self,
        request: &SolveRequest,
        workers: &dyn Workers,
        monitor: &mut dyn SearchMonitor,
    ) -> Result<Solution, SessionError>;
    /// Reads a file of problems for the solver (Othello: OBF).
    ///
    /// # Errors
    /// Returns an error if the game has no problem files, or with the number of a line that cannot be read.
    fn parse_problems(&self, text: &str) -> Result<Vec<Problem>, SessionError>;

    /// Returns the node count of a fixed search with one thread. It is the same on every board of a game, and changes
    /// only with search or evaluation.
    fn bench(&self) -> u64;

    /// Returns the static evaluation from the view of the side to move: centipawns, in Othello hundredths of a disc.
    fn static_eval(&self) -> i32;

    /// Sets the ruleset by which the game is judged and searched.
    ///
    /// # Errors
    /// Returns an error if the game has no ruleset of that name.
    fn set_ruleset(&mut self, name: &str) -> Result<(), SessionError>;

    /// Replaces the transposition table and sets the number of threads.
    fn set_resources(&mut self, resources: &SearchResources);
    /// Returns the static evaluation of the position, by part and by piece.
    fn evaluation_report(&self) -> EvaluationReport;

    /// Chooses the evaluation, and clears the search.
    ///
    /// # Errors
    /// Returns an error if the bytes are no network of the game; the evaluation is then unchanged.
    fn set_evaluation(&mut self, choice: &EvaluationChoice) -> Result<(), SessionError>;
    /// Returns the description of the network that evaluates; `None` for the hand-made terms.
    fn evaluation_network(&self) -> Option<String>;
    /// Clears the transposition table and the histories, for a new game.
    fn clear_search(&mut self);
    /// Makes the transposition table and a worker now, so that the first search does not wait for them; this may take
    /// seconds for a GiB.
    fn prepare(&self);
    /// Returns a task that searches a copy of the position. The task leaves its table and workers to the next search
    /// of the session.
    ///
    /// # Errors
    /// Returns an error if a move in the limits is not legal.
    fn search_task(&self, limits: &SearchLimits) -> Result<Box<dyn SearchTask>, SessionError>;
}

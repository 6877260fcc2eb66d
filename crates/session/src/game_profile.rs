//! What the program needs of a game beside its rules: appearance, messages, rulesets, marks, solver.

use alfil_kernel::position::{ExpectedOf, IssueOf};
use alfil_kernel::rules::CauseOf;
use alfil_kernel::{
    Game, GameHistory, Move as _, Notation, NotationError, Oracle, Position, Rules, Setup as _, Side, Verdict,
};

use alfil_search::SearchEvaluator;
pub use alfil_search::SearchParams;

use crate::game_info::GameInfo;
use crate::game_session::{Problem, SessionError, Solution, SolveRequest};
use crate::rulings::{Ruling, RulingRequest};
use crate::searcher::MonitorControl;
use crate::tactical_marks::TacticalMark;
use crate::workers::Workers;

/// Pieces with their squares.
pub type PlacedPieces<G> = Vec<(<G as Game>::Square, <G as Game>::Piece)>;

/// The error of a text that is not a legal move.
pub type MoveError<P> =
    NotationError<<<<P as Position>::Game as GameProfile<P>>::Notation as Notation<P>>::IllegalReason>;

/// The rules, evaluation, notation, appearance and messages of a game, in one place.
pub trait GameProfile<P: Position<Game = Self>>: Game {
    /// The rulesets.
    type Rules: Rules<P> + Default;
    /// The static evaluation.
    type Evaluator: SearchEvaluator<P> + Default;
    /// The source of exact values: an endgame solver, or `()`.
    type Oracle: Oracle<P>;
    /// The notation of the moves.
    type Notation: Notation<P>;

    /// The positions of the fixed search that detects changes of search or evaluation.
    const BENCH_POSITIONS: &'static [&'static str];
    /// The depth of that search, in plies.
    const BENCH_DEPTH: u32;
    /// The parameters of the search.
    const SEARCH_PARAMS: SearchParams;

    /// Returns the description of the game.
    fn info() -> &'static GameInfo;

    /// Returns a verdict as an English sentence.
    fn verdict_message(position: &P, verdict: &Verdict<CauseOf<P>>) -> String;

    /// Returns a verdict as a Chinese sentence.
    fn verdict_message_zh(position: &P, verdict: &Verdict<CauseOf<P>>) -> String;

    /// Returns an issue of a position as a Chinese sentence.
    fn issue_message_zh(issue: &IssueOf<P>) -> String;

    /// Returns what was expected in a position text, in Chinese.
    fn expected_message_zh(expected: &ExpectedOf<P>) -> String;

    /// Returns the Chinese message for a move that cannot be read or played.
    fn move_error_message_zh(error: &MoveError<P>) -> String;

    /// Returns the square of the king that is in check; always `None` in games without kings.
    fn checked_king(_position: &P) -> Option<Self::Square> {
        None
    }

    /// Returns the number of pieces of each side, in games that are won by counting them.
    fn piece_counts(_position: &P) -> Option<[usize; 2]> {
        None
    }

    /// Returns the plies since the start of a whole game, as the position's own text says: by the move number, or by
    /// the pieces on the board where each ply adds one.
    fn game_ply(game: &GameHistory<P>) -> usize {
        let number = game.to_setup().counters().fullmove_number.max(1) as usize;
        2 * (number - 1) + game.side_to_move().index()
    }

    /// Returns the oracle for a search.
    fn oracle() -> Self::Oracle;

    /// The names of the conventions for counting passes, the default first; empty in games without passes.
    const PASS_CONVENTIONS: &'static [&'static str] = &[];

    /// Returns the entry of [`GameProfile::PASS_CONVENTIONS`] for its name or for the description that collections of
    /// perft counts use.
    fn parse_pass_convention(_text: &str) -> Option<&'static str> {
        None
    }

    /// Returns the number of legal move paths, passes counted by one of [`GameProfile::PASS_CONVENTIONS`].
    fn perft(position: &P, depth: u32, _convention: Option<&str>) -> u64 {
        position.perft(depth)
    }

    /// Returns the depth that remains after a move, passes counted by one of [`GameProfile::PASS_CONVENTIONS`].
    fn depth_after(_mv: Self::Move, depth: u32, _convention: Option<&str>) -> u32 {
        depth - 1
    }

    /// Returns the squares to which a user may drag the piece for this legal move, the normal one first. There are
    /// several where a move can be entered in several ways, and none for a pass.
    fn target_squares(_position: &P, mv: Self::Move) -> Vec<Self::Square> {
        mv.target().into_iter().collect()
    }

    /// Returns the letter of the piece promoted to; it distinguishes the moves between the same two squares.
    fn promotion_letter(_mv: Self::Move) -> Option<char> {
        None
    }

    /// Returns the position text of pieces that were set up by hand, without history.
    fn text_from_pieces(pieces: &[(String, char)], side: Side) -> String;

    /// Returns the pieces of a position text and the side to move, whatever issues it has: the input of
    /// [`GameProfile::text_from_pieces`].
    fn pieces_of_setup(setup: &Self::Setup) -> (PlacedPieces<Self>, Side);

    /// Returns the tactical marks of a position.
    fn tactical_marks(_position: &P) -> Vec<TacticalMark> {
        Vec::new()
    }

    /// Returns the ruleset for play between people.
    fn default_rules() -> Self::Rules {
        Self::Rules::default()
    }

    /// Returns the ruleset of a name.
    ///
    /// # Errors
    /// Returns an error if there is no ruleset of that name.
    fn rules_from_name(name: &str) -> Result<Self::Rules, SessionError> {
        Err(SessionError::new(format!("{} has no ruleset {name:?}: it has only one ruleset", Self::NAME)))
    }

    /// Rules on a game under a named ruleset, moves formatted in the dialect; `None` if the game has no named rulesets.
    fn ruling(
        _game: &GameHistory<P>,
        _request: &RulingRequest,
        _dialect: <Self::Notation as Notation<P>>::Dialect,
    ) -> Option<Result<Ruling, SessionError>> {
        None
    }

    /// Returns the exact solution of a position, whose intermediate results go to `control`; `None` if the game has no
    /// solver.
    fn solve(
        _position: &P,
        _request: &SolveRequest,
        _workers: &dyn Workers,
        _control: &mut MonitorControl<'_, P>,
    ) -> Option<Solution<Self::Move>> {
        None
    }

    /// Reads the problems of a file; `None` if the game has no such files.
    fn parse_problems(_text: &str) -> Option<Result<Vec<Problem>, SessionError>> {
        None
    }
}

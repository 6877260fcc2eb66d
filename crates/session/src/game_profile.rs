//! The profile of a game: its rules, evaluation, notation, appearance, messages, rulesets, marks and solver.

use core::fmt::Debug;

use alfil_evaluation::tuning::EvalPart;
use alfil_kernel::perft::PerftKey;
use alfil_kernel::position::{ExpectedOf, IssueOf};
use alfil_kernel::rules::CauseOf;
use alfil_kernel::{
    Dialect as _, Game, GameHistory, MoveOf, Notation, NotationError, Oracle, Position, RefusedMoveOf, Rules,
    Score, SearchControl, Setup as _, Side, Verdict, Waivers,
};

use alfil_records::text_game::NULL_MOVE;
use alfil_search::SearchEvaluator;

use crate::game_info::GameInfo;
use crate::requests::{Problem, Solution, SolveRequest};
use crate::rulings::{Ruling, RulingRequest};
use crate::session_error::SessionError;
use crate::tactical_marks::TacticalMark;
use crate::workers::Workers;

/// The text of a null move in coordinates, as UCI writes it.
pub const NULL_MOVE_COORDINATES: &str = "0000";

/// Pieces with their squares.
pub type PlacedPieces<G> = Vec<(<G as Game>::Square, <G as Game>::Piece)>;

/// The error of a text that is not a legal move.
pub type MoveError<P> = NotationError<<NotationOf<P> as Notation<P>>::IllegalReason>;

/// The rules of a position's game.
pub type RulesOf<P> = <<P as Position>::Game as GameProfile<P>>::Rules;

/// The evaluator of a position's game.
pub type EvaluatorOf<P> = <<P as Position>::Game as GameProfile<P>>::Evaluator;

/// The weights from files of a position's game.
pub type WeightsOf<P> = <<P as Position>::Game as GameProfile<P>>::Weights;

/// The oracle of a position's game.
pub type OracleOf<P> = <<P as Position>::Game as GameProfile<P>>::Oracle;

/// The notation of a position's game.
pub type NotationOf<P> = <<P as Position>::Game as GameProfile<P>>::Notation;

/// The dialects of the notation of a position's game.
pub type DialectOf<P> = <NotationOf<P> as Notation<P>>::Dialect;

/// The rules, evaluation, notation, appearance and messages of a game, in one place. No part has a default, so that a
/// game without one does not compile, but `perft`, the words for refused moves, which few rulesets have, and the rights
/// of chess.
pub trait GameProfile<P: Position<Game = Self>>: Game {
    /// The rulesets.
    type Rules: Rules<P> + Debug + Default;
    /// The static evaluation.
    type Evaluator: SearchEvaluator<P> + Debug + Default;
    /// The weights of the evaluation that a file has and that evaluators share, such as a network; `()` if none are
    /// read from a file.
    type Weights: Clone + Debug + Send + Sync;
    /// The source of exact values: an endgame solver, or `()`.
    type Oracle: Oracle<P> + Debug;
    /// The notation of the moves.
    type Notation: Notation<P>;

    /// The positions of the fixed search that detects changes of search or evaluation.
    const BENCH_POSITIONS: &'static [&'static str];
    /// The depth of that search, in plies.
    const BENCH_DEPTH: u32;
    /// Whether `--` and the like are null moves in the notation of people; in Othello they are passes.
    const HAS_NULL_TEXT: bool;
    /// The side that is called White, or Red: in chess and xiangqi the first, in Othello the second.
    const WHITE: Side;

    /// Returns the description of the game.
    fn info() -> &'static GameInfo;

    /// Returns a verdict as an English sentence.
    fn verdict_message(position: &P, verdict: &Verdict<CauseOf<P>>) -> String;

    /// Returns a verdict as a Chinese sentence.
    fn verdict_message_zh(position: &P, verdict: &Verdict<CauseOf<P>>) -> String;

    /// Returns why a ruleset refuses a move, as an English clause.
    fn refusal_message(refused: &RefusedMoveOf<P>) -> String {
        format!("the ruleset allows {} such moves in a row", refused.limit)
    }

    /// Returns why a ruleset refuses a move, as a Chinese clause.
    fn refusal_message_zh(refused: &RefusedMoveOf<P>) -> String {
        format!("本规则只允许连续 {} 着这样的着法", refused.limit)
    }

    /// Returns an issue of a position as a Chinese sentence.
    fn issue_message_zh(issue: &IssueOf<P>) -> String;

    /// Returns what was expected in a position text, in Chinese.
    fn expected_message_zh(expected: &ExpectedOf<P>) -> String;

    /// Returns the Chinese message for a move that cannot be read or played.
    fn move_error_message_zh(error: &MoveError<P>) -> String;

    /// Returns a legal move as it is written in coordinates: in chess castling as the king moves two squares.
    fn written_move(position: &P, mv: Self::Move) -> Self::Move;

    /// Returns the move that is written so, legal or not.
    fn read_move(position: &P, written: Self::Move) -> Self::Move;

    /// Returns the square of the king that is in check; `None` in games without kings.
    fn checked_king(position: &P) -> Option<Self::Square>;

    /// Counts the legal move paths of a depth in plies; a pass counts as a ply by the first pass convention.
    fn perft(position: &P, depth: u32) -> u64 {
        match Self::PASS_CONVENTIONS {
            Some(passes) => (passes.perft)(position, depth, passes.names[0]),
            None => position.perft(depth),
        }
    }

    /// Returns the number of pieces of each side, in games that are won by counting them; otherwise `None`.
    fn piece_counts(position: &P) -> Option<[usize; 2]>;

    /// Returns the plies since move 1 of the game, even if it was opened at a later position, as the position's own
    /// text says: by the move number ([`ply_from_move_number`]), or by the pieces on the board where each ply adds one.
    fn game_ply(game: &GameHistory<P>) -> usize;

    /// Returns an oracle for the searches of a session with a transposition table of `hash_mib` MiB; its own memory is
    /// at most half of that.
    fn oracle(hash_mib: usize) -> Self::Oracle;

    /// Returns the squares to which a user may drag the piece for this legal move, the normal one first. There are
    /// several where a move can be entered in several ways, and none for a pass.
    fn target_squares(position: &P, mv: Self::Move) -> Vec<Self::Square>;

    /// Returns the letter of the piece promoted to; it distinguishes the moves between the same two squares. `None` for
    /// moves without promotion.
    fn promotion_letter(mv: Self::Move) -> Option<char>;

    /// Returns the position text of pieces without history. They come from the position `before` and keep its castling
    /// rights, or were set up by hand and have all that are possible.
    fn text_from_pieces(pieces: &[(String, char)], side: Side, before: Option<&Self::Setup>) -> String;

    /// Returns the pieces of a position text and the side to move, whatever issues it has: the input of
    /// [`GameProfile::text_from_pieces`].
    fn pieces_of_setup(setup: &Self::Setup) -> (PlacedPieces<Self>, Side);

    /// Returns a setup without pieces and rights, the first side to move.
    fn empty_setup() -> Self::Setup;

    /// Puts a piece on a square of a setup, or removes the one on it. Rights that are impossible then are lost.
    fn set_piece(setup: &mut Self::Setup, square: Self::Square, piece: Option<Self::Piece>);

    /// Lets a side move in a setup; a right that only the other side to move can have is lost.
    fn set_side_to_move(setup: &mut Self::Setup, side: Side);

    /// Returns the setup with the sides exchanged and the other side to move; the rules are symmetric in this respect.
    fn swapped(setup: &Self::Setup) -> Self::Setup;

    /// Sets the castling rights of a setup as FEN writes them.
    ///
    /// # Errors
    /// Returns an error if the game has no castling and the text has a right, or if it cannot be read.
    fn set_castling_rights(_setup: &mut Self::Setup, rights: &str) -> Result<(), SessionError> {
        match rights {
            "" | "-" => Ok(()),
            _ => Err(SessionError::new(format!("{} has no castling", Self::NAME))),
        }
    }

    /// Sets the square of a setup behind a pawn that has just moved two squares.
    ///
    /// # Errors
    /// Returns an error if the game has no such capture and a square is given.
    fn set_en_passant_square(
        _setup: &mut Self::Setup,
        square: Option<Self::Square>,
    ) -> Result<(), SessionError> {
        match square {
            None => Ok(()),
            Some(_) => Err(SessionError::new(format!("{} has no capture en passant", Self::NAME))),
        }
    }

    /// Returns the castling rights of a position: the side, the square of the rook, and whether it is kingside.
    fn castling_rights(_position: &P) -> Vec<(Side, Self::Square, bool)> {
        Vec::new()
    }

    /// Returns the square behind a pawn that has just moved two squares, if a pawn of the side to move attacks it.
    fn en_passant_square(_position: &P) -> Option<Self::Square> {
        None
    }

    /// Returns the squares of the pieces of a side that attack a square, or protect it, pinned pieces included; none in
    /// games without attacks.
    fn attackers(position: &P, square: Self::Square, by: Side) -> Vec<Self::Square>;

    /// Returns the tactical marks of a position.
    fn tactical_marks(position: &P) -> Vec<TacticalMark>;

    /// Returns the ruleset for play between people.
    fn rules_between_people() -> Self::Rules;

    /// Returns the ruleset of a name, or the one by which a program judges a board if it names none.
    ///
    /// # Errors
    /// Returns an error if the game has no ruleset of this name.
    fn board_rules(name: Option<&str>) -> Result<Self::Rules, SessionError>;

    /// The named rulesets of [`GameInfo::rulesets`]; `None` if the game has only one ruleset.
    const RULESETS: Option<NamedRulesets<P>>;

    /// The conventions for counting passes in perft; `None` in games without passes.
    const PASS_CONVENTIONS: Option<PassConventions<P>>;

    /// Returns whether a start position is one of Chess960, so that engines have to be informed of the variant.
    fn is_chess960(start: &Self::Setup) -> bool;

    /// Returns the key of a position for tables of perft counts; `None` if it has too many pieces.
    fn perft_key(position: &P) -> Option<PerftKey>;

    /// The evaluation networks; `None` if the game cannot be evaluated by a network.
    const NETWORKS: Option<EvaluationNetworks<P>>;

    /// The function that returns the parts of the hand-made evaluation of a position; `None` if it has no parts.
    const EVALUATION_PARTS: Option<EvaluationPartsFn<P>>;

    /// The exact solver; `None` if the game has none.
    const SOLVER: Option<EndgameSolver<P>>;

    /// The function that returns the moves of the opening book in a position; `None` if the game has no book.
    const OPENING_BOOK: Option<OpeningBookFn<P>>;

    /// The function that returns the symmetries of a position other than the identity; `None` if no position of the
    /// game has any.
    const SYMMETRIES: Option<SymmetriesFn<P>>;
}

/// Formats a legal move of the position in the default dialect.
pub(crate) fn format_default<P: Position>(position: &P, mv: MoveOf<P>) -> String
where
    P::Game: GameProfile<P>,
{
    NotationOf::<P>::format_move(position, mv, DialectOf::<P>::ALL[0])
}

/// Formats the moves of a game in a dialect, a text for each ply, null moves included.
pub(crate) fn format_game<P: Position>(game: &GameHistory<P>, dialect: DialectOf<P>) -> Vec<String>
where
    P::Game: GameProfile<P>,
{
    let mut replay = GameHistory::<P>::new(game.start_setup(), &Waivers::All)
        .expect("a game can be replayed from its own start position with all waivers");
    let null_text = if dialect == DialectOf::<P>::ALL[0] { NULL_MOVE_COORDINATES } else { NULL_MOVE };
    let mut format = |mv: Option<MoveOf<P>>| match mv {
        Some(mv) => {
            let text = NotationOf::<P>::format_move(replay.position(), mv, dialect);
            replay.push(mv, &mut ());
            text
        }
        None => {
            replay.push_null(&mut ());
            null_text.to_owned()
        }
    };
    game.records().iter().map(|record| format(record.mv())).collect()
}

/// Returns the plies since move 1 of the game by the move number of the position's text.
pub fn ply_from_move_number<P: Position>(game: &GameHistory<P>) -> usize {
    let number = game.to_setup().counters().fullmove_number.max(1) as usize;
    2 * (number - 1) + game.side_to_move().index()
}

/// Rules on a game under the ruleset of a request.
pub type RulingFn<P> = fn(&GameHistory<P>, &RulingRequest, DialectOf<P>) -> Result<Ruling, SessionError>;

/// Solves a position with the given workers, and leaves its oracle, with the table, for the next solution.
pub type SolveFn<P> = fn(
    &P,
    &SolveRequest,
    &mut Option<OracleOf<P>>,
    &dyn Workers,
    &mut (dyn SearchControl<MoveOf<P>> + Send),
) -> Solution<MoveOf<P>>;

/// The named rulesets of a game.
pub struct NamedRulesets<P: Position>
where
    P::Game: GameProfile<P>,
{
    /// Returns the ruleset of a name, or an error if there is none.
    pub from_name: fn(&str) -> Result<RulesOf<P>, SessionError>,
    /// Rules on a game, its moves formatted in the dialect.
    pub ruling: RulingFn<P>,
}

/// The conventions for counting passes in perft.
pub struct PassConventions<P: Position> {
    /// The names, the default first.
    pub names: &'static [&'static str],
    /// Returns the entry of `names` for its name or for the description that collections of perft counts use.
    pub parse: fn(&str) -> Option<&'static str>,
    /// Returns the number of legal move paths under the convention of a name.
    pub perft: fn(&P, u32, &str) -> u64,
    /// Returns the depth that remains after a move under the convention of a name.
    pub depth_after: fn(MoveOf<P>, u32, &str) -> u32,
}

/// A symmetry of a position, as the map of its moves: moves that are mapped onto each other have the same value.
pub type MoveMap<P> = Box<dyn Fn(MoveOf<P>) -> MoveOf<P> + Send + Sync>;

/// Returns the symmetries of a position other than the identity.
pub type SymmetriesFn<P> = fn(&P) -> Vec<MoveMap<P>>;

/// Returns the moves of an opening book with their scores for the side to move, the best first; none if the book does
/// not have the position.
pub type OpeningBookFn<P> = fn(&P) -> Vec<(MoveOf<P>, Score)>;

/// Returns the parts of an evaluation.
pub type EvaluationPartsFn<P> = fn(&P) -> Vec<EvalPart>;

/// The evaluation networks of a game, or other weights that are read from a file.
pub struct EvaluationNetworks<P: Position>
where
    P::Game: GameProfile<P>,
{
    /// Reads a network of the game, or returns an error that says why the bytes are none.
    pub read: fn(&[u8]) -> Result<WeightsOf<P>, SessionError>,
    /// Returns the shape, licence and origin of a network in one line.
    pub description: fn(&WeightsOf<P>) -> String,
    /// Returns the evaluator by a network.
    pub evaluator: fn(WeightsOf<P>) -> EvaluatorOf<P>,
}

/// The exact solver of a game.
pub struct EndgameSolver<P: Position>
where
    P::Game: GameProfile<P>,
{
    /// Returns the solution of a position; intermediate results go to the control.
    pub solve: SolveFn<P>,
    /// Reads the problems of a file.
    pub parse_problems: fn(&str) -> Result<Vec<Problem>, SessionError>,
}

#[cfg(test)]
mod tests {
    use alfil_chess::Bitboard;

    use crate::game_board::GameBoard;
    use crate::game_session::GameSession as _;
    use crate::typed_session::TypedSession;

    #[test]
    fn a_null_move_has_a_place_among_the_moves_of_a_game() {
        let mut board = GameBoard::<Bitboard>::new(None, &[]).unwrap();
        for text in ["e2e4", "0000", "d2d4", "g8f6"] {
            board.push(GameBoard::<Bitboard>::parse_coordinates(text).unwrap()).unwrap();
        }
        let mut session = TypedSession::<Bitboard>::new();
        session.set_board(&board).unwrap();
        assert_eq!(session.played_moves(None).unwrap(), ["e2e4", "0000", "d2d4", "g8f6"]);
        assert_eq!(session.played_moves(Some("san")).unwrap(), ["e4", "--", "d4", "Nf6"]);
    }
}

//! The games and their boards, and what the session layer needs of each game ([`GameProfile`]).

use alfil_chess::{self as chess, Chess};
use alfil_kernel::{GameHistory, Outcome, Position as _, Side, Verdict};
use alfil_othello::{self as othello, Othello, PassConvention};
use alfil_records::{RecordError, TextGame};
use alfil_search::SearchParams;
use alfil_solver::{EndgameOracle, Solver};
use alfil_xiangqi::{self as xiangqi, Xiangqi};

use crate::appearance::{self, Appearance};
use crate::chinese;
use crate::game_profile::{GameProfile, SolvedLine};
use crate::game_session::{GameSession, Problem, SessionError, SolveRequest};
use crate::rulings::{self, Ruling, RulingRequest};
use crate::searcher::MonitorControl;
use crate::solve;
use crate::tactical_marks::{self, TacticalMark};
use crate::typed_session::TypedSession;
use crate::workers::Workers;

/// The games and their boards by name, the default board of each game first.
pub const GAMES: &[(&str, &[&str])] = &[
    ("xiangqi", &["bitboard", "folded", "mailbox"]),
    ("chess", &["bitboard", "mailbox"]),
    ("othello", &["bitboard", "mailbox"]),
];

/// Returns the names of the games.
pub fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|&(game, _)| game)
}

/// Opens a session at the start position of a game, on its default board if `board` is `None`.
///
/// # Errors
/// Returns an error if there is no such game, or the game has no such board.
pub fn open(game: &str, board: Option<&str>) -> Result<Box<dyn GameSession>, SessionError> {
    let Some(&(_, boards)) = GAMES.iter().find(|&&(name, _)| name == game) else {
        let games = games().collect::<Vec<_>>().join(", ");
        return Err(SessionError::new(format!("there is no game {game:?}: the games are {games}")));
    };
    let board = board.unwrap_or(boards[0]);
    match (game, board) {
        ("xiangqi", "bitboard") => Ok(Box::new(TypedSession::<xiangqi::Bitboard>::new())),
        ("xiangqi", "folded") => Ok(Box::new(TypedSession::<xiangqi::Folded>::new())),
        ("xiangqi", "mailbox") => Ok(Box::new(TypedSession::<xiangqi::Mailbox>::new())),
        ("chess", "bitboard") => Ok(Box::new(TypedSession::<chess::Bitboard>::new())),
        ("chess", "mailbox") => Ok(Box::new(TypedSession::<chess::Mailbox>::new())),
        ("othello", "bitboard") => Ok(Box::new(TypedSession::<othello::Bitboard>::new())),
        ("othello", "mailbox") => Ok(Box::new(TypedSession::<othello::Mailbox>::new())),
        _ => {
            let boards = boards.join(", ");
            Err(SessionError::new(format!("{game} has no board {board:?}: its boards are {boards}")))
        }
    }
}

/// Reads a file of games: PGN, GGF of Othello, transcripts. The file says which game it contains; where it does not,
/// `hint` decides. A game that cannot be read to its end is an error with its place and reason.
///
/// ```
/// use alfil_session::registry;
///
/// let file = b"[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e5 *\n";
/// let games = registry::read_games(file, Some("chess"));
/// assert_eq!(games[0].as_ref().unwrap().moves[1].text, "e2e4");
/// assert!(games[1].as_ref().unwrap_err().to_string().starts_with("game 2, line 7, byte 41, move 1. e5: "));
/// ```
pub fn read_games(bytes: &[u8], hint: Option<&str>) -> Vec<Result<TextGame, RecordError>> {
    alfil_records::text_game::parse_games(bytes, hint)
}

/// Formats a game as PGN, its moves in the record dialect that is closest to `dialect`, or in the default one.
///
/// # Errors
/// Returns an error if there is no such game or dialect, or a move of the game is illegal.
pub fn write_game(game: &TextGame, dialect: Option<&str>) -> Result<String, SessionError> {
    alfil_records::text_game::format_pgn(game, dialect).map_err(|error| SessionError::new(error.to_string()))
}

impl<P: xiangqi::Board> GameProfile<P> for Xiangqi {
    type Rules = xiangqi::Ruleset;
    type Evaluator = alfil_evaluation::xiangqi::HandcraftedEval;
    type Oracle = ();
    type Notation = xiangqi::MoveNotation;

    const BENCH_POSITIONS: &'static [&'static str] = &[
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1",
        "2bakab2/6c2/2C3c2/p1N1p3p/1R1P5/5r3/P2CP1n1P/4B1p2/4A4/4KAB2 b - - 0 1",
        "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1",
    ];
    const BENCH_DEPTH: u32 = 8;
    const SEARCH_PARAMS: SearchParams = SearchParams::DEFAULT;

    fn oracle() {}

    fn appearance() -> &'static Appearance {
        &appearance::xiangqi::APPEARANCE
    }

    fn verdict_message(position: &P, verdict: &Verdict<xiangqi::Cause>) -> String {
        let name = |side: Side| appearance::xiangqi::APPEARANCE.sides[side.index()];
        match (verdict.cause, verdict.outcome) {
            (xiangqi::Cause::NoLegalMove, _) => {
                let (loser, winner) = (name(position.side_to_move()), name(!position.side_to_move()));
                if position.in_check() {
                    format!("Checkmate: {winner} wins")
                } else {
                    format!("{loser} has no move: {winner} wins (stalemate loses in xiangqi)")
                }
            }
            (xiangqi::Cause::PerpetualCheck, Outcome::Win(winner)) => {
                format!("{} loses by perpetual check: {} wins", name(!winner), name(winner))
            }
            (xiangqi::Cause::PerpetualChase, Outcome::Win(winner)) => {
                format!("{} loses by perpetual chase: {} wins", name(!winner), name(winner))
            }
            (xiangqi::Cause::Prohibited, Outcome::Win(winner)) => {
                format!("{} attacked with every move and loses: {} wins", name(!winner), name(winner))
            }
            (
                xiangqi::Cause::PerpetualCheck
                | xiangqi::Cause::PerpetualChase
                | xiangqi::Cause::Prohibited
                | xiangqi::Cause::MutualOffence,
                _,
            ) => "Drawn: both sides check, or both chase, perpetually".into(),
            (xiangqi::Cause::Repetition, _) => "Drawn: the position was repeated without an offence".into(),
            (xiangqi::Cause::NaturalLimit, _) => "Drawn: too many moves without a capture".into(),
            (xiangqi::Cause::Material, _) => "Drawn: neither side has enough material to win".into(),
        }
    }

    fn verdict_message_zh(position: &P, verdict: &Verdict<xiangqi::Cause>) -> String {
        chinese::xiangqi::verdict_message(position, verdict)
    }

    fn issue_message_zh(issue: &xiangqi::setup::SetupIssue) -> String {
        chinese::xiangqi::issue_message(issue)
    }

    fn expected_message_zh(expected: &xiangqi::fen::Expected) -> String {
        chinese::xiangqi::expected_message(*expected).into()
    }

    fn move_error_message_zh(error: &xiangqi::notation::NotationError) -> String {
        chinese::xiangqi::move_error_message(error)
    }

    fn pieces_of_setup(setup: &xiangqi::Setup) -> (Vec<(xiangqi::Square, xiangqi::Piece)>, Side) {
        let piece = |square: xiangqi::Square| setup.board[square.index()].map(|piece| (square, piece));
        (xiangqi::Square::all().filter_map(piece).collect(), setup.side_to_move)
    }

    fn tactical_marks(position: &P) -> Vec<TacticalMark> {
        tactical_marks::xiangqi::tactical_marks(position)
    }

    fn default_rules() -> xiangqi::Ruleset {
        xiangqi::Ruleset::AXF
    }

    const RULESETS: &'static [&'static str] = rulings::XIANGQI_RULESETS;

    fn rules_from_name(name: &str) -> Result<xiangqi::Ruleset, SessionError> {
        rulings::xiangqi_ruleset(name)
    }

    fn ruling(
        game: &GameHistory<P>,
        request: &RulingRequest,
        dialect: xiangqi::notation::Dialect,
    ) -> Option<Result<Ruling, SessionError>> {
        Some(rulings::xiangqi_ruling(game, request, dialect))
    }

    fn checked_king(position: &P) -> Option<xiangqi::Square> {
        position.in_check().then(|| position.king_square(position.side_to_move()))
    }
}

impl<P: chess::Board> GameProfile<P> for Chess {
    type Rules = chess::Ruleset;
    type Evaluator = alfil_evaluation::chess::HandcraftedEval;
    type Oracle = ();
    type Notation = chess::MoveNotation;

    const BENCH_POSITIONS: &'static [&'static str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    ];
    const BENCH_DEPTH: u32 = 6;
    const SEARCH_PARAMS: SearchParams = SearchParams::DEFAULT;

    fn oracle() {}

    fn appearance() -> &'static Appearance {
        &appearance::chess::APPEARANCE
    }

    fn verdict_message(position: &P, verdict: &Verdict<chess::Cause>) -> String {
        let name = |side: Side| appearance::chess::APPEARANCE.sides[side.index()];
        match verdict.cause {
            chess::Cause::Checkmate => format!("Checkmate: {} wins", name(!position.side_to_move())),
            chess::Cause::Stalemate => {
                format!("Stalemate: {} has no move and is not in check, drawn", name(position.side_to_move()))
            }
            chess::Cause::InsufficientMaterial => "Drawn: neither side has enough material to mate".into(),
            chess::Cause::Threefold => "Drawn: the position has occurred three times".into(),
            chess::Cause::Fivefold => "Drawn: the position has occurred five times".into(),
            chess::Cause::FiftyMoves => "Drawn: fifty moves without a capture or a pawn move".into(),
            chess::Cause::SeventyFiveMoves => {
                "Drawn: seventy-five moves without a capture or a pawn move".into()
            }
        }
    }

    fn verdict_message_zh(position: &P, verdict: &Verdict<chess::Cause>) -> String {
        chinese::chess::verdict_message(position, verdict)
    }

    fn issue_message_zh(issue: &chess::setup::SetupIssue) -> String {
        chinese::chess::issue_message(issue)
    }

    fn expected_message_zh(expected: &chess::fen::Expected) -> String {
        chinese::chess::expected_message(*expected).into()
    }

    fn move_error_message_zh(error: &chess::notation::NotationError) -> String {
        chinese::chess::move_error_message(error)
    }

    fn pieces_of_setup(setup: &chess::Setup) -> (Vec<(chess::Square, chess::Piece)>, Side) {
        let piece = |square: chess::Square| setup.board[square.index()].map(|piece| (square, piece));
        (chess::Square::all().filter_map(piece).collect(), setup.side_to_move)
    }

    fn tactical_marks(position: &P) -> Vec<TacticalMark> {
        tactical_marks::chess::tactical_marks(position)
    }

    fn checked_king(position: &P) -> Option<chess::Square> {
        position.in_check().then(|| position.king_square(position.side_to_move()))
    }

    /// Castling is entered as a king move by two squares or onto the rook. In Chess960 the first gesture is an ordinary
    /// king move where the destination is next to the king.
    fn target_squares(position: &P, mv: chess::Move) -> Vec<chess::Square> {
        if !position.is_castling(mv) {
            return vec![mv.target()];
        }
        let (king, rook) = (mv.origin(), mv.target());
        let (destination, _) = chess::geometry::castling_destinations(king, rook);
        let has_two_gestures = destination.file().abs_diff(king.file()) > 1 && destination != rook;
        if has_two_gestures { vec![destination, rook] } else { vec![rook] }
    }

    fn castling_field(pieces: &[(String, char)]) -> String {
        let is_on = |square: &str, piece| pieces.contains(&(square.into(), piece));
        let castlings = [('K', "e1", "h1"), ('Q', "e1", "a1"), ('k', "e8", "h8"), ('q', "e8", "a8")];
        let possible = castlings.into_iter().filter(|&(right, king, rook)| {
            let home = if right.is_uppercase() { ['K', 'R'] } else { ['k', 'r'] };
            is_on(king, home[0]) && is_on(rook, home[1])
        });
        let rights: String = possible.map(|(right, ..)| right).collect();
        if rights.is_empty() { "-".into() } else { rights }
    }

    fn promotion_letter(mv: chess::Move) -> Option<char> {
        let side = if mv.target().rank() == 0 { Side::Second } else { Side::First };
        mv.promotion_kind().map(|kind| chess::Piece::new(side, kind).letter())
    }
}

/// With at most this number of empty squares, the search of Othello uses the exact endgame solver.
const SOLVER_EMPTIES: usize = 14;

impl<P: othello::Board> GameProfile<P> for Othello {
    type Rules = othello::Ruleset;
    type Evaluator = alfil_evaluation::othello::HandcraftedEval;
    type Oracle = EndgameOracle;
    type Notation = othello::MoveNotation;

    const BENCH_POSITIONS: &'static [&'static str] = &[
        "---------------------------OX------XO--------------------------- X",
        "------------------OX------OXX----OOXX---XXXO----X--------------- O",
        "--OOO----XXXX---XXXOX---XXOXXO--OXXXX---O-XX------X------------- O",
    ];
    const BENCH_DEPTH: u32 = 8;
    const SEARCH_PARAMS: SearchParams = SearchParams::DEFAULT;
    const PASS_CONVENTIONS: &'static [&'static str] = &["ply", "free", "full"];

    fn parse_pass_convention(text: &str) -> Option<&'static str> {
        PassConvention::from_description(text).map(PassConvention::name)
    }

    fn appearance() -> &'static Appearance {
        &appearance::othello::APPEARANCE
    }

    fn verdict_message(position: &P, verdict: &Verdict<othello::Cause>) -> String {
        let ([more, fewer], board) = final_score(position, verdict.outcome);
        let board = board.map_or(String::new(), |[more, fewer]| format!(" ({more} to {fewer} on the board)"));
        let score = format!("{more} to {fewer}{board}");
        let cause = match verdict.cause {
            othello::Cause::FullBoard => "",
            othello::Cause::Wipeout => "one side has no discs left: ",
            othello::Cause::NoLegalMove => "neither side can move: ",
        };
        let result = match verdict.outcome {
            Outcome::Win(side) => {
                format!("{} wins {score}", appearance::othello::APPEARANCE.sides[side.index()])
            }
            Outcome::Draw => format!("drawn, {score}"),
        };
        let sentence = format!("{cause}{result}");
        let mut chars = sentence.chars();
        chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
    }

    fn verdict_message_zh(position: &P, verdict: &Verdict<othello::Cause>) -> String {
        let (score, board) = final_score(position, verdict.outcome);
        chinese::othello::verdict_message(verdict, score, board)
    }

    fn issue_message_zh(issue: &othello::setup::SetupIssue) -> String {
        chinese::othello::issue_message(issue)
    }

    fn expected_message_zh(expected: &othello::fen::Expected) -> String {
        chinese::othello::expected_message(*expected)
    }

    fn move_error_message_zh(error: &othello::notation::NotationError) -> String {
        chinese::othello::move_error_message(error)
    }

    fn pieces_of_setup(setup: &othello::Setup) -> (Vec<(othello::Square, othello::Piece)>, Side) {
        let disc = |square: othello::Square| setup.board[square.index()].map(|disc| (square, disc));
        (othello::Square::all().filter_map(disc).collect(), setup.side_to_move)
    }

    fn text_from_pieces(pieces: &[(String, char)], side: Side) -> String {
        let rows = appearance::othello::APPEARANCE.rows(pieces);
        let discs: String = rows.iter().flatten().map(|disc| disc.unwrap_or('-')).collect();
        format!("{discs} {}", othello::Piece::new(side).letter())
    }

    fn tactical_marks(position: &P) -> Vec<TacticalMark> {
        tactical_marks::othello::tactical_marks(position)
    }

    fn piece_counts(position: &P) -> Option<[usize; 2]> {
        Some(Side::BOTH.map(|side| position.discs(side).len()))
    }

    fn oracle() -> EndgameOracle {
        EndgameOracle::new(Solver::new(8), SOLVER_EMPTIES)
    }

    fn perft(position: &P, depth: u32, convention: Option<&str>) -> u64 {
        let convention = pass_convention(convention);
        if P::BOARD == othello::Bitboard::BOARD {
            let mover = position.side_to_move();
            let (own, other) = (position.discs(mover), position.discs(!mover));
            return othello::fast_perft::fast_perft(
                &othello::Bitboard::new(own.0, other.0, mover),
                depth,
                convention,
            );
        }
        othello::fast_perft::perft(&mut position.clone(), depth, convention)
    }

    fn solve(
        position: &P,
        request: &SolveRequest,
        workers: &dyn Workers,
        control: &mut MonitorControl<'_, P>,
    ) -> Option<SolvedLine<othello::Move>> {
        Some(solve::solve_othello(position, request, workers, control))
    }

    fn parse_problems(text: &str) -> Option<Result<Vec<Problem>, SessionError>> {
        Some(solve::parse_othello_problems(text))
    }

    fn depth_after(mv: othello::Move, depth: u32, convention: Option<&str>) -> u32 {
        if mv.is_pass() && pass_convention(convention) == PassConvention::Free { depth } else { depth - 1 }
    }
}

/// Returns the pass convention of a name, which the session has checked already.
fn pass_convention(convention: Option<&str>) -> PassConvention {
    convention.and_then(|name| name.parse().ok()).unwrap_or(PassConvention::Ply)
}

/// Returns the score of a finished game of Othello, the larger number first, and the discs on the board if they differ
/// from it: the empty squares count for the winner, or half for each side in a draw.
fn final_score<P: othello::Board>(position: &P, outcome: Outcome) -> ([usize; 2], Option<[usize; 2]>) {
    let counts = Side::BOTH.map(|side| position.discs(side).len());
    let board = [counts[0].max(counts[1]), counts[0].min(counts[1])];
    match (outcome, position.empty_squares().len()) {
        (_, 0) => (board, None),
        (Outcome::Win(_), empty) => ([board[0] + empty, board[1]], Some(board)),
        (Outcome::Draw, _) => ([32, 32], Some(board)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_listed_boards_open() {
        for &(game, boards) in GAMES {
            for &board in boards {
                let session = open(game, Some(board)).unwrap();
                assert_eq!((session.game(), session.board()), (game, board));
                assert_eq!(session.appearance().game, game);
            }
            assert!(open(game, Some("slate")).is_err_and(|error| error.message.contains(boards[0])));
        }
        assert!(open("go", None).is_err_and(|error| error.message.contains("xiangqi")));
    }
}

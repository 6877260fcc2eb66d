//! Boards of any game as objects, for programs in other languages: what [`GameBoard`] does, behind the object-safe
//! trait [`AnyBoard`], and what a game knows without a board, behind [`BoardGame`].

use std::fmt::Debug;
use std::marker::PhantomData;

use alfil_kernel::position::IssueOf;
use alfil_kernel::rules::{RefusedMoveOf, Rules as _};
use alfil_kernel::{
    Dialect, Game, Move as _, MoveCounters, MoveOf, Piece as _, Position, Setup as _, SetupIssue, SetupOf,
    Side, Square as _, SquareOf, Waiver as _,
};

use crate::board_setup::{AnySetup, BoardSetup, CastlingRight, piece_with_letter};
use crate::game_board::GameBoard;
use crate::game_profile::{DialectOf, GameProfile};
use crate::game_session::Target;
use crate::position_view::GameEnd;
#[cfg(feature = "pictures")]
use crate::render::{PieceStyle, SvgOptions};
use crate::rulings::{Ruling, RulingRequest};
use crate::session_error::SessionError;

/// The parts of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSquares {
    /// The move in coordinates.
    pub text: String,
    /// The square that the piece leaves; `None` for the null move, a pass and a new disc.
    pub origin: Option<String>,
    /// The square on which the piece arrives; `None` for the null move and a pass.
    pub target: Option<String>,
    /// The lower-case letter of the piece promoted to.
    pub promotion: Option<char>,
}

/// A game whose boards are objects: it makes boards, and knows what needs no position. Moves are numbers, as those of
/// [`AnyBoard`]. [`crate::registry::board_game`] finds one by its name.
///
/// ```
/// use alfil_session::registry;
///
/// let chess = registry::board_game("chess")?;
/// let mv = chess.parse_coordinates("e7e8q")?;
/// assert_eq!(chess.move_squares(mv)?.promotion, Some('q'));
/// let board = chess.open(Some("8/4P3/8/8/8/8/k1K5/8 w - - 0 1"), &[])?;
/// assert!(board.is_legal(mv));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub trait BoardGame: Debug + Sync {
    /// Returns the name of the game.
    fn name(&self) -> &'static str;
    /// Returns the text of the start position.
    fn start_fen(&self) -> String;
    /// Makes a board from a position text, or at the start position. The issues with these names are waived.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read, the position cannot be played, or a name is unknown.
    fn open(&self, text: Option<&str>, waived: &[&str]) -> Result<Box<dyn AnyBoard>, SessionError>;
    /// Makes a setup of a position text, or of the start position, whatever issues it has.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    fn setup(&self, text: Option<&str>) -> Result<Box<dyn AnySetup>, SessionError>;
    /// Makes a setup without pieces, the first side to move.
    fn empty_setup(&self) -> Box<dyn AnySetup>;
    /// Returns the issues of a position text: the name, the sentence, and whether the issue can be waived.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    fn issues(&self, text: &str) -> Result<Vec<(&'static str, String, bool)>, SessionError>;
    /// Returns the names of the issues that can be waived.
    fn waivable_issues(&self) -> &'static [&'static str];
    /// Returns the side that is called White, or Red.
    fn white(&self) -> Side;
    /// Returns the side of the piece with a letter.
    fn piece_side(&self, letter: char) -> Option<Side>;
    /// Returns the name of the square with an index.
    fn square_name(&self, index: usize) -> Option<String>;
    /// Returns the index of the square with a name.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    fn square_index(&self, name: &str) -> Result<usize, SessionError>;
    /// Returns the names of the dialects, the coordinates first. Programs in other languages know them as notations.
    fn dialects(&self) -> Vec<&'static str>;
    /// Checks that the game has a dialect.
    ///
    /// # Errors
    /// Returns an error if it has none of this name.
    fn check_dialect(&self, name: &str) -> Result<(), SessionError>;
    /// Parses a move in coordinates, legal or not.
    ///
    /// # Errors
    /// Returns an error if the text is no move of the game.
    fn parse_coordinates(&self, text: &str) -> Result<u32, SessionError>;
    /// Returns the squares of a move, legal or not.
    ///
    /// # Errors
    /// Returns an error if the number is no move of the game.
    fn move_squares(&self, mv: u32) -> Result<MoveSquares, SessionError>;
}

/// A board of any game. Moves are numbers: the bits of the move, 0 for a null move.
///
/// ```
/// use alfil_session::registry;
///
/// for (game, text, coordinates) in [("chess", "Nf3", "g1f3"), ("xiangqi", "炮二平五", "h2e2")] {
///     let mut board = registry::board_game(game)?.open(None, &[])?;
///     let mv = board.parse(text, None)?;
///     board.push(mv)?;
///     assert_eq!(board.game().move_squares(board.played_moves()[0])?.text, coordinates);
/// }
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub trait AnyBoard: Send {
    /// Returns the game.
    fn game(&self) -> &'static dyn BoardGame;
    /// Returns a copy of the board with its moves.
    fn clone_board(&self) -> Box<dyn AnyBoard>;
    /// Returns the position text.
    fn fen(&self) -> String;
    /// Returns the text of the position before the first move.
    fn start_fen(&self) -> String;
    /// Returns the side to move.
    fn side_to_move(&self) -> Side;
    /// Returns the hash key of the position.
    fn hash_key(&self) -> u64;
    /// Returns what equal positions have in common: the hash key, the counters and the pieces.
    fn identity(&self) -> (u64, MoveCounters, Vec<(usize, char)>);
    /// Returns how often the position has occurred in the game, this time included.
    fn occurrences(&self) -> usize;
    /// Returns the moves played so far.
    fn played_moves(&self) -> Vec<u32>;
    /// Returns the legal moves, those that a ruleset refuses included: see [`AnyBoard::refused_moves`].
    fn legal_moves(&self) -> Vec<u32>;
    /// Returns the legal moves that the rules of a name, or those by which a program judges a board, refuse in this
    /// game now, with the reasons. Most rules refuse none.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let mut board = registry::board_game("xiangqi")?.open(Some("4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1"), &[])?;
    /// for text in "d7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9".split(' ') {
    ///     board.push(board.parse(text, None)?)?;
    /// }
    /// let refused = board.refused_moves(Some("tiantian"))?;
    /// let seventh_check = board.parse("f7e7", None)?;
    /// assert!(refused.iter().any(|refused| (refused.mv, refused.limit) == (seventh_check, 6)));
    /// assert!(board.legal_moves().contains(&seventh_check) && board.refused_moves(None)?.is_empty());
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the game has no rules of this name.
    fn refused_moves(&self, rules: Option<&str>) -> Result<Vec<RefusedBoardMove>, SessionError>;
    /// Returns whether a move is legal; a null move is not.
    fn is_legal(&self, mv: u32) -> bool;
    /// Returns whether the side to move is in check.
    fn is_check(&self) -> bool;
    /// Returns whether a legal move gives check.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    fn gives_check(&self, mv: u32) -> Result<bool, SessionError>;
    /// Plays a legal move, or a null move.
    ///
    /// # Errors
    /// Returns an error with the reason if it is not legal; the board is then unchanged.
    fn push(&mut self, mv: u32) -> Result<(), SessionError>;
    /// Takes the last move back and returns it.
    ///
    /// # Errors
    /// Returns an error if no move was played.
    fn pop(&mut self) -> Result<u32, SessionError>;
    /// Parses a legal move in a dialect; without one, in the first dialect that can read it, the one that people write
    /// before the others.
    ///
    /// # Errors
    /// Returns an error with the reason if the text is no legal move, or fits several.
    fn parse(&self, text: &str, dialect: Option<&str>) -> Result<u32, SessionError>;
    /// Formats a line of moves from this position in a dialect; without one, in that which people write.
    ///
    /// # Errors
    /// Returns an error if a move is not legal after the moves before it.
    fn format_line(&self, moves: &[u32], dialect: Option<&str>) -> Result<Vec<String>, SessionError>;
    /// Returns the letter of the piece on a square.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    fn piece_at(&self, square: &str) -> Result<Option<char>, SessionError>;
    /// Returns the squares of the pieces of a side that attack a square, or protect it, pinned pieces included. In
    /// Othello there are none.
    ///
    /// ```
    /// use alfil_kernel::Side;
    /// use alfil_session::registry;
    ///
    /// let chess = registry::board_game("chess")?.open(None, &[])?;
    /// assert_eq!(chess.attackers("f3", Side::First)?, ["g1", "e2", "g2"]);
    /// // Of the pieces behind a screen, a cannon of xiangqi attacks the first.
    /// let xiangqi = registry::board_game("xiangqi")?.open(None, &[])?;
    /// assert_eq!(xiangqi.attackers("b9", Side::First)?, ["b2"]);
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    fn attackers(&self, square: &str, by: Side) -> Result<Vec<String>, SessionError>;
    /// Returns the ways of entering a legal move on a drawn board, with all that it changes there.
    ///
    /// ```
    /// use alfil_session::{BoardChange, registry};
    ///
    /// let board = registry::board_game("chess")?.open(Some("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), &[])?;
    /// let en_passant = board.parse("exd6", None)?;
    /// let changes = board.targets(en_passant)?.remove(0).board_changes;
    /// assert!(changes.contains(&BoardChange::Remove("d5".into(), 'p')));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    fn targets(&self, mv: u32) -> Result<Vec<Target>, SessionError>;
    /// Returns the square of the king of the side to move if it is in check.
    fn checked_king(&self) -> Option<String>;
    /// Returns the castling rights; none in games without castling.
    fn castling_rights(&self) -> Vec<CastlingRight>;
    /// Returns the square behind a pawn that has just moved two squares, if a pawn of the side to move attacks it.
    fn en_passant_square(&self) -> Option<String>;
    /// Returns the setup of the position, to change its pieces and to open a board of it.
    fn to_setup(&self) -> Box<dyn AnySetup>;
    /// Returns the letter of the piece that a legal move captures.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    fn captured_piece(&self, mv: u32) -> Result<Option<char>, SessionError>;
    /// Returns the letter of the piece on each square, `.` on empty ones.
    fn pieces(&self) -> Vec<u8>;
    /// Returns the end of the game under the rules of a name, or those by which a program judges a board; none if it
    /// continues.
    ///
    /// # Errors
    /// Returns an error if the game has no rules of this name.
    fn end(&self, rules: Option<&str>) -> Result<Option<GameEnd>, SessionError>;
    /// Rules on the repetition at the end of the game.
    ///
    /// # Errors
    /// Returns an error if the game has no rulesets on repetitions, or none of the name.
    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, SessionError>;
    /// Counts the legal move paths of a depth in plies; a pass is one.
    fn perft(&self, depth: u32) -> u64;
    /// Returns the board as text.
    #[cfg(feature = "pictures")]
    fn to_text(&self, style: PieceStyle) -> String;
    /// Returns a picture of the board as SVG.
    #[cfg(feature = "pictures")]
    fn to_svg(&self) -> String;
    /// Returns a picture of the board as SVG, drawn as the options say.
    ///
    /// # Errors
    /// Returns an error if a square or a colour of the options is none, or the picture has no width.
    #[cfg(feature = "pictures")]
    fn draw_svg(&self, options: &SvgOptions) -> Result<String, SessionError>;
}

/// A legal move that rules refuse in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedBoardMove {
    /// The move.
    pub mv: u32,
    /// What the moves in a row have in common, in one word: `perpetual_check`.
    pub cause: String,
    /// The number of such moves in a row that are allowed.
    pub limit: usize,
    /// The reason as an English sentence.
    pub reason: String,
    /// The reason as a Chinese sentence.
    pub reason_zh: String,
}

impl Clone for Box<dyn AnyBoard> {
    fn clone(&self) -> Self {
        self.clone_board()
    }
}

/// A game on one type of board.
struct TypedGame<P>(PhantomData<fn() -> P>);

/// Returns the game whose boards are of a type.
pub const fn board_game<P: Position>() -> &'static dyn BoardGame
where
    P::Game: GameProfile<P>,
{
    &TypedGame::<P>(PhantomData)
}

impl<P: Position> Debug for TypedGame<P> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(P::Game::NAME)
    }
}

impl<P: Position> BoardGame for TypedGame<P>
where
    P::Game: GameProfile<P>,
{
    fn name(&self) -> &'static str {
        P::Game::NAME
    }

    fn start_fen(&self) -> String {
        SetupOf::<P>::start().to_text()
    }

    fn open(&self, text: Option<&str>, waived: &[&str]) -> Result<Box<dyn AnyBoard>, SessionError> {
        Ok(Box::new(GameBoard::<P>::new(text, waived)?))
    }

    fn setup(&self, text: Option<&str>) -> Result<Box<dyn AnySetup>, SessionError> {
        Ok(Box::new(BoardSetup::<P>::new(text)?))
    }

    fn empty_setup(&self) -> Box<dyn AnySetup> {
        Box::new(BoardSetup::<P>::empty())
    }

    fn issues(&self, text: &str) -> Result<Vec<(&'static str, String, bool)>, SessionError> {
        GameBoard::<P>::issues(text)
    }

    fn white(&self) -> Side {
        <P::Game as GameProfile<P>>::WHITE
    }

    fn piece_side(&self, letter: char) -> Option<Side> {
        piece_with_letter::<P>(letter).map(|piece| piece.side())
    }

    fn square_name(&self, index: usize) -> Option<String> {
        SquareOf::<P>::from_index(index).map(|square| square.to_string())
    }

    fn square_index(&self, name: &str) -> Result<usize, SessionError> {
        GameBoard::<P>::parse_square(name).map(|square| square.index())
    }

    fn waivable_issues(&self) -> &'static [&'static str] {
        <IssueOf<P> as SetupIssue>::Waiver::NAMES
    }

    fn dialects(&self) -> Vec<&'static str> {
        DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect()
    }

    fn check_dialect(&self, name: &str) -> Result<(), SessionError> {
        GameBoard::<P>::dialect(name).map(drop)
    }

    fn parse_coordinates(&self, text: &str) -> Result<u32, SessionError> {
        GameBoard::<P>::parse_coordinates(text).map(GameBoard::<P>::move_bits)
    }

    fn move_squares(&self, mv: u32) -> Result<MoveSquares, SessionError> {
        // `None` is the null move.
        let mv = GameBoard::<P>::move_from_bits(mv)?;
        let name = |square: Option<SquareOf<P>>| square.map(|square| square.to_string());
        let promotion = |mv: MoveOf<P>| <P::Game as GameProfile<P>>::promotion_letter(mv);
        Ok(MoveSquares {
            text: GameBoard::<P>::move_text(mv),
            origin: name(mv.and_then(|mv| mv.origin())),
            target: name(mv.and_then(|mv| mv.target())),
            promotion: mv.and_then(promotion).map(|letter| letter.to_ascii_lowercase()),
        })
    }
}

impl<P: Position> GameBoard<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates a board with the position and the moves of a board of this game, whatever type it has.
    ///
    /// # Errors
    /// Returns an error if it is a board of another game.
    pub fn from_board(board: &dyn AnyBoard) -> Result<Self, SessionError> {
        let game = board.game().name();
        if game != P::Game::NAME {
            return Err(SessionError::new(format!("a board of {game} is no board of {}", P::Game::NAME)));
        }
        let mut copy = Self::new(Some(&board.start_fen()), &["all"])?;
        for mv in board.played_moves() {
            copy.push(Self::move_from_bits(mv)?)?;
        }
        Ok(copy)
    }
}

impl<P: Position> AnyBoard for GameBoard<P>
where
    P::Game: GameProfile<P>,
{
    fn game(&self) -> &'static dyn BoardGame {
        board_game::<P>()
    }

    fn clone_board(&self) -> Box<dyn AnyBoard> {
        Box::new(self.clone())
    }

    fn fen(&self) -> String {
        self.fen()
    }

    fn start_fen(&self) -> String {
        self.start_fen()
    }

    fn side_to_move(&self) -> Side {
        self.history().side_to_move()
    }

    fn hash_key(&self) -> u64 {
        self.history().position().hash_key()
    }

    fn identity(&self) -> (u64, MoveCounters, Vec<(usize, char)>) {
        self.identity()
    }

    fn occurrences(&self) -> usize {
        self.history().occurrences()
    }

    fn played_moves(&self) -> Vec<u32> {
        self.played_moves().iter().map(|&mv| Self::move_bits(mv)).collect()
    }

    fn legal_moves(&self) -> Vec<u32> {
        self.legal_moves().into_iter().map(|mv| Self::move_bits(Some(mv))).collect()
    }

    fn refused_moves(&self, rules: Option<&str>) -> Result<Vec<RefusedBoardMove>, SessionError> {
        let refused = <P::Game as GameProfile<P>>::board_rules(rules)?.refused_moves(self.history());
        let refused_move = |refused: RefusedMoveOf<P>| RefusedBoardMove {
            mv: Self::move_bits(Some(refused.mv)),
            cause: refused.cause.to_string(),
            limit: refused.limit,
            reason: <P::Game as GameProfile<P>>::refusal_message(&refused),
            reason_zh: <P::Game as GameProfile<P>>::refusal_message_zh(&refused),
        };
        Ok(refused.into_iter().map(refused_move).collect())
    }

    fn is_legal(&self, mv: u32) -> bool {
        Self::move_from_bits(mv).is_ok_and(|mv| self.is_legal(mv))
    }

    fn is_check(&self) -> bool {
        self.history().in_check()
    }

    fn gives_check(&self, mv: u32) -> Result<bool, SessionError> {
        self.gives_check(Self::move_from_bits(mv)?)
    }

    fn push(&mut self, mv: u32) -> Result<(), SessionError> {
        self.push(Self::move_from_bits(mv)?)
    }

    fn pop(&mut self) -> Result<u32, SessionError> {
        self.pop().map(Self::move_bits)
    }

    fn parse(&self, text: &str, dialect: Option<&str>) -> Result<u32, SessionError> {
        let mv = match dialect {
            Some(name) => self.parse_in(text, Self::dialect(name)?),
            None => self.parse_any(text, DialectOf::<P>::WRITTEN),
        };
        mv.map(Self::move_bits)
    }

    fn format_line(&self, moves: &[u32], dialect: Option<&str>) -> Result<Vec<String>, SessionError> {
        let dialect = dialect.map_or_else(|| Ok(DialectOf::<P>::WRITTEN), Self::dialect)?;
        let line = moves.iter().map(|&mv| Self::move_from_bits(mv)).collect::<Result<Vec<_>, _>>()?;
        match line[..] {
            // One move needs no copy of the board.
            [mv] => Ok(vec![self.format(mv, dialect)?]),
            _ => self.format_line(&line, dialect),
        }
    }

    fn piece_at(&self, square: &str) -> Result<Option<char>, SessionError> {
        self.piece_at(square)
    }

    fn attackers(&self, square: &str, by: Side) -> Result<Vec<String>, SessionError> {
        let squares = self.attackers(Self::parse_square(square)?, by);
        Ok(squares.into_iter().map(|square| square.to_string()).collect())
    }

    fn targets(&self, mv: u32) -> Result<Vec<Target>, SessionError> {
        let mv = self.legal(Self::move_from_bits(mv)?)?;
        Ok(self.targets(mv).collect())
    }

    fn checked_king(&self) -> Option<String> {
        <P::Game as GameProfile<P>>::checked_king(self.history().position()).map(|square| square.to_string())
    }

    fn castling_rights(&self) -> Vec<CastlingRight> {
        self.castling_rights()
    }

    fn en_passant_square(&self) -> Option<String> {
        self.en_passant_square().map(|square| square.to_string())
    }

    fn to_setup(&self) -> Box<dyn AnySetup> {
        Box::new(BoardSetup::from_board(self))
    }

    fn captured_piece(&self, mv: u32) -> Result<Option<char>, SessionError> {
        self.captured_piece(Self::move_from_bits(mv)?)
    }

    fn pieces(&self) -> Vec<u8> {
        let mut letters = vec![b'.'; P::Game::SQUARES];
        for (square, letter) in self.pieces() {
            // The letters of pieces are ASCII in every game.
            letters[square] = letter as u8;
        }
        letters
    }

    fn end(&self, rules: Option<&str>) -> Result<Option<GameEnd>, SessionError> {
        Ok(self.end(&<P::Game as GameProfile<P>>::board_rules(rules)?))
    }

    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, SessionError> {
        let dialect = match &request.dialect {
            Some(name) => Self::dialect(name)?,
            None => DialectOf::<P>::ALL[0],
        };
        let Some(rulesets) = <P::Game as GameProfile<P>>::RULESETS else {
            return Err(SessionError::new(format!("{} has no rulesets on repetitions", P::Game::NAME)));
        };
        (rulesets.ruling)(self.history(), request, dialect)
    }

    fn perft(&self, depth: u32) -> u64 {
        <P::Game as GameProfile<P>>::perft(self.history().position(), depth)
    }

    #[cfg(feature = "pictures")]
    fn to_text(&self, style: PieceStyle) -> String {
        self.to_text(style)
    }

    #[cfg(feature = "pictures")]
    fn to_svg(&self) -> String {
        self.to_svg()
    }

    #[cfg(feature = "pictures")]
    fn draw_svg(&self, options: &SvgOptions) -> Result<String, SessionError> {
        self.draw_svg(options)
    }
}

#[cfg(all(test, feature = "pictures"))]
mod tests {
    use super::*;
    use crate::registry;
    use crate::render;

    #[test]
    fn a_session_at_a_copy_of_a_board_has_its_moves_and_shows_what_it_draws() {
        for game in registry::games() {
            let mut board = registry::board_game(game).unwrap().open(None, &[]).unwrap();
            for ply in 0..7 {
                let moves = board.legal_moves();
                board.push(moves[ply * 5 % moves.len()]).unwrap();
            }
            let copy = board.clone();
            board.pop().unwrap();
            assert_eq!((board.played_moves().len(), copy.played_moves().len()), (6, 7));
            let session = registry::open_board(&*copy).unwrap();
            let texts = copy.played_moves().into_iter().map(|mv| copy.game().move_squares(mv).unwrap().text);
            assert_eq!(session.played_moves(None).unwrap(), texts.collect::<Vec<_>>());
            let (view, appearance) = (session.view(), session.appearance());
            assert_eq!((&view.fen, view.hash_key), (&copy.fen(), copy.hash_key()));
            assert_eq!(copy.to_svg(), render::render_svg(appearance, &view));
            let style = PieceStyle::Ascii;
            assert_eq!(copy.to_text(style), render::render_text(appearance, &view, style));
            assert_ne!(board.to_svg(), copy.to_svg());
        }
    }

    #[test]
    fn the_pieces_that_could_capture_on_a_square_attack_it() {
        for game in ["chess", "xiangqi"] {
            let mut board = registry::board_game(game).unwrap().open(None, &[]).unwrap();
            for ply in 0..80 {
                for mv in board.legal_moves() {
                    if board.captured_piece(mv).unwrap().is_none() {
                        continue;
                    }
                    let squares = board.game().move_squares(mv).unwrap();
                    let (origin, target) = (squares.origin.unwrap(), squares.target.unwrap());
                    // A pawn that is captured en passant is beside the target.
                    let attackers = board.attackers(&target, board.side_to_move()).unwrap();
                    assert!(attackers.contains(&origin), "{origin}{target} in {}", board.fen());
                }
                let king = board.checked_king();
                assert_eq!(king.is_some(), board.is_check());
                if let Some(king) = king {
                    assert!(!board.attackers(&king, !board.side_to_move()).unwrap().is_empty());
                }
                let moves = board.legal_moves();
                let Some(&mv) = moves.get(ply * 11 % moves.len().max(1)) else { break };
                board.push(mv).unwrap();
            }
            assert!(board.attackers("z0", Side::First).is_err());
        }
        let othello = registry::board_game("othello").unwrap().open(None, &[]).unwrap();
        assert!(othello.attackers("d3", Side::First).unwrap().is_empty() && othello.checked_king().is_none());
        assert!(othello.castling_rights().is_empty() && othello.en_passant_square().is_none());
    }

    #[test]
    fn castling_rights_name_side_and_rook() {
        let chess = registry::board_game("chess").unwrap();
        let rights = |fen: &str| -> Vec<(Side, String, bool)> {
            let rights = chess.open(Some(fen), &[]).unwrap().castling_rights();
            rights.into_iter().map(|right| (right.side, right.rook, right.is_kingside)).collect()
        };
        let (white, black) = (Side::First, Side::Second);
        assert_eq!(
            rights("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1"),
            [(white, "a1".into(), false), (white, "h1".into(), true), (black, "h8".into(), true)]
        );
        assert_eq!(rights("1k2r3/8/8/8/8/8/8/4K3 w e - 0 1"), [(black, "e8".into(), true)]);
        assert!(rights("4k3/8/8/8/8/8/8/R3K2R w - - 0 1").is_empty());
    }

    #[test]
    fn a_session_goes_to_boards_of_its_game_only() {
        let mut session = registry::open("chess", None).unwrap();
        let board = registry::board_game("xiangqi").unwrap().open(None, &[]).unwrap();
        let error = session.set_board(&*board).unwrap_err();
        assert_eq!(error.message, "a board of xiangqi is no board of chess");
    }
}

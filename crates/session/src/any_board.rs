//! A board of any game, for programs in other languages: what [`GameBoard`] does, behind one object-safe trait.

use alfil_kernel::{Dialect, Game, Move as _, MoveCounters, MoveOf, Piece as _, Side, Square as _, SquareOf};
use alfil_records::TextGame;

use crate::game_board::{BoardError, BoardProfile, GameBoard};
use crate::game_profile::{DialectOf, GameProfile};
use crate::game_session::GameEnd;
use crate::rulings::{Ruling, RulingRequest};
use crate::session_error::SessionError;

/// The errors of sessions that a board meets are those of a ruling: an unknown ruleset, or fewer than two occurrences.
impl From<SessionError> for BoardError {
    fn from(error: SessionError) -> Self {
        BoardError::UnknownName(error.message)
    }
}

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

/// A board of any game. Moves are numbers: the bits of the move, 0 for a null move.
///
/// ```
/// use alfil_session::any_board::AnyBoard;
/// use alfil_session::game_board::GameBoard;
///
/// let chess = GameBoard::<alfil_chess::Bitboard>::new(None, &[])?;
/// let xiangqi = GameBoard::<alfil_xiangqi::Bitboard>::new(None, &[])?;
/// let mut boards: [Box<dyn AnyBoard>; 2] = [Box::new(chess), Box::new(xiangqi)];
/// for (board, text) in boards.iter_mut().zip(["Nf3", "炮二平五"]) {
///     let mv = board.parse(text, None)?;
///     board.push(mv)?;
/// }
/// assert_eq!(boards[1].move_squares(boards[1].played_moves()[0])?.text, "h2e2");
/// # Ok::<(), alfil_session::game_board::BoardError>(())
/// ```
pub trait AnyBoard: Send {
    /// Returns the name of the game.
    fn game(&self) -> &'static str;
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
    /// Returns the legal moves.
    fn legal_moves(&self) -> Vec<u32>;
    /// Returns whether a move is legal; a null move is not.
    fn is_legal(&self, mv: u32) -> bool;
    /// Returns whether the side to move is in check.
    fn is_check(&self) -> bool;
    /// Returns whether a legal move captures a piece.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    fn is_capture(&self, mv: u32) -> Result<bool, BoardError>;
    /// Returns whether a legal move gives check.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    fn gives_check(&self, mv: u32) -> Result<bool, BoardError>;
    /// Plays a legal move, or a null move.
    ///
    /// # Errors
    /// Returns an error with the reason if it is not legal; the board is then unchanged.
    fn push(&mut self, mv: u32) -> Result<(), BoardError>;
    /// Takes the last move back and returns it.
    ///
    /// # Errors
    /// Returns an error if no move was played.
    fn pop(&mut self) -> Result<u32, BoardError>;
    /// Parses a legal move in a dialect; without one, in the first dialect that can read it, the one that people write
    /// before the others.
    ///
    /// # Errors
    /// Returns an error with the reason if the text is no legal move, or fits several.
    fn parse(&self, text: &str, dialect: Option<&str>) -> Result<u32, BoardError>;
    /// Parses a move in coordinates, legal or not.
    ///
    /// # Errors
    /// Returns an error if the text is no move of the game.
    fn parse_coordinates(&self, text: &str) -> Result<u32, BoardError>;
    /// Formats a line of moves from this position in a dialect; without one, in that which people write.
    ///
    /// # Errors
    /// Returns an error if a move is not legal after the moves before it.
    fn format_line(&self, moves: &[u32], dialect: Option<&str>) -> Result<Vec<String>, BoardError>;
    /// Returns the names of the dialects, the coordinates first. Programs in other languages know them as notations.
    fn dialects(&self) -> Vec<&'static str>;
    /// Returns the squares of a move, legal or not.
    ///
    /// # Errors
    /// Returns an error if the number is no move of the game.
    fn move_squares(&self, mv: u32) -> Result<MoveSquares, BoardError>;
    /// Returns the letter of the piece on a square.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    fn piece_at(&self, square: &str) -> Result<Option<char>, BoardError>;
    /// Returns the letter of the piece that a legal move captures.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    fn captured_piece(&self, mv: u32) -> Result<Option<char>, BoardError>;
    /// Returns the names of the squares, by their indices.
    fn square_names(&self) -> Vec<String>;
    /// Returns the letter of the piece on each square, `.` on empty ones.
    fn pieces(&self) -> Vec<u8>;
    /// Returns the end of the game under the rules of a name, or those of play between people; none if it continues.
    ///
    /// # Errors
    /// Returns an error if the game has no rules of this name.
    fn end(&self, rules: Option<&str>) -> Result<Option<GameEnd>, BoardError>;
    /// Rules on the repetition at the end of the game.
    ///
    /// # Errors
    /// Returns an error if the game has no rulesets on repetitions, or none of the name.
    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, BoardError>;
    /// Counts the legal move paths of a depth in plies; a pass is one.
    fn perft(&self, depth: u32) -> u64;
    /// Returns a game with the moves of this board, without tags and result.
    fn to_record(&self) -> TextGame;
}

/// Returns the dialect of a name, or the one that people write.
///
/// # Errors
/// Returns an error if the game has none of this name.
pub fn written_dialect<P: BoardProfile>(name: Option<&str>) -> Result<DialectOf<P>, BoardError>
where
    P::Game: GameProfile<P>,
{
    name.map_or_else(|| Ok(P::written_dialect()), GameBoard::<P>::dialect)
}

impl<P: BoardProfile> AnyBoard for GameBoard<P>
where
    P::Game: GameProfile<P>,
    GameBoard<P>: Send,
{
    fn game(&self) -> &'static str {
        P::Game::NAME
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

    fn is_legal(&self, mv: u32) -> bool {
        Self::move_from_bits(mv).is_ok_and(|mv| self.is_legal(mv))
    }

    fn is_check(&self) -> bool {
        self.history().in_check()
    }

    fn is_capture(&self, mv: u32) -> Result<bool, BoardError> {
        self.is_capture(Self::move_from_bits(mv)?)
    }

    fn gives_check(&self, mv: u32) -> Result<bool, BoardError> {
        self.gives_check(Self::move_from_bits(mv)?)
    }

    fn push(&mut self, mv: u32) -> Result<(), BoardError> {
        self.push(Self::move_from_bits(mv)?)
    }

    fn pop(&mut self) -> Result<u32, BoardError> {
        self.pop().map(Self::move_bits)
    }

    fn parse(&self, text: &str, dialect: Option<&str>) -> Result<u32, BoardError> {
        let mv = match dialect {
            Some(name) => self.parse_in(text, Self::dialect(name)?),
            None => self.parse_any(text, P::written_dialect()),
        };
        mv.map(Self::move_bits)
    }

    fn parse_coordinates(&self, text: &str) -> Result<u32, BoardError> {
        Self::parse_coordinates(text).map(Self::move_bits)
    }

    fn format_line(&self, moves: &[u32], dialect: Option<&str>) -> Result<Vec<String>, BoardError> {
        let dialect = written_dialect::<P>(dialect)?;
        let line = moves.iter().map(|&mv| Self::move_from_bits(mv)).collect::<Result<Vec<_>, _>>()?;
        match line[..] {
            // One move needs no copy of the board.
            [mv] => Ok(vec![self.format(mv, dialect)?]),
            _ => self.format_line(&line, dialect),
        }
    }

    fn dialects(&self) -> Vec<&'static str> {
        DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect()
    }

    fn move_squares(&self, mv: u32) -> Result<MoveSquares, BoardError> {
        // `None` is the null move.
        let mv = Self::move_from_bits(mv)?;
        let name = |square: Option<SquareOf<P>>| square.map(|square| square.to_string());
        let promotion = |mv: MoveOf<P>| <P::Game as GameProfile<P>>::promotion_letter(mv);
        Ok(MoveSquares {
            text: Self::move_text(mv),
            origin: name(mv.and_then(|mv| mv.origin())),
            target: name(mv.and_then(|mv| mv.target())),
            promotion: mv.and_then(promotion).map(|letter| letter.to_ascii_lowercase()),
        })
    }

    fn captured_piece(&self, mv: u32) -> Result<Option<char>, BoardError> {
        let mv = self.legal(Self::move_from_bits(mv)?)?;
        Ok(self.history().position().captured_piece(mv).map(|piece| piece.letter()))
    }

    fn square_names(&self) -> Vec<String> {
        let squares = (0..P::Game::SQUARES).filter_map(SquareOf::<P>::from_index);
        squares.map(|square| square.to_string()).collect()
    }

    fn piece_at(&self, square: &str) -> Result<Option<char>, BoardError> {
        self.piece_at(square)
    }

    fn pieces(&self) -> Vec<u8> {
        let mut letters = vec![b'.'; P::Game::SQUARES];
        for (square, letter) in self.pieces() {
            // The letters of pieces are ASCII in every game.
            letters[square] = letter as u8;
        }
        letters
    }

    fn end(&self, rules: Option<&str>) -> Result<Option<GameEnd>, BoardError> {
        Ok(self.end(&P::board_rules(rules)?))
    }

    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, BoardError> {
        let dialect = match &request.dialect {
            Some(name) => Self::dialect(name)?,
            None => DialectOf::<P>::ALL[0],
        };
        let Some(rulesets) = <P::Game as GameProfile<P>>::RULESETS else {
            let message = format!("{} has no rulesets on repetitions", P::Game::NAME);
            return Err(BoardError::UnknownName(message));
        };
        Ok((rulesets.ruling)(self.history(), request, dialect)?)
    }

    fn perft(&self, depth: u32) -> u64 {
        <P::Game as GameProfile<P>>::perft(self.history().position(), depth)
    }

    fn to_record(&self) -> TextGame {
        self.to_record()
    }
}

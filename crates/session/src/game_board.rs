//! A board for programs in other languages: a position with the moves that led to it, its moves as values, and errors
//! by kind. Written once over [`Position`]; sessions are the interface in strings.

use alfil_kernel::rules::CauseOf;
use alfil_kernel::{
    Dialect as _, Game, GameHistory, IssueOf, Move as _, MoveBits as _, MoveCounters, MoveOf, Notation,
    NotationError, Piece as _, Position, Rules, Setup, SetupIssue as _, SetupOf, Side, Square as _, SquareOf,
    Verdict, epd,
};

use alfil_records::record_format::is_null_move;

use crate::game_profile::{DialectOf, GameProfile, NULL_MOVE_COORDINATES, NotationOf, RulesOf};
use crate::game_session::{GameEnd, GameSession as _};
use crate::render::{self, PieceStyle};
use crate::typed_session::TypedSession;

/// What a [`GameBoard`] needs of a game beside its profile.
pub trait BoardProfile: Position
where
    Self::Game: GameProfile<Self>,
{
    /// Whether `--` and the like are null moves in the notation of people; in Othello they are passes.
    const HAS_NULL_TEXT: bool;
    /// The side that is called White, or Red: in chess and xiangqi the first, in Othello the second.
    const WHITE: Side;

    /// Returns a legal move as it is written in coordinates: in chess castling as the king moves two squares.
    fn written_move(&self, mv: MoveOf<Self>) -> MoveOf<Self> {
        mv
    }

    /// Returns the move that is written so, legal or not.
    fn read_move(&self, written: MoveOf<Self>) -> MoveOf<Self> {
        written
    }

    /// Parses the coordinates of a move, legal or not.
    fn parse_coordinates(text: &str) -> Option<MoveOf<Self>> {
        text.parse().ok()
    }

    /// Returns the dialect that people write: SAN, WXF, transcripts.
    fn written_dialect() -> DialectOf<Self> {
        DialectOf::<Self>::WRITTEN
    }

    /// Returns the ruleset of a name, or the one by which a board is judged if the caller names none.
    ///
    /// # Errors
    /// Returns an error if the game has no ruleset of this name.
    fn board_rules(name: Option<&str>) -> Result<RulesOf<Self>, BoardError>;
}

/// Why a call of a [`GameBoard`] failed, by kind; the message has the place and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A position text cannot be read, or the position cannot be played.
    #[error("{0}")]
    InvalidPosition(String),
    /// A text or a number is no move of the game or of the notation.
    #[error("{0}")]
    InvalidMove(String),
    /// The move is not legal in the position.
    #[error("{0}")]
    IllegalMove(String),
    /// A text fits several legal moves.
    #[error("{0}")]
    AmbiguousMove(String),
    /// The game has no notation, square, ruleset or issue of this name.
    #[error("{0}")]
    UnknownName(String),
    /// There is no move to take back.
    #[error("no move was played")]
    NoMove,
}

impl<R: core::fmt::Display> From<NotationError<R>> for BoardError {
    fn from(error: NotationError<R>) -> Self {
        let message = error.to_string();
        match error {
            NotationError::Malformed { .. } => BoardError::InvalidMove(message),
            NotationError::Illegal { .. } | NotationError::OtherDialect { .. } => {
                BoardError::IllegalMove(message)
            }
            NotationError::Ambiguous { .. } => BoardError::AmbiguousMove(message),
        }
    }
}

/// A move as it is written in coordinates; `None` is the null move, which passes the turn.
pub type WrittenMove<P> = Option<MoveOf<P>>;

/// A position and the moves that led to it.
///
/// ```
/// use alfil_chess::Bitboard;
/// use alfil_session::game_board::{BoardError, BoardProfile as _, GameBoard};
///
/// let mut board = GameBoard::<Bitboard>::new(None, &[])?;
/// let mv = board.parse_any("Nf3", Bitboard::written_dialect())?;
/// board.push(mv)?;
/// assert_eq!(GameBoard::<Bitboard>::move_text(mv), "g1f3");
/// assert_eq!(board.legal_moves().len(), 20);
/// let illegal = board.parse_any("Ke7", Bitboard::written_dialect());
/// assert!(matches!(illegal, Err(BoardError::IllegalMove(_))));
/// # Ok::<(), BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBoard<P: Position> {
    game: GameHistory<P>,
    /// The moves as written, because the form of castling depends on the position before it.
    written: Vec<WrittenMove<P>>,
    waived: Vec<String>,
}

/// Parses a position text or an EPD, whatever issues the position has; `startpos` is the start position.
fn parse_setup<P: Position>(text: &str) -> Result<SetupOf<P>, BoardError> {
    match text.trim() {
        "startpos" => Ok(SetupOf::<P>::start()),
        text => epd::parse(text)
            .map(|epd| epd.setup)
            .map_err(|error: epd::EpdError<_>| BoardError::InvalidPosition(error.to_string())),
    }
}

impl<P: BoardProfile> GameBoard<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates a board from a position text, or at the start position. The issues with these names are waived.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read, the position cannot be played, or a name is unknown.
    pub fn new(text: Option<&str>, waived: &[&str]) -> Result<Self, BoardError> {
        let setup = text.map_or_else(|| Ok(SetupOf::<P>::start()), parse_setup::<P>)?;
        Self::from_setup(&setup, waived)
    }

    /// Creates a board from a setup.
    ///
    /// # Errors
    /// Returns an error if the position cannot be played, or a name is unknown.
    pub fn from_setup(setup: &SetupOf<P>, waived: &[&str]) -> Result<Self, BoardError> {
        let waivers = IssueOf::<P>::parse_waivers(waived)
            .map_err(|error| BoardError::UnknownName(error.to_string()))?;
        let game = GameHistory::new(setup, &waivers)
            .map_err(|error| BoardError::InvalidPosition(format!("invalid position: {error}")))?;
        let waived = waived.iter().map(|&name| name.to_owned()).collect();
        Ok(GameBoard { game, written: Vec::new(), waived })
    }

    /// Returns the same game before its first move.
    ///
    /// # Errors
    /// Returns no error for a board that was made by one of the functions above.
    pub fn root(&self) -> Result<Self, BoardError> {
        self.restart_from(self.game.start_setup())
    }

    /// Returns the same position without the moves that led to it.
    ///
    /// # Errors
    /// Returns an error if the position has an issue that cannot be waived, which no play leads to.
    pub fn without_moves(&self) -> Result<Self, BoardError> {
        self.restart_from(&self.game.to_setup())
    }

    /// Creates a board from a setup of this game, with the waivers of this board for other positions.
    fn restart_from(&self, setup: &SetupOf<P>) -> Result<Self, BoardError> {
        let board = Self::from_setup(setup, &["all"])?;
        Ok(GameBoard { waived: self.waived.clone(), ..board })
    }

    /// Returns the names of the issues that are waived.
    pub fn waived(&self) -> Vec<&str> {
        self.waived.iter().map(String::as_str).collect()
    }

    /// Returns the position with its history.
    pub fn history(&self) -> &GameHistory<P> {
        &self.game
    }

    /// Returns the game with its history.
    pub fn into_history(self) -> GameHistory<P> {
        self.game
    }

    /// Returns a session at this position.
    pub fn to_session(&self) -> TypedSession<P> {
        let mut session = TypedSession::new();
        session.set_game(self.game.clone());
        session
    }

    /// Returns the board as text.
    pub fn to_text(&self, style: PieceStyle) -> String {
        let session = self.to_session();
        render::render_text(session.appearance(), &session.view(), style)
    }

    /// Returns a picture of the board.
    pub fn to_svg(&self) -> String {
        let session = self.to_session();
        render::render_svg(session.appearance(), &session.view())
    }

    /// Returns the position text.
    pub fn fen(&self) -> String {
        self.game.to_setup().to_text()
    }

    /// Returns the text of the position before the first move.
    pub fn start_fen(&self) -> String {
        self.game.start_setup().to_text()
    }

    /// Returns whether both positions are the same, with equal counters. A square behind a pawn counts if the pawn can
    /// be captured en passant, as in the hash key.
    pub fn is_same_position(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// Returns what equal positions have in common, and others have not: the hash key, the counters and the pieces.
    pub fn identity(&self) -> (u64, MoveCounters, Vec<(usize, char)>) {
        (self.game.position().hash_key(), self.game.to_setup().counters(), self.pieces().collect())
    }

    /// Returns the moves played so far.
    pub fn played_moves(&self) -> &[WrittenMove<P>] {
        &self.written
    }

    /// Returns the legal moves as they are written.
    pub fn legal_moves(&self) -> Vec<MoveOf<P>> {
        let position = self.game.position();
        position.legal_moves().iter().map(|&mv| position.written_move(mv)).collect()
    }

    /// Returns the legal move that is written so.
    fn find_legal(&self, written: MoveOf<P>) -> Option<MoveOf<P>> {
        let position = self.game.position();
        let mv = position.read_move(written);
        (position.is_pseudo_legal(mv) && position.is_legal(mv)).then_some(mv)
    }

    /// Returns whether a move is legal; a null move is not.
    pub fn is_legal(&self, written: WrittenMove<P>) -> bool {
        written.is_some_and(|written| self.find_legal(written).is_some())
    }

    /// Returns the legal move that is written so.
    ///
    /// # Errors
    /// Returns an error with the reason if it is not legal.
    pub fn legal(&self, written: WrittenMove<P>) -> Result<MoveOf<P>, BoardError> {
        let Some(written) = written else {
            let message = "a null move is not legal; push it to pass the turn".to_owned();
            return Err(BoardError::IllegalMove(message));
        };
        self.find_legal(written).ok_or_else(|| self.illegal_move(written))
    }

    fn illegal_move(&self, written: MoveOf<P>) -> BoardError {
        let text = format!("{written:?}");
        let message = match NotationOf::<P>::parse_move(self.game.position(), &text, DialectOf::<P>::ALL[0]) {
            Err(error) => error.to_string(),
            Ok(_) => format!("{text:?} is illegal here"),
        };
        BoardError::IllegalMove(format!("{message}, in {}", self.fen()))
    }

    /// Plays a legal move, or a null move, which is illegal while a side is in check.
    ///
    /// # Errors
    /// Returns an error with the reason if it is not legal; the board is then unchanged.
    pub fn push(&mut self, written: WrittenMove<P>) -> Result<(), BoardError> {
        let written = match written {
            None => {
                self.push_null()?;
                None
            }
            Some(_) => {
                let mv = self.legal(written)?;
                // Castling may be given in another form, as the king captures its rook.
                let written = self.game.position().written_move(mv);
                self.game.push(mv, &mut ());
                Some(written)
            }
        };
        self.written.push(written);
        Ok(())
    }

    /// Makes a null move, unless a side is in check: the side not to move is if that issue was waived.
    fn push_null(&mut self) -> Result<(), BoardError> {
        let message = |board: &Self| format!("a null move in check, in {}", board.fen());
        if self.game.in_check() {
            return Err(BoardError::IllegalMove(message(self)));
        }
        self.game.push_null(&mut ());
        if self.game.position().in_check() {
            self.game.pop(&mut ());
            return Err(BoardError::IllegalMove(message(self)));
        }
        Ok(())
    }

    /// Takes the last move back and returns it.
    ///
    /// # Errors
    /// Returns an error if no move was played.
    pub fn pop(&mut self) -> Result<WrittenMove<P>, BoardError> {
        let written = self.written.pop().ok_or(BoardError::NoMove)?;
        self.game.pop(&mut ());
        Ok(written)
    }

    /// Returns the dialect of a name.
    ///
    /// # Errors
    /// Returns an error if the game has none of this name.
    pub fn dialect(name: &str) -> Result<DialectOf<P>, BoardError> {
        DialectOf::<P>::from_name(name).ok_or_else(|| {
            let names: Vec<_> = DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect();
            let (game, names) = (P::Game::NAME, names.join(", "));
            BoardError::UnknownName(format!("{game} has no notation {name:?}: choose one of {names}"))
        })
    }

    /// Returns whether a text is a null move in a dialect.
    fn is_null_text(text: &str, dialect: DialectOf<P>) -> bool {
        match dialect == DialectOf::<P>::ALL[0] {
            true => text == NULL_MOVE_COORDINATES,
            false => P::HAS_NULL_TEXT && is_null_move(text),
        }
    }

    /// Parses a legal move in a dialect, or a null move.
    ///
    /// # Errors
    /// Returns an error with the reason if the text is no legal move, or fits several.
    pub fn parse_in(&self, text: &str, dialect: DialectOf<P>) -> Result<WrittenMove<P>, BoardError> {
        if Self::is_null_text(text, dialect) {
            return Ok(None);
        }
        let position = self.game.position();
        let mv = NotationOf::<P>::parse_move(position, text, dialect)?;
        Ok(Some(position.written_move(mv)))
    }

    /// Parses a legal move in the first dialect that can read it, the preferred one before the others in their order.
    ///
    /// # Errors
    /// Returns an error with the reason if the text is no legal move, or fits several.
    pub fn parse_any(&self, text: &str, preferred: DialectOf<P>) -> Result<WrittenMove<P>, BoardError> {
        let null = DialectOf::<P>::ALL.iter().find(|&&dialect| Self::is_null_text(text, dialect));
        self.parse_in(
            text,
            null.map_or_else(|| NotationOf::<P>::dialect_of(text, preferred), |&dialect| dialect),
        )
    }

    /// Parses the coordinates of a move, legal or not.
    ///
    /// # Errors
    /// Returns an error if the text is no move of the game.
    pub fn parse_coordinates(text: &str) -> Result<WrittenMove<P>, BoardError> {
        if text == NULL_MOVE_COORDINATES {
            return Ok(None);
        }
        P::parse_coordinates(text).map(Some).ok_or_else(|| {
            let expected = DialectOf::<P>::ALL[0].expected_form();
            BoardError::InvalidMove(format!("cannot read {text:?} as a move: expected {expected}"))
        })
    }

    /// Returns a move in coordinates.
    pub fn move_text(written: WrittenMove<P>) -> String {
        written.map_or_else(|| NULL_MOVE_COORDINATES.to_owned(), |mv| format!("{mv:?}"))
    }

    /// Returns the bits of a move, 0 for a null move.
    pub fn move_bits(written: WrittenMove<P>) -> u32 {
        // `MoveBits::WIDTH` is at most 32.
        written.map_or(0, |mv| mv.bits().to_u64() as u32)
    }

    /// Returns the move with these bits, legal or not.
    ///
    /// # Errors
    /// Returns an error if they encode no move of the game.
    pub fn move_from_bits(bits: u32) -> Result<WrittenMove<P>, BoardError> {
        if bits == 0 {
            return Ok(None);
        }
        let narrow = <MoveOf<P> as alfil_kernel::Move>::Bits::from_u64(bits.into());
        let is_narrow = narrow.to_u64() == u64::from(bits);
        let mv = MoveOf::<P>::from_bits(narrow).filter(|_| is_narrow);
        mv.map(Some).ok_or_else(|| {
            BoardError::InvalidMove(format!("the number {bits} encodes no move of {}", P::Game::NAME))
        })
    }

    /// Formats a legal move in a dialect.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    pub fn format(&self, written: WrittenMove<P>, dialect: DialectOf<P>) -> Result<String, BoardError> {
        if written.is_none() {
            // In Othello `--` is a pass.
            let is_coordinates = dialect == DialectOf::<P>::ALL[0] || !P::HAS_NULL_TEXT;
            return Ok(if is_coordinates { NULL_MOVE_COORDINATES } else { "--" }.to_owned());
        }
        Ok(NotationOf::<P>::format_move(self.game.position(), self.legal(written)?, dialect))
    }

    /// Formats a line of moves from this position.
    ///
    /// # Errors
    /// Returns an error if a move is not legal after the moves before it.
    pub fn format_line(
        &self,
        line: &[WrittenMove<P>],
        dialect: DialectOf<P>,
    ) -> Result<Vec<String>, BoardError> {
        let mut board = self.clone();
        line.iter()
            .map(|&written| {
                let text = board.format(written, dialect)?;
                board.push(written)?;
                Ok(text)
            })
            .collect()
    }

    /// Returns whether a legal move captures a piece.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    pub fn is_capture(&self, written: WrittenMove<P>) -> Result<bool, BoardError> {
        Ok(self.game.position().captured_piece(self.legal(written)?).is_some())
    }

    /// Returns whether a legal move gives check.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    pub fn gives_check(&self, written: WrittenMove<P>) -> Result<bool, BoardError> {
        let mut position = self.game.position().clone();
        position.make(self.legal(written)?, &mut ());
        Ok(position.in_check())
    }

    /// Returns the end of the game under these rules; none if it continues.
    pub fn end(&self, rules: &RulesOf<P>) -> Option<GameEnd> {
        let verdict: Verdict<CauseOf<P>> = rules.judge(&self.game)?;
        let position = self.game.position();
        Some(GameEnd {
            outcome: verdict.outcome,
            margin: verdict.margin,
            cause: verdict.cause.to_string(),
            message: <P::Game as GameProfile<P>>::verdict_message(position, &verdict),
            message_zh: <P::Game as GameProfile<P>>::verdict_message_zh(position, &verdict),
        })
    }

    /// Returns the letters of the pieces with the indices of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, char)> + '_ {
        let squares = (0..P::Game::SQUARES).filter_map(SquareOf::<P>::from_index);
        squares.filter_map(|square| {
            self.game.position().piece_on(square).map(|piece| (square.index(), piece.letter()))
        })
    }

    /// Returns the letter of the piece on a square.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    pub fn piece_at(&self, square: &str) -> Result<Option<char>, BoardError> {
        let square = Self::parse_square(square)?;
        Ok(self.game.position().piece_on(square).map(|piece| piece.letter()))
    }

    /// Returns the square of a name.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    pub fn parse_square(name: &str) -> Result<SquareOf<P>, BoardError> {
        let message = || BoardError::UnknownName(format!("{} has no square {name:?}", P::Game::NAME));
        SquareOf::<P>::from_name(name).ok_or_else(message)
    }

    /// Returns the issues of a position text: the name, the sentence, and whether the issue can be waived.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    pub fn issues(text: &str) -> Result<Vec<(&'static str, String, bool)>, BoardError> {
        let issues = parse_setup::<P>(text)?.issues();
        Ok(issues.iter().map(|issue| (issue.name(), issue.to_string(), issue.is_waivable())).collect())
    }
}

#[cfg(test)]
mod tests;

//! The board of a game: a position with the moves that led to it, its moves as values, and errors by kind. Written once
//! over [`Position`]; [`crate::any_board`] has boards of any game, and sessions are boards with rules and a searcher.

use alfil_kernel::epd::{self, Epd, EpdError, EpdOperation};
use alfil_kernel::position::{ExpectedOf, IssueOf};
use alfil_kernel::rules::CauseOf;
use alfil_kernel::{
    BoardObserver, Dialect as _, Game, GameHistory, Move as _, MoveBits as _, MoveCounters, MoveOf, Notation,
    Piece as _, Position, Rules, Setup, SetupError, SetupIssue as _, SetupOf, Side, Square as _, SquareOf,
    Verdict, Waivers,
};

use alfil_records::record_format::is_null_move;

use crate::board_setup::CastlingRight;
use crate::game_profile::{
    DialectOf, GameProfile, NULL_MOVE_COORDINATES, NotationOf, RulesOf, format_default,
};
use crate::game_session::{BoardChange, Target};
use crate::position_view::{GameEnd, PositionView};
use crate::render::{self, PieceStyle, SvgOptions};
use crate::session_error::{ErrorKind, SessionError};

/// A move as it is written in coordinates; `None` is the null move, which passes the turn.
pub type WrittenMove<P> = Option<MoveOf<P>>;

/// A position and the moves that led to it.
///
/// ```
/// use alfil_chess::Bitboard;
/// use alfil_chess::notation::Dialect;
/// use alfil_session::game_board::GameBoard;
/// use alfil_session::{ErrorKind, SessionError};
///
/// let mut board = GameBoard::<Bitboard>::new(None, &[])?;
/// let mv = board.parse_any("Nf3", Dialect::San)?;
/// board.push(mv)?;
/// assert_eq!(GameBoard::<Bitboard>::move_text(mv), "g1f3");
/// assert_eq!(board.legal_moves().len(), 20);
/// let illegal = board.parse_any("Ke7", Dialect::San);
/// assert_eq!(illegal.unwrap_err().kind, ErrorKind::IllegalMove);
/// # Ok::<(), SessionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBoard<P: Position> {
    game: GameHistory<P>,
    /// The moves as written, because the form of castling depends on the position before it.
    written: Vec<WrittenMove<P>>,
    /// The names of the issues that are waived, for other positions.
    waived: Vec<String>,
}

/// Describes a verdict on the position that it ends at.
pub(crate) fn describe_end<P: Position>(position: &P, verdict: &Verdict<CauseOf<P>>) -> GameEnd
where
    P::Game: GameProfile<P>,
{
    GameEnd {
        outcome: verdict.outcome,
        margin: verdict.margin,
        cause: verdict.cause.to_string(),
        message: <P::Game as GameProfile<P>>::verdict_message(position, verdict),
        message_zh: <P::Game as GameProfile<P>>::verdict_message_zh(position, verdict),
    }
}

impl<P: Position> GameBoard<P>
where
    P::Game: GameProfile<P>,
{
    /// Creates a board at the start position.
    pub fn from_start_position() -> Self {
        let game = GameHistory::from_start_position();
        GameBoard { game, written: Vec::new(), waived: Vec::new() }
    }

    /// Creates a board from a position text, or at the start position. The issues with these names are waived.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read, the position cannot be played, or a name is unknown.
    pub fn new(text: Option<&str>, waived: &[&str]) -> Result<Self, SessionError> {
        let setup = text.map_or_else(|| Ok(SetupOf::<P>::start()), Self::parse_setup);
        Self::from_setup(&setup.map_err(|error| SessionError::from(&error))?, waived)
    }

    /// Creates a board from a setup.
    ///
    /// # Errors
    /// Returns an error if the position cannot be played, or a name is unknown.
    pub fn from_setup(setup: &SetupOf<P>, waived: &[&str]) -> Result<Self, SessionError> {
        let waivers = IssueOf::<P>::parse_waivers(waived).map_err(SessionError::from_error)?;
        let board = Self::with_waivers(setup, &waivers).map_err(|error| SessionError::from(&error))?;
        Ok(GameBoard { waived: waived.iter().map(|&name| name.to_owned()).collect(), ..board })
    }

    /// Creates a board from a setup.
    ///
    /// # Errors
    /// Returns the issues that are not waived.
    pub(crate) fn with_waivers(
        setup: &SetupOf<P>,
        waivers: &Waivers,
    ) -> Result<Self, SetupError<IssueOf<P>>> {
        let game = GameHistory::new(setup, waivers)?;
        Ok(GameBoard { game, written: Vec::new(), waived: Vec::new() })
    }

    /// Parses a position text or an EPD, whatever issues the position has; `startpos` is the start position.
    ///
    /// # Errors
    /// Returns the place of the error and what was expected there.
    pub(crate) fn parse_setup(text: &str) -> Result<SetupOf<P>, EpdError<ExpectedOf<P>>> {
        match text.trim() {
            "startpos" => Ok(SetupOf::<P>::start()),
            text => Self::parse_epd(text).map(|epd| epd.setup),
        }
    }

    /// Parses an EPD, or a position text alone.
    ///
    /// # Errors
    /// As [`GameBoard::parse_setup`].
    pub(crate) fn parse_epd(text: &str) -> Result<Epd<SetupOf<P>>, EpdError<ExpectedOf<P>>> {
        epd::parse(text.trim())
    }

    /// Returns the operations of an EPD; a position text alone has none.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    pub fn epd_operations(text: &str) -> Result<Vec<EpdOperation>, SessionError> {
        Self::parse_epd(text).map(|epd| epd.operations).map_err(|error| SessionError::from(&error))
    }

    /// Returns the same game before its first move.
    ///
    /// # Errors
    /// Returns no error for a board that was made by one of the functions above.
    pub fn root(&self) -> Result<Self, SessionError> {
        self.restart_from(self.game.start_setup())
    }

    /// Returns the same position without the moves that led to it.
    ///
    /// # Errors
    /// Returns an error if the position has an issue that cannot be waived, which no play leads to.
    pub fn without_moves(&self) -> Result<Self, SessionError> {
        self.restart_from(&self.game.to_setup())
    }

    /// Returns the same position with the last so many of the moves that led to it, or all of them if there are fewer.
    ///
    /// # Errors
    /// Returns an error if the position before them has an issue that cannot be waived, which no play leads to.
    pub fn with_last_moves(&self, plies: usize) -> Result<Self, SessionError> {
        if plies >= self.written.len() {
            return Ok(self.clone());
        }
        let mut before = self.clone();
        let moves = (0..plies).map(|_| before.pop()).collect::<Result<Vec<_>, _>>()?;
        let mut board = before.without_moves()?;
        moves.into_iter().rev().try_for_each(|mv| board.push(mv))?;
        Ok(board)
    }

    /// Creates a board from a setup of this game, with the waivers of this board for other positions.
    fn restart_from(&self, setup: &SetupOf<P>) -> Result<Self, SessionError> {
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

    /// Returns the position and state of the game with everything that a user interface shows of it.
    pub(crate) fn view(&self, rules: &RulesOf<P>) -> PositionView {
        let position = self.game.position();
        let squares = (0..P::Game::SQUARES).filter_map(SquareOf::<P>::from_index);
        let pieces = squares
            .filter_map(|square| position.piece_on(square).map(|piece| (square.to_string(), piece.letter())));
        let game_end = self.end(rules);
        let setup = self.game.to_setup();
        PositionView {
            fen: setup.to_text(),
            side_to_move: self.game.side_to_move(),
            pieces: pieces.collect(),
            last_move: self.last_move_squares(),
            checked_king: <P::Game as GameProfile<P>>::checked_king(position)
                .map(|square| square.to_string()),
            piece_counts: <P::Game as GameProfile<P>>::piece_counts(position),
            hash_key: position.hash_key(),
            occurrences: self.game.occurrences(),
            ply: self.game.ply(),
            fullmove_number: setup.counters().fullmove_number,
            game_ply: <P::Game as GameProfile<P>>::game_ply(&self.game),
            status: self.status(game_end.as_ref()),
            game_end,
        }
    }

    fn status(&self, game_end: Option<&GameEnd>) -> String {
        if let Some(game_end) = game_end {
            return game_end.message.clone();
        }
        let name = <P::Game as GameProfile<P>>::info().appearance.sides[self.game.side_to_move().index()];
        let check = if self.game.in_check() { ", in check" } else { "" };
        format!("{name} to move{check}")
    }

    /// Returns the origin of the last move and the square to which its piece was dragged.
    fn last_move_squares(&self) -> Vec<String> {
        let Some(mv) = self.game.last_ply().and_then(|record| record.mv()) else { return Vec::new() };
        let Some(before) = self.game.previous_position() else { return Vec::new() };
        let target = <P::Game as GameProfile<P>>::target_squares(&before, mv).into_iter().next();
        mv.origin().into_iter().chain(target).map(|square| square.to_string()).collect()
    }

    /// Returns the board as text.
    pub fn to_text(&self, style: PieceStyle) -> String {
        let appearance = <P::Game as GameProfile<P>>::info().appearance;
        render::render_text(appearance, &self.view(&Self::rules_between_people()), style)
    }

    /// Returns a picture of the board, drawn as the options say.
    ///
    /// ```
    /// use alfil_chess::Bitboard;
    /// use alfil_session::game_board::GameBoard;
    /// use alfil_session::render::{SvgArrow, SvgOptions};
    ///
    /// let board = GameBoard::<Bitboard>::new(None, &[])?;
    /// let mut options = SvgOptions::default();
    /// options.arrows.push(SvgArrow { from: "g1".into(), to: "f3".into(), colour: None });
    /// assert!(board.draw_svg(&options)?.contains("<path stroke-width=\"0.16\" d=\"M6 7L"));
    /// options.arrows[0].to = "f9".into();
    /// assert!(board.draw_svg(&options).is_err());
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a square is none of the game, a colour has other characters than letters, digits and `#`,
    /// or the picture has no width.
    pub fn draw_svg(&self, options: &SvgOptions) -> Result<String, SessionError> {
        let marked = options.last_move.iter().chain(&options.checked_kings).flatten();
        let ends = options.arrows.iter().flat_map(|arrow| [&arrow.from, &arrow.to]);
        marked.chain(ends).try_for_each(|square| Self::parse_square(square).map(drop))?;
        let is_in_colour = |character: char| character.is_ascii_alphanumeric() || character == '#';
        for colour in options.arrows.iter().filter_map(|arrow| arrow.colour.as_deref()) {
            if colour.is_empty() || !colour.chars().all(is_in_colour) {
                let message = format!("{colour:?} is no colour: choose a name or hexadecimal digits after #");
                return Err(SessionError::new(message));
            }
        }
        if options.width_px == Some(0) {
            return Err(SessionError::new("a picture of 0 pixels: choose a width above 0"));
        }
        let appearance = <P::Game as GameProfile<P>>::info().appearance;
        let view = self.view(&Self::rules_between_people());
        Ok(render::render_svg_with(appearance, &view, options))
    }

    /// Returns a picture of the board.
    pub fn to_svg(&self) -> String {
        let appearance = <P::Game as GameProfile<P>>::info().appearance;
        render::render_svg(appearance, &self.view(&Self::rules_between_people()))
    }

    /// Returns the rules by which a drawing says how the game ended.
    fn rules_between_people() -> RulesOf<P> {
        <P::Game as GameProfile<P>>::rules_between_people()
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

    fn written_move(position: &P, mv: MoveOf<P>) -> MoveOf<P> {
        <P::Game as GameProfile<P>>::written_move(position, mv)
    }

    /// Returns the legal moves as they are written.
    pub fn legal_moves(&self) -> Vec<MoveOf<P>> {
        let position = self.game.position();
        position.legal_moves().iter().map(|&mv| Self::written_move(position, mv)).collect()
    }

    /// Returns the legal move that is written so.
    fn find_legal(&self, written: MoveOf<P>) -> Option<MoveOf<P>> {
        let position = self.game.position();
        let mv = <P::Game as GameProfile<P>>::read_move(position, written);
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
    pub fn legal(&self, written: WrittenMove<P>) -> Result<MoveOf<P>, SessionError> {
        let Some(written) = written else {
            let message = "a null move is not legal; push it to pass the turn".to_owned();
            return Err(SessionError::with_kind(ErrorKind::IllegalMove, message));
        };
        self.find_legal(written).ok_or_else(|| self.illegal_move(written))
    }

    fn illegal_move(&self, written: MoveOf<P>) -> SessionError {
        let text = format!("{written:?}");
        let message = match NotationOf::<P>::parse_move(self.game.position(), &text, DialectOf::<P>::ALL[0]) {
            Err(error) => error.to_string(),
            Ok(_) => format!("{text:?} is illegal here"),
        };
        SessionError::with_kind(ErrorKind::IllegalMove, format!("{message}, in {}", self.fen()))
    }

    /// Plays a legal move, or a null move, which is illegal while a side is in check.
    ///
    /// # Errors
    /// Returns an error with the reason if it is not legal; the board is then unchanged.
    pub fn push(&mut self, written: WrittenMove<P>) -> Result<(), SessionError> {
        match written {
            None => self.push_null(),
            Some(_) => {
                self.push_legal(self.legal(written)?, &mut ());
                Ok(())
            }
        }
    }

    /// Plays a legal move and reports its changes.
    pub(crate) fn push_legal<O: BoardObserver<P::Game>>(&mut self, mv: MoveOf<P>, observer: &mut O) {
        // Castling may be given in another form, as the king captures its rook.
        self.written.push(Some(Self::written_move(self.game.position(), mv)));
        self.game.push(mv, observer);
    }

    /// Makes a null move, unless a side is in check: the side not to move is if that issue was waived.
    fn push_null(&mut self) -> Result<(), SessionError> {
        let error = |board: &Self| {
            let message = format!("a null move in check, in {}", board.fen());
            Err(SessionError::with_kind(ErrorKind::IllegalMove, message))
        };
        if self.game.in_check() {
            return error(self);
        }
        self.game.push_null(&mut ());
        if self.game.position().in_check() {
            self.game.pop(&mut ());
            return error(self);
        }
        self.written.push(None);
        Ok(())
    }

    /// Takes the last move back and returns it.
    ///
    /// # Errors
    /// Returns an error if no move was played.
    pub fn pop(&mut self) -> Result<WrittenMove<P>, SessionError> {
        self.pop_with(&mut ())
    }

    /// Takes the last move back, reports its changes and returns it.
    ///
    /// # Errors
    /// Returns an error if no move was played.
    pub(crate) fn pop_with<O: BoardObserver<P::Game>>(
        &mut self,
        observer: &mut O,
    ) -> Result<WrittenMove<P>, SessionError> {
        let no_move = || SessionError::with_kind(ErrorKind::NoMove, "no move was played");
        let written = self.written.pop().ok_or_else(no_move)?;
        self.game.pop(observer);
        Ok(written)
    }

    /// Returns the dialect of a name.
    ///
    /// # Errors
    /// Returns an error if the game has none of this name.
    pub fn dialect(name: &str) -> Result<DialectOf<P>, SessionError> {
        DialectOf::<P>::from_name(name).ok_or_else(|| {
            let names: Vec<_> = DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect();
            let (game, names) = (P::Game::NAME, names.join(", "));
            SessionError::new(format!("{game} has no notation {name:?}: choose one of {names}"))
        })
    }

    /// Returns whether a text is a null move in a dialect.
    fn is_null_text(text: &str, dialect: DialectOf<P>) -> bool {
        match dialect == DialectOf::<P>::ALL[0] {
            true => text == NULL_MOVE_COORDINATES,
            false => <P::Game as GameProfile<P>>::HAS_NULL_TEXT && is_null_move(text),
        }
    }

    /// Parses a legal move in a dialect, or a null move.
    ///
    /// # Errors
    /// Returns an error with the reason if the text is no legal move, or fits several.
    pub fn parse_in(&self, text: &str, dialect: DialectOf<P>) -> Result<WrittenMove<P>, SessionError> {
        if Self::is_null_text(text, dialect) {
            return Ok(None);
        }
        let position = self.game.position();
        let mv = NotationOf::<P>::parse_move(position, text, dialect)
            .map_err(|error| SessionError::from(&error))?;
        Ok(Some(Self::written_move(position, mv)))
    }

    /// Parses a legal move in the first dialect that can read it, the preferred one before the others in their order.
    ///
    /// # Errors
    /// Returns an error with the reason if the text is no legal move, or fits several.
    pub fn parse_any(&self, text: &str, preferred: DialectOf<P>) -> Result<WrittenMove<P>, SessionError> {
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
    pub fn parse_coordinates(text: &str) -> Result<WrittenMove<P>, SessionError> {
        if text == NULL_MOVE_COORDINATES {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| {
            let expected = DialectOf::<P>::ALL[0].expected_form();
            let message = format!("cannot read {text:?} as a move: expected {expected}");
            SessionError::with_kind(ErrorKind::InvalidMove, message)
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
    pub fn move_from_bits(bits: u32) -> Result<WrittenMove<P>, SessionError> {
        if bits == 0 {
            return Ok(None);
        }
        let narrow = <MoveOf<P> as alfil_kernel::Move>::Bits::from_u64(bits.into());
        let is_narrow = narrow.to_u64() == u64::from(bits);
        let mv = MoveOf::<P>::from_bits(narrow).filter(|_| is_narrow);
        mv.map(Some).ok_or_else(|| {
            let message = format!("the number {bits} encodes no move of {}", P::Game::NAME);
            SessionError::with_kind(ErrorKind::InvalidMove, message)
        })
    }

    /// Formats a legal move in a dialect.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    pub fn format(&self, written: WrittenMove<P>, dialect: DialectOf<P>) -> Result<String, SessionError> {
        if written.is_none() {
            // In Othello `--` is a pass.
            let is_coordinates =
                dialect == DialectOf::<P>::ALL[0] || !<P::Game as GameProfile<P>>::HAS_NULL_TEXT;
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
    ) -> Result<Vec<String>, SessionError> {
        let (texts, refused) = self.format_moves(line, dialect, |_, &written| Ok(written));
        refused.map_or(Ok(texts), Err)
    }

    /// Formats the moves that `read` returns for the items of a line, each on the board after those before it, up to
    /// the first that is not legal there, and returns the error of that one, too.
    pub(crate) fn format_moves<T>(
        &self,
        line: &[T],
        dialect: DialectOf<P>,
        read: impl Fn(&Self, &T) -> Result<WrittenMove<P>, SessionError>,
    ) -> (Vec<String>, Option<SessionError>) {
        let (mut board, mut texts) = (self.clone(), Vec::with_capacity(line.len()));
        for item in line {
            let formatted = read(&board, item).and_then(|written| {
                let text = board.format(written, dialect)?;
                board.push(written)?;
                Ok(text)
            });
            match formatted {
                Ok(text) => texts.push(text),
                Err(error) => return (texts, Some(error)),
            }
        }
        (texts, None)
    }

    /// Returns the letter of the piece that a legal move captures.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    pub fn captured_piece(&self, written: WrittenMove<P>) -> Result<Option<char>, SessionError> {
        let captured = self.game.position().captured_piece(self.legal(written)?);
        Ok(captured.map(|piece| piece.letter()))
    }

    /// Returns whether a legal move gives check.
    ///
    /// # Errors
    /// Returns an error if the move is not legal.
    pub fn gives_check(&self, written: WrittenMove<P>) -> Result<bool, SessionError> {
        let mut position = self.game.position().clone();
        position.make(self.legal(written)?, &mut ());
        Ok(position.in_check())
    }

    /// Returns the end of the game under these rules; none if it continues.
    pub fn end(&self, rules: &RulesOf<P>) -> Option<GameEnd> {
        Some(describe_end(self.game.position(), &rules.judge(&self.game)?))
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
    pub fn piece_at(&self, square: &str) -> Result<Option<char>, SessionError> {
        let square = Self::parse_square(square)?;
        Ok(self.game.position().piece_on(square).map(|piece| piece.letter()))
    }

    /// Returns the squares of the pieces of a side that attack a square, or protect it, pinned pieces included.
    pub fn attackers(&self, square: SquareOf<P>, by: Side) -> Vec<SquareOf<P>> {
        <P::Game as GameProfile<P>>::attackers(self.game.position(), square, by)
    }

    /// Returns the ways of entering a legal move on a drawn board, with all that it changes there: one, or one for each
    /// square that stands for it.
    pub fn targets(&self, mv: MoveOf<P>) -> impl Iterator<Item = Target> {
        let position = self.game.position();
        let mut recorder = ChangeRecorder::default();
        position.clone().make(mv, &mut recorder);
        let target = Target {
            from: mv.origin().map(|square| square.to_string()),
            to: None,
            text: format_default(position, mv),
            board_changes: recorder.0,
            promotion: <P::Game as GameProfile<P>>::promotion_letter(mv),
        };
        let squares = <P::Game as GameProfile<P>>::target_squares(position, mv);
        let mut squares: Vec<_> = squares.iter().map(|square| Some(square.to_string())).collect();
        if squares.is_empty() {
            squares.push(None);
        }
        squares.into_iter().map(move |to| Target { to, ..target.clone() })
    }

    /// Returns the castling rights.
    pub fn castling_rights(&self) -> Vec<CastlingRight> {
        let rights = <P::Game as GameProfile<P>>::castling_rights(self.game.position()).into_iter();
        let right = |(side, rook, is_kingside): (Side, SquareOf<P>, bool)| CastlingRight {
            side,
            rook: rook.to_string(),
            is_kingside,
        };
        rights.map(right).collect()
    }

    /// Returns the square behind a pawn that has just moved two squares, if a pawn of the side to move attacks it.
    pub fn en_passant_square(&self) -> Option<SquareOf<P>> {
        <P::Game as GameProfile<P>>::en_passant_square(self.game.position())
    }

    /// Returns the square of a name.
    ///
    /// # Errors
    /// Returns an error if the game has no such square.
    pub fn parse_square(name: &str) -> Result<SquareOf<P>, SessionError> {
        let error = || SessionError::new(format!("{} has no square {name:?}", P::Game::NAME));
        SquareOf::<P>::from_name(name).ok_or_else(error)
    }

    /// Returns the issues of a position text: the name, the sentence, and whether the issue can be waived.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    pub fn issues(text: &str) -> Result<Vec<(&'static str, String, bool)>, SessionError> {
        let issues = Self::parse_setup(text).map_err(|error| SessionError::from(&error))?.issues();
        Ok(issues.iter().map(|issue| (issue.name(), issue.to_string(), issue.is_waivable())).collect())
    }
}

/// Records the changes of a move on the board.
#[derive(Debug, Default)]
pub(crate) struct ChangeRecorder(pub(crate) Vec<BoardChange>);

impl<G: Game> BoardObserver<G> for ChangeRecorder {
    fn put(&mut self, square: G::Square, piece: G::Piece) {
        self.0.push(BoardChange::Put(square.to_string(), piece.letter()));
    }

    fn remove(&mut self, square: G::Square, piece: G::Piece) {
        self.0.push(BoardChange::Remove(square.to_string(), piece.letter()));
    }

    fn flip(&mut self, square: G::Square, piece: G::Piece) {
        self.0.push(BoardChange::Flip(square.to_string(), piece.letter()));
    }
}

#[cfg(test)]
mod tests;

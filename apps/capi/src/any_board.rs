//! A board of any game: the object behind a board handle, written once over the boards of the three games.

use std::sync::Mutex;
use std::sync::mpsc::Receiver;

use alfil_engine::{BoardEngine, SearchEvent, SearchHandle};
use alfil_kernel::{Game as _, Move as _, MoveCounters, MoveOf, Outcome, Side, Square as _};
use alfil_session::game_board::{BoardError, BoardProfile, GameBoard};
use alfil_session::game_profile::{DialectOf, GameProfile};
use alfil_session::render::{self, PieceStyle};
use alfil_session::typed_session::TypedSession;
use alfil_session::{GameEnd, GameSession, Ruling, RulingRequest, SearchLimits, SessionError};

use crate::status::Error;

/// Evaluates an expression with `$board` as the type of the board of a game.
macro_rules! for_game {
    ($name:expr, $board:ident => $value:expr) => {
        match $name {
            "xiangqi" => {
                type $board = alfil_xiangqi::Bitboard;
                $value
            }
            "chess" => {
                type $board = alfil_chess::Bitboard;
                $value
            }
            "othello" => {
                type $board = alfil_othello::Bitboard;
                $value
            }
            other => Err($crate::any_board::no_game(other)),
        }
    };
}
pub(crate) use for_game;

/// The error of an unknown game.
pub(crate) fn no_game(name: &str) -> Error {
    Error::argument(format!("there is no game {name:?}: the games are xiangqi, chess, othello"))
}

/// The object of a board handle.
pub(crate) type BoardObject = Mutex<Box<dyn AnyBoard>>;

/// Returns the number of a move in coordinates.
pub(crate) type BitsFn = fn(&str) -> u32;

/// A board of any game. Moves are numbers: the bits of the move, 0 for a null move.
pub(crate) trait AnyBoard: Send {
    fn clone_box(&self) -> Box<dyn AnyBoard>;
    fn game(&self) -> &'static str;
    fn fen(&self) -> String;
    fn start_fen(&self) -> String;
    fn side_to_move(&self) -> Side;
    fn hash_key(&self) -> u64;
    /// Returns what equal positions have in common: the hash key, the counters and the pieces.
    fn identity(&self) -> (u64, MoveCounters, Vec<(usize, char)>);
    fn occurrences(&self) -> usize;
    fn played_moves(&self) -> Vec<u32>;
    fn legal_moves(&self) -> Vec<u32>;
    fn is_legal(&self, mv: u32) -> bool;
    fn is_check(&self) -> bool;
    fn is_capture(&self, mv: u32) -> Result<bool, BoardError>;
    fn gives_check(&self, mv: u32) -> Result<bool, BoardError>;
    fn push(&mut self, mv: u32) -> Result<(), BoardError>;
    fn pop(&mut self) -> Result<u32, BoardError>;
    fn parse(&self, text: &str, notation: Option<&str>) -> Result<u32, BoardError>;
    fn format_line(&self, moves: &[u32], notation: Option<&str>) -> Result<Vec<String>, BoardError>;
    fn piece_at(&self, square: &str) -> Result<Option<char>, BoardError>;
    /// Returns the letter of the piece on each square, `.` on empty ones.
    fn pieces(&self) -> Vec<u8>;
    fn end(&self, rules: Option<&str>) -> Result<Option<GameEnd>, BoardError>;
    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, Error>;
    fn text(&self, style: PieceStyle) -> String;
    fn svg(&self) -> String;
    /// Returns a new session at this position.
    fn session(&self) -> Box<dyn GameSession>;
    /// Starts a search of this position by an engine.
    fn start(
        &self,
        engine: &BoardEngine,
        limits: &SearchLimits,
    ) -> Result<(SearchHandle, Receiver<SearchEvent>), SessionError>;
    fn static_eval(&self, engine: &BoardEngine) -> Result<i32, SessionError>;
    /// Returns the function from a move in coordinates to its number; 0 for a text that is none, which no search sends.
    fn bits(&self) -> BitsFn;
}

/// Returns the dialect of a name, or the one that people write.
pub(crate) fn written_dialect<P: BoardProfile>(name: Option<&str>) -> Result<DialectOf<P>, BoardError>
where
    P::Game: GameProfile<P>,
{
    name.map_or_else(|| Ok(P::written_dialect()), GameBoard::<P>::dialect)
}

impl<P: BoardProfile + Send + 'static> AnyBoard for GameBoard<P>
where
    P::Game: GameProfile<P>,
    GameBoard<P>: Send,
    TypedSession<P>: GameSession,
{
    fn clone_box(&self) -> Box<dyn AnyBoard> {
        Box::new(self.clone())
    }

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

    fn parse(&self, text: &str, notation: Option<&str>) -> Result<u32, BoardError> {
        let mv = match notation {
            Some(name) => self.parse_in(text, Self::dialect(name)?),
            None => self.parse_any(text, P::written_dialect()),
        };
        mv.map(Self::move_bits)
    }

    fn format_line(&self, moves: &[u32], notation: Option<&str>) -> Result<Vec<String>, BoardError> {
        let dialect = written_dialect::<P>(notation)?;
        let line = moves.iter().map(|&mv| Self::move_from_bits(mv)).collect::<Result<Vec<_>, _>>()?;
        match line[..] {
            // One move needs no copy of the board.
            [mv] => Ok(vec![self.format(mv, dialect)?]),
            _ => self.format_line(&line, dialect),
        }
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

    fn ruling(&self, request: &RulingRequest) -> Result<Ruling, Error> {
        let dialect = match &request.dialect {
            Some(name) => Self::dialect(name)?,
            None => <DialectOf<P> as alfil_kernel::Dialect>::ALL[0],
        };
        let Some(rulesets) = <P::Game as GameProfile<P>>::RULESETS else {
            return Err(Error::argument(format!("{} has no rulesets on repetitions", P::Game::NAME)));
        };
        Ok((rulesets.ruling)(self.history(), request, dialect)?)
    }

    fn text(&self, style: PieceStyle) -> String {
        let session = self.to_session();
        render::render_text(session.appearance(), &session.view(), style)
    }

    fn svg(&self) -> String {
        let session = self.to_session();
        render::render_svg(session.appearance(), &session.view())
    }

    fn session(&self) -> Box<dyn GameSession> {
        Box::new(self.to_session())
    }

    fn start(
        &self,
        engine: &BoardEngine,
        limits: &SearchLimits,
    ) -> Result<(SearchHandle, Receiver<SearchEvent>), SessionError> {
        engine.start(self.history().clone(), limits)
    }

    fn static_eval(&self, engine: &BoardEngine) -> Result<i32, SessionError> {
        engine.static_eval(self.history().clone())
    }

    fn bits(&self) -> BitsFn {
        |text| Self::parse_coordinates(text).map_or(0, Self::move_bits)
    }
}

/// Returns the indices of the squares of a move, -1 where it has none, and the letter of a promotion.
pub(crate) fn move_squares<P: BoardProfile>(mv: Option<MoveOf<P>>) -> (i32, i32, Option<char>)
where
    P::Game: GameProfile<P>,
{
    let index = |square: Option<alfil_kernel::SquareOf<P>>| square.map_or(-1, |square| square.index() as i32);
    let Some(mv) = mv else { return (-1, -1, None) };
    let promotion = <P::Game as GameProfile<P>>::promotion_letter(mv);
    (index(mv.origin()), index(mv.target()), promotion.map(|letter| letter.to_ascii_lowercase()))
}

/// Returns the number of a side in C.
pub(crate) fn side_number(side: Side) -> i32 {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

/// Returns an outcome of its number in C; none for an unknown result.
///
/// # Errors
/// Returns an error if the number is no result.
pub(crate) fn outcome_of_number(number: i32) -> Result<Option<Outcome>, Error> {
    match number {
        0 => Ok(None),
        1 => Ok(Some(Outcome::Win(Side::First))),
        2 => Ok(Some(Outcome::Win(Side::Second))),
        3 => Ok(Some(Outcome::Draw)),
        _ => Err(Error::argument(format!("{number} is no result: choose one of alfil_result"))),
    }
}

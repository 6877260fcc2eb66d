//! A board of any game: the object behind a board handle, written once over the boards of the three games.

use std::sync::Mutex;
use std::sync::mpsc::Receiver;

use alfil_engine::{BoardEngine, SearchEvent, SearchHandle};
use alfil_kernel::{Move as _, MoveOf, Outcome, Side, Square as _};
use alfil_session::any_board::AnyBoard;
use alfil_session::game_board::{BoardProfile, GameBoard};
use alfil_session::game_profile::GameProfile;
use alfil_session::render::PieceStyle;
use alfil_session::typed_session::TypedSession;
use alfil_session::{GameSession, SearchLimits, SessionError};

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

/// Returns the error of an unknown game.
pub(crate) fn no_game(name: &str) -> Error {
    Error::argument(format!("there is no game {name:?}: the games are xiangqi, chess, othello"))
}

/// The object of a board handle.
pub(crate) type BoardObject = Mutex<Box<dyn CBoard>>;

/// Returns the bits of a move in coordinates, by which C knows a move.
pub(crate) type BitsFn = fn(&str) -> u32;

/// A board of any game as the functions of C use it.
pub(crate) trait CBoard: AnyBoard {
    fn clone_box(&self) -> Box<dyn CBoard>;
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
    /// Returns the function from a move in coordinates to its bits; 0 for a text that is none, which no search sends.
    fn bits(&self) -> BitsFn;
}

impl<P: BoardProfile + Send + 'static> CBoard for GameBoard<P>
where
    P::Game: GameProfile<P>,
    GameBoard<P>: Send,
    TypedSession<P>: GameSession,
{
    fn clone_box(&self) -> Box<dyn CBoard> {
        Box::new(self.clone())
    }

    fn text(&self, style: PieceStyle) -> String {
        self.to_text(style)
    }

    fn svg(&self) -> String {
        self.to_svg()
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
        _ => Err(Error::argument(format!("{number} is no result: choose one of alfil_game_result"))),
    }
}

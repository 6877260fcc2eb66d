//! Moves, squares and notations of a game, without a board.

use std::ffi::c_char;
use std::ptr;

use alfil_kernel::{Dialect as _, SquareOf};
use alfil_session::game_board::GameBoard;
use alfil_session::game_profile::DialectOf;

use crate::any_board::{for_game, move_squares};
use crate::memory::{Out, Text, give_text};
use crate::results::{Texts, give_texts};
use crate::status::{Error, Status, guard};

/// A move of any game as a number, its encoding in bits. It is a move only together with its game: in another game the
/// same number is another move, or none.
pub type RawMove = u32;

/// More moves than any position has.
pub const MAX_MOVES: usize = 256;

/// The null move, which passes the turn.
pub const NULL_MOVE: RawMove = 0;

/// Gives the names of the notations of a game; the first is that of coordinates. The list belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_notations(game: Text, out_names: Out<*const Texts>) -> Status {
    guard(|| {
        let out = out_names.start("out_names", ptr::null())?;
        let names = for_game!(game.required("game")?, P => {
            Ok::<_, Error>(DialectOf::<P>::ALL.iter().map(|dialect| dialect.name()).collect::<Vec<_>>())
        })?;
        out.set(give_texts(names));
        Ok(())
    })
}

/// Gives the names of the rulesets by which repetitions of a game are judged, the one for play between people first;
/// empty for games that have none. The list belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_rulesets(game: Text, out_names: Out<*const Texts>) -> Status {
    guard(|| {
        let out = out_names.start("out_names", ptr::null())?;
        let session = alfil_session::registry::open(game.required("game")?, None)?;
        out.set(give_texts(session.rulesets()));
        Ok(())
    })
}

/// Writes a move in coordinates: `e2e4`, in xiangqi `h2e2` with ranks from 0, in Othello `f5` or `pass`; `0000` for the
/// null move. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_move_text(game: Text, mv: RawMove, out_text: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_text.start("out_text", ptr::null_mut())?;
        let text = for_game!(game.required("game")?, P => {
            GameBoard::<P>::move_from_bits(mv).map(GameBoard::<P>::move_text).map_err(Error::from)
        })?;
        out.set(give_text(&text));
        Ok(())
    })
}

/// Reads a move in coordinates, legal or not.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_move_parse(game: Text, text: Text, out_move: Out<RawMove>) -> Status {
    guard(|| {
        let out = out_move.start("out_move", 0)?;
        let (game, text) = (game.required("game")?, text.required("text")?);
        out.set(for_game!(game, P => {
            GameBoard::<P>::parse_coordinates(text).map(GameBoard::<P>::move_bits).map_err(Error::from)
        })?);
        Ok(())
    })
}

/// Gives the indices of the squares that a move leaves and reaches, -1 where it has none (a pass, a new disc), and the
/// lower-case letter of the piece promoted to, or 0. Each of the three places may be NULL. If the call fails, the
/// squares are -1.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_move_squares(
    game: Text,
    mv: RawMove,
    out_from: Out<i32>,
    out_to: Out<i32>,
    out_promotion: Out<c_char>,
) -> Status {
    guard(|| {
        let (from, to) = (out_from.start_optional(-1), out_to.start_optional(-1));
        let promotion = out_promotion.start_optional(0);
        let (origin, target, letter) = for_game!(game.required("game")?, P => {
            GameBoard::<P>::move_from_bits(mv).map(move_squares::<P>).map_err(Error::from)
        })?;
        from.set(origin);
        to.set(target);
        promotion.set(letter.map_or(0, |letter| letter as u8 as c_char));
        Ok(())
    })
}

/// Gives the name of the square with an index. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_square_name(game: Text, index: usize, out_name: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_name.start("out_name", ptr::null_mut())?;
        let game = game.required("game")?;
        let name = for_game!(game, P => {
            let square = SquareOf::<P>::from_index(index).map(|square| square.to_string());
            square.ok_or_else(|| Error::argument(format!("{game} has no square {index}")))
        })?;
        out.set(give_text(&name));
        Ok(())
    })
}

/// Gives the index of the square with a name.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_square_index(game: Text, name: Text, out_index: Out<usize>) -> Status {
    guard(|| {
        let out = out_index.start("out_index", 0)?;
        let (game, name) = (game.required("game")?, name.required("name")?);
        out.set(for_game!(game, P => {
            GameBoard::<P>::parse_square(name).map(|square| square.index()).map_err(Error::from)
        })?);
        Ok(())
    })
}

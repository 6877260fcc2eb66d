//! Moves, squares and notations of a game, without a board.

use std::ffi::c_char;
use std::ptr;

use alfil_session::registry;

use crate::arena::{Texts, give_texts};
use crate::memory::{Out, Text, give_text};
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
        out.set(give_texts(registry::board_game(game.required("game")?)?.dialects()));
        Ok(())
    })
}

/// Gives the names of the rulesets by which repetitions of a game are judged, the one for play between people first;
/// empty for games that have none. The list belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_rulesets(game: Text, out_names: Out<*const Texts>) -> Status {
    guard(|| {
        let out = out_names.start("out_names", ptr::null())?;
        let rulesets = registry::info(game.required("game")?)?.rulesets;
        out.set(give_texts(rulesets.iter().map(|ruleset| ruleset.name)));
        Ok(())
    })
}

/// Writes a move in coordinates: `e2e4`, in xiangqi `h2e2` with ranks from 0, in Othello `f5` or `pass`; `0000` for the
/// null move. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_move_text(game: Text, mv: RawMove, out_text: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_text.start("out_text", ptr::null_mut())?;
        out.set(give_text(&registry::board_game(game.required("game")?)?.move_squares(mv)?.text));
        Ok(())
    })
}

/// Reads a move in coordinates, legal or not.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_move_parse(game: Text, text: Text, out_move: Out<RawMove>) -> Status {
    guard(|| {
        let out = out_move.start("out_move", 0)?;
        let (game, text) = (game.required("game")?, text.required("text")?);
        out.set(registry::board_game(game)?.parse_coordinates(text)?);
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
        let game = registry::board_game(game.required("game")?)?;
        let squares = game.move_squares(mv)?;
        let index = |square: Option<String>| {
            square.map_or(Ok(-1), |name| game.square_index(&name).map(|index| index as i32))
        };
        let (origin, target) = (index(squares.origin)?, index(squares.target)?);
        from.set(origin);
        to.set(target);
        promotion.set(squares.promotion.map_or(0, |letter| letter as u8 as c_char));
        Ok(())
    })
}

/// Gives the name of the square with an index. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_square_name(game: Text, index: usize, out_name: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_name.start("out_name", ptr::null_mut())?;
        let game = game.required("game")?;
        let name = registry::board_game(game)?.square_name(index);
        let error = || Error::argument(format!("{game} has no square {index}"));
        out.set(give_text(&name.ok_or_else(error)?));
        Ok(())
    })
}

/// Gives the index of the square with a name.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_square_index(game: Text, name: Text, out_index: Out<usize>) -> Status {
    guard(|| {
        let out = out_index.start("out_index", 0)?;
        let (game, name) = (game.required("game")?, name.required("name")?);
        out.set(registry::board_game(game)?.square_index(name)?);
        Ok(())
    })
}

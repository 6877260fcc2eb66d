//! Positions that are set up piece by piece.

use std::ffi::c_char;
use std::ptr;
use std::sync::{Arc, Mutex};

use alfil_kernel::Side;
use alfil_session::board_setup::AnySetup;
use alfil_session::{SessionError, registry};

use crate::arena::{Texts, give_texts};
use crate::board::{Board, give_board, names, with_board};
use crate::handles::{self, Kind};
use crate::memory::{Out, Text, give, give_text};
use crate::position::issue_texts;
use crate::status::{Error, Status, guard};

/// A position that is set up, perhaps impossible, of any of the three games.
#[derive(Debug)]
pub struct Setup {
    /// Gives each handle an address of its own.
    _memory: u64,
}

/// The object of a setup handle.
type SetupObject = Mutex<Box<dyn AnySetup>>;

fn give_setup(setup: Box<dyn AnySetup>) -> *mut Setup {
    let object: Arc<SetupObject> = Arc::new(Mutex::new(setup));
    give(Setup { _memory: 0 }, Kind::Setup, object)
}

/// Calls `action` with the setup of a handle.
fn with_setup<R>(
    setup: *const Setup,
    action: impl FnOnce(&mut dyn AnySetup) -> Result<R, Error>,
) -> Result<R, Error> {
    let object = handles::find::<SetupObject>(setup.cast(), Kind::Setup)?;
    let mut setup = handles::lock(&object, Kind::Setup)?;
    action(&mut **setup)
}

/// Changes a setup.
fn change(
    setup: *mut Setup,
    action: impl FnOnce(&mut dyn AnySetup) -> Result<Result<(), SessionError>, Error>,
) -> Status {
    guard(|| with_setup(setup, |setup| Ok(action(setup)??)))
}

/// Returns the side of a number of C.
///
/// # Errors
/// Returns an error if the number is no side.
pub(crate) fn side_of_number(side: i32) -> Result<Side, Error> {
    match side {
        0 => Ok(Side::First),
        1 => Ok(Side::Second),
        _ => {
            Err(Error::argument(format!("{side} is no side: choose 0 for the one with the first move, or 1")))
        }
    }
}

/// Returns the letter of a piece, or 0, as C has it.
fn c_letter(letter: Option<char>) -> c_char {
    letter.map_or(0, |letter| letter as u8 as c_char)
}

/// Makes a setup of a position text (see alfil_board_new), whatever issues it has; NULL is the start position.
///
/// The caller owns the setup and frees it with alfil_setup_free.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_new(game: Text, fen: Text, out_setup: Out<*mut Setup>) -> Status {
    guard(|| {
        let out = out_setup.start("out_setup", ptr::null_mut())?;
        let game = registry::board_game(game.required("game")?)?;
        out.set(give_setup(game.setup(fen.optional("fen")?)?));
        Ok(())
    })
}

/// Makes a setup of the position of a board, without its moves. The caller owns the setup.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_setup(board: *const Board, out_setup: Out<*mut Setup>) -> Status {
    guard(|| {
        let out = out_setup.start("out_setup", ptr::null_mut())?;
        out.set(give_setup(with_board(board, |board| Ok(board.to_setup()))?));
        Ok(())
    })
}

/// Frees a setup. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_free(setup: *mut Setup) -> Status {
    guard(|| handles::free(setup.cast(), Kind::Setup))
}

/// Removes all pieces and rights; the side with the first move is to move, and the counters begin anew.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_clear(setup: *mut Setup) -> Status {
    change(setup, |setup| {
        setup.clear();
        Ok(Ok(()))
    })
}

/// Puts the piece with a letter (see alfil_board_piece_at) on a square, in place of one that is there. In chess, rights
/// that are impossible then are lost: castling without king or rook, a capture en passant without the pawn.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_put(setup: *mut Setup, square: Text, letter: c_char) -> Status {
    change(setup, |setup| Ok(setup.put(square.required("square")?, letter as u8 as char).map(drop)))
}

/// Removes the piece on a square. Rights are lost as by alfil_setup_put. `out_letter` receives the letter of the piece,
/// 0 if there was none, and may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_remove(setup: *mut Setup, square: Text, out_letter: Out<c_char>) -> Status {
    guard(|| {
        let out = out_letter.start_optional(0);
        let square = square.required("square")?;
        out.set(c_letter(with_setup(setup, |setup| Ok(setup.remove(square)?))?));
        Ok(())
    })
}

/// Gives the letter of the piece on a square: see alfil_board_piece_at.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_piece_at(setup: *const Setup, square: Text, out_letter: Out<c_char>) -> Status {
    guard(|| {
        let out = out_letter.start("out_letter", 0)?;
        let square = square.required("square")?;
        out.set(c_letter(with_setup(setup, |setup| Ok(setup.piece_at(square)?))?));
        Ok(())
    })
}

/// Lets a side move: 0 is the one with the first move (White, Red, in Othello Black), 1 the other.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_set_side_to_move(setup: *mut Setup, side: i32) -> Status {
    change(setup, |setup| {
        setup.set_side_to_move(side_of_number(side)?);
        Ok(Ok(()))
    })
}

/// Sets the castling rights of chess as FEN writes them: "KQkq", "-", or the files of the rooks, as in Chess960.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_set_castling_rights(setup: *mut Setup, rights: Text) -> Status {
    change(setup, |setup| Ok(setup.set_castling_rights(rights.required("rights")?)))
}

/// Sets the square behind a pawn that has just moved two squares; NULL for none.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_set_en_passant(setup: *mut Setup, square: Text) -> Status {
    change(setup, |setup| Ok(setup.set_en_passant_square(square.optional("square")?)))
}

/// Gives the position text. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_fen(setup: *const Setup, out_fen: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_fen.start("out_fen", ptr::null_mut())?;
        out.set(give_text(&with_setup(setup, |setup| Ok(setup.text()))?));
        Ok(())
    })
}

/// Gives the issues of the position: see alfil_position_issues. The list belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_issues(setup: *const Setup, out_issues: Out<*const Texts>) -> Status {
    guard(|| {
        let out = out_issues.start("out_issues", ptr::null())?;
        out.set(give_texts(issue_texts(with_setup(setup, |setup| Ok(setup.issues()))?)));
        Ok(())
    })
}

/// Makes a board of the position. `waive` is as for alfil_board_new. The board belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_setup_board(setup: *const Setup, waive: Text, out_board: Out<*mut Board>) -> Status {
    guard(|| {
        let out = out_board.start("out_board", ptr::null_mut())?;
        let waived = names(waive.optional("waive")?);
        out.set(give_board(with_setup(setup, |setup| Ok(setup.open(&waived)?))?));
        Ok(())
    })
}

//! Boards: making, reading, and playing moves.

use std::ffi::c_char;
use std::ptr;
use std::sync::{Arc, Mutex};

use alfil_chess::Setup as ChessSetup;
use alfil_kernel::{Setup as _, Side};
use alfil_session::{AnyBoard, registry};

use crate::arena::{Texts, give_texts};
use crate::handles::{self, Kind};
use crate::memory::{Items, Out, Text, give, give_text};
use crate::moves::RawMove;
use crate::position::is_chinese;
use crate::setup::side_of_number;
use crate::status::{Error, Status, guard};

/// A position with the moves that led to it, of any of the three games.
#[derive(Debug)]
pub struct Board {
    /// Gives each handle an address of its own.
    _memory: u64,
}

/// The object of a board handle.
pub(crate) type BoardObject = Mutex<Box<dyn AnyBoard>>;

/// Gives C a board.
pub(crate) fn give_board(board: Box<dyn AnyBoard>) -> *mut Board {
    let object: Arc<BoardObject> = Arc::new(Mutex::new(board));
    give(Board { _memory: 0 }, Kind::Board, object)
}

/// Calls `read` with the board of a handle.
pub(crate) fn with_board<R>(
    board: *const Board,
    read: impl FnOnce(&mut dyn AnyBoard) -> Result<R, Error>,
) -> Result<R, Error> {
    let object = handles::find::<BoardObject>(board.cast(), Kind::Board)?;
    let mut board = handles::lock(&object, Kind::Board)?;
    read(&mut **board)
}

/// Returns the names of a list, separated by spaces or commas.
pub(crate) fn names(list: Option<&str>) -> Vec<&str> {
    list.into_iter().flat_map(|list| list.split([',', ' '])).filter(|name| !name.is_empty()).collect()
}

/// Makes a board. `game` is "xiangqi", "chess" or "othello". `fen` is a FEN, an EPD, in Othello also a board string;
/// NULL is the start position. Chess960 needs no switch. `waive` names issues of the position to accept, separated by
/// spaces ("all" accepts every one that can be waived), or is NULL: see alfil_position_issues.
///
/// The caller owns the board and frees it with alfil_board_free.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_new(game: Text, fen: Text, waive: Text, out_board: Out<*mut Board>) -> Status {
    guard(|| {
        let out = out_board.start("out_board", ptr::null_mut())?;
        let (game, fen) = (game.required("game")?, fen.optional("fen")?);
        let waived = names(waive.optional("waive")?);
        let board = registry::board_game(game)?.open(fen, &waived)?;
        out.set(give_board(board));
        Ok(())
    })
}

/// Makes a board at the start position of Chess960 with this number, 0 to 959; 518 is the position of chess.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_new_chess960(number: u32, out_board: Out<*mut Board>) -> Status {
    guard(|| {
        let out = out_board.start("out_board", ptr::null_mut())?;
        let message = || Error::argument(format!("Chess960 has no position {number}: choose 0 to 959"));
        let setup = ChessSetup::chess960(number as usize).ok_or_else(message)?;
        out.set(give_board(registry::board_game("chess")?.open(Some(&setup.to_text()), &[])?));
        Ok(())
    })
}

/// Makes a board with the same position and the same moves. The two are independent.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_clone(board: *const Board, out_board: Out<*mut Board>) -> Status {
    guard(|| {
        let out = out_board.start("out_board", ptr::null_mut())?;
        out.set(give_board(with_board(board, |board| Ok(board.clone_board()))?));
        Ok(())
    })
}

/// Frees a board. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_free(board: *mut Board) -> Status {
    guard(|| handles::free(board.cast(), Kind::Board))
}

/// Gives the name of the game. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_game(board: *const Board, out_game: Out<*mut c_char>) -> Status {
    give_text_of(board, "out_game", out_game, |board| board.game().name().to_owned())
}

/// Gives the position text with its move counters. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_fen(board: *const Board, out_fen: Out<*mut c_char>) -> Status {
    give_text_of(board, "out_fen", out_fen, |board| board.fen())
}

/// Gives the text of the position before the first move. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_start_fen(board: *const Board, out_fen: Out<*mut c_char>) -> Status {
    give_text_of(board, "out_fen", out_fen, |board| board.start_fen())
}

fn give_text_of(
    board: *const Board,
    name: &str,
    out: Out<*mut c_char>,
    read: impl FnOnce(&dyn AnyBoard) -> String,
) -> Status {
    guard(|| {
        let out = out.start(name, ptr::null_mut())?;
        out.set(give_text(&with_board(board, |board| Ok(read(board)))?));
        Ok(())
    })
}

/// Gives a value of a board; a call that fails gives `start`.
fn give_value<T: Copy>(
    board: *const Board,
    name: &str,
    out: Out<T>,
    start: T,
    read: impl FnOnce(&dyn AnyBoard) -> Result<T, Error>,
) -> Status {
    guard(|| {
        let out = out.start(name, start)?;
        out.set(with_board(board, |board| read(board))?);
        Ok(())
    })
}

/// Gives the side to move: 0 for the side with the first move (White, Red, in Othello Black), 1 for the other.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_side_to_move(board: *const Board, out_side: Out<i32>) -> Status {
    give_value(board, "out_side", out_side, 0, |board| {
        Ok(match board.side_to_move() {
            Side::First => 0,
            Side::Second => 1,
        })
    })
}

/// Gives the hash key of the position. Equal positions have equal keys.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_hash_key(board: *const Board, out_key: Out<u64>) -> Status {
    give_value(board, "out_key", out_key, 0, |board| Ok(board.hash_key()))
}

/// Gives how often the position has occurred in the game, this time included.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_occurrences(board: *const Board, out_count: Out<usize>) -> Status {
    give_value(board, "out_count", out_count, 0, |board| Ok(board.occurrences()))
}

/// Gives whether the side to move is in check.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_is_check(board: *const Board, out_is_check: Out<bool>) -> Status {
    give_value(board, "out_is_check", out_is_check, false, |board| Ok(board.is_check()))
}

/// Gives whether a move is legal. A null move is not.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_is_legal(board: *const Board, mv: RawMove, out_is_legal: Out<bool>) -> Status {
    give_value(board, "out_is_legal", out_is_legal, false, |board| Ok(board.is_legal(mv)))
}

/// Gives whether a legal move captures a piece.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_is_capture(
    board: *const Board,
    mv: RawMove,
    out_is_capture: Out<bool>,
) -> Status {
    give_value(board, "out_is_capture", out_is_capture, false, |board| {
        Ok(board.captured_piece(mv)?.is_some())
    })
}

/// Gives whether a legal move gives check.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_gives_check(
    board: *const Board,
    mv: RawMove,
    out_gives_check: Out<bool>,
) -> Status {
    give_value(board, "out_gives_check", out_gives_check, false, |board| Ok(board.gives_check(mv)?))
}

/// Gives the letter of the piece on a square, given by its name, upper case for the first side (in Othello X for Black,
/// O for White); 0 if it is empty.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_piece_at(board: *const Board, square: Text, out_letter: Out<c_char>) -> Status {
    give_value(board, "out_letter", out_letter, 0, |board| {
        let letter = board.piece_at(square.required("square")?)?;
        Ok(letter.map_or(0, |letter| letter as u8 as c_char))
    })
}

/// Gives the names of the squares of the pieces of a side (0 or 1, as alfil_board_side_to_move gives it) that attack a
/// square, or protect it, pinned pieces included; none in Othello. The list belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_attackers(
    board: *const Board,
    square: Text,
    side: i32,
    out_squares: Out<*const Texts>,
) -> Status {
    give_value(board, "out_squares", out_squares, ptr::null(), |board| {
        Ok(give_texts(board.attackers(square.required("square")?, side_of_number(side)?)?))
    })
}

/// Gives whether a side of chess (0 or 1) has the right to castle with the rook on the king's side and with the one on
/// the queen's side. Each of the two places may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_castling_rights(
    board: *const Board,
    side: i32,
    out_kingside: Out<bool>,
    out_queenside: Out<bool>,
) -> Status {
    guard(|| {
        let kingside = out_kingside.start_optional(false);
        let queenside = out_queenside.start_optional(false);
        let side = side_of_number(side)?;
        for right in with_board(board, |board| Ok(board.castling_rights()))? {
            if right.side == side {
                if right.is_kingside { kingside.set(true) } else { queenside.set(true) }
            }
        }
        Ok(())
    })
}

/// Writes the letters of the pieces by the index of their squares into `letters`, `.` on empty squares, without a NUL:
/// at most `capacity` of them. `out_count` receives the number of squares.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_pieces(
    board: *const Board,
    letters: Out<c_char>,
    capacity: usize,
    out_count: Out<usize>,
) -> Status {
    give_array(board, letters, "letters", capacity, out_count, |board| {
        Ok(board.pieces().into_iter().map(|letter| letter as c_char).collect())
    })
}

/// Writes a list into an array of the caller, and its full length.
fn give_array<T: Copy>(
    board: *const Board,
    array: Out<T>,
    name: &str,
    capacity: usize,
    out_count: Out<usize>,
    read: impl FnOnce(&dyn AnyBoard) -> Result<Vec<T>, Error>,
) -> Status {
    guard(|| {
        let count = out_count.start("out_count", 0)?;
        let values = with_board(board, |board| read(board))?;
        array.array(capacity).fill(name, &values)?;
        count.set(values.len());
        Ok(())
    })
}

/// Writes the legal moves into `moves`, at most `capacity` of them; ALFIL_MAX_MOVES are always enough. `out_count`
/// receives the number of legal moves. Those that a ruleset of xiangqi refuses are among them: see
/// alfil_board_refused_moves.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_legal_moves(
    board: *const Board,
    moves: Out<RawMove>,
    capacity: usize,
    out_count: Out<usize>,
) -> Status {
    give_array(board, moves, "moves", capacity, out_count, |board| Ok(board.legal_moves()))
}

/// Writes the legal moves that a ruleset of xiangqi refuses in this game now into `moves`, at most `capacity` of them;
/// ALFIL_MAX_MOVES are always enough. `out_count` receives their number. `rules` is a ruleset (see alfil_rulesets), or
/// NULL for the one of play between people, which refuses none.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_refused_moves(
    board: *const Board,
    rules: Text,
    moves: Out<RawMove>,
    capacity: usize,
    out_count: Out<usize>,
) -> Status {
    give_array(board, moves, "moves", capacity, out_count, |board| {
        let refused = board.refused_moves(rules.optional("rules")?)?;
        Ok(refused.iter().map(|refused| refused.mv).collect())
    })
}

/// Gives why a ruleset of xiangqi refuses a legal move in this game now; NULL if it does not. `rules` is as for
/// alfil_board_refused_moves, `language` is "en" (or NULL) or "zh". The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_refusal(
    board: *const Board,
    mv: RawMove,
    rules: Text,
    language: Text,
    out_reason: Out<*mut c_char>,
) -> Status {
    give_value(board, "out_reason", out_reason, ptr::null_mut(), |board| {
        let (rules, in_chinese) = (rules.optional("rules")?, is_chinese(&language)?);
        // A move that is not legal is an error.
        board.captured_piece(mv)?;
        let refused = board.refused_moves(rules)?.into_iter().find(|refused| refused.mv == mv);
        Ok(refused.map_or(ptr::null_mut(), |refused| {
            give_text(if in_chinese { &refused.reason_zh } else { &refused.reason })
        }))
    })
}

/// Writes the moves played so far into `moves`, at most `capacity` of them. `out_count` receives their number.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_played_moves(
    board: *const Board,
    moves: Out<RawMove>,
    capacity: usize,
    out_count: Out<usize>,
) -> Status {
    give_array(board, moves, "moves", capacity, out_count, |board| Ok(board.played_moves()))
}

/// Plays a legal move; ALFIL_NULL_MOVE passes the turn, unless a side is in check. The board is unchanged if the call
/// fails.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_push(board: *mut Board, mv: RawMove) -> Status {
    guard(|| with_board(board, |board| Ok(board.push(mv)?)))
}

/// Reads and plays a legal move: see alfil_board_parse_move. `out_move` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_push_text(
    board: *mut Board,
    text: Text,
    notation: Text,
    out_move: Out<RawMove>,
) -> Status {
    guard(|| {
        let out = out_move.start_optional(0);
        let (text, notation) = (text.required("text")?, notation.optional("notation")?);
        out.set(with_board(board, |board| {
            let mv = board.parse(text, notation)?;
            board.push(mv)?;
            Ok(mv)
        })?);
        Ok(())
    })
}

/// Takes the last move back. `out_move` receives it, or may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_pop(board: *mut Board, out_move: Out<RawMove>) -> Status {
    guard(|| {
        let out = out_move.start_optional(0);
        out.set(with_board(board, |board| Ok(board.pop()?))?);
        Ok(())
    })
}

/// Reads a legal move in a notation: see alfil_notations. Without one (NULL), in the first notation that can read the
/// text: the one that people write (SAN, WXF, transcripts), then the others in their order.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_parse_move(
    board: *const Board,
    text: Text,
    notation: Text,
    out_move: Out<RawMove>,
) -> Status {
    give_value(board, "out_move", out_move, 0, |board| {
        Ok(board.parse(text.required("text")?, notation.optional("notation")?)?)
    })
}

/// Writes a legal move in a notation; without one (NULL), in the one that people write. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_format_move(
    board: *const Board,
    mv: RawMove,
    notation: Text,
    out_text: Out<*mut c_char>,
) -> Status {
    format_moves(board, &[mv], &notation, out_text)
}

/// Writes a line of moves from this position, separated by spaces. The text belongs to the caller.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_format_line(
    board: *const Board,
    moves: Items<RawMove>,
    count: usize,
    notation: Text,
    out_text: Out<*mut c_char>,
) -> Status {
    guard(|| {
        let out = out_text.start("out_text", ptr::null_mut())?;
        out.set(line_text(board, moves.slice("moves", count)?, &notation)?);
        Ok(())
    })
}

fn format_moves(board: *const Board, moves: &[u32], notation: &Text, out_text: Out<*mut c_char>) -> Status {
    guard(|| {
        let out = out_text.start("out_text", ptr::null_mut())?;
        out.set(line_text(board, moves, notation)?);
        Ok(())
    })
}

fn line_text(board: *const Board, moves: &[u32], notation: &Text) -> Result<*mut c_char, Error> {
    let notation = notation.optional("notation")?;
    let texts = with_board(board, |board| Ok(board.format_line(moves, notation)?))?;
    Ok(give_text(&texts.join(" ")))
}

/// Gives whether two boards have the same position with equal move counters. The boards may be the same.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_board_equal(
    board: *const Board,
    other: *const Board,
    out_is_equal: Out<bool>,
) -> Status {
    guard(|| {
        let out = out_is_equal.start("out_is_equal", false)?;
        // The boards are read one after the other, so that two calls with swapped boards cannot deadlock.
        let facts = |board| with_board(board, |board| Ok((board.game().name(), board.identity())));
        let (ours, theirs) = (facts(board)?, facts(other)?);
        out.set(ours == theirs);
        Ok(())
    })
}

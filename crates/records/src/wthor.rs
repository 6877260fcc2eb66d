//! WTHOR: the base of games of the Fédération Française d'Othello.
//!
//! A file of games (`.wtb`) has a header of 16 bytes and 68 bytes a game, which name tournament and players by numbers.
//! The numbers index a file of players (`.jou`) and a file of tournaments (`.trn`). Passes are not stored. Source: the
//! description of the base by the federation, and its files of 1977 to 2011.

use alfil_kernel::Position as _;
use alfil_othello::{Bitboard, Move, Othello, Square};

use crate::error::RecordErrorKind;
use crate::ggf::{black_margin, outcome_from_margin};
use crate::othello_recognition::{GAME_BYTES, HEADER_BYTES, Header, LARGE_BOARD};
use crate::parsed_game::ParsedGame;
use crate::tree_builder::{TreeBuilder, failed_game};

mod writer;

pub use crate::othello_recognition::Names;
pub(crate) use crate::othello_recognition::{PLAYER_BYTES, PLAYER_TAGS, TOURNAMENT_BYTES, TOURNAMENT_TAGS};
pub use writer::{Base, BaseHeader, format_base, format_games, format_text_base};

/// The tags with Black's discs at the end, and with those that Black would have after the best moves of both sides
/// from a number of empty squares on.
pub(crate) const DISCS_TAG: &str = "BlackDiscs";
pub(crate) const BEST_TAG: &str = "BlackBestDiscs";

/// Returns whether a file begins with the header of a base. Whether it is one depends on its length, too:
/// [`crate::FileFormat::detect`].
pub fn has_header(head: &[u8]) -> bool {
    Header::parse(head).is_some()
}

/// Parses the games of a `.wtb` file. Tags have the numbers of the tournament and the players; [`Names::complete`] adds
/// the names.
///
/// ```
/// use alfil_records::{transcript, wthor};
///
/// let games = transcript::parse_games(b"f5d6c3d3c4f4").map(|game| game.tree).collect::<Vec<_>>();
/// let bytes = wthor::format_games(&games)?;
/// let tree = wthor::parse_games(&bytes).remove(0).into_tree()?;
/// assert_eq!(transcript::format_game(&tree), "f5d6c3d3c4f4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_games(bytes: &[u8]) -> Vec<ParsedGame<Othello>> {
    let Some(header) = Header::parse(bytes) else {
        return vec![failed_game(1, 0, RecordErrorKind::UnexpectedEnd)];
    };
    if header.board_size == LARGE_BOARD {
        return vec![failed_game(1, 12, RecordErrorKind::OtherBoardSize(LARGE_BOARD))];
    }
    let records = &bytes[HEADER_BYTES..];
    let mut games = Vec::new();
    for (record, number) in records.chunks(GAME_BYTES).zip(1..) {
        let offset = HEADER_BYTES + (number as usize - 1) * GAME_BYTES;
        games.push(match record.first_chunk() {
            Some(record) => parse_record(&header, record, offset, number),
            None => failed_game(number, bytes.len(), RecordErrorKind::UnexpectedEnd),
        });
    }
    let (expected, found) = (u64::from(header.games), (records.len() / GAME_BYTES) as u64);
    if expected != found {
        games.push(failed_game(
            games.len() as u64 + 1,
            4,
            RecordErrorKind::WrongGameCount { expected, found },
        ));
    }
    games
}

fn parse_record(
    header: &Header,
    record: &[u8; GAME_BYTES],
    offset: usize,
    number: u64,
) -> ParsedGame<Othello> {
    let mut builder = match TreeBuilder::new(number, offset, alfil_kernel::Setup::start()) {
        Ok(builder) => builder,
        Err(failed) => return *failed,
    };
    let id = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]).to_string();
    let (discs, best) = (record[6], record[7]);
    let tags = &mut builder.tree.tags;
    if header.year > 0 {
        tags.push("Date", format!("{}.??.??", header.year));
    }
    tags.push(TOURNAMENT_TAGS.0, id(0));
    for ((tag, _), at) in PLAYER_TAGS.iter().zip([2, 4]) {
        tags.push(*tag, id(at));
    }
    tags.push(DISCS_TAG, discs.to_string());
    tags.push(BEST_TAG, format!("{best} from {} empty", header.best_from));
    let result = match discs {
        0..=64 => Ok(Some(outcome_from_margin(2 * i32::from(discs) - 64))),
        _ => Err(RecordErrorKind::unknown_result(&discs.to_string())),
    };
    builder.set_result(offset + 6, result);
    read_moves(&mut builder, &record[8..], offset + 8);
    let position = builder.position();
    let found = (black_margin(position) + 64) / 2;
    if position.has_no_legal_move() && found != i32::from(discs) {
        let expected = i32::from(discs);
        builder.warn(offset + 6, "", RecordErrorKind::WrongScore { expected, found });
    }
    builder.finish()
}

/// Plays the moves to the first zero, with the passes between them.
fn read_moves(builder: &mut TreeBuilder<Othello>, moves: &[u8], offset: usize) {
    let end = moves.iter().position(|&byte| byte == 0).unwrap_or(moves.len());
    for (&byte, offset) in moves[..end].iter().zip(offset..) {
        let Some(square) = square_from_byte(byte) else {
            return builder.fail(offset, &byte.to_string(), RecordErrorKind::ExpectedSquare);
        };
        let mv = Move::from_square(square);
        if builder.position().is_legal(Move::PASS)
            && let Err(kind) = builder.play(Move::PASS)
        {
            return builder.fail(offset, "pass", kind);
        }
        if let Err(kind) = builder.play(mv) {
            return builder.fail(offset, &mv.to_string(), kind);
        }
    }
    if let Some(after) = moves[end..].iter().position(|&byte| byte != 0) {
        let kind = RecordErrorKind::RestSkipped(moves[end..].iter().filter(|&&byte| byte != 0).count());
        builder.warn(offset + end + after, "", kind);
    }
}

/// Returns the square of a byte: 10 times the row, plus the column, both from 1.
fn square_from_byte(byte: u8) -> Option<Square> {
    Square::from_coordinates(isize::from(byte % 10) - 1, isize::from(byte / 10) - 1)
}

fn byte_from_square(square: Square) -> u8 {
    (10 * (square.rank() + 1) + square.file() + 1) as u8
}

/// Returns Black's discs at the end, empty squares to the winner.
fn black_discs(position: &Bitboard) -> u8 {
    ((black_margin(position) + 64) / 2) as u8
}

//! WTHOR: the base of games of the Fédération Française d'Othello.
//!
//! A file of games (`.wtb`) has a header of 16 bytes and 68 bytes a game, which name tournament and players by numbers.
//! The numbers index a file of players (`.jou`) and a file of tournaments (`.trn`). Passes are not stored. Source: the
//! description of the base by the federation, and its files of 1977 to 2011.

use alfil_kernel::Position as _;
use alfil_othello::{Bitboard, Move, Othello, Square};

use crate::charset::Charset;
use crate::error::RecordErrorKind;
use crate::ggf::{black_margin, outcome_from_margin};
use crate::input::Input;
use crate::parsed_game::ParsedGame;
use crate::tags::Tags;
use crate::tree_builder::{TreeBuilder, failed_game};

mod writer;

pub use writer::{Base, format_base, format_games};

/// The length of the header, and of a game on a board of 8 by 8.
pub(crate) const HEADER_BYTES: usize = 16;
pub(crate) const GAME_BYTES: usize = 68;

/// The length of a game on a board of 10 by 10.
const LARGE_GAME_BYTES: usize = 104;

/// The lengths of the names of players and of tournaments.
pub(crate) const PLAYER_BYTES: usize = 20;
pub(crate) const TOURNAMENT_BYTES: usize = 26;

/// The tags with the numbers of a game, and those with the names.
pub(crate) const TOURNAMENT_TAGS: (&str, &str) = ("EventId", "Event");
pub(crate) const PLAYER_TAGS: [(&str, &str); 2] = [("BlackId", "Black"), ("WhiteId", "White")];

/// The tags with Black's discs at the end, and with Black's best result and the number of empty squares from which on.
pub(crate) const DISCS_TAG: &str = "BlackDiscs";
pub(crate) const BEST_TAG: &str = "BlackBestDiscs";

/// The header of a file.
pub(crate) struct Header {
    /// The number of games, and of names.
    pub(crate) games: u32,
    pub(crate) names: u16,
    year: u16,
    board_size: u8,
    /// The number of empty squares from which on the best result is exact.
    best_from: u8,
}

impl Header {
    /// Parses the header; `None` if the bytes are none.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Header> {
        let mut input = Input::at(bytes, 0);
        let [century, year, month, day] = input.array()?;
        let (games, names, year_of_games) = (input.u32()?, input.u16()?, input.u16()?);
        let [board_size, is_solitaire, best_from, _] = input.array()?;
        let is_date = matches!((century, year, month, day), (19..=20, 0..=99, 1..=12, 1..=31));
        let is_header = is_date && matches!(board_size, 0 | 8 | 10) && is_solitaire <= 1 && best_from <= 60;
        is_header.then_some(Header { games, names, year: year_of_games, board_size, best_from })
    }

    fn game_bytes(&self) -> usize {
        if self.board_size == 10 { LARGE_GAME_BYTES } else { GAME_BYTES }
    }

    /// Returns whether the rest of a file has the games that the header announces. A damaged file is recognised by its
    /// first move.
    pub(crate) fn matches_games(&self, records: &[u8]) -> bool {
        const FIRST_MOVES: [u8; 4] = [34, 43, 56, 65];
        let is_complete = records.len() == (self.games as usize).saturating_mul(self.game_bytes());
        let is_begun = records.get(8).is_some_and(|first| FIRST_MOVES.contains(first));
        self.games > 0 && (is_complete || is_begun)
    }
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
    if header.board_size == 10 {
        return vec![failed_game(1, 12, RecordErrorKind::OtherBoardSize(10))];
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
    builder.tree.result = Some(outcome_from_margin(2 * i32::from(discs) - 64));
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
        let kind = RecordErrorKind::RestSkipped(moves.len() - end - after);
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

/// The names of the players (`.jou`) or of the tournaments (`.trn`) of a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Whether these are the names of players.
    pub is_players: bool,
    /// The names by number.
    pub names: Vec<String>,
}

impl Names {
    /// Parses a file of names; `None` if the bytes are none.
    pub fn parse(bytes: &[u8]) -> Option<Names> {
        let header = Header::parse(bytes)?;
        let records = &bytes[HEADER_BYTES..];
        let count = usize::from(header.names);
        let is_players = records.len() == count * PLAYER_BYTES;
        let is_names =
            header.games == 0 && count > 0 && (is_players || records.len() == count * TOURNAMENT_BYTES);
        let length = if is_players { PLAYER_BYTES } else { TOURNAMENT_BYTES };
        let decode = |name: &[u8]| {
            let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
            Charset::Windows1252.decode(&name[..end]).trim().to_owned()
        };
        is_names.then(|| Names { is_players, names: records.chunks_exact(length).map(decode).collect() })
    }

    /// Adds the names to the tags of a game, by the numbers that the tags have.
    ///
    /// ```
    /// use alfil_records::Tags;
    /// use alfil_records::wthor::Names;
    ///
    /// let mut tags = Tags::new();
    /// tags.push("BlackId", "1");
    /// let players = Names { is_players: true, names: vec!["???".into(), "Tastet Marc".into()] };
    /// players.complete(&mut tags);
    /// assert_eq!(tags.value("Black"), Some("Tastet Marc"));
    /// ```
    pub fn complete(&self, tags: &mut Tags) {
        let all = if self.is_players { &PLAYER_TAGS[..] } else { &[TOURNAMENT_TAGS] };
        for (id_tag, tag) in all {
            let id = tags.value(id_tag).and_then(|id| id.parse::<usize>().ok());
            if let Some(name) = id.and_then(|id| self.names.get(id)).filter(|name| !name.is_empty()) {
                tags.set(tag, name.clone());
            }
        }
    }
}

/// Returns Black's discs at the end, empty squares to the winner.
fn black_discs(position: &Bitboard) -> u8 {
    ((black_margin(position) + 64) / 2) as u8
}

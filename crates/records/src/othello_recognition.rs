//! What recognises the formats of Othello by their bytes, without the rules of the game.

use crate::byte_reader::ByteReader;
use crate::charset::Charset;
use crate::tags::Tags;

/// The length of the header, and of a game on a board of 8 by 8.
pub(crate) const HEADER_BYTES: usize = 16;
pub(crate) const GAME_BYTES: usize = 68;

/// The size of the larger boards of bases, whose games are not read.
pub(crate) const LARGE_BOARD: u8 = 10;

/// The lengths of the names of players and of tournaments.
pub(crate) const PLAYER_BYTES: usize = 20;
pub(crate) const TOURNAMENT_BYTES: usize = 26;

/// The tags with the numbers of a game, and those with the names.
pub(crate) const TOURNAMENT_TAGS: (&str, &str) = ("EventId", "Event");
pub(crate) const PLAYER_TAGS: [(&str, &str); 2] = [("BlackId", "Black"), ("WhiteId", "White")];

/// The header of a file.
pub(crate) struct Header {
    /// The number of games, and of names.
    pub(crate) games: u32,
    pub(crate) names: u16,
    pub(crate) year: u16,
    pub(crate) board_size: u8,
    /// The number of empty squares from which on the best result is exact.
    pub(crate) best_from: u8,
}

impl Header {
    /// Parses the header; `None` if the bytes are none.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Header> {
        let mut input = ByteReader::from_offset(bytes, 0);
        let [century, year, month, day] = input.read_array()?;
        let (games, names, year_of_games) = (input.read_u32()?, input.read_u16()?, input.read_u16()?);
        let [board_size, is_solitaire, best_from, _] = input.read_array()?;
        let is_date = matches!((century, year, month, day), (19..=20, 0..=99, 1..=12, 1..=31));
        let is_header =
            is_date && matches!(board_size, 0 | 8 | LARGE_BOARD) && is_solitaire <= 1 && best_from <= 60;
        is_header.then_some(Header { games, names, year: year_of_games, board_size, best_from })
    }

    /// Returns whether the rest of a file has the games that the header announces, perhaps none. A damaged file is
    /// recognised by its first move.
    pub(crate) fn matches_games(&self, records: &[u8]) -> bool {
        const FIRST_MOVES: [u8; 4] = [34, 43, 56, 65];
        let games = self.games as usize;
        if self.board_size == LARGE_BOARD {
            return games > 0 && records.len().is_multiple_of(games);
        }
        let is_begun = records.get(8).is_some_and(|first| FIRST_MOVES.contains(first));
        records.len() == games.saturating_mul(GAME_BYTES) || games > 0 && is_begun
    }
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

/// Returns whether a text begins with a GGF game, or with the number of GGF games that follow.
pub(crate) fn is_ggf(text: &[u8]) -> bool {
    let start = text.iter().position(|byte| !byte.is_ascii_digit() && !byte.is_ascii_whitespace());
    start.is_some_and(|start| text[start..].starts_with(b"(;"))
}

/// Returns whether a line has only squares and passes.
pub(crate) fn is_transcript(line: &[u8]) -> bool {
    let line = line.split(|&byte| byte == b'\t').next().unwrap_or_default().to_ascii_lowercase();
    let has_only_squares =
        line.iter().all(|byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'p' | b's' | b'-' | b' '));
    has_only_squares && matches!(line[..], [b'a'..=b'h', b'1'..=b'8', ..])
}

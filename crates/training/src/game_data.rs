//! Games of self-play as bytes: a header of 32 bytes and 4 bytes for each ply, the same for all games.
//!
//! All numbers are little-endian. A shard is a file of such games, one after the other, with nothing between them.
//!
//! | bytes | content |
//! |---|---|
//! | 0..4 | the magic bytes `ALFG` |
//! | 4 | the version of the format, 1 |
//! | 5 | the game: 0 xiangqi, 1 chess, 2 Othello |
//! | 6 | the result for the first side: 0 loss, 1 draw, 2 win |
//! | 7 | why the game ended: see [`Ending`] |
//! | 8..10 | the number of plies |
//! | 10..12 | the number of random plies at the start, which have no score |
//! | 12..16 | the soft node limit of each search |
//! | 16..20 | the seed of the run |
//! | 20..24 | the number of the game in the run |
//! | 24..26 | the disc difference for the first side at the end; 0 in games that count no discs |
//! | 26..28 | the ply from which on the scores are exact; the number of plies if none is |
//! | 28..32 | the CRC-32 (IEEE 802.3) of bytes 0 to 28 and of the plies |
//!
//! A ply is two bytes of [`Move::bits`](alfil_kernel::Move::bits) and two of score, signed, from the view of the side
//! to move, as [`Score::value`](alfil_kernel::Score::value) gives it; [`NO_SCORE`] for a random ply. The game begins at
//! the start position of its rules, so the moves give every position.

use thiserror::Error;

/// The number of bytes of a header.
pub const HEADER_BYTES: usize = 32;

/// The number of bytes of a ply.
pub const PLY_BYTES: usize = 4;

/// The score of a ply that was not searched.
pub const NO_SCORE: i16 = i16::MIN;

/// The names of the games, by their number in a header.
pub(crate) const GAME_NAMES: [&str; 3] = ["xiangqi", "chess", "othello"];

const MAGIC: [u8; 4] = *b"ALFG";
const VERSION: u8 = 1;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ending {
    /// The rules of the game decided it.
    Rules = 0,
    /// The scores of both sides agreed on the winner for several plies.
    ScoreWin = 1,
    /// The scores stayed level for a long time.
    ScoreDraw = 2,
    /// The greatest number of plies was reached; the game is a draw.
    PlyLimit = 3,
}

impl Ending {
    /// All endings, in the order of their numbers.
    pub const ALL: [Ending; 4] = [Ending::Rules, Ending::ScoreWin, Ending::ScoreDraw, Ending::PlyLimit];

    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Rules => "rules",
            Ending::ScoreWin => "score_win",
            Ending::ScoreDraw => "score_draw",
            Ending::PlyLimit => "ply_limit",
        }
    }
}

/// A ply of a game: the bits of its move and the score before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredPly {
    /// The bits of the move.
    pub move_bits: u16,
    /// The score from the view of the side to move; [`NO_SCORE`] if the ply was random.
    pub score: i16,
}

/// A game of self-play.
///
/// ```
/// use alfil_training::game_data::{Ending, GameData, NO_SCORE, ScoredPly};
///
/// let plies = vec![ScoredPly { move_bits: 38, score: NO_SCORE }, ScoredPly { move_bits: 36, score: -120 }];
/// let game = GameData {
///     game: "othello", result: 1, ending: Ending::PlyLimit, random_plies: 1, nodes: 1_000, seed: 1, number: 7,
///     margin: 0, exact_from: 2, plies,
/// };
/// let bytes = game.to_bytes();
/// assert_eq!(bytes.len(), 32 + 2 * 4);
/// assert_eq!(GameData::read(&bytes).unwrap(), (game, bytes.len()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameData {
    /// The name of the game: `xiangqi`, `chess` or `othello`.
    pub game: &'static str,
    /// The result for the first side: 0 loss, 1 draw, 2 win.
    pub result: u8,
    /// Why the game ended.
    pub ending: Ending,
    /// The number of random plies at the start.
    pub random_plies: u16,
    /// The soft node limit of each search.
    pub nodes: u32,
    /// The seed of the run.
    pub seed: u32,
    /// The number of the game in the run.
    pub number: u32,
    /// The disc difference for the first side at the end; 0 in games that count no discs.
    pub margin: i16,
    /// The ply from which on the scores are exact; the number of plies if none is.
    pub exact_from: u16,
    /// The plies, at most 65,535.
    pub plies: Vec<ScoredPly>,
}

/// The reason why bytes are not a game of self-play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GameDataError {
    /// The bytes end in a header.
    #[error("{0} bytes are left, but a header has {HEADER_BYTES}: the file is truncated")]
    TruncatedHeader(usize),
    /// The bytes end before the last ply.
    #[error("{found} bytes are left for plies that take {expected}: the file is truncated")]
    TruncatedPlies {
        /// The number of bytes of the plies.
        expected: usize,
        /// The number of bytes left.
        found: usize,
    },
    /// The first four bytes are others.
    #[error("it does not begin with ALFG: not a game of self-play")]
    Magic,
    /// Another version wrote the file.
    #[error("version {0} of the format, but this program reads version {VERSION}")]
    Version(u8),
    /// A field has a value that it cannot have.
    #[error("the {field} cannot be {value}")]
    Field {
        /// The field.
        field: &'static str,
        /// Its value.
        value: u32,
    },
    /// The checksum is not that of the bytes.
    #[error("the checksum is {found:08x} and not {expected:08x}: the bytes are damaged")]
    Checksum {
        /// The checksum in the header.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
}

/// The error of a shard: which of its games cannot be read, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {} at byte {byte}: {error}", .index + 1)]
pub struct ShardError {
    /// The index of the game in the shard, from 0.
    pub index: usize,
    /// The first byte of the game.
    pub byte: usize,
    /// The reason.
    pub error: GameDataError,
}

impl GameDataError {
    /// Returns whether the bytes are the start of a game and end before it does.
    pub fn is_truncation(&self) -> bool {
        matches!(self, GameDataError::TruncatedHeader(_) | GameDataError::TruncatedPlies { .. })
    }
}

impl GameData {
    /// Returns the bytes of the game.
    ///
    /// # Panics
    /// If the game has more than 65,535 plies or a name that is no game of Alfil.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = u16::try_from(self.plies.len()).expect("a game has at most 65,535 plies");
        let game = GAME_NAMES.iter().position(|&name| name == self.game).expect("the name of a game");
        let mut bytes = Vec::with_capacity(HEADER_BYTES + PLY_BYTES * self.plies.len());
        bytes.extend(MAGIC);
        bytes.extend([VERSION, game as u8, self.result, self.ending as u8]);
        bytes.extend(count.to_le_bytes());
        bytes.extend(self.random_plies.to_le_bytes());
        for number in [self.nodes, self.seed, self.number] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.margin.to_le_bytes());
        bytes.extend(self.exact_from.to_le_bytes());
        bytes.extend([0; 4]);
        for ply in &self.plies {
            bytes.extend(ply.move_bits.to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        let checksum = checksum(&bytes);
        bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the game at the start of `bytes`, and returns it with the number of its bytes.
    ///
    /// # Errors
    /// If the bytes are truncated, damaged, or not a game.
    pub fn read(bytes: &[u8]) -> Result<(GameData, usize), GameDataError> {
        // Bytes that are no game are not called a truncated one, however few they are.
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(GameDataError::Magic);
        }
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(GameDataError::TruncatedHeader(bytes.len()));
        };
        if header[4] != VERSION {
            return Err(GameDataError::Version(header[4]));
        }
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        let count = usize::from(short(8));
        let (length, found) = (HEADER_BYTES + PLY_BYTES * count, bytes.len() - HEADER_BYTES);
        let Some(bytes) = bytes.get(..length) else {
            return Err(GameDataError::TruncatedPlies { expected: PLY_BYTES * count, found });
        };
        let (expected, found) = (long(28), checksum(bytes));
        if expected != found {
            return Err(GameDataError::Checksum { expected, found });
        }
        let field = |field, value: u32, is_valid: bool| {
            if is_valid { Ok(()) } else { Err(GameDataError::Field { field, value }) }
        };
        let game = GAME_NAMES.get(usize::from(header[5])).copied();
        let game = game.ok_or(GameDataError::Field { field: "game", value: header[5].into() })?;
        field("result", header[6].into(), header[6] <= 2)?;
        let ending = Ending::ALL.get(usize::from(header[7])).copied();
        let ending = ending.ok_or(GameDataError::Field { field: "ending", value: header[7].into() })?;
        field("number of random plies", short(10).into(), usize::from(short(10)) <= count)?;
        field("first exact ply", short(26).into(), usize::from(short(26)) <= count)?;
        let (plies, _) = bytes[HEADER_BYTES..].as_chunks::<PLY_BYTES>();
        let ply = |&[a, b, c, d]: &[u8; 4]| ScoredPly {
            move_bits: u16::from_le_bytes([a, b]),
            score: i16::from_le_bytes([c, d]),
        };
        let game = GameData {
            game,
            result: header[6],
            ending,
            random_plies: short(10),
            nodes: long(12),
            seed: long(16),
            number: long(20),
            margin: short(24) as i16,
            exact_from: short(26),
            plies: plies.iter().map(ply).collect(),
        };
        Ok((game, length))
    }
}

/// Reads all games of a shard.
///
/// # Errors
/// With the place of the first game that cannot be read.
pub fn read_shard(bytes: &[u8]) -> Result<Vec<GameData>, ShardError> {
    let (mut games, mut byte) = (Vec::new(), 0);
    while byte < bytes.len() {
        let located = |error| ShardError { index: games.len(), byte, error };
        let (game, length) = GameData::read(&bytes[byte..]).map_err(located)?;
        games.push(game);
        byte += length;
    }
    Ok(games)
}

/// Returns the checksum of a game: of its bytes without the checksum itself.
fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..28]);
    hasher.update(&bytes[HEADER_BYTES..]);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    fn random_game(random: &mut SplitMix64) -> GameData {
        let count = random.below(60);
        let plies: Vec<_> = (0..count).map(|_| random.next_u64()).collect();
        GameData {
            game: GAME_NAMES[random.below(3)],
            result: random.below(3) as u8,
            ending: Ending::ALL[random.below(4)],
            random_plies: random.below(count + 1) as u16,
            nodes: random.next_u64() as u32,
            seed: random.next_u64() as u32,
            number: random.next_u64() as u32,
            margin: random.below(129) as i16 - 64,
            exact_from: random.below(count + 1) as u16,
            plies: plies
                .into_iter()
                .map(|bits| ScoredPly { move_bits: bits as u16, score: (bits >> 16) as i16 })
                .collect(),
        }
    }

    #[test]
    fn games_survive_writing_and_reading() {
        let mut random = SplitMix64::new(21);
        for _ in 0..100 {
            let games: Vec<_> = (0..random.below(8)).map(|_| random_game(&mut random)).collect();
            let bytes: Vec<_> = games.iter().flat_map(GameData::to_bytes).collect();
            assert_eq!(read_shard(&bytes), Ok(games));
        }
    }

    #[test]
    fn truncated_and_damaged_shards_are_refused_with_the_place() {
        let mut random = SplitMix64::new(22);
        let games: Vec<_> = (0..4).map(|_| random_game(&mut random)).collect();
        let mut starts = vec![0];
        let mut bytes = Vec::new();
        for game in &games {
            bytes.extend(game.to_bytes());
            starts.push(bytes.len());
        }
        for length in 0..bytes.len() {
            let index = starts.iter().filter(|&&start| start <= length).count() - 1;
            match read_shard(&bytes[..length]) {
                Ok(read) => assert!(starts.contains(&length) && read == games[..index]),
                Err(error) => assert_eq!((error.index, error.byte), (index, starts[index]), "{error}"),
            }
        }
        for at in 0..bytes.len() {
            let index = starts.iter().filter(|&&start| start <= at).count() - 1;
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << random.below(8);
            let error = read_shard(&damaged).expect_err("a changed bit is noticed");
            assert_eq!((error.index, error.byte), (index, starts[index]), "byte {at}: {error}");
        }
    }
}

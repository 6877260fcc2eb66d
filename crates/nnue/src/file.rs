//! The file of a network.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | the magic bytes `ALFILNET` |
//! | 8..10 | the version of the format, 2 |
//! | 10..12 | the width |
//! | 12..16 | the number of inputs |
//! | 16..24 | the name of the game, filled up with zeros |
//! | 24..26, 26..28 | the weights that stand for 1 in the first and second layer: 255 and 64 |
//! | 28..32 | the scale |
//! | 32..56 | the licence, filled up with zeros |
//! | 56..64 | the hash of the command that made the network |
//! | 64..68 | the number of second layers |
//! | 68..72 | the CRC-32 (IEEE 802.3) of all other bytes |
//!
//! Then follow the weights of each input and the biases of the hidden units, for each second layer the weights of the
//! own and of the other perspective, 16 bits each, and the biases of the second layers, 32 bits each. All numbers are
//! little-endian.

use thiserror::Error;

use crate::kernels::FEATURE_ONE;
use crate::network::{
    GAME_BYTES, LICENCE_BYTES, MAX_BUCKETS, MAX_WIDTH, NO_INPUT, Network, NetworkInfo, OUTPUT_ONE,
};

const VERSION: u16 = 2;
const HEADER_BYTES: usize = 72;
/// The bytes of the checksum.
const CHECKSUM: core::ops::Range<usize> = 68..72;

/// The reason why bytes are not a usable network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The magic bytes are missing.
    #[error("it does not begin with ALFILNET: not a network of Alfil")]
    Magic,
    /// Another version wrote the file.
    #[error("version {0} of the format, but this program reads version {VERSION}")]
    Version(u16),
    /// The file is shorter than a header.
    #[error("{0} bytes are less than a header of {HEADER_BYTES}: the file is truncated")]
    TruncatedHeader(usize),
    /// The file has another length than its header says.
    #[error(
        "{found} bytes, but a network of this shape has {expected}: the file is truncated or has been extended"
    )]
    Length {
        /// The number of bytes by the header.
        expected: usize,
        /// The number of bytes of the file.
        found: usize,
    },
    /// The checksum is not that of the bytes.
    #[error("the checksum is {found:08x} and not {expected:08x}: the file is damaged")]
    Checksum {
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The width is not possible.
    #[error("width {0}: expected a multiple of 16 up to {MAX_WIDTH}")]
    Width(usize),
    /// The number of inputs is not possible.
    #[error("{0} inputs: expected 1 to 65,534")]
    Inputs(usize),
    /// The number of second layers is not possible.
    #[error("{0} second layers: expected 1 to {MAX_BUCKETS}")]
    Buckets(usize),
    /// The scale is not possible.
    #[error("scale {0}: expected 1 to 10,000")]
    Scale(i32),
    /// The units of the weights are others.
    #[error("weights in units of {0} and {1}: expected {FEATURE_ONE} and {OUTPUT_ONE}")]
    Units(u16, u16),
    /// A name is not text.
    #[error("the {0} is not text filled up with zeros")]
    Text(&'static str),
    /// A name does not fit into a file.
    #[error("the {what} {text:?}: expected at most {max} bytes without a zero byte")]
    Name {
        /// Which name.
        what: &'static str,
        /// The name.
        text: String,
        /// The greatest number of bytes.
        max: usize,
    },
    /// There are too few or too many weights.
    #[error("{found} {what}: expected {expected}")]
    Count {
        /// Which weights.
        what: &'static str,
        /// The number that belongs to the shape.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
    /// An output weight is too large for 16-bit products.
    #[error("output weight {0}: expected -127 to 127")]
    OutputWeight(i16),
    /// The network belongs to another game.
    #[error("a network of {found}, not of {expected}")]
    Game {
        /// The game that needs a network.
        expected: String,
        /// The game of the file.
        found: String,
    },
    /// The network has other inputs than the game.
    #[error("{found} inputs, but {game} has {expected}")]
    GameInputs {
        /// The game.
        game: String,
        /// The number of its inputs.
        expected: usize,
        /// The number of the file.
        found: usize,
    },
}

/// Returns the hash of a command line: FNV-1a with 64 bits (Fowler, Noll and Vo).
pub fn command_hash(command: &str) -> u64 {
    command
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

/// Returns `text`, which has at most `N` bytes, filled up with zeros.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.iter_mut().zip(text.bytes()).for_each(|(byte, letter)| *byte = letter);
    bytes
}

/// Returns the text before the zeros.
fn unpadded(bytes: &[u8], what: &'static str) -> Result<String, NetworkError> {
    let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, rest) = bytes.split_at(length);
    match core::str::from_utf8(text) {
        Ok(text) if rest.iter().all(|&byte| byte == 0) => Ok(text.into()),
        _ => Err(NetworkError::Text(what)),
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM.start]);
    hasher.update(&bytes[CHECKSUM.end..]);
    hasher.finalize()
}

impl Network {
    /// The first bytes of every file.
    pub const MAGIC: [u8; 8] = *b"ALFILNET";

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let info = self.info();
        let mut bytes = Vec::new();
        bytes.extend(Network::MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((info.width as u16).to_le_bytes());
        bytes.extend((info.inputs as u32).to_le_bytes());
        bytes.extend(padded::<GAME_BYTES>(&info.game));
        bytes.extend((FEATURE_ONE as u16).to_le_bytes());
        bytes.extend((OUTPUT_ONE as u16).to_le_bytes());
        bytes.extend(info.scale.to_le_bytes());
        bytes.extend(padded::<LICENCE_BYTES>(&info.licence));
        bytes.extend(info.command_hash.to_le_bytes());
        bytes.extend((info.buckets as u32).to_le_bytes());
        bytes.extend([0; 4]);
        for weight in
            [&self.feature_weights, &self.feature_biases, &self.output_weights].into_iter().flatten()
        {
            bytes.extend(weight.to_le_bytes());
        }
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let checksum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If the file is truncated, damaged, or not a network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(&Network::MAGIC) {
            return Err(NetworkError::Magic);
        }
        let header = bytes.first_chunk::<HEADER_BYTES>().ok_or(NetworkError::TruncatedHeader(bytes.len()))?;
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        if short(8) != VERSION {
            return Err(NetworkError::Version(short(8)));
        }
        let (width, inputs, buckets) = (usize::from(short(10)), long(12) as usize, long(64) as usize);
        if inputs >= usize::from(NO_INPUT) {
            return Err(NetworkError::Inputs(inputs));
        }
        if buckets > MAX_BUCKETS {
            return Err(NetworkError::Buckets(buckets));
        }
        // So no product overflows where `usize` has 32 bits.
        if width > MAX_WIDTH {
            return Err(NetworkError::Width(width));
        }
        let weight_bytes = 2 * (inputs * width + width + 2 * width * buckets);
        let expected = HEADER_BYTES + weight_bytes + 4 * buckets;
        if bytes.len() != expected {
            return Err(NetworkError::Length { expected, found: bytes.len() });
        }
        let (expected, found) = (long(CHECKSUM.start), checksum(bytes));
        if expected != found {
            return Err(NetworkError::Checksum { expected, found });
        }
        if (i32::from(short(24)), i32::from(short(26))) != (FEATURE_ONE, OUTPUT_ONE) {
            return Err(NetworkError::Units(short(24), short(26)));
        }
        let info = NetworkInfo {
            game: unpadded(&header[16..24], "name of the game")?,
            inputs,
            width,
            buckets,
            scale: long(28) as i32,
            licence: unpadded(&header[32..56], "licence")?,
            command_hash: u64::from(long(56)) | u64::from(long(60)) << 32,
        };
        let (weights, biases) = bytes[HEADER_BYTES..].split_at(weight_bytes);
        let output_biases = biases.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect();
        let mut weights = weights.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair));
        let mut take = |count: usize| weights.by_ref().take(count).collect::<Vec<_>>();
        let (features, biases, outputs) = (take(inputs * width), take(width), take(2 * width * buckets));
        Network::new(info, features, biases, outputs, output_biases)
    }

    /// Reads the bytes of a file that must be a network of a game with this number of inputs.
    ///
    /// # Errors
    /// As [`Network::from_bytes`], or if the network belongs to another game.
    pub fn from_bytes_for(bytes: &[u8], game: &str, inputs: usize) -> Result<Network, NetworkError> {
        let network = Network::from_bytes(bytes)?;
        let info = network.info();
        if info.game != game {
            return Err(NetworkError::Game { expected: game.into(), found: info.game.clone() });
        }
        if info.inputs != inputs {
            return Err(NetworkError::GameInputs { game: game.into(), expected: inputs, found: info.inputs });
        }
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Network {
        let info = NetworkInfo {
            game: "chess".into(),
            inputs: 5,
            width: 16,
            buckets: 2,
            scale: 400,
            licence: "MIT OR Apache-2.0".into(),
            command_hash: command_hash("alfil train chess"),
        };
        let numbers = |count: i16| (0..count).map(|i| i * 37 % 127).collect::<Vec<_>>();
        Network::new(info, numbers(80), numbers(16), numbers(64), vec![-77, 1_000_000]).unwrap()
    }

    #[test]
    fn a_file_survives_writing_and_reading() {
        let network = network();
        let bytes = network.to_bytes();
        assert_eq!(bytes.len(), 72 + 2 * (80 + 16 + 64) + 4 * 2);
        assert_eq!(Network::from_bytes_for(&bytes, "chess", 5), Ok(network));
    }

    #[test]
    fn truncated_damaged_and_foreign_files_are_refused() {
        let bytes = network().to_bytes();
        for length in 0..bytes.len() {
            assert!(Network::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Network::from_bytes(&damaged).is_err(), "{at}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let error = Network::from_bytes(&longer).unwrap_err();
        assert_eq!(error, NetworkError::Length { expected: 400, found: 401 });
        let mut wide = bytes.clone();
        wide[10..12].copy_from_slice(&[0xf0, 0xff]);
        assert_eq!(Network::from_bytes(&wide), Err(NetworkError::Width(0xfff0)));
        let foreign = Network::from_bytes_for(&bytes, "xiangqi", 5).unwrap_err();
        assert_eq!(foreign.to_string(), "a network of chess, not of xiangqi");
        let other_inputs = Network::from_bytes_for(&bytes, "chess", 768).unwrap_err();
        assert_eq!(other_inputs.to_string(), "5 inputs, but chess has 768");
    }

    #[test]
    fn names_that_a_file_cannot_hold_are_refused() {
        let new = |game: &str, licence: &str| {
            let network = network();
            let info = NetworkInfo { game: game.into(), licence: licence.into(), ..network.info().clone() };
            let (features, biases) = (network.feature_weights, network.feature_biases);
            Network::new(info, features, biases, network.output_weights, network.output_biases)
        };
        let (longest, too_long) = ("L".repeat(24), "L".repeat(25));
        assert!(new("othello8", &longest).is_ok());
        let error = new("othello10", "MIT").unwrap_err().to_string();
        assert_eq!(error, "the name of the game \"othello10\": expected at most 8 bytes without a zero byte");
        for (game, licence) in [("chess", too_long.as_str()), ("chess", "MIT\0"), ("che\0ss", "MIT")] {
            assert!(matches!(new(game, licence), Err(NetworkError::Name { .. })), "{game:?} {licence:?}");
        }
    }

    #[test]
    fn the_hash_of_a_command_is_fnv_1a() {
        // Values of the reference implementation.
        assert_eq!(command_hash(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(command_hash("foobar"), 0x8594_4171_F739_67E8);
    }
}

//! The weights of the patterns, their file, and the score that they give.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | the magic bytes `ALFILPAT` |
//! | 8..10 | the version of the format, 1 |
//! | 10..12 | the number of phases |
//! | 12..16 | the number of weights of a phase |
//! | 16..40 | the licence, filled up with zeros |
//! | 40..48 | the hash of the command that made the weights |
//! | 48..52 | the CRC-32 (IEEE 802.3) of all other bytes |
//!
//! Then follow the weights, phase by phase from the end of the game, each minus that of the phase before it. A
//! difference `d` is the number `2 * d`, or `-2 * d - 1` if it is negative, in groups of seven bits, the lowest first,
//! with the eighth bit set in all but the last; a zero is followed by one more number, which says how many more zeros
//! follow. Weights are in units of 1/32 of a disc: those of all classes of states, then those of [`Counts`].

use std::sync::Arc;

use thiserror::Error;

use super::MAX_SCORE;
use super::pattern_set::{CENTRES, PLACEMENTS, PatternStates, STATES, state_classes};
use alfil_othello::geometry::QUADRANTS;

const VERSION: u16 = 1;
const HEADER_BYTES: usize = 52;
/// The bytes of the checksum.
const CHECKSUM: core::ops::Range<usize> = 48..52;
const LICENCE: core::ops::Range<usize> = 16..40;

/// The number of phases of the game, each with weights of its own.
pub const PHASES: usize = 16;

/// How many numbers of empty squares belong to each phase but the first of a game, to which more belong.
pub const PHASE_EMPTIES: u32 = 3;

/// The value of a disc in the units of the weights.
pub const UNITS_PER_DISC: i32 = 32;

/// The greatest number of legal moves that is distinguished.
const MAX_MOVES: u32 = 31;

/// The first weight of the legal moves of the side to move, of those of its opponent, and of the quadrants with an odd
/// number of empty squares; and the number of all these weights.
const MOVES: usize = 0;
const REPLIES: usize = MOVES + MAX_MOVES as usize + 1;
const ODD_QUADRANTS: usize = REPLIES + MAX_MOVES as usize + 1;
const COUNT_WEIGHTS: usize = ODD_QUADRANTS + 5;

/// The number of weights of a phase, with one for each state.
const PHASE_WEIGHTS: usize = STATES + COUNT_WEIGHTS;

/// The length of a phase in memory: a power of two, so that an index is brought below it instead of being compared.
const PHASE_STRIDE: usize = PHASE_WEIGHTS.next_power_of_two();

/// The number of weights that count in a position.
pub const FEATURES: usize = PLACEMENTS + 3;

/// Returns the phase of a position by its number of empty squares: 0 is the end of the game.
#[inline(always)]
pub const fn phase_of(empties: u32) -> usize {
    let phase = (empties / PHASE_EMPTIES) as usize;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// The reason why bytes are no weights of patterns.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternFileError {
    /// The magic bytes are missing.
    #[error("it does not begin with ALFILPAT: no weights of patterns")]
    Magic,
    /// Another version wrote the file.
    #[error("version {0} of the format, but this program reads version {VERSION}")]
    Version(u16),
    /// The file ends too early.
    #[error("the file is truncated")]
    Truncated,
    /// The file goes on after the last weight.
    #[error("{0} bytes follow the last weight")]
    Extended(usize),
    /// The weights belong to other patterns.
    #[error("{phases} phases of {weights} weights: expected {PHASES} of {expected}")]
    Shape {
        /// The number of phases of the file.
        phases: u16,
        /// The number of weights of a phase of the file.
        weights: u32,
        /// The number of weights that a phase of this program has.
        expected: u32,
    },
    /// A number is too large for a weight, or says that more weights follow than there are.
    #[error("the bytes of the weights are no weights")]
    Number,
    /// The checksum is not that of the bytes.
    #[error("the checksum is {found:08x} and not {expected:08x}: the file is damaged")]
    Checksum {
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
}

/// The counts of a position that have weights beside the patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The number of legal moves of the side to move.
    pub moves: u32,
    /// The number of moves that its opponent would have.
    pub replies: u32,
    /// The empty squares.
    pub empty: u64,
}

impl Counts {
    /// Returns the indices of the weights of the counts, from 0.
    #[inline(always)]
    fn indices(&self) -> [usize; 3] {
        let odd = QUADRANTS.iter().map(|quadrant| (self.empty & quadrant).count_ones() & 1).sum::<u32>();
        [
            MOVES + self.moves.min(MAX_MOVES) as usize,
            REPLIES + self.replies.min(MAX_MOVES) as usize,
            ODD_QUADRANTS + odd as usize,
        ]
    }
}

/// The weights of a position's features by their numbers, for training: the classes of states, then the counts.
#[derive(Clone, Debug)]
pub struct PatternFeatures {
    classes: Vec<u32>,
    class_count: usize,
}

impl PatternFeatures {
    /// Makes the table of classes.
    pub fn new() -> PatternFeatures {
        let (classes, class_count) = state_classes();
        PatternFeatures { classes, class_count }
    }

    /// Returns the number of weights of a phase.
    pub fn weight_count(&self) -> usize {
        self.class_count + COUNT_WEIGHTS
    }

    /// Returns the numbers of the weights that count in a position.
    pub fn of(&self, states: &PatternStates, counts: Counts) -> [u32; FEATURES] {
        let mut features = [0; FEATURES];
        for ((feature, centre), &state) in features.iter_mut().zip(CENTRES).zip(&states.0) {
            *feature = self.classes[(centre + i32::from(state)) as usize];
        }
        for (feature, index) in features[PLACEMENTS..].iter_mut().zip(counts.indices()) {
            *feature = (self.class_count + index) as u32;
        }
        features
    }
}

impl Default for PatternFeatures {
    fn default() -> Self {
        PatternFeatures::new()
    }
}

/// The weights of all phases, unpacked: a weight for each state of each pattern.
#[derive(Clone, PartialEq, Eq)]
pub struct PatternWeights {
    /// [`PHASE_STRIDE`] for each phase, of which the first `PHASE_WEIGHTS` are used.
    weights: Vec<i16>,
    licence: String,
    command_hash: u64,
}

impl std::fmt::Debug for PatternWeights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.description())
    }
}

impl PatternWeights {
    /// The first bytes of every file.
    pub const MAGIC: [u8; 8] = *b"ALFILPAT";

    /// Makes weights from those of the features of each phase, in units of 1/32 of a disc. Of `licence`, the first
    /// 24 ASCII characters are kept.
    ///
    /// # Panics
    /// If there are not [`PHASES`] rows of [`PatternFeatures::weight_count`] weights.
    pub fn new(phases: &[Vec<i16>], licence: &str, command: &str) -> PatternWeights {
        let command_hash = alfil_nnue::command_hash(command);
        PatternWeights::from_features(&PatternFeatures::new(), phases, licence, command_hash)
    }

    fn from_features(
        features: &PatternFeatures,
        phases: &[Vec<i16>],
        licence: &str,
        command_hash: u64,
    ) -> PatternWeights {
        assert_eq!(phases.len(), PHASES, "a row for each phase");
        let mut weights = Vec::with_capacity(PHASES * PHASE_STRIDE);
        for (index, phase) in phases.iter().enumerate() {
            assert_eq!(phase.len(), features.weight_count(), "a weight for each feature");
            weights.extend(features.classes.iter().map(|&class| phase[class as usize]));
            weights.extend(&phase[features.class_count..]);
            weights.resize((index + 1) * PHASE_STRIDE, 0);
        }
        let licence: String = licence.chars().filter(char::is_ascii).take(LICENCE.len()).collect();
        PatternWeights { weights, licence, command_hash }
    }

    /// Reads the file of the weights and unpacks it.
    ///
    /// # Errors
    /// If the bytes are no weights of these patterns, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Arc<PatternWeights>, PatternFileError> {
        if !bytes.starts_with(&PatternWeights::MAGIC) {
            return Err(PatternFileError::Magic);
        }
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(PatternFileError::Truncated);
        };
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        if short(8) != VERSION {
            return Err(PatternFileError::Version(short(8)));
        }
        let features = PatternFeatures::new();
        let expected = features.weight_count() as u32;
        let (phases, weights) = (short(10), long(12));
        if (usize::from(phases), weights) != (PHASES, expected) {
            return Err(PatternFileError::Shape { phases, weights, expected });
        }
        let (expected, found) = (long(CHECKSUM.start), checksum(bytes));
        if expected != found {
            return Err(PatternFileError::Checksum { expected, found });
        }
        let rows = unpack(&bytes[HEADER_BYTES..], features.weight_count())?;
        let licence = String::from_utf8_lossy(&header[LICENCE]);
        let licence = licence.trim_end_matches('\0').to_owned();
        let command_hash = u64::from(long(40)) | u64::from(long(44)) << 32;
        Ok(Arc::new(PatternWeights::from_features(&features, &rows, &licence, command_hash)))
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let features = PatternFeatures::new();
        let mut bytes = Vec::new();
        bytes.extend(PatternWeights::MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((PHASES as u16).to_le_bytes());
        bytes.extend((features.weight_count() as u32).to_le_bytes());
        bytes.extend(self.licence.bytes());
        bytes.resize(LICENCE.end, 0);
        bytes.extend(self.command_hash.to_le_bytes());
        bytes.resize(HEADER_BYTES, 0);
        let mut previous = vec![0; features.weight_count()];
        let mut zeros = 0;
        for phase in self.weights.chunks(PHASE_STRIDE) {
            let mut row = vec![0; features.weight_count()];
            for (&class, &weight) in features.classes.iter().zip(phase) {
                row[class as usize] = weight;
            }
            row[features.class_count..].copy_from_slice(&phase[STATES..PHASE_WEIGHTS]);
            for (&weight, &before) in row.iter().zip(&previous) {
                match i32::from(weight) - i32::from(before) {
                    0 => zeros += 1,
                    difference => {
                        push_zeros(&mut bytes, &mut zeros);
                        push_number(&mut bytes, (difference << 1 ^ difference >> 31) as u32);
                    }
                }
            }
            previous = row;
        }
        push_zeros(&mut bytes, &mut zeros);
        let checksum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Returns the shape, the licence and the hash of the command in one line.
    pub fn description(&self) -> String {
        let PatternWeights { licence, command_hash, .. } = self;
        format!(
            "{PLACEMENTS} placements of patterns in {PHASES} phases, {licence}, command {command_hash:016x}"
        )
    }

    /// Returns the score of a position in hundredths of a disc, from the view of the side to move, whose view `states`
    /// have, too.
    #[inline(always)]
    pub fn score(&self, states: &PatternStates, counts: Counts) -> i32 {
        let phase = phase_of(counts.empty.count_ones());
        let Some(weights) = self.weights[phase * PHASE_STRIDE..].first_chunk::<PHASE_STRIDE>() else {
            unreachable!("there are weights for each phase");
        };
        let weight = |index: usize| i32::from(weights[index % PHASE_STRIDE]);
        let mut sum = 0;
        for (centre, &state) in CENTRES.iter().zip(&states.0) {
            sum += weight((centre + i32::from(state)) as usize);
        }
        for index in counts.indices() {
            sum += weight(STATES + index);
        }
        (sum * 100 / UNITS_PER_DISC).clamp(-MAX_SCORE, MAX_SCORE)
    }
}

/// Returns the weights of each phase.
fn unpack(bytes: &[u8], weight_count: usize) -> Result<Vec<Vec<i16>>, PatternFileError> {
    let mut rest = bytes;
    let (mut rows, mut previous, mut zeros) = (Vec::with_capacity(PHASES), vec![0i16; weight_count], 0);
    for _ in 0..PHASES {
        for weight in &mut previous {
            if zeros > 0 {
                zeros -= 1;
                continue;
            }
            let number = read_number(&mut rest)?;
            if number == 0 {
                zeros = read_number(&mut rest)?;
                continue;
            }
            let difference = (number >> 1) as i32 ^ -((number & 1) as i32);
            let sum = i32::from(*weight).checked_add(difference).ok_or(PatternFileError::Number)?;
            *weight = i16::try_from(sum).map_err(|_| PatternFileError::Number)?;
        }
        rows.push(previous.clone());
    }
    match (zeros, rest.len()) {
        (0, 0) => Ok(rows),
        (0, more) => Err(PatternFileError::Extended(more)),
        _ => Err(PatternFileError::Number),
    }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes a run of zeros, if there is one.
fn push_zeros(bytes: &mut Vec<u8>, zeros: &mut u32) {
    if *zeros > 0 {
        push_number(bytes, 0);
        push_number(bytes, *zeros - 1);
        *zeros = 0;
    }
}

fn read_number(bytes: &mut &[u8]) -> Result<u32, PatternFileError> {
    let mut number = 0u32;
    for shift in [0, 7, 14, 21] {
        let (&byte, rest) = bytes.split_first().ok_or(PatternFileError::Truncated)?;
        *bytes = rest;
        number |= u32::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(number);
        }
    }
    Err(PatternFileError::Number)
}

/// Returns the checksum of a file: of all its bytes but the checksum.
fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM.start]);
    hasher.update(&bytes[CHECKSUM.end..]);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    fn random_weights() -> PatternWeights {
        let mut random = SplitMix64::new(82);
        let count = PatternFeatures::new().weight_count();
        let rows: Vec<Vec<i16>> = (0..PHASES)
            .map(|_| {
                (0..count)
                    .map(|_| if random.below(3) == 0 { random.next_u64() as i16 / 4 } else { 0 })
                    .collect()
            })
            .collect();
        PatternWeights::new(&rows, "MIT OR Apache-2.0", "a command")
    }

    #[test]
    fn weights_survive_writing_and_reading() {
        let weights = random_weights();
        assert_eq!(*PatternWeights::read(&weights.to_bytes()).unwrap(), weights);
        assert!(weights.description().contains("MIT OR Apache-2.0"));
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = random_weights().to_bytes();
        assert_eq!(PatternWeights::read(b"ALFILNET"), Err(PatternFileError::Magic));
        for length in [8, 51] {
            assert_eq!(PatternWeights::read(&bytes[..length]), Err(PatternFileError::Truncated));
        }
        for length in [52, 1_000, bytes.len() - 1] {
            let error = PatternWeights::read(&bytes[..length]).unwrap_err();
            assert!(matches!(error, PatternFileError::Checksum { .. }), "{length}: {error}");
        }
        let mut random = SplitMix64::new(83);
        let later: Vec<_> = (0..100).map(|_| 64 + random.below(bytes.len() - 64)).collect();
        for at in (0..64).chain(later) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << random.below(8);
            assert!(PatternWeights::read(&damaged).is_err(), "byte {at}");
        }
        // Bytes whose checksum is right are checked, too.
        let with_checksum = |mut bytes: Vec<u8>| {
            let checksum = checksum(&bytes);
            bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
            PatternWeights::read(&bytes).unwrap_err()
        };
        assert_eq!(with_checksum([&bytes[..], &[7]].concat()), PatternFileError::Extended(1));
        assert_eq!(with_checksum(bytes[..bytes.len() - 1].to_vec()), PatternFileError::Truncated);
        assert_eq!(with_checksum([&bytes[..52], &[255; 4]].concat()), PatternFileError::Number);
        let mut other_shape = bytes.clone();
        other_shape[10] += 1;
        assert!(matches!(with_checksum(other_shape), PatternFileError::Shape { phases: 17, .. }));
    }
}

//! A network: its weights and what is known about it.

use crate::file::NetworkError;
use crate::kernels::{FEATURE_ONE, Kernels, WIDTH_MULTIPLE};

/// Stands for a placement that is no input: a piece on a square that it cannot reach.
pub const NO_INPUT: u16 = u16::MAX;

/// The weight of the second layer that stands for 1.
pub const OUTPUT_ONE: i32 = 64;

/// The greatest weight of the second layer, of either sign: its product with a clipped sum fits into 16 bits.
pub(crate) const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The greatest width.
pub(crate) const MAX_WIDTH: usize = 1_024;

/// The greatest length of the name of a game in a file.
pub(crate) const GAME_BYTES: usize = 8;

/// The greatest length of a licence in a file.
pub(crate) const LICENCE_BYTES: usize = 24;

/// What a file says about its network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkInfo {
    /// The name of the game, at most 8 bytes.
    pub game: String,
    /// The number of inputs of a perspective.
    pub inputs: usize,
    /// The number of hidden units of a perspective: a multiple of 16, at most 1,024.
    pub width: usize,
    /// The number of second layers, at most 32. The number of pieces on the board chooses one: see [`bucket`].
    pub buckets: usize,
    /// The score, in centipawns, of an output of 1.
    pub scale: i32,
    /// The licence, as an SPDX expression of at most 24 bytes.
    pub licence: String,
    /// The hash of the command that made the network: see [`command_hash`](crate::command_hash).
    pub command_hash: u64,
}

/// The greatest number of second layers, and the number of pieces for which the last one is used.
pub(crate) const MAX_BUCKETS: usize = 32;

/// Returns the index of the second layer, of `buckets`, for a number of pieces on the board: 1 to 32 pieces are divided
/// evenly, and positions with more belong to the last.
#[inline(always)]
pub fn bucket(pieces: usize, buckets: usize) -> usize {
    (pieces.clamp(1, MAX_BUCKETS) - 1) * buckets / MAX_BUCKETS
}

impl NetworkInfo {
    /// Checks that a file can say this.
    ///
    /// # Errors
    /// If a number is out of its range, a name is too long, or it has a zero byte.
    pub fn check(&self) -> Result<(), NetworkError> {
        if self.width == 0 || self.width > MAX_WIDTH || !self.width.is_multiple_of(WIDTH_MULTIPLE) {
            return Err(NetworkError::Width(self.width));
        }
        if self.inputs == 0 || self.inputs >= usize::from(NO_INPUT) {
            return Err(NetworkError::Inputs(self.inputs));
        }
        if !(1..=MAX_BUCKETS).contains(&self.buckets) {
            return Err(NetworkError::Buckets(self.buckets));
        }
        if !(1..=10_000).contains(&self.scale) {
            return Err(NetworkError::Scale(self.scale));
        }
        for (what, text, max) in
            [("name of the game", &self.game, GAME_BYTES), ("licence", &self.licence, LICENCE_BYTES)]
        {
            if text.len() > max || text.contains('\0') {
                return Err(NetworkError::Name { what, text: text.clone(), max });
            }
        }
        Ok(())
    }
}

/// A network with 16-bit weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    info: NetworkInfo,
    /// One row of `width` weights for each input.
    pub(crate) feature_weights: Vec<i16>,
    pub(crate) feature_biases: Vec<i16>,
    /// For each bucket the weights of the own perspective, then those of the other.
    pub(crate) output_weights: Vec<i16>,
    /// One for each bucket, in units of 1 / (255 * 64).
    pub(crate) output_biases: Vec<i32>,
    pub(crate) kernels: Kernels,
}

impl Network {
    /// Creates a network: `inputs` rows of `width` weights, `width` biases, and for each bucket `width` output weights
    /// for each perspective, the own one first. The output biases, one for each bucket, count in units of
    /// 1 / (255 * 64).
    ///
    /// # Errors
    /// If the lengths do not fit together, a number is out of its range, or a name does not fit into the file.
    pub fn new(
        info: NetworkInfo,
        feature_weights: Vec<i16>,
        feature_biases: Vec<i16>,
        output_weights: Vec<i16>,
        output_biases: Vec<i32>,
    ) -> Result<Network, NetworkError> {
        info.check()?;
        let NetworkInfo { inputs, width, buckets, .. } = info;
        for (what, expected, found) in [
            ("feature weights", inputs * width, feature_weights.len()),
            ("feature biases", width, feature_biases.len()),
            ("output weights", 2 * width * buckets, output_weights.len()),
            ("output biases", buckets, output_biases.len()),
        ] {
            if expected != found {
                return Err(NetworkError::Count { what, expected, found });
            }
        }
        if let Some(&weight) =
            output_weights.iter().find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16)
        {
            return Err(NetworkError::OutputWeight(weight));
        }
        Ok(Network {
            info,
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
            kernels: Kernels::detect(),
        })
    }

    /// Returns what the file says about the network.
    pub fn info(&self) -> &NetworkInfo {
        &self.info
    }

    /// Returns the weights of the first layer, one row of `width` for each input, and its biases.
    pub fn first_layer(&self) -> (&[i16], &[i16]) {
        (&self.feature_weights, &self.feature_biases)
    }

    /// Returns the weights of the second layers, in each those of the own perspective first, and their biases in units
    /// of 1 / (255 * 64).
    pub fn second_layers(&self) -> (&[i16], &[i32]) {
        (&self.output_weights, &self.output_biases)
    }

    /// Returns this network with other kernels, whose results are the same.
    #[must_use]
    pub fn with_kernels(self, kernels: Kernels) -> Self {
        Network { kernels, ..self }
    }

    /// Returns the name for a person: game, shape and command hash.
    pub fn description(&self) -> String {
        let NetworkInfo { game, inputs, width, buckets, command_hash, .. } = &self.info;
        let outputs = if *buckets == 1 { "1".into() } else { format!("1 of {buckets}") };
        format!("{game} ({inputs} -> {width}) x 2 -> {outputs}, {command_hash:016x}")
    }

    /// Returns the output in centipawns for the sums of both perspectives, the own one first, and the number of pieces.
    #[inline]
    pub(crate) fn output(&self, own: &[i16], other: &[i16], pieces: usize) -> i32 {
        let (bucket, width) = (bucket(pieces, self.info.buckets), self.info.width);
        let weights = &self.output_weights[2 * width * bucket..][..2 * width];
        let (own_weights, other_weights) = weights.split_at(width);
        let sum = self.kernels.dot(own, own_weights) + self.kernels.dot(other, other_weights);
        let sum = sum / i64::from(FEATURE_ONE) + i64::from(self.output_biases[bucket]);
        (sum * i64::from(self.info.scale) / i64::from(FEATURE_ONE * OUTPUT_ONE)) as i32
    }
}

//! The state of a training as bytes, with which it goes on after an interruption.
//!
//! After the magic bytes `ALFTRAIN` come a hash of everything that the parameters depend on, the number of epochs done
//! and of steps, the parameters and both moments, and the CRC-32 of all of it. Numbers are little-endian, parameters
//! 32-bit floating point.

use alfil_nnue::command_hash;

use super::NetworkTrainer;
use crate::TrainingError;

const MAGIC: &[u8; 8] = b"ALFTRAIN";
/// The bytes before the parameters: magic, hash, epochs, steps.
const HEADER_BYTES: usize = 24;

impl NetworkTrainer {
    /// Returns the hash of the options and data that decide the result. The command names the options, and the checksum
    /// of the data if the caller writes it there.
    fn fingerprint(&self) -> u64 {
        let options = &self.options;
        let sample = self.training.records.first().zip(self.training.records.last());
        command_hash(&format!(
            "{} {} {} {} {} {} {:?} {} {} {} {:?} {:?} {sample:?}",
            self.game,
            // Its checksum depends on all games; `sample` has two positions only.
            options.command,
            options.width,
            options.buckets,
            options.epochs,
            options.batch,
            options.rates,
            options.lambda,
            options.result_fraction,
            options.seed,
            self.position_counts(),
            self.target.score_scale,
        ))
    }

    /// Returns the state after the last epoch.
    pub fn state(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.fingerprint().to_le_bytes());
        bytes.extend((self.epoch as u32).to_le_bytes());
        bytes.extend(self.adam.steps.to_le_bytes());
        for numbers in [&self.model.parameters, &self.adam.first, &self.adam.second] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Goes on from the state of an earlier run with the same options and data.
    ///
    /// # Errors
    /// If the bytes are damaged, or the state of another training.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), TrainingError> {
        let error = |reason: &str| TrainingError::State(reason.into());
        let count = self.model.parameters.len();
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(error("it does not begin with ALFTRAIN"));
        }
        let Some((body, checksum)) = bytes.split_last_chunk::<4>() else {
            return Err(error("it is truncated"));
        };
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(error("it is truncated or damaged"));
        }
        let is_same = body.get(8..16) == Some(&self.fingerprint().to_le_bytes());
        if !is_same || body.len() != HEADER_BYTES + 12 * count {
            return Err(error(
                "it is the state of a training with other options or data; delete it to begin anew",
            ));
        }
        let (header, numbers) = body.split_at(HEADER_BYTES);
        let long =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        (self.epoch, self.adam.steps) = (long(16) as usize, long(20));
        let mut numbers = numbers.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
        for target in [&mut self.model.parameters, &mut self.adam.first, &mut self.adam.second] {
            target.iter_mut().zip(numbers.by_ref()).for_each(|(target, number)| *target = number);
        }
        Ok(())
    }
}

//! Training of evaluation networks.

mod dataset;
mod model;
mod plot;
mod state;

use std::sync::Mutex;

use alfil_engine::threads;
use alfil_evaluation::network_inputs::NetworkInputs;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Game as _, Position, Score};
use alfil_nnue::{Accumulators, FeatureMap, Network, NetworkInfo, command_hash};

use crate::game_data::GameData;
use crate::trained_game::TrainedGame;
use crate::{TrainingError, fit};
use dataset::{Dataset, ScoreLabels};
use model::{AdamW, Gradient, Model, OUTPUT_SCALE, Target};

pub use plot::loss_plot;

/// The widths that a network can have.
const WIDTHS: [usize; 5] = [16, 32, 64, 128, 256];

/// The numbers of second layers that a network can have.
const BUCKETS: [usize; 4] = [1, 2, 4, 8];

/// The number of parts of a batch. Each is summed on one thread and the parts in their order, so that the result does
/// not depend on the number of threads.
const SLICES: usize = 16;

/// One game in this number is held out, at most.
const HELD_OUT_INTERVAL: usize = 20;

/// About the greatest number of positions that the scale of scores is fitted to.
const MAX_SCALE_POSITIONS: usize = 500_000;

/// The greatest number of positions that the error of the integer evaluation is measured on.
const MAX_MEASURED: usize = 20_000;

/// The options of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkOptions {
    /// The number of hidden units of each perspective: 16, 32, 64, 128 or 256.
    pub width: usize,
    /// The number of second layers, of which the number of pieces chooses one: 1, 2, 4 or 8.
    pub buckets: usize,
    /// The number of passes over the positions.
    pub epochs: usize,
    /// The number of positions in a batch.
    pub batch: usize,
    /// The learning rates of the first and of the last step, between which it falls along a cosine.
    pub rates: (f32, f32),
    /// The weight of the next ply in the score of a position, from 0 to 1: see `docs/inside/training.md`.
    pub lambda: f32,
    /// The fraction of the result in the target; the rest is the expected result of the score.
    pub result_fraction: f32,
    /// The seed of the first weights and of the order of the positions.
    pub seed: u32,
    /// The number of threads.
    pub threads: usize,
    /// The licence of the network, as an SPDX expression.
    pub licence: String,
    /// The command that trains it; the file has its hash.
    pub command: String,
}

/// The result of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochReport {
    /// The number of the epoch, from 1.
    pub epoch: usize,
    /// The learning rate of its last step.
    pub rate: f32,
    /// The mean square error over its batches, while they changed the weights.
    pub training_loss: f64,
    /// The mean square error on the positions of the games that are held out.
    pub held_out_loss: f64,
}

/// How far the scores of a network's integers are from those of the model with the same rounded weights, in centipawns,
/// over positions that were held out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantisationError {
    /// The number of positions.
    pub positions: usize,
    /// The mean absolute difference.
    pub mean: f64,
    /// The greatest absolute difference.
    pub max: f64,
}

/// A training of a network.
#[derive(Debug)]
pub struct NetworkTrainer {
    game: &'static str,
    symmetric: bool,
    features: &'static FeatureMap,
    training: Dataset,
    held_out: Dataset,
    /// The static scores of the hand-made terms in the positions that are held out.
    terms_scores: Vec<Score>,
    options: NetworkOptions,
    target: Target,
    model: Model,
    adam: AdamW,
    slices: Vec<Mutex<Gradient>>,
    epoch: usize,
}

impl NetworkTrainer {
    /// Prepares the training of a game's network on its games.
    ///
    /// # Errors
    /// If the game has no networks, if width, buckets or batch are out of their range, or if the games are too few, of
    /// another game or cannot be replayed.
    pub fn new(
        game: &str,
        games: &[GameData],
        options: &NetworkOptions,
    ) -> Result<NetworkTrainer, TrainingError> {
        let trainer = crate::trainer(game)?;
        trainer.check_games(games)?;
        let prepare = trainer.network.ok_or_else(|| TrainingError::NoNetworks(game.into()))?;
        prepare(games, options)
    }

    pub(crate) fn for_game<P: Position>(
        games: &[GameData],
        options: &NetworkOptions,
    ) -> Result<NetworkTrainer, TrainingError>
    where
        P::Game: TrainedGame<P> + NetworkInputs,
    {
        if !WIDTHS.contains(&options.width) {
            return Err(TrainingError::Width(options.width));
        }
        if !BUCKETS.contains(&options.buckets) {
            return Err(TrainingError::Buckets(options.buckets));
        }
        if options.batch == 0 {
            return Err(TrainingError::EmptyBatch);
        }
        let info = network_info(P::Game::NAME, P::Game::INPUTS, options);
        info.check().map_err(|error| TrainingError::Network(error.to_string()))?;
        // The positions of a game are correlated, so whole games are held out.
        let is_held_out =
            |(index, _): &(usize, &GameData)| index % HELD_OUT_INTERVAL == HELD_OUT_INTERVAL - 1;
        let (held_out, training): (Vec<_>, Vec<_>) = games.iter().enumerate().partition(is_held_out);
        let without_index = |games: Vec<(usize, &GameData)>| -> Vec<GameData> {
            games.into_iter().map(|(_, game)| game.clone()).collect()
        };
        let (training_games, held_out_games) = (without_index(training), without_index(held_out));
        let pairs = dataset::scores_and_results::<P>(&training_games, MAX_SCALE_POSITIONS)?;
        let score_scale = fit::best_scale(&pairs) as f32;
        let labels = ScoreLabels { lambda: options.lambda, score_scale };
        let training = Dataset::from_games::<P>(&training_games, labels, options.threads)?;
        let held_out = Dataset::from_games::<P>(&held_out_games, labels, options.threads)?;
        let terms_scores = dataset::terms_scores::<P>(&held_out_games, options.threads)?;
        if training.records.is_empty() || held_out.records.is_empty() {
            return Err(TrainingError::TooFewGames { games: games.len() });
        }
        let model = Model::random(P::Game::INPUTS, options.width, options.buckets, options.seed);
        Ok(NetworkTrainer {
            game: P::Game::NAME,
            symmetric: P::Game::IS_SYMMETRIC,
            features: P::Game::features(),
            training,
            held_out,
            terms_scores,
            options: options.clone(),
            target: Target { score_scale, result_fraction: options.result_fraction },
            adam: AdamW::new(&model),
            slices: (0..SLICES).map(|_| Mutex::new(Gradient::new(&model))).collect(),
            model,
            epoch: 0,
        })
    }

    /// Begins with the weights of a network in place of random ones. Returns its mean square error on the positions of
    /// the games that are held out.
    ///
    /// # Errors
    /// If the bytes are no network of the game, or a network of another shape or scale.
    pub fn start_from(&mut self, bytes: &[u8]) -> Result<f64, TrainingError> {
        let network = Network::from_bytes_for(bytes, self.game, self.model.inputs)
            .map_err(|error| TrainingError::Network(error.to_string()))?;
        let &NetworkInfo { width, buckets, scale, .. } = network.info();
        let expected = (self.options.width, self.options.buckets);
        if (width, buckets) != expected {
            return Err(TrainingError::Network(format!(
                "its width is {width} and its buckets are {buckets}, not {} and {}",
                expected.0, expected.1
            )));
        }
        if scale != OUTPUT_SCALE as i32 {
            return Err(TrainingError::Network(format!("its scale is {scale}, not {OUTPUT_SCALE}")));
        }
        self.model = Model::from_network(&network);
        Ok(self.held_out_loss())
    }

    /// Returns the numbers of positions for training and held out.
    pub fn position_counts(&self) -> (usize, usize) {
        (self.training.records.len(), self.held_out.records.len())
    }

    /// Returns the score whose expected result is 73 %, in centipawns.
    pub fn score_scale(&self) -> f64 {
        self.target.score_scale.into()
    }

    /// Returns the mean square error of the hand-made terms on the positions of the games that are held out. Labels of
    /// searches with the same terms favour them.
    pub fn terms_loss(&self) -> f64 {
        let scores = self.terms_scores.iter().map(|score| score.value() as f32);
        let losses =
            scores.zip(&self.held_out.records).map(|(score, record)| self.target.loss(score, record));
        losses.sum::<f64>() / self.held_out.records.len() as f64
    }

    /// Returns the number of epochs that are done.
    pub fn epochs_done(&self) -> usize {
        self.epoch
    }

    /// Trains for an epoch; `on_batch` receives the fraction of it that is done.
    ///
    /// # Panics
    /// If all epochs are done.
    pub fn train_epoch(&mut self, mut on_batch: impl FnMut(f64)) -> EpochReport {
        assert!(self.epoch < self.options.epochs, "there are {} epochs", self.options.epochs);
        let mut order: Vec<u32> = (0..self.training.records.len() as u32).collect();
        let mut random = SplitMix64::new(u64::from(self.options.seed) << 32 | self.epoch as u64);
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let batches = order.len().div_ceil(self.options.batch);
        let (mut loss, mut rate) = (0.0, 0.0);
        for (number, batch) in order.chunks(self.options.batch).enumerate() {
            rate = self.rate(number as f32 / batches as f32);
            loss += self.train_batch(batch, rate, random.next_u64());
            on_batch((number + 1) as f64 / batches as f64);
        }
        self.epoch += 1;
        EpochReport {
            epoch: self.epoch,
            rate,
            training_loss: loss / order.len() as f64,
            held_out_loss: self.held_out_loss(),
        }
    }

    /// Returns the learning rate after a fraction of the present epoch.
    fn rate(&self, fraction: f32) -> f32 {
        let (first, last) = self.options.rates;
        let progress = (self.epoch as f32 + fraction) / self.options.epochs as f32;
        last + (first - last) * 0.5 * (1.0 + (core::f32::consts::PI * progress).cos())
    }

    /// Makes a step and returns the sum of the losses before it.
    fn train_batch(&mut self, batch: &[u32], rate: f32, mirror_seed: u64) -> f64 {
        // Their numbers alone divide the positions of a symmetric game into two halves. In each batch one half, chosen
        // at random, is seen mirrored.
        let symmetric = self.symmetric;
        let mirrors = |index: u32| {
            symmetric
                && (mirror_seed ^ u64::from(index).wrapping_mul(0x9E37_79B9_7F4A_7C15)).count_ones() & 1 == 1
        };
        let slices: Vec<_> = batch.chunks(batch.len().div_ceil(SLICES)).zip(&self.slices).collect();
        let model = self.model.rounded();
        let (data, features, target) = (&self.training, self.features, &self.target);
        threads::parallel_map(&slices, self.options.threads, |(positions, slice)| {
            let mut gradient = slice.lock().expect("no thread panics while it sums");
            gradient.clear();
            model.add_gradient(data, features, positions, &mirrors, target, &mut gradient);
        });
        let used = slices.len();
        let gradients: Vec<_> = self.slices[..used]
            .iter()
            .map(|slice| slice.lock().expect("no thread panics while it sums"))
            .collect();
        let gradients: Vec<&Gradient> = gradients.iter().map(|gradient| &**gradient).collect();
        self.adam.step(&mut self.model, &gradients, batch.len(), rate);
        gradients.iter().map(|gradient| gradient.loss).sum()
    }

    fn held_out_loss(&self) -> f64 {
        let model = self.model.rounded();
        let positions: Vec<_> = (0..self.held_out.records.len()).collect();
        let losses = threads::parallel_map(
            &positions.chunks(4_096).collect::<Vec<_>>(),
            self.options.threads,
            |positions| {
                let loss = |&index: &usize| {
                    let record = &self.held_out.records[index];
                    let placements = self.held_out.placements(record);
                    let score = model.evaluate(placements, self.features, record.views.map(usize::from));
                    self.target.loss(score, record)
                };
                positions.iter().map(loss).sum::<f64>()
            },
        );
        losses.iter().sum::<f64>() / positions.len() as f64
    }

    /// Returns the network of the present weights.
    pub fn network(&self) -> Network {
        let info = network_info(self.game, self.model.inputs, &self.options);
        self.model.quantised(info).expect("the weights of a model are bounded, and the names are checked")
    }

    /// Returns how far a network is from the model with rounded weights.
    pub fn quantisation_error(&self, network: &Network) -> QuantisationError {
        let (mut accumulators, model) = (Accumulators::new(network), self.model.rounded());
        let records = &self.held_out.records[..self.held_out.records.len().min(MAX_MEASURED)];
        let (mut sum, mut max) = (0.0, 0.0_f64);
        for record in records {
            let placements = self.held_out.placements(record);
            let views = record.views.map(usize::from);
            accumulators.reset(network);
            let quantised = accumulators
                .evaluate(network, self.features, views, placements.len(), || placements.iter().copied());
            let difference =
                (f64::from(quantised) - f64::from(model.evaluate(placements, self.features, views))).abs();
            sum += difference;
            max = max.max(difference);
        }
        QuantisationError { positions: records.len(), mean: sum / records.len() as f64, max }
    }
}

/// Returns what the file of a network says about it.
fn network_info(game: &str, inputs: usize, options: &NetworkOptions) -> NetworkInfo {
    NetworkInfo {
        game: game.into(),
        inputs,
        width: options.width,
        buckets: options.buckets,
        scale: OUTPUT_SCALE as i32,
        licence: options.licence.clone(),
        command_hash: command_hash(&options.command),
    }
}

#[cfg(test)]
mod tests;

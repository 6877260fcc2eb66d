//! The network in floating point: its value, its gradient, and the steps of AdamW.

use alfil_kernel::zobrist::SplitMix64;
use alfil_nnue::{FEATURE_ONE, FeatureMap, NO_INPUT, Network, NetworkError, NetworkInfo, OUTPUT_ONE, bucket};

use super::dataset::{Dataset, TrainingPosition};

/// The score, in centipawns, of an output of 1.
pub(crate) const OUTPUT_SCALE: f32 = 400.0;

/// The greatest weight, of either sign, except for the output biases: as a 16-bit number of the second layer it is the
/// greatest that a network may have.
const MAX_WEIGHT: f32 = 1.98;

/// The decay rates of the moments of Adam (Kingma and Ba, 2015) and its smallest divisor.
const ADAM_DECAY: (f32, f32) = (0.9, 0.999);
const ADAM_EPSILON: f32 = 1e-8;

/// The decay of the weights, times the learning rate (AdamW; Loshchilov and Hutter, 2019).
const WEIGHT_DECAY: f32 = 0.01;

/// The number of values that are added up apart, so that the order of a sum does not depend on the instruction set.
const LANES: usize = 8;

/// The parameters in one row: the weights of each input, the biases, for each bucket the output weights of the own and
/// of the other perspective, and the output bias of each bucket.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    pub(crate) inputs: usize,
    pub(crate) width: usize,
    /// The number of second layers.
    buckets: usize,
    pub(crate) parameters: Vec<f32>,
}

/// What a position is trained for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The score whose expected result is 73 %, in centipawns.
    pub(crate) score_scale: f32,
    /// The fraction of the result in the target; the rest is the expected result of the score.
    pub(crate) result_fraction: f32,
}

impl Target {
    fn expected_result(&self, score: f32) -> f32 {
        1.0 / (1.0 + (-score / self.score_scale).exp())
    }

    /// Returns the loss of a score, in centipawns, for a position.
    pub(crate) fn loss(&self, score: f32, record: &TrainingPosition) -> f64 {
        f64::from(self.expected_result(score) - self.target_of(record)).powi(2)
    }

    fn target_of(&self, record: &TrainingPosition) -> f32 {
        let by_score = self.expected_result(record.score.into());
        self.result_fraction * f32::from(record.result) / 2.0 + (1.0 - self.result_fraction) * by_score
    }
}

/// A sum of losses and of their gradients.
#[derive(Clone, Debug)]
pub(crate) struct Gradient {
    pub(crate) loss: f64,
    pub(crate) parameters: Vec<f32>,
}

impl Gradient {
    pub(crate) fn new(model: &Model) -> Self {
        Gradient { loss: 0.0, parameters: vec![0.0; model.parameters.len()] }
    }

    pub(crate) fn clear(&mut self) {
        self.loss = 0.0;
        self.parameters.fill(0.0);
    }
}

/// The activation: the squared clipped ReLU.
#[inline(always)]
fn activation(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    clipped * clipped
}

/// Returns the sum of the activations times their weights, in an order that is the same on every machine.
#[inline(always)]
fn output_sum<const H: usize>(sums: &[f32; H], weights: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (sums, weights) in sums.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            lanes[i] += activation(sums[i]) * weights[i];
        }
    }
    lanes.iter().sum()
}

/// Evaluates an expression with a width as a constant: one of [`WIDTHS`](super::WIDTHS).
macro_rules! for_width {
    ($width:expr, $H:ident => $result:expr) => {
        for_width!($width, $H => $result, 16 32 64 128 256)
    };
    ($width:expr, $H:ident => $result:expr, $($value:literal)+) => {
        match $width {
            $($value => {
                const $H: usize = $value;
                $result
            })+
            width => unreachable!("the width of a model is checked: {width}"),
        }
    };
}

impl Model {
    /// Creates a model with random weights. Its buckets begin equal.
    pub(crate) fn random(inputs: usize, width: usize, buckets: usize, seed: u32) -> Model {
        let mut random = SplitMix64::new(u64::from(seed) ^ 0x6E6E_7565);
        let mut uniform = |bound: f32| {
            let fraction = (random.next_u64() >> 40) as f32 / (1 << 24) as f32;
            (2.0 * fraction - 1.0) * bound
        };
        // Some thirty inputs are 1, so that the sums of the first layer vary by about a third around their biases.
        let (feature_bound, output_bound) = (0.1, 1.0 / (width as f32).sqrt());
        let mut parameters: Vec<f32> = (0..inputs * width).map(|_| uniform(feature_bound)).collect();
        parameters.extend((0..width).map(|_| 0.2 + uniform(0.2)));
        let output_weights: Vec<f32> = (0..2 * width).map(|_| uniform(output_bound)).collect();
        parameters.extend(output_weights.repeat(buckets));
        parameters.extend(vec![0.0; buckets]);
        Model { inputs, width, buckets, parameters }
    }

    /// Returns the model of a network.
    pub(crate) fn from_network(network: &Network) -> Model {
        let &NetworkInfo { inputs, width, buckets, .. } = network.info();
        let (weights, biases) = network.first_layer();
        let (output_weights, output_biases) = network.second_layers();
        let first = weights.iter().chain(biases).map(|&weight| f32::from(weight) / FEATURE_ONE as f32);
        let second = output_weights.iter().map(|&weight| f32::from(weight) / OUTPUT_ONE as f32);
        let third = output_biases.iter().map(|&bias| bias as f32 / (FEATURE_ONE * OUTPUT_ONE) as f32);
        Model { inputs, width, buckets, parameters: first.chain(second).chain(third).collect() }
    }

    /// Returns the indices at which the biases, the output weights and the output biases begin.
    fn offsets(&self) -> (usize, usize, usize) {
        let (biases, weights) = (self.inputs * self.width, (self.inputs + 1) * self.width);
        (biases, weights, weights + 2 * self.width * self.buckets)
    }

    /// Returns the indices of the output weights and of the output bias for a number of pieces.
    #[inline(always)]
    fn output_offsets(&self, pieces: usize) -> (usize, usize) {
        let ((_, weights, biases), bucket) = (self.offsets(), bucket(pieces, self.buckets));
        (weights + 2 * self.width * bucket, biases + bucket)
    }

    /// Returns the sums of the first layer of a view.
    #[inline(always)]
    fn sums<const H: usize>(&self, placements: &[u16], features: &FeatureMap, view: usize) -> [f32; H] {
        let (biases, ..) = self.offsets();
        let (rows, _) = self.parameters[..biases].as_chunks::<H>();
        let mut sums = *self.parameters[biases..].first_chunk::<H>().expect("a model has its biases");
        for &placement in placements {
            let input = features.input(view, placement);
            if input != NO_INPUT {
                for (sum, weight) in sums.iter_mut().zip(&rows[usize::from(input)]) {
                    *sum += weight;
                }
            }
        }
        sums
    }

    /// Returns the output for a position, in centipawns.
    pub(crate) fn evaluate(&self, placements: &[u16], features: &FeatureMap, views: [usize; 2]) -> f32 {
        for_width!(self.width, H => self.output::<H>(placements, features, views).0)
    }

    #[inline(always)]
    fn output<const H: usize>(
        &self,
        placements: &[u16],
        features: &FeatureMap,
        views: [usize; 2],
    ) -> (f32, [[f32; H]; 2]) {
        let (weights, bias) = self.output_offsets(placements.len());
        let sums = views.map(|view| self.sums::<H>(placements, features, view));
        let (own, other) = self.parameters[weights..][..2 * H].split_at(H);
        let output = output_sum(&sums[0], own) + output_sum(&sums[1], other) + self.parameters[bias];
        (output * OUTPUT_SCALE, sums)
    }

    /// Adds the losses of positions and their gradients. `mirrors` returns whether a position is seen in the mirrored
    /// views.
    pub(crate) fn add_gradient(
        &self,
        data: &Dataset,
        features: &FeatureMap,
        positions: &[u32],
        mirrors: &impl Fn(u32) -> bool,
        target: &Target,
        gradient: &mut Gradient,
    ) {
        for_width!(self.width, H => {
            self.add_gradient_of::<H>(data, features, positions, mirrors, target, gradient);
        });
    }

    fn add_gradient_of<const H: usize>(
        &self,
        data: &Dataset,
        features: &FeatureMap,
        positions: &[u32],
        mirrors: &impl Fn(u32) -> bool,
        target: &Target,
        gradient: &mut Gradient,
    ) {
        let (biases, ..) = self.offsets();
        for &index in positions {
            let record = &data.records[index as usize];
            let placements = data.placements(record);
            let (weights, bias) = self.output_offsets(placements.len());
            let mirror = if mirrors(index) { 2 } else { 0 };
            let views = record.views.map(|view| usize::from(view) ^ mirror);
            let (output, sums) = self.output::<H>(placements, features, views);
            let predicted = target.expected_result(output);
            let error = predicted - target.target_of(record);
            gradient.loss += f64::from(error * error);
            let slope = 2.0 * error * predicted * (1.0 - predicted) * (OUTPUT_SCALE / target.score_scale);
            gradient.parameters[bias] += slope;
            for (perspective, (sums, view)) in sums.iter().zip(views).enumerate() {
                let perspective_weights = weights + perspective * H;
                let output_weights = self.parameters[perspective_weights..]
                    .first_chunk::<H>()
                    .expect("a model has its output weights");
                let output_gradients = gradient.parameters[perspective_weights..].first_chunk_mut::<H>();
                let output_gradients = output_gradients.expect("a gradient is as long as its model");
                let mut unit_gradients = [0.0; H];
                for unit in 0..H {
                    let clipped = sums[unit].clamp(0.0, 1.0);
                    output_gradients[unit] += slope * clipped * clipped;
                    let derivative_factor = if sums[unit] > 0.0 && sums[unit] < 1.0 { 2.0 } else { 0.0 };
                    unit_gradients[unit] = slope * output_weights[unit] * clipped * derivative_factor;
                }
                let (rows, rest) = gradient.parameters.split_at_mut(biases);
                let (rows, _) = rows.as_chunks_mut::<H>();
                let bias_gradients = rest.first_chunk_mut::<H>().expect("a gradient is as long as its model");
                add(bias_gradients, &unit_gradients);
                for &placement in placements {
                    let input = features.input(view, placement);
                    if input != NO_INPUT {
                        add(&mut rows[usize::from(input)], &unit_gradients);
                    }
                }
            }
        }
    }

    /// Returns the model whose parameters are those of the network with 16-bit weights. The gradient is taken at these
    /// weights, and the steps are made by the exact ones (a straight-through estimator; Bengio, Leonard and Courville,
    /// 2013), so that the training makes up for the rounding.
    pub(crate) fn rounded(&self) -> Model {
        let (_, weights, bias) = self.offsets();
        let mut rounded = self.clone();
        let (features, output) = rounded.parameters.split_at_mut(weights);
        let round = |numbers: &mut [f32], one: i32| {
            numbers.iter_mut().for_each(|number| *number = (*number * one as f32).round() / one as f32);
        };
        round(features, FEATURE_ONE);
        round(&mut output[..bias - weights], OUTPUT_ONE);
        round(&mut output[bias - weights..], FEATURE_ONE * OUTPUT_ONE);
        rounded
    }

    /// Returns the network with 16-bit weights.
    pub(crate) fn quantised(&self, info: NetworkInfo) -> Result<Network, NetworkError> {
        let (biases, weights, bias) = self.offsets();
        let rounded = |numbers: &[f32], one: i32| -> Vec<i16> {
            numbers.iter().map(|number| (number * one as f32).round() as i16).collect()
        };
        Network::new(
            info,
            rounded(&self.parameters[..biases], FEATURE_ONE),
            rounded(&self.parameters[biases..weights], FEATURE_ONE),
            rounded(&self.parameters[weights..bias], OUTPUT_ONE),
            self.parameters[bias..]
                .iter()
                .map(|number| (number * (FEATURE_ONE * OUTPUT_ONE) as f32).round() as i32)
                .collect(),
        )
    }
}

/// Adds one row to another.
#[inline(always)]
fn add<const H: usize>(to: &mut [f32; H], row: &[f32; H]) {
    for (to, number) in to.iter_mut().zip(row) {
        *to += number;
    }
}

/// The moments of AdamW.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AdamW {
    pub(crate) first: Vec<f32>,
    pub(crate) second: Vec<f32>,
    pub(crate) steps: u32,
}

impl AdamW {
    pub(crate) fn new(model: &Model) -> Self {
        let zeros = || vec![0.0; model.parameters.len()];
        AdamW { first: zeros(), second: zeros(), steps: 0 }
    }

    /// Changes the parameters by a step against the gradient of a batch of `count` positions, which is the sum of
    /// `slices` in their order.
    pub(crate) fn step(&mut self, model: &mut Model, slices: &[&Gradient], count: usize, rate: f32) {
        self.steps += 1;
        let steps = self.steps as i32;
        let corrections = (1.0 - ADAM_DECAY.0.powi(steps), 1.0 - ADAM_DECAY.1.powi(steps));
        let (_, _, output_biases) = model.offsets();
        let count = count as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        for (index, (parameter, (first, second))) in model.parameters.iter_mut().zip(moments).enumerate() {
            let sum: f32 = slices.iter().map(|slice| slice.parameters[index]).sum();
            let gradient = sum / count;
            *first = ADAM_DECAY.0 * *first + (1.0 - ADAM_DECAY.0) * gradient;
            *second = ADAM_DECAY.1 * *second + (1.0 - ADAM_DECAY.1) * gradient * gradient;
            let change = (*first / corrections.0) / ((*second / corrections.1).sqrt() + ADAM_EPSILON);
            *parameter -= rate * (change + WEIGHT_DECAY * *parameter);
            if index < output_biases {
                *parameter = parameter.clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of twelve placements with four views.
    fn tiny_data(random: &mut SplitMix64) -> (Dataset, FeatureMap) {
        let mut views = vec![(0..12).collect::<Vec<u16>>(), (0..12).rev().collect()];
        views[0][11] = NO_INPUT;
        views.push(vec![3, 2, 1, 0, 7, 6, 5, 4, 10, 9, 8, 11]);
        views.push((0..12).map(|input| (input + 5) % 12).collect());
        let mut data = Dataset::default();
        for _ in 0..40 {
            let side = random.below(2) as u8;
            let placements: Vec<_> = (0..12).filter(|_| random.below(3) == 0).collect();
            let score = random.below(1_000) as i16 - 500;
            data.push(placements.into_iter(), [side, 1 - side], random.below(3) as u8, score);
        }
        (data, FeatureMap::new(12, views))
    }

    #[test]
    fn gradients_equal_finite_differences() {
        let mut random = SplitMix64::new(31);
        let (data, features) = tiny_data(&mut random);
        let model = Model::random(12, 16, 4, 5);
        let positions: Vec<_> = (0..40).collect();
        let target = Target { score_scale: 300.0, result_fraction: 0.3 };
        let mirrors = |index: u32| index.is_multiple_of(3);
        let gradient_of = |model: &Model| {
            let mut gradient = Gradient::new(model);
            model.add_gradient(&data, &features, &positions, &mirrors, &target, &mut gradient);
            gradient
        };
        let analytic = gradient_of(&model).parameters;
        let mut largest: f64 = 0.0;
        for (index, &gradient) in analytic.iter().enumerate() {
            const STEP: f32 = 1.0 / 512.0;
            let loss_at = |step: f32| {
                let mut moved = model.clone();
                moved.parameters[index] += step;
                gradient_of(&moved).loss
            };
            let numeric = (loss_at(STEP) - loss_at(-STEP)) / (2.0 * f64::from(STEP));
            let expected = f64::from(gradient);
            largest = largest.max(expected.abs());
            let error = (numeric - expected).abs();
            assert!(error <= 2e-3 + 0.01 * expected.abs(), "parameter {index}: {expected} and {numeric}");
        }
        assert!(largest > 0.5, "the gradients are not trivial: {largest}");
    }

    #[test]
    fn the_quantised_network_evaluates_like_the_model() {
        let mut random = SplitMix64::new(32);
        let (data, features) = tiny_data(&mut random);
        let model = Model::random(12, 16, 4, 6);
        let info = NetworkInfo {
            game: "tiny".into(),
            inputs: 12,
            width: 16,
            buckets: 4,
            scale: OUTPUT_SCALE as i32,
            licence: "MIT".into(),
            command_hash: 0,
        };
        let network = model.quantised(info).unwrap();
        let mut accumulators = alfil_nnue::Accumulators::new(&network);
        for record in &data.records {
            let placements = data.placements(record);
            let views = record.views.map(usize::from);
            accumulators.reset(&network);
            let quantised = accumulators
                .evaluate(&network, &features, views, placements.len(), || placements.iter().copied())
                as f32;
            let value = model.evaluate(placements, &features, views);
            assert!((quantised - value).abs() < 12.0, "{quantised} and {value}");
        }
    }
}

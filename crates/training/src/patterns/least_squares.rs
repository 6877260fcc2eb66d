//! Ridge regression with sparse equations: conjugate gradients on the normal equations, preconditioned by how often
//! each weight occurs, which is their diagonal if no equation has a weight twice (M. Hestenes and E. Stiefel, 1952; Y.
//! Saad, "Iterative Methods for Sparse Linear Systems", 2003).

use alfil_engine::threads;
use alfil_evaluation::othello::FEATURES;

/// The equation of a position: the sum of the weights with these numbers is the target.
type Row = ([u32; FEATURES], f32);

/// The equations of many positions.
pub(super) struct Equations {
    parts: Vec<Vec<Row>>,
    weight_count: usize,
    threads: usize,
}

impl Equations {
    /// Makes equations of `weight_count` weights from parts, each of which is worked on by one thread.
    pub(super) fn new(parts: Vec<Vec<Row>>, weight_count: usize, threads: usize) -> Equations {
        Equations { parts, weight_count, threads }
    }

    /// Calls `visit` for each part with an own vector of zeros, and returns the sum of the vectors.
    fn sum(&self, visit: impl Fn(&[Row], &mut [f64]) + Sync) -> Vec<f64> {
        let vectors = threads::parallel_map(&self.parts, self.threads, |part| {
            let mut vector = vec![0.0; self.weight_count];
            visit(part, &mut vector);
            vector
        });
        let mut sum = vec![0.0; self.weight_count];
        for vector in vectors {
            sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
        }
        sum
    }

    /// Minimises the squared errors plus `ridge` times the squared distance from the given weights, which are replaced.
    /// Returns the mean absolute error, in units of the targets.
    pub(super) fn solve(&self, weights: &mut [f64], ridge: f64, iterations: usize) -> f64 {
        let occurrences = self.sum(|part, counts| {
            for (features, _) in part {
                features.iter().for_each(|&feature| counts[feature as usize] += 1.0);
            }
        });
        let inverse: Vec<_> = occurrences.iter().map(|count| 1.0 / (count + ridge).max(1e-9)).collect();
        let start: &[f64] = weights;
        // The residual of the normal equations at the given weights, where the penalty is zero.
        let mut residual = self.sum(|part, vector| {
            for (features, target) in part {
                let error = f64::from(*target) - value(features, start);
                features.iter().for_each(|&feature| vector[feature as usize] += error);
            }
        });
        let scaled = |residual: &[f64]| -> Vec<f64> { product(residual, &inverse).collect() };
        let mut preconditioned = scaled(&residual);
        let mut direction = preconditioned.clone();
        // The preconditioned squared norm of the residual.
        let mut length = dot(&residual, &preconditioned);
        let goal = length * 1e-8;
        for _ in 0..iterations {
            if length <= goal {
                break;
            }
            let direction_ref = &direction;
            // The image of the direction under the matrix of the normal equations.
            let mut image = self.sum(|part, vector| {
                for (features, _) in part {
                    let sum = value(features, direction_ref);
                    features.iter().for_each(|&feature| vector[feature as usize] += sum);
                }
            });
            image.iter_mut().zip(&direction).for_each(|(image, direction)| *image += ridge * direction);
            let step = length / dot(&direction, &image);
            weights.iter_mut().zip(&direction).for_each(|(weight, direction)| *weight += step * direction);
            residual.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= step * image);
            preconditioned = scaled(&residual);
            let next = dot(&residual, &preconditioned);
            let ratio = next / length;
            length = next;
            direction
                .iter_mut()
                .zip(&preconditioned)
                .for_each(|(direction, number)| *direction = number + ratio * *direction);
        }
        self.mean_absolute_error(weights)
    }

    /// Returns the mean absolute error of the equations, in units of the targets.
    fn mean_absolute_error(&self, weights: &[f64]) -> f64 {
        let sums = threads::parallel_map(&self.parts, self.threads, |part| {
            part.iter()
                .map(|(features, target)| (f64::from(*target) - value(features, weights)).abs())
                .sum::<f64>()
        });
        let count: usize = self.parts.iter().map(Vec::len).sum();
        sums.iter().sum::<f64>() / count.max(1) as f64
    }
}

/// Returns the sum of the weights of a position.
#[inline]
fn value(features: &[u32; FEATURES], weights: &[f64]) -> f64 {
    features.iter().map(|&feature| weights[feature as usize]).sum()
}

/// Returns the products of the elements of two vectors.
fn product<'a>(one: &'a [f64], other: &'a [f64]) -> impl Iterator<Item = f64> {
    one.iter().zip(other).map(|(one, other)| one * other)
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    product(one, other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    /// Returns equations over few weights, whose targets are the sums of `weights`.
    fn exact_equations(weights: &[f64], threads: usize) -> Equations {
        let mut random = SplitMix64::new(91);
        let mut row = || {
            let features = core::array::from_fn(|_| random.below(weights.len()) as u32);
            (features, value(&features, weights) as f32)
        };
        let parts = (0..4).map(|_| (0..400).map(|_| row()).collect()).collect();
        Equations::new(parts, weights.len(), threads)
    }

    #[test]
    fn weights_of_exact_equations_are_found() {
        let weights: Vec<f64> = (0..30).map(|i| f64::from(i) / 7.0 - 2.0).collect();
        for threads in [1, 3] {
            let mut found = vec![0.0; weights.len()];
            let error = exact_equations(&weights, threads).solve(&mut found, 0.0, 200);
            assert!(error < 3e-3, "{error}");
            for (found, weight) in found.iter().zip(&weights) {
                assert!((found - weight).abs() < 1e-2, "{found} {weight}");
            }
        }
    }

    #[test]
    fn a_weight_without_positions_stays_and_the_penalty_keeps_the_others_near() {
        let weights = vec![1.0; 20];
        let equations = Equations { weight_count: 21, ..exact_equations(&weights, 1) };
        let distance = |ridge: f64| {
            let mut found = vec![0.0; 20];
            found.push(0.5);
            equations.solve(&mut found, ridge, 100);
            assert_eq!(found[20], 0.5);
            found[..20].iter().map(|weight| (weight - 1.0).abs()).sum::<f64>()
        };
        assert!(distance(0.0) < 1e-2);
        assert!(distance(1e5) > 1.0, "{}", distance(1e5));
        assert!(distance(1e7) > 15.0);
    }
}

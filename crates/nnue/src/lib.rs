//! Efficiently updatable neural networks (NNUE; Nasu, 2018) of one hidden layer, for any game.
//!
//! A network has the shape (inputs -> width) x 2 -> 1, with one or several second layers, of which the number of pieces
//! on the board chooses one. The inputs are features of the position, each 0 or 1, seen by
//! each of the two perspectives: by the side to move and by its opponent. Both share the weights of the first layer.
//! The activation is the squared clipped ReLU. Weights are 16-bit integers: 255 stands for 1 in the first layer, and 64
//! for 1 in the second.
//!
//! The crate knows no game. A caller numbers the placements of its pieces (piece and square together) and gives, for
//! each *view*, the input of every placement: see [`FeatureMap`]. [`Accumulators`] keeps the sums of the first layer
//! up to date from ply to ply, and [`Network`] reads and writes files and evaluates.
//!
//! ```
//! use alfil_nnue::{Accumulators, FeatureMap, Network, NetworkInfo};
//!
//! // Two placements; the second perspective sees them exchanged.
//! let features = FeatureMap::new(2, vec![vec![0, 1], vec![1, 0]]);
//! let info = NetworkInfo {
//!     game: "example".into(),
//!     inputs: 2,
//!     width: 16,
//!     buckets: 1,
//!     scale: 400,
//!     licence: "MIT".into(),
//!     command_hash: 7,
//! };
//! let mut feature_weights = vec![0; 2 * 16];
//! feature_weights[0] = 255;
//! let mut output_weights = vec![0; 2 * 16];
//! output_weights[0] = 64;
//! let network = Network::new(info, feature_weights, vec![0; 16], output_weights, vec![0]).unwrap();
//! let mut accumulators = Accumulators::new(&network);
//! accumulators.put(0);
//! assert_eq!(accumulators.evaluate(&network, &features, [0, 1], 1, || vec![0].into_iter()), 400);
//! assert_eq!(accumulators.evaluate(&network, &features, [1, 0], 1, || vec![0].into_iter()), 0);
//! assert_eq!(Network::from_bytes(&network.to_bytes()).unwrap(), network);
//! ```

mod accumulators;
mod file;
mod kernels;
mod network;

pub use accumulators::{Accumulators, FeatureMap};
pub use file::{NetworkError, command_hash};
pub use kernels::{FEATURE_ONE, Kernels};
pub use network::{NO_INPUT, Network, NetworkInfo, OUTPUT_ONE, bucket};

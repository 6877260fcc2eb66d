//! The built-in networks. `docs/training.md` has the commands that made them.

/// The network of xiangqi.
pub const XIANGQI: &[u8] = include_bytes!("../nets/xiangqi.net");

//! Which parts of the tree are not looked at: one idea a file, each a function that returns a decision.

pub(crate) mod distance;
pub(crate) mod futility;
pub(crate) mod late;
pub(crate) mod null;
pub(crate) mod razor;
pub(crate) mod safe;

//! What came of reading a game.

use crate::fault::Fault;
use crate::recorded::Recorded;
use crate::tree::Tree;

/// A game as it was read.
#[derive(Clone, Debug)]
pub struct Parsed<G: Recorded> {
    /// What could be read: everything, or what stood before the place where it broke.
    pub tree: Tree<G>,
    /// Why the game could not be read to its end, if so.
    pub broken: Option<Fault>,
    /// What was passed over: tags that are none, variations from an illegal move on, what belongs nowhere.
    pub faults: Vec<Fault>,
}

impl<G: Recorded> Parsed<G> {
    /// The tree, if nothing at all was wrong.
    ///
    /// # Errors
    /// The first thing that was wrong, or that by which the game broke.
    pub fn sound(self) -> Result<Tree<G>, Fault> {
        match self.broken.or(self.faults.into_iter().next()) {
            Some(fault) => Err(fault),
            None => Ok(self.tree),
        }
    }
}

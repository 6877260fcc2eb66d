//! The sums of the first layer, kept from ply to ply and computed when they are needed.

use crate::network::{NO_INPUT, Network};

/// The changes of a ply that are recorded. A ply with more of them is computed from the whole position.
const MAX_CHANGES: usize = 4;

/// The input of each placement in each view.
///
/// A view is a way to see the board: from one side, perhaps mirrored. A placement is a piece on a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureMap {
    placements: usize,
    /// The inputs of all views, one after the other.
    inputs: Vec<u16>,
}

impl FeatureMap {
    /// Creates a map: for each view the inputs of all placements, [`NO_INPUT`] for those that are none.
    ///
    /// # Panics
    /// If a view does not have `placements` entries.
    pub fn new(placements: usize, views: Vec<Vec<u16>>) -> Self {
        assert!(views.iter().all(|view| view.len() == placements), "a view has an entry for each placement");
        FeatureMap { placements, inputs: views.concat() }
    }

    /// Returns the number of placements.
    pub fn placements(&self) -> usize {
        self.placements
    }

    /// Returns the input of a placement in a view; [`NO_INPUT`] if it is none.
    ///
    /// # Panics
    /// If there is no such view or placement.
    #[inline(always)]
    pub fn input(&self, view: usize, placement: u16) -> u16 {
        self.inputs[view * self.placements + usize::from(placement)]
    }
}

/// A few placements or inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ShortList {
    items: [u16; MAX_CHANGES],
    len: usize,
}

impl ShortList {
    #[inline]
    fn push(&mut self, item: u16) -> bool {
        let slot = self.items.get_mut(self.len);
        let is_stored = slot.is_some();
        if let Some(slot) = slot {
            *slot = item;
            self.len += 1;
        }
        is_stored
    }

    #[inline]
    fn as_slice(&self) -> &[u16] {
        &self.items[..self.len]
    }

    /// Returns the inputs of the placements in a view.
    #[inline]
    fn inputs(&self, features: &FeatureMap, view: usize) -> ShortList {
        let mut inputs = ShortList::default();
        for &placement in self.as_slice() {
            let input = features.input(view, placement);
            if input != NO_INPUT {
                inputs.push(input);
            }
        }
        inputs
    }
}

/// A ply: its changes, and the sums after them where they were computed.
#[derive(Clone, Debug)]
struct Entry {
    put: ShortList,
    removed: ShortList,
    /// Whether the lists have all changes.
    is_complete: bool,
    /// The view of the sums of each perspective; `None` if they were not computed.
    views: [Option<usize>; 2],
    sums: [Vec<i16>; 2],
}

/// The sums of both perspectives at every ply of a search.
///
/// It follows a game as [`push`](Accumulators::push), changes, [`pop`](Accumulators::pop). The changes that are
/// reported between a `pop` and the next `push` undo those of the ply and are ignored, because the sums before it are
/// kept. The sums are computed by [`evaluate`](Accumulators::evaluate), from the nearest ply at which they are known in
/// the same view, or from the position if that takes fewer additions.
#[derive(Clone, Debug)]
pub struct Accumulators {
    entries: Vec<Entry>,
    /// The index of the present ply.
    top: usize,
    /// Whether the present ply was reached by a `pop`.
    is_popped: bool,
}

impl Accumulators {
    /// Creates accumulators for a network, for an empty board.
    pub fn new(network: &Network) -> Self {
        let mut accumulators = Accumulators { entries: Vec::new(), top: 0, is_popped: false };
        accumulators.reset(network);
        accumulators
    }

    /// Forgets all plies: the sums are computed from the position next time.
    pub fn reset(&mut self, network: &Network) {
        let sums = || vec![0; network.info().width];
        if self.entries.is_empty() || self.entries[0].sums[0].len() != network.info().width {
            self.entries.clear();
            self.entries.push(Entry {
                put: ShortList::default(),
                removed: ShortList::default(),
                is_complete: false,
                views: [None; 2],
                sums: [sums(), sums()],
            });
        }
        (self.top, self.is_popped) = (0, false);
        self.entries[0].is_complete = false;
        self.entries[0].views = [None; 2];
    }

    /// Begins a ply.
    #[inline]
    pub fn push(&mut self) {
        self.top += 1;
        self.is_popped = false;
        if self.top == self.entries.len() {
            let width = self.entries[0].sums[0].len();
            self.entries.push(Entry {
                put: ShortList::default(),
                removed: ShortList::default(),
                is_complete: true,
                views: [None; 2],
                sums: [vec![0; width], vec![0; width]],
            });
            return;
        }
        let entry = &mut self.entries[self.top];
        (entry.put.len, entry.removed.len) = (0, 0);
        (entry.is_complete, entry.views) = (true, [None; 2]);
    }

    /// Takes the last ply back. If there is none, the sums are computed from the position next time.
    #[inline]
    pub fn pop(&mut self) {
        match self.top.checked_sub(1) {
            Some(top) => self.top = top,
            None => (self.entries[0].is_complete, self.entries[0].views) = (false, [None; 2]),
        }
        self.is_popped = true;
    }

    /// Handles that a piece was put on the board.
    #[inline]
    pub fn put(&mut self, placement: u16) {
        if !self.is_popped {
            let entry = &mut self.entries[self.top];
            entry.is_complete &= entry.put.push(placement);
            entry.views = [None; 2];
        }
    }

    /// Handles that a piece was removed from the board.
    #[inline]
    pub fn remove(&mut self, placement: u16) {
        if !self.is_popped {
            let entry = &mut self.entries[self.top];
            entry.is_complete &= entry.removed.push(placement);
            entry.views = [None; 2];
        }
    }

    /// Returns the output of the network in centipawns, for the views of the side to move and of its opponent and for
    /// the number of pieces on the board. Views of the first side have even numbers, views of the second odd ones.
    /// `placements` returns all placements of the position, at most 128; it is called only if the sums cannot be
    /// updated.
    pub fn evaluate<I: Iterator<Item = u16>>(
        &mut self,
        network: &Network,
        features: &FeatureMap,
        views: [usize; 2],
        pieces: usize,
        placements: impl Fn() -> I,
    ) -> i32 {
        // The sums of a side keep their place, whichever side is to move.
        let slots = [views[0] & 1, views[1] & 1];
        for (slot, view) in slots.into_iter().zip(views) {
            self.compute(network, features, slot, view, &placements);
        }
        let sums = &self.entries[self.top].sums;
        network.output(&sums[slots[0]], &sums[slots[1]], pieces)
    }

    /// Computes the sums of the present ply in a view.
    fn compute<I: Iterator<Item = u16>>(
        &mut self,
        network: &Network,
        features: &FeatureMap,
        slot: usize,
        view: usize,
        placements: &impl Fn() -> I,
    ) {
        /// With more plies than this to update, the position has fewer pieces than the plies have changes.
        const MAX_PLIES: usize = 10;
        let mut known = self.top;
        while self.entries[known].views[slot] != Some(view) {
            if !self.entries[known].is_complete || known == 0 || self.top - known >= MAX_PLIES {
                return self.refresh(network, features, slot, view, placements());
            }
            known -= 1;
        }
        for ply in known + 1..=self.top {
            let (before, after) = self.entries.split_at_mut(ply);
            let (before, entry) = (&before[ply - 1], &mut after[0]);
            let (put, removed) = (entry.put.inputs(features, view), entry.removed.inputs(features, view));
            network.kernels.update(
                &mut entry.sums[slot],
                &before.sums[slot],
                &network.feature_weights,
                put.as_slice(),
                removed.as_slice(),
            );
            entry.views[slot] = Some(view);
        }
    }

    /// Computes the sums of the present ply from the whole position.
    fn refresh(
        &mut self,
        network: &Network,
        features: &FeatureMap,
        slot: usize,
        view: usize,
        placements: impl Iterator<Item = u16>,
    ) {
        /// More than the squares of every board.
        const MAX_PIECES: usize = 128;
        let mut inputs = [0; MAX_PIECES];
        let mut len = 0;
        for input in placements.map(|placement| features.input(view, placement)) {
            if input != NO_INPUT {
                inputs[len] = input;
                len += 1;
            }
        }
        let entry = &mut self.entries[self.top];
        let (biases, weights) = (&network.feature_biases, &network.feature_weights);
        network.kernels.update(&mut entry.sums[slot], biases, weights, &inputs[..len], &[]);
        entry.views[slot] = Some(view);
    }
}

//! Repetition found by homing, after ElephantEye.

use alfil_kernel::GameHistory;

use crate::board::Board;
use crate::square::Square;

/// The plies before which the position at the end of the line stood already, the latest first, found by homing: the
/// moves are walked back, and each man that moved is followed from where it stands now to where it stood then. When
/// all are home the position stood there, provided the same side was to move. Like men that changed places count as
/// home; a capture ends the walk, for what it took cannot come back.
///
/// After ElephantEye's repetition test, which follows each man on its own and so misses like men that changed places.
pub fn homings<P: Board>(line: &GameHistory<P>) -> impl Iterator<Item = usize> + '_ {
    let mut travels = Displacements::default();
    let end = line.ply();
    let window = if line.may_repeat() { line.reversible_plies() } else { 0 };
    (1..=window).filter_map(move |back| {
        let mv = line.records()[end - back].mv()?;
        travels.take_back(mv.origin(), mv.target());
        (back.is_multiple_of(2) && travels.are_all_home(line.position())).then_some(end - back)
    })
}

/// Where the men that moved stand now, and where they stood then.
#[derive(Clone, Debug, Default)]
struct Displacements(Vec<Displacement>);

#[derive(Clone, Copy, Debug)]
struct Displacement {
    now: Square,
    then: Square,
}

impl Displacements {
    fn take_back(&mut self, origin: Square, target: Square) {
        match self.0.iter_mut().find(|travel| travel.then == target) {
            Some(travel) => travel.then = origin,
            None => self.0.push(Displacement { now: target, then: origin }),
        }
    }

    /// Each man that moved stood then where its like stands now. No two stood on one point, so this exhausts them.
    fn are_all_home(&self, position: &impl Board) -> bool {
        self.0.iter().all(|travel| {
            travel.now == travel.then || position.piece_on(travel.then) == position.piece_on(travel.now)
        })
    }
}

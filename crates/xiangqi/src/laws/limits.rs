//! Ends that no repetition brings: too many plies without a capture, and too few men.

use alfil_kernel::{Line, MoveList, Setup as _, Side};

use super::ruleset::{Bare, Checks, Ruleset};
use crate::board::Board;
use crate::piece::{Kind, Piece};

/// How many checks of a side count towards the natural limit.
const COUNTED_CHECKS: u32 = 10;

/// Whether so many plies passed without a capture that the book calls it a draw.
pub(super) fn is_natural<P: Board>(line: &Line<P>, book: &Ruleset) -> bool {
    // The plain count is never less than the book's.
    book.natural_plies.is_some_and(|limit| line.quiet() >= limit && counted(line, book.checks) >= limit)
}

/// The plies since the last capture, those before the start included, as the book counts checks and their answers.
fn counted<P: Board>(line: &Line<P>, checks: Checks) -> u32 {
    let records = line.records();
    let first = records.len() - line.reversible();
    let mut count = if first == 0 { line.start().counters().quiet } else { 0 };
    let mut given = [0, 0];
    // An answer goes with its check.
    let mut free = false;
    for (ply, record) in records.iter().enumerate().skip(first) {
        let side = line.side_at(ply).index();
        given[side] += u32::from(record.check());
        let excess = record.check()
            && match checks {
                Checks::Count => false,
                Checks::FirstTen => given[side] > COUNTED_CHECKS,
                Checks::Never => true,
            };
        count = count.saturating_add(u32::from(!free && !excess));
        free = excess;
    }
    count
}

/// Whether a side has a man that can cross the river.
pub(super) fn can_cross<P: Board>(position: &P, side: Side) -> bool {
    let crossers = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Soldier];
    crossers.into_iter().any(|kind| !position.pieces(Piece::new(side, kind)).is_empty())
}

/// Whether neither side has the men to win.
pub(super) fn is_bare<P: Board>(position: &P, bare: Bare) -> bool {
    let has = |side, kind| position.pieces(Piece::new(side, kind)).len();
    let both = |kind| has(Side::First, kind) + has(Side::Second, kind);
    if both(Kind::Rook) + both(Kind::Horse) + both(Kind::Soldier) > 0 {
        return false;
    }
    match (both(Kind::Cannon), bare) {
        (0, _) => true,
        (_, Bare::NoCrossers) => false,
        (1, Bare::LoneCannon) => {
            let owner = if has(Side::First, Kind::Cannon) == 1 { Side::First } else { Side::Second };
            // Without an own advisor the cannon's screens are its elephants and what the other side leaves it.
            match (has(owner, Kind::Advisor), has(!owner, Kind::Advisor), has(owner, Kind::Elephant)) {
                (0, 0, _) | (0, 1, 0) => true,
                (0, 1, _) | (0, 2, 0) => !mates_at_once(position),
                _ => false,
            }
        }
        (2, Bare::LoneCannon) => {
            let one_each = has(Side::First, Kind::Cannon) == 1;
            let no_advisors = both(Kind::Advisor) == 0;
            one_each && no_advisors && (both(Kind::Elephant) == 0 || !mates_at_once(position))
        }
        _ => false,
    }
}

/// Whether a move leaves the other side without one.
fn mates_at_once<P: Board>(position: &P) -> bool {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    moves.iter().any(|&mv| {
        let mut after = position.clone();
        after.make(mv, &mut ());
        after.ended()
    })
}

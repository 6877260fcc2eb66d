//! Ends that no repetition brings: too many plies without a capture, and too few men.

use alfil_kernel::{GameHistory, MoveList, Setup as _, Side};

use super::ruleset::{CheckCounting, InsufficientMaterial, Ruleset};
use crate::board::Board;
use crate::piece::{Piece, PieceKind};

/// How many checks of a side count towards the natural limit.
const MAX_COUNTED_CHECKS: u32 = 10;

/// Whether so many plies passed without a capture that the book calls it a draw.
pub(super) fn is_natural_limit_reached<P: Board>(line: &GameHistory<P>, book: &Ruleset) -> bool {
    // The plain count is never less than the book's.
    book.natural_limit_plies.is_some_and(|limit| {
        line.halfmove_clock() >= limit && counted_plies(line, book.check_counting) >= limit
    })
}

/// The plies since the last capture, those before the start included, as the book counts checks and their answers.
fn counted_plies<P: Board>(line: &GameHistory<P>, checks: CheckCounting) -> u32 {
    let records = line.records();
    let first = records.len() - line.reversible_plies();
    let mut count = if first == 0 { line.start_setup().counters().halfmove_clock } else { 0 };
    let mut given = [0, 0];
    // An answer goes with its check.
    let mut free = false;
    for (ply, record) in records.iter().enumerate().skip(first) {
        let side = line.side_at(ply).index();
        given[side] += u32::from(record.is_check());
        let excess = record.is_check()
            && match checks {
                CheckCounting::All => false,
                CheckCounting::FirstTen => given[side] > MAX_COUNTED_CHECKS,
                CheckCounting::Never => true,
            };
        count = count.saturating_add(u32::from(!free && !excess));
        free = excess;
    }
    count
}

/// Whether a side has a man that can cross the river.
pub(super) fn has_crossing_piece<P: Board>(position: &P, side: Side) -> bool {
    let crossers = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Soldier];
    crossers.into_iter().any(|kind| !position.pieces(Piece::new(side, kind)).is_empty())
}

/// Whether neither side has the men to win.
pub(super) fn is_insufficient_material<P: Board>(position: &P, bare: InsufficientMaterial) -> bool {
    let has = |side, kind| position.pieces(Piece::new(side, kind)).len();
    let both = |kind| has(Side::First, kind) + has(Side::Second, kind);
    if both(PieceKind::Rook) + both(PieceKind::Horse) + both(PieceKind::Soldier) > 0 {
        return false;
    }
    match (both(PieceKind::Cannon), bare) {
        (0, _) => true,
        (_, InsufficientMaterial::NoCrossers) => false,
        (1, InsufficientMaterial::LoneCannon) => {
            let owner = if has(Side::First, PieceKind::Cannon) == 1 { Side::First } else { Side::Second };
            // Without an own advisor the cannon's screens are its elephants and what the other side leaves it.
            match (
                has(owner, PieceKind::Advisor),
                has(!owner, PieceKind::Advisor),
                has(owner, PieceKind::Elephant),
            ) {
                (0, 0, _) | (0, 1, 0) => true,
                (0, 1, _) | (0, 2, 0) => !has_winning_move(position),
                _ => false,
            }
        }
        (2, InsufficientMaterial::LoneCannon) => {
            let one_each = has(Side::First, PieceKind::Cannon) == 1;
            let no_advisors = both(PieceKind::Advisor) == 0;
            one_each && no_advisors && (both(PieceKind::Elephant) == 0 || !has_winning_move(position))
        }
        _ => false,
    }
}

/// Whether a move leaves the other side without one.
fn has_winning_move<P: Board>(position: &P) -> bool {
    let mut moves = MoveList::new();
    position.generate_legal(&mut moves);
    moves.iter().any(|&mv| {
        let mut after = position.clone();
        after.make(mv, &mut ());
        after.has_no_legal_move()
    })
}

//! Draws without a repetition: the natural limit and insufficient material.

use alfil_kernel::{GameHistory, MoveList, PlyRecord, Setup as _, Side};

use super::ruleset::{CheckCounting, InsufficientMaterial, Ruleset};
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};

/// The number of checks of a side that count towards the natural limit.
const MAX_COUNTED_CHECKS: u32 = 10;

/// Returns whether the natural limit of the ruleset is reached.
pub(super) fn is_natural_limit_reached<P: Board>(game: &GameHistory<P>, ruleset: &Ruleset) -> bool {
    // The halfmove clock is never less than the ruleset's count.
    ruleset.natural_limit_plies.is_some_and(|limit| {
        game.halfmove_clock() >= limit && counted_plies(game, ruleset.check_counting) >= limit
    })
}

/// Returns the plies since the last capture, those before the start position included, as the ruleset counts checks and
/// the replies to them. Null moves are not counted and restart nothing.
fn counted_plies<P: Board>(game: &GameHistory<P>, checks: CheckCounting) -> u32 {
    let records = game.records();
    let is_capture = |record: &PlyRecord<Move>| record.mv().is_some() && record.is_irreversible();
    let first = records.iter().rposition(is_capture).map_or(0, |ply| ply + 1);
    let mut count = if first == 0 { game.start_setup().counters().halfmove_clock } else { 0 };
    let mut check_count = [0, 0];
    // A reply counts as its check does.
    let mut is_reply_uncounted = false;
    let moves = records.iter().enumerate().skip(first).filter(|(_, record)| record.mv().is_some());
    for (ply, record) in moves {
        let side = game.side_at(ply).index();
        check_count[side] += u32::from(record.is_check());
        let is_uncounted = record.is_check()
            && match checks {
                CheckCounting::All => false,
                CheckCounting::FirstTen => check_count[side] > MAX_COUNTED_CHECKS,
                CheckCounting::Never => true,
            };
        count = count.saturating_add(u32::from(!is_reply_uncounted && !is_uncounted));
        is_reply_uncounted = is_uncounted;
    }
    count
}

/// Returns whether a side has a piece that can cross the river.
pub(super) fn has_crossing_piece<P: Board>(position: &P, side: Side) -> bool {
    let crossers = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Soldier];
    crossers.into_iter().any(|kind| !position.pieces(Piece::new(side, kind)).is_empty())
}

/// Returns whether neither side has the pieces to win.
pub(super) fn is_insufficient_material<P: Board>(position: &P, rule: InsufficientMaterial) -> bool {
    let count = |side, kind| position.pieces(Piece::new(side, kind)).len();
    let total = |kind| count(Side::First, kind) + count(Side::Second, kind);
    if total(PieceKind::Rook) + total(PieceKind::Horse) + total(PieceKind::Soldier) > 0 {
        return false;
    }
    match (total(PieceKind::Cannon), rule) {
        (0, _) => true,
        (_, InsufficientMaterial::NoCrossers) => false,
        (1, InsufficientMaterial::LoneCannon) => {
            let owner = if count(Side::First, PieceKind::Cannon) == 1 { Side::First } else { Side::Second };
            // Without an own advisor the screens of the cannon are its elephants and the other side's pieces.
            match (
                count(owner, PieceKind::Advisor),
                count(!owner, PieceKind::Advisor),
                count(owner, PieceKind::Elephant),
            ) {
                (0, 0, _) | (0, 1, 0) => true,
                (0, 1, _) | (0, 2, 0) => !has_winning_move(position),
                _ => false,
            }
        }
        (2, InsufficientMaterial::LoneCannon) => {
            let one_each = count(Side::First, PieceKind::Cannon) == 1;
            let no_advisors = total(PieceKind::Advisor) == 0;
            one_each && no_advisors && (total(PieceKind::Elephant) == 0 || !has_winning_move(position))
        }
        _ => false,
    }
}

/// Returns whether a move leaves the other side without a legal move.
fn has_winning_move<P: Board>(position: &P) -> bool {
    let mut moves = MoveList::new();
    position.generate_legal(&mut moves);
    moves.iter().any(|&mv| {
        let mut after = position.clone();
        after.make(mv, &mut ());
        after.has_no_legal_move()
    })
}

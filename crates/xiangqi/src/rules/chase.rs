//! Chases: which pieces a side threatens to capture with profit, if it were to move.
//!
//! After the Asian rules as two public programs and the texts of the federations define them, and as measured on their
//! diagrams: a king or a soldier may always chase; a soldier that has not crossed the river may be chased; a protected
//! piece is chased only by a piece of less value. Whether a protection is real is found by making the capture and
//! looking for a legal recapture, because screens, legs and pins change with the capture.

use alloc::vec::Vec;

use alfil_kernel::Side;

use super::scratch_board::ScratchBoard;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet};

/// The options in which rulesets differ about threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChaseOptions {
    /// A second piece that newly attacks an already attacked piece is a new chase: pairs are compared, not victims.
    pub compares_pairs: bool,
    /// A check by either side inside the repetition excuses all chases.
    pub check_excuses_chases: bool,
    /// Pieces that gave check before the capture do not make a recapture illegal.
    pub ignores_prior_checks: bool,
    /// A rook that an enemy horse pins to its king is chased although protected, and its chaser loses even if both
    /// sides chase.
    pub horse_pinned_rooks: bool,
    /// If both sides chase, a side that chases a rook with a cannon loses although that rook only chases cannons in
    /// return (AXF 15).
    pub cannons_yield_to_rooks: bool,
    /// Several pieces may chase several pieces (AXF 32).
    pub several_may_chase_several: bool,
}

/// A piece that can be captured with profit, and its attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Threat {
    pub(super) attacker: Square,
    pub(super) victim: Square,
    /// Whether the victim is a rook pinned by an enemy horse.
    pub(super) is_horse_pinned: bool,
}

/// The kinds of pieces that can chase: all but king and soldier.
const CHASERS: [PieceKind; 5] =
    [PieceKind::Advisor, PieceKind::Elephant, PieceKind::Horse, PieceKind::Rook, PieceKind::Cannon];

/// Finds all threats of `side`, as if it were to move.
pub(super) fn threats(board: &mut ScratchBoard, side: Side, options: &ChaseOptions, found: &mut Vec<Threat>) {
    let victim_set = victims(board, !side);
    let pinned_rooks =
        if options.horse_pinned_rooks { horse_pinned_rooks(board, !side) } else { SquareSet::EMPTY };
    for kind in CHASERS {
        for attacker in board.pieces(side, kind) {
            for victim in board.targets(side, kind, attacker) & victim_set {
                let is_pinned = pinned_rooks.contains(victim);
                if can_capture(board, side, attacker, victim)
                    && is_profitable(board, side, attacker, victim, is_pinned, options)
                {
                    found.push(Threat { attacker, victim, is_horse_pinned: is_pinned });
                }
            }
        }
    }
}

/// Returns the pieces of a side that can be chased: not its king, and no soldier that has not crossed the river.
fn victims(board: &ScratchBoard, side: Side) -> SquareSet {
    let soldiers = board.pieces(side, PieceKind::Soldier);
    let at_home = soldiers.iter().filter(|&soldier| soldier.half() == side);
    board
        .occupied_by(side)
        .difference(board.pieces(side, PieceKind::King))
        .difference(SquareSet::from_squares(at_home))
}

/// Returns whether the capture is legal; a pinned piece threatens only the piece that pins it.
fn can_capture(board: &mut ScratchBoard, side: Side, attacker: Square, victim: Square) -> bool {
    let earlier_checkers = board.checkers(side);
    let piece = board.remove(attacker);
    let pinners = board.checkers(side).difference(earlier_checkers);
    if let Some(piece) = piece {
        board.put(attacker, piece);
    }
    if !pinners.difference(SquareSet::from_square(victim)).is_empty() {
        return false;
    }
    let captured = board.make(attacker, victim);
    let is_safe = board.checkers(side).is_empty();
    board.unmake(attacker, victim, captured);
    is_safe
}

/// Returns whether the capture wins something.
fn is_profitable(
    board: &mut ScratchBoard,
    side: Side,
    attacker: Square,
    victim: Square,
    is_pinned: bool,
    options: &ChaseOptions,
) -> bool {
    let (Some(attacker_piece), Some(victim_piece)) = (board.piece_on(attacker), board.piece_on(victim))
    else {
        return false;
    };
    if is_always_chase(attacker_piece.kind(), victim_piece.kind()) {
        return true;
    }
    if attacker_piece.kind() == victim_piece.kind() && can_capture_attacker(board, !side, victim, attacker) {
        // An offer to exchange.
        return false;
    }
    is_pinned || !is_protected(board, side, attacker, victim, options)
}

/// Returns whether an attack is a chase even on a protected piece: by a horse or cannon on a rook; by an advisor or
/// elephant on a rook, horse or cannon.
pub(super) fn is_always_chase(attacker: PieceKind, victim: PieceKind) -> bool {
    match attacker {
        PieceKind::Horse | PieceKind::Cannon => victim == PieceKind::Rook,
        PieceKind::Advisor | PieceKind::Elephant => {
            matches!(victim, PieceKind::Rook | PieceKind::Horse | PieceKind::Cannon)
        }
        _ => false,
    }
}

/// Returns whether the victim could itself legally capture its attacker of the same kind.
fn can_capture_attacker(board: &mut ScratchBoard, side: Side, victim: Square, attacker: Square) -> bool {
    let Some(piece) = board.piece_on(victim) else { return false };
    if !board.targets(side, piece.kind(), victim).contains(attacker) {
        return false;
    }
    let captured = board.make(victim, attacker);
    let is_safe = board.checkers(side).is_empty();
    board.unmake(victim, attacker, captured);
    is_safe
}

/// Returns whether a recapture would be legal.
fn is_protected(
    board: &mut ScratchBoard,
    side: Side,
    attacker: Square,
    victim: Square,
    options: &ChaseOptions,
) -> bool {
    let ignored = if options.ignores_prior_checks {
        board.checkers(!side).difference(SquareSet::from_square(attacker))
    } else {
        SquareSet::EMPTY
    };
    let captured = board.make(attacker, victim);
    let is_protected = board.attackers_to(victim, !side).iter().any(|protector| {
        let recaptured = board.make(protector, victim);
        let is_safe = board.checkers(!side).difference(ignored).is_empty();
        board.unmake(protector, victim, recaptured);
        is_safe
    });
    board.unmake(attacker, victim, captured);
    is_protected
}

/// Returns the rooks of a side that an enemy horse pins to the king.
fn horse_pinned_rooks(board: &mut ScratchBoard, side: Side) -> SquareSet {
    let earlier_checkers = board.checkers(side);
    let rooks = board.pieces(side, PieceKind::Rook);
    let horses = board.pieces(!side, PieceKind::Horse);
    SquareSet::from_squares(rooks.iter().filter(|&rook| {
        board.remove(rook);
        let is_pinned = (board.checkers(side).difference(earlier_checkers)).intersects(horses);
        board.put(rook, Piece::new(side, PieceKind::Rook));
        is_pinned
    }))
}

/// Returns the first piece that the moved piece chases by ElephantEye's simpler test. Rooks and cannons attack only at
/// right angles to their move; advisors, elephants, kings and soldiers neither chase nor are chased, except soldiers
/// across the river.
pub(super) fn chased_by_mover(board: &ScratchBoard, origin: Square, moved: Square) -> Option<Square> {
    let piece = board.piece_on(moved)?;
    let (side, enemy) = (piece.side(), !piece.side());
    let always_chases_rooks = matches!(piece.kind(), PieceKind::Horse | PieceKind::Cannon);
    let targets = board.targets(side, piece.kind(), moved);
    let targets = match piece.kind() {
        PieceKind::Horse => targets,
        PieceKind::Rook | PieceKind::Cannon => {
            let along_file = origin.file() == moved.file();
            let is_across = |square: &Square| {
                if along_file { square.rank() == moved.rank() } else { square.file() == moved.file() }
            };
            SquareSet::from_squares(targets.iter().filter(is_across))
        }
        _ => return None,
    };
    (targets & board.occupied_by(enemy)).iter().find(|&victim| {
        let Some(victim_piece) = board.piece_on(victim) else { return false };
        let is_unprotected = || board.attackers_to(victim, enemy).is_empty();
        match victim_piece.kind() {
            PieceKind::Rook => always_chases_rooks,
            PieceKind::Horse | PieceKind::Cannon => victim_piece.kind() != piece.kind() && is_unprotected(),
            PieceKind::Soldier => victim.half() == side && is_unprotected(),
            _ => false,
        }
    })
}

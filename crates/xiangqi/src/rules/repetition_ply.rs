//! The classified moves of a repetition.

use alloc::vec::Vec;

use alfil_kernel::Side;

use super::scratch_board::ScratchBoard;
use crate::board::Board;
use crate::moves::Move;
use crate::piece::Piece;
use crate::square::{Square, SquareSet};

/// The class of a move of a repetition, the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveClass {
    /// Gives check.
    Check,
    /// Threatens mate by checks.
    Kill,
    /// Newly threatens to capture something with profit.
    Chase,
    /// Newly offers to capture like for like.
    Exchange,
    /// Puts the moved piece where it can be captured with profit.
    Offer,
    /// Attacks a piece that has just moved and that it cannot capture with profit.
    Follow,
    /// Blocks the attack of a rook, cannon or horse.
    Block,
    /// None of these.
    Idle,
}

impl MoveClass {
    /// Returns the key on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MoveClass::Check => "check",
            MoveClass::Kill => "kill",
            MoveClass::Chase => "chase",
            MoveClass::Exchange => "exchange",
            MoveClass::Offer => "offer",
            MoveClass::Follow => "follow",
            MoveClass::Block => "block",
            MoveClass::Idle => "idle",
        }
    }

    /// Returns whether a side offends if it makes such moves throughout a repetition.
    pub fn is_attack(self) -> bool {
        matches!(self, MoveClass::Check | MoveClass::Kill | MoveClass::Chase)
    }
}

/// Why a piece can be captured with profit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureReason {
    /// There is no legal recapture.
    Unprotected,
    /// It has a higher value than its attacker.
    HigherValue,
    /// It is a rook that an enemy horse pins to its king.
    HorsePinned,
    /// It is protected insufficiently: several pieces attack it, or the exchange loses material.
    Underprotected,
    /// It is lost after checks, or through captures elsewhere.
    Indirect,
}

/// An attack in a repetition: both pieces with their squares after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The attacker.
    pub attacker: (Piece, Square),
    /// The victim.
    pub victim: (Piece, Square),
    /// Why the capture wins material.
    pub reason: CaptureReason,
}

impl Attack {
    /// Returns the squares of the pieces that could legally take back if the attacker captured the victim in
    /// `position`, in which both are.
    pub fn protectors<P: Board>(&self, position: &P) -> Vec<Square> {
        let mut board = ScratchBoard::from_position(position);
        let (owner, square) = (self.victim.0.side(), self.victim.1);
        board.make(self.attacker.1, square);
        let attackers = board.attackers_to(square, owner);
        let mut can_take_back = |&origin: &Square| {
            let captured = board.make(origin, square);
            let is_legal = board.checkers(owner).is_empty();
            board.unmake(origin, square, captured);
            is_legal
        };
        attackers.iter().filter(|origin| can_take_back(origin)).collect()
    }
}

/// A classified move of a repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepetitionPly {
    /// The number of the ply in the game, from 1.
    pub number: usize,
    /// The side that moved.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// The class of the move.
    pub class: MoveClass,
    /// The new attacks, if the ruleset judges them.
    pub attacks: Vec<Attack>,
    /// Whether the attacks count when both sides attack with every move (article 26.9 of the Chinese rules).
    pub counts_under_26_9: bool,
    /// The plies of the longest line that a search about the move tried; 0 under rulesets that do not search, and for
    /// checks.
    pub searched_plies: u32,
    /// Whether a search about the move had used up its tries before it was complete, so that a threat may be missing.
    pub was_search_cut_short: bool,
    /// The pieces that check, or those that chase, by piece id.
    pub(super) attackers: SquareSet,
    /// The victims, by piece id: the square of the piece at the end of the repetition.
    pub(super) victims: SquareSet,
    pub(super) horse_pinned: SquareSet,
}

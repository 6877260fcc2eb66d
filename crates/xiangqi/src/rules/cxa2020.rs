//! The ruleset of the Chinese association of 2020: the class of each move of a repetition, and the verdict.
//!
//! Second hand, from the articles as public programs quote them, and fitted to the figures of the book. A move is a
//! check, a kill (it threatens mate by checks), a chase (it newly threatens to win pieces), or harmless: an exchange,
//! an offer, a following, a block, or idle. The most serious class counts (24.13). A side whose every move attacks
//! offends; if both sides do, article 26.9 decides by what they attack.

use std::collections::HashMap;

use alfil_kernel::{GameHistory, Outcome, Side, Verdict};

use super::cause::Cause;
use super::cxa_threats::{Compensation, ProfitableCapture};
use super::repetition_ply::{Attack, CaptureReason, MoveClass, RepetitionPly};
use super::scratch_board::ScratchBoard;
use super::tactics::{FromTo, MAX_TRIES, TacticalSearch};
use crate::board::Board;
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet, square_at};

/// The most checks in a row that may lead to the mate that a kill threatens.
const MAX_KILL_CHECKS: u32 = 4;
/// The most checks before the capture that a chase threatens.
const MAX_CHASE_CHECKS: u32 = 2;
/// The most searches about one move.
const MAX_SEARCHES_PER_MOVE: u32 = 5;
/// The most moves tried for a whole repetition: a long one divides them among its plies, so that no game takes minutes.
const MAX_TOTAL_TRIES: u32 = 4_000_000;

/// A position of the repetition. The id of a piece is its square at the end of the repetition.
struct Snapshot {
    board: ScratchBoard,
    piece_ids: [u8; Square::COUNT],
    hash_key: u64,
}

impl Snapshot {
    fn piece_id(&self, square: Square) -> u8 {
        self.piece_ids[square.index()]
    }

    /// Returns the square of a piece in this position.
    fn square_of(&self, piece_id: u8) -> Option<Square> {
        (0..Square::COUNT).map(square_at).find(|&square| {
            self.piece_ids[square.index()] == piece_id && self.board.piece_on(square).is_some()
        })
    }
}

/// Returns the verdict on classified moves.
pub(super) fn verdict(plies: &[RepetitionPly]) -> Verdict<Cause> {
    let of = |side: Side| plies.iter().filter(move |ply| ply.side == side);
    let always_attacks = |side| of(side).all(|ply| ply.class.is_attack());
    // Article 26.9: joint chases and chases of insufficiently protected pieces weigh less than all other attacks.
    let counts_under_26_9 = |side| of(side).all(|ply| ply.counts_under_26_9);
    let loss = |side| Verdict::new(Outcome::loss(side), Cause::Prohibited);
    match Side::BOTH.map(always_attacks) {
        [true, false] => loss(Side::First),
        [false, true] => loss(Side::Second),
        [false, false] => Verdict::new(Outcome::Draw, Cause::Repetition),
        [true, true] => match Side::BOTH.map(counts_under_26_9) {
            [true, false] => loss(Side::First),
            [false, true] => loss(Side::Second),
            _ => Verdict::new(Outcome::Draw, Cause::MutualOffence),
        },
    }
}

/// Returns the classified moves from ply `first` on. A move that occurred before in the same position is not searched
/// again.
pub(super) fn analyse_plies<P: Board>(game: &GameHistory<P>, first: usize) -> Vec<RepetitionPly> {
    let snapshots = snapshots(game, first);
    let moves: Vec<Move> = game.records()[first..].iter().filter_map(alfil_kernel::PlyRecord::mv).collect();
    let last = moves.len().saturating_sub(1);
    // In a repetition the last move precedes the first. In nine rounds the move before the first is not considered, as
    // if the other side had passed.
    let is_repetition = snapshots.first().map(|snapshot| snapshot.hash_key)
        == snapshots.last().map(|snapshot| snapshot.hash_key);
    let before = |index: usize| match index {
        0 if is_repetition => last,
        0 => 0,
        _ => index - 1,
    };
    let mut first_index_of = HashMap::new();
    let same_as: Vec<usize> = (0..moves.len())
        .map(|index| {
            let keys = [before(index), index, index + 1].map(|index| snapshots[index].hash_key);
            *first_index_of.entry((moves[index], keys)).or_insert(index)
        })
        .collect();
    let tries = MAX_TRIES.min(
        MAX_TOTAL_TRIES
            / (MAX_SEARCHES_PER_MOVE * u32::try_from(first_index_of.len().max(1)).unwrap_or(u32::MAX)),
    );
    let mut plies: Vec<RepetitionPly> = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        let (number, side) = (first + index + 1, game.side_at(first + index));
        let (class, attacks, counts_under_26_9) = if same_as[index] < index {
            let earlier: &RepetitionPly = &plies[same_as[index]];
            (earlier.class, earlier.attacks.clone(), earlier.counts_under_26_9)
        } else if game.records()[first + index].is_check() {
            (MoveClass::Check, Vec::new(), true)
        } else {
            let context = [&snapshots[before(index)], &snapshots[index], &snapshots[index + 1]];
            MoveContext {
                side,
                mv,
                previous_move: moves[before(index)],
                snapshots: context,
                max_tries: tries,
            }
            .classify()
        };
        let (victims, horse_pinned) = (SquareSet::EMPTY, SquareSet::EMPTY);
        plies.push(RepetitionPly {
            number,
            side,
            mv,
            class,
            attacks,
            counts_under_26_9,
            victims,
            horse_pinned,
        });
    }
    plies
}

/// Returns the rounds of attacks at the end of the game that offend without a repetition (the rule of nine rounds), as
/// the ply at which they begin and their classified moves: one piece of a side checked, threatened mate or chased in
/// that many rounds without a capture, on three squares at least and returning to some, while the other side did not.
pub(super) fn attack_rounds<P: Board>(
    game: &GameHistory<P>,
    rounds: usize,
) -> Option<(usize, Vec<RepetitionPly>)> {
    let first = game.ply().checked_sub(2 * rounds)?;
    if game.reversible_plies() < 2 * rounds {
        return None;
    }
    let is_wandering = |side: Side| {
        let skip = first + usize::from(game.side_at(first) != side);
        let moves: Vec<Move> = game.moves().skip(skip).step_by(2).collect();
        let square_count = SquareSet::from_squares(moves.iter().map(|mv| mv.target().index())).len();
        let is_one_piece = moves.windows(2).all(|pair| pair[0].target() == pair[1].origin());
        is_one_piece && (3..rounds).contains(&square_count)
    };
    let wandering = Side::BOTH.map(is_wandering);
    if wandering == [false; 2] {
        return None;
    }
    let plies = analyse_plies(game, first);
    let outcome = verdict(&plies).outcome;
    let offends = |side: Side| wandering[side.index()] && outcome == Outcome::loss(side);
    Side::BOTH.into_iter().any(offends).then_some((first, plies))
}

/// Returns the positions before each ply of the repetition, and the one at its end. No piece is captured inside it.
fn snapshots<P: Board>(game: &GameHistory<P>, first: usize) -> Vec<Snapshot> {
    let mut board = ScratchBoard::from_position(game.position());
    let mut piece_ids: [u8; Square::COUNT] = core::array::from_fn(|index| index as u8);
    let mut snapshots =
        vec![Snapshot { board: board.clone(), piece_ids, hash_key: game.hash_key_at(game.ply()) }];
    for ply in (first..game.ply()).rev() {
        let Some(mv) = game.records()[ply].mv() else { break };
        board.unmake(mv.origin(), mv.target(), None);
        piece_ids.swap(mv.origin().index(), mv.target().index());
        snapshots.push(Snapshot { board: board.clone(), piece_ids, hash_key: game.hash_key_at(ply) });
    }
    snapshots.reverse();
    snapshots
}

/// A move without check, and the positions before the other side's last move, before it, and after it.
struct MoveContext<'a> {
    side: Side,
    mv: Move,
    previous_move: Move,
    snapshots: [&'a Snapshot; 3],
    /// The most moves tried in one search.
    max_tries: u32,
}

impl MoveContext<'_> {
    fn tactics(&self, snapshot: &Snapshot, side: Side) -> TacticalSearch {
        TacticalSearch::new(&snapshot.board, side, self.max_tries)
    }

    /// Returns the class of the move, its attacks, and whether these count under article 26.9.
    fn classify(&self) -> (MoveClass, Vec<Attack>, bool) {
        let [_, before, after] = self.snapshots;
        let mover = after.board.piece_on(self.mv.target()).map(|piece| piece.kind());
        let answers_check = !before.board.checkers(self.side).is_empty();
        if answers_check && mover == Some(PieceKind::King) {
            // A king's answer to a check is idle, whatever it attacks (26.1.2).
            return (self.classify_harmless(&[]), Vec::new(), false);
        }
        let mut search = self.tactics(after, self.side);
        let offers: Vec<FromTo> = search.exchange_offers();
        if search.has_mate_by_checks(MAX_KILL_CHECKS, &offers) {
            return (MoveClass::Kill, Vec::new(), true);
        }
        let (chases, exchanges): (Vec<ProfitableCapture>, Vec<ProfitableCapture>) =
            self.new_threats(&mut search).into_iter().partition(|capture| capture.is_chase);
        if chases.is_empty() {
            return (self.classify_harmless(&exchanges), Vec::new(), false);
        }
        let counts_under_26_9 = chases.iter().any(|capture| capture.counts_under_26_9);
        (MoveClass::Chase, chases.iter().map(|capture| self.to_attack(capture)).collect(), counts_under_26_9)
    }

    /// Returns the captures that the move newly threatens, chases and offers to exchange.
    fn new_threats(&self, search: &mut TacticalSearch) -> Vec<ProfitableCapture> {
        let [earlier, before, _] = self.snapshots;
        let mut threats = search.all_profitable_captures(Compensation::Attacked);
        threats.retain(|capture| !self.is_harmless(capture, search));
        let mut search_before = self.tactics(before, self.side);
        if !threats.is_empty() {
            let old = search_before.all_profitable_captures(Compensation::Anything);
            threats.retain(|new| {
                !old.iter().any(|old| old.is_chase == new.is_chase && self.is_same_pair(before, old, new))
            });
        }
        if !threats.is_empty() {
            // A threat that was only suspended while an own piece was in danger is new again if this side made it; if
            // the other side moved into it with its last move, it counts for neither.
            let suspended = self.tactics(before, self.side).all_profitable_captures(Compensation::Nothing);
            let made = self.tactics(earlier, self.side).all_profitable_captures(Compensation::Attacked);
            let is_in = |snapshot: &Snapshot, captures: &[ProfitableCapture], new: &ProfitableCapture| {
                captures.iter().any(|old| old.is_chase && self.is_same_pair(snapshot, old, new))
            };
            threats.retain(|new| !is_in(before, &suspended, new) || is_in(earlier, &made, new));
        }
        if threats.iter().any(|capture| capture.counts_under_26_9) {
            return threats;
        }
        // Checks are searched only if they can still change the class of the move.
        let series = search.check_series(MAX_CHASE_CHECKS, Compensation::Attacked);
        if !series.is_empty() {
            let mut old = search_before.check_series(MAX_CHASE_CHECKS, Compensation::Anything);
            let captures = search_before.all_profitable_captures(Compensation::Anything);
            old.extend(captures.into_iter().filter(|capture| capture.is_chase));
            let is_new = |new: &ProfitableCapture| {
                !old.iter().any(|old| old.gain >= new.gain && self.is_same_pair(before, old, new))
            };
            let new = series.into_iter().filter(is_new);
            threats.extend(new.map(|capture| ProfitableCapture { is_chase: true, ..capture }));
        }
        threats
    }

    /// Returns whether two captures concern the same two pieces, then and now.
    fn is_same_pair(&self, then: &Snapshot, earlier: &ProfitableCapture, new: &ProfitableCapture) -> bool {
        let now = self.snapshots[2];
        then.piece_id(earlier.attacker) == now.piece_id(new.attacker)
            && then.piece_id(earlier.victim) == now.piece_id(new.victim)
    }

    /// Returns whether a capture does not count: a king or a soldier that steps aside and uncovers an attack that
    /// already existed (26.1.1 requires a new attack), or a lone attacker that defends a draw and happens to attack an
    /// advisor or an elephant (26.2).
    fn is_harmless(&self, capture: &ProfitableCapture, search: &TacticalSearch) -> bool {
        let [_, before, after] = self.snapshots;
        let kind = |square| after.board.piece_on(square).map(|piece| piece.kind());
        let is_king_or_soldier = matches!(kind(self.mv.target()), Some(PieceKind::King | PieceKind::Soldier));
        let earlier_squares = before
            .square_of(after.piece_id(capture.attacker))
            .zip(before.square_of(after.piece_id(capture.victim)));
        let was_attacked = earlier_squares.is_some_and(|(attacker, victim)| {
            self.tactics(before, self.side).attacked_by(attacker).contains(victim.index())
        });
        let is_lone_defender =
            search.attacking_piece_count(self.side) == 1 && search.attacking_piece_count(!self.side) > 1;
        let is_minor_victim = matches!(kind(capture.victim), Some(PieceKind::Advisor | PieceKind::Elephant));
        (is_king_or_soldier && was_attacked) || (is_lone_defender && is_minor_victim)
    }

    fn to_attack(&self, capture: &ProfitableCapture) -> Attack {
        let board = &self.snapshots[2].board;
        let piece = |square: Square| (board.piece_on(square).expect("a capture is between pieces"), square);
        let reason = match (
            capture.is_indirect,
            board.piece_on(capture.victim).map(|piece| piece.kind()),
            capture.is_protected,
        ) {
            (true, ..) => CaptureReason::Indirect,
            (_, Some(PieceKind::Rook), _) => CaptureReason::HigherValue,
            (_, _, true) => CaptureReason::Underprotected,
            (_, _, false) => CaptureReason::Unprotected,
        };
        Attack { attacker: piece(capture.attacker), victim: piece(capture.victim), reason }
    }

    /// Returns the class of a move that attacks nothing. All of these are always allowed; they are distinguished only
    /// for explanations.
    fn classify_harmless(&self, exchanges: &[ProfitableCapture]) -> MoveClass {
        let [_, before, after] = self.snapshots;
        if !exchanges.is_empty() {
            return MoveClass::Exchange;
        }
        let moved = self.mv.target();
        let other = self.tactics(after, !self.side).profitable_captures(Compensation::Nothing, 0);
        let own = self.tactics(after, self.side);
        if other.iter().any(|capture| capture.victim == moved && capture.gain > 0) {
            MoveClass::Offer
        } else if own.attacked_by(moved).contains(self.previous_move.target().index()) {
            MoveClass::Follow
        } else if self.tactics(before, self.side).has_blocked_attack(&own, self.mv.origin()) {
            MoveClass::Block
        } else {
            MoveClass::Idle
        }
    }
}

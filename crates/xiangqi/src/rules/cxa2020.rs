//! The book of the Chinese association, 2020: what each move of a repetition is, and who offends.
//!
//! Second hand, from the articles as public programs quote them, and fitted to the book's own figures. A move is a check, a kill
//! (it threatens mate by checks), a chase (it newly threatens to win men), or harmless: an exchange, an offer, a following, a
//! block, or idle. The heaviest counts (24.13). A side whose every move attacks is in the wrong; if both are, article 26.9 weighs
//! what they attack.

use std::collections::HashMap;

use alfil_kernel::{GameHistory, Outcome, Side, Verdict};

use super::Cause;
use super::cxa_threats::{Compensation, ProfitableCapture};
use super::repetition_analysis::{Attack, CaptureReason, MoveClass, RepetitionPly};
use super::scratch_board::ScratchBoard;
use super::tactics::{FromTo, MAX_TRIES, TacticalSearch};
use crate::board::{Board, SquareSet};
use crate::geometry::square_at;
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

/// So many checks, one after another, may lead to the mate that a kill threatens.
const MAX_KILL_CHECKS: u32 = 4;
/// So many checks may come before the capture that a chase threatens.
const MAX_CHASE_CHECKS: u32 = 2;
/// So many questions may be asked about one move.
const MAX_SEARCHES_PER_MOVE: u32 = 5;
/// So many moves may be tried for a whole repetition: a long one shares them out, so that no game takes minutes.
const MAX_TOTAL_TRIES: u32 = 4_000_000;

/// A position of the repetition. Men are named by where they stand at its end.
struct Snapshot {
    board: ScratchBoard,
    piece_ids: [u8; Square::COUNT],
    hash_key: u64,
}

impl Snapshot {
    fn piece_id(&self, square: Square) -> u8 {
        self.piece_ids[square.index()]
    }

    /// Where the man of that name stands here.
    fn square_of(&self, name: u8) -> Option<Square> {
        (0..Square::COUNT)
            .map(square_at)
            .find(|&square| self.piece_ids[square.index()] == name && self.board.piece_on(square).is_some())
    }
}

/// Who offends by what the moves are.
pub(super) fn verdict(plies: &[RepetitionPly]) -> Verdict<Cause> {
    let of = |side: Side| plies.iter().filter(move |ply| ply.side == side);
    let prohibited = |side| of(side).all(|ply| ply.class.is_attack());
    // Article 26.9: against mere joint chases, or chases of men not protected well enough, the graver side is in the wrong.
    let grave = |side| of(side).all(|ply| ply.counts_under_26_9);
    let loses = |side| Verdict::new(Outcome::loss(side), Cause::Prohibited);
    match Side::BOTH.map(prohibited) {
        [true, false] => loses(Side::First),
        [false, true] => loses(Side::Second),
        [false, false] => Verdict::new(Outcome::Draw, Cause::Repetition),
        [true, true] => match Side::BOTH.map(grave) {
            [true, false] => loses(Side::First),
            [false, true] => loses(Side::Second),
            _ => Verdict::new(Outcome::Draw, Cause::MutualOffence),
        },
    }
}

/// The moves from ply `first` on, with what they are. A move that was made in the same place before is not asked again.
pub(super) fn analyse_plies<P: Board>(line: &GameHistory<P>, first: usize) -> Vec<RepetitionPly> {
    let stands = snapshots(line, first);
    let moves: Vec<Move> = line.records()[first..].iter().filter_map(alfil_kernel::PlyRecord::mv).collect();
    let last = moves.len().saturating_sub(1);
    // A repetition is round: before its first move came its last. Nine rounds are not: what their first move answered is not asked,
    // so that it counts as if the other side had passed.
    let round = stands.first().map(|stand| stand.hash_key) == stands.last().map(|stand| stand.hash_key);
    let before = |index: usize| match index {
        0 if round => last,
        0 => 0,
        _ => index - 1,
    };
    let mut places = HashMap::new();
    let asked: Vec<usize> = (0..moves.len())
        .map(|index| {
            let keys = [before(index), index, index + 1].map(|stand| stands[stand].hash_key);
            *places.entry((moves[index], keys)).or_insert(index)
        })
        .collect();
    let tries = MAX_TRIES.min(
        MAX_TOTAL_TRIES / (MAX_SEARCHES_PER_MOVE * u32::try_from(places.len().max(1)).unwrap_or(u32::MAX)),
    );
    let mut plies: Vec<RepetitionPly> = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        let (number, side) = (first + index + 1, line.side_at(first + index));
        let (nature, attacks, grave) = if asked[index] < index {
            let old: &RepetitionPly = &plies[asked[index]];
            (old.class, old.attacks.clone(), old.counts_under_26_9)
        } else if line.records()[first + index].is_check() {
            (MoveClass::Check, Vec::new(), true)
        } else {
            let road = [&stands[before(index)], &stands[index], &stands[index + 1]];
            MoveContext { side, mv, previous_move: moves[before(index)], snapshots: road, max_tries: tries }
                .classify()
        };
        let (victims, held) = (SquareSet::EMPTY, SquareSet::EMPTY);
        plies.push(RepetitionPly {
            number,
            side,
            mv,
            class: nature,
            attacks,
            counts_under_26_9: grave,
            victims,
            horse_pinned: held,
        });
    }
    plies
}

/// The ply from which on one man of a side checked, threatened mate or chased for so many rounds without a capture, on three
/// points at least and coming back to some, while the other side did not: an offence even if no position came back (the rule
/// of nine rounds).
pub(super) fn attack_rounds_start<P: Board>(line: &GameHistory<P>, rounds: usize) -> Option<usize> {
    let first = line.ply().checked_sub(2 * rounds)?;
    if line.reversible_plies() < 2 * rounds {
        return None;
    }
    let wanders = |skip: usize| {
        let moves: Vec<Move> = line.moves().skip(first + skip).step_by(2).collect();
        let points = SquareSet::from_squares(moves.iter().map(|mv| mv.target().index())).len();
        let one_man = moves.windows(2).all(|pair| pair[0].target() == pair[1].origin());
        one_man && (3..rounds).contains(&points)
    };
    let offends = |skip| {
        wanders(skip) && {
            let side = line.side_at(first + skip);
            verdict(&analyse_plies(line, first)).outcome == Outcome::loss(side)
        }
    };
    (offends(0) || offends(1)).then_some(first)
}

/// The positions before each ply of the window, and the one at its end: nothing is captured inside it.
fn snapshots<P: Board>(line: &GameHistory<P>, first: usize) -> Vec<Snapshot> {
    let mut field = ScratchBoard::from_position(line.position());
    let mut names: [u8; Square::COUNT] = core::array::from_fn(|index| index as u8);
    let mut stands =
        vec![Snapshot { board: field.clone(), piece_ids: names, hash_key: line.hash_key_at(line.ply()) }];
    for ply in (first..line.ply()).rev() {
        let Some(mv) = line.records()[ply].mv() else { break };
        field.unmake(mv.origin(), mv.target(), None);
        names.swap(mv.origin().index(), mv.target().index());
        stands.push(Snapshot { board: field.clone(), piece_ids: names, hash_key: line.hash_key_at(ply) });
    }
    stands.reverse();
    stands
}

/// A move that gives no check, and the positions before the other side's last move, before it, and after it.
struct MoveContext<'a> {
    side: Side,
    mv: Move,
    previous_move: Move,
    snapshots: [&'a Snapshot; 3],
    /// So many moves may be tried for each question.
    max_tries: u32,
}

impl MoveContext<'_> {
    fn tactics(&self, stand: &Snapshot, asker: Side) -> TacticalSearch {
        TacticalSearch::new(&stand.board, asker, self.max_tries)
    }

    /// What the move is, what it attacks, and whether that weighs under article 26.9.
    fn classify(&self) -> (MoveClass, Vec<Attack>, bool) {
        let [_, before, after] = self.snapshots;
        let mover = after.board.piece_on(self.mv.target()).map(|man| man.kind());
        let answers_check = !before.board.checkers(self.side).is_empty();
        if answers_check && mover == Some(PieceKind::King) {
            // The general's answer to a check is idle, whatever it attacks (26.1.2).
            return (self.classify_harmless(&[]), Vec::new(), false);
        }
        let mut trial = self.tactics(after, self.side);
        let offers: Vec<FromTo> = trial.exchange_offers();
        if trial.has_mate_by_checks(MAX_KILL_CHECKS, &offers) {
            return (MoveClass::Kill, Vec::new(), true);
        }
        let (chases, exchanges): (Vec<ProfitableCapture>, Vec<ProfitableCapture>) =
            self.new_threats(&mut trial).into_iter().partition(|prize| prize.is_chase);
        if chases.is_empty() {
            return (self.classify_harmless(&exchanges), Vec::new(), false);
        }
        let grave = chases.iter().any(|prize| prize.counts_under_26_9);
        (MoveClass::Chase, chases.iter().map(|prize| self.to_attack(prize)).collect(), grave)
    }

    /// What the move newly threatens to win, and newly offers to exchange.
    fn new_threats(&self, trial: &mut TacticalSearch) -> Vec<ProfitableCapture> {
        let [earlier, before, _] = self.snapshots;
        let mut fresh = trial.all_profitable_captures(Compensation::Attacked);
        fresh.retain(|prize| !self.is_harmless(prize, trial));
        let mut old = self.tactics(before, self.side);
        if !fresh.is_empty() {
            let stood = old.all_profitable_captures(Compensation::Anything);
            fresh.retain(|new| {
                !stood.iter().any(|old| old.is_chase == new.is_chase && self.is_same_pair(before, old, new))
            });
        }
        if !fresh.is_empty() {
            // A threat that only waited for a man in danger to get away is made anew, if this side made it; if the other side
            // walked into it with its last move, it is nobody's.
            let waited = self.tactics(before, self.side).all_profitable_captures(Compensation::Nothing);
            let made = self.tactics(earlier, self.side).all_profitable_captures(Compensation::Attacked);
            let is_in = |stand: &Snapshot, prizes: &[ProfitableCapture], new: &ProfitableCapture| {
                prizes.iter().any(|old| old.is_chase && self.is_same_pair(stand, old, new))
            };
            fresh.retain(|new| !is_in(before, &waited, new) || is_in(earlier, &made, new));
        }
        if fresh.iter().any(|prize| prize.counts_under_26_9) {
            return fresh;
        }
        // Checks are searched for only where they can still change what the move is.
        let series = trial.check_series(MAX_CHASE_CHECKS, Compensation::Attacked);
        if !series.is_empty() {
            let mut stood = old.check_series(MAX_CHASE_CHECKS, Compensation::Anything);
            stood.extend(
                old.all_profitable_captures(Compensation::Anything)
                    .into_iter()
                    .filter(|prize| prize.is_chase),
            );
            let is_new = |new: &ProfitableCapture| {
                !stood.iter().any(|old| old.gain >= new.gain && self.is_same_pair(before, old, new))
            };
            fresh.extend(
                series.into_iter().filter(is_new).map(|prize| ProfitableCapture { is_chase: true, ..prize }),
            );
        }
        fresh
    }

    /// The same men, where they stood then and where they stand now.
    fn is_same_pair(&self, then: &Snapshot, old: &ProfitableCapture, new: &ProfitableCapture) -> bool {
        let now = self.snapshots[2];
        then.piece_id(old.attacker) == now.piece_id(new.attacker)
            && then.piece_id(old.victim) == now.piece_id(new.victim)
    }

    /// A general or a soldier that steps aside and lets another man go on attacking what it attacked (26.1.1 asks for a new
    /// attack), and a lone attacker that holds a draw and happens to attack an advisor or an elephant (26.2).
    fn is_harmless(&self, prize: &ProfitableCapture, trial: &TacticalSearch) -> bool {
        let [_, before, after] = self.snapshots;
        let kind = |square| after.board.piece_on(square).map(|man| man.kind());
        let slow = matches!(kind(self.mv.target()), Some(PieceKind::King | PieceKind::Soldier));
        let places = before
            .square_of(after.piece_id(prize.attacker))
            .zip(before.square_of(after.piece_id(prize.victim)));
        let stood = places.is_some_and(|(hunter, hunted)| {
            self.tactics(before, self.side).attacked_by(hunter).contains(hunted.index())
        });
        let defends =
            trial.attacking_piece_count(self.side) == 1 && trial.attacking_piece_count(!self.side) > 1;
        let guard = matches!(kind(prize.victim), Some(PieceKind::Advisor | PieceKind::Elephant));
        (slow && stood) || (defends && guard)
    }

    fn to_attack(&self, prize: &ProfitableCapture) -> Attack {
        let field = &self.snapshots[2].board;
        let man = |square: Square| (field.piece_on(square).expect("a prize is between men"), square);
        let root =
            match (prize.is_indirect, field.piece_on(prize.victim).map(|man| man.kind()), prize.is_protected)
            {
                (true, ..) => CaptureReason::Indirect,
                (_, Some(PieceKind::Rook), _) => CaptureReason::HigherValue,
                (_, _, true) => CaptureReason::Underprotected,
                (_, _, false) => CaptureReason::Unprotected,
            };
        Attack { attacker: man(prize.attacker), victim: man(prize.victim), reason: root }
    }

    /// What a move is that attacks nothing: all of these are allowed for ever, and they are told apart only to explain.
    fn classify_harmless(&self, exchanges: &[ProfitableCapture]) -> MoveClass {
        let [_, before, after] = self.snapshots;
        if !exchanges.is_empty() {
            return MoveClass::Exchange;
        }
        let moved = self.mv.target();
        let other = self.tactics(after, !self.side).profitable_captures(Compensation::Nothing, 0);
        let own = self.tactics(after, self.side);
        if other.iter().any(|prize| prize.victim == moved && prize.gain > 0) {
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

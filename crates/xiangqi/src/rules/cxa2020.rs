//! The ruleset of the Chinese association of 2020: the class of each move of a repetition, and the verdict.
//!
//! The rule book was not available: the articles are used as public programs quote them. A move is a check, a kill (it
//! threatens mate by checks), a chase (it threatens to win something), or harmless: an exchange, an offer, a following,
//! a block, or idle. A move has the most serious class that applies (24.13). A side whose every move attacks offends;
//! if both sides do, article 26.9 decides by what they attack. `cxa_classes` has a function for each class,
//! `cxa_threats` one for each kind of threat, and `play_out` proves a threat by playing it out.

use alloc::vec;
use alloc::vec::Vec;

use alloc::collections::BTreeMap;

use alfil_kernel::{GameHistory, Outcome, PlyRecord, Side, Verdict};

use super::cause::Cause;
use super::cxa_classes::{ClassifiedMove, MoveContext, Snapshot};
use super::cxa_threats::TextReading;
use super::dispute::Dispute;
use super::repetition_ply::RepetitionPly;
use super::scratch_board::ScratchBoard;
use super::tactics::{MAX_TRIES, SearchDepth};
use crate::board::Board;
use crate::moves::Move;
use crate::square::{Square, SquareSet};

/// The number of searches among which the tries for a move are divided. Few moves need more; a move can need eight.
const MAX_SEARCHES_PER_MOVE: u32 = 6;
/// About the most moves tried for one classification of a repetition: a long one divides them among its different
/// moves, so that no game takes minutes.
const MAX_TOTAL_TRIES: u32 = 4_000_000;

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
pub(super) fn analyse_plies<P: Board>(
    game: &GameHistory<P>,
    first: usize,
    reading: TextReading,
) -> Vec<RepetitionPly> {
    let snapshots = snapshots(game, first);
    let moves: Vec<Move> = game.records()[first..].iter().filter_map(PlyRecord::mv).collect();
    let last = moves.len().saturating_sub(1);
    // In a repetition the last move precedes the first. In the rounds of `attack_rounds` the move before the first is
    // not considered: the first move and the position before it stand in, as if the other side had passed.
    let is_repetition = snapshots.first().map(|snapshot| snapshot.hash_key)
        == snapshots.last().map(|snapshot| snapshot.hash_key);
    let previous = |index: usize| match index {
        0 if is_repetition => last,
        0 => 0,
        _ => index - 1,
    };
    let mut first_index_of = BTreeMap::new();
    let same_as: Vec<usize> = (0..moves.len())
        .map(|index| {
            let keys = [index, index + 1].map(|index| snapshots[index].hash_key);
            *first_index_of.entry((moves[previous(index)], moves[index], keys)).or_insert(index)
        })
        .collect();
    let max_tries = MAX_TRIES.min(
        MAX_TOTAL_TRIES
            / (MAX_SEARCHES_PER_MOVE * u32::try_from(first_index_of.len().max(1)).unwrap_or(u32::MAX)),
    );
    let mut plies: Vec<RepetitionPly> = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        let (number, side) = (first + index + 1, game.side_at(first + index));
        if same_as[index] < index {
            let earlier = plies[same_as[index]].clone();
            plies.push(RepetitionPly { number, ..earlier });
            continue;
        }
        let depth = SearchDepth::default();
        let (classified, depth) = if game.records()[first + index].is_check() {
            (ClassifiedMove::CHECK, depth)
        } else {
            let context = MoveContext {
                side,
                mv,
                previous_move: moves[previous(index)],
                before_previous: &snapshots[previous(index)],
                before: &snapshots[index],
                after: &snapshots[index + 1],
                reading,
                max_tries,
                depth,
            };
            (context.classify(), context.depth)
        };
        plies.push(RepetitionPly {
            number,
            side,
            mv,
            class: classified.class,
            attacks: classified.attacks,
            counts_under_26_9: classified.counts_under_26_9,
            searched_plies: depth.plies(),
            was_search_cut_short: depth.was_cut_short(),
            attackers: SquareSet::EMPTY,
            victims: SquareSet::EMPTY,
            horse_pinned: SquareSet::EMPTY,
        });
    }
    plies
}

/// Returns the outcomes of the repetition that began at ply `first` under the other readings of the text, where they
/// differ from the verdict. Perpetual check is the same in every reading.
pub(super) fn disputes<P: Board>(
    game: &GameHistory<P>,
    first: usize,
    verdict_of_ruleset: &Verdict<Cause>,
) -> Vec<(Outcome, Dispute)> {
    if verdict_of_ruleset.cause == Cause::PerpetualCheck {
        return Vec::new();
    }
    let outcome_under = |reading| verdict(&analyse_plies(game, first, reading)).outcome;
    TextReading::OTHERS
        .into_iter()
        .map(|(reading, dispute)| (outcome_under(reading), dispute))
        .filter(|(outcome, _)| *outcome != verdict_of_ruleset.outcome)
        .collect()
}

/// Returns the rounds of attacks at the end of the game that offend without a repetition (the rule of nine rounds), as
/// the ply at which they begin and their classified moves: one piece of a side checked, threatened mate or chased in
/// that many rounds without a capture, onto at least three squares and onto some of them again, and the verdict on
/// these moves is against that side: the other side does not attack with every move, or its attacks weigh less under
/// 26.9.
pub(super) fn attack_rounds<P: Board>(
    game: &GameHistory<P>,
    rounds: usize,
) -> Option<(usize, Vec<RepetitionPly>)> {
    let first = game.ply().checked_sub(2 * rounds)?;
    if game.reversible_plies() < 2 * rounds {
        return None;
    }
    // Whether all moves of the side are by one piece, onto at least three squares and onto some of them again.
    let returns_with_one_piece = |side: Side| {
        let skip = usize::from(game.side_at(first) != side);
        let records = game.records()[first..].iter().skip(skip).step_by(2);
        let moves: Vec<Move> = records.filter_map(PlyRecord::mv).collect();
        let square_count = SquareSet::from_squares(moves.iter().map(|mv| mv.target())).len();
        let is_one_piece = moves.windows(2).all(|pair| pair[0].target() == pair[1].origin());
        is_one_piece && (3..rounds).contains(&square_count)
    };
    let returning = Side::BOTH.map(returns_with_one_piece);
    if returning == [false; 2] {
        return None;
    }
    let plies = analyse_plies(game, first, TextReading::RULESET);
    let outcome = verdict(&plies).outcome;
    let offends = |side: Side| returning[side.index()] && outcome == Outcome::loss(side);
    Side::BOTH.into_iter().any(offends).then_some((first, plies))
}

/// Returns the positions before each ply from `first` on, and the one at the end. None of these plies is a capture.
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

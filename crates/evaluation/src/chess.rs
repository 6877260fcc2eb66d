//! Static evaluation of chess: material, piece-square tables, mobility, threats, pawn structure and king safety,
//! tapered between midgame and endgame by the remaining pieces.
//!
//! The evaluation observes the board and updates sets of its own, so that its score does not depend on the board
//! representation.

use crate::{EvalTrace, TaperedScore, Tunable, tuning};
use alfil_kernel::{BoardObserver, Evaluator, Score, SearchPolicy, SearchTechniques, Side, Tactics};

use alfil_chess::Chess;
use alfil_chess::board::Board;
use alfil_chess::geometry::DARK_SQUARES;
use alfil_chess::moves::Move;
use alfil_chess::piece::{Piece, PieceKind};
use alfil_chess::square::Square;

mod king;
mod pawns;
mod psqt;
mod see;
mod terms;
mod tuned_weights;
mod weights;

use psqt::PSQT;
use tuned_weights::WEIGHTS;
use weights::Weights;

/// The value of each kind in static exchange evaluation, in centipawns. The king exceeds all other pieces together.
pub const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// The contribution of each kind to the game phase.
const PHASE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The game phase of the start position, which is the sum of [`PHASE_WEIGHTS`] over its pieces.
const MAX_PHASE: i32 = 24;

/// The scale factor of a score that is not reduced: see [`HandcraftedEval::scale_factor`].
const MAX_SCALE: i32 = 16;

/// The handcrafted evaluation: the sets of pieces and the incremental sums of material and piece-square values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandcraftedEval {
    piece_sets: [[u64; 6]; 2],
    psqt_sums: [TaperedScore; 2],
    phase: i32,
    pawn_table: pawns::PawnTable,
}

impl HandcraftedEval {
    #[inline(always)]
    fn pieces_of(&self, side: Side, kind: PieceKind) -> u64 {
        self.piece_sets[side.index()][kind as usize]
    }

    #[inline(always)]
    fn occupied_by(&self, side: Side) -> u64 {
        self.piece_sets[side.index()].iter().fold(0, |occupied, set| occupied | set)
    }

    #[inline(always)]
    fn king_index(&self, side: Side) -> usize {
        self.pieces_of(side, PieceKind::King).trailing_zeros() as usize & 63
    }

    /// Returns the score from White's view without scaling, for the given side to move.
    #[inline]
    fn first_side_score(&self, side_to_move: Side) -> TaperedScore {
        let [white, black] = self.psqt_sums;
        let pawns = Side::BOTH.map(|side| self.pieces_of(side, PieceKind::Pawn));
        let structure = self.pawn_table.probe_or_compute(pawns, || pawns::structure(self, &WEIGHTS));
        white - black + structure + self.positional_score(side_to_move, &WEIGHTS)
    }

    /// Returns the score of the terms that are neither incremental nor cached, and of the tempo, from White's view.
    #[inline]
    fn positional_score(&self, side_to_move: Side, weights: &Weights) -> TaperedScore {
        let terms = terms::terms(self, weights);
        if side_to_move == Side::First { terms + weights.tempo } else { terms - weights.tempo }
    }

    /// Returns the game phase, at most [`MAX_PHASE`]: promotions can exceed it.
    #[inline]
    fn clamped_phase(&self) -> i32 {
        self.phase.min(MAX_PHASE)
    }

    /// Returns the factor for a score from White's view, in units of 1/[`MAX_SCALE`]. It reduces scores of drawish
    /// endgames.
    fn scale_factor(&self, score: i32) -> i32 {
        let stronger = if score > 0 { Side::First } else { Side::Second };
        let count = |side, kind| self.pieces_of(side, kind).count_ones() as i32;
        if count(stronger, PieceKind::Pawn) > 0 {
            return if self.has_opposite_bishops() { MAX_SCALE / 2 } else { MAX_SCALE };
        }
        // Without pawns an advantage of less than a rook is rarely enough, and two knights cannot force mate.
        let non_pawn_value = |side: Side| {
            let value = |kind: PieceKind| count(side, kind) * SEE_VALUES[kind as usize];
            PieceKind::PROMOTIONS.into_iter().map(value).sum::<i32>()
        };
        let knights = count(stronger, PieceKind::Knight) * SEE_VALUES[PieceKind::Knight as usize];
        if non_pawn_value(stronger) - non_pawn_value(!stronger) < SEE_VALUES[PieceKind::Rook as usize] - 50 {
            MAX_SCALE / 4
        } else if non_pawn_value(stronger) == knights && count(stronger, PieceKind::Knight) == 2 {
            MAX_SCALE / 16
        } else {
            MAX_SCALE
        }
    }

    /// Returns whether each side has one bishop, on opposite colours, and no other pieces except pawns and kings.
    fn has_opposite_bishops(&self) -> bool {
        let bishops = Side::BOTH.map(|side| self.pieces_of(side, PieceKind::Bishop));
        let other_pieces = [PieceKind::Knight, PieceKind::Rook, PieceKind::Queen]
            .map(|kind| self.pieces_of(Side::First, kind) | self.pieces_of(Side::Second, kind));
        let dark = bishops.map(|set| (set & DARK_SQUARES).count_ones());
        other_pieces == [0; 3] && bishops.map(u64::count_ones) == [1, 1] && dark[0] != dark[1]
    }
}

impl BoardObserver<Chess> for HandcraftedEval {
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.piece_sets[piece.side().index()][piece.kind() as usize] |= 1 << square.index();
        self.psqt_sums[piece.side().index()] += PSQT[piece.index()][square.index()];
        self.phase += PHASE_WEIGHTS[piece.kind() as usize];
    }

    #[inline]
    fn remove(&mut self, square: Square, piece: Piece) {
        let sum = &mut self.psqt_sums[piece.side().index()];
        self.piece_sets[piece.side().index()][piece.kind() as usize] &= !(1 << square.index());
        *sum -= PSQT[piece.index()][square.index()];
        self.phase -= PHASE_WEIGHTS[piece.kind() as usize];
    }

    fn flip(&mut self, _: Square, _: Piece) {
        unreachable!("chess has no flips");
    }
}

impl<P: Board> Evaluator<P> for HandcraftedEval {
    fn reset(&mut self, position: &P) {
        *self = HandcraftedEval::default();
        for piece in Piece::all() {
            for square in position.pieces(piece).iter() {
                self.put(square, piece);
            }
        }
    }

    fn score(&mut self, position: &P) -> Score {
        let score =
            self.first_side_score(position.side_to_move()).interpolate(self.clamped_phase(), MAX_PHASE);
        let score = score * self.scale_factor(score) / MAX_SCALE;
        Score::from_cp(if position.side_to_move() == Side::First { score } else { -score })
    }
}

impl<P: Board> Tactics<P> for HandcraftedEval {
    /// Noisy moves are promotions to a queen, and captures that do not promote. Quiescence search skips
    /// underpromotions, those that capture, too.
    #[inline]
    fn is_noisy(&self, position: &P, mv: Move) -> bool {
        match mv.promotion_kind() {
            Some(kind) => kind == PieceKind::Queen,
            None => position.captured_piece(mv).is_some(),
        }
    }

    #[inline]
    fn mvv_lva(&self, position: &P, mv: Move) -> i32 {
        let value = |kind: PieceKind| SEE_VALUES[kind as usize];
        let victim = position.captured_piece(mv).map_or(0, |piece| value(piece.kind()));
        let promotion = mv.promotion_kind().map_or(0, |kind| value(kind) - SEE_VALUES[0]);
        let attacker = position.piece_on(mv.origin()).map_or(0, |piece| value(piece.kind()));
        (victim + promotion) * 16 - attacker / 16
    }

    fn see_ge(&self, position: &P, mv: Move, at_least: i32) -> bool {
        if position.is_castling(mv) {
            return at_least <= 0;
        }
        self.see_ge_for(mv, position.side_to_move(), at_least)
    }
}

impl<P: Board> SearchPolicy<P> for HandcraftedEval {
    /// Excludes the null move if the side to move has only king and pawns, because zugzwang is common then.
    fn techniques(&self, position: &P) -> SearchTechniques {
        let side = position.side_to_move();
        let null_move = PieceKind::PROMOTIONS.into_iter().any(|kind| self.pieces_of(side, kind) != 0);
        SearchTechniques { null_move, quiescence: true, futility: true }
    }

    #[inline]
    fn pawn_key(&self, _position: &P) -> u64 {
        pawns::pawn_hash(Side::BOTH.map(|side| self.pieces_of(side, PieceKind::Pawn)))
    }
}

impl<P: Board> Tunable<P> for HandcraftedEval {
    type Weights = Weights;

    const DECISIVE_SCORE: i32 = 1_500;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn trace(position: &P) -> EvalTrace {
        let mut eval = HandcraftedEval::default();
        eval.reset(position);
        let side_to_move = position.side_to_move();
        let counts = tuning::weight_counts(&WEIGHTS, |weights| {
            let pieces = Piece::all()
                .flat_map(|piece| position.pieces(piece).iter().map(move |square| (piece, square)));
            let terms = eval.positional_score(side_to_move, weights) + pawns::structure(&eval, weights);
            pieces.fold(terms, |score, (piece, square)| match piece.side() {
                Side::First => score + weights.psqt_value(piece.kind(), square),
                Side::Second => score - weights.psqt_value(piece.kind(), square.flipped()),
            })
        });
        let score = eval.first_side_score(side_to_move).interpolate(eval.clamped_phase(), MAX_PHASE);
        let phase = f64::from(eval.clamped_phase()) / f64::from(MAX_PHASE);
        let scale = f64::from(eval.scale_factor(score)) / f64::from(MAX_SCALE);
        EvalTrace { counts, phase, scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Weights as _;
    use alfil_chess::{Bitboard, Mailbox, Setup};
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{MoveList, Position, Setup as _, Waivers};

    fn score<P: Board>(setup: &Setup) -> i32 {
        let position = P::from_setup(setup, &Waivers::All).unwrap();
        let mut eval = HandcraftedEval::default();
        eval.reset(&position);
        eval.score(&position).value()
    }

    fn score_of_fen(fen: &str) -> i32 {
        score::<Bitboard>(&Setup::parse(fen).unwrap())
    }

    #[test]
    fn incremental_scores_equal_computed_ones_and_are_symmetric() {
        let mut random = SplitMix64::new(14);
        for _ in 0..150 {
            let setup = Setup::chess960(random.below(960)).unwrap();
            let mut position = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
            let mut eval = HandcraftedEval::default();
            eval.reset(&position);
            for ply in 0..100 {
                let mut list = MoveList::new();
                position.generate_legal(&mut list);
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                let before = eval.clone();
                let undo = position.make(mv, &mut eval);
                position.unmake(mv, &undo, &mut eval);
                assert_eq!(eval, before);
                position.make(mv, &mut eval);
                let mut computed = HandcraftedEval::default();
                computed.reset(&position);
                assert_eq!(eval, computed);
                if ply % 4 == 0 {
                    let trace = <HandcraftedEval as Tunable<Mailbox>>::trace(&position);
                    assert_eq!(
                        trace.sum(&WEIGHTS.to_row()),
                        eval.first_side_score(position.side_to_move()),
                        "{position:?}"
                    );
                }
                let setup = position.to_setup();
                let score_here = score::<Bitboard>(&setup);
                assert_eq!(score_here, eval.score(&position).value(), "{setup:?}");
                assert_eq!(
                    score_here,
                    score::<Mailbox>(&setup.swapped()),
                    "{setup:?} with colours exchanged"
                );
                assert_eq!(score_here, score::<Mailbox>(&setup.mirrored()), "{setup:?} mirrored");
            }
        }
    }

    #[test]
    fn advantages_increase_the_score() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(score_of_fen(start), WEIGHTS.tempo.midgame());
        for (better, worse) in [
            // One queen, rook or pawn more.
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"),
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"),
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"),
            // A more advanced passed pawn; connected pawns instead of doubled ones.
            ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1"),
            // A passed pawn that cannot be stopped wins; a knight without pawns does not.
            ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"),
            // A pawn shield for the king, with queens and rooks on the board.
            ("r2q1rk1/5ppp/8/8/8/8/5PPP/R2Q1RK1 w - - 0 1", "r2q1rk1/5ppp/8/8/8/8/PPP5/R2Q1RK1 w - - 0 1"),
        ] {
            assert!(
                score_of_fen(better) > score_of_fen(worse),
                "{better}: {}, {worse}: {}",
                score_of_fen(better),
                score_of_fen(worse)
            );
        }
    }

    /// Positions with waived issues have a score too: pawns on back ranks, adjacent kings, too many pawns
    /// and promoted pieces.
    #[test]
    fn impossible_positions_have_a_bounded_score() {
        let mut random = SplitMix64::new(15);
        let mut scored = 0;
        for piece_count in (0..400).map(|number| 2 + number % 40) {
            let mut squares = [None; 64];
            for _ in 0..piece_count {
                squares[random.below(64)] = Some(b"PNBRQpnbrqPp"[random.below(12)]);
            }
            let (first, second) = (random.below(64), random.below(64));
            (squares[first], squares[second]) = (Some(b'K'), Some(b'k'));
            let letter = |square: &Option<u8>| square.map_or('1', char::from);
            let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().map(letter).collect()).collect();
            let setup = Setup::parse(&format!("{} w - - 0 1", rows.join("/"))).unwrap();
            let Ok(position) = Bitboard::from_setup(&setup, &Waivers::All) else { continue };
            let mut eval = HandcraftedEval::default();
            eval.reset(&position);
            assert!(eval.score(&position).value().abs() < Score::MAX_EVAL.value());
            scored += 1;
        }
        assert!(scored > 300, "{scored}");
        assert!(score_of_fen("3P4/8/4k3/8/8/8/8/4K3 w - - 0 1") > 0);
    }

    #[test]
    fn null_moves_are_excluded_in_pawn_endgames() {
        let may_use_null_move = |fen: &str| {
            let position = Bitboard::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
            let mut eval = HandcraftedEval::default();
            eval.reset(&position);
            eval.techniques(&position).null_move
        };
        assert!(!may_use_null_move("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        assert!(!may_use_null_move("3rk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        assert!(may_use_null_move("4k3/pppp4/8/8/8/8/PPPP4/4KN2 w - - 0 1"));
    }
}

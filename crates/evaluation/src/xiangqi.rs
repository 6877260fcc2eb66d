//! Static evaluation of xiangqi: material and piece-square tables, mobility, king safety, soldiers and threats,
//! interpolated between midgame and endgame by the pieces left.
//!
//! Material and piece-square sums are updated with every change of the board; the other terms are computed from the
//! position.

use crate::{EvalTrace, TaperedScore, Tunable, tuning};
use alfil_kernel::{BoardObserver, Evaluator, Score, SearchPolicy, SearchTechniques, Side, Tactics};

use alfil_xiangqi::Xiangqi;
use alfil_xiangqi::board::Board;
use alfil_xiangqi::moves::Move;
use alfil_xiangqi::piece::{Piece, PieceKind};
use alfil_xiangqi::square::Square;

mod psqt;
mod see;
mod terms;
mod tuned_weights;
mod weights;

use psqt::PSQT;
use tuned_weights::WEIGHTS;
use weights::Weights;

/// The value of each kind in static exchange evaluation, in centipawns. The king's is above that of all others
/// together.
pub const SEE_VALUES: [i32; 7] = [6_000, 110, 120, 420, 960, 450, 80];

/// The weight of each kind in the game phase.
const PHASE_WEIGHTS: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];

/// The sum of [`PHASE_WEIGHTS`] at the start of a game.
const MAX_PHASE: i32 = 32;

/// The scale factor of a lead that can win, see [`HandcraftedEval::scale_factor`].
const MAX_SCALE: i32 = 48;

/// A hand-made evaluation: piece-square sums and piece counts of each side, and the game phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandcraftedEval {
    psqt_sums: [TaperedScore; 2],
    piece_counts: [[i32; 7]; 2],
    phase: i32,
}

impl HandcraftedEval {
    /// Returns the score from Red's view, before scaling.
    #[inline]
    fn first_side_score<P: Board>(&self, position: &P) -> TaperedScore {
        let [red, black] = self.psqt_sums;
        red - black + positional_score(position, &self.piece_counts, &WEIGHTS)
    }

    /// Returns the scale of a lead, out of [`MAX_SCALE`]: small without a piece that can cross the river, reduced if a
    /// single horse or cannon is left to attack.
    fn scale_factor(&self, lead: i32) -> i32 {
        let leader = if lead > 0 { Side::First } else { Side::Second };
        let piece_count = |kind| self.piece_counts[leader.index()][kind as usize];
        if piece_count(PieceKind::Rook) + piece_count(PieceKind::Soldier) > 0 {
            return MAX_SCALE;
        }
        match piece_count(PieceKind::Horse) + piece_count(PieceKind::Cannon) {
            0 => MAX_SCALE / 16,
            1 => MAX_SCALE / 3,
            _ => MAX_SCALE,
        }
    }
}

/// Returns the terms beyond material and piece-square tables, and the tempo; from Red's view.
#[inline]
fn positional_score<P: Board>(position: &P, piece_counts: &[[i32; 7]; 2], weights: &Weights) -> TaperedScore {
    let terms = terms::terms(position, piece_counts, weights);
    if position.side_to_move() == Side::First { terms + weights.tempo } else { terms - weights.tempo }
}

impl BoardObserver<Xiangqi> for HandcraftedEval {
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.psqt_sums[piece.side().index()] += PSQT[piece.index()][square.index()];
        self.piece_counts[piece.side().index()][piece.kind() as usize] += 1;
        self.phase += PHASE_WEIGHTS[piece.kind() as usize];
    }

    #[inline]
    fn remove(&mut self, square: Square, piece: Piece) {
        self.psqt_sums[piece.side().index()] -= PSQT[piece.index()][square.index()];
        self.piece_counts[piece.side().index()][piece.kind() as usize] -= 1;
        self.phase -= PHASE_WEIGHTS[piece.kind() as usize];
    }

    fn flip(&mut self, _: Square, _: Piece) {
        unreachable!("xiangqi has no flips");
    }
}

impl<P: Board> Evaluator<P> for HandcraftedEval {
    fn reset(&mut self, position: &P) {
        *self = HandcraftedEval::default();
        for piece in Piece::all() {
            for square in position.pieces(piece) {
                self.put(square, piece);
            }
        }
    }

    #[inline]
    fn score(&mut self, position: &P) -> Score {
        let lead = self.first_side_score(position).interpolate(self.phase, MAX_PHASE);
        let lead = lead * self.scale_factor(lead) / MAX_SCALE;
        Score::from_cp(if position.side_to_move() == Side::First { lead } else { -lead })
    }
}

impl<P: Board> Tactics<P> for HandcraftedEval {
    #[inline]
    fn is_noisy(&self, position: &P, mv: Move) -> bool {
        position.captured_piece(mv).is_some()
    }

    #[inline]
    fn mvv_lva(&self, position: &P, mv: Move) -> i32 {
        let see_value = |piece: Piece| SEE_VALUES[piece.kind() as usize];
        let victim = position.captured_piece(mv).map_or(0, see_value);
        let attacker = position.piece_on(mv.origin()).map_or(0, see_value);
        victim * 16 - attacker / 16
    }

    fn see_ge(&self, position: &P, mv: Move, at_least: i32) -> bool {
        see::see_ge(position, mv, at_least)
    }
}

impl<P: Board> SearchPolicy<P> for HandcraftedEval {
    /// The null move is excluded without a rook, horse or cannon: with soldiers, advisors and elephants alone zugzwang
    /// is common.
    fn techniques(&self, position: &P) -> SearchTechniques {
        let mover = position.side_to_move();
        let attacks = |kind| !position.pieces(Piece::new(mover, kind)).is_empty();
        let null_move = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon].into_iter().any(attacks);
        SearchTechniques { null_move, quiescence: true, futility: true }
    }
}

impl<P: Board> Tunable<P> for HandcraftedEval {
    type Weights = Weights;

    const DECISIVE_SCORE: i32 = 1_600;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn trace(position: &P) -> EvalTrace {
        let mut eval = HandcraftedEval::default();
        eval.reset(position);
        let counts = tuning::weight_counts(&WEIGHTS, |weights| {
            let pieces = Piece::all()
                .flat_map(|piece| position.pieces(piece).iter().map(move |square| (piece, square)));
            pieces.fold(positional_score(position, &eval.piece_counts, weights), |lead, (piece, square)| {
                match piece.side() {
                    Side::First => lead + weights.psqt_value(piece.kind(), square),
                    Side::Second => lead - weights.psqt_value(piece.kind(), square.flipped()),
                }
            })
        });
        let scale = eval.scale_factor(eval.first_side_score(position).interpolate(eval.phase, MAX_PHASE));
        let phase = f64::from(eval.phase) / f64::from(MAX_PHASE);
        EvalTrace { counts, phase, scale: f64::from(scale) / f64::from(MAX_SCALE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Weights as _;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{MoveList, Position, Setup as _, Waivers};
    use alfil_xiangqi::{Bitboard, Mailbox, Setup};

    fn score<P: Board>(setup: &Setup) -> i32 {
        let position = P::from_setup(setup, &Waivers::None).unwrap();
        let mut eval = HandcraftedEval::default();
        eval.reset(&position);
        eval.score(&position).value()
    }

    fn of(fen: &str) -> i32 {
        score::<Bitboard>(&Setup::parse(fen).unwrap())
    }

    #[test]
    fn incremental_evaluation_equals_recomputation_and_is_symmetric() {
        let mut random = SplitMix64::new(16);
        for _ in 0..150 {
            let mut position = Mailbox::from_setup(&Setup::start(), &Waivers::None).unwrap();
            let mut eval = HandcraftedEval::default();
            eval.reset(&position);
            for ply in 0..150 {
                let mut list = MoveList::new();
                position.generate_legal(&mut list);
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                let before = eval;
                let undo = position.make(mv, &mut eval);
                position.unmake(mv, &undo, &mut eval);
                assert_eq!(eval, before);
                position.make(mv, &mut eval);
                let mut recomputed = HandcraftedEval::default();
                recomputed.reset(&position);
                assert_eq!(eval, recomputed);
                if ply % 8 == 0 {
                    let features = <HandcraftedEval as Tunable<Mailbox>>::trace(&position);
                    assert_eq!(
                        features.sum(&WEIGHTS.to_row()),
                        eval.first_side_score(&position),
                        "{position:?}"
                    );
                }
                let setup = position.to_setup();
                let here = score::<Bitboard>(&setup);
                assert_eq!(here, eval.score(&position).value(), "{setup:?}");
                assert_eq!(here, score::<Mailbox>(&setup.swapped()), "{setup:?} with sides exchanged");
                assert_eq!(here, score::<Mailbox>(&setup.mirrored()), "{setup:?} mirrored");
            }
        }
    }

    /// Each pair differs in the named property only.
    #[test]
    fn each_advantage_raises_the_score() {
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        assert_eq!(of(start), WEIGHTS.tempo.midgame());
        for (property, better, worse) in [
            ("a rook", start, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w"),
            ("a horse", start, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w"),
            ("an advisor", start, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNB1KABNR w"),
            ("horse mobility", "3k1a3/4a4/9/9/4N4/p8/9/9/9/4KA3 w", "3k1a3/4a4/9/9/4N4/4p4/9/9/9/4KA3 w"),
            ("a hollow cannon", "2bakab2/9/9/9/4C4/9/9/9/9/R2K5 w", "4kab2/4a4/4b4/9/4C4/9/9/9/9/R2K5 w"),
            (
                "linked soldiers",
                "rnbakabnr/9/1c5c1/2PP5/4p4/9/4P4/1C5C1/9/RNBAKABNR w",
                "rnbakabnr/9/1c5c1/1P1P5/4p4/9/4P4/1C5C1/9/RNBAKABNR w",
            ),
        ] {
            assert!(of(better) > of(worse), "{property}: {} and {}", of(better), of(worse));
        }
    }

    #[test]
    fn a_lead_that_cannot_win_scores_little() {
        let defenders = of("3k5/9/9/9/9/9/9/4B4/4A4/2BAK4 w");
        assert!((1..60).contains(&defenders), "{defenders}");
        let lone_cannon = of("3k5/4a4/9/9/9/9/9/4C4/9/4K4 w");
        assert!(lone_cannon < of("3k5/4a4/9/9/9/9/9/4R4/9/4K4 w") / 3, "{lone_cannon}");
    }

    #[test]
    fn null_move_is_excluded_without_an_attacking_piece() {
        let allows_null_move = |fen: &str| {
            let position: Bitboard =
                Bitboard::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
            HandcraftedEval::default().techniques(&position).null_move
        };
        assert!(!allows_null_move("3k1r3/9/9/2PP5/9/9/9/4B4/4A4/2BAK4 w"));
        assert!(allows_null_move("3k1a3/9/9/2PP5/9/9/9/4B4/4A4/2BAK3N w"));
    }
}

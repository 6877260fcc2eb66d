//! What a position of chess is worth: material and where it stands, mobility, threats, pawn structure and the
//! king's safety, weighed between middle game and endgame by the men left.
//!
//! It listens to the board and keeps sets of its own, so it values a mailbox and a bitboard at the same price.

use alfil_kernel::{
    BoardObserver, EvalTrace, Evaluator, Score, SearchPolicy, SearchTechniques, Side, Tactics, TaperedScore,
    Tunable, tuning,
};

use alfil_chess::Chess;
use alfil_chess::board::Board;
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

/// What each kind is worth in an exchange, in centipawns. The king's is above all others together.
pub const SEE_VALUES: [Score; 6] = [100, 320, 330, 500, 950, 20_000];

/// How much of the middle game each kind carries.
const PHASE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The sum of [`PHASES`] at the start of a game; more, after promotions, counts as this.
const MAX_PHASE: i32 = 24;

/// A lead that can be won to the full, in the parts of [`Values::winnable`].
const MAX_SCALE: Score = 16;

/// An evaluator: where everybody stands, as it was told, and the sums of material and places.
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
        self.piece_sets[side.index()].iter().fold(0, |men, set| men | set)
    }

    #[inline(always)]
    fn king_index(&self, side: Side) -> usize {
        self.pieces_of(side, PieceKind::King).trailing_zeros() as usize & 63
    }

    /// White's lead, with the right to move.
    #[inline]
    fn first_side_score(&self, side: Side) -> TaperedScore {
        let [white, black] = self.psqt_sums;
        let pawns = Side::BOTH.map(|side| self.pieces_of(side, PieceKind::Pawn));
        let structure = self.pawn_table.probe_or_compute(pawns, || pawns::structure(self, &WEIGHTS));
        white - black + structure + self.positional_score(side, &WEIGHTS)
    }

    /// What material, places and the structure of pawns do not say, by these weights, and the right to move; from White's view.
    #[inline]
    fn positional_score(&self, side: Side, weights: &Weights) -> TaperedScore {
        let terms = terms::terms(self, weights);
        if side == Side::First { terms + weights.tempo } else { terms - weights.tempo }
    }

    /// What is left of the middle game; more than at the start of a game, after promotions, counts as that.
    #[inline]
    fn clamped_phase(&self) -> i32 {
        self.phase.min(MAX_PHASE)
    }

    /// How much of a lead can be won, as so many parts of [`ALL`].
    fn scale_factor(&self, lead: Score) -> Score {
        let leader = if lead > 0 { Side::First } else { Side::Second };
        let number = |side, kind| self.pieces_of(side, kind).count_ones() as Score;
        if number(leader, PieceKind::Pawn) > 0 {
            return if self.has_opposite_bishops() { MAX_SCALE / 2 } else { MAX_SCALE };
        }
        // Without pawns a lead of less than a rook seldom is enough, and two knights cannot force mate.
        let officers = |side: Side| {
            let worth = |kind: PieceKind| number(side, kind) * SEE_VALUES[kind as usize];
            PieceKind::PROMOTIONS.into_iter().map(worth).sum::<Score>()
        };
        let knights = number(leader, PieceKind::Knight) * SEE_VALUES[PieceKind::Knight as usize];
        if officers(leader) - officers(!leader) < SEE_VALUES[PieceKind::Rook as usize] - 50 {
            MAX_SCALE / 4
        } else if officers(leader) == knights && number(leader, PieceKind::Knight) == 2 {
            MAX_SCALE / 16
        } else {
            MAX_SCALE
        }
    }

    /// One bishop each, of opposite colours, and no other officer.
    fn has_opposite_bishops(&self) -> bool {
        let bishops = Side::BOTH.map(|side| self.pieces_of(side, PieceKind::Bishop));
        let others = [PieceKind::Knight, PieceKind::Rook, PieceKind::Queen]
            .map(|kind| self.pieces_of(Side::First, kind) | self.pieces_of(Side::Second, kind));
        let colours = bishops.map(|set| (set & terms::DARK_SQUARES).count_ones());
        others == [0; 3] && bishops.map(u64::count_ones) == [1, 1] && colours[0] != colours[1]
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
        unreachable!("no man is turned over in chess");
    }
}

impl<P: Board> Evaluator<P> for HandcraftedEval {
    fn reset(&mut self, position: &P) {
        *self = HandcraftedEval::default();
        for piece in Piece::all() {
            for square in position.pieces(piece).iter().map(Square::from_low_bits) {
                self.put(square, piece);
            }
        }
    }

    fn score(&mut self, position: &P) -> Score {
        let lead =
            self.first_side_score(position.side_to_move()).interpolate(self.clamped_phase(), MAX_PHASE);
        let lead = lead * self.scale_factor(lead) / MAX_SCALE;
        if position.side_to_move() == Side::First { lead } else { -lead }
    }
}

impl<P: Board> Tactics<P> for HandcraftedEval {
    /// Captures, and promotions to a queen; to become anything less is not worth a look there.
    #[inline]
    fn is_noisy(&self, position: &P, mv: Move) -> bool {
        match mv.promotion_kind() {
            Some(kind) => kind == PieceKind::Queen,
            None => position.captured_piece(mv).is_some(),
        }
    }

    #[inline]
    fn mvv_lva(&self, position: &P, mv: Move) -> i32 {
        let worth = |kind: PieceKind| SEE_VALUES[kind as usize];
        let victim = position.captured_piece(mv).map_or(0, |piece| worth(piece.kind()));
        let gained = mv.promotion_kind().map_or(0, |kind| worth(kind) - SEE_VALUES[0]);
        let attacker = position.piece_on(mv.origin()).map_or(0, |piece| worth(piece.kind()));
        (victim + gained) * 16 - attacker / 16
    }

    fn see_ge(&self, position: &P, mv: Move, at_least: i32) -> bool {
        if position.is_castling(mv) {
            return at_least <= 0;
        }
        self.see_ge_for(mv, position.side_to_move(), at_least)
    }
}

impl<P: Board> SearchPolicy<P> for HandcraftedEval {
    /// With king and pawns alone zugzwang is common: passing is not tried.
    fn techniques(&self, position: &P) -> SearchTechniques {
        let side = position.side_to_move();
        let null_move = PieceKind::PROMOTIONS.into_iter().any(|kind| self.pieces_of(side, kind) != 0);
        SearchTechniques { null_move, quiescence: true, futility: true }
    }
}

impl<P: Board> Tunable<P> for HandcraftedEval {
    type Weights = Weights;

    const DECISIVE_SCORE: Score = 1_500;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn trace(position: &P) -> EvalTrace {
        let mut values = HandcraftedEval::default();
        values.reset(position);
        let counts = tuning::weight_counts(&WEIGHTS, |weights| {
            let men = Piece::all().flat_map(|piece| position.pieces(piece).iter().map(move |at| (piece, at)));
            let looked = values.positional_score(position.side_to_move(), weights)
                + pawns::structure(&values, weights);
            men.fold(looked, |lead, (piece, at)| {
                let square = Square::from_low_bits(at);
                match piece.side() {
                    Side::First => lead + weights.psqt_value(piece.kind(), square),
                    Side::Second => lead - weights.psqt_value(piece.kind(), square.flipped()),
                }
            })
        });
        let part = values.scale_factor(
            values.first_side_score(position.side_to_move()).interpolate(values.clamped_phase(), MAX_PHASE),
        );
        let middle = f64::from(values.clamped_phase()) / f64::from(MAX_PHASE);
        EvalTrace { counts, phase: middle, scale: f64::from(part) / f64::from(MAX_SCALE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_chess::{Bitboard, Mailbox, Setup};
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{MoveList, Position, Setup as _, Waivers, Weights as _};

    fn score<P: Board>(setup: &Setup) -> Score {
        let position = P::from_setup(setup, &Waivers::All).unwrap();
        let mut values = HandcraftedEval::default();
        values.reset(&position);
        values.score(&position)
    }

    fn of(fen: &str) -> Score {
        score::<Bitboard>(&Setup::parse(fen).unwrap())
    }

    #[test]
    fn listening_equals_looking_and_both_sides_are_alike() {
        let mut random = SplitMix64::new(14);
        for _ in 0..150 {
            let setup = Setup::chess960(random.below(960)).unwrap();
            let mut position = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
            let mut values = HandcraftedEval::default();
            values.reset(&position);
            for ply in 0..100 {
                let mut list = MoveList::new();
                position.generate_legal(&mut list);
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                let before = values.clone();
                let undo = position.make(mv, &mut values);
                position.unmake(mv, &undo, &mut values);
                assert_eq!(values, before);
                position.make(mv, &mut values);
                let mut afresh = HandcraftedEval::default();
                afresh.reset(&position);
                assert_eq!(values, afresh);
                if ply % 4 == 0 {
                    let features = <HandcraftedEval as Tunable<Mailbox>>::trace(&position);
                    assert_eq!(
                        features.sum(&WEIGHTS.to_row()),
                        values.first_side_score(position.side_to_move()),
                        "{position:?}"
                    );
                }
                let setup = position.to_setup();
                let here = score::<Bitboard>(&setup);
                assert_eq!(here, values.score(&position), "{setup:?}");
                assert_eq!(here, score::<Mailbox>(&setup.swapped()), "{setup:?} with colours exchanged");
                assert_eq!(here, score::<Mailbox>(&setup.mirrored()), "{setup:?} mirrored");
            }
        }
    }

    #[test]
    fn more_is_better() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(of(start), WEIGHTS.tempo.midgame());
        for (better, worse) in [
            // A queen, a rook, a pawn more.
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"),
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"),
            (start, "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"),
            // A passed pawn further on; two connected rather than one behind the other.
            ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1"),
            // A pawn more that cannot be held up decides; a knight more without pawns does not.
            ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"),
            // The king behind its pawns among heavy men.
            ("r2q1rk1/5ppp/8/8/8/8/5PPP/R2Q1RK1 w - - 0 1", "r2q1rk1/5ppp/8/8/8/8/PPP5/R2Q1RK1 w - - 0 1"),
        ] {
            assert!(of(better) > of(worse), "{better}: {}, {worse}: {}", of(better), of(worse));
        }
    }

    /// What is let pass by name is valued too: pawns on first and last ranks, kings side by side, men without end.
    #[test]
    fn positions_that_cannot_arise_have_a_value() {
        let mut random = SplitMix64::new(15);
        let mut valued = 0;
        for men in (0..400).map(|number| 2 + number % 40) {
            let mut squares = [None; 64];
            for _ in 0..men {
                squares[random.below(64)] = Some(b"PNBRQpnbrqPp"[random.below(12)]);
            }
            let (first, second) = (random.below(64), random.below(64));
            (squares[first], squares[second]) = (Some(b'K'), Some(b'k'));
            let letter = |square: &Option<u8>| square.map_or('1', char::from);
            let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().map(letter).collect()).collect();
            let setup = Setup::parse(&format!("{} w - - 0 1", rows.join("/"))).unwrap();
            let Ok(position) = Bitboard::from_setup(&setup, &Waivers::All) else { continue };
            let mut values = HandcraftedEval::default();
            values.reset(&position);
            assert!(values.score(&position).abs() < alfil_kernel::score::MATE_BOUND);
            valued += 1;
        }
        assert!(valued > 300, "{valued}");
        assert!(of("3P4/8/4k3/8/8/8/8/4K3 w - - 0 1") > 0);
    }

    #[test]
    fn passing_is_not_tried_in_pawn_endings() {
        let temper = |fen: &str| {
            let position = Bitboard::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
            let mut values = HandcraftedEval::default();
            values.reset(&position);
            values.techniques(&position).null_move
        };
        assert!(!temper("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        assert!(!temper("3rk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        assert!(temper("4k3/pppp4/8/8/8/8/PPPP4/4KN2 w - - 0 1"));
    }
}

//! What a position of chess is worth: material and where it stands, mobility, threats, pawn structure and the
//! king's safety, weighed between middle game and endgame by the men left.
//!
//! It listens to the board and keeps sets of its own, so it values a mailbox and a bitboard at the same price.

use alfil_kernel::{Evaluate, Features, Score, Side, Taper, Temper, Tunable, Watcher, tune};

use alfil_chess::Chess;
use alfil_chess::board::Board;
use alfil_chess::moves::Move;
use alfil_chess::piece::{Kind, Piece};
use alfil_chess::square::Square;

mod exchange;
mod king;
mod numbers;
mod pawns;
mod places;
mod terms;
mod weights;

use numbers::WEIGHTS;
use places::PLACES;
use weights::Weights;

/// What each kind is worth in an exchange, in centipawns. The king's is above all others together.
pub const WORTH: [Score; 6] = [100, 320, 330, 500, 950, 20_000];

/// How much of the middle game each kind carries.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The sum of [`PHASES`] at the start of a game; more, after promotions, counts as this.
const FULL: i32 = 24;

/// A lead that can be won to the full, in the parts of [`Values::winnable`].
const ALL: Score = 16;

/// An evaluator: where everybody stands, as it was told, and the sums of material and places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    sets: [[u64; 6]; 2],
    sums: [Taper; 2],
    phase: i32,
    pawns: pawns::Table,
}

impl Values {
    #[inline(always)]
    fn of(&self, side: Side, kind: Kind) -> u64 {
        self.sets[side.index()][kind as usize]
    }

    #[inline(always)]
    fn men(&self, side: Side) -> u64 {
        self.sets[side.index()].iter().fold(0, |men, set| men | set)
    }

    #[inline(always)]
    fn king(&self, side: Side) -> usize {
        self.of(side, Kind::King).trailing_zeros() as usize & 63
    }

    /// White's lead, with the right to move.
    #[inline]
    fn lead(&self, side: Side) -> Taper {
        let [white, black] = self.sums;
        let pawns = Side::BOTH.map(|side| self.of(side, Kind::Pawn));
        let structure = self.pawns.worth(pawns, || pawns::structure(self, &WEIGHTS));
        white - black + structure + self.beyond(side, &WEIGHTS)
    }

    /// What material, places and the structure of pawns do not say, by these weights, and the right to move; from White's view.
    #[inline]
    fn beyond(&self, side: Side, weights: &Weights) -> Taper {
        let terms = terms::terms(self, weights);
        if side == Side::First { terms + weights.tempo } else { terms - weights.tempo }
    }

    /// What is left of the middle game; more than at the start of a game, after promotions, counts as that.
    #[inline]
    fn middle(&self) -> i32 {
        self.phase.min(FULL)
    }

    /// How much of a lead can be won, as so many parts of [`ALL`].
    fn winnable(&self, lead: Score) -> Score {
        let leader = if lead > 0 { Side::First } else { Side::Second };
        let number = |side, kind| self.of(side, kind).count_ones() as Score;
        if number(leader, Kind::Pawn) > 0 {
            return if self.bishops_are_opposite() { ALL / 2 } else { ALL };
        }
        // Without pawns a lead of less than a rook seldom is enough, and two knights cannot force mate.
        let officers = |side: Side| {
            let worth = |kind: Kind| number(side, kind) * WORTH[kind as usize];
            Kind::PROMOTIONS.into_iter().map(worth).sum::<Score>()
        };
        let knights = number(leader, Kind::Knight) * WORTH[Kind::Knight as usize];
        if officers(leader) - officers(!leader) < WORTH[Kind::Rook as usize] - 50 {
            ALL / 4
        } else if officers(leader) == knights && number(leader, Kind::Knight) == 2 {
            ALL / 16
        } else {
            ALL
        }
    }

    /// One bishop each, of opposite colours, and no other officer.
    fn bishops_are_opposite(&self) -> bool {
        let bishops = Side::BOTH.map(|side| self.of(side, Kind::Bishop));
        let others = [Kind::Knight, Kind::Rook, Kind::Queen]
            .map(|kind| self.of(Side::First, kind) | self.of(Side::Second, kind));
        let colours = bishops.map(|set| (set & terms::DARK).count_ones());
        others == [0; 3] && bishops.map(u64::count_ones) == [1, 1] && colours[0] != colours[1]
    }
}

impl Watcher<Chess> for Values {
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.sets[piece.side().index()][piece.kind() as usize] |= 1 << square.index();
        self.sums[piece.side().index()] += PLACES[piece.index()][square.index()];
        self.phase += PHASES[piece.kind() as usize];
    }

    #[inline]
    fn lift(&mut self, square: Square, piece: Piece) {
        let sum = &mut self.sums[piece.side().index()];
        self.sets[piece.side().index()][piece.kind() as usize] &= !(1 << square.index());
        *sum -= PLACES[piece.index()][square.index()];
        self.phase -= PHASES[piece.kind() as usize];
    }

    fn turn(&mut self, _: Square, _: Piece) {
        unreachable!("no man is turned over in chess");
    }
}

impl<P: Board> Evaluate<P> for Values {
    fn reset(&mut self, position: &P) {
        *self = Values::default();
        for piece in Piece::all() {
            for square in position.pieces(piece).iter().map(Square::of_bits) {
                self.put(square, piece);
            }
        }
    }

    fn score(&self, position: &P) -> Score {
        let lead = self.lead(position.side()).at(self.middle(), FULL);
        let lead = lead * self.winnable(lead) / ALL;
        if position.side() == Side::First { lead } else { -lead }
    }

    /// Captures, and promotions to a queen; to become anything less is not worth a look there.
    #[inline]
    fn is_noisy(&self, position: &P, mv: Move) -> bool {
        match mv.promoted() {
            Some(kind) => kind == Kind::Queen,
            None => position.captured(mv).is_some(),
        }
    }

    #[inline]
    fn promise(&self, position: &P, mv: Move) -> Score {
        let worth = |kind: Kind| WORTH[kind as usize];
        let victim = position.captured(mv).map_or(0, |piece| worth(piece.kind()));
        let gained = mv.promoted().map_or(0, |kind| worth(kind) - WORTH[0]);
        let attacker = position.piece_on(mv.origin()).map_or(0, |piece| worth(piece.kind()));
        (victim + gained) * 16 - attacker / 16
    }

    fn exchange(&self, position: &P, mv: Move, at_least: Score) -> bool {
        if position.is_castling(mv) {
            return at_least <= 0;
        }
        self.wins_exchange(mv, position.side(), at_least)
    }

    /// With king and pawns alone zugzwang is common: passing is not tried.
    fn temper(&self, position: &P) -> Temper {
        let side = position.side();
        let null_move = Kind::PROMOTIONS.into_iter().any(|kind| self.of(side, kind) != 0);
        Temper { null_move, quiescence: true, futility: true }
    }
}

impl<P: Board> Tunable<P> for Values {
    type Weights = Weights;

    const DECIDED: Score = 1_500;

    fn weights() -> &'static Weights {
        &WEIGHTS
    }

    fn features(position: &P) -> Features {
        let mut values = Values::default();
        values.reset(position);
        let counts = tune::counts(&WEIGHTS, |weights| {
            let men = Piece::all().flat_map(|piece| position.pieces(piece).iter().map(move |at| (piece, at)));
            let looked = values.beyond(position.side(), weights) + pawns::structure(&values, weights);
            men.fold(looked, |lead, (piece, at)| {
                let square = Square::of_bits(at);
                match piece.side() {
                    Side::First => lead + weights.place(piece.kind(), square),
                    Side::Second => lead - weights.place(piece.kind(), square.flipped()),
                }
            })
        });
        let part = values.winnable(values.lead(position.side()).at(values.middle(), FULL));
        let middle = f64::from(values.middle()) / f64::from(FULL);
        Features { counts, middle, part: f64::from(part) / f64::from(ALL) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_chess::{Bitboard, Mailbox, Setup};
    use alfil_kernel::keys::SplitMix64;
    use alfil_kernel::{MoveList, Position, Setup as _, Waivers, Weights as _};

    fn score<P: Board>(setup: &Setup) -> Score {
        let position = P::from_setup(setup, &Waivers::All).unwrap();
        let mut values = Values::default();
        values.reset(&position);
        values.score(&position)
    }

    fn of(fen: &str) -> Score {
        score::<Bitboard>(&Setup::read(fen).unwrap())
    }

    #[test]
    fn listening_equals_looking_and_both_sides_are_alike() {
        let mut random = SplitMix64::new(14);
        for _ in 0..150 {
            let setup = Setup::fischer(random.below(960)).unwrap();
            let mut position = Mailbox::from_setup(&setup, &Waivers::None).unwrap();
            let mut values = Values::default();
            values.reset(&position);
            for ply in 0..100 {
                let mut list = MoveList::new();
                position.moves(&mut list);
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                let before = values.clone();
                let undo = position.make(mv, &mut values);
                position.unmake(mv, &undo, &mut values);
                assert_eq!(values, before);
                position.make(mv, &mut values);
                let mut afresh = Values::default();
                afresh.reset(&position);
                assert_eq!(values, afresh);
                if ply % 4 == 0 {
                    let features = <Values as Tunable<Mailbox>>::features(&position);
                    assert_eq!(features.sum(&WEIGHTS.row()), values.lead(position.side()), "{position:?}");
                }
                let setup = position.setup();
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
        assert_eq!(of(start), WEIGHTS.tempo.middle());
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
            let setup = Setup::read(&format!("{} w - - 0 1", rows.join("/"))).unwrap();
            let Ok(position) = Bitboard::from_setup(&setup, &Waivers::All) else { continue };
            let mut values = Values::default();
            values.reset(&position);
            assert!(values.score(&position).abs() < alfil_kernel::evaluate::MATE_BOUND);
            valued += 1;
        }
        assert!(valued > 300, "{valued}");
        assert!(of("3P4/8/4k3/8/8/8/8/4K3 w - - 0 1") > 0);
    }

    #[test]
    fn passing_is_not_tried_in_pawn_endings() {
        let temper = |fen: &str| {
            let position = Bitboard::from_setup(&Setup::read(fen).unwrap(), &Waivers::None).unwrap();
            let mut values = Values::default();
            values.reset(&position);
            values.temper(&position).null_move
        };
        assert!(!temper("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        assert!(!temper("3rk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        assert!(temper("4k3/pppp4/8/8/8/8/PPPP4/4KN2 w - - 0 1"));
    }
}

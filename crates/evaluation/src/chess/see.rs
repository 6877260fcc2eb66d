//! Static exchange: what a series of captures on one square wins.

use alfil_kernel::Side;

use super::{HandcraftedEval, SEE_VALUES};
use alfil_chess::geometry::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks};
use alfil_chess::moves::Move;
use alfil_chess::piece::PieceKind;

impl HandcraftedEval {
    /// Whether this move and the captures that answer it on its target win the mover at least so much, each side taking
    /// with its least man and stopping when it likes. Pins are not looked at; a king takes only what is not guarded.
    ///
    /// The swap-off with one bound, as in the "static exchange evaluation" of many engines: the balance is kept from the
    /// view of the side that must now take, and the answer flips with each capture that is worth making.
    pub(super) fn see_ge_for(&self, mv: Move, mover: Side, at_least: i32) -> bool {
        let (origin, target) = (mv.origin().index(), mv.target().index());
        let kind = self.kind_on(mover, origin).unwrap_or(PieceKind::Pawn);
        let taken = self.kind_on(!mover, target);
        let passing = kind == PieceKind::Pawn && taken.is_none() && origin % 8 != target % 8;
        let lands = mv.promotion_kind().unwrap_or(kind);
        let worth = |kind: PieceKind| SEE_VALUES[kind as usize];
        let won =
            taken.map_or(0, worth) + if passing { SEE_VALUES[0] } else { 0 } + worth(lands) - worth(kind);

        let mut balance = won - at_least;
        if balance < 0 {
            return false;
        }
        balance = worth(lands) - balance;
        if balance <= 0 {
            return true;
        }
        let mut occupied =
            (self.occupied_by(mover) | self.occupied_by(!mover)) & !(1 << origin) | 1 << target;
        if passing {
            occupied &= !(1 << (target ^ 8));
        }
        let mut attackers = self.attackers_to(target, occupied);
        let (mut side, mut wins) = (mover, true);
        loop {
            side = !side;
            attackers &= occupied;
            let Some((kind, from)) = self.least_valuable_attacker(side, attackers) else { return wins };
            if kind == PieceKind::King {
                // It may take last only.
                return if attackers & self.occupied_by(!side) != 0 { wins } else { !wins };
            }
            wins = !wins;
            balance = worth(kind) - balance;
            if balance < i32::from(wins) {
                return wins;
            }
            occupied &= !from;
            attackers |= self.sliders(target, occupied);
        }
    }

    fn kind_on(&self, side: Side, square: usize) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|&kind| self.pieces_of(side, kind) >> square & 1 != 0)
    }

    /// The least man of a side in the set, and its square.
    fn least_valuable_attacker(&self, side: Side, set: u64) -> Option<(PieceKind, u64)> {
        PieceKind::ALL.into_iter().find_map(|kind| {
            let men = self.pieces_of(side, kind) & set;
            (men != 0).then_some((kind, men & men.wrapping_neg()))
        })
    }

    /// The sliders of both sides that see the square among these obstacles.
    fn sliders(&self, square: usize, occupied: u64) -> u64 {
        let both = |kind| self.pieces_of(Side::First, kind) | self.pieces_of(Side::Second, kind);
        let queens = both(PieceKind::Queen);
        bishop_attacks(square, occupied) & (both(PieceKind::Bishop) | queens)
            | rook_attacks(square, occupied) & (both(PieceKind::Rook) | queens)
    }

    /// The men of both sides that attack the square among these obstacles.
    fn attackers_to(&self, square: usize, occupied: u64) -> u64 {
        let both = |kind| self.pieces_of(Side::First, kind) | self.pieces_of(Side::Second, kind);
        let pawns = PAWN_ATTACKS[1][square] & self.pieces_of(Side::First, PieceKind::Pawn)
            | PAWN_ATTACKS[0][square] & self.pieces_of(Side::Second, PieceKind::Pawn);
        self.sliders(square, occupied)
            | KNIGHT_ATTACKS[square] & both(PieceKind::Knight)
            | KING_ATTACKS[square] & both(PieceKind::King)
            | pawns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_chess::{Bitboard, Board, Setup, Square};
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{Evaluator as _, MoveList, Position, Setup as _, Tactics as _, Waivers};

    /// What the side to take on `target` wins there, found by trying it: the value of the swap-off without bounds.
    fn swap(setup: &Setup, target: Square, side: Side) -> i32 {
        let board = Bitboard::from_setup(setup, &Waivers::All).expect("both kings stand");
        let on = |square: Square| setup.board[square.index()].expect("a man");
        let least =
            board.attackers_to(target, side).iter().filter_map(Square::from_index).min_by_key(|&from| {
                // Like the function under test: the least kind, then the lowest square.
                (on(from).kind(), from)
            });
        let Some(from) = least else { return 0 };
        if on(from).kind() == PieceKind::King && !board.attackers_to(target, !side).is_empty() {
            return 0;
        }
        if on(target).kind() == PieceKind::King {
            return SEE_VALUES[5];
        }
        let mut after = setup.clone();
        after.board[target.index()] = after.board[from.index()].take();
        (SEE_VALUES[on(target).kind() as usize] - swap(&after, target, !side)).max(0)
    }

    #[test]
    fn equals_the_swap_off_tried_out() {
        let mut random = SplitMix64::new(15);
        let mut tried = 0;
        for _ in 0..120 {
            let mut position = Bitboard::from_setup(&Setup::start(), &Waivers::None).unwrap();
            let mut values = HandcraftedEval::default();
            values.reset(&position);
            for _ in 0..120 {
                let mut list = MoveList::new();
                position.generate_legal(&mut list);
                let setup = position.to_setup();
                for &mv in
                    list.iter().filter(|&&mv| mv.promotion_kind().is_none() && !position.is_castling(mv))
                {
                    let (origin, target) = (mv.origin().index(), mv.target().index());
                    let mut after = setup.clone();
                    let taken = position.captured_piece(mv);
                    if taken.is_some() && setup.board[target].is_none() {
                        after.board[target ^ 8] = None;
                    }
                    after.board[target] = after.board[origin].take();
                    if matches!(after.board[target], Some(man) if man.kind() == PieceKind::King) {
                        continue;
                    }
                    let won = taken.map_or(0, |piece| SEE_VALUES[piece.kind() as usize]);
                    let value = won - swap(&after, mv.target(), !position.side_to_move());
                    for at_least in [value - 1, value, value + 1, 0, 1, -99] {
                        let found = values.see_ge(&position, mv, at_least);
                        assert_eq!(found, value >= at_least, "{setup:?} {mv}: {value} against {at_least}");
                        tried += 1;
                    }
                }
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                position.make(mv, &mut values);
            }
        }
        assert!(tried > 500_000, "{tried}");
    }

    #[test]
    fn promotions_and_en_passant_count() {
        for (fen, text, value) in [
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
            ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 1350),
            ("2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ] {
            let position = Bitboard::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
            let mut values = HandcraftedEval::default();
            values.reset(&position);
            let mut list = MoveList::new();
            position.generate_legal(&mut list);
            let mv = *list.iter().find(|mv| mv.to_string() == text).unwrap();
            assert!(values.see_ge(&position, mv, value) && !values.see_ge(&position, mv, value + 1), "{fen}");
        }
    }
}

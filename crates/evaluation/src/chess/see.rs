//! Static exchange evaluation (SEE): the material that a series of captures on one square wins.

use alfil_kernel::Side;

use super::{HandcraftedEval, SEE_VALUES};
use alfil_chess::geometry::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks};
use alfil_chess::moves::Move;
use alfil_chess::piece::PieceKind;

impl HandcraftedEval {
    /// Returns whether this move and the following captures on its target win at least `threshold` centipawns for the
    /// mover. Each side captures with its least valuable attacker and may stop at any time. Pins are ignored; a king
    /// does not capture a defended piece.
    ///
    /// This is the swap algorithm with a threshold (CPW: SEE - The Swap Algorithm): `balance` is from the view of the
    /// side to capture next, and the result flips with each capture that pays off.
    pub(super) fn see_ge_for(&self, mv: Move, mover: Side, threshold: i32) -> bool {
        let (origin, target) = (mv.origin().index(), mv.target().index());
        let kind = self.kind_on(mover, origin).unwrap_or(PieceKind::Pawn);
        let victim = self.kind_on(!mover, target);
        let is_en_passant = kind == PieceKind::Pawn && victim.is_none() && origin % 8 != target % 8;
        let placed = mv.promotion_kind().unwrap_or(kind);
        let value = |kind: PieceKind| SEE_VALUES[kind as usize];
        let gain = victim.map_or(0, value) + if is_en_passant { SEE_VALUES[0] } else { 0 } + value(placed)
            - value(kind);

        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance = value(placed) - balance;
        if balance <= 0 {
            return true;
        }
        let mut occupied =
            (self.occupied_by(mover) | self.occupied_by(!mover)) & !(1 << origin) | 1 << target;
        if is_en_passant {
            occupied &= !(1 << (target ^ 8));
        }
        let mut attackers = self.attackers_to(target, occupied);
        let (mut side, mut is_ge) = (mover, true);
        loop {
            side = !side;
            attackers &= occupied;
            let Some((kind, from)) = self.least_valuable_attacker(side, attackers) else { return is_ge };
            if kind == PieceKind::King {
                // The king can capture only if the opponent has no attacker left.
                return if attackers & self.occupied_by(!side) != 0 { is_ge } else { !is_ge };
            }
            is_ge = !is_ge;
            balance = value(kind) - balance;
            if balance < i32::from(is_ge) {
                return is_ge;
            }
            occupied &= !from;
            attackers |= self.sliders(target, occupied);
        }
    }

    fn kind_on(&self, side: Side, square: usize) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|&kind| self.pieces_of(side, kind) >> square & 1 != 0)
    }

    /// Returns the least valuable piece of a side in the set, and its square as a set.
    fn least_valuable_attacker(&self, side: Side, set: u64) -> Option<(PieceKind, u64)> {
        PieceKind::ALL.into_iter().find_map(|kind| {
            let pieces = self.pieces_of(side, kind) & set;
            (pieces != 0).then_some((kind, pieces & pieces.wrapping_neg()))
        })
    }

    /// Returns the sliders of both sides that attack the square, given the occupancy.
    fn sliders(&self, square: usize, occupied: u64) -> u64 {
        let both = |kind| self.pieces_of(Side::First, kind) | self.pieces_of(Side::Second, kind);
        let queens = both(PieceKind::Queen);
        bishop_attacks(square, occupied) & (both(PieceKind::Bishop) | queens)
            | rook_attacks(square, occupied) & (both(PieceKind::Rook) | queens)
    }

    /// Returns the pieces of both sides that attack the square, given the occupancy.
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

    /// Returns the exact exchange value on `target` for the side to capture there, by recursion.
    fn exchange_value(setup: &Setup, target: Square, side: Side) -> i32 {
        let board = Bitboard::from_setup(setup, &Waivers::All).expect("both kings are on the board");
        let kind_on = |square: Square| setup.board[square.index()].expect("a piece on the square").kind();
        // As in the function under test, equal attackers are ordered by square.
        let attackers = board.attackers_to(target, side).iter();
        let Some(from) = attackers.min_by_key(|&from| (kind_on(from), from)) else { return 0 };
        if kind_on(from) == PieceKind::King && !board.attackers_to(target, !side).is_empty() {
            return 0;
        }
        if kind_on(target) == PieceKind::King {
            return SEE_VALUES[5];
        }
        let mut after = setup.clone();
        after.board[target.index()] = after.board[from.index()].take();
        (SEE_VALUES[kind_on(target) as usize] - exchange_value(&after, target, !side)).max(0)
    }

    #[test]
    fn see_ge_equals_the_recursive_exchange_value() {
        let mut random = SplitMix64::new(15);
        let mut tested = 0;
        for _ in 0..120 {
            let mut position = Bitboard::from_setup(&Setup::start(), &Waivers::None).unwrap();
            let mut eval = HandcraftedEval::default();
            eval.reset(&position);
            for _ in 0..120 {
                let mut list = MoveList::new();
                position.generate_legal(&mut list);
                let setup = position.to_setup();
                for &mv in
                    list.iter().filter(|&&mv| mv.promotion_kind().is_none() && !position.is_castling(mv))
                {
                    let (origin, target) = (mv.origin().index(), mv.target().index());
                    let mut after = setup.clone();
                    let victim = position.captured_piece(mv);
                    if victim.is_some() && setup.board[target].is_none() {
                        after.board[target ^ 8] = None;
                    }
                    after.board[target] = after.board[origin].take();
                    if matches!(after.board[target], Some(piece) if piece.kind() == PieceKind::King) {
                        continue;
                    }
                    let gain = victim.map_or(0, |piece| SEE_VALUES[piece.kind() as usize]);
                    let value = gain - exchange_value(&after, mv.target(), !position.side_to_move());
                    for threshold in [value - 1, value, value + 1, 0, 1, -99] {
                        let is_ge = eval.see_ge(&position, mv, threshold);
                        assert_eq!(is_ge, value >= threshold, "{setup:?} {mv}: {value} against {threshold}");
                        tested += 1;
                    }
                }
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                position.make(mv, &mut eval);
            }
        }
        assert!(tested > 500_000, "{tested}");
    }

    #[test]
    fn see_ge_includes_promotions_and_en_passant() {
        for (fen, text, value) in [
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
            ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 1350),
            ("2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ] {
            let position = Bitboard::from_setup(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
            let mut eval = HandcraftedEval::default();
            eval.reset(&position);
            let mut list = MoveList::new();
            position.generate_legal(&mut list);
            let mv = *list.iter().find(|mv| mv.to_string() == text).unwrap();
            assert!(eval.see_ge(&position, mv, value) && !eval.see_ge(&position, mv, value + 1), "{fen}");
        }
    }
}

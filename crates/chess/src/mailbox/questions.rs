//! The questions that every board of chess answers, asked of the mailbox.

use super::*;

impl Board for Mailbox {
    fn pieces(&self, piece: Piece) -> Squares {
        let like = |&at: &u8| self.cell(at) & MAN == code(piece);
        Squares::from_squares(self.men_of(piece.side()).filter(like).map(|at| dense(at).index()))
    }

    fn men(&self, side: Side) -> Squares {
        Squares::from_squares(self.men_of(side).map(|at| dense(at).index()))
    }

    fn king(&self, side: Side) -> Square {
        dense(self.king_of(side))
    }

    fn rooks(&self) -> Squares {
        let rooks = self.rooks.iter().flatten().filter(|&&rook| rook != DUMMY);
        Squares::from_squares(rooks.map(|&rook| dense(rook).index()))
    }

    fn en_passant(&self) -> Option<Square> {
        (self.en_passant != DUMMY).then(|| dense(self.en_passant))
    }

    /// By difference, as the board itself asks.
    fn attackers(&self, square: Square, by: Side) -> Squares {
        let to = number(square);
        let from = self.men_of(by).filter(|&from| from != to && self.is_attack(from, to, DUMMY));
        Squares::from_squares(from.map(|at| dense(at).index()))
    }

    #[inline]
    fn is_castling(&self, mv: Move) -> bool {
        let (from, to) = (number(mv.origin()), number(mv.target()));
        from == self.king_of(self.side) && self.rooks[self.side.index()].contains(&to)
    }
}

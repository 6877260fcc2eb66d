//! The implementation of [`Board`] for the mailbox.

use super::*;

impl Board for Mailbox {
    fn pieces(&self, piece: Piece) -> SquareSet {
        let is_piece = |&at: &u8| self.cell(at) & PIECE_MASK == cell_code(piece);
        let numbers = self.pieces_x88(piece.side()).filter(is_piece);
        SquareSet::from_squares(numbers.map(from_x88))
    }

    fn occupied_by(&self, side: Side) -> SquareSet {
        SquareSet::from_squares(self.pieces_x88(side).map(from_x88))
    }

    fn king_square(&self, side: Side) -> Square {
        from_x88(self.king_x88(side))
    }

    fn castling_rooks(&self) -> SquareSet {
        let rooks = self.castling_rooks.iter().flatten().filter(|&&rook| rook != DUMMY);
        SquareSet::from_squares(rooks.map(|&rook| from_x88(rook)))
    }

    fn en_passant(&self) -> Option<Square> {
        (self.en_passant != DUMMY).then(|| from_x88(self.en_passant))
    }

    /// Tests each piece by difference, independently of the attack tables of the default implementation.
    fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let to = to_x88(square);
        let attackers = self.pieces_x88(by).filter(|&from| from != to && self.is_attacking(from, to, DUMMY));
        SquareSet::from_squares(attackers.map(from_x88))
    }

    #[inline]
    fn is_castling(&self, mv: Move) -> bool {
        let (from, to) = (to_x88(mv.origin()), to_x88(mv.target()));
        from == self.king_x88(self.side_to_move)
            && self.castling_rooks[self.side_to_move.index()].contains(&to)
    }
}

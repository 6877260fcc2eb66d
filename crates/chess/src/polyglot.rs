//! The Polyglot key, by which opening books in that format are indexed.
//!
//! Source: the book format page of F. Letouzey's Polyglot, whose random numbers may be used freely. A move in a book is
//! encoded like [`Move::bits`]: target, origin, promotion, castling as the king capturing its rook.
//!
//! [`Move::bits`]: crate::Move::bits

use alfil_kernel::Side;

use crate::board::Board;
use crate::piece::Piece;

mod random64;

use random64::RANDOM64;

// The indices at which the parts after the pieces start in `RANDOM64`.
const CASTLING_OFFSET: usize = 768;
const EN_PASSANT_OFFSET: usize = 772;
const TURN_OFFSET: usize = 780;

/// Returns the Polyglot key of a position. In Chess960 a castling right has the random number of its side of the king.
///
/// ```
/// use alfil_chess::{Bitboard, polyglot};
/// use alfil_kernel::GameHistory;
///
/// let game = GameHistory::<Bitboard>::from_start_position();
/// assert_eq!(polyglot::key(game.position()), 0x463b_9618_1691_fc9c);
/// ```
pub fn key<P: Board>(position: &P) -> u64 {
    let pieces = Piece::all().flat_map(|piece| {
        // The order is black pawn, white pawn, black knight, and so on.
        let number = 2 * piece.kind() as usize + usize::from(piece.side() == Side::First);
        position.pieces(piece).iter().map(move |square| 64 * number + square.index())
    });
    let castling = position.castling_rooks().iter().map(|rook| {
        let side = if rook.rank() == 0 { Side::First } else { Side::Second };
        let is_queenside = usize::from(rook.file() < position.king_square(side).file());
        CASTLING_OFFSET + 2 * side.index() + is_queenside
    });
    let en_passant = position.en_passant().map(|square| EN_PASSANT_OFFSET + square.file());
    let turn = (position.side_to_move() == Side::First).then_some(TURN_OFFSET);
    pieces.chain(castling).chain(en_passant).chain(turn).fold(0, |key, index| key ^ RANDOM64[index])
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::notation::Dialect;
    use crate::{Bitboard, Mailbox, MoveNotation, Setup};
    use alfil_kernel::{GameHistory, Notation, Setup as _, Waivers};

    fn check_published_keys<P: Board>() {
        let rows = include_str!("../testdata/polyglot-keys.tsv").lines();
        for row in rows.filter(|row| !row.starts_with('#')) {
            let [expected, moves, fen] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
            let expected = u64::from_str_radix(expected, 16).unwrap();
            let mut game = GameHistory::<P>::from_start_position();
            for text in moves.split(' ').filter(|text| *text != "-") {
                let mv = MoveNotation::parse_move(game.position(), text, Dialect::Uci).unwrap();
                game.play(mv);
            }
            assert_eq!(key(game.position()), expected, "{row}");
            let setup = Setup::parse(fen).unwrap();
            assert_eq!(key(&P::from_setup(&setup, &Waivers::None).unwrap()), expected, "{row}");
        }
    }

    #[test]
    fn keys_equal_the_published_ones() {
        check_published_keys::<Mailbox>();
        check_published_keys::<Bitboard>();
    }

    #[test]
    fn random_numbers_are_distinct() {
        let mut numbers = RANDOM64;
        numbers.sort_unstable();
        assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

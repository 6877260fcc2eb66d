//! Polyglot: the keys by which opening books of that format are sorted.
//!
//! Key and words are those of the book format page of F. Letouzey's Polyglot, which may be used freely. A book's move is
//! [`Move::bits`] as it stands: target, origin, what a pawn becomes, castling as the king taking its rook.
//!
//! [`Move::bits`]: crate::Move::bits

use alfil_kernel::Side;

use crate::board::Board;
use crate::piece::Piece;
use crate::square::Square;

mod random64;

use random64::RANDOM64;

const CASTLING_OFFSET: usize = 768;
const EN_PASSANT_OFFSET: usize = 772;
const TURN_OFFSET: usize = 780;

/// The Polyglot key of a position. In Chess960 the rights of a wing have the word of that wing.
///
/// ```
/// use alfil_chess::{Bitboard, polyglot};
/// use alfil_kernel::Line;
///
/// let line = Line::<Bitboard>::start_of_game();
/// assert_eq!(polyglot::key(line.position()), 0x463b_9618_1691_fc9c);
/// ```
pub fn key<P: Board>(position: &P) -> u64 {
    let men = Piece::all().flat_map(|piece| {
        // Black's pawn is 0, White's 1, Black's knight 2, and so on.
        let number = 2 * piece.kind() as usize + usize::from(piece.side() == Side::First);
        position.pieces(piece).iter().map(move |square| 64 * number + square)
    });
    let rights = position.castling_rooks().iter().map(Square::from_low_bits).map(|rook| {
        let side = if rook.rank() == 0 { Side::First } else { Side::Second };
        let queen = usize::from(rook.file() < position.king_square(side).file());
        CASTLING_OFFSET + 2 * side.index() + queen
    });
    let passing = position.en_passant().map(|square| EN_PASSANT_OFFSET + square.file());
    let turn = (position.side_to_move() == Side::First).then_some(TURN_OFFSET);
    men.chain(rights).chain(passing).chain(turn).fold(0, |key, word| key ^ RANDOM64[word])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Dialect;
    use crate::{Bitboard, Mailbox, MoveNotation, Setup};
    use alfil_kernel::{GameHistory, Notation, Setup as _, Waivers};

    fn keys<P: Board>() {
        for row in include_str!("../../../testdata/chess/polyglot-keys.tsv").lines() {
            let [expected, moves, fen] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
            let expected = u64::from_str_radix(expected, 16).unwrap();
            let mut line = GameHistory::<P>::from_start_position();
            for text in moves.split(' ').filter(|text| *text != "-") {
                let mv = MoveNotation::parse_move(line.position(), text, Dialect::Uci).unwrap();
                line.play(mv);
            }
            assert_eq!(key(line.position()), expected, "{row}");
            let setup = Setup::parse(fen).unwrap();
            assert_eq!(key(&P::from_setup(&setup, &Waivers::None).unwrap()), expected, "{row}");
        }
    }

    #[test]
    fn the_published_keys_are_ours() {
        keys::<Mailbox>();
        keys::<Bitboard>();
    }

    #[test]
    fn words_are_distinct() {
        let mut words = RANDOM64;
        words.sort_unstable();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

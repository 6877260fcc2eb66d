//! The inputs of the evaluation networks: which unit of the first layer each piece on each square is.
//!
//! A placement is numbered by piece and square, and a view by the side that sees the board and whether it is mirrored
//! (left and right exchanged). In every view the inputs of the own pieces come first, and these advance in the same
//! direction.

use std::sync::LazyLock;

use alfil_chess::Chess;
use alfil_kernel::{Game, Piece as _, Side, Square as _};
use alfil_nnue::{FeatureMap, NO_INPUT, Network, NetworkError};
use alfil_xiangqi::Xiangqi;
use alfil_xiangqi::piece::PieceKind as XiangqiKind;
use alfil_xiangqi::square::Square as XiangqiSquare;

/// A game whose positions a network can evaluate.
pub trait NetworkInputs: Game {
    /// The number of inputs of a view.
    const INPUTS: usize;

    /// Whether a position and its mirror image have the same value.
    const IS_SYMMETRIC: bool;

    /// Returns the input of an own or enemy piece on a square, seen by the first side and not mirrored; `None` if no
    /// piece of the kind can reach the square.
    fn input(piece: Self::Piece, square: Self::Square) -> Option<usize>;

    /// Returns the piece and the square as the other side sees them.
    fn flipped(piece: Self::Piece, square: Self::Square) -> (Self::Piece, Self::Square);

    /// Returns the square with left and right exchanged.
    fn mirrored(square: Self::Square) -> Self::Square;

    /// Returns whether the view of a side is mirrored, by the square of its king.
    fn is_mirrored(king: Self::Square) -> bool;

    /// Returns the king of a side.
    fn king(side: Side) -> Self::Piece;

    /// Returns the inputs of all placements in all views.
    fn features() -> &'static FeatureMap;

    /// Reads a network of this game.
    ///
    /// # Errors
    /// If the bytes are no network, or a network of another game.
    fn read_network(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::from_bytes_for(bytes, Self::NAME, Self::INPUTS)
    }
}

/// Returns the number of a placement.
#[inline(always)]
pub fn placement<G: Game>(piece: G::Piece, square: G::Square) -> u16 {
    (piece.index() * G::SQUARES + square.index()) as u16
}

/// Returns the number of a view.
#[inline(always)]
pub const fn view(side: Side, is_mirrored: bool) -> usize {
    side.index() + 2 * is_mirrored as usize
}

/// Computes the inputs of all placements of a game in its four views.
fn feature_map<G: NetworkInputs>() -> FeatureMap {
    let placements = G::PIECES * G::SQUARES;
    let views = [false, true].into_iter().flat_map(|is_mirrored| Side::BOTH.map(|side| (side, is_mirrored)));
    let view = |(side, is_mirrored)| {
        let input = |placement: usize| {
            let piece = G::Piece::from_index(placement / G::SQUARES).expect("the pieces are numbered from 0");
            let square =
                G::Square::from_index(placement % G::SQUARES).expect("the squares are numbered from 0");
            let square = if is_mirrored { G::mirrored(square) } else { square };
            let (piece, square) =
                if side == Side::First { (piece, square) } else { G::flipped(piece, square) };
            G::input(piece, square).map_or(NO_INPUT, |input| input as u16)
        };
        (0..placements).map(input).collect()
    };
    FeatureMap::new(placements, views.map(view).collect())
}

/// Mirrored by the own king, so that it stands on the files a to d. Castling rights are no input.
impl NetworkInputs for Chess {
    const INPUTS: usize = 768;
    const IS_SYMMETRIC: bool = false;

    fn input(piece: Self::Piece, square: Self::Square) -> Option<usize> {
        Some(piece.index() * 64 + square.index())
    }

    fn flipped(piece: Self::Piece, square: Self::Square) -> (Self::Piece, Self::Square) {
        (piece.swapped(), square.flipped())
    }

    fn mirrored(square: Self::Square) -> Self::Square {
        square.mirrored()
    }

    #[inline(always)]
    fn is_mirrored(king: Self::Square) -> bool {
        king.file() >= 4
    }

    fn king(side: Side) -> Self::Piece {
        alfil_chess::Piece::new(side, alfil_chess::PieceKind::King)
    }

    fn features() -> &'static FeatureMap {
        static FEATURES: LazyLock<FeatureMap> = LazyLock::new(feature_map::<Chess>);
        &FEATURES
    }
}

/// Returns whether a piece of this kind and of the first side can stand on a square.
fn can_reach(kind: XiangqiKind, square: XiangqiSquare) -> bool {
    let (file, rank) = (square.file(), square.rank());
    match kind {
        XiangqiKind::King => square.is_in_palace(Side::First),
        XiangqiKind::Advisor => square.is_in_palace(Side::First) && (file + rank) % 2 == 1,
        XiangqiKind::Elephant => rank <= 4 && rank % 2 == 0 && file % 2 == 0 && (file + rank) % 4 == 2,
        XiangqiKind::Soldier => rank >= 5 || rank >= 3 && file % 2 == 0,
        XiangqiKind::Horse | XiangqiKind::Rook | XiangqiKind::Cannon => true,
    }
}

/// The inputs of one side: 9 of the king, 5 of advisors, 7 of elephants, 90 each of horses, rooks and cannons, and 55
/// of soldiers.
const XIANGQI_SIDE_INPUTS: usize = 346;

/// Not mirrored: left and right are equal, and training uses both views of each position.
impl NetworkInputs for Xiangqi {
    const INPUTS: usize = 2 * XIANGQI_SIDE_INPUTS;
    const IS_SYMMETRIC: bool = true;

    fn input(piece: Self::Piece, square: Self::Square) -> Option<usize> {
        let own = match piece.side() {
            Side::First => square,
            Side::Second => square.flipped(),
        };
        if !can_reach(piece.kind(), own) {
            return None;
        }
        let count = |kind, squares: usize| {
            XiangqiSquare::all().filter(|&square| square.index() < squares && can_reach(kind, square)).count()
        };
        let before = XiangqiKind::ALL.iter().take_while(|&&kind| kind != piece.kind());
        let before: usize = before.map(|&kind| count(kind, XiangqiSquare::COUNT)).sum();
        Some(piece.side().index() * XIANGQI_SIDE_INPUTS + before + count(piece.kind(), own.index()))
    }

    fn flipped(piece: Self::Piece, square: Self::Square) -> (Self::Piece, Self::Square) {
        (piece.swapped(), square.flipped())
    }

    fn mirrored(square: Self::Square) -> Self::Square {
        square.mirrored()
    }

    #[inline(always)]
    fn is_mirrored(_: Self::Square) -> bool {
        false
    }

    fn king(side: Side) -> Self::Piece {
        alfil_xiangqi::Piece::new(side, XiangqiKind::King)
    }

    fn features() -> &'static FeatureMap {
        static FEATURES: LazyLock<FeatureMap> = LazyLock::new(feature_map::<Xiangqi>);
        &FEATURES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_views<G: NetworkInputs>() {
        let features = G::features();
        for view in 0..4 {
            let inputs = (0..features.placements() as u16).map(|placement| features.input(view, placement));
            let mut inputs: Vec<_> = inputs.filter(|&input| input != NO_INPUT).collect();
            inputs.sort_unstable();
            assert_eq!(inputs, (0..G::INPUTS as u16).collect::<Vec<_>>(), "every input has one placement");
        }
        for index in 0..features.placements() {
            let piece = G::Piece::from_index(index / G::SQUARES).unwrap();
            let square = G::Square::from_index(index % G::SQUARES).unwrap();
            let (other_piece, other_square) = G::flipped(piece, square);
            for is_mirrored in [false, true] {
                let [first, second] = Side::BOTH.map(|side| view(side, is_mirrored));
                let here = features.input(first, placement::<G>(piece, square));
                assert_eq!(here, features.input(second, placement::<G>(other_piece, other_square)));
                let mirrored = placement::<G>(piece, G::mirrored(square));
                assert_eq!(here, features.input(view(Side::First, !is_mirrored), mirrored));
            }
        }
    }

    #[test]
    fn every_view_numbers_the_placements_in_the_same_way_for_both_sides() {
        check_views::<Chess>();
        check_views::<Xiangqi>();
    }

    #[test]
    fn pieces_of_xiangqi_have_the_inputs_of_the_squares_that_they_reach() {
        let start: alfil_xiangqi::Setup = alfil_kernel::Setup::start();
        for square in XiangqiSquare::all() {
            assert!(start.board[square.index()].is_none_or(|piece| Xiangqi::input(piece, square).is_some()));
        }
        let input = |letter, square: &str| {
            Xiangqi::input(alfil_xiangqi::Piece::from_letter(letter).unwrap(), square.parse().unwrap())
        };
        assert_eq!([input('K', "e3"), input('A', "e0"), input('B', "e0"), input('P', "b4")], [None; 4]);
        assert_eq!((input('K', "d0"), input('P', "i9"), input('p', "i0")), (Some(0), Some(345), Some(691)));
    }
}

//! Fast perft: the number of legal move paths, counted without visiting the leaves of the tree.
//!
//! The board is reduced to what move generation needs and copied for each move (copy-make). The side is a type
//! parameter, so that each side has code of its own. The last two plies are counted together: see `two_plies`. The
//! check masks and the counting of leaves follow D. Infuehr's Gigantua; unlike it, castling rights are exact, because
//! they end with the move or capture of their rook.
//!
//! A macro defines the functions twice: for the instruction set of the build, with magic bitboards, and for CPUs with
//! BMI2, with PEXT bitboards. The choice is made once, at the root.
#![allow(unsafe_code, reason = "the functions compiled for BMI2 may only be called on a CPU that has it")]

use alfil_kernel::perft::PerftKey;
use alfil_kernel::{Position as _, Side};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::geometry::{self, BETWEEN, castling_destinations};
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

mod recursion;
mod two_plies;

/// The state that move generation needs, by side.
#[derive(Clone, Copy)]
struct PerftBoard {
    pawns: [u64; 2],
    knights: [u64; 2],
    /// Bishops and queens.
    diagonal_sliders: [u64; 2],
    /// Rooks and queens.
    orthogonal_sliders: [u64; 2],
    kings: [u64; 2],
    /// All pieces of a side.
    by_side: [u64; 2],
    /// The rooks that may still castle.
    castling_rooks: u64,
    /// The square that a pawn has just passed, if an enemy pawn attacks it.
    en_passant: u64,
}

/// A castling move. It is the same in the whole tree, because king and rook have not moved while the right lasts.
#[derive(Clone, Copy, Default)]
struct Castling {
    rook: u64,
    must_be_empty: u64,
    /// The squares that the king passes, and its destination.
    must_be_safe: u64,
    king_to: u64,
    rook_to: u64,
}

/// The castling moves of both sides, queenside and kingside.
type Castlings = [[Castling; 2]; 2];

/// A side as a type.
trait Colour {
    type Enemy: Colour;
    const SIDE: Side;
    const OWN: usize = Self::SIDE.index();
    const ENEMY: usize = 1 - Self::OWN;
    const THIRD_RANK: u64 = geometry::rank_mask(if Self::OWN == 0 { 2 } else { 5 });
    const LAST_RANK: u64 = geometry::rank_mask(if Self::OWN == 0 { 7 } else { 0 });
    const BACK_RANK: u64 = geometry::rank_mask(if Self::OWN == 0 { 0 } else { 7 });

    /// Shifts a set one rank forward.
    #[inline(always)]
    fn forward(set: u64) -> u64 {
        if Self::OWN == 0 { set << 8 } else { set >> 8 }
    }

    /// Shifts a set one rank backward.
    #[inline(always)]
    fn backward(set: u64) -> u64 {
        if Self::OWN == 0 { set >> 8 } else { set << 8 }
    }
}

struct White;
struct Black;

impl Colour for White {
    type Enemy = Black;
    const SIDE: Side = Side::First;
}

impl Colour for Black {
    type Enemy = White;
    const SIDE: Side = Side::Second;
}

/// Shifts a set one file towards the a-file.
#[inline(always)]
const fn left(set: u64) -> u64 {
    (set & !geometry::file_mask(0)) >> 1
}

/// Shifts a set one file towards the h-file.
#[inline(always)]
const fn right(set: u64) -> u64 {
    (set & !geometry::file_mask(7)) << 1
}

/// Returns the number of legal move paths of `depth` plies, like [`alfil_kernel::perft::perft`].
///
/// ```
/// use alfil_chess::{Bitboard, fast_perft};
/// use alfil_kernel::GameHistory;
///
/// let game = GameHistory::<Bitboard>::from_start_position();
/// assert_eq!(fast_perft::perft(game.position(), 4), 197_281);
/// ```
pub fn perft(bitboard: &Bitboard, depth: u32) -> u64 {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        let (board, castlings) = reduce(bitboard);
        // SAFETY: these functions require BMI1, BMI2 and POPCNT, which were detected above; they have no other
        // precondition. docs/inside/0x88-and-bitboards.md gives the measured gain.
        return unsafe { recursion::bmi2::perft(&board, &castlings, bitboard.side_to_move(), depth) };
    }
    perft_scalar(bitboard, depth)
}

/// Returns the same number, computed with the instruction set of the build only.
pub fn perft_scalar(bitboard: &Bitboard, depth: u32) -> u64 {
    let (board, castlings) = reduce(bitboard);
    recursion::scalar::perft(&board, &castlings, bitboard.side_to_move(), depth)
}

/// The code of a rook that may still castle. Its rank decides the side.
const CASTLING_ROOK_CODE: u8 = Piece::COUNT as u8;

/// The code of a pawn that can be captured en passant. Its rank decides the side.
const EN_PASSANT_PAWN_CODE: u8 = CASTLING_ROOK_CODE + 1;

/// Returns the key of a position for tables of counts. A position without castling rights and its mirror image have
/// one key. `None` for more than 32 pieces, which no board has: the issue `too_many` cannot be waived.
pub fn perft_key(board: &impl Board) -> Option<PerftKey> {
    let castling_rooks = board.castling_rooks();
    let captured = board.en_passant().map(|passed| {
        let rank = if board.side_to_move() == Side::First { passed.rank() - 1 } else { passed.rank() + 1 };
        Square::new(passed.file(), rank)
    });
    let key = |image: fn(Square) -> Square| {
        let piece_code = |square: Square| {
            let seen = image(square);
            let code = match board.piece_on(seen)? {
                _ if castling_rooks.contains(seen) => CASTLING_ROOK_CODE,
                _ if captured == Some(seen) => EN_PASSANT_PAWN_CODE,
                piece => piece.index() as u8,
            };
            Some((square.index(), code))
        };
        PerftKey::from_pieces(Square::all().filter_map(piece_code), board.side_to_move())
    };
    let plain = key(|square| square)?;
    if castling_rooks.is_empty() { Some(plain.min(key(Square::mirrored)?)) } else { Some(plain) }
}

/// Reduces a bitboard to the state that the recursion needs.
fn reduce(bitboard: &Bitboard) -> (PerftBoard, Castlings) {
    let both = |kind| Side::BOTH.map(|side| bitboard.pieces(Piece::new(side, kind)).0);
    let [bishops, rooks, queens] = [PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen].map(both);
    let board = PerftBoard {
        pawns: both(PieceKind::Pawn),
        knights: both(PieceKind::Knight),
        diagonal_sliders: [0, 1].map(|side| bishops[side] | queens[side]),
        orthogonal_sliders: [0, 1].map(|side| rooks[side] | queens[side]),
        kings: both(PieceKind::King),
        by_side: Side::BOTH.map(|side| bitboard.occupied_by(side).0),
        castling_rooks: bitboard.castling_rooks().0,
        en_passant: bitboard.en_passant().map_or(0, geometry::bit),
    };
    let mut castlings = Castlings::default();
    for rook in bitboard.castling_rooks().iter() {
        let side = if rook.rank() == 0 { Side::First } else { Side::Second };
        let king = bitboard.king_square(side);
        let (king_to, rook_to) = castling_destinations(king, rook);
        let path = |from: Square, to: Square| BETWEEN[from.index()][to.index()] | geometry::bit(to);
        let king_path = path(king, king_to);
        castlings[side.index()][usize::from(rook.file() > king.file())] = Castling {
            rook: geometry::bit(rook),
            must_be_empty: (king_path | path(rook, rook_to)) & !geometry::bit(king) & !geometry::bit(rook),
            must_be_safe: king_path,
            king_to: geometry::bit(king_to),
            rook_to: geometry::bit(rook_to),
        };
    }
    (board, castlings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{MoveList, Setup as _, Waivers};

    /// Compares all implementations at every ply of random games, Chess960 and waived setups included.
    #[test]
    fn fast_perft_equals_perft_of_the_kernel() {
        let mut random = SplitMix64::new(16);
        for game in 0..250 {
            let setup = match game % 5 {
                0 => Setup::start(),
                1 => Setup::parse("k7/8/8/8/8/8/5pPP/q4Kr1 w - - 0 1").unwrap(),
                2 => Setup::parse("P6k/8/8/3Pp3/8/8/p7/R3K2p w Q e6 0 1").unwrap(),
                3 => Setup::chess960(random.below(960)).unwrap(),
                _ => Setup::double_chess960(random.below(960), random.below(960)).unwrap(),
            };
            let mut board = Bitboard::from_setup(&setup, &Waivers::All).unwrap();
            for _ in 0..60 {
                for depth in 0..3 {
                    let expected = alfil_kernel::perft::perft(&mut board.clone(), depth);
                    let found = [perft(&board, depth), perft_scalar(&board, depth)];
                    assert_eq!(found, [expected; 2], "{:?} depth {depth}", board.to_setup());
                }
                let mut list = MoveList::new();
                board.generate_legal(&mut list);
                let Some(&mv) = list.get(random.below(list.len().max(1))) else { break };
                board.play_unchecked(mv, &mut ());
            }
        }
    }
}

//! Counting the tree of legal moves without visiting its leaves: the room's fastest way to a perft number.
//!
//! The board is stripped to what moving needs, copied and never unmade; the colour is a type, so each side has code of
//! its own; the last ply is counted by the number of bits and no move is written down. The idea of the masks and of the
//! leaf is D. Infuehr's Gigantua; unlike it, this counter is exact: a right goes with its rook, moved or captured.
//!
//! The functions are stamped twice by one macro: for the build's own instruction set, with magic look-ups, and for
//! machines with BMI2, where PEXT gathers the index. Which one runs is chosen here, at the root of the recursion.
#![allow(
    unsafe_code,
    reason = "calling the functions stamped for BMI2, once the machine is known to have it"
)]

use alfil_kernel::{Position, Side};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::geometry::{self, BETWEEN, castling_destinations};
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

mod recursion;

/// What moving needs, by side. Queens are among the diagonals and among the lines.
#[derive(Clone, Copy)]
struct Men {
    pawns: [u64; 2],
    knights: [u64; 2],
    diagonals: [u64; 2],
    lines: [u64; 2],
    kings: [u64; 2],
    all: [u64; 2],
    /// The rooks that may still castle.
    rooks: u64,
    /// The square just stepped over, if a pawn attacks it.
    passing: u64,
}

/// One castling of this tree: while the right lasts, king and rook stand where they stood at the root.
#[derive(Clone, Copy, Default)]
struct Castling {
    rook: u64,
    /// The squares that must be empty.
    path: u64,
    /// The squares that must not be attacked: where the king passes and where it ends.
    walk: u64,
    king_to: u64,
    rook_to: u64,
}

/// The castlings of both sides.
type Castlings = [[Castling; 2]; 2];

/// A side as a type.
trait Colour {
    type Enemy: Colour;
    const SIDE: Side;
    const OWN: usize = Self::SIDE.index();
    const ENEMY: usize = 1 - Self::OWN;
    const THIRD: u64 = geometry::rank_mask(if Self::OWN == 0 { 2 } else { 5 });
    const LAST: u64 = geometry::rank_mask(if Self::OWN == 0 { 7 } else { 0 });
    const HOME: u64 = geometry::rank_mask(if Self::OWN == 0 { 0 } else { 7 });

    /// One rank forward.
    #[inline(always)]
    fn ahead(set: u64) -> u64 {
        if Self::OWN == 0 { set << 8 } else { set >> 8 }
    }

    /// One rank back.
    #[inline(always)]
    fn behind(set: u64) -> u64 {
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

/// One file towards the a-file.
#[inline(always)]
const fn left(set: u64) -> u64 {
    (set & !geometry::file_mask(0)) >> 1
}

/// One file towards the h-file.
#[inline(always)]
const fn right(set: u64) -> u64 {
    (set & !geometry::file_mask(7)) << 1
}

/// The number of legal move paths of `depth` plies: the same as [`alfil_kernel::perft::perft`] gives.
///
/// ```
/// use alfil_chess::{Bitboard, counter};
/// use alfil_kernel::Line;
///
/// let line = Line::<Bitboard>::start_of_game();
/// assert_eq!(counter::perft(line.position(), 4), 197_281);
/// ```
pub fn perft(board: &Bitboard, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        let (men, castlings) = strip(board);
        // SAFETY: these functions are safe but for the instructions they may use, which the machine was just found to
        // have. The gain over the scalar twin is stated in docs/0x88-and-bitboards.md.
        return unsafe { recursion::gathering::perft(&men, &castlings, board.side_to_move(), depth) };
    }
    perft_scalar(board, depth)
}

/// The same by the build's own instructions only: the scalar twin.
pub fn perft_scalar(board: &Bitboard, depth: u32) -> u64 {
    let (men, castlings) = strip(board);
    recursion::scalar::perft(&men, &castlings, board.side_to_move(), depth)
}

fn strip(board: &Bitboard) -> (Men, Castlings) {
    let both = |kind| Side::BOTH.map(|side| board.pieces(Piece::new(side, kind)).0);
    let [bishops, rooks, queens] = [PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen].map(both);
    let men = Men {
        pawns: both(PieceKind::Pawn),
        knights: both(PieceKind::Knight),
        diagonals: [0, 1].map(|side| bishops[side] | queens[side]),
        lines: [0, 1].map(|side| rooks[side] | queens[side]),
        kings: both(PieceKind::King),
        all: Side::BOTH.map(|side| board.occupied_by(side).0),
        rooks: board.castling_rooks().0,
        passing: board.en_passant().map_or(0, geometry::bit),
    };
    let mut castlings = Castlings::default();
    for rook in board.castling_rooks().iter().map(Square::from_low_bits) {
        let side = if rook.rank() == 0 { Side::First } else { Side::Second };
        let king = board.king_square(side);
        let (king_to, rook_to) = castling_destinations(king, rook);
        let passed = |from: Square, to: Square| BETWEEN[from.index()][to.index()] | geometry::bit(to);
        let walk = passed(king, king_to);
        castlings[side.index()][usize::from(rook.file() > king.file())] = Castling {
            rook: geometry::bit(rook),
            path: (walk | passed(rook, rook_to)) & !geometry::bit(king) & !geometry::bit(rook),
            walk,
            king_to: geometry::bit(king_to),
            rook_to: geometry::bit(rook_to),
        };
    }
    (men, castlings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{MoveList, Setup as _, Waivers};

    /// Every way of counting, at every ply of random games, Chess960 and waived setups included.
    #[test]
    fn the_counter_its_twin_and_the_kernel_agree() {
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

//! What a man is worth where it stands.

use super::Taper;
use crate::piece::Piece;
use crate::square::Square;

/// What each kind is worth anywhere, in the middle game and in the endgame. A king is never exchanged, so its worth stays
/// out of the sums.
const MATERIAL: [Taper; 6] =
    [Taper(88, 112), Taper(334, 296), Taper(346, 312), Taper(478, 528), Taper(985, 960), Taper(0, 0)];

/// White's view: eight ranks from Black's back rank down, files a to d; the other four mirror them.
type Half = [[i16; 4]; 8];

/// In the middle game pawns gain the centre; on the wings they stay before their king.
const PAWN: [Half; 2] = [
    [
        [0, 0, 0, 0],
        [50, 60, 55, 60],
        [10, 18, 26, 32],
        [-4, 4, 8, 20],
        [-10, -2, 4, 18],
        [-8, 0, 0, 6],
        [-10, 4, -4, -8],
        [0, 0, 0, 0],
    ],
    [
        [0, 0, 0, 0],
        [70, 66, 60, 56],
        [40, 38, 32, 28],
        [18, 14, 8, 4],
        [6, 4, 0, -2],
        [0, 0, 0, 2],
        [2, 2, 4, 4],
        [0, 0, 0, 0],
    ],
];

/// A knight on the rim is dim; before the enemy's pawns it is at its best.
const KNIGHT: [Half; 2] = [
    [
        [-80, -40, -28, -22],
        [-36, -18, 8, 14],
        [-18, 10, 24, 34],
        [-8, 8, 22, 28],
        [-12, 2, 14, 18],
        [-20, -2, 10, 14],
        [-28, -18, -4, 2],
        [-50, -26, -22, -16],
    ],
    [
        [-48, -32, -20, -14],
        [-26, -12, -4, 4],
        [-16, -2, 10, 14],
        [-8, 4, 14, 20],
        [-8, 4, 14, 18],
        [-16, -2, 6, 12],
        [-26, -12, -6, 0],
        [-38, -28, -18, -12],
    ],
];

/// Long diagonals and the squares beside the king's pawns.
const BISHOP: [Half; 2] = [
    [
        [-20, -10, -14, -16],
        [-14, -4, -2, -4],
        [-4, 6, 10, 10],
        [-4, 4, 10, 18],
        [-2, 8, 8, 16],
        [2, 10, 10, 8],
        [2, 14, 6, 2],
        [-14, -6, -10, -8],
    ],
    [
        [-12, -8, -6, -4],
        [-6, -2, 0, 2],
        [0, 2, 4, 4],
        [-2, 4, 6, 8],
        [-4, 2, 6, 8],
        [-4, 0, 4, 6],
        [-8, -4, 0, 2],
        [-14, -8, -8, -4],
    ],
];

/// The seventh rank, and the central files once the corner is left.
const ROOK: [Half; 2] = [
    [
        [8, 10, 10, 14],
        [16, 18, 24, 28],
        [0, 6, 10, 12],
        [-8, -2, 4, 8],
        [-14, -6, -2, 2],
        [-18, -8, -4, 0],
        [-22, -10, -4, 0],
        [-10, -6, 4, 10],
    ],
    [
        [10, 10, 10, 8],
        [14, 14, 12, 10],
        [8, 8, 6, 6],
        [6, 4, 4, 2],
        [2, 2, 2, 0],
        [-2, 0, -2, -2],
        [-4, -4, -2, -2],
        [-4, -2, 0, -2],
    ],
];

/// Not out too early; in the endgame in the middle.
const QUEEN: [Half; 2] = [
    [
        [-8, -2, 4, 8],
        [-6, -16, 2, 4],
        [-2, 0, 6, 8],
        [-8, -6, -2, 0],
        [-6, -4, -4, -4],
        [-8, 0, -4, -4],
        [-14, -6, 4, 2],
        [-12, -12, -6, 4],
    ],
    [
        [-8, 4, 8, 12],
        [-6, 8, 16, 22],
        [-6, 6, 18, 24],
        [-2, 10, 18, 26],
        [-6, 8, 14, 22],
        [-10, -2, 8, 8],
        [-16, -14, -8, -4],
        [-24, -20, -16, -12],
    ],
];

/// Castled in the middle game, in the middle of the board in the endgame.
const KING: [Half; 2] = [
    [
        [-60, -50, -60, -70],
        [-50, -50, -60, -70],
        [-44, -48, -56, -64],
        [-40, -44, -54, -60],
        [-32, -36, -46, -54],
        [-14, -16, -28, -36],
        [14, 10, -10, -20],
        [22, 32, 10, -6],
    ],
    [
        [-50, -30, -18, -12],
        [-22, -4, 6, 10],
        [-8, 14, 22, 24],
        [-12, 12, 24, 30],
        [-18, 4, 18, 26],
        [-22, -4, 8, 16],
        [-30, -14, -4, 2],
        [-48, -34, -24, -20],
    ],
];

/// What each piece is worth on each square, to its own side.
pub(super) static PLACES: [[Taper; Square::COUNT]; Piece::COUNT] = {
    const HALVES: [[Half; 2]; 6] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];
    let mut places = [[Taper(0, 0); Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < 6 {
        let mut index = 0;
        while index < Square::COUNT {
            let square = Square::of_bits(index);
            let file = if square.file() > 3 { 7 - square.file() } else { square.file() };
            let rank = 7 - square.rank();
            let [middle, end] = HALVES[kind];
            let value = Taper(
                MATERIAL[kind].0 + middle[rank][file] as i32,
                MATERIAL[kind].1 + end[rank][file] as i32,
            );
            places[kind][index] = value;
            places[kind + 6][square.flipped().index()] = value;
            index += 1;
        }
        kind += 1;
    }
    places
};

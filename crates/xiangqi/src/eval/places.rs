//! What a man is worth where it stands, in the middle game and in the endgame.
//!
//! Reasoned first, as the line above each table says, then fitted to own games: the log is `docs/strength.md`.

use super::taper::Taper;
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// What a man of Red's is worth on each point, over [`MATERIAL`]: ten ranks from Black's back rank down, files a to e; the other
/// four mirror them.
type Places = [[i16; 5]; 10];

/// Kept at home behind its guards; every step forward is a step towards the enemy's lines.
const KING: [Places; 2] = [
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, -29, -27],
        [0, 0, 0, -18, -19],
        [0, 0, 0, 8, 23],
    ],
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, -28, -24],
        [0, 0, 0, -5, -8],
        [0, 0, 0, 6, -3],
    ],
];

/// In front of the general they link up; at the top of the palace they stand apart.
const ADVISOR: [Places; 2] = [
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, -28, 0],
        [0, 0, 0, 0, 29],
        [0, 0, 0, -6, 0],
    ],
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, -19, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 0, -10, 0],
    ],
];

/// In the middle both protect each other; at the edge one stands alone.
const ELEPHANT: [Places; 2] = [
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0],
        [-14, 0, 0, 0, 23],
        [0, 0, 0, 0, 0],
        [0, 0, -13, 0, 0],
    ],
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, -5, 0, 0],
        [0, 0, 0, 0, 0],
        [-16, 0, 0, 0, -19],
        [0, 0, 0, 0, 0],
        [0, 0, -19, 0, 0],
    ],
];

/// Weak at the edges and in its first place, strong near the enemy's palace.
const HORSE: [Places; 2] = [
    [
        [2, 10, 15, 8, -6],
        [6, 24, 48, 34, 6],
        [13, 26, 40, 47, 39],
        [19, 43, 30, 52, 36],
        [12, 28, 35, 50, 43],
        [10, 22, 39, 45, 39],
        [7, 13, 22, 24, 26],
        [15, 14, 15, 22, 9],
        [-6, 4, 0, 15, -30],
        [-16, -25, 1, 2, -6],
    ],
    [
        [1, 9, 16, 10, -6],
        [6, 24, 45, 34, 6],
        [12, 27, 31, 48, 39],
        [18, 43, 21, 50, 35],
        [12, 30, 36, 45, 35],
        [10, 26, 35, 37, 37],
        [6, 13, 23, 23, 30],
        [11, 13, 13, 19, 12],
        [-5, 4, 5, 9, -30],
        [-16, -9, 1, 1, -6],
    ],
];

/// Active on open files and on the enemy's ranks; asleep in the corner.
const ROOK: [Places; 2] = [
    [
        [24, 21, 21, 35, 35],
        [20, 36, 29, 44, 52],
        [27, 19, 25, 41, 39],
        [28, 31, 45, 37, 43],
        [25, 31, 29, 33, 38],
        [29, 31, 30, 30, 37],
        [18, 31, 19, 37, 32],
        [0, 13, 19, 23, 28],
        [5, 15, 7, 21, 11],
        [-24, 21, -3, 26, 6],
    ],
    [
        [24, 21, 21, 34, 34],
        [21, 32, 27, 43, 51],
        [24, 22, 25, 36, 39],
        [27, 35, 40, 39, 41],
        [24, 29, 30, 38, 40],
        [27, 30, 29, 38, 40],
        [15, 25, 20, 35, 34],
        [5, 16, 17, 25, 26],
        [3, 15, 13, 25, 11],
        [-16, 10, 3, 24, 6],
    ],
];

/// Best on the central file and on the enemy's back ranks, where screens are many.
const CANNON: [Places; 2] = [
    [
        [30, 21, 9, -10, -17],
        [15, 9, 10, -2, -10],
        [9, 9, 7, -8, 3],
        [-2, 13, 12, 10, 26],
        [-2, 9, 7, 15, 28],
        [5, 5, 9, 9, 31],
        [7, -1, 6, 4, 24],
        [22, 0, 17, 18, 35],
        [1, 6, 12, 11, 21],
        [-1, 1, 4, 7, 7],
    ],
    [
        [25, 22, 9, -9, -16],
        [12, 19, 6, -4, -9],
        [13, 11, 9, -8, 3],
        [8, 14, 13, 13, 19],
        [5, 8, 9, 9, 23],
        [5, 6, 11, 10, 30],
        [6, 7, 13, 9, 26],
        [6, 12, 18, 15, 33],
        [0, 7, 9, 11, 13],
        [-1, 1, 3, 7, 7],
    ],
];

/// Worth little before the river, most beside the palace, little again on the last rank, from which it cannot return.
const SOLDIER: [Places; 2] = [
    [
        [-30, -25, -15, -10, -7],
        [11, 34, 59, 80, 87],
        [13, 34, 56, 74, 79],
        [13, 28, 46, 59, 62],
        [12, 20, 21, 38, 47],
        [9, 0, 1, 0, 15],
        [-10, 0, -13, 0, 35],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
    ],
    [
        [-30, -27, -17, -12, -10],
        [12, 34, 58, 72, 90],
        [13, 36, 61, 79, 76],
        [7, 29, 43, 55, 60],
        [13, 24, 25, 31, 40],
        [9, 0, 13, 0, 26],
        [17, 0, 7, 0, 16],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
    ],
];

/// What each kind is worth wherever it stands. A general is never exchanged, so it has no worth.
const MATERIAL: [Taper; 7] = [
    Taper::new(0, 0),
    Taper::new(110, 110),
    Taper::new(120, 120),
    Taper::new(420, 440),
    Taper::new(960, 980),
    Taper::new(450, 440),
    Taper::new(80, 100),
];

/// What each piece is worth on each point, to its own side.
pub(super) static PLACES: [[Taper; Square::COUNT]; Piece::COUNT] = places();

const fn places() -> [[Taper; Square::COUNT]; Piece::COUNT] {
    const TABLES: [[Places; 2]; 7] = [KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, SOLDIER];
    let mut places = [[Taper::ZERO; Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < Kind::ALL.len() {
        let mut index = 0;
        while index < Square::COUNT {
            let Some(square) = Square::from_index(index) else { unreachable!() };
            let file = if square.file() > 4 { 8 - square.file() } else { square.file() };
            let [middle, end] = TABLES[kind];
            let row = 9 - square.rank();
            let worth = MATERIAL[kind];
            let value =
                Taper::new(worth.middle() + middle[row][file] as i32, worth.end() + end[row][file] as i32);
            places[kind][index] = value;
            places[kind + Kind::ALL.len()][square.flipped().index()] = value;
            index += 1;
        }
        kind += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_symmetric() {
        for piece in Piece::all() {
            for square in Square::all() {
                let value = PLACES[piece.index()][square.index()];
                assert_eq!(value, PLACES[piece.index()][square.mirrored().index()]);
                assert_eq!(value, PLACES[piece.swapped().index()][square.flipped().index()]);
            }
        }
    }
}

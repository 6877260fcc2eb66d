//! What a man is worth where it stands, in the middle game and in the endgame.

use super::taper::Taper;
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// What a man of Red's is worth on each point, over [`MATERIAL`]: ten ranks from Black's back rank down, files a to e; the other
/// four mirror them.
type Places = [[i16; 5]; 10];

/// Kept at home behind its guards; every step forward is a step towards the enemy's lines.
const KING: Places = {
    let mut places = [[0; 5]; 10];
    places[9] = [0, 0, 0, 0, 12];
    places[8] = [0, 0, 0, -14, -10];
    places[7] = [0, 0, 0, -26, -24];
    places
};

/// In front of the general they link up; at the top of the palace they stand apart.
const ADVISOR: Places = {
    let mut places = [[0; 5]; 10];
    places[9] = [0, 0, 0, 4, 0];
    places[8] = [0, 0, 0, 0, 10];
    places[7] = [0, 0, 0, -8, 0];
    places
};

/// In the middle both protect each other; at the edge one stands alone.
const ELEPHANT: Places = {
    let mut places = [[0; 5]; 10];
    places[9] = [0, 0, 4, 0, 0];
    places[7] = [-10, 0, 0, 0, 14];
    places[5] = [0, 0, 2, 0, 0];
    places
};

/// Weak at the edges and in its first place, strong near the enemy's palace.
const HORSE: Places = [
    [2, 10, 14, 8, -6],
    [6, 24, 46, 34, 6],
    [12, 26, 42, 46, 38],
    [20, 42, 38, 46, 36],
    [12, 32, 34, 38, 40],
    [10, 26, 32, 36, 38],
    [6, 14, 22, 24, 26],
    [8, 10, 18, 16, 14],
    [-4, 4, 8, 10, -24],
    [-16, -8, 2, 0, -6],
];

/// Active on open files and on the enemy's ranks; asleep in the corner.
const ROOK: Places = [
    [22, 24, 22, 32, 34],
    [24, 32, 28, 40, 52],
    [22, 24, 24, 36, 38],
    [22, 34, 32, 40, 40],
    [24, 30, 30, 38, 40],
    [24, 30, 28, 36, 38],
    [14, 24, 18, 30, 32],
    [8, 18, 14, 26, 26],
    [2, 14, 12, 24, 10],
    [-14, 10, 4, 22, 6],
];

/// Best on the central file and on the enemy's back ranks, where screens are many.
const CANNON: Places = [
    [24, 24, 12, -10, -16],
    [16, 16, 10, -4, -10],
    [12, 12, 8, -8, 4],
    [6, 12, 12, 12, 22],
    [6, 8, 10, 10, 24],
    [4, 6, 10, 10, 26],
    [4, 6, 12, 8, 22],
    [6, 10, 14, 14, 28],
    [2, 6, 8, 10, 12],
    [0, 2, 4, 8, 8],
];

/// Worth little before the river, most beside the palace, little again on the last rank, from which it cannot return.
const SOLDIER: Places = [
    [-30, -24, -16, -10, -6],
    [12, 34, 58, 78, 86],
    [12, 32, 54, 70, 78],
    [10, 26, 42, 54, 58],
    [8, 20, 30, 38, 42],
    [2, 0, 14, 0, 18],
    [0, 0, 2, 0, 10],
    [0; 5],
    [0; 5],
    [0; 5],
];

/// What each kind is worth wherever it stands. A general is never exchanged, so it has no worth.
const MATERIAL: [Taper; 7] = [
    Taper(0, 0),
    Taper(110, 110),
    Taper(120, 120),
    Taper(420, 440),
    Taper(960, 980),
    Taper(450, 440),
    Taper(80, 100),
];

/// What each piece is worth on each point, to its own side.
pub(super) static PLACES: [[Taper; Square::COUNT]; Piece::COUNT] = places();

const fn places() -> [[Taper; Square::COUNT]; Piece::COUNT] {
    const TABLES: [[Places; 2]; 7] =
        [[KING; 2], [ADVISOR; 2], [ELEPHANT; 2], [HORSE; 2], [ROOK; 2], [CANNON; 2], [SOLDIER; 2]];
    let mut places = [[Taper(0, 0); Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < Kind::ALL.len() {
        let mut index = 0;
        while index < Square::COUNT {
            let Some(square) = Square::from_index(index) else { unreachable!() };
            let file = if square.file() > 4 { 8 - square.file() } else { square.file() };
            let [middle, end] = TABLES[kind];
            let row = 9 - square.rank();
            let Taper(all, late) = MATERIAL[kind];
            let value = Taper(all + middle[row][file] as i32, late + end[row][file] as i32);
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

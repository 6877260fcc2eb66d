//! What xiangqi looks like.

use super::xiangqi_outlines as outline;
use super::{Layout, Look, Man};

/// Lines run from edge to edge; the river interrupts the inner files; each palace has its cross.
const LINES: [[f32; 4]; 30] = {
    let mut lines = [[0.0; 4]; 30];
    let mut next = 0;
    let mut rank = 0;
    while rank < 10 {
        lines[next] = [0.0, rank as f32, 8.0, rank as f32];
        next += 1;
        rank += 1;
    }
    let mut file = 0;
    while file < 9 {
        let x = file as f32;
        if file == 0 || file == 8 {
            lines[next] = [x, 0.0, x, 9.0];
            next += 1;
        } else {
            lines[next] = [x, 0.0, x, 4.0];
            lines[next + 1] = [x, 5.0, x, 9.0];
            next += 2;
        }
        file += 1;
    }
    lines[next] = [3.0, 0.0, 5.0, 2.0];
    lines[next + 1] = [3.0, 2.0, 5.0, 0.0];
    lines[next + 2] = [3.0, 7.0, 5.0, 9.0];
    lines[next + 3] = [3.0, 9.0, 5.0, 7.0];
    lines
};

/// The first places of cannons and soldiers.
const MARKS: [[f32; 2]; 14] = [
    [1.0, 2.0],
    [7.0, 2.0],
    [1.0, 7.0],
    [7.0, 7.0],
    [0.0, 3.0],
    [2.0, 3.0],
    [4.0, 3.0],
    [6.0, 3.0],
    [8.0, 3.0],
    [0.0, 6.0],
    [2.0, 6.0],
    [4.0, 6.0],
    [6.0, 6.0],
    [8.0, 6.0],
];

const fn man(letter: char, name: &'static str, glyph: char, outline: &'static str) -> Man {
    let side = if letter.is_ascii_uppercase() { 0 } else { 1 };
    Man { letter, side, name, glyph, outline }
}

/// The board and men of xiangqi.
pub static LOOK: Look = Look {
    game: "xiangqi",
    title: "Xiangqi",
    files: 9,
    ranks: 10,
    layout: Layout::Points,
    file_names: &["a", "b", "c", "d", "e", "f", "g", "h", "i"],
    rank_names: &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
    lines: &LINES,
    marks: &MARKS,
    sides: ["Red", "Black"],
    men: &[
        man('K', "Red general", '帥', outline::RED_GENERAL),
        man('A', "Red advisor", '仕', outline::RED_ADVISOR),
        man('B', "Red elephant", '相', outline::RED_ELEPHANT),
        man('N', "Red horse", '馬', outline::HORSE),
        man('R', "Red chariot", '車', outline::CHARIOT),
        man('C', "Red cannon", '炮', outline::RED_CANNON),
        man('P', "Red soldier", '兵', outline::RED_SOLDIER),
        man('k', "Black general", '將', outline::BLACK_GENERAL),
        man('a', "Black advisor", '士', outline::BLACK_ADVISOR),
        man('b', "Black elephant", '象', outline::BLACK_ELEPHANT),
        man('n', "Black horse", '馬', outline::HORSE),
        man('r', "Black chariot", '車', outline::CHARIOT),
        man('c', "Black cannon", '砲', outline::BLACK_CANNON),
        man('p', "Black soldier", '卒', outline::BLACK_SOLDIER),
    ],
    legend: &["楚河", "漢界"],
    dialect: "ucci",
    dialects: &[
        ("ucci", "UCCI coordinates"),
        ("uci10", "coordinates, ranks from 1"),
        ("iccs", "ICCS coordinates"),
        ("wxf", "WXF notation"),
        ("chinese", "Chinese notation"),
        ("chinese-traditional", "traditional Chinese notation"),
    ],
};

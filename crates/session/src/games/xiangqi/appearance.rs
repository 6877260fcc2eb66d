//! The appearance of xiangqi.

use super::outlines as outline;
use crate::appearance::chinese::ChineseNames;
use crate::appearance::{Appearance, EdgeNames, Layout, PieceAppearance};

/// The lines run from edge to edge; the river interrupts the inner files; each palace has its diagonals.
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

/// The start squares of cannons and soldiers.
const CORNER_MARKS: [[f32; 2]; 14] = [
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

const fn piece(letter: char, name: &'static str, glyph: char, outline: &'static str) -> PieceAppearance {
    let side = if letter.is_ascii_uppercase() { 0 } else { 1 };
    PieceAppearance { letter, side, name, glyph, outline }
}

/// The names of the sides. Messages use them apart from the appearance, so that a program without pictures has none.
pub(super) const SIDES: [&str; 2] = ["Red", "Black"];

/// The board and pieces of xiangqi.
pub static APPEARANCE: Appearance = Appearance {
    game: "xiangqi",
    title: "Xiangqi",
    files: 9,
    ranks: 10,
    layout: Layout::Intersections,
    file_names: &["a", "b", "c", "d", "e", "f", "g", "h", "i"],
    rank_names: &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
    lines: &LINES,
    corner_marks: &CORNER_MARKS,
    sides: SIDES,
    pieces: &[
        piece('K', "Red king", '帥', outline::RED_KING),
        piece('A', "Red advisor", '仕', outline::RED_ADVISOR),
        piece('B', "Red elephant", '相', outline::RED_ELEPHANT),
        piece('N', "Red horse", '馬', outline::HORSE),
        piece('R', "Red rook", '車', outline::ROOK),
        piece('C', "Red cannon", '炮', outline::RED_CANNON),
        piece('P', "Red soldier", '兵', outline::RED_SOLDIER),
        piece('k', "Black king", '將', outline::BLACK_KING),
        piece('a', "Black advisor", '士', outline::BLACK_ADVISOR),
        piece('b', "Black elephant", '象', outline::BLACK_ELEPHANT),
        piece('n', "Black horse", '馬', outline::HORSE),
        piece('r', "Black rook", '車', outline::ROOK),
        piece('c', "Black cannon", '砲', outline::BLACK_CANNON),
        piece('p', "Black soldier", '卒', outline::BLACK_SOLDIER),
    ],
    legend: &["楚河", "漢界"],
    shows_move_values: false,
    shows_piece_counts: false,
    english_dialect: "wxf",
    dialect_names: &[
        ("ucci", "UCCI coordinates"),
        ("uci10", "coordinates, ranks from 1"),
        ("iccs", "ICCS coordinates"),
        ("wxf", "WXF notation"),
        ("chinese", "Chinese notation"),
        ("chinese-traditional", "traditional Chinese notation"),
    ],
    dialect_rank_names: &[("uci10", &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"])],
    edge_names: &[
        ("wxf", [FILES_FROM_9, &["1", "2", "3", "4", "5", "6", "7", "8", "9"]]),
        ("chinese", CHINESE_FILES),
        ("chinese-traditional", CHINESE_FILES),
    ],
};

/// The files as Red counts them, from Red's left.
const FILES_FROM_9: &[&str] = &["9", "8", "7", "6", "5", "4", "3", "2", "1"];
/// In Chinese notation Red writes Chinese numerals, and Black full-width digits.
const CHINESE_FILES: EdgeNames = [
    &["九", "八", "七", "六", "五", "四", "三", "二", "一"],
    &["１", "２", "３", "４", "５", "６", "７", "８", "９"],
];

/// The Chinese names of xiangqi.
pub static NAMES_ZH: ChineseNames = ChineseNames {
    title: "象棋",
    sides: ["红方", "黑方"],
    pieces: &[
        ('K', "红帅"),
        ('A', "红仕"),
        ('B', "红相"),
        ('N', "红马"),
        ('R', "红车"),
        ('C', "红炮"),
        ('P', "红兵"),
        ('k', "黑将"),
        ('a', "黑士"),
        ('b', "黑象"),
        ('n', "黑马"),
        ('r', "黑车"),
        ('c', "黑炮"),
        ('p', "黑卒"),
    ],
    dialect: Some("chinese"),
    dialect_names: &[
        ("ucci", "UCCI 坐标", "h2e2"),
        ("uci10", "坐标，行号自 1 起", "h3e3"),
        ("iccs", "ICCS 坐标", "H2-E2"),
        ("wxf", "WXF 记谱", "C2.5"),
        ("chinese", "中文记谱", "炮二平五"),
        ("chinese-traditional", "繁体中文记谱", "炮二平五"),
    ],
};
